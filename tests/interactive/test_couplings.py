"""The coupling property of f-DP, completeness with its failure at 0, and the failure for Rényi divergences."""

from __future__ import annotations

import random
from itertools import product

import pytest
from gmpy2 import mpq

from oracle.certificates.checker import check
from oracle.channels.channel import Channel
from oracle.channels.galois import tradeoff_of
from oracle.channels.lattice import greatest_lower_bound
from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve, minimum
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY
from oracle.interactive import couplings
from oracle.interactive.couplings import (
    couple,
    coupling_failure_certificates,
    least_second_moment,
    second_moment_bracket,
    steepening,
    steepening_certificate,
    supremum_at,
)
from tests.interactive.trees import random_law

X = Channel([["1/2", "1/2"], ["1/4", "3/4"]])
Y = Channel([["0", "1"], ["1/4", "3/4"]])


def families(seed, count):
    """Two or three pairs of laws on two or three outcomes."""
    chance = random.Random(seed)  # noqa: S311 - a fixed sample
    for _ in range(count):
        sizes = [chance.randint(2, 3) for _ in range(chance.randint(2, 3))]
        yield [Channel([random_law(chance, size), random_law(chance, size)]) for size in sizes]


def marginals(joint, sizes):
    """The laws of each coordinate of both rows."""
    found = [[[mpq(0)] * size for _ in range(2)] for size in sizes]
    for row, law in enumerate(joint.rows):
        for outcome, value in zip(product(*map(range, sizes)), law, strict=True):
            for i, k in enumerate(outcome):
                found[i][row][k] += value
    return [Channel(rows) for rows in found]


def test_the_coupling_has_its_marginals_and_reaches_the_supremum():
    """T of the joint pair is exactly the lattice minimum of the members' curves."""
    for members in families(1, 40):
        found = couple(members)
        assert marginals(found.joint, [channel.shape[1] for channel in members]) == members
        assert tradeoff_of(found.joint) == minimum([tradeoff_of(channel) for channel in members])


def test_the_coupling_for_a_given_curve_stays_above_it():
    """T >= f for a lower f, here that of (log 8, 1/2) where it is below both."""
    curve = approximate_dp_curve(mpq(8), mpq(1, 2))
    found = couple([X, Y], curve)
    assert curve <= tradeoff_of(found.joint)
    assert marginals(found.joint, [2, 2]) == [X, Y]


def test_a_curve_that_is_not_below_a_member_is_refused():
    """The member is named."""
    with pytest.raises(InputError, match=r"members\[1\]: expected f below"):
        couple([X, Y], tradeoff_of(X))


def test_the_certificates_are_accepted():
    """L refines to the joint pair, the marginals are products, L is the greatest lower bound."""
    for members in families(2, 5):
        kinds = [check(document).kind for document in couple(members).certificates()]
        assert kinds == ["refinement", "evaluation", "glb"]
    kinds = [
        check(document).kind for document in couple([X, Y], approximate_dp_curve(mpq(8), mpq(1, 2))).certificates()
    ]
    assert kinds == ["refinement", "evaluation"]


def test_the_independent_coupling_does_not_do():
    """Its curve falls strictly below the supremum."""
    rows = [[a * b for a in X.rows[k] for b in Y.rows[k]] for k in range(2)]
    joint = tradeoff_of(Channel(rows))
    supremum = minimum([tradeoff_of(X), tradeoff_of(Y)])
    assert joint <= supremum
    assert joint != supremum


def test_too_large_a_joint_is_refused(monkeypatch):
    """The limit names the number of outcomes."""
    monkeypatch.setattr(couplings, "MAX_JOINT_COLUMNS", 3)
    with pytest.raises(LimitError, match="at most 3 joint outcomes, got 4"):
        couple([X, Y])


def test_the_supremum_is_reached_by_two_curves_and_proved_by_a_line():
    """The mixture has mean at most alpha and mean value h(alpha); the line is below every curve."""
    for members in families(3, 30):
        curves = [tradeoff_of(channel) for channel in members]
        hull = minimum(curves)
        for k in range(9):
            alpha = mpq(k, 8)
            found = supremum_at(curves, alpha)
            assert found.value == hull.at(alpha)
            assert sum((w for w, _, _ in found.mixture), mpq(0)) == 1
            assert sum((w * a for w, _, a in found.mixture), mpq(0)) == alpha
            assert sum((w * curves[i].at(a) for w, i, a in found.mixture), mpq(0)) == found.value
            c, m = found.line
            assert m >= 0
            assert c - m * alpha == found.value
            assert all(c - m * x <= y for curve in curves for x, y in curve.corners)


