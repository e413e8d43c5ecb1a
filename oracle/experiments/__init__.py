"""Pairs of laws that are no finite table: continuous and infinite mechanisms, in ball arithmetic."""
