"""dp-accounting behind the Python door: its two estimates lie on the two sides of exact values."""

from __future__ import annotations

from typing import Any

import pytest

from oracle import answers
from oracle.conformance.adapters.dp_accounting import ADAPTER, OPTIMISTIC
from oracle.conformance.adapters.templates import filled
from oracle.conformance.judging import judge
from oracle.conformance.protocol import AWKWARD, Claimed, ClaimKind, echoes, request
from oracle.conformance.subjects import InProcess
from oracle.conformance.truths import read_expected
from oracle.exact import parse_extended

pytestmark = pytest.mark.peer


def node(mechanism: str, **fields: Any) -> dict[str, Any]:
    return {"mechanism": mechanism, **fields}


RESPONSE = node("randomized_response", exp_epsilon="3")
GAUSSIAN = node("gaussian", sigma="1")
LAPLACE = node("laplace", scale="1/3", sensitivity="1/3")
TABLE = {"matrix": [["9/10", "1/10"], ["1/2", "1/2"]]}
MECHANISMS = {
    "table": TABLE,
    "disjoint": {"matrix": [["1/2", "1/2", "0"], ["0", "1/2", "1/2"]]},
    "rr": RESPONSE,
    "k-rr": node("k_randomized_response", k=5, epsilon="1"),
    "gaussian": GAUSSIAN,
    "gdp": node("gaussian_dp", mu="1/3"),
    "laplace": LAPLACE,
    "discrete-laplace": node("discrete_laplace", scale="2", sensitivity=3),
    "geometric": node("geometric", ratio="1/2", sensitivity="2"),
    "clamped": node("geometric", ratio="1/2", low=0, high=5, values=[0, 1]),
    "discrete-gaussian": node("discrete_gaussian", sigma="3/2"),
    "exponential": node("exponential", scores=[["0", "1"], ["1", "0"]], exp_epsilon="4"),
    "curve": node("tradeoff", breakpoints=[["0", "1"], ["1/4", "1/4"], ["1", "0"]]),
    "repeated": node("repeat", times=10, of=RESPONSE),
    "composed": node("compose", of=[RESPONSE, TABLE, LAPLACE]),
    "visible": node("visible", r="1/3", left=RESPONSE, right=node("randomized_response", exp_epsilon="2")),
    "group": node("group", size=2, of=LAPLACE),
    "subsampled": node("poisson_subsample", rate="1/10", neighbours="add_remove", of=LAPLACE),
    "substituted": node("poisson_subsample", rate="1/4", neighbours="substitute", of=GAUSSIAN),
}
QUESTIONS = {"delta": {"epsilon": "log(5/4)"}, "epsilon": {"delta": "1/100"}}


def ask(subject: object, op: str, args: dict[str, Any]) -> Any:
    return InProcess(subject).ask(request("q", op, args))


def verdict(subject: object, claim: ClaimKind, op: str, args: dict[str, Any]) -> tuple[str, Any]:
    """The verdict on an answer under a claim, and the answer."""
    value = answers.answer(request("q", op, args))["value"]
    shape = "epsilon" if op == "epsilon" else "exact" if isinstance(value, str) else "enclosure"
    truth = [value["lo"], value["hi"]] if shape == "enclosure" else value
    reply = ask(subject, op, args)
    return judge(op, args, Claimed(claim), read_expected({shape: truth}), reply).verdict, parse_extended(reply.value)


@pytest.mark.parametrize("op", QUESTIONS)
@pytest.mark.parametrize("name", MECHANISMS)
def test_the_estimates_enclose_the_truth(name: str, op: str) -> None:
    """Optimistic <= truth <= pessimistic up to rounding, and no farther apart than a grid of losses explains."""
    args = {"channel": MECHANISMS[name], **QUESTIONS[op]}
    below, low = verdict(OPTIMISTIC, "lower", op, args)
    above, high = verdict(ADAPTER, "upper", op, args)
    assert {below, above} <= {"exact", "sound", "loose", "unsound-rounding"}
    assert high == low or high - low < parse_extended("1/500")


def test_the_directions_of_a_table_are_kept_apart() -> None:
    """Forward and backward are asked in the order that the library means; both is the larger."""
    args = {"channel": {"matrix": [["1/2", "1/2"], ["0", "1"]]}, "exp_epsilon": "1024"}
    sticks = {side: ask(ADAPTER, "delta", {**args, "direction": side}).value for side in ("forward", "backward")}
    assert parse_extended(sticks["forward"]) == parse_extended("1/2")
    assert parse_extended(sticks["backward"]) == 0
    assert parse_extended(ask(ADAPTER, "delta", args).value) == parse_extended("1/2")
    assert parse_extended(ask(ADAPTER, "hockey_stick", args).value) == parse_extended("1/2")


def test_perfect_privacy_is_perfect() -> None:
    """Equal rows have delta 0 at every epsilon >= 0, and no runs reveal nothing."""
    same = {"matrix": [["1/3", "2/3"], ["1/3", "2/3"]]}
    for channel in (same, node("repeat", times=0, of=GAUSSIAN), node("repeat", times=3, of=same)):
        assert parse_extended(ask(ADAPTER, "delta", {"channel": channel, "exp_epsilon": "1"}).value) == 0


