"""Operators on channels, each against its definition entry by entry, in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.channels.canonical import canonical, equivalent
from oracle.channels.channel import Channel
from oracle.channels.galois import tradeoff_of
from oracle.channels.operators import (
    hidden,
    matched_columns,
    parallel,
    post_process,
    pre_process,
    size_text,
    visible,
)
from oracle.channels.refinement import refines
from oracle.channels.tradeoff import minimum
from oracle.errors import InputError, LimitError
from oracle.laws.strategies import alphas, many_row_channels, two_row_channels, witnesses

HALVES = Channel([["1/2", "1/2"], ["1/4", "3/4"]])
IDENTITY = Channel([["1", "0"], ["0", "1"]])
ONE_COLUMN = Channel([["1"], ["1"]])


def table(channel: Channel) -> list[list[Fraction]]:
    """The rows as lists of fractions."""
    return [list(row) for row in channel.matrix]


def stochastic(rows: int, columns: int) -> st.SearchStrategy:
    """Row-stochastic matrices of one shape, with zero entries."""
    weights = st.lists(st.integers(0, 4), min_size=columns, max_size=columns).filter(any)
    row = weights.map(lambda w: tuple(mpq(v, sum(w)) for v in w))
    return st.lists(row, min_size=rows, max_size=rows).map(tuple)


@st.composite
def families(draw, max_size: int = 3) -> list[Channel]:
    """Channels of one number of rows, from one to three."""
    rows = draw(st.integers(1, 3))
    return draw(st.lists(many_row_channels(rows, rows, 3), min_size=1, max_size=max_size))


@given(families())
def test_parallel_multiplies_every_choice_of_columns(channels):
    """The entry at (y, z, ...) is the product, the last index fastest; no column is dropped."""
    expected = [
        [Fraction(prod(choice)) for choice in product(*(channel.matrix[x] for channel in channels))]
        for x in range(channels[0].shape[0])
    ]
    assert table(parallel(channels)) == expected


@given(two_row_channels(4), two_row_channels(4), two_row_channels(3))
def test_parallel_commutes_and_associates_up_to_the_canonical_form(left, middle, right):
    """The order of independent outputs tells nothing."""
    assert equivalent(parallel([left, right]), parallel([right, left]))
    assert parallel([parallel([left, middle]), right]) == parallel([left, middle, right])
    assert equivalent(parallel([left, ONE_COLUMN]), left)


@given(two_row_channels(4), two_row_channels(4))
def test_more_outputs_reveal_more(left, right):
    """T(C ∥ D) is at most the minimum of T(C) and T(D)."""
    assert tradeoff_of(parallel([left, right])) <= minimum([tradeoff_of(left), tradeoff_of(right)])


def test_parallel_keeps_the_labels_of_the_inputs_and_no_outputs():
    """Input labels on which all agree stay; outputs become pairs and lose theirs; of one channel all stay."""
    first = Channel([["1/2", "1/2"], ["1", "0"]], ["a", "b"], ["y", "n"])
    assert parallel([first]) == first
    assert parallel([first, first]).inputs == ("a", "b")
    assert parallel([first, first]).outputs is None
    assert parallel([first, HALVES]).inputs is None


def test_parallel_states_its_limits():
    """No channel, unequal rows, too many columns and too many digits are refused before any work."""
    with pytest.raises(InputError, match="at least one channel"):
        parallel([])
    with pytest.raises(InputError, match=r"channels\[1\]: expected 2 rows as in channels\[0\], got 3 rows"):
        parallel([HALVES, Channel([["1"], ["1"], ["1"]])])
    with pytest.raises(LimitError, match="at most 8 columns, got a product of 16"):
        parallel([HALVES] * 4, max_columns=8)
    with pytest.raises(LimitError, match=r"got a product of more than 10\^20"):
        parallel([HALVES] * 100_000)
    fine = Channel([[mpq(1, 10**30_000), 1 - mpq(1, 10**30_000)], ["1/2", "1/2"]])
    with pytest.raises(LimitError, match="bits in all"):
        parallel([fine] * 16)


@given(alphas(), families(2).filter(lambda family: len(family) > 1))
def test_visible_choice_sets_both_tables_side_by_side(r, channels):
    """Columns r·left, then (1 - r)·right, also for r = 0 and 1."""
    left, right = channels
    weight = Fraction(int(r.numerator), int(r.denominator))
    expected = [
        [weight * a for a in p] + [(1 - weight) * b for b in q] for p, q in zip(left.matrix, right.matrix, strict=True)
    ]
    assert table(visible(r, left, right)) == expected


@given(alphas(), two_row_channels(4), two_row_channels(4))
def test_visible_choice_is_hidden_once_the_coin_is_forgotten(r, left, right):
    """⊕ ⊑ ⊞ with the columns made equally many; at r = 1 the choice is left, at r = 0 right."""
    width = max(left.shape[1], right.shape[1])
    left, right = (Channel([[*row, *[0] * (width - len(row))] for row in c.rows]) for c in (left, right))
    assert refines(visible(r, left, right), hidden(r, left, right))
    assert equivalent(visible(r, left, right), visible(1 - r, right, left))
    assert equivalent(visible(mpq(1), left, right), left)
    assert hidden(mpq(1), left, right).rows == left.rows
    assert hidden(mpq(0), left, right).rows == right.rows


@given(two_row_channels(3), two_row_channels(3), two_row_channels(3), alphas())
def test_parallel_distributes_over_visible_choice(left, right, other, r):
    """(A ⊕_r B) ∥ C ≡ (A ∥ C) ⊕_r (B ∥ C)."""
    assert equivalent(
        parallel([visible(r, left, right), other]), visible(r, parallel([left, other]), parallel([right, other]))
    )


labels = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4, unique=True)


@given(alphas(), labels, labels, st.data())
def test_hidden_choice_adds_what_has_one_label(r, first, second, data):
    """Columns: left's labels, then those that only right has; a missing label counts as a zero column."""
    left, right = (Channel(data.draw(stochastic(2, len(names))), None, names) for names in (first, second))
    mixed = hidden(r, left, right)
    names = first + [label for label in second if label not in first]
    assert mixed.outputs == tuple(names)
    for x in range(2):
        found = {label: r * v for label, v in zip(first, left.rows[x], strict=True)}
        for label, v in zip(second, right.rows[x], strict=True):
            found[label] = found.get(label, 0) + (1 - r) * v
        assert list(mixed.rows[x]) == [found[label] for label in names]


