"""Mechanisms on databases: profiles, the pair of the worst case, and subsampling by matrix products."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.refinement import refine
from oracle.databases.subsampling import poisson, sampled_without_replacement
from oracle.databases.tables import DatabaseMechanism
from oracle.databases.universe import KINDS, RELATIONS, Universe
from oracle.errors import InputError
from oracle.exact import INFINITY


@st.composite
def mechanisms(draw):
    """A table on all databases of up to 2 records over 2 letters, 3 outputs."""
    universe = Universe(("a", "b"), draw(st.sampled_from(KINDS)))
    row = st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any)
    table = {x: tuple(mpq(w, sum(ws)) for w in ws) for x in universe.enumerated(range(3)) for ws in [draw(row)]}
    return DatabaseMechanism(universe, table)


def gain(p, q, a):
    """Σ max(0, p - a q) with plain fractions."""
    return sum(
        (
            max(
                Fraction(0),
                Fraction(int(x.numerator), int(x.denominator)) - a * Fraction(int(y.numerator), int(y.denominator)),
            )
            for x, y in zip(p, q, strict=True)
        ),
        Fraction(0),
    )


@given(mechanism=mechanisms(), relation=st.sampled_from(RELATIONS))
@settings(max_examples=40, deadline=None)
def test_profiles_by_definition(mechanism, relation):
    """The largest gain over all ordered pairs at a distance from 1 to k."""
    table, universe = mechanism.table, mechanism.universe
    for a in (Fraction(1), Fraction(3, 2), Fraction(4)):
        for k in (1, 2):
            near = [
                gain(table[x], table[y], a)
                for x in table
                for y in table
                if x != y and universe.distance(x, y, relation) <= k
            ]
            assert mechanism.group_profile(k, mpq(a), relation) == mpq(max(near, default=Fraction(0)))
        assert mechanism.profile(mpq(a), relation) == mechanism.group_profile(1, mpq(a), relation)


@given(mechanism=mechanisms(), relation=st.sampled_from(RELATIONS))
@settings(max_examples=40, deadline=None)
def test_the_pair_of_the_worst_case_has_the_profile_in_each_direction(mechanism, relation):
    """At every level, forward and backward, and it refines to every pair."""
    worst = mechanism.worst_case(relation)
    for level in (mpq(0), mpq(1, 3), mpq(1), mpq(7, 5), mpq(3), INFINITY):
        for direction in ("forward", "backward", "both"):
            found = hockey_stick(worst, level, direction)
            pairs = [hockey_stick(mechanism.pair(*each), level, direction) for each in mechanism.pairs(relation)]
            floor = 1 - level if level < 1 else mpq(0)
            assert found == max([*pairs, floor])
    assert all(refine(worst, mechanism.pair(*each)) for each in mechanism.pairs(relation))


def test_forward_is_the_removal_of_a_record():
    """P is the law of the larger database."""
    universe = Universe(("a",), "set")
    mechanism = DatabaseMechanism(universe, {(): (mpq(1), mpq(0)), ("a",): (mpq(1, 2), mpq(1, 2))})
    assert list(mechanism.pairs("add_remove")) == [(("a",), ())]
    assert hockey_stick(mechanism.worst_case("add_remove"), INFINITY, "forward") == mpq(1, 2)
    assert hockey_stick(mechanism.worst_case("add_remove"), INFINITY, "backward") == 0


def test_no_pairs_means_no_leakage():
    """The supremum over no pairs is 0."""
    mechanism = DatabaseMechanism(Universe(("a", "b"), "set"), {("a", "b"): (mpq(1, 3), mpq(2, 3))})
    assert mechanism.profile(mpq(1), "substitute") == 0
    assert mechanism.worst_case("substitute") == Channel([["1"], ["1"]])


def test_subsampling_is_a_product_of_matrices():
    """Rows of the subsampled mechanism are the sampling matrix times the table."""
    universe = Universe(("a", "b"), "set")
    table = {
        (): (mpq(1, 2), mpq(1, 2)),
        ("a",): (mpq(1, 4), mpq(3, 4)),
        ("b",): (mpq(1), mpq(0)),
        ("a", "b"): (mpq(0), mpq(1)),
    }
    mechanism = DatabaseMechanism(universe, table)
    rate = mpq(1, 3)
    found = mechanism.subsampled(universe, table, lambda x: poisson(x, rate))
    both = mpq(4, 9) * mpq(1, 2) + mpq(2, 9) * mpq(1, 4) + mpq(2, 9) * 1
    assert found.table[("a", "b")] == (both, 1 - both)
    assert found.table[()] == table[()]


def test_what_is_refused():
    """Tables that are none, rows that are no laws, and samples without a row."""
    universe = Universe(("a", "b"), "set")
    for table in ({}, {(): (mpq(1, 2),)}, {(): (mpq(2), mpq(-1))}, {(): (mpq(1),), ("a",): (mpq(1), mpq(0))}):
        with pytest.raises(InputError):
            DatabaseMechanism(universe, table)
    mechanism = DatabaseMechanism(universe, {("a",): (mpq(1),)})
    with pytest.raises(InputError, match=r"\(b\), a sample of \(a, b\)"):
        mechanism.subsampled(universe, [("a", "b")], sampled_without_replacement(1))
