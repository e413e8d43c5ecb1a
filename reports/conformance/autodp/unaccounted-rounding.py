"""autodp 0.2.3.1: an epsilon is below the truth by its rounding.

Needs: pip install autodp==0.2.3.1 numpy==1.26.4 scipy==1.11.4
"""
# ruff: noqa: INP001, T201

from autodp.mechanism_zoo import LaplaceMechanism

print("answer:", LaplaceMechanism(3.0).get_eps(0.0))
print("truth: ", "1/3")
