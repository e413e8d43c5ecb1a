"""prv-accountant 0.2.0: a lower end of delta is above the truth.

Needs: pip install prv-accountant==0.2.0
"""
# ruff: noqa: INP001, T201

import math

from prv_accountant import PRVAccountant
from prv_accountant.privacy_random_variables import PureDPMechanism

step = PureDPMechanism(math.log(21 / 20))
accountant = PRVAccountant([step], max_self_compositions=[1000], eps_error=0.1, delta_error=1e-15)
print("answer:", accountant.compute_delta(20.0, [1000])[0])
print("truth: ", "between 1.42709780871471e-36 and 1.42709780871472e-36")
