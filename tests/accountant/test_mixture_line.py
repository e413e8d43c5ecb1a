"""Moments of the likelihood ratio by the trapezoid rule: against binomial sums, quadrature and coarser lines."""

from __future__ import annotations

import pytest
from flint import acb, arb
from gmpy2 import mpq

from oracle.accountant.mixture_line import Line, Mixture
from oracle.accountant.mixture_planning import log_moment_hint, plan_line
from oracle.enclosures import precision, rational_ball
from oracle.errors import LimitError

MIXTURES = [Mixture(mpq(25, 16), mpq(1, 200)), Mixture(mpq(1, 16), mpq(1, 3)), Mixture(mpq(100, 9), mpq(1, 1000))]


def by_binomials(mixture: Mixture, n: int) -> arb:
    """M(n) = Σ_j C(n, j) (1-q)^(n-j) q^j e^(theta² j(j-1)/2)."""
    q, half = rational_ball(mixture.rate), rational_ball(mixture.theta_squared) / 2
    return sum((arb(n).bin(j) * (1 - q) ** (n - j) * q**j * (half * j * (j - 1)).exp() for j in range(n + 1)), arb(0))


def total(line: Line, mixture: Mixture, alpha: arb, t: arb) -> acb:
    """The sum on the line at one t."""
    return sum((node.weight * (acb(0, t) * node.log_ratio).exp() for node in line.nodes(mixture, alpha)), acb(0))


@pytest.mark.parametrize("mixture", MIXTURES, ids=str)
@pytest.mark.parametrize("shifted", [False, True])
@pytest.mark.parametrize("bits", [4, 20, 100])
def test_whole_moments_are_binomial_sums(mixture, shifted, bits):
    """|sum - M| is within the bound for coarse and for fine lines, and the bound is about what was asked for."""
    with precision(160):
        for n in (1, 2, 5):
            alpha, truth = arb(n), by_binomials(mixture, n)
            line = plan_line(mixture, n, bits, shifted=shifted)
            found = total(line, mixture, alpha, arb(0))
            errors = line.errors(mixture, alpha, found.real)
            assert abs(found.real - truth) <= errors.error
            assert truth <= errors.moment
            assert errors.error <= truth * arb(2) ** (1 - bits)


@pytest.mark.parametrize("mixture", MIXTURES, ids=str)
@pytest.mark.parametrize("alpha", ["2.5", "-3.5"])
@pytest.mark.parametrize("t", ["0.5", "40"])
def test_complex_moments_agree_with_quadrature(mixture, alpha, t):
    """Against certified quadrature on the real line, at a coarse and a fine line, and with the absolute bound."""
    with precision(140):
        theta, q = rational_ball(mixture.theta_squared).sqrt(), rational_ball(mixture.rate)
        power = acb(arb(alpha), arb(t))

        def integrand(x: acb, analytic: bool) -> acb:
            ratio = (theta * x - theta * theta / 2).exp() * q + 1 - q
            return (power * ratio.log(analytic=analytic) - x * x / 2).exp() / (2 * arb.pi()).sqrt()

        reference = acb.integral(integrand, -14, 24, rel_tol=arb(2) ** -80, abs_tol=arb(2) ** -80)
        assert reference.rad() < arb(10) ** -19
        for bits in (8, 80):
            line = plan_line(mixture, float(alpha), bits, shifted=True)
            a = arb(alpha)
            found = total(line, mixture, a, arb(t))
            errors = line.errors(mixture, a, total(line, mixture, a, arb(0)).real)
            assert abs(found - reference) <= errors.error + arb(10) ** -18
            absolute = sum((abs(n.weight) * (-arb(t) * n.log_ratio.imag).exp() for n in line.nodes(mixture, a)), arb(0))
            assert abs(reference) <= absolute + errors.absolute


@pytest.mark.parametrize(("theta_squared", "alpha"), [("1e-12", -632448), ("1/100", -300), ("1/4", -949), ("4", -7)])
@pytest.mark.parametrize("shifted", [False, True])
def test_large_negative_powers_take_few_nodes(theta_squared, alpha, shifted):
    """Rates of 1/50 and 1/2: two lines of different accuracy agree, and the bounds are about what was asked for."""
    for rate in (mpq(1, 50), mpq(1, 2)):
        mixture = Mixture(mpq(theta_squared), rate)
        with precision(400):
            a = arb(alpha)
            coarse, fine = (plan_line(mixture, float(alpha), bits, shifted=shifted) for bits in (30, 100))
            sums = [total(line, mixture, a, arb(0)).real for line in (coarse, fine)]
            errors = [line.errors(mixture, a, found) for line, found in zip((coarse, fine), sums, strict=True)]
            assert abs(sums[0] - sums[1]) <= errors[0].error + errors[1].error
            assert errors[0].error <= errors[0].moment * arb(2) ** -26
            assert errors[1].error <= errors[1].moment * arb(2) ** -96
            assert fine.count < 3000


def test_a_narrow_window_is_charged_for():
    """A window of few nodes has a larger bound, and a truth within it."""
    mixture = MIXTURES[0]
    with precision(100):
        line = plan_line(mixture, 2.0, 60, shifted=True)
        short = Line(line.first + 20 * line.step, line.step, line.count - 30, line.height, shifted=True)
        alpha, truth = arb(2), by_binomials(mixture, 2)
        found = total(short, mixture, alpha, arb(0)).real
        errors = short.errors(mixture, alpha, found)
        assert abs(found - truth) <= errors.error
        assert errors.error > line.errors(mixture, alpha, found).error
        empty = Line(mpq(0), line.step, 3, line.height, shifted=True)
        assert not empty.outside(mixture, alpha).is_finite()


def test_a_line_beyond_the_zeros_or_too_coarse_is_refused():
    """theta·A >= pi, and a step that proves nothing."""
    mixture = MIXTURES[0]
    with pytest.raises(LimitError, match="nearest zero"):
        Line(mpq(-9), mpq(1, 8), 200, mpq(3), shifted=True).errors(mixture, arb(2), arb(1))
    with pytest.raises(LimitError, match="proves something"):
        Line(mpq(-90), mpq(9), 30, mpq(2), shifted=True).errors(mixture, arb(2), arb(1))


@pytest.mark.parametrize("mixture", MIXTURES, ids=str)
def test_the_hint_is_close_to_the_moment(mixture):
    """About log M(n), to a thousandth."""
    with precision(80):
        for n in (1, 3, 8):
            assert abs(arb(log_moment_hint(mixture, float(n))) - by_binomials(mixture, n).log()) < arb("0.001")
