"""Certificates for and against (epsilon, delta) and trade-off claims."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.certificates.checker import Rejected, check, claims
from tests.certificates.checker import truth
from tests.certificates.checker.documents import DOCUMENTS, certificate, witness
from tests.certificates.checker.test_curves import WEIGHTS, two_rows
from tests.certificates.checker.test_refinement import accepted

LEVELS = st.fractions(min_value=1, max_value=6, max_denominator=8)
DELTAS = st.fractions(min_value=0, max_value=1, max_denominator=8)


@given(LEVELS, DELTAS, st.sampled_from(claims.DIRECTIONS))
def test_the_worst_case_meets_its_claim_exactly(level, delta, direction):
    """Rows sum to 1, entries are >= 0, and the hockey stick at E is delta in each direction meant."""
    rows = claims.worst_case(direction, level, delta)
    assert [sum(row) for row in rows] == [1, 1]
    assert min(min(row) for row in rows) >= 0
    for p, q in truth._ordered(rows, direction):
        assert sum(max(a - level * b, Fraction(0)) for a, b in zip(p, q, strict=True)) == delta


@given(WEIGHTS, LEVELS, DELTAS, st.sampled_from(claims.ONE_DIRECTION), st.data())
def test_refuting_events(columns, level, delta, direction, data):
    """An event with its true masses is accepted exactly when it violates the claim."""
    channel = two_rows(columns)
    p, q = truth._rows(channel)
    event = sorted(data.draw(st.sets(st.integers(0, len(p) - 1), min_size=1)))
    masses = [sum((row[k] for k in event), Fraction(0)) for row in (p, q)]
    large, small = masses if direction == "forward" else masses[::-1]
    document = certificate(
        "dp_refuted",
        channel=channel,
        claim={"exp_epsilon": str(level), "delta": str(delta)},
        direction=direction,
        level=str(level),
        event=event,
        p=str(masses[0]),
        q=str(masses[1]),
    )
    assert accepted(document) == (large - level * small > delta)


def changed(name, **fields):
    """A hand-made document with other fields and a new digest."""
    document = {**DOCUMENTS[name], **fields}
    return certificate(document["certificate"], **{k: v for k, v in document.items() if k not in KEPT})


KEPT = ("certificate", "version", "digest")


@pytest.mark.parametrize(
    ("epsilon", "level", "holds"),
    [("11/10", "3", True), ("1", "3", False), ("109/100", "3", False), ("549307/500000", "3", True)],
)
def test_levels_of_transcendental_claims_are_proved(epsilon, level, holds):
    """As ln 3 = 1.098612..., 1.098614 is enough for E = 3 and 1.09 is not."""
    document = changed("dp_held: transcendental", claim={"epsilon": epsilon, "delta": "0"}, level=level)
    assert accepted(document) == holds


def test_level_on_the_wrong_side_is_rejected():
    """A witness for a larger level, or an event against a smaller one, proves nothing about the claim."""
    held, refuted = "dp_held: randomized response", "dp_refuted: figure 4"
    assert not accepted(changed(held, claim={"exp_epsilon": "2", "delta": "0"}))
    assert accepted(changed(held, claim={"exp_epsilon": "4", "delta": "0"}))
    assert not accepted(changed(refuted, claim={"exp_epsilon": "2", "delta": "1/25"}))
    assert not accepted(changed(refuted, claim={"exp_epsilon": "inf", "delta": "1/25"}))
    assert accepted(changed(refuted, claim={"exp_epsilon": "1", "delta": "1/25"}))
    assert not accepted(changed("dp_refuted: transcendental", claim={"epsilon": "1/2", "delta": "1/20"}))


def test_equality_is_no_violation():
    """The least delta of figure 4's M at 3/2 is 1/20: the claim with 1/20 holds, so no event refutes it."""
    assert not accepted(changed("dp_refuted: figure 4", claim={"exp_epsilon": "3/2", "delta": "1/20"}))


