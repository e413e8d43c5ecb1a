"""The canonical worst case of an (epsilon, delta) claim by example."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.worst_case import approximate_dp_channel
from oracle.errors import InputError
from oracle.exact import INFINITY

ROWS = {
    "both": [["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]],
    "forward": [["1/10", "9/10", "0"], ["0", "3/10", "7/10"]],
    "backward": [["0", "3/10", "7/10"], ["1/10", "9/10", "0"]],
}


@pytest.mark.parametrize("direction", ROWS)
def test_the_worst_case_keeps_all_its_columns(direction: str) -> None:
    assert approximate_dp_channel(mpq(3), mpq(1, 10), direction) == Channel(ROWS[direction])
    assert approximate_dp_channel(mpq(1), mpq(0), direction).shape == (2, len(ROWS[direction][0]))


def test_at_infinity_nothing_of_the_kept_mass_overlaps() -> None:
    assert approximate_dp_channel(INFINITY, mpq(1, 10)) == Channel(
        [["1/10", "9/10", "0", "0"], ["0", "0", "9/10", "1/10"]]
    )
    assert approximate_dp_channel(INFINITY, mpq(0), "forward") == Channel([["0", "1", "0"], ["0", "0", "1"]])


@pytest.mark.parametrize(
    ("level", "delta", "message"),
    [
        (mpq(9, 10), mpq(0), "exp_epsilon: expected exp_epsilon at least 1, got 9/10"),
        (mpq(2), mpq(-1), "delta: expected delta between 0 and 1, got -1"),
        (mpq(2), mpq(2), "delta: expected delta between 0 and 1, got 2"),
    ],
)
def test_a_claim_out_of_range_has_none(level: mpq, delta: mpq, message: str) -> None:
    with pytest.raises(InputError) as caught:
        approximate_dp_channel(level, delta)
    assert str(caught.value) == message
