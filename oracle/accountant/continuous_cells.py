"""Cells of losses of continuous steps, from the survival functions of the loss.

A step is described by S_P(l) = P(L >= l) and S_Q(l) = Q(L >= l), L = log(p/q); cell j has the masses
S(h j) - S(h (j+1)).

- Gaussian N(0, 1), N(theta, 1): L = theta²/2 - theta x, so S_P(l) = Phi(theta/2 - l/theta) and
  S_Q(l) = Phi(-theta/2 - l/theta).
- Laplace Lap(0, 1), Lap(theta, 1): for -theta < l <= theta, L >= l means x <= (theta - l)/2, so
  S_P(l) = 1 - e^(-(theta-l)/2)/2 and S_Q(l) = e^(-(theta+l)/2)/2; both are 1 for l <= -theta and 0 for l > theta.
- Poisson subsampled, P' = (1-q) Q + q P, Q' = Q: L' = log(1 - q + q e^L) grows with L. So for l > log(1-q) the events
  {L' >= l} and {L >= log((e^l - 1 + q)/q)} are the same, and for smaller l both functions are 1.

The add direction (Q, P) has the same cells mirrored. A ball of l across a jump or the end of a formula is answered by
the union of what may be; a rational grid point on a jump of the Laplace law is recognised, since its theta is rational.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from flint import arb
from gmpy2 import mpq

from oracle.accountant.loss_cells import MAX_CELLS, CellMass, LossCells, check_width, make_cells, mirrored
from oracle.channels.divergences import Direction
from oracle.enclosures import precision, rational_ball
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import to_text
from oracle.special import phi

__all__ = ["ContinuousCells", "GaussianLoss", "LaplaceLoss", "LossSurvival", "SubsampledLoss"]

_MOST: Final = 1 << 40
"""Furthest grid point that is looked at."""


class LossSurvival(ABC):
    """The laws of the privacy loss of a step under P and under Q."""

    __slots__ = ()

    @abstractmethod
    def at(self, loss: mpq) -> tuple[arb, arb]:
        """(P(L >= l), Q(L >= l)) at the working precision that is set."""

    @abstractmethod
    def at_ball(self, loss: arb) -> tuple[arb, arb]:
        """The same for every l of a ball."""


class GaussianLoss(LossSurvival):
    """The pair N(0, 1), N(theta, 1), given by theta² > 0."""

    __slots__ = ("theta_squared",)

    theta_squared: mpq

    def __init__(self, theta_squared: mpq) -> None:
        if theta_squared <= 0:
            raise InputError("theta² above 0", shorten(to_text(theta_squared)))
        self.theta_squared = theta_squared

    def at(self, loss: mpq) -> tuple[arb, arb]:
        """See the module's text."""
        return self.at_ball(rational_ball(loss))

    def at_ball(self, loss: arb) -> tuple[arb, arb]:
        """See the module's text."""
        theta = rational_ball(self.theta_squared).sqrt()
        half, shift = theta / 2, loss / theta
        return phi(half - shift), phi(-half - shift)


class LaplaceLoss(LossSurvival):
    """The pair Lap(0, 1), Lap(theta, 1), theta > 0."""

    __slots__ = ("theta",)

    theta: mpq

    def __init__(self, theta: mpq) -> None:
        if theta <= 0:
            raise InputError("theta above 0", shorten(to_text(theta)))
        self.theta = theta

    def at(self, loss: mpq) -> tuple[arb, arb]:
        """See the module's text; the jumps at -theta and theta are decided exactly."""
        if loss <= -self.theta:
            return arb(1), arb(1)
        if loss > self.theta:
            return arb(0), arb(0)
        return self._between(rational_ball(self.theta), rational_ball(loss))

    def at_ball(self, loss: arb) -> tuple[arb, arb]:
        """See the module's text."""
        theta = rational_ball(self.theta)
        if loss <= -theta:
            return arb(1), arb(1)
        if loss > theta:
            return arb(0), arb(0)
        p, q = self._between(theta, loss.max(-theta).min(theta))
        if not loss > -theta:
            p, q = p.union(arb(1)), q.union(arb(1))
        if not loss <= theta:
            p, q = p.union(arb(0)), q.union(arb(0))
        return p, q

    @staticmethod
    def _between(theta: arb, loss: arb) -> tuple[arb, arb]:
        return 1 - (-(theta - loss) / 2).exp() / 2, (-(theta + loss) / 2).exp() / 2


