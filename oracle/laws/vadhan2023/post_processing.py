"""Blackwell's theorem as section 3 uses it, and randomised response as the worst (epsilon, delta)-DP pair (KOV15)."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.channels.channel import Channel, Rows
from oracle.channels.divergences import hockey_stick
from oracle.channels.refinement import refines
from oracle.laws.ask import Ask
from oracle.laws.compare import curve_at_most, tables_equal, true, worst
from oracle.laws.fernandes2025._facts import channel, exact
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import channel_pairs, channels_with_witnesses, deltas, rational_levels, two_row_channels
from oracle.laws.vadhan2023._facts import ZERO, kernel, response

__all__ = ["CLAIMS"]

_STRONG: Final = channel("3/4 1/4", "1/4 3/4")
_WEAK: Final = channel("2/3 1/3", "1/3 2/3")
_CROSSING: Final = channel("1 0", "3/4 1/4")
"""Less telling than the response with 3/4 but for one thing: the second outcome proves the second law."""


def _kernel_law(ask: Ask, left: Channel, right: Channel) -> mpq:
    """The subject's refinement, the order of its curves, and a kernel by linear programming: all three or none."""
    by_kernel = kernel(left.rows, right.rows) is not None
    below = curve_at_most(ask.tradeoff(left.rows), ask.tradeoff(right.rows)) <= 0
    return true(ask.refines(left.rows, right.rows) == below == by_kernel)


def _processed_law(ask: Ask, m: Channel, w: Rows) -> mpq:
    """Whatever the kernel, T of the post-processing is at least T, and linear programming finds a kernel."""
    after = ask.post(m.rows, w)
    excess = max(curve_at_most(ask.tradeoff(m.rows), ask.tradeoff(after)), true(ask.refines(m.rows, after)))
    found = kernel(m.rows, after)
    return 1 + excess if found is None else max(excess, tables_equal(ask.post(m.rows, found), after))


def _response_law(ask: Ask, m: Channel, a: mpq) -> mpq:
    """At the subject's least delta the pair is a post-processing of RR_{epsilon, delta}: a kernel, multiplied out."""
    worst_case = response(a, exact(ask.delta(m.rows, a)))
    if worst(-v for row in worst_case for v in row) > 0:
        return worst(-v for row in worst_case for v in row)
    found = kernel(worst_case, m.rows)
    if found is None:
        return mpq(1)
    return max(tables_equal(ask.post(worst_case, found), m.rows), true(ask.refines(worst_case, m.rows)))


def _exactly_law(ask: Ask, m: Channel, a: mpq, delta: mpq) -> mpq:
    """A post-processing of RR_{epsilon, delta} exactly where it is (epsilon, delta)-DP; 9/10 of delta is too little."""
    least = max(hockey_stick(m, a), hockey_stick(m.swapped(), a))
    tried = (delta, least, least * mpq(9, 10))
    return worst(true(ask.refines(response(a, d), m.rows) == (least <= d)) for d in tried)


def _is_kernel(left: Channel, right: Channel, expected: Rows) -> bool:
    return kernel(left.rows, right.rows) == expected and refines(left, right)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Blackwell",
        title="Blackwell's theorem",
        statement="One pair of laws has a trade-off function below that of another exactly when the other is a "
        "post-processing of it: one kernel turns P into X and P' into X'.",
        formula="T(P, P') <= T(X, X') iff (P, P')·W = (X, X') for some row-stochastic W",
        source="section 3, after Lemma 3.1 (Blackwell's theorem, Theorem 2.10 of [DRS19])",
        status="holds",
        laws=(
            Law("refinement, curves and kernels agree", channel_pairs(3), _kernel_law),
            Law("a kernel raises the curve, and is found again", channels_with_witnesses(3), _processed_law),
        ),
        facts=(
            fact(
                "the response with 3/4 becomes that with 2/3: each answer stays with probability 5/6",
                lambda: _is_kernel(_STRONG, _WEAK, ((mpq(5, 6), mpq(1, 6)), (mpq(1, 6), mpq(5, 6)))),
            ),
            fact("not the other way", lambda: kernel(_WEAK.rows, _STRONG.rows) is None),
            fact(
                "[1 0; 3/4 1/4] is not to be had from the response with 3/4: T is 3/4 at 0, against 1",
                lambda: kernel(_STRONG.rows, _CROSSING.rows) is None and not refines(_STRONG, _CROSSING),
            ),
        ),
    ),
    ClaimRecord(
        id="KOV RR",
        title="randomised response is the worst case",
        statement="Every (ε, δ)-DP pair of laws is a post-processing of randomised response RR_{ε,δ}, and only these "
        "are. So a pair that needs δ is none of RR_{ε,δ'} for a smaller δ'.",
        formula="(X, X') is (ε, δ)-DP iff (RR_{ε,δ}(0), RR_{ε,δ}(1))·W = (X, X') for some row-stochastic W",
        source="section 1, after Theorem 1.5 (KOV15)",
        status="holds",
        laws=(
            Law(
                "a kernel at the least δ",
                st.tuples(two_row_channels(3), rational_levels(1)),
                _response_law,
            ),
            Law(
                "exactly where the claim holds, and not at 9/10 of the least δ",
                st.tuples(two_row_channels(4), rational_levels(1), deltas()),
                _exactly_law,
            ),
        ),
        facts=(
            fact(
                "the response with 3/4 at e^ε = 2 needs δ = 1/4; with it there is a kernel, with 9/40 there is none",
                lambda: (
                    hockey_stick(_STRONG, mpq(2), "both") == mpq(1, 4)
                    and kernel(response(mpq(2), mpq(1, 4)), _STRONG.rows) is not None
                    and kernel(response(mpq(2), mpq(9, 40)), _STRONG.rows) is None
                ),
            ),
            fact(
                "the response with 3/4 is RR_ε itself at e^ε = 3, δ = 0",
                lambda: kernel(response(mpq(3), ZERO), _STRONG.rows) is not None,
            ),
        ),
    ),
)
