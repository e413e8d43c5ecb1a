"""All topics of the suite, in the order of the manifest."""

from __future__ import annotations

from functools import cache

from oracle.conformance.vector_sources import (
    calibration,
    compositions,
    incidents,
    interactives,
    noise,
    orders,
    rejections,
    sampling,
    tables,
    thresholds,
)
from oracle.conformance.vector_sources.drafts import Topic

__all__ = ["topics"]

_MODULES = (tables, noise, compositions, sampling, orders, thresholds, rejections, calibration, incidents, interactives)


@cache
def _topics() -> tuple[Topic, ...]:
    return tuple(sorted((topic for module in _MODULES for topic in module.topics()), key=lambda topic: topic.path))


def topics() -> list[Topic]:
    """Every file to be, by its path."""
    return list(_topics())
