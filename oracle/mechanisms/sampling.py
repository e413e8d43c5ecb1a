"""From a subsampling node to its pair of laws, exactly where there is one, else to the bound of a theorem.

*Poisson, add_remove*: P' = (1-q) Q + q P, Q' = Q, for finite pairs by pre-processing, for others by
:class:`~oracle.experiments.subsampled.PoissonSubsampled`. *Poisson, substitute*: exact for noise added to a number that
is 0 where the record is absent and ±sensitivity where it is one of the two, for other pairs theorem 7 of their
add_remove profile. *With and without replacement*: the base pair is about samples of a fixed size, hence under
substitution; theorems 9 to 11. A ``database`` node below is enumerated instead, whatever the relation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gmpy2 import mpq

from oracle.channels.channel import Channel, require_two_rows
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.formal_operators import formal_pre
from oracle.channels.operators import pre_process
from oracle.databases import subsampling as exact
from oracle.databases.tables import DatabaseMechanism
from oracle.databases.universe import Relation, Universe
from oracle.errors import Declined, InputError, LimitError, shorten
from oracle.experiments.base import Experiment
from oracle.experiments.subsampled import poisson_subsampled
from oracle.experiments.substituted import SubstitutedGaussian, SubstitutedLaplace
from oracle.formal import FormalSum
from oracle.mechanisms.database_node import DatabaseNode
from oracle.mechanisms.nodes import (
    Group,
    Mechanism,
    PoissonSubsample,
    SubsampleWithoutReplacement,
    SubsampleWithReplacement,
)
from oracle.mechanisms.primitive_nodes import DiscreteLaplace, Gaussian, Geometric, Laplace
from oracle.mechanisms.primitives import Finite, simplest
from oracle.theorems import subsampling as theorems
from oracle.theorems.bounds import Pair, ProfileBound

__all__ = [
    "SAME",
    "Subsample",
    "enumerated",
    "group_bound",
    "is_finite",
    "subsampled_experiment",
    "subsampled_table",
    "uses_table",
]

Subsample = PoissonSubsample | SubsampleWithoutReplacement | SubsampleWithReplacement

SAME: Final = Channel.trusted(((mpq(1),), (mpq(1),)))
"""The pair of a mechanism that never sees the record."""

_MAX_SUBSTITUTED: Final = 5_000
_MAX_TABLE_BITS: Final = 1 << 30


def _integer_noise(mechanism: Mechanism) -> bool:
    return isinstance(mechanism, DiscreteLaplace) or (isinstance(mechanism, Geometric) and mechanism.values is None)


def is_finite(node: Subsample, of: Experiment | None) -> bool:
    """Whether the subsampled pair is a finite table, given the base's experiment (None if that is finite)."""
    if isinstance(node.of, DatabaseNode):
        return True
    if not isinstance(node, PoissonSubsample):
        return False
    if node.rate == 0 and not isinstance(of, ProfileBound):
        return True
    return of is None and (node.neighbours == "add_remove" or _integer_noise(node.of))


def subsampled_experiment(
    node: Subsample,
    of: Experiment | None,
    finite: Callable[[], Finite],
    noise: Callable[[int], Pair] | None,
) -> Experiment:
    """The pair of laws of a subsampled mechanism that is no finite table, or a theorem's bound.

    Args:
        node: the subsampling node.
        of: the base's pair where it is no finite table.
        finite: gives the base's table otherwise.
        noise: k -> the base's pair at k times its sensitivity, for additive noise.

    Raises:
        Declined: where no theorem speaks about the pairing, and for the subsampling of a bound.
    """
    if isinstance(of, ProfileBound):
        raise Declined("subsampling of a mechanism of which only a bound is known is not offered")
    if isinstance(node, PoissonSubsample):
        if of is not None and node.neighbours == "add_remove":
            return poisson_subsampled(of, node.rate)
        if isinstance(node.of, Laplace):
            return SubstitutedLaplace(node.of.sensitivity / node.of.scale, node.rate)
        if isinstance(node.of, Gaussian):
            return SubstitutedGaussian(node.of.sensitivity / node.of.sigma, node.rate)
        amplification = theorems.poisson(node.rate, node.neighbours)
    elif isinstance(node, SubsampleWithoutReplacement):
        amplification = theorems.without_replacement(node.source, node.sample, node.neighbours)
    else:
        amplification = theorems.with_replacement(node.source, node.sample, node.neighbours)
    pair: Pair = finite() if of is None else of
    if isinstance(pair, Channel):
        require_two_rows(pair, "of")
    return ProfileBound(amplification, pair, noise, node.to_json())


