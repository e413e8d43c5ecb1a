"""Every answer of the suite a second time, from its definition: enumeration in fractions, or mpmath at 60 digits.

Nothing of the engine is used. :func:`second` answers a request with the name of the way and a value: a Fraction, an
mpmath number, ``"inf"``, a list of corners, a matrix or a truth value. :class:`Undefined` says that the question has no
answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from oracle.conformance.vector_sources.adversaries import INTERACTIVE
from oracle.conformance.vector_sources.continuous import pair_of
from oracle.conformance.vector_sources.curves import (
    ENUMERATION,
    EVENTS,
    MOST_EVENTS,
    MPMATH,
    Second,
    corners_of,
    curve_of,
    events,
    is_exact,
    oriented,
    rational_pair,
    sides_of,
    value_at,
)
from oracle.conformance.vector_sources.databases import sampled_databases
from oracle.conformance.vector_sources.expressions import (
    Law,
    NoSecondWay,
    Number,
    Undefined,
    infinite,
    is_finite,
    law_pair,
    level_of,
    mp,
    number,
    real,
)
from oracle.conformance.vector_sources.noise_pairs import Gaussian, Laplace, Pair, Table, normal_quantile
from oracle.conformance.vector_sources.table_operations import OPERATORS

__all__ = ["second"]


def _stick(p: Law, q: Law, level: Number) -> Second:
    if level == infinite:
        mass = [a for a, b in zip(p, q, strict=True) if b == 0]
        return ENUMERATION, sum(mass, Fraction(0))
    if isinstance(level, Fraction) and is_exact(p + q):
        if len(p) <= MOST_EVENTS:
            return EVENTS, max(a - level * b for a, b in events(p, q))
        return ENUMERATION, sum((max(Fraction(0), a - level * b) for a, b in zip(p, q, strict=True)), Fraction(0))
    return MPMATH, Table(p, q).forward(real(level))


def _larger(found: Sequence[Second]) -> Second:
    return found[0][0], max((value for _, value in found), key=real)


def _hockey_stick(args: Mapping[str, Any], direction: str) -> Second:
    level, node = level_of(args), args["channel"]
    of = node.get("of")
    if isinstance(of, Mapping) and of.get("mechanism") == "database":
        return sampled_databases(node, level, sides_of(direction))
    if node.get("mechanism") in _BOUNDS:
        return MPMATH, _bound(node, level)
    if is_finite(node):
        p, q = law_pair(node)
        return _larger([_stick(*oriented(p, q, side), level) for side in sides_of(direction)])
    pair = pair_of(node)
    if level == infinite:
        return "no mass at infinite loss", Fraction(0)
    return MPMATH, max(pair.stick(real(level), side) for side in sides_of(direction))


_BOUNDS: Final = ("subsample_without_replacement", "subsample_with_replacement")


def _bound(node: Mapping[str, Any], level: Number) -> Number:
    """Σ_k w_k D_{b,k} with b = 1 + (a - 1)/eta, k times the sensitivity: theorems 9 and 10 of Balle et al. (2018)."""
    n, m = int(node["source"]), int(node["sample"])
    if not m > 0 or (node["mechanism"] == _BOUNDS[0] and m > n) or node["neighbours"] != "substitute":
        raise Undefined("no sample of that size")
    if node["mechanism"] == _BOUNDS[0]:
        eta, weights = mp.mpf(m) / n, [mp.mpf(m) / n]
    else:
        eta = 1 - (1 - mp.mpf(1) / n) ** m
        weights = [mp.binomial(m, k) * mp.mpf(n - 1) ** (m - k) / mp.mpf(n) ** m for k in range(1, m + 1)]
    base, of = 1 + (real(level) - 1) / eta, node["of"]
    total = mp.mpf(0)
    for k, weight in enumerate(weights, 1):
        grown = of if k == 1 else {**of, "sensitivity": str(k * number(of.get("sensitivity", 1)))}
        total += weight * pair_of(grown).stick(base, "both")
    return total


def _delta(args: Mapping[str, Any]) -> Second:
    return _hockey_stick(args, args.get("direction", "both"))


def _forward_stick(args: Mapping[str, Any]) -> Second:
    return _hockey_stick(args, args.get("direction", "forward"))


def _less(mass: Number, delta: Fraction) -> Number:
    return mass - delta if isinstance(mass, Fraction) else mass - real(delta)


def _least_level(p: Law, q: Law, delta: Fraction) -> Number:
    """The least a >= 1 with P(S) <= a Q(S) + delta for all S; the sets of largest p/q decide."""
    if is_exact(p + q) and len(p) <= MOST_EVENTS:
        sets = list(events(p, q))
    else:
        order = sorted(range(len(p)), key=lambda n: -(real(p[n]) / real(p[n] + q[n]) if p[n] or q[n] else 0))
        sets, one, other = [], p[0] - p[0], q[0] - q[0]
        for n in order:
            one, other = one + p[n], other + q[n]
            sets.append((one, other))
    level: Number = Fraction(1)
    for first, second_mass in sets:
        spare = _less(first, delta)
        if spare > 0:
            if second_mass == 0:
                return infinite
            level = max(level, spare / second_mass, key=real)
    return level


def _epsilon(args: Mapping[str, Any]) -> Second:
    """e^epsilon, exact for a finite rational channel; otherwise an mpmath number."""
    delta, node = number(args["delta"]), args["channel"]
    if not 0 <= delta <= 1:
        raise Undefined("a delta between 0 and 1")
    sides = sides_of(args.get("direction", "both"))
    if is_finite(node):
        p, q = law_pair(node)
        levels = [_least_level(*oriented(p, q, side), delta) for side in sides]
        if infinite in levels:
            return ENUMERATION, infinite
        level = max(levels, key=real)
        return (EVENTS if len(p) <= MOST_EVENTS else ENUMERATION) if isinstance(level, Fraction) else MPMATH, level
    pair, bound = pair_of(node), real(delta)
    if isinstance(pair, Laplace) and delta < 1:
        return MPMATH, max(mp.mpf(1), mp.exp(pair.theta + 2 * mp.log1p(-bound)))
    if bound == 0:
        return "unbounded loss", infinite
    return MPMATH, max(_inverse(pair, bound, side) for side in sides)


def _inverse(pair: Pair, bound: Any, side: str) -> Any:  # noqa: ANN401 - mpmath has no types
    """The level at which a continuous profile comes down to a bound, by bisection and then the secant rule."""

    def excess(x: Any) -> Any:  # noqa: ANN401 - mpmath has no types
        return mp.log(pair.stick(mp.exp(x), side) / bound)

    if pair.stick(mp.mpf(1), side) <= bound:
        return mp.mpf(1)
    low, high = mp.mpf(0), mp.mpf(1)
    while excess(high) > 0:
        low, high = high, 2 * high
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    near, far = (high, excess(high)), (low, excess(low))
    for _ in range(60):
        if near[1] == far[1]:
            break
        x = near[0] - near[1] * (near[0] - far[0]) / (near[1] - far[1])
        far, near = near, (x, excess(x))
        if abs(near[0] - far[0]) < mp.mpf(10) ** -100:
            break
    return mp.exp(near[0])


def _table_beta(p: Law, q: Law, alpha: Any) -> Any:  # noqa: ANN401 - mpmath has no types
    """T(p, q) at alpha for masses that are mpmath numbers: reject from the largest q/p on until alpha is spent."""
    order = sorted(zip(p, q, strict=True), key=lambda column: -real(column[1]) / real(column[0] + column[1]))
    beta = mp.mpf(1)
    for a, b in order:
        share = mp.mpf(1) if real(a) <= alpha else alpha / real(a)
        alpha, beta = alpha - share * real(a), beta - share * real(b)
    return beta


def _tradeoff(args: Mapping[str, Any]) -> Second:
    node, (side,) = args["channel"], sides_of(args.get("direction", "forward"))
    alpha = number(args["alpha"]) if "alpha" in args else None
    if alpha is not None and not 0 <= alpha <= 1:
        raise Undefined("an alpha between 0 and 1")
    if is_finite(node):
        p, q = oriented(*law_pair(node), side)
        if not is_exact(p + q):
            return MPMATH, _table_beta(p, q, real(alpha))
        corners = curve_of(p, q)
        return (EVENTS if len(p) <= MOST_EVENTS else ENUMERATION), corners if alpha is None else value_at(
            corners, alpha
        )
    if alpha is None:
        raise Undefined("no finite list of corners")
    return MPMATH, pair_of(node).beta(real(alpha), side)


def _renyi(args: Mapping[str, Any]) -> Second:
    """The moment, the divergence, or both."""
    node, sides = args["channel"], sides_of(args.get("direction", "forward"))
    text = args["order"]
    if text != infinite and number(text) <= 0:
        raise Undefined("an order above 0")
    found = [_renyi_one(node, side, text) for side in sides]
    return found[0][0], max((value for _, value in found), key=lambda value: real(value["divergence"]))


def _renyi_one(node: Mapping[str, Any], side: str, text: str) -> Second:
    finite = is_finite(node)
    if finite:
        p, q = oriented(*law_pair(node), side)
        columns = [(a, b) for a, b in zip(p, q, strict=True) if a]
    else:
        pair = pair_of(node)
    if text == infinite:
        ratio = max((real(a) / real(b) if b else mp.inf) for a, b in columns) if finite else pair.largest_ratio(side)
        return MPMATH, {"divergence": mp.log(ratio)}
    order = number(text)
    if order == 1:
        if not finite:
            return MPMATH, {"divergence": pair.relative_entropy(side)}
        terms = [real(a) * (mp.log(real(a) / real(b)) if b else mp.inf) for a, b in columns]
        return MPMATH, {"divergence": mp.fsum(terms)}
    if finite and order > 1 and any(b == 0 for _, b in columns):
        return ENUMERATION, {"moment": mp.inf, "divergence": mp.inf}
    value: dict[str, Any] = {}
    moment: Any
    if finite and order.denominator == 1 and is_exact(p + q):
        n = int(order)
        moment = sum((a * (a / b) ** (n - 1) for a, b in columns), Fraction(0))
        value["moment"] = moment
    elif finite:
        power = real(order)
        moment = mp.fsum(real(a) ** power * real(b) ** (1 - power) for a, b in columns if b)
    else:
        moment = pair.moment(real(order), side)
    if order.denominator == 1:
        value["moment"] = moment
    divergence = mp.inf if moment == 0 else mp.log(real(moment)) / (real(order) - 1)
    return (ENUMERATION if isinstance(moment, Fraction) else MPMATH), {**value, "divergence": divergence}


def _mu(args: Mapping[str, Any]) -> Second:
    """The largest Phi^-1(1 - alpha) - Phi^-1(beta) over the corners: G_mu is convex, so corners decide."""
    node = args["channel"]
    if not is_finite(node):
        pair = pair_of(node)
        if not isinstance(pair, Gaussian):
            raise NoSecondWay("mu of this pair")
        return "closed form", pair.theta
    corners = curve_of(*rational_pair(node))
    if corners[0][1] < 1 or (len(corners) > 1 and corners[-2][1] == 0):
        return EVENTS, infinite
    inner = [(a, b) for a, b in corners if 0 < a < 1]
    if not inner:
        return EVENTS, Fraction(0)
    return MPMATH, max(-normal_quantile(real(a)) - normal_quantile(real(b)) for a, b in inner)


def _satisfies(args: Mapping[str, Any]) -> Second:
    claim, node, sides = args["claim"], args["channel"], sides_of(args.get("direction", "both"))
    if "tradeoff" in claim:
        corners, (p, q) = corners_of(claim["tradeoff"]), rational_pair(node)
        curves = [curve_of(*oriented(p, q, side)) for side in sides]
        return EVENTS, all(value_at(corners, a) <= b for curve in curves for a, b in curve) and all(
            b <= value_at(curve, a) for curve in curves for a, b in corners
        )
    if "mu" in claim:
        how, least = _mu({"channel": node})
        return how, least != infinite and real(least) <= real(number(claim["mu"]))
    if "order" in claim:
        bound = number(claim["epsilon"])
        found = [_renyi_one(node, side, claim["order"])[1]["divergence"] for side in sides]
        return MPMATH, all(value <= real(bound) for value in found)
    level, delta = level_of(claim), number(claim.get("delta", 0))
    if not 0 <= delta <= 1 or (level != infinite and real(level) < 1):
        raise Undefined("an epsilon of at least 0 and a delta between 0 and 1")
    question = {key: claim[key] for key in ("exp_epsilon", "epsilon") if key in claim}
    how, value = _hockey_stick({"channel": node, **question}, args.get("direction", "both"))
    exact = isinstance(value, Fraction)
    return how, value <= delta if exact else value <= real(delta) + mp.mpf(10) ** -100


_SECONDS: Final[Mapping[str, Callable[[Mapping[str, Any]], Second]]] = {
    **OPERATORS,
    **INTERACTIVE,
    "hockey_stick": _forward_stick,
    "delta": _delta,
    "epsilon": _epsilon,
    "tradeoff": _tradeoff,
    "renyi": _renyi,
    "mu": _mu,
    "satisfies": _satisfies,
}


def second(op: str, args: Mapping[str, Any]) -> Second:
    """The answer to a question, from its definition.

    Raises:
        Undefined: where it has none.
        NoSecondWay: where it is not had here.
    """
    return _SECONDS[op](args)
