"""The oracle's operations as Python calls: one function for each question of the contract.

Wherever a *mechanism* is asked for, a :class:`~oracle.channels.channel.Channel`, a node of the mechanism language or
its JSON form (a ``dict``) may stand. An interactive mechanism may stand where a question is about all its adversaries
at once: delta, epsilon, hockey stick, trade-off function and mu are those of its tight channel, a Rényi divergence is
the supremum, and a claim must hold of every view. Numbers are strings, ints, fractions or engine types; a float is
refused. Answers are ``fractions.Fraction`` where the value is rational, ``INFINITY`` where it is infinite, and an
:class:`~oracle.enclosures.Enclosure` (proved, lo <= truth <= hi, with the digits asked for) otherwise.
"""

from oracle.operations.arguments import (
    MechanismLike,
    Value,
    finite,
    pair_of,
    parse_direction,
    rational_channel,
)
from oracle.operations.channels import (
    canonical,
    channel_of,
    decompose,
    glb,
    hidden,
    lub,
    parallel,
    post,
    pre,
    refines,
    tradeoff,
    tradeoff_corners,
    visible,
)
from oracle.operations.claims import satisfies
from oracle.operations.interactive import Concurrent, concurrent, interactive_tradeoff, simulate
from oracle.operations.measures import (
    Epsilon,
    Renyi,
    delta,
    epsilon,
    hockey_stick,
    hockey_stick_at,
    mu,
    renyi,
    vulnerability,
)

__all__ = [
    "Concurrent",
    "Epsilon",
    "MechanismLike",
    "Renyi",
    "Value",
    "canonical",
    "channel_of",
    "concurrent",
    "decompose",
    "delta",
    "epsilon",
    "finite",
    "glb",
    "hidden",
    "hockey_stick",
    "hockey_stick_at",
    "interactive_tradeoff",
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
    "simulate",
    "tradeoff",
    "tradeoff_corners",
    "visible",
    "vulnerability",
]
