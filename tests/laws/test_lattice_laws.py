"""Greatest lower and least upper bound: against their definitions, and as a lattice; partial channels included."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.channels.canonical import canonical, equivalent
from oracle.channels.channel import Channel
from oracle.channels.galois import tradeoff_of
from oracle.channels.lattice import greatest_lower_bound, least_upper_bound
from oracle.channels.refinement import refines
from oracle.channels.tradeoff import maximum, minimum
from oracle.laws.strategies import partial_families, post_processed, two_row_channels, witnesses
from tests.laws import reference

FULL = st.lists(two_row_channels(5), min_size=1, max_size=4)
FAMILIES = st.one_of(FULL, partial_families(1, 4))
TRIPLES = st.one_of(st.tuples(*[two_row_channels(4)] * 3), partial_families(3, 3, 4).map(tuple))


def sticks(channel: Channel, level: Fraction) -> Fraction:
    """Σ max(0, q - h p), by its formula."""
    p, q = channel.matrix
    return sum((max(b - level * a, reference.ZERO) for a, b in zip(p, q, strict=True)), reference.ZERO)


def is_canonical(channel: Channel) -> bool:
    p, q = channel.rows
    return canonical(channel) == channel and all(a or b for a, b in zip(p, q, strict=True))


@given(FAMILIES)
def test_the_hockey_sticks_of_the_glb_are_the_largest_of_the_members(family: list[Channel]) -> None:
    """Conjugation turns the lower hull of a minimum into the maximum of the conjugates (Fenchel)."""
    low = greatest_lower_bound(family)
    for h in reference.breakpoints([c.matrix for c in (low, *family)]):
        assert sticks(low, h) == max(sticks(channel, h) for channel in family)


@given(FAMILIES)
def test_the_curve_of_the_lub_is_the_pointwise_maximum(family: list[Channel]) -> None:
    high = least_upper_bound(family)
    curves = [reference.tradeoff(channel.matrix) for channel in family]
    top = reference.tradeoff(high.matrix)
    places = [a for curve in (top, *curves) for a, _ in curve]
    places = sorted(set(places))
    places += [(a + b) / 2 for a, b in pairwise(places)]
    for alpha in places:
        assert reference.interpolate(top, alpha) == max(reference.interpolate(curve, alpha) for curve in curves)


@given(FAMILIES)
def test_the_lub_touches_the_least_hockey_stick_at_each_of_its_ratios(family: list[Channel]) -> None:
    high = least_upper_bound(family)
    for h in reference.breakpoints([c.matrix for c in (high, *family)]):
        assert sticks(high, h) <= min(sticks(channel, h) for channel in family)
    for p, q in zip(*high.matrix, strict=True):
        if p and q:
            assert sticks(high, q / p) == min(sticks(channel, q / p) for channel in family)


@given(FAMILIES)
def test_both_bounds_are_canonical_and_keep_the_masses(family: list[Channel]) -> None:
    for bound in (greatest_lower_bound(family), least_upper_bound(family)):
        assert is_canonical(bound)
        assert bound.masses == family[0].masses


@given(FAMILIES)
def test_both_bounds_bound_every_member(family: list[Channel]) -> None:
    low, high = greatest_lower_bound(family), least_upper_bound(family)
    for channel in family:
        assert refines(low, channel)
        assert refines(channel, high)


@given(TRIPLES)
def test_the_glb_is_greatest_and_the_lub_least(triple: tuple[Channel, Channel, Channel]) -> None:
    other, *family = triple
    low, high = greatest_lower_bound(family), least_upper_bound(family)
    assert refines(other, low) == all(refines(other, channel) for channel in family)
    assert refines(high, other) == all(refines(channel, other) for channel in family)


@given(two_row_channels(4), st.data())
def test_a_common_source_is_below_the_glb_of_its_images(source: Channel, data) -> None:
    """Random channels are rarely below two others; these always are."""
    images = [post_processed(source, data.draw(witnesses(source.shape[1], 4))) for _ in range(2)]
    low = greatest_lower_bound(images)
    assert refines(source, low)
    image = post_processed(source, data.draw(witnesses(source.shape[1], 3)))
    above = post_processed(image, data.draw(witnesses(image.shape[1], 3)))
    assert refines(least_upper_bound([source, image]), above)


@given(TRIPLES)
def test_the_lattice_laws(triple: tuple[Channel, Channel, Channel]) -> None:
    a, b, c = triple
    for meet, join in ((greatest_lower_bound, least_upper_bound), (least_upper_bound, greatest_lower_bound)):
        assert meet([a, b]) == meet([b, a])
        assert meet([a, meet([b, c])]) == meet([meet([a, b]), c]) == meet([a, b, c])
        assert meet([a, a]) == meet([a]) == canonical(a)
        assert meet([a, join([a, b])]) == canonical(a)


@given(TRIPLES)
def test_the_order_is_the_lattice_order(triple: tuple[Channel, Channel, Channel]) -> None:
    a, b, _ = triple
    assert refines(a, b) == equivalent(greatest_lower_bound([a, b]), a) == equivalent(least_upper_bound([a, b]), b)


@given(FULL)
def test_t_takes_the_bounds_to_minimum_and_maximum(family: list[Channel]) -> None:
    curves = [tradeoff_of(channel) for channel in family]
    assert tradeoff_of(greatest_lower_bound(family)) == minimum(curves)
    assert tradeoff_of(least_upper_bound(family)) == maximum(curves)


@given(FULL, st.builds(lambda a, b: (mpq(1, a), mpq(1, b)), st.integers(1, 9), st.integers(1, 9)))
def test_scaling_the_rows_scales_the_bounds(family: list[Channel], masses: tuple[mpq, mpq]) -> None:
    def scaled(channel: Channel) -> Channel:
        rows = [[v * m for v in row] for row, m in zip(channel.rows, masses, strict=True)]
        return Channel(rows, partial=True)

    for bound in (greatest_lower_bound, least_upper_bound):
        assert bound([scaled(channel) for channel in family]) == scaled(bound(family))
