"""The request protocol: one table from operation to the function that answers it.

A request is ``{"id", "op", "args"}``; an answer has the id and exactly one of ``value``, ``declined``
(not offered, or outside the stated domain) and ``error`` (malformed, or tried and failed).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gmpy2 import mpz

from oracle import __version__, operations
from oracle.accountant.composition import Composition
from oracle.accounting import epsilon_facts, evidence
from oracle.channels.channel import Channel
from oracle.channels.refinement import GainSeparation, Witness
from oracle.channels.tradeoff import TradeoffFunction, parse_tradeoff
from oracle.claims import parse_claim
from oracle.enclosures import DEFAULT_DIGITS, Enclosure, parse_digits
from oracle.errors import Declined, InputError, LimitError, OracleError, shorten
from oracle.exact import parse_extended, parse_number, to_text
from oracle.experiments.base import Experiment
from oracle.interactive.reading import interactive_from, is_interactive
from oracle.interactive.tree import InteractiveMechanism
from oracle.json_text import parse, refuse_unknown
from oracle.levels import LEVEL_FIELDS, parse_level
from oracle.mechanisms.evaluate import Pair
from oracle.mechanisms.nodes import Compose, Repeat
from oracle.mechanisms.parse import mechanism_from
from oracle.operations.latest import forgotten_unless_done, latest_pair
from oracle.theorems.bounds import ProfileBound

__all__ = ["OPS", "PROTOCOL", "Op", "answer", "answer_line", "identity", "number"]

PROTOCOL: Final = 1

_PARAMETERS: Final = {"theta": ("mu", "sigma")}
"""By the name of a parameter of a pair those of the fields that it comes from."""

_SUM: Final = "sum over the parts"
_CURVE: Final = "supporting lines of the profile"
_MU_BOUNDS: Final = "bounds by the parts and by the profile"

Args = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Op:
    """An operation: required and optional arguments (``digits`` is one of every op) and the function that answers."""

    run: Callable[[Args], dict[str, Any]]
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


def answer(request: object) -> dict[str, Any]:
    """Answer one request, a JSON value as :func:`oracle.json_text.parse` reads it (or plain Python data)."""
    reply: dict[str, Any] = {"id": identity(request)}
    try:
        with forgotten_unless_done():
            return reply | _run(request)
    except Declined as reason:
        return reply | {"declined": str(reason)}
    except (OracleError, ArithmeticError, MemoryError) as error:
        return reply | {"error": str(error) or type(error).__name__}


def answer_line(line: str) -> dict[str, Any]:
    """Answer one line of text."""
    try:
        request = parse(line)
    except OracleError as error:
        return {"id": None, "error": str(error)}
    return answer(request)


def identity(request: object) -> str | int | None:
    """The id that an answer repeats: that of the request where it is text or an integer, else None."""
    found = request.get("id") if isinstance(request, Mapping) else None
    return found if _is_identity(found) else None


def _is_identity(value: object) -> bool:
    return isinstance(value, (str, int, type(None))) and not isinstance(value, bool)


def _require_identity(request: Args) -> None:
    if "id" not in request:
        raise InputError('the key "id"', "none", "request")
    if isinstance(request["id"], mpz):
        raise LimitError("an integer id of at most 4000 digits", shorten(request["id"]), "id")
    if not _is_identity(request["id"]):
        raise InputError("an id that is text or an integer", shorten(request["id"]), "id")


def _run(request: object) -> dict[str, Any]:
    if not isinstance(request, Mapping):
        raise InputError('a request {"id": ..., "op": ..., "args": {...}}', shorten(request))
    refuse_unknown(request, ("id", "op", "args"), "request")
    _require_identity(request)
    name = request.get("op")
    if not isinstance(name, str):
        raise InputError("an op that is text", shorten(name), "op")
    op = OPS.get(name)
    if op is None:
        raise Declined(f"the op {shorten(name)} is not offered; offered are " + ", ".join(OPS))
    args = request.get("args", {})
    if not isinstance(args, Mapping):
        raise InputError("args as an object", shorten(args), "args")
    refuse_unknown(args, (*op.required, *op.optional, "digits"), "args")
    _require_given(op, args)
    try:
        return op.run(args)
    except InputError as error:
        # Whatever is wrong inside an operation was an argument of it.
        if error.where.startswith("args"):
            raise
        raise type(error)(error.expected, error.got, _place(error.where, op, args)) from None


def _require_given(op: Op, args: Args) -> None:
    """Refuse a required argument that is left out, and null for one that may be left out: the two are not the same."""
    for key in (*op.optional, "digits"):
        if key in args and args[key] is None:
            raise InputError("a value, or no such argument", "null", f"args.{key}")
    _digits(args)
    for key in op.required:
        if key not in args:
            raise InputError(f'the argument "{key}"', "none", "args")


def _place(inner: str, op: Op, args: Args) -> str:
    """The place in the request of what an operation names in its own way: an argument, or a part of one.

    A level is where it was given; what is no argument is of the claim if that has it, of an interactive mechanism or
    several, or else of the channel: its field if it has one of that name, as an error of a parameter names it.
    """
    names = (*op.required, *op.optional, "digits")
    head = re.split(r"[.\[]", inner, maxsplit=1)[0]
    claim, channel = (
        tuple(part) if isinstance(part := args.get(name), Mapping) else () for name in ("claim", "channel")
    )
    if head in LEVEL_FIELDS:
        head = next((name for name in LEVEL_FIELDS if name in args or name in claim), head)
        inner = head
    if head in names:
        return f"args.{inner}"
    if head in claim:
        return f"args.claim.{inner}"
    for name in ("interactives", "interactive"):
        if name in names and head in ("", "mechanisms", "interactive"):
            return f"args.{name}"
    if "channel" not in names:
        return f"args.{inner}" if inner else "args"
    field = next((name for name in (head, *_PARAMETERS.get(head, ())) if name in channel), None)
    return "args.channel" if field is None else f"args.channel.{field}"


def number(value: operations.Value | Any) -> Any:  # noqa: ANN401 - a JSON value
    """An exact number as its one string, an enclosure as ``{"lo", "hi"}``."""
    return value.to_json() if isinstance(value, Enclosure) else to_text(value)


def _numbered(value: operations.Value, pair: Pair | None = None) -> dict[str, Any]:
    """The value, beside it the digits reached where they fall short, and that it is a bound where it is one."""
    reply: dict[str, Any] = {"value": number(value), **_kind(pair)}
    if isinstance(value, Enclosure) and value.reached is not None:
        reply["reached"] = value.reached
    return reply


def _kind(pair: Pair | InteractiveMechanism | None) -> dict[str, Any]:
    return {"kind": "bound"} if isinstance(pair, ProfileBound) else {}


def _pair(args: Args) -> Pair:
    return latest_pair(args["channel"], "args.channel")


def _law_or_tree(args: Args) -> Pair | InteractiveMechanism:
    """The pair, or the interactive mechanism itself where the answer is not that of its tight channel."""
    channel = args["channel"]
    return interactive_from(channel, "args.channel") if is_interactive(channel) else _pair(args)


def _family(args: Args, *, merged: bool) -> list[Channel]:
    values = args["channels"]
    if not isinstance(values, (list, tuple)):
        raise InputError("a list of channels", shorten(values), "args.channels")
    return [operations.rational_channel(v, f"args.channels[{i}]", merged=merged) for i, v in enumerate(values)]


def _digits(args: Args) -> int:
    return parse_digits(args["digits"], "args.digits") if "digits" in args else DEFAULT_DIGITS


def _direction(args: Args, default: str, *, both: bool = True) -> str:
    return operations.parse_direction(args.get("direction", default), "args.direction", both=both)


def _level(args: Args) -> dict[str, Any]:
    """The level arguments, checked here so that an error names its place."""
    parse_level(args, "args", minimum_one=False)
    return {name: args[name] for name in LEVEL_FIELDS if name in args}


def _hello(_: Args) -> dict[str, Any]:
    claims = {name: "exact" for name in OPS if name not in ("hello", "echo")}
    accepts = ["exp_epsilon", "epsilon", "rational", "decimal", "binary64"]
    name = {"name": "fdp-oracle", "version": __version__, "protocol": PROTOCOL}
    return {"value": {**name, "ops": list(OPS), "claims": claims, "accepts": accepts}}


def _echo(args: Args) -> dict[str, Any]:
    values = args["values"]
    if not isinstance(values, (list, tuple)):
        raise InputError("a list of numbers", shorten(values), "args.values")
    read = [parse_extended(value, f"args.values[{i}]") for i, value in enumerate(values)]
    return {"value": [v if isinstance(v, (str, int)) else to_text(x) for v, x in zip(values, read, strict=True)]}


def _canonical(args: Args) -> dict[str, Any]:
    return {"value": operations.canonical(args["channel"], "args.channel").to_json()}


def _tradeoff(args: Args) -> dict[str, Any]:
    channel, direction, digits = _pair(args), _direction(args, "forward", both=False), _digits(args)
    value: dict[str, Any] = {}
    if not isinstance(channel, Experiment):
        corners = operations.tradeoff_corners(channel, direction, digits)
        value["breakpoints"] = [[number(a), number(b)] for a, b in corners]
    elif "alpha" not in args:
        if isinstance(channel, Composition) and channel.finite:
            raise LimitError(
                "a composition of fewer columns, or an alpha", "one too large to be a table", "args.channel"
            )
        raise Declined("args.channel: the trade-off function has no finite list of corners; ask at an alpha")
    if "alpha" not in args:
        return {"value": value}
    beta = operations.tradeoff(channel, args["alpha"], direction=direction, digits=digits)
    reached = beta.reached if isinstance(beta, Enclosure) else None
    reply: dict[str, Any] = {"value": {**value, "beta": number(beta)}, **_method(channel, _CURVE)}
    return reply if reached is None else {**reply, "reached": reached}


def _channel_of(args: Args) -> dict[str, Any]:
    return {"value": operations.channel_of(parse_tradeoff(args["tradeoff"], "args.tradeoff")).to_json()}


def _refines(args: Args) -> dict[str, Any]:
    left = operations.rational_channel(args["left"], "args.left")
    evidence = operations.refines(left, operations.rational_channel(args["right"], "args.right"))
    if isinstance(evidence, Witness):
        return {"value": {"holds": True, "witness": evidence.to_json()}}
    sums = {"left": to_text(evidence.left), "right": to_text(evidence.right)}
    if isinstance(evidence, GainSeparation):
        return {"value": {"holds": False, "gain": [[to_text(g) for g in row] for row in evidence.gain], **sums}}
    return {"value": {"holds": False, "h": to_text(evidence.level), **sums}}


def _glb(args: Args) -> dict[str, Any]:
    return {"value": operations.glb(_family(args, merged=True)).to_json()}


def _lub(args: Args) -> dict[str, Any]:
    return {"value": operations.lub(_family(args, merged=True)).to_json()}


def _parallel(args: Args) -> dict[str, Any]:
    return {"value": operations.parallel(_family(args, merged=False)).to_json()}


def _visible(args: Args) -> dict[str, Any]:
    return {"value": operations.visible(*_choice(args)).to_json()}


def _hidden(args: Args) -> dict[str, Any]:
    return {"value": operations.hidden(*_choice(args)).to_json()}


def _choice(args: Args) -> tuple[object, Channel, Channel]:
    left, right = (operations.rational_channel(args[name], f"args.{name}") for name in ("left", "right"))
    return parse_number(args["r"], "args.r"), left, right


def _pre(args: Args) -> dict[str, Any]:
    channel = operations.rational_channel(args["channel"], "args.channel")
    return {"value": operations.pre(args["pre"], channel).to_json()}


def _post(args: Args) -> dict[str, Any]:
    channel = operations.rational_channel(args["channel"], "args.channel")
    return {"value": operations.post(channel, args["post"]).to_json()}


def _decompose(args: Args) -> dict[str, Any]:
    parts = operations.decompose(parse_tradeoff(args["tradeoff"], "args.tradeoff"))
    return {"value": [{"weight": to_text(p.weight), "exp_epsilon": to_text(p.exp_epsilon)} for p in parts]}


def _hockey_stick(args: Args) -> dict[str, Any]:
    pair, direction, digits = _pair(args), _direction(args, "forward"), _digits(args)
    value = operations.hockey_stick(pair, **_level(args), direction=direction, digits=digits)
    return {**_numbered(value, pair), **_account(args, pair, direction, digits)}


def _delta(args: Args) -> dict[str, Any]:
    pair, direction, digits = _pair(args), _direction(args, "both"), _digits(args)
    value = operations.delta(pair, **_level(args), direction=direction, digits=digits)
    return {**_numbered(value, pair), **_account(args, pair, direction, digits)}


def _account(args: Args, pair: Pair, direction: str, digits: int) -> dict[str, Any]:
    """How the value of a composition was had: the method, and the facts on which it rests in each direction."""
    if not isinstance(pair, Composition):
        return {}
    level, side = parse_level(args, "args", minimum_one=False), operations.parse_direction(direction)
    found = pair.larger_found(level, side, digits)
    return {"method": found.method, "evidence": evidence(pair, level, side, digits)}


def _epsilon(args: Args) -> dict[str, Any]:
    pair, direction, digits = _pair(args), _direction(args, "both"), _digits(args)
    least = operations.epsilon(pair, args["delta"], direction=direction, digits=digits)
    bounds = {"lo": to_text(least.lo), "hi": to_text(least.hi)}
    if least.enclosure is not None:
        bounds = least.enclosure.to_json()
    exact = {} if least.exp_epsilon is None else {"exp_epsilon": to_text(least.exp_epsilon)}
    reply: dict[str, Any] = {"value": {**exact, **bounds}, **_kind(pair)}
    if isinstance(pair, Composition):
        reply |= epsilon_facts(pair, least, operations.parse_direction(direction), digits)
    if least.enclosure is not None and least.enclosure.reached is not None:
        reply["reached"] = least.enclosure.reached
    return reply


def _mu(args: Args) -> dict[str, Any]:
    pair, direction, digits = _pair(args), _direction(args, "both"), _digits(args)
    found = operations.mu(pair, direction=direction, digits=digits)
    short = isinstance(found, Enclosure) and found.reached is not None
    return {**_numbered(found), **_method(pair, _MU_BOUNDS if short else _SUM)}


def _vulnerability(args: Args) -> dict[str, Any]:
    channel = operations.finite(args["channel"], "args.channel")
    return _numbered(operations.vulnerability(channel, args["gain"], args.get("prior"), digits=_digits(args)))


def _renyi(args: Args) -> dict[str, Any]:
    direction, digits = _direction(args, "forward"), _digits(args)
    order = parse_extended(args["order"], "args.order")
    tree = is_interactive(args["channel"])
    mechanism = _law_or_tree(args) if tree else mechanism_from(args["channel"], "args.channel")
    found = operations.renyi(mechanism, order, direction=direction, digits=digits)
    stated = {"moment": found.moment, "divergence": found.divergence}
    values = {name: value for name, value in stated.items() if value is not None}
    reply: dict[str, Any] = {"value": {name: number(value) for name, value in values.items()}}
    reached = [v.reached for v in values.values() if isinstance(v, Enclosure) and v.reached is not None]
    if not tree and isinstance(mechanism, (Compose, Repeat)):
        reply |= _method(_pair(args), _SUM)
    return reply | ({"reached": min(reached)} if reached else {})


def _method(pair: Pair, method: str) -> dict[str, Any]:
    """How a value of a composition was had."""
    return {"method": method} if isinstance(pair, Composition) else {}


def _satisfies(args: Args) -> dict[str, Any]:
    claim = parse_claim(args["claim"], "args.claim")
    subject = _law_or_tree(args)
    verdict = operations.satisfies(subject, claim, direction=_direction(args, "both"))
    evidence = verdict.certificate or verdict.record
    reply: dict[str, Any] = {"value": {"holds": verdict.holds, "certificate": evidence}, **_kind(subject)}
    return reply if verdict.reached is None else {**reply, "reached": verdict.reached}


def _interactive_tradeoff(args: Args) -> dict[str, Any]:
    tree = interactive_from(args["interactive"], "args.interactive")
    return _tradeoff({**args, "channel": operations.pair_of(tree)})


def _simulate(args: Args) -> dict[str, Any]:
    found = operations.simulate(interactive_from(args["interactive"], "args.interactive"))
    return {"value": {"channel": found.channel.to_json(), "certificate": found.certificate()}}


def _concurrent(args: Args) -> dict[str, Any]:
    levelled = any(name in args for name in LEVEL_FIELDS)
    level = _level(args) if levelled else {}
    direction = _direction(args, "both" if levelled else "forward", both=levelled)
    found = operations.concurrent(args["interactives"], **level, direction=direction, digits=_digits(args))
    sequential = [{"order": list(order), "value": _curve_or_number(value)} for order, value in found.sequential.items()]
    guarantees = [{"exp_epsilon": number(a), "delta": number(d)} for a, d in found.guarantees]
    compared = {"sequential": sequential, "product": _curve_or_number(found.product), "guarantees": guarantees}
    if found.optimal is not None:
        compared["optimal"] = number(found.optimal)
    reply = {"value": _curve_or_number(found.value)}
    if isinstance(found.value, Enclosure) and found.value.reached is not None:
        reply["reached"] = found.value.reached
    return {**reply, "compared": compared}


def _curve_or_number(value: TradeoffFunction | operations.Value) -> Any:  # noqa: ANN401 - a JSON value
    return value.to_json() if isinstance(value, TradeoffFunction) else number(value)


_LEVEL: Final = (*LEVEL_FIELDS, "direction")

OPS: Final[Mapping[str, Op]] = {
    "hello": Op(_hello),
    "echo": Op(_echo, ("values",)),
    "canonical": Op(_canonical, ("channel",)),
    "tradeoff": Op(_tradeoff, ("channel",), ("alpha", "direction")),
    "channel_of": Op(_channel_of, ("tradeoff",)),
    "refines": Op(_refines, ("left", "right")),
    "glb": Op(_glb, ("channels",)),
    "lub": Op(_lub, ("channels",)),
    "parallel": Op(_parallel, ("channels",)),
    "visible": Op(_visible, ("r", "left", "right")),
    "hidden": Op(_hidden, ("r", "left", "right")),
    "pre": Op(_pre, ("pre", "channel")),
    "post": Op(_post, ("channel", "post")),
    "decompose": Op(_decompose, ("tradeoff",)),
    "hockey_stick": Op(_hockey_stick, ("channel",), _LEVEL),
    "vulnerability": Op(_vulnerability, ("channel", "gain"), ("prior",)),
    "delta": Op(_delta, ("channel",), _LEVEL),
    "epsilon": Op(_epsilon, ("channel", "delta"), ("direction",)),
    "renyi": Op(_renyi, ("channel", "order"), ("direction",)),
    "mu": Op(_mu, ("channel",), ("direction",)),
    "satisfies": Op(_satisfies, ("channel", "claim"), ("direction",)),
    "interactive_tradeoff": Op(_interactive_tradeoff, ("interactive",), ("alpha", "direction")),
    "simulate": Op(_simulate, ("interactive",)),
    "concurrent": Op(_concurrent, ("interactives",), _LEVEL),
}
"""Every operation that is offered."""
