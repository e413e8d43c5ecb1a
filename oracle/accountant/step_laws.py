"""Steps as densities and piecewise analytic profiles, for integrals over the loss of one step.

A :class:`Step` is a pair (P, Q). It is described twice:

- *its law*: atoms (P-mass, Q-mass, loss) and pieces, each an interval of a real variable x with the densities of P and
  Q and the loss l(x) = log(p/q), all analytic, l decreasing, and the inverse of l;
- *its profile* eps -> D_{e^eps}(P‖Q): real breaks b_1 < ... < b_m, and on each of the m + 1 intervals between them a
  function that is analytic near that interval and differs there from the profile by at most ``slack`` (0 mostly).

With D the profile of one step, E D(eps - L) over the law of another is the profile of both
(:mod:`oracle.accountant.conditioning`).

Profiles. Gaussian: Phi(theta/2 - eps/theta) - e^eps Phi(-theta/2 - eps/theta), entire. Laplace: 1 - e^eps,
1 - e^((eps-theta)/2) and 0 with breaks -theta, theta. Finite channels: P(S) - e^eps Q(S) for the leading sets S, with
breaks at the losses.

Subsampled and exchanged steps are in :mod:`oracle.accountant.subsampled_steps`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import flint
from flint import acb, arb
from gmpy2 import mpq, mpz

from oracle.channels.canonical import likelihood_order
from oracle.channels.channel import Channel, require_two_rows
from oracle.enclosures import rational_ball
from oracle.errors import InputError, UndecidedError, shorten
from oracle.exact import to_text
from oracle.special import phi

__all__ = [
    "Analytic",
    "Atom",
    "FiniteStep",
    "GaussianStep",
    "LaplaceStep",
    "LossLaw",
    "Piece",
    "PiecewiseProfile",
    "Step",
    "one_minus_level",
]

Analytic = Callable[[acb, bool], acb]
"""A function of a complex ball that is analytic on it, or not a number, where the flag is set."""


@dataclass(frozen=True, slots=True)
class Atom:
    """Outcomes of one loss: their masses, and log(p/q) as a ball, infinite where one of them is 0."""

    p: arb
    q: arb
    loss: arb


@dataclass(frozen=True, slots=True)
class Piece:
    """An interval of outcomes x on which the loss falls.

    Attributes:
        low, high: its ends.
        p, q: the densities of P and Q.
        loss: log(p/q).
        at_loss: the x with a given loss where there is one, else an infinity on the side where it would be.
    """

    low: arb
    high: arb
    p: Analytic
    q: Analytic
    loss: Analytic
    at_loss: Callable[[arb], arb]


@dataclass(frozen=True, slots=True)
class LossLaw:
    """The law of a step: atoms, pieces, and bounds of the masses that P and Q give to everything else."""

    atoms: tuple[Atom, ...]
    pieces: tuple[Piece, ...]
    p_rest: arb
    q_rest: arb


@dataclass(frozen=True, slots=True)
class PiecewiseProfile:
    """A privacy profile as analytic functions between breaks.

    Attributes:
        breaks: increasing.
        functions: one more; functions[i] holds from breaks[i-1] to breaks[i].
        slack: 0 <= profile - function <= slack.
    """

    breaks: tuple[arb, ...]
    functions: tuple[Analytic, ...]
    slack: arb

    def at(self, epsilon: arb) -> arb:
        """The profile at every eps of a ball: the union over the intervals that it may lie in."""
        found: arb | None = None
        for i, function in enumerate(self.functions):
            if i and epsilon < self.breaks[i - 1]:
                continue
            if i < len(self.breaks) and epsilon > self.breaks[i]:
                continue
            value = function(acb(epsilon), False).real
            found = value if found is None else found.union(value)
        if found is None:
            raise UndecidedError("the piece of a profile", flint.ctx.prec)
        return (found + arb(0).union(self.slack)).max(arb(0)).min(arb(1))


class Step(ABC):
    """A pair of laws (P, Q); everything is made at the working precision that is set."""

    __slots__ = ()

    @abstractmethod
    def law(self, small: arb) -> LossLaw:
        """The law; what is left out has a mass of at most about *small* under each of P and Q."""

    @abstractmethod
    def profile(self, small: arb) -> PiecewiseProfile:
        """The profile, with a slack of at most *small*."""


class GaussianStep(Step):
    """N(0, 1) and N(theta, 1), given by theta² > 0."""

    __slots__ = ("theta_squared",)

    theta_squared: mpq

    def __init__(self, theta_squared: mpq) -> None:
        if theta_squared <= 0:
            raise InputError("theta² above 0", shorten(to_text(theta_squared)))
        self.theta_squared = theta_squared

    def law(self, small: arb) -> LossLaw:
        """Outcomes x from -X to theta + X with Phi(-X) <= small; l = theta²/2 - theta x."""
        theta = rational_ball(self.theta_squared).sqrt()
        half = theta * theta / 2
        # Phi(-X) <= e^(-X²/2)/2.
        reach = (-2 * small.log()).sqrt().upper()
        norm = (2 * arb.pi()).sqrt()

        def density(mean: arb) -> Analytic:
            return lambda x, _: (-((x - mean) ** 2) / 2).exp() / norm

        piece = Piece(
            -reach,
            (theta + reach).upper(),
            density(arb(0)),
            density(theta),
            lambda x, _: half - theta * x,
            lambda loss: (half - loss) / theta,
        )
        rest = 2 * phi(-reach)
        return LossLaw((), (piece,), rest, rest)

    def profile(self, small: arb) -> PiecewiseProfile:  # noqa: ARG002 - exact
        """Entire."""
        theta = rational_ball(self.theta_squared).sqrt()
        root = arb(2).sqrt()

        def value(epsilon: acb, _: bool) -> acb:
            # Phi(x) = erfc(-x/√2)/2.
            first = ((epsilon / theta - theta / 2) / root).erfc()
            second = ((epsilon / theta + theta / 2) / root).erfc()
            return (first - epsilon.exp() * second) / 2

        return PiecewiseProfile((), (value,), arb(0))


class LaplaceStep(Step):
    """Lap(0, 1) and Lap(theta, 1), theta > 0."""

    __slots__ = ("theta",)

    theta: mpq

    def __init__(self, theta: mpq) -> None:
        if theta <= 0:
            raise InputError("theta above 0", shorten(to_text(theta)))
        self.theta = theta

    def law(self, small: arb) -> LossLaw:  # noqa: ARG002 - nothing is left out
        """Atoms of loss theta (x <= 0) and -theta (x >= theta), and theta - 2x in between."""
        theta = rational_ball(self.theta)
        tail = (-theta).exp() / 2
        piece = Piece(
            arb(0),
            theta,
            lambda x, _: (-x).exp() / 2,
            lambda x, _: (x - theta).exp() / 2,
            lambda x, _: theta - 2 * x,
            lambda loss: (theta - loss) / 2,
        )
        half = arb(1) / 2
        return LossLaw((Atom(half, tail, theta), Atom(tail, half, -theta)), (piece,), arb(0), arb(0))

    def profile(self, small: arb) -> PiecewiseProfile:  # noqa: ARG002 - exact
        """Three pieces."""
        theta = rational_ball(self.theta)
        return PiecewiseProfile(
            (-theta, theta),
            (one_minus_level, lambda epsilon, _: -((epsilon - theta) / 2).expm1(), lambda _, __: acb(0)),
            arb(0),
        )


def one_minus_level(epsilon: acb, _: bool) -> acb:
    """1 - e^eps."""
    return -epsilon.expm1()


class FiniteStep(Step):
    """A two-row rational channel."""

    __slots__ = ("channel",)

    channel: Channel

    def __init__(self, channel: Channel) -> None:
        require_two_rows(channel)
        self.channel = channel

    def _atoms(self) -> list[Atom]:
        """Loss decreasing."""
        order = likelihood_order(self.channel)
        return [
            Atom(rational_ball(mpq(p, order.scale)), rational_ball(mpq(q, order.scale)), _loss(p, q))
            for p, q in zip(order.p, order.q, strict=True)
        ]

    def law(self, small: arb) -> LossLaw:  # noqa: ARG002 - nothing is left out
        """One atom for each ratio."""
        return LossLaw(tuple(self._atoms()), (), arb(0), arb(0))

    def profile(self, small: arb) -> PiecewiseProfile:  # noqa: ARG002 - exact
        """P(S) - e^eps Q(S), S the outcomes of loss above eps."""

        def line(p: arb, q: arb) -> Analytic:
            return lambda epsilon, _: p - epsilon.exp() * q

        functions, breaks = [], []
        p_sum = q_sum = arb(0)
        for atom in self._atoms():
            if atom.loss.is_finite():
                functions.append(line(p_sum, q_sum))
                breaks.append(atom.loss)
            if atom.loss > arb("-inf"):
                p_sum, q_sum = p_sum + atom.p, q_sum + atom.q
        functions.append(line(p_sum, q_sum))
        return PiecewiseProfile(tuple(reversed(breaks)), tuple(reversed(functions)), arb(0))


def _loss(p: mpz, q: mpz) -> arb:
    if not q:
        return arb("inf")
    return rational_ball(mpq(p, q)).log() if p else arb("-inf")
