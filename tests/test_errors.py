"""Errors carry their facts and are built-in errors too."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from gmpy2 import mpq, mpz

from oracle.errors import (
    Declined,
    IncompleteError,
    InputError,
    LimitError,
    MissingExtraError,
    OracleError,
    UncertifiedError,
    UndecidedError,
    shorten,
)


def test_an_input_error_says_place_expectation_and_what_came() -> None:
    error = InputError("a number", [1], "args.values[0]")
    assert str(error) == "args.values[0]: expected a number, got [1]"
    assert (error.expected, error.got, error.where) == ("a number", "[1]", "args.values[0]")


def test_an_input_error_without_a_place_starts_with_the_expectation() -> None:
    assert str(InputError("a number", "none")) == "expected a number, got none"


def test_each_error_is_an_oracle_error_and_the_built_in_it_resembles() -> None:
    kinds = [
        (InputError("a", "b"), ValueError),
        (LimitError("a", "b"), InputError),
        (UndecidedError("x < y", 64), ArithmeticError),
        (MissingExtraError("plots", "report"), ImportError),
        (Declined("not offered"), Exception),
    ]
    for error, kind in kinds:
        assert isinstance(error, OracleError)
        assert isinstance(error, kind)


def test_undecided_names_its_precision() -> None:
    error = UndecidedError("x < y", 4096)
    assert (error.question, error.bits) == ("x < y", 4096)
    assert str(error) == "x < y: undecided at 4096 bits"


def test_a_missing_extra_names_the_command_that_installs_it() -> None:
    error = MissingExtraError("plots", "report")
    assert error.extras == ("report",)
    install = "pip install '.[report]' in a checkout, or pip install 'fdp-oracle[report]'"
    assert str(error) == f"plots needs the extra 'report': {install}"


def test_two_missing_extras_are_installed_by_one_command() -> None:
    error = MissingExtraError("plots", "conformance", "report")
    assert "needs the extras 'conformance' and 'report': pip install '.[conformance,report]'" in str(error)


def test_a_long_value_is_cut_and_its_length_stated() -> None:
    assert shorten("a" * 80) == "a" * 80
    assert shorten("a" * 81) == "a" * 80 + "... (81 characters)"
    assert shorten([0] * 100).endswith("...")


def test_unprintable_characters_are_escaped() -> None:
    assert shorten("a\nb\x1b[31m\ud800") == "a\\nb\\x1b[31m\\ud800"


@pytest.mark.parametrize(
    "value", [10**5000, -(10**5000), Fraction(1, 10**5000), mpz(10) ** 5000, mpq(10) ** 5000], ids=range(5)
)
def test_a_number_of_any_length_is_shown_by_its_first_digits(value) -> None:
    """The interpreter refuses to write integers of more than 4,300 digits; a message must not fail over them."""
    shown = shorten(value)
    assert shown.endswith("...")
    assert shown.strip("-.").replace("1/", "") in ("1" + "0" * 79, "1" + "0" * 78, "1" + "0" * 77)


@pytest.mark.parametrize("value", [[10**5000], {"a": (10**5000,)}, {(1, 2): 3}], ids=range(3))
def test_what_cannot_be_shown_is_described(value) -> None:
    assert shorten(value) == f"a value of type {type(value).__name__} that is too long or deep to show"


def test_a_circle_is_described() -> None:
    circle: list[object] = []
    circle.append(circle)
    assert shorten(circle) == "a value of type list that is too long or deep to show"


def test_values_of_json_are_shown_in_its_words() -> None:
    assert [shorten(value) for value in (None, True, [None, False, "a"])] == ["null", "true", '[null, false, "a"]']


@pytest.mark.parametrize(
    "error",
    [
        Declined("not offered"),
        IncompleteError("the cluster is gone"),
        InputError("a number", [1], "args.values[0]"),
        LimitError("at most 5", 6),
        MissingExtraError("--dask", "cluster"),
        UncertifiedError(True, "a reason"),
        UndecidedError("x < y", 64),
    ],
)
def test_an_error_is_the_same_after_a_way_between_processes(error: OracleError) -> None:
    """Its kind, its message and its facts."""
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert (type(again), str(again), again.args, vars(again)) == (type(error), str(error), error.args, vars(error))
