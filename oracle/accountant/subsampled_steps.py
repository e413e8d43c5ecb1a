"""Poisson-subsampled and exchanged steps as densities and piecewise analytic profiles.

*Poisson subsampled*, P' = (1-q) Q + q P: D'(eps) = q D(log a) with a = 1 + (e^eps - 1)/q where a > 0, else 1 - e^eps.
Of a Laplace step D(log a) = 1 - a for a <= e^(-theta), so D' = 1 - e^eps up to the image of -theta. Of a Gaussian step
the two formulas meet at a = 0, eps = log(1-q), with all derivatives, but are different analytic functions. For a > 0

    q D_a(P‖Q) = q (1 - a) + q a D_{1/a}(Q‖P) = 1 - e^eps + q a D_{1/a}(Q‖P),

and a D_{1/a}(Q‖P) = ∫ max(0, a q - p) grows with a. So for a <= e^(-T) the profile exceeds 1 - e^eps by at most
q e^(-T) D_{e^T}(Q‖P), which is brought below the wanted accuracy by T; there 1 - e^eps is taken, and that bound is the
slack. *Exchanged*: D_a(Q‖P) = 1 - a + a D_{1/a}(P‖Q), so the breaks change sign and the functions are
1 - e^eps + e^eps f(-eps). Where f(eps) = 1 - e^eps up to the first break b, with slack s, this is 0 from -b on; the
profile falls, so from there on it is at most its value at -b, and that is at most e^(-b) s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import flint
from flint import acb, arb
from gmpy2 import mpq

from oracle.accountant.step_laws import (
    Analytic,
    Atom,
    FiniteStep,
    GaussianStep,
    LaplaceStep,
    LossLaw,
    Piece,
    PiecewiseProfile,
    Step,
    one_minus_level,
)
from oracle.channels.channel import Channel
from oracle.enclosures import rational_ball
from oracle.errors import Declined, InputError, UndecidedError, shorten
from oracle.exact import to_text

__all__ = ["Exchanged", "SubsampledStep", "exchanged", "subsampled"]

_MOST_DOUBLINGS: Final = 64


class SubsampledStep(Step):
    """((1-q) Q + q P, Q) of a Gaussian or Laplace step (P, Q), 0 < q < 1; see :func:`subsampled` for any step."""

    __slots__ = ("base", "rate")

    base: GaussianStep | LaplaceStep
    rate: mpq

    def __init__(self, base: GaussianStep | LaplaceStep, rate: mpq) -> None:
        if not 0 < rate < 1:
            raise InputError("a rate above 0 and below 1", shorten(to_text(rate)), "rate")
        self.base, self.rate = base, rate

    def law(self, small: arb) -> LossLaw:
        """The outcomes of the base with l' = log(1 - q + q e^l), which grows with l."""
        base, rate = self.base.law(small), rational_ball(self.rate)

        def mixed(p: Analytic, q: Analytic) -> Analytic:
            return lambda x, analytic: (1 - rate) * q(x, analytic) + rate * p(x, analytic)

        def shifted(loss: Analytic) -> Analytic:
            return lambda x, analytic: (1 - rate + rate * loss(x, analytic).exp()).log(analytic=analytic)

        atoms = [Atom((1 - rate) * a.q + rate * a.p, a.q, self._image(a.loss)) for a in base.atoms]
        pieces = [
            replace(piece, p=mixed(piece.p, piece.q), loss=shifted(piece.loss), at_loss=self._inverse(piece.at_loss))
            for piece in base.pieces
        ]
        return LossLaw(tuple(atoms), tuple(pieces), (1 - rate) * base.q_rest + rate * base.p_rest, base.q_rest)

    def _image(self, loss: arb) -> arb:
        rate = rational_ball(self.rate)
        return (1 - rate + rate * loss.exp()).log()

    def _inverse(self, at_loss: Callable[[arb], arb]) -> Callable[[arb], arb]:
        rate = rational_ball(self.rate)

        def inverse(loss: arb) -> arb:
            rise = loss.expm1() / rate
            if rise <= -1:
                return arb("inf")
            if not rise > -1:
                raise UndecidedError("whether a loss is above log(1 - rate)", flint.ctx.prec)
            return at_loss(rise.log1p())

        return inverse

    def profile(self, small: arb) -> PiecewiseProfile:
        """See the module's text."""
        base, rate = self.base.profile(small), rational_ball(self.rate)

        def within(function: Analytic) -> Analytic:
            def value(epsilon: acb, analytic: bool) -> acb:
                level = 1 + epsilon.expm1() / rate
                return rate * function(level.log(analytic=analytic), analytic)

            return value

        functions = tuple(map(within, base.functions))
        if base.breaks:
            return PiecewiseProfile(tuple(map(self._image, base.breaks)), (one_minus_level, *functions[1:]), arb(0))
        depth = arb(1)
        for _ in range(_MOST_DOUBLINGS):
            # The base is symmetric, so its profile is also that of (Q, P).
            excess = (rate * (-depth).exp() * base.at(depth)).upper()
            if excess <= small:
                return PiecewiseProfile((self._image(-depth),), (one_minus_level, *functions), excess)
            depth *= 2
        raise UndecidedError("where a subsampled profile becomes 1 - e^eps", flint.ctx.prec)


