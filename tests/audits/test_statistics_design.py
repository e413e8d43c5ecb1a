"""What is tested: the event by name, by other runs or as the best of a family; the guesses of a threshold."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.audits.observations import read_observations
from oracle.audits.run import audit
from oracle.audits.statistics_design import design, under_test
from oracle.claims import parse_claim_text
from oracle.errors import InputError
from oracle.statistics.counts import CanaryScores, CountTable
from oracle.statistics.one_run import OneRun

CLAIMS = [parse_claim_text("E=2")]
TABLE = CountTable(("a", "b", "c"), (70, 20, 10), (20, 20, 60), ((7, 2, 1), (2, 2, 6)))


def event(**options) -> tuple[str, ...]:
    """The event that is tested on the table."""
    setup = design(**{"confidence": "19/20", "event": "declared", **options})
    found = under_test(read_observations(TABLE), CLAIMS, setup).outcomes
    assert found is not None
    return found


def test_the_event():
    """By name, by the other runs, or the best of a family that is as large as what is looked at."""
    assert event(outcomes=["c", "b"]) == ("c", "b")
    assert event(event="split") == ("a",)
    assert event(event="split", likelier="Dprime") == ("c",)
    assert event(event="family:3") == ("a",)
    assert event(event="family:4", likelier="Dprime") == ("c",)
    with pytest.raises(InputError, match="a family of at least the 3 outcomes"):
        event(event="family:2")
    with pytest.raises(InputError, match="the event that was declared"):
        event()


def test_of_two_outcomes_the_first_is_the_event():
    """Its order in the file is not made by the counts."""
    report = audit(CountTable(("no", "yes"), (60, 40), (10, 90)), "E=2", event="declared")
    assert (report.verdict, report.document["tested"]["outcomes"]) == ("refuted", ["no"])
    other = audit(CountTable(("yes", "no"), (40, 60), (90, 10)), "E=2", event="declared")
    assert (other.verdict, other.document["tested"]["outcomes"]) == ("undecided", ["yes"])


NAMES = tuple(f"c{k}" for k in range(8))
MEMBERS = tuple(k % 2 == 0 for k in range(8))
SCORES = CanaryScores(NAMES, MEMBERS, tuple(map(mpq, (8, 5, 7, 1, 6, 2, 4, 3))))


def guesses(**options) -> tuple[OneRun, tuple[mpq, mpq]]:
    """The guesses about the scores, and the thresholds by which they were made."""
    setup = design(**{"confidence": "19/20", "event": "declared", **options})
    found = under_test(read_observations(SCORES), CLAIMS, setup)
    assert isinstance(found.counts, OneRun)
    assert found.thresholds is not None
    return found.counts, found.thresholds


def test_guesses():
    """By a threshold or two, by the best of the other half of the names, by the best of all as a family."""
    assert guesses(threshold="6") == (OneRun(8, 8, 7), (6, 6))
    assert guesses(threshold="3:6") == (OneRun(8, 5, 5), (3, 6))
    assert guesses(event="split") == (OneRun(4, 4, 4), (4, 4))
    assert guesses(event="family:8") == (OneRun(8, 8, 7), (4, 4))
    with pytest.raises(InputError, match="a family of at least the 8 different scores"):
        guesses(event="family:7")
    with pytest.raises(InputError, match="the rule of the guesses that was declared"):
        guesses()


def test_what_the_design_reads():
    """The level of a family, the input on which the event is likelier, a bet; and what it refuses."""
    setup = design(confidence="9/10", event="family:5", likelier="Dprime", bet="0.25")
    assert (setup.level, setup.larger, setup.wager) == (mpq(1, 50), "second", mpq(1, 4))
    for options in ({"event": None}, {"likelier": "Q"}, {"threshold": "2:1"}, {"bet": "-1"}, {"confidence": "1"}):
        with pytest.raises(InputError):
            design(**{"confidence": "19/20", "event": "declared", **options})
    with pytest.raises(InputError, match="the bet that was fixed before"):
        _ = design(confidence="19/20", event="declared").wager
