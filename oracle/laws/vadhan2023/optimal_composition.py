"""Theorem 1.3, concurrent composition of (epsilon, delta)-DP mechanisms, and the optimal composition theorem."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.exact import to_text
from oracle.interactive.adversaries import strategies, view_channel
from oracle.interactive.concurrent import concurrent_composition
from oracle.interactive.examples import interleaving, unattained
from oracle.interactive.tightness import tight_channel
from oracle.interactive.tree import InteractiveMechanism
from oracle.laws.ask import Ask
from oracle.laws.compare import at_most, equal, true, worst
from oracle.laws.fernandes2025._facts import exact
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import deltas, rational_levels, two_row_channels
from oracle.laws.trees import mechanism_pairs
from oracle.laws.vadhan2023._facts import ONE, ZERO, optimal_by_subsets, parallel_rows, response
from oracle.theorems.composition_bounds import optimal_delta

__all__ = ["CLAIMS"]

Part = tuple[mpq, mpq]
_LEVELS: Final[SearchStrategy[mpq]] = st.one_of(
    st.builds(mpq, st.integers(4, 20), st.integers(1, 4)), st.sampled_from([ONE, mpq(2)])
)


def _parts(most: int) -> SearchStrategy[list[Part]]:
    """Guarantees (a, delta); some are equal now and then."""
    return st.lists(st.tuples(_LEVELS, deltas()), min_size=1, max_size=most)


_Pair = tuple[InteractiveMechanism, InteractiveMechanism]


def _pairs_with_levels() -> SearchStrategy[tuple[_Pair, tuple[mpq, mpq], mpq]]:
    """Two mechanisms, a level for each, and one for their composition."""
    return st.tuples(mechanism_pairs(2, 4), st.tuples(_LEVELS, _LEVELS), rational_levels(1))


def _least(ask: Ask, m: InteractiveMechanism, a: mpq) -> mpq:
    """The subject's least delta at a over all adversaries of a mechanism."""
    return max(exact(ask.delta(view_channel(m, strategy).rows, a)) for strategy in strategies(m))


def _concurrent_law(ask: Ask, pair: _Pair, levels: tuple[mpq, mpq], level: mpq) -> mpq:
    """The worst interleaving obeys what the optimal theorem gives for the components' guarantees."""
    parts = [(a, _least(ask, m, a)) for m, a in zip(pair, levels, strict=True)]
    bound = optimal_delta(parts, level)
    both = concurrent_composition(pair)
    return worst(at_most(ask.delta(view_channel(both, s).rows, level), bound) for s in strategies(both))


def _accepted_law(ask: Ask, pair: _Pair, levels: tuple[mpq, mpq], level: mpq) -> mpq:
    """The subject accepts the claim for the tight pair of the concurrent composition."""
    parts = [(a, hockey_stick(tight_channel(m), a, "both")) for m, a in zip(pair, levels, strict=True)]
    claim = {"exp_epsilon": to_text(level), "delta": to_text(optimal_delta(parts, level))}
    return true(ask.satisfies(tight_channel(concurrent_composition(pair)).rows, claim))


def _asked_concurrent_law(ask: Ask, pair: _Pair, levels: tuple[mpq, mpq], level: mpq) -> mpq:
    """The subject's own delta of the concurrent composition is that of the worst interleaving, and obeys the bound."""
    parts = [(a, _least(ask, m, a)) for m, a in zip(pair, levels, strict=True)]
    both = concurrent_composition(pair)
    asked = ask.concurrent_delta(pair, level)
    interleaved = max(hockey_stick(view_channel(both, s), level, "both") for s in strategies(both))
    return max(equal(asked, interleaved), at_most(asked, optimal_by_subsets(parts, level)))


def _formula_law(ask: Ask, parts: list[Part], level: mpq) -> mpq:
    """The formula, over all subsets and with equal parts grouped, is the subject's hockey stick of the RR product."""
    product = ask.parallel([response(a, delta) for a, delta in parts])
    formula = optimal_by_subsets(parts, level)
    both = [ask.hockey_stick(product, level, side) for side in ("forward", "backward")]
    return worst([equal(value, formula) for value in both] + [equal(optimal_delta(parts, level), formula)])


def _worst_case_law(ask: Ask, pair: tuple[Channel, Channel], levels: tuple[mpq, mpq], level: mpq) -> mpq:
    """No pair of mechanisms with these guarantees exceeds the formula."""
    parts = [(a, exact(ask.delta(m.rows, a))) for m, a in zip(pair, levels, strict=True)]
    return at_most(ask.delta(ask.parallel([m.rows for m in pair]), level), optimal_by_subsets(parts, level))


def _values(m: InteractiveMechanism, a: mpq, level: mpq) -> tuple[mpq, mpq, mpq]:
    """The delta of one mechanism at a, delta of two concurrent ones at the level, and the bound from the former."""
    delta = hockey_stick(tight_channel(m), a, "both")
    both = tight_channel(concurrent_composition([m, m]))
    return delta, hockey_stick(both, level, "both"), optimal_by_subsets([(a, delta)] * 2, level)


