"""The chain rule of trade-off functions, greedily and from its definition."""

from __future__ import annotations

import random
from itertools import product

import pytest
from gmpy2 import mpq

from oracle.certificates.checker import check
from oracle.channels.channel import Channel
from oracle.channels.galois import channel_of, tradeoff_of
from oracle.channels.tradeoff import TradeoffFunction, minimum
from oracle.errors import InputError
from oracle.interactive.chain_rule import allocate, chain_rule, chain_rule_certificate
from tests.interactive.trees import random_law

HALF = [mpq(1, 2), mpq(1, 2)]
SKEW = [mpq(1, 4), mpq(3, 4)]


def random_curve(chance):
    return tradeoff_of(Channel([random_law(chance, 3), random_law(chance, 3)]))


def cases(seed, count):
    """Laws of two or three answers, some of probability 0, and a curve for each."""
    chance = random.Random(seed)  # noqa: S311 - a fixed sample
    for _ in range(count):
        answers = chance.randint(2, 3)
        curves = [random_curve(chance) for _ in range(answers)]
        yield random_law(chance, answers), random_law(chance, answers), curves, mpq(chance.randint(0, 12), 12)


def by_definition(first, second, curves, alpha):
    """The infimum, a linear programme: at a vertex all alpha_x but one are at corners."""
    values = []
    for fixed in product(*([a for a, _ in curve.corners] for curve in curves)):
        for free in range(len(first)):
            used = sum((first[k] * fixed[k] for k in range(len(first)) if k != free), mpq(0))
            rest = mpq(1) if not first[free] else (alpha - used) / first[free]
            if used > alpha or rest < 0:
                continue
            chosen = [min(mpq(1), rest) if k == free else fixed[k] for k in range(len(first))]
            values.append(sum((b * f.at(x) for b, f, x in zip(second, curves, chosen, strict=True)), mpq(0)))
    return min(values)


def test_the_curve_is_the_definition():
    """At every twelfth of 60 random cases."""
    for first, second, curves, alpha in cases(1, 60):
        assert chain_rule(first, second, curves).at(alpha) == by_definition(first, second, curves, alpha)


def test_the_allocation_reaches_the_value_and_its_multiplier_proves_it():
    """Within alpha, and the bound by duality is the value."""
    for first, second, curves, alpha in cases(2, 60):
        found = allocate(first, second, curves, alpha)
        assert sum((a * x for a, x in zip(first, found.alphas, strict=True)), mpq(0)) <= alpha
        assert found.value == chain_rule(first, second, curves).at(alpha)
        least = mpq(0)
        for a, b, curve in zip(first, second, curves, strict=True):
            least += min(b * y + found.multiplier * a * x for x, y in curve.corners)
        assert found.multiplier >= 0
        assert least - found.multiplier * alpha == found.value


def test_the_chain_rule_is_the_curve_of_the_pair():
    """T of (X, Y_X) against (X', Y'_X'), with Y_x of another shape than C(f_x): equality."""
    chance = random.Random(3)  # noqa: S311 - a fixed sample
    for _ in range(30):
        first, second = random_law(chance, 2), random_law(chance, 2)
        parts = [Channel([random_law(chance, 4), random_law(chance, 4)]) for _ in range(2)]
        rows = [
            [weight * value for weight, part in zip(law, parts, strict=True) for value in part.rows[row]]
            for row, law in enumerate((first, second))
        ]
        assert chain_rule(first, second, [tradeoff_of(part) for part in parts]) == tradeoff_of(Channel(rows))


def test_the_certificate_is_accepted():
    """Kind tradeoff, of the joint channel."""
    curves = [tradeoff_of(Channel([HALF, SKEW])), tradeoff_of(Channel([["0", "1"], SKEW]))]
    certificate = chain_rule_certificate(HALF, SKEW, curves)
    assert check(certificate).kind == "tradeoff"
    stated = [(corner["alpha"], corner["beta"]) for corner in certificate["corners"]]
    assert TradeoffFunction(stated) == chain_rule(HALF, SKEW, curves)


def test_an_answer_of_probability_zero_is_harmless():
    """Neither law: left out. The first law: no alpha is needed. The second: no beta comes."""
    curve = tradeoff_of(Channel([HALF, SKEW]))
    steep = TradeoffFunction([("0", "1"), ("1", "0")])
    assert chain_rule([mpq(1), mpq(0)], [mpq(1), mpq(0)], [curve, steep]) == curve
    assert chain_rule([mpq(1), mpq(0)], HALF, [steep, steep]).corners == ((0, mpq(1, 2)), (1, 0))
    assert chain_rule(HALF, [mpq(1), mpq(0)], [steep, steep]).corners == ((0, 1), (mpq(1, 2), 0), (1, 0))


def test_it_is_continuous_in_each_variable():
    """ChainRule of the supremum (the lattice minimum of the curves) is the supremum of the chain rules."""
    chance = random.Random(4)  # noqa: S311 - a fixed sample
    for _ in range(20):
        first, second = random_law(chance, 2), random_law(chance, 2)
        other, *family = [random_curve(chance) for _ in range(4)]
        whole = chain_rule(first, second, [minimum(family), other])
        assert whole == minimum([chain_rule(first, second, [curve, other]) for curve in family])


def test_the_parts_of_a_curve_are_its_channel():
    """One answer of probability 1 changes nothing."""
    curve = tradeoff_of(Channel([HALF, SKEW]))
    assert chain_rule([mpq(1)], [mpq(1)], [curve]) == curve == tradeoff_of(channel_of(curve))


def test_bad_arguments_are_refused():
    """Laws that do not sum to 1, other numbers of answers, alpha outside [0, 1]."""
    curve = tradeoff_of(Channel([HALF, SKEW]))
    with pytest.raises(InputError, match="sum to 1"):
        chain_rule([mpq(1, 2)], [mpq(1)], [curve])
    with pytest.raises(InputError, match="as many answers in both laws"):
        chain_rule(HALF, SKEW, [curve])
    with pytest.raises(InputError, match="alpha between 0 and 1"):
        allocate(HALF, SKEW, [curve, curve], mpq(2))
