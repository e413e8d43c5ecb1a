"""Tables of doubles: what a policy does, and what is decided within some units in the last place."""

from __future__ import annotations

import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from gmpy2 import mpq

from oracle.audits.doubles import WithinRoundingError, audit_doubles, table_of_doubles
from oracle.audits.run import audit
from oracle.errors import InputError

DYADIC = [[0.75, 0.25], [0.25, 0.75]]
TENTHS = [[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]]


def test_rows_that_sum_to_one_are_taken_as_they_are():
    """Binary fractions: the table of 3/4 and 1/4."""
    table = table_of_doubles(np.array(DYADIC), "refuse")
    assert table.channel.to_json()["matrix"] == [["3/4", "1/4"], ["1/4", "3/4"]]
    assert audit(table, "exp_eps=3").equality


def test_a_defect_is_shown_exactly():
    """0.7 + 0.2 + 0.1 is not 1: the defect of its doubles as a fraction."""
    defect = sum(map(Fraction, TENTHS[0])) - 1
    sign = "+" if defect > 0 else "-"
    with pytest.raises(InputError) as refused:
        table_of_doubles(TENTHS, "refuse")
    assert f"a sum of 1 {sign} {abs(defect)}" in str(refused.value)


def test_rows_are_divided_by_their_sums():
    """Exactly, and the name of the input says so."""
    table = table_of_doubles(TENTHS, "normalise")
    total = sum(map(Fraction, TENTHS[0]))
    assert Fraction(table.channel.to_json()["matrix"][0][0]) == Fraction(0.7) / total
    report = audit(table, "exp_eps=7.5")
    assert report.holds
    assert report.document["input"]["name"] == "(doubles, each row divided by its sum)"


def test_a_data_frame_names_inputs_and_outcomes():
    """By its index and columns."""
    frame = SimpleNamespace(to_numpy=lambda: np.array(DYADIC), index=["D", "D'"], columns=["yes", "no"])
    table = table_of_doubles(frame, "refuse")
    assert table.channel.to_json()["inputs"] == ["D", "D'"]
    assert table.channel.to_json()["outputs"] == ["yes", "no"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[0.5, float("nan")], [0.5, 0.5]], r"table\[0\]\[1\]: expected a finite double"),
        ([[1.5, -0.5], [0.5, 0.5]], "at least 0"),
        ([[0.5, "1/2"], [0.5, 0.5]], r"expected a double, got 1/2"),
        ([[0.5, True], [0.5, 0.5]], "expected a double"),
        ([[0.5, 10**400], [0.5, 0.5]], "a finite double"),
        ([[0.5, 2**53 + 1], [0.5, 0.5]], "a finite double"),
        ([[0.5, 0.5]], "at least two rows"),
        ([[0.5, 0.5], [1.0]], "of one length"),
        ([[], []], "with a column"),
        ([[0.0, 0.0], [0.5, 0.5]], "a row with an entry above 0"),
        ("abc", "rows of doubles"),
        ([0.5, 0.5], "rows of doubles"),
    ],
)
def test_what_is_no_table_is_refused(rows, message):
    """With the place of the entry."""
    with pytest.raises(InputError, match=message):
        table_of_doubles(rows, "normalise")


def test_a_policy_must_be_stated():
    """One of two."""
    with pytest.raises(InputError, match='"refuse" or "normalise"'):
        table_of_doubles(DYADIC, "guess")


def test_a_claim_with_room_holds_for_every_table_near():
    """Of all tables within an ulp; the name says which table was audited."""
    report = audit_doubles(TENTHS, "exp_eps=7,delta=1e-12")
    assert report.holds
    assert "reveals most" in report.document["input"]["name"]


def test_a_claim_that_fails_by_more_than_rounding_is_refuted_for_every_table_near():
    """In either direction, for curves and mu too."""
    for claim in ("exp_eps=6,delta=1e-12", "mu=1/10", "exp_eps=2"):
        assert audit_doubles(TENTHS, claim).verdict == "refuted"
    backward = [[0.5, 0.5, 0.0], [0.25, 0.25, 0.5]]
    assert audit_doubles(backward, "exp_eps=2,delta=1/4").verdict == "refuted"


def test_a_claim_without_room_is_undecided():
    """Equality up to rounding, and every claim of pure differential privacy."""
    with pytest.raises(WithinRoundingError, match="within 1 ulp of these doubles"):
        audit_doubles(TENTHS, "exp_eps=7")
    with pytest.raises(WithinRoundingError):
        audit_doubles(DYADIC, "exp_eps=4")


@pytest.mark.parametrize("seed", range(20))
def test_what_holds_or_is_refuted_does_so_for_tables_drawn_near(seed):
    """Every exact table within an ulp gets the verdict that was given for all."""
    random = np.random.default_rng(seed)
    weights = random.integers(1, 50, size=(2, 4))
    exact = [[mpq(int(w), int(sum(row))) for w in row] for row in weights]
    doubles = [[float(x) for x in row] for row in exact]
    delta = int(random.integers(0, 60))
    claim = {"exp_epsilon": "3/2", "delta": f"{delta}/200"}
    try:
        verdict = audit_doubles(doubles, claim).verdict
    except WithinRoundingError:
        return
    assert audit({"matrix": [[str(x) for x in row] for row in exact]}, claim).verdict == verdict


@pytest.mark.parametrize("claim", ["exp_eps=1", "exp_eps=1,delta=1e-30", "mu=0"])
def test_rows_that_may_be_equal_refute_nothing(claim):
    """Both rows may be the same within the distance, in the last place or far more of them."""
    for rows, ulps in (([[0.1, 0.9], [math.nextafter(0.1, 0), 0.9]], 1), ([[0.3, 0.7], [0.3 - 1e-12, 0.7]], 100_000)):
        with pytest.raises(WithinRoundingError):
            audit_doubles(rows, claim, ulps=ulps)


@pytest.mark.parametrize("ulps", [0, -1, "1", 1.5, True, 10**12])
def test_a_distance_is_a_number_of_ulps(ulps):
    """A whole one, and not without bound."""
    with pytest.raises(InputError, match="units in the last place"):
        audit_doubles(TENTHS, "eps=1", ulps=ulps)


def test_a_distance_must_be_one_that_some_table_has():
    """Two rows, and rows that could sum to 1."""
    with pytest.raises(InputError, match="entries that could sum to 1"):
        audit_doubles([[0.5, 0.4], [0.5, 0.5]], "eps=1")
    with pytest.raises(InputError, match="two rows"):
        audit_doubles([*TENTHS, TENTHS[0]], "eps=1")
