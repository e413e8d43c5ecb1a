"""On which side of the certified value a peer's value lies. Exact: a double is taken as the rational that it is."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Final, Literal

__all__ = ["MATERIAL_GAP", "MATERIAL_TRUTH", "Side", "Verdict", "judge", "read"]

MATERIAL_GAP: Final = Fraction(1, 10**9)
"""A wrong side is material beyond this relative gap ..."""

MATERIAL_TRUTH: Final = Fraction(1, 10**300)
"""... where the certified value is above this."""

Side = Literal["right", "wrong", "inside", "estimate", "no number"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judged value.

    Attributes:
        side: ``wrong`` is proved: an upper value below the certified enclosure, or a lower value above it; ``inside``
            lies within the enclosure; ``estimate`` claims no side; ``no number`` is nan.
        gap: value/truth - 1 with the nearer end of the enclosure, 0 inside; None where the value is not finite.
        material: for a wrong side, whether it is beyond :data:`MATERIAL_GAP` with a truth above :data:`MATERIAL_TRUTH`.
    """

    side: Side
    gap: Fraction | None
    material: bool = False


def read(text: str, *, exact: bool) -> Fraction | float:
    """A value from its text: a rational, or an infinite or undefined float."""
    if exact:
        return Fraction(text)
    value = float(text)
    return Fraction(value) if isfinite(value) else value


def judge(claim: str, value: Fraction | float, lower: Fraction, upper: Fraction) -> Verdict:
    """Judge the value of a claim (``lower``, ``upper``, ``estimate``) against a certified enclosure with lower > 0."""
    if isinstance(value, float):
        if value != value:  # noqa: PLR0124 - nan
            return Verdict("no number", None)
        wrong = claim == "lower" if value > 0 else claim == "upper"
        return Verdict("estimate" if claim == "estimate" else "wrong" if wrong else "right", None, wrong)
    near = lower if value < lower else min(value, upper)
    gap = (value - near) / near
    if claim == "estimate":
        return Verdict("estimate", gap)
    if not gap:
        return Verdict("inside", gap)
    wrong = (gap < 0) == (claim == "upper")
    return Verdict("wrong" if wrong else "right", gap, wrong and abs(gap) > MATERIAL_GAP and lower > MATERIAL_TRUTH)
