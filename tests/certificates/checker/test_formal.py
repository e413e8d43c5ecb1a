"""Claims on channels whose weights are sums of c e^s b^r."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.certificates.checker import Rejected, check
from tests.certificates.checker import truth
from tests.certificates.checker.documents import LOGISTIC, ROOTED, certificate, weight
from tests.certificates.checker.test_refinement import accepted


def claimed(rows, claim, direction="both", event=None):
    """A formal claim; without an event it is said to hold."""
    return certificate("formal_claim", rows=rows, claim=claim, direction=direction, holds=event is None, event=event)


def eps(value, delta="0"):
    """A claim with a rational epsilon."""
    return {"epsilon": value, "delta": delta}


def curve(*corners):
    """A trade-off claim."""
    return {"tradeoff": [corner.split() for corner in corners]}


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        (eps("1"), True),
        (eps("999999/1000000"), False),
        (eps("0", "1"), True),
        # (e - 1)/(e + 1) = 0.46211...
        (eps("0", "23/50"), False),
        (eps("0", "47/100"), True),
        ({"exp_epsilon": "3", "delta": "0"}, True),
        ({"exp_epsilon": "2", "delta": "0"}, False),
        ({"exp_epsilon": "inf", "delta": "0"}, True),
        # 1/(1 + e) = 0.26894...
        (curve("0 1", "1/4 1/4", "1 0"), True),
        (curve("0 1", "27/100 27/100", "1 0"), False),
        (curve("0 0", "1 0"), True),
        (curve("0 1", "1 0"), False),
    ],
)
def test_claims_on_a_logistic_pair(claim, holds):
    """P = (e, 1)/(e + 1), Q = (1, e)/(e + 1): a claim is accepted or one event refutes it, never both."""
    assert accepted(claimed(LOGISTIC, claim)) == holds
    refutations = [
        (direction, event)
        for direction in ("forward", "backward")
        for event in ([0], [1], [0, 1])
        if accepted(claimed(LOGISTIC, claim, direction, event))
    ]
    assert bool(refutations) != holds


def test_direction_of_trade_off_claims():
    """T(P, Q) and T(Q, P) differ for P = (1/(1+e), e/(1+e)), Q = (0, 1): each is told from the other."""
    rows = [[[weight("1")], [weight("1", "1")]], [[], [weight("1")]]]
    # T(P, Q): corners (0, 1), (e/(1+e), 0), (1, 0).  T(Q, P): corners (0, e/(1+e)), (1, 0).
    above, below = curve("0 1", "7/10 0", "1 0"), curve("0 7/10", "1 0")
    assert [accepted(claimed(rows, above, d)) for d in ("forward", "backward", "both")] == [True, False, False]
    assert [accepted(claimed(rows, below, d)) for d in ("forward", "backward", "both")] == [False, True, False]
    assert accepted(claimed(rows, above, "backward", [0]))
    assert accepted(claimed(rows, below, "forward", [1]))


def test_infinite_epsilon_counts_the_columns_of_mass_zero():
    """The mass of P where Q vanishes is 0.0077...: that is the least delta."""
    infinite = [{"exp_epsilon": "inf", "delta": delta} for delta in ("1/200", "1/100")]
    assert [accepted(claimed(ROOTED, claim, "forward")) for claim in infinite] == [False, True]
    assert [accepted(claimed(ROOTED, claim, "forward", [2])) for claim in infinite] == [True, False]
    assert not accepted(claimed(ROOTED, infinite[0], "forward", [1, 2]))
    assert accepted(claimed(ROOTED, {"exp_epsilon": "inf", "delta": "0"}, "backward"))


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([LOGISTIC[0]], "expected 2 rows"),
        ([LOGISTIC[0], LOGISTIC[1][:1]], "differ in length"),
        ([[], []], "at least 1"),
        ([[[], []], LOGISTIC[1]], "positive total"),
        ([[[weight("-1")], [weight("2")]], LOGISTIC[1]], "negative weight"),
        ([[[weight("-27183/10000"), weight("1", "1")], [weight("1")]], LOGISTIC[1]], "negative weight"),
        ([[[weight("-2"), weight("1", b4="1/2")], [weight("1")]], LOGISTIC[1]], "undecided"),
    ],
)
def test_weights_are_proved_nonnegative(rows, reason):
    """Rows of the same length, weights proved >= 0, totals > 0."""
    with pytest.raises(Rejected, match=reason):
        check(claimed(rows, eps("5", "1")))


def test_shape_of_the_verdict():
    """A claim that holds has no event; one that does not has an event and one direction."""
    document = {"rows": LOGISTIC, "claim": eps("1/2")}
    for direction, holds, event in (
        ("both", False, [0]),
        ("forward", False, []),
        ("forward", False, None),
        ("forward", True, [0]),
        ("forward", 0, [0]),
        ("forward", False, [1, 0]),
        ("forward", False, [2]),
    ):
        assert not accepted(certificate("formal_claim", **document, direction=direction, holds=holds, event=event))
    assert accepted(certificate("formal_claim", **document, direction="forward", holds=False, event=[0]))


TERMS = st.dictionaries(
    st.tuples(st.sampled_from(["-1", "-1/2", "0", "1/3"]), st.sampled_from([None, "1/2", "2/3"])),
    st.sampled_from(["1", "1/2", "3"]),
    max_size=2,
)


def written(terms):
    """A SUM document of drawn terms."""
    order = sorted(terms, key=lambda key: (Fraction(key[0]), [] if key[1] is None else [Fraction(key[1])]))
    return [weight(terms[key], key[0], **({"b2": key[1]} if key[1] else {})) for key in order]


@settings(deadline=None)
@given(
    st.lists(st.tuples(TERMS, TERMS), min_size=2, max_size=3).filter(
        lambda columns: all(any(row) for row in zip(*columns, strict=True))
    ),
    st.sampled_from(
        [eps("1/2", "1/10"), eps("1"), {"exp_epsilon": "2", "delta": "1/5"}, curve("0 4/5", "1/5 1/5", "1 0")]
    ),
    st.sampled_from(["forward", "backward"]),
)
def test_random_claims_agree_with_balls(columns, claim, direction):
    """Either the claim is accepted or some event refutes it, and the balls of 600 bits do not object."""
    rows = [[written(terms) for terms in row] for row in zip(*columns, strict=True)]
    holds = claimed(rows, claim, direction)
    events = [event for event in truth._events(len(columns)) if event]
    refuting = [document for event in events if accepted(document := claimed(rows, claim, direction, event))]
    assert accepted(holds) != bool(refuting)
    for document in refuting or [holds]:
        assert truth.is_true(document)
