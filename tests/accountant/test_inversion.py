"""Any line encloses: good and bad choices of abscissa, step, length and alias abscissae against known values."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.accountant.atomic_parts import FiniteChannel
from oracle.accountant.closed_form_parts import Gaussian, Laplace
from oracle.accountant.contour import delta
from oracle.accountant.inversion import Inversion
from oracle.accountant.parts import compose
from oracle.accountant.planning import Plan
from oracle.accountant.subsampled_gaussian import SubsampledGaussian
from oracle.channels.channel import Channel
from oracle.enclosures import precision, rational_ball
from oracle.errors import LimitError

CHANNEL = Channel([["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]])
COMPOSITIONS = {
    "gaussian": compose([(Gaussian(mpq(1)), 3)]),
    "channel and gaussian": compose([(FiniteChannel.of(CHANNEL), 2), (Gaussian(mpq(1, 2)), 1)]),
    "laplace and gaussian": compose([(Laplace(mpq(1)), 2), (Gaussian(mpq(1, 2)), 1)]),
    "remove": compose([(SubsampledGaussian(mpq(1), mpq(1, 10)), 40)]),
    "add": compose([(SubsampledGaussian(mpq(1), mpq(1, 10), adds=True), 40)]),
}
TRUTHS: dict[tuple[str, mpq], object] = {}
abscissae = st.one_of(st.integers(1, 40), st.integers(-60, -9)).map(lambda n: mpq(n, 8))
EPSILONS = [mpq(-1, 2), mpq(1, 3), mpq(2)]


def truth(name: str, eps: mpq):
    """A 25-digit value with P(L = inf) taken off, once for each pair."""
    if (name, eps) not in TRUTHS:
        value = delta(COMPOSITIONS[name], lambda _: rational_ball(eps), 25).value
        infinite = mpq(19, 100) if name.startswith("channel") else mpq(0)
        TRUTHS[name, eps] = (value.lo - infinite, value.hi - infinite)
    return TRUTHS[name, eps]


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(sorted(COMPOSITIONS)),
    st.sampled_from(EPSILONS),
    abscissae,
    st.integers(2, 60),
    st.integers(1, 60),
    st.integers(1, 40),
    st.integers(0, 40),
    st.sampled_from([12, 40]),
)
def test_every_line_encloses_delta(name, eps, c, period, count, right, left, bits):  # noqa: PLR0917 - one plan
    """Random plans, most of them poor: the interval always holds the value."""
    above, below = max(c, mpq(0)) + mpq(right, 8), max(-c, mpq(1)) + mpq(left, 8) + (mpq(1, 8) if c < 0 else 0)
    proposal = Plan(c, mpq(6, period), count, above, below, bits + 60, bits)
    line = Inversion(COMPOSITIONS[name], proposal).at([lambda _: rational_ball(eps)])[0]
    low, high = truth(name, eps)
    with precision(140):
        assert not line.value > rational_ball(high)
        assert not line.value < rational_ball(low)
        assert all(bound >= 0 for bound in line.errors.values())


def test_one_line_serves_many_eps():
    """The values of one line at three eps are those of three answers."""
    name = "remove"
    proposal = Plan(mpq(1), mpq(1, 8), 300, mpq(3), mpq(8), 160, 100)
    lines = Inversion(COMPOSITIONS[name], proposal).at([lambda _, e=e: rational_ball(e) for e in EPSILONS])
    with precision(160):
        for eps, line in zip(EPSILONS, lines, strict=True):
            low, high = truth(name, eps)
            assert not line.value > rational_ball(high)
            assert not line.value < rational_ball(low)
            assert line.value.rad() < rational_ball(mpq(1, 10**8))


@pytest.mark.parametrize("name", sorted(COMPOSITIONS))
def test_the_error_terms_are_in_the_ball(name):
    """The radius is at least half the sum of the named errors."""
    proposal = Plan(mpq(1), mpq(1), 4, mpq(3), mpq(2), 100, 40)
    line = Inversion(COMPOSITIONS[name], proposal).at([lambda _: rational_ball(mpq(1, 3))])[0]
    with precision(100):
        assert 2 * line.value.rad() * 2 >= sum(line.errors.values(), rational_ball(mpq(0)))


@pytest.mark.parametrize(
    ("c", "step", "count", "right", "left"),
    [
        (-1, 1, 4, 3, 2),
        (0, 1, 4, 3, 2),
        (1, 0, 4, 3, 2),
        (1, 1, 0, 3, 2),
        (2, 1, 4, 2, 2),
        (-3, 1, 4, 1, 3),
        (1, 1, 4, 3, 0),
    ],
)
def test_a_plan_outside_the_proofs_is_refused(c, step, count, right, left):
    """An abscissa in [-1, 0], no step, no node, c' <= c, s <= -c, s < 1."""
    proposal = Plan(mpq(c), mpq(step), count, mpq(right), mpq(left), 100, 40)
    with pytest.raises(LimitError):
        Inversion(COMPOSITIONS["gaussian"], proposal)
