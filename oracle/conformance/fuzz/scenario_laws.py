"""Laws across the answers of one scenario, for a library whose single answers may have no cheap truth.

Beside the laws of :mod:`oracle.conformance.answer_laws` and the vector query:

=============================  ======================================================================================
``post-processing-not-worse``  delta at e^epsilon >= 0 of a post-processed mechanism is not above that of the mechanism
``group-not-better``           delta for inputs that differ in more records is not below that for one
``renyi-increasing``           the Rényi divergence does not decrease in its order, where it is finite
``delta-supports-tradeoff``    1 - alpha <= e^epsilon beta(alpha) + delta, for two accountants of one library of which
                               neither claims a lower bound
=============================  ======================================================================================

The last: where S is not rejected, 1 - alpha = P(S) <= e^epsilon Q(S) + delta with Q(S) = beta.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from gmpy2 import mpq

from oracle.conformance.answer_laws import Answered, Breach, Ledger, check_laws, key_of, number_of
from oracle.conformance.gaps import Interval, Slack
from oracle.conformance.vector_query_laws import vector_report
from oracle.errors import OracleError
from oracle.exact import Infinity, parse_extended, parse_number

__all__ = ["SCENARIO_LAWS", "breaches"]

SCENARIO_LAWS: Final = (
    "post-processing-not-worse",
    "group-not-better",
    "renyi-increasing",
    "delta-supports-tradeoff",
)

_DELTAS: Final = ("delta", "hockey_stick")
_LAW_OPS: Final = (*_DELTAS, "epsilon", "tradeoff", "renyi")


def breaches(answers: Sequence[Answered], slack: Slack) -> list[Breach]:
    """The laws that the answers to one scenario break."""
    single = [answered for answered in answers if answered.op in _LAW_OPS and "epsilons" not in answered.args]
    ledger = Ledger(slack)
    _wrapped(ledger, single)
    _orders(ledger, single)
    _two_accountants(ledger, single)
    reports = [*check_laws(single, slack), *_vectors(answers, slack)]
    return [breach for report in reports for breach in report.breaches] + [
        breach for law in SCENARIO_LAWS for breach in ledger.breaches[law]
    ]


def _vectors(answers: Sequence[Answered], slack: Slack) -> list[Any]:
    replies = []
    for listed in answers:
        if "epsilons" not in listed.args:
            continue
        rest = key_of({key: value for key, value in listed.args.items() if key != "epsilons"})
        by_level = {
            one.args["epsilon"]: one
            for one in answers
            if "epsilon" in one.args and key_of({k: v for k, v in one.args.items() if k != "epsilon"}) == rest
        }
        if all(epsilon in by_level for epsilon in listed.args["epsilons"]):
            replies.append((listed.value, [by_level[epsilon] for epsilon in listed.args["epsilons"]]))
    return [vector_report(replies, slack)] if replies else []


def _point(args: Mapping[str, Any]) -> str:
    """What a question asks beside its channel."""
    return key_of({key: value for key, value in args.items() if key != "channel"})


def _wrapped(ledger: Ledger, answers: Sequence[Answered]) -> None:
    """A mechanism and the part that it is made of, asked the same."""
    by_question = {
        (answered.op, key_of(answered.args["channel"]), _point(answered.args)): answered for answered in answers
    }
    for answered in answers:
        node = answered.args["channel"]
        kind = node.get("mechanism")
        if answered.op not in _DELTAS or kind not in ("post", "group"):
            continue
        part = by_question.get((answered.op, key_of(node["of"]), _point(answered.args)))
        whole, alone = number_of(answered.value), None if part is None else number_of(part.value)
        if part is None or whole is None or alone is None:
            continue
        if kind == "post":
            reason = "delta of the post-processed mechanism is above that of the mechanism"
            ledger.require("post-processing-not-worse", whole, alone, reason, answered, part)
        else:
            reason = "delta for a group of records is below that for one record"
            ledger.require("group-not-better", alone, whole, reason, answered, part)


def _orders(ledger: Ledger, answers: Sequence[Answered]) -> None:
    groups: dict[tuple[str, str], list[tuple[Any, Interval, Answered]]] = {}
    for answered in answers:
        if answered.op != "renyi":
            continue
        value = answered.value
        told = number_of(value["divergence"] if isinstance(value, Mapping) and "divergence" in value else value)
        if told is not None and not isinstance(told.hi, Infinity) and _is_divergence(value):
            key = (key_of(answered.args["channel"]), str(answered.args.get("direction", "forward")))
            groups.setdefault(key, []).append((parse_extended(answered.args["order"]), told, answered))
    for group in groups.values():
        group.sort(key=lambda member: member[0])
        for (_, low, first), (_, high, second) in pairwise(group):
            reason = "the Rényi divergence decreases in its order"
            ledger.require("renyi-increasing", low, high, reason, second, first)


def _is_divergence(value: object) -> bool:
    return not isinstance(value, Mapping) or "divergence" in value


def _two_accountants(ledger: Ledger, answers: Sequence[Answered]) -> None:
    curves = [answered for answered in answers if answered.op == "tradeoff" and "alpha" in answered.args]
    for curve in curves:
        for profile in answers:
            if profile.op in _DELTAS and profile.args["channel"] == curve.args["channel"]:
                _supported(ledger, curve, profile)


def _supported(ledger: Ledger, curve: Answered, profile: Answered) -> None:
    if "lower" in (curve.claim, profile.claim) or "exp_epsilon" not in profile.args:
        return
    sides = [str(one.args.get("direction", default)) for one, default in ((curve, "forward"), (profile, "both"))]
    if sides[1] not in ("both", sides[0]):
        return
    beta, delta = number_of(curve.value), number_of(profile.value)
    if beta is None or delta is None or isinstance(beta.hi, Infinity) or isinstance(delta.hi, Infinity):
        return
    try:
        alpha, level = parse_number(curve.args["alpha"]), parse_number(profile.args["exp_epsilon"])
    except OracleError:
        return
    law, reason = "delta-supports-tradeoff", "1 - alpha is above e^epsilon beta + delta"
    right = Interval.point(level * beta.hi + delta.hi)
    ledger.require(law, Interval.point(mpq(1) - alpha), right, reason, curve, profile)
