"""qif (libqif) as a subject: refinement, vulnerability and parallel composition of channels in rational arithmetic.

Channels are passed as arrays of ``Fraction``, for which the library computes "using rational arithmetic", so every
answer is claimed to be exact. ``refined_by(A, B)`` says that B can be had from A by post-processing, which is left ⊑
right.

Declined: channels of different inputs, expressions that are no table, and greatest lower bounds, which the library does
not have.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from gmpy2 import mpq

from oracle.conformance.adapters.doubles import facts, load
from oracle.errors import Declined
from oracle.exact import parse_extended, parse_number, to_fraction, to_text
from oracle.mechanisms.parse import mechanism_from
from oracle.operations import rational_channel

__all__ = ["ADAPTER", "QIF"]

_MOST_DIGITS: Final = 2**12
"""Bits of a numerator or denominator that is asked for."""


class QIF:
    """The library; the methods are ops of the protocol."""

    def hello(self) -> dict[str, Any]:
        """Who answers, and what the library claims."""
        load("qif", "qif")
        claims = dict.fromkeys(("refines", "vulnerability", "parallel"), "exact")
        return facts("qif", claims, language="C++, through Python", homepage="https://libqif.chatzi.org")

    def echo(self, values: list[Any]) -> list[str]:
        """The same numbers."""
        return [to_text(parse_extended(value)) for value in values]

    def refines(self, left: Any, right: Any) -> bool:  # noqa: ANN401 - JSON values
        """``refined_by``."""
        one, two = _matrix(left), _matrix(right)
        if len(one) != len(two):
            raise Declined("channels of the same inputs are compared")
        return bool(load("qif", "qif").refinement.refined_by(_array(one), _array(two)))

    def vulnerability(self, channel: Any, gain: Any, prior: Any = None) -> Fraction:  # noqa: ANN401
        """``g_vuln.posterior``."""
        rows = _matrix(channel)
        weights = [Fraction(1, len(rows))] * len(rows) if prior is None else _numbers(prior)
        gains = [_numbers(row) for row in gain]
        posterior = load("qif", "qif").measure.g_vuln.posterior
        return _fraction(posterior(_array(gains), _array(weights), _array(rows)))

    def parallel(self, channels: Any) -> dict[str, Any]:  # noqa: ANN401
        """``compose.parallel``, of two channels."""
        if len(channels) != 2:
            raise Declined("two channels are composed in parallel")
        one, two = (_matrix(channel) for channel in channels)
        if len(one) != len(two):
            raise Declined("channels of the same inputs are composed")
        composed = load("qif", "qif").channel.compose.parallel(_array(one), _array(two))
        return {"matrix": [[_fraction(x) for x in row] for row in composed.tolist()]}


def _matrix(channel: object) -> list[list[Fraction]]:
    return [[_limited(x) for x in row] for row in rational_channel(mechanism_from(channel)).rows]


def _numbers(values: Any) -> list[Fraction]:  # noqa: ANN401 - a JSON value
    return [_limited(parse_number(value)) for value in values]


def _limited(x: mpq) -> Fraction:
    if max(x.numerator.bit_length(), x.denominator.bit_length()) > _MOST_DIGITS:
        raise Declined(f"numbers of at most {_MOST_DIGITS} bits are asked for")
    return to_fraction(x)


def _array(values: list[Any]) -> Any:  # noqa: ANN401 - an array
    return load("numpy", "qif").array(values, dtype=object)


def _fraction(x: Any) -> Fraction:  # noqa: ANN401 - a number of the library
    return Fraction(int(x.numerator), int(x.denominator))


ADAPTER: Final = QIF()
"""The library as it is installed."""
