"""Databases, neighbours and distances against the definitions, by exhaustive search."""

from __future__ import annotations

import pytest

from oracle.databases.universe import KINDS, MAX_DATABASES, RELATIONS, Universe, path_distances
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY

EVERY = pytest.mark.parametrize("kind", KINDS)


def one_step(first, second, relation):
    """Whether the databases are neighbours, from the definition: remove one record, or remove one and add another."""

    def without(database):
        return [database[:i] + database[i + 1 :] for i in range(len(database))]

    if relation == "add_remove":
        return second in without(first) or first in without(second)
    return first != second and len(first) == len(second) and bool(set(without(first)) & set(without(second)))


def tuples_one_step(first, second):
    """Whether two tuples of the same length differ at one place."""
    return len(first) == len(second) and sum(a != b for a, b in zip(first, second, strict=True)) == 1


@EVERY
@pytest.mark.parametrize("relation", RELATIONS)
def test_neighbours_are_those_of_the_definition(kind, relation):
    """Every database of up to 3 records over 3 letters against every other one."""
    universe = Universe(("a", "b", "c"), kind)
    databases = universe.enumerated(range(4))
    for first in databases:
        found = universe.neighbours(first, relation)
        assert len(set(found)) == len(found)
        for second in databases:
            if kind == "tuple" and relation == "substitute":
                expected = tuples_one_step(first, second)
            else:
                expected = one_step(first, second, relation)
            assert (second in found) == expected, (first, second)


@EVERY
@pytest.mark.parametrize("relation", RELATIONS)
def test_distance_is_the_length_of_a_shortest_path(kind, relation):
    """The closed forms against breadth-first search in the space of up to 5 records; 0 from a database to itself."""
    universe = Universe(("a", "b"), kind)
    nodes = set(universe.enumerated(range(6)))
    for first in universe.enumerated(range(4)):
        found = path_distances(first, nodes, lambda x: universe.neighbours(x, relation))
        for second in universe.enumerated(range(4)):
            assert universe.distance(first, second, relation) == found.get(second, INFINITY)
    assert universe.distance(("a",), ("a",), relation) == 0


def test_paths_stay_inside_the_nodes_and_the_number_of_steps():
    """A gap cuts the path, and so does the largest number of steps."""
    line = {0, 1, 2, 4}
    steps = lambda x: (x - 1, x + 1)  # noqa: E731 - the neighbours on a line
    assert path_distances(0, line, steps) == {0: 0, 1: 1, 2: 2}
    assert path_distances(0, line, steps, 1) == {0: 0, 1: 1}


def test_sizes_of_the_spaces():
    """Binomial coefficients, multisets and powers; no set is larger than the universe."""
    assert [len(Universe(("a", "b", "c"), kind).enumerated([2])) for kind in KINDS] == [3, 6, 9]
    assert Universe(("a",), "set").enumerated([2]) == []


def test_canonical_writing():
    """Sets and multisets are in the order of the universe, tuples as they are."""
    assert Universe(("b", "a"), "multiset").database(["a", "b", "a"]) == ("b", "a", "a")
    assert Universe(("b", "a"), "tuple").database(["a", "b"]) == ("a", "b")


def test_what_is_refused():
    """Unknown kinds and records, records twice, and more databases than the limit."""
    with pytest.raises(InputError, match="multiset"):
        Universe(("a",), "bag")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="distinct"):
        Universe(("a", "a"), "set")
    with pytest.raises(InputError, match="universe"):
        Universe(("a",), "set").database(["z"])
    with pytest.raises(InputError, match="at most once"):
        Universe(("a",), "set").database(["a", "a"])
    with pytest.raises(LimitError, match=str(MAX_DATABASES)):
        Universe(("a", "b"), "tuple").enumerated([15])