def test_hidden_choice_matches_columns_one_way_or_not_at_all():
    """By position needs equal widths, by label needs labels on both; matched_columns tells the places."""
    labelled = Channel(HALVES.rows, None, ["a", "b"])
    with pytest.raises(InputError, match=r"^right\.outputs: expected output labels on both channels or on none"):
        hidden(mpq(1, 2), labelled, HALVES)
    with pytest.raises(InputError, match=r"^left\.outputs: "):
        hidden(mpq(1, 2), HALVES, labelled)
    with pytest.raises(InputError, match=r"^right: expected 2 columns as in left, got 1 columns"):
        hidden(mpq(1, 2), HALVES, ONE_COLUMN)
    with pytest.raises(InputError, match=r"^right: expected 2 rows as in left, got 1 rows"):
        hidden(mpq(1, 2), HALVES, Channel([["1/2", "1/2"]]))
    assert matched_columns(labelled, Channel([["1", "0"]] * 2, None, ["c", "a"])) == (("a", "b", "c"), [2, 0])
    assert matched_columns(HALVES, IDENTITY) == (None, [0, 1])


@pytest.mark.parametrize("operator", [visible, hidden])
@pytest.mark.parametrize("r", [mpq(-1, 2), mpq(3, 2), 1 + mpq(1, 2**200)])
def test_a_weight_outside_the_unit_interval_is_refused(operator, r):
    """By a hair's breadth too."""
    with pytest.raises(InputError, match=r"^r: expected a weight between 0 and 1"):
        operator(r, HALVES, HALVES)


