"""gdpnum 0.1.2: a false negative rate is above the truth by its rounding.

Needs: pip install gdpnum==0.1.2
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld
from gdpnum import PLDConverter

mechanism = pld.from_laplace_mechanism(1.0)
print("answer:", PLDConverter(mechanism).get_beta(0.0))
print("truth: ", "1")
