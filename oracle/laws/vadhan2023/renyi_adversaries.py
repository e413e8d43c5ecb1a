"""Section 5: the best adversary against Rényi DP, one mechanism at a time and concurrently."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracle.channels.channel import Channel, Rows
from oracle.channels.divergences import Direction
from oracle.exact import INFINITY, Extended, Infinity
from oracle.interactive.adversaries import strategies, strategy_text, view_channel
from oracle.interactive.concurrent import concurrent_composition, sequential_composition
from oracle.interactive.examples import binary_answer, choice_of_two
from oracle.interactive.renyi import concurrent_moment, optimal_renyi_adversary, tight_moment
from oracle.interactive.tightness import tight_hockey_stick
from oracle.interactive.tree import InteractiveMechanism, QueryNode
from oracle.laws.ask import Ask
from oracle.laws.compare import worst
from oracle.laws.fernandes2025._facts import channel, exact
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import two_row_channels, witnesses
from oracle.laws.trees import interactive_mechanisms, mechanism_pairs
from oracle.laws.vadhan2023._facts import ONE, at_most_extended, moment_of, parallel_rows
from oracle.laws.vadhan2023._joint import joint_rows

__all__ = ["CLAIMS"]

_ORDERS: Final = st.sampled_from([2, 3, 5])
_RESPONSE: Final = channel("3/4 1/4", "1/4 3/4")
_RESPONSES: Final = _RESPONSE.rows, parallel_rows([_RESPONSE.rows] * 2)
"""Randomised response, once and twice."""


def _asked(ask: Ask, table: Rows, order: int) -> Extended:
    """The subject's moment, where it is exact."""
    value = ask.moment(table, order)
    return INFINITY if isinstance(value, Infinity) else exact(value)


def _asked_supremum(ask: Ask, mechanism: InteractiveMechanism, order: int, direction: str) -> Extended:
    """The subject's supremum over all adversaries, where it is exact."""
    value = ask.interactive_moment(mechanism, order, direction)
    return INFINITY if isinstance(value, Infinity) else exact(value)


def _times(x: Extended, y: Extended) -> Extended:
    return INFINITY if isinstance(x, Infinity) or isinstance(y, Infinity) else x * y


def _same(x: Extended, y: Extended) -> mpq:
    return max(at_most_extended(x, y), at_most_extended(y, x))


def _largest(ask: Ask, mechanism: InteractiveMechanism, order: int) -> Extended:
    """The largest of the subject's moments over all adversaries' views."""
    return max(_asked(ask, view_channel(mechanism, strategy).rows, order) for strategy in strategies(mechanism))


def _product_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism, order: int) -> mpq:
    """Over all interleavings the subject's largest moment is the product of its largest ones for each mechanism."""
    both = concurrent_composition([first, second])
    separately = _times(_largest(ask, first, order), _largest(ask, second, order))
    return max(_same(_largest(ask, both, order), separately), _same(tight_moment(both, order), separately))


def _asked_product_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism, order: int) -> mpq:
    """The subject's suprema: that of the concurrent composition, as one mechanism, is the product; both directions."""
    both = concurrent_composition([first, second])
    excess = []
    for direction in ("forward", "backward"):
        values = [_asked_supremum(ask, m, order, direction) for m in (both, first, second)]
        excess.append(_same(values[0], _times(values[1], values[2])))
    return max(worst(excess), _same(_asked_supremum(ask, first, order, "forward"), _largest(ask, first, order)))


def _separate_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism, order: int) -> mpq:
    """The best adversaries of the parts, played one after the other in either order, reach the product.

    Both directions: the pair of inputs may be exchanged.
    """
    sides: list[tuple[Direction, tuple[InteractiveMechanism, InteractiveMechanism]]] = [
        ("forward", (first, second)),
        ("backward", (first.swapped(), second.swapped())),
    ]
    excess = []
    for side, pair in sides:
        best = [view_channel(m, optimal_renyi_adversary(m, order)).rows for m in pair]
        reached = _asked(ask, ask.parallel(best), order)
        others = [concurrent_moment([first, second], order, side)]
        others += [
            tight_moment(sequential_composition(parts), order, side) for parts in ((first, second), (second, first))
        ]
        others.append(_times(_asked(ask, best[0], order), _asked(ask, best[1], order)))
        excess += [_same(reached, other) for other in others]
    return worst(excess)


