"""Compositions as bags of parts."""

from __future__ import annotations

import pytest
from flint import arb
from gmpy2 import mpq

from oracle.accountant.closed_form_parts import Gaussian, Laplace
from oracle.accountant.parts import NoCutOff, compose, swapped
from oracle.accountant.subsampled_gaussian import SubsampledGaussian
from oracle.errors import InputError


def test_equal_parts_are_pooled_and_absent_ones_left_out():
    """Parts with the same parameters are one part; 0 times is no part."""
    found = compose([(Gaussian(mpq(1)), 2), (Laplace(mpq(1)), 0), (Gaussian(mpq(1)), 3)])
    assert found == ((Gaussian(mpq(1)), 5),)
    assert compose({Gaussian(mpq(1)): 5}) == found


@pytest.mark.parametrize("times", [-1, True, 1.5])
def test_a_number_of_times_that_is_none_is_refused(times):
    """Negative, boolean and fractional numbers of times."""
    with pytest.raises(InputError, match="whole number of times"):
        compose([(Gaussian(mpq(1)), times)])


def test_swapping_twice_gives_the_composition_again():
    """The remove and add directions are exchanged, symmetric parts stay."""
    parts = compose([(SubsampledGaussian(mpq(1), mpq(1, 3)), 2), (Laplace(mpq(1)), 1)])
    assert swapped(parts) == compose([(SubsampledGaussian(mpq(1), mpq(1, 3), adds=True), 2), (Laplace(mpq(1)), 1)])
    assert swapped(swapped(parts)) == parts


def test_without_a_cut_off_the_bound_is_one():
    """A law with atoms."""
    assert NoCutOff().bound(arb(10)) == 1
