"""``oracle emit``: the questions of the suite."""

from __future__ import annotations

import json

from oracle.conformance.cases import installed_suite
from tests.cli.process import run


def test_every_case_is_emitted_once() -> None:
    """After hello and echo, as requests of the protocol."""
    requests = [json.loads(line) for line in run("emit").stdout.splitlines()]
    assert [request["op"] for request in requests[:2]] == ["hello", "echo"]
    assert [request["id"] for request in requests[2:]] == [case.id for case in installed_suite().select()]
    assert all(set(request) == {"id", "op", "args"} for request in requests)


def test_a_selection_and_doubles() -> None:
    """Only the chosen ops and concepts; every number of the binary64 form is a double."""
    chosen = [
        json.loads(line) for line in run("emit", "--op", "mu", "--op", "epsilon", "--concept", "mu").stdout.splitlines()
    ]
    assert {request["op"] for request in chosen[2:]} == {"mu"}
    doubles = [json.loads(line) for line in run("emit", "--op", "delta", "--binary64").stdout.splitlines()][2:]
    assert any(request["id"].endswith("#binary64") for request in doubles)
    assert "log(" not in json.dumps(doubles)


def test_an_unknown_op_or_concept_is_refused() -> None:
    """The message names those of the suite."""
    for option in ("--op", "--concept"):
        done = run("emit", option, "nothing")
        assert done.returncode == 2
        assert option in done.stderr
        assert done.stdout == ""
