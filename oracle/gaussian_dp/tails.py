"""How privacy profiles end: proofs for all epsilon >= T at once, and the criterion for being mu-GDP for some mu.

Key lemma. Let mu > 0, a = eps/mu - mu/2 > 0, b = a + mu and phi the normal density. Then

    mu·phi(a)/(b² + 3)  <  delta_mu(eps)  <  mu·phi(a)/(a² + 1).

Proof. With Mills' ratio m(t) = Phi(-t)/phi(t) and e^eps phi(b) = phi(a), delta_mu(eps) = phi(a)·(m(a) - m(b)). As
m' = t m - 1, this is phi(a) times the integral of 1 - t m(t) over [a, b], an interval of length mu. For t > 0,

    t/(t² + 1) < m(t) < (t² + 2)/(t³ + 3t),    so    1/(t² + 3) < 1 - t m(t) < 1/(t² + 1),

and both bounds decrease in t. The bounds of m: for a function l, (phi·(l - m))' = phi·(l' - t l + 1), and
phi·(l - m) -> 0 at infinity for both. For l = t/(t² + 1) the bracket is 2/(t² + 1)² > 0, so l - m < 0; for
l = (t² + 2)/(t³ + 3t) it is -6/(t² (t² + 3)²) < 0, so l - m > 0.

Criterion. By the lemma eps²/(-2 log delta_mu(eps)) -> mu² for eps -> inf. With L = limsup eps²/(-2 log delta(eps)),
delta(eps) <= delta_mu(eps) for all large eps if mu² > L, and for no half-line if mu² < L; at mu² = L both happen
(e^(-eps²/2) is below delta_1 and 2 delta_1 is above it, L = 1 for both). The limit may not exist, the limsup always
does (the paper says limit: Liu et al. 2022, theorems 3.2 and 3.3). A mechanism is mu-GDP for some mu if and only if
L is finite and delta(0) < 1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

from flint import arb
from gmpy2 import mpq

from oracle.enclosures import DEFAULT_DIGITS, Ball, Enclosure, precision, rational_ball
from oracle.errors import InputError
from oracle.exact import INFINITY, Extended, Infinity
from oracle.gaussian_dp.arguments import NumberLike, exact, positive
from oracle.special import square_root

__all__ = [
    "ConstantTail",
    "ReciprocalTail",
    "SquaredExponentialTail",
    "Tail",
    "VanishingTail",
    "key_lemma",
    "tail_limit",
    "tail_satisfies",
    "tail_start",
]

_TAIL_BITS: Final = 96
_MOST_DOUBLINGS: Final = 60


def key_lemma(mu: arb, epsilon: arb) -> tuple[arb, arb]:
    """Balls of the two bounds mu·phi(a)/(b² + 3) < delta_mu(eps) < mu·phi(a)/(a² + 1).

    Raises:
        InputError: unless a = eps/mu - mu/2 is certainly positive.
    """
    a, b = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    if not a > 0:
        raise InputError("epsilon above mu²/2", f"epsilon = {epsilon}, mu = {mu}")
    density = (-a * a / 2).exp() / (2 * arb.pi()).sqrt()
    return mu * density / (b * b + 3), mu * density / (a * a + 1)


class Tail(ABC):
    """What is known of a profile for large epsilon.

    All proofs are at a mu given by its square, a positive rational, so that mu² = L is seen exactly.
    """

    @property
    @abstractmethod
    def limits(self) -> tuple[Extended, Extended]:
        """The liminf and the limsup of eps²/(-2 log delta(eps)); 0 where delta becomes 0."""

    @abstractmethod
    def below(self, mu_squared: mpq, start: arb) -> bool:
        """Whether delta(eps) <= delta_mu(eps) is proved for every eps >= *start*, at the working precision."""

    @abstractmethod
    def above(self, mu_squared: mpq, start: arb) -> bool:
        """Whether delta(eps) > delta_mu(eps) is proved for every eps >= *start*, from which on the formula counts."""

    @property
    def vanishes(self) -> bool:
        """Whether delta -> 0."""
        return True

    @property
    def argument(self) -> str:
        """The name of the argument by which :meth:`below` or :meth:`above` proves its statement."""
        return type(self).__name__.removesuffix("Tail")


def _at(mu_squared: mpq, epsilon: arb) -> tuple[arb, arb, arb]:
    """Balls of mu, a and b."""
    mu = rational_ball(mu_squared).sqrt()
    return mu, epsilon / mu - mu / 2, epsilon / mu + mu / 2


def _root_of_two_pi() -> arb:
    return (2 * arb.pi()).sqrt()


class SquaredExponentialTail(Tail):
    """delta = B e^(-c eps²) for large eps, c > 0: L = 1/(2c).

    Below delta_mu: with k = c - 1/(2 mu²) >= 0 and the lower bound of the key lemma, log(bound) - log(delta) is
        F(x) = k x² + x/2 - mu²/8 + log(mu/(B √(2 pi))) - log(b² + 3),
    whose derivative is at least 1/2 - 2b/(mu (b² + 3)) > 1/2 - 2/(mu b) = 1/2 - 2/(x + mu²/2), so F increases from
    x = 4 - mu²/2 on, and F(T) >= 0 with T >= 4 - mu²/2, a(T) > 0 proves the statement for all x >= T.

    Above it: with k < 0 and the upper bound, log(delta) - log(bound) is
        F(x) = -k x² - x/2 + mu²/8 + log(B √(2 pi)/mu) + log(a² + 1),
    whose derivative is at least -2 k x - 1/2, so it increases from x = -1/(4 k) on.

    Args:
        factor: B > 0.
        rate: c > 0.
    """

    def __init__(self, factor: NumberLike, rate: NumberLike) -> None:
        self.factor = positive(factor, "factor")
        self.rate = positive(rate, "rate")

    @property
    def limits(self) -> tuple[Extended, Extended]:
        """1/(2c) twice."""
        return 1 / (2 * self.rate), 1 / (2 * self.rate)

    def below(self, mu_squared: mpq, start: arb) -> bool:
        """By F(start) >= 0; see the class."""
        excess = self.rate - 1 / (2 * mu_squared)
        if excess < 0:
            return False
        mu, a, b = _at(mu_squared, start)
        if not (a > 0 and start >= 4 - mu * mu / 2):
            return False
        ratio = mu / (rational_ball(self.factor) * _root_of_two_pi())
        value = rational_ball(excess) * start**2 + start / 2 - mu * mu / 8 + ratio.log() - (b * b + 3).log()
        return bool(value >= 0)

    def above(self, mu_squared: mpq, start: arb) -> bool:
        """By F(start) > 0; see the class."""
        excess = 1 / (2 * mu_squared) - self.rate
        if excess <= 0:
            return False
        mu, a, _ = _at(mu_squared, start)
        if not (a > 0 and start >= rational_ball(1 / (4 * excess))):
            return False
        ratio = rational_ball(self.factor) * _root_of_two_pi() / mu
        value = rational_ball(excess) * start**2 - start / 2 + mu * mu / 8 + ratio.log() + (a * a + 1).log()
        return bool(value > 0)


class ReciprocalTail(Tail):
    """delta = k/eps for large eps, k > 0: above every delta_mu in the end, so L is infinite.

    log(delta) - log(upper bound of the key lemma) is
        F(x) = log k - log x + a²/2 + log(a² + 1) + log(√(2 pi)/mu),
    whose derivative is at least -1/x + a/mu, positive once x a > mu, and x a increases in x where a > 0.

    Args:
        coefficient: the ball of k at the working precision that is set.
    """

    def __init__(self, coefficient: Ball) -> None:
        self.coefficient = coefficient

    @property
    def limits(self) -> tuple[Extended, Extended]:
        """Infinite: -2 log delta = 2 log eps - 2 log k grows more slowly than eps²."""
        return INFINITY, INFINITY

    def below(self, mu_squared: mpq, start: arb) -> bool:  # noqa: ARG002 - the same for all
        """Never."""
        return False

    def above(self, mu_squared: mpq, start: arb) -> bool:
        """By F(start) > 0; see the class."""
        mu, a, _ = _at(mu_squared, start)
        if not (a > 0 and start * a > mu):
            return False
        k = self.coefficient(_TAIL_BITS)
        value = k.log() - start.log() + a * a / 2 + (a * a + 1).log() + (_root_of_two_pi() / mu).log()
        return bool(value > 0)


class VanishingTail(Tail):
    """delta = 0 from some epsilon on: L = 0, and below every delta_mu, mu > 0, from there on.

    Args:
        end: the ball of that epsilon.
    """

    def __init__(self, end: Ball) -> None:
        self.end = end

    @property
    def limits(self) -> tuple[Extended, Extended]:
        """0 twice."""
        return mpq(0), mpq(0)

    def below(self, mu_squared: mpq, start: arb) -> bool:  # noqa: ARG002 - the same for all mu > 0
        """As soon as delta is 0."""
        return bool(start >= self.end(_TAIL_BITS))

    def above(self, mu_squared: mpq, start: arb) -> bool:  # noqa: ARG002 - the same for all
        """Never."""
        return False


class ConstantTail(Tail):
    """delta >= d for every eps, with d > 0: delta does not tend to 0, so L is infinite.

    delta_mu decreases to 0, so d > delta_mu(T) proves delta > delta_mu from T on. The bound d may also be one that
    holds from some eps on.

    Args:
        least: the ball of d > 0.
    """

    def __init__(self, least: Ball) -> None:
        self.least = least

    @property
    def limits(self) -> tuple[Extended, Extended]:
        """Infinite, as delta does not tend to 0."""
        return INFINITY, INFINITY

    @property
    def vanishes(self) -> bool:
        """No."""
        return False

    def below(self, mu_squared: mpq, start: arb) -> bool:  # noqa: ARG002 - the same for all
        """Never."""
        return False

    def above(self, mu_squared: mpq, start: arb) -> bool:
        """By d > mu·phi(a)/(a² + 1) at the start, a bound that decreases in a > 0."""
        mu, a, _ = _at(mu_squared, start)
        return bool(a > 0) and bool(self.least(_TAIL_BITS) > key_lemma(mu, start)[1])


def tail_limit(tail: Tail, digits: int = DEFAULT_DIGITS) -> Extended | Enclosure:
    """mu_t = √L: 0, ``INFINITY``, the rational root where there is one, or an enclosure."""
    limsup = tail.limits[1]
    return limsup if isinstance(limsup, Infinity) else square_root(limsup, digits)


def tail_satisfies(tail: Tail, mu: NumberLike) -> bool | None:
    """Whether delta <= delta_mu from some epsilon on: by mu² against L; None for undecided, at the border only.

    At the border the criterion says nothing; a proof by :meth:`Tail.below` or :meth:`Tail.above` may still exist and is
    then used.

    Raises:
        InputError: for a mu of 0 or below.
    """
    squared, limsup = positive(mu, "mu") ** 2, tail.limits[1]
    if squared != limsup:
        return bool(squared > limsup)
    if tail_start(tail, squared, "below") is not None:
        return True
    return None if tail_start(tail, squared, "above") is None else False


@dataclass(frozen=True, slots=True)
class TailProof:
    """delta against delta_mu on a whole half-line.

    Attributes:
        start: the eps from which on it is proved.
        relation: "below" for delta <= delta_mu, "above" for delta > delta_mu.
        argument: the name of the argument, that of the class of tails.
    """

    start: mpq
    relation: str
    argument: str


def tail_start(tail: Tail, mu_squared: NumberLike, relation: str, least: NumberLike = 0) -> TailProof | None:
    """A whole number T >= *least* from which on the relation of delta to delta_mu is proved, or None if none is found.

    T is doubled until the proof goes through, then brought down by bisection.
    """
    squared, first = exact(mu_squared, "mu_squared"), exact(least, "least")
    prove = tail.below if relation == "below" else tail.above
    low, high = int(first // 1), int(-(-first // 1)) + 1
    with precision(_TAIL_BITS):
        for _ in range(_MOST_DOUBLINGS):
            if prove(squared, arb(high)):
                break
            low, high = high, 2 * high
        else:
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if prove(squared, arb(middle)) else (middle, high)
    return TailProof(mpq(high), relation, tail.argument)
