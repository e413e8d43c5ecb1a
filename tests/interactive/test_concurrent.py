"""Concurrent composition: the dynamic programme over tuples against every interleaving adversary."""

from __future__ import annotations

import time
from itertools import permutations

import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import tradeoff_of
from oracle.channels.tradeoff import minimum
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY
from oracle.interactive.adversaries import count_strategies, strategies, view_channel
from oracle.interactive.concurrent import concurrent_composition, concurrent_size, sequential_composition
from oracle.interactive.examples import binary_answer, choice_of_two, interleaving, unattained
from oracle.interactive.tightness import tight_channel, tight_hockey_stick, tight_tradeoff
from oracle.interactive.tree import HALT, InteractiveMechanism, QueryNode
from tests.interactive.interleavings import delayed_laws, laws, random_mechanism, seeded, stick

LEVELS = [mpq(0), mpq(1, 2), mpq(1), mpq(3, 2), mpq(3), INFINITY]


def channel_of(law):
    return Channel.trusted(tuple(zip(*law, strict=True)))


def small(rng, k, depth, most):
    """K random mechanisms whose composition has at most so many adversaries, and not just one."""
    while True:
        mechanisms = [random_mechanism(rng, depth) for _ in range(k)]
        if 2 <= count_strategies(concurrent_composition(mechanisms)) <= most:
            return mechanisms


@pytest.mark.parametrize(("k", "depth", "most", "seed"), [(2, 2, 3000, s) for s in range(12)] + [(3, 1, 3000, 0)])
def test_the_curve_is_the_glb_over_every_interleaving(k, depth, most, seed):
    """The tight curve over tuples of nodes is the lattice minimum of the curves of all deterministic adversaries."""
    mechanisms = small(seeded(seed), k, depth, most)
    composed = concurrent_composition(mechanisms)
    found = set(laws(tuple(mechanism.root for mechanism in mechanisms)))
    assert tight_tradeoff(composed) == minimum([tradeoff_of(channel_of(law)) for law in found])
    for level in LEVELS[:-1]:
        expected = max(stick(law, level) for law in found)
        assert tight_hockey_stick(composed, level) == expected == hockey_stick(tight_channel(composed), level)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_three_mechanisms_against_every_interleaving(seed):
    """The same for three mechanisms and up to 30,000 adversaries."""
    mechanisms = small(seeded(seed), 3, 2, 30_000)
    composed = concurrent_composition(mechanisms)
    found = set(laws(tuple(mechanism.root for mechanism in mechanisms)))
    assert tight_tradeoff(composed) == minimum([tradeoff_of(channel_of(law)) for law in found])


@pytest.mark.parametrize("seed", range(4))
def test_the_adversaries_of_the_composition_are_the_interleavings(seed):
    """As many deterministic adversaries as there are interleavings, with the same laws of the view."""
    mechanisms = small(seeded(100 + seed), 2, 2, 500)
    composed = concurrent_composition(mechanisms)
    by_tree = sorted(sorted(zip(*view_channel(composed, s).rows, strict=True)) for s in strategies(composed))
    by_tuples = sorted(sorted(law) for law in laws(tuple(mechanism.root for mechanism in mechanisms)))
    assert by_tree == by_tuples


@pytest.mark.parametrize("seed", range(6))
def test_waiting_with_an_answer_gains_nothing(seed):
    """An adversary that asks another component before it hears a pending answer does no better."""
    rng = seeded(200 + seed)
    mechanisms = small(rng, 2, 1, 60)
    root = tuple(mechanism.root for mechanism in mechanisms)
    for level in LEVELS[:-1]:
        assert max(stick(law, level) for law in delayed_laws(root)) == max(stick(law, level) for law in laws(root))


def test_bound_not_attained_by_all_adversaries():
    """Two copies: at level 1 the largest of all interleavings is 7/12, below 2/3 of N x N."""
    mechanism = unattained()
    found = list(laws((mechanism.root, mechanism.root)))
    assert len(found) == count_strategies(concurrent_composition([mechanism] * 2))
    assert max(stick(law, mpq(1)) for law in found) == mpq(7, 12)


@pytest.mark.parametrize("seed", range(10))
def test_between_every_sequential_order_and_the_product(seed):
    """T(sequential) >= T(concurrent), for each order; a component alone is itself."""
    mechanisms = small(seeded(300 + seed), 3, 1, 10**9)
    concurrent = tight_tradeoff(concurrent_composition(mechanisms))
    for order in permutations(range(3)):
        assert concurrent <= tight_tradeoff(sequential_composition(mechanisms, order))
    for mechanism in mechanisms:
        assert tight_tradeoff(concurrent_composition([mechanism])) == tight_tradeoff(mechanism)
        assert tight_tradeoff(sequential_composition([mechanism])) == tight_tradeoff(mechanism)


def test_the_order_of_the_components_only_renames():
    """All six orders of three components have one curve."""
    mechanisms = small(seeded(7), 3, 1, 10**9)
    curves = {
        tight_tradeoff(concurrent_composition([mechanisms[j] for j in order])) for order in permutations(range(3))
    }
    assert len(curves) == 1


