"""The operations on interactive mechanisms from Python, and channels' operations asked of interactive mechanisms."""

from __future__ import annotations

from fractions import Fraction

import pytest

import oracle
from oracle.certificates.checker import check
from oracle.errors import Declined, InputError, LimitError
from oracle.interactive.adversaries import count_strategies
from oracle.interactive.concurrent import concurrent_composition
from oracle.interactive.examples import interleaving, renyi_choice, unattained
from oracle.interactive.reading import to_json
from oracle.interactive.renyi import simulation_moment
from oracle.operations.interactive import Concurrent
from tests.interactive.interleavings import laws, random_mechanism, seeded, stick
from tests.interactive.trees import errors, lower_hull, random_mechanisms, view_laws

M = to_json(interleaving())
HALF = Fraction(1, 2)


def test_a_mechanism_its_document_and_its_root_are_the_same():
    """Three ways to say it."""
    given = (interleaving(), M, M["interactive"])
    curves = [oracle.interactive_tradeoff(value) for value in given]
    assert curves[0] == curves[1] == curves[2]
    assert curves[0] == oracle.tradeoff(M)
    assert len({oracle.simulate(value).certificate()["digest"] for value in given}) == 1


def test_the_tight_curve_is_the_hull_over_every_adversary():
    """At its corners and between them, in both directions, by enumeration."""
    for mechanism in random_mechanisms(80, 15, 60):
        points = lower_hull([point for law in view_laws(mechanism.root) for point in errors(law)])
        assert [tuple(corner) for corner in oracle.interactive_tradeoff(mechanism).breakpoints] == points
        (a, b), (c, d) = points[0], points[1]
        assert oracle.interactive_tradeoff(mechanism, (a + c) / 2) == (b + d) / 2
        back = oracle.interactive_tradeoff(mechanism, direction="backward")
        assert back == oracle.tradeoff(mechanism.swapped())


def test_questions_about_laws_are_about_all_adversaries():
    """Delta, hockey stick and least epsilon, against the enumeration."""
    for mechanism in random_mechanisms(81, 15, 60):
        found = view_laws(mechanism.root)
        forward = max(stick(law, 2) for law in found)
        backward = max(stick([(q, p) for p, q in law], 2) for law in found)
        assert oracle.hockey_stick(mechanism, exp_epsilon=2) == forward
        assert oracle.delta(mechanism, exp_epsilon=2) == max(forward, backward)
        least = oracle.epsilon(mechanism, max(forward, backward))
        assert least.exp_epsilon <= 2
        assert oracle.delta(mechanism, exp_epsilon=least.exp_epsilon) == max(forward, backward)


def test_simulate_gives_the_tight_channel_with_a_certificate():
    """N of vector 13 by hand, and its certificate is accepted."""
    found = oracle.simulate(unattained())
    assert found.channel.to_json() == {"matrix": [["3/4", "1/4", "0"], ["1/4", "5/12", "1/3"]]}
    assert check(found.certificate()).kind == "simulation"


@pytest.mark.parametrize("level", [1, Fraction(3, 2), 2])
def test_interleaving_reveals_more_than_both_orders(level):
    """Vector 12: exactly 11/16, 21/32 and 5/8, above 21/32, 39/64 and 39/64."""
    both, each = {1: ("11/16", "21/32"), Fraction(3, 2): ("21/32", "39/64"), 2: ("5/8", "39/64")}[level]
    found = oracle.concurrent([M, M], exp_epsilon=level)
    assert isinstance(found, Concurrent)
    assert found.value == Fraction(both)
    assert found.sequential == {(0, 1): Fraction(each), (1, 0): Fraction(each)}
    assert found.product == Fraction(both)
    assert found.optimal >= found.product


def test_the_comparison_is_in_order_and_by_enumeration():
    """Sequential <= concurrent <= product <= optimal, the concurrent value over every interleaving."""
    rng = seeded(90)
    compared = 0
    while compared < 6:
        pair = [random_mechanism(rng, 2), random_mechanism(rng, 2)]
        if not 1 < count_strategies(concurrent_composition(pair)) < 2000:
            continue
        compared += 1
        found = oracle.concurrent(pair, exp_epsilon="3/2", direction="forward")
        assert found.value == max(stick(law, Fraction(3, 2)) for law in laws(tuple(m.root for m in pair)))
        assert max(found.sequential.values()) <= found.value <= found.product
        both = oracle.concurrent(pair, exp_epsilon="3/2")
        assert both.product <= both.optimal


