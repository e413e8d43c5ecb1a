"""Couplings against their definitions, and the laws of subsampling for which they are made."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.certificates.checker import check
from oracle.databases.subsampling import poisson, with_replacement, without_replacement
from oracle.databases.universe import Universe
from oracle.errors import InputError
from oracle.exact import INFINITY, Infinity
from oracle.theorems.couplings import (
    Coupling,
    advanced_joint_convexity,
    compatible_coupling,
    decomposition,
    decomposition_certificate,
    distance_shells,
    least_transport,
    maximal_coupling,
)
from oracle.theorems.subsampling import compatible
from oracle.theorems.transport import Obstruction, Transport


@st.composite
def pairs(draw, count=2):
    """Laws on the same outcomes, zeros included."""
    size = draw(st.integers(1, 4))
    found = []
    for _ in range(count):
        weights = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size).filter(any))
        found.append([mpq(w, sum(weights)) for w in weights])
    return found


def plain(law):
    """The law with plain fractions."""
    return [Fraction(int(x.numerator), int(x.denominator)) for x in law]


def variation(first, second):
    """The total variation over all events, with plain fractions."""
    p, q = plain(first), plain(second)
    return max(sum((p[k] - q[k] for k in range(len(p)) if s[k]), Fraction(0)) for s in product((0, 1), repeat=len(p)))


@given(laws=pairs())
@settings(max_examples=100, deadline=None)
def test_maximal_coupling(laws):
    """Marginals as they should be, and the two differ with the total variation; the checker accepts it."""
    first, second = laws
    coupling = maximal_coupling(first, second)
    size = range(len(first))
    assert [sum((x for (i, _), x in coupling.entries.items() if i == k), mpq(0)) for k in size] == first
    assert [sum((x for (_, j), x in coupling.entries.items() if j == k), mpq(0)) for k in size] == second
    assert sum(x for (i, j), x in coupling.entries.items() if i != j) == mpq(variation(first, second))
    assert check(coupling.certificate).kind == "coupling"


def test_the_coupling_as_printed_has_another_mass():
    """Without the normalisation of its first part: 1 - eta + eta² = 3/4 for (1, 0) and (1/2, 1/2)."""
    first, second = [mpq(1), mpq(0)], [mpq(1, 2), mpq(1, 2)]
    least = [min(a, b) for a, b in zip(first, second, strict=True)]
    eta = 1 - sum(least)
    rest = [
        (a - c) * (b - d) / eta for a, c in zip(first, least, strict=True) for b, d in zip(second, least, strict=True)
    ]
    assert (1 - eta) * sum(least) / (1 - eta) + eta * sum(rest) == mpq(3, 4)
    assert sum(maximal_coupling(first, second).entries.values()) == 1


@given(laws=pairs())
@settings(max_examples=100, deadline=None)
def test_decomposition(laws):
    """The mixtures are the laws, the remainders are disjoint, eta is the total variation; 0 and 1 lack parts."""
    first, second = laws
    found = decomposition(first, second)
    assert found.eta == mpq(variation(first, second))
    assert (found.common is None) == (found.eta == 1)
    assert (found.first is None) == (found.second is None) == (found.eta == 0)
    zeros = (mpq(0),) * len(first)
    for law, rest in ((first, found.first), (second, found.second)):
        parts = zip(found.common or zeros, rest or zeros, strict=True)
        assert [(1 - found.eta) * a + found.eta * b for a, b in parts] == law
    if found.first is not None and found.second is not None:
        assert not any(a and b for a, b in zip(found.first, found.second, strict=True))
    assert check(decomposition_certificate(first, second)).kind == "evaluation"


def hockey(p, q, a):
    """Σ max(0, p - a q) with plain fractions."""
    return sum((max(Fraction(0), x - a * y) for x, y in zip(plain(p), plain(q), strict=True)), Fraction(0))


@given(laws=pairs(3), eta=st.fractions(0, 1, max_denominator=7), level=st.fractions(1, 5, max_denominator=5))
@settings(max_examples=100, deadline=None)
def test_advanced_joint_convexity_is_an_identity(laws, eta, level):
    """Both sides by definition; the bound of plain joint convexity is at least as large; the checker recomputes it."""
    common, first, second = laws
    found = advanced_joint_convexity(mpq(eta), mpq(level), common, first, second)
    raised = 1 + eta * (level - 1)
    b = raised / level
    left = [
        [(1 - eta) * x + eta * y for x, y in zip(plain(common), plain(law), strict=True)] for law in (first, second)
    ]
    inner = [(1 - b) * x + b * y for x, y in zip(plain(common), plain(second), strict=True)]
    as_mpq = [[mpq(x) for x in law] for law in left]
    assert found.left == mpq(hockey(*as_mpq, raised))
    assert found.right == found.left == mpq(eta * hockey(first, [mpq(x) for x in inner], level))
    assert found.bound >= found.right
    assert check(found.certificate).kind == "evaluation"


def remainders(first, second):
    """(w_1, w_0) and (w_1, w_1') of two sampling laws, over the samples of positive probability."""
    outcomes = sorted({*first, *second})
    zero = mpq(0)
    found = decomposition([first.get(y, zero) for y in outcomes], [second.get(y, zero) for y in outcomes])
    parts = [found.first, found.common, found.second]
    laws = [None if law is None else {y: w for y, w in zip(outcomes, law, strict=True) if w} for law in parts]
    return [(laws[0], law) for law in laws[1:] if laws[0] is not None and law is not None]


def table(first, second, relation, kind="multiset"):
    """Two laws as lists, with the distances of their outcomes."""
    universe = Universe(("a", "b", "c", "v", "w"), kind)
    ys, zs = list(first), list(second)
    distances = [[universe.distance(y, z, relation) for z in zs] for y in ys]
    distances = [[d if isinstance(d, Infinity) else mpq(d) for d in row] for row in distances]
    return [first[y] for y in ys], [second[z] for z in zs], distances


SAMPLERS = {
    "poisson": lambda x: poisson(x, mpq(1, 3)),
    "without": lambda x: without_replacement(x, 2),
    "with": lambda x: with_replacement(x, 3, "multiset"),
}
NEIGHBOURS = {"substitute": (("a", "b", "v"), ("a", "b", "w")), "add_remove": (("a", "b", "v"), ("a", "b"))}


@pytest.mark.parametrize("way", SAMPLERS)
@pytest.mark.parametrize("inputs", NEIGHBOURS)
@pytest.mark.parametrize("base", ["add_remove", "substitute"])
def test_which_pairings_are_compatible(way, inputs, base):
    """Exact transport decides for three records what the theorems say in general; each answer is certified."""
    x, y = NEIGHBOURS[inputs]
    for first, second in remainders(SAMPLERS[way](x), SAMPLERS[way](y)):
        found, certificate = compatible_coupling(*table(first, second, base))
        assert check(certificate).kind == ("coupling" if isinstance(found, Coupling) else "no_coupling")
        both_laws_of_one_size = {len(s) for s in first} == {len(s) for s in second}
        if compatible(way, base):
            assert isinstance(found, Coupling)
        elif not both_laws_of_one_size:
            assert isinstance(found, Obstruction)


def test_poisson_under_substitution_is_compatible_in_add_remove():
    """Printed as incompatible: z with v and z with v' are at the constant distance 2, v against nothing at 1."""
    pairs_of_laws = remainders(SAMPLERS["poisson"](("a", "b", "v")), SAMPLERS["poisson"](("a", "b", "w")))
    for (first, second), distance in zip(pairs_of_laws, (1, 2), strict=True):
        laws = table(first, second, "add_remove")
        found, _ = compatible_coupling(*laws)
        assert isinstance(found, Coupling)
        assert {laws[2][i][j] for i, j in found.entries} == {distance}


@given(laws=pairs(), data=st.data())
@settings(max_examples=100, deadline=None)
def test_theorem_7(laws, data):
    """The least Σ pi delta_d is at least Σ_k nu(Y_k) delta_k, with equality where the laws are compatible."""
    first, second = laws
    size = len(first)
    cell = st.one_of(st.integers(0, 3).map(mpq), st.just(INFINITY))
    distances = data.draw(st.lists(st.lists(cell, min_size=size, max_size=size), min_size=size, max_size=size))
    profile = [mpq(0), mpq(1, 10), mpq(3, 10), mpq(4, 10)]
    costs = [[d if isinstance(d, Infinity) else profile[int(d.numerator)] for d in row] for row in distances]
    found, _ = least_transport(first, second, costs)
    shells = distance_shells(first, second, distances)
    if INFINITY in shells or not isinstance(found, Transport):
        return
    least = sum((mass * profile[int(k.numerator)] for k, mass in shells.items()), mpq(0))
    assert found.value >= least
    if isinstance(compatible_coupling(first, second, distances)[0], Coupling):
        assert found.value == least


def test_what_is_refused():
    """Other numbers of outcomes, no laws, an eta or level outside its range, distances of another shape."""
    half = [mpq(1, 2), mpq(1, 2)]
    for bad in ([mpq(1)], [mpq(1, 2)], [mpq(3, 2), mpq(-1, 2)]):
        with pytest.raises(InputError):
            maximal_coupling(half, bad)
    with pytest.raises(InputError, match="eta"):
        advanced_joint_convexity(mpq(2), mpq(1), half, half, half)
    with pytest.raises(InputError, match="level"):
        advanced_joint_convexity(mpq(1), mpq(1, 2), half, half, half)
    with pytest.raises(InputError, match="shape"):
        compatible_coupling(half, half, [[mpq(0)]])
