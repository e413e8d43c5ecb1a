"""Certificates about the Renyi divergence of one order of a two-row channel, and what those of all orders use.

M_a = sum p^a q^(1-a), D_a(P||Q) = log(M_a)/(a - 1); D_1 = sum p log(p/q), D_inf = log max p/q.  For a >= 1 a column
with p > 0 = q makes D_a infinite.  Direction forward is (P, Q), backward (Q, P).  Moments of whole orders are exact;
everything else is decided by rational brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .claims import DIRECTIONS, ONE_DIRECTION
from .matrices import Channel, stochastic_channel, total
from .reading import choice, fields, nonnegative, nonnegative_or_infinite, positive
from .series import ZERO, Bracket, add, add_all, exp, exp_sign, log, multiply, precisions, rational, sign, undecided
from .verdict import Accepted, Rejected, brief

GUARD = 80
_LARGEST_EXACT = 256
_MOST_BITS = 1 << 22
_MOST_ORDER_BITS = 1 << 12

Column = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Epsilon:
    """A claimed epsilon: log(`level`) when that is not None, otherwise `exponent`; both None for an infinite one."""

    level: Fraction | None
    exponent: Fraction | None

    @property
    def infinite(self) -> bool:
        """Whether epsilon is infinite."""
        return self.level is None and self.exponent is None

    def bracket(self, bits: int) -> Bracket:
        """Bracket a finite epsilon."""
        return rational(self.exponent, bits) if self.exponent is not None else log(self.level or Fraction(1), bits)


@dataclass(frozen=True, slots=True)
class RenyiClaim:
    """The claim D_order <= epsilon; `order` is None for infinity.  `text` says it in words."""

    order: Fraction | None
    epsilon: Epsilon
    text: str


def renyi_claim(value: object, where: str) -> RenyiClaim:
    """Read {"order": number > 0 or "inf", and one of "exp_epsilon" >= 1 or "inf" and "epsilon" >= 0}."""
    name = "epsilon" if isinstance(value, dict) and "epsilon" in value else "exp_epsilon"
    claim = fields(value, ("order", name), where)
    order = None if claim["order"] == "inf" else positive(claim["order"], f"{where}.order")
    text = (
        f"order {brief(str(claim['order']))} and {'eps' if name == 'epsilon' else 'e^eps'} = {brief(str(claim[name]))}"
    )
    if name == "epsilon":
        return RenyiClaim(order, Epsilon(None, nonnegative(claim[name], f"{where}.{name}")), text)
    level = nonnegative_or_infinite(claim[name], f"{where}.{name}")
    if level is not None and level < 1:
        raise Rejected("expected a number >= 1", f"{where}.{name}")
    return RenyiClaim(order, Epsilon(level, None), text)


class Side:
    """One direction of a channel; columns of equal p and q are kept once, with their number."""

    def __init__(self, channel: Channel, direction: str) -> None:
        first, second = channel.rows if direction == "forward" else channel.rows[::-1]
        counts: dict[Column, int] = {}
        for column in zip(first, second, strict=True):
            counts[column] = counts.get(column, 0) + 1
        self.trivial = first == second
        self.infinite = any(p and not q for p, q in counts)
        self.columns = [(p, q, count) for (p, q), count in counts.items() if p and q]
        self.ratios = [p / q for p, q, _ in self.columns]
        self._losses: dict[int, list[tuple[Bracket, Bracket]]] = {}

    def largest(self) -> Fraction:
        """Return max p/q over the columns with p > 0 and q > 0."""
        return max(self.ratios)

    def losses(self, bits: int) -> list[tuple[Bracket, Bracket]]:
        """Bracket p (times the number of such columns) and log(p/q)."""
        if bits not in self._losses:
            self._losses[bits] = [
                (rational(p * n, bits), log(ratio, bits))
                for (p, _, n), ratio in zip(self.columns, self.ratios, strict=True)
            ]
        return self._losses[bits]

    def divergence(self, order: Fraction, bits: int) -> Bracket:
        """Bracket a finite D_a, a other than 1, with an error of about 2^-bits.

        With l the loss log(p/q) of the column where (a - 1) l is largest, M_a = e^((a-1) l) S and
        D_a = l + log(S)/(a - 1), where S is at most 1 and at least the mass of that column: no power is large.
        """
        require_order(order)
        shift = rational(order - 1, bits + GUARD)
        choose = max if order > 1 else min
        most = choose(self.ratios)
        lead = log(most, bits + GUARD)
        total_mass = ZERO
        for ratio, (mass, loss) in zip(self.ratios, self.losses(bits + GUARD), strict=True):
            gap = multiply(shift, add(loss, negative(lead), bits + GUARD), bits + GUARD)
            term = mass if ratio == most else multiply(mass, exp(gap, bits), bits)
            total_mass = add(total_mass, term, bits + GUARD)
        rest = multiply(log_of(total_mass, bits + GUARD), rational(1 / (order - 1), bits + GUARD), bits + GUARD)
        return add(lead, rest, bits)

    def first(self, bits: int) -> Bracket:
        """Bracket D_1."""
        fine = bits + GUARD
        return add_all((multiply(p, loss, fine) for p, loss in self.losses(fine)), bits)

    def exact_moment(self, order: int) -> Fraction | None:
        """Return M_a for a whole order from 2, or None where it is beyond the stated size."""
        parts = (x for column in self.columns for x in column[:2])
        size = sum(x.numerator.bit_length() + x.denominator.bit_length() for x in parts)
        if order > _LARGEST_EXACT or size * order > _MOST_BITS:
            return None
        return total(n * p * (p / q) ** (order - 1) for p, q, n in self.columns)


def require_order(order: Fraction, where: str = "$") -> None:
    """Reject an order at which no divergence is bracketed in reasonable time."""
    if max(order.numerator.bit_length(), order.denominator.bit_length()) > _MOST_ORDER_BITS:
        raise Rejected(f"too long an order: more than {_MOST_ORDER_BITS} bits", where)


def negative(value: Bracket) -> Bracket:
    """Bracket the opposite number."""
    return Bracket((-value.hi[0], value.hi[1]), (-value.lo[0], value.lo[1]))


def log_of(value: Bracket, bits: int) -> Bracket:
    """Bracket ln x for x in a bracket of positive numbers that are neither huge nor tiny."""
    ends = [Fraction(m << e) if e >= 0 else Fraction(m, 1 << -e) for m, e in value]
    return Bracket(log(ends[0], bits).lo, log(ends[1], bits).hi)


def decide(difference: Callable[[int], Bracket], numbers: Sequence[Fraction], where: str) -> int:
    """Return the proved sign of a number given by brackets of growing precision."""
    steps = precisions(numbers)
    for bits in steps:
        found = sign(difference(bits))
        if found:
            return found
    raise Rejected(undecided(steps[-1]), where)


def divergence_sign(side: Side, order: Fraction | None, epsilon: Epsilon, where: str) -> int:
    """Return the proved sign of D_order - epsilon; of an infinite epsilon -1."""
    if epsilon.infinite:
        return -1
    if side.trivial:
        return 0 if epsilon.exponent == 0 or epsilon.level == 1 else -1
    if not side.columns or (side.infinite and (order is None or order >= 1)):
        return 1
    if order is None:
        return _against(side.largest(), 1, epsilon, where)
    whole = order.denominator == 1 and order > 1
    moment = side.exact_moment(order.numerator) if whole else None
    return _bracketed(side, order, epsilon, where) if moment is None else _against(moment, order - 1, epsilon, where)


def _against(value: Fraction, power: Fraction | int, epsilon: Epsilon, where: str) -> int:
    """Return the sign of value - e^(power epsilon), for a whole power >= 1 and a finite epsilon."""
    if epsilon.exponent is not None:
        return -exp_sign(epsilon.exponent * power, value, where)
    bound = (epsilon.level or Fraction(1)) ** int(power)
    return (value > bound) - (value < bound)


def _bracketed(side: Side, order: Fraction, epsilon: Epsilon, where: str) -> int:
    """Return the sign of D_order - epsilon for finite order and epsilon, never 0."""
    require_order(order, where)
    sizes = [x for p, q, _ in side.columns for x in (p, q)]

    def difference(bits: int) -> Bracket:
        value = side.first(bits) if order == 1 else side.divergence(order, bits)
        return add(value, negative(epsilon.bracket(bits)), bits)

    return decide(difference, sizes, where)


def sides_meant(direction: str) -> tuple[str, ...]:
    """Return the single directions that a direction means."""
    return ONE_DIRECTION if direction == "both" else (direction,)


def check_renyi_held(document: dict[str, object]) -> Accepted:
    """Check a `renyi_held` certificate: D_order <= epsilon, computed from the channel in every direction meant."""
    channel = stochastic_channel(document["channel"], "$.channel", 2)
    claim = renyi_claim(document["claim"], "$.claim")
    direction = choice(document["direction"], DIRECTIONS, "$.direction")
    for name in sides_meant(direction):
        if divergence_sign(Side(channel, name), claim.order, claim.epsilon, "$.claim") > 0:
            raise Rejected(f"the divergence exceeds epsilon in direction {name}", "$.claim")
    return Accepted(
        "renyi_held",
        f"The channel is Renyi differentially private with {claim.text}, direction {direction}.",
        (("channel", channel.digest),),
    )


def check_renyi_refuted(document: dict[str, object]) -> Accepted:
    """Check a `renyi_refuted` certificate: D_order > epsilon in the direction."""
    channel = stochastic_channel(document["channel"], "$.channel", 2)
    claim = renyi_claim(document["claim"], "$.claim")
    direction = choice(document["direction"], ONE_DIRECTION, "$.direction")
    if divergence_sign(Side(channel, direction), claim.order, claim.epsilon, "$.claim") <= 0:
        raise Rejected("the divergence does not exceed epsilon", "$.claim")
    return Accepted(
        "renyi_refuted",
        f"The channel is not Renyi differentially private with {claim.text}, direction {direction}.",
        (("channel", channel.digest),),
    )
