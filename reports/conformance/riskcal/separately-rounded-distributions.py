"""riskcal 1.5.1: the false negative rate of Gaussian noise is too large.

Needs: pip install riskcal==1.5.1
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld
from riskcal import analysis

mechanism = pld.from_gaussian_mechanism(1 / 3)
print("answer:", analysis.get_beta_from_pld(mechanism, 1e-9))
print("truth: ", "between 0.998640350958560 and 0.998640350958561")
