"""The in-toto statement about a report."""

from __future__ import annotations

import hashlib

from oracle.audits.run import audit
from oracle.audits.statement import PREDICATE_TYPE, STATEMENT_TYPE, statement_of

FAIR = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}


def test_subjects_are_the_report_and_the_file(tmp_path):
    """By their SHA-256; a value from Python is no file."""
    path = tmp_path / "table.csv"
    path.write_text("outcome,P,Q\na,3/4,1/4\nb,1/4,3/4\n", encoding="utf-8")
    found = statement_of(audit(path, "exp_eps=3"), b"the report")
    report, table = found["subject"]
    assert report == {"name": "report.json", "digest": {"sha256": hashlib.sha256(b"the report").hexdigest()}}
    assert table == {"name": "table.csv", "digest": {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}}
    assert len(statement_of(audit(FAIR, "exp_eps=3"), b"")["subject"]) == 1


def test_the_predicate_repeats_the_report():
    """Claims, verdict, certificates by digest, declared facts, and what is not said."""
    report = audit(FAIR, ["exp_eps=2", "mu=2"], declared={"privacy_loss.privacy_unit": "user"})
    found = statement_of(report, b"")
    predicate, document = found["predicate"], report.document
    assert (found["_type"], found["predicateType"]) == (STATEMENT_TYPE, PREDICATE_TYPE)
    assert predicate["report"] == document["id"]
    assert [claim["verdict"] for claim in predicate["claims"]] == ["refuted", "holds"]
    assert [c["digest"] for c in predicate["certificates"]] == [c["digest"] for c in document["certificates"]]
    assert predicate["declared"] == {"privacy_loss.privacy_unit": "user"}
    assert predicate["limits"] == document["limits"]
