"""Theorem 1.4, what its bound leaves open, and the example in which interleaving pays."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.certificates.checker import check
from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel, Rows
from oracle.channels.divergences import hockey_stick
from oracle.claims import ApproximateDP
from oracle.interactive.adversaries import strategies, strategy_text, view_channel
from oracle.interactive.comparison import Comparison
from oracle.interactive.concurrent import concurrent_composition, sequential_composition
from oracle.interactive.examples import interleaving, unattained
from oracle.interactive.tightness import tight_channel, tight_hockey_stick, tight_tradeoff
from oracle.interactive.tree import HALT, AnswerNode, Branch, InteractiveMechanism, Node, QueryNode
from oracle.interactive.verdicts import judge_tree
from oracle.laws.ask import Ask
from oracle.laws.compare import at_most, curve_at_most, curves_equal, equal, tables_equal, true, valid_curve, worst
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025._facts import channel, exact
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import rational_levels, two_row_channels
from oracle.laws.trees import interactive_mechanisms, mechanism_pairs, one_shot
from oracle.laws.vadhan2023._facts import ONE, ZERO
from oracle.levels import Level

__all__ = ["CLAIMS"]

_HALF: Final = mpq(1, 2)
_ROUNDS: Final = 8
"""As many rounds of the interaction without end are looked at."""


def _bound_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism, level: mpq) -> mpq:
    """The concurrent composition is a post-processing of N_1 x N_2: curves, refinement, and hockey sticks both ways."""
    both = tight_channel(concurrent_composition([first, second])).rows
    bound = ask.parallel([tight_channel(first).rows, tight_channel(second).rows])
    excess = [true(ask.refines(bound, both)), curve_at_most(ask.tradeoff(bound), ask.tradeoff(both))]
    for direction in ("forward", "backward"):
        found = ask.hockey_stick(both, level, direction)
        excess.append(at_most(found, ask.hockey_stick(bound, level, direction)))
    return worst(excess)


def _every_view(mechanism: InteractiveMechanism) -> list[Rows]:
    """The laws of the views of all adversaries."""
    return [view_channel(mechanism, strategy).rows for strategy in strategies(mechanism)]


def _asked_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism) -> mpq:
    """The subject's curve of the concurrent composition is between those of N_1 x N_2 and of all interleavings."""
    asked = ask.concurrent([first, second])
    bound = ask.parallel([ask.channel_of(ask.interactive_tradeoff(m)) for m in (first, second)])
    excess = [valid_curve(asked), curve_at_most(ask.tradeoff(bound), asked)]
    both = concurrent_composition([first, second])
    views = [curve_at_most(asked, ask.tradeoff(rows)) for rows in _every_view(both)]
    return worst([*excess, *views, curves_equal(asked, tight_tradeoff(both).corners)])


def _worst_case_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism, c: Channel, d: Channel) -> mpq:
    """For any f_1, f_2 below the views' curves: what holds of C(f_1) x C(f_2) holds of all views."""
    lower = [ask.glb([tight_channel(m).rows, other.rows]) for m, other in ((first, c), (second, d))]
    f = ask.tradeoff(ask.parallel(lower))
    both = concurrent_composition([first, second])
    return worst(curve_at_most(f, ask.tradeoff(rows)) for rows in _every_view(both))


def _three_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism, c: Channel) -> mpq:
    """Three mechanisms, one of which answers once."""
    parts = [first, second, one_shot(c.rows)]
    both = tight_channel(concurrent_composition(parts)).rows
    return true(ask.refines(ask.parallel([tight_channel(m).rows for m in parts]), both))


def _between_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism, level: mpq) -> mpq:
    """Each sequential order is a post-processing of the concurrent composition, so its hockey sticks are no larger."""
    both = tight_channel(concurrent_composition([first, second])).rows
    excess = []
    for order in ((0, 1), (1, 0)):
        rows = tight_channel(sequential_composition([first, second], order)).rows
        excess.append(true(ask.refines(both, rows)))
        for direction in ("forward", "backward"):
            found = ask.hockey_stick(rows, level, direction)
            excess.append(at_most(found, ask.hockey_stick(both, level, direction)))
    return worst(excess)


def _asked_between_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism) -> mpq:
    """The subject's curve of either order, as one mechanism, is not below that of the concurrent composition."""
    asked = ask.concurrent([first, second])
    orders = [sequential_composition([first, second], order) for order in ((0, 1), (1, 0))]
    below = worst(curve_at_most(asked, ask.interactive_tradeoff(tree)) for tree in orders)
    return max(below, curves_equal(asked, ask.interactive_tradeoff(concurrent_composition([first, second]))))


def _no_choice_law(ask: Ask, c: Channel, m: InteractiveMechanism) -> mpq:
    """With one mechanism that leaves no choice, asking it first reaches N_1 x N_2: interleaving has nothing to add."""
    parts = [one_shot(c.rows), m]
    bound = ask.canonical(ask.parallel([tight_channel(part).rows for part in parts]))
    return worst(
        tables_equal(bound, tight_channel(tree).rows)
        for tree in (sequential_composition(parts), concurrent_composition(parts))
    )


