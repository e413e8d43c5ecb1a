"""Proposals in doubles: at most a few grid points from the bound they stand for, and never a failure."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.statistics.clopper_pearson import default_grid, lower_bound
from oracle.statistics.proposals import propose_lower_bound


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 10**9), st.sampled_from([mpq(1, 10**12), mpq(1, 480), mpq(1, 40), mpq(1, 2)]), st.data())
def test_proposals_are_close(runs, level, data):
    """Within a hundredth of a per mille of the bound, or one step, so that few tails are computed."""
    hits, grid = data.draw(st.integers(1, runs)), default_grid(runs)
    proposed = propose_lower_bound(hits, runs, level, grid)
    found = lower_bound(hits, runs, level) * grid
    assert abs(proposed - found) <= 1 + found / 10**5


@pytest.mark.parametrize("level", [mpq(1, 10**5000), 1 - mpq(1, 10**5000), mpq(1, 2)])
@pytest.mark.parametrize(("hits", "runs"), [(1, 1), (1, 10**9), (10**9, 10**9), (999_999_999, 10**9)])
def test_whatever_is_asked_there_is_a_proposal(level, hits, runs):
    """A whole number on the grid, at the ends of what doubles hold."""
    assert 0 <= propose_lower_bound(hits, runs, level, 10**9) <= 10**9
