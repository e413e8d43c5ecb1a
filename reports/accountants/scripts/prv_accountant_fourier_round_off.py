"""prv-accountant 0.2.0: the round-off of the Fourier convolution is not in the error bounds.

The error bounds of the method (Gopi, Lee and Wutschitz 2021) are those of exact arithmetic. compute_epsilon refuses
where round-off may dominate; compute_delta does not. With the same masses and the transforms in 80-bit arithmetic, the
lower value of E-1000 comes out below the truth.

Case: gauss(10.0) × 1000, ε = 26.7. Needs: pip install prv-accountant==0.2.0
"""
# ruff: noqa: INP001, T201

from prv_accountant import PRVAccountant
from prv_accountant.privacy_random_variables import GaussianMechanism

accountant = PRVAccountant(
    prvs=[GaussianMechanism(10.0)],
    max_self_compositions=[1000],
    eps_error=0.01,
    delta_error=1e-15,
)
lower, estimate, upper = accountant.compute_delta(26.7, [1000])

# The true delta (of the worse direction) is proved to lie between the two numbers printed last, so
# what is claimed to be at most the true delta is not.
print("claimed lower end:", lower)
print("proved lower end:  ", "1.04545793313317e-12")
print("proved upper end:  ", "1.04545793313318e-12")
