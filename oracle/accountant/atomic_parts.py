"""Parts with atoms: finite channels, rational or formal, and the discrete Gaussian.

K(z) = Σ_i p_i e^(z l_i) over the outcomes with P- and Q-mass, l_i = log(p_i/q_i); infinite losses where q_i = 0 < p_i.
A law with atoms has no better cut-off than 1: its transform is almost periodic. Such parts are at home in compositions
with a part whose transform falls; alone they have exact methods of their own.

Discrete Gaussian pair on the integers, P(x) = e^(-x²/(2 sigma²))/Z and Q the same law moved by s, a whole number:
l(x) = (s² - 2sx)/(2 sigma²), and p(x) e^(c l(x)) = e^(c(c+1)s²/(2 sigma²)) e^(-(x+cs)²/(2 sigma²))/Z. With
Theta(a) = Σ_x e^(-(x+a)²/(2 sigma²)), Z = Theta(0), K(c) = e^(c(c+1)s²/(2 sigma²)) Theta(cs)/Z. Sums over |x + a| <=
m + 1 leave out at most 2 e^(-m²/(2 sigma²))/(1 - e^(-m/sigma²)) of Theta(a), as consecutive terms fall at least by
e^(-m/sigma²) from a distance m on. As z = c + it moves only phases, the same bound serves on the whole line.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import ceil, exp, floor, inf, isfinite, log, sqrt
from typing import TYPE_CHECKING, Final, Self

import flint
from flint import acb, arb
from gmpy2 import mpq

from oracle.accountant.exponential_sums import exponential_sums
from oracle.accountant.hints import positive_float
from oracle.accountant.parts import CutOff, NoCutOff, Part
from oracle.channels.canonical import canonical
from oracle.enclosures import precision, rational_ball
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import to_text

if TYPE_CHECKING:
    from oracle.channels.channel import Channel
    from oracle.channels.formal_channel import FormalChannel

__all__ = ["MAX_ATOMS", "DiscreteGaussian", "FiniteChannel", "FormalAtoms"]

MAX_ATOMS: Final = 20_000
"""Most terms of one sum."""

_HINT_BITS: Final = 64


class _Atomic(Part):
    """A part given by finitely many atoms."""

    __slots__ = ()

    @abstractmethod
    def atoms(self) -> list[tuple[arb, arb]]:
        """Balls of (p, log(p/q)) for the outcomes with p, q > 0, at the working precision."""

    def hint(self, c: float) -> float:
        """About log K(c)."""
        with precision(_HINT_BITS):
            values = [float(p.log()) + c * float(loss) for p, loss in self.atoms()]
        return _log_sum(values)

    def moment(self, c: arb) -> arb:
        """K(c)."""
        return sum((p * (c * loss).exp() for p, loss in self.atoms()), arb(0))

    def large_loss(self, loss: arb) -> tuple[arb, arb]:
        """The atoms proved to be beyond."""
        beyond = [(p, p * (-at).exp()) for p, at in self.atoms() if at > loss]
        return sum((p for p, _ in beyond), arb(0)), sum((q for _, q in beyond), arb(0))

    def table(self, c: mpq, step: mpq, count: int, bits: int) -> list[acb]:  # noqa: ARG002 - a finite sum
        """K on the line."""
        at, eta = rational_ball(c), acb(0, rational_ball(step))
        atoms = self.atoms()
        weights = [acb(p * (at * loss).exp()) for p, loss in atoms]
        return exponential_sums(weights, [(eta * loss).exp() for _, loss in atoms], count)

    def cut_off(self, c: mpq) -> CutOff:  # noqa: ARG002 - none at any abscissa
        """None that falls."""
        return NoCutOff()


@dataclass(frozen=True, slots=True)
class FiniteChannel(_Atomic):
    """A two-row channel of rationals in canonical form.

    Attributes:
        columns: pairs (p, q), none (0, 0), in order of increasing q/p, equal ratios merged.
    """

    columns: tuple[tuple[mpq, mpq], ...]

    @classmethod
    def of(cls, channel: Channel) -> Self:
        """The part of a two-row channel (first row P)."""
        rows = canonical(channel).rows
        return cls(tuple(zip(rows[0], rows[1], strict=True)))

    def swapped(self) -> FiniteChannel:
        """The channel with its rows exchanged."""
        return FiniteChannel(tuple((q, p) for p, q in reversed(self.columns)))

    def atoms(self) -> list[tuple[arb, arb]]:
        """See the class above."""
        return [(rational_ball(p), rational_ball(p / q).log()) for p, q in self.columns if p and q]

    def finite_mass(self) -> arb:
        """Σ p over q > 0."""
        return rational_ball(sum((p for p, q in self.columns if q), mpq(0)))

    def seen_mass(self) -> arb:
        """Σ q over p > 0."""
        return rational_ball(sum((q for p, q in self.columns if p), mpq(0)))

    def variation(self) -> arb:
        """Σ max(0, p - q)."""
        return rational_ball(sum((p - q for p, q in self.columns if p > q), mpq(0)))

    def has_infinite_loss(self) -> bool:
        """Whether some column has p > 0 = q."""
        return any(p and not q for p, q in self.columns)

    def largest_loss(self) -> arb:
        """The logarithm of the largest finite p/q, -inf where no loss is finite."""
        ratios = [p / q for p, q in self.columns if p and q]
        return rational_ball(max(ratios)).log() if ratios else arb.neg_inf()


@dataclass(frozen=True, slots=True)
class FormalAtoms(_Atomic):
    """A two-row channel whose probabilities are exponential sums.

    Attributes:
        channel: the channel; parts are equal where they hold the same object.
        exchanged: whether P is its second row.
    """

    channel: FormalChannel
    exchanged: bool = False

    def swapped(self) -> FormalAtoms:
        """The channel with its rows exchanged."""
        return FormalAtoms(self.channel, not self.exchanged)

    def _columns(self) -> list[tuple[arb | None, arb | None]]:
        """Balls of (p, q), None for what is exactly 0."""
        bits = flint.ctx.prec
        totals = [total.ball(bits) for total in self.channel.totals]
        rows = [
            [None if weight.is_zero() else weight.ball(bits) / total for weight in row]
            for row, total in zip(self.channel.rows, totals, strict=True)
        ]
        return list(zip(*(reversed(rows) if self.exchanged else rows), strict=True))

    def atoms(self) -> list[tuple[arb, arb]]:
        """See the class above."""
        return [(p, (p / q).log()) for p, q in self._columns() if p is not None and q is not None]

    def finite_mass(self) -> arb:
        """Σ p over q > 0."""
        return sum((p for p, q in self._columns() if p is not None and q is not None), arb(0))

    def seen_mass(self) -> arb:
        """Σ q over p > 0."""
        return sum((q for p, q in self._columns() if p is not None and q is not None), arb(0))

    def variation(self) -> arb:
        """Σ |p - q|/2."""
        return sum((abs((p or arb(0)) - (q or arb(0))) for p, q in self._columns()), arb(0)) / 2

    def has_infinite_loss(self) -> bool:
        """Whether some column has p > 0 = q."""
        return any(p is not None and q is None for p, q in self._columns())

    def largest_loss(self) -> arb:
        """The largest finite log(p/q), -inf where no loss is finite."""
        largest = arb.neg_inf()
        for _, loss in self.atoms():
            largest = largest.max(loss)
        return largest


@dataclass(frozen=True, slots=True)
class DiscreteGaussian(Part):
    """The discrete Gaussian pair on the integers.

    Attributes:
        variance: sigma², a rational above 0.
        sensitivity: s, a whole number of at least 1.
    """

    variance: mpq
    sensitivity: int = 1

    def __post_init__(self) -> None:
        if self.variance <= 0:
            raise InputError("sigma² above 0", shorten(to_text(self.variance)))
        if self.sensitivity < 1:
            raise InputError("a whole sensitivity of at least 1", shorten(self.sensitivity))

    def swapped(self) -> DiscreteGaussian:
        """Itself, by x -> s - x."""
        return self

    def finite_mass(self) -> arb:
        """1."""
        return arb(1)

    def seen_mass(self) -> arb:
        """1."""
        return arb(1)

    def largest_loss(self) -> None:
        """None: the loss is unbounded."""
        return

    def variation(self) -> arb:
        """P(p > q), p > q being x < s/2, less the same event under Q."""
        top, shift = (self.sensitivity - 1) // 2, self.sensitivity
        terms, outside = self._terms(mpq(0), flint.ctx.prec)
        normaliser = sum((w for _, w in terms), arb(0)) + arb(0).union(outside)
        # P(x <= top) - P(x <= top - s) = P(top - s < x <= top).
        inside = sum((w for x, w in terms if top - shift < x <= top), arb(0)) + arb(0).union(outside)
        return inside / normaliser

    def _terms(self, centre: mpq, bits: int) -> tuple[list[tuple[int, arb]], arb]:
        """Integers x near -centre with e^(-(x+centre)²/(2 sigma²)), and the upper bound of what is left out."""
        spread = positive_float(self.variance)
        reach = max(ceil(sqrt(2 * spread * (bits + 4) * log(2.0))), 2)
        if not 2 * reach <= MAX_ATOMS:
            raise LimitError(f"a sum of at most {MAX_ATOMS} terms", str(2 * reach))
        middle = -int(centre.numerator // centre.denominator)
        twice = rational_ball(2 * self.variance)
        terms = []
        for x in range(middle - reach - 1, middle + reach + 2):
            gap = rational_ball(x + centre)
            terms.append((x, (-gap * gap / twice).exp()))
        ratio = (-2 * reach / twice).exp()
        outside = 2 * (-(arb(reach) ** 2) / twice).exp() / (1 - ratio)
        return terms, outside.upper()

    def _scale(self, c: arb) -> arb:
        """The factor e^(c(c+1)s²/(2 sigma²))."""
        square = rational_ball(mpq(self.sensitivity**2) / (2 * self.variance))
        return (c * (c + 1) * square).exp()

    def hint(self, c: float) -> float:
        """About log K(c), Theta(cs)/Theta(0) summed where sigma is small, else taken as 1."""
        spread, s = positive_float(self.variance), self.sensitivity
        value = c * (c + 1) * s * s / (2 * spread)
        if spread < 4:
            shift = c * s - floor(c * s)
            value += _log_sum([-((x + shift) ** 2) / (2 * spread) for x in range(-24, 25)])
            value -= _log_sum([-(x**2) / (2 * spread) for x in range(-24, 25)])
        return value

    def moment(self, c: arb) -> arb:
        """K(c); the ball's midpoint is the centre of the sum, the factor's ball takes up its radius.

        Raises:
            LimitError: for a c that is not exact.
        """
        exact = c.mid().fmpq()
        if not c.is_exact():
            raise LimitError("an exact abscissa", c.str(6))
        at = mpq(int(exact.p), int(exact.q))
        sums = []
        for centre in (at * self.sensitivity, mpq(0)):
            terms, outside = self._terms(centre, flint.ctx.prec)
            sums.append(sum((w for _, w in terms), arb(0)) + arb(0).union(outside))
        return self._scale(c) * sums[0] / sums[1]

    def table(self, c: mpq, step: mpq, count: int, bits: int) -> list[acb]:
        """K on the line, with the terms left out as a radius."""
        at, eta = rational_ball(c), acb(0, rational_ball(step))
        terms, outside = self._terms(c * self.sensitivity, bits)
        normal, beyond = self._terms(mpq(0), bits)
        factor = self._scale(at) / (sum((w for _, w in normal), arb(0)) + arb(0).union(beyond))
        s, twice = self.sensitivity, rational_ball(2 * self.variance)
        losses = [arb(s * s - 2 * s * x) / twice for x, _ in terms]
        sums = exponential_sums([acb(w) for _, w in terms], [(eta * loss).exp() for loss in losses], count)
        radius = arb(0, outside)
        return [(value + acb(radius, radius)) * factor for value in sums]

    def cut_off(self, c: mpq) -> CutOff:  # noqa: ARG002 - none at any abscissa
        """None that falls."""
        return NoCutOff()


def _log_sum(exponents: list[float]) -> float:
    """About log Σ e^x."""
    top = max(exponents, default=-inf)
    return top + log(sum(exp(x - top) for x in exponents)) if isfinite(top) else top