@pytest.mark.parametrize(
    "claim",
    [
        {"exp_epsilon": "3"},
        {"delta": "0"},
        {"exp_epsilon": "3", "epsilon": "2", "delta": "0"},
        {"exp_epsilon": "1/2", "delta": "0"},
        {"epsilon": "-1", "delta": "0"},
        {"epsilon": "inf", "delta": "0"},
        {"epsilon": "log(3)", "delta": "0"},
        {"exp_epsilon": "3", "delta": "-1/2"},
        {"exp_epsilon": "3", "delta": "3/2"},
        {"exp_epsilon": 3, "delta": "0"},
        None,
    ],
)
def test_what_is_no_claim_is_rejected(claim):
    """Exactly one of exp_epsilon >= 1 and epsilon >= 0, and delta from 0 to 1."""
    with pytest.raises(Rejected) as rejected:
        check(changed("dp_held: randomized response", claim=claim))
    assert rejected.value.where.startswith("$.claim")


@given(WEIGHTS, WEIGHTS, st.sampled_from(claims.ONE_DIRECTION), st.data())
def test_refuted_curves(columns, others, direction, data):
    """An event with its true errors is accepted exactly when it is below the claimed curve."""
    channel = two_rows(columns)
    curve = truth._hull(truth._errors(two_rows(others)))
    ((null, other),) = truth._ordered(truth._rows(channel), direction)
    event = sorted(data.draw(st.sets(st.integers(0, len(null) - 1))))
    alpha = sum((null[k] for k in event), Fraction(0))
    beta = 1 - sum((other[k] for k in event), Fraction(0))
    claimed = truth._at(curve, alpha)
    document = certificate(
        "tradeoff_refuted",
        channel=channel,
        tradeoff=[[str(x), str(y)] for x, y in curve],
        direction=direction,
        event=event,
        alpha=str(alpha),
        beta=str(beta),
        claimed=str(claimed),
    )
    assert accepted(document) == (claimed > beta)


def test_held_curve_needs_every_direction():
    """Witnesses for exactly the directions meant; a forward witness is none for backward."""
    name = "tradeoff_held: corollary 3"
    both = DOCUMENTS[name]["witnesses"]
    assert accepted(changed(name, direction="forward", witnesses={"forward": both["forward"]}))
    assert not accepted(changed(name, direction="forward"))
    assert not accepted(changed(name, witnesses={"forward": both["forward"]}))
    assert not accepted(changed(name, direction="backward", witnesses={"backward": both["forward"]}))
    assert not accepted(changed(name, tradeoff=[["0", "1"], ["1", "0"]]))


def test_statements_name_direction_and_claim():
    """The sentence says which claim, in which direction."""
    assert "eps = 11/10, delta = 0, direction forward" in check(DOCUMENTS["dp_held: transcendental"]).statement
    assert "e^eps = 3/2, delta = 1/25, direction backward" in check(DOCUMENTS["dp_refuted: figure 4"]).statement
    assert "not" in check(DOCUMENTS["dp_refuted: figure 4"]).statement


def test_ten_thousand_columns_are_quick():
    """A channel of 10,000 columns with 20,000 witness entries is checked in a few seconds."""
    n, chance = 10_000, random.Random(1)  # noqa: S311 - a fixed sample
    worst = claims.worst_case("both", Fraction(3), Fraction(1, 10))
    channel = [[Fraction(0)] * n, [Fraction(0)] * n]
    entries = []
    for i in range(4):
        columns = sorted(chance.sample(range(n), n // 2))
        weights = [chance.randrange(1, 2**20) for _ in columns]
        total = sum(weights)
        for j, weight in zip(columns, weights, strict=True):
            value = Fraction(weight, total)
            entries.append((i, j, str(value)))
            for row in (0, 1):
                channel[row][j] += worst[row][i] * value
    document = certificate(
        "dp_held",
        channel={"matrix": [[str(cell) for cell in row] for row in channel]},
        claim={"epsilon": "11/10", "delta": "1/10"},
        direction="both",
        level="3",
        witness=witness(4, n, *entries),
    )
    assert check(document).kind == "dp_held"
