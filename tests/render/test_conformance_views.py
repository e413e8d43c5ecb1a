"""A conformance run on a terminal, as Markdown, as JUnit XML and as a badge."""

from __future__ import annotations

import json
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from oracle.render import (
    conformance_badge,
    conformance_html,
    conformance_junit,
    conformance_markdown,
    conformance_terminal,
)
from oracle.render.conformance_libraries import Library
from oracle.render.conformance_stream import VERDICTS, Run
from oracle.render.conformance_words import answer_text, gap_text, known_entry, truth_text
from tests.render.conformance_streams import EVERY, GAPS, HEADER, hostile, law, result, run

VIEWS = [conformance_terminal.render, conformance_markdown.render, conformance_junit.render]


@pytest.mark.parametrize("render", VIEWS[:2])
def test_a_report_begins_with_three_numbers(render: Callable[[Run], str]) -> None:
    """Soundness, tightness, coverage, in that order, each with what it leaves out."""
    text = render(run(EVERY)).replace("\\", "")
    places = [text.index(name) for name in ("soundness", "tightness", "coverage")]
    assert places == sorted(places)
    assert "3 of 6 judged answers wrong or on the wrong side (1 unsound, 1 wrong, 1 unsound-rounding)" in text
    assert "median relative slack 4e-10, largest 0.5; 1 loose" in text
    assert "7 of 11 cases answered, 63% (1 declined, 1 crashed, 1 timeout, 1 errored, 1 inconclusive)" in text


def test_the_terminal_has_a_line_for_each_concept_and_a_column_for_each_verdict_met() -> None:
    """Verdicts that did not occur have no column."""
    text = conformance_terminal.render(run([result("exact", concept=name, case=name) for name in ("mu", "renyi")]))
    assert text.startswith("CLEAN: somelib 1.2.3, suite 2026.12\n")
    head, first, second = text.split("\n")[5:]
    assert head.split() == ["concept", "exact", "largest", "gap"]
    assert (first.split(), second.split()) == (["mu", "1"], ["renyi", "1"])


def test_the_terminal_cuts_long_lists_and_says_where_the_rest_is() -> None:
    """Twenty cases are shown."""
    many = run([result("unsound", case=f"c/{n}") for n in range(25)])
    assert "... 5 more cases (all of them with --out or --json)" in conformance_terminal.render(many)
    assert "... 5 more cases in the report" in conformance_terminal.render(many, written=True)


def test_colour_marks_the_first_word_only() -> None:
    """Without it there is no escape at all."""
    coloured = conformance_terminal.render(run(EVERY), colour=True)
    assert coloured.startswith("\x1b[1;31mFINDINGS\x1b[0m: ")
    assert coloured.count("\x1b") == 2
    assert "\x1b" not in conformance_terminal.render(run(EVERY))


@pytest.mark.parametrize("render", [*VIEWS, conformance_badge.render])
def test_an_unfinished_run_is_called_so(render: Callable[[Run], str]) -> None:
    """Even where everything so far is exact."""
    text = render(run([result("exact")], footer=None))
    assert "INCOMPLETE" in text or "did not finish" in text or "incomplete" in text
    assert "CLEAN" not in text


@pytest.mark.parametrize("render", VIEWS)
def test_what_a_subject_says_does_not_act(render: Callable[[Run], str]) -> None:
    """No control character, no tag and no link comes through."""
    text = render(hostile())
    assert "\x1b" not in text
    if render is not conformance_terminal.render:
        assert "<script>" not in text
        assert "<img" not in text
        assert "[a](" not in text or render is conformance_junit.render


def test_markdown_explains_each_failing_case() -> None:
    """Inputs, answer, truth, gap, why the flag matters, and the entry that lists it as known."""
    event = result("unsound", args={"delta": "1e-40"}, flags=["TinyDelta"], gap=GAPS["unsound"], summary="a tiny delta")
    text = conformance_markdown.render(run([event]))
    assert "## Unsound: on the wrong side, materially (1)" in text
    for part in (
        "a tiny delta",
        'asked: `{"delta": "1e-40"}`',
        "truth: `1/4`",
        "`-1/8, +3 ulp`",
        "TinyDelta (soundness)",
    ):
        assert part in text
    assert '`[[known]]; case = "profile/unsound"; verdict = "unsound"; reason = "..."`' in text


