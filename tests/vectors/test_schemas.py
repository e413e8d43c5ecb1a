"""The schemas are valid, closed and self-contained, and every fixture validates against its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from oracle.answers import OPS
from tests.vectors.fixture_files import FIXTURES, MECHANISMS, SCHEMAS, VECTORS, read_json, read_lines

if TYPE_CHECKING:
    from pathlib import Path

NAMES = sorted(path.name.removesuffix(".schema.json") for path in SCHEMAS.iterdir())
CONTRACT = read_lines(VECTORS / "contract.jsonl")

MALFORMED_BY_SHAPE = {
    "c21": "an empty list",
    "c39": "exp_epsilon and epsilon",
    "c40": "a JSON float",
    "c49": "no neighbours",
    "c50": "an unknown mechanism",
    "c67": "a negative probability",
}
"""Requests that the schema of a request refuses; the other malformed ones are well-shaped."""


def validator(name: str) -> Draft202012Validator:
    """The validator of one schema."""
    return Draft202012Validator(read_json(SCHEMAS / f"{name}.schema.json"))


def problems(name: str, document: Any) -> list[str]:
    """What a schema has to say against a document."""
    return [error.message for error in validator(name).iter_errors(document)]


def schema_of(path: Path) -> str:
    """The schema of a JSON fixture, from its folder and its keys."""
    if path.parent == MECHANISMS:
        if path.name == "index.json":
            return "mechanism_index"
        document = read_json(path)
        return "mechanism" if "mechanism" in document else "table" if "pairs" in document else "channel"
    assert path.parent == VECTORS
    return "vectors" if "kinds" in read_json(path) else "claim_vectors"


FILES = sorted(path for folder in (MECHANISMS, VECTORS) for path in folder.glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FIXTURES)))
def test_fixture_validates(path):
    """Every JSON fixture has the shape of its schema."""
    assert problems(schema_of(path), read_json(path)) == []


@pytest.mark.parametrize("line", CONTRACT, ids=lambda line: line["request"]["id"])
def test_contract_line_validates(line):
    """Requests and answers have their shapes, but for the requests that are malformed by shape."""
    assert set(line) - {"note"} == {"request", "answer"}
    assert problems("answer", line["answer"]) == []
    refused = problems("request", line["request"]) != []
    assert refused == (line["request"]["id"] in MALFORMED_BY_SHAPE)
    assert not refused or "error" in line["answer"]


def test_malformed_requests_exist():
    """The list of requests refused by shape names lines of the file."""
    assert set(MALFORMED_BY_SHAPE) <= {line["request"]["id"] for line in CONTRACT}


@pytest.mark.parametrize("name", NAMES)
def test_schema_is_a_schema(name):
    """Valid against the meta-schema of 2020-12, with a title, and without a reference to another file."""
    document = read_json(SCHEMAS / f"{name}.schema.json")
    Draft202012Validator.check_schema(document)
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert document["title"]
    assert all(reference.startswith("#/$defs/") for reference in _values(document, "$ref"))


def test_shared_definitions_are_the_same_everywhere():
    """A definition of one name has one text, and is used where it stands."""
    seen: dict[str, Any] = {}
    for name in NAMES:
        if name == "certificate":
            continue
        document = read_json(SCHEMAS / f"{name}.schema.json")
        definitions = document.get("$defs", {})
        assert {f"#/$defs/{key}" for key in definitions} == set(_values(document, "$ref"))
        for key, definition in definitions.items():
            assert seen.setdefault(key, definition) == definition
    for name in ("number", "channel", "tradeoff", "table", "mechanism"):
        document = read_json(SCHEMAS / f"{name}.schema.json")
        own = {key: value for key, value in document.items() if key not in ("$schema", "$defs", "title")}
        assert seen.get(name, own) == own or own == {"$ref": f"#/$defs/{name}"}


def test_schema_of_a_request_knows_the_arguments_of_every_op():
    """The arguments that the engine reads are in the schema, the required ones as required."""
    clauses = read_json(SCHEMAS / "request.schema.json")["allOf"]
    known = {clause["if"]["properties"]["op"]["const"]: clause["then"]["properties"]["args"] for clause in clauses}
    for name, op in OPS.items():
        assert {*op.required, *op.optional} <= set(known[name]["properties"])
        assert set(op.required) == set(known[name].get("required", []))


def _values(document: Any, key: str) -> list[str]:
    """Every value of a key at any depth."""
    if isinstance(document, list):
        return [value for item in document for value in _values(item, key)]
    if isinstance(document, dict):
        own = [document[key]] if isinstance(document.get(key), str) else []
        return own + [value for item in document.values() for value in _values(item, key)]
    return []


GOOD_NUMBERS = ["9/10", "-9/10", "+1/2", "0.05", ".5", "5.", "1e-6", "1E+6", "0x1.8p-1", "-0x.8P3", "007", "0/5", 7, -7]
BAD_NUMBERS = [
    "",
    " 1",
    "1 ",
    "1/0",
    "1/-2",
    "1/2.5",
    "50%",
    "nan",
    "inf",
    "0x1.8",
    "1e",
    "1e0.5",
    "1_000",
    "½",
    0.5,
    None,
    True,
]


@pytest.mark.parametrize("text", GOOD_NUMBERS, ids=repr)
def test_number_is_accepted(text):
    """The number grammar."""
    assert problems("number", text) == []


@pytest.mark.parametrize("text", BAD_NUMBERS, ids=repr)
def test_number_is_refused(text):
    """No float, percentage, infinity, space or zero denominator."""
    assert problems("number", text) != []


HALVES = [["1/2", "1/2"], ["1/2", "1/2"]]
RESPONSE = {"mechanism": "randomized_response", "exp_epsilon": "3"}
COMPOSITES = [
    {"mechanism": "compose", "of": [RESPONSE, {"matrix": HALVES}]},
    {"mechanism": "repeat", "times": "+10", "of": {"mechanism": "repeat", "times": 0, "of": RESPONSE}},
    {"mechanism": "visible", "r": "1/3", "left": RESPONSE, "right": {"matrix": HALVES}},
    {"mechanism": "hidden", "r": 1, "left": RESPONSE, "right": RESPONSE},
    {"mechanism": "post", "post": [["1"], ["1"]], "of": RESPONSE},
    {"mechanism": "pre", "pre": [["1", "0", "0"], ["0", "0", "1"]], "of": {"matrix": [*HALVES, ["1", "0"]]}},
]


@pytest.mark.parametrize("document", COMPOSITES, ids=lambda document: document["mechanism"])
def test_mechanisms_stand_inside_one_another(document):
    """Where a mechanism is made of others, each may be an expression or a bare channel, at any depth."""
    assert problems("mechanism", document) == []
    for name in ("compose", "repeat"):
        inside = {"of": [document]} if name == "compose" else {"times": 2, "of": document}
        assert problems("mechanism", {"mechanism": name, **inside}) == []
    assert problems("request", {"id": "a", "op": "canonical", "args": {"channel": document}}) == []


REFUSED = [
    ("channel", {"matrix": HALVES, "note": "half"}),
    ("channel", {"matrix": []}),
    ("channel", {"matrix": [[]]}),
    ("channel", {"matrix": [[0.5, 0.5]]}),
    ("channel", {"matrix": HALVES, "outputs": ["a", "a"]}),
    ("channel", {"mechanism": "channel", "matrix": HALVES}),
    ("tradeoff", {"breakpoints": [["0", "1"]]}),
    ("tradeoff", {"breakpoints": [["0", "1"], ["1", "0", "0"]]}),
    ("tradeoff", {"breakpoints": [["0", "1"], ["1", "0"]], "delta": "0"}),
    ("table", {"matrix": HALVES, "inputs": ["a", "b"]}),
    ("table", {"matrix": HALVES, "pairs": [["a", "b"]]}),
    ("table", {"matrix": HALVES, "inputs": ["a", "b"], "pairs": [["a"]]}),
    ("mechanism", {"matrix": HALVES}),
    ("mechanism", {"mechanism": "randomized_response"}),
    ("mechanism", {"mechanism": "randomized_response", "exp_epsilon": "3", "epsilon": "log(3)"}),
    ("mechanism", {"mechanism": "randomized_response", "epsilon": "-1"}),
    ("mechanism", {"mechanism": "randomized_response", "exp_epsilon": "3", "delta": "0"}),
    ("mechanism", {"mechanism": "approximate_randomized_response", "exp_epsilon": "3"}),
    ("mechanism", {"mechanism": "k_randomized_response", "exp_epsilon": "3"}),
    ("mechanism", {"mechanism": "k_randomized_response", "k": "4.5", "exp_epsilon": "3"}),
    ("mechanism", {"mechanism": "geometric", "ratio": "1/2", "low": 0, "high": 4}),
    ("mechanism", {"mechanism": "geometric", "ratio": "1/2", "low": 0, "high": 4, "values": [0, 1], "sensitivity": 1}),
    ("mechanism", {"mechanism": "exponential", "scores": [["0", "1"]], "exp_epsilon": "4"}),
    ("mechanism", {"mechanism": "no_such_thing"}),
    ("mechanism", {"mechanism": "compose", "of": []}),
    ("mechanism", {"mechanism": "compose", "of": RESPONSE}),
    ("mechanism", {"mechanism": "compose", "of": [{"mechanism": "no_such_thing"}]}),
    ("mechanism", {"mechanism": "repeat", "of": RESPONSE}),
    ("mechanism", {"mechanism": "repeat", "times": -1, "of": RESPONSE}),
    ("mechanism", {"mechanism": "repeat", "times": "1/2", "of": RESPONSE}),
    ("mechanism", {"mechanism": "repeat", "times": 2, "of": {"mechanism": "randomized_response"}}),
    ("mechanism", {"mechanism": "visible", "r": "1/2", "left": RESPONSE}),
    ("mechanism", {"mechanism": "hidden", "r": "-1/2", "left": RESPONSE, "right": RESPONSE}),
    ("mechanism", {"mechanism": "hidden", "r": 0.5, "left": RESPONSE, "right": RESPONSE}),
    ("mechanism", {"mechanism": "post", "pre": HALVES, "of": RESPONSE}),
    ("mechanism", {"mechanism": "pre", "pre": [*HALVES, ["1", "0"]], "of": RESPONSE}),
    ("mechanism", {"mechanism": "pre", "pre": HALVES, "of": {"matrix": HALVES, "note": ""}}),
    ("request", {"id": "a", "op": "delta", "args": {"channel": {"mechanism": "repeat", "times": 2}, "epsilon": "1"}}),
    ("request", {"op": "echo", "args": {"values": []}}),
    ("request", {"id": "a", "op": "echo", "args": {"values": ["nan"]}}),
    ("request", {"id": "a", "op": "echo"}),
    ("request", {"id": "a", "op": "canonical", "args": {"channel": {"matrix": HALVES}, "digits": 3}}),
    ("request", {"id": "a", "op": "hello", "args": {}, "note": ""}),
    ("answer", {"id": "a"}),
    ("answer", {"id": "a", "value": "1", "error": "both"}),
    ("answer", {"id": "a", "value": "2/1"}),
    ("answer", {"id": "a", "value": "-0"}),
    ("answer", {"id": "a", "value": {"lo": "1"}}),
    ("answer", {"id": "a", "value": {"holds": True, "witness": {"rows": 1, "columns": 1, "entries": [[0, 0]]}}}),
]


@pytest.mark.parametrize(("name", "document"), REFUSED, ids=[f"{name}-{i}" for i, (name, _) in enumerate(REFUSED)])
def test_malformed_document_is_refused(name, document):
    """Unknown keys, missing keys and wrong shapes are refused."""
    assert problems(name, document) != []
