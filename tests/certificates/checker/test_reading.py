"""Strict JSON, canonical numbers, indices, fields and the digest."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.certificates.checker import Rejected, reading
from tests.certificates.checker import documents


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"a":1}',
        "1.0",
        "1e3",
        "NaN",
        "Infinity",
        "-Infinity",
        "{} {}",
        "",
        "\ufeff{}",
        "[1,]",
        "-0",
        "01",
        "9" * 600,
    ],
)
def test_json_that_is_not_strict_is_rejected(text):
    """Duplicate keys, floats, constants, trailing text, byte order marks and overlong integers are refused."""
    with pytest.raises(Rejected):
        reading.parse(text)
    with pytest.raises(Rejected):
        reading.parse(text.encode())


@pytest.mark.parametrize("data", [b"\xff\xfe{\x00}\x00", b'"\xc3"', b"\x80", '"é"'.encode("latin-1"), 7, None])
def test_other_encodings_are_rejected(data):
    """Only UTF-8 is read."""
    with pytest.raises(Rejected):
        reading.parse(data)


def test_duplicate_key_search_is_linear():
    """A hundred thousand keys, the last one twice, are refused at once."""
    keys = ",".join(f'"{k}":0' for k in range(100_000))
    with pytest.raises(Rejected, match="duplicate key '99999'"):
        reading.parse("{" + keys + ',"99999":0}')


@given(st.fractions())
def test_canonical_numbers_are_read(value):
    """str(Fraction) is the canonical form."""
    assert reading.number(str(value), "$") == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-0",
        "+1",
        "01",
        "-01",
        "1/1",
        "2/4",
        "0/5",
        "1/0",
        "1/-2",
        "1/02",
        " 1",
        "1 ",
        "1\n",
        "1.0",
        "1e3",
        "inf",
        "١",
        "1_0",
    ],
)
def test_other_numbers_are_rejected(text):
    """Signs, zeros, spaces, decimals, other digits and fractions that are not in lowest terms are refused."""
    with pytest.raises(Rejected):
        reading.number(text, "$")


@pytest.mark.parametrize("value", [1, True, None, 0.5, ["1"], {"1": 1}, Fraction(1)])
def test_numbers_are_strings(value):
    """No other type is a number."""
    with pytest.raises(Rejected):
        reading.number(value, "$")


@given(st.integers(0, 10**6), st.integers(1, 3000))
def test_long_integers_are_assembled(head, zeros):
    """Any number of digits is read, whatever the interpreter's limit."""
    assert reading.integer(f"{head}{'0' * zeros}7") == (head * 10 ** (zeros + 1) + 7)
    assert reading.integer(f"-{head}{'0' * zeros}7") == -(head * 10 ** (zeros + 1) + 7)


def test_a_hundred_thousand_digits_are_quick():
    """A fraction of two numbers of 100,000 digits is read in seconds."""
    assert reading.number("1" + "0" * 100_000 + "/" + "3" * 100_000, "$") > 0


@pytest.mark.parametrize("value", [-1, 3, True, "0", 0.0, None])
def test_index_out_of_range_or_of_another_type_is_rejected(value):
    """An index is a JSON integer from 0 to the bound."""
    with pytest.raises(Rejected):
        reading.index(value, 3, "$")


@pytest.mark.parametrize("value", [[0, 0], [1, 0], [0, 3], [True], "0", None])
def test_event_must_increase_strictly(value):
    """An event has no index twice and none out of order."""
    with pytest.raises(Rejected):
        reading.event(value, 3, "$")


def test_fields_are_closed():
    """Missing and unknown fields are named."""
    assert reading.fields({"a": 1, "b": 2}, ("b", "a"), "$") == {"a": 1, "b": 2}
    with pytest.raises(Rejected, match="missing field 'b'"):
        reading.fields({"a": 1}, ("a", "b"), "$")
    with pytest.raises(Rejected, match="unknown field 'c'"):
        reading.fields({"a": 1, "c": 2}, ("a",), "$")


@pytest.mark.parametrize("value", [(), 1.5, {1: 1}, [{"a": {2}}], 2**70, b"", Fraction(1, 2)])
def test_values_that_json_cannot_hold_are_rejected(value):
    """Only plain JSON values are looked at."""
    with pytest.raises(Rejected):
        reading.require_plain({"a": value})


@pytest.mark.parametrize("digest", ["", "0" * 64, None, 0, "upper"])
def test_wrong_digest_is_rejected(digest):
    """The digest must be the lower-case hash of the rest."""
    document = documents.sealed({"é": ["x"]})
    reading.require_digest(document)
    wrong = document["digest"].upper() if digest == "upper" else digest
    with pytest.raises(Rejected):
        reading.require_digest({**document, "digest": wrong})


def test_lone_surrogate_has_no_digest():
    """Text that UTF-8 cannot hold is rejected, not crashed on."""
    with pytest.raises(Rejected, match="surrogate"):
        reading.require_digest(documents.sealed({"a": "\ud800"}))
