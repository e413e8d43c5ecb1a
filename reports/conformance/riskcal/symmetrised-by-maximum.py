"""riskcal 1.5.1: the false negative rate of a table is too large.

Needs: pip install riskcal==1.5.1
"""
# ruff: noqa: INP001, T201

import math

from dp_accounting.pld import privacy_loss_distribution as pld
from riskcal import analysis

P = [0, 113 / 1024, 117 / 512, 351 / 1024, 163 / 512]
Q = [191 / 1024, 53 / 256, 123 / 512, 261 / 1024, 57 / 512]
upper, lower = ({y: math.log(x) if x else float("-inf") for y, x in enumerate(row)} for row in (P, Q))
mechanism = pld.from_two_probability_mass_functions(lower, upper, symmetric=False)
print("answer:", analysis.get_beta_from_pld(mechanism, 0.1))
print("truth: ", "362101/578560 =", 362101 / 578560)