def test_a_known_failure_shows_its_reason() -> None:
    """It is not offered to be listed again."""
    text = conformance_markdown.render(run([result("unsound", known={"reason": "reported upstream", "issue": ""})]))
    assert "known: reported upstream" in text
    assert "[[known]]" not in text
    assert text.startswith("# CLEAN")


def test_a_known_entry_is_toml() -> None:
    """Quoted, on four lines."""
    found = run([result("wrong")]).results[0]
    assert known_entry(found).split("\n") == [
        "[[known]]",
        'case = "profile/wrong"',
        'verdict = "wrong"',
        'reason = "..."',
    ]


def test_broken_laws_are_told_first() -> None:
    """With what broke them."""
    text = conformance_markdown.render(
        run([law("f is convex", "holds"), law("delta falls", "broken", reason="at 1/2")])
    )
    assert text.index("delta falls") < text.index("f is convex")
    assert "at 1&#47;2" in text
    assert "law across answers" in conformance_terminal.render(run([law("delta falls", "broken")]))


def test_junit_counts_what_it_has() -> None:
    """Failures, errors and skipped tests by the settings of the run, and their sums on every level."""
    text = conformance_junit.render(run([*EVERY, law("a", "broken"), law("b", "holds"), law("c", "broken-rounding")]))
    root = ET.fromstring(text)  # noqa: S314 - our own text
    sums = {key: root.get(key) for key in ("tests", "failures", "errors", "skipped")}
    assert sums == {"tests": "14", "failures": "3", "errors": "3", "skipped": "2"}
    profile, laws = root
    assert (profile.get("name"), profile.get("tests"), laws.get("failures")) == ("profile", "11", "1")
    failing = {test.get("name") for test in profile.iter("testcase") if test.find("failure") is not None}
    assert failing == {"profile/unsound", "profile/wrong"}


def test_junit_follows_strict_and_tightness() -> None:
    """With both, rounding and loose answers fail too; a known failure is skipped with its reason."""
    header = HEADER | {"settings": {"strict": True, "tightness": True}}
    known = result("unsound", case="listed", known={"reason": "reported"})
    root = ET.fromstring(conformance_junit.render(run([*EVERY, known], header)))  # noqa: S314 - our own text
    assert (root.get("failures"), root.get("skipped")) == ("4", "3")
    assert root.find(".//testcase[@name='listed']/skipped").get("message") == "known unsound: reported"


@pytest.mark.parametrize(
    ("verdicts", "message", "color"),
    [
        (["exact", "sound", "loose", "declined"], "sound 3/3, suite 2026.12", "brightgreen"),
        (["exact", "unsound"], "sound 1/2, suite 2026.12", "red"),
        (["exact", "unsound-rounding"], "sound 1/2, suite 2026.12", "yellow"),
        (["exact", "timeout"], "sound 1/1, 1 fault, suite 2026.12", "orange"),
        (["declined"], "nothing answered, suite 2026.12", "lightgrey"),
    ],
)
def test_the_badge_states_soundness_alone(verdicts: list[str], message: str, color: str) -> None:
    """A declined case is not counted as sound."""
    badge = json.loads(conformance_badge.render(run([result(verdict) for verdict in verdicts])))
    assert badge == {"schemaVersion": 1, "label": "dp conformance", "message": message, "color": color}


def test_a_broken_law_turns_the_badge_red() -> None:
    """And is said in it."""
    badge = json.loads(conformance_badge.render(run([result("exact"), law("a", "broken")])))
    assert (badge["message"], badge["color"]) == ("sound 1/1, 1 law broken, suite 2026.12", "red")


def test_every_verdict_has_words() -> None:
    """Each view takes each verdict alone, with and without a gap."""
    for verdict in VERDICTS:
        for event in (result(verdict), result(verdict, gap=GAPS["loose"])):
            assert all(render(run([event])) for render in VIEWS)


