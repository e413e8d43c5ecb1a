"""autodp 0.2.3.1: a false negative rate is not a number.

Needs: pip install autodp==0.2.3.1 numpy==1.26.4 scipy==1.11.4
"""
# ruff: noqa: INP001, T201

from autodp.mechanism_zoo import ExactGaussianMechanism

print("answer:", ExactGaussianMechanism(1.0).get_fDP(-0.1))
print("truth: ", "no answer: alpha lies between 0 and 1")
