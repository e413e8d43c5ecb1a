"""opacus 1.6.0: an upper bound of epsilon is negative.

Needs: pip install --no-deps opacus==1.6.0, with torch or stand-ins for the two files that import it
"""
# ruff: noqa: INP001, T201

from opacus.accountants import PRVAccountant

accountant = PRVAccountant()
accountant.history = [(1.0, 1.0, 1)]  # noise multiplier, sample rate, steps
print("answer:", accountant.get_epsilon(delta=0.4))
print("truth: ", "0")
