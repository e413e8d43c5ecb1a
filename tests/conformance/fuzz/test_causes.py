"""Causes tell findings apart by what can be seen of them."""

from __future__ import annotations

from typing import Any

import pytest

from oracle.conformance.fuzz.causes import MEANINGS, Cause, cause_of_answer, cause_of_law
from oracle.conformance.fuzz.questions import Probe
from oracle.conformance.judging import judge
from oracle.conformance.protocol import Claimed, Reply
from oracle.conformance.truths import Bounds, Exact, Expected, LeastEpsilon, Rejects, Relation

RR: dict[str, Any] = {"mechanism": "randomized_response", "exp_epsilon": "3"}
GAUSSIAN: dict[str, Any] = {"mechanism": "gaussian", "sigma": "1"}
DISJOINT: dict[str, Any] = {"matrix": [["1", "0"], ["0", "1"]]}
TINY = "1/1000000000000000000000000000000"


def cause(op: str, args: dict[str, Any], reply: Reply, expected: Expected, claim: str = "upper") -> Cause:
    claimed = Claimed(claim)  # type: ignore[arg-type]
    return cause_of_answer(Probe(op, args), claimed, reply, judge(op, args, claimed, expected, reply))


def value(told: Any) -> Reply:
    return Reply("value", told)


CASES = [
    (
        "epsilon",
        {"channel": GAUSSIAN, "delta": "1/2"},
        Reply("error", message="ValueError: no root"),
        LeastEpsilon("0", "0", "1"),
        "upper",
        "errored",
        "negative-epsilon",
        "ValueError",
    ),
    (
        "epsilon",
        {"channel": GAUSSIAN, "delta": "1/2"},
        Reply("error", message="ValueError: no root"),
        LeastEpsilon("811", "812"),
        "upper",
        "errored",
        "large-epsilon",
        "ValueError",
    ),
    ("delta", {"channel": RR, "epsilon": "1"}, value("0"), Exact("1/4"), "upper", "unsound", "failing-open", ""),
    ("delta", {"channel": RR, "epsilon": "1"}, value("0"), Exact(TINY), "upper", "unsound", "cancellation", ""),
    ("delta", {"channel": RR, "epsilon": "700"}, value("0"), Exact("1/4"), "upper", "unsound", "large-epsilon", ""),
    ("delta", {"channel": DISJOINT, "epsilon": "1"}, value("0"), Exact("1"), "upper", "unsound", "infinite-loss", ""),
    (
        "delta",
        {"channel": GAUSSIAN, "epsilon": "1"},
        value("1/8"),
        Bounds("1/5", "1/4"),
        "upper",
        "unsound",
        "closed-form",
        "gaussian",
    ),
    (
        "delta",
        {"channel": {"mechanism": "repeat", "times": 9, "of": RR}, "epsilon": "1"},
        value("1/8"),
        Exact("1/4"),
        "upper",
        "unsound",
        "closed-form",
        "composition",
    ),
    (
        "delta",
        {"channel": {"mechanism": "repeat", "times": 9, "of": RR}, "epsilon": "1"},
        value("249999/1000000"),
        Exact("1/4"),
        "upper",
        "unsound",
        "round-off",
        "",
    ),
    (
        "delta",
        {"channel": {"mechanism": "group", "size": 2, "of": GAUSSIAN}, "epsilon": "1"},
        value("1/8"),
        Exact("1/4"),
        "upper",
        "unsound",
        "adjacency",
        "",
    ),
    (
        "delta",
        {"channel": {"mechanism": "discrete_laplace", "scale": "1"}, "epsilon": "1"},
        value("1/8"),
        Exact("1/4"),
        "upper",
        "unsound",
        "continuous-on-discrete",
        "",
    ),
    ("delta", {"channel": RR, "epsilon": "-1"}, value("1/8"), Exact("1/4"), "upper", "unsound", "negative-epsilon", ""),
    ("delta", {"channel": RR, "epsilon": "1"}, value("1/2"), Exact("1/4"), "lower", "unsound", "truncation", ""),
    (
        "epsilon",
        {"channel": RR, "delta": "1/8"},
        value("9999/10000"),
        LeastEpsilon("1", "1"),
        "upper",
        "unsound",
        "bisection",
        "",
    ),
    (
        "epsilon",
        {"channel": RR, "delta": "1"},
        value("-1"),
        LeastEpsilon("0", "0", "1"),
        "upper",
        "unsound",
        "negative-epsilon",
        "",
    ),
    (
        "epsilon",
        {"channel": RR, "delta": "2"},
        value("0"),
        Rejects("delta is above 1"),
        "upper",
        "wrong",
        "domain",
        "delta",
    ),
    ("refines", {"left": DISJOINT, "right": DISJOINT}, value(False), Relation(True), "exact", "wrong", "threshold", ""),
    (
        "delta",
        {"channel": RR, "epsilon": "1"},
        Reply("error", message="OverflowError: math range error"),
        Exact("1/4"),
        "upper",
        "errored",
        "overflow",
        "OverflowError",
    ),
    (
        "delta",
        {"channel": RR, "epsilon": "1"},
        Reply("crashed", message="the program ended with SIGSEGV"),
        Exact("1/4"),
        "upper",
        "crashed",
        "crash",
        "crashed",
    ),
]


@pytest.mark.parametrize(("op", "args", "reply", "expected", "claim", "verdict", "kind", "detail"), CASES)
def test_the_class_of_a_finding(  # noqa: PLR0917 - the columns of the table
    op: str,
    args: dict[str, Any],
    reply: Reply,
    expected: Expected,
    claim: str,
    verdict: str,
    kind: str,
    detail: str,
) -> None:
    """The class is that of the first row of the table that fits."""
    assert cause(op, args, reply, expected, claim) == Cause(op, verdict, kind, detail)
    assert kind in MEANINGS


def test_rounding_is_told_apart_by_the_size_of_the_truth() -> None:
    """A rounded value of ordinary size is round-off, a tiny one has lost its digits."""
    args = {"channel": RR, "epsilon": "1"}
    near = cause("delta", args, value(str(0.25 - 2**-54)), Exact("1/4"))
    assert (near.verdict, near.kind) == ("unsound-rounding", "round-off")
    tiny = cause("delta", args, value("999999999999/1000000000000000000000000000000000000000000"), Exact(TINY))
    assert (tiny.verdict, tiny.kind) == ("unsound-rounding", "cancellation")


def test_laws_are_causes_of_their_own() -> None:
    """Each law is one cause for each op; the vector query has a class of its own."""
    assert cause_of_law("delta", "vector-equals-scalar").kind == "vector-scalar"
    assert cause_of_law("delta", "delta-decreasing") != cause_of_law("hockey_stick", "delta-decreasing")


def test_a_slug_is_a_name_for_files() -> None:
    """Lower-case letters, digits and hyphens."""
    assert (
        Cause("hockey_stick", "errored", "crash", "OpenDPException").slug
        == "hockey-stick-errored-crash-opendpexception"
    )
