"""The engine gives the values of fixtures/vectors/vadhan2023.json, and so do the definitions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import mpmath
import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.composition import compose
from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import tradeoff_of
from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve
from oracle.enclosures import Enclosure
from oracle.interactive.concurrent import concurrent_composition, sequential_composition
from oracle.interactive.kullback_leibler import tight_kullback_leibler
from oracle.interactive.reading import parse_interactive
from oracle.interactive.renyi import concurrent_moment, tight_moment
from oracle.interactive.tightness import tight_channel, tight_hockey_stick
from oracle.interactive.tree import AnswerNode, Branch, InteractiveMechanism
from oracle.theorems.composition_bounds import basic_composition, optimal_channel, optimal_delta, vadhan_wang_bound
from tests.experiments.reference import real
from tests.interactive.trees import view_laws
from tests.vectors.fixture_files import VECTORS, read_json

DOCUMENT = read_json(VECTORS / "vadhan2023.json")
ALL = {vector["id"]: vector for vector in DOCUMENT["vectors"]}
COVERED: set[str] = set()


def of_claim(*claims):
    """The vectors of some claims, as parameters of a test."""
    chosen = [vector for vector in ALL.values() if vector["claim"] in claims]
    COVERED.update(vector["id"] for vector in chosen)
    return pytest.mark.parametrize("vector", chosen, ids=lambda vector: vector["id"])


def law(texts):
    return [mpq(text) for text in texts]


def corners(expected):
    return TradeoffFunction(list(zip(expected["alpha"], expected["beta"], strict=True)))


def moment(p, q):
    """Σ p²/q from the definition."""
    return sum((Fraction(a) ** 2 / Fraction(b) for a, b in zip(p, q, strict=True) if Fraction(a)), Fraction(0))


def followed(given):
    """The pair (U, V) as an interactive mechanism: two answers, one after the other."""
    parts = zip(given["v_given_u"], given["v_prime_given_u"], strict=True)
    below = [
        AnswerNode(tuple(Branch(str(k), a, b) for k, (a, b) in enumerate(zip(*laws, strict=True)))) for laws in parts
    ]
    first = zip(given["u"], given["u_prime"], below, strict=True)
    return InteractiveMechanism(AnswerNode(tuple(Branch(str(k), *answer) for k, answer in enumerate(first))))


@of_claim("f_{eps,delta}")
def test_the_curve_of_a_guarantee(vector):
    """As the lower hull, and of the channel of that guarantee."""
    a, delta = mpq(vector["input"]["exp_epsilon"]), mpq(vector["input"]["delta"])
    assert approximate_dp_curve(a, delta) == corners(vector["expected"])
    assert tradeoff_of(optimal_channel([(a, delta)])) == corners(vector["expected"])


@of_claim("Def1.6 T")
def test_the_curve_of_a_pair(vector):
    """T(P, P')."""
    assert tradeoff_of(Channel([vector["input"]["p"], vector["input"]["p_prime"]])) == corners(vector["expected"])


@of_claim("Lemma2.1/2.2")
def test_moments_of_a_mixture(vector):
    """The mixture exceeds the geometric mean of its parts, which refutes joint convexity."""
    given, expected = vector["input"], vector["expected"]
    laws = {name: law(given[name]) for name in ("p0", "q0", "p1", "q1")}
    weight = mpq(given["weight"])
    mixed = [
        [(1 - weight) * a + weight * b for a, b in zip(laws[f"{row}0"], laws[f"{row}1"], strict=True)] for row in "pq"
    ]
    parts = [moment(*(map(str, laws[f"{row}{k}"]) for row in "pq")) for k in (0, 1)]
    found = moment(*([str(x) for x in row] for row in mixed))
    assert [str(value) for value in (found, *parts)] == [
        expected[name] for name in ("moment_mixture", "moment_0", "moment_1")
    ]
    assert found**2 > prod(parts)
    assert found <= max(parts)


@of_claim("Renyi chain")
def test_moments_of_a_pair(vector):
    """Joint, first, and conditional moments; as a mechanism that answers twice, too."""
    given, expected = vector["input"], vector["expected"]
    assert str(moment(given["u"], given["u_prime"])) == expected["moment_u"]
    for k, laws in enumerate(zip(given["v_given_u"], given["v_prime_given_u"], strict=True)):
        assert str(moment(*laws)) == expected[f"moment_v_{k}"]
    assert str(tight_moment(followed(given), 2)) == expected["moment_joint"]
    joint, first = Fraction(expected["moment_joint"]), Fraction(expected["moment_u"])
    assert joint**2 != first**2 * Fraction(expected["moment_v_0"]) * Fraction(expected["moment_v_1"])


def response_product(parts):
    """The columns (p, q) of the composition of the channels C_{epsilon, delta}, from the definition."""
    columns = []
    for a, delta in parts:
        low = (1 - delta) / (1 + a)
        columns.append([(delta, Fraction(0)), (a * low, low), (low, a * low), (Fraction(0), delta)])
    return [(prod(p for p, _ in chosen), prod(q for _, q in chosen)) for chosen in product(*columns)]


@of_claim("Thm1.3")
def test_optimal_composition(vector):
    """The closed form, the hockey stick of the composed channel, and that of the product by definition."""
    given = vector["input"]
    parts = [(mpq(part["exp_epsilon"]), mpq(part["delta"])) for part in given["parts"]]
    level, expected = mpq(given["exp_epsilon_g"]), vector["expected"]["delta"]
    assert str(optimal_delta(parts, level)) == expected
    assert str(hockey_stick(optimal_channel(parts), level, "both")) == expected
    pairs = response_product([(Fraction(part["exp_epsilon"]), Fraction(part["delta"])) for part in given["parts"]])
    assert str(sum(max(Fraction(0), p - Fraction(given["exp_epsilon_g"]) * q) for p, q in pairs)) == expected


@of_claim("VW21")
def test_three_bounds_in_order(vector):
    """Vadhan and Wang, basic, optimal, at epsilon_g = k epsilon."""
    given = vector["input"]
    times, part = int(given["times"]), (mpq(given["exp_epsilon"]), mpq(given["delta"]))
    wang, basic = vadhan_wang_bound(*part, times), basic_composition([part] * times)
    assert wang.exp_epsilon == basic.exp_epsilon == part[0] ** times
    found = {
        "vadhan_wang": wang.delta,
        "basic": basic.delta,
        "optimal": optimal_delta([part] * times, part[0] ** times),
    }
    assert {name: str(value) for name, value in found.items()} == vector["expected"]
    assert found["optimal"] <= found["basic"] <= found["vadhan_wang"]


@of_claim("Thm5.1, Lem5.2")
def test_moments_of_concurrent_copies(vector):
    """As a product, by dynamic programming over pairs of nodes, and as the maximum over the views of one copy."""
    mechanism = parse_interactive(vector["input"]["mechanism"])
    twice = concurrent_composition([mechanism, mechanism])
    for order in (2, 3):
        single = vector["expected"][f"order_{order}"]
        views = view_laws(mechanism.root)
        assert str(max(sum(p**order * q ** (1 - order) for p, q in view) for view in views)) == single
        assert str(tight_moment(mechanism, order)) == single
        expected = vector["expected"][f"order_{order}_concurrent"]
        assert str(concurrent_moment([mechanism, mechanism], order)) == expected
        assert str(tight_moment(twice, order)) == expected


@of_claim("Def3.4, KL chain")
def test_divergence_of_a_pair(vector):
    """By the chain rule over the answers, and in mpmath from the definition."""
    given, expected = vector["input"], vector["expected"]["divergence"]
    bounds = Enclosure(mpq(expected["lo"]), mpq(expected["hi"]))
    found = tight_kullback_leibler(followed(given)).enclosure(40)
    assert found.overlaps(bounds)
    with mpmath.workdps(60):
        value = mpmath.mpf(0)
        for k, (a, b) in enumerate(zip(law(given["u"]), law(given["u_prime"]), strict=True)):
            for c, d in zip(law(given["v_given_u"][k]), law(given["v_prime_given_u"][k]), strict=True):
                value += real(a * c) * mpmath.log(real(a * c) / real(b * d))
        assert mpmath.mpf(expected["lo"]) <= value <= mpmath.mpf(expected["hi"])


@of_claim("interleaving")
def test_interleaving_beats_both_orders(vector):
    """Two copies, concurrently and one after the other, and the pair of laws N x N."""
    mechanism = parse_interactive(vector["input"]["mechanism"])
    copies, level = [mechanism, mechanism], mpq(vector["input"]["exp_epsilon"])
    channel = tight_channel(mechanism)
    found = {
        "concurrent": tight_hockey_stick(concurrent_composition(copies), level),
        "first_then_second": tight_hockey_stick(sequential_composition(copies, [0, 1]), level),
        "second_then_first": tight_hockey_stick(sequential_composition(copies, [1, 0]), level),
        "product": hockey_stick(compose([(channel, 2)]), level),
    }
    assert {name: str(value) for name, value in found.items()} == vector["expected"]
    assert found["concurrent"] > max(found["first_then_second"], found["second_then_first"])


@of_claim("Thm1.4")
def test_the_bound_need_not_be_attained(vector):
    """N of one copy, the concurrent composition of two, and N x N."""
    mechanism, expected = parse_interactive(vector["input"]["mechanism"]), vector["expected"]
    level, channel = mpq(vector["input"]["exp_epsilon"]), tight_channel(mechanism)
    assert sorted(zip(*channel.rows, strict=True)) == sorted(
        zip(law(expected["n"]), law(expected["n_prime"]), strict=True)
    )
    concurrent = concurrent_composition([mechanism, mechanism])
    assert str(tight_hockey_stick(concurrent, level)) == expected["concurrent"]
    views = view_laws(concurrent.root)
    bound = Fraction(vector["input"]["exp_epsilon"])
    largest = max(sum(max(Fraction(0), p - bound * q) for p, q in view) for view in views)
    assert str(largest) == expected["concurrent"]
    assert str(hockey_stick(compose([(channel, 2)]), level)) == expected["product"]


def test_every_vector_has_its_test():
    """17 vectors, of ids that are unique and begin with the paper."""
    assert len(ALL) == len(DOCUMENT["vectors"]) == 17
    assert all(name.startswith("vadhan2023-") for name in ALL)
    assert set(ALL) == COVERED