class Exchanged(Step):
    """(Q, P) of a subsampled step (P, Q); see :func:`exchanged` for any step."""

    __slots__ = ("step",)

    step: SubsampledStep

    def __init__(self, step: SubsampledStep) -> None:
        self.step = step

    def law(self, small: arb) -> LossLaw:
        """Densities exchanged, losses negated; x runs the other way, so that the loss falls again."""
        law = self.step.law(small)
        atoms = [Atom(a.q, a.p, -a.loss) for a in law.atoms]
        return LossLaw(tuple(atoms), tuple(map(_exchanged_piece, law.pieces)), law.q_rest, law.p_rest)

    def profile(self, small: arb) -> PiecewiseProfile:
        """1 - e^eps + e^eps f(-eps), and 0 from the last break on; see the module's text."""
        profile = self.step.profile(small)

        def turned(function: Analytic) -> Analytic:
            def value(epsilon: acb, analytic: bool) -> acb:
                return -epsilon.expm1() + epsilon.exp() * function(-epsilon, analytic)

            return value

        return PiecewiseProfile(
            tuple(-b for b in reversed(profile.breaks)),
            (*(turned(f) for f in reversed(profile.functions[1:])), lambda _, __: acb(0)),
            profile.slack * (-profile.breaks[0]).exp(),
        )


def _exchanged_piece(piece: Piece) -> Piece:
    return Piece(
        -piece.high,
        -piece.low,
        lambda x, analytic: piece.q(-x, analytic),
        lambda x, analytic: piece.p(-x, analytic),
        lambda x, analytic: -piece.loss(-x, analytic),
        lambda loss: -piece.at_loss(-loss),
    )


def exchanged(step: Step) -> Step:
    """The pair (Q, P): Gaussian and Laplace steps are symmetric (reflection)."""
    if isinstance(step, GaussianStep | LaplaceStep):
        return step
    if isinstance(step, FiniteStep):
        return FiniteStep(step.channel.swapped())
    if isinstance(step, SubsampledStep):
        return Exchanged(step)
    if isinstance(step, Exchanged):
        return step.step
    raise Declined(f"the exchanged pair of {type(step).__name__}")


def subsampled(step: Step, rate: mpq) -> Step:
    """The Poisson subsampled pair ((1-q) Q + q P, Q), 0 < q <= 1; subsampling twice multiplies the rates.

    Raises:
        InputError: for a rate outside (0, 1].
        Declined: for an exchanged subsampled step.
    """
    if not 0 < rate <= 1:
        raise InputError("a rate above 0 and at most 1", shorten(to_text(rate)), "rate")
    if rate == 1:
        return step
    if isinstance(step, FiniteStep):
        p, q = step.channel.rows
        mixed = tuple((1 - rate) * y + rate * x for x, y in zip(p, q, strict=True))
        return FiniteStep(Channel.trusted((mixed, q)))
    if isinstance(step, SubsampledStep):
        return SubsampledStep(step.base, step.rate * rate)
    if isinstance(step, GaussianStep | LaplaceStep):
        return SubsampledStep(step, rate)
    raise Declined(f"a subsampled {type(step).__name__}")