def _programme_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism, level: mpq) -> mpq:
    """The dynamic programme over pairs of nodes, and the largest of the subject's over all interleavings."""
    both = concurrent_composition([first, second])
    excess = []
    for direction, value in (
        ("forward", tight_hockey_stick(both, level)),
        ("backward", tight_hockey_stick(both, level, "backward")),
    ):
        found = [exact(ask.hockey_stick(rows, level, direction)) for rows in _every_view(both)]
        excess.append(equal(max(found), value))
    return worst(excess)


def _revealing(rounds: int) -> InteractiveMechanism:
    """The first rounds of a mechanism without end: round i reveals the input, or says nothing and goes on.

    It goes on with probability (1/2 + 2^-(i+1))/(1/2 + 2^-i), so that n rounds reveal with 1/2 - 2^-(n+1) in all.
    """
    node: Node = HALT
    for i in reversed(range(rounds)):
        on = (_HALF + _HALF ** (i + 2)) / (_HALF + _HALF ** (i + 1))
        branches = Branch("it is x", 1 - on, ZERO), Branch("it is x'", ZERO, 1 - on), Branch("go on", on, on, node)
        node = QueryNode((("next", AnswerNode(branches)),))
    return InteractiveMechanism(node)


def _revealed(rounds: int) -> mpq:
    """The total variation of the view of so many rounds."""
    return tight_hockey_stick(_revealing(rounds), ONE, "both")


def _no_last_round() -> bool:
    """Every further round tells more, and 1/2 is never reached."""
    found = [_revealed(n) for n in range(_ROUNDS)]
    return found == [_HALF - _HALF ** (n + 1) for n in range(_ROUNDS)] and all(value < _HALF for value in found)


def _rounds_certificate() -> Certificate:
    evidence = Evidence()
    values = [evidence.hockey_stick(tight_channel(_revealing(n)), ONE, "forward") for n in range(1, 5)]
    for value, following in pairwise(values):
        evidence.compare(value, "<", following)
    evidence.compare(values[-1], "<", "1/2")
    return evidence.certificate()


_FINITE: Final = Erratum(
    printed="Theorem 1.4, about all interactive mechanisms, follows from Theorem 1.5, which is about mechanisms with "
    "finite communication.",
    counterexample="In round i let M reveal its input with probability 1 - (1/2 + 2^{-i-1})/(1/2 + 2^{-i}), else say "
    "nothing and wait for the next query. After n rounds it has revealed it with probability 1/2 - 2^{-n-1}: 1/4, 3/8, "
    "7/16, 15/32, ... So M is (0, 1/2)-DP and never comes to an end, and no n rounds have its privacy. The induction "
    "of Theorem 1.5 over the rounds does not begin.",
    correction="Ask for finite communication, as Theorems 1.3, 1.5 and 4.1 do; or pass to the limit, so that the claim "
    "stands. Let M_j halt once more than n rounds or n bits have been exchanged. These finite mechanisms are f_j-DP, "
    "so every view of their concurrent composition has T >= f. For n -> ∞ the probabilities of every event of a view "
    "are approached on both inputs at once, and f is continuous.",
    scope="remark",
    fails=_no_last_round,
    certificate=_rounds_certificate,
    summary="finite communication is not asked for",
    printed_formula="for all interactive mechanisms M_1, ..., M_k",
    true_formula="for all interactive mechanisms M_1, ..., M_k with finite communication (or by passing to the limit)",
)


def _not_attained() -> bool:
    """Two copies of A: 0 | 1/3, B: 1/4 | 3/4 at level 1."""
    compared = Comparison.of([unattained()] * 2)
    row = compared.rows([ONE], [ONE] * 2, "forward")[0]
    n = compared.parts[0] == channel("3/4 1/4 0", "1/4 5/12 1/3")
    return n and (row.concurrent, row.product) == (mpq(7, 12), mpq(2, 3)) and not row.bound_attained


def _limit_of_two() -> bool:
    """Two copies of the mechanism without end reveal 1 - (1/2 + 2^-(n+1))² in n rounds, below 3/4."""
    for n in (1, 2, 3):
        found = tight_hockey_stick(concurrent_composition([_revealing(n)] * 2), ONE, "both")
        if found != 1 - (_HALF + _HALF ** (n + 1)) ** 2 or found >= mpq(3, 4):
            return False
    return True


def _table() -> list[tuple[mpq, ...]]:
    """Two copies of the example at 1, 3/2 and 2: concurrent, both sequential orders, N x N."""
    compared = Comparison.of([interleaving()] * 2)
    rows = compared.rows([ONE, mpq(3, 2), mpq(2)], [mpq(2)] * 2, "forward")
    return [(row.concurrent, *row.sequential, row.product) for row in rows]


_EXPECTED: Final = [
    tuple(mpq(v) for v in line.split())
    for line in ("11/16 21/32 21/32 11/16", "21/32 39/64 39/64 21/32", "5/8 39/64 39/64 5/8")
]


