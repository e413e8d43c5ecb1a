"""Gaussian differential privacy: the profile delta_mu, the tight mu of mechanisms, and what it converts to.

The least mu of a table (:func:`least_mu`), of a noise formula (:func:`tight_mu` of its text or of what
:func:`parse_formula` makes of it) and of a list of guarantees (:class:`GuaranteeList`); whether a claimed one serves
(:func:`decide_mu`, :func:`compare_mu`); conversions between mu, (epsilon, delta), Rényi orders and rho-zCDP, each with
what it is: exact, an upper or a lower bound.

>>> from oracle.gaussian_dp import GuaranteeList, decide_mu, mu_of_guarantee, rho_of_mu, tight_mu
>>> tight_mu("exp(-eps^2)", digits=6).value.to_json()
{'lo': '1.85635728', 'hi': '1.85635729'}
>>> decide_mu("exp(-eps^2)", "1.86").holds
True
>>> GuaranteeList([("log(2)", "1/4"), ("log(5)", "0")]).implied("log(3)")
mpq(1,6)
>>> found = mu_of_guarantee("log(3)", 0, digits=6)
>>> found.value.to_json(), found.kind
({'lo': '1.3489795', 'hi': '1.34897951'}, 'exact')
>>> rho_of_mu("1/2").value
mpq(1,8)

Numbers are exact: integers, fractions, or text such as "1/2" and "0.05"; a float is refused. A bare epsilon is epsilon
itself, "log(3)" and ``{"exp_epsilon": "3"}`` included (:mod:`oracle.gaussian_dp.arguments`).

Certificates that a noise formula makes a mechanism mu-GDP, or does not, are made by ``gdp_profile_certificate(profile,
mu)`` of :mod:`oracle.certificates.gdp_documents`, and checked by ``oracle verify``.
"""

from oracle.gaussian_dp.channel_mu import compare_mu, least_mu
from oracle.gaussian_dp.concentrated import judge_rho, least_rho
from oracle.gaussian_dp.conversions import (
    Conversion,
    composed_mu,
    curve_of_mu,
    delta_of_mu,
    delta_of_rho,
    delta_of_rho_at_order,
    epsilon_of_mu,
    group_mu,
    mu_of_guarantee,
    mu_of_least_rho,
    mu_of_point,
    renyi_of_mu,
    rho_of_guarantee,
    rho_of_mu,
)
from oracle.gaussian_dp.crossings import Crossings, crosses, crossings
from oracle.gaussian_dp.examples import EXAMPLES, icea, laplace, noisy_sgd
from oracle.gaussian_dp.formula_text import parse_formula
from oracle.gaussian_dp.guarantee_lists import GuaranteeList
from oracle.gaussian_dp.guarantee_order import Guarantee, implied_delta, implies, worst_case
from oracle.gaussian_dp.measurement import Measurement, measure
from oracle.gaussian_dp.noise_formulas import ConstantProfile, LaplaceProfile, Reciprocal, SquaredExponential
from oracle.gaussian_dp.profile import delta_mu, mu_gdp
from oracle.gaussian_dp.profiles import Profile
from oracle.gaussian_dp.rectification import Rectified, clip_ratio, mix_with_uniform, mixing_level, subsample
from oracle.gaussian_dp.renyi_claims import compare_renyi, divergence_value
from oracle.gaussian_dp.tight_mu import GdpDecision, TightMu, decide_mu, tight_mu
from oracle.gaussian_dp.transform import transform

__all__ = [
    "EXAMPLES",
    "ConstantProfile",
    "Conversion",
    "Crossings",
    "GdpDecision",
    "Guarantee",
    "GuaranteeList",
    "LaplaceProfile",
    "Measurement",
    "Profile",
    "Reciprocal",
    "Rectified",
    "SquaredExponential",
    "TightMu",
    "clip_ratio",
    "compare_mu",
    "compare_renyi",
    "composed_mu",
    "crosses",
    "crossings",
    "curve_of_mu",
    "decide_mu",
    "delta_mu",
    "delta_of_mu",
    "delta_of_rho",
    "delta_of_rho_at_order",
    "divergence_value",
    "epsilon_of_mu",
    "group_mu",
    "icea",
    "implied_delta",
    "implies",
    "judge_rho",
    "laplace",
    "least_mu",
    "least_rho",
    "measure",
    "mix_with_uniform",
    "mixing_level",
    "mu_gdp",
    "mu_of_guarantee",
    "mu_of_least_rho",
    "mu_of_point",
    "noisy_sgd",
    "parse_formula",
    "renyi_of_mu",
    "rho_of_guarantee",
    "rho_of_mu",
    "subsample",
    "tight_mu",
    "transform",
    "worst_case",
]
