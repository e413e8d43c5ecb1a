"""Faults that show in one region of the parameters: beyond the pure epsilon, at the ends of a curve, near 1."""

from __future__ import annotations

import math
from typing import Any

from gmpy2 import mpq

from oracle import operations
from oracle.errors import OracleError
from oracle.exact import Infinity, from_binary64, parse_extended, parse_number, to_decimal, to_text
from tests.mutants.base import (
    Args,
    Engine,
    asked,
    default_direction,
    double,
    doubles,
    epsilon_double,
    finite,
    level_of,
    mechanism,
    mutant,
    oriented,
    said,
    table,
    untouched,
    upper,
    walk,
)
from tests.mutants.formulas import SCALED
from tests.mutants.rounding import STICKS

_FORM = "a wrong closed form, or one used outside its range"
_SUPPORT = "infinite loss, point masses, zero columns, disjoint supports"
_CANCELLATION = "cancellation"
_DISCRETE = "discrete distributions given to continuous machinery"
_CURVES = "a trade-off curve built from two separately discretised distributions"
_ORDERED = ("canonical", "channel_of", "glb", "lub")

Node = dict[str, Any]


# -- pure mechanisms -------------------------------------------------------------------------------------------------


def _pure(engine: Engine, args: Args) -> mpq:
    """The pure epsilon of a mechanism, of its base where noise is added to a sample."""
    channel = args["channel"]
    noise = channel.get("of", {}) if channel.get("mechanism", "").endswith(("subsample", "replacement")) else {}
    base = noise if noise.get("mechanism") in ("laplace", "gaussian") else channel
    largest = [
        upper(engine.value("renyi", {"channel": base, "order": "inf", "direction": side}))
        for side in ("forward", "backward")
    ]
    pure = max(largest)
    return untouched() if isinstance(pure, Infinity) else pure


@mutant(_FORM, "a pure guarantee turned into a concentrated one: delta is never 0", *STICKS, expects=("loose",))
def pure_by_concentrated(engine: Engine, op: str, args: Args) -> Any:
    """With rho = eps0^2/2 it is exp(-(eps - rho)^2/(4 rho)) above rho."""
    engine.value(op, args)
    epsilon, rho = epsilon_double(args), double(to_text(_pure(engine, args))) ** 2 / 2
    if not 0 <= epsilon < 1000 or rho == 0:
        untouched()
    return said(math.exp(-((epsilon - rho) ** 2) / (4 * rho)) if epsilon > rho else 1.0)


@mutant(
    _FORM,
    "e^epsilon as 1 + epsilon, in randomized response and weights",
    *SCALED,
    expects=("unsound", "loose", "wrong"),
)
def first_order_exponential(engine: Engine, op: str, args: Args) -> Any:
    kinds = ("randomized_response", "k_randomized_response", "exponential")

    def change(node: Node) -> Node:
        if node["mechanism"] not in kinds:
            return node
        kept = {key: value for key, value in node.items() if key not in ("epsilon", "exp_epsilon")}
        return kept | {"exp_epsilon": to_text(1 + from_binary64(epsilon_double(node)))}

    return asked(engine, op, args, walk(args, change))


@mutant(_FORM, "the total variation without its half", *STICKS, expects=("loose",))
def variation_doubled(engine: Engine, op: str, args: Args) -> Any:
    if level_of(args) != 1:
        untouched()
    value = finite(engine.value(op, args))
    return said(min(mpq(1), 2 * value)) if 0 < value < 1 else untouched()


@mutant(_FORM, "mu squared, as for a variance", *SCALED, expects=("unsound", "loose", "wrong"))
def mu_for_a_variance(engine: Engine, op: str, args: Args) -> Any:
    def change(node: Node) -> Node:
        return node | {"mu": to_text(parse_number(node["mu"]) ** 2)} if node["mechanism"] == "gaussian_dp" else node

    return asked(engine, op, args, walk(args, change))


