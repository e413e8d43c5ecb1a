"""Laws run against a subject: which hold, which break by rounding alone, which break materially.

Every law is searched twice where it breaks: for any excess above 0, then for one above
:data:`oracle.laws.harness.MATERIAL`. The laws send rational inputs as text and compare with exact values, so for a
float subject the rounding of the inputs is part of an excess.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Literal

from gmpy2 import mpq

from oracle.errors import InputError, shorten
from oracle.exact import to_decimal, to_text
from oracle.laws.ask import Subject
from oracle.laws.harness import MATERIAL, PROFILES, LawResult, Profile, run_law
from oracle.laws.record import ClaimRecord, Law
from oracle.laws.reproduce import select

__all__ = ["SUBJECTS", "VERDICTS", "Finding", "document", "find_subject", "search_claims", "search_law", "signed"]

SUBJECTS: Final = {"float64": "oracle.conformance.float64"}
"""Subjects that come with the package, and their modules."""

Verdict = Literal["holds", "rounding", "material", "declined", "error"]

VERDICTS: Final[tuple[Verdict, ...]] = ("holds", "rounding", "material", "declined", "error")


@dataclass(frozen=True, slots=True)
class Finding:
    """What the search found about one law.

    Attributes:
        claim: id of the claim.
        law: name of the law.
        verdict: ``holds``; ``rounding`` (broken, by at most 10^-9); ``material`` (by more: a yes for a no counts as 1);
            ``declined``; ``error`` (an answer that is none).
        cases: examples that were run.
        worst: the largest excess met, or None.
        excess: by how much the shrunk example breaks the law, or None.
        example: the shrunk example, or what went wrong, or None.
    """

    claim: str
    law: str
    verdict: Verdict
    cases: int
    worst: mpq | None = None
    excess: mpq | None = None
    example: str | None = None

    @property
    def breaks(self) -> bool:
        """Whether this is a finding: a law that is broken or cannot be run."""
        return self.verdict in ("rounding", "material", "error")


def find_subject(name: str) -> Subject:
    """The subject of that name.

    Raises:
        InputError: for a name that is none.
        MissingExtraError: if what it needs is not installed.
    """
    if name not in SUBJECTS:
        raise InputError("one of the subjects " + ", ".join(SUBJECTS), f'"{shorten(name)}"', "--subject")
    subject: Subject = import_module(SUBJECTS[name]).answer
    return subject


def search_law(claim: str, law: Law, subject: Subject, profile: Profile) -> Finding:
    """Search for any excess, and where there is one for a material one."""
    first = run_law(law, subject, profile)
    if first.problem is not None:
        verdict: Verdict = "declined" if first.problem == "declined by the subject" else "error"
        return Finding(claim, law.name, verdict, first.cases, example=None if verdict == "declined" else first.problem)
    if first.holds:
        return Finding(claim, law.name, "holds", first.cases, first.worst)
    second = run_law(law, subject, profile, MATERIAL)
    cases = first.cases + second.cases
    larger = max(first, second, key=_worst)
    if second.example is not None:
        return Finding(claim, law.name, "material", cases, larger.worst, second.excess, second.example)
    if _worst(first) > MATERIAL:  # met while the first search shrank, and not found again
        return Finding(claim, law.name, "material", cases, first.worst, first.worst, first.worst_example)
    return Finding(claim, law.name, "rounding", cases, larger.worst, first.excess, first.example)


def _worst(result: LawResult) -> mpq:
    return mpq(0) if result.worst is None else result.worst


def _search(paper: str, identity: str, subject: str, profile: str) -> list[Finding]:
    (claim,) = select(paper, [identity])
    return [search_law(claim.id, law, find_subject(subject), PROFILES[profile]) for law in claim.laws]


def search_claims(
    claims: Sequence[ClaimRecord], paper: str, subject: str, profile: str = "ci", jobs: int = 2
) -> Generator[list[Finding], None, None]:
    """Findings claim by claim, in no fixed order; closing the iterator cancels what has not started."""
    with_laws = sorted((c for c in claims if c.laws), key=lambda claim: -len(claim.laws))
    if jobs <= 1 or len(with_laws) <= 1:
        for claim in with_laws:
            yield _search(paper, claim.id, subject, profile)
        return
    with ProcessPoolExecutor(min(jobs, len(with_laws)), mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting = [pool.submit(_search, paper, claim.id, subject, profile) for claim in with_laws]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            for future in waiting:
                future.cancel()


def document(
    claims: Sequence[ClaimRecord], paper: str, subject: str, profile: str, found: Sequence[Finding]
) -> dict[str, Any]:
    """The findings in the paper's order as one JSON document; excesses as exact text and as signed decimals."""
    order = {(claim.id, law.name): (i, j) for i, claim in enumerate(claims) for j, law in enumerate(claim.laws)}
    ordered = sorted(found, key=lambda finding: order[finding.claim, finding.law])
    counts = Counter(finding.verdict for finding in ordered)
    hello = find_subject(subject)({"id": "hello", "op": "hello", "args": {}})["value"]
    return {
        "paper": paper,
        "subject": {"name": hello["name"], "version": hello["version"]},
        "profile": profile,
        "material": to_text(MATERIAL),
        "counts": {verdict: counts[verdict] for verdict in VERDICTS},
        "laws": [_row(finding) for finding in ordered],
    }


def _row(finding: Finding) -> dict[str, Any]:
    return {
        "claim": finding.claim,
        "law": finding.law,
        "verdict": finding.verdict,
        "cases": finding.cases,
        "worst": _exact(finding.worst),
        "worst_decimal": signed(finding.worst),
        "excess": _exact(finding.excess),
        "excess_decimal": signed(finding.excess),
        "example": finding.example,
    }


def _exact(value: mpq | None) -> str | None:
    return None if value is None else to_text(value)


def signed(value: mpq | None) -> str | None:
    """Three digits with a sign, rounded up: an excess is never shown smaller than it is."""
    if value is None:
        return None
    text = to_decimal(value, 3, "up")
    return text if value <= 0 else f"+{text}"
