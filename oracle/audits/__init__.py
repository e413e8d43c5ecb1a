"""Audits: a table of probabilities and claims about it go in, a report model with certificates comes out."""
