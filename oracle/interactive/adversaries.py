"""Deterministic adversaries of an interactive mechanism, their views, and the laws of the views.

A deterministic adversary is a *strategy*: at each query node that it can reach, one option, which may depend on all it
has seen before. Its *view* is what it has asked and heard, a path from the root to a leaf; the laws of the view under
the two inputs are the rows of a two-row channel with one column for each view. Randomised adversaries are mixtures of
these, so no trade-off function of theirs lies below those of all deterministic ones (Vadhan and Zhang, STOC 2023,
section 2: joint convexity).

The end of a strategy says whether the views that end there belong to an event, so that a strategy is at the same time
a hypothesis test: it rejects on the event. Strategies share subtrees like the mechanisms do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.errors import InputError, LimitError
from oracle.interactive.tree import HALT, AnswerNode, InteractiveMechanism, Node, QueryNode

__all__ = [
    "ACCEPT",
    "MAX_STRATEGIES",
    "MAX_VIEWS",
    "REJECT",
    "Ask",
    "End",
    "Hear",
    "Strategy",
    "View",
    "complement",
    "count_strategies",
    "count_views",
    "event_masses",
    "positions",
    "positions_to_json",
    "strategies",
    "strategy_text",
    "view_channel",
    "views",
]

MAX_STRATEGIES: Final = 100_000
"""Most strategies that :func:`strategies` enumerates unless told otherwise."""
MAX_VIEWS: Final = 100_000
"""Most views of one strategy that are listed unless told otherwise."""

_MOST_BITS: Final = 332_193  # of a count: 100,000 digits
_PLAIN = re.compile(r"[\w.+/-]+")


@dataclass(frozen=True, slots=True)
class End:
    """The interaction is over; *rejects* says whether the view belongs to the event."""

    rejects: bool = False


ACCEPT: Final = End()
REJECT: Final = End(True)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ask:
    """At a query node: choose the option of this label and go on with *then*."""

    option: str
    then: Strategy


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hear:
    """At an answer node: go on as the answer says, one strategy for each branch, in the order of the branches."""

    then: tuple[Strategy, ...]


Strategy = Ask | Hear | End
Position = tuple[Node, Strategy]
"""A node, and the rest of a strategy from there on."""


@dataclass(frozen=True, slots=True)
class View:
    """What the adversary has asked and heard, with its probabilities under both inputs.

    Attributes:
        steps: pairs ("query", label of the option) and ("answer", label of the branch), in order.
        p, q: the probability of the view on the first and the second input.
        rejects: whether it belongs to the event of the strategy.
    """

    steps: tuple[tuple[str, str], ...]
    p: mpq
    q: mpq
    rejects: bool

    @property
    def text(self) -> str:
        """The path in words, such as ``ask A, hear 0, ask B, hear 1``; different for different views."""
        return _steps_text(self.steps)


def _steps_text(steps: tuple[tuple[str, str], ...]) -> str:
    words = {"query": "ask", "answer": "hear"}
    return ", ".join(f"{words[kind]} {_label_text(label)}" for kind, label in steps) or "(nothing)"


def _label_text(label: str) -> str:
    return label if _PLAIN.fullmatch(label) else json.dumps(label, ensure_ascii=False)


def count_strategies(mechanism: InteractiveMechanism) -> int:
    """The number of deterministic adversaries: a sum over the options at a query node, a product at an answer node.

    Raises:
        LimitError: if the number itself has more than 100,000 digits.
    """
    counts: dict[int, int] = {}
    for node in mechanism.nodes:
        count = 1
        if isinstance(node, QueryNode):
            count = sum(counts[id(child)] for _, child in node.options)
        elif isinstance(node, AnswerNode):
            for branch in node.branches:
                count *= counts[id(branch.then)]
                if count.bit_length() > _MOST_BITS:
                    raise LimitError("a number of adversaries of at most 100,000 digits", "a longer one")
        counts[id(node)] = count
    return counts[id(mechanism.root)]


def strategies(mechanism: InteractiveMechanism, limit: int = MAX_STRATEGIES) -> list[Strategy]:
    """Every deterministic adversary, with the empty event.

    Raises:
        LimitError: if there are more than *limit*.
    """
    count = count_strategies(mechanism)
    if count > limit:
        raise LimitError(f"at most {limit} adversaries", f"{count}" if count < 10**30 else "more than 10^30")
    known: dict[int, list[Strategy]] = {id(HALT): [ACCEPT]}
    for node in mechanism.nodes:
        if isinstance(node, QueryNode):
            known[id(node)] = [Ask(label, rest) for label, child in node.options for rest in known[id(child)]]
        elif isinstance(node, AnswerNode):
            known[id(node)] = [Hear(rest) for rest in product(*(known[id(b.then)] for b in node.branches))]
    return known[id(mechanism.root)]


def count_views(mechanism: InteractiveMechanism, strategy: Strategy) -> int:
    """The number of views of a strategy, counted without listing them."""
    counts: dict[tuple[int, int], int] = {}
    for node, plan in positions(mechanism, strategy):
        below = [counts[id(child), id(rest)] for child, rest in _successors(node, plan)]
        counts[id(node), id(plan)] = sum(below) if below else 1
    return counts[id(mechanism.root), id(strategy)]


def views(mechanism: InteractiveMechanism, strategy: Strategy, limit: int = MAX_VIEWS) -> list[View]:
    """Every view of a strategy with its probabilities, in the order of the branches.

    Raises:
        InputError: for a strategy that does not fit the mechanism.
        LimitError: if there are more than *limit*.
    """
    count = count_views(mechanism, strategy)
    if count > limit:
        raise LimitError(f"at most {limit} views", f"{count}" if count < 10**30 else "more than 10^30")
    found: list[View] = []
    stack: list[tuple[Node, Strategy, tuple[tuple[str, str], ...], mpq, mpq]] = []
    stack.append((mechanism.root, strategy, (), mpq(1), mpq(1)))
    while stack:
        node, plan, steps, p, q = stack.pop()
        if isinstance(node, QueryNode) and isinstance(plan, Ask):
            stack.append((_option(node, plan.option), plan.then, (*steps, ("query", plan.option)), p, q))
        elif isinstance(node, AnswerNode) and isinstance(plan, Hear):
            for branch, rest in reversed(list(zip(node.branches, plan.then, strict=True))):
                stack.append((branch.then, rest, (*steps, ("answer", branch.label)), p * branch.p, q * branch.q))
        elif isinstance(plan, End):
            found.append(View(steps, p, q, plan.rejects))
    return found


def view_channel(mechanism: InteractiveMechanism, strategy: Strategy, limit: int = MAX_VIEWS) -> Channel:
    """The laws of the view under both inputs as a channel; its output labels are the texts of the views.

    Views that neither input can produce are zero columns.
    """
    listed = views(mechanism, strategy, limit)
    rows = tuple(view.p for view in listed), tuple(view.q for view in listed)
    return Channel.trusted(rows, None, tuple(view.text for view in listed))


def event_masses(mechanism: InteractiveMechanism, strategy: Strategy) -> tuple[mpq, mpq]:
    """The probabilities of the strategy's event under both inputs, summed without listing the views."""
    masses: dict[tuple[int, int], tuple[mpq, mpq]] = {}
    for node, plan in positions(mechanism, strategy):
        below = [masses[id(child), id(rest)] for child, rest in _successors(node, plan)]
        if isinstance(plan, End):
            mass = (mpq(plan.rejects), mpq(plan.rejects))
        elif isinstance(node, AnswerNode):
            pairs = list(zip(node.branches, below, strict=True))
            mass = sum((b.p * p for b, (p, _) in pairs), mpq(0)), sum((b.q * q for b, (_, q) in pairs), mpq(0))
        else:
            mass = below[0]
        masses[id(node), id(plan)] = mass
    return masses[id(mechanism.root), id(strategy)]


