"""Certificates that two counts of one event refute a claim with a stated confidence: `count_refutation`.

An event S was counted in runs on D, of law P, and in runs on D', of law Q.  Call X the law under which it is said to be
more likely and Y the other one; S was seen in k of n and in l of m of their runs.  The certificate has x with
P[Bin(n, x) >= k] <= a1 and y with P[Bin(m, y) <= l] <= a2.  If X(S) < x, then P[Bin(n, X(S)) >= k] <= a1, as tails
increase with the probability, and such a k is seen in independent runs with a probability of at most a1.  So one of
X(S) >= x and Y(S) <= y fails with a probability of at most a1 + a2; and for one of N statements, any of which might
have been reported, of at most N (a1 + a2).

The region R is S, or its complement, for which Y(R) >= 1 - y and X(R) <= 1 - x.  With bounds u below the larger
probability of R and v above the smaller one, (epsilon, delta) is refuted by u > U v + delta, U >= e^epsilon, and f by
f(v) > 1 - u: with the law of the smaller probability as null, the test that rejects on R has errors of at most v and
1 - u, and T is non-increasing.  G_mu is such an f; Phi(t) <= 1 - v and Phi(t - mu) > 1 - u prove it.
"""

from __future__ import annotations

from fractions import Fraction

from .binomial_tails import MOST_TRIALS, lower_tail_at_most, upper_tail_at_most
from .claims import ONE_DIRECTION, PrivacyClaim
from .curves import curve_value
from .gaussian import require_violated
from .reading import choice, fields, number, probability, require_equal
from .stated import DivergenceClaim, claim_words, read_claim
from .statistics_reading import between, require_level, said, selection, whole
from .verdict import Accepted, Rejected

_LAWS = ("first", "second")
_MOST_GRID = 10**18
_ASSUMED = (
    "Assumed, not checked: runs are independent and those on one input have one law; the inputs are neighbours; S was"
)


def check_count_refutation(document: dict[str, object]) -> Accepted:
    """Check a `count_refutation` certificate."""
    claim = read_claim(document["claim"], "$.claim")
    if isinstance(claim, DivergenceClaim) and claim.quantity != "mu":
        raise Rejected("expected a claim of (epsilon, delta), a trade-off function or mu", "$.claim")
    direction = choice(document["direction"], ONE_DIRECTION, "$.direction")
    counts = fields(document["counts"], _LAWS, "$.counts")
    larger = choice(document["larger"], _LAWS, "$.larger")
    region = choice(document["region"], ("event", "complement"), "$.region")
    members, chosen = selection(document["selection"], "$.selection")
    members *= whole(document["statements"], "$.statements", 1, 2)
    confidence = between(document["confidence"], "$.confidence")
    grid = whole(document["grid"], "$.grid", 1, _MOST_GRID)
    smaller = _LAWS[1 - _LAWS.index(larger)]
    lower, lower_level, first = _bound(document, "lower", counts, larger, grid)
    upper, upper_level, second = _bound(document, "upper", counts, smaller, grid)
    require_level(lower_level + upper_level, confidence, members, "$.confidence")
    above = larger if region == "event" else smaller
    forward = (above == "first") is isinstance(claim, PrivacyClaim)
    if direction != ("forward" if forward else "backward"):
        raise Rejected("is not the direction that the region violates", "$.direction")
    high, low = (lower, upper) if region == "event" else (1 - upper, 1 - lower)
    violated = _violated(document, claim, high, low)
    more, less = ("P", "Q") if larger == "first" else ("Q", "P")
    x, y = (said(fields(document[name], ("bound", "level"), "$")["bound"]) for name in ("lower", "upper"))
    taken = "S" if region == "event" else "the complement of S"
    words, _ = claim_words(document["claim"], "$.claim")
    return Accepted(
        "count_refutation",
        f"With confidence at least {said(document['confidence'])} the claim {words} is refuted, direction {direction}."
        f" {first} and {second}, so {more}(S) >= {x} and {less}(S) <= {y}, and for {taken} {violated}."
        f" {_ASSUMED} {chosen}.",
        (),
    )


def _bound(
    document: dict[str, object], name: str, counts: dict[str, object], law: str, grid: int
) -> tuple[Fraction, Fraction, str]:
    """Read one bound and its level; check its tail, and that the next grid point inwards is above the level."""
    place = f"$.counts.{law}"
    count = fields(counts[law], ("hits", "runs"), place)
    runs = whole(count["runs"], f"{place}.runs", 1, MOST_TRIALS)
    hits = whole(count["hits"], f"{place}.hits", 0, runs)
    found = fields(document[name], ("bound", "level"), f"$.{name}")
    at = f"$.{name}.bound"
    bound, level = probability(found["bound"], at), between(found["level"], f"$.{name}.level")
    if (bound * grid).denominator != 1:
        raise Rejected("expected a multiple of 1/grid", at)
    tail = upper_tail_at_most if name == "lower" else lower_tail_at_most
    if not tail(runs, bound, hits, level, at):
        raise Rejected("the tail is above its level", at)
    following = bound + Fraction(1 if name == "lower" else -1, grid)
    if 0 <= following <= 1 and tail(runs, following, hits, level, at):
        raise Rejected("is not the best bound on its grid", at)
    relation = ">=" if name == "lower" else "<="
    return bound, level, f"P[Bin({runs}, {said(found['bound'])}) {relation} {hits}] <= {said(found['level'])}"


def _violated(document: dict[str, object], claim: object, high: Fraction, low: Fraction) -> str:
    """Check the violated inequality for the bounds of a region; return it in words."""
    place = "$.violation"
    if isinstance(claim, PrivacyClaim):
        found = fields(document["violation"], ("level", "excess"), place)
        level = number(found["level"], f"{place}.level")
        if claim.compare_level(level, f"{place}.level") > 0:
            raise Rejected("the level is below e^epsilon of the claim", f"{place}.level")
        excess = high - level * low
        require_equal(number(found["excess"], f"{place}.excess"), excess, "the excess", f"{place}.excess")
        if excess <= claim.delta:
            raise Rejected("the bounds do not violate the claim", place)
        return f"{high} - {said(found['level'])} * {low} = {said(found['excess'])} > {claim.delta}"
    last = "threshold" if isinstance(claim, DivergenceClaim) else "claimed"
    found = fields(document["violation"], ("alpha", "beta", last), place)
    alpha, beta = low, 1 - high
    for name, value in (("alpha", alpha), ("beta", beta)):
        require_equal(number(found[name], f"{place}.{name}"), value, f"the bound of {name}", f"{place}.{name}")
    if isinstance(claim, DivergenceClaim):
        threshold = number(found["threshold"], f"{place}.threshold")
        require_violated(threshold, claim.claimed or Fraction(0), alpha, beta, f"{place}.threshold")
        return f"G_mu({alpha}) >= Phi({said(found['threshold'])} - mu) > {beta}"
    if not isinstance(claim, list):
        raise Rejected("expected a trade-off function", "$.claim")
    claimed = curve_value(claim, alpha)
    require_equal(number(found["claimed"], f"{place}.claimed"), claimed, "the claimed error", f"{place}.claimed")
    if claimed <= beta:
        raise Rejected("the bounds do not violate the claim", place)
    return f"f({alpha}) = {said(found['claimed'])} > {beta}"
