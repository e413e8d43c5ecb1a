"""OpenDP behind the Python door: every answer is at or above the exact value."""

from __future__ import annotations

from typing import Any

import pytest

from oracle import answers
from oracle.conformance.adapters.opendp import ADAPTER
from oracle.conformance.adapters.templates import filled
from oracle.conformance.judging import judge
from oracle.conformance.protocol import AWKWARD, Claimed, echoes, request
from oracle.conformance.subjects import InProcess
from oracle.conformance.truths import read_expected
from oracle.exact import parse_extended

pytestmark = pytest.mark.peer


def node(mechanism: str, **fields: Any) -> dict[str, Any]:
    return {"mechanism": mechanism, **fields}


RESPONSE = node("randomized_response", exp_epsilon="3")
GAUSSIAN = node("gaussian", sigma="1")
LAPLACE = node("laplace", scale="1")
PURE = {
    "rr": (RESPONSE, "log(3)"),
    "k-rr": (node("k_randomized_response", k=5, epsilon="1"), "1"),
    "laplace": (node("laplace", scale="3", sensitivity="2"), "2/3"),
    "discrete-laplace": (node("discrete_laplace", scale="2", sensitivity=3), "3/2"),
    "geometric": (node("geometric", ratio="1/2", sensitivity="2"), "log(4)"),
    "clamped": (node("geometric", ratio="1/2", low=0, high=5, values=[0, 1]), "log(2)"),
    "repeated": (node("repeat", times=10, of=RESPONSE), "log(59049)"),
    "group": (node("group", size=2, of=LAPLACE), "2"),
}
OTHERS = {
    "exponential": node("exponential", scores=[["0", "1"], ["1", "0"]], exp_epsilon="4"),
    "gaussian": GAUSSIAN,
    "gdp": node("gaussian_dp", mu="1/3"),
    "discrete-gaussian": node("discrete_gaussian", sigma="3/2", sensitivity=2),
    "composed": node("compose", of=[GAUSSIAN, LAPLACE]),
    "sampled": node("subsample_without_replacement", source=100, sample=10, neighbours="substitute", of=LAPLACE),
}


def ask(op: str, args: dict[str, Any]) -> Any:
    return InProcess(ADAPTER).ask(request("q", op, args))


def upper(op: str, args: dict[str, Any]) -> Any:
    value = answers.answer(request("q", op, args))["value"]
    return parse_extended(value["hi"] if isinstance(value, dict) else value)


@pytest.mark.parametrize("name", [*PURE, *OTHERS])
def test_answers_are_upper_bounds(name: str) -> None:
    """Delta and epsilon are at least what they are in exact numbers."""
    channel = PURE[name][0] if name in PURE else OTHERS[name]
    for op, question in (
        ("delta", {"epsilon": "log(5/4)"}),
        ("epsilon", {"delta": "1/100"}),
        ("delta", {"epsilon": "0"}),
    ):
        args = {"channel": channel, **question}
        assert parse_extended(ask(op, args).value) >= upper(op, args)


@pytest.mark.parametrize("name", PURE)
def test_a_pure_measurement_has_delta_0_at_its_epsilon(name: str) -> None:
    """The map is the mechanism's own epsilon up to the last bits, and delta 0 needs exactly it."""
    channel, epsilon = PURE[name]
    got = parse_extended(ask("epsilon", {"channel": channel, "delta": "0"}).value)
    least = upper("epsilon", {"channel": channel, "delta": "0"})
    assert least * (1 - parse_extended("1e-12")) <= got <= least * (1 + parse_extended("1e-12"))
    assert parse_extended(ask("delta", {"channel": channel, "epsilon": "20"}).value) == 0
    assert parse_extended(ask("delta", {"channel": channel, "epsilon": epsilon}).value) >= 0


