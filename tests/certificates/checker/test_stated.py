"""Claims as a report states them: read strictly, in words, and as `--claim` takes them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oracle.certificates.checker import Rejected
from oracle.certificates.checker.stated import DivergenceClaim, claim_text, claim_words, read_claim
from oracle.claims import claim_text as written
from oracle.claims import parse_claim

CURVE = {"tradeoff": {"breakpoints": [["0", "1"], ["1/4", "1/4"], ["1", "0"]]}}


@pytest.mark.parametrize(
    ("parsed", "about"),
    [
        ({"exp_epsilon": "3", "delta": "1/4"}, "approximate_dp"),
        ({"exp_epsilon": "1", "delta": "0"}, "approximate_dp"),
        ({"exp_epsilon": "inf", "delta": "0"}, "approximate_dp"),
        ({"epsilon": "1/2", "delta": "0"}, "approximate_dp"),
        (CURVE, "tradeoff"),
        ({"mu": "1/2"}, "divergence"),
        ({"rho": "1/2"}, "divergence"),
        ({"order": "2", "epsilon": "1/2"}, "divergence"),
        ({"order": "3/2", "exp_epsilon": "3"}, "divergence"),
        ({"order": "inf", "exp_epsilon": "1"}, "divergence"),
        ({"order": "2", "exp_epsilon": "inf"}, "divergence"),
        ({"mu": "1" * 200}, "divergence"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_the_words_are_those_of_the_engine(parsed, about):
    """Two implementations say the same, for people and for the command line."""
    claim = parse_claim(parsed)
    assert claim_words(parsed, "$") == (claim.describe(), about)
    if "tradeoff" in parsed:
        assert claim_text(parsed) == "f with 3 corners"
    elif "delta" in parsed:
        assert written(claim).startswith(claim_text(parsed))
    elif len(str(parsed)) < 100:
        assert claim_text(parsed) == written(claim)


def test_the_number_claimed():
    """Of mu and rho; an order has an epsilon, which may be a logarithm."""
    assert read_claim({"mu": "1/2"}, "$") == DivergenceClaim("mu", Fraction(1, 2))
    assert read_claim({"rho": "2"}, "$") == DivergenceClaim("rho", Fraction(2))
    assert read_claim({"order": "2", "epsilon": "1"}, "$") == DivergenceClaim("order", None)


@pytest.mark.parametrize(
    "parsed",
    [
        None,
        [],
        {},
        {"mu": "-1"},
        {"mu": "inf"},
        {"mu": "0.5"},
        {"mu": "1", "delta": "0"},
        {"rho": "1", "mu": "1"},
        {"rho": 1},
        {"order": "0", "epsilon": "1"},
        {"order": "2"},
        {"tradeoff": [], "mu": "1"},
    ],
    ids=str,
)
def test_malformed_claims_are_rejected(parsed):
    """Whatever is not exactly one of the shapes."""
    with pytest.raises(Rejected):
        read_claim(parsed, "$")
