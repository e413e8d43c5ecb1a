"""Each library behind its adapter, where it is installed: answers on their side, and what is declined."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oracle import answers
from oracle.conformance.adapters.libraries import LIBRARIES, serving_command
from oracle.conformance.adapters.templates import filled
from oracle.conformance.judging import judge
from oracle.conformance.pipes import Piped
from oracle.conformance.protocol import AWKWARD, Reply, echoes, request
from oracle.conformance.truths import read_expected
from oracle.exact import parse_extended

pytestmark = pytest.mark.peer

ENVIRONMENTS = Path(__file__).parents[3] / ".peers"
FINE = ("exact", "sound", "loose", "unsound-rounding")


def node(mechanism: str, **fields: Any) -> dict[str, Any]:
    return {"mechanism": mechanism, **fields}


GAUSSIAN = node("gaussian", sigma="1")
LAPLACE = node("laplace", scale="2")
RESPONSE = node("randomized_response", exp_epsilon="3")
APPROXIMATE = node("approximate_randomized_response", epsilon="1", delta="1/1000")
SAMPLED = node("poisson_subsample", rate="1/100", neighbours="add_remove", of=GAUSSIAN)
TRAINING = node("repeat", times=100, of=SAMPLED)
TABLE = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
TWO = node("compose", of=[GAUSSIAN, LAPLACE])

DELTA = {"epsilon": "1/2"}
EPSILON = {"delta": "1/100000"}
ALPHA = {"alpha": "1/4"}
ORDER = {"order": "3"}

ANSWERED = [
    *(("dp-accounting-rdp", "delta", channel, DELTA) for channel in (GAUSSIAN, LAPLACE, RESPONSE, TRAINING, TWO)),
    *(("dp-accounting-rdp", "epsilon", channel, EPSILON) for channel in (GAUSSIAN, TRAINING)),
    ("dp-accounting-rdp", "epsilon", node("repeat", times=10, of=RESPONSE), EPSILON),
    ("dp-accounting-rdp", "epsilon", node("repeat", times=10, of=APPROXIMATE), {"delta": "1/50"}),
    ("dp-accounting-rdp", "hockey_stick", GAUSSIAN, DELTA),
    *(
        (name, "delta", channel, DELTA)
        for name in ("prv-accountant", "prv-accountant-lower")
        for channel in (GAUSSIAN, LAPLACE, RESPONSE, APPROXIMATE, SAMPLED, TRAINING, TWO, node("gaussian_dp", mu="1/2"))
    ),
    ("prv-accountant", "delta", node("k_randomized_response", k=3, epsilon="1"), DELTA),
    *((name, "epsilon", TRAINING, EPSILON) for name in ("prv-accountant", "prv-accountant-lower")),
    ("prv-accountant", "hockey_stick", SAMPLED, DELTA),
    *(("riskcal", "tradeoff", channel, ALPHA) for channel in (LAPLACE, RESPONSE, APPROXIMATE, TABLE)),
    ("riskcal", "tradeoff", node("gaussian_dp", mu="1/2"), ALPHA),
    *(("gdpnum", "tradeoff", channel, ALPHA) for channel in (LAPLACE, RESPONSE, TABLE)),
    ("gdpnum", "mu", TABLE, {}),
    *(("dp-accelerator", "epsilon", channel, EPSILON) for channel in (GAUSSIAN, SAMPLED, TRAINING)),
    ("dp-accelerator", "renyi", GAUSSIAN, ORDER),
    *((name, "epsilon", TRAINING, EPSILON) for name in ("opacus-rdp", "opacus-prv", "opacus-gdp")),
    *(("opacus-rdp", "renyi", channel, ORDER) for channel in (GAUSSIAN, SAMPLED)),
    ("qif", "vulnerability", TABLE, {"gain": [["1", "0"], ["0", "1"]]}),
    *(("autodp", "delta", channel, DELTA) for channel in (GAUSSIAN, LAPLACE, RESPONSE, SAMPLED, TRAINING, TWO)),
    ("autodp", "delta", node("discrete_gaussian", sigma="2"), DELTA),
    ("autodp", "delta", node("exponential", scores=[["1", "0"], ["0", "1"]], epsilon="1"), DELTA),
    ("autodp", "delta", node("k_randomized_response", k=3, epsilon="1"), DELTA),
    ("autodp", "hockey_stick", GAUSSIAN, DELTA),
    *(("autodp", "epsilon", channel, EPSILON) for channel in (GAUSSIAN, LAPLACE, TRAINING)),
    *(("autodp", "renyi", channel, ORDER) for channel in (GAUSSIAN, LAPLACE, RESPONSE)),
    *(("autodp", "tradeoff", channel, ALPHA) for channel in (GAUSSIAN, LAPLACE, node("gaussian_dp", mu="1/2"))),
    ("fourier-accountant", "delta", TRAINING, DELTA),
    ("fourier-accountant", "hockey_stick", TRAINING, {**DELTA, "direction": "both"}),
    ("fourier-accountant", "epsilon", TRAINING, EPSILON),
    *(("diffprivlib", "epsilon", channel, {"delta": "1/100"}) for channel in (LAPLACE, RESPONSE, APPROXIMATE)),
    ("diffprivlib", "epsilon", node("repeat", times=30, of=RESPONSE), EPSILON),
]

CALIBRATED = [
    ("opacus-rdp", node("repeat", times=100, of={**SAMPLED, "of": node("gaussian", sigma="?")}), "sigma", "1e-5"),
    ("opacus-prv", node("gaussian", sigma="?"), "sigma", "1e-5"),
    ("autodp", node("gaussian", sigma="?"), "sigma", "1e-2"),
    ("diffprivlib", node("gaussian", sigma="?", sensitivity="2"), "sigma", "1e-5"),
    ("diffprivlib", node("laplace", scale="?"), "scale", "1e-3"),
    ("diffprivlib", node("discrete_laplace", scale="?"), "scale", "0"),
]

DECLINED = [
    ("dp-accounting-rdp", "delta", TABLE, DELTA),
    ("dp-accounting-rdp", "hockey_stick", SAMPLED, DELTA),
    ("prv-accountant", "delta", TABLE, DELTA),
    ("prv-accountant", "delta", SAMPLED, {**DELTA, "direction": "backward"}),
    ("prv-accountant", "epsilon", GAUSSIAN, {"delta": "1e-40"}),
    ("prv-accountant-lower", "delta", node("k_randomized_response", k=3, epsilon="1"), DELTA),
    ("riskcal", "tradeoff", TABLE, {}),
    ("gdpnum", "tradeoff", TABLE, {}),
    ("dp-accelerator", "epsilon", LAPLACE, EPSILON),
    ("dp-accelerator", "epsilon", node("compose", of=[GAUSSIAN, SAMPLED]), EPSILON),
    ("opacus-rdp", "epsilon", SAMPLED, {**EPSILON, "direction": "forward"}),
    ("opacus-rdp", "renyi", GAUSSIAN, {"order": "inf"}),
    ("opacus-prv", "epsilon", GAUSSIAN, {"delta": "0"}),
    ("opacus-gdp", "epsilon", node("compose", of=[GAUSSIAN, SAMPLED]), EPSILON),
    ("qif", "vulnerability", GAUSSIAN, {"gain": [["1", "0"], ["0", "1"]]}),
    ("autodp", "delta", TABLE, DELTA),
    ("autodp", "hockey_stick", SAMPLED, DELTA),
    ("autodp", "delta", node("exponential", scores=[["9", "0"], ["0", "9"]], epsilon="1"), DELTA),
    ("fourier-accountant", "delta", GAUSSIAN, DELTA),
    ("fourier-accountant", "delta", TRAINING, {"epsilon": "0"}),
    ("diffprivlib", "epsilon", GAUSSIAN, EPSILON),
    ("diffprivlib", "epsilon", APPROXIMATE, EPSILON),
]


@pytest.fixture(scope="module")
def subjects() -> Iterator[dict[str, Piped]]:
    """A program for each library, started when it is first asked."""
    found = {
        name: Piped(serving_command(name, str(ENVIRONMENTS / library.environment / "bin/python")), 120)
        for name, library in LIBRARIES.items()
    }
    yield found
    for subject in found.values():
        subject.close()


def ask(subject: Piped, op: str, args: dict[str, Any]) -> Reply:
    return subject.ask(request("q", op, args))


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_library_says_who_it_is(name: str, subjects: dict[str, Piped]) -> None:
    """At the version that the table states, with a claim for each op, and numbers come back unchanged."""
    hello = subjects[name].hello()
    if LIBRARIES[name].packages:
        assert LIBRARIES[name].packages[0] == f"{hello.name}=={hello.version}"
        assert set(hello.claims) == {op for op in hello.ops if op not in ("hello", "echo")}
    assert echoes(ask(subjects[name], "echo", {"values": list(AWKWARD)}).value) is None


@pytest.mark.parametrize(("name", "op", "channel", "further"), ANSWERED)
def test_an_answer_is_on_its_side(
    name: str, op: str, channel: dict[str, Any], further: dict[str, Any], subjects: dict[str, Piped]
) -> None:
    """By the library's own claim, up to rounding."""
    args = {"channel": channel, **further}
    value = answers.answer(request("q", op, args))["value"]
    value = value["beta"] if op == "tradeoff" and "beta" in value else value
    if op == "renyi":
        stated: Any = {"renyi": {key: _truth(x) for key, x in value.items()}}
    else:
        stated = {"epsilon": value} if op == "epsilon" else _truth(value)
    reply = ask(subjects[name], op, args)
    assert reply.kind == "value", reply.message
    found = judge(op, args, subjects[name].hello().claim(op), read_expected(stated), reply)
    assert found.verdict in FINE, found


