"""What the plots of a report show, read off its numbers."""

from __future__ import annotations

from itertools import pairwise

import pytest
from gmpy2 import mpq

from oracle.audits.run import audit
from oracle.render.audit_curves import (
    claimed_curve,
    claimed_epsilon,
    excess,
    level_of,
    middle,
    profile,
    refuting_point,
    true_corners,
    value_at,
)

FAIR = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
NEAR = mpq(1, 10**9)
UNFAIR = {"matrix": [["1/2", "1/2", "0"], ["1/4", "1/4", "1/2"]]}


def test_an_approximate_claim_has_a_knee():
    """f_(eps, delta): down to the diagonal, and to 0 at 1 - delta."""
    knee = mpq(9, 10) / 4
    found = claimed_curve({"exp_epsilon": "3", "delta": "1/10"})
    for (a, b), (x, y) in zip(found, [(0, mpq(9, 10)), (knee, knee), (mpq(9, 10), 0), (1, 0)], strict=True):
        assert max(abs(a - x), abs(b - y)) < NEAR


def test_a_level_may_be_irrational_or_infinite():
    """e^1 between two rationals; an infinite one claims nothing."""
    assert abs(claimed_curve({"epsilon": "1", "delta": "0"})[1][0] - mpq("0.26894142137")) < NEAR
    for parsed in ({"exp_epsilon": "inf", "delta": "1/4"}, {"epsilon": "1e400", "delta": "1/4"}):
        assert claimed_curve(parsed) == [(0, mpq(3, 4)), (0, 0), (1, 0)]
        assert value_at(claimed_curve(parsed), mpq(0)) == 0
        assert claimed_epsilon(parsed) is None
    assert claimed_epsilon({"exp_epsilon": "inf", "delta": "0"}) is None
    assert claimed_epsilon({"mu": "1"}) is None
    assert claimed_epsilon({"epsilon": "1/2", "delta": "0"}) == mpq(1, 2)


def test_a_gaussian_claim_is_its_own_inverse():
    """Convex points of G_mu with their mirror images, between (0, 1) and (1, 0)."""
    points = claimed_curve({"mu": "1"})
    assert (points[0], points[-1]) == ((0, 1), (1, 0))
    assert [(b, a) for a, b in reversed(points)] == points
    slopes = [(d - b) / (c - a) for (a, b), (c, d) in pairwise(points)]
    assert slopes == sorted(slopes)
    assert claimed_curve({"mu": "0"}) == [(0, 1), (1, 0)]


def test_a_gaussian_claim_is_where_it_should_be():
    """G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu), at the fixed point: Phi(-mu/2)."""
    for mu, fixed in (("1", "0.308537538726"), ("3/2", "0.226627352377"), ("4", "0.022750131948")):
        points = claimed_curve({"mu": mu})
        assert abs(value_at(points, mpq(fixed)) - mpq(fixed)) < mpq(1, 500)


def test_other_claims_have_no_curve():
    """Neither rho nor a Rényi order."""
    assert claimed_curve({"rho": "1"}) is None
    assert claimed_curve({"order": "2", "epsilon": "1"}) is None


def test_values_lie_straight_between_points():
    """And are those of the ends outside."""
    curve = [(mpq(1, 4), mpq(1, 2)), (mpq(3, 4), mpq(0))]
    assert [value_at(curve, mpq(k, 4)) for k in range(5)] == [mpq(1, 2), mpq(1, 2), mpq(1, 4), 0, 0]


def test_excess_is_where_the_true_curve_is_below():
    """Up to the crossing; none where it is nowhere below."""
    claimed, true = [(mpq(0), mpq(1)), (mpq(1), mpq(0))], [(mpq(0), mpq(1, 2)), (mpq(1), mpq(1, 4))]
    (region,) = excess(claimed, true)
    assert region[:2] == [(0, 1), (mpq(2, 3), mpq(1, 3))]
    assert excess(true, true) == []
    assert excess([(mpq(0), mpq(0)), (mpq(1), mpq(0))], true) == []


@pytest.mark.parametrize(("claim", "direction"), [("exp_eps=2", "both"), ("mu=1/2", "both"), ("exp_eps=1", "backward")])
def test_the_refuting_point_lies_below_the_claim_and_not_below_the_truth(claim, direction):
    """Its errors are those of the event."""
    for table in (FAIR, UNFAIR):
        document = audit(table, claim, direction=direction).document
        result = document["results"][0]
        alpha, beta = refuting_point(result)
        true = true_corners(document["pairs"][0], "forward")
        assert value_at(true, alpha) <= beta + NEAR
        claimed = claimed_curve(document["claims"][0]["parsed"])
        assert min(value_at(claimed, alpha) - beta, value_at(claimed, beta) - alpha) > 0


def test_a_claim_that_holds_has_no_refuting_point():
    """There is no event."""
    assert refuting_point(audit(FAIR, "exp_eps=3").document["results"][0]) is None


def test_the_profile_is_the_hockey_stick():
    """In both directions, from the corners of T(P, Q) alone."""
    corners = true_corners(audit(UNFAIR, "exp_eps=2").document["pairs"][0], "forward")
    for level in (mpq(1), mpq(3, 2), mpq(3)):
        forward = max(mpq(0), 1 - level / 2)
        backward = mpq(1, 2) + max(mpq(0), (mpq(1, 2) - level))
        assert abs(profile(corners, level, "forward") - forward) < NEAR
        assert abs(profile(corners, level, "backward") - backward) < NEAR
        assert profile(corners, level, "both") == max(
            profile(corners, level, "forward"), profile(corners, level, "backward")
        )


def test_corners_of_the_other_direction():
    """The report has both where they differ, one where they agree."""
    pair = audit(UNFAIR, "exp_eps=2").document["pairs"][0]
    backward = true_corners(pair, "backward")
    assert all(value_at(backward, b) == a for a, b in true_corners(pair, "forward") if b)
    pair = audit(FAIR, "exp_eps=2").document["pairs"][0]
    assert true_corners(pair, "backward") == true_corners(pair, "forward")


def test_many_corners_are_thinned():
    """No two within a third of a pixel, the ends kept."""
    count = 3000
    corners = [[f"{k}/{count}", f"{(count - k) ** 2}/{count**2}"] for k in range(count + 1)]
    found = claimed_curve({"tradeoff": {"breakpoints": corners}})
    assert (found[0], found[-1]) == ((0, 1), (1, 0))
    assert 700 < len(found) < 1600


def test_numbers_are_rounded_to_a_grid_for_drawing():
    """However long they are; an enclosure by its middle."""
    assert middle("1/2") == mpq(1, 2)
    assert middle({"lo": "1/4", "hi": "3/4"}) == mpq(1, 2)
    assert middle(f"1{'0' * 4999}1/3{'0' * 5000}").denominator <= 1 << 40
    assert abs(level_of(mpq(1)) - mpq("2.718281828459")) < NEAR
