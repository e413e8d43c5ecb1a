"""What a method leaves behind: ends, digits reached, comparisons at growing digits, and two proofs of one value."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.accountant.methods import Found, compare_digits, narrower, with_digits
from oracle.enclosures import Enclosure

THIRD = mpq(1, 3)


def third(digits: int) -> Found:
    """One third to so many digits."""
    unit = mpq(1, 10**digits)
    return Found(Enclosure(THIRD - unit, THIRD + unit), "some method", {})


def test_the_ends_of_a_value():
    """An exact value is both of its ends and is reached, an enclosure says whether it is."""
    assert Found(THIRD, "exact", {}).ends == (THIRD, THIRD)
    assert Found(THIRD, "exact", {}).reached
    assert third(3).ends == (THIRD - mpq(1, 1000), THIRD + mpq(1, 1000))
    assert not Found(Enclosure(mpq(0), mpq(1), 0), "wide", {}).reached


@pytest.mark.parametrize(
    ("bound", "sign"),
    [(mpq(1, 2), -1), (mpq(1, 4), 1), (THIRD + mpq(1, 10**20), -1), (THIRD - mpq(1, 10**45), 1), (THIRD, None)],
)
def test_comparisons_ask_for_more_digits_and_stop(bound, sign):
    """Far bounds with few digits, close ones with more; equality is never proved by enclosures."""
    asked = []

    def value(digits: int) -> Found:
        asked.append(digits)
        return third(digits)

    assert compare_digits(value, bound).sign == sign
    assert asked == sorted(set(asked))
    assert (len(asked) == 1) == (abs(bound - THIRD) > mpq(1, 10**12))


def test_exact_values_compare_exactly():
    """Equality is 0, with no bits."""
    assert compare_digits(lambda _: Found(THIRD, "exact", {}), THIRD) == (0, 0)


@pytest.mark.parametrize("digits", [1, 4, 12, 40])
def test_digits_are_decimals_rounded_outwards(digits):
    """The interval given is inside, the digits reached are those that its width allows."""
    ends = Enclosure(THIRD, THIRD + mpq(1, 10**9))
    found = with_digits(ends, digits)
    assert found.lo <= ends.lo <= ends.hi <= found.hi
    assert (found.reached is None) == (digits < 9)
    for end in (found.lo, found.hi):
        power = end.denominator
        while power % 10 == 0:
            power //= 10
        assert 10**200 % power == 0
    if found.reached is not None:
        assert found.width * 10**found.reached <= found.hi
        assert found.width * 10 ** (found.reached + 1) > found.hi


def test_two_proofs_give_what_they_have_in_common():
    """The intersection, named after the narrower one; exact where the ends meet."""
    left = Found(Enclosure(mpq(1, 4), mpq(1, 2)), "left", {"a": "1"})
    right = Found(Enclosure(mpq(2, 5), mpq(9, 20)), "right", {"b": "2"})
    for found in (narrower(left, right, 3), narrower(right, left, 3)):
        assert found.ends == (mpq(2, 5), mpq(9, 20))
        assert (found.method, found.facts) == ("right", {"b": "2"})
    apart = Found(Enclosure(mpq(1, 2), mpq(3, 4)), "apart", {})
    assert narrower(left, apart, 3).value == mpq(1, 2)
