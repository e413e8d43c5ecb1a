"""Numbers, labels and sentences of a report as people read them; what the terminal and the Markdown view share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gmpy2 import mpq

from oracle.enclosures import Enclosure
from oracle.exact import Direction, Infinity, to_decimal
from oracle.levels import parse_level

__all__ = [
    "DIGITS",
    "apart",
    "columns_line",
    "comparison_lines",
    "count",
    "curves",
    "declared_lines",
    "event_lines",
    "gap",
    "headline",
    "inequality_line",
    "level_words",
    "number",
    "outcome",
    "pair_name",
    "plain",
    "printable",
    "proof_lines",
    "protection",
    "short",
    "size",
    "tight",
    "tight_delta",
    "tight_epsilon",
    "verdict",
    "witness_line",
]

Json = Mapping[str, Any]
Label = Callable[[str], str]
Ends = tuple[mpq, mpq]

DIGITS: Final = 6
"""Significant digits of the decimal beside a fraction."""

_SIMULATED: Final = "; every view is a post-processing of one sample of N"
_MOST_DIGITS: Final = 200
_LONGEST: Final = 40
_LONGEST_ORDER: Final = 12
_LONGEST_LABEL: Final = 60
_EASY: Final = 9
"""Of a fraction, a length with which one reckons by hand."""

_SHOWN_LABELS: Final = 6


def short(text: str, longest: int = _LONGEST) -> str:
    """An exact number, the middle of a long one left out and its digits counted; all of them are in report.json."""
    if len(text) <= longest:
        return text
    top, _, bottom = text.partition("/")
    parts = [part if len(part) <= longest // 2 else f"{part[:8]}...{part[-4:]}" for part in (top, bottom) if part]
    counts = " over ".join(str(len(part.lstrip("-").replace(".", ""))) for part in (top, bottom) if part)
    return f"{'/'.join(parts)} ({counts} digits)"


def number(value: str | Json, rounding: Direction, claimed: Ends | None = None) -> str:
    """A value of the report with its decimal: ``1/94 (0.0106383 rounded down)``; an enclosure as its two ends.

    The decimal has digits enough to lie on the side of the *claimed* value on which the value is.
    """
    if not isinstance(value, str):
        lo, hi = value["lo"], value["hi"]
        return f"between {short(lo)} and {short(hi)}"
    if "/" not in value:
        return short(value)
    exact = mpq(value)
    shown, note = apart(exact, rounding, claimed, _MOST_DIGITS)
    tail = "" if mpq(shown) == exact else f" rounded {rounding}{note}"
    return f"{short(value)} ({shown}{tail})"


def apart(value: mpq, rounding: Direction, claimed: Ends | None, most: int) -> tuple[str, str]:
    """A decimal of a few digits, of more where those do not tell it from what is claimed, and a note if none does."""
    digits = DIGITS
    while True:
        shown = to_decimal(value, digits, rounding)
        if claimed is None or claimed[0] <= value <= claimed[1]:
            return shown, ""
        below = value < claimed[0]
        if (mpq(shown) < claimed[0]) if below else (mpq(shown) > claimed[1]):
            return shown, ""
        if digits >= most:
            return shown, f", just {'below' if below else 'above'} the claimed one"
        digits = min(2 * digits, most)


def count(number: int, what: str) -> str:
    """``1 record``, ``2 records``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def printable(text: str) -> str:
    """Text without what a terminal might act on: whatever is not printable becomes its escape."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def plain(label: str) -> str:
    """A label, printable and cut to a bearable length."""
    text = printable(label)
    return text if len(text) <= _LONGEST_LABEL else f"{text[:_LONGEST_LABEL]}..."


def verdict(document: Json) -> str:
    """The first word of the report."""
    if document["verdict"] != "holds":
        return str(document["verdict"]).upper()
    return "HOLDS with equality" if document["equality"] else "HOLDS"


def headline(document: Json) -> str:
    """What was claimed, in words, for the line of the verdict."""
    claims, pairs = document["claims"], document["pairs"]
    if len(claims) == 1:
        said = claims[0]["words"]
    else:
        failed = sum(claim["verdict"] == document["verdict"] for claim in claims)
        every = "both claims" if len(claims) == 2 else f"all {len(claims)} claims"
        said = f"{failed} of {len(claims)} claims" if failed < len(claims) else every
    return said if len(pairs) == 1 else f"{said}, {len(pairs)} pairs"


def outcome(result: Json) -> str:
    """The verdict on one claim for one pair."""
    held = {True: "holds", False: "refuted"}
    return held.get(result["holds"], "undecided")


def size(source: Json) -> str:
    """How large the input is."""
    if "interactive" in source:
        tree = source["interactive"]
        return f"tree of {count(tree['nodes'], 'node')}, depth {tree['depth']}"
    outputs = source["shape"]["outputs"]
    return f"{source['shape']['inputs']} inputs, {'infinitely many' if outputs is None else outputs} outputs"


def pair_name(pair: Json, label: Label = plain) -> str:
    """The two inputs of a pair."""
    return f"{label(pair['p'])}, {label(pair['q'])}"


def _claimed_epsilon(claim: Json, digits: int) -> Ends | None:
    """The claimed epsilon, between two rationals where it is a logarithm; None where it is infinite."""
    epsilon = parse_level(claim["parsed"], minimum_one=True).epsilon(max(digits, DIGITS) + 2)
    if isinstance(epsilon, Infinity):
        return None
    return (epsilon.lo, epsilon.hi) if isinstance(epsilon, Enclosure) else (epsilon, epsilon)


def tight_epsilon(claim: Json, values: Json, digits: int = DIGITS) -> tuple[str, str]:
    """The least epsilon at the claimed delta: its name, and e^epsilon where that is rational with epsilon rounded up.

    Args:
        claim: what is claimed, as the report has it.
        values: the claim or one of its results, with the tight values.
        digits: how many there are of an enclosure.
    """
    level, epsilon = values["tight_exp_epsilon"], values["tight_epsilon"]
    if level == "inf":
        return "tight epsilon", "inf (no epsilon serves)"
    shown = _epsilon(epsilon, _claimed_epsilon(claim, digits), digits)
    if level is None:
        return "tight epsilon", shown
    stated = claim["parsed"].get("exp_epsilon", "inf")
    claimed = None if stated == "inf" else (mpq(stated), mpq(stated))
    return "tight exp_epsilon", f"{number(level, 'up', claimed)}, epsilon = {shown}"


def _epsilon(epsilon: str | Json, claimed: Ends | None, digits: int) -> str:
    if isinstance(epsilon, str):
        return number(epsilon, "up", claimed)
    shown, note = apart(mpq(epsilon["hi"]), "up", claimed, max(digits, DIGITS))
    return f"{shown} rounded up{note}"


def tight_delta(claim: Json, values: Json) -> str:
    """The least delta at the claimed epsilon."""
    claimed = mpq(claim["parsed"]["delta"])
    return number(values["tight_delta"], "up", (claimed, claimed))


def tight(claim: Json, values: Json) -> tuple[str, str]:
    """The least number that serves of a claim of mu, rho or a Rényi order, with its name."""
    parsed = claim["parsed"]
    name = "tight epsilon" if "order" in parsed else "tight mu" if "mu" in parsed else "tight rho"
    value = values["tight"]
    return name, "inf (none serves)" if value == "inf" else number(value, "up")


def level_words(claim: Json) -> str:
    """The claimed epsilon in words."""
    return str(claim["words"]).partition(",")[0]


def gap(result: Json, claim: Json, digits: int = DIGITS) -> str:
    """The slack of a result: room left where it holds, excess where it does not."""
    if "tight" in result:
        return "-inf" if result["slack"] == "-inf" else number(result["slack"], "down")
    where = result.get("least_gap")
    text = number(result["slack"], "down")
    if where is None:
        if result["slack"] != "0" or result["equality"] or result["holds"] is not True:
            return text
        least = _epsilon(result["tight_epsilon"], _claimed_epsilon(claim, digits), digits)
        said = level_words(claim).removeprefix("epsilon = ")
        return f"0 in delta (tight epsilon {least} is below the claimed {said})"
    curve = "T(P, Q)" if where["direction"] == "forward" else "T(Q, P)"
    if where["alpha"] is None:
        return f"{text} = least {curve} - line, over the lines of f"
    return f"{text} = least {curve} - f, at alpha = {number(where['alpha'], 'down')}"


def curves(document: Json, pair: Json) -> list[tuple[str, Any]]:
    """The titles and corners of the trade-off functions in the direction of the audit; a pair of equal ones once."""
    forward, backward = pair["tradeoff"]["forward"], pair["tradeoff"]["backward"]
    both = [("T(P, Q)", forward), ("T(Q, P)", forward if pair["symmetric"] else backward)]
    if document["direction"] != "both":
        found = both[:1] if document["direction"] == "forward" else both[1:]
    else:
        found = [("T(P, Q) = T(Q, P)", forward)] if pair["symmetric"] else both
    least = ", the largest below those of all views" if "interactive" in document["input"] else ""
    return [(f"{title}{least}", corners) for title, corners in found]


def declared_lines(document: Json) -> list[str]:
    """Each declared fact, by the last part of its field's name."""
    return [
        f"{name.rpartition('.')[2].replace('_', ' ')}: {text}" for name, text in sorted(document["declared"].items())
    ]


