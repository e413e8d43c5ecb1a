"""Cases that find no mutant and stay all the same, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping

WITNESSES: Mapping[str, str] = {}
"""Reason by id."""
