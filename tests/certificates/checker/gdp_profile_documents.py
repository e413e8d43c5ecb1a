"""Hand-made certificates of noise formulas against mu-GDP, worked out on paper; see `documents`."""

from __future__ import annotations

from typing import Any

SGD = {"formula": "squared_exponential", "factor": "1", "rate": "1"}
ICEA = {"formula": "reciprocal", "factor": "4", "exponent": "-2"}
LAPLACE = {"formula": "laplace", "theta": "2"}

GDP_PROFILES: dict[str, tuple[str, dict[str, Any]]] = {
    # e^(-1.1875^2) = 0.2441, h = 0.7559/(1 + 3.2789) = 0.17665 >= Phi(-0.95) = 0.1711; the steps by a table of Phi.
    "gdp_profile: squared exponential": (
        "gdp_profile",
        {"profile": SGD, "mu": "19/10", "cells": ["19/16", "3/2", "2", "3"]},
    ),
    # e^-1/2 = 0.18394 >= Phi(-1) = 0.15866.
    "gdp_profile: Laplace": ("gdp_profile", {"profile": LAPLACE, "mu": "2", "cells": []}),
    # r(1) = -0.738 < 0 < r(5/4) = 0.55; C <= (1 - e^(-25/16))/(1 + e) = 0.2126 < Phi(-3/4) = 0.2266.
    "gdp_profile_refuted: at zero": (
        "gdp_profile_refuted",
        {"profile": SGD, "mu": "3/2", "at": "0", "turning": ["1", "5/4"]},
    ),
    # e^(-9/4) = 0.1054 > delta_1(3/2) = Phi(-1) - e^(3/2) Phi(-2) = 0.0567.
    "gdp_profile_refuted: after the turning point": (
        "gdp_profile_refuted",
        {"profile": SGD, "mu": "1", "at": "3/2", "turning": None},
    ),
    "gdp_profile_refuted: Laplace at one": (
        "gdp_profile_refuted",
        {"profile": LAPLACE, "mu": "3/2", "at": "1", "turning": None},
    ),
    # 2 c mu² = 1/2.
    "gdp_profile_refuted: in the end": (
        "gdp_profile_refuted",
        {"profile": SGD, "mu": "1/2", "at": None, "turning": None},
    ),
    "gdp_profile_refuted: no mu": (
        "gdp_profile_refuted",
        {"profile": ICEA, "mu": "any", "at": None, "turning": None},
    ),
    "gdp_profile_refuted: constant": (
        "gdp_profile_refuted",
        {"profile": {"formula": "constant", "delta": "1/3"}, "mu": "any", "at": None, "turning": None},
    ),
    # k = 0.5413: delta(3) = 0.1804 > delta_1(3) = 0.0007.
    "gdp_profile_refuted: reciprocal": (
        "gdp_profile_refuted",
        {"profile": ICEA, "mu": "1", "at": "3", "turning": None},
    ),
}
"""From the name of a document to its kind and fields."""
