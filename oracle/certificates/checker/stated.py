"""Claims as an audit report states them: read strictly, in the words of an audit, and as `--claim` takes them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .claims import PrivacyClaim, privacy_claim
from .concentrated import concentrated_claim
from .curves import Curve, curve
from .gaussian import gaussian_claim
from .moments import renyi_claim
from .reading import fields
from .verdict import brief

_LONGEST_WORD = 80


@dataclass(frozen=True, slots=True)
class DivergenceClaim:
    """A claim that bounds one number of a pair: "mu", "rho" or the Renyi divergence of an "order".

    `claimed` is the number, None for an order, whose epsilon may be a logarithm.
    """

    quantity: str
    claimed: Fraction | None


Claim = PrivacyClaim | Curve | DivergenceClaim


def read_claim(value: object, where: str) -> Claim:
    """Read a claim of any kind."""
    names = set(value) if isinstance(value, dict) else set()
    if "tradeoff" in names:
        inner = fields(fields(value, ("tradeoff",), where)["tradeoff"], ("breakpoints",), f"{where}.tradeoff")
        return curve(inner["breakpoints"], f"{where}.tradeoff.breakpoints")
    if "mu" in names:
        return DivergenceClaim("mu", gaussian_claim(value, where))
    if "rho" in names:
        return DivergenceClaim("rho", concentrated_claim(value, where))
    if "order" in names:
        renyi_claim(value, where)
        return DivergenceClaim("order", None)
    return privacy_claim(value, where)


def about(claim: Claim) -> str:
    """Return what a result on the claim is about."""
    if isinstance(claim, PrivacyClaim):
        return "approximate_dp"
    return "divergence" if isinstance(claim, DivergenceClaim) else "tradeoff"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_WORD else f"{text[:_LONGEST_WORD]}... ({len(text)} characters)"


def _texts(parsed: object) -> dict[str, str]:
    """The canonical texts of a claim of numbers that was read."""
    return {name: str(text) for name, text in parsed.items()} if isinstance(parsed, dict) else {}


def _level_words(texts: dict[str, str]) -> str:
    if "epsilon" in texts:
        return f"epsilon = {_cut(texts['epsilon'])}"
    level = texts["exp_epsilon"]
    return f"epsilon = {level if level == 'inf' else '0' if level == '1' else f'log({_cut(level)})'}"


def claim_words(parsed: object, where: str) -> tuple[str, str]:
    """Return the words of a claim as an audit writes them, and what a result on it is about."""
    claim = read_claim(parsed, where)
    texts, kind = _texts(parsed), about(claim)
    if isinstance(claim, PrivacyClaim):
        return f"{_level_words(texts)}, delta = {_cut(texts['delta'])}", kind
    if not isinstance(claim, DivergenceClaim):
        return f"trade-off function with {len(claim)} corners", kind
    if claim.quantity == "order":
        return f"order {_cut(texts['order'])}, {_level_words(texts)}", kind
    return f"{claim.quantity} = {_cut(texts[claim.quantity])}", kind


def claim_text(parsed: object) -> str:
    """Return a claim as `oracle audit --claim` takes it, a trade-off function by its number of corners."""
    claim = read_claim(parsed, "$")
    texts = _texts(parsed)
    if isinstance(claim, PrivacyClaim):
        name = "epsilon" if "epsilon" in texts else "exp_epsilon"
        text = f"{'eps' if name == 'epsilon' else 'exp_eps'}={brief(texts[name])}"
        return f"{text},delta={brief(texts['delta'])}" if claim.delta else text
    if not isinstance(claim, DivergenceClaim):
        return f"f with {len(claim)} corners"
    if claim.quantity == "order":
        level = texts.get("exp_epsilon", "")
        epsilon = texts.get("epsilon") or {"1": "0", "inf": "inf"}.get(level, f"log({brief(level)})")
        return f"rdp={brief(texts['order'])}:{brief(epsilon)}"
    return f"{claim.quantity}={brief(texts[claim.quantity])}"
