"""A run: every case of a suite asked of a subject, judged and recorded, in one process or several.

The run writes events as they come (see :mod:`oracle.conformance.streams`). Interrupted, it has lost nothing that was
answered: *earlier* events of the same suite, subject and settings are taken over and only the rest is asked.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Final

from oracle.conformance.answer_laws import check_laws
from oracle.conformance.cases import Case, Suite
from oracle.conformance.forms import Form, form_for
from oracle.conformance.known import Known
from oracle.conformance.protocol import AWKWARD, BINARY64_SUFFIX, AdapterError, Hello, Reply, echoes, request
from oracle.conformance.recording import Recorder, Settings
from oracle.conformance.repeat_laws import repeat_report, repeated
from oracle.conformance.subjects import Subject
from oracle.conformance.vector_query_laws import vector_questions, vector_report
from oracle.errors import InputError, shorten

__all__ = ["Outcome", "Settings", "case_form", "run", "smoke_test"]

Event = dict[str, Any]
Maker = Callable[[], Subject]
Job = tuple[Case, Form]
Many = Callable[[Sequence[Mapping[str, Any]]], Iterator[Reply]]

_SAME: Final = ("suite", "manifest", "schema", "oracle")
_SAME_SETTINGS: Final = tuple(key for key in Settings().to_json() if key != "timeout")
"""What an answer is judged by; the time that it had may be longer when the run goes on."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to.

    Attributes:
        hello: what the subject says of itself.
        footer: the last event.
        exit_code: 0 clean, 1 findings.
    """

    hello: Hello
    footer: Mapping[str, Any]
    exit_code: int


def case_form(hello: Hello, case: Case) -> Form | None:
    """The form in which a case is asked of a subject; None if it is not asked."""
    return form_for(hello, case.args, None if case.binary64 is None else case.binary64.args)


def smoke_test(subject: Subject, hello: Hello) -> str | None:
    """Ask ``echo``; returns a warning where it is not offered.

    Raises:
        AdapterError: if the numbers do not come back unchanged: no verdict on this adapter would mean anything.
    """
    if "echo" not in hello.ops:
        return f"numbers were not checked on their way: {hello.name} does not offer echo"
    reply = subject.ask(request("echo", "echo", {"values": list(AWKWARD)}))
    if reply.kind == "declined":
        return f"numbers were not checked on their way: {hello.name} declined echo"
    doubles = hello.numbers == "binary64"
    fault = echoes(reply.value, doubles=doubles) if reply.kind == "value" else f"{reply.kind}: {reply.message}"
    if fault is not None:
        raise AdapterError(f"echo: {fault}")
    return None


def run(  # noqa: PLR0913 - each a choice of its own
    make: Maker,
    suite: Suite,
    cases: Sequence[Case] | None = None,
    *,
    sink: Callable[[Event], None],
    settings: Settings | None = None,
    known: Known | None = None,
    earlier: Sequence[Event] = (),
    workers: int = 1,
    many: Many | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Outcome:
    """Run a suite.

    Args:
        make: makes a subject; called once for each worker.
        suite: where the cases are from.
        cases: those asked; by default all that the settings select.
        sink: what takes each event as it comes.
        settings: how it is run and judged.
        known: the known failures.
        earlier: the events of an interrupted run that this one goes on with.
        workers: how many subjects are asked at once.
        many: asks many questions, and gives the replies in their order, in place of the workers; a cluster.
        progress: is told how many cases are done, of how many.

    Raises:
        AdapterError: if no conversation with the subject is possible, or it changes numbers.
        InputError: if the earlier events are of another run, or nothing is selected.
    """
    start = time.perf_counter()
    settings = settings or Settings()
    cases = list(suite.select(settings.ops, settings.concepts)) if cases is None else cases
    if not cases:
        raise InputError("cases of the suite", "none for these ops and concepts", "the selection")
    recorder = Recorder(suite, settings, sink, known)
    if known is not None:
        known.require_used(suite.version, suite.cases)
    with ExitStack() as stack:
        first = make()
        stack.callback(first.close)
        hello = first.hello()
        warning = smoke_test(first, hello)
        done = _begin(recorder, hello, earlier, len(cases), warning)
        jobs: list[Job] = []
        for case in cases:
            form = case_form(hello, case)
            if case.id in done:
                recorder.earlier(done[case.id], hello, form)
            elif case.op not in hello.ops:
                recorder.result(case, hello, None, Reply("declined", message="the op is not offered"))
            elif form is None:
                reason = "the question has no form that the subject accepts"
                recorder.result(case, hello, None, Reply("declined", message=reason))
            else:
                jobs.append((case, form))
        total, count = len(cases), len(cases) - len(jobs)
        replies = _in_order(many, jobs) if many else _replies(first, make, jobs, workers, stack)
        for case, form, reply in replies:
            recorder.result(case, hello, form, reply)
            count += 1
            if progress is not None:
                progress(count, total)
        if settings.laws:
            _laws(recorder, hello, many or (lambda questions: map(first.ask, questions)))
    footer = recorder.footer(time.perf_counter() - start)
    return Outcome(hello, footer, recorder.exit_code)


def _begin(
    recorder: Recorder, hello: Hello, earlier: Sequence[Event], offered: int, warning: str | None
) -> dict[str, Event]:
    """Write the header, or go on from the earlier events; returns the results that are there."""
    if not earlier:
        recorder.header(hello, offered)
        if warning is not None:
            recorder.warning(warning)
        return {}
    scratch: list[Event] = []
    now = Recorder(recorder.suite, recorder.settings, scratch.append).header(hello, offered)
    _require_same(earlier[0], now)
    results = {str(event["case"]): event for event in earlier if event["event"] == "result"}
    for name in results:
        if name not in recorder.suite.cases:
            _refuse_resume("cases", "those of the suite", name)
    recorder.resume()
    return results


def _require_same(before: Event, now: Event) -> None:
    """Refuse to go on with a run of another suite or subject, or one that is judged otherwise."""
    parts = (
        (_SAME, before, now),
        (_SAME_SETTINGS, before.get("settings", {}), now["settings"]),
        (("name", "version", "ops", "claims", "accepts"), before.get("subject", {}), now["subject"]),
    )
    for keys, old, new in parts:
        for key in keys:
            if old.get(key) != new[key]:
                _refuse_resume(key, new[key], old.get(key))


def _refuse_resume(what: str, now: object, before: object) -> None:
    raise InputError(f"an interrupted run with the same {what}, {shorten(now)}", shorten(before), "--resume")


def _in_order(many: Many, jobs: Sequence[Job]) -> Iterator[tuple[Case, Form, Reply]]:
    replies = many([_question(case, form) for case, form in jobs])
    for (case, form), reply in zip(jobs, replies, strict=True):
        yield case, form, reply


def _replies(
    first: Subject, make: Maker, jobs: Sequence[Job], workers: int, stack: ExitStack
) -> Iterator[tuple[Case, Form, Reply]]:
    """Each job with its reply; with several workers in the order in which they come."""
    if workers <= 1 or len(jobs) <= 1:
        for case, form in jobs:
            yield case, form, first.ask(_question(case, form))
        return
    subjects = [first]
    for _ in range(min(workers, len(jobs)) - 1):
        subjects.append(make())
        stack.callback(subjects[-1].close)
    pool = _Pool(jobs)
    for subject in subjects:
        threading.Thread(target=pool.work, args=(subject,), daemon=True).start()
    try:
        for _ in jobs:
            yield pool.next()
    finally:
        pool.stopping.set()


class _Pool:
    """Jobs that several threads share, each with a subject of its own."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self.stopping = threading.Event()
        self._waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._finished: queue.SimpleQueue[tuple[Case, Form, Reply] | BaseException] = queue.SimpleQueue()
        for job in jobs:
            self._waiting.put(job)

    def work(self, subject: Subject) -> None:
        """Ask one job after another."""
        try:
            while not self.stopping.is_set():
                case, form = self._waiting.get_nowait()
                self._finished.put((case, form, subject.ask(_question(case, form))))
        except queue.Empty:
            return
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
            self._finished.put(error)

    def next(self) -> tuple[Case, Form, Reply]:
        """The next that is finished."""
        item = self._finished.get()
        if isinstance(item, BaseException):
            raise item
        return item


def _question(case: Case, form: Form) -> dict[str, Any]:
    return request(case.id + (BINARY64_SUFFIX if form.binary64 else ""), case.op, form.args)


def _laws(recorder: Recorder, hello: Hello, many: Many) -> None:
    """Laws across the answers; some questions are asked again here, and the vector questions."""
    answered = recorder.answered
    for report in check_laws(answered, recorder.settings.slack):
        recorder.law(report)
    again = repeated(answered)
    if again:
        asked_again = many([request(f"again-{n}", first.op, first.args) for n, first in enumerate(again, 1)])
        recorder.law(repeat_report(list(zip(asked_again, again, strict=True)), recorder.settings.slack))
    if not hello.vectors:
        return
    asked = vector_questions(answered)
    questions = [request(f"vector-{n}", "delta", args) for n, (args, _) in enumerate(asked, 1)]
    replies = []
    for (_, singles), reply in zip(asked, many(questions), strict=True):
        if reply.kind == "value":
            replies.append((reply.value, singles))
        else:
            recorder.warning(f"a question with a list of epsilons was answered with {reply.kind}: {reply.message}")
    if replies:
        recorder.law(vector_report(replies, recorder.settings.slack))
