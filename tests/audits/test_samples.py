"""Raw samples: every run is counted once, whatever the form of the counts."""

from __future__ import annotations

from collections import Counter

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.audits.observations import observations_from_bytes
from oracle.audits.samples import count_outcomes, count_pairs, counts_csv, read_samples, read_two_samples
from oracle.errors import InputError

runs = st.lists(st.sampled_from(["0", "1/2", "1", "3", "-2.5"]), min_size=2, max_size=30)


@given(runs, runs)
def test_outcomes_are_counted(first, second):
    """Against a counter; what is written as CSV is read as the same."""
    table = count_outcomes((first, second))
    assert list(table.outcomes) == sorted({*first, *second})
    for counts, samples in ((table.first, first), (table.second, second)):
        assert dict(zip(table.outcomes, counts, strict=True)) == {
            **dict.fromkeys(table.outcomes, 0),
            **Counter(samples),
        }
    assert observations_from_bytes(counts_csv(table).encode(), "f", form="csv").seen == table


@given(runs, runs)
def test_a_split_counts_every_run_once(first, second):
    """The runs that choose and the counted ones together are all runs."""
    table = count_outcomes((first, second), split=True)
    whole = count_outcomes((first, second))
    assert table.choosing is not None
    assert tuple(map(sum, zip(table.first, table.choosing[0], strict=True))) == whole.first
    assert tuple(map(sum, zip(table.second, table.choosing[1], strict=True))) == whole.second


@given(runs, runs)
def test_intervals_are_half_open(first, second):
    """A number at a threshold is above it."""
    table = count_outcomes((first, second), [mpq(1), mpq(1, 2)])
    assert table.outcomes == ("x >= 1", "1/2 <= x < 1", "x < 1/2")
    above = sum(mpq(x) >= 1 for x in first)
    between = sum(mpq(1, 2) <= mpq(x) < 1 for x in first)
    assert table.first == (above, between, len(first) - above - between)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("ab")), min_size=1, max_size=20))
def test_pairs_are_counted(pairs):
    """By which of the two runs had the event."""
    first, second = ([pair[k] for pair in pairs] for k in (0, 1))
    if {*first, *second} != {"a", "b"}:
        with pytest.raises(InputError):
            count_pairs((first, second), ["a"])
        return
    found = count_pairs((first, second), ["a"])
    expected = Counter(pairs)
    assert (found.both, found.first_only) == (expected["a", "a"], expected["a", "b"])
    assert (found.second_only, found.neither) == (expected["b", "a"], expected["b", "b"])


def test_reading():
    """Two columns under their header, or two texts with an outcome on each line."""
    assert read_samples("input,outcome\nD,x\nDprime,y\nD,z\n", ",", "f") == (["x", "z"], ["y"])
    assert read_two_samples(("x\n\n z \n", "y"), ("f", "g")) == (["x", "z"], ["y"])
