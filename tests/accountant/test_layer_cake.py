"""The cut-off of a piecewise constant density, against the transform itself."""

from __future__ import annotations

import pytest
from flint import acb, arb

from oracle.accountant.layer_cake import layer_cake
from oracle.enclosures import precision

BOUNDARIES = [arb(x) / 8 for x in (0, 1, 3, 4, 8)]
HEIGHTS = [arb(x) / 4 for x in (2, 8, 1, 4)]


def transform(t: arb) -> acb:
    """Σ h ∫ e^(itx) over the cells."""
    found = acb(0)
    for h, low, high in zip(HEIGHTS, BOUNDARIES[:-1], BOUNDARIES[1:], strict=True):
        found += h * ((acb(0, t * high)).exp() - (acb(0, t * low)).exp()) / acb(0, t)
    return found


def test_the_rectangles_add_up_to_the_mass():
    """Σ p_j is the integral of the density."""
    mass = sum((h * (b - a) for h, a, b in zip(HEIGHTS, BOUNDARIES[:-1], BOUNDARIES[1:], strict=True)), arb(0))
    mixture = layer_cake(BOUNDARIES, HEIGHTS)
    assert abs(sum((p for p, _ in mixture.components), arb(0)) - mass) < arb(2) ** -40
    assert sorted(float(w) for _, w in mixture.components) == [0.25, 0.375, 0.5, 1.0]


@pytest.mark.parametrize("t", ["0.01", "1", "5", "9", "20", "400"])
def test_the_bound_is_above_the_transform_and_falls(t):
    """|phi| with the missing mass taken as an atom."""
    with precision(80):
        at = arb(t)
        mixture = layer_cake(BOUNDARIES, HEIGHTS)
        missing = 1 - sum(
            (h * (b - a) for h, a, b in zip(HEIGHTS, BOUNDARIES[:-1], BOUNDARIES[1:], strict=True)), arb(0)
        )
        bound = mixture.bound(at)
        for factor in ("1", "1.1", "1.7", "4"):
            assert abs(transform(at * arb(factor))) + missing <= bound
            assert mixture.bound(at * arb(factor)) <= bound


def test_the_second_lobe_of_the_sinc_is_below_the_constant():
    """|sin u|/u at the u with tan u = u is below 0.21724, and above 0.21723."""
    with precision(120):
        u = arb("4.493409457909064175307880927280")
        assert abs(u.tan() - u) < arb(10) ** -25
        assert arb("0.21723") < abs(u.sin()) / u < arb("0.21724")


def test_an_empty_density_gives_no_bound():
    """Heights of 0 leave phi <= 1."""
    assert layer_cake(BOUNDARIES, [arb(0)] * 4).bound(arb(3)) == 1
