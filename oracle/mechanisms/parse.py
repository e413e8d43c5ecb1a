"""Reading mechanism expressions: strict JSON values in, nodes out.

An expression is an object with the key ``mechanism``; a bare channel has not. Unknown mechanisms,
unknown fields and missing fields are errors that name what is known. Parts of the language that are not
offered yet are declined without looking at their fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from gmpy2 import mpq

from oracle.channels.channel import Channel, Rows, parse_channel, parse_matrix
from oracle.channels.divergences import check_delta
from oracle.channels.operators import require_stochastic
from oracle.channels.tradeoff import parse_tradeoff
from oracle.databases.subsampling import check_rate, check_sizes
from oracle.databases.universe import Relation
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import parse_number, to_text
from oracle.json_text import refuse_unknown
from oracle.levels import LEVEL_FIELDS, Level, parse_level
from oracle.mechanisms.database_node import database_node, parse_relation
from oracle.mechanisms.nodes import (
    MAX_DEPTH,
    Compose,
    Group,
    Hidden,
    Mechanism,
    PoissonSubsample,
    Post,
    Pre,
    Repeat,
    SubsampleWithoutReplacement,
    SubsampleWithReplacement,
    Visible,
)
from oracle.mechanisms.primitive_nodes import (
    ApproximateRandomizedResponse,
    ChannelNode,
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    Gaussian,
    GaussianDP,
    Geometric,
    Guarantees,
    KRandomizedResponse,
    Laplace,
    RandomizedResponse,
    TradeoffNode,
)

__all__ = ["OFFERED", "mechanism_from", "parse_mechanism"]

Fields = Mapping[str, Any]


def mechanism_from(value: object, where: str = "channel", depth: int = 0) -> Mechanism:
    """Read whatever may stand where a channel may stand.

    An object with the key ``mechanism`` is an expression, another object a bare channel. A
    :class:`Channel` or a node is taken as it is.

    Raises:
        InputError: for anything malformed.
        Declined: for an expression whose node is not offered.
    """
    if isinstance(value, Channel):
        return ChannelNode(value)
    if isinstance(value, Mechanism):
        return value
    if isinstance(value, Mapping) and "mechanism" not in value:
        return ChannelNode(parse_channel(value, where))
    return parse_mechanism(value, where, depth)


def parse_mechanism(value: object, where: str = "", depth: int = 0) -> Mechanism:
    """Read one expression ``{"mechanism": NAME, ...}``; see :func:`mechanism_from`."""
    if not isinstance(value, Mapping):
        raise InputError('an object with the key "mechanism"', shorten(value), where)
    if "mechanism" not in value:
        raise InputError('the key "mechanism"', "none", where)
    name = value["mechanism"]
    if isinstance(name, str):
        if name in _COMPOSITES:
            if depth >= MAX_DEPTH:
                raise LimitError(f"at most {MAX_DEPTH} mechanisms inside one another", "more", where)
            return _COMPOSITES[name](value, where, depth + 1)
        if name in _READERS:
            return _READERS[name](value, where)
    known = ", ".join(sorted(OFFERED))
    got = f'"{shorten(name)}"' if isinstance(name, str) else shorten(name)
    raise InputError(f"a known mechanism ({known})", got, _at(where, "mechanism"))


def _at(where: str, field: str) -> str:
    return f"{where}.{field}" if where else field


def _check_fields(value: Fields, where: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> None:
    refuse_unknown(value, ("mechanism", *required, *optional), where)
    for field in required:
        if field not in value:
            raise InputError(f'the key "{field}"', "none", where)


def _level(value: Fields, where: str) -> Level:
    return parse_level(value, where, minimum_one=True)


def _integer(value: object, where: str, expected: str = "an integer") -> int:
    number = parse_number(value, where)
    if number.denominator != 1:
        raise InputError(expected, shorten(to_text(number)), where)
    return int(number.numerator)


def _positive(value: object, where: str) -> mpq:
    number = parse_number(value, where)
    if number <= 0:
        raise InputError("a number above 0", shorten(to_text(number)), where)
    return number


def _sensitivity(value: Fields, where: str) -> mpq:
    return _positive(value.get("sensitivity", 1), _at(where, "sensitivity"))


def _whole_sensitivity(value: Fields, where: str) -> int:
    """The sensitivity of noise on integers."""
    place = _at(where, "sensitivity")
    number = _positive(value.get("sensitivity", 1), place)
    if number.denominator != 1:
        raise InputError("a whole number, since the noise is on integers", shorten(to_text(number)), place)
    return int(number.numerator)


def _ratio(value: Fields, where: str) -> mpq:
    ratio = parse_number(value["ratio"], _at(where, "ratio"))
    if not 0 <= ratio < 1:
        raise InputError("a ratio in [0, 1)", shorten(to_text(ratio)), _at(where, "ratio"))
    return ratio


def _list_of(value: object, length: int | None, what: str, where: str) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise InputError(what, shorten(value), where)
    if not value or (length is not None and len(value) != length):
        raise InputError(what, f"{len(value)} items", where)
    return list(value)


def _channel(value: Fields, where: str) -> ChannelNode:
    return ChannelNode(parse_channel({key: item for key, item in value.items() if key != "mechanism"}, where))


def _randomized_response(value: Fields, where: str) -> RandomizedResponse:
    _check_fields(value, where, (), LEVEL_FIELDS)
    return RandomizedResponse(_level(value, where))


def _approximate_randomized_response(value: Fields, where: str) -> ApproximateRandomizedResponse:
    _check_fields(value, where, ("delta",), LEVEL_FIELDS)
    delta = parse_number(value["delta"], _at(where, "delta"))
    if not 0 <= delta <= 1:
        raise InputError("delta between 0 and 1", shorten(to_text(delta)), _at(where, "delta"))
    return ApproximateRandomizedResponse(_level(value, where), delta)


def _k_randomized_response(value: Fields, where: str) -> KRandomizedResponse:
    _check_fields(value, where, ("k",), LEVEL_FIELDS)
    k = _integer(value["k"], _at(where, "k"), "a number of answers, at least 2")
    if k < 2:
        raise InputError("a number of answers, at least 2", shorten(to_text(mpq(k))), _at(where, "k"))
    return KRandomizedResponse(k, _level(value, where))


def _geometric(value: Fields, where: str) -> Geometric:
    clamp = ("low", "high", "values")
    _check_fields(value, where, ("ratio",), ("sensitivity", *clamp))
    ratio = _ratio(value, where)
    if "values" in value and "sensitivity" in value:
        raise InputError("only one of values and sensitivity", "both", where)
    given = [field for field in clamp if field in value]
    if not given:
        return Geometric(ratio, mpq(_whole_sensitivity(value, where)) if "sensitivity" in value else None)
    if len(given) != len(clamp):
        raise InputError("all of low, high and values, or none", "only " + " and ".join(given), where)
    low, high = (_integer(value[field], _at(where, field)) for field in ("low", "high"))
    if low > high:
        shown = f"low {shorten(to_text(mpq(low)))}, high {shorten(to_text(mpq(high)))}"
        raise InputError("low at most high", shown, where)
    place = _at(where, "values")
    first, second = (
        _integer(item, f"{place}[{i}]")
        for i, item in enumerate(_list_of(value["values"], 2, "a list of the two values", place))
    )
    for i, item in enumerate((first, second)):
        if not low <= item <= high:
            raise InputError("a value from low to high", shorten(to_text(mpq(item))), f"{place}[{i}]")
    return Geometric(ratio, None, low, high, (first, second))


def _exponential(value: Fields, where: str) -> Exponential:
    _check_fields(value, where, ("scores",), ("sensitivity", *LEVEL_FIELDS))
    place = _at(where, "scores")
    rows = []
    for i, row in enumerate(_list_of(value["scores"], 2, "two lists of scores", place)):
        items = _list_of(row, None, "a list of at least one score", f"{place}[{i}]")
        rows.append(tuple(parse_number(score, f"{place}[{i}][{j}]") for j, score in enumerate(items)))
    if len(rows[0]) != len(rows[1]):
        raise InputError(f"{len(rows[0])} scores as in the first list", f"{len(rows[1])}", f"{place}[1]")
    level = _level(value, where)
    if level.is_infinite:
        raise InputError("a finite epsilon", "inf", where)
    return Exponential((rows[0], rows[1]), level, _sensitivity(value, where))


def _tradeoff(value: Fields, where: str) -> TradeoffNode:
    _check_fields(value, where, ("breakpoints",))
    return TradeoffNode(parse_tradeoff({"breakpoints": value["breakpoints"]}, where))


def _laplace(value: Fields, where: str) -> Laplace:
    _check_fields(value, where, ("scale",), ("sensitivity",))
    return Laplace(_positive(value["scale"], _at(where, "scale")), _sensitivity(value, where))


def _gaussian(value: Fields, where: str) -> Gaussian:
    _check_fields(value, where, ("sigma",), ("sensitivity",))
    return Gaussian(_positive(value["sigma"], _at(where, "sigma")), _sensitivity(value, where))


def _discrete_laplace(value: Fields, where: str) -> DiscreteLaplace:
    _check_fields(value, where, (), ("scale", "ratio", "sensitivity"))
    given = [field for field in ("scale", "ratio") if field in value]
    if len(given) != 1:
        raise InputError("exactly one of scale and ratio", "both" if given else "neither", where)
    sensitivity = _whole_sensitivity(value, where)
    if "ratio" in value:
        return DiscreteLaplace(None, _ratio(value, where), sensitivity)
    return DiscreteLaplace(_positive(value["scale"], _at(where, "scale")), None, sensitivity)


def _discrete_gaussian(value: Fields, where: str) -> DiscreteGaussian:
    _check_fields(value, where, ("sigma",), ("sensitivity",))
    return DiscreteGaussian(_positive(value["sigma"], _at(where, "sigma")), _whole_sensitivity(value, where))


def _gaussian_dp(value: Fields, where: str) -> GaussianDP:
    _check_fields(value, where, ("mu",))
    mu = parse_number(value["mu"], _at(where, "mu"))
    if mu < 0:
        raise InputError("mu at least 0", shorten(to_text(mu)), _at(where, "mu"))
    return GaussianDP(mu)


def _guarantees(value: Fields, where: str) -> Guarantees:
    _check_fields(value, where, ("pairs",))
    place = _at(where, "pairs")
    pairs = []
    for i, item in enumerate(_list_of(value["pairs"], None, "a list of at least one guarantee", place)):
        at = f"{place}[{i}]"
        if not isinstance(item, Mapping):
            raise InputError('a guarantee such as {"epsilon": "1", "delta": "1e-6"}', shorten(item), at)
        refuse_unknown(item, ("delta", *LEVEL_FIELDS), at)
        delta = check_delta(parse_number(item.get("delta", 0), _at(at, "delta")), _at(at, "delta"))
        pairs.append((_level(item, at), delta))
    return Guarantees(tuple(pairs))


def _group(value: Fields, where: str, depth: int) -> Group:
    _check_fields(value, where, ("size", "of"))
    size = _integer(value["size"], _at(where, "size"), "a number of records, at least 1")
    if size < 1:
        raise InputError("a number of records, at least 1", shorten(size), _at(where, "size"))
    return Group(size, mechanism_from(value["of"], _at(where, "of"), depth))


_READERS: Final[dict[str, Callable[[Fields, str], Mechanism]]] = {
    "channel": _channel,
    "randomized_response": _randomized_response,
    "approximate_randomized_response": _approximate_randomized_response,
    "k_randomized_response": _k_randomized_response,
    "geometric": _geometric,
    "exponential": _exponential,
    "tradeoff": _tradeoff,
    "laplace": _laplace,
    "gaussian": _gaussian,
    "discrete_laplace": _discrete_laplace,
    "discrete_gaussian": _discrete_gaussian,
    "gaussian_dp": _gaussian_dp,
    "guarantees": _guarantees,
    "database": database_node,
}


def _compose(value: Fields, where: str, depth: int) -> Compose:
    _check_fields(value, where, ("of",))
    place = _at(where, "of")
    parts = _list_of(value["of"], None, "a list of at least one mechanism", place)
    return Compose(tuple(mechanism_from(part, f"{place}[{i}]", depth) for i, part in enumerate(parts)))


def _repeat(value: Fields, where: str, depth: int) -> Repeat:
    _check_fields(value, where, ("times", "of"))
    times = _integer(value["times"], _at(where, "times"), "a whole number of times, at least 0")
    if times < 0:
        got = shorten(to_text(mpq(times)))
        raise InputError("a whole number of times, at least 0", got, _at(where, "times"))
    return Repeat(times, mechanism_from(value["of"], _at(where, "of"), depth))


def _choice(value: Fields, where: str, depth: int) -> tuple[mpq, Mechanism, Mechanism]:
    _check_fields(value, where, ("r", "left", "right"))
    r = parse_number(value["r"], _at(where, "r"))
    if not 0 <= r <= 1:
        raise InputError("a weight between 0 and 1", shorten(to_text(r)), _at(where, "r"))
    left, right = (mechanism_from(value[side], _at(where, side), depth) for side in ("left", "right"))
    return r, left, right


def _visible(value: Fields, where: str, depth: int) -> Visible:
    return Visible(*_choice(value, where, depth))


def _hidden(value: Fields, where: str, depth: int) -> Hidden:
    return Hidden(*_choice(value, where, depth))


def _matrix(value: Fields, name: str, where: str) -> Rows:
    _check_fields(value, where, (name, "of"))
    matrix = parse_matrix(value[name], _at(where, name))
    require_stochastic(matrix, _at(where, name))
    return matrix


def _post(value: Fields, where: str, depth: int) -> Post:
    return Post(_matrix(value, "post", where), mechanism_from(value["of"], _at(where, "of"), depth))


def _pre(value: Fields, where: str, depth: int) -> Pre:
    matrix = _matrix(value, "pre", where)
    if len(matrix) != 2:
        raise InputError("two rows", f"{len(matrix)} rows", _at(where, "pre"))
    return Pre(matrix, mechanism_from(value["of"], _at(where, "of"), depth))


def _poisson_subsample(value: Fields, where: str, depth: int) -> PoissonSubsample:
    relation = _relation(value, where, ("rate",))
    rate = check_rate(parse_number(value["rate"], _at(where, "rate")), _at(where, "rate"))
    return PoissonSubsample(rate, relation, mechanism_from(value["of"], _at(where, "of"), depth))


def _relation(value: Fields, where: str, required: tuple[str, ...]) -> Relation:
    """Check the fields of a subsampling node and read the mandatory relation."""
    relation = parse_relation(value, where)
    _check_fields(value, where, (*required, "neighbours", "of"))
    return relation


def _sizes(value: Fields, where: str, *, replacement: bool) -> tuple[int, int, Relation]:
    """The numbers of records drawn from and drawn, and the relation."""
    relation = _relation(value, where, ("source", "sample"))
    source, sample = (_integer(value[field], _at(where, field), "a whole number") for field in ("source", "sample"))
    try:
        check_sizes(source, sample, replacement=replacement)
    except InputError as error:
        raise InputError(error.expected, error.got, _at(where, error.where)) from None
    return source, sample, relation


def _subsample_without_replacement(value: Fields, where: str, depth: int) -> SubsampleWithoutReplacement:
    sizes = _sizes(value, where, replacement=False)
    return SubsampleWithoutReplacement(*sizes, mechanism_from(value["of"], _at(where, "of"), depth))


def _subsample_with_replacement(value: Fields, where: str, depth: int) -> SubsampleWithReplacement:
    sizes = _sizes(value, where, replacement=True)
    return SubsampleWithReplacement(*sizes, mechanism_from(value["of"], _at(where, "of"), depth))


_COMPOSITES: Final[dict[str, Callable[[Fields, str, int], Mechanism]]] = {
    "compose": _compose,
    "repeat": _repeat,
    "visible": _visible,
    "hidden": _hidden,
    "post": _post,
    "pre": _pre,
    "group": _group,
    "poisson_subsample": _poisson_subsample,
    "subsample_without_replacement": _subsample_without_replacement,
    "subsample_with_replacement": _subsample_with_replacement,
}

OFFERED: Final = (*_READERS, *_COMPOSITES)
"""Names of the language that are built."""
