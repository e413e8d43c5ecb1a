"""Faults of curves, supports, thresholds and orders."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from gmpy2 import mpq

from oracle.exact import Infinity, parse_extended, parse_number, to_text
from tests.mutants.base import (
    Args,
    Engine,
    default_direction,
    finite,
    level_of,
    mutant,
    oriented,
    said,
    table,
    untouched,
    upper,
)
from tests.mutants.rounding import STICKS

_CURVES = "a trade-off curve built from two separately discretised distributions"
SUPPORT = "infinite loss, point masses, zero columns, disjoint supports"
THRESHOLD = ">= against > at a threshold"
_LOWER = "a lower bound that adds its truncation mass"
ORDER = "an order decided by too little"
_TABLE = "columns and weights out of place"

LOSSES = (*STICKS, "epsilon", "renyi", "mu", "tradeoff", "satisfies")

Points = list[tuple[mpq, mpq]]


# -- trade-off curves ------------------------------------------------------------------------------------------------


def _points(engine: Engine, args: Args) -> Points:
    """The corners of the curve that is asked about."""
    value = engine.value("tradeoff", {key: part for key, part in args.items() if key != "alpha"})
    points = []
    for a, b in value["breakpoints"] if "breakpoints" in value else untouched():
        if not isinstance(a, str) or not isinstance(b, str):
            untouched()
        points.append((parse_number(a), parse_number(b)))
    return points


def _answer(args: Args, points: Points) -> Any:
    """The curve, or its value at alpha."""
    if "alpha" not in args:
        return {"breakpoints": [[to_text(a), to_text(b)] for a, b in points]}
    return {"beta": to_text(value_at(points, parse_number(args["alpha"])))}


def value_at(points: Points, alpha: mpq) -> mpq:
    """The piecewise linear curve at alpha."""
    for (x, y), (x1, y1) in pairwise(points):
        if x <= alpha < x1:
            return y + (y1 - y) * (alpha - x) / (x1 - x)
    return points[-1][1]


@mutant(
    _CURVES, "alpha and beta each rounded to a grid of 1/64, alpha down and beta up", "tradeoff", expects=("unsound",)
)
def curve_on_two_grids(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    """Each of the two is a bound of its own; together they are the curve of no pair."""
    rounded = {mpq(a * 64 // 1, 64): mpq(-((-b * 64) // 1), 64) for a, b in reversed(_points(engine, args))}
    return _answer(args, sorted((rounded | {mpq(1): mpq(0)}).items()))


@mutant(_CURVES, "between two corners the value of the left one: no randomised test", "tradeoff", expects=("unsound",))
def steps_between_corners(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    points = _points(engine, args)
    if "alpha" in args:
        alpha = parse_number(args["alpha"])
        return {"beta": to_text(max((a, b) for a, b in points if a <= alpha)[1])}
    tiny = mpq("1e-6")
    stepped = [points[0]]
    for (a, b), (a1, b1) in pairwise(points):
        stepped += [(a1 - min(tiny, (a1 - a) / 2), b), (a1, b1)]
    return _answer(args, stepped)


@mutant(_CURVES, "the larger of the curve and its inverse", "tradeoff", expects=("unsound",))
def larger_of_both_curves(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    return _of_both(engine, args, max)


@mutant(_CURVES, "the curve made symmetric: the smaller of it and its inverse", "tradeoff", expects=("loose",))
def symmetrised_curve(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    return _of_both(engine, args, min)


def _of_both(engine: Engine, args: Args, choose: Any) -> Any:
    points = _points(engine, args)
    other = "backward" if args.get("direction", "forward") == "forward" else "forward"
    inverse = _points(engine, {**args, "direction": other})
    alphas = sorted({a for a, _ in points} | {a for a, _ in inverse})
    return _answer(args, [(a, choose(value_at(points, a), value_at(inverse, a))) for a in alphas])


@mutant(_CURVES, "the corner at alpha = 0 is (0, 1), whatever mass P lacks", "tradeoff", expects=("unsound",))
def curve_starts_at_one(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    points = _points(engine, args)
    return untouched() if points[0][1] == 1 else _answer(args, [(mpq(0), mpq(1)), *points[1:]])


@mutant(_CURVES, "power in place of the error beta", "tradeoff", expects=("unsound", "loose"), general=True)
def power_for_beta(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    if "alpha" in args:
        value = engine.value("tradeoff", args)["beta"]
        return {"beta": said(1 - finite(value))}
    return _answer(args, [(a, 1 - b) for a, b in _points(engine, args)])


@mutant(_CURVES, "every second corner is dropped, so that the curve is too high", "tradeoff", expects=("unsound",))
def corners_dropped(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    points = _points(engine, args)
    return _answer(args, [points[0], *points[2:-1:2], points[-1]]) if len(points) > 2 else untouched()


@mutant(_LOWER, "the truncation mass 1e-10 is added to the lower bound", "tradeoff", expects=("unsound",), general=True)
def truncation_added(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    mass = mpq("1e-10")
    if "alpha" in args:
        return {"beta": said(min(mpq(1), finite(engine.value("tradeoff", args)["beta"]) + mass))}
    return _answer(args, [(a, min(mpq(1), b + mass)) for a, b in _points(engine, args)])


@mutant(_LOWER, "beta is the nearest double above", "tradeoff", expects=("unsound", "unsound-rounding"), general=True)
def beta_rounded_up(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    grid = mpq(2) ** 60
    up = lambda b: -((-b * grid) // 1) / grid  # noqa: E731
    if "alpha" in args:
        return {"beta": said(up(finite(engine.value("tradeoff", args)["beta"])))}
    return _answer(args, [(a, up(b)) for a, b in _points(engine, args)])


@mutant(_LOWER, "beta is 0 everywhere: safe and useless", "tradeoff", expects=("loose",), blind=True)
def beta_is_zero(engine: Engine, op: str, args: Args) -> Any:
    engine.value(op, args)
    return {"beta": "0"} if "alpha" in args else {"breakpoints": [["0", "0"], ["1", "0"]]}


# -- supports --------------------------------------------------------------------------------------------------------


def finite_stick(level: Any) -> Any:
    """The hockey stick without the outcomes that the second law lacks."""

    def measure(p: Sequence[mpq], q: Sequence[mpq]) -> mpq:
        pairs = [(a, b) for a, b in zip(p, q, strict=True) if b > 0]
        if isinstance(level, Infinity):
            return mpq(0)
        return sum((max(mpq(0), a - level * b) for a, b in pairs), mpq(0))

    return measure


@mutant(SUPPORT, "mass at infinite loss is dropped", *STICKS)
def infinite_loss_dropped(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - no engine
    return said(oriented(args, default_direction(op), finite_stick(level_of(args)), table(args["channel"])))


@mutant(SUPPORT, "a moment without the outcomes that the other law lacks", "renyi", expects=("unsound",))
def infinite_moment_dropped(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - no engine
    order = parse_extended(args["order"])
    if isinstance(order, Infinity) or order.denominator != 1 or not 2 <= order <= 64:
        untouched()
    n = int(order)

    def moment(p: Sequence[mpq], q: Sequence[mpq]) -> mpq:
        return sum((a**n / b ** (n - 1) for a, b in zip(p, q, strict=True) if b > 0), mpq(0))

    return {"moment": said(oriented(args, "forward", moment, table(args["channel"])))}


@mutant(
    SUPPORT,
    "an outcome without probability divides by 0",
    *LOSSES,
    expects=("errored",),
)
def zero_column_divides(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - it does not get there
    for p, q in zip(*table(args["channel"]), strict=True):
        if not p and not q:
            raise ZeroDivisionError("division by zero")
    return untouched()


@mutant(SUPPORT, "log(0) of a mass that one law lacks", *LOSSES, expects=("errored",))
def log_of_zero(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - it does not get there
    if any(not p or not q for p, q in zip(*table(args["channel"]), strict=True)):
        raise ValueError("math domain error")
    return untouched()


@mutant(SUPPORT, "P = Q: nothing is lost, and the spread of the loss divides by 0", *LOSSES, expects=("errored",))
def no_loss_divides(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - it does not get there
    p, q = table(args["channel"])
    if p == q:
        raise ZeroDivisionError("float division by zero")
    return untouched()


@mutant(
    SUPPORT,
    "disjoint supports leave an empty grid",
    *LOSSES,
    expects=("errored",),
)
def empty_grid(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - it does not get there
    if all(not p or not q for p, q in zip(*table(args["channel"]), strict=True)):
        raise IndexError("index 0 is out of bounds for axis 0 with size 0")
    return untouched()


@mutant(
    SUPPORT,
    "outcomes are told apart by their ratio alone: those of an equal one overwrite each other",
    *STICKS,
    "epsilon",
    "mu",
)
def equal_ratios_overwritten(engine: Engine, op: str, args: Args) -> Any:
    """As when two losses collapse to one key of a dictionary; the mass that is lost is given back to the last."""
    p, q = table(args["channel"])
    by_ratio: dict[Any, tuple[mpq, mpq]] = {}
    for a, b in zip(p, q, strict=True):
        by_ratio["inf" if not b else a / b] = (a, b)
    missing_p, missing_q = 1 - sum(a for a, _ in by_ratio.values()), 1 - sum(b for _, b in by_ratio.values())
    if not missing_p and not missing_q:
        untouched()
    matrix = [[to_text(a) for a, _ in by_ratio.values()], [to_text(b) for _, b in by_ratio.values()]]
    common = min(missing_p, missing_q)
    rest = [(common, common), (missing_p - common, missing_q - common)]
    for extra_p, extra_q in rest:
        matrix[0].append(to_text(extra_p))
        matrix[1].append(to_text(extra_q))
    return engine.value(op, {**args, "channel": {"matrix": matrix}})


@mutant(SUPPORT, "the last outcome is never randomised, or never seen", *STICKS, "epsilon", "mu")
def last_outcome_forgotten(engine: Engine, op: str, args: Args) -> Any:
    p, q = table(args["channel"])
    if len(p) < 3 or p[-1] == q[-1] or min(p[0] + p[-1] - q[-1], 1) < 0:
        untouched()
    # Its mass under P is taken to be that under Q.
    changed = [p[0] + p[-1] - q[-1], *p[1:-1], q[-1]]
    matrix = [[to_text(value) for value in row] for row in (changed, q)]
    return engine.value(op, {**args, "channel": {"matrix": matrix}})


# -- thresholds and orders -------------------------------------------------------------------------------------------


@mutant(THRESHOLD, "a claim that holds with equality is refused", "satisfies", expects=("wrong",))
def equality_refused(engine: Engine, op: str, args: Args) -> Any:
    value = engine.value(op, args)
    tight = _tight(engine, args)
    return {"holds": False} if value["holds"] is True and tight == 0 else untouched()


def _tight(engine: Engine, args: Args) -> mpq:
    """How far the claimed delta is above the truth."""
    claim = args["claim"]
    level = {key: claim[key] for key in ("epsilon", "exp_epsilon") if key in claim}
    if not level or set(claim) - {"epsilon", "exp_epsilon", "delta"}:
        untouched()
    question = {"channel": args["channel"], **level}
    if "direction" in args:
        question["direction"] = args["direction"]
    return parse_number(claim.get("delta", "0")) - finite(engine.value("delta", question))


@mutant(
    THRESHOLD, "a claim that is missed by less than 1e-8 is accepted, as by isclose", "satisfies", expects=("wrong",)
)
def close_is_enough(engine: Engine, op: str, args: Args) -> Any:
    value = engine.value(op, args)
    return {"holds": True} if value["holds"] is False and -_tight(engine, args) < mpq("1e-8") else untouched()


@mutant(THRESHOLD, "every claim is confirmed", "satisfies", expects=("wrong",), blind=True)
def every_claim_confirmed(engine: Engine, op: str, args: Args) -> Any:
    return {"holds": True} if engine.value(op, args)["holds"] is False else untouched()


@mutant(THRESHOLD, "every claim is refused", "satisfies", expects=("wrong",), blind=True)
def every_claim_refused(engine: Engine, op: str, args: Args) -> Any:
    return {"holds": False} if engine.value(op, args)["holds"] is True else untouched()


@mutant(ORDER, "refinement the wrong way round", "refines", expects=("wrong",))
def refinement_reversed(engine: Engine, op: str, args: Args) -> Any:
    return engine.value(op, {**args, "left": args["right"], "right": args["left"]})


@mutant(ORDER, "refinement decided by the total variation alone", "refines", expects=("wrong",))
def refinement_by_distance(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    left, right = (sum(abs(p - q) for p, q in zip(*table(args[side]), strict=True)) for side in ("left", "right"))
    return {"holds": bool(left >= right)}


@mutant(ORDER, "refinement is never found", "refines", expects=("wrong",), blind=True)
def refinement_never(engine: Engine, op: str, args: Args) -> Any:
    return {"holds": False} if engine.value(op, args)["holds"] else untouched()


@mutant(ORDER, "refinement is always found", "refines", expects=("wrong",), blind=True)
def refinement_always(engine: Engine, op: str, args: Args) -> Any:
    return {"holds": True} if not engine.value(op, args)["holds"] else untouched()


@mutant(ORDER, "the first channel in place of the bound of all", "glb", "lub", expects=("wrong",))
def first_for_the_bound(engine: Engine, op: str, args: Args) -> Any:
    first = engine.value("canonical", {"channel": args["channels"][0]})
    return first if first != engine.value(op, args) else untouched()


@mutant(
    ORDER,
    "the greatest lower bound for the least upper one, and the other way round",
    "glb",
    "lub",
    expects=("wrong",),
)
def bounds_exchanged(engine: Engine, op: str, args: Args) -> Any:
    other = engine.value({"glb": "lub", "lub": "glb"}[op], args)
    return other if other != engine.value(op, args) else untouched()


# -- tables ----------------------------------------------------------------------------------------------------------


@mutant(
    _TABLE,
    "two columns change places in the second row",
    "parallel",
    "visible",
    "hidden",
    "pre",
    "post",
    expects=("wrong",),
)
def columns_out_of_place(engine: Engine, op: str, args: Args) -> Any:
    value = engine.value(op, args)
    matrix = [list(row) for row in value["matrix"]]
    row = matrix[-1]
    row[0], row[-1] = row[-1], row[0]
    return {**value, "matrix": matrix} if matrix != value["matrix"] else untouched()


@mutant(_TABLE, "the two weights are exchanged", "visible", "hidden", expects=("wrong",))
def weights_exchanged(engine: Engine, op: str, args: Args) -> Any:
    changed = engine.value(op, {**args, "r": to_text(1 - parse_number(args["r"]))})
    return changed if changed != engine.value(op, args) else untouched()


@mutant(
    _TABLE,
    "a table is left as it is, or reversed, where its canonical form is meant",
    "canonical",
    "channel_of",
    "glb",
    "lub",
    expects=("wrong",),
)
def canonical_form_reversed(engine: Engine, op: str, args: Args) -> Any:
    value = engine.value(op, args)
    matrix = [row[::-1] for row in value["matrix"]]
    return {**value, "matrix": matrix} if matrix != value["matrix"] else untouched()


@mutant(_TABLE, "the prior is taken to be uniform", "vulnerability", expects=("wrong",))
def prior_ignored(engine: Engine, op: str, args: Args) -> Any:
    return engine.value(op, {k: v for k, v in args.items() if k != "prior"}) if "prior" in args else untouched()


@mutant(_TABLE, "the best action is chosen once, not for each outcome", "vulnerability", expects=("wrong",))
def one_action_for_all(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    count = len(args["channel"]["matrix"]) if "matrix" in args["channel"] else untouched()
    prior = [parse_number(p) for p in args.get("prior", [f"1/{count}"] * count)]
    sums = [sum(p * parse_number(g) for p, g in zip(prior, action, strict=True)) for action in args["gain"]]
    return said(max(sums))


@mutant(_TABLE, "infinite whatever is asked: safe and useless", "mu", "renyi", expects=("loose",), blind=True)
def infinite_always(engine: Engine, op: str, args: Args) -> Any:
    if isinstance(upper(engine.value(op, args)), Infinity):
        untouched()
    return {"divergence": "inf"} if op == "renyi" else "inf"


@mutant(
    _TABLE,
    "P and Q change places",
    *("canonical", "channel_of", "glb", "lub", "parallel", "visible", "hidden", "pre", "post"),
    expects=("wrong",),
)
def rows_exchanged(engine: Engine, op: str, args: Args) -> Any:
    value = engine.value(op, args)
    matrix = value["matrix"][::-1]
    return {**value, "matrix": matrix} if matrix != value["matrix"] else untouched()


@mutant(
    _TABLE, "the gain over the best guess without an answer, not the vulnerability", "vulnerability", expects=("wrong",)
)
def leakage_for_vulnerability(engine: Engine, op: str, args: Args) -> Any:
    return said(finite(engine.value(op, args)) - parse_number(one_action_for_all.fault(engine, op, args)))
