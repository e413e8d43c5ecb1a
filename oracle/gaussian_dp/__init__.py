"""Gaussian differential privacy: the profile delta_mu, the tight mu of mechanisms, and what it converts to."""
