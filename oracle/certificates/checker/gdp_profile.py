"""Certificates for and against mu-GDP of a family of guarantees (eps, delta(eps)), eps > 0, over the whole half-line.

A mechanism with a symmetric relation is mu-GDP if and only if its profile, the least delta at every eps >= 0, is at
most delta_mu(eps) = Phi(-a) - e^eps Phi(-b), a = eps/mu - mu/2, b = eps/mu + mu/2: the profile of N(0, 1), N(mu, 1).
delta is one of the formulas
    squared_exponential  min(1, B e^(-c eps^2)),  B >= 1, c > 0;      reciprocal  min(1, k/eps),  k = B e^s, B > 0;
    laplace              max(0, 1 - e^((eps - theta)/2)), theta > 0;  constant    d, 0 < d <= 1.
All of them together imply, with H(e) = (1 - delta(e))/(1 + e^e), the profile 1 - (1 + e^eps) sup_{e >= eps} H(e), and
some mechanism has just that profile, as it is convex in e^eps and its own mirror image. For the first two formulas H
rises up to one turning point, where r is 0 and changes its sign from - to +, and falls afterwards:
    r(x) = e^(c x^2) - B - 2 c B x (1 + e^-x)      on e^(c x^2) >= B, where it is convex and starts with r <= 0;
    r(x) = x^2 - k x - k (1 + e^-x)                on x >= k, where it is increasing and starts with r < 0.
So the profile is the formula after the turning point and 1 - C (1 + e^eps) before it, C the largest H. The other two
formulas are themselves the profiles of mechanisms.
"""

from __future__ import annotations

from fractions import Fraction

from .gdp_formulas import (
    LARGEST,
    Formula,
    above,
    decide,
    delta_at,
    delta_mu,
    exp_ends,
    formula_text,
    half_exp,
    read_formula,
    require_counting,
    require_size,
    turning_sign,
)
from .normal import Ends, normal
from .reading import canonical_hash, items, nonnegative, positive
from .verdict import Accepted, Rejected, brief

# 2 pi < 44/7 (22/7 - pi is the integral of x^4 (1 - x)^4/(1 + x^2) over [0, 1]).
_TWO_PI = Fraction(44, 7)
_MOST_CELLS = 5000


def check_gdp_profile(document: dict[str, object]) -> Accepted:
    """Check a `gdp_profile` certificate: mu, and for squared_exponential points x_0 < ... < x_n.

    Head: with h = (1 - delta(x_0))/(1 + e^x_0), the guarantee at x_0 implies delta <= 1 - h (1 + e^eps) on [0, x_0]. If
    h >= Phi(-mu/2) this is at most delta_mu there: it suffices for m with h = Phi(-m/2), 0 <= m <= mu, as delta_mu
    increases in mu; both sides agree at 0, and the slopes are -h e^eps <= -e^eps Phi(-eps/m - m/2).
    Cells: both functions fall, so delta(x_i) <= delta_mu(x_(i+1)) does for [x_i, x_(i+1)].
    Tail, T = x_n: for a > 0, delta_mu > mu phi(a)/(b^2 + 3), by Phi(-t)/phi(t) < (t^2 + 2)/(t^3 + 3 t) as the integral
    of phi(a) (1 - t Phi(-t)/phi(t)) over [a, b]. With k = c - 1/(2 mu^2) >= 0 the logarithm of that bound over delta is
        k x^2 + x/2 - mu^2/8 + log(mu/(B sqrt(2 pi))) - log(b^2 + 3),
    of a slope above 1/2 - 2/(mu b) >= 0 for x >= 4 - mu^2/2; so if it is >= 0 at T it is so from T on.
    Laplace: no points. 1/2 e^(-theta/2) >= Phi(-mu/2) is delta(0) <= delta_mu(0); again for the m with equality, the
    slopes are in order if e^(eps/2) Phi(-eps/m - m/2) <= Phi(-m/2), and log Phi(-eps/m - m/2) is concave in eps with a
    slope of at most -1/2 at 0 (the normal hazard phi(t)/Phi(-t) is at least t).
    """
    formula = read_formula(document["profile"])
    mu = _mu(document["mu"])
    points = [positive(item, f"$.cells[{k}]") for k, item in enumerate(items(document["cells"], "$.cells"))]
    if formula.name == "laplace":
        if points:
            raise Rejected("expected no cells for this formula", "$.cells")
        decide(lambda bits: above(half_exp(formula, bits), normal(-mu / 2, bits)), "delta(0) is too large", "$.mu")
    elif formula.name == "squared_exponential":
        _require_points(points)
        _check_head(formula, mu, points[0])
        for k in range(1, len(points)):
            _check_cell(formula, mu, points[k - 1], points[k], f"$.cells[{k}]")
        _check_tail(formula, mu, points[-1], f"$.cells[{len(points) - 1}]")
    else:
        raise Rejected("this formula is not that of a Gaussian differentially private mechanism", "$.profile.formula")
    return Accepted(
        "gdp_profile",
        f"Every mechanism with a symmetric relation and the guarantees (eps, delta(eps)), {formula_text(formula)},"
        f" for all eps > 0 is mu-Gaussian differentially private with mu = {brief(str(document['mu']))}.",
        (("profile", canonical_hash(document["profile"])),),
    )


