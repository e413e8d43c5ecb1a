"""What ``--timeout`` takes."""

from __future__ import annotations

from typing import Final

import click

__all__ = ["seconds"]

_MOST_SECONDS: Final = 10**8


def seconds(_context: click.Context, _option: click.Parameter, value: float) -> float:
    """Refuse what no timer takes, NaN too."""
    if not 0 <= value <= _MOST_SECONDS:
        raise click.BadParameter(f"expected seconds from 0 to {_MOST_SECONDS}, got {value}")
    return value
