"""What an OpenDP measurement claims, by stand-ins with its map and measure."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import pytest

from oracle.audits.opendp_claims import claim_of_measurement
from oracle.audits.run import audit
from oracle.errors import Declined, InputError

FAIR = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}


def measurement(measure, value):
    """A stand-in whose map gives a value at distance 1."""
    return SimpleNamespace(output_measure=measure, map=lambda distance: {1: value}[distance])


def test_a_map_of_max_divergence_is_a_claim_of_epsilon():
    """The double, exactly: here just above log(3), so that the claim holds with no equality."""
    claim = claim_of_measurement(measurement("MaxDivergence", 1.0986122886681098), 1)
    assert claim.to_json() == {"epsilon": str(Fraction(1.0986122886681098)), "delta": "0"}
    report = audit(FAIR, claim)
    assert (report.verdict, report.equality) == ("holds", False)


def test_a_map_below_the_truth_is_refuted():
    """One unit in the last place less."""
    claim = claim_of_measurement(measurement("MaxDivergence", 1.0986122886681096), 1)
    assert audit(FAIR, claim).verdict == "refuted"


def test_other_measures():
    """Approximate, smoothed at a delta, zero-concentrated; an infinite epsilon claims nothing."""
    assert claim_of_measurement(measurement("Approximate(MaxDivergence)", (0.5, 0.25)), 1).to_json() == {
        "epsilon": "1/2",
        "delta": "1/4",
    }
    assert claim_of_measurement(measurement("ZeroConcentratedDivergence", 0.5), 1).to_json() == {"rho": "1/2"}
    profile = SimpleNamespace(epsilon=lambda delta: 2 * delta)
    assert claim_of_measurement(measurement("SmoothedMaxDivergence", profile), 1, delta=0.25).to_json() == {
        "epsilon": "1/2",
        "delta": "1/4",
    }
    infinite = claim_of_measurement(measurement("MaxDivergence", float("inf")), 1)
    assert infinite.level.is_infinite


def test_what_is_refused():
    """No measurement, a profile without a delta, a measure of another kind."""
    with pytest.raises(InputError, match="map and output_measure"):
        claim_of_measurement(5, 1)
    with pytest.raises(InputError, match="a delta"):
        claim_of_measurement(measurement("SmoothedMaxDivergence", None), 1)
    with pytest.raises(Declined, match="RenyiDivergence"):
        claim_of_measurement(measurement("RenyiDivergence", None), 1)


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        *(("MaxDivergence", x) for x in (-1.0, "1.0", None, float("nan"), (1.0, 0.0), True)),
        *(("Approximate(MaxDivergence)", x) for x in ((1.0, 2.0), (1.0, -0.1), 1.0, (1.0,), (1.0, float("nan")))),
        *(("ZeroConcentratedDivergence", x) for x in (-1.0, float("inf"))),
        ("SmoothedMaxDivergence", 1.0),
    ],
)
def test_numbers_that_make_no_claim_are_refused(measure, value):
    """Negative, text, no pair, a delta above 1, no profile."""
    with pytest.raises(InputError, match="map"):
        claim_of_measurement(measurement(measure, value), 1, delta=0.25)