def check_gdp_profile_refuted(document: dict[str, object]) -> Accepted:
    """Check a `gdp_profile_refuted` certificate: an eps where the implied profile exceeds delta_mu, or all large ones.

    At eps = 0 the profile is 1 - 2 C, and C <= (1 - delta(hi))/(1 + e^lo) for a bracket r(lo) < 0 < r(hi) of the
    turning point: H rises before lo, falls after hi, and between them its numerator is at most 1 - delta(hi). At an
    eps > 0 with r(eps) > 0 the profile is the formula.
    Without an eps: delta_mu(eps) < Phi(-a) < phi(a)/a falls like e^(-eps^2/(2 mu^2) + eps/2), hence faster than a
    reciprocal or constant formula for every mu ("any"), and faster than e^(-c eps^2) if 2 c mu^2 < 1.
    """
    formula = read_formula(document["profile"])
    turning = document["turning"]
    every = document["mu"] == "any" and isinstance(document["mu"], str)
    if document["at"] is None:
        if turning is not None:
            raise Rejected("expected null without an eps", "$.turning")
        if every:
            _require_no_mu(formula)
            return Accepted(
                "gdp_profile_refuted",
                f"For no mu is every mechanism with the guarantees (eps, delta(eps)), {formula_text(formula)}, for all"
                " eps > 0 mu-Gaussian differentially private: in the end delta exceeds every delta_mu.",
                (("profile", canonical_hash(document["profile"])),),
            )
        mu = nonnegative(document["mu"], "$.mu")
        if formula.name != "squared_exponential" or 2 * formula.numbers[1] * mu * mu >= 1:
            _require_no_mu(formula)
        which = f"with mu = {brief(str(document['mu']))}"
        return _refuted(document, formula, which, "in the end delta exceeds delta_mu")
    mu = nonnegative(document["mu"], "$.mu")
    require_size(mu, "$.mu")
    at = nonnegative(document["at"], "$.at")
    require_size(at, "$.at")
    if at == 0 and formula.name in ("squared_exponential", "reciprocal"):
        low, high = _turning(formula, turning)
        decide(
            lambda bits: above(normal(-mu / 2, bits), _largest_h(formula, low, high, bits), strict=True),
            "delta(0) is not above delta_mu(0)",
            "$.at",
        )
    else:
        if turning is not None:
            raise Rejected("expected null: this eps needs no turning point", "$.turning")
        if formula.name in ("squared_exponential", "reciprocal"):
            _require_after_turning(formula, at, "$.at")
        decide(
            lambda bits: above(delta_at(formula, at, bits), delta_mu(mu, at, bits), strict=True),
            "delta is not above delta_mu",
            "$.at",
        )
    where = f"at eps = {brief(str(document['at']))} they allow a delta above delta_mu"
    return _refuted(document, formula, f"with mu = {brief(str(document['mu']))}", where)


