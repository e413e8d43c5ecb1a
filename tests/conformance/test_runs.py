"""Runs of a small suite: verdicts, forms, known failures, laws, workers and resuming."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from oracle.answers import answer
from oracle.conformance.answer_laws import LAWS
from oracle.conformance.cases import Suite, installed_suite
from oracle.conformance.known import Known, KnownEntry
from oracle.conformance.pipes import Piped
from oracle.conformance.protocol import AWKWARD, AdapterError
from oracle.conformance.runs import Outcome, Settings, run
from oracle.conformance.subjects import Function, InProcess, Subject, exact_engine
from oracle.conformance.truths import Rejects
from oracle.errors import InputError
from tests.conformance.small_suite import RESPONSE, case, file, program, small_suite

SUITE = small_suite()
Events = list[dict[str, Any]]


def record(subject: Any, **further: Any) -> tuple[Events, Outcome]:
    events: Events = []
    outcome = run(subject, SUITE, sink=events.append, **further)
    return events, outcome


def verdicts(events: Events) -> dict[str, str]:
    return {event["case"]: event["verdict"] for event in events if event["event"] == "result"}


class Recording:
    """A subject around another that keeps what it was asked."""

    def __init__(self, inner: Subject, kept: list[Any]) -> None:
        self.inner, self.kept = inner, kept
        self.hello, self.close = inner.hello, inner.close

    def ask(self, question: Any) -> Any:
        """The reply of the other."""
        self.kept.append(question)
        return self.inner.ask(question)


def library(**further: Any) -> SimpleNamespace:
    """Randomized response at e^eps = 3 in floats: delta(E) = max(0, (3 - E)/4)."""

    def delta(exp_epsilon: str = "", epsilon: str = "", **_: object) -> float:
        level = 2.718281828459045 ** float.fromhex(epsilon) if epsilon else float.fromhex(exp_epsilon)
        return max(0.0, (3 - level) / 4)

    return SimpleNamespace(
        delta=delta, accepts={"numbers": "binary64", "epsilon": ["epsilon", "exp_epsilon"]}, **further
    )


def test_the_exact_engine_is_clean() -> None:
    """Every case is exact, every law holds, the stream has header, results, laws and footer."""
    events, outcome = record(exact_engine)
    assert Counter(verdicts(events).values()) == {"exact": 8}
    assert [event["event"] for event in events][:1] == ["header"]
    assert events[-1] == outcome.footer
    assert (events[-1]["complete"], events[-1]["findings"], events[-1]["exit"], outcome.exit_code) == (True, 0, 0, 0)
    assert events[-1]["laws"]["broken"] == 0
    assert events[0]["offered"] == 8
    assert sum(events[-1]["counts"].values()) == 8


@pytest.mark.slow
def test_the_exact_engine_is_clean_on_the_whole_suite_with_strict() -> None:
    """No finding, no law broken, not even by rounding; what it does not offer is declined, all else exact."""
    events: Events = []
    outcome = run(exact_engine, installed_suite(), sink=events.append, settings=Settings(strict=True))
    footer = outcome.footer
    assert (footer["complete"], footer["findings"], footer["exit"], outcome.exit_code) == (True, 0, 0, 0)
    assert {verdict for verdict, count in footer["counts"].items() if count} == {"exact", "declined"}
    declined = [installed_suite().cases[case] for case, verdict in verdicts(events).items() if verdict == "declined"]
    assert {case.op for case in declined if not isinstance(case.expected, Rejects)} <= {"calibrate"}
    assert footer["laws"] == {"holds": len(LAWS) + 1, "broken": 0, "broken-rounding": 0}


@pytest.mark.slow
@pytest.mark.parametrize("claim", ["upper", "lower"])
def test_the_laws_hold_of_the_exact_engine_whatever_it_claims(claim: str) -> None:
    """Its enclosures leave room for the truth, which meets every law."""

    def claiming(question: Any) -> Any:
        found = answer(question)
        if question["op"] == "hello":
            found["value"]["claims"] = claim
        return found

    settings = Settings(ops=("delta", "hockey_stick", "epsilon", "tradeoff"))
    laws = run(lambda: Function(claiming), installed_suite(), sink=lambda _: None, settings=settings).footer["laws"]
    assert (laws["broken"], laws["broken-rounding"]) == (0, 0)
    assert laws["holds"] >= len(LAWS) - 2


def test_laws_leave_out_questions_that_have_no_answer() -> None:
    """A value where there is none is wrong once, and breaks no law with the answers to other questions."""
    args = {"channel": RESPONSE, "exp_epsilon": "9"}
    rejected = file("delta/none.json", "delta", case("delta/none", args, {"rejects": "no question"}))
    suite = Suite(SUITE.version, (*SUITE.files, rejected), SUITE.digest, SUITE.directory)

    def eager(question: Any) -> Any:
        known = question["id"] != "delta/none"
        return answer(question) if known else {"id": question["id"], "value": "7"}

    events: Events = []
    outcome = run(lambda: Function(eager), suite, sink=events.append)
    assert verdicts(events)["delta/none"] == "wrong"
    assert (outcome.footer["findings"], outcome.footer["laws"]["broken"]) == (1, 0)
    again: Events = []
    earlier = [event for event in events if event["event"] in ("header", "result")]
    resumed = run(lambda: Function(eager), suite, sink=again.append, earlier=earlier)
    assert resumed.footer["laws"]["broken"] == 0


def first_asked(questions: list[Any]) -> list[Any]:
    """Without those that are asked again at the end, for the law about it."""
    return [question for question in questions if not question["id"].startswith("again-")]


def test_a_subject_that_changes_its_answers_is_found() -> None:
    """Each question is answered right at first; asked again, one is not."""
    seen: list[str] = []

    def changing(asked: Any) -> Any:
        key = str(asked["args"])
        told = answer(asked)
        seen.append(key)
        return told | {"value": "1"} if asked["op"] == "delta" and seen.count(key) > 1 and "'5'" in key else told

    events, outcome = record(lambda: Function(changing))
    (law,) = [event for event in events if event["event"] == "law" and event["law"] == "same-question-same-answer"]
    assert (law["verdict"], law["cases"], law["gap"]["decimal"]) == ("broken", ["delta/e5"], "+1")
    assert outcome.exit_code == 1


def test_an_op_that_is_not_offered_is_declined_without_being_asked() -> None:
    """As is a case that has no form the subject accepts."""
    kept: list[Any] = []
    events, _ = record(lambda: Recording(InProcess(library(claims="upper")), kept))
    assert {question["op"] for question in kept} == {"delta"}
    assert verdicts(events)["epsilon/d0"] == "declined"
    assert verdicts(events)["refines/itself"] == "declined"
    assert len(first_asked(kept)) == 6


def test_a_subject_of_doubles_is_judged_at_the_doubles_it_was_given() -> None:
    """log(2) is asked as the double nearest to it, for which 1/4 is below the truth by rounding."""
    kept: list[Any] = []
    quarter = SimpleNamespace(
        delta=lambda **_: 0.25, claims="upper", accepts={"numbers": "binary64", "epsilon": ["epsilon"]}
    )
    events, _ = record(lambda: Recording(InProcess(quarter), kept))
    found = next(event for event in events if event.get("case") == "delta/log2")
    assert (found["form"], found["verdict"], found["args"]["epsilon"]) == (
        "binary64",
        "unsound-rounding",
        "0x1.62e42fefa39efp-1",
    )
    assert first_asked(kept)[-1]["id"] == "delta/log2#binary64"
    assert verdicts(events)["delta/e1"] == "unsound"
    assert verdicts(events)["delta/e2"] == "declined"
    assert found["gap"]["decimal"] == "-1.16e-17"


def test_strict_and_tightness_decide_what_is_a_finding() -> None:
    """A subject that is low by rounding, and one that is loose."""

    def low(request: Any) -> Any:
        found = answer(request)
        if request["op"] == "delta":
            found["value"] = "0.24999999999" if found["value"] == "1/4" else found["value"]
        if request["op"] == "hello":
            found["value"]["claims"] = "upper"
        return found

    _, relaxed = record(lambda: Function(low))
    _, strict = record(lambda: Function(low), settings=Settings(strict=True))
    assert (relaxed.exit_code, strict.exit_code) == (0, 1)
    loose = SimpleNamespace(delta=lambda **_: 1, claims="upper")
    assert record(lambda: InProcess(loose))[1].exit_code == 0
    assert record(lambda: InProcess(loose), settings=Settings(tightness=True))[1].exit_code == 1


def test_a_selection_of_ops_and_concepts() -> None:
    """Only those are offered; an empty selection is refused."""
    events, _ = record(exact_engine, settings=Settings(ops=("epsilon",)))
    assert list(verdicts(events)) == ["epsilon/d0"]
    events, _ = record(exact_engine, settings=Settings(concepts=("refines",)))
    assert list(verdicts(events)) == ["refines/itself"]
    with pytest.raises(InputError):
        record(exact_engine, settings=Settings(ops=("mu",)))


def test_echo_comes_before_any_verdict() -> None:
    """A subject that prints six digits gets none; one that has no echo gets a warning."""

    def six_digits(request: Any) -> Any:
        if request["op"] == "echo":
            return {"id": request["id"], "value": [f"{float.fromhex(x):.6g}" for x in AWKWARD]}
        return answer(request)

    events: Events = []
    with pytest.raises(AdapterError, match="echo"):
        run(lambda: Function(six_digits), SUITE, sink=events.append)
    assert events == []
    events, _ = record(lambda: InProcess(library(claims="upper")))
    assert "does not offer echo" in events[1]["reason"]


WRONG = SimpleNamespace(delta=lambda **_: "0", claims="upper")


def test_known_failures_must_fail_as_stated() -> None:
    """Listed and failing so: no finding. Mended, or failing otherwise: a finding that says so."""
    as_stated = Known(
        "2026.12", (KnownEntry("delta/e[12]", "unsound", "why", "link"), KnownEntry("delta/log2", "unsound", "why"))
    )
    events, outcome = record(lambda: InProcess(WRONG), known=as_stated)
    assert (outcome.exit_code, outcome.footer["known"]) == (0, 3)
    known = next(event for event in events if event.get("case") == "delta/e1")
    assert known["known"] == {"reason": "why", "issue": "link"}
    otherwise = Known("2026.12", (KnownEntry("delta/*", "unsound", "why"),))
    events, outcome = record(lambda: InProcess(WRONG), known=otherwise)
    assert outcome.exit_code == 1
    assert outcome.footer["mismatches"] == [
        {"case": f"delta/e{n}", "expected": "unsound", "got": "exact"} for n in (5, 3, 4)
    ]
    with pytest.raises(InputError, match="no-such-case"):
        record(lambda: InProcess(WRONG), known=Known("2026.12", (KnownEntry("no-such-case", "wrong", "why"),)))
    with pytest.raises(InputError, match=r"2020\.1"):
        record(lambda: InProcess(WRONG), known=Known("2020.1"))


def increasing(exp_epsilon: str = "2", **_: object) -> str:
    return f"{exp_epsilon}/10"


def test_a_broken_law_is_a_finding_and_may_be_known() -> None:
    """Its id names law and cases; one that is mended is a finding again."""
    subject = SimpleNamespace(delta=increasing, claims="estimate")
    events, outcome = record(lambda: InProcess(subject))
    broken = [event for event in events if event["event"] == "law" and event["verdict"] == "broken"]
    assert [event["law"] for event in broken] == ["delta-decreasing"] * 4
    assert broken[0]["id"] == "law:delta-decreasing:delta/e1+delta/e2"
    assert outcome.exit_code == 1
    entries = tuple(KnownEntry(event["id"], "broken", "why") for event in broken)
    assert record(lambda: InProcess(subject), known=Known("2026.12", entries))[1].exit_code == 0
    mended = record(exact_engine, known=Known("2026.12", entries[:1]))[1]
    assert mended.exit_code == 1
    assert mended.footer["mismatches"][0]["got"] == "holds"
    assert record(exact_engine, known=Known("2026.12", entries[:1]), settings=Settings(laws=False))[1].exit_code == 0


def test_a_vector_question_is_asked_where_it_is_offered() -> None:
    """A list that differs from the single answers breaks its law."""

    def delta(epsilons: Any = None, **_: object) -> Any:
        return "0.5" if epsilons is None else [f"0.{n}" for n in range(len(epsilons))]

    accepts = {"vectors": True, "epsilon": ["epsilon"]}
    subject = SimpleNamespace(delta=delta, claims="estimate", accepts=accepts)
    events, _ = record(lambda: InProcess(subject))
    laws = {event["law"]: event["verdict"] for event in events if event["event"] == "law"}
    assert laws["vector-equals-scalar"] == "broken"


PASSED_OVER = ("chatty", "twice", "out-of-order", "long-noise")
"""Ways to misbehave that leave lines to be passed over."""


@pytest.mark.parametrize(
    ("mode", "verdict"),
    [
        ("crash", "crashed"),
        ("hang", "timeout"),
        ("chatty", None),
        ("twice", None),
        ("long-noise", None),
        ("out-of-order", "errored"),
        ("wrong-id", "errored"),
        ("float", "errored"),
        ("nan", "errored"),
        ("nan-text", "errored"),
        ("both", "errored"),
        ("torn", "errored"),
        ("python", "errored"),
        ("long-value", "errored"),
        ("null-error", "errored"),
    ],
)
def test_a_program_that_fails_at_one_case_loses_only_that(mode: str, verdict: str | None) -> None:
    """Every other case has its verdict and the run is complete."""
    events, outcome = record(lambda: Piped(program(mode, 4), 3), settings=Settings(laws=False))
    found = Counter(verdicts(events).values())
    assert found["declined"] == 2
    assert found["loose"] == (5 if verdict else 6)
    assert verdict is None or found[verdict] == 1
    assert outcome.footer["complete"]
    assert any(event["event"] == "warning" and event.get("case") for event in events) == (mode in PASSED_OVER)


@pytest.mark.parametrize("workers", [2, 20])
def test_several_workers_give_the_same_verdicts(workers: int) -> None:
    """Each has a process of its own, and all are ended."""
    made: list[Piped] = []

    def make() -> Piped:
        made.append(Piped(program("crash", 2), 10))
        return made[-1]

    events, outcome = record(make, workers=workers)
    assert set(verdicts(events)) == set(SUITE.cases)
    assert outcome.footer["complete"]
    assert len(made) == min(workers, 6)
    assert all(subject._process is None for subject in made)


class Interrupting:
    """A subject that is interrupted at its third question."""

    def __init__(self) -> None:
        self.inner, self.count = exact_engine(), 0
        self.hello, self.close = self.inner.hello, self.inner.close

    def ask(self, question: Any) -> Any:
        """The engine's reply, twice."""
        self.count += question["op"] != "echo"
        if self.count == 3:
            raise KeyboardInterrupt
        return self.inner.ask(question)


