"""Every generated question can be read by the engine, and the malformed ones have no answer."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from oracle.answers import OPS, answer
from oracle.conformance.fuzz.expressions import PRIMITIVES, SHAPES, kinds_in
from oracle.conformance.fuzz.questions import MALFORMED, Family, families, primitives_of, scenarios
from oracle.conformance.protocol import Hello

POINTS = ("delta", "hockey_stick", "epsilon", "tradeoff", "renyi", "mu", "total_variation", "satisfies")
OFFERED = Hello("all", "1", (*dict.fromkeys((*OPS, *POINTS, "calibrate")),), {}, vectors=True)
FEW = settings(max_examples=10, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))

FAMILIES = families(OFFERED)


def test_families_are_those_of_the_ops_offered() -> None:
    """Each op about a mechanism has every shape; ops that are not generated have none."""
    assert {family.shape for family in FAMILIES if family.op == "epsilon"} == {*SHAPES, MALFORMED}
    assert {family.op for family in FAMILIES}.isdisjoint({"hello", "echo", "simulate", "concurrent"})
    assert families(OFFERED, ["mu"]) == [Family("mu", shape) for shape in SHAPES]


@pytest.mark.parametrize("name", PRIMITIVES)
def test_every_primitive_is_an_expression(name: str) -> None:
    """The engine reads it: it answers its delta, or it is of another kind than it can decide."""
    kind = {"table": "table", "clamped_geometric": "geometric"}.get(name, name)

    @FEW
    @given(scenarios(Family("delta", "alone"), (name,), OFFERED))
    def check(scenario):
        first = scenario.probes[0]
        assert kind in kinds_in(first.args["channel"])
        assert "error" not in answer({"id": 1, "op": "delta", "args": {**first.args, "digits": 5}})

    check()


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_read(shape: str) -> None:
    """Of randomized response, or of tables, the engine answers the delta of each shape, or declines it."""

    @FEW
    @given(scenarios(Family("delta", shape), ("randomized_response",), OFFERED))
    def check(scenario):
        for probe in scenario.probes:
            if "epsilons" not in probe.args:
                assert "error" not in answer({"id": 1, "op": "delta", "args": {**probe.args, "digits": 5}})

    check()


@pytest.mark.parametrize("op", sorted({family.op for family in FAMILIES} - {*POINTS, "calibrate"}))
def test_operations_on_tables_are_read(op: str) -> None:
    """The engine answers them."""

    @FEW
    @given(scenarios(Family(op, "alone"), primitives_of(Family(op, "alone")), OFFERED))
    def check(scenario):
        assert "value" in answer({"id": 1, "op": op, "args": scenario.probes[0].args})

    check()


@pytest.mark.parametrize("op", sorted({family.op for family in FAMILIES if family.shape == MALFORMED}))
def test_malformed_questions_are_refused(op: str) -> None:
    """The engine answers each with an error, and the scenario says why."""

    @FEW
    @given(scenarios(Family(op, MALFORMED), ("table",), OFFERED))
    def check(scenario):
        assert scenario.rejects
        assert "error" in answer({"id": 1, "op": op, "args": scenario.probes[0].args})

    check()


def test_a_list_of_epsilons_is_asked_where_it_is_taken() -> None:
    """Lists are increasing, and of the epsilons that are asked alone too."""
    seen = []

    @settings(FEW, max_examples=60)
    @given(scenarios(Family("delta", "alone"), ("laplace",), OFFERED))
    def check(scenario):
        lists = [probe.args["epsilons"] for probe in scenario.probes if "epsilons" in probe.args]
        alone = {probe.args.get("epsilon") for probe in scenario.probes}
        assert all(set(listed) <= alone for listed in lists)
        seen.extend(lists)

    check()
    assert seen
