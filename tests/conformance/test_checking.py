"""The whole suite in one call of a test."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

import oracle.conformance
from oracle.answers import OPS, answer
from oracle.conformance import check_conformance
from oracle.conformance.cases import installed_suite
from oracle.conformance.checking import failing_events, failure_table, failures_to_know, run_in_process
from oracle.conformance.known import known_text
from oracle.conformance.runs import Settings
from oracle.errors import Declined, InputError
from tests.conformance.small_suite import small_suite


def engine_op(op: str) -> object:
    """The engine's answer to one op, as a method of an object."""

    def method(**args: object) -> object:
        found = answer({"id": "x", "op": op, "args": args})
        if "declined" in found:
            raise Declined(found["declined"])
        if "error" in found:
            raise InputError("a question", found["error"])
        return found["value"]

    return method


ENGINE = SimpleNamespace(**{op: engine_op(op) for op in OPS if op != "hello"}, claims="exact")
ZERO = SimpleNamespace(delta=lambda **_: "0", claims="upper")


def test_the_engine_passes_the_installed_suite() -> None:
    """As an object with a method for each op."""
    check_conformance(ENGINE)


def test_failures_raise_with_a_table(tmp_path: Path) -> None:
    """It has the case, the verdict and the gap, and a known-failures file silences it."""
    with pytest.raises(AssertionError) as caught:
        check_conformance(ZERO, ["delta"])
    text = str(caught.value)
    assert "findings" in text
    assert "unsound" in text
    assert "and " in text
    assert "more" in text
    events = run_in_process(ZERO, installed_suite(), None, Settings(ops=("delta",)), None)
    path = tmp_path / "dp-oracle.toml"
    path.write_text(known_text(installed_suite().version, failures_to_know(events)), encoding="utf-8")
    check_conformance(ZERO, ["delta"], path)
    check_conformance(ZERO, ["delta"], str(path))


def test_an_unknown_op_is_refused() -> None:
    """The message names those of the suite."""
    with pytest.raises(InputError, match="delta"):
        check_conformance(ENGINE, ["deltas"])


def test_the_table_names_what_changed() -> None:
    """Failing events are those that are findings under the settings."""
    events = run_in_process(ZERO, small_suite(), None, Settings(), None)
    assert [event["case"] for event in failing_events(events)] == ["delta/e1", "delta/e2", "delta/log2"]
    assert "delta/e1" in failure_table(events)


def test_the_package_offers_the_call_and_nothing_else() -> None:
    """It is loaded when asked for."""
    assert oracle.conformance.check_conformance is check_conformance
    with pytest.raises(AttributeError):
        _ = oracle.conformance.no_such_name
