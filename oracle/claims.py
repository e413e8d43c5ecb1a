"""Claims: what somebody says of a mechanism, read from JSON or from ``--claim`` text.

An (epsilon, delta) claim and a trade-off claim are decided exactly. The names mu, rho and rdp are
known and read, so that they are declined for what they are rather than mistaken for a typing error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from oracle.channels.divergences import check_delta
from oracle.channels.tradeoff import TradeoffFunction, parse_tradeoff
from oracle.errors import Declined, InputError, shorten
from oracle.exact import parse_number, to_text
from oracle.json_text import parse, read_text, refuse_unknown
from oracle.levels import LEVEL_FIELDS, Level, parse_level

__all__ = ["ApproximateDP", "Claim", "TradeoffClaim", "parse_claim", "parse_claim_text"]


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


Claim = ApproximateDP | TradeoffClaim

_LATER = ("mu", "rho", "order")
_WORDS = {"eps": "epsilon", "epsilon": "epsilon", "exp_eps": "exp_epsilon", "exp_epsilon": "exp_epsilon"}
_WORDS |= {"E": "exp_epsilon", "delta": "delta", "curve": "curve", "mu": "mu", "rho": "rho", "rdp": "order"}
_TEXT = 'a claim such as "exp_eps=2,delta=1/4", "eps=log(3)" or "curve=FILE"'


def parse_claim(value: object, where: str = "claim") -> Claim:
    """Read a claim of the contract.

    ``{"epsilon" | "exp_epsilon": ..., "delta": "0" by default}`` or ``{"tradeoff": ...}``.

    Raises:
        InputError: for anything malformed, an epsilon below 0 or a delta outside [0, 1].
        Declined: for claims of mu, rho, or a Rényi order.
    """
    if not isinstance(value, Mapping):
        raise InputError('a claim such as {"exp_epsilon": "2", "delta": "1/4"}', shorten(value), where)
    if "tradeoff" in value:
        refuse_unknown(value, ("tradeoff",), where)
        return TradeoffClaim(parse_tradeoff(value["tradeoff"], f"{where}.tradeoff"))
    for name in _LATER:
        if name in value:
            raise Declined(f"claims of {name} are not offered yet")
    refuse_unknown(value, (*LEVEL_FIELDS, "delta", "tradeoff"), where)
    level = parse_level(value, where, minimum_one=True)
    delta = parse_number(value.get("delta", "0"), f"{where}.delta")
    return ApproximateDP(level, check_delta(delta, f"{where}.delta"))


def parse_claim_text(text: str) -> Claim:
    """Read the text of ``--claim``: ``name=value`` pairs between commas.

    Names: eps, epsilon; exp_eps, exp_epsilon, E; delta (0 by default); curve=FILE alone. Spaces around
    names and values are ignored.
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
    if not values.keys() & {"epsilon", "exp_epsilon", "curve", *_LATER}:
        # What is left is a delta alone.
        raise InputError(
            "eps= or exp_eps= beside delta", f'"{shorten(text)}": add eps=..., e.g. "eps=0,{shorten(text)}"', "--claim"
        )
    if "order" in values:
        raise Declined("claims of rdp are not offered yet")
    if "curve" in values:
        if len(values) > 1:
            raise InputError("curve=FILE alone", f'"{shorten(text)}"', "--claim")
        path = Path(values["curve"])
        return TradeoffClaim(parse_tradeoff(parse(read_text(path), str(path)), str(path)))
    return parse_claim(values, "--claim")
