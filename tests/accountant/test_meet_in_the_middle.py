"""Halves against the composed channel: the same exact numbers, levels of every kind, ties included."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.accountant.meet_in_the_middle import ExactComposition, MeetInTheMiddle, half_sizes
from oracle.channels.channel import Channel
from oracle.channels.composition import compose
from oracle.channels.divergences import hockey_stick
from oracle.channels.operators import parallel
from oracle.channels.profile import Profile
from oracle.enclosures import Enclosure, enclose
from oracle.errors import InputError, LimitError
from oracle.formal import FormalSum
from oracle.laws.strategies import NASTY_CHANNELS, rational_levels, two_row_channels
from oracle.levels import Level

SIX = Channel([[mpq(k, 57) for k in (3, 5, 7, 11, 13, 18)], [mpq(k, 58) for k in (17, 12, 10, 9, 7, 3)]])
RESPONSE = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
APPROXIMATE = Channel([["1/10", "6/10", "3/10", "0"], ["0", "3/10", "6/10", "1/10"]])
parts = st.lists(st.tuples(two_row_channels(4), st.integers(0, 3)), max_size=3)


@given(parts, rational_levels())
@settings(max_examples=80)
def test_rational_levels_against_the_composed_channel(of, level):
    """Every pair of halves gives the hockey stick of the composition, in each direction."""
    halves, channel = MeetInTheMiddle(of), compose(of)
    for direction in ("forward", "backward", "both"):
        expected = hockey_stick(channel, level, direction)
        assert halves.hockey_stick(Level(level), direction) == FormalSum.rational(expected)


@pytest.mark.parametrize("channel", NASTY_CHANNELS, ids=str)
@pytest.mark.parametrize("times", [1, 2, 3])
def test_channels_picked_by_hand(channel, times):
    """Zero masses, one column, ratios of a thousand bits; at levels that are ratios of the composition too."""
    halves, table = MeetInTheMiddle([(channel, times)]), parallel([channel] * times)
    ratios = {mpq(p, q) for p, q in zip(*table.rows, strict=True) if q}
    for level in {mpq(0), mpq(1), mpq(3, 2), *ratios}:
        expected = hockey_stick(table, level, "forward")
        assert halves.hockey_stick(Level.rational(level)) == FormalSum.rational(expected)


ONE_RATIO = [
    Channel([["8/13", "5/13"], ["0", "1"]]),
    Channel([["2/7", "5/7"], ["1", "0"]]),
    Channel([["1/3", "1/3", "1/3"], ["0", "1/2", "1/2"]]),
    Channel([["1/10", "9/10", "0"], ["0", "9/10", "1/10"]]),
    Channel([["1/2", "1/2", "0"], ["0", "1/4", "3/4"]]),
]


@pytest.mark.parametrize("first", ONE_RATIO, ids=str)
@pytest.mark.parametrize("second", [*ONE_RATIO, RESPONSE, APPROXIMATE], ids=str)
@pytest.mark.parametrize("times", [(1, 1), (2, 1), (1, 3)], ids=str)
def test_parts_with_one_finite_ratio(first, second, times):
    """Beside outcomes that one of the laws has not: such a part leaves one atom, of a mass that is not 1."""
    for of in ([(first, times[0]), (second, times[1])], [(second, times[1]), (first, times[0]), (RESPONSE, 1)]):
        halves, channel = MeetInTheMiddle(of), compose(of)
        for level in (mpq(1, 5), mpq(1), mpq(3, 2), mpq(9)):
            for direction in ("forward", "backward"):
                expected = hockey_stick(channel, level, direction)
                assert halves.hockey_stick(Level.rational(level), direction) == FormalSum.rational(expected)


@given(two_row_channels(4), st.integers(1, 4), st.fractions(min_value=-2, max_value=2, max_denominator=9).map(mpq))
@settings(max_examples=60)
def test_levels_e_to_a_rational(channel, times, exponent):
    """P(S) - e^s Q(S) with the S of the composed channel."""
    level, profile = Level.of_exponent(exponent), Profile(compose([(channel, times)]), "forward")
    p, q = profile.masses(profile.support(level))
    expected = FormalSum.rational(p) - level.formal().scaled(q)
    assert MeetInTheMiddle([(channel, times)]).hockey_stick(level) == expected


def test_infinite_losses():
    """Their mass is the limit of the profile."""
    halves = MeetInTheMiddle([(APPROXIMATE, 7)])
    limit = 1 - mpq(9, 10) ** 7
    assert halves.singular_mass("forward") == limit
    assert halves.hockey_stick(Level.infinite(), "backward") == FormalSum.rational(limit)


def test_halves_of_equal_ratios_are_merged():
    """Randomized response has k + 1 ratios, whatever the number of outputs of equal ratio."""
    split = Channel([["3/8", "3/8", "1/8", "1/8"], ["1/8", "1/8", "3/8", "3/8"]])
    halves = MeetInTheMiddle([(split, 20)])
    assert halves.sizes == (11, 11)
    assert halves.hockey_stick(Level.rational(81)) == MeetInTheMiddle([(RESPONSE, 20)]).hockey_stick(Level.rational(81))


def test_halves_are_balanced():
    """An odd step goes where there are fewer atoms; every step goes somewhere."""
    assert half_sizes([(SIX, 1), (RESPONSE, 1)]) == (6, 2)
    assert half_sizes([(SIX, 7)]) == (126, 56)
    assert half_sizes([(SIX, 2), (RESPONSE, 3)]) == (18, 12)
    assert half_sizes([]) == (1, 1)


def test_a_thousand_randomized_responses():
    """A value certified before: flip probability 1/4, epsilon 600."""
    value = ExactComposition([(RESPONSE, 1000)]).hockey_stick(Level.of_exponent(600))
    table = Enclosure(mpq("0.0410233540410574861"), mpq("0.0410233540410574862"))
    assert table.overlaps(enclose(value.ball, 30))


@pytest.mark.parametrize(
    ("of", "method"),
    [
        ([(RESPONSE, 500)], "polynomial power"),
        ([(SIX, 12)], "meet in the middle"),
        ([(SIX, 4), (RESPONSE, 5)], "meet in the middle"),
        ([], "polynomial power"),
    ],
)
def test_the_method_suits_the_size_and_the_answer_is_the_same(of, method):
    """Few columns are made, many are not."""
    found = ExactComposition(of)
    assert found.method == method
    for level in (Level.rational(2), Level.of_exponent(mpq(1, 2)), Level.infinite()):
        for direction in ("forward", "backward", "both"):
            assert found.hockey_stick(level, direction) == MeetInTheMiddle(of).hockey_stick(level, direction)


def test_values_lie_between_0_and_1_and_fall():
    """A profile of a composition too large to be made."""
    halves = MeetInTheMiddle([(SIX, 24)])
    values = [halves.hockey_stick(Level.rational(a)).as_rational() for a in (1, 2, 8, 100)]
    assert values == sorted(values, reverse=True)
    assert Enclosure(mpq(0), mpq(1)).contains(values[0])
    assert values[-1] > 0


@pytest.mark.parametrize(
    ("of", "error"),
    [
        ([(SIX, 100)], LimitError),
        ([(SIX, -1)], InputError),
        ([(Channel([["1"], ["1"], ["1"]]), 2)], InputError),
    ],
)
def test_what_is_refused(of, error):
    """Too many atoms, negative numbers of times, three rows."""
    with pytest.raises(error):
        MeetInTheMiddle(of)