@pytest.mark.parametrize("seed", range(8))
def test_sequential_orders_by_enumeration(seed):
    """The sequential tree has the curve of all adversaries that finish one component before they ask the next."""
    mechanisms = small(seeded(500 + seed), 2, 2, 3000)
    for order in ((0, 1), (1, 0)):
        found = set(laws(tuple(mechanisms[j].root for j in order), in_order=True))
        expected = minimum([tradeoff_of(channel_of(law)) for law in found])
        assert tight_tradeoff(sequential_composition(mechanisms, order)) == expected


def test_the_order_matters():
    """A choice after an answer reveals more than before it; interleaving is as good as the better order."""
    choice, response = unattained(), InteractiveMechanism(QueryNode((("ask", binary_answer(mpq(1, 2), mpq(1, 4))),)))
    early, late = (sequential_composition([choice, response], order) for order in ((0, 1), (1, 0)))
    assert [label for label, _ in early.root.options] == ["1.A", "1.B"]
    assert [label for label, _ in late.root.options] == ["2.ask"]
    both = concurrent_composition([choice, response])
    values = [tight_hockey_stick(tree, mpq(1)) for tree in (early, late, both)]
    assert values[0] < values[1] == values[2]
    assert values[1] == max(stick(law, mpq(1)) for law in laws((response.root, choice.root), in_order=True))


def test_labels_name_the_component():
    """Options and answers are prefixed with the number of the component, from 1."""
    composed = concurrent_composition([interleaving(), unattained()], "both")
    assert isinstance(composed.root, QueryNode)
    assert [label for label, _ in composed.root.options] == ["1.ask", "2.A", "2.B"]
    assert composed.name == "both"
    after = composed.root.options[1][1]
    assert [branch.label for branch in after.branches] == ["2.0", "2.1"]


def test_a_component_that_speaks_first_has_spoken():
    """An answer node at the root of a component comes before the first choice."""
    talking = InteractiveMechanism(binary_answer(mpq(1, 4), mpq(1, 2)))
    composed = concurrent_composition([unattained(), talking])
    assert [branch.label for branch in composed.root.branches] == ["2.0", "2.1"]


@pytest.mark.parametrize("seed", range(5))
def test_the_number_of_tuples_is_bounded(seed):
    """The tree has no more nodes than the bound says, before equal ones are shared."""
    mechanisms = small(seeded(400 + seed), 2, 3, 10**30)
    assert concurrent_composition(mechanisms).size <= concurrent_size(mechanisms)


def test_too_many_tuples_are_refused_with_their_number():
    """The limit is checked before anything is built."""
    mechanism = interleaving()
    with pytest.raises(LimitError, match=r"at most 200000 tuples of nodes, got up to \d{6,}"):
        concurrent_composition([mechanism] * 16)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: concurrent_composition([]), "mechanisms: expected 1 to 100 mechanisms, got 0"),
        (lambda: sequential_composition([]), "mechanisms: expected 1 to 100 mechanisms, got 0"),
        (lambda: sequential_composition([interleaving()] * 2, [0, 0]), r"order: expected an order of 0\.\.1"),
        (lambda: sequential_composition([interleaving()], [1]), r"order: expected an order of 0\.\.0"),
    ],
)
def test_bad_input_is_refused(call, message):
    """The message says what was expected and where."""
    with pytest.raises(InputError, match=message):
        call()


def bushy(rng):
    """Three rounds of two options with two answers each: 64 nodes."""
    nodes = [HALT] * 64
    while len(nodes) > 1:
        answers = [random_binary(rng, a, b) for a, b in zip(nodes[::2], nodes[1::2], strict=True)]
        nodes = [choice_of_two(a, b) for a, b in zip(answers[::2], answers[1::2], strict=True)]
    return InteractiveMechanism(nodes[0])


def deep(rng):
    """Twenty rounds of two options, each of which goes on after the answer 0: 61 nodes."""
    node = HALT
    for _ in range(20):
        node = choice_of_two(random_binary(rng, node), random_binary(rng, node))
    return InteractiveMechanism(node)


def random_binary(rng, *after):
    """An answer with probabilities out of 2..18 twentieths."""
    return binary_answer(mpq(rng.randint(2, 18), 20), mpq(rng.randint(2, 18), 20), *after)


@pytest.mark.parametrize(
    ("first", "second"), [(bushy, bushy), (bushy, deep), pytest.param(deep, deep, marks=pytest.mark.slow)]
)
def test_two_trees_of_sixty_nodes(first, second):
    """Two different trees of about 60 distinct nodes: the curve takes less than 10 s of processor time."""
    rng = seeded(1)
    mechanisms = [first(rng), second(rng)]
    assert min(mechanism.size for mechanism in mechanisms) >= 60
    start = time.process_time()
    composed = concurrent_composition(mechanisms)
    channel = tight_channel(composed)
    assert time.process_time() - start < 10
    assert channel.shape[1] > 15
    assert tight_hockey_stick(composed, mpq(0)) == hockey_stick(channel, mpq(0)) == 1
