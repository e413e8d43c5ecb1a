"""The privacy profile of a mechanism as lines of CSV, in runs of points that are computed together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq, mpz

from oracle import operations
from oracle.accountant.composition import Composition
from oracle.accounting.entry import method_of, pair_of
from oracle.accounting.question import profile_end
from oracle.channels.divergences import Direction
from oracle.enclosures import DEFAULT_DIGITS, Enclosure
from oracle.errors import InputError, shorten
from oracle.exact import Infinity, to_text
from oracle.levels import Level, parse_level
from oracle.mechanisms.evaluate import Pair
from oracle.operations import MechanismLike, Value

__all__ = ["PROFILE_HEADING", "PROFILE_RUN", "profile_lines", "profile_rows", "profile_runs"]

_END_DELTA: Final = mpq(1, 10**12)
_LARGEST_PROFILE: Final = 100_000

PROFILE_RUN: Final = 250
"""Most points of a profile that are computed together."""

PROFILE_HEADING: Final = "epsilon,lo,hi,method"


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
    last = (
        _last_epsilon(pair_of(mechanism), side)
        if top is None
        else profile_end([parse_level({"epsilon": top}, minimum_one=False)])
    )
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
