"""dp-accounting 0.6.0: a lower estimate of an epsilon near 900 is too large.

Needs: pip install dp-accounting==0.6.0
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld

mechanism = pld.from_laplace_mechanism(
    1 / 900, pessimistic_estimate=False, use_connect_dots=False, value_discretization_interval=1e-2
)
print("answer:", mechanism.get_epsilon_for_delta(0.5))
print("truth: ", "between 898.6137056388801 and 898.6137056388802")
