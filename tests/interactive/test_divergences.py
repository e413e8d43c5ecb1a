"""Rényi divergences of interactive mechanisms: the supremum over all adversaries, at every order."""

from __future__ import annotations

import pytest
from flint import arb, ctx, fmpq
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.divergences import DIRECTIONS
from oracle.channels.renyi import larger_renyi, renyi
from oracle.enclosures import Enclosure
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY
from oracle.interactive import renyi as whole_orders
from oracle.interactive.adversaries import strategies, view_channel
from oracle.interactive.divergences import tight_renyi
from oracle.interactive.examples import renyi_choice
from oracle.interactive.tree import HALT, InteractiveMechanism, QueryNode
from tests.interactive.trees import random_mechanisms, response, view_laws

ORDERS = [mpq(1, 3), mpq(1), mpq(3, 2), mpq(2), mpq(5), INFINITY]


def by_definition(law, order):
    """D_order as a ball of 200 bits; None where it is infinite."""
    ctx.prec, pairs = 200, [(p, q) for p, q in law if p]
    if (order >= 1 and any(not q for _, q in pairs)) or not any(q for _, q in pairs):
        return None
    both = [(arb(fmpq(p.numerator, p.denominator)), arb(fmpq(q.numerator, q.denominator))) for p, q in pairs if q]
    if order == INFINITY:
        best = max(p / q for p, q in pairs)
        return arb(fmpq(best.numerator, best.denominator)).log()
    if order == 1:
        return sum((p * (p / q).log() for p, q in both), arb(0))
    a = arb(fmpq(int(order.numerator), int(order.denominator)))
    return sum((p * (p / q) ** (a - 1) for p, q in both), arb(0)).log() / (a - 1)


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_it_is_the_largest_over_the_adversaries_one_by_one(order):
    """Against the definition for every adversary's views, forward and backward; infinite values too."""
    infinite = 0
    for mechanism in random_mechanisms(70, 15, 30):
        laws = view_laws(mechanism.root)
        for side in ("forward", "backward"):
            found = tight_renyi(mechanism, order, side)
            listed = laws if side == "forward" else [[(q, p) for p, q in law] for law in laws]
            values = [by_definition(law, order) for law in listed]
            if None in values:
                assert INFINITY in (found.moment, found.divergence)
                infinite += 1
                continue
            best = max(values, key=float)
            if found.moment is not None:
                assert (arb(fmpq(int(found.moment.numerator), int(found.moment.denominator))).log()).overlaps(
                    best * (int(order) - 1)
                )
            elif isinstance(found.divergence, Enclosure):
                ends = (found.divergence.lo, found.divergence.hi)
                lo, hi = (arb(fmpq(int(x.numerator), int(x.denominator))) for x in ends)
                assert lo <= best.upper()
                assert best.lower() <= hi
            else:
                assert found.divergence == 0
                assert best.contains(0)
    assert infinite > 0


def test_of_one_adversary_it_is_that_of_its_views():
    """A tree without a choice is a channel."""
    mechanism = InteractiveMechanism(response("3/4", "1/2", response("1/2", "1/3"), HALT))
    (plan,) = strategies(mechanism)
    channel = view_channel(mechanism, plan)
    for order in ORDERS:
        for direction in DIRECTIONS:
            assert tight_renyi(mechanism, order, direction) == renyi(Channel(channel.rows), order, direction)


def test_both_directions_are_the_larger():
    """Field by field, as for channels."""
    (mechanism,) = random_mechanisms(71, 1, 30)
    for order in ORDERS:
        sides = [tight_renyi(mechanism, order, side) for side in ("forward", "backward")]
        assert tight_renyi(mechanism, order, "both") == larger_renyi(sides)


def test_it_may_be_below_that_of_the_tight_channel():
    """4/3 at order 2, where the tight channel has 3/2."""
    assert tight_renyi(renyi_choice(), mpq(2)).moment == mpq(4, 3)
    assert whole_orders.simulation_moment(renyi_choice(), 2) == mpq(3, 2)


def test_nothing_learned_is_zero_at_every_order():
    """Equal probabilities at every answer, and no answer at all."""
    equal = InteractiveMechanism(QueryNode((("A", response("1/3", "1/3")), ("B", HALT))))
    for mechanism in (equal, InteractiveMechanism(HALT)):
        for order in ORDERS:
            found = tight_renyi(mechanism, order, "both")
            assert (found.moment, found.divergence) in ((None, 0), (1, None))


def test_below_order_one_it_is_infinite_only_for_disjoint_views():
    """A sure answer on both sides, but another one; with a common answer it is finite."""
    apart = InteractiveMechanism(QueryNode((("A", response("1", "0")), ("B", HALT))))
    assert tight_renyi(apart, mpq(1, 2)).divergence is INFINITY
    partly = InteractiveMechanism(response("1", "1/2"))
    assert tight_renyi(partly, mpq(1, 2)).divergence.contains(tight_renyi(partly, mpq(1, 2), "backward").divergence.lo)


def test_orders_out_of_bounds_are_refused():
    """At most 0, and longer than arithmetic bears."""
    with pytest.raises(InputError, match="an order above 0"):
        tight_renyi(renyi_choice(), mpq(0))
    with pytest.raises(LimitError, match="an order of at most 4096 bits"):
        tight_renyi(renyi_choice(), 1 + mpq(1, 2) ** 5000)
    with pytest.raises(LimitError, match="an order of at most 10000"):
        tight_renyi(renyi_choice(), mpq(20_000))
