"""dp-accounting 0.6.0: a pair with disjoint supports cannot be composed.

Needs: pip install dp-accounting==0.6.0
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld

zero, one = float("-inf"), 0.0
step = pld.from_two_probability_mass_functions({0: zero, 1: one}, {0: one, 1: zero})
try:
    answer = step.self_compose(2).get_delta_for_epsilon(0.0)
except IndexError as error:
    answer = f"IndexError: {error}"
print("answer:", answer)
print("truth: ", "1")
