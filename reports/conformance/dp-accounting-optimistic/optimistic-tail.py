"""dp-accounting 0.6.0: a lower estimate counts what truncation may have cut off.

Needs: pip install dp-accounting==0.6.0
"""
# ruff: noqa: INP001, T201

from dp_accounting.pld import privacy_loss_distribution as pld

options = {"pessimistic_estimate": False, "use_connect_dots": False}
composed = pld.from_gaussian_mechanism(1.0, **options).self_compose(4)
print("answer:", composed.get_delta_for_epsilon(40.0))
print("truth: ", "between 8.082866373294298e-82 and 8.082866373294299e-82")