def complement(strategy: Strategy) -> Strategy:
    """The same adversary with the complement of its event."""
    made: dict[int, Strategy] = {}
    stack = [strategy]
    while stack:
        plan = stack[-1]
        rests = plan.then if isinstance(plan, Hear) else (plan.then,) if isinstance(plan, Ask) else ()
        missing = [rest for rest in rests if id(rest) not in made]
        if missing:
            stack += missing
            continue
        stack.pop()
        if isinstance(plan, Ask):
            made[id(plan)] = Ask(plan.option, made[id(plan.then)])
        elif isinstance(plan, Hear):
            made[id(plan)] = Hear(tuple(made[id(rest)] for rest in rests))
        else:
            made[id(plan)] = ACCEPT if plan.rejects else REJECT
    return made[id(strategy)]


def strategy_text(mechanism: InteractiveMechanism, strategy: Strategy, limit: int = 1_000) -> list[str]:
    """The strategy in words: for each history at which it asks, what it asks there; first questions first.

    Raises:
        LimitError: if there are more than *limit* histories.
    """
    lines: list[str] = []
    level: list[tuple[Node, Strategy, tuple[tuple[str, str], ...]]] = [(mechanism.root, strategy, ())]
    while level:
        below: list[tuple[Node, Strategy, tuple[tuple[str, str], ...]]] = []
        for node, plan, steps in level:
            rests = _successors(node, plan)
            if isinstance(plan, Ask):
                before = f"after {_steps_text(steps)}: " if steps else "first: "
                lines.append(f"{before}ask {_label_text(plan.option)}")
                below.append((*rests[0], (*steps, ("query", plan.option))))
            elif isinstance(node, AnswerNode):
                pairs = zip(node.branches, rests, strict=True)
                below += [(*rest, (*steps, ("answer", branch.label))) for branch, rest in pairs]
            if len(lines) + len(below) > limit:
                raise LimitError(f"at most {limit} histories", "more")
        level = below
    return lines


