"""Certificates of one run: each field tampered with, each claim, the border of the p-value, and the statement."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.certificates.checker import Rejected, check, statistics_one_run
from oracle.channels.tradeoff import approximate_dp_curve
from oracle.statistics.one_run import OneRun
from oracle.statistics.one_run_curves import least_total_mass
from tests.certificates.checker.documents import DOCUMENTS, sealed

EIGHT = DOCUMENTS["one_run_refutation: eight of eight"]
CURVE = DOCUMENTS["one_run_refutation: a curve, one of two"]
MU = DOCUMENTS["one_run_refutation: mu"]
ROW_15 = sealed(
    {
        **EIGHT,
        "claim": {"exp_epsilon": "4", "delta": "1/100000"},
        "run": {"canaries": "1000", "guesses": "100", "correct": "90"},
        "p_value": "8669/1250000",
        "violation": {"level": "4"},
    }
)


def changed(document, **fields):
    """The document with other fields and a new digest."""
    return sealed({**document, **fields})


def run(canaries, guesses, correct):
    return {"canaries": canaries, "guesses": guesses, "correct": correct}


def test_ninety_of_a_hundred_guesses_right():
    """The p-value is 0.00693518: 0.0069352 is accepted as its bound, 0.0069351 is not."""
    statement = check(ROW_15).statement
    for part in (
        "With confidence at least 19/20 the claim epsilon = log(4), delta = 1/100000 is refuted, both directions",
        "90 or more of at most 100 guesses about 1000 canaries are right with a probability of at most 8669/1250000.",
        "Assumed, not checked: each canary was in or out by its own fair coin",
        "the rule of guessing was declared before the counted runs.",
    ):
        assert part in statement
    with pytest.raises(Rejected, match="the p-value is above its bound"):
        check(changed(ROW_15, p_value="69351/10000000"))


@pytest.mark.parametrize(
    ("document", "fields", "reason"),
    [
        (EIGHT, {"run": run("10", "8", "7")}, "the p-value is above its bound"),
        (EIGHT, {"run": run("11", "8", "8")}, "the p-value is above its bound"),
        (EIGHT, {"run": run("10", "9", "8")}, "the p-value is above its bound"),
        (EIGHT, {"run": run("10", "8", "9")}, "from 1 to 8"),
        (EIGHT, {"run": run("7", "8", "8")}, "from 0 to 7"),
        (EIGHT, {"run": run("10", "8", "0")}, "from 1 to 8"),
        (EIGHT, {"run": run("10", "8", 8)}, "whole number"),
        (EIGHT, {"run": run("10", "0.8", "8")}, "whole number"),
        (EIGHT, {"p_value": "437/10000"}, "the p-value is above its bound"),
        (EIGHT, {"p_value": "1/19"}, "add up to more"),
        (EIGHT, {"p_value": "0"}, "above 0 and below 1"),
        (EIGHT, {"confidence": "24/25"}, "add up to more"),
        (EIGHT, {"selection": {"kind": "family", "size": "2"}}, "add up to more"),
        (EIGHT, {"claim": {"exp_epsilon": "5/2", "delta": "1/1000"}}, "the level is below e.epsilon"),
        (EIGHT, {"claim": {"exp_epsilon": "2", "delta": "1/100"}}, "the p-value is above its bound"),
        (EIGHT, {"claim": {"exp_epsilon": "inf", "delta": "0"}}, "the level is below e.epsilon"),
        (EIGHT, {"claim": {"rho": "1"}}, "expected a claim of"),
        (EIGHT, {"claim": {"order": "2", "epsilon": "1"}}, "expected a claim of"),
        (EIGHT, {"violation": {"level": "5/2"}}, "the p-value is above its bound"),
        (EIGHT, {"violation": {"level": "3/4"}}, "the level is below e.epsilon"),
        (EIGHT, {"violation": {}}, "missing field"),
        (CURVE, {"run": run("10", "8", "7")}, "does not exclude"),
        (CURVE, {"p_value": "39/1000"}, "does not exclude"),
        (CURVE, {"p_value": "1/19"}, "add up to more"),
        (CURVE, {"claim": {"tradeoff": {"breakpoints": [["0", "1"], ["1/4", "1/4"], ["1", "0"]]}}}, "does not exclude"),
        (CURVE, {"violation": {"thresholds": ["0"]}}, "unknown field"),
        (MU, {"claim": {"mu": "1/2"}}, r"Phi.t. is above the mass"),
        (MU, {"run": run("10", "10", "9")}, "does not exclude|above the mass"),
        (MU, {"violation": {"thresholds": ["-17/10", "-1/2"]}}, r"Phi.t. is above the mass"),
        (MU, {"violation": {"thresholds": ["-8/5", "-3/5"]}}, r"Phi.t. is above the mass"),
        (MU, {"violation": {"thresholds": ["-17/10"]}}, "does not exclude"),
        (MU, {"violation": {"thresholds": []}}, "at least 1 item"),
        (MU, {"violation": {"thresholds": ["-17/10", None]}}, "canonical number"),
    ],
)
def test_a_changed_field_is_rejected(document, fields, reason):
    """With a new digest."""
    with pytest.raises(Rejected, match=reason):
        check(changed(document, **fields))


@pytest.mark.parametrize(
    ("document", "fields"),
    [
        (EIGHT, {"p_value": "1/20"}),
        (EIGHT, {"claim": {"exp_epsilon": "2", "delta": "0"}}),
        (EIGHT, {"claim": {"epsilon": "69/100", "delta": "1/1000"}}),
        (EIGHT, {"selection": {"kind": "split"}}),
        (EIGHT, {"run": run("9", "8", "8")}),
        (CURVE, {"run": run("8", "8", "8")}),
        (CURVE, {"p_value": "1/20"}),
        (MU, {"claim": {"mu": "0"}}),
        (MU, {"violation": {"thresholds": ["-17/10", "-3/5", "100"]}}),
    ],
)
def test_a_change_that_leaves_it_true_is_accepted(document, fields):
    """A higher bound, a weaker claim, fewer canaries, thresholds that are not needed any more."""
    assert check(changed(document, **fields)).kind == "one_run_refutation"


@settings(deadline=None, max_examples=300)
@given(st.integers(1, 12), st.fractions("1/100", "99/100", max_denominator=100), st.integers(1, 12), st.data())
def test_coarse_rounding_never_excludes_what_is_possible(canaries, tau, bits, data):
    """With masses of a few bits, against the exact masses of the producer."""
    guesses = data.draw(st.integers(1, canaries))
    correct = data.draw(st.integers(0, guesses))
    curve = data.draw(st.sampled_from([approximate_dp_curve(mpq(2), mpq(0)), approximate_dp_curve(mpq(3), mpq(1, 20))]))
    corners = [(Fraction(str(a)), Fraction(str(b))) for a, b in curve.corners]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics_one_run, "_SCALE", bits)
        numbers, step = (canaries, guesses, correct), statistics_one_run._curve_step(corners)
        excluded = statistics_one_run._excluded(numbers, tau, step, correct)
    assert not excluded or least_total_mass(OneRun(*numbers), curve, mpq(tau)) > 1


@pytest.mark.parametrize("bits", [2, 5, 8, 13, 64])
def test_the_tails_of_randomised_response_are_never_excluded(bits):
    """They are possible under (2, 0), whatever the rounding."""
    step = statistics_one_run._curve_step(
        [(Fraction(0), Fraction(1)), (Fraction(1, 3),) * 2, (Fraction(1), Fraction(0))]
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics_one_run, "_SCALE", bits)
        for guesses in range(1, 12):
            law = [Fraction(math.comb(guesses, j) * 2**j, 3**guesses) for j in range(guesses + 1)]
            for correct in range(1, guesses + 1):
                numbers = (guesses, guesses, correct)
                assert not statistics_one_run._excluded(numbers, sum(law[correct:], Fraction(0)), step, correct)


def test_a_number_too_large_is_rejected():
    """At once."""
    level = str(3**300)
    fields = {"run": run("100000", "100000", "100000"), "claim": {"exp_epsilon": level, "delta": "0"}}
    with pytest.raises(Rejected, match="too large"):
        check(changed(EIGHT, **fields, violation={"level": level}))


def test_a_thousand_canaries_are_checked_quickly():
    """All of them guessed, with the curve of (4, 0), whose own tail is below the bound."""
    curve = {"tradeoff": {"breakpoints": [["0", "1"], ["1/5", "1/5"], ["1", "0"]]}}
    for claim, violation in ((curve, {}), ({"exp_epsilon": "4", "delta": "0"}, {"level": "4"})):
        fields = {"run": run("1000", "1000", "850"), "p_value": "1/10000", "claim": claim, "violation": violation}
        assert check(changed(EIGHT, **fields)).kind == "one_run_refutation"


def test_no_bound_above_one_half_is_taken_where_delta_is_above_zero():
    """The theorem fails in the lower tail: here 77/80 is the truth of a mechanism that meets the claim."""
    document = {
        **EIGHT,
        "claim": {"exp_epsilon": "1", "delta": "1/10"},
        "run": {"canaries": "3", "guesses": "3", "correct": "1"},
        "confidence": "1/20",
        "p_value": "19/20",
        "violation": {"level": "1"},
    }
    with pytest.raises(Rejected, match="at most 1/2 where delta is above 0"):
        check(sealed(document))