class SubsampledLoss(LossSurvival):
    """The pair ((1-q) Q + q P, Q) of a base step (P, Q), 0 < q < 1."""

    __slots__ = ("base", "rate")

    base: LossSurvival
    rate: mpq

    def __init__(self, base: LossSurvival, rate: mpq) -> None:
        if not 0 < rate < 1:
            raise InputError("a rate above 0 and below 1", shorten(to_text(rate)), "rate")
        self.base, self.rate = base, rate

    def at(self, loss: mpq) -> tuple[arb, arb]:
        """See the module's text."""
        return self.at_ball(rational_ball(loss))

    def at_ball(self, loss: arb) -> tuple[arb, arb]:
        """See the module's text."""
        rate = rational_ball(self.rate)
        # (e^l - 1 + q)/q = 1 + (e^l - 1)/q.
        rise = loss.expm1() / rate
        if rise <= -1:
            return arb(1), arb(1)
        if not rise > -1:
            return arb(0).union(arb(1)), arb(0).union(arb(1))
        p, q = self.base.at_ball(rise.log1p())
        return (1 - rate) * q + rate * p, q


class ContinuousCells:
    """A continuous step in one direction: forward is (P, Q), backward (Q, P)."""

    __slots__ = ("side", "survival")

    survival: LossSurvival
    side: Direction

    def __init__(self, survival: LossSurvival, side: Direction = "forward") -> None:
        if side == "both":
            raise InputError("one direction, forward or backward", "both", "direction")
        self.survival, self.side = survival, side

    def cells(self, width: mpq, bits: int, tail_bits: int) -> LossCells:
        """The two pairs; at most 2^(-tail_bits) of the first law is left outside the grid on either side.

        Outside lies: above, mass that counts as infinite above and is left out below; below, mass that is moved up to
        the first grid point.
        """
        check_width(width)
        first, last = self._range(width, tail_bits)
        if last - first >= MAX_CELLS:
            raise LimitError(f"at most {MAX_CELLS} cells", shorten(last - first), "width")
        scale = max(0, width.denominator.bit_length() - width.numerator.bit_length())
        with precision(bits + 48 + scale + 2 * max(abs(first), abs(last), 1).bit_length()):
            edges = [self.survival.at(width * j) for j in range(first, last + 1)]
            cells = [
                (first + i, CellMass(p - p_next, q - q_next))
                for i, ((p, q), (p_next, q_next)) in enumerate(pairwise(edges))
            ]
            below, above = 1 - edges[0][0], edges[-1][0]
            if self.side == "backward":
                # The losses of (Q, P) below its grid are those of (P, Q) above it.
                cells, below, above = mirrored(cells), edges[-1][1], 1 - edges[0][1]
            return make_cells(cells, width, bits, below=below, above=above, infinite=arb(0))

    def _range(self, width: mpq, tail_bits: int) -> tuple[int, int]:
        """Grid points below which, and from which on, the first law has at most 2^(-tail_bits)."""
        law = 0 if self.side == "forward" else 1
        with precision(tail_bits + 32):
            small = arb(2) ** -tail_bits
            last = _first_true(lambda j: self.survival.at(width * j)[law] <= small)
            first = -_first_true(lambda j: 1 - self.survival.at(-width * j)[law] <= small)
        return min(first, last - 1), last


def _first_true(holds: Callable[[int], bool]) -> int:
    """The least j at which a condition holds that then stays true, by doubling and bisection."""
    low, high = -1, 1
    while not holds(high):
        low, high = high, 2 * high
        if high > _MOST:
            raise LimitError(f"losses of at most {_MOST} cells", "larger ones", "width")
    while low < 0 and holds(low):
        high, low = low, 2 * low
        if low < -_MOST:
            raise LimitError(f"losses of at most {_MOST} cells", "larger ones", "width")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
