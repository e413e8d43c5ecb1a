"""Strategies for mechanism expressions: primitives, and shapes made of them.

A *primitive* is a name of :data:`PRIMITIVES`, a *shape* one of :data:`SHAPES`. A campaign chooses among both by what
the subject answers, so each of them is a strategy of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from gmpy2 import mpq

from oracle.conformance.fuzz.drawn_numbers import mechanism_levels, noises, rates, sizes, times
from oracle.errors import MissingExtraError
from oracle.exact import to_text
from oracle.laws.strategies import many_row_channels, tradeoff_functions, two_row_channels, witnesses

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import DrawFn, SearchStrategy
except ImportError:
    raise MissingExtraError("oracle fuzz", "conformance") from None

__all__ = ["PRIMITIVES", "SHAPES", "calibrated", "expressions", "kinds_in", "matrix", "primitive", "tables"]

Expression = dict[str, Any]
Strategy = SearchStrategy[Expression]

_COLUMNS: Final = 4

_DISCRETE_REACH: Final = 8
"""Noise on the integers is summed outcome by outcome, by the engine and by libraries."""


def matrix(rows: Sequence[Sequence[mpq]]) -> list[list[str]]:
    """Rows of numbers as texts."""
    return [[to_text(value) for value in row] for row in rows]


def tables(columns: int = _COLUMNS) -> Strategy:
    """Two laws: zeros, ties, disjoint supports, identical rows, tiny masses."""
    return two_row_channels(columns).map(lambda channel: {"matrix": matrix(channel.rows)})


def _node(kind: str, **fields: SearchStrategy[Any]) -> Strategy:
    return st.fixed_dictionaries({"mechanism": st.just(kind), **fields})


def _levelled(kind: str, **fields: SearchStrategy[Any]) -> Strategy:
    return st.builds(lambda node, level: {**node, **level}, _node(kind, **fields), mechanism_levels())


def _sensitive(kind: str, **fields: SearchStrategy[Any]) -> Strategy:
    """Additive noise, often of sensitivity 1."""
    plain = _node(kind, **fields)
    return st.one_of(plain, plain, _node(kind, **fields, sensitivity=sizes(5).map(str)))


def _ratio() -> SearchStrategy[str]:
    return st.builds(lambda a, b: to_text(mpq(a, a + b)), st.integers(1, 9), st.integers(1, 9))


@st.composite
def _clamped(draw: DrawFn) -> Expression:
    high = draw(st.integers(1, 4))
    values = [draw(st.integers(0, high)), draw(st.integers(0, high))]
    return {"mechanism": "geometric", "ratio": draw(_ratio()), "low": 0, "high": high, "values": values}


@st.composite
def _exponential(draw: DrawFn) -> Expression:
    count = draw(st.integers(2, 4))
    score = st.one_of(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2000)).map(str)
    rows = [draw(st.lists(score, min_size=count, max_size=count)) for _ in range(2)]
    return {"mechanism": "exponential", "scores": rows, **draw(mechanism_levels())}


def _probabilities() -> SearchStrategy[str]:
    tiny = st.integers(-15, -1).map(lambda n: to_text(mpq(10) ** n))
    return st.one_of(st.just("0"), st.just("1/2"), tiny)


def _guarantees() -> Strategy:
    pair = st.builds(lambda level, delta: {**level, "delta": delta}, mechanism_levels(), _probabilities())
    return _node("guarantees", pairs=st.lists(pair, min_size=1, max_size=2))


def _curves() -> Strategy:
    return tradeoff_functions(_COLUMNS).map(lambda f: {"mechanism": "tradeoff", "breakpoints": matrix(f.corners)})


PRIMITIVES: Final[Mapping[str, Callable[[], Strategy]]] = {
    "table": tables,
    "randomized_response": lambda: _levelled("randomized_response"),
    "k_randomized_response": lambda: _levelled("k_randomized_response", k=st.integers(2, 20)),
    "approximate_randomized_response": lambda: _levelled("approximate_randomized_response", delta=_probabilities()),
    "laplace": lambda: _sensitive("laplace", scale=noises()),
    "gaussian": lambda: _sensitive("gaussian", sigma=noises()),
    "gaussian_dp": lambda: _node("gaussian_dp", mu=noises()),
    "discrete_laplace": lambda: _sensitive("discrete_laplace", scale=noises(_DISCRETE_REACH)),
    "discrete_gaussian": lambda: _sensitive("discrete_gaussian", sigma=noises(_DISCRETE_REACH)),
    "geometric": lambda: _sensitive("geometric", ratio=_ratio()),
    "clamped_geometric": _clamped,
    "exponential": _exponential,
    "guarantees": _guarantees,
    "tradeoff": _curves,
}
"""Expressions that are made of no others."""

_NOISE_FIELDS: Final = {
    "gaussian": "sigma",
    "laplace": "scale",
    "discrete_laplace": "scale",
    "discrete_gaussian": "sigma",
}


@cache
def primitive(name: str) -> Strategy:
    """The strategy of a primitive."""
    return PRIMITIVES[name]()


def _alone(inner: Strategy) -> Strategy:
    return inner


def _repeated(inner: Strategy) -> Strategy:
    return _node("repeat", times=times(), of=inner)


def _composed(inner: Strategy) -> Strategy:
    return _node("compose", of=st.lists(inner, min_size=2, max_size=3))


def _grouped(inner: Strategy) -> Strategy:
    return _node("group", size=sizes(5), of=inner)


def _poisson(inner: Strategy, relation: str = "add_remove") -> Strategy:
    return _node("poisson_subsample", rate=rates(), neighbours=st.just(relation), of=inner)


@st.composite
def _fixed_size(draw: DrawFn, inner: Strategy, kind: str) -> Expression:
    sample = draw(st.integers(1, 20))
    source = sample + draw(st.sampled_from([1, 0, 10, 1000]))
    of = draw(inner)
    return {"mechanism": kind, "source": source, "sample": sample, "neighbours": "substitute", "of": of}


def _chosen(inner: Strategy) -> Strategy:
    weight = st.sampled_from(["1/2", "1/3", "0", "1", "1/1000"])
    return _node("visible", r=weight, left=inner, right=inner)


@st.composite
def _mixed(draw: DrawFn, _inner: Strategy) -> Expression:
    """A hidden choice of two tables of as many columns."""
    columns = draw(st.integers(1, 3))
    sides = [draw(two_row_channels(columns).filter(lambda c: c.shape[1] == columns)) for _ in range(2)]
    left, right = ({"matrix": matrix(channel.rows)} for channel in sides)
    return {"mechanism": "hidden", "r": draw(st.sampled_from(["1/2", "1/3"])), "left": left, "right": right}


@st.composite
def _post_processed(draw: DrawFn, _inner: Strategy) -> Expression:
    channel = draw(two_row_channels(3))
    rows = draw(witnesses(channel.shape[1], 3))
    return {"mechanism": "post", "post": matrix(rows), "of": {"matrix": matrix(channel.rows)}}


@st.composite
def _pre_processed(draw: DrawFn, _inner: Strategy) -> Expression:
    channel = draw(many_row_channels(2, 3, 3))
    rows = draw(witnesses(2, channel.shape[0]).filter(lambda rows: len(rows[0]) == channel.shape[0]))
    return {"mechanism": "pre", "pre": matrix(rows), "of": {"matrix": matrix(channel.rows)}}


SHAPES: Final[Mapping[str, Callable[[Strategy], Strategy]]] = {
    "alone": _alone,
    "repeat": _repeated,
    "compose": _composed,
    "group": _grouped,
    "poisson": _poisson,
    "poisson_substitute": lambda inner: _poisson(inner, "substitute"),
    "without_replacement": lambda inner: _fixed_size(inner, "subsample_without_replacement"),
    "with_replacement": lambda inner: _fixed_size(inner, "subsample_with_replacement"),
    "repeated_poisson": lambda inner: _repeated(_poisson(inner)),
    "visible": _chosen,
    "hidden": _mixed,
    "post": _post_processed,
    "pre": _pre_processed,
}
"""How an expression is made of primitives; the last three are of tables and look at no primitive."""


@cache
def expressions(shape: str, primitives: tuple[str, ...]) -> Strategy:
    """Expressions of one shape, made of some primitives."""
    return SHAPES[shape](st.one_of([primitive(name) for name in primitives]))


@cache
def calibrated(shape: str, primitives: tuple[str, ...]) -> SearchStrategy[tuple[Expression, str]]:
    """Additive noise with ``"?"`` for its scale, alone, repeated or sampled, and the name of the field."""

    def template(name: str) -> Strategy:
        field = _NOISE_FIELDS[name]
        return st.one_of(_node(name, **{field: st.just("?")}), _sensitive(name, **{field: st.just("?")}))

    return st.sampled_from([name for name in primitives if name in _NOISE_FIELDS]).flatmap(
        lambda name: st.tuples(SHAPES[shape](template(name)), st.just(_NOISE_FIELDS[name]))
    )


def kinds_in(expression: object) -> set[str]:
    """The names of the nodes of an expression; a table is ``table``."""
    if isinstance(expression, Mapping):
        inside = {kind for value in expression.values() for kind in kinds_in(value)}
        if "mechanism" in expression:
            return inside | {str(expression["mechanism"])}
        return inside | {"table"} if "matrix" in expression else inside
    if isinstance(expression, (list, tuple)):
        return {kind for value in expression for kind in kinds_in(value)}
    return set()
