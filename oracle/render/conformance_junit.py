"""A conformance run as JUnit XML, for pipelines that show tests: a suite for each concept, a test for each case.

A wrong side is a failure and a fault of the subject an error, as the settings of the run have it; a declined case, one
that our enclosure cannot decide and a known failure are skipped. A run that did not finish has one more test, an error.
"""

from __future__ import annotations

from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from oracle.errors import shorten
from oracle.render.conformance_stream import FAULTS, Law, Result, Run
from oracle.render.conformance_words import HEADINGS, gap_text, law_text, mismatch_text, shown, title
from oracle.render.words import printable

__all__ = ["render"]

_LONGEST: Final = 2000


def render(run: Run) -> str:
    """The XML text, ending in a line break."""
    root = Element("testsuites", name=f"{title(run)}, suite {printable(run.suite)}")
    for concept in run.concepts:
        suite = SubElement(root, "testsuite", name=printable(concept.name))
        for result in concept.results:
            _case(suite, result, run)
    if run.laws:
        suite = SubElement(root, "testsuite", name="laws across answers")
        for law in run.laws:
            _law(suite, law, run)
    if not run.complete:
        suite = SubElement(root, "testsuite", name="run")
        test = SubElement(suite, "testcase", name="complete", classname=_class(run, "run"))
        SubElement(test, "error", message="the stream has no footer: the run did not finish")
    for suite in root:
        _sums(suite, [suite])
    _sums(root, list(root))
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'


def _class(run: Run, part: str) -> str:
    return printable(f"{shorten(run.name)}.{part}")


def _sums(element: Element, suites: list[Element]) -> None:
    tests = [test for suite in suites for test in suite.iter("testcase")]
    element.set("tests", str(len(tests)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(sum(test.find(tag) is not None for test in tests)))


def _case(suite: Element, result: Result, run: Run) -> None:
    test = SubElement(suite, "testcase", name=printable(result.case), classname=_class(run, result.concept))
    seconds = result.event.get("seconds")
    if seconds is not None:
        test.set("time", shown(seconds))
    if result.mismatch is not None:
        SubElement(test, "failure", message=mismatch_text(result), type=result.verdict)
        return
    kind = _kind(result, run)
    if kind is None:
        return
    if result.known is not None:
        SubElement(test, "skipped", message=printable(f"known {result.verdict}: {result.known}"))
        return
    if kind == "skipped":
        why = result.event.get("reason") or HEADINGS.get(result.verdict, "not offered by the subject")
        SubElement(test, "skipped", message=f"{result.verdict}: {shown(why)}")
        return
    gap = f", gap {gap_text(result)}" if result.gap else ""
    found = SubElement(test, kind, message=f"{HEADINGS[result.verdict]}{gap}", type=result.verdict)
    facts = [(key, result.event.get(key)) for key in ("summary", "args", "answer", "reason", "truth", "gap")]
    found.text = "\n".join(f"{key}: {shown(value, _LONGEST)}" for key, value in facts if value is not None)


def _kind(result: Result, run: Run) -> str | None:
    """The element for a verdict: None for a test that passes."""
    if result.verdict in ("declined", "inconclusive"):
        return "skipped"
    if result.verdict in FAULTS:
        return "error"
    return "failure" if run.failing(result.verdict) else None


def _law(suite: Element, law: Law, run: Run) -> None:
    test = SubElement(
        suite, "testcase", name=printable(str(law.event.get("id", law.name))), classname=_class(run, "laws")
    )
    if run.is_breach(law):
        SubElement(test, "failure", message=law_text(law), type=law.verdict)
    elif law.known is not None:
        SubElement(test, "skipped", message=printable(f"known {law.verdict}: {law.known}"))
