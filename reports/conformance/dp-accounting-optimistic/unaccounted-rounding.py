"""dp-accounting 0.6.0: lower estimates are above the truth by their rounding.

Needs: pip install dp-accounting==0.6.0
"""
# ruff: noqa: INP001, T201

import math

from dp_accounting.pld import privacy_loss_distribution as pld

upper = {0: math.log(1 / 8), 1: math.log(3 / 8), 2: math.log(1 / 2)}
lower = {0: float("-inf"), 1: math.log(1 / 2), 2: math.log(1 / 2)}
mechanism = pld.from_two_probability_mass_functions(lower, upper, pessimistic_estimate=False, symmetric=True)
print("answer:", mechanism.get_delta_for_epsilon(1.0))
print("truth: ", "1/8")
