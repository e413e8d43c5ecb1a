"""Moments of interactive mechanisms: greedy adversary, additivity, and the loss of simulation."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.renyi import renyi
from oracle.enclosures import Enclosure, log_enclosure
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY
from oracle.interactive.adversaries import view_channel
from oracle.interactive.concurrent import concurrent_composition
from oracle.interactive.examples import binary_answer, choice_of_two, renyi_choice
from oracle.interactive.renyi import (
    concurrent_moment,
    optimal_renyi_adversary,
    simulation_moment,
    tight_divergence,
    tight_moment,
)
from oracle.interactive.tree import HALT, InteractiveMechanism
from tests.interactive.interleavings import laws, moment, random_mechanism, seeded

RESPONSES = InteractiveMechanism(
    choice_of_two(binary_answer(mpq(3, 4), mpq(1, 4)), binary_answer(mpq(1, 2), mpq(1, 4))), "two options"
)


def largest(found, order):
    """The largest moment of some laws, INFINITY where one is infinite."""
    values = [moment(law, order) for law in found]
    return INFINITY if None in values else max(values)


@pytest.mark.parametrize("order", [2, 3, 5])
@pytest.mark.parametrize("seed", range(10))
def test_the_moment_is_the_largest_over_all_adversaries(order, seed):
    """One mechanism, both directions: the dynamic programme and every adversary agree."""
    mechanism = random_mechanism(seeded(seed), 3)
    for direction, root in (("forward", mechanism.root), ("backward", mechanism.swapped().root)):
        assert tight_moment(mechanism, order, direction) == largest(laws((root,)), order)
    both = max(tight_moment(mechanism, order), tight_moment(mechanism, order, "backward"))
    assert tight_moment(mechanism, order, "both") == both


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("seed", range(10))
def test_the_greedy_adversary_attains_it(direction, seed):
    """The law of its view has the supremum as its moment."""
    mechanism = random_mechanism(seeded(seed), 3)
    channel = view_channel(mechanism, optimal_renyi_adversary(mechanism, 3, direction))
    assert renyi(channel, mpq(3), direction).moment == tight_moment(mechanism, 3, direction)


@pytest.mark.parametrize("order", [2, 3, 5])
@pytest.mark.parametrize("seed", range(10))
def test_concurrent_moments_multiply(order, seed):
    """The product of the suprema is the supremum over tuples of nodes, and over every interleaving."""
    rng = seeded(seed)
    mechanisms = [random_mechanism(rng, 2), random_mechanism(rng, 1)]
    value = concurrent_moment(mechanisms, order)
    assert value == tight_moment(concurrent_composition(mechanisms), order)
    assert value == largest(laws(tuple(mechanism.root for mechanism in mechanisms)), order)
    both = concurrent_moment(mechanisms, order, "both")
    assert both == tight_moment(concurrent_composition(mechanisms), order, "both")


@pytest.mark.parametrize(("order", "single", "pair"), [(2, mpq(7, 3), mpq(49, 9)), (3, mpq(61, 9), mpq(3721, 81))])
def test_two_copies_of_a_choice_of_responses(order, single, pair):
    """Moments of one copy and of two, of 3/4 | 1/4 or 1/2 | 1/4."""
    assert tight_moment(RESPONSES, order) == single
    assert concurrent_moment([RESPONSES] * 2, order) == pair
    assert tight_moment(concurrent_composition([RESPONSES] * 2), order) == pair


def test_simulation_loses():
    """Both options have moment 4/3, no channel that simulates the choice less than 3/2; for two copies 16/9 and 9/4."""
    mechanism = renyi_choice()
    for _, child in mechanism.root.options:
        assert tight_moment(InteractiveMechanism(child), 2) == mpq(4, 3)
    assert (tight_moment(mechanism, 2), simulation_moment(mechanism, 2)) == (mpq(4, 3), mpq(3, 2))
    pair = concurrent_composition([mechanism] * 2)
    assert tight_moment(pair, 2) == mpq(16, 9)
    assert mpq(16, 9) < simulation_moment(pair, 2) <= mpq(9, 4)


@pytest.mark.parametrize("seed", range(10))
def test_simulation_never_has_a_smaller_moment(seed):
    """Every view is a post-processing of the tight channel."""
    mechanism = random_mechanism(seeded(seed), 3)
    for direction in ("forward", "backward", "both"):
        assert tight_moment(mechanism, 2, direction) <= simulation_moment(mechanism, 2, direction)


def test_infinite_and_impossible_branches():
    """An answer that only the first input gives is infinite forward and counts nothing backward, whatever follows."""
    certain = InteractiveMechanism(binary_answer(mpq(1, 2), mpq(0), binary_answer(mpq(1, 2), mpq(1, 4)), HALT))
    assert tight_moment(certain, 2) == INFINITY == tight_divergence(certain, 2)
    assert tight_moment(certain, 2, "backward") == 2
    assert concurrent_moment([certain, certain], 2, "both") == INFINITY
    after_impossible = InteractiveMechanism(binary_answer(mpq(0), mpq(1, 2), certain.root, HALT))
    assert tight_moment(after_impossible, 2) == 2


def test_the_divergence_is_the_logarithm_over_the_order_less_one():
    """Overlaps log(7/3) at order 2; exactly 0 for equal laws."""
    found = tight_divergence(RESPONSES, 2, digits=30)
    assert isinstance(found, Enclosure)
    assert found.overlaps(log_enclosure(mpq(7, 3), 30))
    assert found.width * mpq(10) ** 30 <= found.hi
    assert tight_divergence(InteractiveMechanism(binary_answer(mpq(1, 3), mpq(1, 3))), 5) == 0


def test_a_single_answer_has_the_moment_of_its_channel():
    """No choice at all: the moment of the two-row channel."""
    mechanism = InteractiveMechanism(binary_answer(mpq(2, 7), mpq(3, 5)))
    channel = Channel([["2/7", "5/7"], ["3/5", "2/5"]])
    assert tight_moment(mechanism, 4) == renyi(channel, mpq(4)).moment == simulation_moment(mechanism, 4)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tight_moment(RESPONSES, 1), InputError, "order: expected a whole order of at least 2, got 1"),
        (lambda: tight_moment(RESPONSES, 10_001), LimitError, "order: expected an order of at most 10000"),
        (lambda: concurrent_moment([RESPONSES], 0), InputError, "a whole order of at least 2"),
        (lambda: simulation_moment(RESPONSES, 0), InputError, "a whole order of at least 2"),
        (lambda: optimal_renyi_adversary(RESPONSES, 2, "both"), InputError, "direction: expected forward or backward"),
    ],
)
def test_bad_input_is_refused(call, error, message):
    """The message says what was expected and where."""
    with pytest.raises(error, match=message):
        call()
