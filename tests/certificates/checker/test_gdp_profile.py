"""Certificates of noise formulas against mu-GDP: what each condition refuses, and the brackets behind them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oracle.certificates.checker import Accepted, Rejected, check
from oracle.certificates.checker.gdp_formulas import delta_at, delta_mu, read_formula, turning_sign
from tests.certificates.checker import gdp_profile_truth as truth
from tests.certificates.checker.documents import DOCUMENTS, certificate
from tests.certificates.checker.gdp_profile_documents import ICEA, LAPLACE, SGD

HELD = DOCUMENTS["gdp_profile: squared exponential"]
SMOOTH = DOCUMENTS["gdp_profile: Laplace"]
ZERO = DOCUMENTS["gdp_profile_refuted: at zero"]
AFTER = DOCUMENTS["gdp_profile_refuted: after the turning point"]
END = DOCUMENTS["gdp_profile_refuted: in the end"]
NONE = DOCUMENTS["gdp_profile_refuted: no mu"]


def changed(document, **fields):
    """The document with other fields, sealed again."""
    kept = {key: value for key, value in document.items() if key not in ("certificate", "version", "digest")}
    return certificate(document["certificate"], **{**kept, **fields})


@pytest.mark.parametrize(
    ("document", "fields", "reason"),
    [
        (HELD, {"mu": "37/20"}, "does not prove the head"),
        (HELD, {"mu": "0"}, "number > 0"),
        (HELD, {"cells": []}, "1 to 5000 points"),
        (HELD, {"cells": ["19/16", "2", "3/2", "3"]}, "strictly increasing"),
        (HELD, {"cells": ["1/2", "3/2", "2", "3"]}, "does not prove the head"),
        (HELD, {"cells": ["19/16", "5/2", "3"]}, "above delta_mu"),
        (HELD, {"cells": ["19/16", "3/2", "2"]}, "tail begins too early"),
        (HELD, {"cells": ["19/16", "3/2", "20000"]}, "too large"),
        (HELD, {"profile": {**SGD, "factor": "1/2"}}, "out of its range"),
        (HELD, {"profile": {**SGD, "rate": "1/8"}}, "head"),
        (HELD, {"profile": {**SGD, "rate": "1/10"}, "cells": ["2", "4", "6", "8"], "mu": "2"}, "head"),
        (HELD, {"profile": {**SGD, "rate": "1/100"}, "cells": ["2"], "mu": "7"}, "more slowly"),
        (HELD, {"profile": ICEA}, "not that of a Gaussian"),
        (HELD, {"profile": {"formula": "constant", "delta": "0"}}, "out of its range"),
        (HELD, {"profile": {"formula": "gaussian"}}, "expected one of"),
        (HELD, {"profile": {**SGD, "theta": "1"}}, "unknown field"),
        (HELD, {"profile": "sgd"}, "expected an object"),
        (SMOOTH, {"cells": ["1"]}, "no cells"),
        (SMOOTH, {"mu": "9/5"}, "delta\\(0\\) is too large"),
        (ZERO, {"mu": "19/10"}, "not above"),
        (ZERO, {"turning": None}, "expected a list"),
        (ZERO, {"turning": ["1"]}, "expected \\[lo, hi\\]"),
        (ZERO, {"turning": ["6/5", "5/4"]}, "not before the turning point"),
        (ZERO, {"turning": ["1", "11/10"]}, "not after the turning point"),
        (ZERO, {"profile": ICEA, "turning": ["1/2", "5/4"]}, "not below 1"),
        (ZERO, {"at": "1", "turning": None}, "not after the turning point"),
        (AFTER, {"turning": ["1", "5/4"]}, "no turning point"),
        (AFTER, {"at": "2"}, "not above"),
        (AFTER, {"mu": "any"}, "canonical number"),
        (END, {"mu": "3/4"}, "expected an eps"),
        (END, {"profile": LAPLACE}, "expected an eps"),
        (END, {"turning": ["1", "5/4"]}, "expected null"),
        (NONE, {"profile": SGD}, "expected an eps"),
        (NONE, {"mu": "-1"}, "number >= 0"),
    ],
)
def test_what_is_rejected(document, fields, reason):
    """One condition fails at a time."""
    with pytest.raises(Rejected, match=reason):
        check(changed(document, **fields))


def test_huge_exponents_are_bracketed_or_refused():
    """A delta of e^(-10^9) is 0 to within e^-16384, and a tail far out is cut."""
    fast = changed(HELD, profile={**SGD, "rate": "1000"}, mu="1", cells=["3/25", "1", "4"])
    assert isinstance(check(fast), Accepted)
    with pytest.raises(Rejected, match="exponent"):
        check(changed(AFTER, at="200"))


@pytest.mark.parametrize("profile", [SGD, ICEA, LAPLACE, {**SGD, "factor": "10", "rate": "3/7"}])
@pytest.mark.parametrize("x", [Fraction(1, 3), Fraction(2), Fraction(17, 4)])
def test_brackets_contain_what_balls_enclose(profile, x):
    """The formula and delta_mu at 96 bits against python-flint."""
    formula = read_formula(profile)
    for low, high, value in (
        (*delta_at(formula, x, 96), truth._formula(profile)(truth._ball(x))),
        (*delta_mu(Fraction(3, 2), x, 96), truth._delta_mu(truth._ball("3/2"), truth._ball(x))),
    ):
        assert not value < truth._ball(low)
        assert not value > truth._ball(high)
        assert high - low < Fraction(1, 1 << 80)


@pytest.mark.parametrize("profile", [SGD, ICEA])
def test_the_sign_at_the_turning_point_is_that_of_the_search(profile):
    """Negative before the place of the largest H, positive after it."""
    place, _ = truth._best(tuple(sorted(profile.items())))
    scaled = Fraction(int((place * 2**40).floor().fmpz()), 2**40)
    assert turning_sign(read_formula(profile), scaled - Fraction(1, 1000), 96)[1] < 0
    assert turning_sign(read_formula(profile), scaled + Fraction(1, 1000), 96)[0] > 0
