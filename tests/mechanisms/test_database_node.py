"""The node ``database``: read strictly, asked as the pair of its worst case."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.answers import answer
from oracle.certificates.checker import check
from oracle.errors import InputError, LimitError
from oracle.mechanisms.parse import parse_mechanism

NODE = {
    "mechanism": "database",
    "universe": ["a", "b"],
    "kind": "set",
    "neighbours": "add_remove",
    "table": [
        {"database": [], "row": ["1/2", "1/2"]},
        {"database": ["a"], "row": ["1/4", "3/4"]},
        {"database": ["b"], "row": ["3/5", "2/5"]},
    ],
}


def ask(op, **args):
    """The value of an answer."""
    return answer({"id": 1, "op": op, "args": {"channel": NODE, **args}})["value"]


def test_the_profile_is_the_largest_of_the_pairs():
    """Removing a raises the second outcome from 1/2 to 3/4, removing b lowers it from 1/2 to 2/5."""
    assert ask("delta", exp_epsilon="1") == "1/4"
    assert ask("hockey_stick", exp_epsilon="3/2", direction="backward") == "1/8"
    assert ask("epsilon", delta="0")["exp_epsilon"] == "2"


def test_a_verdict_has_a_certificate_about_the_worst_case():
    """Held at e^epsilon = 2, refuted below."""
    for level, holds in (("2", True), ("19/10", False)):
        value = ask("satisfies", claim={"exp_epsilon": level})
        assert value["holds"] is holds
        assert check(value["certificate"]).kind == ("dp_held" if holds else "dp_refuted")


def test_numbers_and_defaults():
    """Sources are of the kind of the table, numbers of any exact form, sets in the order of the universe."""
    document = {**NODE, "table": [{"database": ["b", "a"], "row": ["0.5", "1/2"]}]}
    node = parse_mechanism(document)
    assert node.sources == "set"
    assert node.mechanism.table == {("a", "b"): (mpq(1, 2), mpq(1, 2))}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"neighbours": "adjacent"}, "add_remove, substitute"),
        ({"kind": "bag"}, "set, multiset, tuple"),
        ({"sources": None}, "sources"),
        ({"universe": "ab"}, "a list of records"),
        ({"universe": ["a", "a"]}, "distinct"),
        ({"universe": [1]}, "text"),
        ({"table": []}, "at least one database"),
        ({"table": ["a"]}, r"table\[0\]"),
        ({"table": [{"database": [], "row": ["1"], "note": ""}]}, "note"),
        ({"table": [{"database": []}]}, '"row"'),
        ({"table": [{"database": [], "row": []}]}, "at least one output"),
        ({"table": [{"database": [1], "row": ["1"]}]}, "records as text"),
        ({"table": [{"database": ["z"], "row": ["1"]}]}, "records of the universe"),
        ({"table": [{"database": ["a", "a"], "row": ["1"]}]}, "at most once"),
        ({"table": [{"database": [], "row": ["1"]}] * 2}, "each database once"),
        ({"table": [{"database": [], "row": ["1/2"]}]}, "sums to 1"),
        ({"table": [{"database": [], "row": [0.5, 0.5]}]}, "quote|string"),
        ({"more": 1}, "more"),
    ],
)
def test_what_is_refused(fields, message):
    """Each with its place."""
    with pytest.raises(InputError, match=message):
        parse_mechanism({**NODE, **fields})


@pytest.mark.parametrize("field", ["universe", "kind", "neighbours", "table"])
def test_every_field_is_needed(field):
    """Neighbours has no default."""
    with pytest.raises(InputError, match=field):
        parse_mechanism({key: value for key, value in NODE.items() if key != field})


def test_too_many_databases():
    """A stated limit."""
    with pytest.raises(LimitError, match="databases"):
        parse_mechanism({**NODE, "table": [{}] * 20_001})