def _is_optimum(parts: list[Part], level: mpq, expected: mpq) -> bool:
    """The formula over subsets, the grouped one and the hockey stick of the product."""
    product = Channel(parallel_rows([response(a, delta) for a, delta in parts]))
    return expected == optimal_by_subsets(parts, level) == optimal_delta(parts, level) == hockey_stick(product, level)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Thm1.3",
        title="concurrent composition of (ε, δ)-DP mechanisms",
        statement="If every composition of non-interactive (ε_i, δ_i)-DP mechanisms is (ε, δ)-DP, then so is the "
        "concurrent composition of interactive (ε_i, δ_i)-DP mechanisms of finite communication. So the optimal "
        "composition theorem bounds every interleaving.",
        formula="Comp(M_1, ..., M_k) is (ε, δ)-DP for all non-interactive (ε_i, δ_i)-DP M_i implies ConComp(M_1, ..., "
        "M_k) is (ε, δ)-DP for all interactive ones",
        source="section 1, Theorem 1.3",
        status="holds",
        hypotheses="finite communication, as stated",
        laws=(
            Law("every interleaving obeys the optimal bound", _pairs_with_levels(), _concurrent_law),
            Law("the delta of a concurrent composition", _pairs_with_levels(), _asked_concurrent_law),
            Law("the claim is accepted for the tight pair", _pairs_with_levels(), _accepted_law),
        ),
        facts=(
            fact(
                "two copies of the interleaving example, δ_1 = 1/2 at e^ε = 1: 11/16 at e^ε = 1, bound 3/4",
                lambda: _values(interleaving(), ONE, ONE) == (mpq(1, 2), mpq(11, 16), mpq(3, 4)),
            ),
            fact(
                "A: 0 | 1/3, B: 1/4 | 3/4, δ_1 = 1/2 at e^ε = 1: two copies 7/12, bound 3/4",
                lambda: _values(unattained(), ONE, ONE) == (mpq(1, 2), mpq(7, 12), mpq(3, 4)),
            ),
        ),
    ),
    ClaimRecord(
        id="MV16/KOV15",
        title="the optimal composition theorem",
        statement="The least δ_g for which every composition of (ε_i, δ_i)-DP mechanisms is (ε_g, δ_g)-DP is a sum "
        "over subsets; it is the hockey-stick divergence at e^{ε_g} of the product of the randomised responses "
        "RR_{ε_i,δ_i}. Parts with ε_i = 0, and δ_i of 0 and 1, are included.",
        formula="δ_g = 1 - Π(1-δ_i) (1 - Π(1+a_i)^{-1} Σ_S [Π_{i∈S} a_i - a_g Π_{i∉S} a_i]_+), a_i = e^{ε_i}",
        source="section 1, Concurrent Composition (KOV15, Theorem 3.3; MV16, Theorem 1.5)",
        status="holds",
        laws=(
            Law(
                "the formula is the divergence of the product of randomised responses",
                st.tuples(_parts(3), rational_levels()),
                _formula_law,
            ),
            Law(
                "no two mechanisms exceed it",
                st.tuples(
                    st.tuples(two_row_channels(3), two_row_channels(3)),
                    st.tuples(_LEVELS, _LEVELS),
                    rational_levels(1),
                ),
                _worst_case_law,
            ),
        ),
        facts=(
            fact("vadhan2023-07a: 2 × (2, 0) at 1: 1/3", lambda: _is_optimum([(mpq(2), ZERO)] * 2, ONE, mpq(1, 3))),
            fact(
                "vadhan2023-07b: 2 × (2, 1/10) at 2: 37/100",
                lambda: _is_optimum([(mpq(2), mpq(1, 10))] * 2, mpq(2), mpq(37, 100)),
            ),
            fact(
                "vadhan2023-07c: 2 × (2, 1/10) at 4: 19/100",
                lambda: _is_optimum([(mpq(2), mpq(1, 10))] * 2, mpq(4), mpq(19, 100)),
            ),
            fact(
                "vadhan2023-07e: 3 × (1, 1/10) at 1: 271/1000",
                lambda: _is_optimum([(ONE, mpq(1, 10))] * 3, ONE, mpq(271, 1000)),
            ),
            fact(
                "vadhan2023-07f: 3 × (2, 1/100) at 2: 245323/1000000",
                lambda: _is_optimum([(mpq(2), mpq(1, 100))] * 3, mpq(2), mpq(245323, 10**6)),
            ),
            fact(
                "3 × (2, 1/4) at 8, the product of the levels: 1 - (3/4)³ = 37/64",
                lambda: _is_optimum([(mpq(2), mpq(1, 4))] * 3, mpq(8), mpq(37, 64)),
            ),
        ),
    ),
)
