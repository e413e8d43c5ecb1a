"""Hyper-distributions by example."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.hyper import hyper_distribution
from oracle.errors import InputError

THIRD, HALF = mpq(1, 3), mpq(1, 2)


def test_posteriors_merge_and_impossible_outputs_vanish() -> None:
    channel = Channel([["1/4", "0", "1/4", "1/2"], ["1/8", "0", "1/8", "3/4"]])
    assert hyper_distribution(channel) == (
        (mpq(5, 8), (mpq(2, 5), mpq(3, 5))),
        (mpq(3, 8), (mpq(2, 3), mpq(1, 3))),
    )


def test_a_prior_that_excludes_a_row_hides_its_outputs() -> None:
    channel = Channel([["1", "0"], ["0", "1"]])
    assert hyper_distribution(channel, ["1", "0"]) == ((mpq(1), (mpq(1), mpq(0))),)


def test_three_rows() -> None:
    channel = Channel([["1", "0"], ["1", "0"], ["0", "1"]])
    assert hyper_distribution(channel) == (
        (THIRD, (mpq(0), mpq(0), mpq(1))),
        (2 * THIRD, (HALF, HALF, mpq(0))),
    )


def test_a_channel_that_says_nothing_has_the_prior_as_its_only_posterior() -> None:
    assert hyper_distribution(Channel([["1/2", "1/2"], ["1/2", "1/2"]]), ["1/3", "2/3"]) == (
        (mpq(1), (THIRD, 2 * THIRD)),
    )


def test_a_bad_prior_is_refused() -> None:
    with pytest.raises(InputError, match="prior: expected a list of 2 probabilities, got 3 numbers"):
        hyper_distribution(Channel([["1"], ["1"]]), ["1/3", "1/3", "1/3"])
