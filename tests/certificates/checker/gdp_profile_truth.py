"""Whether the statement of a certificate of a noise formula is true: balls on a grid, and the exponents at the end."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from flint import arb, fmpq

_STEPS = 160
_GRID = [Fraction(k, 8) for k in range(1, 160)]


def _ball(x: str | Fraction) -> arb:
    number = Fraction(x)
    return arb(fmpq(number.numerator, number.denominator))


def _formula(profile: dict[str, str]) -> Callable[[arb], arb]:
    name, one = profile["formula"], arb(1)
    if name == "squared_exponential":
        return lambda x: (_ball(profile["factor"]) * (-_ball(profile["rate"]) * x * x).exp()).min(one)
    if name == "reciprocal":
        k = _ball(profile["factor"]) * _ball(profile["exponent"]).exp()
        return lambda x: (k / x).min(one)
    if name == "laplace":
        return lambda x: (1 - ((x - _ball(profile["theta"])) / 2).exp()).max(arb(0))
    return lambda _: _ball(profile["delta"])


def _phi(x: arb) -> arb:
    return (-x / arb(2).sqrt()).erfc() / 2


def _delta_mu(mu: arb, x: arb) -> arb:
    if mu.is_zero():
        return arb(0)
    return _phi(mu / 2 - x / mu) - x.exp() * _phi(-mu / 2 - x / mu)


@cache
def _best(key: tuple[tuple[str, str], ...]) -> tuple[arb, arb]:
    """The place and the size of the largest (1 - delta(e))/(1 + e^e), by ternary search of a unimodal function."""
    delta = _formula(dict(key))

    def height(x: arb) -> arb:
        return (1 - delta(x)) / (1 + x.exp())

    low, high = arb(0), arb(64)
    while not height(low + (high - low) / 64) > 0 and height(high) > 0 and delta(low + (high - low) / 64) == 1:
        low += (high - low) / 64
    for _ in range(_STEPS):
        third = (high - low) / 3
        left, right = (low + third).mid(), (high - third).mid()
        if height(left) < height(right) or (delta(left) == 1 and not height(left) > height(right)):
            low = left
        else:
            high = right
    return low, height(low)


def _implied(profile: dict[str, str], x: arb) -> arb:
    delta = _formula(profile)
    if profile["formula"] in ("laplace", "constant"):
        return delta(x)
    place, height = _best(tuple(sorted(profile.items())))
    return 1 - height * (1 + x.exp()) if x < place else delta(x)


def gdp_profile(d: Any) -> bool:
    """The profile is at most delta_mu at 0 and on a grid, and it falls fast enough."""
    profile, mu = d["profile"], Fraction(d["mu"])
    fast = {"laplace": True, "squared_exponential": True}.get(profile["formula"], False)
    if profile["formula"] == "squared_exponential":
        fast = 2 * Fraction(profile["rate"]) * mu * mu >= 1
    points = [_ball(x) for x in (Fraction(0), *_GRID)]
    return fast and not any(_implied(profile, x) > _delta_mu(_ball(mu), x) for x in points)


def gdp_profile_refuted(d: Any) -> bool:
    """The profile is above delta_mu at the point, or falls too slowly for it in the end."""
    profile = d["profile"]
    slow = profile["formula"] in ("reciprocal", "constant")
    if d["at"] is None:
        if profile["formula"] == "squared_exponential" and d["mu"] != "any":
            slow = 2 * Fraction(profile["rate"]) * Fraction(d["mu"]) ** 2 < 1
        return slow
    x, mu = _ball(d["at"]), _ball(d["mu"])
    return bool(_implied(profile, x) > _delta_mu(mu, x))
