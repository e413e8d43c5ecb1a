"""autodp 0.2.3.1: a calibrated sigma is too small.

Needs: pip install autodp==0.2.3.1 numpy==1.26.4 scipy==1.11.4
"""
# ruff: noqa: INP001, T201

from autodp.calibrator_zoo import ana_gaussian_calibrator
from autodp.mechanism_zoo import ExactGaussianMechanism

print("answer:", ana_gaussian_calibrator()(ExactGaussianMechanism, 0.5, 1e-9).params["sigma"])
print("truth: ", "between 10.67389681508002612 and 10.67389681508002613")
