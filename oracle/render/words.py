"""Numbers, labels and sentences of a report as people read them; what the terminal and the Markdown view share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gmpy2 import mpq

from oracle.exact import Direction, to_decimal

__all__ = [
    "DIGITS",
    "comparison_lines",
    "event_lines",
    "gap",
    "headline",
    "number",
    "outcome",
    "pair_name",
    "plain",
    "printable",
    "short",
    "size",
    "tight_epsilon",
    "verdict",
    "witness_line",
]

Json = Mapping[str, Any]
Label = Callable[[str], str]

DIGITS: Final = 6
"""Significant digits of the decimal beside a fraction."""

_LONGEST: Final = 40
_LONGEST_LABEL: Final = 60
_SHOWN_LABELS: Final = 6


def short(text: str, longest: int = _LONGEST) -> str:
    """An exact number, the middle of a long one left out and its digits counted; all of them are in report.json."""
    if len(text) <= longest:
        return text
    top, _, bottom = text.partition("/")
    parts = [part if len(part) <= longest // 2 else f"{part[:8]}...{part[-4:]}" for part in (top, bottom) if part]
    counts = " over ".join(str(len(part.lstrip("-").replace(".", ""))) for part in (top, bottom) if part)
    return f"{'/'.join(parts)} ({counts} digits)"


def number(value: str | Json, rounding: Direction) -> str:
    """A value of the report with its decimal: ``1/94 (0.0106383 rounded down)``; an enclosure as its two ends."""
    if not isinstance(value, str):
        lo, hi = value["lo"], value["hi"]
        return f"between {short(lo)} and {short(hi)}"
    if "/" not in value:
        return short(value)
    exact = mpq(value)
    shown = to_decimal(exact, DIGITS, rounding)
    tail = "" if mpq(shown) == exact else f" rounded {rounding}"
    return f"{short(value)} ({shown}{tail})"


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
        said = f"{failed} of {len(claims)} claims" if failed < len(claims) else f"all {len(claims)} claims"
    return said if len(pairs) == 1 else f"{said}, {len(pairs)} pairs"


def outcome(result: Json) -> str:
    """The verdict on one claim for one pair."""
    held = {True: "holds", False: "refuted"}
    return held.get(result["holds"], "undecided")


def size(source: Json) -> str:
    """How large the input is."""
    outputs = source["shape"]["outputs"]
    return f"{source['shape']['inputs']} inputs, {'infinitely many' if outputs is None else outputs} outputs"


def pair_name(pair: Json, label: Label = plain) -> str:
    """The two inputs of a pair."""
    return f"{label(pair['p'])}, {label(pair['q'])}"


def tight_epsilon(claim: Json) -> str:
    """The least epsilon at the claimed delta: e^epsilon where it is rational, and epsilon rounded up."""
    level, epsilon = claim["tight_exp_epsilon"], claim["tight_epsilon"]
    if level == "inf":
        return "inf (no epsilon serves)"
    if isinstance(epsilon, str):
        shown = f"epsilon = {number(epsilon, 'up')}"
    else:
        shown = f"epsilon = {to_decimal(mpq(epsilon['hi']), DIGITS, 'up')} rounded up"
    return shown if level is None else f"{number(level, 'up')}, {shown}"


def gap(result: Json) -> str:
    """The slack of a result: room left where it holds, excess where it does not."""
    where = result.get("least_gap")
    text = number(result["slack"], "down")
    if where is None:
        return text
    curve = "T(P, Q)" if where["direction"] == "forward" else "T(Q, P)"
    if where["alpha"] is None:
        return f"{text} = least {curve} - line, over the lines of f"
    return f"{text} = least {curve} - f, at alpha = {number(where['alpha'], 'down')}"


def event_lines(event: Json, label: Label = plain) -> tuple[str, str]:
    """The refuting event with its probabilities, and the inequality it violates."""
    outcomes = event["outcomes"]
    count = len(event["columns"])
    names: Sequence[str] = [f"column {k}" for k in event["columns"][:_SHOWN_LABELS]]
    if outcomes is not None:
        names = [label(name) for name in outcomes[:_SHOWN_LABELS]]
    more = f", ... {count - _SHOWN_LABELS} more" if count > _SHOWN_LABELS else ""
    said = f"S = {{{', '.join(names)}{more}}}: P(S) = {number(event['p'], 'down')}, Q(S) = {number(event['q'], 'down')}"
    rule = event["inequality"]
    level = f", {'U' if ' U ' in rule['left'] else 'e^epsilon'} = {short(rule['level'])}" if rule["level"] else ""
    upper = " >= e^epsilon" if " U " in rule["left"] else ""
    left, right = (number(rule[f"{side}_value"], "down") for side in ("left", "right"))
    return said, f"{rule['left']} = {left} {rule['relation']} {right} = {rule['right']}{level}{upper}"


def comparison_lines(evidence: Json) -> list[str]:
    """The comparisons of a record, the deciding ones first: those that fail, those undecided, those that hold."""
    rank = {">": 0, "undecided": 1}
    found = sorted(evidence["comparisons"], key=lambda item: rank.get(item["relation"], 2))
    lines = []
    for item in found[:_SHOWN_LABELS]:
        laws = "P, Q" if item["direction"] == "forward" else "Q, P"
        level = (
            f"e^epsilon = {short(item['exp_epsilon'])}"
            if "exp_epsilon" in item
            else f"epsilon = {short(item['epsilon'])}"
        )
        relation = item["relation"] if item["relation"] in "<=>" else "against"
        how = (
            f"undecided at {item['bits']} bits" if item["relation"] == "undecided" else f"proved at {item['bits']} bits"
        )
        how = how if item["bits"] else "decided exactly"
        lines.append(f"D({laws}) at {level}: {number(item['value'], 'down')} {relation} {short(item['bound'])}, {how}")
    more = len(found) - _SHOWN_LABELS
    return [*lines, f"... {more} more"] if more > 0 else lines


def witness_line(evidence: Json) -> str:
    """What proves that a claim holds."""
    if evidence["kind"] == "signs":
        return f"the signs of exponential sums, one for each of {evidence['columns']} columns"
    parts = [f"{w['rows']} x {w['columns']} with {w['entries']} nonzero entries" for w in evidence["witnesses"]]
    return f"row-stochastic W, {' and '.join(parts)}; worst case of the claim times W = the table"