def test_the_formula_of_the_supremum_fails_at_zero_for_an_infinite_family():
    """f_n(0) = 1 for every n, f_n(alpha) = 0 for n >= 1/alpha; no finite family does that."""
    assert steepening(1) == TradeoffFunction([("0", "1"), ("1", "0")])
    for alpha in (mpq(1), mpq(2, 7), mpq(1, 10**40)):
        accepted = check(steepening_certificate(alpha))
        assert "= 0 (fact 0) < f1(0) = 1" in accepted.statement
    assert supremum_at([steepening(n) for n in range(1, 30)], mpq(0)).value == 1
    for bad in (mpq(0), mpq(2)):
        with pytest.raises(InputError, match="alpha above 0 and at most 1"):
            steepening_certificate(bad)
    with pytest.raises(InputError, match="n at least 1"):
        steepening(0)


def test_renyi_has_no_coupling_property():
    """Both pairs have the second moment 4/3, every coupling at least 3/2, which is reached."""
    assert [sum((p * p / q for p, q in zip(*pair.rows, strict=True)), mpq(0)) for pair in (X, Y)] == [mpq(4, 3)] * 2
    found = least_second_moment(X, Y)
    assert (found.lower, found.upper) == (mpq(3, 2), mpq(3, 2))


def test_the_failure_for_renyi_is_certified():
    """Two transports and the comparison 3/2 > 4/3; where the bound is no higher, there is no certificate."""
    documents = coupling_failure_certificates(X, Y, least_second_moment(X, Y))
    assert [check(document).kind for document in documents] == ["transport", "transport", "evaluation"]
    assert [fact["value"] for fact in documents[-1]["facts"][:3]] == ["4/3", "4/3", "3/2"]
    with pytest.raises(InputError, match="a lower bound above the second moments of both pairs"):
        coupling_failure_certificates(X, X, least_second_moment(X, X))


def second_moment(coupling, other):
    pairs = [(a, b) for row, under in zip(coupling, other, strict=True) for a, b in zip(row, under, strict=True)]
    return INFINITY if any(a and not b for a, b in pairs) else sum((a * a / b for a, b in pairs if b), mpq(0))


def test_the_bound_is_below_every_coupling():
    """Seven by seven couplings of random pairs on two outcomes, against the bound from any pair of them."""
    chance = random.Random(5)  # noqa: S311 - a fixed sample
    for _ in range(10):
        first, second = (Channel([random_law(chance, 2), random_law(chance, 2)]) for _ in range(2))
        grids = []
        for x, y in zip(first.rows, second.rows, strict=True):
            low, high = max(mpq(0), x[0] + y[0] - 1), min(x[0], y[0])
            corners = [low + (high - low) * k / 6 for k in range(7)]
            grids.append([[[c, x[0] - c], [y[0] - c, 1 - x[0] - y[0] + c]] for c in corners])
        moments = [second_moment(pi, other) for pi in grids[0] for other in grids[1]]
        for pi, other in zip(*grids, strict=True):
            bracket = second_moment_bracket(first, second, pi, other)
            assert bracket.upper == second_moment(pi, other)
            assert bracket.lower <= min(moments)
        best = least_second_moment(first, second)
        assert best.lower <= min(moments) <= best.upper


def test_bad_couplings_are_refused():
    """Other marginals, other shapes."""
    good = [[mpq(0), mpq(1, 2)], [mpq(0), mpq(1, 2)]]
    with pytest.raises(InputError, match="other: expected a coupling"):
        second_moment_bracket(X, Y, good, good)
    with pytest.raises(InputError, match="coupling: expected a coupling"):
        second_moment_bracket(X, Y, [[mpq(1)]], good)
    with pytest.raises(InputError, match="second: expected a channel of two rows and two columns"):
        least_second_moment(X, Channel([["1"], ["1"]]))


def test_the_lower_channel_is_the_bound_of_the_lattice():
    """The channel that everything is drawn from."""
    assert couple([X, Y]).lower == greatest_lower_bound([X, Y])
