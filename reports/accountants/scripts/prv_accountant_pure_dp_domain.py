"""prv-accountant 0.2.0: the domain comes from a Rényi divergence that is too small, and the convolution wraps around.

PureDPMechanism.rdp (and ApproximateDPMechanism.rdp) returns (alpha - 1)·eps/alpha, which is no upper bound of the Rényi
divergence (near order 1 it is 0). compute_safe_domain_size then returns a domain that the sum of the losses leaves, and
what leaves it on one side enters on the other.

Case: adp(5.0, 1e-09) × 10, ε = 45.0. Needs: pip install prv-accountant==0.2.0
"""
# ruff: noqa: INP001, T201

from prv_accountant import PRVAccountant
from prv_accountant.privacy_random_variables import ApproximateDPMechanism

accountant = PRVAccountant(
    prvs=[ApproximateDPMechanism(5.0, 1e-09)],
    max_self_compositions=[10],
    eps_error=0.1,
    delta_error=1e-03,
)
lower, estimate, upper = accountant.compute_delta(45.0, [10])

# The true delta (of the worse direction) is proved to lie between the two numbers printed last, so
# what is claimed to be at least the true delta is not.
print("claimed upper end:", upper)
print("proved lower end:  ", "0.928751346109533")
print("proved upper end:  ", "0.928751346109534")
