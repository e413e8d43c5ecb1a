"""The privacy loss: its law, moments, the identity of theorem 6, and the strictness of the tails."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.loss import atoms, infinite_loss_mass, moment, moment_by_profile, tail, tail_difference
from oracle.channels.renyi import renyi
from oracle.errors import InputError
from oracle.exact import INFINITY
from oracle.laws.strategies import two_row_channels

WARNER = Channel([["2/3", "1/3"], ["1/3", "2/3"]])
CERTAIN = Channel([["1/2", "1/2", "0"], ["0", "1/4", "3/4"]])
levels = st.sampled_from([mpq(1, 3), mpq(1, 2), mpq(1), mpq(3, 2), mpq(2), mpq(3), mpq(7)])


@given(two_row_channels())
def test_the_atoms_are_the_law_of_the_loss(channel):
    """Masses sum to 1 and losses fall; each is the ratio of some column."""
    found = atoms(channel)
    assert sum(atom.mass for atom in found) == 1
    assert [a.exp_loss for a in found] == sorted({a.exp_loss for a in found}, reverse=True)
    for atom in found:
        matching = [p for p, q in zip(*channel.rows, strict=True) if p and (p / q if q else INFINITY) == atom.exp_loss]
        assert sum(matching) == atom.mass


@given(two_row_channels(), levels)
def test_the_hockey_stick_is_the_difference_of_tails_with_equal_strictness(channel, level):
    """Strict with strict and weak with weak give D_a, atoms and infinite losses included."""
    truth = hockey_stick(channel, level)
    assert tail_difference(channel, level) == truth
    assert tail_difference(channel, level, upper_strict=False, lower_strict=False) == truth


def test_mixed_strictness_is_wrong_at_an_atom():
    """P = (2/3, 1/3), Q reversed, a = 2: D = 0, and the mixed differences are -2/3 and 2/3."""
    assert hockey_stick(WARNER, mpq(2)) == 0
    assert tail_difference(WARNER, mpq(2), upper_strict=True, lower_strict=False) == mpq(-2, 3)
    assert tail_difference(WARNER, mpq(2), upper_strict=False, lower_strict=True) == mpq(2, 3)


@given(two_row_channels(), st.integers(1, 4))
def test_the_moment_is_the_integral_of_the_profile(channel, s):
    """The identity of theorem 6, both sides infinite together; it is the Rényi moment of order s + 1."""
    assert moment(channel, s) == moment_by_profile(channel, s) == renyi(channel, mpq(s + 1)).moment


def test_examples():
    """An infinite loss of mass 1/2, and moments of either sign."""
    assert atoms(CERTAIN) == [(INFINITY, mpq(1, 2)), (mpq(2), mpq(1, 2))]
    assert infinite_loss_mass(CERTAIN) == mpq(1, 2)
    assert infinite_loss_mass(CERTAIN.swapped()) == mpq(3, 4)
    assert infinite_loss_mass(WARNER) == 0
    assert [moment(CERTAIN, s) for s in (-1, 0, 1)] == [mpq(1, 4), 1, INFINITY]
    assert tail(CERTAIN, mpq(2), strict=True) == mpq(1, 2)
    assert tail(CERTAIN, mpq(2), strict=False) == 1
    assert tail(CERTAIN, INFINITY, strict=False) == mpq(1, 2)


def test_domains():
    """The identity is for s >= 1, the tails for levels above 0, the loss for full two-row channels."""
    with pytest.raises(InputError):
        moment_by_profile(WARNER, 0)
    with pytest.raises(InputError):
        tail_difference(WARNER, mpq(0))
    with pytest.raises(InputError):
        atoms(Channel([["1"], ["1"], ["1"]]))
