"""Concurrent composition of interactive mechanisms, exactly, and what it is to be compared with.

ConComp(M_1, ..., M_k) answers a query (j, q) as M_j does, with M_j's own history and randomness; the adversary
interleaves as it likes. All components run on the first input or all on the second. It is a finite interactive
mechanism again, and its nodes are *tuples of nodes*, one of each component: where all components wait, the adversary
chooses (j, option); where one has to answer, it does. Hence its tight trade-off function, its hockey sticks and its
simulation are those of :mod:`oracle.interactive.tightness` and :mod:`oracle.interactive.simulation`, a dynamic
programme over tuples in which every tuple is handled once.

*Answering at once loses nothing.* A component at an answer node answers before anything else happens. An adversary that
does something else first, and then hears the answer, is imitated by one that hears the answer and leaves it out of
account until then: the law of the answer depends on the component's own history only, which the other components
do not change. Only the order of the view differs. A component that speaks first has spoken before the first query.

*A component that halts* only ends its own interaction. (Read literally, "exit loop" ends all: then an adversary loses
the option to go on, which can only lower its advantage, and every bound here remains an upper bound.)

**Growth.** With w_j waiting nodes (query nodes, the leaf, and the root of a component that has yet to speak first) and
a_j answer nodes of M_j there are at most Π w_j + Σ_j a_j Π_{i ≠ j} w_i tuples, (w + k a) w^(k-1) for k equal parts:
quadratic in the size for two. The columns at a tuple are at most the product of the numbers of views below the
components. Two trees of 60 nodes take from 0.3 s (bushy, 66 columns) to 6 s (twenty rounds deep, 2,704 columns).

*Sequential composition* in an order finishes one component before the next one is asked; queries may depend on all
answers. Concurrent views are at least as revealing as those of every order, and at most as N_1 x ... x N_k, N_j the
tight channel of M_j (theorem 1.4); neither needs to be equal.

Source: Vadhan and Zhang, STOC 2023, definition of ConComp, theorems 1.3 and 1.4. That interleaving can reveal strictly
more than both sequential orders is ours: :func:`oracle.interactive.examples.interleaving`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Final

from oracle.errors import InputError, LimitError, shorten
from oracle.interactive.tree import (
    HALT,
    MAX_NODES,
    AnswerNode,
    Branch,
    InteractiveMechanism,
    Node,
    QueryNode,
)

__all__ = ["concurrent_composition", "concurrent_size", "sequential_composition"]

_Tuple = tuple[Node, ...]

_MOST_COMPONENTS: Final = 100


def _require_components(mechanisms: Sequence[InteractiveMechanism]) -> None:
    if not 1 <= len(mechanisms) <= _MOST_COMPONENTS:
        raise InputError(f"1 to {_MOST_COMPONENTS} mechanisms", f"{len(mechanisms)}", "mechanisms")


def concurrent_size(mechanisms: Sequence[InteractiveMechanism]) -> int:
    """An upper bound of the number of tuples: Π w_j + Σ_j a_j Π_{i ≠ j} w_i."""
    answers = [sum(isinstance(node, AnswerNode) for node in mechanism.nodes) for mechanism in mechanisms]
    silent = [isinstance(mechanism.root, AnswerNode) for mechanism in mechanisms]
    waiting = [m.size - a + s for m, a, s in zip(mechanisms, answers, silent, strict=True)]
    others = [prod(waiting[:j]) * prod(waiting[j + 1 :]) for j in range(len(waiting))]
    return prod(waiting) + sum(a * rest for a, rest in zip(answers, others, strict=True))


def concurrent_composition(mechanisms: Sequence[InteractiveMechanism], name: str | None = None) -> InteractiveMechanism:
    """ConComp of the mechanisms: option ``j.q`` is query q to component j (counted from 1), answers likewise.

    Raises:
        InputError: for no mechanism, or more than a hundred.
        LimitError: if there may be more than ``MAX_NODES`` tuples; the message has their number.
    """
    _require_components(mechanisms)
    count = concurrent_size(mechanisms)
    if count > MAX_NODES:
        raise LimitError(f"at most {MAX_NODES} tuples of nodes", f"up to {shorten(count)}", "mechanisms")
    root = tuple(mechanism.root for mechanism in mechanisms)
    made: dict[tuple[int, ...], Node] = {}
    stack: list[tuple[_Tuple, Iterator[_Tuple]]] = [(root, iter(_following(root)))]
    while stack:
        state, rest = stack[-1]
        for after in rest:
            if _key(after) not in made:
                stack.append((after, iter(_following(after))))
                break
        else:
            made[_key(state)] = _node(state, made)
            stack.pop()
    return InteractiveMechanism(made[_key(root)], name)


def _key(state: _Tuple) -> tuple[int, ...]:
    return tuple(map(id, state))


def _replaced(state: _Tuple, j: int, node: Node) -> _Tuple:
    return (*state[:j], node, *state[j + 1 :])


def _answering(state: _Tuple) -> tuple[int, AnswerNode] | None:
    """The first component that has to answer, if there is one."""
    return next(((j, node) for j, node in enumerate(state) if isinstance(node, AnswerNode)), None)


def _choices(state: _Tuple) -> list[tuple[str, _Tuple]]:
    """What the adversary may ask where all components wait: (label, tuple after the query)."""
    return [
        (f"{j + 1}.{label}", _replaced(state, j, child))
        for j, node in enumerate(state)
        if isinstance(node, QueryNode)
        for label, child in node.options
    ]


def _following(state: _Tuple) -> list[_Tuple]:
    answering = _answering(state)
    if answering is None:
        return [after for _, after in _choices(state)]
    j, node = answering
    return [_replaced(state, j, branch.then) for branch in node.branches]


def _node(state: _Tuple, made: dict[tuple[int, ...], Node]) -> Node:
    answering = _answering(state)
    if answering is not None:
        j, node = answering
        return AnswerNode(
            tuple(
                Branch(f"{j + 1}.{b.label}", b.p, b.q, made[_key(_replaced(state, j, b.then))]) for b in node.branches
            )
        )
    choices = _choices(state)
    return QueryNode(tuple((label, made[_key(after)]) for label, after in choices)) if choices else HALT


def sequential_composition(
    mechanisms: Sequence[InteractiveMechanism], order: Sequence[int] | None = None, name: str | None = None
) -> InteractiveMechanism:
    """The mechanisms one after the other, in an *order* of their indices from 0 (default: as they are listed).

    Labels are those of :func:`concurrent_composition`. The leaf of each component is followed by the next
    component: the sizes add up.

    Raises:
        InputError: for no mechanism, or an order that is no permutation.
        LimitError: for too large a tree.
    """
    _require_components(mechanisms)
    chosen = list(range(len(mechanisms))) if order is None else list(order)
    if sorted(chosen) != list(range(len(mechanisms))):
        raise InputError(f"an order of 0..{len(mechanisms) - 1}", shorten(chosen), "order")
    following: Node = HALT
    for j in reversed(chosen):
        made: dict[int, Node] = {}
        for node in mechanisms[j].nodes:
            made[id(node)] = _continued(node, j, made, following)
        following = made[id(mechanisms[j].root)]
    return InteractiveMechanism(following, name)


def _continued(node: Node, j: int, made: dict[int, Node], following: Node) -> Node:
    """A node of component j with its labels, and *following* in place of the leaf."""
    if isinstance(node, QueryNode):
        return QueryNode(tuple((f"{j + 1}.{label}", made[id(child)]) for label, child in node.options))
    if isinstance(node, AnswerNode):
        return AnswerNode(tuple(Branch(f"{j + 1}.{b.label}", b.p, b.q, made[id(b.then)]) for b in node.branches))
    return following
