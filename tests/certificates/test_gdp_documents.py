"""Certificates of noise formulas: made, accepted by the checker, and refused outside the family."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.certificates.checker import check
from oracle.certificates.gdp_documents import gdp_profile_certificate, no_mu_certificate
from oracle.errors import InputError, UncertifiedError
from oracle.gaussian_dp.examples import EXAMPLES, OscillatingProfile
from oracle.gaussian_dp.noise_formulas import ConstantProfile, LaplaceProfile, Reciprocal, SquaredExponential
from oracle.gaussian_dp.tight_mu import tight_mu

PROFILES = {
    **EXAMPLES,
    "fast": SquaredExponential(mpq(5), mpq(100)).refined(),
    "slow": SquaredExponential(mpq(1, 100)).refined(),
    "very fast": SquaredExponential(mpq(1000)).refined(),
    "narrow": LaplaceProfile(mpq(1, 10)),
    "reciprocal": Reciprocal(mpq(1, 10)).refined(),
    "constant": ConstantProfile(mpq(1, 3)),
}


@pytest.mark.parametrize("name", PROFILES)
def test_both_sides_of_the_tight_mu_are_certified(name):
    """Held a little above it, refuted a little below, at any mu where there is none."""
    profile = PROFILES[name]
    value = tight_mu(profile, 8).value
    if not hasattr(value, "lo"):
        assert check(no_mu_certificate(profile)).kind == "gdp_profile_refuted"
        for mu in (mpq(1, 2), mpq(1), mpq(4)):
            assert gdp_profile_certificate(profile, mu)["certificate"] == "gdp_profile_refuted"
        return
    for mu, kind in ((value.hi + mpq(1, 10**6), "gdp_profile"), (value.lo - mpq(1, 10**6), "gdp_profile_refuted")):
        document = gdp_profile_certificate(profile, mu)
        assert document["certificate"] == kind
        assert check(document).kind == kind


def test_mu_zero_is_refuted():
    """Whatever leaks is not 0-GDP."""
    for profile in EXAMPLES.values():
        document = gdp_profile_certificate(profile, mpq(0))
        assert (document["certificate"], document["at"]) == ("gdp_profile_refuted", "0")


def test_other_profiles_are_refused():
    """Unrefined formulas, other profiles, a mu below 0, and a formula that some mu serves."""
    with pytest.raises(InputError, match="refined"):
        gdp_profile_certificate(SquaredExponential(mpq(1)), mpq(2))
    with pytest.raises(InputError, match="refined"):
        gdp_profile_certificate(OscillatingProfile(), mpq(2))
    with pytest.raises(InputError, match="mu at least 0"):
        gdp_profile_certificate(EXAMPLES["sgd"], mpq(-1))
    with pytest.raises(InputError, match="reciprocal or a constant"):
        no_mu_certificate(EXAMPLES["sgd"])


def test_a_verdict_beyond_the_checker_says_so():
    """A rate with a denominator of more than 4096 bits."""
    profile = SquaredExponential(1 + mpq(1, 1 << 5000)).refined()
    with pytest.raises(UncertifiedError, match="the claim holds"):
        gdp_profile_certificate(profile, mpq(2))


def test_the_text_of_a_formula_and_numbers_in_every_form():
    """As everywhere in the room of profiles; floats are refused."""
    assert gdp_profile_certificate("exp(-eps^2)", "2") == gdp_profile_certificate(EXAMPLES["sgd"], mpq(2))
    for profile, mu in (("exp(-eps^2)", 2.0), (1.0, 2)):
        with pytest.raises(InputError):
            gdp_profile_certificate(profile, mu)


def test_the_statement_for_every_mu():
    """It says of no mu that it serves, not of one that it does not."""
    statement = check(no_mu_certificate("4*exp(-2)/eps")).statement
    assert statement.startswith("For no mu is every mechanism with the guarantees (eps, delta(eps)), delta = min(")
    assert statement.endswith(" mu-Gaussian differentially private: in the end delta exceeds every delta_mu.")