@pytest.mark.parametrize(
    ("channel", "order"),
    [
        (GAUSSIAN, "2"),
        (LAPLACE, "3"),
        (RESPONSE, "3/2"),
        (node("poisson_subsample", rate="1/10", neighbours="add_remove", of=GAUSSIAN), "4"),
        (node("repeat", times=3, of=node("compose", of=[GAUSSIAN, LAPLACE])), "2"),
        (node("group", size=2, of=node("gaussian_dp", mu="1/3")), "2"),
    ],
)
def test_renyi_divergences(channel: dict[str, Any], order: str) -> None:
    """The accountant's value is the exact one up to rounding, on either side."""
    args = {"channel": channel, "order": order}
    value = answers.answer(request("q", "renyi", args))["value"]
    stated = {
        key: {"exact": x} if isinstance(x, str) else {"enclosure": [x["lo"], x["hi"]]} for key, x in value.items()
    }
    reply = ask(ADAPTER, "renyi", args)
    found = judge("renyi", args, Claimed("upper"), read_expected({"renyi": stated}), reply)
    assert found.verdict in {"exact", "sound", "unsound-rounding"}


@pytest.mark.parametrize(
    ("op", "args"),
    [
        ("delta", {"channel": node("hidden", r="1/2", left=TABLE, right=TABLE), "exp_epsilon": "1"}),
        ("delta", {"channel": node("randomized_response", exp_epsilon="1"), "exp_epsilon": "1"}),
        ("delta", {"channel": node("laplace", scale="1e-400"), "exp_epsilon": "1"}),
        ("delta", {"channel": {"matrix": [["1"], ["1"], ["1"]]}, "exp_epsilon": "1"}),
        ("hockey_stick", {"channel": MECHANISMS["subsampled"], "exp_epsilon": "1"}),
        ("delta", {"channel": node("group", size=2, of=RESPONSE), "exp_epsilon": "1"}),
        (
            "delta",
            {
                "channel": node("poisson_subsample", rate="1/2", neighbours="substitute", of=LAPLACE),
                "exp_epsilon": "1",
            },
        ),
        ("renyi", {"channel": TABLE, "order": "2"}),
        ("renyi", {"channel": MECHANISMS["subsampled"], "order": "2"}),
        ("tradeoff", {"channel": GAUSSIAN, "alpha": "1/2"}),
    ],
)
def test_what_the_library_does_not_compute_is_declined(op: str, args: dict[str, Any]) -> None:
    """Declined, never computed by the adapter."""
    assert ask(ADAPTER, op, args).kind == "declined"


def test_the_optimistic_estimate_is_of_distributions_only() -> None:
    """Neither the worst mechanism of a guarantee nor the Rényi accountant has one."""
    worst = node("approximate_randomized_response", epsilon="1", delta="1/10")
    assert ask(OPTIMISTIC, "delta", {"channel": worst, "exp_epsilon": "1"}).kind == "declined"
    assert ask(OPTIMISTIC, "renyi", {"channel": GAUSSIAN, "order": "2"}).kind == "declined"
    assert verdict(ADAPTER, "upper", "delta", {"channel": worst, "exp_epsilon": "1"})[0] in {
        "exact",
        "sound",
        "loose",
        "unsound-rounding",
    }


def test_hello_and_echo() -> None:
    """The claims are the library's, and the numbers come back."""
    hello = InProcess("oracle.conformance.adapters.dp_accounting:ADAPTER").hello()
    assert (hello.name, hello.claim("delta").kind, hello.claim("renyi").kind) == ("dp-accounting", "upper", "upper")
    assert InProcess(OPTIMISTIC).hello().claim("epsilon").kind == "lower"
    assert echoes(ask(ADAPTER, "echo", {"values": list(AWKWARD)}).value) is None


@pytest.mark.parametrize(
    "template",
    [
        node("gaussian", sigma="?"),
        node("laplace", scale="?", sensitivity="2"),
        node("discrete_laplace", scale="?"),
        node("repeat", times=10, of=node("gaussian", sigma="?")),
        node("poisson_subsample", rate="1/10", neighbours="add_remove", of=node("gaussian", sigma="?")),
    ],
)
def test_a_calibrated_scale_is_enough(template: dict[str, Any]) -> None:
    """Fed back into the exact delta it gives no more than was promised, up to rounding."""
    asked = {"epsilon": "1", "delta": "1/1000"}
    field = "scale" if "laplace" in template["mechanism"] else "sigma"
    reply = ask(ADAPTER, "calibrate", {"channel": template, "field": field, **asked})
    delta = answers.answer(request("q", "delta", {"channel": filled(template, reply.value), "epsilon": "1"}))["value"]
    assert parse_extended(delta["hi"]) <= parse_extended("1/1000") * (1 + parse_extended("1e-9"))


def test_other_calibrations_are_declined() -> None:
    """The library calibrates neither the rate nor Gaussian noise for delta = 0, and not optimistically."""
    args = {"channel": node("gaussian", sigma="?"), "field": "sigma", "epsilon": "1", "delta": "0"}
    assert ask(ADAPTER, "calibrate", args).kind == "declined"
    assert ask(ADAPTER, "calibrate", {**args, "field": "rate", "delta": "1/10"}).kind == "declined"
    assert ask(OPTIMISTIC, "calibrate", {**args, "delta": "1/10"}).kind == "declined"
