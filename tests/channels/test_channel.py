"""Channels: what makes one, what is refused and how, and their basic views."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from gmpy2 import mpq

from oracle.channels import channel as module
from oracle.channels.channel import (
    Channel,
    common_denominator,
    parse_channel,
    parse_labels,
    parse_matrix,
    require_full,
    require_two_rows,
)
from oracle.errors import InputError, LimitError
from oracle.exact import from_binary64

WARNER = Channel([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["yes", "no"], outputs=["say yes", "say no"])

BAD_MATRICES = [
    (
        [["1/2", "1/3"], ["1/2", "1/2"]],
        "matrix[0]: expected a row that sums to 1, got a sum of 5/6, which misses 1 by 1/6",
    ),
    ([["1"], ["1.0000000000000000000001"]], "matrix[1]: expected a row that sums to 1, got a sum of"),
    (
        [["1/2", "1/2"], ["2/3", "2/3"]],
        "matrix[1]: expected a row that sums to 1, got a sum of 4/3, which exceeds 1 by 1/3",
    ),
    ([["0", "0"], ["1", "0"]], "matrix[0]: expected a row that sums to 1, got a sum of 0, which misses 1 by 1"),
    ([["3/2", "-1/2"], ["1", "0"]], "matrix[0][1]: expected a probability at least 0, got -1/2"),
    ([["1", "0"], ["nan", "1"]], 'matrix[1][0]: expected a finite number, got "nan"'),
    ([["1", "0"], ["inf", "0"]], 'matrix[1][0]: expected a finite number, got "inf"'),
    ([["1", "0"], ["1"]], "matrix[1]: expected 2 columns as in row 0, got 1"),
    ([["1"], ["1", "0"]], "matrix[1]: expected 1 columns as in row 0, got 2"),
    ([], "matrix: expected a list of at least one row, got []"),
    ([[], []], "matrix[0]: expected at least one column, got an empty row"),
    ([["1"], []], "matrix[1]: expected at least one column, got an empty row"),
    ([["50%", "50%"], ["1", "0"]], "no % sign: write 1/2 for 50%"),
    ([[0.5, 0.5], ["1", "0"]], "matrix[0][0]: expected the number as a string"),
    ([[None], ["1"]], "matrix[0][0]: expected a number such as"),
    ([["1" * 100_001]], "matrix[0][0]: expected a number of at most 100000 digits"),
    (["10", "01"], "matrix[0]: expected a row as a list of numbers, got 10"),
    ([1, 2], "matrix[0]: expected a row as a list of numbers, got 1"),
    ([{"a": 1}], "matrix[0]: expected a row as a list of numbers"),
    ("10", "matrix: expected a list of at least one row, got 10"),
    (None, "matrix: expected a list of at least one row, got null"),
    ({"matrix": []}, "matrix: expected a list of at least one row"),
]


@pytest.mark.parametrize(("rows", "message"), BAD_MATRICES, ids=lambda v: v[:40] if isinstance(v, str) else None)
def test_a_bad_matrix_is_refused_with_its_place_from_python_and_from_json(rows: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Channel(rows)
    assert message in str(caught.value)
    with pytest.raises(InputError) as caught:
        parse_channel({"matrix": rows}, "args.channel")
    assert message.replace("matrix", "args.channel.matrix") in str(caught.value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([["1"]], 'args.channel: expected a channel {"matrix": [[...], [...]]}, got'),
        ("x", "args.channel: expected a channel"),
        ({}, 'args.channel: expected the key "matrix", got none'),
        ({"rows": []}, 'args.channel: expected only the keys matrix, inputs, outputs, got the key "rows"'),
        ({"matrix": [["1"]], "inputs": ["a", "b"]}, "args.channel.inputs: expected a list of 1 labels, got 2"),
        ({"matrix": [["1"]], "outputs": "a"}, "args.channel.outputs: expected a list of 1 labels, got a"),
        ({"matrix": [["1"]], "outputs": [1]}, "args.channel.outputs[0]: expected a label as text, got 1"),
        (
            {"matrix": [["1/2", "1/2"]], "outputs": ["a", "a"]},
            'args.channel.outputs: expected distinct labels, got "a" at 0 and 1',
        ),
    ],
)
def test_a_bad_channel_document_is_refused_with_its_place(value: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_channel(value, "args.channel")
    assert message in str(caught.value)


@pytest.mark.parametrize("label", ["a\nb", "\x1b[31m", "\x00", "\x7f", "\x9b", "\ud800"])
def test_a_label_with_a_control_character_is_refused(label: str) -> None:
    with pytest.raises(InputError, match=r"outputs\[1\]: expected a label without control characters"):
        Channel([["1/2", "1/2"]], outputs=["a", label])


@pytest.mark.parametrize("label", ["<b>x</b>", "a|b", "{{x}}", "", "ü", "\u2028", '"quoted"'])
def test_markup_in_a_label_is_data(label: str) -> None:
    assert Channel([["1/2", "1/2"]], outputs=["a", label]).outputs == ("a", label)


def test_labels_are_optional() -> None:
    assert parse_labels(None, 3, "inputs") is None
    assert parse_labels(("a", "b"), 2, "inputs") == ("a", "b")


def test_every_exact_type_may_stand_in_a_matrix() -> None:
    rows = [["1/2", "0.25", "0x1p-2"], [Fraction(1, 2), mpq(1, 2), 0]]
    assert Channel(rows) == Channel([["1/2", "1/4", "1/4"], ["1/2", "1/2", "0"]])
    assert Channel(tuple(iter(row) for row in rows)) == Channel(rows)
    assert Channel(np.eye(2, dtype=int)) == Channel([["1", "0"], ["0", "1"]])


def test_the_views_of_a_channel() -> None:
    channel = Channel([["1/2", "1/3", "1/6"], ["1/5", "4/5", "0"]])
    assert channel.shape == (2, 3)
    assert channel.scale == 30
    assert channel.numerators == ((15, 10, 5), (6, 24, 0))
    assert channel.masses == (1, 1)
    assert channel.matrix[0] == (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
    assert channel.rows[1] == (mpq(1, 5), mpq(4, 5), mpq(0))


def test_equality_is_of_probabilities_and_labels() -> None:
    assert Channel([["2/4", "1/2"]]) == Channel([["0.5", "0.5"]])
    assert hash(Channel([["2/4", "1/2"]])) == hash(Channel([["0.5", "0.5"]]))
    assert Channel([["1"]], inputs=["a"]) != Channel([["1"]])
    assert Channel([["1"]]) != "1"


def test_swapping_exchanges_rows_with_their_labels() -> None:
    swapped = WARNER.swapped()
    assert swapped.rows == WARNER.rows[::-1]
    assert swapped.inputs == ("no", "yes")
    assert swapped.outputs == WARNER.outputs
    assert swapped.swapped() == WARNER
    assert Channel([["1", "0"], ["1/2", "1/2"]]).swapped() == Channel([["1/2", "1/2"], ["1", "0"]])


def test_a_pair_of_rows_keeps_labels() -> None:
    three = Channel([["1", "0"], ["1/2", "1/2"], ["0", "1"]], inputs=["a", "b", "c"])
    assert three.pair(2, 0) == Channel([["0", "1"], ["1", "0"]], inputs=["c", "a"])


def test_the_json_of_a_channel_has_labels_only_where_it_has_them() -> None:
    assert Channel([["0.5", "0.5"]]).to_json() == {"matrix": [["1/2", "1/2"]]}
    assert parse_channel(WARNER.to_json()) == WARNER


def test_the_hash_leaves_labels_out() -> None:
    assert WARNER.hash == Channel(WARNER.rows).hash
    assert WARNER.hash != WARNER.swapped().hash
    assert len(WARNER.hash) == 64


def test_partial_rows_have_a_mass_in_0_1() -> None:
    assert Channel([["1/2", "1/4"], ["1/3", "0"]], partial=True).masses == (mpq(3, 4), mpq(1, 3))
    for row in (["0"], ["3/2"]):
        with pytest.raises(InputError, match="a row that sums to 1"):
            Channel([row, ["1"]], partial=True)


def test_partial_channels_are_refused_where_full_ones_are_needed() -> None:
    require_full(WARNER)
    with pytest.raises(
        InputError, match=r"left\[1\]: expected rows that sum to 1 \(a full channel\), got a mass of 1/2"
    ):
        require_full(Channel([["1"], ["1/2"]], partial=True), "left")


def test_two_rows_are_needed_where_there_is_a_pair() -> None:
    require_two_rows(WARNER)
    for rows in ([["1"]], [["1"]] * 3):
        with pytest.raises(InputError, match=f"expected two rows \\(P and Q\\), got {len(rows)} rows"):
            Channel(rows).swapped()


def test_the_common_denominator_is_the_least() -> None:
    assert common_denominator([mpq(1, 4), mpq(1, 6), mpq(3)]) == 12
    assert common_denominator([]) == 1


def test_a_channel_whose_entries_explode_over_their_common_denominator_is_beyond_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_SCALED_BITS", 100)
    rows = [[mpq(1, 2**61 - 1), 1 - mpq(1, 2**61 - 1)], ["1/2", "1/2"]]
    with pytest.raises(LimitError) as caught:
        Channel(rows)
    assert str(caught.value) == (
        "matrix: expected a channel of at most 100 bits in all, got 2 x 2 entries with a common denominator of 62 bits"
    )


def test_a_matrix_need_not_be_stochastic() -> None:
    assert parse_matrix([["2", "-1"]], "gain") == ((mpq(2), mpq(-1)),)


def test_the_representation_can_be_read_back() -> None:
    channel = Channel([["1/2", "1/2"], ["0", "1"]])
    assert eval(repr(channel)) == channel  # noqa: S307 - our own text
    assert repr(Channel([["1/20"] * 20])) == "<Channel 1 x 20>"


@pytest.mark.parametrize(
    ("row", "advised"),
    [
        (["0.1", "0.2", "0.7000000000000001"], True),
        ([str(from_binary64(x)) for x in (0.1, 0.2, 0.3, 0.4)], True),
        (["1/3", "2/3", "1e-20"], False),
        (["1/2", "1/4"], False),
        (["0.5", "0.4999"], False),
    ],
)
def test_row_of_doubles_is_advised(row, advised):
    """Only entries that came from doubles, and a sum that misses 1 by their rounding."""
    with pytest.raises(InputError) as error:
        Channel([row, row])
    assert ("(doubles rarely sum to 1 exactly: give exact weights" in str(error.value)) is advised