def _require_no_mu(formula: Formula) -> None:
    if formula.name not in ("reciprocal", "constant"):
        raise Rejected("expected an eps: delta need not exceed delta_mu in the end", "$.at")


def _refuted(document: dict[str, object], formula: Formula, which: str, why: str) -> Accepted:
    return Accepted(
        "gdp_profile_refuted",
        f"Not every mechanism with the guarantees (eps, delta(eps)), {formula_text(formula)}, for all eps > 0"
        f" is mu-Gaussian differentially private {which}: {why}.",
        (("profile", canonical_hash(document["profile"])),),
    )


def _mu(value: object) -> Fraction:
    mu = positive(value, "$.mu")
    require_size(mu, "$.mu")
    return mu


def _require_points(points: list[Fraction]) -> None:
    if not 1 <= len(points) <= _MOST_CELLS:
        raise Rejected(f"expected 1 to {_MOST_CELLS} points", "$.cells")
    for k, point in enumerate(points):
        require_size(point, f"$.cells[{k}]")
        if k and points[k - 1] >= point:
            raise Rejected("expected strictly increasing points", f"$.cells[{k}]")


def _check_head(formula: Formula, mu: Fraction, point: Fraction) -> None:
    def holds(bits: int) -> bool | None:
        delta, factor = delta_at(formula, point, bits), exp_ends(point, bits)
        h = (1 - delta[1]) / (1 + factor[1]), (1 - delta[0]) / (1 + factor[0])
        return above(h, normal(-mu / 2, bits))

    decide(holds, "the guarantee at the first point does not prove the head", "$.cells[0]")


def _check_cell(formula: Formula, mu: Fraction, start: Fraction, end: Fraction, where: str) -> None:
    def holds(bits: int) -> bool | None:
        return above(delta_mu(mu, end, bits), delta_at(formula, start, bits))

    decide(holds, "delta at the point before is above delta_mu", where)


def _check_tail(formula: Formula, mu: Fraction, start: Fraction, where: str) -> None:
    factor, rate = formula.numbers
    excess = rate - 1 / (2 * mu * mu)
    if excess < 0:
        raise Rejected("delta falls more slowly than delta_mu", "$.mu")
    if start < 4 - mu * mu / 2 or start <= mu * mu / 2:
        raise Rejected("the tail begins too early", where)
    b = start / mu + mu / 2
    bound = _TWO_PI * (factor * (b * b + 3) / mu) ** 2

    exponent = min(2 * (excess * start * start + start / 2 - mu * mu / 8), Fraction(LARGEST))
    decide(lambda bits: above(exp_ends(exponent, bits), (bound, bound)), "the tail begins too early", where)


def _require_after_turning(formula: Formula, x: Fraction, where: str) -> None:
    zero = Fraction(0), Fraction(0)
    require_counting(formula, x, where)
    decide(lambda bits: above(turning_sign(formula, x, bits), zero, strict=True), "not after the turning point", where)


def _turning(formula: Formula, value: object) -> tuple[Fraction, Fraction]:
    """Read the bracket of the turning point, with its signs."""
    ends = items(value, "$.turning")
    if len(ends) != 2:
        raise Rejected("expected [lo, hi]", "$.turning")
    low, high = (positive(end, f"$.turning[{k}]") for k, end in enumerate(ends))
    for k, x in enumerate((low, high)):
        require_size(x, f"$.turning[{k}]")
    require_counting(formula, low, "$.turning[0]")
    zero = Fraction(0), Fraction(0)
    decide(
        lambda bits: above(zero, turning_sign(formula, low, bits), strict=True),
        "not before the turning point",
        "$.turning[0]",
    )
    _require_after_turning(formula, high, "$.turning[1]")
    return low, high


def _largest_h(formula: Formula, low: Fraction, high: Fraction, bits: int) -> Ends:
    """Bracket (1 - delta(high))/(1 + e^low), which is at least C."""
    delta, factor = delta_at(formula, high, bits), exp_ends(low, bits)
    return (1 - delta[1]) / (1 + factor[1]), (1 - delta[0]) / (1 + factor[0])
