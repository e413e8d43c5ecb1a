"""delta(eps) of a composition by contour inversion in ball arithmetic.

delta(eps) = P(L = inf) + delta_fin(eps), P(L = inf) = 1 - Π_j P(L_j < inf)^(k_j), delta_fin from
:mod:`oracle.accountant.inversion`. Always also max(0, p - q e^eps) <= delta_fin <= p with p = Π P(L_j < inf),
q = Π Q_j(P_j > 0), and Chernoff's bound and, for eps >= 0, the total variation from above; the answer is the
intersection. Where a line cannot be had within the limit of nodes, fewer digits are tried, and at last those bounds
stand alone: the enclosure is then wide and says how many digits were reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, log
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from oracle.accountant.aliasing import chernoff
from oracle.accountant.hints import clipped, dyadic
from oracle.accountant.inversion import Inversion, LineValue, masses, upper_moment
from oracle.accountant.large_losses import large_loss_bound
from oracle.accountant.methods import with_digits
from oracle.accountant.parts import Composition
from oracle.accountant.planning import Cumulants, Plan, Setting, estimate, plan, saddle
from oracle.enclosures import DEFAULT_DIGITS, Ball, Enclosure, enclose, precision, rational_ball, rational_bounds
from oracle.errors import InputError, LimitError
from oracle.exact import to_decimal, to_text

__all__ = ["MAX_NODES", "Answer", "Known", "delta", "second_abscissa"]

MAX_NODES: Final = 400_000
"""Most nodes of an inversion, shared between the distinct parts, unless the caller says otherwise."""

_PASSES: Final = 5
_ERROR_TERMS: Final = 8
_COARSE_NODES: Final = 500
_COARSE_DIGITS: Final = 2
_LEAST_NODES: Final = 1000
_SHARES: Final = (1 / 16, 1 / 4, 7 / 16, 5 / 8, 7 / 8)
_BOUND_BITS: Final = 64
_SMALLEST: Final = mpq(1, mpz(10) ** 99_999)
"""The upper end of what is too small to be written out (:func:`oracle.enclosures.enclose`)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """delta at one eps.

    Attributes:
        value: the enclosure; ``reached`` where the digits asked for were not had.
        method: ``contour``, ``exact zero`` (of delta_fin) or ``bounds`` (no inversion within the limits).
        plan: the line, for ``contour``.
        errors: name of an error term to its upper bound, for ``contour``; other balls on which the answer rests.
        passes: the number of lines computed.
    """

    value: Enclosure
    method: str
    plan: Plan | None
    errors: dict[str, arb]
    passes: int = 0

    @property
    def record(self) -> dict[str, str]:
        """How it was computed, as texts: line, precision and the bound of each error term, rounded up."""
        facts: dict[str, str] = {}
        if self.plan is not None:
            facts = {
                "abscissa": to_text(self.plan.c),
                "step": to_text(self.plan.step),
                "nodes": str(self.plan.count + 1),
                "bits": str(self.plan.bits),
                "quadrature bits": str(self.plan.quadrature_bits),
                "abscissa of the high aliases": to_text(self.plan.right),
                "abscissa of the low aliases": to_text(-self.plan.left),
                "passes": str(self.passes),
            }
        return facts | {name: _text(bound) for name, bound in self.errors.items()}