def test_without_a_level_the_curves_are_compared():
    """Trade-off functions, forward by default; the bound of theorem 1.4 is the lowest."""
    found = oracle.concurrent([unattained()] * 2)
    alphas = [Fraction(k, 16) for k in range(17)]
    sequential = found.sequential[0, 1]
    assert all(found.product.at(a) <= found.value.at(a) <= sequential.at(a) for a in alphas)
    assert any(found.product.at(a) < found.value.at(a) for a in alphas)
    assert found.optimal is None
    back = oracle.concurrent([unattained()] * 2, direction="backward")
    assert back.value == found.value.inverse()


def test_one_mechanism_alone_is_itself():
    """Its own tight curve; a guarantee is the least delta at any epsilon, and the least e^epsilon there."""
    found = oracle.concurrent([M])
    assert found.value == found.product == found.sequential[0,] == oracle.tradeoff(M)
    ((level, delta),) = found.guarantees
    assert delta == oracle.delta(M, exp_epsilon="inf")
    assert level == oracle.epsilon(M, delta).exp_epsilon


def test_of_many_mechanisms_two_orders_are_looked_at():
    """The given one and its reverse; up to four, all of them."""
    small = {"answer": {"0": {"p": "1/2", "q": "1/4"}, "1": {"p": "1/2", "q": "3/4"}}}
    five = oracle.concurrent([small] * 5, exp_epsilon=1)
    assert set(five.sequential) == {(0, 1, 2, 3, 4), (4, 3, 2, 1, 0)}
    assert set(five.sequential.values()) == {five.value}
    assert len(oracle.concurrent([small] * 3, exp_epsilon=1).sequential) == 6


def test_a_level_that_is_no_number_is_enclosed():
    """At epsilon = 1/2 the value is exact where the event has mass 0 on the other input; no optimal bound."""
    found = oracle.concurrent([unattained()] * 2, epsilon="1/2")
    assert found.value == Fraction(5, 9)
    assert found.product.lower > found.value
    assert found.optimal is None


def test_a_renyi_divergence_is_the_supremum_not_that_of_the_tight_channel():
    """4/3 for the example, where the tight channel has 3/2; a backward order is asked in the same way."""
    assert oracle.renyi(renyi_choice(), 2).moment == Fraction(4, 3)
    assert simulation_moment(renyi_choice(), 2) == Fraction(3, 2)
    assert oracle.renyi(renyi_choice(), 3, direction="both").moment == oracle.INFINITY


def test_a_claim_holds_of_every_view():
    """With certificates of the tree, not of a table."""
    assert oracle.satisfies(M, exp_epsilon=1, delta="1/2").certificate["certificate"] == "interactive_held"
    refuted = oracle.satisfies(M, exp_epsilon=1, delta="1/4", direction="backward")
    assert (refuted.holds, refuted.certificate["certificate"]) == (False, "interactive_refuted")
    assert refuted.certificate["direction"] == "backward"
    with pytest.raises(Declined, match="the op renyi"):
        oracle.satisfies(M, {"order": "2", "epsilon": "1"})


@pytest.mark.parametrize(
    "call",
    [
        lambda: oracle.canonical(M),
        lambda: oracle.glb([M]),
        lambda: oracle.parallel([M, M]),
        lambda: oracle.post(M, [["1"]]),
        lambda: oracle.visible("1/2", M, M),
        lambda: oracle.refines(M, M),
        lambda: oracle.vulnerability(M, [["1", "0"], ["0", "1"]]),
    ],
)
def test_operations_on_columns_are_declined(call):
    """A tree has no columns."""
    with pytest.raises(Declined, match="an interactive mechanism is no table; the op simulate gives its tight channel"):
        call()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "a list of at least one interactive mechanism"),
        (M, "a list of at least one interactive mechanism"),
        ("M", "a list of at least one interactive mechanism"),
        ([M, {"query": {}}], r"interactives\[1\]\.query: expected at least one option"),
        ([{"answer": {"a": {"p": "1"}}}], r'interactives\[0\]\.answer\["a"\]: expected the probabilities'),
    ],
)
def test_what_is_no_list_of_mechanisms_is_refused(value, message):
    """The place is named."""
    with pytest.raises(InputError, match=message):
        oracle.concurrent(value)


def test_levels_and_directions_are_checked():
    """Both of two ways to say epsilon, a curve of both directions, too many tuples."""
    with pytest.raises(InputError, match="exactly one of"):
        oracle.concurrent([M], exp_epsilon=1, epsilon=0)
    with pytest.raises(InputError, match="forward, backward, got"):
        oracle.concurrent([M], direction="both")
    with pytest.raises(LimitError, match="tuples of nodes"):
        oracle.concurrent([M] * 12)
