"""How the statement that is tested was chosen, and what that costs of the level.

A *statement* is an event S with the law under which it is more likely: two bounds, P(S) >= p_L and Q(S) <= q_U, or
Q(S) >= q_L and P(S) <= p_U. One event taken either way is two statements. A statement is

- declared: fixed before the counted runs,
- split: chosen on one half of the runs and counted on the other, which was not looked at before,
- one of a family of N: any of N statements might have been reported; by the union bound each gets 1/N of the level.

The level left for a statement is divided between the two counts: by the union bound, both of its bounds hold with
confidence 1 - (a1 + a2).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, Literal

from gmpy2 import mpq

from oracle.errors import InputError, LimitError, shorten
from oracle.exact import parse_number, to_text

__all__ = ["DECLARED", "Selection", "parse_confidence", "parse_selection", "tail_levels"]

_FAMILY = re.compile(r"family:([0-9]{1,18})")
_EXPECTED: Final = (
    'how the event was chosen: "declared" (before the counted runs), "split" (on one half of the runs, counted on the'
    ' other) or "family:N" (one of N events looked at)'
)
_HALF: Final = mpq(1, 2)
_MOST_MEMBERS: Final = 10**18
_MOST_BITS: Final = 3300


@dataclass(frozen=True, slots=True)
class Selection:
    """How the tested statement was chosen.

    Attributes:
        kind: "declared", "split" or "family".
        size: how many statements might have been reported; above 1 for a family only.

    Raises:
        InputError: for a family of size 0, or a size that does not fit the kind.
        LimitError: for a family of more than 10^18 members.
    """

    kind: Literal["declared", "split", "family"]
    size: int = 1

    def __post_init__(self) -> None:
        if self.kind not in ("declared", "split", "family"):
            raise InputError(_EXPECTED, shorten(self.kind), "selection")
        if self.size < 1:
            raise InputError("a family of at least 1 member", str(self.size), "selection.size")
        if self.size > _MOST_MEMBERS:
            raise LimitError(f"a family of at most {_MOST_MEMBERS} members", shorten(self.size), "selection.size")
        if self.kind != "family" and self.size != 1:
            raise InputError(f"one statement where it is {self.kind}", str(self.size), "selection.size")

    def to_json(self) -> dict[str, Any]:
        """``{"kind": "declared"}``, ``{"kind": "split"}`` or ``{"kind": "family", "size": "12"}``."""
        return {"kind": self.kind} | ({"size": str(self.size)} if self.kind == "family" else {})

    def describe(self) -> str:
        """How it was chosen, in words."""
        return {
            "declared": "declared before the counted runs",
            "split": "chosen on other runs than the counted ones",
            "family": f"one of a family of {self.size}",
        }[self.kind]


DECLARED: Final = Selection("declared")


def parse_selection(text: str, where: str = "--event") -> Selection:
    """Read "declared", "split" or "family:N".

    Raises:
        InputError: for anything else, a family of size 0 included.
    """
    if text in ("declared", "split"):
        return Selection("declared" if text == "declared" else "split")
    match = _FAMILY.fullmatch(text)
    if match is None:
        raise InputError(_EXPECTED, f'"{shorten(text)}"', where)
    size = int(match.group(1))
    if size < 1:
        raise InputError("a family of at least 1 member", f'"{shorten(text)}"', where)
    return Selection("family", size)


def parse_confidence(value: object, where: str = "confidence") -> mpq:
    """Read a confidence, strictly between 0 and 1.

    Raises:
        InputError: for anything else.
        LimitError: for one of more than 3,300 bits.
    """
    confidence = parse_number(value, where)
    if not 0 < confidence < 1:
        raise InputError("a confidence above 0 and below 1, such as 19/20", shorten(to_text(confidence)), where)
    if confidence.denominator.bit_length() > _MOST_BITS:
        raise LimitError(f"a confidence of at most {_MOST_BITS} bits", shorten(to_text(confidence)), where)
    return confidence


def tail_levels(confidence: mpq, selection: Selection, statements: int = 1, share: mpq = _HALF) -> tuple[mpq, mpq]:
    """The levels (a1, a2) of the lower and the upper bound; they add up to (1 - confidence)/(size · statements).

    Args:
        confidence: of the whole, strictly between 0 and 1.
        selection: how the statement was chosen.
        statements: 2 where each event may be more likely under either law, else 1.
        share: the part of the lower bound, fixed before the counts are seen, strictly between 0 and 1.

    Raises:
        InputError: for a confidence or a share outside (0, 1), or a number of statements other than 1 and 2.
    """
    confidence = parse_confidence(confidence)
    if statements not in (1, 2):
        raise InputError("one statement or two for an event", str(statements), "statements")
    if not 0 < share < 1:
        raise InputError("a share above 0 and below 1", shorten(to_text(share)), "share")
    level = (1 - confidence) / (selection.size * statements)
    return level * share, level * (1 - share)
