"""Nodes of the mechanism language that are made of no others, one frozen value for each, with its JSON form.

A node says which mechanism is meant and nothing about how it is evaluated. Parameters are engine
values: exact numbers, levels e^epsilon and channels. P is the law of the first input, Q of the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gmpy2 import mpq

from oracle.exact import to_text

if TYPE_CHECKING:
    from oracle.channels.channel import Channel
    from oracle.channels.tradeoff import TradeoffFunction
    from oracle.levels import Level

__all__ = [
    "ApproximateRandomizedResponse",
    "ChannelNode",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Exponential",
    "Gaussian",
    "GaussianDP",
    "Geometric",
    "Guarantees",
    "KRandomizedResponse",
    "Laplace",
    "RandomizedResponse",
    "TradeoffNode",
    "document_integer",
]

_LARGEST_JSON: Final = 10**15


def document_integer(number: int) -> int | str:
    """An integer in a document: a JSON number up to 10^15, longer ones text, which every reader can hold."""
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
        return {"mechanism": "k_randomized_response", "k": document_integer(self.k), **self.level.to_json()}


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
            document |= {
                "low": document_integer(self.low),
                "high": document_integer(self.high),
                "values": [document_integer(v) for v in self.values],
            }
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
