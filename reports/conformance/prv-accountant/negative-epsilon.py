"""prv-accountant 0.2.0: an upper end of epsilon is negative.

Needs: pip install prv-accountant==0.2.0
"""
# ruff: noqa: INP001, T201

from prv_accountant import PRVAccountant
from prv_accountant.privacy_random_variables import LaplaceMechanism

accountant = PRVAccountant([LaplaceMechanism(mu=1.0)], max_self_compositions=[1], eps_error=0.1, delta_error=9e-4)
print("answer:", accountant.compute_epsilon(0.9, [1])[2])
print("truth: ", "0")
