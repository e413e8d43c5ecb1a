"""Sums of logarithms, and the Kullback-Leibler divergence of interactive mechanisms."""

from __future__ import annotations

import mpmath
import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.renyi import renyi
from oracle.enclosures import Enclosure
from oracle.errors import InputError
from oracle.exact import INFINITY
from oracle.interactive.concurrent import concurrent_composition
from oracle.interactive.examples import binary_answer, choice_of_two
from oracle.interactive.kullback_leibler import LogSum, tight_kullback_leibler
from oracle.interactive.tree import HALT, InteractiveMechanism
from tests.interactive.interleavings import laws, random_mechanism, seeded


def by_definition(law):
    """Σ p log(p/q) as a sum of logarithms, None for infinite."""
    if any(p and not q for p, q in law):
        return None
    return LogSum.of((p / q, p) for p, q in law if p)


def mixed(*weights):
    return LogSum.of((mpq(r), mpq(c)) for r, c in weights)


@pytest.mark.parametrize(
    ("left", "right", "sign"),
    [
        (mixed(("4", 1)), mixed(("2", 2)), 0),
        (mixed(("6", 1), ("1/3", 1)), mixed(("2", 1)), 0),
        (mixed(("9/4", "1/2")), mixed(("3/2", 1)), 0),
        (mixed(("3", 1)), mixed(("2", 1)), 1),
        (mixed(("2", "19/12")), mixed(("3", 1)), -1),
        (mixed(("2", "84/53")), mixed(("3", 1)), -1),
        (mixed(("2", "485/306")), mixed(("3", 1)), 1),
        (mixed(("2", "1054/665")), mixed(("3", 1)), -1),
    ],
)
def test_signs(left, right, sign):
    """Equal numbers with different terms are found equal, close ones are told apart."""
    assert (left - right).sign() == sign == -(right - left).sign()
    assert ((left - right).independent() == {}) == (sign == 0)


def test_arithmetic():
    """Terms of equal r are added, those that vanish are left out, and 0 times anything is 0."""
    total = mixed(("2", 1)) + mixed(("2", -1), ("3", 2), ("1", 5))
    assert total.terms == ((mpq(3), mpq(2)),)
    assert total.scaled(mpq(0)) == LogSum()
    assert LogSum().enclosure() == 0
    with pytest.raises(InputError, match="a logarithm of a positive number, got 0"):
        mixed(("0", 1))


@pytest.mark.parametrize("seed", range(15))
def test_the_supremum_is_that_of_all_adversaries(seed):
    """Equal, as numbers, to the largest by definition, in both directions."""
    mechanism = random_mechanism(seeded(seed), 3)
    for direction, root in (("forward", mechanism.root), ("backward", mechanism.swapped().root)):
        values = [by_definition(law) for law in laws((root,))]
        found = tight_kullback_leibler(mechanism, direction)
        if None in values:
            assert found == INFINITY
            continue
        signs = [(found - value).sign() for value in values]
        assert min(signs) == 0


@pytest.mark.parametrize("seed", range(10))
def test_concurrent_divergences_add_up(seed):
    """The supremum of the composition is the sum of the suprema."""
    rng = seeded(seed)
    mechanisms = [random_mechanism(rng, 2), random_mechanism(rng, 2)]
    parts = [tight_kullback_leibler(mechanism) for mechanism in mechanisms]
    whole = tight_kullback_leibler(concurrent_composition(mechanisms))
    if INFINITY in parts:
        assert whole == INFINITY
    else:
        assert (whole - (parts[0] + parts[1])).sign() == 0


def test_the_enclosure_overlaps_that_of_the_channel_and_mpmath():
    """KL of (1/2, 1/2) and (1/4, 3/4)."""
    mechanism = InteractiveMechanism(binary_answer(mpq(1, 2), mpq(1, 4)))
    found = tight_kullback_leibler(mechanism).enclosure(25)
    assert isinstance(found, Enclosure)
    other = renyi(Channel([["1/2", "1/2"], ["1/4", "3/4"]]), mpq(1), digits=25).divergence
    assert found.overlaps(other)
    with mpmath.workdps(50):
        text = mpmath.nstr((mpmath.log(2) + mpmath.log(mpmath.mpf(2) / 3)) / 2, 40)
    assert found.overlaps(Enclosure(mpq(text) - mpq(1, 10**38), mpq(text) + mpq(1, 10**38)))


def test_equal_options_and_both_directions():
    """Of two options with equal divergence either is right; the larger direction counts."""
    mechanism = InteractiveMechanism(
        choice_of_two(binary_answer(mpq(1, 3), mpq(1, 2)), binary_answer(mpq(2, 3), mpq(1, 2)))
    )
    both = tight_kullback_leibler(mechanism, "both")
    sides = [tight_kullback_leibler(mechanism, side) for side in ("forward", "backward")]
    assert sorted((both - side).sign() for side in sides) == [0, 1]


def test_infinite_and_impossible_branches():
    """Only the second input's answer counts nothing forward, whatever follows; backward it is infinite."""
    never = binary_answer(mpq(1, 2), mpq(0))
    mechanism = InteractiveMechanism(binary_answer(mpq(0), mpq(1, 2), never, HALT))
    assert (tight_kullback_leibler(mechanism) - mixed(("2", 1))).sign() == 0
    assert tight_kullback_leibler(mechanism, "backward") == INFINITY == tight_kullback_leibler(mechanism, "both")
