"""Laws of the oracle's objects as something to generate and test: needs the extra ``conformance`` or ``test``."""
