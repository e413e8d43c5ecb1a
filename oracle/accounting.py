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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from gmpy2 import mpq, mpz

from oracle import __version__, operations
from oracle.accountant.composition import Composition
from oracle.accountant.constituents import Constituent, pooled
from oracle.accountant.cross_check import cross_check as checks_of
from oracle.accountant.methods import Found
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction, check_delta, sides
from oracle.channels.formal_channel import FormalChannel
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, parse_digits
from oracle.errors import Declined, InputError, LimitError, UndecidedError, shorten
from oracle.exact import Infinity, parse_number, to_text
from oracle.experiments.base import Experiment
from oracle.interactive.reading import is_interactive
from oracle.levels import Level, parse_level
from oracle.mechanisms.evaluate import Pair, evaluate_composition
from oracle.mechanisms.parse import mechanism_from
from oracle.operations import MechanismLike, Value
from oracle.theorems.bounds import ProfileBound

__all__ = ["Account", "account", "evidence", "exactly", "method_of", "pair_of", "profile_lines"]

_END_DELTA: Final = mpq(1, 10**12)
_LARGEST_PROFILE: Final = 100_000

Json = dict[str, Any]
Guard = Callable[[str, Callable[[], Json]], Json | None]
"""Runs a piece of work, of which it is told the name; None where its time is up."""


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


