"""diffprivlib 0.6.6: the scale of discrete Gaussian noise is too small.

Needs: pip install diffprivlib==0.6.6 numpy==2.2.6 scipy==1.13.1 scikit-learn==1.5.2
"""
# ruff: noqa: INP001, T201

from diffprivlib.mechanisms import GaussianDiscrete

print("answer:", GaussianDiscrete(epsilon=0.5, delta=1e-3)._scale)  # noqa: SLF001
print("truth: ", "between 4.598304466593114805 and 4.598304466593114806")
