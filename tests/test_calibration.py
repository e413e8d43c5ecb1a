"""Calibration of mechanisms, against the formulas of their borders."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import mpmath
import pytest

import oracle
from oracle.calibration import Calibration, narrowing, unknown_fields
from oracle.errors import InputError
from tests.vectors.fixture_files import SCHEMAS, read_json

GAUSSIAN = {"mechanism": "gaussian", "sigma": "?"}
RESPONSE = {"mechanism": "randomized_response", "exp_epsilon": "3"}


def subsampled(rate: str, of: dict[str, Any]) -> dict[str, Any]:
    """Poisson subsampling, a record added or removed."""
    return {"mechanism": "poisson_subsample", "rate": rate, "neighbours": "add_remove", "of": of}


def gaussian_delta(mu: Any, epsilon: int) -> Any:
    """The delta of mu-GDP (Dong, Roth and Su, corollary 2.13)."""
    return mpmath.ncdf(-epsilon / mu + mu / 2) - mpmath.exp(epsilon) * mpmath.ncdf(-epsilon / mu - mu / 2)


def as_mpf(x: Fraction) -> Any:
    """A fraction in the working precision."""
    return mpmath.mpf(x.numerator) / x.denominator


@pytest.mark.parametrize(("times", "digits"), [(1, 6), (1, 20), (100, 10)])
def test_the_noise_of_gaussians(times: int, digits: int) -> None:
    """With k Gaussians of sigma being sqrt(k)/sigma-GDP, at the upper end the target is met, at the lower one not."""
    steps = {"mechanism": "repeat", "times": times, "of": GAUSSIAN}
    found = oracle.calibrate(steps, epsilon=1, delta="1e-5", digits=digits)
    with mpmath.workdps(60):
        low, high = (gaussian_delta(mpmath.sqrt(times) / as_mpf(x), 1) for x in (found.lo, found.hi))
        assert high <= mpmath.mpf("1e-5") < low
    assert (found.field, found.sufficient, found.value, found.reached) == ("sigma", "hi", found.hi, None)
    assert (found.hi - found.lo) * 10**digits <= found.hi


def test_the_scale_of_laplace_noise() -> None:
    """The delta is 1 - exp((epsilon - 1/b)/2), so b = 1/(epsilon - 2 log(1 - delta))."""
    found = oracle.calibrate({"mechanism": "laplace", "scale": "?"}, epsilon=1, delta="1/10", digits=15)
    with mpmath.workdps(40):
        border = 1 / (1 - 2 * mpmath.log(mpmath.mpf(9) / 10))
        assert as_mpf(found.lo) < border <= as_mpf(found.hi)
    assert (found.field, found.sufficient) == ("scale", "hi")
    assert (found.hi - found.lo) * 10**15 <= found.hi


def test_the_rate_of_subsampled_randomized_response() -> None:
    """Forward delta at e^epsilon = 2 is q/2 - 1/4, backward q - 3/4: 1/8 is met up to 3/4, and up to 7/8."""
    for direction, border in (("both", Fraction(3, 4)), ("forward", Fraction(3, 4)), ("backward", Fraction(7, 8))):
        found = oracle.calibrate(subsampled("?", RESPONSE), exp_epsilon=2, delta="1/8", direction=direction)
        assert found.lo <= border < found.hi
        assert (found.field, found.sufficient, found.value) == ("rate", "lo", found.lo)
        assert (found.hi - found.lo) * 10**6 <= found.hi


def test_the_rate_of_a_subsampled_gaussian() -> None:
    """The delta is q D_a'(N(1, 1) ‖ N(0, 1)) with a' = 1 + (a - 1)/q, in the worse direction."""
    found = oracle.calibrate(subsampled("?", {"mechanism": "gaussian", "sigma": "1"}), epsilon=1, delta="1e-3")
    with mpmath.workdps(40):
        values = []
        for x in (found.lo, found.hi):
            q = as_mpf(x)
            level = mpmath.log(1 + (mpmath.e - 1) / q)
            values.append(q * (mpmath.ncdf(0.5 - level) - mpmath.exp(level) * mpmath.ncdf(-0.5 - level)))
        assert values[0] <= mpmath.mpf("1e-3") < values[1]


def test_rate_1_where_all_of_the_range_meets_the_target() -> None:
    """Both ends are 1, the end that meets it is told."""
    found = oracle.calibrate(subsampled("?", RESPONSE), exp_epsilon=3, delta="1/1000")
    assert (found.lo, found.hi, found.value) == (1, 1, 1)


def test_the_most_steps_of_randomized_response() -> None:
    """By the sum over the numbers of true answers, for every number of steps near the border."""

    def delta(k: int, level: Fraction) -> Fraction:
        weights = ((comb(k, j), 10**j * 9 ** (k - j), 10 ** (k - j) * 9**j) for j in range(k + 1))
        return sum((ways * max(Fraction(0), p - level * q) for ways, p, q in weights), Fraction(0)) / 19**k

    steps = {"mechanism": "repeat", "times": "?", "of": {"mechanism": "randomized_response", "exp_epsilon": "10/9"}}
    found = oracle.calibrate(steps, exp_epsilon="5/2", delta="1/1000")
    assert found.hi == found.lo + 1
    assert delta(int(found.lo), Fraction(5, 2)) <= Fraction(1, 1000) < delta(int(found.hi), Fraction(5, 2))
    assert found.to_json() == {
        "field": "times",
        "value": {"lo": str(found.lo), "hi": str(found.hi)},
        "sufficient": "lo",
    }


@pytest.mark.parametrize("mechanism", ["laplace", "discrete_laplace"])
def test_pure_privacy_where_losses_are_bounded(mechanism: str) -> None:
    """Of delta 0 the scale is sensitivity over epsilon, for three steps three times that."""
    noise = {"mechanism": mechanism, "scale": "?", "sensitivity": "2"}
    for of, border in ((noise, 2), ({"mechanism": "repeat", "times": 3, "of": noise}, 6)):
        found = oracle.calibrate(of, epsilon=1, delta=0)
        assert found.lo < border <= found.hi
        assert (found.hi - found.lo) * 10**6 <= found.hi
    steps = {"mechanism": "repeat", "times": "?", "of": {"mechanism": mechanism, "scale": "10"}}
    assert oracle.calibrate(steps, epsilon=1, delta=0).value == 10


@pytest.mark.slow
def test_steps_at_a_small_rate() -> None:
    """Of rate 1e-6; a few steps are decided by total variation, many by Chernoff's bound, and the rest is computed."""
    steps = {"mechanism": "repeat", "times": "?", "of": subsampled("1e-6", {"mechanism": "gaussian", "sigma": "1"})}
    *_, before, last = narrowing(steps, epsilon=1, delta="1e-5")
    assert before.lo <= last.lo < last.hi <= before.hi
    assert last.hi == last.lo + 1
    for times, side in ((last.lo, -1), (last.hi, 1)):
        filled = {**steps, "times": str(times)}
        value = oracle.account(filled, epsilon=1).entries[0]["value"]
        assert Fraction(value["hi" if side < 0 else "lo"]) * side > Fraction(side, 10**5) - Fraction(side, 10**30)


