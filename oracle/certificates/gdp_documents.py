"""Certificates that the guarantees of a noise formula make a mechanism mu-GDP, or do not.

Why each kind proves its statement is written down beside the check, :mod:`oracle.certificates.checker.gdp_profile`.
Every document made here has passed that check.
"""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from oracle.certificates.checker import Rejected, check
from oracle.certificates.documents import Certificate, seal
from oracle.errors import InputError, UncertifiedError
from oracle.exact import to_text
from oracle.gaussian_dp.arguments import NumberLike, nonnegative
from oracle.gaussian_dp.formula_text import ProfileLike, profile_of
from oracle.gaussian_dp.noise_formulas import ConstantProfile, LaplaceProfile, Reciprocal
from oracle.gaussian_dp.profiles import Profile, Refined
from oracle.gaussian_dp.rounding import decimal_floor
from oracle.gaussian_dp.tight_mu import GdpDecision, decide_mu

__all__ = ["gdp_profile_certificate", "gdp_profile_held", "gdp_profile_refuted", "no_mu_certificate"]

_HEAD_DIGITS: Final = (3, 6, 12, 25, 50, 100, 200, 500)
_LATER: Final = (0, 1, 2, 4, 8)


def _formula(profile: Profile) -> Profile:
    """The formula that a certificate names.

    Raises:
        InputError: for a profile that is not of the closed family, or is left unrefined.
    """
    formula = profile.naive if isinstance(profile, Refined) else profile
    if isinstance(formula, (LaplaceProfile, ConstantProfile)) or isinstance(profile, Refined):
        return formula
    raise InputError("a refined noise formula, a Laplace or a constant profile", type(profile).__name__, "profile")


def gdp_profile_certificate(profile: ProfileLike, mu: NumberLike) -> Certificate | None:
    """A certificate for or against mu-GDP, or None where neither is proved.

    Args:
        profile: a refined noise formula, its text such as "exp(-eps^2)", or a Laplace or constant profile.
        mu: at least 0.

    Raises:
        InputError: for a profile outside the closed family, or mu < 0.
        UncertifiedError: if the verdict is had, but the checker accepts none of our certificates.
    """
    delta, claimed = profile_of(profile), nonnegative(mu, "mu")
    _formula(delta)
    decision = decide_mu(delta, claimed)
    if decision.holds is None:
        return None
    return (
        gdp_profile_held(delta, claimed, decision) if decision.holds else gdp_profile_refuted(delta, claimed, decision)
    )


def _accepted(candidates: list[Certificate], *, holds: bool) -> Certificate:
    """The first candidate that the independent checker accepts."""
    reason = "there is none"
    for candidate in candidates:
        try:
            check(candidate)
        except Rejected as rejected:
            reason = str(rejected)
        else:
            return candidate
    raise UncertifiedError(holds, reason)


def gdp_profile_held(profile: Profile, mu: mpq, decision: GdpDecision) -> Certificate:
    """Kind ``gdp_profile``: mu and the points of the cells, from a decision that it holds.

    The first point replaces eps*: it has as few digits as still prove the head. The cells end where the tail begins;
    the checker's constants are a little coarser than ours, so a few later ends are tried.
    """
    formula, proof = _formula(profile), decision.proof
    fields = {"certificate": "gdp_profile", "version": 1, "profile": formula.to_json(), "mu": to_text(mu)}
    if not isinstance(profile, Refined) or proof is None or proof.tail is None:
        return _accepted([seal({**fields, "cells": []})], holds=True)
    candidates = []
    for digits in _HEAD_DIGITS:
        low, high = profile.turning_bracket(digits + 3)
        first = decimal_floor((low + high) / 2, digits)
        inside = [cell.end for cell in proof.cells if cell.end > first]
        for later in _LATER:
            last = proof.tail.start + later
            points = [first, *(x for x in inside if x < last), last]
            candidates.append(seal({**fields, "cells": [to_text(x) for x in points]}))
    return _accepted(candidates, holds=True)


def gdp_profile_refuted(profile: Profile, mu: mpq, decision: GdpDecision) -> Certificate:
    """Kind ``gdp_profile_refuted``: an eps with delta > delta_mu, or the end, from a decision that it does not hold."""
    formula, at = _formula(profile), decision.epsilon
    if isinstance(formula, ConstantProfile):
        return no_mu_certificate(profile)
    fields = {
        "certificate": "gdp_profile_refuted",
        "version": 1,
        "profile": formula.to_json(),
        "mu": to_text(mu),
        "at": None if decision.tail is not None else to_text(mpq(0) if at is None else at),
    }
    if at or not isinstance(profile, Refined):
        return _accepted([seal({**fields, "turning": None})], holds=False)
    candidates = []
    for digits in _HEAD_DIGITS:
        low, high = profile.turning_bracket(digits + 3)
        unit = mpq(10) ** -digits
        ends = [decimal_floor(low, digits), decimal_floor(high, digits) + unit]
        candidates.append(seal({**fields, "turning": [to_text(x) for x in ends]}))
    return _accepted(candidates, holds=False)


def no_mu_certificate(profile: ProfileLike) -> Certificate:
    """Kind ``gdp_profile_refuted`` for every mu at once: a reciprocal or a constant formula.

    Raises:
        InputError: for a formula that some mu may serve.
    """
    formula = _formula(profile_of(profile))
    if not isinstance(formula, (Reciprocal, ConstantProfile)):
        raise InputError("a reciprocal or a constant formula", type(formula).__name__, "profile")
    fields = {"certificate": "gdp_profile_refuted", "version": 1, "profile": formula.to_json()}
    return _accepted([seal({**fields, "mu": "any", "at": None, "turning": None})], holds=False)
