"""prv-accountant 0.2.0: delta grows with epsilon.

Needs: pip install prv-accountant==0.2.0
"""
# ruff: noqa: INP001, T201

from prv_accountant import PRVAccountant
from prv_accountant.privacy_random_variables import PureDPMechanism

accountant = PRVAccountant([PureDPMechanism(1.0)], max_self_compositions=[1], eps_error=0.1, delta_error=1e-15)
print("answer:", *(accountant.compute_delta(epsilon, [1]) for epsilon in (2.0, 4.0)), sep="\n")
print("truth: ", "0 at each epsilon of at least 1")
