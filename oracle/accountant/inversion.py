"""One line of the contour integral: the nodes, computed once, and delta_fin at any eps from them.

For c > 0, max(0, 1 - e^(eps - l)) = (1/2 pi i) ∫_{Re z = c} e^(z(l - eps))/(z(z+1)) dz (residues at 0 and -1;
absolutely convergent), so by Fubini, with K = Π_j K_j^(k_j) finite at c,

    delta_fin(eps) = (1/2 pi i) ∫_{Re z = c} F(z) dz,  F(z) = K(z) e^(-z eps)/(z(z+1)).

For c < -1 the residues p = K(0) at 0 and -q e^eps, q = K(-1), at -1 are passed: there the integral is
delta_fin - p + q e^eps = E[max(0, e^(eps-L) - 1); L < inf].

The integral is replaced by the sum S over z = c + i n eta, |n| <= N; as F(conj z) = conj F(z), S is
(eta/2pi)(F(c) + 2 Re Σ_{n=1}^N F(c + i n eta)). What separates S from delta_fin is bounded, term by term:

- the step: :mod:`oracle.accountant.aliasing`;
- the cut-off: |z(z+1)| >= (n eta)² and the parts' cut-offs phi_j give, with Σ_{n>N} 1/n² <= 1/N,
  (eta/pi) Σ_{n>N} |F| <= e^(-c eps) Π_j (K_j(c) phi_j((N+1) eta))^(k_j)/(pi eta N);
- quadrature of K_j and rounding: inside the balls of the values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from flint import acb, arb

from oracle.accountant.aliasing import LineMasses, high_aliases, low_aliases
from oracle.accountant.exponential_sums import polynomial_values
from oracle.accountant.parts import Composition
from oracle.accountant.planning import Plan
from oracle.enclosures import Ball, precision, rational_ball
from oracle.errors import LimitError

__all__ = ["Inversion", "LineValue", "masses", "upper_moment"]

_BOUND_BITS: Final = 64


@dataclass(frozen=True, slots=True)
class LineValue:
    """delta_fin at one eps as a ball, and upper bounds of its errors.

    Attributes:
        value: the ball.
        errors: name of the error term to its bound.
    """

    value: arb
    errors: dict[str, arb]


class Inversion:
    """The nodes of one line, computed once, from which delta_fin at any eps costs a sum.

    Args:
        composition: the parts.
        proposal: the line; any c > 0 or c < -1, eta > 0, N >= 1, c' > max(c, 0), s >= max(1, -c), s > -c will do.

    Raises:
        LimitError: for a plan outside these bounds, or one that a part finds out of reach.
    """

    __slots__ = ("_abscissa", "_finite_mass", "_masses", "_period", "_seen_mass", "_step", "_tail", "_values", "plan")

    plan: Plan

    def __init__(self, composition: Composition, proposal: Plan) -> None:
        _check(proposal)
        self.plan = proposal
        with precision(proposal.bits):
            c, eta = rational_ball(proposal.c), rational_ball(proposal.step)
            moments = _product_of_tables(composition, proposal)
            self._values = []
            for n, moment in enumerate(moments):
                z = acb(c, n * eta)
                self._values.append(moment / (z * (z + 1)))
            self._abscissa, self._step, self._period = c, eta, 2 * arb.pi() / eta
            cut = arb(1)
            for part, times in composition:
                cut *= part.cut_off(proposal.c).bound((proposal.count + 1) * eta) ** times
            self._tail = moments[0].real * cut / (arb.pi() * eta * proposal.count)
            self._masses = _line_masses(composition, proposal)

    def at(self, epsilons: Sequence[Ball]) -> list[LineValue]:
        """delta_fin at each eps."""
        with precision(self.plan.bits):
            points = [epsilon(self.plan.bits) for epsilon in epsilons]
            turns = [acb(0, -self._step * eps).exp() for eps in points]
            sums = polynomial_values(self._values, turns)
            return [self._value(eps, total) for eps, total in zip(points, sums, strict=True)]

    def _value(self, eps: arb, total: acb) -> LineValue:
        c, period = self._abscissa, self._period
        scale = (-c * eps).exp()
        line = scale * (2 * total.real - self._values[0].real) / period
        known, low = low_aliases(c, period, eps, self._masses)
        high = high_aliases(c, period, eps, self._masses)
        tail = (scale * self._tail).upper()
        rounding = (line - known).rad()
        above, below = tail, (tail + low + high).upper()
        middle = line - known
        value = (middle + above).union(middle - below)
        errors = {"low aliases": low, "high aliases": high, "tail": tail, "quadrature and rounding": rounding}
        return LineValue(value, {name: bound.upper() for name, bound in errors.items()})


def _check(proposal: Plan) -> None:
    """Refuse a plan to which the bounds of the aliases and of the tail do not apply."""
    c, left, right = proposal.c, proposal.left, proposal.right
    if not (c > 0 or c < -1) or proposal.step <= 0 or proposal.count < 1:
        raise LimitError("an abscissa above 0 or below -1, a step above 0 and a node", f"c = {c}, N = {proposal.count}")
    if not (right > 0 and right > c and left >= 1 and left > -c):
        raise LimitError("c' above 0 and c, s at least 1 and above -c", f"c = {c}, c' = {right}, s = {left}")


def _product_of_tables(composition: Composition, proposal: Plan) -> list[acb]:
    """Π_j K_j^(k_j) at the nodes: products of two at a time, so that radii do not wrap along a chain."""
    tables = []
    for part, times in composition:
        table = part.table(proposal.c, proposal.step, proposal.count, proposal.quadrature_bits)
        tables.append(table if times == 1 else [value**times for value in table])
    while len(tables) > 1:
        odd = tables[len(tables) & ~1 :]
        pairs = zip(tables[::2], tables[1::2], strict=False)
        tables = [[x * y for x, y in zip(left, right, strict=True)] for left, right in pairs] + odd
    return tables[0]


def _line_masses(composition: Composition, proposal: Plan) -> LineMasses:
    finite, seen = masses(composition)
    right, left = rational_ball(proposal.right), rational_ball(proposal.left)
    left_moment = seen
    if proposal.left > 1:
        left_moment = upper_moment(composition, -left)
    return LineMasses(finite, seen, left, left_moment, right, upper_moment(composition, right))


def masses(composition: Composition) -> tuple[arb, arb]:
    """P(L < inf) and Q(P > 0) of the composition, at the working precision."""
    finite = seen = arb(1)
    for part, times in composition:
        finite, seen = finite * part.finite_mass() ** times, seen * part.seen_mass() ** times
    return finite, seen


def upper_moment(composition: Composition, c: arb) -> arb:
    """An upper bound of K(c)."""
    product = arb(1)
    for part, times in composition:
        # A relative error of one moment is one of the power times as large.
        with precision(_BOUND_BITS + times.bit_length()):
            product *= part.moment(c).upper() ** times
    with precision(_BOUND_BITS):
        return product.upper()
