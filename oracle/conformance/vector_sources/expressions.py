"""Mechanism expressions read a second time, with nothing of the engine: laws as lists of numbers, levels, parameters.

Numbers are :class:`fractions.Fraction` as long as everything is rational and mpmath numbers of 160 digits otherwise.
A law is a list of masses in the order of the outcomes; a composition enumerates the multisets of outcomes of each part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from importlib import import_module
from itertools import pairwise
from math import comb, factorial
from typing import Any, Final

__all__ = ["Law", "NoSecondWay", "Number", "Undefined", "infinite", "law_pair", "level_of", "mp", "number", "real"]

_mpmath: Any = import_module("mpmath")

mp: Any = _mpmath.mp.clone()
"""An mpmath context of our own; its precision is nobody else's."""
mp.dps = 160

Number = Any
"""A Fraction, an mpmath number or, of a level, ``"inf"``."""

Law = list[Number]

infinite: Final = "inf"

_MOST_OUTCOMES: Final = 300_000


class Undefined(Exception):  # noqa: N818 - it says that a question has no answer, which is no fault
    """The question has no answer: a malformed argument."""


class NoSecondWay(Exception):  # noqa: N818 - as above
    """The question may have an answer, but none that is had here."""


def number(value: object) -> Fraction:
    """One finite number of a document.

    Raises:
        Undefined: for anything else.
    """
    if isinstance(value, bool) or not isinstance(value, (str, int, Fraction)):
        raise Undefined(f"no number: {value!r}")
    try:
        if isinstance(value, str) and "0x" in value.lower():
            return Fraction(float.fromhex(value))
        return Fraction(value)
    except (ValueError, ZeroDivisionError, OverflowError) as error:
        raise Undefined(f"no number: {value!r}") from error


def real(value: Number) -> Any:  # noqa: ANN401 - mpmath has no types
    """A number as an mpmath number."""
    return mp.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else mp.mpf(value)


def level_of(args: Mapping[str, Any]) -> Number:
    """e^epsilon: a Fraction where it is stated as one or by a logarithm, ``"inf"``, or an mpmath number."""
    if ("exp_epsilon" in args) == ("epsilon" in args):
        raise Undefined("exactly one of exp_epsilon and epsilon")
    if "exp_epsilon" in args:
        level = args["exp_epsilon"]
        if level != infinite and number(level) < 0:
            raise Undefined("a negative level")
        return infinite if level == infinite else number(level)
    text = args["epsilon"]
    if text == infinite:
        return infinite
    if isinstance(text, str) and text.startswith(("log(", "ln(")):
        inside = number(text[text.index("(") + 1 : -1])
        if inside <= 0:
            raise Undefined("the logarithm of a number that is not positive")
        return inside
    exponent = number(text)
    return Fraction(1) if exponent == 0 else mp.exp(real(exponent))


def _row(entries: object) -> Law:
    if not isinstance(entries, (list, tuple)) or not entries:
        raise Undefined("a row is a list of numbers")
    row = [number(entry) for entry in entries]
    if any(mass < 0 for mass in row) or sum(row) != 1:
        raise Undefined("a row of masses at least 0 that sum to 1")
    return row


def matrix(rows: object) -> list[Law]:
    """A row-stochastic matrix."""
    if not isinstance(rows, (list, tuple)) or not rows:
        raise Undefined("a matrix is a list of rows")
    read = [_row(row) for row in rows]
    if len({len(row) for row in read}) != 1:
        raise Undefined("rows of one length")
    return read


