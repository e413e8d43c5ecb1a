"""Where the fixtures lie: package data in an installed wheel, ``fixtures/`` in a checkout."""

from __future__ import annotations

from pathlib import Path

from oracle.errors import InputError

__all__ = ["fixture"]

_INSTALLED = Path(__file__).parent / "_fixtures"
_CHECKOUT = Path(__file__).parent.parent / "fixtures"


def fixture(name: str) -> Path:
    """The path of a file or folder of the fixtures.

    Raises:
        InputError: if there is none of that name.
    """
    root = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
    path = root / name
    if not path.exists():
        raise InputError("a fixture of the oracle", name)
    return path
