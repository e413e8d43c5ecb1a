"""What is asked again is answered as before."""

from __future__ import annotations

from typing import Any

from oracle.conformance.answer_laws import Answered
from oracle.conformance.protocol import Reply
from oracle.conformance.repeat_laws import repeat_report, repeated


def told(case: str, value: Any) -> Answered:
    return Answered(case, "delta", "concept", {"channel": {}, "epsilon": "1"}, value)


def verdicts(before: Any, now: Any, kind: Any = "value") -> list[tuple[str, str]]:
    report = repeat_report([(Reply(kind, now, "why"), told("a", before))])
    return [(breach.verdict, breach.gap.to_json()["decimal"] or "") for breach in report.breaches]


def test_numbers_are_spread_over_the_run_and_asked_backwards() -> None:
    """At most sixteen of them; answers that are no number are left out."""
    answers = [told(str(n), "1/2") for n in range(100)]
    chosen = [answered.case for answered in repeated(answers)]
    assert len(chosen) <= 16
    assert chosen == sorted(chosen, key=int, reverse=True)
    assert (chosen[0], chosen[-1]) == ("98", "0")
    assert repeated([told("a", {"breakpoints": []})]) == []


def test_the_same_number_or_enclosures_that_meet_keep_the_law() -> None:
    """However it is written."""
    assert verdicts("1/2", "0x1p-1") == []
    assert verdicts({"lo": "0.1", "hi": "0.2"}, {"lo": "0.15", "hi": "0.3"}) == []
    assert verdicts("inf", "inf") == []


def test_another_number_breaks_it_by_the_difference() -> None:
    """In either direction; a difference within rounding is told apart."""
    assert verdicts("1/2", "0.6") == [("broken", "+0.1")]
    assert verdicts("1/2", "0.4") == [("broken", "-0.1")]
    assert verdicts("1/2", "0.50000000000001")[0][0] == "broken-rounding"
    assert verdicts({"lo": "0.1", "hi": "0.2"}, "0.3") == [("broken", "+0.1")]


def test_no_answer_breaks_it() -> None:
    """A question that was answered before."""
    assert verdicts("1/2", None, "crashed") == [("broken", "-0.5")]
    assert verdicts("1/2", ["x"]) == [("broken", "-0.5")]
