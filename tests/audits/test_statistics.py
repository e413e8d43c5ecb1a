"""Audits from samples in Python: both sides of a statement, and what is said of what is left undecided."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.audits.observations import read_observations
from oracle.audits.run import audit
from oracle.errors import Declined
from oracle.statistics.e_values import capital
from oracle.statistics.events import Count, EventCounts
from oracle.statistics.one_run import OneRun, one_run_p_value


def test_the_complement_belongs_to_the_statement():
    """9 of 10 against 4 of 10 says that 1 of 10 against 6 of 10 is too small: backward, at no further cost."""
    counts = EventCounts(Count(900, 1000), Count(400, 1000))
    both = audit(counts, "E=3", event="declared")
    assert (both.verdict, both.document["certificates"][0]["direction"]) == ("refuted", "backward")
    assert audit(counts, "E=3", event="declared", direction="forward").verdict == "undecided"
    assert both.document["claims"][0]["bound"]["exp_epsilon"] == both_bound(both)


def both_bound(report) -> str:
    """(1 - q_U)/(1 - p_L) of the only certificate."""
    certificate = report.document["certificates"][0]
    lower, upper = (mpq(certificate[name]["bound"]) for name in ("lower", "upper"))
    return str((1 - upper) / (1 - lower))


def test_least_levels_are_least():
    """For counts, one run and pairs: at that level refuted, one thousandth below it not."""
    for source, claim, options in [
        (EventCounts(Count(75, 100), Count(35, 100)), "E=2", {}),
        (OneRun(100, 40, 31), "E=2", {}),
        ({"both": 3, "only_on_D": 9, "only_on_Dprime": 3, "neither": 5}, "eps=1/10", {"bet": "1/2"}),
    ]:
        report = audit(source, claim, event="declared", **options)
        least = mpq(report.document["claims"][0]["least_level"])
        assert mpq(1, 20) < least < 1
        at, below = 1 - least, 1 - least + mpq(1, 1000)
        assert audit(source, claim, event="declared", confidence=at, **options).verdict == "refuted"
        assert audit(source, claim, event="declared", confidence=below, **options).verdict == "undecided"


def test_the_least_level_of_one_run_is_its_p_value_rounded_up():
    """An exact number by another way."""
    run = OneRun(100, 40, 31)
    least = mpq(audit(run, "E=2", event="declared").document["claims"][0]["least_level"])
    assert least - mpq(1, 1000) < one_run_p_value(run, mpq(2)) <= least


def test_the_least_level_of_pairs_is_the_inverse_of_the_capital_rounded_up():
    """An exact number by another way."""
    pairs = {"both": 3, "only_on_D": 9, "only_on_Dprime": 3, "neither": 5}
    report = audit(pairs, "E=11/10", event="declared", bet="1/2")
    least = mpq(report.document["claims"][0]["least_level"])
    value = capital(read_observations(pairs).seen, mpq(11, 10), mpq(0), mpq(1, 2))
    assert least - mpq(1, 1000) < 1 / value <= least


def test_the_violation_that_would_have_been_found_is_found_by_the_expected_counts():
    """At least by a little more than the expected counts of a violation a little larger."""
    report = audit(EventCounts(Count(500, 1000), Count(500, 1000)), "E=2", event="declared")
    t = mpq(report.document["claims"][0]["violation"]["t"])
    assert mpq(report.document["claims"][0]["violation"]["exp_epsilon"]) == t / (1 - t)
    hits = int(1000 * t) + 8
    larger = EventCounts(Count(hits, 1000), Count(1000 - hits, 1000))
    smaller = EventCounts(Count(hits - 20, 1000), Count(1020 - hits, 1000))
    assert audit(larger, "E=2", event="declared").verdict == "refuted"
    assert audit(smaller, "E=2", event="declared").verdict == "undecided"


def test_likelier_on_the_other_input_mirrors_everything():
    """Counts and directions exchanged: the same bounds, the same violation."""
    first = audit(EventCounts(Count(60, 100), Count(50, 90)), "E=2", event="declared", direction="forward")
    second = audit(
        EventCounts(Count(50, 90), Count(60, 100)), "E=2", event="declared", direction="backward", likelier_on="Dprime"
    )
    for name in ("least_level", "violation", "verdict"):
        assert first.document["claims"][0][name] == second.document["claims"][0][name]


def test_no_runs_to_plan_with_and_an_infinite_epsilon():
    """Too few runs find nothing; nothing refutes an infinite epsilon."""
    few = audit(EventCounts(Count(1, 2), Count(1, 2)), "E=2", event="declared").document["claims"][0]
    assert (few["violation"], few["least_level"]) == (None, None)
    infinite = audit(EventCounts(Count(9, 10), Count(1, 10)), "eps=inf", event="declared")
    assert (infinite.verdict, infinite.document["claims"][0]["violation"]) == ("undecided", None)


def test_claims_of_renyi_divergences_are_declined():
    """No event refutes them as they stand."""
    with pytest.raises(Declined):
        audit(EventCounts(Count(9, 10), Count(1, 10)), ["E=2", "rho=1"], event="declared")


def test_several_claims_are_refuted_together_by_bounds_and_apart_by_p_values():
    """Which of the two is said in the report."""
    counts = audit(EventCounts(Count(9, 10), Count(1, 10)), ["E=1", "mu=1/10"], event="declared")
    assert counts.document["limits"][-1].startswith("The bounds of P(S) and Q(S) hold together")
    run = audit(OneRun(10, 10, 10), ["E=1", "E=2"], event="declared")
    assert run.document["limits"][-1].startswith("Each refutation has the stated confidence by itself")
