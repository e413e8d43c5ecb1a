"""The last number that satisfies a falling predicate, from any guess."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from oracle.statistics.searching import last_true


@given(st.integers(1, 10**6), st.integers(-10, 2 * 10**6), st.data())
def test_the_last_one_is_found(end, guess, data):
    """Whatever the guess; at most about two logarithms of calls."""
    last = data.draw(st.integers(0, end - 1))
    calls = []

    def holds(j):
        assert 0 < j < end
        calls.append(j)
        return j <= last

    assert last_true(holds, guess, end) == last
    assert len(calls) <= 2 * end.bit_length() + 2
