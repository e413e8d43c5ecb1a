"""The judged values: one row for each claim of each run."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.benchmarks.accountants.cases import CASES, Case
from tests.benchmarks.accountants.sources import OURS
from tests.benchmarks.accountants.verdict import Verdict, judge, read

__all__ = ["Row", "rows"]


@dataclass(frozen=True, slots=True)
class Row:
    """One claim and its verdict.

    Attributes:
        case: what was asked.
        peer: name of the peer.
        claim: ``lower``, ``estimate`` or ``upper``; the empty text for no answer.
        value: its text as the peer wrote it, or the error.
        verdict: None where there is no answer.
        cpu_seconds: processor time of the answer; None where there is none.
        megabytes: the most memory of the process, libraries included.
        imports: the most memory before the question.
    """

    case: Case
    peer: str
    claim: str
    value: str
    verdict: Verdict | None
    cpu_seconds: float | None
    megabytes: float | None
    imports: float | None


def rows(results: dict[str, Any]) -> list[Row]:
    """Every claim of every run, in the order of the results."""
    found = []
    for run in results["runs"]:
        case, peer = CASES[run["case"]], run["peer"]
        truth = results["truths"][case.name]
        lower, upper = Fraction(truth["lo"]), Fraction(truth["hi"])
        cost = run.get("cpu_seconds"), run.get("megabytes"), run.get("megabytes_of_imports")
        if "error" in run:
            found.append(Row(case, peer, "", run["error"], None, *cost))
            continue
        for claim, text in run["claims"].items():
            value = read(text, exact=peer == OURS.name)
            found.append(Row(case, peer, claim, text, judge(claim, value, lower, upper), *cost))
    return found