@given(many_row_channels(1, 3), st.data())
def test_processing_is_the_matrix_product(channel, data):
    """P·M and M·W entry by entry; labels of what is replaced are dropped."""
    rows, columns = channel.shape
    before, prior = data.draw(witnesses(columns)), data.draw(stochastic(2, rows))
    processed = post_process(channel, before)
    for x, row in enumerate(channel.rows):
        for z in range(len(before[0])):
            assert processed.rows[x][z] == sum(row[y] * before[y][z] for y in range(columns))
    mixed = pre_process(prior, channel)
    assert mixed.shape == (2, columns)
    for x in range(2):
        for y in range(columns):
            assert mixed.rows[x][y] == sum(prior[x][i] * channel.rows[i][y] for i in range(rows))


@given(two_row_channels(4), st.data())
def test_post_processing_leaks_no_more(channel, data):
    """M ⊑ M·W."""
    assert refines(channel, post_process(channel, data.draw(witnesses(channel.shape[1]))))


@given(two_row_channels(4), alphas(), alphas())
def test_pre_processing_of_positive_determinant_raises_the_curve(channel, a, b):
    """T(M) <= T(P·M) if det P >= 0; otherwise that holds of M with its rows exchanged."""
    a, b = min(a, b), max(a, b)
    forward = ((1 - a, a), (1 - b, b))
    assert tradeoff_of(channel) <= tradeoff_of(pre_process(forward, channel))
    assert tradeoff_of(channel.swapped()) <= tradeoff_of(pre_process(forward[::-1], channel))


def test_processing_keeps_the_labels_that_still_mean_something():
    """Pre-processing keeps outputs, post-processing keeps inputs."""
    channel = Channel(HALVES.rows, ["D0", "D1"], ["a", "b"])
    swap = IDENTITY.rows[::-1]
    assert (pre_process(swap, channel).inputs, pre_process(swap, channel).outputs) == (None, ("a", "b"))
    assert (post_process(channel, swap).inputs, post_process(channel, swap).outputs) == (("D0", "D1"), None)


@pytest.mark.parametrize(
    ("matrix", "place"),
    [
        (((mpq(1),), (mpq(1),)), ""),
        (((mpq(1), mpq(0)), (mpq(1, 2), mpq(1, 3))), "[1]"),
        (((mpq(1), mpq(0)), (mpq(3, 2), mpq(-1, 2))), "[1][1]"),
    ],
)
def test_a_processor_of_the_wrong_shape_or_mass_is_refused(matrix, place):
    """With its place in the matrix."""
    narrow = Channel([["1/2", "1/2", "0"], ["0", "1/2", "1/2"]]) if not place else HALVES
    with pytest.raises(InputError) as caught:
        post_process(narrow, matrix)
    assert caught.value.where == f"post{place}"
    with pytest.raises(InputError) as caught:
        pre_process(matrix, HALVES)
    assert caught.value.where == f"pre{place}"


def test_sizes_are_written_out_up_to_twenty_digits():
    """A size of a million digits must not become text."""
    assert size_text(10**20 - 1) == "99999999999999999999"
    assert size_text(10**1_000_000) == "more than 10^20"


def test_one_column_and_zero_entries_by_hand():
    """The smallest channels through every operator."""
    assert parallel([ONE_COLUMN, ONE_COLUMN]) == ONE_COLUMN
    assert parallel([IDENTITY, IDENTITY]) == Channel([["1", "0", "0", "0"], ["0", "0", "0", "1"]])
    assert visible(mpq(0), IDENTITY, ONE_COLUMN) == Channel([["0", "0", "1"], ["0", "0", "1"]])
    assert canonical(hidden(mpq(1, 2), IDENTITY, Channel([["0", "1"], ["1", "0"]]))) == ONE_COLUMN
