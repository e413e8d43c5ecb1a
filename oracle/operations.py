"""The oracle's operations as Python calls: one function for each question of the contract.

Wherever a *mechanism* is asked for, a :class:`~oracle.channels.channel.Channel`, a node of the mechanism language or
its JSON form (a ``dict``) may stand. An interactive mechanism may stand where a question is about all its adversaries
at once: delta, epsilon, hockey stick, trade-off function and mu are those of its tight channel, a Rényi divergence is
the supremum, and a claim must hold of every view. Numbers are strings, ints, fractions or engine types; a float is
refused. Answers are ``fractions.Fraction`` where the value is rational, ``INFINITY`` where it is infinite, and an
:class:`~oracle.enclosures.Enclosure` (proved, lo <= truth <= hi, with the digits asked for) otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from gmpy2 import mpq

from oracle import verdicts
from oracle.accountant.composed_renyi import composed_renyi
from oracle.accountant.composition import Composition
from oracle.channels import canonical as canonical_form
from oracle.channels import decomposition, gains, galois, lattice, operators, profile, refinement
from oracle.channels import renyi as divergences_of_order
from oracle.channels.channel import Channel, parse_matrix
from oracle.channels.divergences import DIRECTIONS, Direction, check_delta
from oracle.channels.divergences import hockey_stick as rational_hockey_stick
from oracle.channels.formal_channel import (
    FormalChannel,
    formal_beta,
    formal_delta,
    formal_epsilon,
    formal_hockey_stick,
    formal_tradeoff,
    formal_vulnerability,
)
from oracle.channels.refinement import GainSeparation, Separation, Witness
from oracle.channels.tradeoff import TradeoffFunction, parse_tradeoff
from oracle.claims import ApproximateDP, Claim, parse_claim
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, parse_digits
from oracle.errors import Declined, InputError, LimitError, shorten
from oracle.exact import INFINITY, Infinity, parse_extended, parse_number, to_fraction
from oracle.experiments.base import Experiment
from oracle.experiments.subsampled import PoissonSubsampled
from oracle.gaussian_dp import channel_mu
from oracle.interactive.divergences import tight_renyi
from oracle.interactive.reading import interactive_from, is_interactive
from oracle.interactive.tightness import tight_channel
from oracle.interactive.tree import InteractiveMechanism
from oracle.interactive.verdicts import judge_tree
from oracle.levels import Level, parse_level
from oracle.mechanisms.database_node import DatabaseNode
from oracle.mechanisms.evaluate import Pair, evaluate, evaluate_finite
from oracle.mechanisms.nodes import Mechanism
from oracle.mechanisms.parse import mechanism_from
from oracle.mechanisms.relations import walk

__all__ = [
    "Epsilon",
    "Renyi",
    "Value",
    "canonical",
    "channel_of",
    "decompose",
    "delta",
    "epsilon",
    "finite",
    "glb",
    "hidden",
    "hockey_stick",
    "hockey_stick_at",
    "lub",
    "mu",
    "pair_of",
    "parallel",
    "parse_direction",
    "post",
    "pre",
    "rational_channel",
    "refines",
    "renyi",
    "satisfies",
    "tradeoff",
    "tradeoff_corners",
    "visible",
    "vulnerability",
]

_LONG_BITS: Final = 1 << 20
_MAX_WRITTEN_BITS: Final = 1 << 26

Value = Fraction | Infinity | Enclosure
MechanismLike = Channel | FormalChannel | Experiment | Mechanism | InteractiveMechanism | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Epsilon:
    """A least epsilon >= 0, as e^epsilon where that is rational or infinite, and as bounds lo <= epsilon <= hi.

    ``exp_epsilon`` is None exactly when e^epsilon is irrational; ``lo == hi`` when epsilon itself is exact.
    """

    exp_epsilon: Fraction | Infinity | None
    lo: Fraction | Infinity
    hi: Fraction | Infinity
    enclosure: Enclosure | None = None


@dataclass(frozen=True, slots=True)
class Renyi:
    """Rényi moment and divergence of one order.

    Attributes:
        moment: Σ p^order q^(1 - order), for whole orders of at least 2, else None.
        divergence: log(moment)/(order - 1) and its limits; None where the exact moment says it all.
    """

    moment: Value | None
    divergence: Value | None


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


def _tradeoff(channel: Channel, direction: Direction) -> TradeoffFunction:
    return galois.tradeoff_of(channel if direction == "forward" else channel.swapped())


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


def channel_of(curve: TradeoffFunction | Mapping[str, Any]) -> Channel:
    """C(f): the canonical channel whose trade-off function is f."""
    return galois.channel_of(_curve(curve))


def refines(left: MechanismLike, right: MechanismLike) -> Witness | Separation | GainSeparation:
    """Whether left ⊑ right, with evidence; the result is true or false and has ``holds``.

    A :class:`Witness` W has left·W = right. For two rows, a :class:`Separation` names a level h at which the hockey
    stick Σ max(0, q - h p) of left is below that of right; for other numbers of rows, a :class:`GainSeparation` has a
    gain function for which left is less vulnerable than right under the uniform prior.
    """
    return refinement.refine(rational_channel(left, "left"), rational_channel(right, "right"))


def _family(channels: Sequence[MechanismLike], *, merged: bool) -> list[Channel]:
    if isinstance(channels, (str, bytes, Mapping)) or not isinstance(channels, Sequence):
        raise InputError("a list of channels", shorten(channels), "channels")
    return [rational_channel(c, f"channels[{i}]", merged=merged) for i, c in enumerate(channels)]


def glb(channels: Sequence[MechanismLike]) -> Channel:
    """Greatest lower bound of two-row channels under refinement, canonical."""
    return lattice.greatest_lower_bound(_family(channels, merged=True))


def lub(channels: Sequence[MechanismLike]) -> Channel:
    """Least upper bound of two-row channels under refinement, canonical."""
    return lattice.least_upper_bound(_family(channels, merged=True))


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
    return decomposition.decompose(_curve(curve))


def _curve(curve: TradeoffFunction | Mapping[str, Any]) -> TradeoffFunction:
    return curve if isinstance(curve, TradeoffFunction) else parse_tradeoff(curve)


def _level(exp_epsilon: object, epsilon: object, *, minimum_one: bool = False) -> Level:
    given = {"exp_epsilon": exp_epsilon, "epsilon": epsilon}
    return parse_level({k: v for k, v in given.items() if v is not None}, minimum_one=minimum_one)


def hockey_stick(
    channel: MechanismLike,
    *,
    exp_epsilon: object = None,
    epsilon: object = None,
    direction: str = "forward",
    digits: int = DEFAULT_DIGITS,
) -> Value:
    """Σ max(0, p - a q) (forward), Σ max(0, q - a p) (backward) or the larger (both), a = e^epsilon.

    Exactly one of *exp_epsilon* (a, at least 0) and *epsilon* (any real, "log(3)" stays exact) is given.
    """
    return hockey_stick_at(
        pair_of(channel), _level(exp_epsilon, epsilon), parse_direction(direction), parse_digits(digits)
    )


def hockey_stick_at(channel: Pair, level: Level, direction: Direction, digits: int) -> Value:
    """The hockey stick of a pair at a level."""
    if isinstance(channel, Experiment):
        return surface(channel.hockey_stick(level, direction, digits))
    if isinstance(channel, FormalChannel):
        return surface(formal_hockey_stick(channel, level, direction, digits))
    if level.value is not None:
        return to_fraction(rational_hockey_stick(channel, level.value, direction))
    return surface(profile.delta_at(channel, level, direction, digits))


def delta(
    mechanism: MechanismLike,
    *,
    exp_epsilon: object = None,
    epsilon: object = None,
    direction: str = "both",
    digits: int = DEFAULT_DIGITS,
) -> Value:
    """The least delta for which the mechanism is (epsilon, delta)-DP: the hockey stick, by default both directions."""
    channel, level = pair_of(mechanism), _level(exp_epsilon, epsilon)
    if isinstance(channel, FormalChannel):
        return surface(formal_delta(channel, level, parse_direction(direction), parse_digits(digits)))
    return hockey_stick_at(channel, level, parse_direction(direction), parse_digits(digits))


def epsilon(
    mechanism: MechanismLike, delta: object, *, direction: str = "both", digits: int = DEFAULT_DIGITS
) -> Epsilon:
    """The least epsilon >= 0 for which the mechanism is (epsilon, delta)-DP; infinite if there is none."""
    channel = pair_of(mechanism)
    bound = check_delta(parse_number(delta, "delta"))
    side, wanted = parse_direction(direction), parse_digits(digits)
    least: Level | Enclosure
    if isinstance(channel, Experiment):
        least = channel.least_epsilon(bound, side, wanted)
    elif isinstance(channel, FormalChannel):
        least = formal_epsilon(channel, bound, side, wanted)
    else:
        least = Level(profile.least_level(channel, bound, side))
    if isinstance(least, Enclosure):
        return Epsilon(None, least.lower, least.upper, least)
    value = least.epsilon(wanted)
    if least.is_infinite:
        return Epsilon(INFINITY, INFINITY, INFINITY)
    exp_epsilon = None if least.value is None else surface(least.value)
    if isinstance(value, Enclosure):
        return Epsilon(exp_epsilon, value.lower, value.upper, value)  # type: ignore[arg-type]
    return Epsilon(exp_epsilon, surface(value), surface(value))  # type: ignore[arg-type]


def renyi(channel: MechanismLike, order: object, *, direction: str = "forward", digits: int = DEFAULT_DIGITS) -> Renyi:
    """Rényi moment and divergence of an order above 0, "inf" included; order 1 is Kullback-Leibler.

    The moment is stated for whole orders of at least 2, exactly for a finite rational channel, which then needs no
    divergence; the divergence is stated otherwise. *direction* backward exchanges P and Q, both takes the larger. Of an
    interactive mechanism it is the supremum over all adversaries, which may be below the value of its tight channel.

    Raises:
        Declined: for an expression with a ``database`` node: its pair has the largest hockey sticks of all
            neighbours, but its Rényi divergence may exceed that of every one of them.
    """
    at, side, wanted = parse_extended(order, "order"), parse_direction(direction), parse_digits(digits)
    if is_interactive(channel):
        return _stated(tight_renyi(interactive_from(channel, "channel"), at, side, wanted))
    if not isinstance(channel, (Channel, FormalChannel, Experiment)):
        channel = mechanism_from(channel)
        if any(isinstance(part, DatabaseNode) for part in walk(channel)):
            raise Declined("the pair of a database node only bounds Rényi divergences; ask for a pair of its rows")
    pair = pair_of(channel)
    if isinstance(pair, PoissonSubsampled):
        return _stated(composed_renyi([(pair, 1)], at, side, wanted))
    if isinstance(pair, Experiment):
        return _stated(pair.renyi(at, side, wanted))
    return _stated(divergences_of_order.renyi(pair, at, side, wanted))


def _stated(found: divergences_of_order.Renyi) -> Renyi:
    return Renyi(*(None if value is None else surface(value) for value in found))


def mu(mechanism: MechanismLike, *, direction: str = "both", digits: int = DEFAULT_DIGITS) -> Value:
    """The least mu for which the mechanism is mu-GDP: exact where it is rational, ``INFINITY`` where there is none.

    Both directions come to the same, T(Q, P) being the inverse of T(P, Q) and G_mu its own. Of a Poisson subsampled
    Gaussian mechanism it is that of the mechanism itself, whatever the rate: mu-GDP is about every epsilon at once, and
    far out in its tail the loss falls no faster.

    Raises:
        Declined: for a mechanism for which no proof over all epsilon is known.
    """
    parse_direction(direction)
    return surface(channel_mu.least_mu(pair_of(mechanism), parse_digits(digits)))


def vulnerability(
    channel: MechanismLike,
    gain: Sequence[Sequence[object]],
    prior: Sequence[object] | None = None,
    *,
    digits: int = DEFAULT_DIGITS,
) -> Value:
    """Posterior g-vulnerability V_g = Σ_y max_a Σ_x prior(x) g(a, x) C(x, y), uniform prior by default."""
    pair = finite(channel)
    inputs = pair.shape[0]
    matrix = gains.parse_gain(gain, inputs)
    weights = gains.uniform_prior(inputs) if prior is None else gains.parse_prior(prior, inputs)
    if isinstance(pair, FormalChannel):
        return surface(formal_vulnerability(pair, matrix, weights, parse_digits(digits)))
    return to_fraction(gains.posterior_vulnerability(pair, matrix, weights))


def satisfies(  # noqa: PLR0913 - the claim, or its parts
    mechanism: MechanismLike,
    claim: Claim | Mapping[str, Any] | None = None,
    *,
    exp_epsilon: object = None,
    epsilon: object = None,
    delta: object = "0",
    direction: str = "both",
) -> verdicts.Verdict:
    """Decide a claim, with a certificate: ``satisfies(m, exp_epsilon=3)`` or ``satisfies(m, {"mu": "1"})``.

    For a mechanism that is not a finite table, and for claims of mu, rho or a Rényi order with irrational
    probabilities, ``certificate`` is None and there is a ``record`` of what was computed; ``holds`` may then be
    "undecided".
    """
    if claim is None:
        level = _level(exp_epsilon, epsilon, minimum_one=True)
        claim = ApproximateDP(level, check_delta(parse_number(delta, "delta")))
    elif not isinstance(claim, Claim):
        claim = parse_claim(claim)
    side = parse_direction(direction)
    if is_interactive(mechanism):
        found = judge_tree(interactive_from(mechanism, "channel"), claim, side)
        return verdicts.Verdict(found.holds, found.certificate)
    return verdicts.judge(pair_of(mechanism), claim, side)
