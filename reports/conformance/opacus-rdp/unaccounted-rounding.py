"""opacus 1.6.0: a Rényi divergence is below the truth by its rounding.

Needs: pip install --no-deps opacus==1.6.0, with torch or stand-ins for the two files that import it
"""
# ruff: noqa: INP001, T201

from opacus.accountants.analysis import rdp

print("answer:", rdp.compute_rdp(q=0.01, noise_multiplier=1.0, steps=1, orders=2.0))
print("truth: ", "between 0.00017181342207454793 and 0.00017181342207454794")