@pytest.mark.parametrize(("channel", "order"), [(GAUSSIAN, "2"), (LAPLACE, "3"), (RESPONSE, "3/2"), (RESPONSE, "inf")])
def test_renyi_divergences(channel: dict[str, Any], order: str) -> None:
    """Order times rho, or epsilon, is no less than the divergence."""
    args = {"channel": channel, "order": order}
    value = answers.answer(request("q", "renyi", args))["value"]
    stated = {
        key: {"exact": x} if isinstance(x, str) else {"enclosure": [x["lo"], x["hi"]]} for key, x in value.items()
    }
    found = judge("renyi", args, Claimed("upper"), read_expected({"renyi": stated}), ask("renyi", args))
    assert found.verdict in {"exact", "sound", "loose"}


@pytest.mark.parametrize(
    ("op", "args"),
    [
        ("delta", {"channel": {"matrix": [["1/2", "1/2"], ["1/4", "3/4"]]}, "exp_epsilon": "1"}),
        ("delta", {"channel": RESPONSE, "exp_epsilon": "1/2"}),
        ("delta", {"channel": node("compose", of=[RESPONSE, LAPLACE]), "exp_epsilon": "1"}),
        ("delta", {"channel": node("group", size=2, of=RESPONSE), "exp_epsilon": "1"}),
        ("delta", {"channel": node("laplace", scale="1e-400"), "exp_epsilon": "1"}),
        (
            "delta",
            {
                "channel": node("poisson_subsample", rate="1/2", neighbours="add_remove", of=GAUSSIAN),
                "exp_epsilon": "1",
            },
        ),
        ("renyi", {"channel": GAUSSIAN, "order": "inf"}),
        ("renyi", {"channel": GAUSSIAN, "order": "-2"}),
        ("tradeoff", {"channel": GAUSSIAN, "alpha": "1/2"}),
    ],
)
def test_what_the_library_has_no_map_for_is_declined(op: str, args: dict[str, Any]) -> None:
    """Declined, never computed by the adapter."""
    assert ask(op, args).kind == "declined"


def test_hello_and_echo() -> None:
    """Every map is claimed to be an upper bound, and the numbers come back."""
    hello = InProcess("oracle.conformance.adapters.opendp:ADAPTER").hello()
    assert (hello.name, hello.claim("delta").kind) == ("opendp", "upper")
    assert echoes(ask("echo", {"values": list(AWKWARD)}).value) is None


@pytest.mark.parametrize(
    ("template", "field"),
    [
        (node("gaussian", sigma="?"), "sigma"),
        (node("laplace", scale="?", sensitivity="2"), "scale"),
        (node("repeat", times=10, of=node("gaussian", sigma="?")), "sigma"),
    ],
)
def test_a_calibrated_scale_is_enough(template: dict[str, Any], field: str) -> None:
    """Fed back into the exact delta it gives no more than was promised."""
    asked = {"epsilon": "1", "delta": "1/1000"}
    reply = ask("calibrate", {"channel": template, "field": field, **asked})
    assert upper("delta", {"channel": filled(template, reply.value), "epsilon": "1"}) <= parse_extended("1/1000")
    assert ask("calibrate", {"channel": template, "field": "rate", **asked}).kind == "declined"


@pytest.mark.parametrize(
    ("channel", "claim", "passes"),
    [
        (LAPLACE, {"epsilon": "1"}, True),
        (LAPLACE, {"epsilon": "0x1.fffffffffffffp-1"}, False),
        (GAUSSIAN, {"epsilon": "3", "delta": "1/100"}, True),
        (GAUSSIAN, {"epsilon": "1", "delta": "1/100"}, False),
        (GAUSSIAN, {"rho": "1/2"}, True),
        (GAUSSIAN, {"rho": "0x1.fffffffffffffp-2"}, False),
        (node("laplace", scale="1/900"), {"epsilon": "899"}, False),
    ],
)
def test_checks_of_a_claim(channel: dict[str, Any], claim: dict[str, str], passes: bool) -> None:
    """The library's own check, at the threshold and one double below it."""
    assert ask("satisfies", {"channel": channel, "claim": claim}).value is passes


def test_a_claim_without_a_check_is_declined() -> None:
    """The library has no mu."""
    assert ask("satisfies", {"channel": GAUSSIAN, "claim": {"mu": "1"}}).kind == "declined"
