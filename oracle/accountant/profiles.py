"""delta at many eps: lines of nodes shared between them.

A line (:class:`oracle.accountant.inversion.Inversion`) holds K(z)/(z(z+1)) at its nodes; only e^(-z eps) depends on
eps, so further eps cost a sum each. A line chosen for a range of eps serves all of it
(:mod:`oracle.accountant.planning`); a range whose line would be wasteful is halved. Points that missed their digits,
because the scale of delta was misjudged, are served once more with the scale that was seen, and then one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite, log
from typing import Final, NamedTuple

from oracle.accountant.contour import MAX_NODES, Answer, Known, delta
from oracle.accountant.inversion import Inversion
from oracle.accountant.parts import Composition
from oracle.accountant.planning import Plan, Setting, estimate, plan, saddle
from oracle.enclosures import DEFAULT_DIGITS, Ball
from oracle.errors import LimitError

__all__ = ["profile"]

_FEW_LINE_NODES: Final = 300
_FEW_LINE_BITS: Final = 250
_MOST_WASTE: Final = 4
_HINT_BITS: Final = 64
_SPARE: Final = log(16.0)


def profile(
    composition: Composition,
    epsilons: Sequence[Ball],
    digits: int = DEFAULT_DIGITS,
    *,
    max_nodes: int = MAX_NODES,
) -> list[Answer]:
    """D_{e^eps}(P‖Q) at each eps, as :func:`oracle.accountant.contour.delta` gives it.

    Raises:
        InputError: for an empty composition.
    """
    known = Known.of(composition, digits)
    answers: dict[int, Answer] = {}
    points: list[_Point] = []
    for i, epsilon in enumerate(epsilons):
        early = known.early(epsilon)
        if early is not None:
            answers[i] = early
        else:
            points.append(_Point(float(epsilon(_HINT_BITS)), i, epsilon, None))
    points.sort(key=lambda point: point.hint)
    pending = [points] if points else []
    while pending:
        group = pending.pop()
        served = _serve(known, group, max_nodes)
        if served is None and len(group) > 1:
            pending += [group[: len(group) // 2], group[len(group) // 2 :]]
            continue
        again = []
        for point, answer in served or [(group[0], None)]:
            if answer is not None:
                answers[point.place] = answer
            elif point.scale is not None and group[0].scale is None:
                again.append(point)
            else:
                answers[point.place] = delta(composition, point.epsilon, digits, max_nodes=max_nodes)
        if again:
            pending.append(again)
    return [answers[i] for i in range(len(epsilons))]


class _Point(NamedTuple):
    """One eps of a profile: about its value, its place, itself and about log delta_fin once it has been seen."""

    hint: float
    place: int
    epsilon: Ball
    scale: float | None


def _serve(known: Known, group: Sequence[_Point], max_nodes: int) -> list[tuple[_Point, Answer | None]] | None:
    """The answers of one line for a group of eps; None for a point that missed its digits, or for all: halve it."""
    ends = (group[0], group[-1])
    if not all(isfinite(point.hint) for point in ends):
        return None
    low, high = (_goal(known, point) for point in ends)
    eps = (ends[0].hint, ends[1].hint)
    c = saddle(known.cumulants, sum(eps) / 2)
    setting = Setting(known.composition, known.cumulants, eps, (low, high), max_nodes)
    try:
        proposal = plan(setting, c)
        if len(group) > 1 and _wasteful(known, group, proposal, c, max_nodes):
            return None
        line = Inversion(known.composition, proposal)
    except LimitError:
        return None
    served: list[tuple[_Point, Answer | None]] = []
    for point, value in zip(group, line.at([point.epsilon for point in group]), strict=True):
        answer = known.answer(point.epsilon, value, proposal, 1, inf)
        if answer.value.reached is None:
            served.append((point, answer))
        else:
            lower = value.value.lower()
            served.append((point._replace(scale=float(lower.log()) if lower > 0 else None), None))
    return served


def _goal(known: Known, point: _Point) -> float:
    """About log of the tolerance of one error term."""
    scale = point.scale
    if scale is None:
        scale = estimate(known.cumulants, point.hint, saddle(known.cumulants, point.hint))
    if known.infinite > 0:
        scale = max(scale, float(known.infinite.log()))
    return scale - known.digits * log(10.0) - _SPARE


def _wasteful(known: Known, group: Sequence[_Point], proposal: Plan, c: float, max_nodes: int) -> bool:
    """Whether a line for the whole group takes far more nodes or bits than one for its middle."""
    if proposal.count <= _FEW_LINE_NODES and proposal.bits <= _FEW_LINE_BITS + 5 * known.digits:
        return False
    middle = group[len(group) // 2]
    goal = _goal(known, middle)
    setting = Setting(known.composition, known.cumulants, (middle.hint, middle.hint), (goal, goal), max_nodes)
    one = plan(setting, c)
    return proposal.count * proposal.bits > _MOST_WASTE * one.count * one.bits
