"""prv-accountant 0.2.0: masses in the tail are differences of numbers near 1, whose round-off is not in the bounds.

PoissonSubsampledGaussianMechanism.cdf is a sum of erfc of doubles, near 1 in the upper tail, where the mass of a cell
is a difference of two such values. The error bounds of the method (Gopi, Lee and Wutschitz 2021) are those of exact
arithmetic. compute_epsilon refuses where round-off may dominate; compute_delta does not, and its bounds are on the
wrong side, or negative. With accurate masses of the cells above loss 2 alone, the upper value of A-3000-tiny comes out
above the truth.

Case: sub(0.8, 0.005) × 3000, ε = 6.8. Needs: pip install prv-accountant==0.2.0
"""
# ruff: noqa: INP001, T201

from prv_accountant import PRVAccountant
from prv_accountant.privacy_random_variables import PoissonSubsampledGaussianMechanism

accountant = PRVAccountant(
    prvs=[PoissonSubsampledGaussianMechanism(0.005, 0.8)],
    max_self_compositions=[3000],
    eps_error=0.01,
    delta_error=1e-18,
)
lower, estimate, upper = accountant.compute_delta(6.8, [3000])

# The true delta (of the worse direction) is proved to lie between the two numbers printed last, so
# what is claimed to be at least the true delta is not.
print("claimed upper end:", upper)
print("proved lower end:  ", "2.63048795683347e-15")
print("proved upper end:  ", "2.63048795683387e-15")
