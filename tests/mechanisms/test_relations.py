"""The neighbouring relation that an expression states."""

from __future__ import annotations

import pytest

from oracle.answers import answer
from oracle.errors import InputError
from oracle.mechanisms.parse import parse_mechanism
from oracle.mechanisms.relations import relation_of, walk

LAPLACE = {"mechanism": "laplace", "scale": "1"}
RESPONSE = {"mechanism": "randomized_response", "exp_epsilon": "3"}


def database(neighbours: str) -> dict:
    rows = [([], ["1/2", "1/2"]), (["a"], ["1/4", "3/4"]), (["b"], ["3/4", "1/4"])]
    table = [{"database": list(records), "row": row} for records, row in rows]
    return {"mechanism": "database", "universe": ["a", "b"], "kind": "set", "neighbours": neighbours, "table": table}


def poisson(neighbours: str, of: dict, rate: str = "1/2") -> dict:
    return {"mechanism": "poisson_subsample", "rate": rate, "neighbours": neighbours, "of": of}


def fixed(neighbours: str, of: dict, size: int = 1) -> dict:
    fields = {"source": size, "sample": size, "neighbours": neighbours, "of": of}
    return {"mechanism": "subsample_without_replacement", **fields}


def composed(*parts: dict) -> dict:
    return {"mechanism": "compose", "of": list(parts)}


@pytest.mark.parametrize(
    ("expression", "relation"),
    [
        (RESPONSE, None),
        (composed(RESPONSE, LAPLACE), None),
        (database("substitute"), "substitute"),
        (composed(database("add_remove"), RESPONSE), "add_remove"),
        (poisson("substitute", LAPLACE), "substitute"),
        (poisson("add_remove", poisson("add_remove", LAPLACE)), "add_remove"),
        (poisson("add_remove", database("substitute")), "add_remove"),
        (fixed("substitute", composed(database("substitute"))), "substitute"),
    ],
)
def test_an_expression_states_one_relation_or_none(expression: dict, relation: str | None) -> None:
    assert relation_of(parse_mechanism(expression)) == relation


@pytest.mark.parametrize(
    "expression",
    [
        fixed("substitute", composed(database("add_remove"))),
        fixed("substitute", {"mechanism": "repeat", "times": 1, "of": database("add_remove")}),
        fixed("substitute", poisson("add_remove", database("substitute"), "1")),
        fixed("substitute", poisson("add_remove", LAPLACE), 2),
        poisson("add_remove", composed(database("substitute")), "1"),
        poisson("add_remove", poisson("substitute", LAPLACE)),
        composed(database("add_remove"), database("substitute")),
        {"mechanism": "visible", "r": "1/2", "left": database("add_remove"), "right": database("substitute")},
    ],
)
def test_parts_over_different_relations_do_not_go_together(expression: dict) -> None:
    with pytest.raises(InputError, match="neighbour"):
        relation_of(parse_mechanism(expression))
    reply = answer({"id": 1, "op": "delta", "args": {"channel": expression, "exp_epsilon": "1"}})
    assert "neighbour" in reply["error"]


def test_walking_meets_every_part_once() -> None:
    names = [type(part).__name__ for part in walk(parse_mechanism(composed(RESPONSE, poisson("add_remove", LAPLACE))))]
    assert names == ["Compose", "RandomizedResponse", "PoissonSubsample", "Laplace"]


def test_renyi_of_a_database_node_is_declined_wherever_it_stands() -> None:
    for expression in (database("add_remove"), composed(database("add_remove"))):
        reply = answer({"id": 1, "op": "renyi", "args": {"channel": expression, "order": "2"}})
        assert "database" in reply["declined"]
