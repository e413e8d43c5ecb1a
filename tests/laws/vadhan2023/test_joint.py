"""Joint laws, couplings and the chain rule by definition, on values computed by hand."""

from __future__ import annotations

from gmpy2 import mpq
from hypothesis import given

from oracle.channels.channel import Channel
from oracle.laws.strategies import alphas, two_row_channels
from oracle.laws.vadhan2023._joint import (
    Answered,
    answered_channels,
    chain_rule_by_definition,
    joint_rows,
    marginal,
    mixed_coupling,
    tensor,
)

HALF, QUARTER = mpq(1, 2), mpq(1, 4)
COIN = (HALF, HALF), (QUARTER, 3 * QUARTER)


def test_joint_laws() -> None:
    """A coin 1/2 | 1/4, after 0 nothing, after 1 the coin again."""
    rows = joint_rows(COIN, [((mpq(1),), (mpq(1),)), COIN])
    assert rows == ((HALF, QUARTER, QUARTER), (QUARTER, mpq(3, 16), mpq(9, 16)))


@given(answered_channels())
def test_joint_laws_sum_to_one(answered: Answered) -> None:
    """Whatever the answer and what follows it."""
    first, parts = answered
    rows = joint_rows(first.rows, [part.rows for part in parts])
    assert [sum(row) for row in rows] == [1, 1]
    assert len(rows[0]) == sum(part.shape[1] for part in parts)


def test_kernels_are_drawn_independently() -> None:
    """Rows are products, the last kernel fastest."""
    assert tensor([COIN, COIN]) == ((QUARTER,) * 4, (QUARTER**2, 3 * QUARTER**2, 3 * QUARTER**2, 9 * QUARTER**2))


@given(two_row_channels(3), two_row_channels(3), alphas())
def test_couplings_have_their_marginals(first: Channel, second: Channel, weight: mpq) -> None:
    """The mixture of the independent coupling and the one from the corner, for every weight."""
    x, y = first.rows[0], second.rows[0]
    table = (mixed_coupling(x, y, weight),)
    sizes = [len(x), len(y)]
    assert (marginal(table, sizes, 0), marginal(table, sizes, 1)) == ((x,), (y,))


def test_the_coupling_from_the_corner() -> None:
    """(1/2, 1/2) and (1/4, 3/4) meet at (0, 0) with 1/4, at (0, 1) with 1/4, at (1, 1) with 1/2."""
    assert mixed_coupling(*COIN, mpq(1)) == (QUARTER, QUARTER, 0, HALF)
    assert mixed_coupling(*COIN, mpq(0)) == (mpq(1, 8), mpq(3, 8), mpq(1, 8), mpq(3, 8))


def test_the_chain_rule_by_definition() -> None:
    """A coin 1/2 | 1/4 followed by 1 - α and by 0: all of α is spent where the curve is not 0."""
    line = (mpq(0), mpq(1)), (mpq(1), mpq(0))
    flat = (mpq(0), mpq(0)), (mpq(1), mpq(0))
    values = [chain_rule_by_definition(COIN, [line, flat], alpha) for alpha in (mpq(0), QUARTER, HALF, mpq(1))]
    assert values == [QUARTER, mpq(1, 8), 0, 0]
