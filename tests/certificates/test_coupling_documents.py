"""Certificates of couplings by example: exactly the fields of each kind, sealed and accepted."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.certificates import coupling_documents as documents
from oracle.certificates.checker import Rejected, check
from oracle.channels.channel import Channel
from oracle.exact import INFINITY

HALF = [mpq(1, 2), mpq(1, 2)]


def test_a_coupling_states_its_laws_and_entries() -> None:
    certificate = documents.coupling_certificate(HALF, HALF, {(1, 1): mpq(1, 2), (0, 0): mpq(1, 2)}, "maximal")
    assert check(certificate).statement.endswith("the two differ with probability 0.")
    del certificate["digest"]
    assert certificate == {
        "certificate": "coupling",
        "version": 1,
        "first": ["1/2", "1/2"],
        "second": ["1/2", "1/2"],
        "fact": "maximal",
        "distances": None,
        "entries": [[0, 0, "1/2"], [1, 1, "1/2"]],
    }


def test_no_coupling_states_both_masses() -> None:
    distances = [[INFINITY, mpq(2)], [mpq(0), mpq(1)]]
    certificate = documents.no_coupling_certificate([mpq(2, 3), mpq(1, 3)], HALF, distances, "finite", [0])
    assert check(certificate).kind == "no_coupling"
    assert (certificate["event_mass"], certificate["allowed_mass"]) == ("2/3", "1/2")
    assert certificate["distances"] == [["inf", "2"], ["0", "1"]]


def test_a_transport_states_what_its_entries_cost() -> None:
    costs = [[mpq(0), mpq(3)], [mpq(3), mpq(1)]]
    entries = {(0, 0): mpq(1, 2), (1, 1): mpq(1, 2)}
    certificate = documents.transport_certificate(HALF, HALF, costs, entries, ([mpq(0), mpq(1)], [mpq(0), mpq(0)]))
    assert certificate["value"] == "1/2"
    assert check(certificate).kind == "transport"
    worse = documents.transport_certificate(HALF, HALF, costs, entries, ([mpq(0), mpq(0)], [mpq(0), mpq(0)]))
    with pytest.raises(Rejected, match="value of the potentials"):
        check(worse)


def test_a_fact_about_a_hockey_stick() -> None:
    fact = documents.hockey_stick_fact(Channel([["3/4", "1/4"], ["1/4", "3/4"]]), mpq(2), "backward")
    matrix = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
    assert fact == {"fact": "hockey_stick", "channel": matrix, "level": "2", "direction": "backward", "value": "1/4"}
