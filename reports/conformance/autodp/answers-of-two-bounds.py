"""autodp 0.2.3.1: epsilon and delta contradict each other.

Needs: pip install autodp==0.2.3.1 numpy==1.26.4 scipy==1.11.4
"""
# ruff: noqa: INP001, T201

from autodp.mechanism_zoo import ExactGaussianMechanism

mechanism = ExactGaussianMechanism(1.0)
epsilon = mechanism.get_eps(1e-6)
print("answer:", f"epsilon {epsilon} at delta 1e-6, delta {mechanism.get_approx_delta(5.0)} at epsilon 5")
print("truth: ", "epsilon 4.886554117462 at delta 1e-6, delta 5.7937216919e-7 at epsilon 5")
