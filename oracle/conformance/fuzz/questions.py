"""Scenarios: a few questions of one op about one mechanism, or about a mechanism and a part of it.

A *family* is an op and a shape of expressions. The questions of a scenario share what the laws across answers need: a
profile is asked at several levels, a composition and its part at the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from gmpy2 import mpq

from oracle.answers import answer
from oracle.channels.channel import Channel
from oracle.channels.galois import tradeoff_of
from oracle.conformance.fuzz.drawn_numbers import alphas, deltas, levels, orders
from oracle.conformance.fuzz.expressions import PRIMITIVES, SHAPES, calibrated, expressions, kinds_in, matrix, tables
from oracle.conformance.protocol import Hello
from oracle.errors import MissingExtraError
from oracle.exact import parse_number, to_text
from oracle.laws.strategies import channel_pairs, gains, priors, tradeoff_functions, two_row_channels, witnesses

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import DrawFn, SearchStrategy
except ImportError:
    raise MissingExtraError("oracle fuzz", "conformance") from None

__all__ = ["MALFORMED", "Family", "Probe", "Scenario", "families", "primitives_of", "scenarios"]

Args = dict[str, Any]

MALFORMED: Final = "malformed"
"""The shape of questions that have no answer."""

_TABLE_SHAPES: Final = ("hidden", "post", "pre")
_NOISES: Final = ("gaussian", "laplace", "discrete_laplace", "discrete_gaussian")
_WITH_PARTS: Final = ("repeat", "group", "poisson_subsample", "post")
"""Nodes whose part is asked about as well, for the laws that relate the two."""


_POINTS_AT_ONCE: Final = 8
"""Most questions about one mechanism; libraries are quick where they know the mechanism already."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One question."""

    op: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scenario:
    """Questions asked together.

    Attributes:
        probes: the questions.
        rejects: why they have no answer, or None.
    """

    probes: tuple[Probe, ...]
    rejects: str | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of the nodes in the first question, sorted."""
        return tuple(sorted(kinds_in(self.probes[0].args)))


@dataclass(frozen=True, slots=True, order=True)
class Family:
    """What a round draws from."""

    op: str
    shape: str


def families(hello: Hello, ops: Sequence[str] = ()) -> list[Family]:
    """The families of the ops that a subject offers, or of those among *ops*."""
    found = []
    for op in hello.ops:
        if ops and op not in ops:
            continue
        if op in _POINTS:
            found += [Family(op, shape) for shape in SHAPES]
        elif op == "calibrate":
            found += [Family(op, shape) for shape in ("alone", "repeat", "poisson")]
        elif op in _OPERATORS:
            found.append(Family(op, "alone"))
        if op in _MALFORMED_OPS:
            found.append(Family(op, MALFORMED))
    return found


def primitives_of(family: Family) -> tuple[str, ...]:
    """The primitives of which the expressions of a family are made; ``table`` where there is no choice."""
    if family.shape in (*_TABLE_SHAPES, MALFORMED) or family.op in _OPERATORS:
        return ("table",)
    return _NOISES if family.op == "calibrate" else tuple(PRIMITIVES)


def scenarios(family: Family, primitives: tuple[str, ...], hello: Hello) -> SearchStrategy[Scenario]:
    """The scenarios of a family.

    Args:
        family: the op and the shape.
        primitives: what the expressions are made of.
        hello: what the subject offers: beside a trade-off its delta is asked, and deltas at a list of epsilons.
    """
    if family.shape == MALFORMED:
        return _malformed(family.op)
    if family.op == "calibrate":
        return _calibrations(family.shape, primitives)
    if family.op in _OPERATORS:
        return _OPERATORS[family.op]().map(lambda args: Scenario((Probe(family.op, args),)))
    beside = "delta" if family.op == "tradeoff" and "delta" in hello.ops else None
    return _points(family, primitives, hello.vectors and family.op == "delta", beside)


# -- questions about one mechanism -----------------------------------------------------------------------------------


def _ratio_levels(expression: Mapping[str, Any]) -> list[str]:
    """The likelihood ratios p/q > 0 of a table of two rows, where a profile has its corners."""
    rows = expression.get("matrix", ())
    if "mechanism" in expression or len(rows) != 2:
        return []
    pairs = [(parse_number(p), parse_number(q)) for p, q in zip(*rows, strict=True)]
    return sorted({to_text(p / q) for p, q in pairs if p and q}, key=len)


def _level_fields(expression: Mapping[str, Any], *, least_zero: bool = False) -> SearchStrategy[Args]:
    ratios = [text for text in _ratio_levels(expression) if not least_zero or parse_number(text) >= 1]
    if not ratios:
        return levels(least_zero=least_zero)
    at_ratio: SearchStrategy[Args] = st.sampled_from(ratios).map(lambda text: {"exp_epsilon": text})
    return st.one_of(levels(least_zero=least_zero), at_ratio)


def _claims(expression: Mapping[str, Any]) -> SearchStrategy[Args]:
    """Claims of (epsilon, delta), many with delta just at the truth, and of the other kinds."""
    free = st.builds(lambda level, delta: {**level, "delta": delta}, levels(least_zero=True), deltas())
    others = st.one_of(
        st.integers(1, 8).map(lambda n: {"mu": to_text(mpq(n, 4))}),
        st.integers(1, 8).map(lambda n: {"rho": to_text(mpq(n, 8))}),
        st.builds(lambda order, level: {"order": str(order), **level}, st.integers(2, 8), levels(least_zero=True)),
    )
    if not _ratio_levels(expression):
        return st.one_of(free, free, others)
    off = st.sampled_from([mpq(0), mpq(1, 2**20), -mpq(1, 2**20), mpq(1, 2**40), -mpq(1, 2**40)])
    near = st.builds(lambda level, step: _near_claim(expression, level, step), st.integers(1, 5).map(str), off)
    return st.one_of(near, free, others)


def _near_claim(expression: Mapping[str, Any], level: str, step: mpq) -> Args:
    reply = answer({"id": "claim", "op": "delta", "args": {"channel": expression, "exp_epsilon": level}})
    delta = parse_number(reply["value"]) + step
    return {"exp_epsilon": level, "delta": to_text(min(max(delta, mpq(0)), mpq(1)))}


def _alpha_fields(expression: Mapping[str, Any]) -> SearchStrategy[Args]:
    some = alphas().map(lambda text: {"alpha": text})
    return st.one_of(some, some, some, st.just({})) if _ratio_levels(expression) else some


_POINTS: Final[Mapping[str, Callable[[Mapping[str, Any]], SearchStrategy[Args]]]] = {
    "delta": _level_fields,
    "hockey_stick": _level_fields,
    "epsilon": lambda _: deltas().map(lambda text: {"delta": text}),
    "tradeoff": _alpha_fields,
    "renyi": lambda _: orders().map(lambda text: {"order": text}),
    "mu": lambda _: st.just({}),
    "total_variation": lambda _: st.just({}),
    "satisfies": lambda expression: _claims(expression).map(lambda claim: {"claim": claim}),
}
"""By op the strategy of the arguments beside the channel."""

_ONE_SIDED: Final = ("tradeoff", "renyi")
_SYMMETRIC: Final = ("total_variation",)


@cache
def _directions(op: str) -> SearchStrategy[Args]:
    if op in _SYMMETRIC:
        return st.just({})
    named = ["forward", "backward"] if op in _ONE_SIDED else ["both", "forward", "backward"]
    return st.one_of(st.just({}), st.sampled_from(named).map(lambda side: {"direction": side}))


@st.composite
def _points(draw: DrawFn, family: Family, primitives: tuple[str, ...], vectors: bool, beside: str | None) -> Scenario:
    op = family.op
    expression = draw(expressions(family.shape, primitives))
    side = draw(_directions(op))
    fields = draw(st.lists(_POINTS[op](expression), min_size=1, max_size=_POINTS_AT_ONCE, unique_by=repr))
    probes = [Probe(op, {"channel": expression, **point, **side}) for point in fields]
    part = expression.get("of") if expression.get("mechanism") in _WITH_PARTS else None
    if part is not None and draw(st.booleans()):
        probes.append(Probe(op, {"channel": part, **fields[0], **side}))
    if beside is not None and draw(st.booleans()):
        whole = str(draw(st.integers(1, 9)))
        probes.append(Probe(beside, {"channel": expression, "exp_epsilon": whole, **side}))
    epsilons = [point["epsilon"] for point in fields if "epsilon" in point]
    if vectors and len(epsilons) > 1:
        ordered = sorted(epsilons, key=parse_number)
        probes.append(Probe(op, {"channel": expression, "epsilons": ordered, **side}))
    return Scenario(tuple(probes))


@st.composite
def _calibrations(draw: DrawFn, shape: str, primitives: tuple[str, ...]) -> Scenario:
    template, field = draw(calibrated(shape, primitives))
    level = draw(levels(least_zero=True))
    delta = draw(deltas().filter(lambda text: text not in ("0", "1")))
    return Scenario((Probe("calibrate", {"channel": template, "field": field, "delta": delta, **level}),))


# -- operations on tables --------------------------------------------------------------------------------------------


def _family_args() -> SearchStrategy[Args]:
    return st.lists(tables(3), min_size=1, max_size=3).map(lambda channels: {"channels": channels})


def _document(channel: Channel) -> Args:
    return {"matrix": matrix(channel.rows)}


@st.composite
def _choice_args(draw: DrawFn) -> Args:
    columns = draw(st.integers(1, 3))
    sides = [draw(two_row_channels(columns).filter(lambda c: c.shape[1] == columns)) for _ in range(2)]
    weight = draw(st.sampled_from(["1/2", "1/3", "0", "1"]))
    return {"r": weight, "left": _document(sides[0]), "right": _document(sides[1])}


@st.composite
def _post_args(draw: DrawFn) -> Args:
    channel = draw(two_row_channels(3))
    return {"channel": _document(channel), "post": matrix(draw(witnesses(channel.shape[1], 3)))}


@st.composite
def _pre_args(draw: DrawFn) -> Args:
    channel = draw(two_row_channels(3))
    rows = draw(witnesses(2, 2).filter(lambda rows: len(rows[0]) == 2))
    return {"channel": _document(channel), "pre": matrix(rows)}


@st.composite
def _vulnerability_args(draw: DrawFn) -> Args:
    prior = {"prior": [to_text(w) for w in draw(priors(2))]} if draw(st.booleans()) else {}
    return {"channel": draw(tables(3)), "gain": matrix(draw(gains())), **prior}


def _curve(channel: Channel) -> Args:
    return {"breakpoints": matrix(tradeoff_of(channel).corners)}


def _symmetric_curve(channel: Channel) -> Args:
    """The curve of a law and its mirror image, which is symmetric."""
    return _curve(Channel([channel.rows[0], channel.rows[0][::-1]]))


_OPERATORS: Final[Mapping[str, Callable[[], SearchStrategy[Args]]]] = {
    "refines": lambda: channel_pairs(4).map(lambda pair: {"left": _document(pair[0]), "right": _document(pair[1])}),
    "glb": _family_args,
    "lub": _family_args,
    "parallel": _family_args,
    "visible": _choice_args,
    "hidden": _choice_args,
    "pre": _pre_args,
    "post": _post_args,
    "canonical": lambda: tables().map(lambda channel: {"channel": channel}),
    "channel_of": lambda: tradeoff_functions().map(lambda f: {"tradeoff": {"breakpoints": matrix(f.corners)}}),
    "decompose": lambda: two_row_channels(4).map(lambda channel: {"tradeoff": _symmetric_curve(channel)}),
    "vulnerability": _vulnerability_args,
}
"""By op the strategy of its arguments."""


# -- questions without an answer -------------------------------------------------------------------------------------

_HALVES: Final = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
_GAUSSIAN: Final = {"mechanism": "gaussian", "sigma": "1"}
_BAD_CHANNELS: Final = (
    ({"matrix": [["3/4", "1/2"], ["1/4", "3/4"]]}, "a row that sums to more than 1"),
    ({"matrix": [["3/4", "1/8"], ["1/4", "3/4"]]}, "a row that sums to less than 1"),
    ({"matrix": [["5/4", "-1/4"], ["1/4", "3/4"]]}, "a negative probability"),
    ({"mechanism": "gaussian", "sigma": "0"}, "sigma is 0"),
    ({"mechanism": "laplace", "scale": "-1"}, "the scale is negative"),
)
_BAD_ARGUMENTS: Final[Mapping[str, tuple[tuple[Args, str], ...]]] = {
    "delta": (({"exp_epsilon": "-1"}, "e^epsilon is negative"),),
    "hockey_stick": (({"exp_epsilon": "-1"}, "e^epsilon is negative"),),
    "epsilon": (({"delta": "-1/8"}, "delta is negative"), ({"delta": "9/8"}, "delta is above 1")),
    "tradeoff": (({"alpha": "-1/8"}, "alpha is negative"), ({"alpha": "9/8"}, "alpha is above 1")),
    "renyi": (({"order": "-2"}, "the order is negative"),),
}
_GOOD_ARGUMENTS: Final[Mapping[str, Args]] = {
    "delta": {"epsilon": "1"},
    "hockey_stick": {"epsilon": "1"},
    "epsilon": {"delta": "1/8"},
    "tradeoff": {"alpha": "1/8"},
    "renyi": {"order": "2"},
}
_MALFORMED_OPS: Final = tuple(_BAD_ARGUMENTS)


def _malformed(op: str) -> SearchStrategy[Scenario]:
    bad = [({"channel": channel, **_GOOD_ARGUMENTS[op]}, why) for channel, why in _BAD_CHANNELS]
    for arguments, why in _BAD_ARGUMENTS[op]:
        bad += [({"channel": channel, **arguments}, why) for channel in (_HALVES, _GAUSSIAN)]
    return st.sampled_from(bad).map(lambda pair: Scenario((Probe(op, pair[0]),), pair[1]))
