"""Optimal transport against enumeration, exact linear programming and the independent checker."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.certificates.checker import check
from oracle.channels import exact_lp
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY, Infinity
from oracle.theorems.couplings import least_transport
from oracle.theorems.transport import Obstruction, Transport, transport


@st.composite
def laws(draw, size):
    """A law on *size* outcomes, zeros included."""
    weights = draw(st.lists(st.integers(0, 6), min_size=size, max_size=size).filter(any))
    return [mpq(w, sum(weights)) for w in weights]


@st.composite
def problems(draw):
    """Two laws and costs, some of them infinite."""
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    cost = st.one_of(st.integers(0, 5).map(mpq), st.fractions(0, 4, max_denominator=6).map(mpq), st.just(INFINITY))
    table = draw(st.lists(st.lists(cost, min_size=columns, max_size=columns), min_size=rows, max_size=rows))
    return draw(laws(rows)), draw(laws(columns)), table


def cheaper_plan(first, second, costs, value):
    """Whether a coupling of cost at most *value* exists, by exact linear programming."""
    places = [(i, j) for i, row in enumerate(costs) for j, c in enumerate(row) if not isinstance(c, Infinity)]
    last = len(first) + len(second)
    columns = [{i: mpq(1), len(first) + j: mpq(1)} | ({last: costs[i][j]} if costs[i][j] else {}) for i, j in places]
    columns.append({last: mpq(1)})
    program = exact_lp.Program(tuple(columns), (*first, *second, value))
    return isinstance(exact_lp.solve(program), exact_lp.Solution)


@given(problem=problems())
@settings(max_examples=150, deadline=None)
def test_the_value_is_the_least_one_and_the_certificate_is_accepted(problem):
    """A plan of that cost exists, none is cheaper (linear programming), and an obstruction forbids every plan."""
    first, second, costs = problem
    found, certificate = least_transport(first, second, costs)
    assert check(certificate).kind == certificate["certificate"]
    if isinstance(found, Obstruction):
        assert found.first_mass > found.second_mass
        assert not cheaper_plan(first, second, costs, mpq(1000))
        return
    assert cheaper_plan(first, second, costs, found.value)
    assert found.value == 0 or not cheaper_plan(first, second, costs, found.value - mpq(1, 10**9))
    rows = [sum((x for (i, _), x in found.entries.items() if i == k), mpq(0)) for k in range(len(first))]
    columns = [sum((x for (_, j), x in found.entries.items() if j == k), mpq(0)) for k in range(len(second))]
    assert (rows, columns) == (first, second)


def test_a_known_plan():
    """Two by three, worked out by hand: cost 3/4."""
    costs = [[mpq(0), mpq(1), mpq(3)], [mpq(2), INFINITY, mpq(1)]]
    found = transport([mpq(1, 2)] * 2, [mpq(1, 4), mpq(1, 4), mpq(1, 2)], costs)
    assert isinstance(found, Transport)
    assert found.value == mpq(3, 4)


def test_what_is_refused():
    """Laws that are none, other shapes, negative costs, too many pairs."""
    one = [mpq(1)]
    for first, costs in (([mpq(1, 2)], [[mpq(0)]]), (one, [[mpq(0)] * 2]), (one, [[mpq(-1)]]), ([], [])):
        with pytest.raises(InputError):
            transport(first, one, costs)
    many = [mpq(1, 300)] * 300
    with pytest.raises(LimitError, match="pairs"):
        transport(many, many, [[mpq(0)] * 300] * 300)
