"""A stream of conformance events as one run."""

from __future__ import annotations

import json

import pytest
from gmpy2 import mpq

from oracle.conformance import gaps
from oracle.conformance.judging import FAILING
from oracle.errors import InputError
from oracle.render.conformance_stream import FAULTS, RIGHT, SEVERITY, VERDICTS, WRONG_SIDE, read_stream
from tests.render.conformance_streams import EVERY, FOOTER, HEADER, gap, law, lines, result, run


def test_the_columns_are_the_closed_set_of_verdicts() -> None:
    """Every verdict of the judge has a column, and each that fails a run is one to look at."""
    assert sorted(VERDICTS) == sorted(gaps.VERDICTS)
    assert set(FAILING) | {"unsound-rounding", "loose"} <= set(SEVERITY)
    assert sorted((*RIGHT, *WRONG_SIDE, *FAULTS, "declined", "inconclusive")) == sorted(VERDICTS)


def test_the_three_numbers_are_kept_apart() -> None:
    """Of eleven verdicts three are right, three wrong, three faults; a declined case is not answered."""
    found = run(EVERY)
    assert (found.right, found.wrong, found.faults, found.answered) == (3, 3, 3, 7)
    assert found.slacks == [0, mpq("4e-10"), mpq("0.5")]
    assert found.median_slack == mpq("4e-10")
    assert found.complete
    assert found.fails


def test_a_truth_of_zero_has_no_relative_slack_but_an_infinite_answer_does() -> None:
    """Any answer above 0 would be infinitely loose; "inf" for a finite truth really is."""
    zero = result("loose", case="a", gap=gap("1/8", "inf"))
    infinite = result("loose", case="b", gap=gap("inf", "inf"))
    assert run([zero]).median_slack is None
    assert str(run([zero, infinite]).median_slack) == "inf"


def test_without_its_footer_a_stream_is_incomplete() -> None:
    """So is one whose footer says so, or whose last line is torn; an empty line is nothing."""
    assert not run(EVERY, footer=None).complete
    assert not run(EVERY, footer=FOOTER | {"complete": False}).complete
    torn = [*lines(EVERY, footer=None), "\n", '{"event": "res']
    assert len(read_stream(torn).results) == len(EVERY)
    assert not read_stream(torn).complete


def test_after_a_resumed_run_the_later_line_counts() -> None:
    """A case that was asked again is one case; the second header changes nothing."""
    again = [result("errored", case="x"), FOOTER | {"complete": False}, HEADER, result("exact", case="x")]
    found = run(again)
    assert [one.verdict for one in found.results] == ["exact"]
    assert found.complete
    assert not found.fails


def test_findings_depend_on_the_settings() -> None:
    """Rounding fails with strict, looseness with tightness; a known failure is no finding, a broken law is."""
    rounding, loose = result("unsound-rounding"), result("loose")
    strict, tight = HEADER | {"settings": {"strict": True}}, HEADER | {"settings": {"tightness": True}}
    assert [run([rounding], h).fails for h in (HEADER, strict, tight)] == [False, True, False]
    assert [run([loose], h).fails for h in (HEADER, strict, tight)] == [False, False, True]
    assert not run([result("unsound", known={"reason": "reported"})]).fails
    assert run([law("delta is decreasing", "broken")]).fails
    assert not run([law("delta is decreasing", "holds"), law("f is convex", "broken-rounding")]).fails
    assert run([law("f is convex", "broken-rounding")], strict).fails
    assert not run([law("f is convex", "broken", known={"reason": "reported"})]).fails


def test_what_needs_a_look_comes_most_severe_first() -> None:
    """By severity, not by the order of the stream."""
    assert [one.verdict for one in run(EVERY).attention] == list(SEVERITY)


def test_the_worst_of_a_concept_is_on_the_wrong_side() -> None:
    """A small gap on the wrong side is worse than a large one on the right."""
    (concept,) = run([result("loose", gap=gap("1/2", "2")), result("unsound", gap=gap("-1/9", "0.1"))]).concepts
    assert concept.worst is not None
    assert concept.worst.verdict == "unsound"
    assert run([result("exact", gap=gap("0", "0"))]).concepts[0].worst is None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("[]", '"event"'),
        ('{"event": "result", "case": "x"}', "op"),
        (json.dumps(result("great")), "one of exact"),
    ],
)
def test_a_line_that_is_no_event_is_refused_with_its_place(line: str, told: str) -> None:
    """The message has the line's number."""
    with pytest.raises(InputError, match="line 2") as caught:
        read_stream([json.dumps(HEADER), line])
    assert told in str(caught.value)


def test_a_torn_line_in_the_middle_is_refused() -> None:
    """Only the last line can be half written."""
    with pytest.raises(InputError, match="line 2"):
        read_stream([json.dumps(HEADER), '{"event": "res', json.dumps(FOOTER)])


def test_a_stream_begins_with_a_header() -> None:
    """Without one nobody knows who was asked."""
    with pytest.raises(InputError, match="header"):
        read_stream([])


def test_results_are_grouped_by_concept_and_by_op() -> None:
    """In the order of the stream; a group tells its counts in the order of the columns, without those of 0."""
    found = run([result("loose", op="epsilon"), result("exact", concept="mu"), result("exact", case="b", op="epsilon")])
    assert [group.name for group in found.concepts] == ["profile", "mu"]
    assert [(group.name, list(group.counts_by_verdict.items())) for group in found.operations] == [
        ("epsilon", [("exact", 1), ("loose", 1)]),
        ("delta", [("exact", 1)]),
    ]


def test_a_warning_about_the_whole_run_is_kept_once() -> None:
    """Those about a case are not of it."""
    odd = {"event": "warning", "reason": "echo is not offered"}
    assert run([odd, odd, {**odd, "case": "profile/exact", "reason": "banner"}]).warnings == ("echo is not offered",)


def test_the_footer_decides_what_a_run_found() -> None:
    """A breach of a known law that holds again is counted there alone."""
    assert run([result("exact")], footer=FOOTER | {"findings": 1}).fails
    assert not run([result("unsound")], footer=FOOTER | {"findings": 0}).fails


def test_laws_are_checked_again_after_a_resumed_run() -> None:
    """What they said before counts no more."""
    events = [law("f is convex", "broken"), {"event": "resume", "at": ""}, law("f is convex", "holds")]
    found = run(events)
    assert [one.verdict for one in found.laws] == ["holds"]


def test_a_law_has_one_of_three_verdicts() -> None:
    """Anything else is no event of a stream."""
    with pytest.raises(InputError, match="broken-rounding"):
        run([law("f is convex", "declined")])
