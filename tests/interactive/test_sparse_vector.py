"""The sparse vector technique: closed forms against sums over thresholds, its theorem, and its broken variants."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import accumulate, product

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.channels.divergences import hockey_stick
from oracle.channels.profile import least_level
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY
from oracle.interactive.adversaries import event_masses
from oracle.interactive.sparse_vector import EVERY_PAIR, SparseVector, sparse_vector
from oracle.interactive.tightness import Tightness, optimal_adversary, tight_channel
from oracle.interactive.tree import AnswerNode, QueryNode

HALF = mpq(1, 2)
MONOTONE = ((0, 0), (0, 1), (1, 1))
RATIOS = st.sampled_from([mpq(1, 2), mpq(1, 3), mpq(4, 5)])


def point(r, z):
    """Two-sided geometric noise."""
    return (1 - r) / (1 + r) * r ** abs(z)


@cache
def noise_sums(r, reach):
    """The sums of the masses of -reach..z for each z, added up one by one."""
    return list(accumulate(point(r, z) for z in range(-reach, reach + 1)))


def sum_over_thresholds(parameters, below, above, reach):
    """An interval for the mass: the sum over thresholds and noise within *reach*, and what lies outside.

    Every sum is over single values of the noise; nothing of the closed forms is used.
    """
    r1, r2 = parameters.threshold_ratio, parameters.query_ratio
    sums = noise_sums(r2, 2 * reach)
    low = high = mpq(0)
    for z in range(-reach, reach + 1):
        s = parameters.threshold + z
        if parameters.clamp:
            s = min(max(s, parameters.clamp[0]), parameters.clamp[1])
        least = most = point(r1, z)
        for u, answered in [*((u, False) for u in below.elements()), *((u, True) for u in above.elements())]:
            less = sums[s - u - 1 + 2 * reach]
            inside = sums[-1] - less if answered else less
            least *= inside
            most *= inside + 1 - sums[-1]
        low, high = low + least, high + most
    return low, high + 1 - noise_sums(r1, reach)[-1]


@given(
    RATIOS,
    RATIOS,
    st.lists(st.integers(-2, 2), max_size=3),
    st.lists(st.integers(-2, 2), max_size=2),
    st.sampled_from([None, (-1, 1), (0, 0), (1, 3)]),
)
def test_masses_lie_in_the_sum_over_thresholds(r1, r2, below, above, clamp):
    """The closed form is in an interval of width below 10^-3 got by adding up single thresholds."""
    parameters = SparseVector(r1, r2, 5, pairs=((0, 1),), clamp=clamp)
    low, high = sum_over_thresholds(parameters, Counter(below), Counter(above), reach=45)
    assert low <= parameters.mass(Counter(below), Counter(above)) <= high
    assert high - low < mpq(1, 10**3)


@given(RATIOS, RATIOS, st.lists(st.integers(-2, 2), min_size=1, max_size=4), st.sampled_from([None, (-1, 2)]))
def test_the_ways_to_be_answered_add_up_to_1(r1, r2, asked, clamp):
    """Over all answers to fixed queries the masses sum to 1, in each variant, and so do they with one more query."""
    for options in ({}, {"refreshed": False}, {"threshold_ratio": None}, {"query_ratio": None}):
        parameters = SparseVector(**{"threshold_ratio": r1, "query_ratio": r2, "queries": 4, "clamp": clamp, **options})
        total = mpq(0)
        for answers in product((False, True), repeat=len(asked)):
            sides = [Counter(u for u, a in zip(asked, answers, strict=True) if a == side) for side in (False, True)]
            mass = parameters.mass(*sides)
            assert mass >= 0
            total += mass
        assert total == 1


@pytest.mark.parametrize(
    ("parameters", "below", "above", "mass"),
    [
        # Pr[s > 0] with threshold noise alone: (1/2)/(1 + 1/2).
        (SparseVector(HALF, None, 1), [0], [], mpq(1, 3)),
        # s = 1 alone is above 0 and at most 1: (1/3)(1/2).
        (SparseVector(HALF, None, 2), [0], [1], mpq(1, 6)),
        (SparseVector(HALF, None, 2), [1], [0], mpq(0)),
        # No noise on the threshold 0: Pr[nu < 0] = 1/3 for the answer 0, Pr[nu < -1] = 1/6 for the answer 1.
        (SparseVector(None, HALF, 3), [0, 1], [0], mpq(1, 3) * mpq(1, 6) * mpq(2, 3)),
        # Clamped to 0..1: s = 1 with Pr[z >= 1] = 1/3.
        (SparseVector(HALF, None, 1, clamp=(0, 1)), [0], [], mpq(1, 3)),
        # D = s - nu is symmetric around 0: Pr[D > 0] = (1 - Pr[D = 0])/2, Pr[D = 0] = Σ (1/9) 4^-|z| = 5/27.
        (SparseVector(HALF, HALF, 1, refreshed=False), [0], [], mpq(11, 27)),
        (SparseVector(HALF, HALF, 1), [0], [], mpq(11, 27)),
        (SparseVector(HALF, HALF, 2, refreshed=False), [1], [0], mpq(0)),
        (SparseVector(HALF, HALF, 2), [], [], mpq(1)),
    ],
)
def test_masses_by_hand(parameters, below, above, mass):
    """Values worked out in the comments."""
    assert parameters.mass(Counter(below), Counter(above)) == mass


@pytest.mark.parametrize("pairs", [EVERY_PAIR, MONOTONE, ((1, 0), (1, 1)), ((0, 1), (1, 0), (2, 1), (1, 2))])
@pytest.mark.parametrize(("r1", "r2"), [(HALF, HALF), (mpq(1, 5), mpq(4, 5)), (mpq(9, 10), mpq(1, 3))])
@pytest.mark.parametrize(("queries", "cutoff"), [(1, 1), (3, 1), (3, 2), (5, 1)])
def test_the_theorem_holds(pairs, r1, r2, queries, cutoff):
    """The tight e^epsilon of the tree is finite and at most that of the theorem."""
    if cutoff == 2 and len(pairs) == 4:
        pairs = pairs[1:3]
    parameters = SparseVector(r1, r2, queries, pairs, cutoff=cutoff)
    assert 1 < least_level(tight_channel(sparse_vector(parameters)), mpq(0)) <= parameters.exp_epsilon


def test_the_theorem_is_approached():
    """With more queries the tight e^epsilon of above threshold grows towards 8, and for monotone queries towards 4."""
    for pairs, bound in ((((0, 1), (1, 0)), 8), (MONOTONE, 4)):
        found = [
            least_level(tight_channel(sparse_vector(SparseVector(HALF, HALF, n, pairs))), mpq(0)) for n in (1, 3, 5, 9)
        ]
        assert found == sorted(set(found))
        assert bound * mpq(9, 10) < found[-1] < bound == SparseVector(HALF, HALF, 9, pairs).exp_epsilon


@pytest.mark.parametrize(
    ("parameters", "least"),
    [
        (SparseVector(HALF, None, 3), INFINITY),
        (SparseVector(HALF, HALF, 3, refreshed=False), INFINITY),
        (SparseVector(None, HALF, 4), mpq(16)),
        (SparseVector(HALF, HALF, 4, ((0, 1), (1, 0)), cutoff=4), mpq(1864, 221)),
        (SparseVector(HALF, HALF, 4, clamp=(-1, 1)), mpq(16)),
    ],
)
def test_broken_variants_are_refuted_by_an_event(parameters, least):
    """The claim e^epsilon = 8 fails on an event of views with P(S) > 8 Q(S), or the other way round."""
    mechanism = sparse_vector(parameters)
    tight = Tightness(mechanism)
    assert least_level(tight.channel, mpq(0)) == least
    found = []
    for direction in ("forward", "backward"):
        strategy, p, q = optimal_adversary(tight, mpq(8), direction)
        assert (p, q) == event_masses(mechanism, strategy)
        found.append(p - 8 * q if direction == "forward" else q - 8 * p)
    assert max(found) == hockey_stick(tight.channel, mpq(8), "both") > 0


def test_nodes_are_shared_by_the_number_of_answers():
    """(t + 1)² query nodes after t answers, with four answer nodes each, and the leaf."""
    mechanism = sparse_vector(SparseVector(HALF, HALF, 6))
    assert mechanism.size == 5 * sum((t + 1) ** 2 for t in range(6)) + 1
    assert mechanism.depth == 12


@pytest.mark.parametrize("variant", [{"query_ratio": None}, {"refreshed": False}, {"clamp": (0, 0)}])
def test_impossible_histories_have_no_nodes(variant):
    """With two answers ``above`` and hidden values that settle the answers, what cannot come about is left out."""
    parameters = SparseVector(**{"threshold_ratio": HALF, "query_ratio": HALF, "queries": 3, "cutoff": 2, **variant})
    mechanism = sparse_vector(parameters)
    assert all(b.p or b.q for node in mechanism.nodes if isinstance(node, AnswerNode) for b in node.branches)


def test_a_history_that_is_impossible_on_one_input_goes_on():
    """After ``below`` to 0|1 and D > 1 nothing but ``below`` is possible on the second input; labels stay."""
    mechanism = sparse_vector(SparseVector(HALF, None, 2, ((0, 1), (1, 0))), "no query noise")
    assert isinstance(mechanism.root, QueryNode)
    assert [label for label, _ in mechanism.root.options] == ["0|1", "1|0"]
    after_below = mechanism.root.options[0][1].branches[0].then
    answers = {label: [(b.label, b.p, b.q) for b in node.branches] for label, node in after_below.options}
    assert answers["0|1"] == [("below", 1, 1)]
    assert answers["1|0"] == [("below", HALF, 1), ("above", HALF, 0)]
    assert mechanism.name == "no query noise"


def test_the_law_after_an_impossible_history_is_that_of_the_other_input():
    """After ``below`` to 0|1 and ``above`` to 1|0 the threshold is 1 on the first input, impossible on the second."""
    mechanism = sparse_vector(SparseVector(HALF, None, 3, ((0, 1), (1, 0)), cutoff=3))
    first = mechanism.root.options[0][1].branches[0].then
    (above,) = [b for b in first.options[1][1].branches if b.label == "above"]
    assert (above.p, above.q) == (HALF, 0)
    answers = {label: [(b.label, b.p, b.q) for b in node.branches] for label, node in above.then.options}
    assert answers == {"0|1": [("below", 1, 1)], "1|0": [("above", 1, 1)]}


def test_a_theorem_only_for_what_it_says():
    """No stated e^epsilon for the other variants; two directions of monotone."""
    assert SparseVector(HALF, mpq(1, 3), 2, MONOTONE, cutoff=2).exp_epsilon == 2 * 9
    assert SparseVector(HALF, mpq(1, 3), 2, cutoff=2).exp_epsilon == 2 * 81
    for parameters in (
        SparseVector(None, HALF, 1),
        SparseVector(HALF, None, 1),
        SparseVector(HALF, HALF, 1, refreshed=False),
        SparseVector(HALF, HALF, 1, clamp=(0, 1)),
    ):
        with pytest.raises(InputError, match="refreshed noise on threshold and queries, not clamped"):
            _ = parameters.exp_epsilon


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"threshold_ratio": mpq(1)}, InputError, "threshold_ratio: expected a ratio above 0 and below 1"),
        ({"query_ratio": mpq(0)}, InputError, "query_ratio: expected a ratio above 0 and below 1"),
        ({"queries": 0}, InputError, "queries: expected at least 1, got 0"),
        ({"cutoff": 0}, InputError, "cutoff: expected at least 1, got 0"),
        ({"pairs": ()}, InputError, "pairs: expected a list of distinct pairs"),
        ({"pairs": ((0, 1), (0, 1))}, InputError, "pairs: expected a list of distinct pairs"),
        ({"pairs": ((0, 2),)}, InputError, "pairs: expected true answers that differ by at most 1, got 0 and 2"),
        ({"clamp": (2, 1)}, InputError, "clamp: expected a range"),
        ({"query_ratio": None, "refreshed": False}, InputError, "refreshed: expected a query_ratio"),
        ({"threshold": 2000}, LimitError, "pairs: expected values at most 1000 apart, got 2000"),
        (
            {"queries": 200, "pairs": tuple((u, u) for u in range(16))},
            LimitError,
            "queries: expected at most 200000 distinct nodes",
        ),
    ],
)
def test_bad_parameters_are_refused(options, error, message):
    """The message names the parameter."""
    given = {"threshold_ratio": HALF, "query_ratio": HALF, "queries": 2, **options}
    with pytest.raises(error, match=message):
        sparse_vector(SparseVector(**given))
