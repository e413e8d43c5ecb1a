"""Theorems of the literature as exact functions: couplings, amplification by subsampling, lower bounds."""
