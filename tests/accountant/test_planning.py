"""Proposals: the saddle, the scale of delta, lines and their limits."""

from __future__ import annotations

from math import log

import pytest
from flint import arb
from gmpy2 import mpq

from oracle.accountant.closed_form_parts import Gaussian
from oracle.accountant.parts import compose
from oracle.accountant.planning import Cumulants, Setting, epsilon_hint, estimate, minimise, plan, saddle
from oracle.accountant.subsampled_gaussian import SubsampledGaussian
from oracle.errors import LimitError
from oracle.experiments.gaussian import Gaussian as GaussianPair
from oracle.levels import Level


@pytest.mark.parametrize("eps", [mpq(1, 2), mpq(3), mpq(9)])
def test_the_estimate_is_near_a_gaussian_delta(eps):
    """Within a factor 1.5, and its eps is found again."""
    cumulants = Cumulants(compose([(Gaussian(mpq(1, 16)), 16)]))
    c = saddle(cumulants, float(eps))
    scale = estimate(cumulants, float(eps), c)
    truth = GaussianPair(mpq(1)).hockey_stick(Level.of_exponent(eps), "forward", 15)
    ratio = arb(scale).exp() / arb(str(float(truth.lower)))
    assert arb("0.66") < ratio < arb("1.5")
    found, _ = epsilon_hint(cumulants, scale)
    assert abs(found - float(eps)) < 0.05


def test_a_minimum_is_found_where_the_right_side_is_infinite():
    """(x - 2)² on [0, 3], infinite from 2.5 on."""
    assert abs(minimise(lambda x: (x - 2) ** 2 if x < 2.5 else float("inf"), 0, 100, 60) - 2) < 1e-3


def test_a_plan_keeps_to_the_limit_of_nodes():
    """The case sigma 0.3, rate 1e-4, 1000 steps takes thousands of nodes, not the hundred thousands of its saddle."""
    composition = compose([(SubsampledGaussian.of(mpq(3, 10), mpq(1, 10_000)), 1000)])
    cumulants = Cumulants(composition)
    c, goal = saddle(cumulants, 1.0), log(6e-15)
    found = plan(Setting(composition, cumulants, (1.0, 1.0), (goal, goal), 100_000), c)
    assert found.count < 10_000
    assert found.c < -1
    assert found.right > 0
    assert found.left >= 1
    with pytest.raises(LimitError, match="nodes"):
        plan(Setting(composition, cumulants, (1.0, 1.0), (goal, goal), 100), c)


def test_a_line_for_a_small_delta_lies_near_the_saddle():
    """Where far from it F is e^250 times as large: few nodes of few bits."""
    composition = compose([(SubsampledGaussian.of(mpq(1), mpq(1, 100)), 1000)])
    cumulants = Cumulants(composition)
    c, goal = saddle(cumulants, 85.5), -690.0 - 12 * log(10)
    found = plan(Setting(composition, cumulants, (85.5, 85.5), (goal, goal), 100_000), c)
    assert found.c > mpq(4, 5) * mpq(c)
    assert found.count < 1500
    assert found.bits < 250


def test_cumulants_are_infinite_where_a_part_is_out_of_reach():
    """An abscissa that is not finite, and a parameter beyond binary64."""
    cumulants = Cumulants(compose([(Gaussian(mpq(10) ** 700), 1)]))
    assert cumulants(1.0) == cumulants(float("inf")) == float("inf")
    assert cumulants(-1.0) == 0
