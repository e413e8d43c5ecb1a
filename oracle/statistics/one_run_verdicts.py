"""Decides a claim from the correct guesses of one run, with a certificate where they refute it.

The answer is "refuted" or "undecided": a run never proves that a claim holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from gmpy2 import mpq

from oracle.certificates.statistics_documents import one_run_refutation
from oracle.claims import ApproximateDP, Claim, EventClaim, GaussianDP, TradeoffClaim
from oracle.errors import Declined, shorten
from oracle.exact import Infinity, round_decimal, to_decimal, to_text
from oracle.statistics.one_run import MOST_P_VALUE, OneRun, one_run_p_value
from oracle.statistics.one_run_curves import curve_refutation
from oracle.statistics.selection import DECLARED, Selection, parse_confidence

__all__ = ["OneRunVerdict", "judge_one_run", "one_run_refutes_curve"]

_ASSUMPTIONS: Final = (
    "each canary was in or out by its own fair coin, independent of everything else",
    "the guesses were made from the output of the run, without the coins",
    "inputs that differ in one canary are neighbours in the sense of the claim",
    "the program that ran is the mechanism of the claim",
)
_CHOSEN: Final = {
    "declared": "the rule of guessing, with the largest number of guesses, was fixed before the run",
    "split": "the rule of guessing was chosen on canaries that are not among the counted ones",
    "family": "the family, fixed before the run, holds every rule of guessing that might have been reported",
}
_LEVEL_DIGITS: Final = (4, 8)
_LEVEL_BITS: Final = 64
_SHOWN_DIGITS: Final = 6
_BOUND_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class OneRunVerdict:
    """What one run says of a claim.

    Attributes:
        refuted: True, or False for undecided.
        p_value: a bound of the probability of as many correct guesses under the claim, exact for a rational e^epsilon;
            None for a trade-off function or a mu that is not refuted, and for an infinite epsilon.
        level: what it must not exceed, (1 - confidence)/(size of the family).
        statement: the verified inequality in words.
        assumptions: what no arithmetic can check.
        certificate: a sealed document that the independent checker accepts; None where it is undecided.
    """

    refuted: bool
    p_value: mpq | None
    level: mpq
    statement: str
    assumptions: tuple[str, ...]
    certificate: dict[str, Any] | None


def one_run_refutes_curve(run: OneRun, claim: TradeoffClaim | GaussianDP, level: mpq) -> bool:
    """Whether so many correct guesses have a probability below *level* under the claim, proved by the recursion."""
    return curve_refutation(run, claim, level) is not None


def judge_one_run(claim: Claim, run: OneRun, *, confidence: mpq, selection: Selection = DECLARED) -> OneRunVerdict:
    """Whether one run refutes a claim, in both directions together, with the stated confidence.

    Args:
        claim: (epsilon, delta), a trade-off function or mu.
        run: canaries, guesses and correct guesses.
        confidence: strictly between 0 and 1.
        selection: how the rule of guessing, such as a threshold, was chosen.

    Raises:
        Declined: for a claim of rho or a Rényi order.
        InputError: for a confidence outside (0, 1).
        LimitError: for an exact p-value of more than 2^22 bits.
    """
    if not isinstance(claim, EventClaim | GaussianDP):
        raise Declined("one run tests claims of (epsilon, delta), a trade-off function or mu")
    level = (1 - parse_confidence(confidence)) / selection.size
    assumptions = (*_ASSUMPTIONS, _CHOSEN[selection.kind])
    if isinstance(claim, ApproximateDP):
        p_value, violation = _approximate(claim, run, level)
    else:
        p_value, violation = _curve(claim, run, level)
    most = min(level, MOST_P_VALUE) if isinstance(claim, ApproximateDP) and claim.delta else level
    counted = f"{run.correct} or more of at most {run.guesses} guesses about {run.canaries} canaries right"
    share = shorten(to_text(level))
    if p_value is None or p_value > most:
        shown = "" if p_value is None else f" {to_decimal(p_value, _SHOWN_DIGITS, 'up')} >"
        share = shorten(to_text(most))
        text = f"Under the claim, the bound of P[{counted}] is{shown or ' above'} {share}: the run does not refute it."
        return OneRunVerdict(False, p_value, level, text, assumptions, None)
    bound = min(round_decimal(p_value, _BOUND_DIGITS, "up"), most)
    certificate = one_run_refutation(
        claim=claim,
        run=run.to_json(),
        selection=selection.to_json(),
        confidence=confidence,
        p_value=bound,
        violation=violation,
    )
    shown = to_decimal(bound, _SHOWN_DIGITS, "up")
    relation = f"<= {shown} <= {share}" if round_decimal(bound, _SHOWN_DIGITS, "up") <= level else f"<= {share}"
    text = (
        f"Under the claim, P[{counted}] {relation}, so that with confidence at least"
        f" {shorten(to_text(confidence))} the claim is refuted."
    )
    return OneRunVerdict(True, p_value, level, text, assumptions, certificate)


def _approximate(claim: ApproximateDP, run: OneRun, level: mpq) -> tuple[mpq | None, dict[str, Any]]:
    """The p-value at a rational E >= e^epsilon, e^epsilon itself where it is one, else a decimal."""
    value = claim.level.value
    if isinstance(value, Infinity):
        return None, {}
    if value is not None:
        return one_run_p_value(run, value, claim.delta), {"level": to_text(value)}
    p_value, above = mpq(1), mpq(1)
    for digits in _LEVEL_DIGITS:
        above = round_decimal(claim.level.bracket(_LEVEL_BITS)[1], digits, "up")
        p_value = one_run_p_value(run, above, claim.delta)
        if p_value <= level:
            break
    return p_value, {"level": to_text(above)}


def _curve(claim: TradeoffClaim | GaussianDP, run: OneRun, level: mpq) -> tuple[mpq | None, dict[str, Any]]:
    found = curve_refutation(run, claim, level)
    if found is None:
        return None, {}
    if isinstance(claim, TradeoffClaim):
        return found.tau, {}
    return found.tau, {"thresholds": [to_text(t) for t in found.thresholds]}
