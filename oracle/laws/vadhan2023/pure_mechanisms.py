"""Claims of section 1 on earlier work: concurrent composition of pure mechanisms, and the bound for delta > 0."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel, Rows
from oracle.channels.divergences import hockey_stick
from oracle.exact import Infinity
from oracle.interactive.adversaries import strategies, view_channel
from oracle.interactive.concurrent import concurrent_composition
from oracle.interactive.examples import binary_answer, choice_of_two
from oracle.interactive.simulation import simulate
from oracle.interactive.tightness import tight_channel
from oracle.interactive.tree import InteractiveMechanism
from oracle.laws.ask import Ask
from oracle.laws.compare import at_most, equal, tables_equal, true, worst
from oracle.laws.evidence import Evidence
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, rational_levels
from oracle.laws.trees import attacked_mechanisms, interactive_mechanisms, mechanism_pairs, numbered
from oracle.laws.vadhan2023._facts import (
    ONE,
    ZERO,
    kernel,
    largest_ratio,
    optimal_by_subsets,
    parallel_rows,
    pure_response,
    response,
)
from oracle.theorems.composition_bounds import basic_composition, optimal_delta, vadhan_wang_bound

__all__ = ["CLAIMS"]


def _pure_level(mechanism: InteractiveMechanism) -> mpq:
    """The least e^epsilon for which every view of every adversary is (epsilon, 0)-DP; all ratios are finite."""
    ratios = [ONE]
    for strategy in strategies(mechanism):
        rows = view_channel(mechanism, strategy).rows
        for found in (largest_ratio(rows), largest_ratio(rows[::-1])):
            assert not isinstance(found, Infinity)  # noqa: S101 - the mechanisms given have no probability 0
            ratios.append(found)
    return max(ratios)


def _simulated_law(ask: Ask, m: InteractiveMechanism, numbers: tuple[int, ...], _: tuple[mpq, ...]) -> mpq:
    """One bit of RR_epsilon and an interactive post-processing reproduce the views of adversaries.

    The bit is mapped by a kernel, which linear programming finds, to an outcome of the tight pair N, from which the
    mechanism is simulated.
    """
    level = _pure_level(m)
    simulation = simulate(m)
    rows = simulation.channel.rows
    first = kernel(pure_response(level), rows)
    if first is None:
        return ONE
    excess = [
        true(ask.refines(pure_response(level), rows)),
        tables_equal(ask.post(pure_response(level), first), rows),
        true(ask.exp_epsilon(rows, ZERO) == level),
    ]
    for strategy in numbered(m, numbers):
        for view, p, q in simulation.views(strategy):
            excess += [equal(p, view.p), equal(q, view.q)]
    return worst(excess)


def _no_smaller_law(ask: Ask, m: InteractiveMechanism) -> mpq:
    """With a smaller epsilon the bit does not suffice: some view is no post-processing of it."""
    level = _pure_level(m)
    if level == 1:
        return true(ask.refines(pure_response(ONE), tight_channel(m).rows))
    less = pure_response((1 + level) / 2)
    failing = [not ask.refines(less, view_channel(m, strategy).rows) for strategy in strategies(m)]
    return true(any(failing) and not ask.refines(less, tight_channel(m).rows))


def _pure_composition_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism, level: mpq) -> mpq:
    """The concurrent composition obeys the optimal bound, which is what non-interactive pure mechanisms attain."""
    levels = _pure_level(first), _pure_level(second)
    both = tight_channel(concurrent_composition([first, second]))
    bound = optimal_delta([(a, ZERO) for a in levels], level)
    worst_case = ask.parallel([pure_response(a) for a in levels])
    return max(at_most(ask.delta(both.rows, level), bound), equal(ask.delta(worst_case, level), bound))


def _bounds_law(ask: Ask, a: mpq, delta: mpq, times: int) -> mpq:
    """Optimal <= basic <= Vadhan and Wang at k epsilon; strictly, the last, for k >= 2, epsilon > 0 and delta > 0."""
    wang = vadhan_wang_bound(a, delta, times)
    basic = basic_composition([(a, delta)] * times)
    composed = ask.parallel([response(a, delta)] * times)
    attained = ask.delta(composed, wang.exp_epsilon)
    unbounded = sum((a**i for i in range(times)), ZERO) * delta
    strict = times > 1 and a > 1 and delta > 0
    return worst(
        [
            at_most(attained, basic.delta),
            at_most(basic.delta, wang.delta),
            equal(wang.delta, min(ONE, unbounded)),
            true((unbounded > times * delta) == strict),
        ]
    )


def _interactive_bound_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism, a: mpq) -> mpq:
    """The concurrent composition of two mechanisms obeys the bound, for the larger of their deltas at a."""
    deltas = [ask.delta(tight_channel(m).rows, a) for m in (first, second)]
    delta = max(-at_most(ZERO, d) for d in deltas)
    bound = vadhan_wang_bound(a, delta, 2)
    both = tight_channel(concurrent_composition([first, second]))
    return at_most(ask.delta(both.rows, bound.exp_epsilon), bound.delta)


def _printed_factor(a: mpq, times: int) -> mpq:
    return (a**times - 1) / (a - 1)


def _divides_by_zero() -> bool:
    try:
        _printed_factor(ONE, 2)
    except ZeroDivisionError:
        return True
    return False


def _zero_certificate() -> Certificate:
    """The divisor e^0 - 1, and what two (0, 1/10)-DP mechanisms come to, which 2·1/10 bounds."""
    evidence = Evidence()
    evidence.compare(evidence.combination((1, 1), (-1, 1)), "=", 0)
    pair = Channel(parallel_rows([response(ONE, mpq(1, 10))] * 2))
    evidence.compare(evidence.hockey_stick(pair, ONE, "forward"), "<=", evidence.combination((2, "1/10")))
    return evidence.certificate()


_AT_ZERO: Final = Erratum(
    printed="For (ε, δ)-DP mechanisms the concurrent composition is (kε, δ (e^{kε} - 1)/(e^ε - 1))-DP.",
    counterexample="At ε = 0 the factor is (e^0 - 1)/(e^0 - 1) = (1 - 1)/(1 - 1) = 0/0. Two mechanisms that reveal "
    "their input with probability 1/10, and nothing else, are (0, 1/10)-DP; together they reveal it with probability "
    "1 - (9/10)² = 19/100, which is below 2·1/10.",
    correction="Read the factor as Σ_{i<k} e^{iε}, which is k at ε = 0.",
    scope="remark",
    fails=_divides_by_zero,
    certificate=_zero_certificate,
    summary="the factor is 0/0 at ε = 0",
    printed_formula="(kε, (e^{kε} - 1)/(e^ε - 1) δ)",
    true_formula="(kε, (Σ_{i<k} e^{iε}) δ)",
)


def _two_options() -> InteractiveMechanism:
    """A: 0 with probability 3/4 | 1/4. B: 0 with probability 1/2 | 1/4."""
    return InteractiveMechanism(choice_of_two(binary_answer(mpq(3, 4), mpq(1, 4)), binary_answer(mpq(1, 2), mpq(1, 4))))


def _kernel_of_two_options() -> bool:
    """N is RR_{log 3}, and option B is drawn from its bit: 0 becomes 0 with probability 5/8, 1 with 1/8."""
    rows: Rows = pure_response(mpq(3))[::-1]
    drawn = kernel(pure_response(mpq(3)), ((mpq(1, 2), mpq(1, 2)), (mpq(1, 4), mpq(3, 4))))
    expected = ((mpq(5, 8), mpq(3, 8)), (mpq(1, 8), mpq(7, 8)))
    return tight_channel(_two_options()).rows in (rows, rows[::-1]) and drawn == expected


def _vector(times: int, a: mpq, delta: mpq) -> tuple[mpq, mpq, mpq]:
    """The bounds of Vadhan and Wang, basic and optimal, at k epsilon."""
    parts = [(a, delta)] * times
    wang = vadhan_wang_bound(a, delta, times)
    assert wang.delta == _printed_factor(a, times) * delta  # noqa: S101 - the printed factor
    return wang.delta, basic_composition(parts).delta, optimal_by_subsets(parts, a**times)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Thm1.1/1.2 (VW21)",
        title="pure mechanisms are simulated by one noisy bit",
        statement="Every interactive (ε, 0)-DP mechanism is, on a pair of neighbouring datasets, an interactive "
        "post-processing of one bit of randomised response RR_ε: the view of every adversary has the same law. So a "
        "composition theorem for non-interactive pure mechanisms holds for the concurrent composition of interactive "
        "ones, the optimal one among them.",
        formula="view(B, M(x)) = view(B, P(RR_ε(0))) and view(B, M(x')) = view(B, P(RR_ε(1))) in law, for every B",
        source="section 1, Theorems 1.1 and 1.2",
        status="holds",
        hypotheses="tested for mechanisms that come to an end",
        laws=(
            Law(
                "a kernel from the bit to the tight pair, and the views from there",
                attacked_mechanisms(2, positive=True),
                _simulated_law,
            ),
            Law("no smaller ε will do", interactive_mechanisms(positive=True), _no_smaller_law),
            Law(
                "concurrent composition obeys the optimal bound",
                st.tuples(mechanism_pairs(2, 6, positive=True), rational_levels(1)).map(lambda e: (*e[0], e[1])),
                _pure_composition_law,
            ),
        ),
        facts=(
            fact(
                "A: 3/4 | 1/4, B: 1/2 | 1/4 at ε = log 3: the bit 0 gives B's answer 0 with 5/8, the bit 1 with 1/8",
                _kernel_of_two_options,
            ),
            fact(
                "vadhan2023-07a: two mechanisms with e^ε = 2 need δ = 1/3 at ε = 0",
                lambda: optimal_by_subsets([(mpq(2), ZERO)] * 2, ONE) == mpq(1, 3),
            ),
        ),
    ),
    ClaimRecord(
        id="VW21",
        title="the earlier bound for δ > 0",
        statement="k concurrent interactive (ε, δ)-DP mechanisms are (kε, δ Σ_{i<k} e^{iε})-DP. The bound is never "
        "below that of basic composition, (kε, kδ), and above it for k >= 2, ε > 0 and δ > 0.",
        formula="ConComp(M_1, ..., M_k) is (kε, (e^{kε} - 1)/(e^ε - 1) δ)-DP",
        source="section 1, Concurrent Composition, after Theorem 1.2",
        status="holds",
        hypotheses="at ε = 0 the factor is k",
        laws=(
            Law(
                "never below the basic bound, nor that below what is attained",
                st.tuples(rational_levels(1), alphas(), st.integers(1, 3)),
                _bounds_law,
            ),
            Law(
                "concurrent composition obeys it",
                st.tuples(mechanism_pairs(), rational_levels(1)).map(lambda e: (*e[0], e[1])),
                _interactive_bound_law,
            ),
        ),
        facts=(
            fact(
                "vadhan2023-082: k = 2, e^ε = 2, δ = 1/100: 3/100, basic 1/50, optimal 199/10000",
                lambda: _vector(2, mpq(2), mpq(1, 100)) == (mpq(3, 100), mpq(1, 50), mpq(199, 10000)),
            ),
            fact(
                "vadhan2023-083: k = 3, e^ε = 3/2, δ = 1/100: 19/400, basic 3/100, optimal 29701/1000000",
                lambda: _vector(3, mpq(3, 2), mpq(1, 100)) == (mpq(19, 400), mpq(3, 100), mpq(29701, 10**6)),
            ),
            fact(
                "at ε = 0 two mechanisms of δ = 1/10 attain 19/100, below 2·1/10",
                lambda: hockey_stick(Channel(parallel_rows([response(ONE, mpq(1, 10))] * 2)), ONE) == mpq(19, 100),
            ),
        ),
        errata=(_AT_ZERO,),
    ),
)
