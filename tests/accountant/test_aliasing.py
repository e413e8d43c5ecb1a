"""The aliases of a step in t, against the sums of the exact delta of a channel with infinite losses."""

from __future__ import annotations

import pytest
from flint import arb
from gmpy2 import mpq

from oracle.accountant.aliasing import LineMasses, chernoff, high_aliases, low_aliases
from oracle.accountant.atomic_parts import FiniteChannel
from oracle.channels.channel import Channel
from oracle.enclosures import precision, rational_ball

# C_{log 3, 1/10}: infinite losses in both directions.
CHANNEL = Channel([["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]])
TERMS = 60


def delta_fin(x: arb) -> arb:
    """Σ max(0, p - e^x q) over the columns with q > 0."""
    terms = ((mpq(27, 40), mpq(9, 40)), (mpq(9, 40), mpq(27, 40)))
    return sum(((rational_ball(p) - x.exp() * rational_ball(q)).nonnegative_part() for p, q in terms), arb(0))


def masses(left: str, right: str) -> LineMasses:
    part = FiniteChannel.of(CHANNEL)
    s, c = arb(left), arb(right)
    return LineMasses(part.finite_mass(), part.seen_mass(), s, part.moment(-s), c, part.moment(c))


@pytest.mark.parametrize("c", ["0.7", "3"])
@pytest.mark.parametrize(("left", "right"), [("1", "4"), ("2.5", "10")])
@pytest.mark.parametrize("period", ["3", "8"])
@pytest.mark.parametrize("eps", ["0.5", "-1", "1"])
def test_the_aliases_of_a_positive_abscissa_lie_within_their_bounds(c, left, right, period, eps):
    """Low: known part and bound; high: bound; each against sixty terms of its series."""
    with precision(200):
        at, step, x = arb(c), arb(period), arb(eps)
        bounds = masses(left, right)
        low = sum(((-m * step * at).exp() * delta_fin(x - m * step) for m in range(1, TERMS)), arb(0))
        high = sum(((m * step * at).exp() * delta_fin(x + m * step) for m in range(1, TERMS)), arb(0))
        known, beyond = low_aliases(at, step, x, bounds)
        slack = (-TERMS * step * at / 2).exp()
        assert not known > low + slack
        assert not low > known + beyond + slack
        assert high < high_aliases(at, step, x, bounds)


def test_the_finite_mass_matters():
    """With p = 1 in place of 9/10 the low aliases are overstated, and a lower bound would be wrong."""
    with precision(200):
        at, step, x = arb("0.7"), arb(3), arb("0.5")
        low = sum(((-m * step * at).exp() * delta_fin(x - m * step) for m in range(1, TERMS)), arb(0))
        bounds = masses("1", "4")
        wrong = LineMasses(arb(1), arb(1), bounds.left, arb(1), bounds.right, bounds.right_moment)
        slack = (-TERMS * step * at / 2).exp()
        assert not low_aliases(at, step, x, bounds)[0] > low + slack
        assert low + slack < low_aliases(at, step, x, wrong)[0]


@pytest.mark.parametrize("eps", ["-3", "0.25", "1"])
@pytest.mark.parametrize("c", ["0.5", "2", "9"])
def test_chernoff_is_above_delta(eps, c):
    """The bound D K(c) e^(-c eps)."""
    with precision(80):
        part = FiniteChannel.of(CHANNEL)
        assert delta_fin(arb(eps)) <= chernoff(arb(c), part.moment(arb(c)), arb(eps))


@pytest.mark.parametrize("eps", ["-0.5", "0.25"])
def test_below_minus_one_the_known_terms_are_the_same(eps):
    """For c < -1 the series of E[max(0, e^(x-L) - 1)], plus p - q e^eps at m = 0, obeys the same formula."""
    with precision(300):
        c, step, x = arb("-2.5"), arb(4), arb(eps)
        bounds = masses("3.5", "6")

        def remainder(y: arb) -> arb:
            terms = ((mpq(27, 40), mpq(9, 40)), (mpq(9, 40), mpq(27, 40)))
            gaps = ((y.exp() * rational_ball(q) - rational_ball(p)).nonnegative_part() for p, q in terms)
            return sum(gaps, arb(0))

        total = sum(((m * step * c).exp() * remainder(x + m * step) for m in range(-TERMS, TERMS)), arb(0))
        known, low = low_aliases(c, step, x, bounds)
        rest = total - known - delta_fin(x)
        slack = (-TERMS * step / 2).exp()
        assert not rest < -slack
        assert not rest > low + high_aliases(c, step, x, bounds) + slack