@mutant(_FORM, "each loss rounded up to a multiple of 8: safe and loose", *STICKS, expects=("loose",))
def losses_on_a_coarse_grid(engine: Engine, op: str, args: Args) -> Any:
    rows, epsilon = doubles(table(args["channel"])), epsilon_double(args)
    engine.value(op, args)
    if not 0 <= epsilon < 8:
        untouched()

    def stick(p: list[float], q: list[float]) -> float:
        """The sum of p (1 - e^(epsilon - loss)) over the losses above epsilon."""
        total = 0.0
        for a, b in zip(p, q, strict=True):
            loss = math.inf if a and not b else 8.0 * math.ceil(math.log(a / b) / 8) if a else -math.inf
            total += a * -math.expm1(epsilon - loss) if loss > epsilon else 0.0
        return min(1.0, total)

    return said(oriented(args, default_direction(op), stick, rows))


@mutant("overflow", "weights of the exponential mechanism leave the range of doubles", *SCALED, expects=("errored",))
def weights_overflow(engine: Engine, op: str, args: Args) -> Any:
    node = mechanism(args, "exponential")
    engine.value(op, args)
    for score in node["scores"][0]:
        math.exp(epsilon_double(node) * double(score) / (2 * double(node.get("sensitivity", "1"))))
    return untouched()


@mutant(_DISCRETE, "discrete noise one step further than the sensitivity", *SCALED, expects=("loose",))
def one_lattice_step_more(engine: Engine, op: str, args: Args) -> Any:
    def change(node: Node) -> Node:
        if node["mechanism"] not in ("discrete_laplace", "discrete_gaussian"):
            return node
        return node | {"sensitivity": to_text(parse_number(node.get("sensitivity", "1")) + 1)}

    return asked(engine, op, args, walk(args, change))


# -- long compositions and samples -----------------------------------------------------------------------------------


@mutant(_FORM, "the central limit theorem as a bound for DP-SGD", *STICKS, "epsilon", expects=("unsound", "loose"))
def central_limit_theorem(engine: Engine, op: str, args: Args) -> Any:
    """A Gaussian pair of mu = q sqrt(T (exp(1/sigma^2) - 1))."""
    node = mechanism(args, "repeat")
    of = node["of"]
    if of.get("mechanism") != "poisson_subsample" or of["of"].get("mechanism") != "gaussian":
        untouched()
    sigma = double(of["of"]["sigma"])
    if sigma < 0.1:
        untouched()
    mu = double(of["rate"]) * math.sqrt(int(node["times"]) * math.expm1(1 / sigma**2))
    return engine.value(
        op, {**args, "channel": {"mechanism": "gaussian_dp", "mu": to_decimal(from_binary64(mu), 17, "up")}}
    )


@mutant(_FORM, "a sample of a fixed size is not seen at all: safe and loose", *SCALED, expects=("loose",))
def fixed_size_not_seen(engine: Engine, op: str, args: Args) -> Any:
    node = args.get("channel")
    if not isinstance(node, dict) or "sample" not in node or node["of"]["mechanism"] == "database":
        untouched()
    return engine.value(op, {**args, "channel": node["of"]})


# -- supports --------------------------------------------------------------------------------------------------------


@mutant(_SUPPORT, "a composition of disjoint supports leaves an empty grid", *STICKS, "epsilon", expects=("errored",))
def disjoint_composition_raises(engine: Engine, op: str, args: Args) -> Any:
    p, q = table(mechanism(args, "repeat")["of"])
    engine.value(op, args)
    if not any(a and b for a, b in zip(p, q, strict=True)):
        raise IndexError("list index out of range")
    return untouched()


@mutant(_SUPPORT, "a composition without any loss divides by its spread", *STICKS, "epsilon", expects=("errored",))
def spread_of_no_loss_divides(engine: Engine, op: str, args: Args) -> Any:
    p, q = table(mechanism(args, "repeat")["of"])
    engine.value(op, args)
    if p == q:
        raise ZeroDivisionError("division by zero")
    return untouched()


@mutant(_SUPPORT, "columns that one law lacks are dropped", *_ORDERED, expects=("wrong",))
def one_sided_columns_dropped(engine: Engine, op: str, args: Args) -> Any:
    rows = engine.value(op, args)["matrix"]
    kept = [column for column in zip(*rows, strict=True) if "0" not in column]
    return {"matrix": [list(row) for row in zip(*kept, strict=True)]} if len(kept) < len(rows[0]) else untouched()


