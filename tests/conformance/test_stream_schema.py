"""The JSON Schema of an event, held against runs made here and the committed streams."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from oracle.conformance.answer_laws import Answered, check_laws
from oracle.conformance.known import Known, KnownEntry
from oracle.conformance.protocol import Reply, read_hello
from oracle.conformance.recording import Recorder, Settings
from oracle.conformance.runs import run
from oracle.conformance.subjects import Function, exact_engine
from oracle.fixtures import fixture
from tests.conformance.small_suite import small_suite

SCHEMA = Draft202012Validator(json.loads(fixture("schemas/conformance_stream.schema.json").read_text(encoding="utf-8")))
STREAMS = sorted((Path(__file__).parents[2] / "reports" / "conformance").glob("*/stream.jsonl"))
HELLO = {"name": "lib", "version": "1", "ops": ["delta", "refines"], "claims": {"delta": "nearest:4"}, "language": "C"}


def problems(events: list[dict[str, Any]]) -> list[str]:
    """What the schema has against some events, as they are written."""
    return [
        f"{event['event']}: {error.message[:200]}"
        for event in json.loads(json.dumps(events, default=str))
        for error in SCHEMA.iter_errors(event)
    ]


def test_the_stream_of_an_exact_run() -> None:
    """Header, results, laws and footer."""
    events: list[dict[str, Any]] = []
    run(exact_engine, small_suite(), sink=events.append)
    assert {event["event"] for event in events} >= {"header", "result", "footer"}
    assert problems(events) == []


@pytest.mark.parametrize("value", ["1/3", {"holds": True}, "nan", "1", None, ["a"], "inf"])
def test_the_stream_of_a_wrong_subject(value: Any) -> None:
    """Findings, known failures and mismatches, whatever is answered."""

    def answer(asked: Any) -> dict[str, Any]:
        return {"id": asked["id"], "value": HELLO if asked["op"] == "hello" else value}

    suite = small_suite()
    known = Known(suite.version, tuple(KnownEntry(case, "wrong", "why") for case in list(suite.cases)[:2]))
    events: list[dict[str, Any]] = []
    run(lambda: Function(answer), suite, sink=events.append, known=known)
    assert problems(events) == []


def test_every_other_event() -> None:
    """A run that goes on, warnings with and without a case, broken laws, replies without a value."""
    suite = small_suite()
    events: list[dict[str, Any]] = []
    recorder = Recorder(suite, Settings(strict=True), events.append)
    hello = read_hello(HELLO)
    recorder.header(hello, 3)
    recorder.resume()
    recorder.warning("odd")
    for case, kind in zip(suite.cases.values(), ("declined", "crashed", "timeout"), strict=False):
        recorder.result(case, hello, None, Reply(kind, message="why", warnings=("noise",)))  # type: ignore[arg-type]
    args = {"channel": {"matrix": [["1", "0"], ["0", "1"]]}, "exp_epsilon": "1"}
    for report in check_laws([Answered("a", "delta", "delta", args, "3/2"), Answered("b", "delta", "x", args, "1/2")]):
        recorder.law(report)
    recorder.footer(1.5, complete=False)
    assert {"resume", "warning", "law"} <= {event["event"] for event in events}
    assert problems(events) == []


@pytest.mark.parametrize("change", [{"verdict": "fine"}, {"more": 1}, {"gap": {}}, {"claim": "best"}, {"seconds": "1"}])
def test_another_shape_is_refused(change: dict[str, Any]) -> None:
    """Closed objects, closed words."""
    events: list[dict[str, Any]] = []
    run(exact_engine, small_suite(), sink=events.append)
    result = next(event for event in events if event["event"] == "result")
    assert problems([result | change]) != []


def test_each_committed_stream_begins_and_ends_in_shape() -> None:
    """Header, footer, laws and a part of the results; all of them in the slow suite."""
    assert STREAMS
    for path in STREAMS:
        events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        results = [event for event in events if event["event"] == "result"]
        others = [event for event in events if event["event"] != "result"]
        assert problems(others[:40] + others[-1:] + results[:: max(1, len(results) // 40)]) == [], path


@pytest.mark.slow
@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.parent.name)
def test_each_committed_stream_is_in_shape(path: Path) -> None:
    """Every event."""
    assert problems([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]) == []
