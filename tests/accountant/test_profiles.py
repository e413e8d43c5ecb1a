"""Profiles against single answers."""

from __future__ import annotations

from itertools import pairwise

import pytest
from gmpy2 import mpq

from oracle.accountant.atomic_parts import FiniteChannel
from oracle.accountant.closed_form_parts import Gaussian
from oracle.accountant.contour import delta
from oracle.accountant.parts import compose
from oracle.accountant.profiles import profile
from oracle.accountant.subsampled_gaussian import SubsampledGaussian
from oracle.channels.channel import Channel
from oracle.enclosures import rational_ball

CHANNEL = Channel([["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]])


def at(eps):
    """An eps as a ball."""
    return lambda _: rational_ball(mpq(eps))


@pytest.mark.parametrize(
    ("composition", "epsilons"),
    [
        (compose([(SubsampledGaussian.of(mpq(4, 5), mpq(1, 200)), 1000)]), [mpq(i, 5) for i in range(-4, 40)]),
        (compose([(SubsampledGaussian.of(mpq(4, 5), mpq(1, 200)), 30)]), [mpq(3), mpq(1, 10), mpq(1), mpq(2)]),
        (compose([(SubsampledGaussian.of(mpq(1), mpq(1, 10), adds=True), 30)]), [mpq(i, 4) for i in range(14)]),
        (compose([(FiniteChannel.of(CHANNEL), 2), (Gaussian(mpq(1, 4)), 1)]), [mpq(i) for i in range(-3, 8)]),
    ],
)
def test_a_profile_is_its_points(composition, epsilons):
    """Every point overlaps the single answer, has its digits, and the values fall."""
    found = profile(composition, [at(eps) for eps in epsilons])
    for eps, answer in zip(epsilons, found, strict=True):
        assert answer.value.reached is None
        if eps in epsilons[::7]:
            assert answer.value.overlaps(delta(composition, at(eps)).value)
    ordered = [answer.value for _, answer in sorted(zip(epsilons, found, strict=True), key=lambda pair: pair[0])]
    assert all(later.lo <= earlier.hi for earlier, later in pairwise(ordered))


def test_points_beyond_the_largest_loss_are_exact():
    """Add steps: 0 from -30 log(1-q) on."""
    composition = compose([(SubsampledGaussian.of(mpq(1), mpq(1, 10), adds=True), 30)])
    found = profile(composition, [at(1), at(4)])
    assert [answer.method for answer in found] == ["contour", "exact zero"]


def test_an_empty_profile_is_empty():
    """No eps, no answers."""
    assert profile(compose([(Gaussian(mpq(1)), 1)]), []) == []
