"""The mechanism language: nodes made of other mechanisms, and the union of all nodes with their names.

Every node is a frozen value with its JSON form; those made of no others are in
:mod:`oracle.mechanisms.primitive_nodes` and :mod:`oracle.mechanisms.database_node`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from oracle.exact import to_text
from oracle.mechanisms.database_node import DatabaseNode
from oracle.mechanisms.primitive_nodes import (
    ApproximateRandomizedResponse,
    ChannelNode,
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    Gaussian,
    GaussianDP,
    Geometric,
    Guarantees,
    KRandomizedResponse,
    Laplace,
    RandomizedResponse,
    TradeoffNode,
    document_integer,
)

if TYPE_CHECKING:
    from gmpy2 import mpq

    from oracle.channels.channel import Rows
    from oracle.databases.universe import Relation

__all__ = [
    "MAX_DEPTH",
    "NAMES",
    "Choice",
    "Compose",
    "FixedSizeSubsample",
    "Group",
    "Hidden",
    "Mechanism",
    "PoissonSubsample",
    "Post",
    "Pre",
    "Repeat",
    "SubsampleWithReplacement",
    "SubsampleWithoutReplacement",
    "Visible",
]

MAX_DEPTH: Final = 100
"""Most mechanisms that stand inside one another."""


@dataclass(frozen=True, slots=True)
class Group:
    """The mechanism on inputs that differ by *size* records, a path of neighbours apart."""

    size: int
    of: Mechanism

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        return {"mechanism": "group", "size": document_integer(self.size), "of": self.of.to_json()}


@dataclass(frozen=True, slots=True)
class Compose:
    """Composition of several mechanisms, all of whose outputs are seen; the parts are dominating pairs."""

    of: tuple[Mechanism, ...]

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        return {"mechanism": "compose", "of": [part.to_json() for part in self.of]}


@dataclass(frozen=True, slots=True)
class Repeat:
    """The same mechanism composed with itself, *times* >= 0 runs in all."""

    times: int
    of: Mechanism

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        return {"mechanism": "repeat", "times": document_integer(self.times), "of": self.of.to_json()}


@dataclass(frozen=True, slots=True)
class Choice:
    """What visible and hidden choice share: left with probability r, else right."""

    kind: ClassVar[str]
    r: mpq
    left: Mechanism
    right: Mechanism

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        parts = {"left": self.left.to_json(), "right": self.right.to_json()}
        return {"mechanism": self.kind, "r": to_text(self.r), **parts}


@dataclass(frozen=True, slots=True)
class Visible(Choice):
    """Visible choice: left with probability r, else right, and which of them is told."""

    kind = "visible"


@dataclass(frozen=True, slots=True)
class Hidden(Choice):
    """Hidden choice: left with probability r, else right, and which of them is not told."""

    kind = "hidden"


@dataclass(frozen=True, slots=True)
class Post:
    """Post-processing: the output is replaced by a draw from the row of *matrix* that it names."""

    matrix: Rows
    of: Mechanism

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        return {"mechanism": "post", "post": [list(map(to_text, row)) for row in self.matrix], "of": self.of.to_json()}


@dataclass(frozen=True, slots=True)
class Pre:
    """Pre-processing: the input is drawn from a row of *matrix*, 2 x k for a mechanism of k inputs."""

    matrix: Rows
    of: Mechanism

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        return {"mechanism": "pre", "pre": [list(map(to_text, row)) for row in self.matrix], "of": self.of.to_json()}


@dataclass(frozen=True, slots=True)
class PoissonSubsample:
    """Every record is kept with probability *rate*, independently, and *of* runs on those that are."""

    rate: mpq
    neighbours: Relation
    of: Mechanism

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        fields = {"rate": to_text(self.rate), "neighbours": self.neighbours}
        return {"mechanism": "poisson_subsample", **fields, "of": self.of.to_json()}


@dataclass(frozen=True, slots=True)
class FixedSizeSubsample:
    """What the samples of a fixed size share: *sample* of the *source* records are drawn, and *of* runs on those."""

    kind: ClassVar[str]
    source: int
    sample: int
    neighbours: Relation
    of: Mechanism

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        sizes = {"source": document_integer(self.source), "sample": document_integer(self.sample)}
        return {"mechanism": self.kind, **sizes, "neighbours": self.neighbours, "of": self.of.to_json()}


@dataclass(frozen=True, slots=True)
class SubsampleWithoutReplacement(FixedSizeSubsample):
    """*sample* of the *source* records, every choice equally likely, and *of* runs on those."""

    kind = "subsample_without_replacement"


@dataclass(frozen=True, slots=True)
class SubsampleWithReplacement(FixedSizeSubsample):
    """*sample* uniform draws from the *source* records, and *of* runs on what is drawn, repetitions included."""

    kind = "subsample_with_replacement"


Mechanism = (
    ChannelNode
    | RandomizedResponse
    | ApproximateRandomizedResponse
    | KRandomizedResponse
    | Geometric
    | Exponential
    | TradeoffNode
    | Laplace
    | Gaussian
    | DiscreteLaplace
    | DiscreteGaussian
    | GaussianDP
    | Guarantees
    | Group
    | Compose
    | Repeat
    | Visible
    | Hidden
    | Post
    | Pre
    | DatabaseNode
    | PoissonSubsample
    | SubsampleWithoutReplacement
    | SubsampleWithReplacement
)

NAMES: Final[dict[type[Mechanism], str]] = {
    ChannelNode: "channel",
    RandomizedResponse: "randomized_response",
    ApproximateRandomizedResponse: "approximate_randomized_response",
    KRandomizedResponse: "k_randomized_response",
    Geometric: "geometric",
    Exponential: "exponential",
    TradeoffNode: "tradeoff",
    Laplace: "laplace",
    Gaussian: "gaussian",
    DiscreteLaplace: "discrete_laplace",
    DiscreteGaussian: "discrete_gaussian",
    GaussianDP: "gaussian_dp",
    Guarantees: "guarantees",
    Group: "group",
    Compose: "compose",
    Repeat: "repeat",
    Visible: "visible",
    Hidden: "hidden",
    Post: "post",
    Pre: "pre",
    DatabaseNode: "database",
    PoissonSubsample: "poisson_subsample",
    SubsampleWithoutReplacement: "subsample_without_replacement",
    SubsampleWithReplacement: "subsample_with_replacement",
}
"""What the language calls each node."""