def test_an_interrupted_run_goes_on_where_it_was() -> None:
    """What was answered is not asked again; laws see all answers."""
    events: Events = []
    with pytest.raises(KeyboardInterrupt):
        run(Interrupting, SUITE, sink=events.append)
    assert events[-1]["event"] == "result"
    kept: list[Any] = []
    rest: Events = []
    outcome = run(lambda: Recording(exact_engine(), kept), SUITE, sink=rest.append, earlier=events)
    assert rest[0]["event"] == "resume"
    assert set(verdicts(events)) | set(verdicts(rest)) == set(SUITE.cases)
    assert not set(verdicts(events)) & set(verdicts(rest))
    assert len([question for question in first_asked(kept) if question["op"] != "echo"]) == 6
    assert sum(outcome.footer["counts"].values()) == 8
    assert outcome.footer["laws"]["holds"] == record(exact_engine)[1].footer["laws"]["holds"]


def test_another_run_is_not_gone_on_with() -> None:
    """The subject, the suite and the selection must be the same."""
    events, _ = record(exact_engine)
    with pytest.raises(InputError, match="the same name"):
        record(lambda: InProcess(WRONG), earlier=events[:3])
    with pytest.raises(InputError, match="the same ops"):
        record(exact_engine, earlier=events[:3], settings=Settings(ops=("delta",)))
    with pytest.raises(InputError, match="the same strict"):
        record(exact_engine, earlier=events[:3], settings=Settings(strict=True))
    with pytest.raises(InputError, match="delta/renamed"):
        record(exact_engine, earlier=[events[0], {**events[1], "case": "delta/renamed"}])
    assert record(exact_engine, earlier=events[:3], settings=Settings(timeout=5))[1].exit_code == 0
    with pytest.raises(InputError, match="the same suite"):
        record(exact_engine, earlier=[{**events[0], "suite": "2020.1"}])
