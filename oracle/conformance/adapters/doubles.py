"""Exact numbers as the doubles that a library takes, rounded so that no answer is blamed on the conversion.

A library is asked about doubles and judged at the exact numbers of the question. A claim of an upper bound survives the
conversion if every number is rounded towards less privacy, since then

    truth of the question <= truth of what was sent <= answer,

and an answer below the truth is the library's own doing. Of a claimed lower bound the same holds with all directions
turned. Numbers of which neither side is known to be the less private one (probabilities of a table) go to the nearest
double, a relative error of at most 2^-53.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from types import ModuleType
from typing import Any

from gmpy2 import mpq

from oracle.conformance.adapters.libraries import installation
from oracle.conformance.protocol import AdapterError
from oracle.enclosures import Enclosure, log_enclosure
from oracle.errors import Declined
from oracle.exact import Direction, Infinity, parse_extended, to_binary64
from oracle.levels import Level

__all__ = ["Rounding", "echoed", "facts", "load", "log_nearest", "nearest", "positive"]

_DIGITS = 40
"""Digits of a logarithm before it is rounded to a double."""


@cache
def load(name: str, subject: str) -> ModuleType:
    """Import a module of a library on its first use.

    Args:
        name: of the module.
        subject: of :data:`~oracle.conformance.adapters.libraries.LIBRARIES`.

    Raises:
        AdapterError: where that fails, with the command that installs the library.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise AdapterError(
            f"{subject} is not installed ({error}): {installation(subject)}, "
            f"or name a Python that has it and fdp-oracle: oracle conform {subject} --python PATH"
        ) from error


def facts(distribution: str, claims: Mapping[str, str], **further: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON values
    """The value of ``hello`` of a library that is asked exact numbers, which the adapter converts.

    Args:
        distribution: the package.
        claims: what is claimed of the answers of each op that is offered.
        further: other facts.
    """
    return {
        "name": distribution,
        "version": version(distribution),
        "ops": ["hello", "echo", *claims],
        "claims": dict(claims),
        "accepts": {"epsilon": ["exp_epsilon", "epsilon"], "numbers": "rational"},
        "language": "Python",
        **further,
    }


def nearest(x: mpq) -> float:
    """The nearest double of a number in the range of doubles, ties to even."""
    return int(x.numerator) / int(x.denominator)


def log_nearest(x: mpq) -> float:
    """The nearest double of log(x), x >= 0; log(0) is -inf."""
    if x == 0:
        return -math.inf
    if x == 1:
        return 0.0
    return nearest(log_enclosure(x, _DIGITS).lo)


def positive(x: float, name: str = "the sensitivity") -> float:
    """A parameter that became a double above 0 and below infinity.

    Raises:
        Declined: where it did not: the library is asked about doubles only.
    """
    if not 0 < x < math.inf:
        raise Declined(f"{name} as a double is {x}, outside the range of the library")
    return x


def echoed(values: list[Any]) -> list[float]:
    """The numbers of ``echo`` as the doubles that the adapter makes of them."""
    numbers = (parse_extended(value) for value in values)
    return [float(x) if isinstance(x, Infinity) else nearest(x) for x in numbers]


@dataclass(frozen=True, slots=True)
class Rounding:
    """Conversion to doubles for answers that are claimed to be upper bounds, or with ``upper=False`` lower ones."""

    upper: bool = True

    @property
    def _down(self) -> Direction:
        return "down" if self.upper else "up"

    @property
    def _up(self) -> Direction:
        return "up" if self.upper else "down"

    def smaller(self, x: mpq) -> float:
        """A number that raises the answer when it is made smaller: noise, or the epsilon or delta that is asked at."""
        return to_binary64(x, self._down)

    def larger(self, x: mpq) -> float:
        """A number that raises the answer when it is made larger: sensitivity, rate, order, epsilon of a mechanism."""
        return to_binary64(x, self._up)

    def smaller_epsilon(self, level: Level) -> float:
        """The epsilon of a level that is asked at."""
        return self._epsilon(level, self._down)

    def larger_epsilon(self, level: Level) -> float:
        """The epsilon of a level that is a parameter of a mechanism."""
        return self._epsilon(level, self._up)

    def guarantee(self, level: Level) -> float:
        """The epsilon that a mechanism has, finite and above 0.

        Raises:
            Declined: where it is not.
        """
        return positive(self.larger_epsilon(level), "epsilon")

    def _epsilon(self, level: Level, direction: Direction) -> float:
        epsilon = level.epsilon(_DIGITS)
        if isinstance(epsilon, Infinity):
            return float(epsilon)
        if isinstance(epsilon, Enclosure):
            epsilon = epsilon.lo if direction == "down" else epsilon.hi
        return to_binary64(epsilon, direction)
