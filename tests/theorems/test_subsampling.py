"""The theorems of subsampling against enumeration of small databases, and where they are attained."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.databases import subsampling as exact
from oracle.databases.tables import DatabaseMechanism
from oracle.databases.universe import Universe
from oracle.errors import Declined, InputError
from oracle.exact import INFINITY
from oracle.theorems.subsampling import (
    amplified_level,
    base_level,
    poisson,
    poisson_substitution_bound,
    with_replacement,
    without_replacement,
)

LEVELS = [mpq(1), mpq(5, 4), mpq(2), mpq(6)]


@st.composite
def mechanisms(draw, kind, sizes, records=("a", "b", "c")):
    """A table over all databases of some sizes, 2 or 3 outputs, with zeros."""
    universe = Universe(records, kind)
    row = st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any)
    table = {x: tuple(mpq(w, sum(ws)) for w in ws) for x in universe.enumerated(sizes) for ws in [draw(row)]}
    return DatabaseMechanism(universe, table)


def compare(amplification, mechanism, subsampled, inputs):
    """The enumerated profile is at most the bound at every level."""
    for level in LEVELS:
        raised = amplified_level(amplification.eta, level)
        bound = amplification.bound(lambda k, a: mechanism.group_profile(k, a, amplification.base), level)
        assert subsampled.profile(raised, inputs) <= bound


@given(data=st.data(), rate=st.sampled_from([mpq(0), mpq(1, 3), mpq(3, 4), mpq(1)]))
@settings(max_examples=40, deadline=None)
def test_theorem_8(data, rate):
    """Poisson under add_remove, sets and multisets, the rates 0 and 1 too."""
    mechanism = data.draw(mechanisms(data.draw(st.sampled_from(["set", "multiset"])), range(3), ("a", "b")))
    subsampled = mechanism.subsampled(mechanism.universe, mechanism.table, lambda x: exact.poisson(x, rate))
    compare(poisson(rate, "add_remove"), mechanism, subsampled, "add_remove")


@given(data=st.data(), rate=st.sampled_from([mpq(0), mpq(1, 3), mpq(3, 4), mpq(1)]))
@settings(max_examples=40, deadline=None)
def test_poisson_under_substitution(data, rate):
    """The bound by add_remove group profiles (theorem 7), and that of the supplement by the substitution profile."""
    mechanism = data.draw(mechanisms("set", range(4)))
    universe = mechanism.universe
    full = mechanism.subsampled(universe, mechanism.table, lambda x: exact.poisson(x, rate))
    compare(poisson(rate, "substitute"), mechanism, full, "substitute")
    for n in (1, 2):
        part = mechanism.subsampled(universe, universe.enumerated([n]), lambda x: exact.poisson(x, rate))
        for level in LEVELS:
            bound = poisson_substitution_bound(lambda a: mechanism.profile(a, "substitute"), rate, n, level)
            assert part.profile(1 + rate * (level - 1), "substitute") <= bound


@given(data=st.data(), sizes=st.sampled_from([(1, 0), (1, 1), (2, 1), (2, 2), (3, 1), (3, 2)]))
@settings(max_examples=40, deadline=None)
def test_theorem_9(data, sizes):
    """Without replacement under substitution, m = 0 and m = n too, sets and multisets."""
    source, sample = sizes
    kind = data.draw(st.sampled_from(["set", "multiset"]))
    mechanism = data.draw(mechanisms(kind, [sample], ("a", "b", "c", "d")))
    universe = mechanism.universe
    subsampled = mechanism.subsampled(
        universe, universe.enumerated([source]), exact.sampled_without_replacement(sample)
    )
    compare(without_replacement(source, sample, "substitute"), mechanism, subsampled, "substitute")


@given(data=st.data(), sizes=st.sampled_from([(1, 1), (1, 3), (2, 1), (2, 2), (2, 3)]))
@settings(max_examples=40, deadline=None)
def test_theorem_10(data, sizes):
    """With replacement under substitution, n = 1 and m > n too, from sets and from multisets."""
    source, sample = sizes
    mechanism = data.draw(mechanisms("multiset", [sample]))
    kind = data.draw(st.sampled_from(["set", "multiset"]))
    sources = Universe(mechanism.universe.records, kind)
    sampler = exact.sampled_with_replacement(sample, kind)
    subsampled = mechanism.subsampled(sources, sources.enumerated([source]), sampler)
    compare(with_replacement(source, sample, "substitute"), mechanism, subsampled, "substitute")


@given(data=st.data(), sizes=st.sampled_from([(2, 1), (2, 2), (2, 3), (3, 1), (3, 2)]))
@settings(max_examples=40, deadline=None)
def test_theorem_11(data, sizes):
    """With replacement, inputs of n and n - 1 >= 1 records, base under substitution."""
    source, sample = sizes
    mechanism = data.draw(mechanisms("multiset", [sample]))
    sources = Universe(mechanism.universe.records, "set")
    sampler = exact.sampled_with_replacement(sample, "set")
    subsampled = mechanism.subsampled(sources, sources.enumerated([source - 1, source]), sampler)
    compare(with_replacement(source, sample, "add_remove"), mechanism, subsampled, "add_remove")


def test_weights():
    """Binomial weights sum to eta; at a = inf the split is eta (1 - eta) and eta²."""
    for n, m in ((1, 1), (2, 2), (5, 3), (10, 10)):
        found = with_replacement(n, m, "substitute")
        assert sum(found.weights()) == found.eta == 1 - (1 - mpq(1, n)) ** m
    assert with_replacement(5, 3, "substitute").weights() == [mpq(48, 125), mpq(12, 125), mpq(1, 125)]
    assert poisson(mpq(1, 3), "substitute").weights(INFINITY) == [mpq(2, 9), mpq(1, 9)]
    assert poisson(mpq(1, 3), "substitute").weights(mpq(1)) == [0, mpq(1, 3)]


def test_levels():
    """The relation of levels and its inverse; eta (a-1) <= a' - 1 and a' <= a."""
    assert amplified_level(mpq(1, 4), mpq(3)) == mpq(3, 2)
    assert base_level(mpq(1, 4), mpq(3, 2)) == 3
    assert amplified_level(mpq(1, 4), INFINITY) == INFINITY == base_level(mpq(1, 4), INFINITY)
    assert amplified_level(mpq(0), INFINITY) == 1


def test_what_is_declined_or_refused():
    """A pairing without a theorem is declined with the reason, sizes and rates without meaning are errors."""
    with pytest.raises(Declined, match="private"):
        without_replacement(3, 1, "add_remove")
    with pytest.raises(Declined, match="different sizes"):
        poisson(mpq(1, 2), "substitute", "substitute")
    with pytest.raises(Declined, match="theorem 11"):
        with_replacement(1, 1, "add_remove")
    for call in (
        lambda: poisson(mpq(3, 2), "add_remove"),
        lambda: without_replacement(2, 3, "substitute"),
        lambda: with_replacement(0, 1, "substitute"),
        lambda: poisson(mpq(1, 2), "add_remove").bound(lambda _k, _a: mpq(0), mpq(1, 2)),
        lambda: poisson_substitution_bound(lambda _: mpq(0), mpq(1, 2), 2, mpq(1, 2)),
    ):
        with pytest.raises(InputError):
            call()
