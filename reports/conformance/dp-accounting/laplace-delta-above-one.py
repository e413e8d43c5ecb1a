"""dp-accounting 0.6.0: an upper estimate of delta is 31.99.

Needs: pip install dp-accounting==0.6.0
"""
# ruff: noqa: INP001, T201

import math

from dp_accounting.pld import privacy_loss_distribution as pld

scale = math.nextafter(1 / 1000, 0)  # the largest double below 1/1000
mechanism = pld.from_laplace_mechanism(scale, value_discretization_interval=1e-2)
print("answer:", mechanism.get_delta_for_epsilon(999.0))
print("truth: ", "between 0.3934693402873665 and 0.3934693402873666")