def multiplied(left: Sequence[Law], right: Sequence[Law]) -> list[Law]:
    """The matrix product."""
    columns = list(zip(*right, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left]


def rows_of(document: Mapping[str, Any]) -> list[Law]:
    """The rows of a bare channel or of an expression."""
    return matrix(document["matrix"]) if "mechanism" not in document else list(law_pair(document))


def law_pair(document: Mapping[str, Any]) -> tuple[Law, Law]:
    """The two laws of a finite mechanism."""
    if "mechanism" not in document or document["mechanism"] == "channel":
        rows = matrix(document["matrix"])
        if len(rows) != 2:
            raise Undefined("two rows")
        return rows[0], rows[1]
    laws: tuple[Law, Law] = _LAWS[document["mechanism"]](document)
    return laws


def is_finite(document: Mapping[str, Any]) -> bool:
    """Whether :func:`law_pair` reads an expression."""
    if "mechanism" not in document:
        return True
    inside = [document[key] for key in ("left", "right") if key in document]
    of = document.get("of", [])
    inside += of if isinstance(of, list) else [of]
    if document["mechanism"] == "poisson_subsample" and document.get("neighbours") == "substitute":
        return False
    return document["mechanism"] in _LAWS and all(is_finite(part) for part in inside)


def _one(level: Number) -> Number:
    return Fraction(1) if isinstance(level, Fraction) else mp.mpf(1)


def _truthful(k: int, level: Number) -> tuple[Law, Law]:
    own, other = (Fraction(1), Fraction(0)) if level == infinite else (level, _one(level))
    total = own + (k - 1) * other
    rest = [other / total] * (k - 2)
    return [own / total, other / total, *rest], [other / total, own / total, *rest]


def _randomized_response(node: Mapping[str, Any]) -> tuple[Law, Law]:
    return _truthful(2, level_of(node))


def _k_randomized_response(node: Mapping[str, Any]) -> tuple[Law, Law]:
    return _truthful(int(node["k"]), level_of(node))


def _approximate(node: Mapping[str, Any]) -> tuple[Law, Law]:
    level, delta = level_of(node), number(node["delta"])
    if level == infinite:
        row: Law = [delta, 1 - delta, Fraction(0), Fraction(0)]
        return row, row[::-1]
    one = _one(level)
    kept = one - (delta if isinstance(level, Fraction) else real(delta))
    row = [one - kept, kept * level / (one + level), kept / (one + level), one - one]
    return row, row[::-1]


def _two_sided(node: Mapping[str, Any]) -> tuple[Law, Law]:
    """Noise of mass (1-r)/(1+r) r^|z|: outcomes up to 0, the places between, outcomes from the sensitivity on."""
    if "low" in node:
        return _clamped(node)
    ratio: Number = number(node["ratio"]) if "ratio" in node else mp.exp(-1 / real(number(node["scale"])))
    if not 0 < ratio < 1:
        raise Undefined("a ratio between 0 and 1")
    s = int(number(node.get("sensitivity", 1)))
    mass = [(1 - ratio) / (1 + ratio) * ratio ** abs(z) for z in range(s + 1)]
    p = [1 / (1 + ratio), *mass[1:s], ratio**s / (1 + ratio)]
    return p, p[::-1]


def _clamped(node: Mapping[str, Any]) -> tuple[Law, Law]:
    ratio, low, high = number(node["ratio"]), int(node["low"]), int(node["high"])
    laws = []
    for value in node["values"]:
        law = [(1 - ratio) / (1 + ratio) * ratio ** abs(z - int(value)) for z in range(low, high + 1)]
        law[0] = ratio ** (int(value) - low) / (1 + ratio)
        law[-1] = ratio ** (high - int(value)) / (1 + ratio)
        laws.append(law)
    return laws[0], laws[1]


def _exponential(node: Mapping[str, Any]) -> tuple[Law, Law]:
    level, sensitivity = level_of(node), number(node.get("sensitivity", 1))
    if isinstance(level, Fraction) and level == 1:
        level = mp.mpf(1)
    laws = []
    for scores in node["scores"]:
        weights = [mp.exp(mp.log(real(level)) * real(number(score)) / (2 * real(sensitivity))) for score in scores]
        laws.append([weight / sum(weights) for weight in weights])
    return laws[0], laws[1]


def _mixed(node: Mapping[str, Any]) -> tuple[Law, Law]:
    rate = number(node["rate"])
    if not 0 <= rate <= 1:
        raise Undefined("a rate between 0 and 1")
    if node.get("neighbours") != "add_remove":
        raise Undefined("the neighbouring relation, add_remove for a table")
    p, q = law_pair(node["of"])
    share = rate if isinstance(p[0], Fraction) else real(rate)
    return [share * a + (1 - share) * b for a, b in zip(p, q, strict=True)], q


def _visible(node: Mapping[str, Any]) -> tuple[Law, Law]:
    r = number(node["r"])
    (p, q), (p1, q1) = law_pair(node["left"]), law_pair(node["right"])
    return [r * a for a in p] + [(1 - r) * a for a in p1], [r * b for b in q] + [(1 - r) * b for b in q1]


def _hidden(node: Mapping[str, Any]) -> tuple[Law, Law]:
    r = number(node["r"])
    (p, q), (p1, q1) = law_pair(node["left"]), law_pair(node["right"])
    p, q = ([r * a + (1 - r) * b for a, b in zip(*pair, strict=True)] for pair in ((p, p1), (q, q1)))
    return p, q


def _post(node: Mapping[str, Any]) -> tuple[Law, Law]:
    p, q = multiplied(law_pair(node["of"]), matrix(node["post"]))
    return p, q


def _pre(node: Mapping[str, Any]) -> tuple[Law, Law]:
    p, q = multiplied(matrix(node["pre"]), rows_of(node["of"]))
    return p, q


def _curve(node: Mapping[str, Any]) -> tuple[Law, Law]:
    return columns_of([(number(a), number(b)) for a, b in node["breakpoints"]])


def columns_of(corners: Sequence[tuple[Fraction, Fraction]]) -> tuple[Law, Law]:
    """The channel of a trade-off function: one outcome for each segment, and the jump at alpha = 0."""
    p: Law = [b[0] - a[0] for a, b in pairwise(corners)][::-1]
    q: Law = [a[1] - b[1] for a, b in pairwise(corners)][::-1]
    jump = 1 - corners[0][1]
    return ([*p, Fraction(0)], [*q, jump]) if jump else (p, q)


def _guarantees(node: Mapping[str, Any]) -> tuple[Law, Law]:
    """The largest of the curves max(0, 1 - d - E alpha, (1 - d - alpha)/E) at all places where two lines cross."""
    lines = [(Fraction(0), Fraction(0))]
    for pair in node["pairs"]:
        level, delta = level_of(pair), number(pair.get("delta", 0))
        if level == infinite:
            continue
        if not isinstance(level, Fraction):
            raise NoSecondWay("guarantees at irrational levels")
        lines += [(-level, 1 - delta), (-1 / level, (1 - delta) / level)]
    places = {Fraction(0), Fraction(1)}
    for n, (slope, height) in enumerate(lines):
        for other, top in lines[:n]:
            if slope != other and 0 <= (top - height) / (slope - other) <= 1:
                places.add((top - height) / (slope - other))
    corners = [(a, max(slope * a + height for slope, height in lines)) for a in sorted(places)]
    return columns_of(corners)


def parts_of(node: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], int]]:
    """What a composition is made of in the end, and how often each runs."""
    if node.get("mechanism") == "compose":
        for part in node["of"]:
            yield from parts_of(part)
    elif node.get("mechanism") == "repeat":
        for part, times in parts_of(node["of"]):
            yield part, times * int(node["times"])
    else:
        yield node, 1


