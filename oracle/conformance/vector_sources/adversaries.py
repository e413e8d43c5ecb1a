"""Interactive mechanisms a second time: every deterministic adversary of a tree, and every interleaving of several.

A *state* is a tuple of nodes, one for each mechanism. A mechanism whose node is an answer answers at once; otherwise
the adversary chooses a mechanism and one of its options, or all have come to their end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Final

from oracle.conformance.vector_sources.curves import (
    MPMATH,
    Point,
    Second,
    curve_of,
    hull,
    merged,
    oriented,
    sides_of,
    value_at,
)
from oracle.conformance.vector_sources.expressions import (
    NoSecondWay,
    Undefined,
    columns_of,
    infinite,
    level_of,
    number,
    real,
)

__all__ = ["INTERACTIVE"]

_EVERY: Final = "every adversary"
_INTERLEAVINGS: Final = "every interleaving, by backward induction"
_MOST_ADVERSARIES: Final = 2000

Node = Mapping[str, Any] | None
Named = Mapping[str, Node]


def _root(document: Mapping[str, Any]) -> tuple[Node, Named]:
    """The root of a tree and its named nodes; a bare node may stand for a document."""
    if "interactive" in document:
        return document["interactive"], document.get("nodes", {})
    return document, {}


def _resolved(node: Node, named: Named) -> Node:
    while node is not None and "ref" in node:
        if node["ref"] not in named:
            raise Undefined("a reference to nothing")
        node = named[node["ref"]]
    return None if node is None or node.get("halt") else node


def _branches(node: Mapping[str, Any]) -> list[tuple[Fraction, Fraction, Node]]:
    found = [(number(b.get("p")), number(b.get("q")), b.get("then")) for b in node["answer"].values()]
    for side in (0, 1):
        masses = [branch[side] for branch in found]
        if sum(masses) != 1 or min(masses) < 0:
            raise Undefined("answers whose probabilities sum to 1")
    return found


def _views(node: Node, named: Named) -> Iterator[tuple[tuple[Fraction, Fraction], ...]]:
    """The laws of the view of every deterministic adversary, as pairs of masses."""
    node = _resolved(node, named)
    if node is None:
        yield ((Fraction(1), Fraction(1)),)
    elif "query" in node:
        if not node["query"]:
            raise Undefined("an option to choose")
        for option in node["query"].values():
            yield from _views(option, named)
    else:
        branches = _branches(node)
        for below in product(*([*_views(then, named)] for _, _, then in branches)):
            pairs = zip(branches, below, strict=True)
            yield tuple((p * a, q * b) for (p, q, _), view in pairs for a, b in view)


def _tight_curve(document: Mapping[str, Any], side: str) -> list[Point]:
    """The corners of the largest trade-off function below that of every adversary's view."""
    points: list[Point] = []
    for count, view in enumerate(_views(*_root(document))):
        if count >= _MOST_ADVERSARIES:
            raise NoSecondWay("more adversaries than are looked at")
        p, q = ([pair[row] for pair in view] for row in (0, 1))
        points += curve_of(*oriented(p, q, side))
    return hull(points)


def _tradeoff(args: Mapping[str, Any]) -> Second:
    (side,) = sides_of(args.get("direction", "forward"))
    corners = _tight_curve(args["interactive"], side)
    if "alpha" not in args:
        return _EVERY, corners
    alpha = number(args["alpha"])
    if not 0 <= alpha <= 1:
        raise Undefined("an alpha between 0 and 1")
    return _EVERY, value_at(corners, alpha)


def _simulate(args: Mapping[str, Any]) -> Second:
    return _EVERY, merged(*columns_of(_tight_curve(args["interactive"], "forward")))


Gain = Callable[[Fraction, Fraction], Any]
State = Sequence[tuple[Node, Named]]


def _best(state: State, p: Fraction, q: Fraction, gain: Gain) -> Any:  # noqa: ANN401 - a Fraction or an mpmath number
    """The largest sum of the gain over the histories that follow, all of them begun with masses p and q."""
    state = [(_resolved(node, named), named) for node, named in state]

    def after(place: int, node: Node) -> State:
        return [*state[:place], (node, state[place][1]), *state[place + 1 :]]

    for place, (node, _) in enumerate(state):
        if node is not None and "answer" in node:
            return sum(_best(after(place, then), p * a, q * b, gain) for a, b, then in _branches(node))
    options = [
        _best(after(place, option), p, q, gain)
        for place, (node, _) in enumerate(state)
        if node is not None
        for option in node["query"].values()
    ]
    return max(options) if options else gain(p, q)


def _gain(args: Mapping[str, Any]) -> Gain:
    level = level_of(args)
    if level == infinite:
        return lambda p, q: p if q == 0 else Fraction(0)
    if isinstance(level, Fraction):
        return lambda p, q: max(Fraction(0), p - level * q)
    return lambda p, q: max(real(Fraction(0)), real(p) - level * real(q))


def _concurrent(args: Mapping[str, Any]) -> Second:
    """Delta of the concurrent composition: an adversary that knows its test chooses what is best after each history."""
    if not args["interactives"]:
        raise Undefined("at least one mechanism")
    gain, state = _gain(args), [_root(document) for document in args["interactives"]]
    one = Fraction(1)
    found = [
        _best(state, one, one, gain if side == "forward" else lambda p, q: gain(q, p))
        for side in sides_of(args.get("direction", "both"))
    ]
    return (_INTERLEAVINGS if isinstance(found[0], Fraction) else MPMATH), max(found)


INTERACTIVE: Final[Mapping[str, Callable[[Mapping[str, Any]], Second]]] = {
    "interactive_tradeoff": _tradeoff,
    "simulate": _simulate,
    "concurrent": _concurrent,
}
"""Operation on interactive mechanisms to its definition."""
