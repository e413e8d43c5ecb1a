"""Certificates that samples refute a claim with a stated confidence: two counts of an event, or a game in one run.

What each kind contains, what it proves, and what it has to assume, is written down beside the check
(:mod:`oracle.certificates.checker.statistics_counts`, ``statistics_one_run``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oracle.certificates.checker import Rejected, check
from oracle.certificates.documents import Certificate, seal
from oracle.errors import UncertifiedError
from oracle.exact import to_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gmpy2 import mpq

    from oracle.claims import EventClaim, GaussianDP

__all__ = ["count_refutation", "one_run_refutation"]


def _checked(document: dict[str, Any]) -> Certificate:
    """The sealed document, which the independent checker has accepted.

    Raises:
        UncertifiedError: if it does not.
    """
    certificate = seal(document)
    try:
        check(certificate)
    except Rejected as rejected:
        raise UncertifiedError(False, str(rejected)) from None
    return certificate


def count_refutation(  # noqa: PLR0913 - one parameter for each field
    *,
    claim: EventClaim | GaussianDP,
    direction: str,
    counts: Mapping[str, Mapping[str, str]],
    selection: Mapping[str, Any],
    larger: str,
    statements: int,
    confidence: mpq,
    bounds: tuple[mpq, mpq],
    levels: tuple[mpq, mpq],
    grid: int,
    region: str,
    violation: Mapping[str, str],
) -> Certificate:
    """Kind ``count_refutation``: the two bounds of the probabilities of an event, and the inequality they violate.

    Args:
        claim: the refuted claim.
        direction: the direction of the claim that is refuted.
        counts: of the event: "first" on D, "second" on D', each with "hits" and "runs".
        selection: how the event was chosen.
        larger: the law, "first" or "second", under which the event is more likely.
        statements: how many statements each event stands for: 2 where the larger law was left open.
        confidence: of the whole.
        bounds: below the larger probability, and above the smaller.
        levels: of the two bounds.
        grid: the bounds are the best multiples of 1/grid.
        region: "event" or "complement", the side that violates the claim.
        violation: the numbers of the violated inequality.

    Raises:
        UncertifiedError: if the checker does not accept it.
    """
    return _checked(
        {
            "certificate": "count_refutation",
            "version": 1,
            "claim": claim.to_json(),
            "direction": direction,
            "counts": {name: dict(count) for name, count in counts.items()},
            "selection": dict(selection),
            "larger": larger,
            "statements": str(statements),
            "confidence": to_text(confidence),
            "lower": {"bound": to_text(bounds[0]), "level": to_text(levels[0])},
            "upper": {"bound": to_text(bounds[1]), "level": to_text(levels[1])},
            "grid": str(grid),
            "region": region,
            "violation": dict(violation),
        }
    )


def one_run_refutation(  # noqa: PLR0913 - one parameter for each field
    *,
    claim: EventClaim | GaussianDP,
    run: Mapping[str, str],
    selection: Mapping[str, Any],
    confidence: mpq,
    p_value: mpq,
    violation: Mapping[str, Any],
) -> Certificate:
    """Kind ``one_run_refutation``: a bound of the probability of so many correct guesses under the claim.

    Args:
        claim: the refuted claim, of both directions together.
        run: "canaries", "guesses" and "correct".
        selection: how the rule of guessing was chosen.
        confidence: of the whole.
        p_value: the bound, times the size of the family at most 1 - confidence.
        violation: a rational "level" >= e^epsilon, the "thresholds" of a claim of mu, or nothing.

    Raises:
        UncertifiedError: if the checker does not accept it.
    """
    return _checked(
        {
            "certificate": "one_run_refutation",
            "version": 1,
            "claim": claim.to_json(),
            "run": dict(run),
            "selection": dict(selection),
            "confidence": to_text(confidence),
            "p_value": to_text(p_value),
            "violation": dict(violation),
        }
    )
