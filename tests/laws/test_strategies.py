"""The strategies generate valid objects and reach the corners they promise."""

from __future__ import annotations

import subprocess
import sys

import pytest
from gmpy2 import mpq
from hypothesis import find, given, settings
from hypothesis import strategies as st

from oracle.channels.canonical import canonical
from oracle.channels.channel import Channel
from oracle.channels.galois import tradeoff_of
from oracle.channels.tradeoff import TradeoffFunction
from oracle.laws.strategies import (
    NASTY_CHANNELS,
    alphas,
    deltas,
    levels,
    many_row_channels,
    nearly_refining_pairs,
    partial_families,
    post_processed,
    priors,
    rational_levels,
    tradeoff_functions,
    two_row_channels,
    witnesses,
)

SEARCH = settings(max_examples=3000, derandomize=True, deadline=None, database=None)


def columns(channel: Channel) -> list[tuple[mpq, ...]]:
    return list(zip(*channel.rows, strict=True))


CORNERS = {
    "a zero entry": lambda c: any((p == 0) != (q == 0) for p, q in columns(c)),
    "a zero column": lambda c: (mpq(0), mpq(0)) in columns(c),
    "equal ratios": lambda c: canonical(c).shape[1] < sum(any(column) for column in columns(c)),
    "identical rows": lambda c: c.rows[0] == c.rows[1] and c.shape[1] > 1,
    "disjoint supports": lambda c: all(not (p and q) for p, q in columns(c)),
    "one column": lambda c: c.shape[1] == 1,
    "a huge denominator": lambda c: c.scale > 2**80,
    "six columns": lambda c: c.shape[1] == 6,
}


@pytest.mark.slow
@pytest.mark.parametrize("corner", CORNERS)
def test_two_row_channels_reach_every_corner(corner: str) -> None:
    assert CORNERS[corner](find(two_row_channels(), CORNERS[corner], settings=SEARCH))


@pytest.mark.parametrize("corner", [name for name in CORNERS if name != "six columns"])
def test_the_pool_has_every_corner(corner: str) -> None:
    assert any(CORNERS[corner](channel) for channel in NASTY_CHANNELS)


@given(two_row_channels(3), many_row_channels(2, 5, 4))
def test_channels_are_valid_and_within_their_bounds(pair: Channel, many: Channel) -> None:
    assert Channel(pair.rows) == pair
    assert pair.shape[0] == 2
    assert pair.shape[1] <= 3
    assert Channel(many.rows) == many
    assert 2 <= many.shape[0] <= 5
    assert many.shape[1] <= 4


@given(partial_families(1, 4, 3))
def test_partial_families_share_their_masses(family: list[Channel]) -> None:
    assert 1 <= len(family) <= 4
    assert len({channel.masses for channel in family}) == 1
    assert all(Channel(channel.rows, partial=True) == channel for channel in family)


@given(tradeoff_functions(4))
def test_curves_are_valid(curve: TradeoffFunction) -> None:
    assert TradeoffFunction(curve.corners) == curve
    assert len(curve.corners) <= 5


@pytest.mark.parametrize(
    "wanted",
    [
        lambda f: f.corners[0][1] < 1,
        lambda f: f.corners[0][1] == 0,
        lambda f: f.corners[-2][1] == 0 and len(f.corners) > 2,
        lambda f: f.corners == ((0, 1), (1, 0)),
        lambda f: not f.is_symmetric(),
    ],
    ids=["a jump at 0", "identically 0", "a flat end", "1 - alpha", "not symmetric"],
)
def test_curves_reach_their_corners(wanted) -> None:
    assert wanted(find(tradeoff_functions(), wanted, settings=SEARCH))


@given(st.data())
def test_witnesses_are_stochastic_and_post_process(data) -> None:
    channel = data.draw(two_row_channels(3))
    witness = data.draw(witnesses(channel.shape[1], 4))
    assert all(sum(row) == 1 and min(row) >= 0 for row in witness)
    assert Channel(post_processed(channel, witness).rows).masses == (1, 1)


@given(nearly_refining_pairs(max_bits=200))
def test_a_near_pair_tells_the_truth(pair) -> None:
    """By the curves: the verdict is not taken from the coupling."""
    assert (tradeoff_of(pair.left) <= tradeoff_of(pair.right)) == pair.holds


@pytest.mark.slow
@pytest.mark.parametrize("holds", [True, False])
@pytest.mark.parametrize("bits", [(10, 20), (900, 1000)])
def test_near_pairs_come_on_both_sides_of_every_size(holds: bool, bits: tuple[int, int]) -> None:
    def wanted(pair) -> bool:
        return pair.holds is holds and pair.gap > 0

    assert wanted(find(nearly_refining_pairs(4, *bits), wanted, settings=SEARCH))


@given(levels(1), alphas(), deltas(), priors(3))
def test_numbers_are_within_their_ranges(level, alpha, delta, prior) -> None:
    assert level.compare(1) >= 0
    assert 0 <= alpha <= 1
    assert 0 <= delta <= 1
    assert sum(prior) == 1


@given(rational_levels(), rational_levels(1))
def test_rational_levels_are_within_their_ranges(free: mpq, at_least_one: mpq) -> None:
    assert free >= 0
    assert at_least_one >= 1


def test_without_hypothesis_the_extra_is_named() -> None:
    code = "import sys; sys.modules['hypothesis'] = None; import oracle.laws.strategies"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "oracle.laws needs the extra 'conformance': pip install '.[conformance]' in a checkout" in done.stderr
