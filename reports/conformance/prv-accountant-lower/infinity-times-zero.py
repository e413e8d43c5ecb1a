"""prv-accountant 0.2.0: deltas at an epsilon above 709 are not a number, or -inf.

Needs: pip install prv-accountant==0.2.0
"""
# ruff: noqa: INP001, T201

from prv_accountant import PRVAccountant
from prv_accountant.privacy_random_variables import GaussianMechanism, LaplaceMechanism

errors = {"eps_error": 0.1, "delta_error": 1e-10}
accountant = PRVAccountant([LaplaceMechanism(mu=1000.0)], max_self_compositions=[1], **errors)
print("answer:", accountant.compute_delta(999.0, [1]))
print("truth: ", "between 0.3934693402873665 and 0.3934693402873666")
accountant = PRVAccountant([GaussianMechanism(1 / 40)], max_self_compositions=[1], **errors)
print("answer:", accountant.compute_delta(1000.0, [1]))
print("truth: ", "between 1e-9 and 1, above the upper end of -inf")
