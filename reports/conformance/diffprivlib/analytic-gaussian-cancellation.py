"""diffprivlib 0.6.6: the scale of Gaussian noise is too small.

Needs: pip install diffprivlib==0.6.6 numpy==2.2.6 scipy==1.13.1 scikit-learn==1.5.2
"""
# ruff: noqa: INP001, T201

from diffprivlib.mechanisms import GaussianAnalytic

print("answer:", GaussianAnalytic(epsilon=20.0, delta=1e-5, sensitivity=1.0)._scale)  # noqa: SLF001
print("truth: ", "between 0.290041418032795824 and 0.290041418032795825")