@mutant(_SUPPORT, "columns in the order of p, not of the ratio", *_ORDERED, expects=("wrong",))
def columns_by_first_law(engine: Engine, op: str, args: Args) -> Any:
    rows = engine.value(op, args)["matrix"]
    columns = sorted(zip(*rows, strict=True), key=lambda column: parse_number(column[0]))
    matrix = [list(row) for row in zip(*columns, strict=True)]
    return {"matrix": matrix} if matrix != rows else untouched()


@mutant(_SUPPORT, "the largest finite loss counted as infinite", "concurrent", expects=("loose",))
def largest_loss_as_infinite(engine: Engine, op: str, args: Args) -> Any:
    """At an infinite level the mass of the outcome of largest ratio, read off the next corner of the curve."""
    if level_of(args) != parse_extended("inf") or finite(engine.value(op, args)) != 0:
        untouched()
    other = {"forward": "backward", "backward": "forward"}[args["direction"]]
    try:
        curve = operations.concurrent(args["interactives"], direction=other).value
    except OracleError:
        untouched()
    (_, (_, beta), *_) = curve.to_json()["breakpoints"]
    return to_text(1 - parse_number(beta))


# -- curves ----------------------------------------------------------------------------------------------------------


@mutant(_CURVES, "a quantile of 0 or 1 is no number", "tradeoff", expects=("errored",))
def quantile_at_the_ends(engine: Engine, op: str, args: Args) -> Any:
    mechanism(args, "gaussian", "gaussian_dp", "laplace", "discrete_laplace", "randomized_response", "repeat")
    engine.value(op, args)
    if parse_number(args.get("alpha", "1/2")) in (0, 1):
        raise ValueError("math domain error")
    return untouched()


@mutant(_CURVES, "alpha rounded down to a grid of 1/10000", "tradeoff", expects=("unsound",))
def alpha_on_a_grid(engine: Engine, op: str, args: Args) -> Any:
    alpha = parse_number(args["alpha"]) if "alpha" in args else untouched()
    return asked(engine, op, args, {**args, "alpha": to_text(mpq(alpha * 10**4 // 1, 10**4))})


@mutant(_CURVES, "at a corner the value of the corner beside it", "tradeoff", expects=("unsound", "loose"))
def neighbouring_corner(engine: Engine, op: str, args: Args) -> Any:
    """Of the one before it, as a search on the wrong side returns; at alpha = 0 of the one after it."""
    alpha = parse_number(args["alpha"]) if "alpha" in args else untouched()
    value = engine.value(op, args)
    corners = [tuple(map(parse_number, corner)) for corner in value["breakpoints"]] if "breakpoints" in value else []
    places = [n for n, corner in enumerate(corners) if corner[0] == alpha]
    if not places or len(corners) < 2:
        untouched()
    return {"beta": to_text(corners[max(places[0] - 1, 0) if places[0] else 1][1])}


# -- Rényi divergences -----------------------------------------------------------------------------------------------


@mutant(_FORM, "order 64 for an infinite one", "renyi", expects=("unsound",))
def large_order_for_infinite(engine: Engine, op: str, args: Args) -> Any:
    if args["order"] != "inf" or isinstance(upper(engine.value(op, args)), Infinity):
        untouched()
    value = engine.value(op, {**args, "order": "64"})
    if "divergence" in value:
        return {"divergence": said(finite(value["divergence"]))}
    moment = parse_number(value["moment"])
    return {"divergence": said((math.log(int(moment.numerator)) - math.log(int(moment.denominator))) / 63)}


@mutant(_CANCELLATION, "a Rényi divergence as the logarithm of a sum near 1, in doubles", "renyi", expects=("unsound",))
def logarithm_of_a_sum_near_one(engine: Engine, op: str, args: Args) -> Any:
    rows, order = doubles(table(args["channel"])), parse_extended(args["order"])
    engine.value(op, args)
    if isinstance(order, Infinity) or order > 3:
        untouched()

    def divergence(p: list[float], q: list[float]) -> float:
        if order == 1:
            return max(0.0, sum(a * math.log(a / b) for a, b in zip(p, q, strict=True) if a))
        power = float(order)
        total = sum(a**power * b ** (1 - power) for a, b in zip(p, q, strict=True) if a)
        return math.log(total) / (power - 1)

    return {"divergence": said(oriented(args, "forward", divergence, rows))}
