"""Tails: the key lemma, the criterion, and half-line proofs against values far out."""

from __future__ import annotations

import mpmath
import pytest
from flint import arb
from gmpy2 import mpq

from oracle.enclosures import Enclosure, precision, rational_ball
from oracle.errors import InputError
from oracle.exact import INFINITY
from oracle.gaussian_dp.examples import EXAMPLES, OscillatingProfile
from oracle.gaussian_dp.exponents import Exponent
from oracle.gaussian_dp.formula_text import parse_formula
from oracle.gaussian_dp.noise_formulas import ConstantProfile, LaplaceProfile, Reciprocal, SquaredExponential
from oracle.gaussian_dp.product_formulas import ProductTail
from oracle.gaussian_dp.tails import ConstantTail, key_lemma, tail_limit, tail_satisfies, tail_start
from oracle.gaussian_dp.transform import delta_mu_at
from tests.experiments.reference import real
from tests.gaussian_dp import reference

PROFILES = {
    **EXAMPLES,
    "slow": SquaredExponential(mpq(1, 20), mpq(5)).refined(),
    "fast": SquaredExponential(mpq(4)).refined(),
    "tiny": Reciprocal(mpq(1, 1000)).refined(),
    "constant": ConstantProfile(mpq(1, 3)),
    "oscillating": OscillatingProfile(),
    "product": parse_formula("3*exp(-eps^2/5 + eps)/eps^2"),
    "cubic": parse_formula("1/3*exp(-eps^3/4)"),
    "heavy": parse_formula("1/9*exp(-eps)"),
}


@pytest.mark.parametrize("mu", [mpq(1, 10), mpq(1), mpq(7, 2)])
@pytest.mark.parametrize("share", [mpq(11, 10), mpq(2), mpq(30)])
def test_the_key_lemma_encloses_the_profile(mu, share):
    """Strictly, by our balls and by mpmath, from just above mu²/2 to far out."""
    epsilon = share * mu * mu / 2 + mpq(1, 100)
    with precision(300):
        low, high = key_lemma(rational_ball(mu), rational_ball(epsilon))
        assert low < delta_mu_at(rational_ball(mu), rational_ball(epsilon)) < high
    with mpmath.workdps(80):
        value = reference.delta_mu(real(mu), real(epsilon))
        m, x = real(mu), real(epsilon)
        a, b = x / m - m / 2, x / m + m / 2
        density = m * mpmath.exp(-a * a / 2) / mpmath.sqrt(2 * mpmath.pi)
        assert density / (b * b + 3) < value < density / (a * a + 1)


def test_the_key_lemma_needs_a_positive_a():
    """At epsilon = mu²/2 and below it says nothing."""
    with pytest.raises(InputError, match="above mu²/2"):
        key_lemma(arb(2), arb(2))


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("mu", [mpq(1, 3), mpq(1), mpq(3)])
@pytest.mark.parametrize("relation", ["below", "above"])
def test_half_line_proofs_hold_far_out(name, mu, relation):
    """At the start and at many later points the values are in the order that was proved."""
    profile = PROFILES[name]
    least = mpq(3) if profile.head is not None else mpq(0)
    proof = tail_start(profile.tail, mu * mu, relation, least)
    if proof is None:
        return
    for factor in (1, mpq(101, 100), mpq(3, 2), 4, 16):
        with precision(4000):
            x = rational_ball(proof.start * factor)
            gap = profile.at(x) - delta_mu_at(rational_ball(mu), x)
            assert gap < 0 if relation == "below" else gap > 0


def test_every_tail_is_proved_away_from_the_border():
    """Below for mu above the limit, above for mu below it."""
    for name, profile in PROFILES.items():
        low, high = profile.tail.limits
        for mu in (mpq(1, 3), mpq(1), mpq(3)):
            assert (tail_start(profile.tail, mu * mu, "below") is not None) == (mu * mu > high), name
            assert (tail_start(profile.tail, mu * mu, "above") is not None) == (mu * mu < low), name


def test_limits():
    """0, √(1/2), infinity, and limits that differ."""
    assert tail_limit(EXAMPLES["laplace"].tail) == 0
    root = tail_limit(EXAMPLES["sgd"].tail, 20)
    assert isinstance(root, Enclosure)
    assert root.lo**2 < mpq(1, 2) < root.hi**2
    assert tail_limit(EXAMPLES["icea"].tail) == tail_limit(ConstantProfile(mpq(1, 3)).tail) == INFINITY
    assert tail_limit(SquaredExponential(mpq(1, 8)).tail) == 2
    assert OscillatingProfile().tail.limits == (mpq(1, 2), mpq(2))


def test_the_criterion_is_three_valued():
    """By mu² against the limsup; at the border it is proved below for e^(-eps²/2), and undecided where it is not."""
    assert tail_satisfies(SquaredExponential(mpq(1, 2)).tail, mpq(11, 10)) is True
    assert tail_satisfies(SquaredExponential(mpq(1, 2)).tail, mpq(9, 10)) is False
    assert tail_satisfies(SquaredExponential(mpq(1, 2)).tail, mpq(1)) is True
    assert tail_satisfies(LaplaceProfile(mpq(2)).tail, mpq(1, 100)) is True
    assert tail_satisfies(EXAMPLES["icea"].tail, mpq(100)) is False
    assert tail_satisfies(OscillatingProfile().tail, mpq(3, 2)) is True
    assert tail_satisfies(OscillatingProfile().tail, mpq(1)) is False


class Twice(ConstantTail):
    """The tail of 2 delta_1, of which only the limit is known here."""

    limits = (mpq(1), mpq(1))

    def above(self, mu_squared, start):  # noqa: ARG002 - the tail's own interface
        """Nothing is proved."""
        return False


def test_the_border_may_be_decided_either_way_or_not():
    """All of limit 1: e^(-eps²/2) is below delta_1, e^(eps/2 - eps²/2) above it, twice delta_1 undecided."""
    assert tail_satisfies(ProductTail(Exponent({2: mpq(-1, 2)})), mpq(1)) is True
    assert tail_satisfies(ProductTail(Exponent({2: mpq(-1, 2), 1: mpq(1, 2)})), mpq(1)) is False
    assert tail_satisfies(Twice(lambda _: arb(1)), mpq(1)) is None
    with precision(300):
        ratios = [
            rational_ball(x) ** 2 / (-2 * (2 * delta_mu_at(arb(1), rational_ball(x))).log())
            for x in (mpq(100), mpq(1000))
        ]
        assert all(abs(ratio - 1) < rational_ball(mpq(1, 50)) for ratio in ratios)


def test_mu_zero_is_refused():
    """The criterion is for mu > 0."""
    with pytest.raises(InputError, match="mu above 0"):
        tail_satisfies(EXAMPLES["sgd"].tail, mpq(0))
