"""Certificates of couplings: what each of their conditions refuses."""

from __future__ import annotations

import pytest

from oracle.certificates.checker import Accepted, Rejected, check
from tests.certificates.checker.documents import DOCUMENTS, certificate

MAXIMAL = DOCUMENTS["coupling: maximal"]
NEAREST = DOCUMENTS["coupling: nearest"]
NONE = DOCUMENTS["no_coupling: too much mass on the first outcome"]
TRANSPORT = DOCUMENTS["transport: two by three"]


def changed(document, **fields):
    """The document with other fields, sealed again."""
    kept = {key: value for key, value in document.items() if key not in ("certificate", "version", "digest")}
    return certificate(document["certificate"], **{**kept, **fields})


@pytest.mark.parametrize(
    ("document", "fields", "reason"),
    [
        (
            MAXIMAL,
            {"entries": [[0, 1, "1/4"], [0, 2, "1/4"], [1, 0, "1/4"], [1, 2, "1/4"]]},
            "more mass on the diagonal",
        ),
        (MAXIMAL, {"distances": [["0"]]}, "expected null"),
        (MAXIMAL, {"first": ["1/2", "1/4"]}, "do not sum to 1"),
        (MAXIMAL, {"first": ["1/4", "3/4", "0"]}, "row 0 does not sum"),
        (MAXIMAL, {"entries": [[0, 0, "1/2"], [1, 1, "1/4"], [1, 2, "1/4"]]}, "column 0 does not sum"),
        (MAXIMAL, {"entries": [[0, 2, "1/4"], [0, 0, "1/4"], [1, 1, "1/4"], [1, 2, "1/4"]]}, "sorted strictly"),
        (MAXIMAL, {"entries": []}, "at least 1"),
        (MAXIMAL, {"entries": [[0, 3, "1"]]}, "index"),
        (NEAREST, {"distances": None}, "expected a list"),
        (NEAREST, {"distances": [["1", "inf", "2"]]}, "expected 2 rows"),
        (NEAREST, {"distances": [["1", "inf"], ["3", "2"]]}, "expected 3 entries"),
        (NEAREST, {"distances": [["1", "inf", "0"], ["3", "2", "2"]]}, "least finite distance"),
        (NEAREST, {"distances": [["inf", "inf", "inf"], ["3", "2", "2"]]}, "least finite distance"),
        (NEAREST, {"fact": "finite"}, "expected one of"),
        (NONE, {"event": [1], "event_mass": "1/3", "allowed_mass": "1/2"}, "no more mass"),
        (NONE, {"event_mass": "1"}, "not the stated number"),
        (NONE, {"fact": "maximal"}, "expected one of"),
        (TRANSPORT, {"value": "1"}, "cost of the coupling"),
        (TRANSPORT, {"first_potentials": ["1", "0"]}, "exceed the cost"),
        (TRANSPORT, {"first_potentials": ["0", "-1"]}, "value of the potentials"),
        (TRANSPORT, {"second_potentials": ["0", "1"]}, "expected 3 potentials"),
        (TRANSPORT, {"costs": [["0", "inf", "3"], ["2", "1", "1"]]}, "cost is infinite"),
    ],
)
def test_what_is_rejected(document, fields, reason):
    """One condition fails at a time."""
    with pytest.raises(Rejected, match=reason):
        check(changed(document, **fields))


def test_outcomes_that_second_never_gives_are_not_near():
    """A distance to an outcome of mass 0 does not count."""
    document = changed(
        NEAREST,
        second=["1/3", "2/3", "0"],
        distances=[["1", "inf", "0"], ["3", "2", "0"]],
        entries=[[0, 0, "1/3"], [1, 1, "2/3"]],
    )
    assert isinstance(check(document), Accepted)


def test_a_coupling_of_other_outcomes_is_no_maximal_one():
    """The diagonal needs the same outcomes."""
    document = certificate(
        "coupling",
        first=["1"],
        second=["1/2", "1/2"],
        fact="maximal",
        distances=None,
        entries=[[0, 0, "1/2"], [0, 1, "1/2"]],
    )
    with pytest.raises(Rejected, match="same outcomes"):
        check(document)