def _asks_both_first() -> bool:
    """The best adversary at level 1 has heard both first answers before it chooses; its event has 3/4 against 1/16."""
    compared = Comparison.of([interleaving()] * 2)
    strategy, p, q = compared.adversary(ONE)
    said = strategy_text(compared.composition, strategy)
    first, second = said[0], said[1]
    return (
        p - q == mpq(11, 16)
        and first == "first: ask 1.ask"
        and second.startswith("after ask 1.ask, hear 1.0: ask 2.ask")
    )


def _judged() -> bool:
    """(0, 21/32)-DP holds of the sequential composition and is refuted for the concurrent one, both certified."""
    claim = ApproximateDP(Level.rational(1), mpq(21, 32))
    parts = [interleaving()] * 2
    verdicts = [
        judge_tree(tree, claim, "forward") for tree in (sequential_composition(parts), concurrent_composition(parts))
    ]
    kinds = [check(verdict.certificate).kind for verdict in verdicts]
    return [v.holds for v in verdicts] == [True, False] and kinds == ["interactive_held", "interactive_refuted"]


def _orders_differ() -> bool:
    """The example with A: 0 | 1/3, B: 1/4 | 3/4 at level 1: 31/48 or 21/32 by the order."""
    compared = Comparison.of([interleaving(), unattained()])
    found = [hockey_stick(n, ONE) for n in (*compared.sequential, compared.concurrent)]
    return found == [mpq(31, 48), mpq(21, 32), mpq(21, 32)]


_SMALL: Final = mechanism_pairs(2, 4)

CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Thm1.4",
        title="composition theorems hold concurrently",
        statement="If every composition of non-interactive f_i-DP mechanisms is f-DP, then so is the concurrent "
        "composition of interactive f_i-DP mechanisms. Each is simulated by one sample of a pair N_i, so the whole is "
        "a post-processing of N_1 x ... x N_k. For given mechanisms the bound by the tight N_i need not be attained.",
        formula="T(view(B, ConComp(M_1, ..., M_k))) >= T(N_1 x ... x N_k) >= f for every B",
        source="section 1, Theorem 1.4",
        status="holds",
        hypotheses="tested with finite communication, for two and three mechanisms",
        laws=(
            Law(
                "below N_1 x N_2",
                st.tuples(mechanism_pairs(), rational_levels()).map(lambda e: (*e[0], e[1])),
                _bound_law,
            ),
            Law("between N_1 x N_2 and the interleavings", _SMALL, _asked_law),
            Law(
                "for any f_1 and f_2",
                st.tuples(_SMALL, two_row_channels(3), two_row_channels(3)).map(lambda e: (*e[0], e[1], e[2])),
                _worst_case_law,
            ),
            Law(
                "three mechanisms",
                st.tuples(_SMALL, two_row_channels(3)).map(lambda e: (*e[0], e[1])),
                _three_law,
            ),
            Law(
                "over pairs of nodes and levels, and over all interleavings",
                st.tuples(_SMALL, rational_levels()).map(lambda e: (*e[0], e[1])),
                _programme_law,
            ),
        ),
        facts=(
            fact(
                "vadhan2023-13: two copies of A: 0 | 1/3, B: 1/4 | 3/4: D_1 is 7/12, below the bound 2/3 of N x N",
                _not_attained,
            ),
            fact("two copies of the mechanism without end: below 3/4, which N x N has in the limit", _limit_of_two),
        ),
        errata=(_FINITE,),
    ),
    ClaimRecord(
        id="interleaving",
        title="interleaving can reveal more than every order",
        statement="There are mechanisms whose concurrent composition reveals strictly more than their composition in "
        "either order, and as much as N x N. Sequential views are always post-processings of concurrent ones; where "
        "one of two mechanisms leaves no choice, asking it first is best.",
        formula="max over orders of D_a(sequential) < D_a(ConComp(M, M)) = D_a(N x N) for a = 1, 3/2 and 2",
        source="section 1, Concurrent Composition (an example of ours)",
        status="holds",
        laws=(
            Law(
                "both orders below the concurrent composition",
                st.tuples(mechanism_pairs(), rational_levels()).map(lambda e: (*e[0], e[1])),
                _between_law,
            ),
            Law("as curves of one mechanism each", mechanism_pairs(), _asked_between_law),
            Law(
                "a mechanism without choice is asked first",
                st.tuples(two_row_channels(3), interactive_mechanisms(2, 6)),
                _no_choice_law,
            ),
        ),
        facts=(
            fact(
                "vadhan2023-12: D_1 is 11/16 against 21/32, D_{3/2} 21/32 against 39/64, D_2 5/8 against 39/64",
                lambda: _table() == _EXPECTED,
            ),
            fact("the best adversary hears both first answers before it chooses", _asks_both_first),
            fact("(0, 21/32)-DP: held in sequence, refuted concurrently, both certified", _judged),
            fact("with another mechanism D_1 is 31/48 in one order and 21/32 in the other", _orders_differ),
        ),
    ),
)