@dataclass(frozen=True, slots=True)
class Known:
    """A composition with what is known of it before any inversion.

    Attributes:
        composition: its parts.
        digits: the digits wanted.
        bits: the precision of the balls below.
        finite: p = P(L < inf).
        seen: q = Q(P > 0).
        infinite: P(L = inf), exactly 0 where no part has any.
        top: the largest finite loss, or None.
        apart: 1 - Π (1 - TV_j)^(k_j), a bound of the total variation by a maximal coupling of every step.
        cumulants: about log K.
    """

    composition: Composition
    digits: int
    bits: int
    finite: arb
    seen: arb
    infinite: arb
    top: arb | None
    apart: arb
    cumulants: Cumulants

    @classmethod
    def of(cls, composition: Composition, digits: int) -> Known:
        """What is known of a composition.

        Raises:
            InputError: for an empty composition.
        """
        if not composition:
            raise InputError("at least one part", "none")
        bits = max(_BOUND_BITS, digits * 4 + 32)
        with precision(bits):
            finite, seen = masses(composition)
            infinite, top = _infinite_mass(composition, finite), _largest_loss(composition)
            together = arb(1)
            for part, times in composition:
                together *= (1 - part.variation()).nonnegative_part() ** times
            apart = 1 - together
        return cls(composition, digits, bits, finite, seen, infinite, top, apart, Cumulants(composition))

    def early(self, epsilon: Ball) -> Answer | None:
        """The answer where eps is at least the largest finite loss, so that delta_fin = 0."""
        with precision(self.bits):
            if self.top is None or not epsilon(self.bits) >= self.top:
                return None
            facts = {"largest finite loss": self.top.upper()}
            return Answer(_enclosed(self.infinite, self.digits), "exact zero", None, facts)

    def bounds(self, epsilon: Ball, c: float, *, large_losses: bool = True) -> tuple[arb, arb]:
        """Exact balls of a number below and one above delta_fin; c is about the saddle (inf for none).

        No inversion is done. delta_fin <= delta <= TV for eps >= 0.
        """
        with precision(self.bits):
            eps = epsilon(self.bits)
            low = (self.finite - self.seen * eps.exp()).nonnegative_part().lower()
            if not low.is_finite():
                low = arb(0)
            if large_losses:
                low = low.max(large_loss_bound(self.composition, eps))
                low = low.max((self.finite - self._missed(eps)).lower())
            high = self.finite.min(self.apart) if eps >= 0 else self.finite
            bound = _chernoff(self.composition, c, eps) if isfinite(c) else None
            high = high if bound is None else high.min(bound)
            return low, high.upper().max(low)

    def _missed(self, eps: arb) -> arb:
        """An upper bound of E[min(1, e^(eps-L)); L < inf] = p - delta_fin: e^(c eps) K(-c), as min(1, y) <= y^c."""
        at = clipped(lambda _: eps)
        c = min(_SHARES, key=lambda share: share * at + self.cumulants(-share))
        if c * at + self.cumulants(-c) > 0:
            return self.finite
        try:
            return self.finite.min((c * eps).exp() * upper_moment(self.composition, arb(-c)))
        except LimitError:
            return self.finite

    def at_once(self, epsilon: Ball, c: float) -> Answer:
        """The answer without an inversion; c is about the saddle (inf for none)."""
        low, high = self.bounds(epsilon, c)
        with precision(self.bits):
            # A ball around both would be wider.
            ends = [_enclosed(self.infinite + bound, self.digits) for bound in (low, high)]
        value = with_digits(Enclosure(ends[0].lo, ends[1].hi), self.digits)
        return Answer(value, "bounds", None, {"upper bound": high})

    def answer(self, epsilon: Ball, line: LineValue, proposal: Plan, passes: int, c: float) -> Answer:
        """The answer of a line, intersected with the bounds."""
        bounds = self.bounds(epsilon, c, large_losses=False)
        with precision(max(proposal.bits, self.bits)):
            best = self.infinite + _intersection(line.value, bounds)
            return Answer(_enclosed(best, self.digits), "contour", proposal, line.errors, passes)


def delta(
    composition: Composition,
    epsilon: Ball,
    digits: int = DEFAULT_DIGITS,
    *,
    max_nodes: int = MAX_NODES,
    abscissa: mpq | None = None,
) -> Answer:
    """D_{e^eps}(P‖Q) of a composition, as an enclosure of relative width 10^-digits or what was reached.

    Args:
        composition: the parts (:func:`oracle.accountant.parts.compose`), at least one.
        epsilon: eps as a ball.
        digits: significant digits wanted.
        max_nodes: most nodes of the line, shared between the distinct parts.
        abscissa: about the c to use, above 0 or below -1, instead of the planner's own choice, for cross-checks.

    Raises:
        InputError: for an empty composition or another abscissa.
    """
    if abscissa is not None and -1 <= abscissa <= 0:
        raise InputError("an abscissa above 0 or below -1", to_text(abscissa), "abscissa")
    known = Known.of(composition, digits)
    early = known.early(epsilon)
    if early is not None:
        return early
    at = clipped(epsilon)
    c = saddle(known.cumulants, at)
    at_once = known.at_once(epsilon, c)
    if abscissa is None and (at_once.value.reached is None or at_once.value.hi == _SMALLEST):
        return at_once
    if isfinite(known.cumulants(c)):
        found = _invert(known, epsilon, at, c=c, max_nodes=max_nodes, abscissa=abscissa)
        if found is not None:
            return known.answer(epsilon, *found, c)
    return at_once