def protection(document: Json) -> list[tuple[str, str]]:
    """The declared privacy unit and neighbouring relation, without which no guarantee can be read."""
    named = {"privacy unit": "privacy_loss.privacy_unit", "neighbours": "privacy_loss.neighbouring_relation"}
    return [(name, document["declared"][field]) for name, field in named.items() if field in document["declared"]]


def columns_line(document: Json, evidence: Json) -> str | None:
    """What the numbers of unnamed columns are, where a mechanism expression makes them."""
    if evidence["kind"] != "event" or evidence["outcomes"] is not None or "expression" not in document["input"]:
        return None
    return "numbered from 0, as the expression makes them; a composition merges equal q/p, in order of increasing q/p"


def event_lines(event: Json, label: Label = plain) -> list[str]:
    """The refuting event with its probabilities, the inequality it violates, and those of each of its columns."""
    outcomes = event["outcomes"]
    count = len(event["columns"])
    names: Sequence[str] = [f"column {k}" for k in event["columns"][:_SHOWN_LABELS]]
    if outcomes is not None:
        names = [label(name) for name in outcomes[:_SHOWN_LABELS]]
    more = f", ... {count - _SHOWN_LABELS} more" if count > _SHOWN_LABELS else ""
    said = f"S = {{{', '.join(names)}{more}}}: P(S) = {number(event['p'], 'down')}, Q(S) = {number(event['q'], 'down')}"
    lines = [said, inequality_line(event["inequality"]), *_simple_line(event)]
    if count == 1:
        return lines
    parts = [
        f"{name}: {number(p, 'down')}, {number(q, 'down')}"
        for name, (p, q) in zip(names, event["probabilities"], strict=False)
    ]
    return [*lines, f"P, Q of each: {'; '.join(parts)}{'; ...' if count > len(parts) else ''}"] if parts else lines


