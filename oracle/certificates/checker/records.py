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
        comparison = fields(item, (*_compared(item, f"{place}.quantity"), "value", "relation", "bound", "bits"), place)
        relations.append(choice(comparison["relation"], ("<", "=", ">", "undecided"), f"{place}.relation"))
    outcome = False if ">" in relations else "undecided" if "undecided" in relations else True
    if document["holds"] is not outcome and document["holds"] != outcome:
        raise Rejected("does not follow from the comparisons", f"{where}.holds")


def _compared(item: object, where: str) -> tuple[str, ...]:
    """The fields of a comparison that say what is compared."""
    if not isinstance(item, dict) or "quantity" not in item:
        found = item if isinstance(item, dict) else {}
        # Of a composition the method is told, and what its enclosure rests on.
        method = ("method", "facts") if "method" in found or "facts" in found else ()
        return ("direction", "epsilon" if "epsilon" in found else "exp_epsilon", *method)
    quantity = choice(item["quantity"], ("mu", "renyi", "rho"), where)
    if quantity == "mu":
        return ("quantity",)
    return ("quantity", "direction", "order", *(("cells",) if quantity == "rho" and "cells" in item else ()))


def lone_record(document: dict[str, object]) -> Unverified:
    """The outcome of a record by itself."""
    check_record(document)
    mechanism = document["mechanism"]
    text = quote(json.dumps(mechanism, sort_keys=True))
    stated = quote(_stated(document["claim"]))
    command = f"echo {text} | oracle audit - --claim {stated} --direction {document['direction']}"
    # The weights of irrational probabilities are no input of an audit.
    again = len(command) <= _LONGEST and not (isinstance(mechanism, dict) and "rows" in mechanism)
    made = f"make it again with: {command}" if again else "make it again with oracle audit"
    return Unverified(f"no certificate, but a record of enclosures: {made}")


def _stated(claim: object) -> str:
    """A claim as `oracle audit --claim` takes it, in full."""
    if not isinstance(claim, dict) or "tradeoff" in claim:
        return "curve=FILE"
    if "order" in claim:
        level = str(claim.get("exp_epsilon"))
        epsilon = claim["epsilon"] if "epsilon" in claim else {"1": "0", "inf": "inf"}.get(level, f"log({level})")
        return f"rdp={claim['order']}:{epsilon}"
    words = {"epsilon": "eps", "exp_epsilon": "exp_eps", "delta": "delta", "mu": "mu", "rho": "rho"}
    return ",".join(f"{words[name]}={claim[name]}" for name in words if name in claim)


def records_outcome(document: dict[str, object], verdict: str) -> Unverified:
    """The outcome of a report with records that holds together."""
    records = items(document["records"], "$.records", 1)
    for k, record in enumerate(records):
        if not isinstance(record, dict):
            raise Rejected("expected a record", f"$.records[{k}]")
        check_record(record, f"$.records[{k}]")
    commands = [str(command) for command in items(document["recheck"], "$.recheck", 1)]
    proved, count = len(items(document["certificates"], "$.certificates")), len(records)
    told, them = ("1 record of enclosures", "it") if count == 1 else (f"{count} records of enclosures", "them")
    if proved:
        accepted = "1 certificate was" if proved == 1 else f"{proved} certificates were"
        reason = f"{accepted} accepted; with {told}, not proved, they say {verdict.upper()}"
    else:
        reason = f"no certificate; {told} {'says' if count == 1 else 'say'} {verdict.upper()}"
    return Unverified(f"{reason}: make {them} again with: {commands[-1]}")
