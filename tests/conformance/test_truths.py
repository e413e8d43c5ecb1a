"""The shapes of a truth: read strictly, written back as they were."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.conformance.truths import Feeds, LeastEpsilon, expected_document, read_expected
from oracle.errors import InputError
from oracle.exact import INFINITY

DOCUMENTS = [
    {"exact": "1/4"},
    {"exact": "inf"},
    {"exact": {"matrix": [["1"], ["1"]]}},
    {"enclosure": ["0.25", "0.26"]},
    {"epsilon": {"lo": "0", "hi": "0", "exp_epsilon": "1"}},
    {"epsilon": {"lo": "1.5", "hi": "1.6"}},
    {"breakpoints": [["0", "1"], ["1/4", "1/4"], ["1", "0"]]},
    {"renyi": {"moment": {"exact": "7/3"}, "divergence": {"enclosure": ["0.8", "0.9"]}}},
    {"relation": False},
    {"rejects": "a row sums to 2"},
    {"one_of": [{"flag": "A", "expected": {"exact": "0"}}, {"flag": "B", "expected": {"rejects": "no run"}}]},
    {"feeds": {"op": "delta", "args": {"channel": {"sigma": "?"}}}, "at_most": "1e-5", "least": ["3.7", "3.8"]},
]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: next(iter(document)))
def test_a_truth_is_written_as_it_was_read(document):
    """Reading and writing are inverse to each other."""
    assert expected_document(read_expected(document)) == document


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"exact": "1/4", "enclosure": ["0", "1"]},
        {"exact": "a quarter"},
        {"exact": ""},
        {"enclosure": ["1", "0"]},
        {"enclosure": ["0"]},
        {"enclosure": ["0", "inf"]},
        {"epsilon": {"lo": "2", "hi": "1"}},
        {"epsilon": {"lo": "-1", "hi": "1"}},
        {"epsilon": {"lo": "0"}},
        {"breakpoints": []},
        {"breakpoints": [["0", "1", "2"]]},
        {"renyi": {}},
        {"renyi": {"moment": {"relation": True}}},
        {"renyi": {"moment": {"exact": {"matrix": []}}}},
        {"relation": "yes"},
        {"relation": 1},
        {"rejects": ""},
        {"one_of": [{"flag": "A", "expected": {"exact": "0"}}]},
        {"one_of": [{"flag": "A", "expected": {"one_of": []}}] * 2},
        {"feeds": {"op": "delta"}, "at_most": "1"},
        {"feeds": {"op": "delta", "args": {}}, "at_most": "1", "more": "2"},
        {"acceptable": "1/4"},
        ["exact", "1/4"],
        "1/4",
        None,
    ],
    ids=str,
)
def test_anything_else_is_refused_with_its_place(document):
    """A malformed truth is an input error that names where it stands."""
    with pytest.raises(InputError) as error:
        read_expected(document, "case.expected")
    assert error.value.where.startswith("case.expected")


def test_numbers_are_read_from_their_texts():
    """The ends of an enclosure and of an infinite epsilon."""
    bounds = read_expected({"enclosure": ["0.25", "1/3"]})
    assert (bounds.lower, bounds.upper) == (mpq(1, 4), mpq(1, 3))
    assert LeastEpsilon("inf", "inf", "inf").lower == INFINITY


def test_a_scale_is_put_in_place_of_every_mark():
    """Also inside lists; anything else stays."""
    feeds = Feeds("delta", {"channel": {"of": [{"sigma": "?"}, {"sigma": "2"}]}, "epsilon": "1"}, "1e-5")
    assert feeds.question("3") == {"channel": {"of": [{"sigma": "3"}, {"sigma": "2"}]}, "epsilon": "1"}
