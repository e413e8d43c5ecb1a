"""opacus 1.6.0: the epsilon of a large delta cannot be asked.

Needs: pip install --no-deps opacus==1.6.0, with torch or stand-ins for the two files that import it
"""
# ruff: noqa: INP001, T201

import warnings

from opacus.accountants import GaussianAccountant

warnings.simplefilter("ignore")
accountant = GaussianAccountant()
accountant.history = [(4.0, 1.0, 1)]  # noise multiplier, sample rate, steps
try:
    answer = accountant.get_epsilon(delta=0.2)
except ValueError as error:
    answer = f"ValueError: {error}"
print("answer:", answer)
print("truth: ", "0")
