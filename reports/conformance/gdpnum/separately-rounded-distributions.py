"""gdpnum 0.1.2: the false negative rate of Gaussian noise is too large.

Needs: pip install gdpnum==0.1.2
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld
from gdpnum import PLDConverter

mechanism = pld.from_gaussian_mechanism(1 / 3)
print("answer:", PLDConverter(mechanism).get_beta(1e-9))
print("truth: ", "between 0.998640350958560 and 0.998640350958561")
