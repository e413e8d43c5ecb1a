"""Faults of floating-point arithmetic: round-off, cancellation, overflow, and failing open."""

from __future__ import annotations

import math
from typing import Any

from gmpy2 import mpq

from oracle.exact import Infinity, from_binary64, parse_number, to_binary64, to_decimal, to_text
from tests.mutants.base import (
    Args,
    Engine,
    default_direction,
    double,
    doubles,
    epsilon_double,
    finite,
    mechanism,
    mutant,
    oriented,
    said,
    table,
    untouched,
    upper,
    without_level,
)

STICKS = ("delta", "hockey_stick")
NUMBERS = (*STICKS, "mu")
ROUNDING = ("unsound-rounding", "unsound", "wrong")

_ROUND_OFF = "round-off not added to the bound"
_CANCELLATION = "cancellation"
_OVERFLOW = "overflow"
_OPEN = "failing open"


# -- round-off -------------------------------------------------------------------------------------------------------


@mutant(_ROUND_OFF, "an upper bound is the double below", *NUMBERS, expects=ROUNDING, general=True)
def rounded_down(engine: Engine, op: str, args: Args) -> Any:
    number = finite(engine.value(op, args))
    down = to_binary64(number, "down")
    return untouched() if from_binary64(down) == number else said(down)


@mutant(_ROUND_OFF, "an upper bound is the nearest double, above or below", *NUMBERS, expects=ROUNDING, general=True)
def rounded_to_nearest(engine: Engine, op: str, args: Args) -> Any:
    return said(double(to_text(finite(engine.value(op, args)))))


@mutant(_ROUND_OFF, "single precision, truncated", *NUMBERS, "renyi", general=True)
def single_precision(engine: Engine, op: str, args: Args) -> Any:
    value = engine.value(op, args)
    number = finite(value)
    if number == 0:
        untouched()
    text = to_decimal(number, 7, "down")
    return {name: text for name in value if name == "moment"} or text if isinstance(value, dict) else text


@mutant(_ROUND_OFF, "six digits are printed, as C++ streams and R do", *NUMBERS, "epsilon", general=True)
def six_digits_printed(engine: Engine, op: str, args: Args) -> Any:
    number = finite(engine.value(op, args))
    text = to_decimal(number, 6, "down") if number else "0"
    return untouched() if mpq(text) == number else text


@mutant(_ROUND_OFF, "the round-off of a fast convolution, 1e-15, is not added to the bound", *STICKS, expects=ROUNDING)
def convolution_round_off(engine: Engine, op: str, args: Args) -> Any:
    mechanism(args, "repeat", "compose")
    number = finite(engine.value(op, args))
    return untouched() if number == 0 else said(max(mpq(0), number - mpq("1e-15")))


@mutant(_ROUND_OFF, "a tail of mass 1e-10 is cut off and not added to the bound", *STICKS)
def tail_cut_off(engine: Engine, op: str, args: Args) -> Any:
    mechanism(args, "gaussian", "laplace", "discrete_gaussian", "discrete_laplace", "poisson_subsample", "repeat")
    number = finite(engine.value(op, args))
    return untouched() if number == 0 else said(max(mpq(0), number - mpq("1e-10")))


@mutant(_ROUND_OFF, "a profile on a grid of epsilon, the value at the next grid point above", *STICKS, general=True)
def profile_of_the_next_grid_point(engine: Engine, op: str, args: Args) -> Any:
    """Delta decreases, so the next point above is below the truth; the one below would be safe."""
    epsilon = epsilon_double(args)
    if math.isinf(epsilon) or abs(epsilon) > 600:
        untouched()
    step = mpq(1, 100)
    on_grid = step * math.ceil(from_binary64(epsilon) / step)
    return engine.value(op, without_level(args, epsilon=to_text(on_grid)))


@mutant(
    _ROUND_OFF,
    "the mass 1e-9 lost to a grid is added, whatever was lost: safe and loose",
    *STICKS,
    expects=("loose",),
    general=True,
)
def grid_mass_added(engine: Engine, op: str, args: Args) -> Any:
    number = finite(engine.value(op, args))
    return untouched() if number == 1 else said(min(mpq(1), number + mpq("2e-9")))


# -- cancellation ----------------------------------------------------------------------------------------------------


