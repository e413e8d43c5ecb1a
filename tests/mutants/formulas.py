"""Faults of formulas and of what they mean: closed forms, searches, sensitivity, adjacency, discrete noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from gmpy2 import mpq

from oracle.exact import Infinity, from_binary64, parse_extended, parse_number, to_decimal, to_text
from tests.mutants.base import (
    Args,
    Engine,
    asked,
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
    walk,
    without_level,
)
from tests.mutants.rounding import STICKS

SCALED = (*STICKS, "epsilon", "renyi", "mu", "tradeoff", "satisfies")

_FORM = "a wrong closed form, or one used outside its range"
_SEARCH = "a search that returns the wrong end"
_MEANING = "what sensitivity and adjacency mean"
_DISCRETE = "discrete distributions given to continuous machinery"

Node = dict[str, Any]


def _is_long(node: Any) -> bool:
    """Whether it is many runs of a subsampled mechanism, which take long to account for at parameters of any kind."""
    if not isinstance(node, Mapping) or "of" not in node:
        return False
    inside = node["of"] if isinstance(node["of"], list) else [node["of"]]
    sampled = any(isinstance(part, Mapping) and "rate" in part for part in inside)
    return (sampled and int(node.get("times", 1)) > 10) or any(map(_is_long, inside))


def _changed(engine: Engine, op: str, args: Args, change: Callable[[Node], Node]) -> Any:
    """The engine's answer with each mechanism changed; long runs of subsampled noise are left out, for time."""
    if _is_long(args.get("channel")):
        untouched()
    return asked(engine, op, args, walk(args, change))


# -- closed forms ----------------------------------------------------------------------------------------------------


