"""Templates of calibration: a mechanism expression with ``"?"`` where the scale goes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oracle.errors import InputError
from oracle.mechanisms.nodes import Mechanism
from oracle.mechanisms.parse import mechanism_from

__all__ = ["filled", "shape"]


def filled(template: Any, scale: str) -> Any:  # noqa: ANN401 - a JSON value
    """The template with a scale in place of each ``"?"``."""
    if isinstance(template, Mapping):
        return {key: filled(part, scale) for key, part in template.items()}
    if isinstance(template, (list, tuple)):
        return [filled(part, scale) for part in template]
    return scale if template == "?" else template


def shape(template: Any) -> Mechanism:  # noqa: ANN401 - a JSON value
    """The mechanism that the template means, with the scale 1.

    Raises:
        InputError: where no ``"?"`` stands in it, or it is no mechanism.
    """
    ones = filled(template, "1")
    if ones == template:
        raise InputError('a template with "?" in it', "none", "channel")
    return mechanism_from(ones)
