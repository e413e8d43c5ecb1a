"""One case of the suite, looked at closely: its question and truth, and what a subject answers to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oracle.conformance.case_records import Form
from oracle.conformance.cases import Case, Suite, expected_document
from oracle.conformance.protocol import BINARY64_SUFFIX, Reply
from oracle.conformance.recording import Recorder, Settings
from oracle.conformance.runs import case_form, smoke_test
from oracle.conformance.subjects import Subject
from oracle.errors import InputError, shorten

__all__ = ["answered", "case_named", "described"]

_MOST_NAMED = 5


def case_named(suite: Suite, identity: str) -> tuple[Case, bool]:
    """The case of an id, and whether the id asks for its binary64 form.

    Raises:
        InputError: if there is none, naming cases whose id contains it.
    """
    name = identity.removesuffix(BINARY64_SUFFIX)
    case = suite.cases.get(name)
    if case is None:
        near = [known for known in suite.cases if name in known][:_MOST_NAMED]
        hint = f", such as {', '.join(near)}" if near else ""
        raise InputError(f"the id of a case of suite {suite.version}{hint}", f'"{shorten(identity)}"', "ID")
    if name != identity and case.binary64 is None:
        raise InputError("a case with a binary64 form", f'"{shorten(name)}", which has none', "ID")
    return case, name != identity


def described(suite: Suite, case: Case, *, binary64: bool = False) -> dict[str, Any]:
    """What the suite says of a case: the question in a form, its truth, how that was confirmed, and what is at stake.

    Args:
        suite: where it is from.
        case: the case.
        binary64: the question in doubles.
    """
    form: Form = "binary64" if binary64 else "rational"
    told: dict[str, Any] = {
        "case": case.id,
        "summary": case.summary,
        "form": form,
        "request": {"id": case.id + (BINARY64_SUFFIX if binary64 else ""), "op": case.op, "args": case.arguments(form)},
        "truth": expected_document(case.truth(form)),
        "confirmed": case.confirmed,
        "flags": {flag: suite.notes[flag].description for flag in case.flags},
        "links": [link for flag in case.flags for link in suite.notes[flag].links],
    }
    if case.certificate is not None:
        told["certificate"] = case.certificate
    return told


def answered(suite: Suite, case: Case, make: Callable[[], Subject], settings: Settings | None = None) -> dict[str, Any]:
    """What a subject answers to a case, as the result of a run has it, and how it was asked.

    Args:
        suite: where the case is from.
        case: the case.
        make: makes the subject.
        settings: how it is judged.

    Raises:
        AdapterError: if no conversation with the subject is possible, or it changes numbers.
    """
    events: list[dict[str, Any]] = []
    recorder = Recorder(suite, settings or Settings(), events.append)
    subject = make()
    try:
        hello = subject.hello()
        smoke_test(subject, hello)
        form = case_form(hello, case)
        asked: dict[str, Any] | None = None
        if case.op not in hello.ops:
            reply = Reply("declined", message="the op is not offered")
        elif form is None:
            reply = Reply("declined", message="the question has no form that the subject accepts")
        else:
            suffix = BINARY64_SUFFIX if form.binary64 else ""
            asked = {"id": case.id + suffix, "op": case.op, "args": form.args}
            reply = subject.ask(asked)
        result = recorder.result(case, hello, form, reply)
    finally:
        subject.close()
    doubles = form is not None and form.binary64
    return {
        "subject": {"name": hello.name, "version": hello.version},
        "asked": asked,
        "truth": expected_document(case.truth("binary64" if doubles else "rational")),
        "fails": bool(recorder.findings),
        **{key: result[key] for key in ("claim", "verdict", "answer", "gap", "reason", "form")},
    }