@mutant(_FORM, "the Gaussian delta 1.25 exp(-(epsilon sigma)^2/2), which holds for epsilon <= 1 only", *STICKS)
def classical_gaussian(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - floats alone
    node = mechanism(args, "gaussian")
    theta = double(node.get("sensitivity", "1")) / double(node["sigma"])
    epsilon = epsilon_double(args)
    return untouched() if not theta else said(min(1.0, 1.25 * math.exp(-((epsilon / theta) ** 2) / 2)))


@mutant(_FORM, "sigma is read as a variance, as in a public report", *SCALED, expects=("unsound", "wrong", "loose"))
def variance_for_deviation(engine: Engine, op: str, args: Args) -> Any:
    def change(node: Node) -> Node:
        if node["mechanism"] not in ("gaussian", "discrete_gaussian"):
            return node
        return node | {"sigma": to_text(parse_number(node["sigma"]) ** 2)}

    return _changed(engine, op, args, change)


@mutant(_FORM, "the Gaussian profile with the second term added, not subtracted", *STICKS, expects=("loose",))
def sign_of_the_second_term(engine: Engine, op: str, args: Args) -> Any:
    mechanism(args, "gaussian")
    value, other = (
        finite(engine.value(op, args)),
        engine.number(op, {**args, "epsilon": "0"} if "epsilon" in args else args),
    )
    return untouched() if isinstance(other, Infinity) or value == 0 else said(min(mpq(1), 2 * value + other))


@mutant(_FORM, "the Laplace profile without the half: 1 - exp(epsilon - r)", *STICKS, expects=("loose",))
def laplace_without_the_half(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - floats alone
    node = mechanism(args, "laplace")
    ratio = double(node.get("sensitivity", "1")) / double(node["scale"])
    epsilon = epsilon_double(args)
    return said(-math.expm1(epsilon - ratio)) if 0 <= epsilon < ratio else untouched()


def _share(engine: Engine, op: str, args: Args, part: Any, share: mpq) -> mpq:
    """Delta of a part at a share of epsilon, rounded to the side on which delta is not too small."""
    epsilon = epsilon_double(args)
    if math.isinf(epsilon):
        untouched()
    inside = to_decimal(mpq(epsilon) * share, 17, "down") if epsilon else "0"
    return finite(engine.value(op, without_level(args, channel=part, epsilon=inside)))


def _runs(args: Args) -> tuple[Any, int]:
    node = mechanism(args, "repeat")
    return (node["of"], int(node["times"])) if int(node["times"]) > 1 else untouched()


@mutant(_FORM, "basic composition, k times delta of one run at epsilon/k: safe and loose", *STICKS, expects=("loose",))
def basic_composition(engine: Engine, op: str, args: Args) -> Any:
    one, times = _runs(args)
    return said(min(mpq(1), times * _share(engine, op, args, one, mpq(1, times))))


@mutant(_FORM, "basic composition of different parts: safe and loose", *STICKS, expects=("loose",))
def basic_composition_of_parts(engine: Engine, op: str, args: Args) -> Any:
    parts = mechanism(args, "compose")["of"]
    if len(parts) < 2:
        untouched()
    return said(min(mpq(1), sum(_share(engine, op, args, part, mpq(1, len(parts))) for part in parts)))


@mutant(_FORM, "epsilon of k runs grows by the root of k and delta does not", *STICKS)
def root_of_runs(engine: Engine, op: str, args: Args) -> Any:
    one, times = _runs(args)
    return said(_share(engine, op, args, one, mpq(1 / math.sqrt(times))))


@mutant(_FORM, "only the worst part of a composition is counted", *STICKS)
def worst_part_alone(engine: Engine, op: str, args: Args) -> Any:
    parts = mechanism(args, "compose")["of"]
    return said(max(finite(engine.value(op, {**args, "channel": part})) for part in parts))


@mutant(_FORM, "one run less than asked for", *SCALED)
def one_run_less(engine: Engine, op: str, args: Args) -> Any:
    def change(node: Node) -> Node:
        if node["mechanism"] == "repeat" and int(node["times"]) > 1:
            return node | {"times": int(node["times"]) - 1}
        return node

    return _changed(engine, op, args, change)


@mutant(_FORM, "one run more than asked for", *SCALED, expects=("loose",))
def one_run_more(engine: Engine, op: str, args: Args) -> Any:
    def change(node: Node) -> Node:
        return node | {"times": int(node["times"]) + 1} if node["mechanism"] == "repeat" else node

    return _changed(engine, op, args, change)


@mutant(_FORM, "the last part of a composition is forgotten", *SCALED)
def last_part_forgotten(engine: Engine, op: str, args: Args) -> Any:
    def change(node: Node) -> Node:
        return node | {"of": node["of"][:-1]} if node["mechanism"] == "compose" and len(node["of"]) > 1 else node

    return _changed(engine, op, args, change)


@mutant(_FORM, "subsampling at rate q is taken for q times delta at epsilon/q", *STICKS)
def rate_times_epsilon(engine: Engine, op: str, args: Args) -> Any:
    node = mechanism(args, "poisson_subsample")
    rate, epsilon = parse_number(node["rate"]), epsilon_double(args)
    if not 0 < rate < 1 or math.isinf(epsilon):
        untouched()
    inside = to_decimal(mpq(epsilon) / rate, 17, "up")
    return said(rate * finite(engine.value(op, without_level(args, channel=node["of"], epsilon=inside))))


@mutant(_FORM, "a Rényi divergence of the order below", "renyi", expects=("unsound",))
def order_below(engine: Engine, op: str, args: Args) -> Any:
    order = parse_extended(args["order"])
    if isinstance(order, Infinity) or order < 3:
        untouched()
    return engine.value(op, {**args, "order": to_text(order - 1)})


@mutant(
    _FORM, "a Rényi moment is answered as if it were the divergence", "renyi", expects=("unsound", "loose", "wrong")
)
def moment_for_divergence(engine: Engine, op: str, args: Args) -> Any:
    value = engine.value(op, args)
    return {"divergence": said(finite(value["moment"]))} if "moment" in value else untouched()


@mutant(_FORM, "mu from the total variation alone, a lower bound of it", "mu")
def mu_of_one_point(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    """2 Phi^-1((1 + TV)/2): that Gaussian has the same delta at epsilon 0, and need not be below elsewhere."""
    distance = engine.number("delta", {"channel": args["channel"], "exp_epsilon": "1"})
    if isinstance(distance, Infinity) or distance >= 1:
        untouched()
    goal = (1 + double(to_text(distance))) / 2
    low, high = 0.0, 40.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erfc(-middle / math.sqrt(2)) / 2 < goal else (low, middle)
    return said(2 * low)


@mutant(_FORM, "randomized response among one answer more than there are", *SCALED)
def one_answer_more(engine: Engine, op: str, args: Args) -> Any:
    def change(node: Node) -> Node:
        return node | {"k": int(node["k"]) + 1} if node["mechanism"] == "k_randomized_response" else node

    return _changed(engine, op, args, change)


@mutant(
    _FORM,
    "Gaussian noise is taken to be as good as Laplace noise of that scale",
    *SCALED,
    expects=("unsound", "wrong", "loose"),
)
def gaussian_as_laplace(engine: Engine, op: str, args: Args) -> Any:
    def change(node: Node) -> Node:
        if node["mechanism"] != "gaussian":
            return node
        kept = {key: value for key, value in node.items() if key != "sigma"}
        return kept | {"mechanism": "laplace", "scale": node["sigma"]}

    return _changed(engine, op, args, change)


@mutant(
    _FORM,
    "half the sum of |p - a q|, which is the divergence for a = 1 only",
    *STICKS,
    expects=("unsound", "loose"),
    general=True,
)
def half_of_absolute_differences(engine: Engine, op: str, args: Args) -> Any:
    level = level_of(args)
    if isinstance(level, Infinity) or level == 1:
        untouched()
    return said(finite(engine.value(op, args)) - (1 - level) / 2)


@mutant(_FORM, "epsilon in bits: the level is 2^epsilon", *STICKS, expects=("unsound", "loose"), general=True)
def epsilon_in_bits(engine: Engine, op: str, args: Args) -> Any:
    """A level too small, and a delta too large, for epsilon > 0; the other way round below."""
    epsilon = epsilon_double(args)
    if math.isinf(epsilon) or epsilon == 0 or _is_long(args["channel"]):
        untouched()
    return engine.value(op, without_level(args, epsilon=to_text(from_binary64(epsilon * math.log(2)))))


@mutant(_FORM, "a pure epsilon is taken for all there is: delta is 0 from epsilon = 5 on", *STICKS)
def pure_epsilon(engine: Engine, op: str, args: Args) -> Any:
    """Mass at infinite loss, or a tail, is what is left beyond it."""
    divergence = engine.number("renyi", {"channel": args["channel"], "order": "inf", "direction": "forward"})
    if not isinstance(divergence, Infinity) or epsilon_double(args) < 5 or engine.number(op, args) == 0:
        untouched()
    return "0"


@mutant(_FORM, "a Rényi divergence without the factor 1/(order - 1)", "renyi", expects=("unsound", "loose"))
def factor_forgotten(engine: Engine, op: str, args: Args) -> Any:
    value = engine.value(op, args)
    order = parse_extended(args["order"])
    if "divergence" not in value or isinstance(order, Infinity) or order in (1, 2):
        untouched()
    return {"divergence": said(finite(value["divergence"]) * abs(order - 1))}


@mutant(_FORM, "the Kullback-Leibler divergence for every order", "renyi", expects=("unsound", "loose"))
def order_one_for_all(engine: Engine, op: str, args: Args) -> Any:
    return asked(engine, op, args, {**args, "order": "1"})


@mutant(_FORM, "twice the mu, as for a sensitivity of 2", "mu", expects=("loose",))
def mu_doubled(engine: Engine, op: str, args: Args) -> Any:
    return said(2 * finite(engine.value(op, args)))


# -- searches --------------------------------------------------------------------------------------------------------


def _epsilon(engine: Engine, args: Args) -> mpq:
    number = finite(engine.value("epsilon", args))
    return number if number > 0 else untouched()


def _told(value: mpq | float) -> dict[str, str]:
    text = said(value)
    return {"lo": text, "hi": text}


@mutant(_SEARCH, "bisection of epsilon to 1e-6 returns the middle", "epsilon", expects=("unsound",))
def bisection_middle(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    epsilon = _epsilon(engine, args)
    low, high = mpq(0), mpq(64)
    while high < epsilon:
        high *= 2
    while high - low > mpq("1e-6"):
        middle = (low + high) / 2
        low, high = (middle, high) if middle < epsilon else (low, middle)
    return _told((low + high) / 2)


@mutant(_SEARCH, "bisection of epsilon to 1e-6 returns the lower end", "epsilon", expects=("unsound",))
def bisection_lower_end(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    epsilon = _epsilon(engine, args)
    step = mpq("1e-6")
    return _told(step * (math.ceil(epsilon / step) - 1))


@mutant(_SEARCH, "the search ends at epsilon = 10", "epsilon", expects=("unsound",))
def search_ends_early(engine: Engine, op: str, args: Args) -> Any:
    value = upper(engine.value(op, args))
    return _told(mpq(10)) if isinstance(value, Infinity) or value > 10 else untouched()


@mutant(
    _SEARCH, "epsilon goes below 0 where delta is above the total variation", "epsilon", expects=("unsound", "errored")
)
def negative_epsilon(engine: Engine, op: str, args: Args) -> Any:
    if upper(engine.value(op, args)) != 0:
        untouched()
    delta = parse_number(args["delta"])
    if not 0 < delta < 1:
        untouched()
    return _told(math.log1p(-double(to_text(delta))))


@mutant(_SEARCH, "epsilon is rounded up to a multiple of 1/100", "epsilon", expects=("loose",), general=True)
def coarse_grid_of_epsilon(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    return _told(mpq(math.ceil(_epsilon(engine, args) * 100), 100))


@mutant(_SEARCH, "epsilon is log(e^epsilon) in doubles, rounded to nearest", "epsilon", expects=("unsound-rounding",))
def epsilon_to_nearest(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    return _told(double(to_text(_epsilon(engine, args))))


def _least(engine: Engine, args: Args) -> mpq:
    return finite(engine.value("calibrate", args))


@mutant(_SEARCH, "a scale that is too small by 1e-6 of it", "calibrate", expects=("unsound",))
def scale_too_small(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    return said(_least(engine, args) * (1 - mpq("1e-6")))


@mutant(_SEARCH, "the least scale, rounded down to a double", "calibrate", expects=("unsound-rounding",))
def scale_rounded_down(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    least = _least(engine, args)
    near = double(to_text(least))
    return said(math.nextafter(near, 0.0) if mpq(near) >= least else near)


@mutant(_SEARCH, "a scale twice as large as needed", "calibrate", expects=("loose",))
def scale_too_large(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    return said(2 * _least(engine, args))


# -- sensitivity, adjacency, direction -------------------------------------------------------------------------------


@mutant(_MEANING, "the sensitivity is ignored", *SCALED)
def sensitivity_ignored(engine: Engine, op: str, args: Args) -> Any:
    return _changed(engine, op, args, lambda node: {key: value for key, value in node.items() if key != "sensitivity"})


@mutant(_MEANING, "noise for half of the sensitivity, as when replacing one record is two steps", *SCALED)
def sensitivity_halved(engine: Engine, op: str, args: Args) -> Any:
    def change(node: Node) -> Node:
        field = {"laplace": "scale", "gaussian": "sigma", "discrete_gaussian": "sigma"}.get(node["mechanism"])
        return node if field is None else node | {field: to_text(2 * parse_number(node[field]))}

    return _changed(engine, op, args, change)


@mutant(_MEANING, "only the direction remove is computed", *STICKS, "epsilon", "renyi")
def remove_only(engine: Engine, op: str, args: Args) -> Any:
    if args.get("direction", "both" if op != "hockey_stick" else "forward") == "forward":
        untouched()
    return engine.value(op, {**args, "direction": "forward"})


@mutant(_MEANING, "the two directions are exchanged", *STICKS, "epsilon", "renyi", "tradeoff")
def directions_exchanged(engine: Engine, op: str, args: Args) -> Any:
    other = {"forward": "backward", "backward": "forward"}
    direction = args.get("direction", "both" if op in ("delta", "epsilon") else "forward")
    return engine.value(op, {**args, "direction": other[direction]}) if direction in other else untouched()


@mutant(_MEANING, "the average of the two directions", *STICKS)
def directions_averaged(engine: Engine, op: str, args: Args) -> Any:
    if args.get("direction", "both" if op == "delta" else "forward") != "both":
        untouched()
    sides = [finite(engine.value(op, {**args, "direction": side})) for side in ("forward", "backward")]
    return said((sides[0] + sides[1]) / 2)


@mutant(_MEANING, "replacing a record is taken for adding or removing one, in subsampling", *SCALED)
def substitution_as_removal(engine: Engine, op: str, args: Args) -> Any:
    def change(node: Node) -> Node:
        return node | {"neighbours": "add_remove"} if node.get("neighbours") == "substitute" else node

    return _changed(engine, op, args, change)


@mutant(_MEANING, "the subsampling is not seen at all: safe and loose", *SCALED, expects=("loose",))
def no_amplification(engine: Engine, op: str, args: Args) -> Any:
    return _changed(engine, op, args, lambda n: dict(n["of"]) if n["mechanism"] == "poisson_subsample" else n)


@mutant(_MEANING, "the rate of subsampling is squared", *SCALED)
def rate_squared(engine: Engine, op: str, args: Args) -> Any:
    def change(node: Node) -> Node:
        return node | {"rate": to_text(parse_number(node["rate"]) ** 2)} if "rate" in node else node

    return _changed(engine, op, args, change)


@mutant(_MEANING, "one record less is sampled", *SCALED)
def sample_of_one_less(engine: Engine, op: str, args: Args) -> Any:
    def change(node: Node) -> Node:
        size = int(node["sample"]) if "sample" in node else 0
        return node | {"sample": size - 1} if size > 1 else node

    return _changed(engine, op, args, change)


# -- discrete noise --------------------------------------------------------------------------------------------------


@mutant(_DISCRETE, "discrete Gaussian noise is taken for a Gaussian", *SCALED, expects=("unsound", "loose"))
def discrete_gaussian_as_gaussian(engine: Engine, op: str, args: Args) -> Any:
    def change(node: Node) -> Node:
        return node | {"mechanism": "gaussian"} if node["mechanism"] == "discrete_gaussian" else node

    return _changed(engine, op, args, change)


@mutant(_DISCRETE, "discrete Laplace noise is taken for Laplace noise", *SCALED, expects=("unsound", "loose"))
def discrete_laplace_as_laplace(engine: Engine, op: str, args: Args) -> Any:
    def change(node: Node) -> Node:
        if node["mechanism"] != "discrete_laplace" or "scale" not in node:
            return node
        return node | {"mechanism": "laplace"}

    return _changed(engine, op, args, change)


@mutant(
    _DISCRETE,
    "geometric noise of ratio r is taken for Laplace noise of scale -1/log r",
    *SCALED,
    expects=("unsound", "loose"),
)
def geometric_as_laplace(engine: Engine, op: str, args: Args) -> Any:
    def change(node: Node) -> Node:
        if node["mechanism"] not in ("geometric", "discrete_laplace") or "ratio" not in node or "low" in node:
            return node
        scale = -1 / math.log(double(node["ratio"]))
        kept = {key: value for key, value in node.items() if key != "ratio"}
        return kept | {"mechanism": "laplace", "scale": said(scale), "sensitivity": kept.get("sensitivity", "1")}

    return _changed(engine, op, args, change)


@mutant(
    _DISCRETE,
    "a finite table is taken for a Gaussian of the same total variation",
    *(*STICKS, "epsilon"),
    expects=("unsound", "loose"),
)
def table_as_gaussian(engine: Engine, op: str, args: Args) -> Any:
    table(args["channel"])
    if op in STICKS and abs(epsilon_double(args)) > 100:
        untouched()
    mu = mu_of_one_point.fault(engine, "mu", {"channel": args["channel"]})
    return engine.value(op, {**args, "channel": {"mechanism": "gaussian_dp", "mu": mu}})
