"""The tight mu: its value against a fine grid, its proofs cell by cell, and decisions on both sides of it."""

from __future__ import annotations

import time

import mpmath
import pytest
from flint import arb
from gmpy2 import mpq

from oracle.enclosures import Enclosure, enclose, precision, rational_ball, rational_bounds
from oracle.errors import InputError
from oracle.exact import INFINITY, Infinity
from oracle.gaussian_dp.cells import rising_cell, step_cells, touching_cell
from oracle.gaussian_dp.examples import EXAMPLES, OscillatingProfile
from oracle.gaussian_dp.formula_text import parse_formula
from oracle.gaussian_dp.noise_formulas import ConstantProfile, LaplaceProfile, SquaredExponential
from oracle.gaussian_dp.profile import mu_gdp
from oracle.gaussian_dp.tight_mu import decide_mu, tight_mu
from oracle.gaussian_dp.transform import delta_mu_at, delta_mu_derivatives, transform, transform_at
from oracle.gaussian_dp.upper_bound import head_end, prove_mu
from oracle.levels import Level
from oracle.special import phi_inverse
from tests.experiments.reference import real
from tests.gaussian_dp import reference

FINITE = {
    "laplace": LaplaceProfile(mpq(2)),
    "sgd": EXAMPLES["sgd"],
    "oscillating": OscillatingProfile(),
    "slow": SquaredExponential(mpq(1, 100)).refined(),
    "steep": SquaredExponential(mpq(5), mpq(100)).refined(),
    "interior": parse_formula("0.3*exp(-eps^3)"),
    "product": parse_formula("3*exp(-eps^2/5 + eps)/eps^2"),
    "smooth": parse_formula("1/1000*exp(-(eps + 1/2)^2)"),
    "limit": parse_formula("2/5*exp(-eps^2/8)"),
}
WHERE = {"slow": "limit", "interior": "interior", "limit": "limit", "smooth": "limit"}
GRID = [mpq(k, 7) for k in range(1, 60)]


def bounds(value):
    """Lower and upper end."""
    return (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)


@pytest.mark.parametrize("name", FINITE)
def test_no_value_of_the_transform_exceeds_it(name):
    """On a grid; and it is reached, at 0, inside, or as a limit."""
    profile, found = FINITE[name], tight_mu(FINITE[name], 12)
    low, high = bounds(found.value)
    assert found.where == WHERE.get(name, "zero")
    with precision(120):
        values = [transform_at(profile, rational_ball(x)) for x in GRID]
        assert all(value < rational_ball(high) for value in values)
        if found.where == "zero":
            assert transform_at(profile, arb(0)).overlaps(rational_ball(low).union(rational_ball(high)))
        elif found.where == "limit":
            assert high**2 >= profile.tail.limits[1] >= low**2
        else:
            assert transform_at(profile, rational_ball(found.at.lo)) >= rational_ball(low)
    assert found.value == low or found.value.reached is None


@pytest.mark.parametrize("name", FINITE)
def test_every_cell_of_the_proof_is_true(name):
    """The cells cover the interval between head and tail, and delta <= delta_mu at points of each and beyond."""
    profile, proof = FINITE[name], tight_mu(FINITE[name], 12).proof
    assert proof.covers()
    assert [mpq(cell["end"]) for cell in proof.to_json()["cells"]] == [cell.end for cell in proof.cells]
    points = [cell.start + (cell.end - cell.start) * mpq(k, 3) for cell in proof.cells for k in range(4)]
    if proof.tail is not None:
        points += [proof.tail.start * k for k in (1, 2, 5)]
    with precision(400):
        mu = rational_ball(proof.mu_squared).sqrt()
        rising = [cell for cell in proof.cells if cell.argument == "rising"]
        for x in points:
            if not any(cell.start <= x <= cell.end for cell in rising):
                assert not profile.at(rational_ball(x)) > delta_mu_at(mu, rational_ball(x))


@pytest.mark.parametrize("name", FINITE)
def test_decisions_on_both_sides(name):
    """Held a little above, refuted a little below, at a point where that is so."""
    profile = FINITE[name]
    low, high = bounds(tight_mu(profile, 12).value)
    above, below = decide_mu(profile, high + mpq(1, 1000)), decide_mu(profile, low - mpq(1, 1000))
    assert above.holds is True
    assert above.proof.covers()
    assert below.holds is False
    with precision(20000):
        x = rational_ball(below.epsilon)
        assert profile.at(x) > delta_mu_at(rational_ball(low - mpq(1, 1000)), x)


@pytest.mark.parametrize("theta", [mpq(1, 2), mpq(1), mpq(2), mpq(9)])
def test_laplace_in_closed_form(theta):
    """-2 Phi^(-1)(e^(-theta/2)/2), by the quantile function and by mpmath."""
    found = tight_mu(LaplaceProfile(theta), 30).value

    def ball(bits):
        with precision(bits + 20):
            return -2 * phi_inverse((-rational_ball(theta) / 2).exp() / 2)

    assert found.overlaps(enclose(ball, 30))
    with mpmath.workdps(40):
        value = 2 * mpmath.sqrt(2) * mpmath.erfinv(1 - mpmath.exp(-real(theta) / 2))
        assert real(found.lo) - mpmath.mpf(10) ** -35 <= value <= real(found.hi) + mpmath.mpf(10) ** -35


