"""riskcal 1.5.1: an alpha that is no probability has a false negative rate.

Needs: pip install riskcal==1.5.1
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld
from riskcal import analysis

mechanism = pld.from_gaussian_mechanism(1.0)
for alpha in (-0.1, 1.1):
    print("alpha", alpha, "answer:", analysis.get_beta_from_pld(mechanism, alpha))
print("truth: ", "no answer: alpha lies between 0 and 1")