def test_a_known_failure_that_fails_otherwise_is_a_finding() -> None:
    """Even if it passes now: every view says what it is listed as."""
    found = run([result("exact", mismatch="unsound")])
    assert found.fails
    told = "listed as unsound, but is exact"
    assert all(told in render(found).replace("\\", "") for render in VIEWS)


def test_junit_has_the_seconds_of_each_case() -> None:
    """As the stream has them."""
    assert 'time="0.25"' in conformance_junit.render(run([result("exact", seconds=0.25)]))


@pytest.mark.parametrize(
    ("truth", "told"),
    [
        ({"exact": "1/3"}, "1/3"),
        ({"enclosure": ["0.33333333333333333333", "0.33333333333333333334"]}, "0.33333333333333333..."),
        ({"enclosure": ["1/3", "1/2"]}, "0.33333333333333333 to 0.5"),
        ({"epsilon": {"exp_epsilon": "1", "lo": "0", "hi": "0"}}, "0"),
        ({"epsilon": {"lo": "inf", "hi": "inf"}}, "inf"),
        ({"relation": False}, "false"),
        ({"rejects": "a row sums to 2"}, "no answer: a row sums to 2"),
        ({"exact": {"matrix": [["1"], ["1"]]}}, '{"exact": {"matrix": [["1"], ["1"]]}}'),
        ({}, "{}"),
    ],
)
def test_truths_are_told_as_numbers(truth: dict[str, object], told: str) -> None:
    """With the digits that are proved, and no more."""
    assert truth_text(truth) == told


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("0x1.8p-1", "0.75"),
        ("0x1.999999999999ap-4", "0.1"),
        ("1/3", "1/3"),
        ({"lo": "0x1p-1", "hi": "0x1p-1", "exp_epsilon": "2"}, "0.5"),
        ({"lo": "0", "hi": "0x1p-1"}, "0 to 0.5"),
        ({"beta": "0x1p-1"}, "beta 0.5"),
        ("0xnonsense", "0xnonsense"),
        ([1, 2], "[1, 2]"),
    ],
)
def test_answers_are_told_as_decimals(answer: object, told: str) -> None:
    """Of the 17 digits that a double has at most."""
    assert answer_text(answer) == told


def test_ulps_are_told_where_they_mean_something() -> None:
    """Next to an answer of 0 everything is 1e300 ulps away."""
    assert gap_text(run([result("wrong", gap=GAPS["wrong"])]).results[0]) == "1/3, +3 ulp"
    assert gap_text(run([result("wrong", gap=GAPS["wrong"] | {"ulps": "-1.19e307"})]).results[0]) == "1/3"


@pytest.mark.parametrize("render", [*VIEWS, lambda run: conformance_html.render([Library(run)])])
def test_a_name_of_any_length_is_cut(render: Callable[[Run], str]) -> None:
    """It stands in many places."""
    text = render(run(EVERY, HEADER | {"subject": {"name": "n" * 100_000, "version": "v" * 100_000}}))
    assert max(map(len, text.splitlines())) < 20_000
    assert "n" * 100 not in text
    assert "v" * 100 not in text


@pytest.mark.parametrize("render", [conformance_markdown.render, lambda run: conformance_html.render([Library(run)])])
def test_what_was_odd_about_the_whole_run_is_told(render: Callable[[Run], str]) -> None:
    """Once, and without what was odd about a case."""
    odd = {"event": "warning", "reason": "numbers were not checked"}
    text = render(run([odd, odd, {"event": "warning", "case": "profile/sound", "reason": "banner"}, *EVERY]))
    assert text.count("numbers were not checked") == 1
    assert "banner" not in text


def test_known_answers_on_the_wrong_side_are_told_as_known() -> None:
    """They are counted all the same."""
    known = result("unsound", known={"reason": "old"})
    assert "1 of 1 judged answer wrong or on the wrong side (1 unsound, 1 of them known)" in (
        conformance_markdown.render(run([known])).replace("\\", "")
    )
