"""Records: enclosures computed in ball arithmetic.  They are no certificates, and nothing of them is proved here.

A record or a report of records is told apart from what is malformed, with the command that makes it again.
"""

from __future__ import annotations

import json
from shlex import quote

from .reading import choice, fields, items
from .verdict import Rejected, Unverified

_RECORD = ("record", "version", "mechanism", "claim", "direction", "holds", "comparisons", "bits")
_LONGEST = 2000


def check_record(document: dict[str, object], where: str = "$") -> None:
    """Reject a record whose outcome is not that of its comparisons."""
    fields(document, _RECORD, where)
    choice(document["record"], ("enclosure",), f"{where}.record")
    choice(document["direction"], ("both", "forward", "backward"), f"{where}.direction")
    relations = []
    for k, item in enumerate(items(document["comparisons"], f"{where}.comparisons", 1)):
        place = f"{where}.comparisons[{k}]"
        level = "epsilon" if isinstance(item, dict) and "epsilon" in item else "exp_epsilon"
        comparison = fields(item, ("direction", level, "value", "relation", "bound", "bits"), place)
        relations.append(choice(comparison["relation"], ("<", "=", ">", "undecided"), f"{place}.relation"))
    outcome = False if ">" in relations else "undecided" if "undecided" in relations else True
    if document["holds"] is not outcome and document["holds"] != outcome:
        raise Rejected("does not follow from the comparisons", f"{where}.holds")


def lone_record(document: dict[str, object]) -> Unverified:
    """The outcome of a record by itself."""
    check_record(document)
    mechanism = quote(json.dumps(document["mechanism"], sort_keys=True))
    claim, stated = document["claim"], "curve=FILE"
    if isinstance(claim, dict) and "tradeoff" not in claim:
        words = {"epsilon": "eps", "exp_epsilon": "exp_eps", "delta": "delta"}
        stated = ",".join(f"{words[name]}={claim[name]}" for name in words if name in claim)
    command = f"echo {mechanism} | oracle audit - --claim {quote(stated)} --direction {document['direction']}"
    made = f"make it again with: {command}" if len(command) <= _LONGEST else "make it again with oracle audit"
    return Unverified(f"no certificate, but a record of enclosures: {made}")


def records_outcome(document: dict[str, object], verdict: str) -> Unverified:
    """The outcome of a report of records that holds together."""
    records = items(document["records"], "$.records", 1)
    for k, record in enumerate(records):
        if not isinstance(record, dict):
            raise Rejected("expected a record", f"$.records[{k}]")
        check_record(record, f"$.records[{k}]")
    commands = [str(command) for command in items(document["recheck"], "$.recheck", 1)]
    told, them = (
        ("1 record of enclosures says", "it")
        if len(records) == 1
        else (f"{len(records)} records of enclosures say", "them")
    )
    return Unverified(f"no certificate; {told} {verdict.upper()}: make {them} again with: {commands[-1]}")