def group_bound(mechanism: Group, pair: Pair) -> ProfileBound:
    """The black-box bound of group privacy, from the pair of the mechanism inside.

    Raises:
        Declined: for a pair of which only a bound is known.
    """
    if isinstance(pair, ProfileBound):
        raise Declined("group privacy of a mechanism of which only a bound is known is not offered")
    if isinstance(pair, Channel):
        require_two_rows(pair, "of")
    return ProfileBound(theorems.group_privacy(mechanism.size), pair, None, mechanism.to_json())


def uses_table(node: Subsample) -> bool:
    """Whether :func:`subsampled_table` needs the base's table."""
    poisson = isinstance(node, PoissonSubsample) and node.rate != 0 and node.neighbours == "add_remove"
    return poisson and not isinstance(node.of, DatabaseNode)


def subsampled_table(node: Subsample, pair: Finite) -> Finite:
    """The table of a subsampled mechanism that has one (see :func:`is_finite`), from the base's table where it is used.

    Raises:
        InputError: for a base that is no pair.
    """
    if isinstance(node.of, DatabaseNode):
        return enumerated(node, node.of).worst_case(node.neighbours)
    if not isinstance(node, PoissonSubsample):
        raise Declined("sampling of a fixed size has an exact table for database nodes only")
    if node.rate == 0:
        return SAME
    if node.neighbours == "substitute":
        return _substituted(node)
    zero, one = mpq(0), mpq(1)
    matrix = ((node.rate, 1 - node.rate), (zero, one))
    if isinstance(pair, FormalChannel):
        return simplest(formal_pre(matrix, pair))
    require_two_rows(pair, "of")
    return pre_process(matrix, pair)


def _substituted(node: PoissonSubsample) -> Finite:
    """Noise on integers, absent at 0, the records at ±s: P' = (1-q) N(0) + q N(s), Q' = (1-q) N(0) + q N(-s).

    All three laws have constant ratios on z <= -s and on z >= s, so 2s + 1 outcomes remain. Weights are (1+r) times the
    probabilities: (1-r) r^|z-mu| inside, r^|s-mu| for a tail that begins at distance |s-mu|, of which mu is outside.
    """
    of = node.of
    s = int(mpq(of.sensitivity or 1).numerator) if isinstance(of, (DiscreteLaplace, Geometric)) else 0
    if s > _MAX_SUBSTITUTED:
        raise LimitError(f"a sensitivity of at most {_MAX_SUBSTITUTED}", shorten(s), "sensitivity")
    stated = of.ratio if isinstance(of, (DiscreteLaplace, Geometric)) else None
    bits = 0 if stated is None else max(stated.numerator.bit_length(), stated.denominator.bit_length())
    if bits * s * s > _MAX_TABLE_BITS:
        raise LimitError(f"a table of at most {_MAX_TABLE_BITS} bits", f"powers of the ratio up to {2 * s}")

    def power(n: int) -> FormalSum:
        if isinstance(of, DiscreteLaplace) and of.ratio is None and of.scale is not None:
            return FormalSum.exp(-n / of.scale)
        ratio = of.ratio if isinstance(of, (DiscreteLaplace, Geometric)) else None
        return FormalSum.rational((ratio or mpq(0)) ** n)

    one = FormalSum.rational(1)

    def law(centre: int) -> list[FormalSum]:
        inside = [power(abs(z - centre)) * (one - power(1)) for z in range(1 - s, s)]
        return [power(abs(-s - centre)), *inside, power(abs(s - centre))]

    absent, up, down = law(0), law(s), law(-s)
    q = node.rate
    rows = [
        [kept.scaled(q) + rest.scaled(1 - q) for kept, rest in zip(moved, absent, strict=True)] for moved in (up, down)
    ]
    return simplest(FormalChannel(rows))


def enumerated(node: Subsample, of: DatabaseNode) -> DatabaseMechanism:
    """The subsampled mechanism on every source, by enumeration.

    Sources of Poisson subsampling are the databases of the table. Those of the other two are all databases of *source*
    records over the universe and, under add_remove, of one record less.
    """
    base, universe = of.mechanism, of.mechanism.universe
    if isinstance(node, PoissonSubsample):
        rate = node.rate
        return base.subsampled(universe, base.table, lambda database: exact.poisson(database, rate))
    sources = Universe(universe.records, of.sources)
    databases = sources.enumerated(_sizes(node.source, node.neighbours))
    if not databases:
        raise InputError(
            "a source that the universe has", f"no {of.sources} of {shorten(node.source)} records", "source"
        )
    if isinstance(node, SubsampleWithoutReplacement):
        sampler = exact.sampled_without_replacement(node.sample)
    else:
        sampler = exact.sampled_with_replacement(node.sample, of.sources)
    return base.subsampled(sources, databases, sampler)


def _sizes(source: int, neighbours: Relation) -> list[int]:
    return [source] if neighbours == "substitute" else [source, source - 1]
