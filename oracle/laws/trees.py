"""Small random interactive mechanisms as examples of laws, and their adversaries by number.

Corners: a leaf at the root, queries after queries, answers after answers, one option, one branch, answers that only
one input can give, equal laws, subtrees that stand in several places, huge denominators. Everything shrinks towards
few nodes and small numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from oracle.interactive.adversaries import Strategy, count_strategies, strategies
from oracle.interactive.concurrent import concurrent_composition
from oracle.interactive.tree import HALT, AnswerNode, Branch, InteractiveMechanism, Node, QueryNode
from oracle.laws.strategies import two_row_channels

__all__ = [
    "MAX_INTERLEAVINGS",
    "Attacked",
    "attacked_mechanisms",
    "interactive_mechanisms",
    "mechanism_pairs",
    "numbered",
    "one_shot",
]

_LABELS: Final = "ABC"
_FOLLOWING: Final = {
    "query": ("answer", "answer", "answer", "answer", "query", "known"),
    "answer": ("known", "known", "query", "query", "answer"),
}
"""What may follow a node, as often as it shall; *known* is the leaf or a subtree that stands elsewhere already."""


Attacked = tuple[InteractiveMechanism, tuple[int, ...], tuple[mpq, ...]]
"""A mechanism, the numbers of some of its deterministic adversaries, and weights that sum to 1, one for each."""


def numbered(mechanism: InteractiveMechanism, numbers: Sequence[int]) -> list[Strategy]:
    """The deterministic adversaries of these numbers, in the order in which all are enumerated."""
    known = strategies(mechanism)
    return [known[k] for k in numbers]


def _normalised(weights: list[int]) -> tuple[mpq, ...]:
    return tuple(mpq(w, sum(weights)) for w in weights)


@st.composite
def _tossed(draw: DrawFn, size: int, coins: int) -> tuple[mpq, ...]:
    """A law on *size* answers whose probabilities are multiples of 1/coins."""
    cuts = sorted(draw(st.lists(st.integers(0, coins), min_size=size - 1, max_size=size - 1)))
    return tuple(mpq(b - a, coins) for a, b in zip([0, *cuts], [*cuts, coins], strict=True))


@st.composite
def _laws(draw: DrawFn, size: int, coins: int | None, *, positive: bool) -> list[tuple[mpq, mpq]]:
    """The probabilities (p, q) of at most *size* answers, without answers that neither input gives."""
    rows: tuple[tuple[mpq, ...], ...]
    if coins is not None:
        rows = tuple(draw(_tossed(size, coins)) for _ in range(2))
    elif not positive and draw(st.integers(0, 4)) == 1:
        rows = draw(two_row_channels(size)).rows
    else:
        weights = st.lists(st.integers(int(positive), 5), min_size=size, max_size=size).filter(any)
        rows = tuple(_normalised(draw(weights)) for _ in range(2))
    return [(p, q) for p, q in zip(*rows, strict=True) if p or q]


@st.composite
def interactive_mechanisms(
    draw: DrawFn, max_depth: int = 3, max_adversaries: int = 40, coins: int | None = None, *, positive: bool = False
) -> InteractiveMechanism:
    """Interactive mechanisms of at most *max_depth* nodes on a path and two or three options or branches at a node.

    Args:
        draw: of hypothesis.
        max_depth: most nodes on a path, the leaf not counted.
        max_adversaries: most deterministic adversaries.
        coins: all probabilities are multiples of 1/coins, for mechanisms that toss one fair die for each answer.
        positive: no probability is 0, so that the mechanism is (epsilon, 0)-DP for some epsilon.
    """
    made: list[Node] = [HALT]

    def below(parent: str, depth: int) -> Node:
        kind = draw(st.sampled_from(_FOLLOWING[parent])) if depth else "known"
        if kind == "query":
            return query(draw(st.sampled_from([2, 2, 1])), depth)
        if kind == "answer":
            return answer(draw(st.sampled_from([2, 2, 3, 1])), depth)
        return draw(st.sampled_from([node for node, height in _heights(made) if height <= depth]))

    def query(options: int, depth: int) -> Node:
        made.append(QueryNode(tuple((_LABELS[k], below("query", depth - 1)) for k in range(options))))
        return made[-1]

    def answer(size: int, depth: int) -> Node:
        laws = draw(_laws(size, coins, positive=positive))
        branches = (Branch(str(k), p, q, below("answer", depth - 1)) for k, (p, q) in enumerate(laws))
        made.append(AnswerNode(tuple(branches)))
        return made[-1]

    root = draw(st.sampled_from(["known", "query", "query", "query", "answer"]))
    top: Node = HALT
    if root == "query":
        top = query(draw(st.sampled_from([2, 2, 3, 1])), max_depth)
    elif root == "answer":
        top = answer(draw(st.sampled_from([2, 2, 3, 1])), max_depth)
    mechanism = InteractiveMechanism(top)
    if count_strategies(mechanism) > max_adversaries:
        # The answers of the first level remain; what follows them is left out.
        return InteractiveMechanism(_cut(mechanism.root))
    return mechanism


def _heights(nodes: list[Node]) -> list[tuple[Node, int]]:
    """The nodes, leaf first, each with the most nodes on a path from it; every node stands after its children."""
    heights: dict[int, int] = {}
    for node in nodes:
        below: list[Node] = []
        if isinstance(node, QueryNode):
            below = [child for _, child in node.options]
        elif isinstance(node, AnswerNode):
            below = [branch.then for branch in node.branches]
        heights[id(node)] = 1 + max(heights[id(child)] for child in below) if below else 0
    return [(node, heights[id(node)]) for node in nodes]


def _cut(node: Node) -> Node:
    """The node with what follows its first answers left out; a few queries at most."""
    if isinstance(node, QueryNode):
        return QueryNode(tuple((label, _cut(child)) for label, child in node.options))
    if isinstance(node, AnswerNode):
        return AnswerNode(tuple(Branch(b.label, b.p, b.q) for b in node.branches))
    return HALT


@st.composite
def attacked_mechanisms(
    draw: DrawFn, most: int = 3, max_depth: int = 3, coins: int | None = None, *, positive: bool = False
) -> Attacked:
    """A mechanism with one to *most* of its adversaries and positive weights that sum to 1."""
    mechanism = draw(interactive_mechanisms(max_depth, coins=coins, positive=positive))
    count = count_strategies(mechanism)
    numbers = draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=most))
    weights = draw(st.lists(st.integers(1, 4), min_size=len(numbers), max_size=len(numbers)))
    return mechanism, tuple(numbers), _normalised(weights)


MAX_INTERLEAVINGS: Final = 60
"""Most deterministic adversaries of the concurrent composition of a pair."""


def mechanism_pairs(
    max_depth: int = 2, max_adversaries: int = 6, coins: int | None = None, *, positive: bool = False
) -> SearchStrategy[tuple[InteractiveMechanism, InteractiveMechanism]]:
    """Two mechanisms whose concurrent composition can be enumerated; now and then twice the same.

    Where it has more than :data:`MAX_INTERLEAVINGS` adversaries the second mechanism is cut to its first answers, or
    left out.
    """
    one: SearchStrategy[Any] = interactive_mechanisms(max_depth, max_adversaries, coins, positive=positive)
    pairs = st.one_of(one.map(lambda m: (m, m)), st.tuples(one, one))
    return pairs.map(lambda pair: _few_interleavings(*pair))


def _few_interleavings(
    first: InteractiveMechanism, second: InteractiveMechanism
) -> tuple[InteractiveMechanism, InteractiveMechanism]:
    shorter = InteractiveMechanism(_cut(second.root))
    for other in (second, shorter):
        if count_strategies(concurrent_composition([first, other])) <= MAX_INTERLEAVINGS:
            return first, other
    return first, InteractiveMechanism(HALT)


def one_shot(rows: tuple[tuple[mpq, ...], ...]) -> InteractiveMechanism:
    """A non-interactive mechanism as an interactive one: a single query, answered with the laws of a channel."""
    columns = [(p, q) for p, q in zip(*rows, strict=True) if p or q]
    answers = AnswerNode(tuple(Branch(str(k), p, q) for k, (p, q) in enumerate(columns)))
    return InteractiveMechanism(QueryNode((("ask", answers),)))
