"""Mechanisms that attain the theorems, by enumeration, and the counterexamples to what is printed."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.databases import subsampling as exact
from oracle.databases.tables import DatabaseMechanism
from oracle.databases.universe import Universe
from oracle.errors import InputError
from oracle.theorems.lower_bounds import (
    count_mechanism,
    inclusion_probability,
    membership_bound,
    membership_mechanism,
    response_profile,
)
from oracle.theorems.subsampling import poisson, with_replacement, without_replacement

RECORDS = ("v", "a", "b", "c", "d", "e")


@pytest.mark.parametrize("p", [mpq(0), mpq(1, 4), mpq(1, 2), mpq(5, 6), mpq(1)])
@pytest.mark.parametrize("level", [mpq(1), mpq(3, 2), mpq(4)])
def test_profile_of_a_response(p, level):
    """The definition, either order; for p < 1/2 the printed max(0, p - a(1-p)) is smaller."""
    response = Channel([[p, 1 - p], [1 - p, p]])
    assert response_profile(p, level) == hockey_stick(response, level) == hockey_stick(response, level, "backward")
    printed = max(mpq(0), p - level * (1 - p))
    assert response_profile(p, level) >= printed
    assert p < mpq(1, 2) or response_profile(p, level) == printed


def attained(base, sources, sizes, relation, sampler, level, eta):  # noqa: PLR0917 - a table of cases
    """Delta of M_{v,p} subsampled at a', enumerated, and eta."""
    databases = sources.enumerated(sizes)
    raised = 1 + eta * (level - 1)
    assert inclusion_probability(sources, databases, relation, sampler, "v") == eta
    return base.subsampled(sources, databases, sampler).profile(raised, relation)


@pytest.mark.parametrize("p", [mpq(1, 6), mpq(3, 4), mpq(5, 6), mpq(1)])
@pytest.mark.parametrize("level", [mpq(1), mpq(2), mpq(3)])
def test_theorem_13(p, level):
    """M_{v,p} attains theorems 8, 9 and 10."""
    sets, multisets = Universe(RECORDS[:4], "set"), Universe(RECORDS[:3], "multiset")
    rate = mpq(1, 4)
    eta = poisson(rate, "add_remove").eta
    base = membership_mechanism(sets, sets.enumerated(range(3)), "v", p)
    found = attained(base, sets, range(3), "add_remove", lambda x: exact.poisson(x, rate), level, eta)
    assert found == membership_bound(eta, p, level)
    eta = without_replacement(3, 2, "substitute").eta
    base = membership_mechanism(sets, sets.enumerated([2]), "v", p)
    found = attained(base, sets, [3], "substitute", exact.sampled_without_replacement(2), level, eta)
    assert found == membership_bound(eta, p, level)
    eta = with_replacement(2, 2, "substitute").eta
    sources = Universe(RECORDS[:3], "set")
    base = membership_mechanism(multisets, multisets.enumerated([2]), "v", p)
    found = attained(base, sources, [2], "substitute", exact.sampled_with_replacement(2, "set"), level, eta)
    assert found == membership_bound(eta, p, level)


@pytest.mark.parametrize(("n", "m", "level"), [(2, 3, mpq(5)), (3, 2, mpq(4)), (2, 2, mpq(3))])
def test_the_count_mechanism_tells_the_weights_apart(n, m, level):
    """Delta = t m/n = Σ w_k k t is theorem 10 with equality; eta·delta_{M,1} is smaller."""
    t = mpq(1, 10)
    universe, sources = Universe(("v", "a", "b", "c"), "multiset"), Universe(("v", "a", "b", "c"), "set")
    base = count_mechanism(universe, universe.enumerated([m]), "v", t)
    found = base.subsampled(sources, sources.enumerated([n]), exact.sampled_with_replacement(m, "set"))
    theorem = with_replacement(n, m, "substitute")
    raised = 1 + theorem.eta * (level - 1)
    bound = theorem.bound(lambda k, a: base.group_profile(k, a, "substitute"), level)
    assert found.profile(raised, "substitute") == bound == t * mpq(m, n)
    assert theorem.eta * base.profile(level, "substitute") < bound


def test_lemma_12_as_printed_is_false():
    """S((v)) is (v) or nothing, S((a)) is (a): eta = TV = 1 claims 1, the value is 1/2 = Pr[v in S(x)]."""
    universe = Universe(("v", "a"), "tuple")
    laws = {("v",): {("v",): mpq(1, 2), (): mpq(1, 2)}, ("a",): {("a",): mpq(1)}}
    base = membership_mechanism(universe, universe.enumerated([0, 1]), "v", mpq(1))
    found = base.subsampled(universe, laws, laws.__getitem__)
    eta = inclusion_probability(universe, laws, "substitute", laws.__getitem__, "v")
    assert eta == mpq(1, 2)
    assert membership_bound(mpq(1), mpq(1), mpq(2)) == 1
    assert found.profile(mpq(2), "substitute") == mpq(1, 2)
    assert found.profile(1 + eta, "substitute") == membership_bound(eta, mpq(1), mpq(2)) == mpq(1, 2)


def test_lemma_12_needs_p_of_at_least_a_half_and_the_record_itself():
    """P = 1/4 attains the bound of 3/4; weighted Poisson with another record likelier than v attains nothing at TV."""
    assert membership_bound(mpq(1), mpq(1, 4), mpq(1)) == mpq(1, 2)
    rates = {"v": mpq(1, 4), "a": mpq(3, 4)}

    def weighted(x):
        law = {(): mpq(1)}
        for record in x:
            law = {
                y + kept: w * r
                for y, w in law.items()
                for kept, r in (((record,), rates[record]), ((), 1 - rates[record]))
            }
        return law

    universe = Universe(("v", "a"), "set")
    databases = universe.enumerated(range(3))
    found = membership_mechanism(universe, databases, "v", mpq(3, 4)).subsampled(universe, databases, weighted)
    raised = 1 + mpq(3, 4) * (mpq(2) - 1)
    assert membership_bound(mpq(3, 4), mpq(3, 4), mpq(2)) == mpq(3, 16)
    assert found.profile(raised, "add_remove") == 0
    eta = inclusion_probability(universe, databases, "add_remove", weighted, "v")
    assert eta == mpq(1, 4)
    assert found.profile(1 + eta, "add_remove") == membership_bound(eta, mpq(3, 4), mpq(2)) == mpq(1, 16)


def test_what_is_refused():
    """Probabilities outside [0, 1] and levels below 1."""
    universe = Universe(("v",), "multiset")
    with pytest.raises(InputError, match="p"):
        membership_mechanism(universe, [()], "v", mpq(2))
    with pytest.raises(InputError, match="copies"):
        count_mechanism(universe, [("v",) * 3], "v", mpq(1, 2))
    with pytest.raises(InputError, match="level"):
        membership_bound(mpq(1), mpq(1), mpq(1, 2))
    assert inclusion_probability(universe, [()], "add_remove", lambda x: {x: mpq(1)}, "v") == 0
    assert isinstance(count_mechanism(universe, [()], "v", mpq(1)), DatabaseMechanism)
