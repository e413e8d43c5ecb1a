"""Subsampled and composed pairs a second time, from the profiles of their parts.

A mixture's profile follows from its base's by pulling the common part out; a finite pair beside another one by
conditioning on its outcome; a sum of discrete Gaussians by convolving their law.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb
from typing import Any, Final

from oracle.conformance.vector_sources.expressions import (
    Law,
    NoSecondWay,
    Undefined,
    is_finite,
    law_pair,
    mp,
    number,
    parts_of,
    real,
)
from oracle.conformance.vector_sources.noise_pairs import Gaussian, Laplace, Lattice, Pair, Real, Table, normal_tail

__all__ = ["Beside", "Mixture", "Substituted", "SummedLattice", "TwoLaplaces", "pair_of"]


class SummedLattice(Pair):
    """Several runs of discrete Gaussian noise: the loss depends on the sum of the outcomes, whose law is convolved."""

    def __init__(self, single: Lattice, times: int) -> None:
        reach = int(24 * single.sigma) + 2 * single.s + 2
        step = [single.weight(z) / single.total for z in range(-reach, reach + 1)]
        law = [mp.mpf(1)]
        for _ in range(times):
            longer = [mp.mpf(0)] * (len(law) + len(step) - 1)
            for n, mass in enumerate(law):
                for k, other in enumerate(step):
                    longer[n + k] += mass * other
            law = longer
        middle, s, variance = len(law) // 2, single.s, single.sigma**2
        loss = [(times * mp.mpf(s) ** 2 - 2 * s * (n - middle)) / (2 * variance) for n in range(len(law))]
        self.masses, self.odds = law, [mp.exp(-x) for x in loss]

    def forward(self, level: Real) -> Real:
        """As of every pair."""
        return mp.fsum(p * max(mp.mpf(0), 1 - level * r) for p, r in zip(self.masses, self.odds, strict=True))

    def backward(self, level: Real) -> Real:
        """As of every pair."""
        return self.forward(level)


class Beside(Pair):
    """A finite pair beside another one: the other's hockey stick at the level that each outcome leaves."""

    def __init__(self, p: Law, q: Law, other: Pair) -> None:
        self.columns = [(real(a), real(b)) for a, b in zip(p, q, strict=True)]
        self.other = other

    def forward(self, level: Real) -> Real:
        """As of every pair."""
        return mp.fsum(a * self.other.stick(level * b / a, "forward") for a, b in self.columns if a)

    def backward(self, level: Real) -> Real:
        """As of every pair."""
        return mp.fsum(b * self.other.stick(level * a / b, "backward") for a, b in self.columns if b)


class TwoLaplaces(Pair):
    """Two Laplace pairs: the loss of the first is theta with mass 1/2, -theta with mass e^-theta/2, else a density."""

    def __init__(self, first: Laplace, other: Laplace) -> None:
        self.first, self.other = first, other

    def forward(self, level: Real) -> Real:
        """As of every pair."""
        t, x, other = self.first.theta, mp.log(level), self.other
        ends = other.forward(mp.exp(x - t)) / 2 + mp.exp(-t) * other.forward(mp.exp(x + t)) / 2
        kinks = [x - other.theta, x + other.theta]
        cuts = sorted({-t, t, *(kink for kink in kinks if -t < kink < t)})
        with mp.workdps(80):
            inside = mp.quad(lambda loss: mp.exp((loss - t) / 2) / 4 * other.forward(mp.exp(x - loss)), cuts)
        return ends + inside

    def backward(self, level: Real) -> Real:
        """As of every pair."""
        return self.forward(level)


class Mixture(Pair):
    """P' = (1 - q) Q + q P against Q."""

    def __init__(self, base: Pair, rate: Fraction) -> None:
        self.base, self.rate = base, real(rate)

    def forward(self, level: Real) -> Real:
        """P' - a Q = q (P - b Q) with b = (a - 1 + q)/q; where b <= 0 every outcome counts."""
        if not self.rate:
            return max(mp.mpf(0), 1 - level)
        inside = (level - 1 + self.rate) / self.rate
        return 1 - level if inside <= 0 else self.rate * self.base.stick(inside, "forward")

    def backward(self, level: Real) -> Real:
        """Q - a P' = (1 - a (1-q)) (Q - b P) with b = a q/(1 - a (1-q)); 0 where the first factor is not positive."""
        share = 1 - level * (1 - self.rate)
        return mp.mpf(0) if share <= 0 else share * self.base.stick(level * self.rate / share, "backward")

    def moment(self, order: Real, direction: str) -> Real:
        """Σ_k C(n,k) (1-q)^(n-k) q^k times the base's moment of order k, for a whole order n, forward."""
        n = int(order)
        if n != order or direction != "forward":
            raise NoSecondWay("a whole order, forward, only")
        terms = []
        for k in range(n + 1):
            inner = mp.mpf(1) if k < 2 else self.base.moment(mp.mpf(k), "forward")
            terms.append(comb(n, k) * (1 - self.rate) ** (n - k) * self.rate**k * inner)
        return mp.fsum(terms)


