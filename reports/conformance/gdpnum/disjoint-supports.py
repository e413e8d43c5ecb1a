"""gdpnum 0.1.2: a pair with disjoint supports has no curve.

Needs: pip install gdpnum==0.1.2
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld
from gdpnum import PLDConverter

zero, one = float("-inf"), 0.0
mechanism = pld.from_two_probability_mass_functions({0: zero, 1: one}, {0: one, 1: zero}, symmetric=False)
try:
    answer = PLDConverter(mechanism).get_beta(0.25)
except ValueError as error:
    answer = f"ValueError: {error}"
print("answer:", answer)
print("truth: ", "0")
