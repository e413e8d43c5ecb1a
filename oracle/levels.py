"""The level a = e^epsilon of a privacy guarantee, exactly.

A level is either an exact number (rational or infinite), as ``exp_epsilon`` and
``epsilon = log(p/q)`` state it, or e^s for a nonzero rational s, as a plain ``epsilon`` states it.
The second is transcendental (Lindemann), so it never equals a rational number and each comparison
with one is decided by brackets of growing precision.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, overload

from gmpy2 import mpq

from oracle.enclosures import (
    DEFAULT_DIGITS,
    Enclosure,
    arb_from_rational,
    exp_ball,
    exp_bracket,
    log_enclosure,
    precision,
    sign,
)
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import INFINITY, NEGATIVE_INFINITY, Extended, Infinity, parse_extended, parse_number, to_text
from oracle.formal import FormalSum

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flint import arb

__all__ = ["LEVEL_FIELDS", "Level", "parse_epsilon_text", "parse_level"]

LEVEL_FIELDS: Final = ("exp_epsilon", "epsilon")
"""The two names under which a level is stated; exactly one may be given."""

_LOG = re.compile(r"([+-]?)(?:log|ln)\((.*)\)", re.DOTALL)
_EPSILON = 'an epsilon such as "log(3)", "ln(9/4)", "1/2" or "inf"'


@dataclass(frozen=True, slots=True)
class Level:
    """The number a = e^epsilon >= 0, where epsilon may also be infinite.

    Exactly one field is set.

    Attributes:
        value: a itself: a rational >= 0, or ``INFINITY``.
        exponent: epsilon, a nonzero rational; then a = e^exponent is transcendental.
    """

    value: Extended | None
    exponent: mpq | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.exponent is None):
            got = f"value={shorten(self.value)}, exponent={shorten(self.exponent)}"
            raise InputError("exactly one of value and exponent", got)
        if self.value is not None and self.value < 0:
            raise InputError("a level of at least 0", shorten(to_text(self.value)))
        if self.exponent == 0:
            object.__setattr__(self, "value", mpq(1))
            object.__setattr__(self, "exponent", None)

    @classmethod
    def rational(cls, x: mpq | int) -> Level:
        """The level x >= 0."""
        return cls(_exact(x, "exp_epsilon"))

    @classmethod
    def infinite(cls) -> Level:
        """The level of epsilon = infinity."""
        return cls(INFINITY)

    @classmethod
    def of_exponent(cls, s: mpq | int) -> Level:
        """The level e^s; e^0 is the rational level 1."""
        return cls(None, _exact(s, "epsilon"))

    @property
    def is_infinite(self) -> bool:
        """Whether epsilon is infinite."""
        return isinstance(self.value, Infinity)

    def _finite(self) -> mpq:
        """The value, where it is a rational number."""
        if self.value is None or isinstance(self.value, Infinity):
            raise InputError("a finite level", str(self.value))
        return self.value

    def formal(self) -> FormalSum:
        """The level as an exact number.

        Raises:
            InputError: if it is infinite.
        """
        return FormalSum.rational(self._finite()) if self.exponent is None else FormalSum.exp(self.exponent)

    def bracket(self, bits: int) -> tuple[mpq, mpq]:
        """Rationals lo <= a <= hi of relative width about 2^-bits; equal when a is rational.

        Raises:
            InputError: if the level is infinite.
            LimitError: if it is too large or too small to write out.
        """
        return (self._finite(), self._finite()) if self.exponent is None else exp_bracket(self.exponent, bits)

    def compare(self, x: mpq | int) -> int:
        """Sign of a - x for a rational x, -1, 0 or 1: exact.

        Raises:
            UndecidedError: if x is closer to a transcendental level than the precision limit tells.
        """
        s, bound = self.exponent, mpq(x)
        if s is None:
            if self.is_infinite:
                return 1
            gap = self._finite() - bound
            return (gap > 0) - (gap < 0)
        # e^s > 1 + s and, for s < 1, e^s < 1/(1 - s): both strict since s is not 0. They decide
        # levels far out of the range of ball arithmetic.
        if bound <= 1 + s:
            return 1
        if s < 0 and bound >= 1 / (1 - s):
            return -1

        def ball(bits: int) -> arb:
            with precision(bits):
                return exp_ball(s, bits) - arb_from_rational(bound, bits)

        return sign(ball, f"e^epsilon against a bound, {self.describe()}")

    def epsilon(self, digits: int = DEFAULT_DIGITS) -> Extended | Enclosure:
        """The logarithm of a: exact when it is rational or infinite, else an enclosure."""
        if self.exponent is not None:
            return self.exponent
        if self.is_infinite:
            return INFINITY
        value = self._finite()
        if value == 0:
            return NEGATIVE_INFINITY
        return mpq(0) if value == 1 else log_enclosure(value, digits)

    def to_json(self) -> dict[str, str]:
        """``{"exp_epsilon": "r"}`` (or "inf"), or ``{"epsilon": "s"}`` for e^s."""
        if self.exponent is not None:
            return {"epsilon": to_text(self.exponent)}
        return {"exp_epsilon": str(self.value)}

    def describe(self) -> str:
        """Short text for people: ``epsilon = log(3)``, ``epsilon = 1/2``, ``epsilon = inf``."""
        if self.exponent is not None:
            return f"epsilon = {shorten(str(self.exponent))}"
        if isinstance(self.value, Infinity):
            return "epsilon = inf"
        if self.value == 0:
            return "epsilon = -inf"
        return "epsilon = 0" if self.value == 1 else f"epsilon = log({shorten(str(self.value))})"


def _exact(x: mpq | int, where: str) -> mpq:
    """A number of the engine as it is, of any size; anything else through the gate, which no float passes."""
    return x if isinstance(x, mpq) else parse_number(x, where)


def parse_epsilon_text(text: object, where: str = "") -> Level:
    """Read an epsilon: ``log(x)`` or ``ln(x)`` with x > 0, any number, ``inf`` or ``-inf``.

    The logarithm stays exact: ``log(3)`` is the rational level 3. Numbers are read by
    :func:`oracle.exact.parse_number`; ``-log(x)`` is ``log(1/x)``.

    Raises:
        InputError: for anything else, a logarithm of a number that is not positive included.
    """
    if isinstance(text, str) and (match := _LOG.fullmatch(text)):
        inside = parse_number(match.group(2), where)
        if inside <= 0:
            raise InputError("the logarithm of a positive number", f'"{shorten(text)}"', where)
        return Level.rational(1 / inside if match.group(1) == "-" else inside)
    try:
        number = parse_extended(text, where)
    except LimitError:
        raise
    except InputError as error:
        if isinstance(text, str):
            raise InputError(_EPSILON, f'"{shorten(text)}"', where) from None
        raise error from None
    if isinstance(number, Infinity):
        return Level.infinite() if number > 0 else Level.rational(0)
    return Level.of_exponent(number)


@overload
def parse_level(
    args: Mapping[str, object], where: str = "", *, minimum_one: bool, required: Literal[True] = True
) -> Level: ...
@overload
def parse_level(args: Mapping[str, object], where: str = "", *, minimum_one: bool, required: bool) -> Level | None: ...
def parse_level(
    args: Mapping[str, object], where: str = "", *, minimum_one: bool, required: bool = True
) -> Level | None:
    """Read the level that *args* states: exactly one of ``exp_epsilon`` and ``epsilon``.

    Other keys of *args* are ignored. With ``minimum_one`` (claims and mechanism parameters) epsilon
    must be at least 0. Without ``required`` the answer is None when neither is given.

    Raises:
        InputError: for both or none of the two, a negative exp_epsilon, a malformed number, or an
            epsilon below 0 where that is not allowed.
    """
    given = [name for name in LEVEL_FIELDS if name in args]
    if not given and not required:
        return None
    if len(given) != 1:
        got = 'both "exp_epsilon" and "epsilon"' if given else "neither"
        raise InputError('exactly one of "exp_epsilon" and "epsilon"', got, where)
    name = given[0]
    place = f"{where}.{name}" if where else name
    if name == "epsilon":
        level = parse_epsilon_text(args[name], place)
    else:
        number = parse_extended(args[name], place)
        if number < 0:
            raise InputError("exp_epsilon at least 0", shorten(str(number)), place)
        level = Level(number)
    if minimum_one and level.compare(1) < 0:
        meaning = "epsilon at least 0" + (" (exp_epsilon at least 1)" if name == "exp_epsilon" else "")
        raise InputError(meaning, shorten(args[name]), place)
    return level
