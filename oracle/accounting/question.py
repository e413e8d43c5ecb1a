"""What an account is asked: deltas at levels, least epsilons at deltas, read and checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from gmpy2 import mpq

from oracle import operations
from oracle.channels.divergences import Direction, check_delta
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, parse_digits
from oracle.errors import InputError, shorten
from oracle.exact import Infinity, parse_number, to_text
from oracle.levels import Level, parse_level

__all__ = ["Json", "Question", "Questions", "profile_end", "questions"]

_END_DIGITS: Final = 6

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """One question of an account: delta at a level, or the least epsilon at a delta.

    Attributes:
        given: name and text of what was given.
        place: the level or the delta.
    """

    given: Json
    place: Level | mpq

    @property
    def quantity(self) -> str:
        """What is asked."""
        return "delta" if isinstance(self.place, Level) else "epsilon"

    def __str__(self) -> str:
        name, value = next(iter(self.given.items()))
        return f"{self.quantity} at {name} = {value}"


@dataclass(frozen=True, slots=True)
class Questions:
    """What an account is asked, read and checked.

    Attributes:
        items: the deltas at each level, then the epsilons at each delta.
        direction: both, forward (remove) or backward (add).
        digits: of values that are not exact.
        cross_check: whether a second contour and the loss grid check every delta.
    """

    items: tuple[Question, ...]
    direction: Direction
    digits: int
    cross_check: bool

    @property
    def levels(self) -> list[Level]:
        """Where delta is asked."""
        return [item.place for item in self.items if isinstance(item.place, Level)]

    @property
    def last_epsilon(self) -> mpq | None:
        """The end of a profile: the largest epsilon at which delta is asked; None where it is asked nowhere.

        Where that is no rational it is rounded up a little.

        Raises:
            InputError: where that is infinite, or not above 0.
        """
        return profile_end(self.levels) if self.levels else None


def questions(  # noqa: PLR0913 - what is asked, and how
    *,
    epsilon: object = None,
    exp_epsilon: object = None,
    delta: object = None,
    direction: str = "both",
    digits: object = DEFAULT_DIGITS,
    cross_check: bool = False,
) -> Questions:
    """The questions of an account; arguments as in :func:`account`.

    Raises:
        InputError: for malformed input, with its place.
    """
    side, wanted = operations.parse_direction(direction), parse_digits(digits)
    items = [Question({"epsilon": text(x)}, _level("epsilon", x)) for x in _several(epsilon)]
    items += [Question({"exp_epsilon": text(x)}, _level("exp_epsilon", x)) for x in _several(exp_epsilon)]
    items += [Question({"delta": text(x)}, check_delta(parse_number(x, "delta"))) for x in _several(delta)]
    return Questions(tuple(items), side, wanted, cross_check)


def _several(value: object) -> Sequence[object]:
    if value is None:
        return ()
    return value if isinstance(value, (list, tuple)) else (value,)


def _level(name: str, value: object) -> Level:
    return parse_level({name: value}, minimum_one=False)


def text(value: object) -> str:
    """A parameter as it was given."""
    return value if isinstance(value, str) else shorten(value)


def profile_end(levels: Sequence[Level]) -> mpq:
    """The largest epsilon of some levels as the end of a profile, rounded up a little where it is no rational.

    Raises:
        InputError: where it is infinite, or not above 0.
    """
    last = max(map(_last, levels))
    if last <= 0:
        raise InputError("a last epsilon above 0", shorten(to_text(last)), "epsilon")
    return last


def _last(level: Level) -> mpq:
    """The epsilon of a level as the end of a profile; 0 for a level of 0.

    Raises:
        InputError: where it is infinite.
    """
    found = level.epsilon(_END_DIGITS)
    if isinstance(found, Infinity):
        if found > 0:
            raise InputError("a last epsilon that is finite", str(found), "epsilon")
        return mpq(0)
    return found.hi if isinstance(found, Enclosure) else found
