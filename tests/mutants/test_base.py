"""A mutant answers as the engine does but for its one fault."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from tests.mutants.base import Engine, Mutant, Untouched, double, epsilon_double, mutant, said, table, walk
from tests.mutants.catalogue import CATALOGUE

WARNER = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
QUESTION = {"channel": WARNER, "exp_epsilon": "2"}
BY_NAME = {one.name: one for one in CATALOGUE}


@pytest.fixture
def engine() -> Engine:
    return Engine()


def test_a_fault_that_has_no_part_in_a_question_gives_no_answer(engine: Engine) -> None:
    """Another operation, or nothing to change."""
    assert BY_NAME["six-digits-printed"].reply(engine, "refines", {"left": WARNER, "right": WARNER}) is None
    assert BY_NAME["sensitivity-ignored"].reply(engine, "delta", QUESTION) is None
    assert BY_NAME["one-run-less"].reply(engine, "delta", QUESTION) is None


def test_an_exception_of_a_fault_is_an_error(engine: Engine) -> None:
    """As a library would raise it."""
    reply = BY_NAME["exponential-raises"].reply(engine, "delta", {"channel": WARNER, "epsilon": "1000"})
    assert reply is not None
    assert (reply.kind, reply.message) == ("error", "OverflowError: math range error")


def test_the_fault_is_the_answer(engine: Engine) -> None:
    """Delta at e^epsilon = 2 is 3/4 - 2/4 = 1/4; the mutants see other numbers."""
    assert engine.value("delta", QUESTION) == "1/4"
    told = {name: BY_NAME[name].reply(engine, "delta", QUESTION) for name in ("no-positive-part", "grid-mass-added")}
    assert told["grid-mass-added"].value == "125000001/500000000"
    assert told["no-positive-part"].value.startswith("-")
    assert BY_NAME["half-of-absolute-differences"].reply(engine, "delta", QUESTION).value == "3/4"


def test_a_name_is_that_of_the_function() -> None:
    """With hyphens."""

    @mutant("a family", "a summary", "delta")
    def some_fault(engine: Engine, op: str, args: object) -> str:  # noqa: ARG001 - never asked
        return "0"

    assert isinstance(some_fault, Mutant)
    assert (some_fault.name, some_fault.ops) == ("some-fault", ("delta",))


def test_a_float_is_its_exact_value_and_no_number_is_zero() -> None:
    """As a careless clip makes it."""
    assert said(0.5) == "1/2"
    assert said(float("nan")) == "0"
    assert said(float("-inf")) == "-inf"
    assert (double("1/3"), double("inf")) == (1 / 3, float("inf"))


def test_a_level_is_read_in_every_form() -> None:
    """As epsilon in doubles."""
    assert epsilon_double({"exp_epsilon": "1"}) == epsilon_double({"epsilon": "log(1)"}) == 0
    assert epsilon_double({"epsilon": "1/2"}) == 0.5
    assert epsilon_double({"exp_epsilon": "inf"}) == float("inf")


def test_a_table_has_two_rational_rows() -> None:
    """Everything else is not touched."""
    assert table(WARNER) == ([mpq(3, 4), mpq(1, 4)], [mpq(1, 4), mpq(3, 4)])
    for channel in ({"mechanism": "gaussian", "sigma": "1"}, {"matrix": [["1"], ["1"], ["1"]]}, {"matrix": [["2"]]}):
        with pytest.raises(Untouched):
            table(channel)


def test_walking_changes_inner_mechanisms_first() -> None:
    """And leaves everything else as it is."""
    seen = []
    node = {"channel": {"mechanism": "repeat", "times": 2, "of": {"mechanism": "laplace", "scale": "1"}}, "delta": "0"}
    assert walk(node, lambda one: seen.append(one["mechanism"]) or one) == node
    assert seen == ["laplace", "repeat"]


def test_a_scale_is_found_by_bisection(engine: Engine) -> None:
    """Laplace noise of scale 1 is 1-DP, and of no smaller scale."""
    args = {"channel": {"mechanism": "laplace", "scale": "?"}, "field": "scale", "epsilon": "1", "delta": "0"}
    least = engine.number("calibrate", args)
    assert 1 <= least < 1 + 1 / 10**12