def _careless_phi(x: float) -> float:
    return (1 + math.erf(x / math.sqrt(2))) / 2


@mutant(_CANCELLATION, "the Gaussian profile with Phi as (1 + erf)/2", *STICKS)
def phi_by_one_plus_erf(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - floats alone
    node = mechanism(args, "gaussian")
    theta = double(node.get("sensitivity", "1")) / double(node["sigma"])
    epsilon = epsilon_double(args)
    if theta == 0 or abs(epsilon) > 700:
        untouched()
    first, second = theta / 2 - epsilon / theta, -theta / 2 - epsilon / theta
    return said(max(0.0, _careless_phi(first) - math.exp(epsilon) * _careless_phi(second)))


@mutant(_CANCELLATION, "the Laplace profile as 1 - exp((epsilon - r)/2) in doubles", *STICKS, expects=ROUNDING)
def laplace_one_minus_exp(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - floats alone
    node = mechanism(args, "laplace")
    ratio = double(node.get("sensitivity", "1")) / double(node["scale"])
    epsilon = epsilon_double(args)
    if epsilon < -ratio:
        untouched()
    return said(max(0.0, 1 - math.exp(min(0.0, (epsilon - ratio) / 2))))


@mutant(_CANCELLATION, "1 - sum(min(p, a q)) in doubles, in place of sum(max(0, p - a q))", *STICKS, expects=ROUNDING)
def one_minus_overlap(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - floats alone
    rows = doubles(table(args["channel"]))
    epsilon = epsilon_double(args)
    if epsilon > 700:
        untouched()
    level = math.exp(epsilon)
    measure = lambda p, q: max(0.0, 1 - sum(min(a, level * b) for a, b in zip(p, q, strict=True)))  # noqa: E731
    return said(oriented(args, default_direction(op), measure, rows))


@mutant(_CANCELLATION, "columns with less than 1e-12 are dropped", *STICKS, "epsilon", "renyi", "mu")
def tiny_probabilities_dropped(engine: Engine, op: str, args: Args) -> Any:
    p, q = table(args["channel"])
    kept = [(a, b) for a, b in zip(p, q, strict=True) if max(a, b) >= mpq("1e-12")]
    if len(kept) == len(p) or not kept or not (total := sum(a for a, _ in kept)) or not sum(b for _, b in kept):
        untouched()
    other = sum(b for _, b in kept)
    matrix = [[to_text(a / total) for a, _ in kept], [to_text(b / other) for _, b in kept]]
    return engine.value(op, {**args, "channel": {"matrix": matrix}})


# -- overflow --------------------------------------------------------------------------------------------------------


@mutant(_OVERFLOW, "exp(epsilon) raises above 709.78", *STICKS, expects=("errored",))
def exponential_raises(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - it does not get there
    epsilon = epsilon_double(args)
    if not math.isinf(epsilon):
        math.exp(epsilon)
    return untouched()


@mutant(_OVERFLOW, "exp(epsilon) is infinite from 700 on, and infinite minus infinite counts as 0", *STICKS)
def infinite_exponential_is_zero(engine: Engine, op: str, args: Args) -> Any:
    """What is left at an infinite level is the mass where the other law has none; inf times 0 loses that too."""
    if epsilon_double(args) < 700 or engine.number(op, args) == 0:
        untouched()
    return "0"


@mutant(
    _OVERFLOW, "a Rényi moment by powers of doubles, which leave their range", "renyi", expects=("errored", "unsound")
)
def power_overflows(engine: Engine, op: str, args: Args) -> Any:
    p, q = doubles(table(args["channel"]))
    if "moment" not in engine.value(op, args):
        untouched()
    order = double(args["order"])

    def moment(first: list[float], second: list[float]) -> float:
        terms = [a**order * b ** (1 - order) for a, b in zip(first, second, strict=True) if a > 0]
        return math.fsum(terms)

    return {"moment": said(oriented(args, "forward", moment, (p, q)))}


@mutant(_OVERFLOW, "a binomial coefficient as a double, beyond 1e308 from 1030 runs on", *STICKS, expects=("errored",))
def binomial_overflows(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - it does not get there
    node = mechanism(args, "repeat")
    times = int(node["times"])
    float(math.comb(times, times // 2))
    return untouched()


@mutant(_OVERFLOW, "probabilities of a composition underflow to 0 below 1e-308", *STICKS, expects=("unsound-rounding",))
def underflow_is_zero(engine: Engine, op: str, args: Args) -> Any:
    return "0" if 0 < finite(engine.value(op, args)) < mpq("1e-308") else untouched()


# -- failing open ----------------------------------------------------------------------------------------------------


@mutant(_OPEN, "whatever goes wrong becomes 0, perfect privacy", *STICKS, "epsilon", "renyi", "mu", blind=True)
def everything_is_perfectly_private(engine: Engine, op: str, args: Args) -> Any:
    if op == "epsilon":
        return {"lo": "0", "hi": "0"}
    if op == "renyi":
        return {"divergence": "0"}
    return "0" if upper(engine.value(op, args)) != 0 else untouched()


@mutant(_OPEN, "an infinite answer becomes 0", "epsilon", "renyi", "mu")
def infinite_becomes_zero(engine: Engine, op: str, args: Args) -> Any:
    if not isinstance(upper(engine.value(op, args)), Infinity):
        untouched()
    return {"lo": "0", "hi": "0"} if op == "epsilon" else {"divergence": "0"} if op == "renyi" else "0"


@mutant(_OPEN, "an infinite answer becomes the largest double", "epsilon", "renyi", "mu")
def infinite_becomes_finite(engine: Engine, op: str, args: Args) -> Any:
    if not isinstance(upper(engine.value(op, args)), Infinity):
        untouched()
    largest = to_text(from_binary64(1.7976931348623157e308))
    return {"lo": largest, "hi": largest} if op == "epsilon" else {"divergence": largest} if op == "renyi" else largest


EVERY = (
    *("delta", "hockey_stick", "epsilon", "tradeoff", "renyi", "mu", "refines", "satisfies", "glb", "lub", "canonical"),
    *("channel_of", "decompose", "parallel", "visible", "hidden", "pre", "post", "vulnerability", "calibrate"),
    *("interactive_tradeoff", "simulate", "concurrent"),
)


@mutant(_OPEN, "a question without an answer is answered", *EVERY, expects=("wrong",))
def nothing_is_refused(engine: Engine, op: str, args: Args) -> Any:
    """Rows that do not sum to 1, negative masses, a delta above 1: all of it gives a number."""
    if engine.reply(op, args).kind == "value":
        untouched()
    if op in ("refines", "satisfies"):
        return {"holds": True}
    if op == "epsilon":
        return {"lo": "0", "hi": "0"}
    return {"matrix": [["1"], ["1"]]} if op in ("canonical", "glb", "lub", "channel_of", "parallel") else "0"


@mutant(_OPEN, "a negative epsilon is taken as 0", *STICKS)
def negative_epsilon_clipped(engine: Engine, op: str, args: Args) -> Any:
    if epsilon_double(args) >= 0:
        untouched()
    return engine.value(op, without_level(args, exp_epsilon="1"))


@mutant(
    _OPEN,
    "1 for every delta, infinity for every epsilon: safe and useless",
    *STICKS,
    "epsilon",
    expects=("loose",),
    blind=True,
)
def everything_is_disclosed(engine: Engine, op: str, args: Args) -> Any:
    engine.value(op, args)
    if op != "epsilon":
        return untouched() if parse_level_is_small(args) else "1"
    return {"exp_epsilon": "inf", "lo": "inf", "hi": "inf"}


def parse_level_is_small(args: Args) -> bool:
    """Whether the level is 0, where delta is 1."""
    return "exp_epsilon" in args and args["exp_epsilon"] != "inf" and parse_number(args["exp_epsilon"]) == 0


@mutant(_OPEN, "the positive part is forgotten: the sum of p - a q, which is 1 - a", *STICKS, general=True)
def no_positive_part(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - 1 - a whatever the channel
    epsilon = epsilon_double(args)
    return untouched() if math.isinf(epsilon) or epsilon > 700 else said(1 - math.exp(epsilon))


@mutant(_OPEN, "exp(epsilon) overflows from 700 on and delta becomes 1: safe and useless", *STICKS, expects=("loose",))
def infinite_exponential_is_one(engine: Engine, op: str, args: Args) -> Any:
    engine.value(op, args)
    return "1" if epsilon_double(args) >= 700 else untouched()
