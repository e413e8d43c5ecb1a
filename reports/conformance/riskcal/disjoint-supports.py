"""riskcal 1.5.1: a pair with disjoint supports has no curve.

Needs: pip install riskcal==1.5.1
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld
from riskcal import analysis

zero, one = float("-inf"), 0.0
mechanism = pld.from_two_probability_mass_functions({0: zero, 1: one}, {0: one, 1: zero}, symmetric=False)
try:
    answer = analysis.get_beta_from_pld(mechanism, 0.25)
except ValueError as error:
    answer = f"ValueError: {error}"
print("answer:", answer)
print("truth: ", "0")
