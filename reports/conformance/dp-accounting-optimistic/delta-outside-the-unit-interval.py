"""dp-accounting 0.6.0: a delta that is no probability is answered with an epsilon.

Needs: pip install dp-accounting==0.6.0
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld

mechanism = pld.from_gaussian_mechanism(1.0, pessimistic_estimate=False, use_connect_dots=False)
for delta in (1.1, -0.1):
    print("delta", delta, "answer:", mechanism.get_epsilon_for_delta(delta))
print("truth: ", "no answer: a delta lies between 0 and 1")
