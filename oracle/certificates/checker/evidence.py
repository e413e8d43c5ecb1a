"""The evidence of a result of an audit report: what it repeats of the certificate, in words and numbers."""

from __future__ import annotations

from fractions import Fraction

from .claims import ONE_DIRECTION, PrivacyClaim
from .gaussian import gaussian_claim
from .interactive_report import check_adversary
from .matrices import matrix, stochastic_channel, total
from .measures import Ends, bounds_of, measured, require_normal, require_value
from .moments import Side
from .reading import choice, event, fields, items, number
from .stated import Claim, DivergenceClaim
from .verdict import Rejected

Document = dict[str, object]

SHOWN_COLUMNS = 6
_EVENT = ("kind", "direction", "columns", "outcomes", "p", "q", "probabilities", "inequality", "simple")
_RULE = ("left", "left_value", "relation", "right", "right_value", "level")


def check_evidence(value: object, document: Document, claim: Claim, shown: tuple[object, int], where: str) -> None:
    """Reject evidence that is not what its certificate or record gives.

    `shown` is the table of the report, if it has one, whose outcomes are named, and the digits of its enclosures.
    """
    table, digits = shown
    if "record" in document:
        wanted: object = {"kind": "enclosure", "comparisons": document["comparisons"]}
    elif document["certificate"] in ("dp_held", "tradeoff_held"):
        wanted = {"kind": "witness", "witnesses": _witnesses(document)}
    elif document["certificate"] == "interactive_held":
        wanted = _simulation(document)
    elif document["certificate"] == "interactive_refuted":
        check_adversary(value, document, claim, digits, where)
        return
    elif document["certificate"] == "zcdp_refuted":
        _order(value, document, digits, where)
        return
    elif isinstance(claim, DivergenceClaim) and document["certificate"] != "gdp_refuted":
        wanted = _divergence(document)
    elif document["certificate"] == "formal_claim" and document["event"] is None:
        columns = items(items(document["rows"], where)[0], where)
        wanted = {"kind": "signs", "columns": len(columns)}
    else:
        found = fields(value, _EVENT, where)
        _outcomes(found, table, where)
        if document["certificate"] == "formal_claim":
            _formal_event(found, document, claim, where)
            return
        _event(found, document, claim, digits, where)
        return
    if value != wanted:
        raise Rejected("is not what the certificate or record says", where)


def _divergence(document: Document) -> Document:
    """What of a certificate on mu, rho or a Renyi order proves the verdict."""
    kind = document["certificate"]
    if kind == "gdp_held":
        return {"kind": "thresholds", "corners": len(items(document["thresholds"], "$"))}
    if kind == "zcdp_held":
        cells = document["cells"] if isinstance(document["cells"], dict) else {}
        sides = [{"direction": name, "cells": len(items(cells[name], "$"))} for name in ONE_DIRECTION if name in cells]
        return {"kind": "cells", "sides": sides}
    return {"kind": "divergence", "direction": document["direction"]}


def _order(value: object, document: Document, digits: int, where: str) -> None:
    """The order at which rho is exceeded, and the divergence there."""
    found = fields(value, ("kind", "direction", "order", "divergence"), where)
    for name, own in (("kind", "order"), ("direction", document["direction"]), ("order", document["order"])):
        if found[name] != own:
            raise Rejected("is not what the certificate says", f"{where}.{name}")
    side = Side(stochastic_channel(document["channel"], "$.channel", 2), str(document["direction"]))
    order, stated = number(document["order"], "$.order"), found["divergence"]
    if side.infinite or not side.columns:
        if stated != "inf":
            raise Rejected('expected "inf"', f"{where}.divergence")
        return

    def bracket(bits: int) -> Ends:
        return bounds_of(side.first(bits) if order == 1 else side.divergence(order, bits))

    require_value(stated, bracket, f"{where}.divergence", digits)


def _simulation(document: Document) -> Document:
    """How N, which simulates an interactive mechanism, satisfies the claim."""
    evidence, states = document["evidence"], items(document["states"], "$")
    channel = states[-1] if isinstance(states[-1], dict) else {}
    rows = items(channel["matrix"], "$")
    by: Document = {"kind": "thresholds"}
    if isinstance(evidence, dict) and "thresholds" in evidence:
        by["corners"] = len(items(evidence["thresholds"], "$"))
    elif isinstance(evidence, dict):
        by = {"kind": "witness", "witnesses": _witnesses({**evidence, "direction": document["direction"]})}
    return {"kind": "simulation", "columns": len(items(rows[0], "$")), "by": by}


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


def _event(found: Document, document: Document, claim: Claim, digits: int, where: str) -> None:
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
        _nothing(found["simple"], f"{where}.simple")
    if isinstance(claim, DivergenceClaim):
        _texts(rule, (f"1 - {second}", "<", f"Phi(t - mu) <= G_mu({first})", document["threshold"]), place)
        require_value(rule["left_value"], number(document["beta"], "$.beta"), f"{place}.left_value")
        _normal(rule["right_value"], document, digits, f"{place}.right_value")
        return
    if not isinstance(claim, PrivacyClaim):
        _texts(rule, (f"1 - {second}", "<", f"f({first})", None), place)
        require_value(rule["left_value"], number(document["beta"], "$.beta"), f"{place}.left_value")
        require_value(rule["right_value"], number(document["claimed"], "$.claimed"), f"{place}.right_value")
        return
    large, small = masses if direction == "forward" else masses[::-1]
    require_value(rule["right_value"], claim.delta, f"{place}.right_value")
    level = number(document["level"], "$.level") if small else Fraction(0)
    _simple(found["simple"], (large, small), level, claim.delta, f"{where}.simple")
    if not small:
        _texts(rule, (first, ">", "delta", None), place)
        require_value(rule["left_value"], large, f"{place}.left_value")
        return
    name = "e^epsilon" if claim.epsilon is None else "U"
    _texts(rule, (f"{first} - {name} {second}", ">", "delta", document["level"]), place)
    require_value(rule["left_value"], large - level * small, f"{place}.left_value")


def _simple(value: object, masses: tuple[Fraction, Fraction], level: Fraction, delta: Fraction, where: str) -> None:
    """The short bounds: the larger mass from below, the smaller one from above, and they still refute."""
    found = fields(value, ("large", "small"), where)
    large, small = (number(found[name], f"{where}.{name}") for name in ("large", "small"))
    if large > masses[0] or small < masses[1]:
        raise Rejected("are no bounds of the masses of the event", where)
    if large <= level * small + delta or (not masses[1] and small):
        raise Rejected("do not refute the claim", where)


def _nothing(value: object, where: str) -> None:
    if value is not None:
        raise Rejected("expected null", where)


def _normal(stated: object, document: Document, digits: int, where: str) -> None:
    """The value of Phi(t - mu)."""
    point = number(document["threshold"], "$.threshold") - gaussian_claim(document["claim"], "$.claim")
    require_normal(stated, point, digits, where)


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


def _formal_event(found: Document, document: Document, claim: Claim, where: str) -> None:
    """The same with irrational probabilities, whose values are read and not certified."""
    rule = _same_event(found, document, where)
    _nothing(found["simple"], f"{where}.simple")
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