def test_pure_dp_is_the_head_alone():
    """A profile that ends at 0 as its head does: -2 Phi^(-1)(1/(1 + a)) is mu_GDP(0, (a - 1)/(a + 1))."""
    found = mu_gdp(Level.rational(1), mpq(1, 2), 20)
    assert found.contains(mpq("1.34897950039216348")) or found.lo > mpq("1.34897950039216348")
    assert found.hi < mpq("1.34897950039216349")


def test_there_may_be_no_mu():
    """ICEA, a constant, e^(-eps), and formulas left unrefined with delta(0) = 1."""
    for profile in (
        EXAMPLES["icea"],
        ConstantProfile(mpq(1, 3)),
        parse_formula("exp(-eps)"),
        SquaredExponential(mpq(1)),
    ):
        found = tight_mu(profile)
        assert (found.value, found.where, found.proof) == (INFINITY, "nowhere", None)
        assert found.reason
        for mu in (mpq(1, 10), mpq(1), mpq(30)):
            decision = decide_mu(profile, mu)
            assert decision.holds is False


def test_nothing_leaks():
    """The constant 0."""
    assert tight_mu(ConstantProfile(mpq(0))).value == 0
    assert decide_mu(ConstantProfile(mpq(0)), mpq(0)).holds is True
    assert decide_mu(EXAMPLES["sgd"], mpq(0)).holds is False


def test_the_border_is_undecided():
    """A mu within a thousand digits of the tight one, from below and from above the comparison's limit."""
    exact = tight_mu(EXAMPLES["laplace"], 1000).value
    assert decide_mu(EXAMPLES["laplace"], exact.lo).holds is False
    assert decide_mu(EXAMPLES["laplace"], exact.hi).holds is None


@pytest.mark.parametrize("name", EXAMPLES)
def test_ten_digits_take_less_than_a_second(name):
    """Each of the paper's examples, ten times over."""
    start = time.process_time()
    for _ in range(10):
        value = tight_mu(EXAMPLES[name], 10).value
    assert time.process_time() - start < 1
    assert isinstance(value, (Enclosure, Infinity))


def test_more_digits():
    """A hundred, of a supremum inside and one at 0."""
    for name in ("interior", "sgd"):
        value, less = tight_mu(FINITE[name], 100).value, tight_mu(FINITE[name], 10).value
        assert value.width * mpq(10) ** 100 <= value.hi
        assert value.overlaps(less)


def test_the_transform_of_a_gaussian_profile_is_constant():
    """mu_GDP(eps, delta_mu(eps)) = mu: order and inverse agree."""
    for x in (mpq(0), mpq(1, 3), mpq(2), mpq(7)):
        with precision(200):
            below, above = rational_bounds(delta_mu_at(rational_ball(mpq(3, 2)), rational_ball(x)))
        low, high = (mu_gdp(Level.of_exponent(x), delta, 20) for delta in (below, above))
        assert low.lo <= mpq(3, 2) <= high.hi
        assert high.hi - low.lo < mpq(1, 10**15)


def test_the_transform_at_its_ends():
    """0 where delta is 0, infinite where it is 1; bad levels are refused."""
    assert transform(EXAMPLES["laplace"], Level.of_exponent(2)) == 0
    assert transform(ConstantProfile(mpq(1)), Level.rational(1)) == INFINITY
    for level in (Level.infinite(), Level.rational(mpq(1, 2))):
        with pytest.raises(InputError, match="finite epsilon"):
            transform(EXAMPLES["sgd"], level)


@pytest.mark.parametrize("mu", [mpq(1, 2), mpq(1), mpq(3)])
@pytest.mark.parametrize("x", [mpq(1, 10), mpq(1), mpq(6)])
def test_derivatives_of_the_gaussian_profile(mu, x):
    """Those of mpmath lie in the enclosures over a small ball."""
    with precision(150):
        ball = rational_ball(x - mpq(1, 10**8)).union(rational_ball(x + mpq(1, 10**8)))
        found = delta_mu_derivatives(rational_ball(mu), ball)
    with mpmath.workdps(60):
        for order, enclosure in enumerate(found, 1):
            value = mpmath.diff(lambda t: reference.delta_mu(real(mu), t), real(x), order)
            low, high = rational_bounds(enclosure)
            assert real(low) <= value <= real(high)


def test_cells_are_refused_where_delta_is_too_large():
    """Steps, a rising cell and a touching cell below the transform's maximum."""
    profile = FINITE["interior"]
    place = tight_mu(profile, 12).at.lo

    def low():
        return rational_ball(mpq(1))

    assert step_cells(profile, low, mpq(0), mpq(3)) is None
    assert touching_cell(profile, low, mpq(int(place * 10**6), 10**6), mpq(0), 200) is None
    assert touching_cell(profile, low, mpq(0), mpq(0), 200) is None
    assert rising_cell(EXAMPLES["sgd"], low, mpq(0), equal=False) is None
    assert prove_mu(EXAMPLES["sgd"], mpq(9, 4)) is None
    assert prove_mu(EXAMPLES["laplace"], mpq(1)) is None
    assert head_end(EXAMPLES["laplace"]) == 0


def test_mu_below_0_is_refused():
    """With the number."""
    with pytest.raises(InputError, match="mu at least 0"):
        decide_mu(EXAMPLES["sgd"], mpq(-1))
