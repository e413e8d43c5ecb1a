"""Faults that were reported in public, as the reports describe them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gmpy2 import mpq

from oracle.exact import Infinity, parse_extended, parse_number, to_text
from tests.mutants.base import (
    Args,
    Engine,
    double,
    epsilon_double,
    finite,
    level_of,
    mechanism,
    mutant,
    said,
    table,
    untouched,
    upper,
)
from tests.mutants.rounding import STICKS

REPORTED = "reported in public"


def _told(value: mpq | float) -> dict[str, str]:
    text = said(value)
    return {"lo": text, "hi": text}


def _response(args: Args) -> tuple[float, int, float]:
    """Epsilon of one randomized response, how often it runs, and delta."""
    node = mechanism(args, "repeat")
    of = node["of"]
    if of.get("mechanism") != "randomized_response" or "epsilon" not in of or parse_number(args["delta"]) <= 0:
        untouched()
    return double(of["epsilon"]), int(node["times"]), double(args["delta"])


@mutant(REPORTED, "advanced composition without the drift of the loss", "epsilon", expects=("unsound",))
def advanced_composition_without_drift(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - a formula
    epsilon, times, delta = _response(args)
    return _told(2 * epsilon * math.sqrt(2 * times * math.log(1 / delta)))


@mutant(REPORTED, "an odometer without the logarithm of 1/delta", "epsilon", expects=("loose",))
def odometer_without_logarithm(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - a formula
    epsilon, times, delta = _response(args)
    return _told(times * epsilon * math.tanh(epsilon / 2) + epsilon * math.sqrt(2 * times / delta))


@mutant(REPORTED, "delta below the precision of the accountant is not told from it", "epsilon", expects=("unsound",))
def delta_below_precision(engine: Engine, op: str, args: Args) -> Any:
    delta = parse_number(args["delta"])
    if not 0 < delta < mpq("1e-17"):
        untouched()
    return engine.value(op, {**args, "delta": "1e-15"})


@mutant(REPORTED, "a mean that differs after discretisation raises", "epsilon", expects=("errored",))
def discretised_mean_differs(engine: Engine, op: str, args: Args) -> Any:
    mechanism(args, "repeat")
    if upper(engine.value(op, args)) > 4:
        raise ArithmeticError("the mean of the discretised loss differs")
    return untouched()


@mutant(REPORTED, "a root search in [0, 500]", "epsilon", expects=("errored",))
def bracket_up_to_five_hundred(engine: Engine, op: str, args: Args) -> Any:
    value = upper(engine.value(op, args))
    if not isinstance(value, Infinity) and value > 500:
        raise ValueError("f(a) and f(b) must have different signs")
    return untouched()


@mutant(REPORTED, "infinite epsilon for composed Gaussian noise", "epsilon", expects=("loose",))
def infinite_when_composed(engine: Engine, op: str, args: Args) -> Any:
    if mechanism(args, "repeat")["of"].get("mechanism") != "gaussian":
        untouched()
    engine.value(op, args)
    return {"exp_epsilon": "inf", "lo": "inf", "hi": "inf"}


@mutant(REPORTED, "more noise costs more", *STICKS, "epsilon", expects=("unsound", "loose"))
def more_noise_costs_more(engine: Engine, op: str, args: Args) -> Any:
    node = mechanism(args, "gaussian")
    sigma = parse_number(node["sigma"])
    if sigma == 1 or not mpq(1, 200) < sigma < 200:
        untouched()
    return engine.value(op, {**args, "channel": node | {"sigma": to_text(1 / sigma)}})


@mutant(REPORTED, "the coin of randomized response taken for the probability of the truth", "epsilon", "satisfies")
def coin_for_the_truth(engine: Engine, op: str, args: Args) -> Any:
    """A truth of p + (1 - p) p is taken for one of p."""
    (p, other), _ = table(args["channel"])
    root = mpq(math.isqrt(int(other.numerator)), math.isqrt(int(other.denominator)))
    if root * root != other or p < other:
        untouched()
    matrix = [[to_text(1 - root), to_text(root)], [to_text(root), to_text(1 - root)]]
    return engine.value(op, {**args, "channel": {"matrix": matrix}})


@mutant(REPORTED, "half of the mass at infinite loss: the threshold itself is not counted", *STICKS, "satisfies")
def threshold_not_counted(engine: Engine, op: str, args: Args) -> Any:
    p, q = table(args["channel"])
    hidden = sum(a for a, b in zip(p, q, strict=True) if b == 0)
    if not 0 < hidden < 1:
        untouched()
    rows = [
        [a / 2 if b == 0 else a * (1 - hidden / 2) / (1 - hidden) for a, b in zip(p, q, strict=True)],
        q,
    ]
    return engine.value(op, {**args, "channel": {"matrix": [[to_text(x) for x in row] for row in rows]}})


@mutant(REPORTED, "equal parts of a composition are paid for once", *STICKS, "epsilon", "satisfies")
def equal_parts_paid_once(engine: Engine, op: str, args: Args) -> Any:
    parts = mechanism(args, "compose")["of"]
    different = [part for n, part in enumerate(parts) if part not in parts[:n]]
    if len(different) == len(parts):
        untouched()
    return engine.value(op, {**args, "channel": {"mechanism": "compose", "of": different}})


_PERMUTED = {"matrix": [["7/8", "1/8"], ["1/2", "1/2"]]}
_SELECTED = {"matrix": [["4/5", "1/5"], ["1/2", "1/2"]]}


@mutant(REPORTED, "permute-and-flip accounted as the exponential mechanism", "renyi", "satisfies")
def permuted_as_exponential(engine: Engine, op: str, args: Args) -> Any:
    return engine.value(op, {**args, "channel": _SELECTED}) if args["channel"] == _PERMUTED else untouched()


@mutant(
    REPORTED,
    "Rényi orders by pure epsilon: order epsilon^2/2",
    "satisfies",
    "renyi",
    expects=("wrong", "loose"),
)
def renyi_by_pure_epsilon(engine: Engine, op: str, args: Args) -> Any:
    order = parse_extended(args["order"] if op == "renyi" else args["claim"].get("order", "inf"))
    if isinstance(order, Infinity):
        untouched()
    pure = engine.value("epsilon", {"channel": args["channel"], "delta": "0"})
    bound = order * finite(pure) ** 2 / 2
    if op == "renyi":
        return {"divergence": to_text(bound)}
    return {"holds": bool(bound <= parse_number(args["claim"]["epsilon"]))}


@mutant(REPORTED, "Gaussian claims by conversion from Rényi: safe and not tight", "satisfies", expects=("wrong",))
def claims_by_conversion(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - a formula
    node, claim = mechanism(args, "gaussian"), args["claim"]
    if "delta" not in claim or parse_number(claim["delta"]) <= 0:
        untouched()
    theta = double(node.get("sensitivity", "1")) / double(node["sigma"])
    needed = theta * theta / 2 + theta * math.sqrt(2 * math.log(1 / double(claim["delta"])))
    return {"holds": needed <= epsilon_double(claim)}


@mutant(REPORTED, "Gaussian claims by the classical scale, for every epsilon", "satisfies", expects=("wrong",))
def claims_by_the_classical_scale(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - a formula
    node, claim = mechanism(args, "gaussian"), args["claim"]
    if "delta" not in claim or parse_number(claim["delta"]) <= 0 or epsilon_double(claim) == 0:
        untouched()
    scale = math.sqrt(2 * math.log(1.25 / double(claim["delta"]))) / epsilon_double(claim)
    return {"holds": double(node["sigma"]) >= scale * double(node.get("sensitivity", "1"))}


def _plain_gaussian(args: Args) -> Mapping[str, Any]:
    node = mechanism(args, "gaussian")
    return node if parse_number(args["delta"]) > 0 else untouched()


@mutant(REPORTED, "the classical scale sqrt(2 log(1.25/delta))/epsilon", "calibrate", expects=("unsound", "loose"))
def classical_scale(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - a formula
    node, epsilon = _plain_gaussian(args), epsilon_double(args)
    if epsilon == 0:
        raise ZeroDivisionError("epsilon is 0")
    scale = math.sqrt(2 * math.log(1.25 / double(args["delta"]))) / epsilon
    return said(scale * double(node.get("sensitivity", "1")))


@mutant(REPORTED, "the scale squared on its way", "calibrate", expects=("unsound", "loose"))
def scale_squared(engine: Engine, op: str, args: Args) -> Any:
    _plain_gaussian(args)
    return said(finite(engine.value(op, args)) ** 2)


@mutant(REPORTED, "the scale searched in [1/4, 1000]", "calibrate", expects=("unsound", "loose"))
def scale_in_a_range(engine: Engine, op: str, args: Args) -> Any:
    least = finite(engine.value(op, args))
    return untouched() if mpq(1, 4) <= least <= 1000 else said(min(max(least, mpq(1, 4)), mpq(1000)))


@mutant(REPORTED, "the scale found to a hundredth, on either side", "calibrate", expects=("unsound",))
def scale_to_a_hundredth(engine: Engine, op: str, args: Args) -> Any:
    least = finite(engine.value(op, args))
    return said(mpq(math.floor(least * 100), 100)) if least > 1 else untouched()


@mutant(REPORTED, "the curve of two losses raises, for want of a grid", "tradeoff", expects=("errored",))
def curve_of_two_losses_raises(engine: Engine, op: str, args: Args) -> Any:
    p, _ = table(args["channel"])
    engine.value(op, args)
    if len(p) == 2:
        raise IndexError("index 1 is out of bounds")
    return untouched()


@mutant(REPORTED, "equal keys of losses overwritten at epsilon 0", *STICKS, expects=("unsound",))
def losses_overwritten(engine: Engine, op: str, args: Args) -> Any:
    node = mechanism(args, "repeat", "approximate_randomized_response")
    of = node["of"] if node["mechanism"] == "repeat" else node
    if of.get("mechanism") != "approximate_randomized_response" or level_of(of) != 1:
        untouched()
    changed = of | {"delta": to_text(parse_number(of["delta"]) / 2)}
    return engine.value(op, {**args, "channel": node | {"of": changed} if of is not node else changed})
