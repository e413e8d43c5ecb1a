"""Tables of doubles, from NumPy, pandas or plain lists: every entry is a binary fraction, so rows rarely sum to 1.

What is then meant must be said: a *policy*.

``refuse``: the entries are the probabilities, exactly. A row that does not sum to 1 is an error that shows the defect.
``normalise``: each row is divided by its exact sum. The table that is audited is another one, and its name says so.
``interval``: every entry is only known to within *ulps* units in the last place, p- <= p <= p+, and the rows sum to 1.
Two channels then decide for all such tables at once (:func:`audit_doubles`). The table U of the columns (p-_i, q-_i)
and of the two columns (1 - Σ p-_i, 0) and (0, 1 - Σ q-_i) is refined to each of them by merging: p_i - p-_i and
q_i - q-_i are parts of the last two. What holds of U holds of all. For an event S, the table L with the two columns
(p-(S), 1 - p-(S)) over (q+(S), 1 - q+(S)) is, where p-(S) >= q+(S), a post-processing of S against the rest in each of
them, as P(S) >= p-(S) >= q+(S) >= Q(S). What is refuted of L is refuted of all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from gmpy2 import mpq

from oracle.audits.report import Report
from oracle.audits.run import ClaimLike, audit
from oracle.audits.tables import Table, read_table
from oracle.channels.channel import Channel
from oracle.errors import InputError, UndecidedError, shorten
from oracle.exact import from_binary64, to_binary64, to_text

__all__ = ["Policy", "WithinRoundingError", "audit_doubles", "table_of_doubles"]

Policy = Literal["refuse", "normalise"]

_POLICIES: Final = ("refuse", "normalise")
_ROWS: Final = 2
_MOST_ULPS: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class _Doubles:
    """Rows of exact values of doubles, with labels where the table has them."""

    rows: list[list[mpq]]
    inputs: list[str] | None
    outputs: list[str] | None


class WithinRoundingError(UndecidedError):
    """Some tables of the stated doubles meet the claims and others may not."""

    def __init__(self, ulps: int) -> None:
        super().__init__("the claims for every table of these doubles", 0)
        self.args = (f"undecided: the claims neither hold nor fail for every table within {ulps} ulp of these doubles",)


def _read(table: Any) -> _Doubles:  # noqa: ANN401 - a frame, an array or lists
    """Duck typing: a data frame has ``to_numpy``, ``index`` and ``columns``; an array has ``tolist``."""
    inputs = outputs = None
    if hasattr(table, "to_numpy"):
        inputs, outputs = [str(x) for x in table.index], [str(x) for x in table.columns]
        table = table.to_numpy()
    rows = table.tolist() if hasattr(table, "tolist") else table
    if not isinstance(rows, Sequence) or not all(
        isinstance(row, Sequence) and not isinstance(row, str) for row in rows
    ):
        raise InputError("rows of doubles", shorten(rows), "table")
    if len(rows) < _ROWS or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise InputError("at least two rows of one length, with a column", f"{len(rows)} rows", "table")
    exact = [[_entry(x, i, k) for k, x in enumerate(row)] for i, row in enumerate(rows)]
    return _Doubles(exact, inputs, outputs)


def _entry(value: object, row: int, column: int) -> mpq:
    where = f"table[{row}][{column}]"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError("a double", shorten(value), where)
    try:
        double = float(value)
    except OverflowError:
        double = math.inf
    if not math.isfinite(double) or double < 0 or double != value:
        raise InputError("a finite double, at least 0", shorten(value), where)
    return from_binary64(double)


def table_of_doubles(table: Any, policy: Policy) -> Table:  # noqa: ANN401 - as for _read
    """A table of doubles as one of exact probabilities, to be audited; rows are inputs, columns outcomes.

    Args:
        table: a pandas data frame, whose index names the inputs, a NumPy array, or lists of floats.
        policy: "refuse" or "normalise"; see above. For "interval" see :func:`audit_doubles`.

    Raises:
        InputError: for entries that are no probabilities, and for a row that does not sum to 1 under "refuse", with the
            defect as a fraction.
    """
    found = _read(table)
    if policy not in _POLICIES:
        raise InputError('"refuse" or "normalise"', shorten(policy), "policy")
    rows = []
    for i, row in enumerate(found.rows):
        total = sum(row, mpq(0))
        if policy == "refuse" and total != 1:
            got = f"a sum of 1 {'+' if total > 1 else '-'} {to_text(abs(total - 1))}"
            raise InputError('entries that sum to exactly 1 (or the policy "normalise")', got, f"table[{i}]")
        if not total:
            raise InputError("a row with an entry above 0", "none", f"table[{i}]")
        rows.append([x / total for x in row])
    name = "(doubles, each row divided by its sum)" if policy == "normalise" else "(doubles)"
    return _table(Channel(rows, inputs=found.inputs, outputs=found.outputs), name)


def _table(channel: Channel, name: str) -> Table:
    read = read_table(channel)
    return Table(read.channel, read.pairs, name, read.form, None, None, read.data)


def audit_doubles(table: Any, claims: ClaimLike | Sequence[ClaimLike], *, ulps: int = 1) -> Report:  # noqa: ANN401
    """Decide claims for every table whose entries are within some units in the last place of these doubles.

    The report is about the table U or L above, which its input's name says, and its certificates are those of that
    table. A claim without room for the rounding, such as pure epsilon-DP, is always undecided.

    Args:
        table: two rows; as for :func:`table_of_doubles`.
        claims: as for :func:`oracle.audit`.
        ulps: how many units in the last place an entry may be off, at least 1. An entry 0 is exact.

    Raises:
        InputError: also where no table with rows that sum to 1 is that near.
        WithinRoundingError: where neither all such tables meet the claims nor all of them fail one.
    """
    found = _read(table)
    if len(found.rows) != _ROWS:
        raise InputError("two rows", f"{len(found.rows)} rows", "table")
    if type(ulps) is not int or not 1 <= ulps <= _MOST_ULPS:
        raise InputError(f"a whole number of units in the last place, 1 to {_MOST_ULPS}", shorten(ulps), "ulps")
    low, high = ([[_moved(x, sign * ulps) for x in row] for row in found.rows] for sign in (-1, 1))
    for i, (least, most) in enumerate(zip(low, high, strict=True)):
        if not sum(least) <= 1 <= sum(most):
            raise InputError("entries that could sum to 1", "a sum that is too far from it", f"table[{i}]")
    rest = [1 - sum(row, mpq(0)) for row in low]
    upper = Channel([[*low[0], rest[0], mpq(0)], [*low[1], mpq(0), rest[1]]])
    report = audit(_table(upper, f"(doubles within {ulps} ulp: the table that reveals most)"), claims)
    if report.holds:
        return report
    # Events that refute the claims of one table near.
    for result in audit(table_of_doubles(table, "normalise"), claims).document["results"]:
        evidence = result["evidence"]
        if result["holds"] is False and evidence["kind"] == "event":
            event = evidence["columns"]
            # Of (epsilon, delta) an event in direction backward is one on which Q gains; of curves, in forward.
            backward = (evidence["direction"] == "backward") == (result["about"] == "approximate_dp")
            lower = _lower(low, high, event, backward=backward)
            if lower is None:
                continue
            refuted = audit(_table(lower, f"(doubles within {ulps} ulp: an event, at the least)"), claims)
            if refuted.verdict == "refuted":
                return refuted
    raise WithinRoundingError(ulps)


def _lower(low: list[list[mpq]], high: list[list[mpq]], event: Sequence[int], *, backward: bool) -> Channel | None:
    """The table L of an event, with *backward* one on which Q gains; None where the bounds of its masses cross."""
    likely, unlikely = (1, 0) if backward else (0, 1)
    sums = {
        likely: sum((low[likely][k] for k in event), mpq(0)),
        unlikely: min(mpq(1), sum((high[unlikely][k] for k in event), mpq(0))),
    }
    if sums[likely] < sums[unlikely]:
        return None
    return Channel([[sums[i], 1 - sums[i]] for i in range(_ROWS)])


def _moved(value: mpq, ulps: int) -> mpq:
    """A double some units in its last place further; never below 0, and 0 stays."""
    if not value:
        return value
    number = to_binary64(value, "down")
    for _ in range(abs(ulps)):
        number = math.nextafter(number, math.inf if ulps > 0 else 0)
    return from_binary64(number) if math.isfinite(number) else value
