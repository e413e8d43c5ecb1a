"""Certificates that the correct guesses of one run refute a claim with a stated confidence: `one_run_refutation`.

Each of m canaries is in or out by its own fair coin; of at most r guesses about the coins, v were right.  The
certificate has a bound of the probability of v or more right guesses under the claim.

For (epsilon, delta), E >= e^epsilon and W ~ Bin(r, E/(E + 1)) it is P[W >= v] + 2 m delta max over i of
P[v - i <= W < v]/i (Steinke, Nasr and Jagielski, NeurIPS 2023, theorem 5.2); the sums are computed again from above,
with every i.  In the lower tail the theorem fails where delta > 0, so that no bound above 1/2 is taken.

For f (Mahloujifar, Melis and Chaudhuri, ICML 2025) let S_i be the probability of i or more right guesses.  With
r_i = (i S_i + S_(i+1) + ... )/m, the probability that the guess about a random canary is right and at least i are,
(r - i) S_i >= m G(r_(i+1)) + S_(i+1) + ..., where G is the inverse function of 1 - f: f-DP between a canary in and out
bounds "right, and at least i + 1 are" by 1 - f of "wrong, and at least i are", and 1 - f is concave.  Mass above v may
be taken to be at v.  So from S_v = tau on, lower bounds of the S follow, rounded down; one above 1 shows that the
probability of v or more is below tau.  For mu, Phi(t) <= r_(i+1) gives G(r_(i+1)) >= Phi(t - mu).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction

from .claims import PrivacyClaim
from .curves import Curve
from .normal import normal, normal_sign
from .reading import fields, items, number
from .stated import Claim, DivergenceClaim, claim_words, read_claim
from .statistics_reading import between, require_level, said, selection, whole
from .verdict import Accepted, Rejected

_MOST_CANARIES = 10**9
_MOST_GUESSES = 100_000
_MOST_BITS = 1 << 22
_MOST_P_VALUE = Fraction(1, 2)
_SCALE = 256
_NORMAL_BITS = 192
_ASSUMED = (
    "Assumed, not checked: each canary was in or out by its own fair coin; the guesses were made without the coins;"
    " inputs that differ in one canary are neighbours; the rule of guessing was"
)


def check_one_run_refutation(document: dict[str, object]) -> Accepted:
    """Check a `one_run_refutation` certificate."""
    claim = read_claim(document["claim"], "$.claim")
    run = fields(document["run"], ("canaries", "guesses", "correct"), "$.run")
    canaries = whole(run["canaries"], "$.run.canaries", 1, _MOST_CANARIES)
    guesses = whole(run["guesses"], "$.run.guesses", 0, min(canaries, _MOST_GUESSES))
    correct = whole(run["correct"], "$.run.correct", 1, guesses)
    members, chosen = selection(document["selection"], "$.selection")
    confidence = between(document["confidence"], "$.confidence")
    bound = between(document["p_value"], "$.p_value")
    require_level(bound, confidence, members, "$.p_value")
    _require_bound(document, claim, (canaries, guesses, correct), bound)
    words, _ = claim_words(document["claim"], "$.claim")
    return Accepted(
        "one_run_refutation",
        f"With confidence at least {said(document['confidence'])} the claim {words} is refuted, both directions"
        f" together: under it, {correct} or more of at most {guesses} guesses about {canaries} canaries are right"
        f" with a probability of at most {said(document['p_value'])}. {_ASSUMED} {chosen}.",
        (),
    )


def _require_bound(document: dict[str, object], claim: Claim, run: tuple[int, int, int], bound: Fraction) -> None:
    place = "$.violation"
    if isinstance(claim, PrivacyClaim):
        level = number(fields(document["violation"], ("level",), place)["level"], f"{place}.level")
        if claim.compare_level(level, f"{place}.level") > 0:
            raise Rejected("the level is below e^epsilon of the claim", f"{place}.level")
        if claim.delta and bound > _MOST_P_VALUE:
            raise Rejected("expected a p-value of at most 1/2 where delta is above 0", "$.p_value")
        if not _p_value_at_most(run, level, claim.delta, bound):
            raise Rejected("the p-value is above its bound", "$.p_value")
        return
    if isinstance(claim, DivergenceClaim):
        if claim.quantity != "mu" or claim.claimed is None:
            raise Rejected("expected a claim of (epsilon, delta), a trade-off function or mu", "$.claim")
        found = items(fields(document["violation"], ("thresholds",), place)["thresholds"], f"{place}.thresholds", 1)
        thresholds = [number(text, f"{place}.thresholds[{k}]") for k, text in enumerate(found)]
        step = _normal_step(thresholds, claim.claimed, f"{place}.thresholds")
        steps = len(thresholds)
    else:
        fields(document["violation"], (), place)
        step, steps = _curve_step(claim), run[2]
    if not _excluded(run, bound, step, steps):
        raise Rejected("the recursion does not exclude the bound", "$.p_value")


def _p_value_at_most(run: tuple[int, int, int], level: Fraction, delta: Fraction, bound: Fraction) -> bool:
    """Whether the bound of the p-value at a rational E = a/b is at most the stated one: sums over (a + b)^r."""
    canaries, guesses, correct = run
    a, b = level.numerator, level.denominator
    if guesses * (a + b).bit_length() > _MOST_BITS:
        raise Rejected("too large: the exact denominator of the p-value", "$.violation.level")
    term, beta = a**guesses, 0
    for j in range(guesses, correct - 1, -1):  # term is that of j right guesses
        beta += term
        term = term * (j * b) // ((guesses - j + 1) * a)
    below, best, count = 0, 0, 1
    for j in range(correct - 1, -1, -1) if delta else ():
        below += term
        if below * count > best * (correct - j):
            best, count = below, correct - j
        term = term * (j * b) // ((guesses - j + 1) * a)
    excess = 2 * canaries * delta / count
    scaled = beta * excess.denominator + excess.numerator * best
    whole_law: int = (a + b) ** guesses
    return scaled * bound.denominator <= bound.numerator * excess.denominator * whole_law


def _curve_step(corners: Curve) -> Callable[[int, Fraction], Fraction]:
    """G for a curve: G(x) is the least alpha with f(alpha) <= 1 - x."""
    falling = [-beta for _, beta in corners]

    def step(_: int, share: Fraction) -> Fraction:
        k = bisect_left(falling, share - 1)
        if k == 0:
            return Fraction(0)
        (left, high), (right, low) = corners[k - 1], corners[k]
        return left + (right - left) * (high - 1 + share) / (high - low)

    return step


def _normal_step(thresholds: list[Fraction], mu: Fraction, where: str) -> Callable[[int, Fraction], Fraction]:
    """A lower bound of G for mu from the threshold of the step."""

    def step(k: int, share: Fraction) -> Fraction:
        if normal_sign(thresholds[k], share, f"{where}[{k}]") > 0:
            raise Rejected("Phi(t) is above the mass of its step", f"{where}[{k}]")
        return max(normal(thresholds[k] - mu, _NORMAL_BITS)[0], Fraction(0))

    return step


def _excluded(run: tuple[int, int, int], tau: Fraction, step: Callable[[int, Fraction], Fraction], steps: int) -> bool:
    """Whether S_v = tau forces some S_i above 1, within so many steps down from v."""
    canaries, guesses, correct = run
    unit = 1 << _SCALE
    mass = total = tau.numerator * unit // tau.denominator
    for k, i in enumerate(range(correct - 1, max(correct - 1 - steps, -1), -1)):
        lost = step(k, Fraction(i * mass + total, canaries * unit))
        needed = (canaries * lost * unit + total) / (guesses - i)
        mass = max(mass, needed.numerator // needed.denominator)
        total += mass
        if mass > unit:
            return True
    return False
