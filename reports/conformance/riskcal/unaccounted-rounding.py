"""riskcal 1.5.1: a false negative rate is above the truth by its rounding.

Needs: pip install riskcal==1.5.1
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld
from riskcal import analysis

mechanism = pld.from_laplace_mechanism(1.0)
print("answer:", analysis.get_beta_from_pld(mechanism, 0.0))
print("truth: ", "1")