class Substituted(Pair):
    """(1-q) N(0) + q N(theta) against (1-q) N(0) + q N(-theta): the ratio grows with the outcome."""

    def __init__(self, kind: str, theta: Fraction, rate: Fraction) -> None:
        self.kind, self.theta, self.rate = kind, real(theta), real(rate)

    def _above(self, x: Real) -> Real:
        if self.kind == "gaussian":
            return normal_tail(-x)
        return mp.exp(-x) / 2 if x >= 0 else 1 - mp.exp(x) / 2

    def _density(self, x: Real) -> Real:
        return mp.npdf(x) if self.kind == "gaussian" else mp.exp(-abs(x)) / 2

    def _log_ratio(self, x: Real) -> Real:
        common = (1 - self.rate) * self._density(x)
        up = common + self.rate * self._density(x - self.theta)
        return mp.log(up / (common + self.rate * self._density(x + self.theta)))

    def forward(self, level: Real) -> Real:
        """As of every pair."""
        x, t = mp.log(level), self.theta
        reach = t if self.kind == "laplace" else 60 * (1 + t) + 4 * abs(x) / t
        low, high = -reach, reach
        if self._log_ratio(high) <= x:
            return mp.mpf(0)
        if self._log_ratio(low) >= x:
            return 1 - level
        for _ in range(560):
            middle = (low + high) / 2
            low, high = (middle, high) if self._log_ratio(middle) <= x else (low, middle)
        common = (1 - self.rate) * self._above(low)
        upper = common + self.rate * self._above(low - t)
        return upper - level * (common + self.rate * self._above(low + t))

    def backward(self, level: Real) -> Real:
        """As of every pair."""
        return self.forward(level)


def _sensitivity(node: Mapping[str, Any]) -> Fraction:
    return number(node.get("sensitivity", 1))


def _positive(node: Mapping[str, Any], field: str) -> Fraction:
    value = number(node[field])
    if value <= 0:
        raise Undefined(f"a positive {field}")
    return value


def _gaussian_square(node: Mapping[str, Any]) -> Fraction | None:
    """theta² of a Gaussian mechanism or a composition of such; None for anything else."""
    match node.get("mechanism"):
        case "gaussian":
            return (_sensitivity(node) / _positive(node, "sigma")) ** 2
        case "gaussian_dp":
            return number(node["mu"]) ** 2
        case "repeat":
            inside = _gaussian_square(node["of"])
            return None if inside is None else int(node["times"]) * inside
        case "compose":
            parts = [_gaussian_square(part) for part in node["of"]]
            return None if None in parts else sum((part for part in parts if part is not None), Fraction(0))
        case _:
            return None


def _composed(node: Mapping[str, Any]) -> Pair:
    """Finite parts beside one Gaussian or one other pair, two Laplace pairs, or equal discrete Gaussian ones."""
    runs = [part for part, times in parts_of(node) for _ in range(times if times <= _MOST_RUNS else 0)]
    if sum(times for _, times in parts_of(node)) != len(runs):
        raise NoSecondWay("too many runs")
    finite = [part for part in runs if is_finite(part)]
    rest = [part for part in runs if not is_finite(part)]
    squares = [_gaussian_square(part) for part in rest]
    others: list[Pair]
    if rest and all(square is not None for square in squares):
        others = [Gaussian(sum((square for square in squares if square is not None), Fraction(0)))]
    elif len(rest) > 1 and all(part == rest[0] and part["mechanism"] == "discrete_gaussian" for part in rest):
        single = pair_of(rest[0])
        others = [SummedLattice(single, len(rest))] if isinstance(single, Lattice) else []
    else:
        others = [pair_of(part) for part in rest]
    match others:
        case [single]:
            pass
        case [Laplace() as first, Laplace() as second]:
            single = TwoLaplaces(first, second)
        case _:
            raise NoSecondWay("this composition")
    return Beside(*law_pair({"mechanism": "compose", "of": finite}), single) if finite else single


def _laplace(node: Mapping[str, Any]) -> Pair:
    return Laplace(_sensitivity(node) / _positive(node, "scale"))


def _discrete_gaussian(node: Mapping[str, Any]) -> Pair:
    return Lattice(_positive(node, "sigma"), int(_sensitivity(node)))


def _poisson(node: Mapping[str, Any]) -> Pair:
    rate, of = number(node["rate"]), node["of"]
    if not 0 <= rate <= 1:
        raise Undefined("a rate between 0 and 1")
    if node.get("neighbours") not in ("add_remove", "substitute"):
        raise Undefined("a neighbouring relation")
    if node["neighbours"] == "add_remove":
        return Mixture(pair_of(of), rate)
    if of["mechanism"] not in _SCALES:
        raise NoSecondWay("substitution of this mechanism")
    return Substituted(of["mechanism"], _sensitivity(of) / _positive(of, _SCALES[of["mechanism"]]), rate)


def pair_of(node: Mapping[str, Any]) -> Pair:
    """The pair of an expression.

    Raises:
        Undefined: for one that is malformed, or no mechanism.
        NoSecondWay: for one that is not read here.
    """
    square = _gaussian_square(node)
    if square is not None:
        return Gaussian(square)
    if is_finite(node):
        return Table(*law_pair(node))
    name = node["mechanism"]
    if name in _BLACK_BOXES:
        raise NoSecondWay(name)
    if name not in _PAIRS:
        raise Undefined(f"no mechanism {name}")
    return _PAIRS[name](node)


_MOST_RUNS: Final = 60

_SCALES: Final[Mapping[str, str]] = {"gaussian": "sigma", "laplace": "scale"}

_BLACK_BOXES: Final = ("database", "group", "subsample_without_replacement", "subsample_with_replacement")

_PAIRS: Final[Mapping[str, Callable[[Mapping[str, Any]], Pair]]] = {
    "laplace": _laplace,
    "discrete_gaussian": _discrete_gaussian,
    "poisson_subsample": _poisson,
    "compose": _composed,
    "repeat": _composed,
}
