"""The truths of generated questions: what the engine gives in time, in numbers that can be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oracle.conformance.fuzz.questions import Probe
from oracle.conformance.fuzz.truth import Truths
from oracle.conformance.protocol import Hello, Reply
from oracle.conformance.subjects import exact_engine
from oracle.conformance.truths import Exact, Moments, Rejects

LARGE = {"moment": {"lo": "5e454945", "hi": "6e454945"}, "divergence": "1152"}


class Engine:
    """Answers what it is told to, after so long."""

    def __init__(self, reply: Reply) -> None:
        self.asked: list[Mapping[str, Any]] = []
        self._reply = reply

    def hello(self) -> Hello:
        """What the exact engine says."""
        return exact_engine().hello()

    def ask(self, question: Mapping[str, Any]) -> Reply:
        """The reply, whatever is asked."""
        self.asked.append(question)
        return self._reply

    def close(self) -> None:
        """Nothing is left to end."""


def probe(**point: str) -> Probe:
    return Probe("delta", {"channel": {"mechanism": "gaussian", "sigma": "1"}, **point})


def test_of_a_channel_that_took_too_long_the_op_is_not_asked_again() -> None:
    engine = Engine(Reply("error", message="no answer within the time limit", seconds=2.01))
    truths = Truths(engine, 2)
    assert [truths.of(probe(epsilon="1")), truths.of(probe(epsilon="2"))] == [None, None]
    assert len(engine.asked) == 1
    truths.of(Probe("mu", probe().args))
    assert len(engine.asked) == 2
    truths.forget()
    truths.of(probe(epsilon="2"))
    assert len(engine.asked) == 3


def test_a_channel_that_is_refused_at_once_is_asked_at_another_point() -> None:
    engine = Engine(Reply("error", message="expected another level", seconds=0.01))
    truths = Truths(engine, 2)
    assert [truths.of(probe(epsilon="1")), truths.of(probe(epsilon="2"))] == [None, None]
    assert len(engine.asked) == 2


def test_a_number_beyond_reading_is_no_truth_and_what_stands_beside_it_is() -> None:
    question = Probe("renyi", {**probe().args, "order": "256"})
    assert Truths(Engine(Reply("value", LARGE))).of(question) == Moments(None, Exact("1152"))
    alone = {"moment": LARGE["moment"]}
    assert Truths(Engine(Reply("value", alone))).of(question) is None
    tiny = {"lo": "2.8e-216937", "hi": "2.9e-216937"}
    assert Truths(Engine(Reply("value", tiny))).of(probe(epsilon="1000")) is None


def test_a_malformed_question_has_its_reason_for_a_truth() -> None:
    engine = Engine(Reply("error"))
    assert Truths(engine).of(probe(exp_epsilon="-1"), "e^epsilon is negative") == Rejects("e^epsilon is negative")
    assert not engine.asked
