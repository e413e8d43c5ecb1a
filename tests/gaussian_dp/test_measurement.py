"""The measurement algorithm: its guarantee, and its limits."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.enclosures import precision, rational_ball
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY
from oracle.gaussian_dp.examples import EXAMPLES
from oracle.gaussian_dp.measurement import measure
from oracle.gaussian_dp.noise_formulas import ConstantProfile, SquaredExponential
from oracle.gaussian_dp.tight_mu import tight_mu
from oracle.gaussian_dp.transform import transform_at


@pytest.mark.parametrize(("name", "end"), [("laplace", 2), ("sgd", 3), ("icea", 6)])
@pytest.mark.parametrize("parts", [2, 10])
def test_the_two_numbers_enclose_the_transform_on_the_head(name, end, parts):
    """No value on the head exceeds mu+, some value reaches mu-, and a finer grid is at least as good."""
    profile, step = EXAMPLES[name], mpq(1, parts)
    coarse, fine = measure(profile, step, mpq(end)), measure(profile, step / 4, mpq(end))
    with precision(120):
        values = [transform_at(profile, rational_ball(step * k / 4)) for k in range(4 * parts * end + 1)]
        assert all(value <= rational_ball(fine.upper.hi) for value in values)
        assert any(value >= rational_ball(coarse.lower.lo) for value in values)
    assert coarse.lower.lo <= fine.lower.hi <= fine.upper.hi <= coarse.upper.hi
    assert coarse.points == parts * end


def test_with_the_tail_the_upper_number_is_a_guarantee():
    """For Laplace and SGD, not for ICEA, whatever the head says."""
    for name, end, tail in (("laplace", 2, True), ("sgd", 3, True), ("icea", 6, False)):
        assert measure(EXAMPLES[name], mpq(1, 5), mpq(end)).tail is tail
    assert measure(EXAMPLES["sgd"], mpq(1, 5), mpq(3)).upper.lo > tight_mu(EXAMPLES["sgd"]).value.hi
    assert measure(EXAMPLES["sgd"], mpq(1, 2), mpq(1, 2)).tail is False


def test_the_ends_of_the_scale():
    """delta(0) = 1 measures infinite, delta = 0 measures 0."""
    assert measure(SquaredExponential(mpq(1)), mpq(1, 2), mpq(1)).upper == INFINITY
    nothing = measure(ConstantProfile(mpq(0)), mpq(1, 2), mpq(1))
    assert (nothing.lower, nothing.upper) == (0, 0)
    assert measure(EXAMPLES["laplace"], mpq(2), mpq(2)).lower == 0


@pytest.mark.parametrize(
    ("step", "end", "error", "message"),
    [
        (0, 1, InputError, "step: expected step above 0"),
        (1, -1, InputError, "end: expected end above 0"),
        (mpq(2, 3), 1, InputError, "multiple of the step"),
        (mpq(1, 10**5), 1, LimitError, "at most 10000"),
    ],
)
def test_bad_grids(step, end, error, message):
    """Grids that are none, or too fine."""
    with pytest.raises(error, match=message):
        measure(EXAMPLES["sgd"], mpq(step), mpq(end))
