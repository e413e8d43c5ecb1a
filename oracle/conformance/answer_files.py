"""The data door: a file of answers judged, whether the requests are at hand or only their ids.

A case is found by its id in the suite. A request that asks something else than the case of its id, or has an id that
is in no suite, is judged by the engine's own answer to it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from oracle.answers import answer as ask_engine
from oracle.conformance.answer_laws import check_laws
from oracle.conformance.cases import Case, Suite, read_expected
from oracle.conformance.forms import Form, as_binary64
from oracle.conformance.known import Known
from oracle.conformance.protocol import (
    AWKWARD,
    BINARY64_SUFFIX,
    AdapterError,
    Claimed,
    Hello,
    Reply,
    echoes,
    read_answer,
    read_hello,
    request,
)
from oracle.conformance.recording import Recorder, Settings
from oracle.conformance.truths import Expected, Rejects
from oracle.conformance.vector_sources.confirming import expected_of
from oracle.errors import InputError, shorten
from oracle.json_text import parse

__all__ = ["AnswerFile", "emitted", "judge_answers", "read_answers", "read_requests"]

Event = dict[str, Any]

_DIGITS: Final = 25
_MOST_WARNINGS: Final = 20


def emitted(cases: Iterable[Case], *, binary64: bool = False) -> Iterable[dict[str, Any]]:
    """The requests of the suite: ``hello`` and ``echo``, then each case.

    Args:
        cases: the cases.
        binary64: in doubles, each in hexadecimal; cases that cannot be asked in doubles are left out.
    """
    yield request("hello", "hello", {})
    yield request("echo", "echo", {"values": list(AWKWARD)})
    for case in cases:
        if binary64 and case.binary64 is not None:
            yield request(case.id + BINARY64_SUFFIX, case.op, case.binary64.args)
        elif not binary64:
            yield request(case.id, case.op, case.args)
        elif case.dyadic:
            yield request(case.id, case.op, as_binary64(case.args))


@dataclass
class AnswerFile:
    """What was answered.

    Attributes:
        replies: by id.
        warnings: what was odd.
        cut_off: the last line is the beginning of an object, as where the program was ended while it wrote.
    """

    replies: dict[str, Reply] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    cut_off: bool = False
    _count: int = 0

    def warn(self, reason: str) -> None:
        """Keep a warning; of very many only the first."""
        self._count += 1
        if self._count <= _MOST_WARNINGS:
            self.warnings.append(reason)


def read_answers(lines: Iterable[str]) -> AnswerFile:
    """Read answers, one a line, in any order.

    A line that is no answer is passed over with a warning, as is an answer given twice; two different answers to one
    question are an error of it.
    """
    found = AnswerFile()
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text:
            continue
        found.cut_off = False
        try:
            identity, reply = read_answer(text)
        except InputError as error:
            found.cut_off = text.startswith("{")
            found.warn(f"line {number} is no answer: {error}")
            continue
        if not isinstance(identity, str):
            found.warn(f"line {number} answers the id {shorten(identity)}")
            continue
        before = found.replies.get(identity)
        if before is not None:
            found.warn(f"line {number} answers {shorten(identity)} again")
            if before != reply:
                reply = Reply("error", message="answered twice, and differently", malformed=True)
        found.replies[identity] = reply
    return found


def read_requests(lines: Iterable[str], where: str) -> dict[str, Mapping[str, Any]]:
    """Read requests, one a line, by id.

    Raises:
        InputError: for a line that is no request, or an id that is there twice.
    """
    found: dict[str, Mapping[str, Any]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        place = f"{where}, line {number}"
        document = parse(line, place)
        wanted = 'a request {"id", "op", "args"}'
        if not isinstance(document, Mapping):
            raise InputError(wanted, shorten(document), place)
        identity, op, args = document.get("id"), document.get("op"), document.get("args", {})
        if not isinstance(identity, str) or not isinstance(op, str) or not isinstance(args, Mapping):
            raise InputError(wanted, shorten(document), place)
        if identity in found:
            raise InputError("each id once", shorten(identity), place)
        found[identity] = {**document, "args": args}
    return found


def judge_answers(  # noqa: PLR0913 - each a choice of its own
    suite: Suite,
    answers: AnswerFile,
    *,
    sink: Callable[[Event], None],
    requests: Mapping[str, Mapping[str, Any]] | None = None,
    settings: Settings | None = None,
    claims: Mapping[str, Claimed] | None = None,
    every: Claimed | None = None,
    known: Known | None = None,
) -> Recorder:
    """Judge a file of answers; the stream is complete if every request has its answer and the last line is one.

    Args:
        suite: the cases.
        answers: what was answered.
        sink: what takes each event.
        requests: what was asked, by id; without it the answers are to cases of the suite.
        settings: how it is judged.
        claims: claims by op, before those of the answer to ``hello``.
        every: the claim of all other ops.
        known: the known failures.

    Raises:
        AdapterError: if ``echo`` was answered and changes numbers.
        InputError: if no answer is to a case.
    """
    start = time.perf_counter()
    settings = settings or Settings()
    if known is not None:
        known.require_used(suite.version, suite.cases)
    hello = _hello(answers, claims or {}, every)
    questions = dict(_questions(suite, answers, requests, settings))
    if not questions:
        raise InputError("answers to cases of the suite", "none", "ANSWERS")
    recorder = Recorder(suite, settings, sink, known)
    recorder.header(hello, len(questions))
    for warning in answers.warnings:
        recorder.warning(warning)
    missing = [identity for identity in questions if identity not in answers.replies]
    for identity, (case, form) in questions.items():
        if identity in answers.replies:
            recorder.result(case, hello, form, answers.replies[identity])
    if missing:
        recorder.warning(f"{len(missing)} of {len(questions)} cases have no answer, first {shorten(missing[0])}")
    if settings.laws:
        for report in check_laws(recorder.answered, settings.slack):
            recorder.law(report)
    if answers.cut_off:
        recorder.warning("the last line is no answer, so the file may have been cut off: the run is not complete")
    recorder.footer(time.perf_counter() - start, complete=not missing and not answers.cut_off)
    return recorder


def _hello(answers: AnswerFile, claims: Mapping[str, Claimed], every: Claimed | None) -> Hello:
    """What the answers say of their maker, under the claims of the caller; ``echo`` is looked at too."""
    told, echo = answers.replies.get("hello"), answers.replies.get("echo")
    hello = read_hello(told.value) if told is not None and told.kind == "value" else None
    if echo is not None and echo.kind == "value":
        fault = echoes(echo.value, doubles=hello is not None and hello.numbers == "binary64")
        if fault is not None:
            raise AdapterError(f"echo: {fault}")
    if hello is None:
        return Hello("answers", "", (), claims, every)
    return replace(hello, claims={**({} if every else hello.claims), **claims}, every=every or hello.every)


Question = tuple[str, tuple[Case, Form]]


def _questions(
    suite: Suite, answers: AnswerFile, requests: Mapping[str, Mapping[str, Any]] | None, settings: Settings
) -> Iterable[Question]:
    """What is judged: the requests, or else the answers to cases; by id, each with its case and form."""
    found = _of_answers(suite, answers) if requests is None else _of_requests(suite, answers, requests)
    for identity, (case, form) in found:
        chosen = not settings.concepts or case.concept in settings.concepts
        if chosen and (not settings.ops or case.op in settings.ops):
            yield identity, (case, form)


def _of_answers(suite: Suite, answers: AnswerFile) -> Iterable[Question]:
    for identity in answers.replies:
        question = _of_suite(suite, identity)
        if question is not None:
            yield identity, question
        elif identity not in ("hello", "echo"):
            answers.warn(f"the answer to {shorten(identity)} is to no case of the suite")


def _of_requests(suite: Suite, answers: AnswerFile, requests: Mapping[str, Mapping[str, Any]]) -> Iterable[Question]:
    for identity, asked in requests.items():
        if asked["op"] in ("hello", "echo"):
            continue
        case = _of_suite(suite, identity)
        same = case is not None and case[0].op == asked["op"] and _same_question(case[1].args, asked["args"])
        yield identity, case if case is not None and same and "expected" not in asked else _other(identity, asked)
    for identity in answers.replies:
        if identity not in requests and identity not in ("hello", "echo"):
            answers.warn(f"the answer to {shorten(identity)} is to no request")


def _same_question(args: Mapping[str, Any], asked: Mapping[str, Any]) -> bool:
    """Whether the arguments are those of a case, or the same in doubles."""
    if args == asked:
        return True
    try:
        return bool(as_binary64(args) == asked)
    except InputError:
        return False


def _of_suite(suite: Suite, identity: str) -> tuple[Case, Form] | None:
    name = identity.removesuffix(BINARY64_SUFFIX)
    case = suite.cases.get(name)
    if case is None:
        return None
    if name == identity:
        return case, Form(case.args, binary64=False)
    return None if case.binary64 is None else (case, Form(case.binary64.args, binary64=True))


def _other(identity: str, asked: Mapping[str, Any]) -> tuple[Case, Form]:
    """A request of its own, with the truth it states or else that of the engine."""
    args = asked["args"]
    if "expected" in asked:
        expected, way = read_expected(asked["expected"], f"{shorten(identity)}.expected"), "stated with the request"
    else:
        expected, way = _true_answer(identity, asked["op"], args), "the engine"
    case = Case(identity, "requests", asked["op"], "a request of its own", (), args, expected, way)
    return case, Form(args, binary64=False)


def _true_answer(identity: str, op: str, args: Mapping[str, Any]) -> Expected:
    """The engine's answer as a truth.

    Raises:
        InputError: if the engine declines the question.
    """
    found = ask_engine({"id": "truth", "op": op, "args": {"digits": _DIGITS, **args}})
    if "declined" in found:
        raise InputError(
            "a request that the engine answers", str(found["declined"]), f"the request {shorten(identity)}"
        )
    if "error" in found:
        return Rejects(str(found["error"]))
    if op == "satisfies" and not isinstance(found["value"]["holds"], bool):
        raise InputError("a claim that the engine decides", "one that it does not", f"the request {shorten(identity)}")
    return expected_of(op, args, found["value"])
