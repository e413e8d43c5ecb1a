"""The `formal_claim` certificate: a claim on a channel whose weights are sums of c * e^s * b^r.

The channel is P_y = w_y / Z_P, Q_y = v_y / Z_Q with w, v the two lists of weights and Z their totals.  A claim is a
list of bounds on hockey sticks, sum max(0, P_y - a Q_y) <= bound (forward) or with P and Q exchanged (backward).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction

from .claims import DIRECTIONS, ONE_DIRECTION, privacy_claim
from .curves import curve, curve_text, slope
from .reading import canonical_hash, choice, event, fields, items
from .sums import Form, Signs, Sum, constant, exponential, plus, read_sum, scaled, times
from .verdict import Accepted, Rejected, columns_text


@dataclass(frozen=True, slots=True)
class Bound:
    """The hockey stick at `level` (None is infinity) in the direction is at most `bound`."""

    direction: str
    level: Sum | None
    bound: Fraction


def _claim(value: object, direction: str, where: str) -> tuple[list[Bound], str]:
    """Read a claim as a list of bounds, and in words.

    (epsilon, delta) is one bound at e^epsilon for each direction meant.  A trade-off function f is the largest of the
    lines beta = c - h alpha through its segments, so f <= T(P, Q) iff each line is.  T(P, Q)(alpha) >= c - h alpha for
    all alpha iff every test has beta + h alpha >= c, iff the least value of beta + h alpha, which is
    1 - sum max(0, q - h p), is at least c: the backward hockey stick at h is at most 1 - c.  (At alpha = 0 nothing is
    lost: T is the minimum over all tests there too.)  For T(Q, P) exchange p and q.
    """
    directions = ONE_DIRECTION if direction == "both" else (direction,)
    if isinstance(value, dict) and "tradeoff" in value:
        document = fields(value, ("tradeoff",), where)
        corners = curve(document["tradeoff"], f"{where}.tradeoff")
        bounds = []
        for name in directions:
            hockey = "backward" if name == "forward" else "forward"
            for left, right in itertools.pairwise(corners):
                steepness = -slope(left, right)
                bounds.append(Bound(hockey, constant(steepness), 1 - (left[1] + steepness * left[0])))
        return bounds, f"f-differentially private for f {curve_text(document['tradeoff'])}"
    claim = privacy_claim(value, where)
    level: Sum | None = None
    if claim.epsilon is not None:
        level = exponential(claim.epsilon)
    elif claim.exp_epsilon is not None:
        level = constant(claim.exp_epsilon)
    return [Bound(name, level, claim.delta) for name in directions], f"differentially private with {claim.text}"


class _Rows:
    """The two rows of weights, proved nonnegative and of positive total."""

    def __init__(self, value: object) -> None:
        rows = items(value, "$.rows")
        if len(rows) != 2:
            raise Rejected(f"expected 2 rows, got {len(rows)}", "$.rows")
        self.signs = Signs()
        self.weights: list[list[Sum]] = []
        for i, row in enumerate(rows):
            weights = [read_sum(item, f"$.rows[{i}][{y}]") for y, item in enumerate(items(row, f"$.rows[{i}]", 1))]
            for y, weight in enumerate(weights):
                if weight and self.signs.sign([(weight,)], f"$.rows[{i}][{y}]") < 0:
                    raise Rejected("a negative weight", f"$.rows[{i}][{y}]")
            if not any(weights):
                raise Rejected("expected a row of positive total", f"$.rows[{i}]")
            self.weights.append(weights)
        if len(self.weights[0]) != len(self.weights[1]):
            raise Rejected("the rows differ in length", "$.rows")
        self.totals = [plus(*weights) for weights in self.weights]
        self.columns = len(self.weights[0])

    def excess(self, bound: Bound, columns: list[int] | None, where: str) -> int:
        """Return the proved sign of sum over the event of (P_y - a Q_y), minus the bound; None is the best event.

        Forward (backward exchanges the rows): s_y = w_y Z_Q - a v_y Z_P, and Z_P Z_Q (P_y - a Q_y) = s_y.  The sign is
        that of the sum of s_y minus bound Z_P Z_Q.  When Z_P = Z_Q as sums, one factor Z > 0 is cancelled.  The best
        event is {s_y > 0}.
        """
        first, second = (0, 1) if bound.direction == "forward" else (1, 0)
        large, small = self.weights[first], self.weights[second]
        large_total, small_total = self.totals[first], self.totals[second]
        if bound.level is None:
            # P_y - a Q_y > 0 for every a only where Q_y = 0; elsewhere it falls without limit.
            vanishing = [y for y in range(self.columns) if not small[y]]
            if columns is not None and not set(columns) <= set(vanishing):
                raise Rejected("an infinite epsilon needs an event of mass 0 in the other row", "$.event")
            chosen = plus(*(large[y] for y in (vanishing if columns is None else columns)))
            return self.signs.sign([(chosen,), (scaled(large_total, -bound.bound),)], where)
        against = scaled(bound.level, Fraction(-1))
        equal = large_total == small_total

        def form(more: Sum, less: Sum) -> Form:
            if equal:
                return [(more,), (times(less, against),)]
            return [(more, small_total), (times(less, against), large_total)]

        if columns is None:
            columns = [
                y for y in range(self.columns) if large[y] and self.signs.sign(form(large[y], small[y]), where) > 0
            ]
        whole = form(plus(*(large[y] for y in columns)), plus(*(small[y] for y in columns)))
        limit = scaled(large_total, -bound.bound)
        return self.signs.sign([*whole, (limit,) if equal else (limit, small_total)], where)


def check_formal_claim(document: dict[str, object]) -> Accepted:
    """Check a `formal_claim` certificate.

    holds = true: for every bound the sum of the positive s_y is at most the bound; every sign is proved.
    holds = false: for one bound the sum over the stated event, which no hockey stick is below, is above the bound.
    """
    direction = choice(document["direction"], DIRECTIONS, "$.direction")
    bounds, said = _claim(document["claim"], direction, "$.claim")
    rows = _Rows(document["rows"])
    holds, stated = document["holds"], document["event"]
    if not isinstance(holds, bool):
        raise Rejected("expected true or false", "$.holds")
    columns: list[int] = []
    if holds:
        if stated is not None:
            raise Rejected("expected null for a claim that holds", "$.event")
        for bound in bounds:
            if rows.excess(bound, None, "$.claim") > 0:
                raise Rejected("the claim does not hold", "$.claim")
    else:
        if direction == "both":
            raise Rejected("a claim is refuted in one direction, forward or backward", "$.direction")
        columns = event(stated, rows.columns, "$.event", 1)
        # Some bounds may be undecided for the event; one that is proved broken is enough.
        undecided: Rejected | None = None
        for bound in bounds:
            try:
                if rows.excess(bound, columns, "$.event") > 0:
                    break
            except Rejected as reason:
                undecided = reason
        else:
            raise undecided or Rejected("the event does not violate the claim", "$.event")
    verb = "is" if holds else "is not"
    shown = "" if holds else f", as S = {columns_text(columns)} shows"
    text = f"The channel given by its {rows.columns} pairs of weights {verb} {said}, direction {direction}{shown}."
    return Accepted("formal_claim", text, (("rows", canonical_hash({"rows": document["rows"]})),))
