"""Reproduces a paper: runs its claims, in parallel, and collects results and errata as one document."""

from __future__ import annotations

import multiprocessing
import re
import unicodedata
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

from oracle.certificates.documents import Certificate, evaluation
from oracle.errors import InputError, shorten
from oracle.exact import to_text
from oracle.laws.harness import PROFILES, ClaimResult, run_claim
from oracle.laws.papers import PAPERS, claims_of
from oracle.laws.record import ClaimRecord

__all__ = ["certificates", "document", "errata", "printed_formula", "run_claims", "select", "slug", "title"]


def select(paper: str, only: Sequence[str] = ()) -> list[ClaimRecord]:
    """The records of a paper, or those with the ids in *only*."""
    claims = claims_of(paper)
    known = {claim.id for claim in claims}
    for identity in only:
        if identity not in known:
            raise InputError(f"a claim of {paper}", f'"{shorten(identity)}"', "--only")
    return [claim for claim in claims if not only or claim.id in only]


def _run(paper: str, identity: str, profile: str) -> ClaimResult:
    (claim,) = select(paper, [identity])
    return run_claim(claim, PROFILES[profile])


def run_claims(
    claims: Sequence[ClaimRecord], paper: str, profile: str = "ci", jobs: int = 2
) -> Generator[ClaimResult, None, None]:
    """Results as they come, in no fixed order; the claims with the most laws start first.

    Closing the iterator early cancels what has not started, so results that came are never lost.
    """
    ordered = sorted(claims, key=lambda claim: -len(claim.laws))
    if jobs <= 1 or len(ordered) == 1:
        for claim in ordered:
            yield run_claim(claim, PROFILES[profile])
        return
    with ProcessPoolExecutor(min(jobs, len(ordered)), mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting = [pool.submit(_run, paper, claim.id, profile) for claim in ordered]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            for future in waiting:
                future.cancel()


def document(paper: str, results: Sequence[ClaimResult]) -> dict[str, Any]:
    """Results in the paper's order as the contract prints them; ``worst`` is the largest excess over all laws."""
    order = {claim.id: i for i, claim in enumerate(claims_of(paper))}
    rows = [
        {
            "id": result.id,
            "status": result.status,
            "rederived": result.rederived,
            "cases": result.cases,
            "worst": None if result.worst is None else to_text(result.worst),
        }
        for result in sorted(results, key=lambda result: order[result.id])
    ]
    return {"paper": paper, "claims": rows}


def slug(identity: str) -> str:
    """A file name for a claim id, distinct for distinct ids of one paper: primes are spelled out."""
    text = identity.replace("'", "-prime").replace("∘", "o")
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-")


def errata(claims: Sequence[ClaimRecord]) -> list[dict[str, Any]]:
    """Everything printed and not so: one entry for each erratum, with the name of its certificate file."""
    entries = []
    for claim in claims:
        for number, erratum in enumerate(claim.errata, start=1):
            name = slug(claim.id) + (f"-{number}" if len(claim.errata) > 1 else "")
            entries.append(
                {
                    "id": claim.id,
                    "title": claim.title,
                    "source": claim.source,
                    "scope": erratum.scope,
                    "summary": erratum.summary,
                    "printed": erratum.printed,
                    "printed_formula": erratum.printed_formula,
                    "true_formula": erratum.true_formula or claim.formula,
                    "counterexample": erratum.counterexample,
                    "correction": erratum.correction,
                    "certificate": f"certificates/{name}.json",
                }
            )
    return entries


def printed_formula(claim: ClaimRecord) -> str:
    """What is printed in place of the claim's formula; empty if that is so, or only a remark beside it is wrong."""
    wrong = [erratum for erratum in claim.errata if erratum.scope != "remark" and erratum.printed_formula]
    return "; or: ".join(dict.fromkeys(erratum.printed_formula for erratum in wrong))


def certificates(claims: Sequence[ClaimRecord], paper: str) -> dict[str, Certificate]:
    """Certificate documents of the errata by file name; evaluations name the claim that they are about."""
    documents = [
        _about(erratum.certificate(), f"{paper}/{claim.id}" + (f", {number}" if len(claim.errata) > 1 else ""))
        for claim in claims
        for number, erratum in enumerate(claim.errata, start=1)
    ]
    names = [entry["certificate"] for entry in errata(claims)]
    return dict(zip(names, documents, strict=True))


def _about(document: Certificate, text: str) -> Certificate:
    return evaluation(document["facts"], text) if document["certificate"] == "evaluation" else document


def title(paper: str) -> str:
    """The paper's authors and title."""
    return PAPERS[paper]
