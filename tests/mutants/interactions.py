"""Faults about interactive mechanisms, and about the decomposition of a curve."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from gmpy2 import mpq

from oracle import operations
from oracle.enclosures import Enclosure
from oracle.errors import OracleError
from oracle.exact import parse_number, to_text
from tests.mutants.base import Args, Engine, asked, double, finite, mutant, said, untouched
from tests.mutants.shapes import value_at

TREES = ("interactive_tradeoff", "simulate", "concurrent")

_ADVERSARY = "an adversary that is weaker than it may be"
_CURVE = "columns and weights out of place"

Node = Any


# -- trees -----------------------------------------------------------------------------------------------------------


def _walked(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """A JSON value with each node of a tree in it changed, the inner ones first."""
    if isinstance(value, Mapping):
        inner = {key: _walked(part, change) for key, part in value.items()}
        return change(inner) if {"query", "answer"} & set(inner) else inner
    return [_walked(part, change) for part in value] if isinstance(value, list) else value


def _changed(engine: Engine, op: str, args: Args, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """The engine's answer with each node changed; named nodes that are used no more are left out."""
    changed = _walked(args, change)
    trees = changed.get("interactives", [changed.get("interactive")])
    for tree in trees:
        if "nodes" in tree and "'ref'" not in str(tree["interactive"]):
            tree.pop("nodes")
    return asked(engine, op, args, changed)


@mutant(_ADVERSARY, "only the first of several questions is ever asked", *TREES)
def first_option_only(engine: Engine, op: str, args: Args) -> Any:
    def change(node: dict[str, Any]) -> dict[str, Any]:
        return {"query": dict(list(node["query"].items())[:1])} if "query" in node else node

    return _changed(engine, op, args, change)


@mutant(_ADVERSARY, "what follows an answer is not looked at", *TREES)
def later_answers_unseen(engine: Engine, op: str, args: Args) -> Any:
    def change(node: dict[str, Any]) -> dict[str, Any]:
        if "answer" not in node:
            return node
        return {"answer": {k: {"p": b["p"], "q": b["q"]} for k, b in node["answer"].items()}}

    return _changed(engine, op, args, change)


