"""Calibration: the parameter written "?" in an expression, such that a target (epsilon, delta) is met.

>>> import oracle
>>> steps = {"mechanism": "repeat", "times": "?", "of": {"mechanism": "randomized_response", "epsilon": "0.1"}}
>>> oracle.calibrate(steps, epsilon=1, delta="1e-3").value
Fraction(12, 1)

That is the least noise (``sigma``, ``scale``), the most steps (``times``) or the largest rate, between two proofs
(:mod:`oracle.accountant.calibration`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal

from gmpy2 import mpq

from oracle import operations
from oracle.accountant.calibration import AT_ONCE, Calibrated, calibrate_steps
from oracle.accountant.calibration import calibrate as calibrate_real
from oracle.accountant.composition import Composition
from oracle.accounting import exactly, pair_of
from oracle.channels.divergences import Direction, check_delta, sides
from oracle.enclosures import Enclosure, parse_digits
from oracle.errors import InputError
from oracle.exact import parse_number, to_fraction, to_text
from oracle.experiments.base import Experiment
from oracle.levels import Level, parse_level
from oracle.mechanisms.evaluate import Pair

__all__ = ["UNKNOWN", "Calibration", "calibrate", "narrowing", "unknown_fields"]

UNKNOWN: Final = "?"
"""What stands in an expression in the place of the parameter that is to be found."""

_PARAMETERS: Final = {"sigma": False, "scale": False, "rate": True, "times": True}
"""The fields that can be found, and whether delta grows with them."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Where a target begins to be met.

    Attributes:
        field: the name of the parameter.
        lo: the lower end.
        hi: the upper end, of ``times`` lo + 1; equal to it where all of the range meets the target.
        sufficient: the end that is proved to meet the target, "lo" or "hi"; the other is proved not to.
        reached: the digits reached, where they are fewer than those asked for.
    """

    field: str
    lo: Fraction
    hi: Fraction
    sufficient: Literal["lo", "hi"]
    reached: int | None = None

    @property
    def value(self) -> Fraction:
        """The end that meets the target."""
        return self.lo if self.sufficient == "lo" else self.hi

    def to_json(self) -> dict[str, Any]:
        """As in an account."""
        ends = {"lo": to_text(mpq(self.lo)), "hi": to_text(mpq(self.hi))}
        if self.field != "times":
            ends = Enclosure(mpq(self.lo), mpq(self.hi)).to_json()
        short = {} if self.reached is None else {"reached": self.reached}
        return {"field": self.field, "value": ends, "sufficient": self.sufficient, **short}


def calibrate(  # noqa: PLR0913 - the target, and how
    mechanism: Mapping[str, Any],
    *,
    delta: object,
    epsilon: object = None,
    exp_epsilon: object = None,
    direction: str = "both",
    digits: int = 6,
) -> Calibration:
    """The value of the field that stands "?" in an expression with which a target is met.

    Where laws have bounded losses the delta may be 0.

    Args:
        mechanism: an expression with "?" in the place of exactly one ``sigma``, ``scale``, ``rate`` or ``times``.
        delta: of the target, below 1.
        epsilon: of the target; this or the next.
        exp_epsilon: likewise.
        direction: both, forward (remove) or backward (add).
        digits: of the parameter.

    Raises:
        InputError: for malformed input, no "?", or more than one.
        UndecidedError: where no border is found within the limits.
    """
    *_, last = narrowing(
        mechanism, delta=delta, epsilon=epsilon, exp_epsilon=exp_epsilon, direction=direction, digits=digits
    )
    return last


def narrowing(  # noqa: PLR0913 - the target, and how
    mechanism: Mapping[str, Any],
    *,
    delta: object,
    epsilon: object = None,
    exp_epsilon: object = None,
    direction: str = "both",
    digits: int = 6,
) -> Iterator[Calibration]:
    """What is proved of the value of :func:`calibrate`, narrower and narrower, the last one its answer."""
    side, wanted = operations.parse_direction(direction), parse_digits(digits)
    bound = check_delta(parse_number(delta, "delta"))
    given = {"exp_epsilon": exp_epsilon, "epsilon": epsilon}
    level = parse_level({k: v for k, v in given.items() if v is not None}, minimum_one=True)
    if level.is_infinite:
        raise InputError("a finite epsilon", "inf", "epsilon")
    if bound == 1:
        raise InputError("a delta below 1, which everything meets", "1", "delta")
    places = list(unknown_fields(mechanism))
    if len(places) != 1:
        raise InputError('exactly one field with "?"', f"{len(places)}", "mechanism")
    name = places[0]

    def value(x: str, n: int) -> Enclosure:
        pair = pair_of(_filled(mechanism, x))
        if n == AT_ONCE and isinstance(pair, Composition):
            return pair.bounds(level, side)
        found = operations.hockey_stick_at(pair, level, side, max(n, 1))
        return found if isinstance(found, Enclosure) else Enclosure(exactly(found), exactly(found))

    # The expression is checked once as a whole, so that what else is wrong with it is told at once.
    value("1", 1)
    if name == "times":
        yield from (_stated(name, found) for found in calibrate_steps(lambda k, n: value(str(k), n), bound))
        return
    if not bound:
        _require_bounded(pair_of(_filled(mechanism, "1")), side)
    most = mpq(1) if name == "rate" else None
    grows = _PARAMETERS[name]
    search = calibrate_real(lambda x, n: value(to_text(x), n), bound, grows=grows, most=most, digits=wanted)
    yield from (_stated(name, found) for found in search)


def _require_bounded(pair: Pair, direction: Direction) -> None:
    """Refuse a delta of 0 where the loss of a step is unbounded whatever its noise."""
    if not isinstance(pair, Experiment):
        return
    for side in sides(direction):
        loss = pair.largest_loss(side)
        if isinstance(loss, Level) and loss.is_infinite:
            raise InputError("a delta above 0, as losses of this mechanism are unbounded", "0", "delta")


def _stated(name: str, found: Calibrated) -> Calibration:
    return Calibration(name, to_fraction(found.lo), to_fraction(found.hi), found.sufficient, found.reached)


def unknown_fields(value: object, where: str = "") -> Iterable[str]:
    """The names of the fields that stand "?"."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            place = f"{where}.{key}" if where else str(key)
            if item == UNKNOWN:
                if key not in _PARAMETERS:
                    raise InputError('"?" in the place of ' + ", ".join(_PARAMETERS), '"?"', place)
                yield key
            else:
                yield from unknown_fields(item, place)
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            yield from unknown_fields(item, f"{where}[{i}]")


def _filled(value: Any, x: str) -> Any:  # noqa: ANN401 - a JSON value
    """The expression with x in the place of "?"."""
    if isinstance(value, Mapping):
        return {key: x if item == UNKNOWN else _filled(item, x) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_filled(item, x) for item in value]
    return value
