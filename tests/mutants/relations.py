"""Faults of claims and refinements: what is decided, and by how little."""

from __future__ import annotations

from typing import Any

from gmpy2 import mpq

from oracle.exact import parse_number, to_text
from tests.mutants.base import Args, Engine, level_of, mutant, oriented, table, untouched
from tests.mutants.shapes import ORDER, SUPPORT, THRESHOLD, finite_stick, value_at

_MARGIN = mpq("1e-6")


def _claimed_with(args: Args, sign: int) -> dict[str, Any]:
    """The question with a claim that is weaker (sign 1) or stronger (-1) by 1e-6 in each of its numbers."""
    claim: dict[str, Any] = {}
    for key, value in args["claim"].items():
        if key in ("mu", "rho") or (key == "epsilon" and "order" in args["claim"]):
            claim[key] = to_text(parse_number(value) * (1 + sign * _MARGIN))
        elif key == "exp_epsilon":
            claim[key] = to_text(max(mpq(1), parse_number(value) * (1 + sign * _MARGIN)))
        elif key == "delta":
            claim[key] = to_text(min(mpq(1), max(mpq(0), parse_number(value) + sign * _MARGIN)))
        elif key == "tradeoff":
            corners = [(parse_number(a), parse_number(b)) for a, b in value["breakpoints"]]
            moved = [[to_text(a), to_text(b - sign * _MARGIN if 0 < a < 1 else b)] for a, b in corners]
            claim[key] = {"breakpoints": moved}
        else:
            claim[key] = value
    return {**args, "claim": claim}


@mutant(THRESHOLD, "a claim needs a margin of 1e-6", "satisfies", expects=("wrong",))
def claim_needs_a_margin(engine: Engine, op: str, args: Args) -> Any:
    return {"holds": engine.value(op, _claimed_with(args, -1))["holds"]}


@mutant(THRESHOLD, "a claim that is missed by 1e-6 is accepted", "satisfies", expects=("wrong",))
def claim_within_a_margin(engine: Engine, op: str, args: Args) -> Any:
    return {"holds": engine.value(op, _claimed_with(args, 1))["holds"]}


@mutant(THRESHOLD, "a claim about both directions is looked at in one", "satisfies", expects=("wrong",))
def claim_of_one_direction(engine: Engine, op: str, args: Args) -> Any:
    if "direction" in args:
        untouched()
    return {"holds": engine.value(op, {**args, "direction": "forward"})["holds"]}


@mutant(THRESHOLD, "a claim of mu is decided by the total variation", "satisfies", expects=("wrong",))
def claim_of_mu_by_distance(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    if "mu" not in args["claim"]:
        untouched()
    distance = engine.number("delta", {"channel": args["channel"], "exp_epsilon": "1"})
    of_mu = {"mechanism": "gaussian_dp", "mu": args["claim"]["mu"]}
    return {"holds": bool(distance < engine.number("delta", {"channel": of_mu, "exp_epsilon": "1"}))}


@mutant(SUPPORT, "mass at infinite loss does not count against a claim", "satisfies", expects=("wrong",))
def infinite_loss_claimed(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    claim = args["claim"]
    if not {"epsilon", "exp_epsilon"} & set(claim) or "order" in claim:
        untouched()
    level = mpq(3) if "epsilon" in claim and not claim["epsilon"].startswith("log") else level_of(claim)
    measured = oriented(args, "both", finite_stick(level), table(args["channel"]))
    return {"holds": bool(measured <= parse_number(claim.get("delta", "0")))}


@mutant(
    THRESHOLD, "a claimed curve must be below the mechanism's by 1e-6 and not touch it", "satisfies", expects=("wrong",)
)
def curve_must_not_touch(engine: Engine, op: str, args: Args) -> Any:
    if "tradeoff" not in args["claim"] or not engine.value(op, args)["holds"]:
        untouched()
    claimed = [(parse_number(a), parse_number(b)) for a, b in args["claim"]["tradeoff"]["breakpoints"]]
    found = engine.value("tradeoff", {"channel": args["channel"]})["breakpoints"]
    curve = [(parse_number(a), parse_number(b)) for a, b in found]
    inner = [(a, b) for a, b in claimed if 0 < a < 1]
    return {"holds": all(b + _MARGIN < value_at(curve, a) for a, b in inner)}


@mutant(ORDER, "refinement is decided by the largest ratio, as for pure privacy", "refines", expects=("wrong",))
def refinement_by_largest_ratio(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    question = {"order": "inf", "direction": "both"}
    left, right = (engine.number("renyi", {"channel": args[side], **question}) for side in ("left", "right"))
    return {"holds": bool(left >= right)}


@mutant(ORDER, "no channel refines an equivalent one", "refines", expects=("wrong",))
def refinement_is_strict(engine: Engine, op: str, args: Args) -> Any:
    other = engine.value(op, {**args, "left": args["right"], "right": args["left"]})
    return {"holds": bool(engine.value(op, args)["holds"] and not other["holds"])}


@mutant(ORDER, "refinement is decided up to 1e-5", "refines", expects=("wrong",))
def refinement_with_tolerance(engine: Engine, op: str, args: Args) -> Any:
    value = engine.value(op, args)
    if value["holds"] or "left" not in value:
        untouched()
    return {"holds": bool(parse_number(value["right"]) - parse_number(value["left"]) < mpq("1e-5"))}


@mutant(ORDER, "refinement is decided by the Bayes vulnerability for one prior", "refines", expects=("wrong",))
def refinement_by_bayes(engine: Engine, op: str, args: Args) -> Any:  # noqa: ARG001 - one op
    found = []
    for side in ("left", "right"):
        if "matrix" not in args[side]:
            untouched()
        rows = [[parse_number(v) for v in row] for row in args[side]["matrix"]]
        prior = [mpq(3, 4), mpq(1, 4)] if len(rows) == 2 else [mpq(1)] * len(rows)
        found.append(sum(max(p * v for p, v in zip(prior, column, strict=True)) for column in zip(*rows, strict=True)))
    return {"holds": bool(found[0] >= found[1])}


@mutant(ORDER, "refinement is decided for each pair of rows alone", "refines", expects=("wrong",))
def refinement_pair_by_pair(engine: Engine, op: str, args: Args) -> Any:
    left, right = (args[side].get("matrix", []) for side in ("left", "right"))
    if len(left) < 3 or len(left) != len(right):
        untouched()
    pairs = [(i, j) for j in range(len(left)) for i in range(j)]
    questions = [{"left": {"matrix": [left[i], left[j]]}, "right": {"matrix": [right[i], right[j]]}} for i, j in pairs]
    return {"holds": all(engine.value(op, question)["holds"] for question in questions)}


@mutant(
    SUPPORT,
    "a channel with one outcome has no second column to sort or merge",
    *("canonical", "channel_of", "glb", "lub", "parallel", "visible", "hidden", "pre", "post", "refines"),
    expects=("errored",),
)
def one_outcome_fails(engine: Engine, op: str, args: Args) -> Any:
    tables = [args[key] for key in ("channel", "left", "right") if key in args] + list(args.get("channels", []))
    tables.append(engine.value(op, args))
    if any(len(part["matrix"][0]) == 1 for part in tables if "matrix" in part):
        raise IndexError("index 1 is out of bounds for axis 1 with size 1")
    return untouched()
