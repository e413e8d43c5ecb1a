"""What certificates about samples mean, by definition: sums of binomial probabilities, and the recursions in balls.

Nothing of the package under test is imported.  Documents given here were accepted, so they are well-formed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import arb, fmpq


def _ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def _weight(n: int, p: Fraction, j: int) -> Fraction:
    return math.comb(n, j) * p**j * (1 - p) ** (n - j)


def _tail(n: int, p: Fraction, k: int, *, upper: bool) -> Fraction:
    return sum((_weight(n, p, j) for j in (range(k, n + 1) if upper else range(k + 1))), Fraction(0))


def _exp_epsilon(claim: Any) -> arb:
    if "epsilon" in claim:
        return _ball(Fraction(claim["epsilon"])).exp()
    return arb.pos_inf() if claim["exp_epsilon"] == "inf" else _ball(Fraction(claim["exp_epsilon"]))


def _members(d: Any) -> int:
    return int(d["selection"].get("size", "1"))


def _at(curve: Any, x: Fraction) -> Fraction:
    for (a, b), (c, d) in pairwise([[Fraction(y) for y in corner] for corner in curve]):
        if a <= x <= c:
            return b + (d - b) * (x - a) / (c - a)
    raise AssertionError


def _gaussian(alpha: Fraction, mu: Fraction) -> arb:
    """G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu), 0 < alpha < 1."""
    quantile = arb(2).sqrt() * (1 - 2 * _ball(alpha)).erfinv()
    return ((_ball(mu) - quantile) / arb(2).sqrt()).erfc() / 2


def _best(d: Any, name: str, count: Any, *, upper: bool) -> bool:
    """The bound has its tail, and the next grid point inwards does not."""
    bound, level = (Fraction(d[name][field]) for field in ("bound", "level"))
    n, k, step = int(count["runs"]), int(count["hits"]), Fraction(1 if upper else -1, int(d["grid"]))
    following = bound + step
    beyond = not 0 <= following <= 1 or _tail(n, following, k, upper=upper) > level
    return 0 < level < 1 and _tail(n, bound, k, upper=upper) <= level and beyond and (bound / step).denominator == 1


def count_refutation(d: Any) -> bool:
    """Both bounds are proved and best on the grid, the levels add up, and the bounds violate the claim."""
    second = "second" if d["larger"] == "first" else "first"
    bounds = _best(d, "lower", d["counts"][d["larger"]], upper=True)
    bounds = bounds and _best(d, "upper", d["counts"][second], upper=False)
    used = sum(Fraction(d[name]["level"]) for name in ("lower", "upper")) * _members(d) * int(d["statements"])
    x, y = (Fraction(d[name]["bound"]) for name in ("lower", "upper"))
    high, low, above = (x, y, d["larger"]) if d["region"] == "event" else (1 - y, 1 - x, second)
    claim, stated = d["claim"], d["violation"]
    forward = (above == "first") is ("delta" in claim)
    if not bounds or used > 1 - Fraction(d["confidence"]) or (d["direction"] == "forward") is not forward:
        return False
    if "delta" in claim:
        level = Fraction(stated["level"])
        excess = high - level * low
        above_claim = bool(_ball(level) >= _exp_epsilon(claim))
        return above_claim and excess == Fraction(stated["excess"]) and excess > Fraction(claim["delta"])
    point = (Fraction(stated["alpha"]), Fraction(stated["beta"]))
    if "mu" in claim:
        return point == (low, 1 - high) and bool(_gaussian(low, Fraction(claim["mu"])) > _ball(1 - high))
    claimed = _at(claim["tradeoff"]["breakpoints"], low)
    return point == (low, 1 - high) and claimed == Fraction(stated["claimed"]) and claimed > 1 - high


def e_value_refutation(d: Any) -> bool:
    """The bet never makes the capital negative, and the product of the factors of all pairs reaches the threshold."""
    level, delta, bet = Fraction(d["level"]), Fraction(d["claim"]["delta"]), Fraction(d["bet"])
    pairs = {"both": (1, 1), "only_on_D": (1, 0), "only_on_Dprime": (0, 1), "neither": (0, 0)}
    capital = Fraction(1)
    for name, (x, y) in pairs.items():
        more, less = (x, y) if d["larger"] == "first" else (y, x)
        capital *= (1 + bet * (more - level * less - delta)) ** int(d["counts"][name])
    fair = 0 < bet <= 1 / (level + delta) and bool(_ball(level) >= _exp_epsilon(d["claim"]))
    return fair and capital >= Fraction(d["threshold"]) == _members(d) / (1 - Fraction(d["confidence"]))


def one_run_refutation(d: Any) -> bool:
    """The probability of so many right guesses is bounded as stated, and the level is kept."""
    m, r, v = (int(d["run"][name]) for name in ("canaries", "guesses", "correct"))
    bound, claim = Fraction(d["p_value"]), d["claim"]
    if bound * _members(d) > 1 - Fraction(d["confidence"]) or not v <= r <= m:
        return False
    if "delta" in claim:
        level = Fraction(d["violation"]["level"])
        q = level / (level + 1)
        beta = _tail(r, q, v, upper=True)
        averages = [(_tail(r, q, v - i, upper=True) - beta) / i for i in range(1, v + 1)]
        p_value = beta + 2 * m * Fraction(claim["delta"]) * max(averages)
        return bool(_ball(level) >= _exp_epsilon(claim)) and p_value <= bound
    if "mu" in claim:
        mu = _ball(Fraction(claim["mu"]))

        def lost(x: arb) -> arb:
            """Phi(Phi^-1(x) - mu)."""
            quantile = arb(2).sqrt() * (2 * x - 1).erfinv()
            return ((mu - quantile) / arb(2).sqrt()).erfc() / 2

        return _impossible((m, r, v), _ball(bound), lost)
    corners = [[Fraction(y) for y in corner] for corner in claim["tradeoff"]["breakpoints"]]
    return _impossible((m, r, v), bound, lambda x: _inverse(corners, x))


def _inverse(corners: Any, x: Fraction) -> Fraction:
    """The least a with 1 - f(a) >= x."""
    found = [a for a, b in corners if 1 - b >= x]
    for (a, b), (c, d) in pairwise(corners):
        if 1 - b < x <= 1 - d:
            found.append(a + (x - 1 + b) * (c - a) / (b - d))
    return min(found)


def _impossible(run: tuple[int, int, int], tau: Any, inverse: Callable[[Any], Any]) -> bool:
    """The masses r_i and h_i of Mahloujifar et al. certainly add up to more than r/m."""
    m, r, v = run
    right, wrong = tau * v / m, tau * (r - v) / m
    for i in reversed(range(v)):
        lost = inverse(right)
        more = lost if bool(lost > wrong) else wrong
        right, wrong = right + i * (more - wrong) / (r - i), more
        if bool((right + wrong) * m > r):
            return True
    return False
