"""dp-accounting 0.6.0: upper estimates are below the truth by their rounding.

Needs: pip install dp-accounting==0.6.0
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld

mechanism = pld.from_gaussian_mechanism(0.25)
print("answer:", mechanism.get_epsilon_for_delta(0.5))
print("truth: ", "between 7.017996421239196574 and 7.017996421239196575")
