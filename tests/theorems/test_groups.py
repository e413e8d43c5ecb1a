"""The black-box bound of group privacy against enumerated group profiles."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.databases.tables import DatabaseMechanism
from oracle.databases.universe import Universe
from oracle.errors import InputError
from oracle.theorems.groups import black_box, black_box_bound, exact_root


@given(data=st.data(), k=st.integers(1, 4), root=st.fractions(1, 3, max_denominator=4))
@settings(max_examples=60, deadline=None)
def test_the_bound_holds_along_paths(data, k, root):
    """A path of 5 databases (copies of one record) with arbitrary laws."""
    universe = Universe(("v",), "multiset")
    row = st.lists(st.integers(0, 4), min_size=2, max_size=3).filter(any)
    width = data.draw(st.integers(2, 3))
    table = {}
    for x in universe.enumerated(range(5)):
        weights = data.draw(row.filter(lambda ws: len(ws) == width))
        table[x] = tuple(mpq(w, sum(weights)) for w in weights)
    mechanism = DatabaseMechanism(universe, table)
    bound = black_box(lambda a: mechanism.profile(a, "add_remove"), k, mpq(root))
    assert mechanism.group_profile(k, mpq(root) ** k, "add_remove") <= bound <= 1


def test_tight_at_epsilon_0():
    """Bernoulli(i/10) on the path 0, 1, 2, 3: 3/10 = 3/10."""
    universe = Universe(("v",), "multiset")
    table = {("v",) * i: (1 - mpq(i, 10), mpq(i, 10)) for i in range(4)}
    mechanism = DatabaseMechanism(universe, table)
    assert mechanism.profile(mpq(1), "add_remove") == mpq(1, 10)
    assert mechanism.group_profile(3, mpq(1), "add_remove") == mpq(3, 10) == black_box_bound(3, mpq(1), mpq(1, 10))


def test_roots():
    """Exact where both parts are powers."""
    assert exact_root(mpq(27, 8), 3) == mpq(3, 2)
    assert exact_root(mpq(2), 2) is None
    assert exact_root(mpq(0), 5) == 0


def test_what_is_refused():
    """Groups of no records, levels below 1."""
    with pytest.raises(InputError, match="group"):
        black_box_bound(0, mpq(1), mpq(0))
    with pytest.raises(InputError, match="level"):
        black_box_bound(2, mpq(1, 2), mpq(0))