@mutant(_ADVERSARY, "the best option for the analyst, not the worst", "interactive_tradeoff", expects=("unsound",))
def best_option_for_the_worst(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    tree = args["interactive"]
    root = tree["interactive"]
    if not isinstance(root, Mapping) or len(root.get("query", {})) < 2:
        untouched()
    singles = [{**tree, "interactive": {"query": {label: node}}} for label, node in root["query"].items()]
    curves = [_points(engine, {**args, "interactive": single}) for single in singles]
    alphas = sorted({a for curve in curves for a, _ in curve})
    points = [(a, max(value_at(curve, a) for curve in curves)) for a in alphas]
    return _told(args, points)


def _points(engine: Engine, args: Args) -> list[tuple[mpq, mpq]]:
    value = engine.value("interactive_tradeoff", {key: part for key, part in args.items() if key != "alpha"})
    return [(parse_number(a), parse_number(b)) for a, b in value["breakpoints"]]


def _told(args: Args, points: list[tuple[mpq, mpq]]) -> Any:
    if "alpha" in args:
        return {"beta": to_text(value_at(points, parse_number(args["alpha"])))}
    return {"breakpoints": [[to_text(a), to_text(b)] for a, b in points]}


@mutant(_ADVERSARY, "power in place of the error beta", "interactive_tradeoff", expects=("unsound", "loose"))
def power_of_the_adversary(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    return _told(args, [(a, 1 - b) for a, b in _points(engine, args)])


@mutant(
    _ADVERSARY,
    "the two inputs change places",
    "interactive_tradeoff",
    "simulate",
    expects=("unsound", "loose", "wrong"),
)
def inputs_exchanged(engine: Engine, op: str, args: Args) -> Any:
    if op == "simulate":
        matrix = engine.value(op, args)["channel"]["matrix"][::-1]
        return {"channel": {"matrix": matrix}}
    other = {"forward": "backward", "backward": "forward"}[args.get("direction", "forward")]
    return engine.value(op, {**args, "direction": other})


@mutant(
    _CURVE,
    "an outcome that never happens is kept",
    "simulate",
    "canonical",
    "channel_of",
    "glb",
    "lub",
    expects=("wrong",),
)
def impossible_outcome_kept(engine: Engine, op: str, args: Args) -> Any:
    value = engine.value(op, args)
    matrix = value["channel"]["matrix"] if op == "simulate" else value["matrix"]
    wider = {"matrix": [[*row, "0"] for row in matrix]}
    return {"channel": wider} if op == "simulate" else wider


# -- several at once -------------------------------------------------------------------------------------------------


@mutant(_ADVERSARY, "the last of several mechanisms is forgotten", "concurrent")
def last_mechanism_forgotten(engine: Engine, op: str, args: Args) -> Any:
    return engine.value(op, {**args, "interactives": args["interactives"][:-1]})


@mutant(_ADVERSARY, "of several mechanisms only the worst is counted", "concurrent")
def worst_mechanism_alone(engine: Engine, op: str, args: Args) -> Any:
    singles = [finite(engine.value(op, {**args, "interactives": [tree]})) for tree in args["interactives"]]
    return said(max(singles))


@mutant(
    _ADVERSARY,
    "the deltas of several mechanisms are added, at the same epsilon",
    "concurrent",
    expects=("loose", "unsound"),
)
def deltas_added(engine: Engine, op: str, args: Args) -> Any:
    singles = [finite(engine.value(op, {**args, "interactives": [tree]})) for tree in args["interactives"]]
    return said(min(mpq(1), sum(singles)))


def _compared(args: Args) -> operations.Concurrent:
    try:
        return operations.concurrent(**args)
    except OracleError:
        return untouched()


def _upper(value: Any) -> str:
    return said(mpq(value.hi if isinstance(value, Enclosure) else value))


@mutant(_ADVERSARY, "one mechanism after the other, in the worst order, never interleaved", "concurrent")
def never_interleaved(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - other ways of the engine
    return max((_upper(value) for value in _compared(args).sequential.values()), key=mpq)


@mutant(_ADVERSARY, "the simulations side by side: safe and not tight", "concurrent", expects=("loose",))
def simulations_side_by_side(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - as above
    return _upper(_compared(args).product)


@mutant(_ADVERSARY, "a slack of 2e-9 is added to delta: safe and loose", "concurrent", expects=("loose",), general=True)
def slack_added(engine: Engine, op: str, args: Args) -> Any:
    return said(min(mpq(1), finite(engine.value(op, args)) + mpq("2e-9")))


# -- decompositions --------------------------------------------------------------------------------------------------


@mutant(_CURVE, "the weight of the part that tells nothing is counted twice", "decompose", expects=("wrong",))
def middle_weight_doubled(engine: Engine, op: str, args: Args) -> Any:
    parts = engine.value(op, args)
    if parts[-1]["exp_epsilon"] != "1" or len(parts) == 1:
        untouched()
    return [*parts[:-1], {**parts[-1], "weight": to_text(2 * parse_number(parts[-1]["weight"]))}]


@mutant(_CURVE, "the part of infinite epsilon is left out", "decompose", expects=("wrong",))
def infinite_part_left_out(engine: Engine, op: str, args: Args) -> Any:
    parts = engine.value(op, args)
    return parts[1:] if parts[0]["exp_epsilon"] == "inf" else untouched()


@mutant(_CURVE, "the ratio of a column is taken for epsilon, not for e^epsilon", "decompose", expects=("wrong",))
def ratio_for_epsilon(engine: Engine, op: str, args: Args) -> Any:
    parts = engine.value(op, args)
    level = lambda text: text if text == "inf" else said(math.exp(double(text)))  # noqa: E731
    return [{**part, "exp_epsilon": level(part["exp_epsilon"])} for part in parts]


@mutant(_CURVE, "of each pair of columns only the first is weighed", "decompose", expects=("wrong",))
def one_column_of_two(engine: Engine, op: str, args: Args) -> Any:
    parts = engine.value(op, args)
    return [{**part, "weight": to_text(parse_number(part["weight"]) / 2)} for part in parts]
