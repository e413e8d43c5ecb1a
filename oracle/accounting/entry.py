"""The entries of an account: the value of each question with the method, the facts, and the checks asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from gmpy2 import mpq

from oracle import operations
from oracle.accountant.composition import BOUND_DIGITS, Composition
from oracle.accountant.constituents import Constituent, pooled
from oracle.accountant.cross_check import cross_check as checks_of
from oracle.accountant.methods import Found, with_digits
from oracle.accounting.question import Json, Question, Questions
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction, sides
from oracle.channels.formal_channel import FormalChannel
from oracle.enclosures import Enclosure
from oracle.errors import Declined, InputError, LimitError, UndecidedError
from oracle.exact import Infinity, to_decimal, to_text
from oracle.experiments.base import Experiment
from oracle.interactive.reading import is_interactive
from oracle.levels import Level
from oracle.mechanisms.evaluate import Pair, evaluate_composition
from oracle.mechanisms.parse import mechanism_from
from oracle.operations import MechanismLike, Value
from oracle.theorems.bounds import ProfileBound

__all__ = [
    "bounds_entry",
    "coarse_entries",
    "entries",
    "epsilon_facts",
    "evidence",
    "exactly",
    "method_of",
    "pair_of",
]

_COARSE_DIGITS: Final = (3, 12)


def entries(pair: Pair, asked: Questions) -> Iterator[Json]:
    """An entry for each question, as it is had; where the methods' limits do not reach, with the bounds known at once.

    Tables are shared between the levels, so that the first delta takes longest.
    """
    if isinstance(pair, Composition) and len(asked.levels) > 1:
        # What is not had here is asked again below, each by itself.
        with suppress(LimitError, UndecidedError):
            pair.all_found(asked.levels, asked.direction, asked.digits)
    for question in asked.items:
        try:
            yield _entry(pair, question, asked)
        except (LimitError, UndecidedError):
            yield bounds_entry(pair, question, asked.direction)


def coarse_entries(pair: Pair, asked: Questions) -> Iterator[tuple[int, Json]]:
    """Entries for want of time, each with the place of its question: bounds known at once, then values of few digits.

    A later entry of a question says more than an earlier one.
    """
    for i, question in enumerate(asked.items):
        yield i, bounds_entry(pair, question, asked.direction)
    for digits in _COARSE_DIGITS:
        if digits >= asked.digits:
            return
        coarse = replace(asked, digits=digits, cross_check=False)
        for i, question in enumerate(asked.items):
            with suppress(LimitError, UndecidedError):
                entry = _entry(pair, question, coarse)
                exact = isinstance(entry["value"], str) or "exp_epsilon" in entry["value"]
                yield i, entry if exact or "reached" in entry else {**entry, "reached": digits}


def bounds_entry(pair: Pair | None, question: Question, direction: Direction) -> Json:
    """The entry of a question without an answer: the bounds that are known at once; without a pair those of all."""
    place = question.place
    try:
        known = (
            _delta_bounds(pair, place, direction)
            if isinstance(place, Level)
            else _epsilon_bounds(pair, place, direction)
        )
    except (LimitError, UndecidedError):
        return bounds_entry(None, question, direction)
    return {"given": question.given, "quantity": question.quantity, **known}


def pair_of(mechanism: MechanismLike) -> Pair:
    """The pair of laws; a composition of rational tables as a composition."""
    if isinstance(mechanism, (Channel, FormalChannel, Experiment)) or is_interactive(mechanism):
        return operations.pair_of(mechanism)
    return evaluate_composition(mechanism_from(mechanism))


def _number(value: Value | mpq) -> Any:  # noqa: ANN401 - a JSON value
    return value.to_json() if isinstance(value, Enclosure) else to_text(value)


def _valued(value: Value | mpq) -> Json:
    short = {} if not isinstance(value, Enclosure) or value.reached is None else {"reached": value.reached}
    return {"value": _number(value), **short}


def method_of(pair: Pair) -> str:
    """How values of a pair that is no composition are had."""
    if isinstance(pair, (Channel, FormalChannel)):
        return "exact sum"
    return "theorem" if isinstance(pair, ProfileBound) else "closed form"


def _entry(pair: Pair, question: Question, asked: Questions) -> Json:
    given = {"given": question.given, "quantity": question.quantity}
    place, how = question.place, (asked.direction, asked.digits, asked.cross_check)
    return given | (_delta_entry(pair, place, *how) if isinstance(place, Level) else _epsilon_entry(pair, place, *how))


def _delta_entry(pair: Pair, level: Level, direction: Direction, digits: int, check: bool) -> Json:
    if not isinstance(pair, Composition):
        value = operations.hockey_stick_at(pair, level, direction, digits)
        entry = {
            **_valued(value),
            "method": method_of(pair),
            "kind": "bound" if isinstance(pair, ProfileBound) else "value",
        }
    else:
        found = pair.larger_found(level, direction, digits)
        entry = {**_valued(found.value), "method": found.method, "kind": "value"}
        entry["evidence"] = evidence(pair, level, direction, digits)
    return {**entry, **({"cross_check": _checks(pair, level, direction, digits)} if check else {})}


def _kind(pair: Pair) -> str:
    return "bound" if isinstance(pair, ProfileBound) else "value"


def evidence(pair: Composition, level: Level, direction: Direction, digits: int) -> list[Json]:
    """What the value of a composition rests on, in each direction that is meant."""
    return [
        _fact(side, pair.found(level, side, digits)) for side in (("forward",) if pair.symmetric else sides(direction))
    ]


def _fact(side: Direction, found: Found) -> Json:
    return {"direction": side, **_valued(found.value), "method": found.method, "facts": dict(found.facts)}


def _delta_bounds(pair: Pair | None, level: Level, direction: Direction) -> Json:
    return _bounds(pair.bounds(level, direction) if isinstance(pair, Composition) else Enclosure(mpq(0), mpq(1), 0))


def _epsilon_entry(pair: Pair, bound: mpq, direction: Direction, digits: int, check: bool) -> Json:
    least = operations.epsilon(pair, to_text(bound), direction=direction, digits=digits)
    ends = least.enclosure.to_json() if least.enclosure else {"lo": to_text(least.lo), "hi": to_text(least.hi)}
    exact = {} if least.exp_epsilon is None else {"exp_epsilon": to_text(least.exp_epsilon)}
    entry: Json = {"value": {**exact, **ends}, "kind": _kind(pair)}
    if least.enclosure is not None and least.enclosure.reached is not None:
        entry["reached"] = least.enclosure.reached
    if not isinstance(pair, Composition):
        return {**entry, "method": method_of(pair)}
    top = _upper_end(least)
    checks = {} if top is None or not check else {"cross_check": _checks(pair, top, direction, digits)}
    return {**entry, **epsilon_facts(pair, least, direction, digits), **checks}


def epsilon_facts(pair: Composition, least: operations.Epsilon, direction: Direction, digits: int) -> Json:
    """How the least epsilon of a composition was had: the method, and delta in each direction at its upper end."""
    if least.enclosure is not None and least.enclosure.reached == 0:
        return {"method": "bounds"}
    top = _upper_end(least)
    # delta at the upper end is at most the bound: the value itself, a few digits further.
    facts = {} if top is None else {"evidence": evidence(pair, top, direction, digits + 4)}
    return {"method": pair.method("backward" if direction == "backward" else "forward").name, **facts}


def _upper_end(least: operations.Epsilon) -> Level | None:
    """The level at the upper end of an epsilon; None where that is 0 or infinite."""
    if isinstance(least.hi, Infinity) or least.hi <= 0:
        return None
    rational = least.exp_epsilon
    return Level.of_exponent(mpq(least.hi)) if rational is None else Level.rational(exactly(rational))


def _epsilon_bounds(pair: Pair | None, bound: mpq, direction: Direction) -> Json:
    found: list[tuple[mpq, mpq | None]] = [(mpq(0), None)]
    if isinstance(pair, Composition):
        found = [pair.epsilon_bounds(bound, side) for side in sides(direction)]
    least, most = max(low for low, _ in found), mpq(0)
    for _, high in found:
        if high is None:
            ends = {"lo": to_decimal(least, BOUND_DIGITS, "down"), "hi": "inf"}
            return {"value": ends, "reached": 0, "method": "bounds", "kind": "value"}
        most = max(most, high)
    return _bounds(with_digits(Enclosure(least, most), BOUND_DIGITS))


def _bounds(known: Enclosure) -> Json:
    """Bounds of at most ``BOUND_DIGITS`` digits."""
    entry: Json = {"value": known.to_json(), "method": "bounds", "kind": "value"}
    if known.lo == known.hi:
        return entry
    return {**entry, "reached": BOUND_DIGITS if known.reached is None else known.reached}


def _checks(pair: Pair, level: Level, direction: Direction, digits: int) -> list[Json]:
    """The cross-checks of delta at a level, in each direction that is meant."""
    constituents = _constituents(pair)
    if constituents is None or level.is_infinite or level.value == 0:
        return []
    found = []
    for side in sides(direction):
        value = operations.hockey_stick_at(pair, level, side, digits)
        ends = value if isinstance(value, Enclosure) else Enclosure(exactly(value), exactly(value))
        grid = pair.grid(side) if isinstance(pair, Composition) else None
        for check in checks_of(constituents, level, side, ends, digits=digits, grid=grid):
            item = {"direction": side, "method": check.method, "value": check.value.to_json(), "agrees": check.agrees}
            found.append({**item, "facts": check.facts})
    return found


def exactly(value: Value | mpq) -> mpq:
    """A finite rational value."""
    if isinstance(value, (Enclosure, Infinity)):
        raise InputError("a rational number", str(value))
    return mpq(value)


def _constituents(pair: Pair) -> Sequence[Constituent] | None:
    if isinstance(pair, Composition):
        return pair.constituents
    try:
        return pooled([Constituent(pair, 1, {})])
    except Declined:
        return None
