"""Operations that return or relate channels and trade-off functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oracle.channels import canonical as canonical_form
from oracle.channels import decomposition, galois, lattice, operators, refinement
from oracle.channels.channel import Channel, parse_matrix
from oracle.channels.divergences import Direction
from oracle.channels.formal_channel import FormalChannel, formal_beta, formal_tradeoff
from oracle.channels.refinement import GainSeparation, Separation, Witness
from oracle.channels.tradeoff import TradeoffFunction
from oracle.enclosures import DEFAULT_DIGITS, parse_digits
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import parse_number, to_fraction
from oracle.experiments.base import Experiment
from oracle.operations.arguments import (
    MechanismLike,
    Value,
    curve_of,
    finite,
    pair_of,
    parse_direction,
    rational_channel,
    surface,
)

__all__ = [
    "canonical",
    "channel_of",
    "decompose",
    "glb",
    "hidden",
    "lub",
    "parallel",
    "post",
    "pre",
    "refines",
    "tradeoff",
    "tradeoff_corners",
    "visible",
]

_LONG_BITS: Final = 1 << 20
_MAX_WRITTEN_BITS: Final = 1 << 26


def canonical(channel: MechanismLike, where: str = "channel") -> Channel:
    """The canonical form of a two-row channel: zero columns dropped, equal ratios merged, q/p increasing."""
    evaluated = rational_channel(channel, where, merged=True)
    if not isinstance(channel, Channel) and not (isinstance(channel, Mapping) and "mechanism" not in channel):
        require_written(evaluated, where)
    return canonical_form.canonical(evaluated)


def require_written(channel: Channel, where: str = "channel") -> None:
    """Refuse to write out numbers over the common denominator of a channel that are millions of digits long.

    Raises:
        LimitError: where its denominator has more than 2^20 bits and two numbers for each column more than 2^26.
    """
    bits = channel.scale.bit_length()
    if bits > _LONG_BITS and 4 * bits * channel.shape[1] > _MAX_WRITTEN_BITS:
        expected = f"an answer of at most {_MAX_WRITTEN_BITS} bits in all where numbers have more than {_LONG_BITS}"
        raise LimitError(expected, f"{channel.shape[1]} columns of {bits} bits", where)


def tradeoff_corners(
    channel: MechanismLike, direction: str = "forward", digits: int = DEFAULT_DIGITS
) -> list[tuple[Value, Value]]:
    """Corners (alpha, beta) of T(P, Q) (backward: T(Q, P)), enclosures where probabilities are irrational."""
    pair = finite(pair_of(channel))
    side = parse_direction(direction, both=False)
    if isinstance(pair, Channel):
        require_written(pair)
    if isinstance(pair, FormalChannel):
        corners = formal_tradeoff(pair.oriented(side), digits)
        return [(surface(a), surface(b)) for a, b in corners]
    return [(to_fraction(a), to_fraction(b)) for a, b in _tradeoff(pair, side).corners]


def tradeoff(
    channel: MechanismLike, alpha: object = None, *, direction: str = "forward", digits: int = DEFAULT_DIGITS
) -> TradeoffFunction | Value:
    """The trade-off function T(P, Q), or with *alpha* its value there; direction backward gives T(Q, P).

    Raises:
        Declined: for the whole function of a channel with irrational corners (ask at an alpha,
            or for :func:`tradeoff_corners`) or of a pair that is not finite (ask at an alpha).
    """
    pair = pair_of(channel)
    side = parse_direction(direction, both=False)
    if alpha is None:
        return _tradeoff(rational_channel(pair), side)
    at = parse_number(alpha, "alpha")
    if isinstance(pair, Experiment):
        return surface(pair.beta(at, side, parse_digits(digits)))
    if isinstance(pair, FormalChannel):
        if not 0 <= at <= 1:
            raise InputError("alpha between 0 and 1", shorten(at), "alpha")
        return surface(formal_beta(pair.oriented(side), at, parse_digits(digits)))
    return to_fraction(_tradeoff(pair, side).at(at))


def _tradeoff(channel: Channel, direction: Direction) -> TradeoffFunction:
    return galois.tradeoff_of(channel if direction == "forward" else channel.swapped())


def channel_of(curve: TradeoffFunction | Mapping[str, Any]) -> Channel:
    """C(f): the canonical channel whose trade-off function is f."""
    return galois.channel_of(curve_of(curve))


def refines(left: MechanismLike, right: MechanismLike) -> Witness | Separation | GainSeparation:
    """Whether left ⊑ right, with evidence; the result is true or false and has ``holds``.

    A :class:`Witness` W has left·W = right. For two rows, a :class:`Separation` names a level h at which the hockey
    stick Σ max(0, q - h p) of left is below that of right; for other numbers of rows, a :class:`GainSeparation` has a
    gain function for which left is less vulnerable than right under the uniform prior.
    """
    return refinement.refine(rational_channel(left, "left"), rational_channel(right, "right"))


def glb(channels: Sequence[MechanismLike]) -> Channel:
    """Greatest lower bound of two-row channels under refinement, canonical."""
    return lattice.greatest_lower_bound(_family(channels, merged=True))


def lub(channels: Sequence[MechanismLike]) -> Channel:
    """Least upper bound of two-row channels under refinement, canonical."""
    return lattice.least_upper_bound(_family(channels, merged=True))


def _family(channels: Sequence[MechanismLike], *, merged: bool) -> list[Channel]:
    if isinstance(channels, (str, bytes, Mapping)) or not isinstance(channels, Sequence):
        raise InputError("a list of channels", shorten(channels), "channels")
    return [rational_channel(c, f"channels[{i}]", merged=merged) for i, c in enumerate(channels)]


def parallel(channels: Sequence[MechanismLike]) -> Channel:
    """Parallel composition: every column, lexicographic, the last factor fastest; any number of rows."""
    return operators.parallel(_family(channels, merged=False))


def visible(r: object, left: MechanismLike, right: MechanismLike) -> Channel:
    """Visible choice: columns r·left, then (1 - r)·right; any number of rows."""
    return operators.visible(parse_number(r, "r"), rational_channel(left, "left"), rational_channel(right, "right"))


def hidden(r: object, left: MechanismLike, right: MechanismLike) -> Channel:
    """Hidden choice r·left + (1 - r)·right, columns matched by label; any number of rows."""
    return operators.hidden(parse_number(r, "r"), rational_channel(left, "left"), rational_channel(right, "right"))


def pre(pre: Sequence[Sequence[object]], channel: MechanismLike) -> Channel:
    """Pre-processing pre·channel: *pre* is a 2 x k row-stochastic matrix, k the rows of the channel."""
    matrix = parse_matrix(pre, "pre")
    if len(matrix) != 2:
        raise InputError("two rows", f"{len(matrix)} rows", "pre")
    return operators.pre_process(matrix, rational_channel(channel))


def post(channel: MechanismLike, post: Sequence[Sequence[object]]) -> Channel:
    """Post-processing channel·post: *post* is row-stochastic with one row for each column of the channel."""
    return operators.post_process(rational_channel(channel), parse_matrix(post, "post"))


def decompose(curve: TradeoffFunction | Mapping[str, Any]) -> list[decomposition.Part]:
    """A symmetric trade-off function as a visible choice of randomized responses, exp_epsilon decreasing."""
    return decomposition.decompose(curve_of(curve))
