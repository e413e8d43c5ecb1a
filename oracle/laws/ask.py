"""Asking a subject: any implementation behind the request protocol, read back as exact numbers.

A *subject* is a function from a request to its answer, both plain JSON values (:func:`oracle.answers.answer` is one,
a float library behind an adapter another). What comes back is read exactly as it was said and never repaired:
tables that do not sum to 1 and curves that are not convex stay what they are, since that is what laws are about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from oracle.channels.channel import Channel, Rows
from oracle.channels.tradeoff import Corner, TradeoffFunction
from oracle.enclosures import Enclosure
from oracle.errors import Declined, InputError, OracleError
from oracle.exact import INFINITY, Extended, Infinity, parse_extended, parse_number, to_text
from oracle.interactive.reading import to_json
from oracle.interactive.tree import InteractiveMechanism

__all__ = ["Ask", "Curve", "Number", "Subject", "SubjectError", "Table"]

Subject = Callable[[dict[str, Any]], dict[str, Any]]
Table = Rows
"""A matrix as a subject said it: two or more rows, not necessarily a channel."""
Curve = tuple[Corner, ...]
"""Corners as a subject said them, not necessarily a trade-off function."""
Number = mpq | Enclosure

Exact = mpq | int


class SubjectError(OracleError):
    """The subject answered with an error, or with something that is no answer."""


def _text(value: Exact | Extended) -> str:
    return to_text(value if not isinstance(value, int) else mpq(value))


@dataclass(frozen=True, slots=True)
class Ask:
    """Typed questions to a subject. Each raises :class:`~oracle.errors.Declined` where the subject declines."""

    subject: Subject

    def value(self, op: str, args: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a JSON value
        """The ``value`` of the answer to one request."""
        reply = self.subject({"id": op, "op": op, "args": dict(args)})
        if "declined" in reply:
            raise Declined(f"{op}: {reply['declined']}")
        if "value" not in reply:
            raise SubjectError(f"{op}: {reply.get('error', 'no answer')}")
        return reply["value"]

    def canonical(self, channel: Table) -> Table:
        """Canonical form."""
        return _table(self.value("canonical", {"channel": matrix(channel)}))

    def tradeoff(self, channel: Table, direction: str = "forward") -> Curve:
        """T(P, Q), or T(Q, P) backward, as corners."""
        return _curve(self.value("tradeoff", {"channel": matrix(channel), "direction": direction})["breakpoints"])

    def beta(self, channel: Table, alpha: Exact) -> Number:
        """T(P, Q)(alpha)."""
        return _number(self.value("tradeoff", {"channel": matrix(channel), "alpha": _text(alpha)})["beta"])

    def channel_of(self, curve: Curve) -> Table:
        """C(f)."""
        return _table(self.value("channel_of", {"tradeoff": breakpoints(curve)}))

    def refines(self, left: Table, right: Table) -> bool:
        """Whether left ⊑ right."""
        return bool(self.value("refines", {"left": matrix(left), "right": matrix(right)})["holds"])

    def glb(self, channels: Sequence[Table]) -> Table:
        """Greatest lower bound (min)."""
        return _table(self.value("glb", {"channels": [matrix(c) for c in channels]}))

    def lub(self, channels: Sequence[Table]) -> Table:
        """Least upper bound (max)."""
        return _table(self.value("lub", {"channels": [matrix(c) for c in channels]}))

    def parallel(self, channels: Sequence[Table]) -> Table:
        """Parallel composition, lexicographic."""
        return _table(self.value("parallel", {"channels": [matrix(c) for c in channels]}))

    def visible(self, r: Exact, left: Table, right: Table) -> Table:
        """Visible choice left ⊕_r right."""
        return _table(self.value("visible", {"r": _text(r), "left": matrix(left), "right": matrix(right)}))

    def hidden(self, r: Exact, left: Table, right: Table) -> Table:
        """Hidden choice left ⊞_r right, columns by position."""
        return _table(self.value("hidden", {"r": _text(r), "left": matrix(left), "right": matrix(right)}))

    def pre(self, pre: Table, channel: Table) -> Table:
        """pre·channel."""
        return _table(self.value("pre", {"pre": matrix(pre)["matrix"], "channel": matrix(channel)}))

    def post(self, channel: Table, post: Table) -> Table:
        """channel·post."""
        return _table(self.value("post", {"channel": matrix(channel), "post": matrix(post)["matrix"]}))

    def hockey_stick(self, channel: Table, level: Exact | Extended, direction: str = "forward") -> Number:
        """Σ max(0, p - a q) forward, Σ max(0, q - a p) backward."""
        args = {"channel": matrix(channel), "exp_epsilon": _text(level), "direction": direction}
        return _number(self.value("hockey_stick", args))

    def delta(self, channel: Table, exp_epsilon: Exact | Extended, direction: str = "both") -> Number:
        """The least delta at a level."""
        args = {"channel": matrix(channel), "exp_epsilon": _text(exp_epsilon), "direction": direction}
        return _number(self.value("delta", args))

    def exp_epsilon(self, channel: Table, delta: Exact, direction: str = "both") -> Extended:
        """The least e^epsilon >= 1 at a delta; declined where the subject only says epsilon."""
        args = {"channel": matrix(channel), "delta": _text(delta), "direction": direction}
        value = self.value("epsilon", args)
        if "exp_epsilon" not in value:
            raise Declined("epsilon: no exp_epsilon in the answer")
        return parse_extended(value["exp_epsilon"], "exp_epsilon")

    def moment(self, channel: Table, order: int, direction: str = "forward") -> Number | Infinity:
        """Σ p^order q^(1 - order) forward, for a whole order of at least 2."""
        args = {"channel": matrix(channel), "order": str(order), "direction": direction}
        value = self.value("renyi", args)["moment"]
        return INFINITY if value == "inf" else _number(value)

    def kullback_leibler(self, channel: Table, direction: str = "forward") -> Number | Infinity:
        """Σ p log(p/q) forward: 0, infinite, or enclosed."""
        args = {"channel": matrix(channel), "order": "1", "direction": direction}
        value = self.value("renyi", args)["divergence"]
        return INFINITY if value == "inf" else _number(value)

    def mu(self, channel: Table) -> Number | Infinity:
        """The least mu for which the channel is mu-GDP: 0, infinite, or enclosed."""
        value = self.value("mu", {"channel": matrix(channel)})
        return INFINITY if value == "inf" else _number(value)

    def interactive_tradeoff(self, mechanism: InteractiveMechanism, direction: str = "forward") -> Curve:
        """The largest trade-off function below those of all adversaries' views, as corners."""
        args = {"interactive": to_json(mechanism), "direction": direction}
        return _curve(self.value("interactive_tradeoff", args)["breakpoints"])

    def concurrent(self, mechanisms: Sequence[InteractiveMechanism]) -> Curve:
        """The same of the concurrent composition."""
        args = {"interactives": [to_json(m) for m in mechanisms]}
        return _curve(self.value("concurrent", args)["breakpoints"])

    def concurrent_delta(
        self, mechanisms: Sequence[InteractiveMechanism], exp_epsilon: Exact, direction: str = "both"
    ) -> Number:
        """The least delta of the concurrent composition at a level."""
        trees = [to_json(m) for m in mechanisms]
        args = {"interactives": trees, "exp_epsilon": _text(exp_epsilon), "direction": direction}
        return _number(self.value("concurrent", args))

    def simulate(self, mechanism: InteractiveMechanism) -> Table:
        """The pair of laws N from one sample of which every adversary's view can be imitated."""
        return _table(self.value("simulate", {"interactive": to_json(mechanism)})["channel"])

    def interactive_moment(
        self, mechanism: InteractiveMechanism, order: int, direction: str = "forward"
    ) -> Number | Infinity:
        """The supremum of the moment over all adversaries, for a whole order of at least 2."""
        args = {"channel": to_json(mechanism), "order": str(order), "direction": direction}
        value = self.value("renyi", args)["moment"]
        return INFINITY if value == "inf" else _number(value)

    def vulnerability(self, channel: Table, gain: Table) -> Number:
        """V_g under the uniform prior."""
        return _number(self.value("vulnerability", {"channel": matrix(channel), "gain": matrix(gain)["matrix"]}))

    def satisfies(self, channel: Table, claim: Mapping[str, Any], direction: str = "both") -> bool:
        """Whether a claim holds."""
        args = {"channel": matrix(channel), "claim": dict(claim), "direction": direction}
        return self.value("satisfies", args)["holds"] is True

    def decompose(self, curve: Curve) -> list[tuple[mpq, Extended]]:
        """Weights and exp_epsilon of the symmetric decomposition."""
        parts = self.value("decompose", {"tradeoff": breakpoints(curve)})
        return [(parse_number(p["weight"]), parse_extended(p["exp_epsilon"])) for p in parts]


