"""gdpnum 0.1.2: a mechanism with mass at infinite loss has a finite mu.

Needs: pip install gdpnum==0.1.2
"""
# ruff: noqa: INP001, T201

import math

from dp_accounting.pld import privacy_loss_distribution as pld
from gdpnum import PLDConverter

P, Q = [1 / 2, 1 / 2, 0], [1 / 8, 3 / 8, 1 / 2]
upper, lower = ({y: math.log(x) if x else float("-inf") for y, x in enumerate(row)} for row in (P, Q))
mechanism = pld.from_two_probability_mass_functions(lower, upper, symmetric=False)
print("answer:", PLDConverter(mechanism).get_mu())
print("truth: ", "inf")
