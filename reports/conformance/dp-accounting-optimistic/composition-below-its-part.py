"""dp-accounting 0.6.0: more runs have a smaller lower estimate of delta.

Needs: pip install dp-accounting==0.6.0
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld

options = {"pessimistic_estimate": False, "use_connect_dots": False, "value_discretization_interval": 1e-2}
step = pld.from_gaussian_mechanism(1.0, sampling_prob=0.01, **options)
print("answer:", step.self_compose(1000).get_delta_for_epsilon(1.0), "for 1000 runs,", end=" ")
print(step.get_delta_for_epsilon(1.0), "for one")
print("truth: ", "0.0026124205786269 for 1000 runs, which is no less than for one")
