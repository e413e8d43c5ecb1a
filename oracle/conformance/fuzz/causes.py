"""The cause that a finding seems to have, by which findings are told apart and counted.

The class is inferred from what can be seen: the question, the answer, the truth. It is a hint to a maintainer, not a
diagnosis; two findings of one op, verdict, class and detail are taken for one.

==========================  ============================================================================================
class                       taken where
==========================  ============================================================================================
``round-off``               the gap is rounding, or small beside a composition's value, or delta leaves [0, 1]
``cancellation``            the truth is tiny and the answer 0 or rounded
``overflow``                the error speaks of overflow, of NaN or of infinity
``failing-open``            0 is answered where the truth is of ordinary size
``closed-form``             nothing else explains it: a wrong formula, or one used outside its range
``bisection``               an epsilon or a scale is off by a small fraction
``discretisation``          a trade-off function, or a law across answers, is off
``infinite-loss``           one law has mass where the other has none
``adjacency``               inputs differ in groups, or are sampled
``continuous-on-discrete``  discrete noise
``negative-epsilon``        epsilon is below 0, or delta is at least the total variation
``large-epsilon``           epsilon is at least 500
``threshold``               a relation is decided wrongly
``vector-scalar``           a list of epsilons differs from single ones
``truncation``              a claimed lower bound is above the truth
``domain``                  a number where the question has no answer
``crash``                   another error, a crash, no answer in time
==========================  ============================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gmpy2 import mpq

from oracle.conformance.fuzz.expressions import PRIMITIVES, kinds_in
from oracle.conformance.fuzz.questions import Probe
from oracle.conformance.gaps import Gap
from oracle.conformance.judging import Judgement
from oracle.conformance.number_judging import NoAnswerError, interval_of
from oracle.conformance.protocol import Claimed, Reply
from oracle.enclosures import Enclosure
from oracle.errors import OracleError
from oracle.exact import Extended, Infinity, parse_extended, parse_number
from oracle.levels import parse_level

__all__ = ["MEANINGS", "Cause", "cause_of_answer", "cause_of_law"]

MEANINGS: Final[Mapping[str, str]] = {
    "round-off": "Round-off of the arithmetic is not added to the bound.",
    "cancellation": "The value is the small difference of larger numbers, and its digits are lost.",
    "overflow": "An intermediate value is too large for a double, or is no number.",
    "failing-open": "Something that went wrong inside is answered as perfect privacy.",
    "closed-form": "A formula is wrong, or is used outside its range.",
    "bisection": "A search returns a point on the wrong side of the root.",
    "discretisation": "Two computations of one mechanism do not fit together.",
    "infinite-loss": "Mass at infinite privacy loss is not handled.",
    "adjacency": "The relation of the inputs, a group of records or a sample, is not taken as it was asked.",
    "continuous-on-discrete": "Discrete noise is treated as continuous, or the other way round.",
    "negative-epsilon": "The range where epsilon is 0 or below is not handled.",
    "large-epsilon": "The range where e^epsilon overflows, or nearly does, is not handled.",
    "threshold": "A comparison at equality is decided the wrong way.",
    "vector-scalar": "A question with a list is not answered as its members are.",
    "truncation": "Mass that was cut off is counted on the wrong side.",
    "domain": "A number is given where the question has no answer.",
    "crash": "The library fails where the question has an answer.",
}
"""What each class supposes, in one sentence."""

_LARGE: Final = 500
_TINY: Final = mpq(1, 10**12)
_NEAR: Final = mpq(1, 1000)
_NO_NUMBER: Final = re.compile(r"overflow|\bnan\b|\binf\b|not finite|infinit|math range|too large", re.IGNORECASE)
_EXCEPTION: Final = re.compile(r"[A-Za-z_.]{1,60}")
_SAMPLED: Final = {"group", "poisson_subsample", "subsample_without_replacement", "subsample_with_replacement"}
_COMPOSED: Final = {"repeat", "compose"}
_DISCRETE: Final = {"discrete_laplace", "discrete_gaussian", "geometric", "clamped_geometric"}
_RELATIONS: Final = ("refines", "satisfies")
_DELTAS: Final = ("delta", "hockey_stick")


@dataclass(frozen=True, slots=True, order=True)
class Cause:
    """What findings have in common that count as one.

    Attributes:
        op: the op asked.
        verdict: on the answer, or ``law``.
        kind: the class.
        detail: the law, the exception, or the mechanism that the formula is of; may be empty.
    """

    op: str
    verdict: str
    kind: str
    detail: str = ""

    @property
    def slug(self) -> str:
        """A name for files."""
        words = "-".join(filter(None, (self.op, self.verdict, self.kind, self.detail)))
        return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")

    def to_json(self) -> list[str]:
        """As the stream has it."""
        return [self.op, self.verdict, self.kind, self.detail]


def cause_of_law(op: str, law: str) -> Cause:
    """The cause of answers that break a law."""
    kinds = {"vector-equals-scalar": "vector-scalar", "delta-in-unit-interval": "round-off"}
    return Cause(op, "law", kinds.get(law, "discretisation"), law)


def cause_of_answer(probe: Probe, claimed: Claimed, reply: Reply, judgement: Judgement) -> Cause:
    """The cause of an answer that fails."""
    verdict = judgement.verdict
    if verdict in ("errored", "crashed", "timeout"):
        return Cause(probe.op, verdict, *_of_failure(probe, reply, judgement))
    if "rejects" in judgement.truth:
        return Cause(probe.op, verdict, "domain", _malformed_part(probe))
    kind = _of_value(probe, claimed, reply, judgement)
    return Cause(probe.op, verdict, kind, _mechanism(probe) if kind == "closed-form" else "")


def _of_failure(probe: Probe, reply: Reply, judgement: Judgement) -> tuple[str, str]:
    message = reply.message or judgement.reason or ""
    match = _EXCEPTION.match(message)
    if reply.kind == "value":
        detail = "malformed"
    elif reply.kind in ("crashed", "timeout"):
        detail = reply.kind
    else:
        detail = match[0].rstrip(".") if match else ""
    if _infinite_loss(probe.args):
        return "infinite-loss", detail
    if _NO_NUMBER.search(message):
        return "overflow", detail
    return _range_of(probe, judgement) or "crash", detail


def _range_of(probe: Probe, judgement: Judgement) -> str | None:
    """The class of the range of epsilon in which a question lies that has an answer and got none."""
    truth = _number(judgement.truth)
    level = truth if probe.op == "epsilon" else _epsilon(probe.args)
    if level is None:
        return None
    if level < 0 or (probe.op == "epsilon" and level == 0):
        return "negative-epsilon"
    return "large-epsilon" if level >= _LARGE else None


def _of_value(  # noqa: C901, PLR0911, PLR0912 - the table of the module, in order
    probe: Probe, claimed: Claimed, reply: Reply, judgement: Judgement
) -> str:
    gap, truth, level = judgement.gap, _number(judgement.truth), _epsilon(probe.args)
    kinds, answered = kinds_in(probe.args), _answered(reply.value)
    relative = _relative(gap)
    if judgement.verdict == "unsound-rounding":
        return "cancellation" if truth is not None and abs(truth) < _TINY else "round-off"
    if probe.op in _RELATIONS:
        return "threshold"
    if claimed.kind == "upper" and answered is not None and answered <= 0 and truth is not None and truth > 0:
        if level is not None and level >= _LARGE:
            return "large-epsilon"
        if _infinite_loss(probe.args):
            return "infinite-loss"
        return "cancellation" if truth < _TINY else "failing-open"
    if (probe.op == "epsilon" and truth == 0) or (level is not None and level < 0):
        return "negative-epsilon"
    if _infinite_loss(probe.args):
        return "infinite-loss"
    if level is not None and level >= _LARGE:
        return "large-epsilon"
    if claimed.kind == "lower" and probe.op in _DELTAS:
        return "truncation"
    if probe.op in ("epsilon", "calibrate") and relative < _NEAR:
        return "bisection"
    if kinds & _COMPOSED and relative < _NEAR:
        return "round-off"
    if kinds & _SAMPLED:
        return "adjacency"
    if kinds & _DISCRETE:
        return "continuous-on-discrete"
    if truth is not None and 0 < abs(truth) < _TINY:
        return "cancellation"
    if probe.op == "tradeoff":
        return "discretisation"
    return "closed-form"


def _mechanism(probe: Probe) -> str:
    """The primitives of a question, or how they are composed."""
    kinds = kinds_in(probe.args)
    return "composition" if kinds & _COMPOSED else "-".join(sorted(kinds & (set(PRIMITIVES) - {"table"}))) or "table"


def _malformed_part(probe: Probe) -> str:
    """Which part of a malformed question the library takes as it is: the channel, or the argument beside it."""
    wrong = [key for key, value in probe.args.items() if key != "channel" and _out_of_range(key, value)]
    return wrong[0] if wrong else "channel"


def _out_of_range(key: str, value: object) -> bool:
    try:
        number = parse_number(value)
    except OracleError:
        return False
    return number < 0 or (key in ("delta", "alpha") and number > 1) or (key == "order" and number == 0)


def _number(truth: Mapping[str, Any]) -> mpq | None:
    """A finite number inside the truth, or None."""
    for key in ("exact", "enclosure", "epsilon", "renyi"):
        value = truth.get(key)
        if isinstance(value, Mapping):
            value = value.get("hi", value.get("divergence"))
        if isinstance(value, Mapping):
            return _number(value)
        if isinstance(value, list) and value and isinstance(value[-1], str):
            value = value[-1]
        if isinstance(value, str):
            number = parse_extended(value)
            return None if isinstance(number, Infinity) else number
    return None


def _answered(value: object) -> Extended | None:
    try:
        return interval_of(value).hi
    except (NoAnswerError, OracleError):
        return None


def _relative(gap: Gap | None) -> Extended:
    return mpq(1) if gap is None else gap.relative


def _epsilon(args: Mapping[str, Any]) -> mpq | None:
    """A lower bound of the epsilon that is asked at, where it is finite and not that of e^epsilon = 0."""
    try:
        epsilon = parse_level(args, minimum_one=False).epsilon(10)
    except OracleError:
        return None
    if isinstance(epsilon, Enclosure):
        return epsilon.lo
    return None if isinstance(epsilon, Infinity) else epsilon


def _infinite_loss(value: object) -> bool:
    """Whether a table in the question has an outcome that one row has and another has not."""
    if isinstance(value, Mapping):
        rows = value.get("matrix")
        if isinstance(rows, list) and len(rows) > 1:
            columns = zip(*rows, strict=False)
            return any(len({parse_number(entry) == 0 for entry in column}) > 1 for column in columns)
        return any(_infinite_loss(part) for part in value.values())
    if isinstance(value, (list, tuple)):
        return any(_infinite_loss(part) for part in value)
    return False
