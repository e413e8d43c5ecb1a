"""What the operations take and give: a mechanism in any of its forms, levels, directions, values."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from oracle.accountant.composition import Composition
from oracle.channels.channel import Channel
from oracle.channels.divergences import DIRECTIONS, Direction
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.tradeoff import TradeoffFunction, parse_tradeoff
from oracle.enclosures import Enclosure
from oracle.errors import Declined, InputError, LimitError, shorten
from oracle.exact import Infinity, to_fraction
from oracle.experiments.base import Experiment
from oracle.interactive.reading import interactive_from, is_interactive
from oracle.interactive.tightness import tight_channel
from oracle.interactive.tree import InteractiveMechanism
from oracle.levels import Level, parse_level
from oracle.mechanisms.evaluate import Pair, evaluate, evaluate_finite
from oracle.mechanisms.nodes import Mechanism
from oracle.mechanisms.parse import mechanism_from

__all__ = [
    "MechanismLike",
    "Value",
    "curve_of",
    "finite",
    "level_of",
    "pair_of",
    "parse_direction",
    "rational_channel",
    "surface",
]

Value = Fraction | Infinity | Enclosure
MechanismLike = Channel | FormalChannel | Experiment | Mechanism | InteractiveMechanism | Mapping[str, Any]


def pair_of(mechanism: MechanismLike, where: str = "channel") -> Pair:
    """The pair of laws of whatever may stand where a channel may stand: a finite table or an experiment.

    For an interactive mechanism it is the tight channel, whose trade-off function is the largest below those of all
    views.
    """
    if isinstance(mechanism, (Channel, FormalChannel, Experiment)):
        return mechanism
    if is_interactive(mechanism):
        return tight_channel(interactive_from(mechanism, where))
    return evaluate(mechanism_from(mechanism, where), where)


def finite(mechanism: MechanismLike, where: str = "channel", *, merged: bool = True) -> Channel | FormalChannel:
    """The same, declined where it is not a finite table.

    With *merged* only the law is meant; without it compositions keep every column in its place, for operations that
    return or relate columns (:func:`~oracle.mechanisms.evaluate.evaluate`).
    """
    if isinstance(mechanism, (Channel, FormalChannel)):
        return mechanism
    if isinstance(mechanism, Composition) and mechanism.finite:
        raise LimitError("a composition of fewer columns here", "one too large to be a table", where)
    if isinstance(mechanism, Experiment):
        raise Declined(f"{where}: not a finite table; this operation works on finite tables only")
    if is_interactive(mechanism):
        raise Declined(f"{where}: an interactive mechanism is no table; the op simulate gives its tight channel")
    return evaluate_finite(mechanism_from(mechanism, where), where, merged=merged)


def rational_channel(mechanism: MechanismLike, where: str = "channel", *, merged: bool = False) -> Channel:
    """The same, declined where a probability is irrational; every column is kept unless *merged* is asked for."""
    channel = finite(mechanism, where, merged=merged)
    if isinstance(channel, FormalChannel):
        raise Declined(f"{where}: the probabilities are irrational; this operation is exact on rational channels only")
    return channel


def parse_direction(value: object, where: str = "direction", *, both: bool = True) -> Direction:
    """Read a direction: forward, backward or, where it has a meaning, both."""
    for known in DIRECTIONS if both else DIRECTIONS[1:]:
        if value == known:
            return known
    raise InputError("forward, backward" + (" or both" if both else ""), shorten(value), where)


def surface(value: mpq | Infinity | Enclosure) -> Value:
    """An engine value as it leaves the package."""
    return value if isinstance(value, (Infinity, Enclosure)) else to_fraction(value)


def curve_of(curve: TradeoffFunction | Mapping[str, Any]) -> TradeoffFunction:
    """A trade-off function, also from its JSON form."""
    return curve if isinstance(curve, TradeoffFunction) else parse_tradeoff(curve)


def level_of(exp_epsilon: object, epsilon: object, *, minimum_one: bool = False) -> Level:
    """The level of exactly one of *exp_epsilon* and *epsilon*."""
    given = {"exp_epsilon": exp_epsilon, "epsilon": epsilon}
    return parse_level({k: v for k, v in given.items() if v is not None}, minimum_one=minimum_one)
