"""Hypothesis strategies for the laws of liu2022: mu, epsilon, guarantees, and channels with a mu of their own."""

from __future__ import annotations

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from oracle.channels.channel import Channel
from oracle.laws.strategies import alphas, rational_levels, two_row_channels

__all__ = ["epsilons", "guarantee_lists", "mus", "overlapping_channels", "tails_of_mu"]


def mus() -> SearchStrategy[mpq]:
    """Mu > 0, from a millionth to a hundred."""
    special = [mpq(1), mpq(2), mpq(4), mpq(1, 2), mpq(1, 10**6), mpq(100)]
    return st.one_of(st.builds(mpq, st.integers(1, 24), st.sampled_from([1, 4, 5, 8])), st.sampled_from(special))


def epsilons() -> SearchStrategy[mpq]:
    """Epsilon >= 0, 0 and 1000 included."""
    special = [mpq(0), mpq(1), mpq(20), mpq(1000), mpq(1, 10**6)]
    return st.one_of(st.builds(mpq, st.integers(0, 60), st.sampled_from([1, 4, 7, 10])), st.sampled_from(special))


def tails_of_mu() -> SearchStrategy[tuple[mpq, mpq]]:
    """(mu, a) with a = eps/mu - mu/2 > 0, from next to 0 to far out."""
    distance = st.one_of(
        st.builds(mpq, st.integers(1, 80), st.sampled_from([1, 4, 7])), st.sampled_from([mpq(1, 10**6), mpq(500)])
    )
    return st.tuples(mus(), distance)


def guarantee_lists(max_size: int = 3) -> SearchStrategy[list[tuple[mpq, mpq]]]:
    """One to three pairs (e^eps, delta)."""
    small = st.builds(lambda a, b: 1 + mpq(a, b), st.integers(0, 12), st.integers(1, 4))
    level = st.one_of(small, rational_levels(1))
    return st.lists(st.tuples(level, alphas()), min_size=1, max_size=max_size)


def overlapping_channels(max_columns: int = 5) -> SearchStrategy[Channel]:
    """Two-row channels whose two laws differ and have the same null sets, so that some mu > 0 serves."""

    def overlap(channel: Channel) -> bool:
        p, q = channel.rows
        return p != q and all(bool(a) == bool(b) for a, b in zip(p, q, strict=True))

    return two_row_channels(max_columns).filter(overlap)
