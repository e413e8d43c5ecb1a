"""A report as an unsigned in-toto statement, for people to sign with the tools that they have.

The subjects are the report and the file that was audited, by their SHA-256; the predicate repeats what was claimed and
found. A signature then says who stands for the report; the certificates inside it say why it is true.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

from oracle.audits.report import Report

__all__ = ["PREDICATE_TYPE", "STATEMENT_TYPE", "statement_of"]

STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE: Final = "urn:fdp-oracle:audit:1"


def statement_of(report: Report, report_bytes: bytes) -> dict[str, Any]:
    """The statement about a report, whose file has the given bytes.

    Nothing in it is new: every field of the predicate stands in the report, and a reader checks that with
    ``oracle verify``, not by the statement.
    """
    document = report.document
    subjects = [{"name": "report.json", "digest": {"sha256": hashlib.sha256(report_bytes).hexdigest()}}]
    if document["input"]["sha256"] is not None:
        subjects.append({"name": document["input"]["name"], "digest": {"sha256": document["input"]["sha256"]}})
    told = ("written", "parsed", "verdict")
    statistical = ("confidence", "selection", "assumptions")
    return {
        "_type": STATEMENT_TYPE,
        "subject": subjects,
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "report": document["id"],
            "product": document["product"],
            "input": {"parsed_sha256": document["input"]["parsed_sha256"]},
            "direction": document["direction"],
            "claims": [{name: claim[name] for name in told} for claim in document["claims"]],
            "verdict": document["verdict"],
            **{name: document[name] for name in statistical if name in document},
            "certificates": [{"kind": c["certificate"], "digest": c["digest"]} for c in document["certificates"]],
            "declared": document["declared"],
            "limits": document["limits"],
        },
    }
