"""E-values of pairs of runs for (epsilon, delta) claims: valid at any stopping time, exact for a fixed rational bet.

Let E >= e^epsilon be rational and 0 < bet <= 1/(E + delta). In each pair x is 1 where the run on D has the event S, y
where the run on D' has it, else 0. Under the claim P(S) <= e^epsilon Q(S) + delta, whatever was seen before,

    factor = 1 + bet (x - E y - delta) >= 0    and    E[factor] = 1 + bet (P(S) - E Q(S) - delta) <= 1,

so the product of the factors, the capital of a gambler who bets against the claim, is a nonnegative supermartingale
that starts at 1, and by Ville's inequality the probability that it ever reaches 1/level is at most the level. The runs
may be looked at after every pair, and stopped at any time. The two runs of a pair need not be independent.

The factor takes four values, so that the capital is a product of four powers of rational numbers, and the four counts
decide. Source: the testing-by-betting form of Ramdas, Grünwald, Vovk and Shafer, *Game-theoretic statistics and safe
anytime-valid inference* (Statistical Science, 2023), section 3, for the null hypothesis of a privacy claim.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from oracle.certificates.documents import Certificate
from oracle.certificates.e_value_documents import e_value_refutation
from oracle.claims import ApproximateDP, Claim
from oracle.errors import Declined, InputError, LimitError, shorten
from oracle.exact import to_decimal, to_text
from oracle.statistics.counts import PairCounts
from oracle.statistics.events import Law
from oracle.statistics.selection import DECLARED, Selection

__all__ = ["EValueVerdict", "capital", "factors", "judge_pairs", "largest_bet", "level_above"]

_BITS: Final = 64
_MOST_PAIRS: Final = 10**6
_SHOWN_DIGITS: Final = 6
_MOST_DIGITS: Final = 20
"""Most digits of the numerator or denominator of a bet: the capital is written with that many for each pair."""

_ASSUMPTIONS: Final = (
    "in every pair one run is on D and one on D', each with fresh randomness; they may be stopped at any time",
    "the inputs are neighbours in the sense of the claim, and the program that ran is the mechanism of the claim",
    "the bet was fixed before the first of these pairs",
)


def level_above(claim: ApproximateDP) -> mpq:
    """The rational E of a claim: e^epsilon itself where it is rational, else a bound above it by about 2^-64 of it.

    Raises:
        Declined: for epsilon = inf, which no event refutes.
    """
    if claim.level.is_infinite:
        raise Declined("a claim with epsilon = inf: counts refute it only if delta < 1, and then never with a bet")
    return claim.level.bracket(_BITS)[1]


def largest_bet(exp_epsilon: mpq, delta: mpq) -> mpq:
    """1/(E + delta), the largest bet for which no pair makes the capital negative."""
    return 1 / (exp_epsilon + delta)


def factors(exp_epsilon: mpq, delta: mpq, bet: mpq) -> tuple[mpq, mpq, mpq, mpq]:
    """What a pair multiplies the capital by, where both, only the run on D, only that on D', or none has the event.

    Raises:
        InputError: for a bet that is not above 0 and at most :func:`largest_bet`.
    """
    most = largest_bet(exp_epsilon, delta)
    if not 0 < bet <= most:
        wanted = f"a bet above 0 and at most 1/(e^epsilon + delta) = {to_decimal(most, 6, 'down')}..."
        raise InputError(wanted, shorten(to_text(bet)), "bet")
    return (
        1 + bet * (1 - exp_epsilon - delta),
        1 + bet * (1 - delta),
        1 - bet * (exp_epsilon + delta),
        1 - bet * delta,
    )


def capital(pairs: PairCounts, exp_epsilon: mpq, delta: mpq, bet: mpq) -> mpq:
    """The e-value of the pairs, exactly.

    Raises:
        LimitError: for more than a million pairs, or a bet of more than 20 digits.
    """
    if pairs.pairs > _MOST_PAIRS:
        raise LimitError(f"at most {_MOST_PAIRS} pairs", str(pairs.pairs), "counts")
    if max(bet.numerator, bet.denominator) >= 10**_MOST_DIGITS:
        raise LimitError(f"a bet of at most {_MOST_DIGITS} digits", shorten(to_text(bet)), "bet")
    counts = (pairs.both, pairs.first_only, pairs.second_only, pairs.neither)
    value = mpq(1)
    for factor, count in zip(factors(exp_epsilon, delta, bet), counts, strict=True):
        value *= factor**count
    return value


@dataclass(frozen=True, slots=True)
class EValueVerdict:
    """What pairs of runs say of a claim.

    Attributes:
        refuted: whether the capital has reached the threshold; otherwise the claim is undecided.
        capital: the e-value, exactly.
        threshold: 1/level, times the size of the family of statements.
        exp_epsilon: the rational bound E >= e^epsilon.
        statement: the verified inequality in words, or the one that fails.
        assumptions: sentences that no arithmetic can check.
        certificate: of a refutation, else None.
    """

    refuted: bool
    capital: mpq
    threshold: mpq
    exp_epsilon: mpq
    statement: str
    assumptions: tuple[str, ...]
    certificate: Certificate | None


def judge_pairs(  # noqa: PLR0913 - one keyword for each part of the set-up
    claim: Claim,
    pairs: PairCounts,
    *,
    bet: mpq,
    confidence: mpq,
    selection: Selection = DECLARED,
    larger: Law = "first",
) -> EValueVerdict:
    """Test P(S) <= e^epsilon Q(S) + delta on pairs of runs, or the same with P and Q exchanged.

    Args:
        claim: (epsilon, delta) with a finite epsilon.
        pairs: the four counts.
        bet: fixed before the runs, above 0 and at most 1/(E + delta).
        confidence: above 0 and below 1.
        selection: how the event was chosen; of a family of N every member has 1/N of the level.
        larger: the law under which S was said to be more likely; "first" is P.

    Raises:
        Declined: for another claim, or epsilon = inf.
        InputError: for a bet out of its range.
        LimitError: as :func:`capital`.
    """
    if not isinstance(claim, ApproximateDP):
        raise Declined("pairs of runs test claims of (epsilon, delta) only")
    bound = level_above(claim)
    value = capital(pairs if larger == "first" else pairs.swapped(), bound, claim.delta, bet)
    threshold = selection.size / (1 - confidence)
    refuted = value >= threshold
    shown = to_decimal(value, _SHOWN_DIGITS, "down")
    rounded = "" if mpq(shown) == value else " (rounded down)"
    statement = (
        f"A capital of 1 that bets {shorten(to_text(bet))} against the claim in each of {pairs.pairs} pairs of runs is "
        f"now {shown}{rounded}, {'at least' if refuted else 'below'} {shorten(to_text(threshold))}, which it reaches "
        f"under the claim with a probability of at most {shorten(to_text(1 / threshold))}, at whatever time the runs "
        "are stopped."
    )
    certificate = None
    if refuted:
        certificate = e_value_refutation(
            claim=claim.to_json(),
            counts=pairs.to_json(),
            selection=selection.to_json(),
            larger=larger,
            confidence=confidence,
            bet=bet,
            level=bound,
            threshold=threshold,
        )
    assumptions = (*_ASSUMPTIONS, f"the event was {selection.describe()}")
    return EValueVerdict(refuted, value, threshold, bound, statement, assumptions, certificate)