def matrix(channel: Table | Channel) -> dict[str, Any]:
    """A table as the protocol writes a channel."""
    rows = channel.rows if isinstance(channel, Channel) else channel
    return {"matrix": [[to_text(v) for v in row] for row in rows]}


def breakpoints(curve: Curve | TradeoffFunction) -> dict[str, Any]:
    """Corners as the protocol writes a trade-off function."""
    corners = curve.corners if isinstance(curve, TradeoffFunction) else curve
    return {"breakpoints": [[to_text(a), to_text(b)] for a, b in corners]}


def _number(value: object) -> Number:
    if isinstance(value, Mapping):
        lo, hi = parse_number(value["lo"], "lo"), parse_number(value["hi"], "hi")
        return Enclosure(lo, hi)
    number = parse_extended(value, "value")
    if number == INFINITY or not isinstance(number, mpq):
        raise SubjectError(f"a finite number was expected, got {value}")
    return number


def _point(value: object) -> mpq:
    number = _number(value)
    if isinstance(number, Enclosure):
        raise Declined("an enclosure where an exact number is compared")
    return number


def _table(value: Mapping[str, Any]) -> Table:
    try:
        return tuple(tuple(map(_point, row)) for row in value["matrix"])
    except (KeyError, TypeError, InputError) as error:
        raise SubjectError(f"no channel in the answer: {error}") from None


def _curve(value: Sequence[Sequence[object]]) -> Curve:
    try:
        return tuple((_point(a), _point(b)) for a, b in value)
    except (TypeError, ValueError) as error:
        raise SubjectError(f"no corners in the answer: {error}") from None
