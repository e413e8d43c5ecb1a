"""``DpEvent`` objects of Google's dp-accounting, and their JSON form, as mechanism expressions.

The library itself is not needed: an event is told by the name of its class and read by its fields. In JSON it is an
object with ``class_name`` and the same fields. Its numbers are doubles and are taken at exactly their binary values,
also where JSON writes them as decimals: that is what the library computes with.

The meaning is that of the library's documentation: noise multipliers are for sensitivity 1, Poisson sampling is about
adding or removing a record, sampling of a fixed number without replacement or with it about replacing one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any, Final

from gmpy2 import mpq

from oracle.errors import Declined, InputError, shorten
from oracle.exact import JsonFloat, from_binary64, parse_number, to_text

__all__ = ["expression_of_event", "is_dp_event"]

Json = dict[str, Any]

_DEEPEST: Final = 100


def is_dp_event(value: object) -> bool:
    """Whether something is an event: an object of a class named so, or JSON that names one."""
    name = value.get("class_name") if isinstance(value, Mapping) else type(value).__name__
    return isinstance(name, str) and name.endswith("DpEvent")


def expression_of_event(event: object, where: str = "event") -> Json:
    """The mechanism expression of an event.

    Raises:
        InputError: for something else, a missing field, or a number out of range.
        Declined: for an event that is no mechanism of this language.
    """
    return _expression(event, where, 0)


def _expression(event: object, where: str, depth: int) -> Json:
    if not is_dp_event(event):
        raise InputError("a DpEvent, or an object with class_name", shorten(event), where)
    if depth > _DEEPEST:
        raise InputError(f"events nested at most {_DEEPEST} deep", "more", where)
    name = str(event["class_name"] if isinstance(event, Mapping) else type(event).__name__)
    reader = _READERS.get(name)
    if reader is None:
        raise Declined(f"{where}: {name} is no mechanism whose pair of laws is known here")
    read = _Event(event, where, depth)
    found = reader(read)
    read.require_all_read()
    return found


class _Event:
    """The fields of an event, each with its place."""

    def __init__(self, event: Any, where: str, depth: int) -> None:  # noqa: ANN401 - an object of any class
        self._event, self._where, self._depth = event, where, depth
        self._read = {"class_name", "module_name"}

    def require_all_read(self) -> None:
        """Refuse a field of the JSON form that the class does not have."""
        unknown = sorted(set(self._event) - self._read) if isinstance(self._event, Mapping) else []
        if unknown:
            raise InputError(f"the fields of {self._event['class_name']}", shorten(unknown[0]), self._where)

    def _field(self, name: str) -> Any:  # noqa: ANN401
        self._read.add(name)
        known = name in self._event if isinstance(self._event, Mapping) else hasattr(self._event, name)
        if not known:
            raise InputError(f"the field {name}", "none", self._where)
        return self._event[name] if isinstance(self._event, Mapping) else getattr(self._event, name)

    def number(self, name: str) -> mpq:
        """A number at the value of its double."""
        value, where = self._field(name), f"{self._where}.{name}"
        if isinstance(value, JsonFloat):
            value = float(value.text)
        if not isinstance(value, float):
            return parse_number(value, where)
        if not isfinite(value):
            raise InputError("a finite number", repr(value), where)
        return from_binary64(value)

    def count(self, name: str) -> int:
        """A whole number."""
        value = self.number(name)
        if value.denominator != 1:
            raise InputError("a whole number", to_text(value), f"{self._where}.{name}")
        return int(value.numerator)

    def inner(self, name: str = "event") -> Json:
        """The event inside."""
        return _expression(self._field(name), f"{self._where}.{name}", self._depth + 1)

    def inner_list(self, name: str) -> list[Json]:
        """The events inside."""
        events = self._field(name)
        if not isinstance(events, Sequence) or isinstance(events, str):
            raise InputError("a list of events", shorten(events), f"{self._where}.{name}")
        return [_expression(item, f"{self._where}.{name}[{i}]", self._depth + 1) for i, item in enumerate(events)]

    def positive(self, name: str) -> mpq:
        """A number above 0."""
        value = self.number(name)
        if value <= 0:
            raise InputError("a number above 0", to_text(value), f"{self._where}.{name}")
        return value


def _nothing(_: _Event) -> Json:
    return {"mechanism": "channel", "matrix": [["1"], ["1"]]}


def _everything(_: _Event) -> Json:
    return {"mechanism": "channel", "matrix": [["1", "0"], ["0", "1"]]}


def _randomized_response(event: _Event) -> Json:
    """The truth is kept with probability 1 - p + p/k, any other answer has p/k."""
    p, k = event.positive("noise_parameter"), event.count("num_buckets")
    if p > 1:
        raise InputError("a noise_parameter of at most 1", to_text(p), "event")
    return {"mechanism": "k_randomized_response", "k": k, "exp_epsilon": to_text((1 - p + p / k) / (p / k))}


def _gaussian(event: _Event) -> Json:
    return {"mechanism": "gaussian", "sigma": to_text(event.positive("noise_multiplier"))}


def _laplace(event: _Event) -> Json:
    return {"mechanism": "laplace", "scale": to_text(event.positive("noise_multiplier"))}


def _discrete_laplace(event: _Event) -> Json:
    scale, sensitivity = 1 / event.positive("noise_parameter"), event.count("sensitivity")
    return {"mechanism": "discrete_laplace", "scale": to_text(scale), "sensitivity": str(sensitivity)}


def _self_composed(event: _Event) -> Json:
    return {"mechanism": "repeat", "times": event.count("count"), "of": event.inner()}


def _composed(event: _Event) -> Json:
    return {"mechanism": "compose", "of": event.inner_list("events")}


def _poisson(event: _Event) -> Json:
    rate = to_text(event.number("sampling_probability"))
    return {"mechanism": "poisson_subsample", "rate": rate, "neighbours": "add_remove", "of": event.inner()}


def _fixed_size(name: str) -> Callable[[_Event], Json]:
    def read(event: _Event) -> Json:
        sizes = {"source": event.count("source_dataset_size"), "sample": event.count("sample_size")}
        return {"mechanism": name, **sizes, "neighbours": "substitute", "of": event.inner()}

    return read


_READERS: Final[Mapping[str, Callable[[_Event], Json]]] = {
    "NoOpDpEvent": _nothing,
    "NonPrivateDpEvent": _everything,
    "RandomizedResponseDpEvent": _randomized_response,
    "GaussianDpEvent": _gaussian,
    "LaplaceDpEvent": _laplace,
    "DiscreteLaplaceDpEvent": _discrete_laplace,
    "SelfComposedDpEvent": _self_composed,
    "ComposedDpEvent": _composed,
    "PoissonSampledDpEvent": _poisson,
    "SampledWithoutReplacementDpEvent": _fixed_size("subsample_without_replacement"),
    "SampledWithReplacementDpEvent": _fixed_size("subsample_with_replacement"),
}
