"""Writes ``evaluation`` certificates: facts one by one, each value computed here and recomputed by the checker.

>>> from oracle.channels.channel import Channel
>>> evidence = Evidence()
>>> beta = evidence.curve_value(Channel([["1/2", "1/2"], ["1/4", "3/4"]]), mpq(1, 2))
>>> evidence.compare(beta, "<", evidence.combination((1, 1), (-1, "1/2")))
>>> evidence.certificate()["certificate"]
'evaluation'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gmpy2 import mpq

from oracle.certificates.documents import Certificate, evaluation
from oracle.channels.channel import Channel, Rows
from oracle.channels.divergences import Direction, hockey_stick
from oracle.channels.gains import posterior_vulnerability
from oracle.channels.galois import tradeoff_of
from oracle.channels.tradeoff import TradeoffFunction
from oracle.exact import to_text

__all__ = ["Evidence", "Ref", "Relation"]

Relation = Literal["<", "<=", "=", ">", ">=", "!="]
Matrix = Channel | Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Ref:
    """The value of an earlier fact, or one end of an earlier bracket."""

    index: int
    value: mpq
    end: Literal["lo", "hi"] | None = None

    def to_json(self) -> dict[str, int | str]:
        """The reference as a certificate writes it."""
        return {"fact": self.index} if self.end is None else {"fact": self.index, "end": self.end}


Quantity = Ref | mpq | int | str
"""A value of an earlier fact, or a number."""


class Evidence:
    """The facts of one ``evaluation`` certificate, in order."""

    def __init__(self) -> None:
        self._facts: list[dict[str, Any]] = []

    def _add(self, name: str, **fields: object) -> None:
        self._facts.append({"fact": name, **fields})

    def _value(self, name: str, value: mpq, **fields: object) -> Ref:
        self._add(name, **fields, value=to_text(value))
        return Ref(len(self._facts) - 1, value)

    def event_sum(self, matrix: Matrix, row: int, event: Sequence[int]) -> Ref:
        """Sum of one row of a nonnegative matrix over an event."""
        rows = _rows(matrix)
        total = sum((rows[row][i] for i in event), mpq(0))
        return self._value("event_sum", total, matrix=_text(rows), row=row, event=list(event))

    def curve_value(self, of: Channel | TradeoffFunction, alpha: mpq) -> Ref:
        """T(P, Q)(alpha) of a channel, or f(alpha)."""
        if isinstance(of, Channel):
            value, fields = tradeoff_of(of).at(alpha), {"channel": _channel(of)}
        else:
            value, fields = of.at(alpha), {"tradeoff": of.to_json()["breakpoints"]}
        return self._value("curve_value", value, **fields, alpha=to_text(alpha))

    def hockey_stick(self, channel: Channel, level: mpq, direction: Direction = "backward") -> Ref:
        """Σ max(0, q - h p) backward, Σ max(0, p - h q) forward."""
        value = hockey_stick(channel, level, direction)
        return self._value("hockey_stick", value, channel=_channel(channel), level=to_text(level), direction=direction)

    def vulnerability(self, channel: Channel, gain: Matrix) -> Ref:
        """V_g under the uniform prior."""
        value = posterior_vulnerability(channel, _rows(gain))
        return self._value("vulnerability", value, channel=_channel(channel), gain=_text(_rows(gain)))

    def combination(self, *terms: tuple[mpq | int | str, Quantity]) -> Ref:
        """Σ coefficient · quantity."""
        value = sum((mpq(c) * _number(x) for c, x in terms), mpq(0))
        return self._value("combination", value, terms=[[to_text(mpq(c)), _reference(x)] for c, x in terms])

    def bracket(self, function: Literal["exp", "log", "normal"], argument: mpq, lo: mpq, hi: mpq) -> tuple[Ref, Ref]:
        """Bounds lo <= function(argument) <= hi, which the checker proves; the two ends. "normal" is Phi."""
        self._add("bracket", function=function, argument=to_text(argument), lo=to_text(lo), hi=to_text(hi))
        place = len(self._facts) - 1
        return Ref(place, lo, "lo"), Ref(place, hi, "hi")

    def product(self, left: Matrix, right: Matrix) -> Rows:
        """left·right, which is returned; the fact states it and has no value."""
        first, second = _rows(left), _rows(right)
        columns = list(zip(*second, strict=True))
        rows = tuple(
            tuple(sum((a * b for a, b in zip(row, column, strict=True)), mpq(0)) for column in columns) for row in first
        )
        self._add("product", left=_text(first), right=_text(second), product=_text(rows))
        return rows

    def equivalent(self, left: Channel, right: Channel) -> None:
        """Equal canonical forms."""
        self._add("equivalent", left=_channel(left), right=_channel(right))

    def compare(self, left: Quantity, relation: Relation, right: Quantity) -> None:
        """A comparison, which the checker finds true or rejects."""
        self._add("compare", left=_reference(left), relation=relation, right=_reference(right))

    def certificate(self) -> Certificate:
        """The sealed document."""
        return evaluation(self._facts)


def _rows(matrix: Matrix) -> Rows:
    return matrix.rows if isinstance(matrix, Channel) else tuple(tuple(mpq(v) for v in row) for row in matrix)


def _text(rows: Rows) -> list[list[str]]:
    return [[to_text(v) for v in row] for row in rows]


def _channel(channel: Channel) -> dict[str, Any]:
    return {"matrix": _text(channel.rows)}


def _number(quantity: Quantity) -> mpq:
    return quantity.value if isinstance(quantity, Ref) else mpq(quantity)


def _reference(quantity: Quantity) -> object:
    return quantity.to_json() if isinstance(quantity, Ref) else to_text(mpq(quantity))