def _simple_line(event: Json) -> list[str]:
    """Short bounds of both masses with which it is checked by hand, where the masses are long."""
    simple = event["simple"]
    if simple is None or max(len(str(event[name])) for name in ("p", "q")) <= _EASY:
        return []
    first, second = ("P(S)", "Q(S)") if event["direction"] == "forward" else ("Q(S)", "P(S)")
    return [f"enough of it: {first} >= {short(simple['large'])}, {second} <= {short(simple['small'])}"]


def inequality_line(rule: Json) -> str:
    """The inequality that an event violates, with its values."""
    level = f", {'U' if ' U ' in rule['left'] else 'e^epsilon'} = {short(rule['level'])}" if rule["level"] else ""
    upper = " >= e^epsilon" if " U " in rule["left"] else ""
    if rule["right"].startswith("Phi("):
        level = f", t = {short(rule['level'])}"
    left, right = (number(rule[f"{side}_value"], "down") for side in ("left", "right"))
    return f"{rule['left']} = {left} {rule['relation']} {right} = {rule['right']}{level}{upper}"


def comparison_lines(evidence: Json) -> list[str]:
    """The comparisons of a record, the deciding ones first: those that fail, those undecided, those that hold."""
    rank = {">": 0, "undecided": 1}
    found = sorted(evidence["comparisons"], key=lambda item: rank.get(item["relation"], 2))
    lines = []
    for item in found[:_SHOWN_LABELS]:
        if "quantity" in item:
            lines.append(_quantity_line(item))
            continue
        laws = "P, Q" if item["direction"] == "forward" else "Q, P"
        level = (
            f"e^epsilon = {short(item['exp_epsilon'])}"
            if "exp_epsilon" in item
            else f"epsilon = {short(item['epsilon'])}"
        )
        lines.append(f"D({laws}) at {level}: {_related(item)}")
    more = len(found) - _SHOWN_LABELS
    return [*lines, f"... {more} more"] if more > 0 else lines


