"""Cross-checks agree with true values, and disagree with wrong ones."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.accountant.composition import Composition
from oracle.accountant.constituents import Constituent
from oracle.accountant.cross_check import cross_check
from oracle.channels.channel import Channel
from oracle.enclosures import Enclosure
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import PoissonSubsampled
from oracle.levels import Level

RESPONSE = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
BAGS = {
    "contour": [(PoissonSubsampled(Gaussian(mpq(1)), mpq(1, 10)), 5)],
    "exact": [(RESPONSE, 6)],
    "grid": [(PoissonSubsampled(Laplace(mpq(1)), mpq(1, 2)), 3)],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BAGS)
def test_true_values_are_confirmed_and_wrong_ones_are_not(name):
    """Two abscissae and the grid, where the parts have them; a value 1/100 off meets none."""
    found = Composition([Constituent(pair, times, {}) for pair, times in BAGS[name]])
    level = Level.of_exponent(mpq(1, 4))
    value = found.hockey_stick(level)
    value = value if isinstance(value, Enclosure) else Enclosure(value, value)
    checks = cross_check(found.constituents, level, "forward", value, digits=4, grid=found.grid("forward"))
    methods = [check.method for check in checks]
    assert methods == (["loss grid"] if name == "grid" else ["contour", "contour", "loss grid"])
    assert all(check.agrees for check in checks)
    if name != "grid":
        assert checks[0].facts["abscissa"] != checks[1].facts["abscissa"]
    off = Enclosure(value.lo + mpq(1, 100), value.hi + mpq(1, 100))
    wrong = cross_check(found.constituents, level, "forward", off, digits=4, grid=found.grid("forward"))
    assert [check.method for check in wrong] == methods
    assert not any(check.agrees for check in wrong)
    assert all(check.value == again.value for check, again in zip(checks, wrong, strict=True))