@st.composite
def _followed(draw: DrawFn) -> tuple[Channel, tuple[Channel, ...], tuple[Rows, ...]]:
    """An answer, what may follow each value of it, and kernels that blur that."""
    first = draw(two_row_channels(3))
    parts = tuple(draw(two_row_channels(3)) for _ in range(first.shape[1]))
    return first, parts, tuple(draw(witnesses(part.shape[1], 3)) for part in parts)


def _monotone_law(ask: Ask, first: Channel, parts: tuple[Channel, ...], kernels: tuple[Rows, ...], order: int) -> mpq:
    """Whatever follows with a larger moment, answer by answer, gives a larger moment of the pair.

    The smaller ones are the subject's post-processings; then the two are exchanged where V and W differ otherwise.
    """
    tables = [part.rows for part in parts]
    blurred = [ask.post(rows, kernel) for rows, kernel in zip(tables, kernels, strict=True)]
    rotated = [*tables[1:], tables[0]]
    excess = []
    for smaller, larger in ((blurred, tables), (tables, rotated), (rotated, tables)):
        pairs = [(_asked(ask, v, order), _asked(ask, w, order)) for v, w in zip(smaller, larger, strict=True)]
        if all(at_most_extended(v, w) <= 0 for v, w in pairs):
            small, large = (joint_rows(first.rows, rows) for rows in (smaller, larger))
            excess.append(at_most_extended(_asked(ask, small, order), _asked(ask, large, order)))
    blurring = [
        at_most_extended(_asked(ask, b, order), _asked(ask, t, order)) for b, t in zip(blurred, tables, strict=True)
    ]
    return worst([*excess, *blurring])


def _additive_law(ask: Ask, first: Channel, second: Channel, order: int) -> mpq:
    """The moment of independent parts is the product, so divergences add; by definition too."""
    asked = _asked(ask, ask.parallel([first.rows, second.rows]), order)
    parts = _times(_asked(ask, first.rows, order), _asked(ask, second.rows, order))
    defined = _times(moment_of(first.rows, order), moment_of(second.rows, order))
    return max(_same(asked, parts), _same(asked, defined))


def _greedy_law(ask: Ask, m: InteractiveMechanism, order: int) -> mpq:
    """A largest option at each query: no adversary has more by the subject's moments."""
    greedy = _asked(ask, view_channel(m, optimal_renyi_adversary(m, order)).rows, order)
    return max(_same(greedy, _largest(ask, m, order)), _same(greedy, tight_moment(m, order)))


def _response_or_coin() -> InteractiveMechanism:
    """A: randomised response 3/4 | 1/4. B: 1/2 | 1/4."""
    half, quarter = mpq(1, 2), mpq(1, 4)
    return InteractiveMechanism(choice_of_two(binary_answer(3 * quarter, quarter), binary_answer(half, quarter)))


def _two_copies(order: int) -> tuple[Extended, ...]:
    """One copy; two copies by the product and by the dynamic programme over pairs of nodes."""
    m = _response_or_coin()
    both = concurrent_composition([m, m])
    return tight_moment(m, order), concurrent_moment([m, m], order), tight_moment(both, order)


def _interleaving_gains_nothing() -> bool:
    """A mechanism of which two copies reveal more when they are interleaved: not so for moments of order 2."""
    half, much = mpq(1, 2), mpq(3, 4)
    choice = choice_of_two(binary_answer(much, half), binary_answer(half, much))
    m = InteractiveMechanism(QueryNode((("ask", binary_answer(much, half, after_0=choice)),)))
    trees = concurrent_composition([m, m]), sequential_composition([m, m])
    variations = [tight_hockey_stick(tree, ONE) for tree in trees]
    moments = [tight_moment(tree, 2) for tree in trees]
    return variations == [mpq(103, 256), mpq(51, 128)] and moments == [mpq(13, 8) ** 2] * 2