def account(  # noqa: PLR0913 - what is asked, and how
    mechanism: MechanismLike,
    *,
    epsilon: object = None,
    exp_epsilon: object = None,
    delta: object = None,
    direction: str = "both",
    digits: int = DEFAULT_DIGITS,
    cross_check: bool = False,
    guard: Guard | None = None,
    expression: Mapping[str, Any] | None = None,
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
        guard: runs each piece of work; where it gives None, the entry has the bounds that are known at once.
        expression: the mechanism as it is to be told, where *mechanism* is its pair.

    Raises:
        InputError: for malformed input, with its place.
        Declined: for a mechanism that is not offered.
    """
    side, wanted = operations.parse_direction(direction), parse_digits(digits)
    levels = [({"epsilon": text(x)}, _level("epsilon", x)) for x in _several(epsilon)]
    levels += [({"exp_epsilon": text(x)}, _level("exp_epsilon", x)) for x in _several(exp_epsilon)]
    deltas = [({"delta": text(x)}, check_delta(parse_number(x, "delta"))) for x in _several(delta)]
    if not levels and not deltas:
        raise InputError("an epsilon, exp_epsilon or delta", "none")
    run = _reached(guard or (lambda _, work: work()))
    pair = mechanism if isinstance(mechanism, Experiment) else pair_of(mechanism)
    entries: list[Json] = []

    def add(given: Json, quantity: str, work: Callable[[], Json], bounds: Callable[[], Json]) -> None:
        name, value = next(iter(given.items()))
        entry = run(f"{quantity} at {name} = {value}", work)
        entries.append({"given": given, "quantity": quantity, **(entry or bounds())})

    if isinstance(pair, Composition) and len(levels) > 1:
        # Tables shared between the levels; each answer is then at hand.
        composition, wished = pair, [level for _, level in levels]
        run("tables", lambda: {"found": composition.all_found(wished, side, wanted)})
    for given, level in levels:
        add(
            given,
            "delta",
            partial(_delta_entry, pair, level, side, wanted, cross_check),
            partial(_delta_bounds, pair, level, side),
        )
    for given, bound in deltas:
        add(
            given,
            "epsilon",
            partial(_epsilon_entry, pair, bound, side, wanted, cross_check),
            partial(_epsilon_bounds, pair, bound, side),
        )
    return Account(
        {
            "account": 1,
            "oracle": __version__,
            "mechanism": dict(expression) if expression is not None else _expression(mechanism, pair),
            "direction": side,
            "digits": wanted,
            "entries": entries,
        }
    )


def _reached(run: Guard) -> Guard:
    """The same, None also where the limits of the methods do not reach."""

    def guarded(name: str, work: Callable[[], Json]) -> Json | None:
        try:
            return run(name, work)
        except (LimitError, UndecidedError):
            return None

    return guarded


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


def _delta_bounds(pair: Pair, level: Level, direction: Direction) -> Json:
    bounds = pair.bounds(level, direction) if isinstance(pair, Composition) else Enclosure(mpq(0), mpq(1), 0)
    return {"value": bounds.to_json(), "reached": bounds.reached or 0, "method": "bounds", "kind": "value"}


def _epsilon_entry(pair: Pair, bound: mpq, direction: Direction, digits: int, check: bool) -> Json:
    least = operations.epsilon(pair, to_text(bound), direction=direction, digits=digits)
    ends = least.enclosure.to_json() if least.enclosure else {"lo": to_text(least.lo), "hi": to_text(least.hi)}
    exact = {} if least.exp_epsilon is None else {"exp_epsilon": to_text(least.exp_epsilon)}
    entry: Json = {"value": {**exact, **ends}, "kind": _kind(pair)}
    if least.enclosure is not None and least.enclosure.reached is not None:
        entry["reached"] = least.enclosure.reached
    entry["method"] = method_of(pair)
    if not isinstance(pair, Composition):
        return entry
    entry["method"] = pair.method(direction if direction != "both" else "forward").name
    if isinstance(least.hi, Infinity) or least.hi <= 0:
        return entry
    rational = least.exp_epsilon
    top = Level.of_exponent(mpq(least.hi)) if rational is None else Level.rational(exactly(rational))
    # delta at the upper end is at most the bound: the value itself, a few digits further.
    entry["evidence"] = evidence(pair, top, direction, digits + 4)
    return {**entry, **({"cross_check": _checks(pair, top, direction, digits)} if check else {})}


def _epsilon_bounds(pair: Pair, bound: mpq, direction: Direction) -> Json:
    most = None
    if isinstance(pair, Composition):
        found = [pair.epsilon_bound(bound, side) for side in sides(direction)]
        known = [x for x in found if x is not None]
        most = max(known) if len(known) == len(found) else None
    high = "inf" if most is None else Enclosure(mpq(0), most).to_json()["hi"]
    return {"value": {"lo": "0", "hi": high}, "reached": 0, "method": "bounds", "kind": "value"}


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


def profile_lines(
    mechanism: MechanismLike,
    points: int,
    *,
    top: object = None,
    direction: str = "both",
    digits: int = DEFAULT_DIGITS,
) -> list[str]:
    """The privacy profile as lines of CSV: epsilon, lo, hi and the method, at equal steps from 0 to *top*.

    Args:
        mechanism: see :func:`account`.
        points: at least 2.
        top: the last epsilon; by default one at which delta is at most 10^-12.
        direction: see above.
        digits: see above.

    Raises:
        InputError: for another number of points, or a last epsilon that is not above 0.
    """
    if not 2 <= points <= _LARGEST_PROFILE:
        raise InputError(f"from 2 to {_LARGEST_PROFILE} points", shorten(points), "points")
    side, pair = operations.parse_direction(direction), pair_of(mechanism)
    last = _last_epsilon(pair, side) if top is None else parse_number(top, "epsilon")
    if last <= 0:
        raise InputError("a last epsilon above 0", shorten(to_text(last)), "epsilon")
    epsilons = [_decimal(last * i / (points - 1), last) for i in range(points - 1)] + [last]
    levels = [Level.of_exponent(eps) for eps in epsilons]
    rows: list[tuple[Value | mpq, str]]
    if isinstance(pair, Composition):
        rows = [(found.value, found.method) for found in pair.all_found(levels, side, digits)]
    else:
        rows = [(operations.hockey_stick_at(pair, level, side, digits), method_of(pair)) for level in levels]
    lines = ["epsilon,lo,hi,method"]
    for eps, (value, method) in zip(epsilons, rows, strict=True):
        ends = value.to_json() if isinstance(value, Enclosure) else dict.fromkeys(("lo", "hi"), to_text(value))
        lines.append(f"{Enclosure(eps, eps).to_json()['lo']},{ends['lo']},{ends['hi']},{method}")
    return lines


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
