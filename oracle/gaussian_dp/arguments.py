"""The arguments of this room's functions: exact numbers, levels and channels, from whatever states them exactly.

A number is what :func:`oracle.exact.parse_number` reads: an integer, a ``Fraction``, an ``mpq`` or text such as "1/2",
"0.05" or "1e-6". A float is refused, and so is an object that is no number.

An epsilon is a number, text such as "log(3)" or "inf", ``{"epsilon": ...}`` or ``{"exp_epsilon": ...}``, or a
:class:`~oracle.levels.Level`, which is e^epsilon. A bare number is always epsilon itself, never e^epsilon.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction, check_delta, sides
from oracle.channels.formal_channel import FormalChannel
from oracle.errors import InputError, shorten
from oracle.exact import Extended, Infinity, parse_extended, parse_number, to_text
from oracle.experiments.base import Experiment
from oracle.json_text import refuse_unknown
from oracle.levels import LEVEL_FIELDS, Level, parse_epsilon_text, parse_level

__all__ = [
    "EpsilonLike",
    "ExtendedLike",
    "NumberLike",
    "PairLike",
    "channel_of",
    "directions_of",
    "exact",
    "finite",
    "level_of",
    "nonnegative",
    "number_from",
    "pair_of",
    "positive",
    "probability",
    "whole",
]

NumberLike = mpq | Fraction | int | str
ExtendedLike = NumberLike | Infinity
EpsilonLike = Level | Mapping[str, object] | ExtendedLike
PairLike = Channel | FormalChannel | Experiment | Sequence[Sequence[NumberLike]]


def finite(value: object, where: str) -> mpq:
    """A number.

    Raises:
        InputError: for anything else; all functions here.
    """
    return parse_number(value, where)


def exact(value: object, where: str) -> mpq:
    """A number; one of the engine's own may be longer than an input."""
    return value if isinstance(value, mpq) else parse_number(value, where)


def number_from(value: object, least: int, where: str) -> Extended:
    """A number of at least *least*, or infinity."""
    number = parse_extended(value, where)
    if number < least:
        raise InputError(f"{where} at least {least}", shorten(to_text(number)), where)
    return number


def nonnegative(value: object, where: str) -> mpq:
    """A number of at least 0."""
    number = parse_number(value, where)
    if number < 0:
        raise InputError(f"{where} at least 0", shorten(to_text(number)), where)
    return number


def positive(value: object, where: str) -> mpq:
    """A number above 0."""
    number = parse_number(value, where)
    if number <= 0:
        raise InputError(f"{where} above 0", shorten(to_text(number)), where)
    return number


def probability(value: object, where: str = "delta") -> mpq:
    """A number from 0 to 1."""
    return check_delta(parse_number(value, where), where)


def whole(value: object, where: str) -> int:
    """A whole number of at least 1."""
    number = parse_number(value, where)
    if number.denominator != 1 or number < 1:
        raise InputError("a whole number, at least 1", shorten(to_text(number)), where)
    return int(number.numerator)


def level_of(value: object, where: str = "epsilon", *, minimum_one: bool = True) -> Level:
    """The level e^epsilon of an epsilon, which with *minimum_one* is at least 0."""
    if isinstance(value, Mapping):
        refuse_unknown(value, LEVEL_FIELDS, where)
        level = parse_level(value, where, minimum_one=False)
    else:
        level = value if isinstance(value, Level) else parse_epsilon_text(value, where)
    if minimum_one and level.compare(1) < 0:
        raise InputError("epsilon at least 0", level.describe(), where)
    return level


def channel_of(value: object, where: str = "channel") -> Channel:
    """A channel of two rows: itself, or its matrix."""
    channel = value if isinstance(value, Channel) else _matrix(value, where)
    if channel.shape[0] != 2:
        raise InputError("a channel of two rows", f"{channel.shape[0]} rows", where)
    return channel


def _matrix(value: object, where: str) -> Channel:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InputError("a channel, or its matrix as rows of exact numbers", shorten(value), where)
    return Channel(value)


def pair_of(value: object, where: str = "pair") -> Channel | FormalChannel | Experiment:
    """A pair of laws: a channel of two rows, finite or formal, an experiment, or a matrix."""
    return value if isinstance(value, (FormalChannel, Experiment)) else channel_of(value, where)


def directions_of(value: object) -> tuple[Direction, ...]:
    """The single directions of "both", "forward" or "backward"."""
    if value not in ("both", "forward", "backward"):
        raise InputError("forward, backward or both", shorten(value), "direction")
    return sides(value)
