"""autodp 0.2.3.1: a calibrated sigma is too small for epsilon = 20.

Needs: pip install autodp==0.2.3.1 numpy==1.26.4 scipy==1.11.4
"""
# ruff: noqa: INP001, T201

from autodp.calibrator_zoo import ana_gaussian_calibrator
from autodp.mechanism_zoo import ExactGaussianMechanism

print("answer:", ana_gaussian_calibrator()(ExactGaussianMechanism, 20.0, 1e-5).params["sigma"])
print("truth: ", "between 0.290041418032795824 and 0.290041418032795825")
