"""Composition at scale: exact where finite, enclosed otherwise."""
