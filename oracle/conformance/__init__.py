"""Implementations under test: subjects behind the request protocol, and what the laws say about them."""
