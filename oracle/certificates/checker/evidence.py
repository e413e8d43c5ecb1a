"""The evidence of a result of an audit report: what it repeats of the certificate, in words and numbers."""

from __future__ import annotations

from .claims import ONE_DIRECTION, PrivacyClaim
from .curves import Curve
from .matrices import matrix, total
from .measures import measured, require_value
from .reading import choice, event, fields, items, number
from .verdict import Rejected

Document = dict[str, object]

SHOWN_COLUMNS = 6
_EVENT = ("kind", "direction", "columns", "outcomes", "p", "q", "probabilities", "inequality")
_RULE = ("left", "left_value", "relation", "right", "right_value", "level")


def check_evidence(value: object, document: Document, claim: PrivacyClaim | Curve, table: object, where: str) -> None:
    """Reject evidence that is not what its certificate or record gives; outcomes are those of the table, if any."""
    if "record" in document:
        wanted: object = {"kind": "enclosure", "comparisons": document["comparisons"]}
    elif document["certificate"] in ("dp_held", "tradeoff_held"):
        wanted = {"kind": "witness", "witnesses": _witnesses(document)}
    elif document["certificate"] == "formal_claim" and document["event"] is None:
        columns = items(items(document["rows"], where)[0], where)
        wanted = {"kind": "signs", "columns": len(columns)}
    else:
        found = fields(value, _EVENT, where)
        _outcomes(found, table, where)
        if document["certificate"] == "formal_claim":
            _formal_event(found, document, claim, where)
            return
        _event(found, document, claim, where)
        return
    if value != wanted:
        raise Rejected("is not what the certificate or record says", where)


def _witnesses(document: Document) -> list[Document]:
    if "witness" in document:
        found = {str(document["direction"]): document["witness"]}
    else:
        listed = document["witnesses"]
        found = {name: listed[name] for name in ONE_DIRECTION if isinstance(listed, dict) and name in listed}
    sizes = []
    for name, witness in found.items():
        parts = fields(witness, ("rows", "columns", "entries"), "$")
        size = {"rows": parts["rows"], "columns": parts["columns"], "entries": len(items(parts["entries"], "$"))}
        sizes.append({"direction": name, **size})
    return sizes


def _outcomes(found: Document, table: object, where: str) -> None:
    """The outcomes of an event have the names that the table gives them, where the report has the table."""
    outcomes, place = found["outcomes"], f"{where}.outcomes"
    columns = items(found["columns"], f"{where}.columns")
    if outcomes is not None:
        names = items(outcomes, place)
        if len(names) != len(columns) or not all(isinstance(name, str) for name in names):
            raise Rejected("expected a name for each column", place)
    if isinstance(table, dict):
        labels = table.get("outputs")
        known = [labels[k] for k in event(columns, len(labels), place)] if isinstance(labels, list) else None
        if outcomes != known:
            raise Rejected("are not the names of the columns in the table", place)


def _words(direction: str) -> tuple[str, str]:
    return ("P(S)", "Q(S)") if direction == "forward" else ("Q(S)", "P(S)")


def _event(found: Document, document: Document, claim: PrivacyClaim | Curve, where: str) -> None:
    """The event of a refuting certificate that was checked, and the inequality it violates."""
    rule = _same_event(found, document, where)
    channel = document["channel"]
    rows = matrix(channel["matrix"] if isinstance(channel, dict) else None, "$.channel.matrix")
    columns = event(document["event"], len(rows[0]), "$.event")
    masses = [total(row[k] for k in columns) for row in rows]
    require_value(found["p"], masses[0], f"{where}.p")
    require_value(found["q"], masses[1], f"{where}.q")
    shown = _shown(found, where)
    for k, pair in zip(columns, shown, strict=False):
        for value, row in zip(pair, rows, strict=True):
            require_value(value, row[k], f"{where}.probabilities")
    direction = str(document["direction"])
    first, second = _words(direction)
    place = f"{where}.inequality"
    if not isinstance(claim, PrivacyClaim):
        _texts(rule, (f"1 - {second}", "<", f"f({first})", None), place)
        require_value(rule["left_value"], number(document["beta"], "$.beta"), f"{place}.left_value")
        require_value(rule["right_value"], number(document["claimed"], "$.claimed"), f"{place}.right_value")
        return
    large, small = masses if direction == "forward" else masses[::-1]
    require_value(rule["right_value"], claim.delta, f"{place}.right_value")
    if not small:
        _texts(rule, (first, ">", "delta", None), place)
        require_value(rule["left_value"], large, f"{place}.left_value")
        return
    name = "e^epsilon" if claim.epsilon is None else "U"
    _texts(rule, (f"{first} - {name} {second}", ">", "delta", document["level"]), place)
    require_value(rule["left_value"], large - number(document["level"], "$.level") * small, f"{place}.left_value")


def _same_event(found: Document, document: Document, where: str) -> Document:
    """The event is that of the certificate; returns the inequality."""
    for name, own in (("kind", "event"), ("direction", document["direction"]), ("columns", document["event"])):
        if found[name] != own:
            raise Rejected("is not what the certificate says", f"{where}.{name}")
    return fields(found["inequality"], _RULE, f"{where}.inequality")


def _texts(rule: Document, texts: tuple[object, ...], where: str) -> None:
    """The words of an inequality: left, relation, right, level."""
    for name, own in zip(("left", "relation", "right", "level"), texts, strict=True):
        if rule[name] != own:
            raise Rejected("is not what the certificate says", f"{where}.{name}")


def _shown(found: Document, where: str) -> list[list[object]]:
    """The probabilities of each of the first columns."""
    place = f"{where}.probabilities"
    shown = [items(pair, f"{place}[{k}]", 2) for k, pair in enumerate(items(found["probabilities"], place))]
    wanted = min(len(items(found["columns"], f"{where}.columns")), SHOWN_COLUMNS)
    if len(shown) != wanted or any(len(pair) != 2 for pair in shown):
        raise Rejected(f"expected [p, q] for each of the first {SHOWN_COLUMNS} columns", place)
    return shown


def _formal_event(found: Document, document: Document, claim: PrivacyClaim | Curve, where: str) -> None:
    """The same with irrational probabilities, whose values are read and not certified."""
    rule = _same_event(found, document, where)
    first, second = _words(str(document["direction"]))
    place = f"{where}.inequality"
    if isinstance(claim, PrivacyClaim):
        left = choice(rule["left"], (first, f"{first} - e^epsilon {second}"), f"{place}.left")
        _texts(rule, (left, ">", "delta", None), place)
        require_value(rule["right_value"], claim.delta, f"{place}.right_value")
    else:
        _texts(rule, (f"1 - {second}", "<", f"f({first})", None), place)
        measured(rule["right_value"], f"{place}.right_value")
    measured(rule["left_value"], f"{place}.left_value")
    shown = _shown(found, where)
    for value in (found["p"], found["q"], *(value for pair in shown for value in pair)):
        low, high = measured(value, where)
        if low < 0 or high > 1:
            raise Rejected("expected probabilities", where)
