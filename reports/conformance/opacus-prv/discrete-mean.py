"""opacus 1.6.0: an epsilon near 970 cannot be asked.

Needs: pip install --no-deps opacus==1.6.0, with torch or stand-ins for the two files that import it
"""
# ruff: noqa: INP001, T201

from opacus.accountants import PRVAccountant

accountant = PRVAccountant()
accountant.history = [(1 / 40, 1.0, 1)]  # noise multiplier, sample rate, steps
try:
    answer = accountant.get_epsilon(delta=1e-5)
except RuntimeError as error:
    answer = f"RuntimeError: {error}"
print("answer:", answer)
print("truth: ", "between 969.6455919324135 and 969.6455919324136")