def _greedy_choice() -> bool:
    """Against the choice the best adversary asks A at order 2, forward."""
    m = _response_or_coin()
    return strategy_text(m, optimal_renyi_adversary(m, 2)) == ["first: ask A"]


def _weak_monotony() -> bool:
    """Where the first answer 1 is impossible on x, what follows it does not count."""
    first = channel("1 0", "1/2 1/2")
    same, told = channel("1", "1").rows, channel("1 0", "0 1").rows
    values = [moment_of(joint_rows(first.rows, [same, after]), 2) for after in (same, told)]
    return values == [mpq(2), mpq(2)]


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Thm5.1, Lem5.2",
        title="Rényi DP composes concurrently as it does in sequence",
        statement="The supremum over adversaries of the Rényi divergence of a concurrent composition is the sum of "
        "those of its parts, at every order α > 1. It is attained by playing the best adversary against each part on "
        "its own, in any order: interleaving gains nothing.",
        formula="sup_B e^{(α-1)D_α(view(B, ConComp(M_1, ..., M_k)))} = Π_j sup_B e^{(α-1)D_α(view(B, M_j))}",
        source="section 5, Theorem 5.1 and Lemma 5.2",
        status="holds",
        hypotheses="tested at whole orders, where moments are exact",
        laws=(
            Law(
                "over all interleavings, the product",
                st.tuples(mechanism_pairs(2, 4), _ORDERS).map(lambda e: (*e[0], e[1])),
                _product_law,
            ),
            Law(
                "suprema over all adversaries multiply",
                st.tuples(mechanism_pairs(), _ORDERS).map(lambda e: (*e[0], e[1])),
                _asked_product_law,
            ),
            Law(
                "the best adversaries of the parts, one after the other",
                st.tuples(mechanism_pairs(), _ORDERS).map(lambda e: (*e[0], e[1])),
                _separate_law,
            ),
        ),
        facts=(
            fact(
                "vadhan2023-09: at order 2, A: 3/4 | 1/4 or B: 1/2 | 1/4 has 7/3, two copies 49/9",
                lambda: _two_copies(2) == (mpq(7, 3), mpq(49, 9), mpq(49, 9)),
            ),
            fact(
                "vadhan2023-09: at order 3, 61/9, two copies 3721/81",
                lambda: _two_copies(3) == (mpq(61, 9), mpq(3721, 81), mpq(3721, 81)),
            ),
            fact(
                "3/4 | 1/2, after 0 A: 3/4 | 1/2 or B: 1/2 | 3/4, twice: interleaving raises D_1 from 51/128 to "
                "103/256, the moment of order 2 is (13/8)² either way",
                _interleaving_gains_nothing,
            ),
        ),
    ),
    ClaimRecord(
        id="Lem5.3/5.4/5.5",
        title="monotone, additive, and greedily maximised",
        statement="If what follows an answer has the larger Rényi divergence for every answer, so has the pair. "
        "Divergences of independent parts add. So the best adversary takes at each query an option from which most can "
        "be had, and no look ahead beyond that is needed.",
        formula="D_α(V_u) <= D_α(W_u) for all u implies D_α((U,V)) <= D_α((U,W)); D_α((U,V)) = D_α(U) + D_α(V)",
        source="section 5, Lemmas 5.3, 5.4 and 5.5",
        status="holds",
        hypotheses="tested at whole orders, where moments are exact",
        laws=(
            Law("monotone", st.tuples(_followed(), _ORDERS).map(lambda e: (*e[0], e[1])), _monotone_law),
            Law("additive", st.tuples(two_row_channels(4), two_row_channels(4), _ORDERS), _additive_law),
            Law("greedy", st.tuples(interactive_mechanisms(max_adversaries=12), _ORDERS), _greedy_law),
        ),
        facts=(
            fact("against A: 3/4 | 1/4 or B: 1/2 | 1/4 ask A", _greedy_choice),
            fact("what follows an answer that is impossible on x does not count: 2 in both cases", _weak_monotony),
            fact(
                "[3/4 1/4; 1/4 3/4] twice: 7/3 and 49/9",
                lambda: tuple(moment_of(rows, 2) for rows in _RESPONSES) == (mpq(7, 3), mpq(49, 9)),
            ),
        ),
    ),
)
