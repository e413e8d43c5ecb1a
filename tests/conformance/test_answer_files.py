"""Files of answers, with and without their requests."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oracle.answers import answer
from oracle.conformance.answer_files import emitted, judge_answers, read_answers, read_requests
from oracle.conformance.known import Known
from oracle.conformance.protocol import AWKWARD, AdapterError, Claimed
from oracle.conformance.recording import Recorder, Settings
from oracle.errors import InputError
from tests.conformance.small_suite import RESPONSE, small_suite

SUITE = small_suite()
TREE = {"interactive": {"query": {"ask": {"answer": {"1": {"p": "3/4", "q": "1/4"}, "0": {"p": "1/4", "q": "3/4"}}}}}}
Events = list[dict[str, Any]]


def lines(*documents: Any) -> list[str]:
    return [json.dumps(document) + "\n" for document in documents]


def judged(answers: list[str], requests: list[str] | None = None, **further: Any) -> tuple[Events, Recorder]:
    events: Events = []
    asked = None if requests is None else read_requests(requests, "cases.jsonl")
    return events, judge_answers(SUITE, read_answers(answers), sink=events.append, requests=asked, **further)


def verdicts(events: Events) -> dict[str, str]:
    return {event["case"]: event["verdict"] for event in events if event["event"] == "result"}


REQUESTS = list(emitted(SUITE.select()))
ANSWERS = lines(*(answer(request) for request in REQUESTS))


def test_the_suite_is_emitted_after_hello_and_echo() -> None:
    """In doubles only what can be asked in doubles, under an id that says so."""
    assert [request["op"] for request in REQUESTS][:2] == ["hello", "echo"]
    assert [request["id"] for request in REQUESTS][2:] == list(SUITE.cases)
    doubles = [request["id"] for request in emitted(SUITE.select(), binary64=True)]
    assert "delta/log2#binary64" in doubles
    assert "delta/log2" not in doubles
    assert "delta/e1" in doubles


@pytest.mark.parametrize("binary64", [False, True])
@pytest.mark.parametrize("with_requests", [False, True])
def test_the_engine_is_clean_through_files(binary64: bool, with_requests: bool) -> None:
    """In both forms, with the requests or by id alone."""
    requests = list(emitted(SUITE.select(), binary64=binary64))
    answers = lines(*(answer(request) for request in requests))
    events, recorder = judged(answers[::-1], lines(*requests) if with_requests else None)
    assert recorder.exit_code == 0
    assert events[-1]["complete"]
    assert set(verdicts(events).values()) == {"exact"}
    assert len(verdicts(events)) == len(requests) - 2
    assert events[0]["subject"]["name"] == "fdp-oracle"


def test_a_request_without_an_answer_makes_it_incomplete() -> None:
    """By ids alone nothing is known to be missing."""
    events, _ = judged(ANSWERS[:-1], lines(*REQUESTS))
    assert (events[-1]["complete"], events[-1]["exit"]) == (False, 3)
    assert any("1 of 8 cases have no answer" in (event.get("reason") or "") for event in events)
    events, _ = judged(ANSWERS[:-1])
    assert events[-1]["complete"]


def test_hostile_lines_are_warnings() -> None:
    """Noise, unknown ids and repeated answers; two different answers to a case are an error of it."""
    first = ANSWERS[2]
    other = first.replace('"1/2"', '"1/3"')
    noise = ["loading\n", "\n", "{\n", "[]\n", '{"id": 7, "value": "1"}\n', '{"id": "nowhere", "value": "1"}\n']
    events, recorder = judged([*noise, *ANSWERS, first])
    assert recorder.exit_code == 0
    assert len([event for event in events if event["event"] == "warning"]) == 6
    events, _ = judged([*ANSWERS, other])
    assert verdicts(events)["delta/e1"] == "errored"
    events, _ = judged([ANSWERS[0], '{"id": "delta/e1", "value": 0.5}\n'])
    assert verdicts(events) == {"delta/e1": "errored"}


def test_a_file_that_is_cut_off_is_incomplete() -> None:
    """In the middle of its last line; a log line at the end is none of the answers."""
    events, _ = judged([*ANSWERS[:-1], ANSWERS[-1][:20]])
    assert (events[-1]["complete"], events[-1]["exit"]) == (False, 3)
    assert any("cut off" in (event.get("reason") or "") for event in events)
    assert judged([*ANSWERS, "done\n"])[0][-1]["complete"]


def test_doubles_are_emitted_in_hexadecimal() -> None:
    """Those of the binary64 form, and of cases that are dyadic as they stand; answers to both are judged as cases."""
    suite = small_suite()
    requests = list(emitted(suite.select(), binary64=True))
    by_id = {asked["id"]: asked["args"] for asked in requests}
    assert by_id["delta/e2"]["channel"]["matrix"][0] == ["0x1.8000000000000p-1", "0x1.0000000000000p-2"]
    assert "delta/log2#binary64" in by_id
    told = lines({"id": "delta/e2", "value": "1/4"}, {"id": "delta/log2#binary64", "value": "1"})
    asked = [asked for asked in requests if asked["id"] in ("delta/e2", "delta/log2#binary64")]
    events, _ = judged(told, lines(*asked))
    assert {event["case"]: event["summary"] for event in events if event["event"] == "result"} == {
        "delta/e2": suite.cases["delta/e2"].summary,
        "delta/log2": suite.cases["delta/log2"].summary,
    }


def test_very_many_odd_lines_are_only_a_few_warnings() -> None:
    """A log of ten thousand lines does not fill the stream."""
    events, _ = judged(["noise\n"] * 10_000 + ANSWERS)
    assert len([event for event in events if event["event"] == "warning"]) == 20


def test_claims_of_the_caller_come_first() -> None:
    """For one op, or for all; without any they are the natural ones."""
    bare = lines({"id": "delta/e2", "value": "0.3"})
    assert verdicts(judged(bare)[0]) == {"delta/e2": "loose"}
    assert verdicts(judged(bare, claims={"delta": Claimed("lower")})[0]) == {"delta/e2": "unsound"}
    assert verdicts(judged(bare, every=Claimed("exact"))[0]) == {"delta/e2": "wrong"}
    told = [ANSWERS[0], *bare]
    assert verdicts(judged(told)[0]) == {"delta/e2": "wrong"}
    assert verdicts(judged(told, every=Claimed("upper"))[0]) == {"delta/e2": "loose"}


def test_an_echo_that_changes_numbers_gives_no_verdict() -> None:
    """The adapter is at fault."""
    echo = lines({"id": "echo", "value": [f"{float.fromhex(x):.6g}" for x in AWKWARD]})
    with pytest.raises(AdapterError, match="echo"):
        judged([*echo, *ANSWERS[2:]])


def test_other_requests_are_judged_by_the_engine() -> None:
    """A new id, or the id of a case with other args; what the engine refuses must be refused."""
    asked = [
        {"id": "mine", "op": "delta", "args": {"channel": RESPONSE, "exp_epsilon": "5/2"}},
        {"id": "delta/e2", "op": "delta", "args": {"channel": RESPONSE, "exp_epsilon": "1"}},
        {"id": "epsilon", "op": "epsilon", "args": {"channel": RESPONSE, "delta": "0"}},
        {"id": "renyi", "op": "renyi", "args": {"channel": RESPONSE, "order": "2"}},
        {"id": "curve", "op": "tradeoff", "args": {"channel": RESPONSE}},
        {"id": "beta", "op": "tradeoff", "args": {"channel": RESPONSE, "alpha": "1/8"}},
        {"id": "laplace", "op": "delta", "args": {"channel": {"mechanism": "laplace", "scale": "1"}, "epsilon": "1/2"}},
        {"id": "bad", "op": "delta", "args": {"channel": {"matrix": [["1/2", "1/3"]]}, "epsilon": "1"}},
        {"id": "refines", "op": "refines", "args": {"left": RESPONSE, "right": RESPONSE}},
        {"id": "canonical", "op": "canonical", "args": {"channel": RESPONSE}},
        {"id": "tree", "op": "interactive_tradeoff", "args": {"interactive": TREE}},
        {"id": "simulated", "op": "simulate", "args": {"interactive": TREE}},
        {"id": "together", "op": "concurrent", "args": {"interactives": [TREE, TREE], "exp_epsilon": "2"}},
        {"id": "stated", "op": "delta", "args": {}, "expected": {"exact": "1/7"}},
    ]
    told = [answer(request) for request in asked[:-1]] + [{"id": "stated", "value": "1/7"}]
    events, recorder = judged(lines(*told), lines(*asked), every=Claimed("exact"))
    assert recorder.exit_code == 0
    assert set(verdicts(events).values()) == {"exact"}
    assert len(verdicts(events)) == len(asked)


def test_what_cannot_be_judged_is_refused() -> None:
    """No answers, malformed requests, a request that the engine declines."""
    with pytest.raises(InputError, match="answers to cases"):
        judged(["noise\n"])
    for text in ("no json", "[]", '{"id": "a"}', '{"id": 3, "op": "delta"}', '{"id": "a", "op": "delta", "args": 3}'):
        with pytest.raises(InputError, match=r"cases\.jsonl, line 1"):
            judged(ANSWERS, [text])
    with pytest.raises(InputError, match="each id once"):
        judged(ANSWERS, lines(REQUESTS[2], REQUESTS[2]))
    with pytest.raises(InputError, match="not offered"):
        judged(lines({"id": "x", "value": "1"}), lines({"id": "x", "op": "frobnicate"}))


def test_a_selection_and_known_failures() -> None:
    """Only the chosen ops count; known failures are held against the suite."""
    events, _ = judged(ANSWERS, settings=Settings(ops=("epsilon",)))
    assert verdicts(events) == {"epsilon/d0": "exact"}
    with pytest.raises(InputError):
        judged(ANSWERS, known=Known("2020.1"))
