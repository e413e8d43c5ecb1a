"""The comparison with released accountants: verdicts, programs, and that the report is a function of its results."""

from __future__ import annotations

import ast
import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.benchmarks.accountants.cases import CASES, FIRST, double
from tests.benchmarks.accountants.causes import CAUSES, cause_of
from tests.benchmarks.accountants.report import write
from tests.benchmarks.accountants.rows import rows
from tests.benchmarks.accountants.sources import OURS, PEERS, Declined
from tests.benchmarks.accountants.verdict import Verdict, judge, read

REPORT = Path(__file__).parents[2] / "reports" / "accountants"
RESULTS = json.loads((REPORT / "results.json").read_text(encoding="utf-8"))
LOW, HIGH = Fraction(3, 10), Fraction(4, 10)


@pytest.mark.parametrize(
    ("claim", "value", "verdict"),
    [
        ("upper", Fraction(15, 100), Verdict("wrong", Fraction(-1, 2), material=True)),
        ("lower", Fraction(15, 100), Verdict("right", Fraction(-1, 2))),
        ("upper", Fraction(8, 10), Verdict("right", Fraction(1))),
        ("lower", Fraction(8, 10), Verdict("wrong", Fraction(1), material=True)),
        ("estimate", Fraction(8, 10), Verdict("estimate", Fraction(1))),
        ("upper", Fraction(35, 100), Verdict("inside", Fraction(0))),
        ("upper", LOW * (1 - Fraction(1, 10**9)), Verdict("wrong", Fraction(-1, 10**9))),
        ("upper", float("inf"), Verdict("right", None)),
        ("upper", float("-inf"), Verdict("wrong", None, material=True)),
        ("lower", float("inf"), Verdict("wrong", None, material=True)),
        ("upper", float("nan"), Verdict("no number", None)),
    ],
)
def test_a_value_is_judged_by_its_claim(claim: str, value: Fraction | float, verdict: Verdict) -> None:
    """Wrong is an upper value below the enclosure or a lower one above it; the gap is that to the nearer end."""
    assert verdict == judge(claim, value, LOW, HIGH)


def test_a_wrong_side_of_a_tiny_truth_is_not_material() -> None:
    """At 1e-300 and below a wrong side is only strict."""
    assert judge("upper", Fraction(0), Fraction(1, 10**300), Fraction(2, 10**300)) == Verdict("wrong", Fraction(-1))


def test_a_float_is_read_as_the_double_that_it_is() -> None:
    """0.1 as a float is not 1/10; as an exact text it is."""
    assert read("0.1", exact=False) == double("0.1") != read("0.1", exact=True) == Fraction(1, 10)


@pytest.mark.parametrize("peer", [OURS, *PEERS.values()], ids=lambda peer: peer.name)
def test_every_program_is_python(peer) -> None:
    """What a peer is asked parses, claims something, and is one of the first eight cases at least once."""
    answered = set()
    for case in CASES.values():
        try:
            program = peer.answers(case)
        except Declined:
            continue
        answered.add(case.name)
        tree = ast.parse(f"{program.imports}\n{program.body}")
        assert len(tree.body) >= 2
        assert set(program.claims) <= {"lower", "estimate", "upper"}
        assert program.claims
    assert answered & {*FIRST, "A1-eps"}


def test_the_scale_of_each_case_is_near_its_delta() -> None:
    """The power of ten that peers are told is within a factor of 10 of the certified delta."""
    for name, case in CASES.items():
        if case.epsilon is not None:
            truth = RESULTS["truths"][name]
            assert (
                Fraction(case.scale) / 10 <= Fraction(truth["lo"]) <= Fraction(truth["hi"]) <= 10 * Fraction(case.scale)
            )


def test_every_case_is_answered_by_us_and_by_a_peer() -> None:
    """No case of the report is without a comparison."""
    answered = {(run["case"], run["peer"] == OURS.name) for run in RESULTS["runs"] if "claims" in run}
    assert {(name, ours) for name in CASES for ours in (True, False)} <= answered


def test_nothing_of_ours_is_on_the_wrong_side() -> None:
    """Our enclosures overlap the certified ones, and so do their ends the right way round."""
    sides = {row.verdict.side for row in rows(RESULTS) if row.peer == OURS.name and row.verdict is not None}
    assert sides <= {"right", "inside"}


def test_every_cause_explains_something() -> None:
    """No cause is kept that no result needs, and each wrong side has one."""
    wrong = [row for row in rows(RESULTS) if row.verdict is not None and row.verdict.side in {"wrong", "no number"}]
    assert {cause.name for cause in CAUSES} == {cause_of(row).name for row in wrong}


def test_the_report_is_a_function_of_its_results(tmp_path: Path) -> None:
    """Written again from results.json, every committed file is the same, and every script is Python."""
    write(RESULTS, tmp_path)
    made = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    committed = {str(path.relative_to(REPORT)): path.read_bytes() for path in REPORT.rglob("*") if path.is_file()}
    assert made == {name: data for name, data in committed.items() if name != "results.json"}
    for name, data in made.items():
        if name.endswith(".py"):
            ast.parse(data)