def second_abscissa(answer: Answer) -> mpq | None:
    """An abscissa for a cross-check of an answer: another line, step, window and alias bounds; None without a line."""
    if answer.plan is None:
        return None
    c = answer.plan.c
    return mpq(3, 5) * c if c > 0 else -1 - mpq(3, 5) * (-1 - c)


def _invert(  # noqa: PLR0913 - one call
    known: Known, epsilon: Ball, at: float, *, c: float, max_nodes: int, abscissa: mpq | None
) -> tuple[LineValue, Plan, int] | None:
    """The best line value within the limits, or None."""
    composition, infinite = known.composition, known.infinite
    scale = estimate(known.cumulants, at, c)
    if infinite > 0:
        scale = max(scale, float(infinite.log()))
    best: tuple[LineValue, Plan, int] | None = None
    at_abscissa = None if abscissa is None else float(rational_ball(abscissa))
    wanted, scaled, missed = known.digits, False, 0
    room = max(max_nodes // len(composition), _LEAST_NODES)
    jump = max(log(times) + part.jump_hint(at) for part, times in composition)
    jump = jump if isfinite(jump) else inf
    for number in range(1, _PASSES + 1):
        goal = scale - log(_ERROR_TERMS)
        while True:
            target = goal - wanted * log(10.0)
            setting = Setting(composition, known.cumulants, (at, at), (target, target), room)
            try:
                proposal = plan(setting, c, abscissa=at_abscissa)
                if not scaled and proposal.count > _COARSE_NODES and wanted > _COARSE_DIGITS:
                    # The saddle may be far off where one large loss decides: a cheap pass sets the scale.
                    target = goal - _COARSE_DIGITS * log(10.0)
                    setting = Setting(composition, known.cumulants, (at, at), (target, target), room)
                    proposal = plan(setting, c, abscissa=at_abscissa)
                line = Inversion(composition, proposal).at([epsilon])[0]
                break
            except LimitError:
                wanted = wanted * 3 // 4
                if wanted < 1:
                    return best
        if best is None or line.value.rad() < best[0].value.rad():
            best = (line, proposal, number)
        with precision(proposal.bits):
            total = line.value + infinite
            low = total.lower()
            if low > 0 and total.rad() * 2 * arb(10) ** wanted <= low:
                return best
            high = total.upper()
        if low > 0:
            # The scale is known; a pass that missed it once more gets more room.
            scale = float(low.log()) - (log(_ERROR_TERMS) if scaled else 0.0)
        else:
            # First a little lower; where that is still too high, one large loss may decide.
            missed += 1
            scale = min(scale - log(1e6), float(high.log()) if high > 0 else -inf, jump if missed > 1 else inf)
        scaled = bool(low > 0)
    return best


def _infinite_mass(composition: Composition, finite: arb) -> arb:
    """P(L = inf), exactly 0 where no part has any."""
    return 1 - finite if any(part.has_infinite_loss() for part, _ in composition) else arb(0)


def _largest_loss(composition: Composition) -> arb | None:
    total = arb(0)
    for part, times in composition:
        largest = part.largest_loss()
        if largest is None:
            return None
        total += times * largest
    return total


def _chernoff(composition: Composition, c: float, eps: arb) -> arb | None:
    """Chernoff's bound at about c, or None where K is out of reach there."""
    with precision(_BOUND_BITS):
        try:
            at = rational_ball(dyadic(c))
            bound = chernoff(at, upper_moment(composition, at), eps).upper()
        except LimitError:
            return None
    return bound if bound.is_finite() else None


def _intersection(value: arb, bounds: tuple[arb, arb]) -> arb:
    """What two true enclosures have in common."""
    low, high = bounds
    return low.union(high) if not value.is_finite() else value.lower().max(low).union(value.upper().min(high))


def _enclosed(value: arb, digits: int) -> Enclosure:
    if value.is_exact() and value == 0:
        return Enclosure(mpq(0), mpq(0))
    return enclose(lambda _: value, digits).clamped()


def _text(bound: arb) -> str:
    """An upper bound as a decimal of three digits, rounded up; ``inf`` or ``1e-99999`` beyond what is written out."""
    if bound <= 0:
        return "0" if bound == 0 else bound.str(3)
    if not bound < arb(10) ** 300:
        return "inf"
    if bound < arb(10) ** -99_999:
        return "1e-99999"
    return to_decimal(rational_bounds(bound)[1], 3, "up")
