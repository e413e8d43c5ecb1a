"""The parts of an audit report that are not results: its input, its pairs, and that their hashes belong together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .matrices import matrix, matrix_hash
from .reading import choice, fields, index, items
from .verdict import Rejected

Document = dict[str, object]

_HEX = re.compile(r"[0-9a-f]{64}")
_FIELD = re.compile(r"[a-z_]+(?:\.[a-z_]+)+")
_LONGEST_LABEL = 200
_INPUT = ("name", "form", "sha256", "parsed_sha256", "shape", "finite", "irrational")
_PAIR = ("p", "q", "rows", "sha256", "total_variation", "bayes_error", "symmetric", "tradeoff")


def require(condition: bool, reason: str, where: str) -> None:
    """Reject unless the condition is met."""
    if not condition:
        raise Rejected(reason, where)


def text(value: object, where: str) -> str:
    """Read text that is not empty."""
    if not isinstance(value, str) or not value:
        raise Rejected("expected text", where)
    return value


def sha256(value: object, where: str) -> None:
    """Read the hexadecimal digits of a SHA-256."""
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise Rejected("expected a SHA-256", where)


def boolean(value: object, where: str) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise Rejected("expected true or false", where)
    return value


def count(value: object, least: int, where: str) -> int:
    """Read an integer of at least the given one."""
    if type(value) is not int or value < least:
        raise Rejected(f"expected an integer of at least {least}", where)
    return value


def read_declared(value: object) -> None:
    """Read the declared facts: texts by name, which nothing certifies."""
    if not isinstance(value, dict):
        raise Rejected("expected an object", "$.declared")
    for name, told in value.items():
        require(_FIELD.fullmatch(name) is not None, "expected names of fields", "$.declared")
        text(told, f"$.declared.{name}")


def read_input(value: object) -> Document:
    """Read what was audited."""
    known = ("expression", "table", "interactive")
    optional = [name for name in known if isinstance(value, dict) and name in value]
    require(len(optional) < 2, "expected an expression, a table or an interactive mechanism", "$.input")
    source = fields(value, (*_INPUT, *optional), "$.input")
    text(source["name"], "$.input.name")
    choice(source["form"], ("json", "csv", "tsv", "python"), "$.input.form")
    if source["sha256"] is not None or source["form"] != "python":
        sha256(source["sha256"], "$.input.sha256")
    sha256(source["parsed_sha256"], "$.input.parsed_sha256")
    if "expression" in source:
        expression = source["expression"]
        named = isinstance(expression, dict) and isinstance(expression.get("mechanism"), str)
        require(named, "expected a mechanism expression", "$.input.expression")
    return source


def read_pair(value: object, inputs: int, where: str) -> Document:
    """Read a pair of inputs."""
    pair = fields(value, _PAIR, where)
    for name in ("p", "q"):
        require(isinstance(pair[name], str), "expected a label", f"{where}.{name}")
    rows = [index(row, inputs, f"{where}.rows") for row in items(pair["rows"], f"{where}.rows")]
    require(len(rows) == 2 and rows[0] != rows[1], "expected two different rows", f"{where}.rows")
    sha256(pair["sha256"], f"{where}.sha256")
    boolean(pair["symmetric"], f"{where}.symmetric")
    fields(pair["tradeoff"], ("forward", "backward"), f"{where}.tradeoff")
    return pair


def check_probabilities(source: Document, pairs: Sequence[Document]) -> None:
    """The hashes of a table and of its pairs belong together; for an interactive mechanism see `check_tree`."""
    if "interactive" in source:
        return
    if "table" not in source:
        shape = fields(source["shape"], ("inputs", "outputs"), "$.input.shape")
        for k, pair in enumerate(pairs):
            same = pair["rows"] != [0, 1] or shape["inputs"] != 2 or pair["sha256"] == source["parsed_sha256"]
            require(same, "is not the hash of the input", f"$.pairs[{k}].sha256")
        return
    where = "$.input.table"
    value = source["table"]
    labels = [name for name in ("inputs", "outputs") if isinstance(value, dict) and name in value]
    table = fields(value, ("matrix", *labels), where)
    rows = matrix(table["matrix"], f"{where}.matrix")
    texts = items(table["matrix"], where)
    require(
        source["shape"] == {"inputs": len(rows), "outputs": len(rows[0])}, "is not that of the table", "$.input.shape"
    )
    for name in labels:
        listed = items(table[name], f"{where}.{name}")
        fits = len(listed) == len(rows if name == "inputs" else rows[0]) and len(set(map(str, listed))) == len(listed)
        require(
            fits and all(isinstance(label, str) for label in listed), "expected a label for each", f"{where}.{name}"
        )
    found = matrix_hash(table["matrix"])
    require(source["parsed_sha256"] == found, "is not the hash of the table", "$.input.parsed_sha256")
    names = items(table["inputs"], where) if "inputs" in table else ["P", "Q"]
    require(len(names) == len(rows), "expected a label for each", f"{where}.inputs")
    for k, pair in enumerate(pairs):
        first, second = (index(row, len(rows), "$.pairs") for row in items(pair["rows"], "$.pairs"))
        same = pair["sha256"] == matrix_hash([texts[first], texts[second]])
        require(same, "is not the hash of these rows of the table", f"$.pairs[{k}].sha256")
        for name, row in (("p", first), ("q", second)):
            label = str(names[row])
            # A label that is long or not printable is written in another way.
            plain = label.isprintable() and len(label) <= _LONGEST_LABEL
            require(not plain or pair[name] == label, "is not the label of its row", f"$.pairs[{k}].{name}")
