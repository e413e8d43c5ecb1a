"""Steps of symbolic proofs: what is confirmed, and what is refused."""

from __future__ import annotations

import pytest
import sympy

from oracle.laws.proving import Derivation, Domain, ProofError


def test_a_parameter_without_a_range_is_refused() -> None:
    """A symbol that was never declared has no sign."""
    with pytest.raises(ProofError, match="without a range"):
        Derivation().positive("free", sympy.Symbol("x") ** 2 + 1, Domain())


def test_a_denominator_that_may_vanish_is_refused() -> None:
    """1/γ is not positive on [0, 1]."""
    domain = Domain()
    gamma = domain.between("gamma")
    with pytest.raises(ProofError, match="not proved"):
        Derivation().positive("pole", 1 / gamma, domain)


def test_a_shape_that_differs_is_refused() -> None:
    """Lists of different lengths are no identity."""
    with pytest.raises(ProofError, match="shapes"):
        Derivation().identities("shapes", [(1, 2)], [(1,)])


def test_steps_are_kept_in_order() -> None:
    """A finished proof lists what was checked."""
    steps, domain = Derivation(), Domain()
    x = domain.at_least("x", 0)
    steps.identity("first", (x + 1) ** 2, x**2 + 2 * x + 1)
    steps.positive("second", x + 1, domain)
    steps.identities("third", [(x, 1)], [(x, 1)])
    proof = steps.done("n", "s", ["c"])
    assert (proof.name, proof.statement, proof.claims) == ("n", "s", ("c",))
    assert proof.steps == ("first", "second", "third")


@pytest.mark.parametrize(
    ("above", "below", "low_strict", "high_strict"),
    [(False, False, False, False), (True, False, True, False), (False, True, False, True), (True, True, True, True)],
)
def test_ends_of_a_range_count(above: bool, below: bool, low_strict: bool, high_strict: bool) -> None:
    """Both x > 0 and 1 - x > 0 are proved exactly where the end is left out."""
    domain = Domain()
    x = domain.between("x", above=above, below=below)
    assert domain.is_positive(x) == low_strict
    assert domain.is_positive(1 - x) == high_strict
    assert domain.is_positive(x, strictly=False)
    assert domain.is_positive(1 - x, strictly=False)
    assert domain.is_positive(1 + x)
    assert not domain.is_positive(x - 2, strictly=False)


def test_zero_is_weakly_positive_only() -> None:
    """0 >= 0 and not 0 > 0."""
    domain = Domain()
    x = domain.at_least("x", 1)
    assert domain.is_positive(x - x, strictly=False)
    assert not domain.is_positive(x - x)


def test_a_minimum_counts() -> None:
    """E >= 1 gives E - 1 >= 0, and E > 1 gives E - 1 > 0."""
    closed, opened = Domain(), Domain()
    assert not closed.is_positive(closed.at_least("E", 1) - 1)
    assert opened.is_positive(opened.at_least("E", 1, strictly=True) - 1)


def test_a_quotient_of_negatives_is_positive() -> None:
    """(-1 - x)/(-2 - x) > 0."""
    domain = Domain()
    x = domain.at_least("x", 0)
    assert domain.is_positive((-1 - x) / (-2 - x))
    assert not domain.is_positive((1 + x) / (-2 - x), strictly=False)