def _option(node: QueryNode, label: str) -> Node:
    for name, child in node.options:
        if name == label:
            return child
    raise InputError("one of the options " + ", ".join(name for name, _ in node.options), label, "strategy")


def _successors(node: Node, plan: Strategy) -> list[tuple[Node, Strategy]]:
    """The nodes that may follow under the strategy, each with the rest of the strategy."""
    if isinstance(node, QueryNode) and isinstance(plan, Ask):
        return [(_option(node, plan.option), plan.then)]
    if isinstance(node, AnswerNode) and isinstance(plan, Hear) and len(node.branches) == len(plan.then):
        return [(branch.then, rest) for branch, rest in zip(node.branches, plan.then, strict=True)]
    if node is HALT and isinstance(plan, End):
        return []
    raise InputError(f"a strategy for a {type(node).__name__}", type(plan).__name__, "strategy")


def positions(mechanism: InteractiveMechanism, *plans: Strategy) -> list[Position]:
    """The distinct pairs (node, rest of a strategy) that come up under the strategies, each after what may follow it.

    Raises:
        InputError: for a strategy that does not fit the mechanism.
    """
    order: list[Position] = []
    seen: set[tuple[int, int]] = set()
    for plan in plans:
        start = mechanism.root, plan
        stack: list[tuple[Position, Iterator[Position]]] = []
        if (id(mechanism.root), id(plan)) not in seen:
            seen.add((id(mechanism.root), id(plan)))
            stack.append((start, iter(_successors(*start))))
        while stack:
            pair, rest = stack[-1]
            for child in rest:
                key = id(child[0]), id(child[1])
                if key not in seen:
                    seen.add(key)
                    stack.append((child, iter(_successors(*child))))
                    break
            else:
                order.append(pair)
                stack.pop()
    return order


def positions_to_json(mechanism: InteractiveMechanism, *plans: Strategy) -> tuple[list[dict[str, Any]], list[int]]:
    """The strategies as the list ``tests`` of a certificate, with the index of each.

    A test is ``{"node": i, "end": rejects}``, ``{"node": i, "ask": k, "then": test}`` or ``{"node": i, "hear": [test,
    ...]}``: *i* is the index of its node in postorder, *k* that of the option, options and branches being sorted by
    label.
    """
    numbers = {id(node): k for k, node in enumerate(mechanism.nodes)}
    places: dict[tuple[int, int], int] = {}
    tests: list[dict[str, Any]] = []
    for node, plan in positions(mechanism, *plans):
        below = [places[id(child), id(rest)] for child, rest in _successors(node, plan)]
        test: dict[str, Any] = {"node": numbers[id(node)]}
        if isinstance(node, QueryNode) and isinstance(plan, Ask):
            test |= {"ask": sorted(label for label, _ in node.options).index(plan.option), "then": below[0]}
        elif isinstance(node, AnswerNode):
            by_label = sorted(range(len(below)), key=[branch.label for branch in node.branches].__getitem__)
            test["hear"] = [below[k] for k in by_label]
        else:
            test["end"] = isinstance(plan, End) and plan.rejects
        places[id(node), id(plan)] = len(tests)
        tests.append(test)
    return tests, [places[id(mechanism.root), id(plan)] for plan in plans]
