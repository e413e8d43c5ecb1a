"""Mechanism expressions: the one small language that says what a question is about."""
