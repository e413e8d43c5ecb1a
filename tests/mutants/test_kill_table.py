"""The suite bites: every mutant is found, every case finds one, and the exact engine is found nowhere."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest

from oracle.conformance.cases import Case, installed_suite
from oracle.conformance.protocol import Claimed
from oracle.conformance.runs import run
from oracle.conformance.subjects import exact_engine
from oracle.conformance.truths import Rejects
from tests.mutants import killing
from tests.mutants.base import CLAIMS, Engine
from tests.mutants.catalogue import CATALOGUE
from tests.mutants.sequences import LAW_MUTANTS, exact_answers
from tests.mutants.witnesses import WITNESSES

FAMILIES = {
    "round-off not added to the bound",
    "cancellation",
    "overflow",
    "failing open",
    "a wrong closed form, or one used outside its range",
    "a search that returns the wrong end",
    "a trade-off curve built from two separately discretised distributions",
    "infinite loss, point masses, zero columns, disjoint supports",
    "what sensitivity and adjacency mean",
    "discrete distributions given to continuous machinery",
    ">= against > at a threshold",
    "a vector query that differs from the scalar one",
    "a lower bound that adds its truncation mass",
}
"""The classes of fault seen in released libraries; a mutant or more stands for each."""

TABLE: dict[str, Any] = json.loads(killing.TABLE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return list(installed_suite().select())


def test_the_table_is_about_the_installed_suite_and_catalogue(cases: list[Case]) -> None:
    """Its hash, its cases and its mutants; ``python -m tests.mutants.killing`` makes it anew."""
    suite = installed_suite()
    assert (TABLE["suite"], TABLE["manifest"]) == (suite.version, suite.digest)
    assert list(TABLE["cases"]) == [case.id for case in cases]
    assert [row["name"] for row in TABLE["mutants"]] == [mutant.name for mutant in CATALOGUE]
    assert [row["name"] for row in TABLE["laws"]] == [mutant.name for mutant in LAW_MUTANTS]
    assert killing.TABLE.read_text(encoding="utf-8") == killing.text(TABLE)


def test_every_class_of_fault_has_mutants() -> None:
    """At least 40 in all, each with its own name."""
    mutants = [*CATALOGUE, *LAW_MUTANTS]
    assert len({mutant.name for mutant in mutants}) == len(mutants) >= 40
    assert {mutant.family for mutant in mutants} >= FAMILIES


def test_every_mutant_is_killed_as_expected() -> None:
    """By a verdict that its fault deserves, in cases that the table names."""
    for row in TABLE["mutants"]:
        assert row["killed_by"] == sum(row["verdicts"].values()) > 0, row["name"]
        assert set(row["verdicts"]) & set(row["expects"]), row["name"]
        assert set(row["first"]) == set(row["verdicts"])
    for row in TABLE["laws"]:
        assert row["killed_by"] > 0, row["name"]


def test_the_counts_of_the_table_agree() -> None:
    """What mutants are killed by is what cases kill."""
    by_case = Counter(name for found in TABLE["cases"].values() for name in found)
    assert by_case == {row["name"]: row["killed_by"] for row in TABLE["mutants"]}


def test_every_case_kills_a_mutant_or_says_why_it_stays() -> None:
    """One that shows in few questions: a blind answer, or printing six digits, is found too easily."""
    assert set(killing.idle_cases(TABLE)) == set(TABLE["witnesses"]) == set(WITNESSES)
    assert all(len(reason) > 20 for reason in WITNESSES.values())


def test_the_named_kills_are_kills(engine: Engine, cases: list[Case]) -> None:
    """The first case of each verdict, asked again."""
    by_id = {case.id: case for case in cases}
    for mutant, row in zip(CATALOGUE, TABLE["mutants"], strict=True):
        for verdict, named in row["first"].items():
            assert killing.verdict_on(engine, mutant, by_id[named[0]]) == verdict, (mutant.name, named[0])


@pytest.mark.slow
def test_the_exact_engine_passes_every_case(engine: Engine, cases: list[Case]) -> None:
    """Under the claims of the mutants, and under the claim that every answer is exact.

    It declines nothing but questions that have no answer. A scale of noise is found by bisection and is no exact one.
    """
    found = killing.exact_verdicts(engine, cases)
    unanswerable = {case.id for case in cases if isinstance(case.expected, Rejects)}
    assert {case for case, verdict in found.items() if verdict not in ("exact", "sound")} <= unanswerable
    assert set(found.values()) <= {"exact", "sound", "declined"}
    assert dict(sorted(Counter(found.values()).items())) == TABLE["exact"]
    strict = killing.exact_verdicts(engine, [case for case in cases if case.op != "calibrate"], Claimed("exact"))
    assert {case for case, verdict in strict.items() if verdict != "exact"} <= unanswerable


@pytest.mark.slow
def test_the_exact_engine_is_clean_in_a_run() -> None:
    """Through the door of the suite, with its own claims, laws included; it may have no op for a scale."""
    events: list[dict[str, Any]] = []
    outcome = run(exact_engine, installed_suite(), sink=events.append)
    assert outcome.exit_code == 0
    counts = outcome.footer["counts"]
    assert counts["exact"] + counts["declined"] == len(TABLE["cases"])
    declined = [event for event in events if event["event"] == "result" and event["verdict"] == "declined"]
    assert {event["op"] for event in declined if event["concept"] != "rejections"} <= {"calibrate"}
    assert [event for event in events if event["event"] == "law" and event["verdict"] == "broken"] == []


def test_the_mutants_of_laws_break_their_law_and_the_engine_does_not(engine: Engine, cases: list[Case]) -> None:
    """Each in the breaches that the table names first."""
    answers = exact_answers(engine, cases)
    for mutant, row in zip(LAW_MUTANTS, TABLE["laws"], strict=True):
        found = mutant.breaches(answers)
        assert len(found) == row["killed_by"], mutant.name
        assert [list(breach.cases[:3]) for breach in found[:3]] == row["first"]
        assert {breach.law for breach in found} == {mutant.law}


def test_a_mutant_names_operations_that_its_claims_are_about() -> None:
    """A one-sided claim is for numbers with a safe side only."""
    sided = {"delta", "hockey_stick", "epsilon", "renyi", "mu", "calibrate", "concurrent"}
    assert set(CLAIMS) == sided | {"tradeoff", "interactive_tradeoff"}
    for mutant in CATALOGUE:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", mutant.name)
        assert mutant.summary
        assert mutant.ops


@pytest.mark.slow
def test_the_table_is_what_the_catalogue_and_the_suite_give() -> None:
    """Every mutant asked every case."""
    assert killing.text(killing.document(installed_suite())) == killing.TABLE.read_text(encoding="utf-8")
