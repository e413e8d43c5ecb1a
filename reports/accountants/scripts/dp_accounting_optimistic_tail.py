"""dp-accounting 0.6.0: the lower estimate counts the mass that truncation may have cut off as infinite loss.

PLDPmf.self_compose adds tail_mass_truncation (1e-15 by default) to the mass at infinity, with
pessimistic_estimate=False too, so no lower estimate is below 1e-15, however small delta is.

Case: sub(0.8, 0.005) × 1000, ε = 6.0. Needs: pip install dp-accounting==0.6.0
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld

step = pld.from_gaussian_mechanism(0.8, sampling_prob=0.005, pessimistic_estimate=False, use_connect_dots=False)
composed = step.self_compose(1000)
value = composed.get_delta_for_epsilon(6.0)

# The true delta (of the worse direction) is proved to lie between the two numbers printed last, so
# what is claimed to be at most the true delta is not.
print("claimed lower end:", value)
print("proved lower end:  ", "5.86674057660776e-16")
print("proved upper end:  ", "5.86674057660895e-16")
