"""Hypothesis profiles: ``ci`` (the default, the same examples every time) and ``search`` (many fresh ones)."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_CHECKS = [HealthCheck.too_slow, HealthCheck.filter_too_much]

settings.register_profile("ci", max_examples=40, deadline=None, derandomize=True, suppress_health_check=_CHECKS)
settings.register_profile("search", max_examples=2000, deadline=None, suppress_health_check=_CHECKS, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