def _related(item: Json) -> str:
    """The value of a comparison, its relation to the bound, and how that was decided."""
    relation = item["relation"] if item["relation"] in "<=>" else "against"
    if item["relation"] == "undecided":
        how = f"undecided at {item['bits']} bits" if item["bits"] else "no certificate that the checker accepts"
    else:
        how = f"proved at {item['bits']} bits" if item["bits"] else "decided exactly"
    return f"{number(item['value'], 'down')} {relation} {short(item['bound'])}, {how}"


def _quantity_line(item: Json) -> str:
    """A comparison for a claim of mu, of a Rényi order or of rho."""
    if item["quantity"] == "mu":
        return f"least mu: {_related(item)}"
    laws = "P, Q" if item["direction"] == "forward" else "Q, P"
    order = item["order"]
    if item["quantity"] == "renyi":
        return f"D_{_operand(short(order))}({laws}): {_related(item)}"
    cells = f"; every order by {count(len(item['cells']), 'cell')}" if item.get("cells") else ""
    if len(order) > _LONGEST_ORDER:
        # Found by search, with a denominator of many digits.
        whole, rest = ("1 + ", mpq(order) - 1) if mpq(order) < 2 else ("", mpq(order))
        near = f"{whole}{to_decimal(rest, DIGITS, 'down')} rounded down"
        return f"D_a({laws})/a at a = {near}: {_related(item)}{cells}"
    ratio = f"D_1({laws})" if order == "1" else f"D_{_operand(order)}({laws})/{_operand(order)}"
    return f"{ratio}: {_related(item)}{cells}"


def _operand(number: str) -> str:
    """A number as an index or a divisor: a fraction in parentheses."""
    return f"({number})" if "/" in number else number


def proof_lines(result: Json) -> list[tuple[str, str]]:
    """What of the certificate decides a claim of mu, of a Rényi order or of rho; nothing for other evidence."""
    evidence = result["evidence"]
    simulated = evidence["kind"] == "simulation"
    evidence = evidence["by"] if simulated else evidence
    kind = evidence["kind"]
    if kind == "thresholds":
        said = (
            f"a threshold t with Phi(t) >= 1 - alpha and Phi(t - mu) <= beta for {count(evidence['corners'], 'corner')}"
        )
    elif kind == "cells":
        parts = [f"{count(side['cells'], 'cell')} of orders {side['direction']}" for side in evidence["sides"]]
        said = f"{' and '.join(parts)}, in each a chord below rho a (a - 1), and beyond them D_inf <= rho a"
    elif kind == "divergence":
        said = f"the divergence of the order, direction {evidence['direction']}, from the probabilities"
    elif kind == "order":
        laws = "P, Q" if evidence["direction"] == "forward" else "Q, P"
        order, value = evidence["order"], number(evidence["divergence"], "down")
        if order == "1":
            said = f"D_1({laws}) = {value} > rho, so that D_a > rho a just above a = 1"
        else:
            said = f"D_a({laws}) = {value} > rho a at a = {short(order)}"
    else:
        return []
    return [("proved by", f"{said} of N{_SIMULATED}" if simulated else said)]


def witness_line(result: Json) -> tuple[str, str]:
    """What proves that a claim holds, with its name."""
    evidence, target = result["evidence"], "the table"
    if evidence["kind"] == "simulation":
        evidence, target = evidence["by"], f"N{_SIMULATED}"
    if evidence["kind"] == "signs":
        count = f"{evidence['columns']} columns"
        if result["about"] == "tradeoff":
            return "proved by", f"the sign of Q_i - h P_i for each of {count} and each slope -h of f"
        return "proved by", f"the sign of P_i - e^epsilon Q_i for each of {count}"
    parts = [f"{w['rows']} x {w['columns']} with {w['entries']} nonzero entries" for w in evidence["witnesses"]]
    return "witness", f"row-stochastic W, {' and '.join(parts)}; worst case of the claim times W = {target}"
