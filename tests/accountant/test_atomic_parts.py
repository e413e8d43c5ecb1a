"""Finite channels and the discrete Gaussian as parts, against sums of their definition."""

from __future__ import annotations

import pytest
from flint import acb, arb
from gmpy2 import mpq

from oracle.accountant.atomic_parts import DiscreteGaussian, FiniteChannel, FormalAtoms
from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel
from oracle.enclosures import precision, rational_ball
from oracle.errors import InputError, LimitError
from oracle.formal import FormalSum

CHANNEL = Channel([["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]])


@pytest.mark.parametrize(
    "part", [FiniteChannel.of(CHANNEL), FormalAtoms(FormalChannel.from_channel(CHANNEL))], ids=["rational", "formal"]
)
def test_a_channel_has_the_masses_and_moments_of_its_columns(part):
    """P(L < inf), Q(P > 0), the largest finite loss, K(2) = Σ p³/q², the variation, and K on a line."""
    with precision(80):
        assert part.finite_mass().overlaps(rational_ball(mpq(9, 10)))
        assert part.seen_mass().overlaps(rational_ball(mpq(9, 10)))
        assert part.largest_loss().overlaps(arb(3).log())
        assert part.has_infinite_loss()
        assert part.variation().overlaps(rational_ball(mpq(1, 10) + mpq(18, 40)))
        truth = mpq(27, 40) * 9 + mpq(9, 40) / 9
        assert part.moment(arb(2)).overlaps(rational_ball(truth))
        table = part.table(mpq(2), mpq(1, 2), 3, 60)
        for n, value in enumerate(table):
            z = acb(2, arb(n) / 2)
            atoms = [(mpq(27, 40), arb(3).log()), (mpq(9, 40), -arb(3).log())]
            assert value.overlaps(sum((rational_ball(p) * (z * loss).exp() for p, loss in atoms), acb(0)))
        assert part.swapped().swapped() == part
        assert abs(arb(part.hint(2.0)) - rational_ball(truth).log()) < arb("0.001")


def test_a_channel_without_finite_losses_has_none():
    """Two rows with disjoint supports."""
    part = FiniteChannel.of(Channel([["1", "0"], ["0", "1"]]))
    assert part.finite_mass() == 0
    assert part.largest_loss() == arb.neg_inf()
    assert part.hint(1.0) == float("-inf")


def test_an_irrational_channel_keeps_its_ratio():
    """Weights e and 1: both losses are ±1."""
    e, one = FormalSum.exp(1), FormalSum.rational(1)
    part = FormalAtoms(FormalChannel([[e, one], [one, e]]))
    with precision(80):
        assert part.largest_loss().overlaps(arb(1))
        assert not part.has_infinite_loss()
        assert part.finite_mass().overlaps(arb(1))


@pytest.mark.parametrize("variance", [mpq(1, 10), mpq(4), mpq(50)])
@pytest.mark.parametrize("sensitivity", [1, 3])
@pytest.mark.parametrize("c", [mpq(1, 2), mpq(5, 2), mpq(-7, 4)])
def test_the_discrete_gaussian_is_its_sum(variance, sensitivity, c):
    """K(z) = Σ_x P(x) e^(z l(x)) with a long window, in the closed ball arithmetic of the definition."""
    with precision(120):
        part = DiscreteGaussian(variance, sensitivity)
        twice = rational_ball(2 * variance)
        window = range(-150, 151)
        weights = [(-arb(x * x) / twice).exp() for x in window]
        losses = [arb(sensitivity**2 - 2 * sensitivity * x) / twice for x in window]
        normaliser = sum(weights, arb(0))
        table = part.table(c, mpq(1, 2), 2, 60)
        for n, value in enumerate(table):
            z = acb(rational_ball(c), arb(n) / 2)
            terms = (w * (z * loss).exp() for w, loss in zip(weights, losses, strict=True))
            truth = sum(terms, acb(0)) / normaliser
            assert value.overlaps(truth)
            assert value.rad() < abs(truth) * arb(2) ** -30 + table[0].real * arb(2) ** -50
        assert part.moment(rational_ball(c)).overlaps(table[0].real)
        assert abs(arb(part.hint(float(rational_ball(c)))) - table[0].real.log()) < arb("0.001")


@pytest.mark.parametrize("sensitivity", [1, 2, 5])
def test_the_variation_of_the_discrete_gaussian_is_half_the_distance(sensitivity):
    """Σ |P - Q|/2."""
    with precision(80):
        weights = {x: (-arb(x * x) / 8).exp() for x in range(-60, 61)}
        zero = arb(0)
        gaps = (abs(weights.get(x, zero) - weights.get(x - sensitivity, zero)) for x in range(-60, 66))
        truth = sum(gaps, arb(0)) / (2 * sum(weights.values(), arb(0)))
        assert abs(DiscreteGaussian(mpq(4), sensitivity).variation() - truth) < arb(10) ** -20


def test_parameters_of_the_discrete_gaussian_are_checked():
    """Sigma² = 0, s = 0, and a sum that is too long."""
    with pytest.raises(InputError):
        DiscreteGaussian(mpq(0))
    with pytest.raises(InputError):
        DiscreteGaussian(mpq(1), 0)
    with pytest.raises(LimitError, match="terms"):
        DiscreteGaussian(mpq(10) ** 12).moment(arb(1))
