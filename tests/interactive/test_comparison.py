"""A concurrent composition beside its bounds."""

from __future__ import annotations

from itertools import pairwise

import pytest
from gmpy2 import mpq

from oracle.channels.composition import power
from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import tradeoff_of
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY
from oracle.interactive.adversaries import event_masses, strategy_text
from oracle.interactive.comparison import Comparison
from oracle.interactive.examples import interleaving, unattained
from oracle.interactive.response_systems import fresh_responses
from oracle.interactive.tightness import tight_channel, tight_tradeoff
from oracle.theorems.composition_bounds import Guarantee, advanced_composition
from tests.interactive.interleavings import random_mechanism, seeded

LEVELS = [mpq(1), mpq(3, 2), mpq(2)]


def test_interleaving_beats_both_sequential_orders():
    """Two copies, at each of three levels, forward: strictly more than in order, and N x N is attained."""
    compared = Comparison.of([interleaving()] * 2)
    assert compared.orders == ((0, 1), (1, 0))
    rows = compared.rows(LEVELS, [mpq(2), mpq(2)], "forward")
    assert [(row.concurrent, *row.sequential, row.product) for row in rows] == [
        (mpq(11, 16), mpq(21, 32), mpq(21, 32), mpq(11, 16)),
        (mpq(21, 32), mpq(39, 64), mpq(39, 64), mpq(21, 32)),
        (mpq(5, 8), mpq(39, 64), mpq(39, 64), mpq(5, 8)),
    ]
    assert all(row.interleaving_gains and row.bound_attained for row in rows)


def test_the_interleaving_that_gains():
    """Its event has P(S) - Q(S) = 11/16, and it hears both first answers before either choice."""
    compared = Comparison.of([interleaving()] * 2)
    strategy, p, q = compared.adversary(mpq(1))
    assert (p, q) == event_masses(compared.composition, strategy)
    assert p - q == mpq(11, 16)
    first, second, *rest = strategy_text(compared.composition, strategy)
    assert first == "first: ask 1.ask"
    assert second.endswith("ask 2.ask")
    assert any(line.endswith(("1.A", "1.B", "2.A", "2.B")) for line in rest)


def test_the_bound_of_the_product_is_not_attained():
    """7/12 against 2/3, and N has the columns stated."""
    compared = Comparison.of([unattained()] * 2)
    (row,) = compared.rows([mpq(1)], [mpq(3), mpq(3)], "forward")
    assert (row.concurrent, row.product) == (mpq(7, 12), mpq(2, 3))
    assert not row.bound_attained
    assert compared.parts[0].rows == ((mpq(3, 4), mpq(1, 4), 0), (mpq(1, 4), mpq(5, 12), mpq(1, 3)))
    assert tradeoff_of(compared.product) == tradeoff_of(power(tight_channel(unattained()), 2))


@pytest.mark.parametrize("seed", range(12))
def test_the_chain_of_bounds(seed):
    """Sequential <= concurrent <= product <= optimal <= basic, at every level and in every direction."""
    rng = seeded(seed)
    compared = Comparison.of([random_mechanism(rng, 2) for _ in range(2 + seed % 2)])
    levels = [rng.choice([mpq(1), mpq(3, 2), mpq(3)]) for _ in compared.mechanisms]
    basic, theirs = compared.basic(levels), compared.vadhan_wang(levels)
    for direction in ("forward", "backward", "both"):
        for row in compared.rows([*LEVELS, basic.exp_epsilon, INFINITY], levels, direction):
            assert max(row.sequential) <= row.concurrent <= row.product <= row.optimal
            assert row.level != basic.exp_epsilon or row.optimal <= basic.delta
    assert basic.delta <= theirs.delta or basic.exp_epsilon < theirs.exp_epsilon
    assert compared.curve == tight_tradeoff(compared.composition)


def test_fresh_responses_attain_everything():
    """Independent randomised responses: all of it is equal, up to the optimal bound."""
    compared = Comparison.of([fresh_responses(mpq(3), 1), fresh_responses(mpq(2), 1)])
    rows = compared.rows([mpq(1), mpq(3, 2), mpq(2), mpq(5)], [mpq(3), mpq(2)])
    assert all(len({row.concurrent, *row.sequential, row.product, row.optimal}) == 1 for row in rows)
    assert all(left.optimal > right.optimal for left, right in pairwise(rows))
    assert compared.basic([mpq(3), mpq(2)]) == Guarantee(mpq(6), mpq(0))
    assert compared.vadhan_wang([mpq(3), mpq(2)]) == Guarantee(mpq(9), mpq(0))
    assert compared.advanced([mpq(3), mpq(2)], mpq(1, 10)) == advanced_composition(mpq(3), mpq(0), 2, mpq(1, 10))


def test_guarantees_are_the_tight_deltas_of_both_directions():
    """Delta_j is the larger of both hockey sticks of N_j."""
    compared = Comparison.of([interleaving(), unattained()])
    for (level, delta), part in zip(compared.guarantees([mpq(2), mpq(3)]), compared.parts, strict=True):
        assert delta == max(hockey_stick(part, level), hockey_stick(part.swapped(), level))


def test_named_orders():
    """Only the orders that are named; four of five mechanisms have too many."""
    mechanisms = [fresh_responses(mpq(2), 1, bits=1)] * 5
    assert Comparison.of(mechanisms, [(4, 3, 2, 1, 0)]).orders == ((4, 3, 2, 1, 0),)
    with pytest.raises(LimitError, match="at most 24 sequential orders unless they are named"):
        Comparison.of(mechanisms)


def test_bad_levels_are_refused():
    """One level of at least 1 for each mechanism."""
    compared = Comparison.of([unattained()] * 2)
    with pytest.raises(InputError, match="exp_epsilons: expected 2 levels, one for each mechanism, got 1"):
        compared.guarantees([mpq(2)])
    with pytest.raises(InputError, match=r"exp_epsilons\[1\]: expected an exp_epsilon at least 1, got 1/2"):
        compared.rows(LEVELS, [mpq(2), mpq(1, 2)])
