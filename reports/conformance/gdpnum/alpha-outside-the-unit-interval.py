"""gdpnum 0.1.2: an alpha that is no probability has a false negative rate.

Needs: pip install gdpnum==0.1.2
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld
from gdpnum import PLDConverter

mechanism = pld.from_gaussian_mechanism(1.0)
for alpha in (-0.1, 1.1):
    print("alpha", alpha, "answer:", PLDConverter(mechanism).get_beta(alpha))
print("truth: ", "no answer: alpha lies between 0 and 1")