def _multisets(columns: int, times: int) -> Iterator[tuple[int, ...]]:
    """How often each of some outcomes may occur in a number of runs."""
    if columns == 1:
        yield (times,)
        return
    for first in range(times + 1):
        for rest in _multisets(columns - 1, times - first):
            yield (first, *rest)


def _repeated(p: Law, q: Law, times: int) -> tuple[Law, Law]:
    kept = [(a, b) for a, b in zip(p, q, strict=True) if a or b]
    if comb(times + len(kept) - 1, times) > _MOST_OUTCOMES:
        raise NoSecondWay("too many outcomes to enumerate")
    powers = [[[mass**n for n in range(times + 1)] for mass in pair] for pair in kept]
    laws: tuple[Law, Law] = ([], [])
    for counts in _multisets(len(kept), times):
        ways = reduce(lambda left, n: left // factorial(n), counts, factorial(times))
        for side in (0, 1):
            mass: Number = ways
            for column, n in enumerate(counts):
                mass = mass * powers[column][side][n]
            laws[side].append(mass)
    return laws


def _composed(node: Mapping[str, Any]) -> tuple[Law, Law]:
    pooled: dict[str, tuple[Mapping[str, Any], int]] = {}
    for part, times in parts_of(node):
        known = pooled.get(str(part), (part, 0))
        pooled[str(part)] = part, known[1] + times
    p: Law = [Fraction(1)]
    q: Law = [Fraction(1)]
    for part, times in pooled.values():
        one, other = _repeated(*law_pair(part), times)
        if len(p) * len(one) > _MOST_OUTCOMES:
            raise NoSecondWay("too many outcomes to enumerate")
        p, q = _outer(p, one), _outer(q, other)
    return p, q


def _outer(left: Law, right: Law) -> Law:
    if left and right and isinstance(left[0], Fraction) != isinstance(right[0], Fraction):
        left, right = [real(a) for a in left], [real(b) for b in right]
    return [a * b for a in left for b in right]


_LAWS: Final[Mapping[str, Any]] = {
    "channel": law_pair,
    "randomized_response": _randomized_response,
    "k_randomized_response": _k_randomized_response,
    "approximate_randomized_response": _approximate,
    "geometric": _two_sided,
    "discrete_laplace": _two_sided,
    "exponential": _exponential,
    "poisson_subsample": _mixed,
    "visible": _visible,
    "hidden": _hidden,
    "post": _post,
    "pre": _pre,
    "tradeoff": _curve,
    "guarantees": _guarantees,
    "compose": _composed,
    "repeat": _composed,
}
