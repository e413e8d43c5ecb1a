"""A Python object behind the pipe."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from oracle.conformance.pipes import Piped
from oracle.conformance.protocol import AdapterError, request
from tests.cli.process import ENVIRONMENT

MODULE = """
import os
from fractions import Fraction

class Library:
    claims = "exact"
    def delta(self, channel, exp_epsilon=None, epsilon=None):
        print("loading")
        os.system("echo from another process")
        if channel == "crash":
            os._exit(5)
        if channel == "nan":
            return float("nan")
        return Fraction(1, 4)

LIBRARY = Library()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "my_library.py").write_text(MODULE, encoding="utf-8")
    return tmp_path


def test_the_protocol_has_standard_output_to_itself(folder: Path) -> None:
    """What the object and its children print arrives on stderr."""
    lines = [request("h", "hello", {}), request("a", "delta", {"channel": "x"}), request("b", "mu", {})]
    done = subprocess.run(
        [sys.executable, "-m", "oracle.conformance.serving", "my_library:LIBRARY"],
        input="".join(json.dumps(line) + "\n" for line in lines) + "no json\n[]\n",
        capture_output=True,
        text=True,
        cwd=folder,
        env=ENVIRONMENT,
        check=True,
    )
    hello, delta, mu, noise, listed = map(json.loads, done.stdout.splitlines())
    assert hello["value"]["claims"] == "exact"
    assert delta == {"id": "a", "value": "1/4"}
    assert "declined" in mu
    assert (noise["id"], listed["id"]) == (None, None)
    assert "loading" in done.stderr
    assert "from another process" in done.stderr


def test_a_crash_of_the_object_is_a_crash_of_the_question(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """os._exit ends the process of the object alone."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])
    subject = Piped([sys.executable, "-m", "oracle.conformance.serving", "my_library:LIBRARY"], 20)
    try:
        assert subject.hello().ops == ("delta",)
        assert subject.ask(request("a", "delta", {"channel": "crash"})).kind == "crashed"
        assert subject.ask(request("b", "delta", {"channel": "x"})).value == "1/4"
    finally:
        subject.close()


def test_what_is_no_answer_is_told_from_a_refusal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NaN returned by the object is malformed on the other side of the pipe too; a missing argument is an error."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])
    subject = Piped([sys.executable, "-m", "oracle.conformance.serving", "my_library:LIBRARY"], 20)
    try:
        found = [subject.ask(request(name, "delta", args)) for name, args in (("a", {"channel": "nan"}), ("b", {}))]
        assert [(reply.kind, reply.malformed) for reply in found] == [("error", True), ("error", False)]
    finally:
        subject.close()


def test_a_name_that_is_none_is_a_fault_of_the_adapter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason arrives through the pipe."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])
    subject = Piped([sys.executable, "-m", "oracle.conformance.serving", "my_library:NOTHING"], 20)
    with pytest.raises(AdapterError, match="NOTHING"):
        subject.hello()
    subject.close()
