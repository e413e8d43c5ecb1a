"""The least eps of a delta against closed forms and against delta at both ends."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.accountant.atomic_parts import FiniteChannel
from oracle.accountant.closed_form_parts import Gaussian, Laplace
from oracle.accountant.contour import delta
from oracle.accountant.least_epsilon import least_epsilon
from oracle.accountant.parts import compose
from oracle.accountant.subsampled_gaussian import SubsampledGaussian
from oracle.channels.channel import Channel
from oracle.enclosures import rational_ball
from oracle.errors import InputError, UndecidedError
from oracle.exact import INFINITY, parse_number
from oracle.experiments.gaussian import Gaussian as GaussianPair

CHANNEL = Channel([["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]])


@pytest.mark.parametrize("bound", ["0.3", "1e-5", "1e-40"])
@pytest.mark.parametrize("digits", [12, 30])
def test_gaussian_compositions_have_the_closed_forms_epsilon(bound, digits):
    """theta² = 4 in sixteen steps."""
    found = least_epsilon(compose([(Gaussian(mpq(1, 4)), 16)]), parse_number(bound), digits)
    closed = GaussianPair(mpq(4)).epsilon_at(parse_number(bound), "forward", digits + 4)
    assert found.overlaps(closed)
    assert found.reached is None
    assert found.width * 10**digits <= found.hi


@pytest.mark.parametrize(
    "composition",
    [
        compose([(SubsampledGaussian.of(mpq(4, 5), mpq(1, 200)), 1000)]),
        compose([(SubsampledGaussian.of(mpq(1), mpq(1, 100), adds=True), 5000)]),
        compose([(FiniteChannel.of(Channel([["3/4", "1/4"], ["1/4", "3/4"]])), 5), (Gaussian(mpq(1, 4)), 1)]),
    ],
)
@pytest.mark.parametrize("bound", ["1e-2", "1e-6"])
def test_delta_at_both_ends_has_the_right_side(composition, bound):
    """delta(lo) > bound >= delta(hi), with 15 digits of delta, and 12 of eps."""
    found = least_epsilon(composition, parse_number(bound))
    assert found.reached is None
    for end, sign in ((found.lo, 1), (found.hi, -1)):
        value = delta(composition, lambda _, end=end: rational_ball(end), 15).value
        assert value.lo > parse_number(bound) if sign > 0 else value.hi <= parse_number(bound)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("composition", "bound"),
    [
        # The saddle is at an eps three hundred times too large: one large loss decides there.
        (compose([(SubsampledGaussian.of(mpq(10), mpq(1, 10**6)), 1000)]), "1e-9"),
        (compose([(SubsampledGaussian.of(mpq(10), mpq(1, 10**6), adds=True), 1000)]), "1e-9"),
        (compose([(SubsampledGaussian.of(mpq(1), mpq(1, 100)), 1000)]), "1e-300"),
        (compose([(SubsampledGaussian.of(mpq(2), mpq(1, 50), adds=True), 300)]), "1e-200"),
    ],
)
def test_small_rates_and_small_deltas(composition, bound):
    """Twelve digits, with the signs of delta at both ends."""
    found = least_epsilon(composition, parse_number(bound))
    assert found.reached is None
    for end, sign in ((found.lo, 1), (found.hi, -1)):
        value = delta(composition, lambda _, end=end: rational_ball(end), 15).value
        assert value.lo > parse_number(bound) if sign > 0 else value.hi <= parse_number(bound)


def test_atoms_alone_have_few_digits():
    """Thirty Laplace steps, whose transform does not fall to 0: what is reached is said, and is right."""
    composition = compose([(Laplace(mpq(1, 2)), 30)])
    found = least_epsilon(composition, mpq(1, 100), max_nodes=3000)
    assert found.reached is not None
    assert 0 < found.lo < found.hi < 15
    assert delta(composition, lambda _: rational_ball(found.lo), 4).value.hi >= mpq(1, 100)
    assert delta(composition, lambda _: rational_ball(found.hi), 4).value.lo <= mpq(1, 100)


def test_exact_answers():
    """0 where delta(0) is at most the bound, inf below the infinite mass, the largest loss for delta = 0."""
    composition = compose([(Gaussian(mpq(1)), 1)])
    zero = least_epsilon(composition, mpq(1, 2))
    assert (zero.lo, zero.hi) == (0, 0)
    assert least_epsilon(composition, mpq(0)) == INFINITY
    assert least_epsilon(compose([(FiniteChannel.of(CHANNEL), 2)]), mpq(1, 10)) == INFINITY
    assert least_epsilon(compose([(Laplace(mpq(1, 2)), 3)]), mpq(0)).contains(mpq(3, 2))


def test_bounds_are_checked():
    """A delta outside [0, 1], and one that equals the infinite mass."""
    with pytest.raises(InputError, match="delta from 0 to 1"):
        least_epsilon(compose([(Gaussian(mpq(1)), 1)]), mpq(2))
    with pytest.raises(UndecidedError):
        least_epsilon(compose([(FiniteChannel.of(CHANNEL), 2)]), mpq(19, 100))


@pytest.mark.parametrize("places", [13, 16])
def test_a_delta_just_below_that_at_0(places):
    """The least eps is about the gap over the slope of delta, and its ends are proved; above there is none but 0."""
    composition = compose([(SubsampledGaussian.of(mpq(4, 5), mpq(1, 200)), 1000)])
    at_0 = delta(composition, lambda _: rational_ball(mpq(0)), 30).value
    found = least_epsilon(composition, at_0.lo - mpq(1, 10**places))
    assert 0 < found.lo < found.hi < mpq(10, 10**places)
    for end, sign in ((found.lo, 1), (found.hi, -1)):
        value = delta(composition, lambda _, end=end: rational_ball(end), 40).value
        bound = at_0.lo - mpq(1, 10**places)
        assert value.lo > bound if sign > 0 else value.hi <= bound
    assert least_epsilon(composition, at_0.hi + mpq(1, 10**places)).hi == 0