def test_no_step_meets_a_target_that_one_step_misses() -> None:
    """Zero steps meet every target."""
    found = oracle.calibrate({"mechanism": "repeat", "times": "?", "of": RESPONSE}, exp_epsilon=2, delta="1/8")
    assert (found.lo, found.hi, found.value) == (0, 1, 0)


def test_sgd_noise_is_proved_sufficient_and_necessary() -> None:
    """The account at each end, on the two sides of the target."""
    steps = {"mechanism": "repeat", "times": 100, "of": subsampled("0.01", GAUSSIAN)}
    found = oracle.calibrate(steps, epsilon=1, delta="1e-5", digits=4)
    assert found.sufficient == "hi"
    deltas = []
    for sigma in (found.lo, found.hi):
        filled = {"mechanism": "repeat", "times": 100, "of": subsampled("0.01", {**GAUSSIAN, "sigma": str(sigma)})}
        deltas.append(oracle.account(filled, epsilon=1, digits=10).entries[0]["value"])
    assert Fraction(deltas[0]["lo"]) > Fraction(1, 10**5) >= Fraction(deltas[1]["hi"])


@pytest.mark.parametrize(
    ("mechanism", "options", "message"),
    [
        ({"mechanism": "gaussian", "sigma": "1"}, {"epsilon": 1}, r'exactly one field with "\?", got 0'),
        ({"mechanism": "compose", "of": [GAUSSIAN, GAUSSIAN]}, {"epsilon": 1}, r'exactly one field with "\?", got 2'),
        ({"mechanism": "gaussian", "sigma": "1", "sensitivity": "?"}, {"epsilon": 1}, "in the place of sigma, scale"),
        ({"mechanism": "gaussian", "sigma": "?", "sigmas": "1"}, {"epsilon": 1}, "expected only the keys"),
        (subsampled("2", GAUSSIAN), {"epsilon": 1}, "a rate between 0 and 1"),
        (GAUSSIAN, {}, "exp_epsilon"),
        (GAUSSIAN, {"epsilon": 1, "exp_epsilon": 3}, "exp_epsilon"),
        (GAUSSIAN, {"epsilon": -1}, "epsilon"),
        (GAUSSIAN, {"epsilon": 1, "digits": 0}, "digits"),
        (GAUSSIAN, {"epsilon": 1, "delta": "0"}, "a delta above 0, as losses of this mechanism are unbounded"),
        (GAUSSIAN, {"epsilon": 1, "delta": "1"}, "a delta below 1"),
        (GAUSSIAN, {"epsilon": "inf"}, "a finite epsilon"),
        (GAUSSIAN, {"epsilon": 1, "delta": "2"}, "delta between 0 and 1"),
        (GAUSSIAN, {"epsilon": 1, "direction": "left"}, "direction"),
    ],
)
def test_bad_input_is_refused(mechanism: dict[str, Any], options: dict[str, Any], message: str) -> None:
    """No field to find, two, one that cannot be found, and what is wrong elsewhere."""
    with pytest.raises(InputError, match=message):
        oracle.calibrate(mechanism, **{"delta": "1e-5", **options})


def test_fields_are_found_at_any_depth() -> None:
    """In objects and in lists, in their order; the question mark elsewhere is refused with its place."""
    nested = {"mechanism": "compose", "of": [GAUSSIAN, subsampled("?", {"mechanism": "laplace", "scale": "?"})]}
    assert list(unknown_fields(nested)) == ["sigma", "rate", "scale"]
    with pytest.raises(InputError, match=r"^of\[0\]\.sensitivity: "):
        list(unknown_fields({"of": [{"sensitivity": "?"}]}))


def test_the_json_encloses_the_ends() -> None:
    """Decimals rounded outwards, and the digits where they are fewer."""
    found = Calibration("sigma", Fraction(1, 3), Fraction(2, 3), "hi", 0)
    document = found.to_json()
    assert Fraction(document["value"]["lo"]) <= Fraction(1, 3)
    assert Fraction(2, 3) <= Fraction(document["value"]["hi"])
    assert document["reached"] == 0
    fields = read_json(SCHEMAS / "account.schema.json")["$defs"]["calibration"]["properties"]
    assert set(document) <= set(fields)
