"""Claims: what somebody says of a mechanism, read from JSON or from ``--claim`` text.

(epsilon, delta), a trade-off function, mu-GDP, rho-zCDP, and Rényi DP of one order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from oracle.channels.divergences import check_delta
from oracle.channels.tradeoff import TradeoffFunction, parse_tradeoff
from oracle.errors import InputError, shorten
from oracle.exact import Extended, parse_extended, parse_number, to_text
from oracle.json_text import parse, read_text, refuse_unknown
from oracle.levels import LEVEL_FIELDS, Level, parse_level

__all__ = [
    "ApproximateDP",
    "Claim",
    "ConcentratedDP",
    "DivergenceClaim",
    "EventClaim",
    "GaussianDP",
    "RenyiDP",
    "TradeoffClaim",
    "claim_text",
    "parse_claim",
    "parse_claim_text",
]


@dataclass(frozen=True, slots=True)
class ApproximateDP:
    """(epsilon, delta)-DP: P(S) <= e^epsilon Q(S) + delta for every event S; equality holds."""

    level: Level
    delta: mpq

    def to_json(self) -> dict[str, Any]:
        """The claim in the shape of the contract."""
        return {**self.level.to_json(), "delta": to_text(self.delta)}

    def describe(self) -> str:
        """The claim in words."""
        return f"{self.level.describe()}, delta = {shorten(to_text(self.delta))}"


@dataclass(frozen=True, slots=True)
class TradeoffClaim:
    """f-DP: f <= T(P, Q) pointwise (and f <= T(Q, P) where both directions are meant)."""

    curve: TradeoffFunction

    def to_json(self) -> dict[str, Any]:
        """The claim in the shape of the contract."""
        return {"tradeoff": self.curve.to_json()}

    def describe(self) -> str:
        """The claim in words."""
        return f"trade-off function with {len(self.curve.corners)} corners"


@dataclass(frozen=True, slots=True)
class GaussianDP:
    """mu-GDP: T(P, Q) >= T(N(0, 1), N(mu, 1)) pointwise; equality holds. Both directions come to the same."""

    mu: mpq

    def to_json(self) -> dict[str, Any]:
        """The claim in the shape of the contract."""
        return {"mu": to_text(self.mu)}

    def describe(self) -> str:
        """The claim in words."""
        return f"mu = {shorten(to_text(self.mu))}"


@dataclass(frozen=True, slots=True)
class ConcentratedDP:
    """rho-zCDP: the Rényi divergence of every order a > 1 is at most rho·a; equality holds."""

    rho: mpq

    def to_json(self) -> dict[str, Any]:
        """The claim in the shape of the contract."""
        return {"rho": to_text(self.rho)}

    def describe(self) -> str:
        """The claim in words."""
        return f"rho = {shorten(to_text(self.rho))}"


@dataclass(frozen=True, slots=True)
class RenyiDP:
    """(order, epsilon)-Rényi DP: the Rényi divergence of that order is at most epsilon; equality holds.

    The order is above 0; ``INFINITY`` means epsilon-DP. Epsilon is kept as the level e^epsilon.
    """

    order: Extended
    level: Level

    def to_json(self) -> dict[str, Any]:
        """The claim in the shape of the contract."""
        return {"order": to_text(self.order), **self.level.to_json()}

    def describe(self) -> str:
        """The claim in words."""
        return f"order {shorten(to_text(self.order))}, {self.level.describe()}"


EventClaim = ApproximateDP | TradeoffClaim
"""Claims that one event refutes and a witness proves."""

DivergenceClaim = GaussianDP | ConcentratedDP | RenyiDP
"""Claims that bound one number of the pair: the least mu, the least rho, or the divergence of an order."""

Claim = EventClaim | DivergenceClaim

_BY_ONE_NUMBER: dict[str, Callable[[mpq], Claim]] = {"mu": GaussianDP, "rho": ConcentratedDP}
_WORDS = {"eps": "epsilon", "epsilon": "epsilon", "exp_eps": "exp_epsilon", "exp_epsilon": "exp_epsilon"}
_WORDS |= {"E": "exp_epsilon", "delta": "delta", "curve": "curve", "mu": "mu", "rho": "rho", "rdp": "order"}
_SHORT = {"epsilon": "eps", "exp_epsilon": "exp_eps"}
_ALONE = {"curve": "curve=FILE", "mu": "mu=", "rho": "rho=", "order": "rdp=ORDER:EPS"}
_RATIONAL = "{} as a rational number (for a root one just above it, such as 1.7320508076 for sqrt(3))"
_TEXT = 'a claim such as "exp_eps=2,delta=1/4", "eps=log(3)", "mu=1", "rho=1/2", "rdp=2:1/2" or "curve=FILE"'


def parse_claim(value: object, where: str = "claim") -> Claim:
    """Read a claim of the contract.

    ``{"epsilon" | "exp_epsilon": ..., "delta": "0" by default}``, ``{"tradeoff": ...}``, ``{"mu": ...}``,
    ``{"rho": ...}`` or ``{"order": ..., "epsilon" | "exp_epsilon": ...}``.

    Raises:
        InputError: for anything malformed, an epsilon, mu or rho below 0, a delta outside [0, 1], an order that is
            not above 0.
    """
    if not isinstance(value, Mapping):
        raise InputError('a claim such as {"exp_epsilon": "2", "delta": "1/4"}', shorten(value), where)
    if "tradeoff" in value:
        refuse_unknown(value, ("tradeoff",), where)
        return TradeoffClaim(parse_tradeoff(value["tradeoff"], f"{where}.tradeoff"))
    for name, kind in _BY_ONE_NUMBER.items():
        if name in value:
            refuse_unknown(value, (name,), where)
            return kind(_nonnegative(value[name], name, f"{where}.{name}"))
    if "order" in value:
        refuse_unknown(value, ("order", *LEVEL_FIELDS), where)
        order = parse_extended(value["order"], f"{where}.order")
        if order <= 0:
            raise InputError("an order above 0", shorten(to_text(order)), f"{where}.order")
        return RenyiDP(order, parse_level(value, where, minimum_one=True))
    refuse_unknown(value, (*LEVEL_FIELDS, "delta", "tradeoff", *_BY_ONE_NUMBER, "order"), where)
    level = parse_level(value, where, minimum_one=True)
    delta = parse_number(value.get("delta", "0"), f"{where}.delta")
    return ApproximateDP(level, check_delta(delta, f"{where}.delta"))


def _nonnegative(value: object, name: str, where: str) -> mpq:
    if isinstance(value, str) and "sqrt" in value:
        raise InputError(_RATIONAL.format(name), f'"{shorten(value)}"', where)
    number = parse_number(value, where)
    if number < 0:
        raise InputError(f"{name} at least 0", shorten(to_text(number)), where)
    return number


def parse_claim_text(text: str) -> Claim:
    """Read the text of ``--claim``: ``name=value`` pairs between commas.

    Names: eps, epsilon; exp_eps, exp_epsilon, E; delta (0 by default); and alone mu, rho, rdp=ORDER:EPS, curve=FILE.
    Spaces around names and values are ignored.
    """
    values: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        key = _WORDS.get(name.strip())
        if not equals or key is None or not value.strip():
            raise InputError(_TEXT, f'"{shorten(part.strip())}"', "--claim")
        if key in values:
            raise InputError("each name once", f'"{name.strip()}" again', "--claim")
        values[key] = value.strip()
    if not values.keys() & {"epsilon", "exp_epsilon", *_ALONE}:
        # What is left is a delta alone.
        raise InputError(
            "eps= or exp_eps= beside delta", f'"{shorten(text)}": add eps=..., e.g. "eps=0,{shorten(text)}"', "--claim"
        )
    for name, stated in _ALONE.items():
        if name in values and len(values) > 1:
            raise InputError(f"{stated} alone", f'"{shorten(text)}"', "--claim")
    if "order" in values:
        order, colon, epsilon = values["order"].partition(":")
        if not colon:
            raise InputError('an order and an epsilon such as "rdp=2:1/2"', f'"{shorten(text)}"', "--claim")
        return parse_claim({"order": order.strip(), "epsilon": epsilon.strip()}, "--claim")
    if "curve" in values:
        path = Path(values["curve"])
        return TradeoffClaim(parse_tradeoff(parse(read_text(path), str(path)), str(path)))
    return parse_claim(values, "--claim")


def claim_text(claim: Claim) -> str:
    """The claim as ``--claim`` takes it; empty for a trade-off function, which stands in a file."""
    if isinstance(claim, TradeoffClaim):
        return ""
    stated = claim.to_json()
    if isinstance(claim, RenyiDP):
        level = stated.get("epsilon") or _logarithm(stated["exp_epsilon"])
        return f"rdp={stated['order']}:{level}"
    return ",".join(f"{_SHORT.get(name, name)}={value}" for name, value in stated.items())


def _logarithm(level: str) -> str:
    return {"1": "0", "inf": "inf"}.get(level, f"log({level})")