def _truth(value: Any) -> dict[str, Any]:
    return {"exact": value} if isinstance(value, str) else {"enclosure": [value["lo"], value["hi"]]}


@pytest.mark.parametrize(("name", "template", "field", "delta"), CALIBRATED)
def test_a_calibrated_scale_is_enough(
    name: str, template: dict[str, Any], field: str, delta: str, subjects: dict[str, Piped]
) -> None:
    """Fed back into the exact delta it gives no more than was promised, up to rounding."""
    reply = ask(subjects[name], "calibrate", {"channel": template, "field": field, "epsilon": "1", "delta": delta})
    assert reply.kind == "value", reply.message
    question = request("q", "delta", {"channel": filled(template, reply.value), "epsilon": "1"})
    value = answers.answer(question)["value"]
    largest = parse_extended(value if isinstance(value, str) else value["hi"])
    assert largest <= parse_extended(delta) * (1 + parse_extended("1e-9"))


@pytest.mark.parametrize(("name", "op", "channel", "further"), DECLINED)
def test_what_is_not_offered_is_declined(
    name: str, op: str, channel: dict[str, Any], further: dict[str, Any], subjects: dict[str, Piped]
) -> None:
    """Never computed by the adapter."""
    assert ask(subjects[name], op, {"channel": channel, **further}).kind == "declined"


def test_channels_are_compared_exactly(subjects: dict[str, Piped]) -> None:
    """Refinement and parallel composition in rational arithmetic, by qif."""
    nothing = {"matrix": [["1"], ["1"]]}
    assert ask(subjects["qif"], "refines", {"left": TABLE, "right": nothing}).value is True
    assert ask(subjects["qif"], "refines", {"left": nothing, "right": TABLE}).value is False
    composed = ask(subjects["qif"], "parallel", {"channels": [TABLE, nothing]}).value
    assert composed == TABLE
    assert ask(subjects["qif"], "refines", {"left": TABLE, "right": {"matrix": [["1"]] * 3}}).kind == "declined"
