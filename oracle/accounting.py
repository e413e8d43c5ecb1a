"""Accounts: delta or epsilon of a mechanism with the method, the record of how it was had, and checks of it.

>>> import oracle
>>> steps = {"mechanism": "repeat", "times": 10, "of": {"mechanism": "randomized_response", "exp_epsilon": "3"}}
>>> oracle.account(steps, exp_epsilon=9).entries[0]["method"]
'lattice polynomial'

An account is a JSON document (``oracle schema account``): the mechanism as understood, what was asked, and an entry for
each question with its value, the method, the facts on which it rests in each direction, and the cross-checks asked for
(:mod:`oracle.accountant.cross_check`). It is a record that can be run again, not a certificate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from gmpy2 import mpq, mpz

from oracle import __version__, operations
from oracle.accountant.composition import BOUND_DIGITS, Composition
from oracle.accountant.constituents import Constituent, pooled
from oracle.accountant.cross_check import cross_check as checks_of
from oracle.accountant.methods import Found, with_digits
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction, check_delta, sides
from oracle.channels.formal_channel import FormalChannel
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, parse_digits
from oracle.errors import Declined, InputError, LimitError, UndecidedError, shorten
from oracle.exact import Infinity, parse_number, to_decimal, to_text
from oracle.experiments.base import Experiment
from oracle.interactive.reading import is_interactive
from oracle.levels import Level, parse_level
from oracle.mechanisms.evaluate import Pair, evaluate_composition
from oracle.mechanisms.parse import mechanism_from
from oracle.operations import MechanismLike, Value
from oracle.theorems.bounds import ProfileBound

__all__ = [
    "PROFILE_HEADING",
    "PROFILE_RUN",
    "Account",
    "Question",
    "Questions",
    "account",
    "account_of",
    "bounds_entry",
    "coarse_entries",
    "entries",
    "epsilon_facts",
    "evidence",
    "exactly",
    "method_of",
    "pair_of",
    "profile_lines",
    "profile_rows",
    "profile_runs",
    "questions",
]

_END_DELTA: Final = mpq(1, 10**12)
_END_DIGITS: Final = 6
_COARSE_DIGITS: Final = (3, 12)
_LARGEST_PROFILE: Final = 100_000

PROFILE_RUN: Final = 250
"""Most points of a profile that are computed together."""

PROFILE_HEADING: Final = "epsilon,lo,hi,method"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Account:
    """An account.

    Attributes:
        document: the whole of it.
    """

    document: Json

    @property
    def entries(self) -> list[Json]:
        """One for each question, in their order: the deltas at each level, then the epsilons at each delta."""
        found: list[Json] = self.document["entries"]
        return found

    @property
    def complete(self) -> bool:
        """Whether every value has the digits that were asked for."""
        return not any("reached" in entry for entry in self.entries)

    @property
    def consistent(self) -> bool:
        """Whether every cross-check agrees; a disagreement is a fault of the oracle."""
        return all(check["agrees"] for entry in self.entries for check in entry.get("cross_check", ()))


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
        return _require_positive(max(map(_last, self.levels))) if self.levels else None


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


def account(  # noqa: PLR0913 - what is asked, and how
    mechanism: MechanismLike,
    *,
    epsilon: object = None,
    exp_epsilon: object = None,
    delta: object = None,
    direction: str = "both",
    digits: int = DEFAULT_DIGITS,
    cross_check: bool = False,
) -> Account:
    """Delta at each level and the least epsilon at each delta, with method, record and checks.

    Args:
        mechanism: whatever may stand where a channel may stand.
        epsilon: one or several; at least one in all of the three.
        exp_epsilon: likewise.
        delta: likewise.
        direction: both, forward (remove) or backward (add).
        digits: of values that are not exact.
        cross_check: whether a second contour and the loss grid check every delta.

    Raises:
        InputError: for malformed input, with its place.
        Declined: for a mechanism that is not offered.
    """
    asked = questions(
        epsilon=epsilon,
        exp_epsilon=exp_epsilon,
        delta=delta,
        direction=direction,
        digits=digits,
        cross_check=cross_check,
    )
    if not asked.items:
        raise InputError("an epsilon, exp_epsilon or delta", "none")
    pair = pair_of(mechanism)
    return account_of(_expression(mechanism, pair), asked, list(entries(pair, asked)))


def account_of(expression: Mapping[str, Any], asked: Questions, found: Sequence[Json]) -> Account:
    """The account of a mechanism, given as an expression, whose entries are at hand."""
    return Account(
        {
            "account": 1,
            "oracle": __version__,
            "mechanism": dict(expression),
            "direction": asked.direction,
            "digits": asked.digits,
            "entries": list(found),
        }
    )


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


def _several(value: object) -> Sequence[object]:
    if value is None:
        return ()
    return value if isinstance(value, (list, tuple)) else (value,)


def _level(name: str, value: object) -> Level:
    return parse_level({name: value}, minimum_one=False)


def text(value: object) -> str:
    """A parameter as it was given."""
    return value if isinstance(value, str) else shorten(value)


def _expression(mechanism: MechanismLike, pair: Pair) -> Json:
    if isinstance(mechanism, Mapping):
        return dict(mechanism)
    if isinstance(pair, Experiment):
        return pair.to_json()
    if isinstance(pair, FormalChannel):
        return {"rows": [[weight.to_json() for weight in row] for row in pair.rows]}
    return pair.to_json()


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


def profile_runs(
    mechanism: MechanismLike, points: int, *, top: object = None, direction: str = "both"
) -> list[tuple[mpq, ...]]:
    """The epsilons of a privacy profile, at equal steps from 0 to *top*, in runs whose points share their tables.

    The values of a run depend on that run alone, wherever it is computed.

    Args:
        mechanism: see :func:`account`.
        points: at least 2.
        top: the last epsilon, where it is no rational rounded up a little; by default one at which delta is at most
            10^-12.
        direction: see above.

    Raises:
        InputError: for another number of points, or a last epsilon that is not above 0.
    """
    if not 2 <= points <= _LARGEST_PROFILE:
        raise InputError(f"from 2 to {_LARGEST_PROFILE} points", shorten(points), "points")
    side = operations.parse_direction(direction)
    last = _last_epsilon(pair_of(mechanism), side) if top is None else _require_positive(_last(_level("epsilon", top)))
    epsilons = [_decimal(last * i / (points - 1), last) for i in range(points - 1)] + [last]
    return [tuple(epsilons[n : n + PROFILE_RUN]) for n in range(0, points, PROFILE_RUN)]


def profile_rows(mechanism: MechanismLike, direction: str, digits: int, run: Sequence[mpq]) -> list[str]:
    """Lines of CSV for one run of a profile: epsilon, lo, hi and the method."""
    side, pair = operations.parse_direction(direction), pair_of(mechanism)
    levels = [Level.of_exponent(eps) for eps in run]
    rows: list[tuple[Value | mpq, str]]
    if isinstance(pair, Composition):
        rows = [(found.value, found.method) for found in pair.all_found(levels, side, digits)]
    else:
        rows = [(operations.hockey_stick_at(pair, level, side, digits), method_of(pair)) for level in levels]
    lines = []
    for eps, (value, method) in zip(run, rows, strict=True):
        ends = value.to_json() if isinstance(value, Enclosure) else dict.fromkeys(("lo", "hi"), to_text(value))
        lines.append(f"{Enclosure(eps, eps).to_json()['lo']},{ends['lo']},{ends['hi']},{method}")
    return lines


def profile_lines(
    mechanism: MechanismLike,
    points: int,
    *,
    top: object = None,
    direction: str = "both",
    digits: int = DEFAULT_DIGITS,
) -> list[str]:
    """The privacy profile as lines of CSV, the heading first.

    Args:
        mechanism: see :func:`account`.
        points: at least 2.
        top: see :func:`profile_runs`.
        direction: see above.
        digits: see above.

    Raises:
        InputError: as :func:`profile_runs` does.
    """
    runs = profile_runs(mechanism, points, top=top, direction=direction)
    return [PROFILE_HEADING, *(line for run in runs for line in profile_rows(mechanism, direction, digits, run))]


def _require_positive(last: mpq) -> mpq:
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


def _decimal(x: mpq, last: mpq) -> mpq:
    """A decimal near a point of the profile, to about a millionth of the last one."""
    places = 6 - len(str(last.numerator // last.denominator))
    scale = mpz(10) ** max(places, 0)
    return mpq((x * scale).numerator // (x * scale).denominator, scale)


def _last_epsilon(pair: Pair, direction: Direction) -> mpq:
    """A short number at which delta is at most 10^-12; 10 if there is none."""
    least = operations.epsilon(pair, to_text(_END_DELTA), direction=direction, digits=3)
    if isinstance(least.hi, Infinity) or not least.hi:
        return mpq(10)
    high = mpq(least.hi)
    return mpq(-(-high.numerator * 10 // high.denominator), 10)
