"""prv-accountant 0.2.0: the epsilon of 500 runs of randomized response is too small by 130.

Needs: pip install prv-accountant==0.2.0
"""
# ruff: noqa: INP001, T201

from prv_accountant import PRVAccountant
from prv_accountant.privacy_random_variables import PureDPMechanism

accountant = PRVAccountant([PureDPMechanism(1.0)], max_self_compositions=[500], eps_error=0.1, delta_error=1e-8)
print("answer:", accountant.compute_epsilon(1e-5, [500])[2])
print("truth: ", "between 311.7676046397107 and 311.7676046397108")
