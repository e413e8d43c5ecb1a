"""Rényi divergences of interactive mechanisms, of any order: the supremum over all adversaries.

For order a other than 1 the moment M_a = Σ p^a q^(1-a) factors along a path, as at whole orders
(:mod:`oracle.interactive.renyi`), and D_a = log(M_a)/(a - 1). Above order 1 the supremum of D_a is that of M_a, below
order 1 it is the infimum of M_a:

    leaf 1,      query node  max (a < 1: min) over the options,      answer node  Σ_b p_b^a q_b^(1-a) · value of b.

A branch with p_b = 0 counts 0; one with q_b = 0 < p_b makes the value infinite for a > 1 and counts 0 for a < 1, where
a value of 0 is an infinite divergence. Balls of the values enclose the maximum and the minimum too. Order infinity is
log of the largest p/q of a view, which is that of the tight channel; order 1 is
:mod:`oracle.interactive.kullback_leibler`. The divergence is 0 exactly if every branch has p = q.

Source: Vadhan and Zhang, STOC 2023, section 5, for a > 1.
"""

from __future__ import annotations

from functools import reduce
from typing import Final

from flint import arb
from gmpy2 import mpq

from oracle.channels.divergences import Direction, sides
from oracle.channels.renyi import Renyi, check_order, is_moment_order, larger_renyi, renyi
from oracle.enclosures import DEFAULT_DIGITS, enclose, precision, rational_ball
from oracle.errors import LimitError
from oracle.exact import INFINITY, Extended, Infinity
from oracle.interactive.kullback_leibler import tight_kullback_leibler
from oracle.interactive.renyi import tight_moment
from oracle.interactive.tightness import tight_channel
from oracle.interactive.tree import AnswerNode, InteractiveMechanism, QueryNode

__all__ = ["tight_renyi"]

_MAX_ORDER_BITS: Final = 1 << 12
"""Most bits of the numerator and of the denominator of an order at which a divergence is enclosed."""


def tight_renyi(
    mechanism: InteractiveMechanism, order: Extended, direction: Direction = "forward", digits: int = DEFAULT_DIGITS
) -> Renyi:
    """The supremum over all adversaries of the moment or divergence of an order, as for a channel.

    Args:
        mechanism: any interactive mechanism.
        order: above 0, ``INFINITY`` included.
        direction: forward for D(P‖Q), backward for D(Q‖P), both for the larger.
        digits: of values that are not exact.

    Returns:
        The moment alone for whole orders of at least 2 where it is finite, exactly; the divergence otherwise.

    Raises:
        InputError: for an order that is not above 0.
        LimitError: for an order or a moment that is too long.
    """
    check_order(order)
    return larger_renyi([_one_side(mechanism, order, side, digits) for side in sides(direction)])


def _one_side(mechanism: InteractiveMechanism, order: Extended, side: Direction, digits: int) -> Renyi:
    if isinstance(order, Infinity):
        return renyi(tight_channel(mechanism), order, side, digits)
    if is_moment_order(order):
        moment = tight_moment(mechanism, int(order.numerator), side)
        return Renyi(moment, INFINITY if isinstance(moment, Infinity) else None)
    if order == 1:
        total = tight_kullback_leibler(mechanism, side)
        return Renyi(None, INFINITY if isinstance(total, Infinity) else total.enclosure(digits))
    if max(order.numerator.bit_length(), order.denominator.bit_length()) > _MAX_ORDER_BITS:
        raise LimitError(f"an order of at most {_MAX_ORDER_BITS} bits", "a longer one", "order")
    if all(b.p == b.q for node in mechanism.nodes if isinstance(node, AnswerNode) for b in node.branches):
        return Renyi(None, mpq(0))
    laws = mechanism if side == "forward" else mechanism.swapped()
    if _is_infinite(laws, order):
        return Renyi(None, INFINITY)

    def ball(bits: int) -> arb:
        with precision(bits):
            return _moment_ball(laws, order).log() / rational_ball(order - 1)

    return Renyi(None, enclose(ball, digits))


def _is_infinite(mechanism: InteractiveMechanism, order: mpq) -> bool:
    """Whether some adversary's divergence is infinite: a > 1, and p > 0 = q of a view; a < 1, and p q = 0 of all."""
    found: dict[int, bool] = {}
    for node in mechanism.nodes:
        value = False
        if isinstance(node, QueryNode):
            value = any(found[id(child)] for _, child in node.options)
        elif isinstance(node, AnswerNode) and order > 1:
            value = any(b.p and (not b.q or found[id(b.then)]) for b in node.branches)
        elif isinstance(node, AnswerNode):
            value = all(not b.p or not b.q or found[id(b.then)] for b in node.branches)
        found[id(node)] = value
    return found[id(mechanism.root)]


def _moment_ball(mechanism: InteractiveMechanism, order: mpq) -> arb:
    """The largest moment of an order above 1, the smallest of one below, at the current precision; finite, not 0."""
    power = rational_ball(order)
    values: dict[int, arb] = {}
    for node in mechanism.nodes:
        value = arb(1)
        if isinstance(node, QueryNode):
            below = [values[id(child)] for _, child in node.options]
            value = reduce(arb.max if order > 1 else arb.min, below)
        elif isinstance(node, AnswerNode):
            terms = (
                rational_ball(b.q) * rational_ball(b.p / b.q) ** power * values[id(b.then)]
                for b in node.branches
                if b.p and b.q
            )
            value = sum(terms, arb(0))
        values[id(node)] = value
    return values[id(mechanism.root)]
