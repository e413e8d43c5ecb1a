"""Figure 1: an adversary between k mechanisms, its queries and their answers in any order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.channels.channel import Rows
from oracle.interactive.adversaries import View, count_strategies, strategies, view_channel, views
from oracle.interactive.comparison import Comparison
from oracle.interactive.concurrent import concurrent_composition
from oracle.interactive.examples import interleaving
from oracle.interactive.tree import AnswerNode, InteractiveMechanism, Node, QueryNode
from oracle.laws.ask import Ask
from oracle.laws.compare import tables_equal, true, worst
from oracle.laws.fernandes2025._facts import canonical_rows
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.trees import mechanism_pairs, one_shot
from oracle.laws.vadhan2023._facts import ONE

__all__ = ["CLAIMS", "DRAWN", "drawn_probabilities", "drawn_view"]

DRAWN: Final = ("1.ask", "1.0", "2.ask", "2.0", "1.A", "1.0", "2.A", "2.0")
"""The exchange that is drawn: both first answers, then a choice at each of two copies."""


def drawn_view() -> View:
    """The view of the best adversary at level 1 against two copies of the example that interleaving gains on."""
    compared = Comparison.of([interleaving()] * 2)
    strategy, _, _ = compared.adversary(ONE)
    return next(v for v in views(compared.composition, strategy) if tuple(label for _, label in v.steps) == DRAWN)


def _own_steps(steps: Sequence[tuple[str, str]], j: int) -> list[str]:
    """What of a view passes between the adversary and mechanism j."""
    return [rest for number, _, rest in (label.partition(".") for _, label in steps) if number == str(j)]


def _probability(mechanism: InteractiveMechanism, labels: Sequence[str], row: int) -> mpq:
    """The probability of the mechanism's answers to these queries, on its own."""
    node: Node = mechanism.root
    total = ONE
    for label in labels:
        if isinstance(node, QueryNode):
            node = dict(node.options)[label]
        elif isinstance(node, AnswerNode):
            branch = next(b for b in node.branches if b.label == label)
            total *= branch.q if row else branch.p
            node = branch.then
    return total


def drawn_probabilities(row: int) -> list[mpq]:
    """The probability on one input of what has been heard after each message of the drawn exchange, 1 at the start."""
    both = concurrent_composition([interleaving()] * 2)
    return [_probability(both, DRAWN[:count], row) for count in range(len(DRAWN) + 1)]


def _factors(parts: Sequence[InteractiveMechanism], listed: Sequence[View]) -> Rows:
    """The laws of the views as products, over the mechanisms, of the laws of what each has said to its own queries."""
    rows: list[tuple[mpq, ...]] = []
    for row in (0, 1):
        law = []
        for view in listed:
            total = ONE
            for j, part in enumerate(parts, start=1):
                total *= _probability(part, _own_steps(view.steps, j), row)
            law.append(total)
        rows.append(tuple(law))
    return tuple(rows)


def _routed_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism, pick: int) -> mpq:
    """Each mechanism sees its own queries only: the law of a view is the product of the laws of its parts."""
    both = concurrent_composition([first, second])
    known = strategies(both)
    strategy = known[pick % len(known)]
    rows = _factors([first, second], views(both, strategy))
    asked = ask.canonical(view_channel(both, strategy).rows)
    return worst([tables_equal(rows, view_channel(both, strategy).rows), tables_equal(asked, canonical_rows(rows))])


def _any_order_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism) -> mpq:
    """Exchanging the names of the mechanisms changes nothing."""
    swapped = ask.concurrent([second, first])
    return true(ask.concurrent([first, second]) == swapped)


def _orders_of_asking() -> bool:
    """Mechanisms of one query each: 2 adversaries for two of them, 12 for three, as answers may be used."""
    coin = ((mpq(1, 2), mpq(1, 2)), (mpq(1, 4), mpq(3, 4)))
    return [count_strategies(concurrent_composition([one_shot(coin)] * k)) for k in (1, 2, 3)] == [1, 2, 12]


def _drawn_probability() -> bool:
    view = drawn_view()
    return (view.p, view.q) == (mpq(9, 16), mpq(1, 16))


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Fig1",
        title="the diagram of concurrent queries",
        statement="The adversary exchanges messages with M_1, ..., M_k in any order, and a query to one may depend on "
        "the answers of all. Each mechanism sees its own queries only: the law of a view is the product of the laws "
        "of what each mechanism has said. Nothing else can be tested.",
        formula="Pr[view] = Π_j Pr[answers of M_j given its own queries]",
        source="section 1, figure 1",
        status="definition",
        laws=(
            Law(
                "each mechanism sees its own queries only",
                st.tuples(mechanism_pairs(2, 4), st.integers(0, 1000)).map(lambda e: (*e[0], e[1])),
                _routed_law,
            ),
            Law("the mechanisms' order is only a name", mechanism_pairs(), _any_order_law),
        ),
        facts=(
            fact("one binary query each: 1, 2 and 12 adversaries for k = 1, 2, 3", _orders_of_asking),
            fact("the exchange drawn in our figure has probability 9/16 | 1/16", _drawn_probability),
        ),
        defines=True,
    ),
)
