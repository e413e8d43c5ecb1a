"""Refutations by e-values: the capital of a bet against an (epsilon, delta) claim, and why it proves anything.

In each pair of runs x is 1 where the run on D has the event S, y where the one on D' has it, else 0.  With E >= e^eps
and 0 < bet <= 1/(E + delta) the factor 1 + bet (x - E y - delta) is at least 1 - bet (E + delta) >= 0, and under the
claim its expectation, 1 + bet (P(S) - E Q(S) - delta), is at most 1.  So the product over the pairs is a nonnegative
supermartingale from 1, which ever reaches c with probability at most 1/c (Ville).  With c = N/(1 - confidence) the
probability that one of the products of a family of N statements does is at most 1 - confidence (the union bound).

The product is bounded from below by integers rounded down, and is exact for few pairs; no logarithm is taken.
"""

from __future__ import annotations

from fractions import Fraction

from .claims import privacy_claim
from .reading import choice, fields, number, positive
from .stated import claim_words
from .statistics_reading import between, said, selection, whole
from .verdict import Accepted, Rejected

_NAMES = ("both", "only_on_D", "only_on_Dprime", "neither")
_EXACT_PAIRS = 1000
_MOST_PAIRS = 10**6
_PRECISIONS = (128, 256, 1024, 4096)


def check_e_value_refutation(document: dict[str, object]) -> Accepted:
    """Check an `e_value_refutation` certificate."""
    claim = privacy_claim(document["claim"], "$.claim")
    level = positive(document["level"], "$.level")
    if claim.compare_level(level, "$.level") > 0:
        raise Rejected("the level is below e^epsilon of the claim", "$.level")
    counts = fields(document["counts"], _NAMES, "$.counts")
    pairs = [whole(counts[name], f"$.counts.{name}", 0, _MOST_PAIRS) for name in _NAMES]
    if not 0 < sum(pairs) <= _MOST_PAIRS:
        raise Rejected(f"expected 1 to {_MOST_PAIRS} pairs", "$.counts")
    size, chosen = selection(document["selection"], "$.selection")
    larger = choice(document["larger"], ("first", "second"), "$.larger")
    confidence = between(document["confidence"], "$.confidence")
    threshold = number(document["threshold"], "$.threshold")
    if threshold != size / (1 - confidence):
        raise Rejected("is not the size of the family divided by (1 - confidence)", "$.threshold")
    bet = positive(document["bet"], "$.bet")
    if bet * (level + claim.delta) > 1:
        raise Rejected("a bet above 1/(E + delta) can make the capital negative", "$.bet")
    outcomes = ((1, 1), (1, 0), (0, 1), (0, 0)) if larger == "first" else ((1, 1), (0, 1), (1, 0), (0, 0))
    factors = [1 + bet * (x - level * y - claim.delta) for x, y in outcomes]
    if not _reaches(factors, pairs, threshold):
        raise Rejected("the capital does not reach the threshold", "$.counts")
    rule = "P(S) > e^eps Q(S) + delta" if larger == "first" else "Q(S) > e^eps P(S) + delta"
    told = ", ".join(f"{pairs[k]} {name}" for k, name in enumerate(("both", "only on D", "only on D'", "neither")))
    words, _ = claim_words(document["claim"], "$.claim")
    bet_said, reached = said(document["bet"]), said(document["threshold"])
    return Accepted(
        "e_value_refutation",
        f"With confidence at least {said(document['confidence'])} the claim {words} is refuted: {rule}. In {sum(pairs)}"
        f" pairs of runs on D and D' the event S came in {told}; betting {bet_said} against the claim in every pair"
        f" turns 1 into at least {reached}, which under the claim happens at any time with a probability of at most"
        f" {1 / threshold}, so that the runs may be stopped at any time. Assumed, not checked: each pair has fresh"
        f" randomness; the inputs are neighbours; the bet was fixed before; S was {chosen}.",
        (),
    )


def _reaches(factors: list[Fraction], counts: list[int], threshold: Fraction) -> bool:
    """Whether the product of the powers is proved to be at least the threshold."""
    powers = [(factor, times) for factor, times in zip(factors, counts, strict=True) if times]
    if any(factor <= 0 for factor, _ in powers):
        return False
    if sum(counts) <= _EXACT_PAIRS:
        product = Fraction(1)
        for factor, times in powers:
            product *= factor**times
        return product >= threshold
    return any(_product_down(powers, bits) >= threshold for bits in _PRECISIONS)


def _product_down(powers: list[tuple[Fraction, int]], bits: int) -> Fraction:
    """Return a number at most the product, from mantissas of the given length that are rounded down."""
    mantissa, exponent = 1, 0
    for factor, count in powers:
        times, shift = count, bits + factor.denominator.bit_length()
        square, power = _cut((factor.numerator << shift) // factor.denominator, -shift, bits)
        while times:
            if times & 1:
                mantissa, exponent = _cut(mantissa * square, exponent + power, bits)
            times >>= 1
            square, power = _cut(square * square, 2 * power, bits)
    # Far above or below every threshold the exponent alone decides, and no long number is written out.
    if abs(exponent) > 1 << 20:
        return Fraction(1 << (1 << 20)) if exponent > 0 else Fraction(0)
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def _cut(mantissa: int, exponent: int, bits: int) -> tuple[int, int]:
    """Return the number with its mantissa cut to the given length, rounded down."""
    extra = max(0, mantissa.bit_length() - bits)
    return mantissa >> extra, exponent + extra
