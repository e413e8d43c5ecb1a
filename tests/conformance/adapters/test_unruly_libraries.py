"""A library that crashes, leaks, prints or changes its mind is isolated by the pipe, and each question is its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from oracle.conformance.adapters.libraries import serving_command
from oracle.conformance.pipes import Piped
from oracle.conformance.protocol import Reply, request

TARGET = "unruly_library:ADAPTER"


@pytest.fixture
def unruly(monkeypatch: pytest.MonkeyPatch) -> Iterator[Piped]:
    root = Path(__file__).parents[3]
    monkeypatch.setenv("PYTHONPATH", f"{root}:{Path(__file__).parent}")
    subject = Piped(serving_command(TARGET), 20)
    yield subject
    subject.close()


def ask(subject: Piped, exp_epsilon: str) -> Reply:
    args = {"channel": {"matrix": [["1"], ["1"]]}, "exp_epsilon": exp_epsilon}
    return subject.ask(request("q", "delta", args))


@pytest.mark.parametrize(("exp_epsilon", "kind", "message"), [("2", "crashed", "SIGSEGV"), ("7", "crashed", "SIGKILL")])
def test_a_crash_is_of_its_question(unruly: Piped, exp_epsilon: str, kind: str, message: str) -> None:
    """The signal is told, and the next question finds a library that answers."""
    found = ask(unruly, exp_epsilon)
    assert (found.kind, message in found.message) == (kind, True)
    assert ask(unruly, "1").value == "1/2"


def test_a_leak_ends_in_an_error_of_its_question(unruly: Piped) -> None:
    """Out of memory in its own process, and no failure of ours."""
    found = ask(unruly, "3")
    assert found.kind in ("error", "crashed")
    assert found.kind == "crashed" or "MemoryError" in found.message


def test_what_it_prints_is_no_answer(unruly: Piped) -> None:
    """By Python or by C, with the right id, and warnings go to the log."""
    assert ask(unruly, "4").value == "1/2"
    assert ask(unruly, "5").value == "1/2"


def test_an_answer_that_changes_is_told_as_it_comes(unruly: Piped) -> None:
    """Each answer is judged by itself; nothing is remembered for the library."""
    assert [ask(unruly, "6").value for _ in range(3)] == ["1", "2", "3"]


def test_another_python_without_this_package_is_an_adapter_that_cannot_be_asked() -> None:
    """It ends at once, with what it said."""
    subject = Piped([sys.executable, "-I", "-S", *serving_command(TARGET)[1:]], 20)
    try:
        found = ask(subject, "1")
    finally:
        subject.close()
    assert (found.kind, "No module named" in found.message) == ("crashed", True)
