"""What certificates about samples have in common: counts, the choice of the event, and the arithmetic of levels."""

from __future__ import annotations

import re
from fractions import Fraction

from .reading import choice, fields, probability
from .verdict import Rejected, brief, quoted

_WHOLE = re.compile(r"0|[1-9][0-9]{0,17}")


def whole(value: object, where: str, least: int, most: int) -> int:
    """Read a decimal string of a whole number in a range."""
    if not isinstance(value, str) or not _WHOLE.fullmatch(value) or not least <= int(value) <= most:
        raise Rejected(f"expected a string of a whole number from {least} to {most}, got {quoted(value)}", where)
    return int(value)


def between(value: object, where: str) -> Fraction:
    """Read a number strictly between 0 and 1."""
    result = probability(value, where)
    if result in (0, 1):
        raise Rejected("expected a number above 0 and below 1", where)
    return result


def selection(value: object, where: str) -> tuple[int, str]:
    """Read how the statement was chosen; return how many share the level, and the words."""
    kind = choice(value.get("kind") if isinstance(value, dict) else None, ("declared", "split", "family"), where)
    found = fields(value, ("kind", "size") if kind == "family" else ("kind",), where)
    if kind == "family":
        size = whole(found["size"], f"{where}.size", 1, 10**18)
        return size, f"one of a family of {size}, which was fixed before the counted runs"
    if kind == "split":
        return 1, "chosen on other runs than the counted ones"
    return 1, "declared before the counted runs"


def require_level(used: Fraction, confidence: Fraction, members: int, where: str) -> None:
    """Reject unless `members` statements, each false with a probability of at most `used`, leave the confidence."""
    if used * members > 1 - confidence:
        raise Rejected(f"the levels of {members} statement(s) add up to more than 1 - confidence", where)


def said(value: object) -> str:
    """Return a canonical number that was read, for a statement."""
    return brief(str(value))
