"""Curves, the law of a two-row channel, and tradeoff certificates."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.certificates.checker import Rejected, check, curves, matrices
from tests.certificates.checker import truth
from tests.certificates.checker.documents import DOCUMENTS, EXAMPLE_9, certificate, sealed

WEIGHTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=6).filter(
    lambda columns: all(sum(row) for row in zip(*columns, strict=True))
)
LEVELS = st.fractions(min_value=0, max_value=5, max_denominator=6)


def two_rows(columns):
    """The stochastic channel of pairs of integer weights."""
    rows = zip(*columns, strict=True)
    return {"matrix": [[str(Fraction(weight, sum(row))) for weight in row] for row in rows]}


def law(document):
    """The law of a channel document."""
    return curves.Law(matrices.partial_channel(document, "$", 2), "$")


@given(WEIGHTS)
def test_corners_are_the_hull_of_all_events(columns):
    """The corners are those of the lower convex hull of the errors of all 2^n events."""
    document = two_rows(columns)
    assert law(document).corners() == truth._hull(truth._errors(document))


@given(WEIGHTS, LEVELS)
def test_hockey_stick_and_events(columns, level):
    """The sum of max(0, q - h p) and the event S_t, by definition."""
    document = two_rows(columns)
    p, q = truth._rows(document)
    pairs = [(a, b) for a, b in zip(p, q, strict=True) if b >= level * a and (a or b)]
    assert law(document).hockey_stick(level) == sum(max(b - level * a, 0) for a, b in zip(p, q, strict=True))
    assert law(document).event(level) == (sum(a for a, _ in pairs), sum(b for _, b in pairs))
    assert law(document).point(None) == (0, 1 - sum(b for a, b in zip(p, q, strict=True) if not a))


@pytest.mark.parametrize(
    "corners",
    [
        [["0", "1"]],
        [["1", "0"]],
        [["0", "1"], ["1/2", "0"]],
        [["1/4", "1/2"], ["1", "0"]],
        [["0", "3/2"], ["1", "0"]],
        [["0", "1"], ["1/2", "1/2"], ["1", "0"]],
        [["0", "1"], ["1/2", "3/4"], ["1", "0"]],
        [["0", "1/2"], ["1/4", "3/4"], ["1", "0"]],
        [["0", "1"], ["0", "1/2"], ["1", "0"]],
        [["0", "1"], ["1/2", "1/8"], ["1/4", "1/4"], ["1", "0"]],
        [["0", "1"], ["1/2", "0"], ["3/4", "0"], ["1", "0"]],
        [["0", "1"], ["1", "0", "0"]],
        [["0", "1"], ["1/4", "-1/4"], ["1", "0"]],
    ],
)
def test_what_is_no_curve_is_rejected(corners):
    """A curve starts at alpha = 0, ends in (1, 0), falls, and is strictly convex at every corner."""
    with pytest.raises(Rejected):
        curves.curve(corners, "$")


def test_curve_values_interpolate():
    """Values on corners and between."""
    corners = curves.curve([["0", "9/10"], ["9/40", "9/40"], ["9/10", "0"], ["1", "0"]], "$")
    points = {"0": "9/10", "9/80": "9/16", "9/40": "9/40", "9/20": "3/20", "9/10": "0", "19/20": "0", "1": "0"}
    assert {x: str(curves.curve_value(corners, Fraction(x))) for x in points} == points


def corners_of(document):
    """The corners of a tradeoff certificate, made by definition."""
    points = truth._hull(truth._errors(document))
    slopes = [-(d - b) / (c - a) for (a, b), (c, d) in pairwise(points)]
    supports = [slopes[0], *slopes]
    return [
        {"alpha": str(x), "beta": str(y), "event": str(h) if k else "inf", "support": str(h)}
        for k, ((x, y), h) in enumerate(zip(points, supports, strict=True))
    ]


@given(WEIGHTS)
def test_every_true_tradeoff_is_accepted(columns):
    """The certificate made by definition is accepted for every channel of at least one finite ratio."""
    document = two_rows(columns)
    check(certificate("tradeoff", channel=document, corners=corners_of(document)))


@given(WEIGHTS, WEIGHTS)
def test_no_other_tradeoff_is_accepted(columns, others):
    """The corners of one channel are accepted for another exactly when their curves are the same."""
    first, second = two_rows(columns), two_rows(others)
    document = certificate("tradeoff", channel=first, corners=corners_of(second))
    if truth._hull(truth._errors(first)) == truth._hull(truth._errors(second)):
        check(document)
    else:
        with pytest.raises(Rejected):
            check(document)


@pytest.mark.parametrize(
    ("corner", "field", "value", "where"),
    [
        (0, "event", "4", "$.corners[0].event"),
        (0, "support", "0", "$.corners[0].support"),
        (1, "event", "inf", "$.corners[1]"),
        (1, "event", "4", "$.corners[1]"),
        (1, "support", "1/3", "$.corners[1].support"),
        (2, "event", "0", "$.corners[2]"),
    ],
)
def test_corner_must_come_from_its_event_and_support(corner, field, value, where):
    """The place of the first false statement is reported."""
    document = sealed(DOCUMENTS["tradeoff: example 9"])
    document["corners"] = [dict(item) for item in document["corners"]]
    document["corners"][corner][field] = value
    with pytest.raises(Rejected) as rejected:
        check(sealed(document))
    assert rejected.value.where == where


def test_a_chord_is_not_the_curve():
    """Leaving out a corner leaves points of events, but the line between them supports nothing."""
    full = DOCUMENTS["tradeoff: example 9"]["corners"]
    chord = [
        {**full[0], "support": "1"},
        {**full[2], "support": "1"},
        full[3],
    ]
    with pytest.raises(Rejected, match="not supporting"):
        check(certificate("tradeoff", channel=EXAMPLE_9, corners=chord))


def test_ten_thousand_corners_are_quick():
    """A curve of 10,001 corners is checked in seconds."""
    n = 10_000
    total = n * (n + 1) // 2
    p = [Fraction(n + 1 - k, total) for k in range(1, n + 1)]
    q = p[::-1]
    corners, alpha, beta = [], Fraction(0), Fraction(1)
    for a, b in zip(reversed(p), reversed(q), strict=True):
        alpha, beta, ratio = alpha + a, beta - b, str(b / a)
        corners.append({"alpha": str(alpha), "beta": str(beta), "event": ratio, "support": ratio})
    corners.insert(0, {"alpha": "0", "beta": "1", "event": "inf", "support": str(n)})
    channel = {"matrix": [[str(cell) for cell in row] for row in (p, q)]}
    document = certificate("tradeoff", channel=channel, corners=corners)
    assert "10001 corners" in check(document).statement
