"""Rényi divergences of interactive mechanisms: exact moments at integer orders, and the optimal adversary.

The moment of order a of a view is M_a = Σ p^a q^(1-a) = exp((a - 1) D_a(P‖Q)), a > 1. It factors along a path, so the
supremum over adversaries goes up the tree,

    leaf 1,      query node  max over the options,      answer node  Σ_b p_b^a q_b^(1-a) · (value of branch b),

and the adversary that takes a best option at every query node attains it (*greedy*, lemma 5.5): the factors
p_b^a q_b^(1-a) are at least 0, so an answer node's value grows with those of its branches (lemma 5.3). A branch with
p_b = 0 counts 0; one with q_b = 0 < p_b makes the value infinite.

*Concurrent composition* (theorem 5.1, lemma 5.2): the supremum is the product of those of the components. *Proof.* In
the dynamic programme over tuples of nodes the value of a tuple is the product of the values of its nodes: it is so at
the leaves; at an answer node of component j every branch has the same other factors; and where the adversary chooses
(j, option), the largest option of j gives the same product whatever j is, since the value of a waiting query node is
its largest option's. So the order of the questions does not matter, unlike for trade-off functions.

*Why simulation does not prove this.* N simulates the mechanism only if each view is a post-processing of N, that is
if T(N) <= T(view) for all adversaries. Then T(N) is below the largest such curve, that of the tight channel, which
is a post-processing of N; and the tight channel does simulate the mechanism. So by data processing the least moment of
a simulating channel is that of the tight channel, :func:`simulation_moment`. It can exceed the supremum: the two
options of :func:`oracle.interactive.examples.renyi_choice` have moment 4/3 each, the tight channel has 3/2. Rényi
divergence lacks the coupling property: no coupling of these two pairs has a moment of 4/3. By way of simulation k
copies get the bound (3/2)^k, the dynamic programme gives (4/3)^k.

Source: Vadhan and Zhang, STOC 2023, section 5; X. Lyu, *Composition theorems for interactive differential privacy*,
NeurIPS 2022.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from flint import arb
from gmpy2 import mpq

from oracle.channels.divergences import Direction
from oracle.channels.renyi import renyi
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, enclose, precision, rational_ball
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import INFINITY, Extended, Infinity
from oracle.interactive.adversaries import ACCEPT, Ask, Hear, Strategy
from oracle.interactive.tightness import tight_channel
from oracle.interactive.tree import AnswerNode, InteractiveMechanism, Node, QueryNode

__all__ = [
    "MAX_ORDER",
    "concurrent_moment",
    "optimal_renyi_adversary",
    "product_of_moments",
    "simulation_moment",
    "tight_divergence",
    "tight_moment",
]

MAX_ORDER: Final = 10_000
"""Largest order of a moment."""

_MAX_BITS: Final = 1 << 24
"""Most bits of one moment (5 million digits)."""


def _check_order(order: int) -> None:
    if order < 2:
        raise InputError("a whole order of at least 2", f"{order}", "order")
    if order > MAX_ORDER:
        raise LimitError(f"an order of at most {MAX_ORDER}", shorten(order), "order")


def _require_side(direction: Direction) -> None:
    if direction == "both":
        raise InputError("forward or backward", '"both"', "direction")


def _moments(mechanism: InteractiveMechanism, order: int, direction: Direction) -> dict[int, Extended]:
    """The supremum of the moment of what starts at each node, by the identity of the node."""
    values: dict[int, Extended] = {}
    for node in mechanism.nodes:
        if isinstance(node, QueryNode):
            value: Extended = max(values[id(child)] for _, child in node.options)
        elif isinstance(node, AnswerNode):
            value = _answer_moment(node, values, order, direction)
        else:
            value = mpq(1)
        if (
            not isinstance(value, Infinity)
            and value.numerator.bit_length() + value.denominator.bit_length() > _MAX_BITS
        ):
            raise LimitError(f"a moment of at most {_MAX_BITS} bits at each node", "a longer one", "order")
        values[id(node)] = value
    return values


def _answer_moment(node: AnswerNode, values: dict[int, Extended], order: int, direction: Direction) -> Extended:
    total = mpq(0)
    for branch in node.branches:
        p, q = (branch.p, branch.q) if direction == "forward" else (branch.q, branch.p)
        below = values[id(branch.then)]
        if not p:
            continue
        if not q or isinstance(below, Infinity):
            return INFINITY
        total += p * (p / q) ** (order - 1) * below
    return total


def tight_moment(mechanism: InteractiveMechanism, order: int, direction: Direction = "forward") -> Extended:
    """The supremum over all adversaries of Σ p^order q^(1-order), exactly; INFINITY where some view has q = 0 < p.

    Args:
        mechanism: any interactive mechanism.
        order: a whole number of at least 2.
        direction: forward for D(P‖Q), backward for D(Q‖P), or the larger (both).

    Raises:
        InputError: for another order.
        LimitError: for an order above ``MAX_ORDER``, or a moment too long to hold.
    """
    _check_order(order)
    if direction == "both":
        return max(tight_moment(mechanism, order), tight_moment(mechanism, order, "backward"))
    return _moments(mechanism, order, direction)[id(mechanism.root)]


def tight_divergence(
    mechanism: InteractiveMechanism, order: int, direction: Direction = "forward", digits: int = DEFAULT_DIGITS
) -> Extended | Enclosure:
    """The supremum of D_order = log(moment)/(order - 1): 0 exactly, infinite, or enclosed."""
    moment = tight_moment(mechanism, order, direction)
    if isinstance(moment, Infinity):
        return INFINITY
    if moment == 1:
        return mpq(0)

    def ball(bits: int) -> arb:
        with precision(bits):
            return rational_ball(moment).log() / (order - 1)

    return enclose(ball, digits)


def optimal_renyi_adversary(mechanism: InteractiveMechanism, order: int, direction: Direction = "forward") -> Strategy:
    """The greedy adversary: at every query node the first option of the largest moment. One direction.

    It rejects nothing: the moment is about the law of the view, not about an event.
    """
    _check_order(order)
    _require_side(direction)
    values = _moments(mechanism, order, direction)
    made: dict[int, Strategy] = {}
    for node in mechanism.nodes:
        made[id(node)] = _greedy(node, values, made)
    return made[id(mechanism.root)]


def _greedy(node: Node, values: dict[int, Extended], made: dict[int, Strategy]) -> Strategy:
    if isinstance(node, QueryNode):
        label, child = max(node.options, key=lambda option: values[id(option[1])])
        return Ask(label, made[id(child)])
    if isinstance(node, AnswerNode):
        return Hear(tuple(made[id(branch.then)] for branch in node.branches))
    return ACCEPT


def product_of_moments(moments: Iterable[Extended]) -> Extended:
    """The product of moments, each at least 1: infinite if one of them is."""
    total = mpq(1)
    for moment in moments:
        if isinstance(moment, Infinity):
            return INFINITY
        total *= moment
    return total


def concurrent_moment(
    mechanisms: Sequence[InteractiveMechanism], order: int, direction: Direction = "forward"
) -> Extended:
    """The supremum for the concurrent composition: the product of the components' suprema (theorem 5.1).

    *both* is the larger of the two products; a product of the larger ones may exceed it.
    """
    _check_order(order)
    if direction == "both":
        return max(concurrent_moment(mechanisms, order), concurrent_moment(mechanisms, order, "backward"))
    return product_of_moments(tight_moment(mechanism, order, direction) for mechanism in mechanisms)


def simulation_moment(mechanism: InteractiveMechanism, order: int, direction: Direction = "forward") -> Extended:
    """The least moment of a channel from which the mechanism can be simulated: that of its tight channel.

    Never below :func:`tight_moment`, and above it where simulation loses.
    """
    _check_order(order)
    value = renyi(tight_channel(mechanism), mpq(order), direction).moment
    if value is None or isinstance(value, Enclosure):
        raise InputError("a rational channel", "another one", "mechanism")
    return value
