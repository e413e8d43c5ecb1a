"""Rényi divergences of two-row channels: exact moments, Kullback-Leibler, max-divergence, any order.

For order a > 0 other than 1 the *moment* is M_a = Σ p^a q^(1-a) and the divergence D_a(P‖Q) = log(M_a)/(a - 1).
Order 1 is the limit Σ p log(p/q), order infinity log max p/q. The sums run over p > 0; for a >= 1 a column
with p > 0 = q makes the value infinite, for a < 1 it counts 0. A moment of integer order of a rational channel is
rational. A divergence is 0 exactly when P = Q; else, for a rational channel, it is the logarithm of an algebraic number
other than 1 over a rational and hence transcendental (Lindemann), so an enclosure is all there is to say.

Reference: T. van Erven and P. Harremoës, *Rényi divergence and Kullback-Leibler divergence*, IEEE
Transactions on Information Theory 60(7), 2014, doi:10.1109/TIT.2014.2320500.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Final, NamedTuple, overload

from flint import arb
from gmpy2 import mpq, mpz

from oracle.channels.canonical import likelihood_order
from oracle.channels.channel import Channel, require_full
from oracle.channels.divergences import Direction, sides
from oracle.channels.formal_rows import FormalChannel, Quotient
from oracle.enclosures import DEFAULT_DIGITS, Ball, Enclosure, enclose, precision, rational_ball
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import INFINITY, Extended, Infinity, to_text
from oracle.formal import FormalSum
from oracle.levels import Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.channels.formal_rows import Group

__all__ = ["LossLaw", "Renyi", "check_order", "is_moment_order", "larger_renyi", "largest_ratio", "renyi"]

Value = Extended | Enclosure

_MAX_MOMENT_BITS: Final = 1 << 24
"""Most bits of an exact moment, counted before any power is taken (5 million digits)."""

_MAX_FORMAL_BITS: Final = 1 << 20
"""Most bits of one term of a moment that is kept as a formal sum; a longer one is enclosed."""

_MAX_ORDER_BITS: Final = 1 << 12
"""Most bits of the numerator and of the denominator of an order at which a moment or divergence is enclosed."""


class Renyi(NamedTuple):
    """What is said of one order.

    Attributes:
        moment: Σ p^a q^(1-a), for integer orders of at least 2; else None.
        divergence: D_a; None where only the exact moment is stated.
    """

    moment: Value | None
    divergence: Value | None


def check_order(order: Extended, where: str = "order") -> Extended:
    """Refuse an order that is not above 0."""
    if order <= 0:
        raise InputError("an order above 0", shorten(to_text(order)), where)
    return order


def is_moment_order(order: Extended) -> bool:
    """Whether the moment of this order is asked for: the integers from 2 on."""
    return not isinstance(order, Infinity) and order.denominator == 1 and order >= 2


def larger_renyi(found: Sequence[Renyi]) -> Renyi:
    """The larger of the values of several directions, field by field; their enclosures merge where they overlap."""
    return reduce(lambda x, y: Renyi(_larger(x.moment, y.moment), _larger(x.divergence, y.divergence)), found)


def _larger(x: Value | None, y: Value | None) -> Value | None:
    if x is None or y is None:
        return None
    if isinstance(x, Infinity) or isinstance(y, Infinity):
        return max(_lower(x), _lower(y))
    lo, hi = max(_lower(x), _lower(y)), max(_upper(x), _upper(y))
    for value in (x, y):
        if (_lower(value), _upper(value)) == (lo, hi):
            return value
    return Enclosure(lo, hi)


@overload
def _lower(value: mpq | Enclosure) -> mpq: ...
@overload
def _lower(value: Value) -> Extended: ...
def _lower(value: Value) -> Extended:
    return value.lo if isinstance(value, Enclosure) else value


def _upper(value: mpq | Enclosure) -> mpq:
    return value.hi if isinstance(value, Enclosure) else value


def renyi(
    channel: Channel | FormalChannel, order: Extended, direction: Direction = "forward", digits: int = DEFAULT_DIGITS
) -> Renyi:
    """The moment or divergence of an order, of (P, Q) forward, of (Q, P) backward, or the larger (both).

    Args:
        channel: two rows.
        order: above 0; ``INFINITY`` for the max-divergence.
        direction: forward, backward or both.
        digits: of values that are not exact.

    Raises:
        InputError: for an order that is not above 0, or a channel that is not two full rows.
        LimitError: for an exact moment too long to write.
    """
    check_order(order)
    if isinstance(channel, FormalChannel):
        return larger_renyi([_formal(channel.oriented(side), order, digits) for side in sides(direction)])
    require_full(channel)
    return larger_renyi([_rational(channel, order, side, digits) for side in sides(direction)])


def _rational(channel: Channel, order: Extended, side: Direction, digits: int) -> Renyi:
    merged = likelihood_order(channel)
    p, q = (merged.p, merged.q) if side == "forward" else (merged.q, merged.p)
    columns = [(mpq(x, merged.scale), mpq(y, merged.scale)) for x, y in zip(p, q, strict=True) if x]
    infinite = any(not y for _, y in columns)
    if isinstance(order, Infinity):
        return Renyi(None, INFINITY if infinite else Level.rational(max(x / y for x, y in columns)).epsilon(digits))
    if infinite and order >= 1:
        return Renyi(INFINITY, INFINITY) if is_moment_order(order) else Renyi(None, INFINITY)
    if is_moment_order(order):
        n = int(order.numerator)
        # The sum is over the common denominator Π y-numerators^(n-1) · scale at most, and so is its numerator.
        size = sum(_bits(x) + _bits(y) for x, y in columns)
        if size * n > _MAX_MOMENT_BITS:
            raise LimitError(f"a moment of at most {_MAX_MOMENT_BITS} bits", f"order {shorten(n)}", "order")
        return Renyi(sum((x * (x / y) ** (n - 1) for x, y in columns), mpq(0)), None)
    if len(merged.p) == 1:
        return Renyi(None, mpq(0))
    _check_enclosed(order)
    both = [(x, y) for x, y in columns if y]
    if not both:
        return Renyi(None, INFINITY)
    return Renyi(None, enclose(_divergence_ball([(_constant(x), _constant(y)) for x, y in both], order), digits))


def _bits(x: mpq) -> int:
    return int(x.numerator.bit_length() + x.denominator.bit_length())


def _check_enclosed(order: mpq) -> None:
    """Refuse an order whose powers no ball arithmetic takes in reasonable time."""
    if max(order.numerator.bit_length(), order.denominator.bit_length()) > _MAX_ORDER_BITS:
        raise LimitError(f"an order of at most {_MAX_ORDER_BITS} bits", "a longer one", "order")


def _share(part: mpz, whole: arb) -> Ball:
    """The quotient of two integers, without reducing it to lowest terms first."""
    return lambda _: arb(int(part)) / whole


def _constant(x: mpq) -> Ball:
    return lambda _: rational_ball(x)


def _divergence_ball(columns: Sequence[tuple[Ball, Ball]], order: mpq) -> Ball:
    """D of an order other than infinity, from positive probabilities given as balls."""

    def ball(bits: int) -> arb:
        with precision(bits):
            total = arb(0)
            a = rational_ball(order)
            for first, second in columns:
                p, q = first(bits), second(bits)
                loss = (p / q).log()
                total += p * loss if order == 1 else p * ((a - 1) * loss).exp()
            return total if order == 1 else total.log() / (a - 1)

    return ball


def _formal(pair: FormalChannel, order: Extended, digits: int) -> Renyi:
    groups = [g for g in pair.groups() if not g.p.is_zero()]
    infinite = any(g.q.is_zero() for g in groups)
    moment = is_moment_order(order)
    if infinite and order >= 1:
        return Renyi(INFINITY if moment else None, INFINITY)
    if len(pair.groups()) == 1:
        return Renyi(mpq(1) if moment else None, mpq(0))
    if isinstance(order, Infinity):
        return Renyi(None, _logarithm(largest_ratio(pair), digits))
    finite = [g for g in groups if not g.q.is_zero()]
    if not finite:
        return Renyi(None, INFINITY)
    _check_enclosed(order)
    total_p, total_q = pair.totals
    columns = [(_over(g.p, total_p), _over(g.q, total_q)) for g in finite]
    divergence = _divergence_ball(columns, order)
    value: Value | None = None
    if moment:
        exact = _formal_moment(pair, finite, int(order.numerator))
        value = enclose(_moment_ball(columns, order), digits) if exact is None else exact.value(digits)
    return Renyi(value, enclose(divergence, digits))


class LossLaw:
    """The law of the loss log(p/q) under P, for the moments of many orders of one pair.

    Args:
        channel: two rows; rational probabilities or formal ones.
        side: forward for (P, Q), backward for (Q, P).

    Attributes:
        infinite: whether an outcome has p > 0 = q, so that D_a is infinite from order 1 on.
        trivial: whether P = Q.
        disjoint: whether no outcome has p > 0 and q > 0, so that every D_a is infinite.
        largest_ratio: max p/q over outcomes with p > 0 and q > 0, of rational probabilities; 0 otherwise.
    """

    __slots__ = ("_columns", "_losses", "disjoint", "infinite", "largest_ratio", "trivial")

    def __init__(self, channel: Channel | FormalChannel, side: Direction) -> None:
        self.largest_ratio = mpq(0)
        if isinstance(channel, FormalChannel):
            pair = channel.oriented(side)
            count = len(pair.groups())
            total_p, total_q = pair.totals
            self.infinite = any(g.q.is_zero() for g in pair.groups() if not g.p.is_zero())
            shared = [g for g in pair.groups() if not (g.p.is_zero() or g.q.is_zero())]
            self._columns = [(_over(g.p, total_p), _over(g.q, total_q)) for g in shared]
        else:
            require_full(channel)
            merged = likelihood_order(channel)
            p, q = (merged.p, merged.q) if side == "forward" else (merged.q, merged.p)
            self.infinite = any(x and not y for x, y in zip(p, q, strict=True))
            count, whole = len(p), arb(int(merged.scale))
            both = [(x, y) for x, y in zip(p, q, strict=True) if x and y]
            self._columns = [(_share(x, whole), _share(y, whole)) for x, y in both]
            self.largest_ratio = max((mpq(x, y) for x, y in both), default=mpq(0))
        self.trivial = count == 1
        self.disjoint = not self._columns
        self._losses: dict[int, list[tuple[arb, arb]]] = {}

    @property
    def columns(self) -> int:
        """The number of outcomes with p > 0 and q > 0, those of equal ratio counted once."""
        return len(self._columns)

    def _at(self, bits: int) -> list[tuple[arb, arb]]:
        """The pairs (p, log(p/q)) at a precision."""
        if bits not in self._losses:
            with precision(bits):
                found = [(first(bits), second(bits)) for first, second in self._columns]
                self._losses[bits] = [(p, (p / q).log()) for p, q in found]
        return self._losses[bits]

    def log_moment(self, order: mpq) -> Ball:
        """The ball of log Σ p^a q^(1-a) = (a - 1)·D_a for an order above 1; not for an infinite one."""
        _check_enclosed(order)

        def ball(bits: int) -> arb:
            with precision(bits):
                shift = rational_ball(order - 1)
                return sum((p * (shift * loss).exp() for p, loss in self._at(bits)), arb(0)).log()

        return ball

    def divergence(self, order: mpq) -> Ball:
        """The ball of D_a for an order above 0, of order 1 the Kullback-Leibler divergence; not an infinite one."""
        if order != 1:
            logarithm = self.log_moment(order)

            def ball(bits: int) -> arb:
                with precision(bits):
                    return logarithm(bits) / rational_ball(order - 1)

            return ball

        def kullback_leibler(bits: int) -> arb:
            with precision(bits):
                return sum((p * loss for p, loss in self._at(bits)), arb(0))

        return kullback_leibler


def _over(weight: FormalSum, total: FormalSum) -> Ball:
    return lambda bits: weight.ball(bits) / total.ball(bits)


def largest_ratio(pair: FormalChannel) -> Quotient:
    """The largest p/q over the outcomes with p > 0, exactly; every one of them must have q > 0."""
    # Ratios q/p increase, so the first group has it.
    return _ratio(pair, pair.groups()[0])


def _ratio(pair: FormalChannel, group: Group) -> Quotient:
    total_p, total_q = pair.totals
    if total_p == total_q:
        return Quotient(group.p, group.q)
    return Quotient(group.p * total_q, group.q * total_p)


def _logarithm(ratio: Quotient, digits: int) -> Value:
    """The logarithm of num/den: exact where the quotient is 1 or e^s."""
    quotient = ratio.num.ratio_to(ratio.den)
    if quotient is not None:
        ((s, roots), c), *_ = quotient.terms()
        if c == 1 and not roots:
            return s

    def ball(bits: int) -> arb:
        with precision(bits):
            return (ratio.num.ball(bits) / ratio.den.ball(bits)).log()

    return enclose(ball, digits)


def _moment_ball(columns: Sequence[tuple[Ball, Ball]], order: mpq) -> Ball:
    def ball(bits: int) -> arb:
        with precision(bits):
            total = arb(0)
            for first, second in columns:
                p, q = first(bits), second(bits)
                total += p * (p / q) ** (int(order.numerator) - 1)
            return total

    return ball


def _formal_moment(pair: FormalChannel, groups: Sequence[Group], order: int) -> Quotient | None:
    """Σ p^a q^(1-a) = Z_Q^(a-1)/Z_P^a · Σ w·(w/v)^(a-1) where every w/v is one term; else None."""
    total_p, total_q = pair.totals
    parts = []
    for group in groups:
        ratio = group.p.ratio_to(group.q)
        if ratio is None:
            return None
        if sum(_bits(c) + _bits(s) for (s, _), c in ratio.terms()) * order > _MAX_FORMAL_BITS:
            return None
        parts.append(group.p * _power(ratio, order - 1))
    if total_p == total_q:
        return Quotient(FormalSum.sum(parts), total_p)
    size = len(total_p.terms()) + len(total_q.terms())
    if size * order > 64:
        return None
    return Quotient(FormalSum.sum(parts) * _power(total_q, order - 1), _power(total_p, order))


def _power(x: FormalSum, n: int) -> FormalSum:
    """x^n for n >= 0, by squaring."""
    result = FormalSum.rational(1)
    while n:
        if n & 1:
            result = result * x
        n >>= 1
        if n:
            x = x * x
    return result
