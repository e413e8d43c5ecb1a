"""Finite channels in exact rational arithmetic."""
