"""The search for a border, on functions whose border is known."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from gmpy2 import mpq

from oracle.accountant.calibration import AT_ONCE, Calibrated
from oracle.accountant.calibration import calibrate as narrowing
from oracle.accountant.calibration import calibrate_steps as narrowing_steps
from oracle.enclosures import Enclosure
from oracle.errors import InputError, UndecidedError

Delta = Callable[[mpq, int], Enclosure]


def calibrate(delta: Delta, target: mpq, **options: Any) -> Calibrated:
    """The last of what is proved, each part of which is within the one before."""
    found = list(narrowing(delta, target, **options))
    assert all(before.lo <= after.lo <= after.hi <= before.hi for before, after in pairwise(found))
    return found[-1]


def calibrate_steps(delta: Delta, target: mpq) -> Calibrated:
    """Likewise."""
    found = list(narrowing_steps(delta, target))
    assert all(before.lo <= after.lo < after.hi <= before.hi for before, after in pairwise(found))
    assert all(item.reached is not None for item in found[:-1])
    return found[-1]


def exactly(function: Callable[[mpq], mpq]) -> Delta:
    """A delta that is known exactly."""

    def delta(x: mpq, _digits: int) -> Enclosure:
        value = function(x)
        return Enclosure(value, value)

    return delta


def within(function: Callable[[mpq], mpq], share: mpq) -> Delta:
    """A delta known to a share of itself, however many digits are asked for."""

    def delta(x: mpq, _digits: int) -> Enclosure:
        value = function(x)
        return Enclosure(value * (1 - share), value * (1 + share))

    return delta


@pytest.mark.parametrize("border", [mpq(1, 10**9), mpq(1, 3), mpq(1), mpq(7, 3), mpq(10**9)], ids=str)
def test_noise_is_enclosed_and_its_upper_end_meets_the_target(border: mpq) -> None:
    """The delta border/(border + x) falls through 1/2 at the border, to nine digits of it."""
    found = calibrate(exactly(lambda x: border / (border + x)), mpq(1, 2), grows=False, digits=9)
    assert found.sufficient == "hi"
    assert found.lo < border <= found.hi
    assert (found.hi - found.lo) * 10**9 <= found.hi
    assert found.reached is None


@pytest.mark.parametrize("border", [mpq(1, 10**9), mpq(1, 3), mpq(999, 1000)], ids=str)
def test_a_rate_is_enclosed_and_its_lower_end_meets_the_target(border: mpq) -> None:
    """The delta x²/(2 border)² grows through 1/4 at the border; the rate stays at most 1."""
    found = calibrate(exactly(lambda x: x * x / border / border / 4), mpq(1, 4), grows=True, most=mpq(1), digits=8)
    assert found.sufficient == "lo"
    assert found.lo <= border < found.hi <= 1
    assert (found.hi - found.lo) * 10**8 <= found.hi


def test_the_largest_rate_that_meets_the_target_is_the_answer() -> None:
    """Rate 1 meets it: both ends are 1, and it meets the target by equality."""
    found = calibrate(exactly(lambda x: x / 4), mpq(1, 4), grows=True, most=mpq(1))
    assert (found.lo, found.hi, found.sufficient, found.reached) == (1, 1, "lo", None)


def test_a_delta_known_to_few_digits_gives_a_border_of_few_digits() -> None:
    """With delta known to a thousandth, the border is proved to two digits, and that is said."""
    found = calibrate(within(lambda x: 1 / (1 + x), mpq(1, 1000)), mpq(1, 4), grows=False, digits=9)
    assert found.lo < 3 < found.hi
    assert found.reached is not None
    assert 1 <= found.reached <= 3
    assert (found.hi - found.lo) * 10**found.reached <= found.hi


def test_a_step_is_found_where_delta_jumps() -> None:
    """Where delta is 1 below 5/7 and 0 from there on, false position has no slope to go by."""
    found = calibrate(exactly(lambda x: mpq(x < mpq(5, 7))), mpq(1, 10), grows=False, digits=5)
    assert found.lo < mpq(5, 7) <= found.hi


@pytest.mark.parametrize("value", [mpq(0), mpq(1)], ids=["always met", "never met"])
def test_no_border(value: mpq) -> None:
    """A delta on one side of the target for every noise has no border."""
    with pytest.raises(UndecidedError, match="a parameter on either side of the target"):
        calibrate(exactly(lambda _: value), mpq(1, 2), grows=False)


def test_nothing_is_claimed_of_a_delta_that_is_not_known() -> None:
    """A delta in [0, 1] decides nothing, neither of noise, nor of a rate of 1, nor of one step."""

    def unknown(_x: object, _digits: int) -> Enclosure:
        return Enclosure(mpq(0), mpq(1))

    with pytest.raises(UndecidedError):
        calibrate(unknown, mpq(1, 2), grows=False)
    with pytest.raises(UndecidedError, match="whether 1 meets the target"):
        calibrate(unknown, mpq(1, 2), grows=True, most=mpq(1))
    with pytest.raises(UndecidedError, match="whether 1 steps meet the target"):
        calibrate_steps(unknown, mpq(1, 2))


def test_a_target_below_0_is_refused() -> None:
    """Nothing meets it."""
    with pytest.raises(InputError, match="a delta of at least 0"):
        calibrate(exactly(lambda x: 1 / x), mpq(-1, 2), grows=False)


@pytest.mark.parametrize("border", [mpq(1, 10**9), mpq(5, 7), mpq(12345)], ids=str)
def test_where_delta_becomes_0(border: mpq) -> None:
    """By bisection: there is no logarithm to go by."""
    found = calibrate(exactly(lambda x: max(mpq(0), 1 - x / border)), mpq(0), grows=False, digits=8)
    assert found.lo < border <= found.hi
    assert (found.hi - found.lo) * 10**8 <= found.hi


def test_thirty_digits_of_a_border() -> None:
    """Floats only propose."""
    found = calibrate(exactly(lambda x: 1 / (1 + x)), mpq(1, 3), grows=False, digits=30)
    assert found.lo < 2 <= found.hi
    assert (found.hi - found.lo) * 10**30 <= found.hi


def test_bounds_known_at_once_are_asked_first() -> None:
    """Where they decide nothing more is asked: of noise 1, 2, 4, ... no digits."""
    asked: list[int] = []

    def delta(x: mpq, digits: int) -> Enclosure:
        asked.append(digits)
        return Enclosure(1 / x, 1 / x)

    next(narrowing(delta, mpq(1, 100), grows=False))
    assert set(asked) == {AT_ONCE}


@pytest.mark.parametrize("most", [0, 1, 2, 3, 25, 1000, 10**15])
def test_the_most_steps(most: int) -> None:
    """The delta k/(most + 1/2) passes 1 between most and most + 1, and equality is met."""
    found = calibrate_steps(lambda k, _: Enclosure(mpq(2 * k), mpq(2 * k)), mpq(2 * most + 1))
    assert (found.lo, found.hi, found.sufficient) == (most, most + 1, "lo")
    equal = calibrate_steps(lambda k, _: Enclosure(mpq(k), mpq(k)), mpq(most))
    assert (equal.lo, equal.hi) == (most, most + 1)


def test_steps_without_end() -> None:
    """A delta of 0 for any number of steps ends the search."""
    with pytest.raises(UndecidedError, match="a number of steps"):
        calibrate_steps(lambda _k, _n: Enclosure(mpq(0), mpq(0)), mpq(1, 2))


def test_more_digits_are_asked_for_near_the_target() -> None:
    """A comparison that four digits leave open is decided by more; none is asked for where it is clear."""
    asked: list[tuple[int, int]] = []

    def delta(k: int, digits: int) -> Enclosure:
        asked.append((k, digits))
        value = mpq(1, 2) + mpq(2 * k - 5, 10**6) if k in {2, 3} else mpq(k > 2)
        return Enclosure(value, value + mpq(1, 10**digits))

    found = calibrate_steps(delta, mpq(1, 2))
    assert (found.lo, found.hi) == (2, 3)
    assert asked == [(1, 0), (1, 4), (2, 0), (2, 4), (2, 12), (4, 0), (3, 0)]
