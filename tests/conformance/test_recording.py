"""What a result event holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from oracle.conformance.forms import Form
from oracle.conformance.protocol import Reply, read_hello
from oracle.conformance.recording import BOUND_FLAG, Recorder, Settings
from tests.conformance.small_suite import small_suite

SUITE = small_suite()
HELLO = read_hello({"name": "lib", "version": "1", "ops": ["delta"], "claims": "upper"})


def recorded(reply: Reply) -> dict[str, Any]:
    events: list[dict[str, Any]] = []
    case = SUITE.cases["delta/e2"]
    Recorder(SUITE, Settings(), events.append).result(case, HELLO, Form(case.args, binary64=False), reply)
    return events[-1]


def test_a_failure_has_its_question_and_truth_and_a_pass_has_not() -> None:
    """So a committed stream stays small."""
    failed = recorded(Reply("value", "0"))
    assert (failed["verdict"], failed["truth"], failed["args"]["exp_epsilon"]) == ("unsound", {"exact": "1/4"}, "2")
    passed = recorded(Reply("value", "1/4"))
    assert passed["verdict"] == "exact"
    assert "args" not in passed
    assert (passed["claim"], passed["form"], passed["topic"]) == ("upper", "rational", "delta/tables.json")


def test_below_the_bound_of_a_theorem_is_not_called_unsound() -> None:
    """A library that knows more of the mechanism may be below the bound; above it nothing changes."""
    events: list[dict[str, Any]] = []
    case = replace(SUITE.cases["delta/e2"], flags=(BOUND_FLAG,))
    for value in ("0", "1/4"):
        reply = Reply("value", value)
        Recorder(SUITE, Settings(), events.append).result(case, HELLO, Form(case.args, binary64=False), reply)
    assert [event["verdict"] for event in events] == ["inconclusive", "exact"]
    assert "theorem" in events[0]["reason"]


def test_a_very_long_answer_is_cut() -> None:
    """Ten megabytes of digits do not fill the stream; the verdict is on the whole."""
    event = recorded(Reply("value", "1" * 10_000_000))
    assert event["verdict"] == "errored"
    assert len(event["answer"]) < 3000
    assert "10000000 characters" in event["answer"]


def test_the_header_tells_how_the_run_is_judged() -> None:
    """Suite, hash, oracle, subject, platform, settings, flags, time."""
    events: list[dict[str, Any]] = []
    Recorder(SUITE, Settings(strict=True), events.append).header(HELLO, 3)
    header = events[0]
    assert (header["suite"], header["manifest"], header["offered"]) == ("2026.12", "0" * 64, 3)
    assert header["settings"]["strict"]
    assert header["settings"]["rounding"] == "1e-9"
    assert header["notes"]["Dyadic"]["kind"] == "soundness"
    assert header["subject"]["name"] == "lib"
    assert header["started"].endswith("+00:00")


def test_an_incomplete_stream_says_so() -> None:
    """Its footer has exit 3 unless there are findings."""
    events: list[dict[str, Any]] = []
    Recorder(SUITE, Settings(), events.append).footer(0.5, complete=False)
    assert (events[0]["complete"], events[0]["exit"]) == (False, 3)
