"""Greatest lower and least upper bounds by example."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.lattice import greatest_lower_bound, least_upper_bound, require_family
from oracle.errors import InputError

FIRST = Channel([["3/4", "1/4"], ["1/2", "1/2"]])
MIDDLE = Channel([["1/2", "1/2"], ["3/10", "7/10"]])
LAST = Channel([["1/4", "3/4"], ["0", "1"]])


def test_the_bounds_of_two() -> None:
    assert greatest_lower_bound([FIRST, LAST]) == Channel([["1/4", "1/2", "1/4"], ["0", "1/2", "1/2"]])
    assert least_upper_bound([FIRST, LAST]) == Channel([["1/2", "1/2"], ["1/3", "2/3"]])


def test_sorting_once_is_not_enough_for_three() -> None:
    """The printed Algorithm 4 peels from one order; the middle channel is no corner of the bound."""
    assert greatest_lower_bound([FIRST, MIDDLE, LAST]) == greatest_lower_bound([FIRST, LAST])


def test_the_bounds_of_one_are_its_canonical_form() -> None:
    channel = Channel([["1/4", "0", "1/4", "1/2"], ["1/8", "0", "1/8", "3/4"]])
    expected = Channel([["1/2", "1/2"], ["1/4", "3/4"]])
    assert greatest_lower_bound([channel]) == least_upper_bound([channel]) == expected


def test_the_ends_of_the_order() -> None:
    nothing, everything = Channel([["1"], ["1"]]), Channel([["1", "0"], ["0", "1"]])
    assert greatest_lower_bound([FIRST, everything]) == everything
    assert greatest_lower_bound([FIRST, nothing]) == FIRST
    assert least_upper_bound([FIRST, everything]) == FIRST
    assert least_upper_bound([FIRST, nothing]) == nothing


def test_partial_channels_with_shared_masses() -> None:
    """Fernandes et al. 2025, Appendix B, proposition 2, with e = f = 2/3."""
    a = Channel([["1/3", "1/3"], ["0", "2/3"]], partial=True)
    r = Channel([["2/3", "0"], ["1/3", "1/3"]], partial=True)
    assert greatest_lower_bound([a, r]) == Channel([["1/3", "1/3", "0"], ["0", "1/3", "1/3"]], partial=True)
    assert least_upper_bound([a, r]).masses == (mpq(2, 3), mpq(2, 3))


@pytest.mark.parametrize("bound", [greatest_lower_bound, least_upper_bound])
@pytest.mark.parametrize(
    ("family", "message"),
    [
        ([], "channels: expected at least one channel, got an empty list"),
        ([FIRST, Channel([["1"]])], r"channels\[1\]: expected two rows \(P and Q\), got 1 rows"),
        (
            [FIRST, Channel([["1/2"], ["1"]], partial=True)],
            r"channels\[1\]: expected channels of equal row masses, got different ones",
        ),
    ],
)
def test_what_is_no_family_has_no_bounds(bound, family: list[Channel], message: str) -> None:
    with pytest.raises(InputError, match=message):
        bound(family)


def test_a_family_is_accepted() -> None:
    require_family([FIRST, MIDDLE, LAST])
