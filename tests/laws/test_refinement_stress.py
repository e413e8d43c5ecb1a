"""k-fold randomized response and hair-breadth gaps: an answer always comes and is never wrong."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.refinement import Separation, Witness, refine
from tests.laws import reference
from tests.laws.test_refinement_laws import check_evidence

STRONG, WEAK = Fraction(3, 4), Fraction(7, 10)
FOLDS = [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 33, 48, 64, 96, 127, 128]
GAPS = [10, 16, 33, 52, 53, 64, 128, 250, 500, 1000]


def folded(truth: Fraction, k: int) -> Channel:
    return Channel(reference.folded_randomized_response(truth, k))


def check_folds(k: int) -> None:
    strong, weak = folded(STRONG, k), folded(WEAK, k)
    down, up = refine(strong, weak), refine(weak, strong)
    assert isinstance(down, Witness)
    assert down.product(strong) == weak.rows
    assert all(weight > 0 for _, _, weight in down.entries)
    assert isinstance(up, Separation)
    assert up.left < up.right


@pytest.mark.parametrize("k", FOLDS)
def test_the_fold_of_the_more_truthful_response_refines_to_the_other_and_not_back(k: int) -> None:
    check_folds(k)


@pytest.mark.slow
@pytest.mark.parametrize("k", [200, 300])
def test_three_hundred_folds(k: int) -> None:
    check_folds(k)


@pytest.mark.parametrize("k", range(1, 11))
def test_the_unmerged_folds_have_the_same_verdict(k: int) -> None:
    strong, weak = (Channel(reference.unmerged_randomized_response(t, k)) for t in (STRONG, WEAK))
    assert strong.shape == (2, 2**k)
    down, up = refine(strong, weak), refine(weak, strong)
    assert isinstance(down, Witness)
    assert down.product(strong) == weak.rows
    assert isinstance(up, Separation)
    assert refine(strong, folded(STRONG, k)).holds
    assert refine(folded(STRONG, k), strong).holds


@pytest.mark.parametrize("bits", GAPS)
def test_randomized_response_off_by_a_gap(bits: int) -> None:
    gap = mpq(1, 2**bits)
    truth = mpq(3, 4)
    here = Channel([[truth, 1 - truth], [1 - truth, truth]])
    less = Channel([[truth - gap, 1 - truth + gap], [1 - truth + gap, truth - gap]])
    assert check_evidence(here, less)
    assert not check_evidence(less, here)


@pytest.mark.parametrize("bits", GAPS)
@pytest.mark.parametrize("k", [8, 32])
def test_folds_off_by_a_gap(bits: int, k: int) -> None:
    """The 'no' has its gap in one single-response probability, k-fold."""
    here = folded(STRONG, k)
    less = folded(STRONG - Fraction(1, 2**bits), k)
    down, up = refine(here, less), refine(less, here)
    assert isinstance(down, Witness)
    assert down.product(here) == less.rows
    assert isinstance(up, Separation)
    assert up.left < up.right


@pytest.mark.parametrize("bits", GAPS)
def test_a_corner_just_on_and_just_off_the_curve(bits: int) -> None:
    """T of the 6-fold response at the middle of a segment, its type II error lowered and raised by the gap."""
    channel = folded(STRONG, 6)
    (a0, b0), (a1, b1) = reference.tradeoff(channel.matrix)[2:4]
    alpha, beta, gap = (a0 + a1) / 2, (b0 + b1) / 2, Fraction(1, 2**bits)
    verdicts = [
        check_evidence(channel, Channel([[1 - alpha, alpha], [beta + step, 1 - beta - step]]))
        for step in (-gap, Fraction(0), gap)
    ]
    assert verdicts == [False, True, True]
