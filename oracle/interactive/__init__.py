"""Finite interactive mechanisms: their trees, adversaries, tight guarantees, simulation and composition."""
