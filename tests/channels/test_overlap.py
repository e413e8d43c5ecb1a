"""Partial overlap of a hidden choice: the disjoint-part law, Theorem 6.1(5) as repaired."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.galois import tradeoff_of
from oracle.channels.operators import hidden, visible
from oracle.channels.overlap import hidden_as_visible, split
from oracle.errors import InputError
from oracle.laws.strategies import alphas, two_row_channels

IDENTITY = Channel([["1", "0"], ["0", "1"]])
UNIFORM = Channel([["1/2", "1/2"], ["1/2", "1/2"]])
ONE_COLUMN = Channel([["1"], ["1"]])


def padded(channel: Channel, width: int) -> Channel:
    """The channel with zero columns behind."""
    return Channel([[*row, *[0] * (width - len(row))] for row in channel.rows])


def columns_of(channel: Channel) -> list[tuple[mpq, ...]]:
    """The nonzero columns, in no order."""
    return sorted(column for column in zip(*channel.rows, strict=True) if any(column))


@st.composite
def parts(draw) -> tuple[Channel, Channel, Channel]:
    """D and E of one width, and C."""
    d, e, c = draw(two_row_channels(3)), draw(two_row_channels(3)), draw(two_row_channels(3))
    width = max(d.shape[1], e.shape[1])
    return padded(d, width), padded(e, width), c


@given(parts(), alphas(), alphas(), st.booleans())
def test_the_law_of_the_disjoint_part(channels, p, r, labelled):
    """(D ⊕_p C) ⊞_r E and (D ⊞_r' E) ⊕_p' C have the same columns, p' = 1 - r + rp, r' = rp/p'."""
    d, e, c = channels
    left, right = visible(p, d, c), padded(e, d.shape[1] + c.shape[1])
    if labelled:
        names = [f"y{i}" for i in range(left.shape[1])]
        left, right = Channel(left.rows, None, names), Channel(e.rows, None, names[: e.shape[1]])
    whole = hidden(r, left, right)
    weight, inner, outer = hidden_as_visible(r, left, right, range(d.shape[1], left.shape[1]))
    assert weight == 1 - r + r * p
    if outer is None:
        assert p == 1
        assert columns_of(inner) == columns_of(whole)
        return
    assert outer.rows == c.rows
    assert columns_of(visible(weight, inner, outer)) == columns_of(whole)
    if weight and p:
        assert columns_of(inner) == columns_of(hidden(r * p / weight, d, e))


def test_the_law_as_printed_is_false():
    """With the same r and p on both sides: D = I, E uniform, C one column, p = r = 1/2."""
    half = mpq(1, 2)
    left = hidden(half, visible(half, IDENTITY, ONE_COLUMN), padded(UNIFORM, 3))
    printed = visible(half, hidden(half, IDENTITY, UNIFORM), ONE_COLUMN)
    assert [str(b) for _, b in tradeoff_of(left).corners] == ["1", "1/2", "1/4", "0"]
    assert [str(b) for _, b in tradeoff_of(printed).corners] == ["1", "5/8", "1/8", "0"]
    weight, inner, outer = hidden_as_visible(half, visible(half, IDENTITY, ONE_COLUMN), padded(UNIFORM, 3))
    assert (weight, inner, outer) == (mpq(3, 4), hidden(mpq(1, 3), IDENTITY, UNIFORM), ONE_COLUMN)
    with pytest.raises(InputError, match=r"^columns: expected columns of left that right never gives, got 0"):
        hidden_as_visible(half, visible(half, IDENTITY, ONE_COLUMN), padded(UNIFORM, 3), [0])


@given(two_row_channels(3), two_row_channels(3), alphas())
def test_a_visible_choice_is_split_into_its_parts(first, second, p):
    """Split finds the weight and both parts; a part of weight 0 is None."""
    whole = visible(p, first, second)
    own = range(first.shape[1], whole.shape[1])
    assert split(whole, own) == (p, first if p else None, second if p < 1 else None)


def test_split_keeps_labels():
    """Of the inputs, and of the columns of each part."""
    whole = Channel([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"]], ["D0", "D1"], ["a", "b", "c"])
    p, first, second = split(whole, [2])
    assert (p, second) == (mpq(3, 4), Channel([["1"], ["1"]], ["D0", "D1"], ["c"]))
    assert first == Channel([["2/3", "1/3"], ["1/3", "2/3"]], ["D0", "D1"], ["a", "b"])


def test_unequal_masses_cannot_be_split():
    """M = [1/2 1/2; 1/4 3/4] is no visible choice of a part on its first output (P4)."""
    channel = Channel([["1/2", "1/2"], ["1/4", "3/4"]])
    with pytest.raises(
        InputError, match=r"^columns: expected the same mass on these outputs in every row, got 1/4 in row 1"
    ):
        split(channel, [0])
    with pytest.raises(InputError, match="same mass"):
        hidden_as_visible(mpq(1, 2), channel, Channel([["0", "1"], ["0", "1"]]))
    with pytest.raises(InputError, match="weight between 0 and 1"):
        hidden_as_visible(mpq(2), channel, channel)
    with pytest.raises(InputError, match=r"^right: expected 2 rows as in left"):
        hidden_as_visible(mpq(1, 2), channel, Channel([["0", "1"]]))
