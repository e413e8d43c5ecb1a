"""Operations on interactive mechanisms.

Wherever an *interactive* is asked for, an :class:`~oracle.interactive.tree.InteractiveMechanism`, its JSON form
``{"interactive": NODE, ...}`` or a NODE alone may stand. P is the law of a view on the first input, Q on the second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.profile import least_level
from oracle.channels.tradeoff import TradeoffFunction
from oracle.enclosures import DEFAULT_DIGITS
from oracle.errors import InputError, shorten
from oracle.exact import INFINITY, Extended
from oracle.interactive.comparison import Comparison
from oracle.interactive.reading import interactive_from
from oracle.interactive.simulation import Simulation
from oracle.interactive.simulation import simulate as simulated
from oracle.interactive.tightness import tight_channel
from oracle.interactive.tree import InteractiveMechanism
from oracle.levels import LEVEL_FIELDS, parse_level
from oracle.operations.arguments import Value, parse_direction, surface
from oracle.operations.channels import tradeoff
from oracle.operations.measures import delta
from oracle.theorems.composition_bounds import optimal_delta

__all__ = ["Concurrent", "concurrent", "interactive_tradeoff", "simulate"]

InteractiveLike = InteractiveMechanism | Mapping[str, Any] | None

_ALL_ORDERS: Final = 4
"""Most mechanisms of which every sequential order is looked at."""


@dataclass(frozen=True, slots=True)
class Concurrent:
    """A concurrent composition and what it is to be compared with: all of them curves, or all deltas at one level.

    At every level, each sequential order <= concurrent <= product <= optimal, as deltas; curves the other way round.

    Attributes:
        value: the tight trade-off function of the concurrent composition, or its tight delta.
        sequential: the same for mechanisms one after the other, by the order, places in the given list from 0 as in
            the JSON answer: all orders of up to four mechanisms, of more the given one and its reverse.
        product: the same for N_1 x ... x N_k, the tight channels side by side: the bound of theorem 1.4.
        guarantees: for each mechanism (e^epsilon, delta): its least delta at any epsilon, the least e^epsilon there.
        optimal: the optimal composition bound of Murtagh and Vadhan from those alone, both directions; None for curves
            and where the level is irrational.
    """

    value: TradeoffFunction | Value
    sequential: dict[tuple[int, ...], TradeoffFunction | Value]
    product: TradeoffFunction | Value
    guarantees: tuple[tuple[Value, Value], ...]
    optimal: Value | None


def interactive_tradeoff(
    interactive: InteractiveLike, alpha: object = None, *, direction: str = "forward"
) -> TradeoffFunction | Value:
    """The largest trade-off function below T(P, Q) of every adversary's view, or its value at *alpha*.

    Direction backward gives that of T(Q, P). Every corner is reached by a deterministic adversary.
    """
    return tradeoff(tight_channel(interactive_from(interactive)), alpha, direction=direction)


def simulate(interactive: InteractiveLike) -> Simulation:
    """The pair of laws N from one sample of which every adversary's view can be imitated, and how.

    ``channel`` is N, canonical, with T(N) the tight trade-off function; ``certificate()`` has the kernel at every node.
    """
    return simulated(interactive_from(interactive))


def concurrent(
    interactives: Sequence[InteractiveLike],
    *,
    exp_epsilon: object = None,
    epsilon: object = None,
    direction: str | None = None,
    digits: int = DEFAULT_DIGITS,
) -> Concurrent:
    """The tight guarantee of mechanisms that one adversary asks in any order, interleaved.

    Without a level: trade-off functions, of T(P, Q) or (backward) T(Q, P), forward by default. With *exp_epsilon* or
    *epsilon*: the least delta there, by default both directions.

    Raises:
        LimitError: for too many tuples of nodes, or too many columns.
    """
    listed = not isinstance(interactives, (str, bytes, Mapping)) and isinstance(interactives, Sequence)
    if not listed or not interactives:
        raise InputError("a list of at least one interactive mechanism", shorten(interactives), "interactives")
    parts = [interactive_from(value, f"interactives[{k}]") for k, value in enumerate(interactives)]
    given = {name: v for name, v in zip(LEVEL_FIELDS, (exp_epsilon, epsilon), strict=True) if v is not None}
    level = parse_level(given, minimum_one=False) if given else None
    side = parse_direction(direction or ("forward" if level is None else "both"), both=level is not None)

    def value(channel: Channel) -> TradeoffFunction | Value:
        if level is None:
            return tradeoff(channel, direction=side)
        return delta(channel, exp_epsilon=exp_epsilon, epsilon=epsilon, direction=side, digits=digits)

    given_order = tuple(range(len(parts)))
    orders = None if len(parts) <= _ALL_ORDERS else [given_order, given_order[::-1]]
    found = Comparison.of(parts, orders)
    guarantees = [_guarantee(channel) for channel in found.parts]
    return Concurrent(
        value(found.concurrent),
        {order: value(channel) for order, channel in zip(found.orders, found.sequential, strict=True)},
        value(found.product),
        tuple((surface(a), surface(d)) for a, d in guarantees),
        None if level is None or level.value is None else surface(optimal_delta(guarantees, level.value)),
    )


def _guarantee(channel: Channel) -> tuple[Extended, mpq]:
    least = hockey_stick(channel, INFINITY, "both")
    return least_level(channel, least, "both"), least
