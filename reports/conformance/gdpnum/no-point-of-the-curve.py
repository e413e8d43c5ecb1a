"""gdpnum 0.1.2: equal distributions have no mu.

Needs: pip install gdpnum==0.1.2
"""
# ruff: noqa: INP001, T201

import math

from dp_accounting.pld import privacy_loss_distribution as pld
from gdpnum import PLDConverter

half = {0: math.log(1 / 2), 1: math.log(1 / 2)}
try:
    answer = PLDConverter(pld.from_two_probability_mass_functions(half, half, symmetric=False)).get_mu()
except ValueError as error:
    answer = f"ValueError: {error}"
print("answer:", answer)
print("truth: ", "0")
