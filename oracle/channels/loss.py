"""The privacy loss of a two-row channel as a random variable: atoms, infinite losses, moments and tails, exactly.

L = log(p/q) with the outcome drawn from P; L' = log(q/p) with the outcome drawn from Q. A loss is stated as its
exponential e^L = p/q, which is rational, ``INFINITY`` where q = 0. Outcomes with p = 0 have no mass under P.

The moment generating function is phi(s) = E[e^(sL)] = Σ p (p/q)^s, and for s > 0

    phi(s) = 1 + s(s+1) ∫_0^∞ (e^(s eps) D_{e^eps}(P‖Q) + e^(-(s+1) eps) D_{e^eps}(Q‖P)) d eps,

infinite on both sides where P has mass that Q has not. The hockey stick is, at a = e^eps,
D_a(P‖Q) = Pr[L > eps] - a Pr[L' < -eps]; so it is with >= and <=, since outcomes with p = a q add p - a q = 0. With one
strict and one weak inequality it is not: an outcome with p = a q is then counted on one side only.

Source: Balle, Barthe and Gaboardi, NeurIPS 2018, theorems 5 and 6.
"""

from __future__ import annotations

from typing import NamedTuple

from gmpy2 import mpq

from oracle.channels.canonical import likelihood_order
from oracle.channels.channel import Channel, require_full
from oracle.errors import InputError, shorten
from oracle.exact import INFINITY, Extended, to_text

__all__ = ["Atom", "atoms", "infinite_loss_mass", "moment", "moment_by_profile", "tail", "tail_difference"]


class Atom(NamedTuple):
    """A value of the privacy loss.

    Attributes:
        exp_loss: e^L = p/q, above 0, ``INFINITY`` where q = 0.
        mass: its probability, above 0.
    """

    exp_loss: Extended
    mass: mpq


def _columns(channel: Channel) -> list[tuple[mpq, mpq]]:
    """Columns (p, q) with equal ratios merged, p/q decreasing."""
    require_full(channel)
    order = likelihood_order(channel)
    return [(mpq(x, order.scale), mpq(y, order.scale)) for x, y in zip(order.p, order.q, strict=True)]


def atoms(channel: Channel) -> list[Atom]:
    """The law of L, the largest loss first; the law of L' is that of ``channel.swapped()``."""
    return [Atom(p / q if q else INFINITY, p) for p, q in _columns(channel) if p]


def infinite_loss_mass(channel: Channel) -> mpq:
    """Pr[L = infinity]: the mass of P where Q has none, the limit of D_a."""
    return sum((atom.mass for atom in atoms(channel) if atom.exp_loss == INFINITY), mpq(0))


def moment(channel: Channel, s: int) -> Extended:
    """phi(s) = E[e^(sL)] for an integer s of either sign; infinite for s > 0 where an infinite loss has mass.

    For s < 0 an infinite loss counts 0, for s = 0 every loss counts 1 (0 times infinity is taken as 0).
    """
    total = mpq(0)
    for p, q in _columns(channel):
        if not p:
            continue
        if not q:
            if s > 0:
                return INFINITY
            total += p if s == 0 else 0
        else:
            total += p * (p / q) ** s
    return total


def moment_by_profile(channel: Channel, s: int) -> Extended:
    """The right-hand side of the identity above for an integer s >= 1, integrated exactly, outcome by outcome.

    With t = e^eps the integral is ∫_1^∞ (t^(s-1) D_t(P‖Q) + t^(-s-2) D_t(Q‖P)) dt. An outcome with p > q adds
    ∫_1^(p/q) t^(s-1) (p - t q) dt to the first part, one with q > p adds ∫_1^(q/p) t^(-s-2) (q - t p) dt to the second.

    Raises:
        InputError: for s below 1.
    """
    if s < 1:
        raise InputError("an integer s of at least 1", shorten(s), "s")
    total = mpq(0)
    for p, q in _columns(channel):
        if p > q:
            if not q:
                return INFINITY
            r = p / q
            total += p * (r**s - 1) / s - q * (r ** (s + 1) - 1) / (s + 1)
        elif q > p:
            # 1/r = p/q, which is 0 where p = 0: then the integral runs to infinity.
            back = p / q
            total += q * (1 - back ** (s + 1)) / (s + 1) - p * (1 - back**s) / s
    return 1 + s * (s + 1) * total


def tail(channel: Channel, level: Extended, *, strict: bool) -> mpq:
    """Pr[L > eps] (strict) or Pr[L >= eps] at level = e^eps."""
    return sum(
        (atom.mass for atom in atoms(channel) if atom.exp_loss > level or (not strict and atom.exp_loss == level)),
        mpq(0),
    )


def tail_difference(channel: Channel, level: mpq, *, upper_strict: bool = True, lower_strict: bool = True) -> mpq:
    """Pr[L > eps] - a Pr[L' < -eps] at a = *level* > 0; a flag that is False makes its inequality weak.

    It is D_a(P‖Q) where both flags are the same.

    Raises:
        InputError: for a level that is not above 0.
    """
    if level <= 0:
        raise InputError("a level above 0", shorten(to_text(level)), "exp_epsilon")
    # L' < -eps means q/p < 1/a; the outcomes of infinite L' have p = 0.
    lower = sum(
        (
            mass
            for exp_loss, mass in atoms(channel.swapped())
            if exp_loss < 1 / level or (not lower_strict and exp_loss == 1 / level)
        ),
        mpq(0),
    )
    return tail(channel, level, strict=upper_strict) - level * lower
