"""Nodes of the mechanism language, one frozen value for each; every node has its JSON form.

A node says which mechanism is meant and nothing about how it is evaluated. Parameters are engine
values: exact numbers, levels e^epsilon and channels. P is the law of the first input, Q of the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gmpy2 import mpq

from oracle.exact import to_text
from oracle.mechanisms.database_node import DatabaseNode

if TYPE_CHECKING:
    from oracle.channels.channel import Channel, Rows
    from oracle.channels.tradeoff import TradeoffFunction
    from oracle.databases.universe import Relation
    from oracle.levels import Level

__all__ = [
    "NAMES",
    "ApproximateRandomizedResponse",
    "ChannelNode",
    "Compose",
    "DatabaseNode",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Exponential",
    "Gaussian",
    "GaussianDP",
    "Geometric",
    "Group",
    "Guarantees",
    "Hidden",
    "KRandomizedResponse",
    "Laplace",
    "Mechanism",
    "PoissonSubsample",
    "Post",
    "Pre",
    "RandomizedResponse",
    "Repeat",
    "SubsampleWithReplacement",
    "SubsampleWithoutReplacement",
    "TradeoffNode",
    "Visible",
]


_LARGEST_JSON: Final = 10**15
"""Integers up to this size are JSON numbers in a document; longer ones are text, which every reader can hold."""

MAX_DEPTH: Final = 100
"""Most mechanisms that stand inside one another."""


def _whole(number: int) -> int | str:
    """An integer in a document."""
    return number if abs(number) <= _LARGEST_JSON else to_text(mpq(number))


@dataclass(frozen=True, slots=True)
class ChannelNode:
    """A table of probabilities, of any number of rows."""

    channel: Channel

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        return {"mechanism": "channel", **self.channel.to_json()}


@dataclass(frozen=True, slots=True)
class RandomizedResponse:
    """Randomized response on one bit (Warner 1965): P = (E/(1+E), 1/(1+E)), Q reversed, E = e^epsilon."""

    level: Level

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        return {"mechanism": "randomized_response", **self.level.to_json()}


@dataclass(frozen=True, slots=True)
class ApproximateRandomizedResponse:
    """The canonical (epsilon, delta) channel [[d, aE, a, 0], [0, a, aE, d]], a = (1-d)/(1+E), d = delta.

    Source: P. Kairouz, S. Oh and P. Viswanath, The composition theorem for differential privacy,
    ICML 2015, section 3 (every (epsilon, delta)-DP pair is a post-processing of this one).
    """

    level: Level
    delta: mpq

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        return {
            "mechanism": "approximate_randomized_response",
            **self.level.to_json(),
            "delta": to_text(self.delta),
        }


@dataclass(frozen=True, slots=True)
class KRandomizedResponse:
    """k-ary randomized response on inputs 0 and 1: the truth with probability E/(E+k-1), k >= 2 answers."""

    k: int
    level: Level

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        return {"mechanism": "k_randomized_response", "k": _whole(self.k), **self.level.to_json()}


@dataclass(frozen=True, slots=True)
class Geometric:
    """Two-sided geometric noise of ratio r = e^(-1/scale): mass (1-r)/(1+r) · r^|z|.

    Clamped (Ghosh, Roughgarden and Sundararajan 2009) when low, high and values are given: noise is
    added to the two values and the result is moved into low..high. Otherwise the two inputs differ by *sensitivity*.
    """

    ratio: mpq
    sensitivity: mpq | None = None
    low: int | None = None
    high: int | None = None
    values: tuple[int, int] | None = None

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        document: dict[str, Any] = {"mechanism": "geometric", "ratio": to_text(self.ratio)}
        if self.sensitivity is not None:
            document["sensitivity"] = to_text(self.sensitivity)
        if self.low is not None and self.high is not None and self.values is not None:
            document |= {"low": _whole(self.low), "high": _whole(self.high), "values": [_whole(v) for v in self.values]}
        return document


@dataclass(frozen=True, slots=True)
class Exponential:
    """The exponential mechanism (McSherry and Talwar 2007): weight exp(epsilon · score / (2 · sensitivity)).

    ``scores`` are the utilities of every outcome on the two inputs. The sensitivity is the declared one, over all
    neighbouring inputs, so it may exceed the difference seen here; it is *not* checked against the
    scores, and scores that differ by more make a pair that is not epsilon-DP.
    """

    scores: tuple[tuple[mpq, ...], tuple[mpq, ...]]
    level: Level
    sensitivity: mpq

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        return {
            "mechanism": "exponential",
            "scores": [[to_text(score) for score in row] for row in self.scores],
            **self.level.to_json(),
            "sensitivity": to_text(self.sensitivity),
        }


@dataclass(frozen=True, slots=True)
class TradeoffNode:
    """A trade-off function, through the map C."""

    curve: TradeoffFunction

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        return {"mechanism": "tradeoff", **self.curve.to_json()}


@dataclass(frozen=True, slots=True)
class Laplace:
    """Laplace noise on one number (Dwork, McSherry, Nissim and Smith 2006): density e^(-|x|/scale)/(2·scale)."""

    scale: mpq
    sensitivity: mpq

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        fields = {"scale": to_text(self.scale), "sensitivity": to_text(self.sensitivity)}
        return {"mechanism": "laplace", **fields}


@dataclass(frozen=True, slots=True)
class Gaussian:
    """Gaussian noise of standard deviation sigma on numbers of L2 sensitivity *sensitivity*, in any dimension."""

    sigma: mpq
    sensitivity: mpq

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        fields = {"sigma": to_text(self.sigma), "sensitivity": to_text(self.sensitivity)}
        return {"mechanism": "gaussian", **fields}


@dataclass(frozen=True, slots=True)
class DiscreteLaplace:
    """Discrete Laplace noise on integers, mass (1-r)/(1+r) · r^|z|: exactly one of scale and r = e^(-1/scale)."""

    scale: mpq | None
    ratio: mpq | None
    sensitivity: int

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        stated = {"ratio": self.ratio, "scale": self.scale}
        fields = {name: to_text(value) for name, value in stated.items() if value is not None}
        return {"mechanism": "discrete_laplace", **fields, "sensitivity": to_text(mpq(self.sensitivity))}


@dataclass(frozen=True, slots=True)
class DiscreteGaussian:
    """Discrete Gaussian noise on integers (Canonne, Kamath and Steinke 2020), mass ∝ e^(-z²/(2·sigma²))."""

    sigma: mpq
    sensitivity: int

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        fields = {"sigma": to_text(self.sigma), "sensitivity": to_text(mpq(self.sensitivity))}
        return {"mechanism": "discrete_gaussian", **fields}


@dataclass(frozen=True, slots=True)
class GaussianDP:
    """mu-GDP (Dong, Roth and Su 2022): the pair N(0, 1), N(mu, 1)."""

    mu: mpq

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        return {"mechanism": "gaussian_dp", "mu": to_text(self.mu)}


@dataclass(frozen=True, slots=True)
class Guarantees:
    """Several (epsilon, delta) guarantees at once: the least upper bound of their worst-case channels."""

    pairs: tuple[tuple[Level, mpq], ...]

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        pairs = [{**level.to_json(), "delta": to_text(delta)} for level, delta in self.pairs]
        return {"mechanism": "guarantees", "pairs": pairs}


@dataclass(frozen=True, slots=True)
class Group:
    """The mechanism on inputs that differ by *size* records, a path of neighbours apart."""

    size: int
    of: Mechanism

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        return {"mechanism": "group", "size": _whole(self.size), "of": self.of.to_json()}


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
        return {"mechanism": "repeat", "times": _whole(self.times), "of": self.of.to_json()}


@dataclass(frozen=True, slots=True)
class Visible:
    """Visible choice: left with probability r, else right, and which of them is told."""

    r: mpq
    left: Mechanism
    right: Mechanism

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        parts = {"left": self.left.to_json(), "right": self.right.to_json()}
        return {"mechanism": "visible", "r": to_text(self.r), **parts}


@dataclass(frozen=True, slots=True)
class Hidden:
    """Hidden choice: left with probability r, else right, and which of them is not told."""

    r: mpq
    left: Mechanism
    right: Mechanism

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        parts = {"left": self.left.to_json(), "right": self.right.to_json()}
        return {"mechanism": "hidden", "r": to_text(self.r), **parts}


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
class SubsampleWithoutReplacement:
    """*sample* of the *source* records, every choice equally likely, and *of* runs on those."""

    source: int
    sample: int
    neighbours: Relation
    of: Mechanism

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        fields = {"source": _whole(self.source), "sample": _whole(self.sample), "neighbours": self.neighbours}
        return {"mechanism": "subsample_without_replacement", **fields, "of": self.of.to_json()}


@dataclass(frozen=True, slots=True)
class SubsampleWithReplacement:
    """*sample* uniform draws from the *source* records, and *of* runs on what is drawn, repetitions included."""

    source: int
    sample: int
    neighbours: Relation
    of: Mechanism

    def to_json(self) -> dict[str, Any]:
        """The expression in the shape of the contract."""
        fields = {"source": _whole(self.source), "sample": _whole(self.sample), "neighbours": self.neighbours}
        return {"mechanism": "subsample_with_replacement", **fields, "of": self.of.to_json()}


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
