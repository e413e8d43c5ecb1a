"""zCDP over all orders: least rho against mpmath on a grid, cells checked by their definition, exact cases."""

from __future__ import annotations

import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.divergences import sides
from oracle.channels.formal_channel import FormalChannel
from oracle.enclosures import Enclosure
from oracle.errors import Declined, InputError
from oracle.exact import INFINITY
from oracle.gaussian_dp.concentrated import judge_rho, least_rho
from oracle.operations import pair_of
from tests.experiments.reference import as_mpq, real

WEIGHTS = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=2, max_size=5)
ORDERS = [1 + mpq(9, 8) ** k for k in range(-40, 60, 2)]
LAPLACE = pair_of({"mechanism": "laplace", "scale": "1"})
RESPONSE = Channel([[mpq(3, 4), mpq(1, 4)], [mpq(1, 4), mpq(3, 4)]])


def channel(columns) -> Channel:
    totals = [sum(column[row] for column in columns) for row in (0, 1)]
    return Channel([[mpq(column[row], totals[row]) for column in columns] for row in (0, 1)])


def psi(pair: Channel, side, order):
    """The logarithm of Σ p^a q^(1-a), to 30 digits."""
    p, q = pair.rows if side == "forward" else pair.rows[::-1]
    with mpmath.workdps(50):
        a = real(order)
        return as_mpq(mpmath.log(mpmath.fsum(real(x) ** a * real(y) ** (1 - a) for x, y in zip(p, q, strict=True))))


def first(pair: Channel, side):
    """D_1."""
    p, q = pair.rows if side == "forward" else pair.rows[::-1]
    with mpmath.workdps(50):
        return as_mpq(mpmath.fsum(real(x) * mpmath.log(real(x) / real(y)) for x, y in zip(p, q, strict=True)))


@settings(deadline=None, max_examples=12)
@given(WEIGHTS)
def test_the_least_rho_is_above_every_order_and_close(columns):
    """No order of a grid has D_a/a above the upper end; the lower end is reached by one of them, nearly."""
    pair = channel(columns)
    found = least_rho(pair)
    if found == 0:
        assert pair.rows[0] == pair.rows[1]
        return
    ratios = [psi(pair, side, a) / (a * (a - 1)) for side in sides("both") for a in ORDERS]
    ratios += [first(pair, side) for side in sides("both")]
    assert max(ratios) <= found.hi * (1 + mpq(1, 10**20))
    # Orders of the grid are a quarter apart, and D_a/a is flat at its largest.
    assert found.lo <= max(ratios) * mpq(101, 100)
    assert found.hi <= found.lo * mpq(1002, 1000)


@settings(deadline=None, max_examples=25)
@given(WEIGHTS, st.sampled_from(["both", "forward", "backward"]))
def test_cells_prove_what_they_say(columns, direction):
    """Bounds lie above psi, chords below rho a (a - 1) at inner points too, and D_∞ <= rho a at the end."""
    pair = channel(columns)
    found = least_rho(pair, direction)
    if found == 0:
        return
    rho = found.hi * mpq(11, 10)
    for finding in judge_rho(pair, rho, direction):
        assert finding.holds is True
        order, bound = mpq(1), mpq(0)
        for cell in finding.cells:
            assert cell.bound >= psi(pair, finding.side, cell.order) - mpq(1, 10**25)
            for k in range(11):
                at = order + (cell.order - order) * mpq(k, 10)
                chord = bound + (cell.bound - bound) * mpq(k, 10)
                assert chord <= rho * at * (at - 1)
                assert order == at == 1 or psi(pair, finding.side, max(at, mpq(101, 100))) <= rho * at * max(
                    at - 1, mpq(1, 100)
                ) * mpq(11, 10)
            order, bound = cell.order, cell.bound
        p, q = pair.rows if finding.side == "forward" else pair.rows[::-1]
        with mpmath.workdps(30):
            largest = as_mpq(mpmath.log(real(max(x / y for x, y in zip(p, q, strict=True)))))
        assert largest <= rho * order + mpq(1, 10**20)


@settings(deadline=None, max_examples=25)
@given(WEIGHTS)
def test_below_the_least_rho_one_order_refutes(columns):
    """The refuting order has D_a > rho·a by mpmath."""
    pair = channel(columns)
    found = least_rho(pair)
    if found == 0:
        return
    rho = found.lo * mpq(99, 100)
    refuted = [finding for finding in judge_rho(pair, rho) if finding.holds is False]
    assert refuted
    for finding in refuted:
        a, side = finding.order, finding.side
        assert (first(pair, side) if a == 1 else psi(pair, side, a) / (a * (a - 1))) > rho


def test_rational_and_formal_agree():
    """The same law as probabilities and as weights."""
    formal = FormalChannel.from_channel(RESPONSE)
    assert least_rho(formal).overlaps(least_rho(RESPONSE))
    assert [f.holds for f in judge_rho(formal, mpq(3, 5))] == [f.holds for f in judge_rho(RESPONSE, mpq(3, 5))]


def test_pure_dp_gives_half_its_square():
    """Bun and Steinke, proposition 1.4: eps-DP is eps²/2-zCDP, for randomized response and its compositions."""
    for epsilon, times in ((mpq(1), 1), (mpq(1, 10), 30), (mpq(3), 1)):
        base = {"mechanism": "randomized_response", "epsilon": str(epsilon)}
        pair = pair_of({"mechanism": "repeat", "times": times, "of": base})
        assert all(finding.holds for finding in judge_rho(pair, times * epsilon**2 / 2))


@pytest.mark.parametrize(
    ("rows", "direction", "expected"),
    [
        ([["1/2", "1/2", "0"], ["1/2", "1/4", "1/4"]], "both", INFINITY),
        ([["1/2", "1/2", "0"], ["1/2", "1/4", "1/4"]], "backward", INFINITY),
        ([["1", "0"], ["0", "1"]], "forward", INFINITY),
        ([["1/3", "2/3"], ["1/3", "2/3"]], "both", 0),
    ],
)
def test_infinite_and_trivial_pairs(rows, direction, expected):
    """An outcome p > 0 = q makes every divergence from order 1 infinite; equal rows leave none."""
    pair = Channel([[mpq(x) for x in row] for row in rows])
    assert least_rho(pair, direction) == expected
    assert all(f.holds for f in judge_rho(pair, mpq(1000), direction)) == (expected == 0)


def test_one_side_of_a_one_sided_pair_is_finite():
    """Forward q > 0 wherever p > 0."""
    pair = Channel([[mpq(1, 2), mpq(1, 2), mpq(0)], [mpq(1, 2), mpq(1, 4), mpq(1, 4)]])
    found = least_rho(pair, "forward")
    assert isinstance(found, Enclosure)
    assert [f.holds for f in judge_rho(pair, found.hi, "forward")] == [True]


@pytest.mark.parametrize(
    ("mechanism", "rho"),
    [
        ({"mechanism": "gaussian", "sigma": "2"}, mpq(1, 8)),
        ({"mechanism": "repeat", "times": 3, "of": {"mechanism": "gaussian", "sigma": "1"}}, mpq(3, 2)),
        ({"mechanism": "discrete_gaussian", "sigma": "3", "sensitivity": 2}, mpq(2, 9)),
    ],
)
def test_exact_least_rho(mechanism, rho):
    """The values theta²/2 and s²/(2σ²), with exact comparisons; the order named has D_a/a = rho."""
    pair = pair_of(mechanism)
    assert least_rho(pair) == rho
    assert [f.holds for f in judge_rho(pair, rho)] == [True, True]
    assert [f.holds for f in judge_rho(pair, rho - mpq(1, 10**40))] == [False, False]
    for finding in judge_rho(pair, rho):
        assert pair.renyi(finding.order, finding.side).divergence == rho * finding.order


def test_the_discrete_gaussian_at_orders_between():
    """D_a <= rho·a at fractional orders, by the sums of its definition."""
    pair = pair_of({"mechanism": "discrete_gaussian", "sigma": "1/2"})
    rho = least_rho(pair)
    for order in (mpq(3, 2), mpq(5, 4), mpq(7, 3), mpq(2)):
        found = pair.renyi(order).divergence
        assert (found.lo if isinstance(found, Enclosure) else found) <= rho * order


def test_laplace():
    """At theta = 1: between D_1 = e^-1 and 1/2; the closed moments decide both sides."""
    found = least_rho(LAPLACE)
    with mpmath.workdps(30):
        assert found.lo <= as_mpq(mpmath.exp(-1)) * (1 + mpq(1, 10**9))
    assert [f.holds for f in judge_rho(LAPLACE, found.hi)] == [True]
    assert [f.holds for f in judge_rho(LAPLACE, found.lo * mpq(99, 100))] == [False]
    assert [f.holds for f in judge_rho(LAPLACE, mpq(1, 2))] == [True]


def test_what_is_not_offered_and_what_is_wrong():
    """Subsampled pairs are declined; a negative rho is refused."""
    sampled = pair_of(
        {
            "mechanism": "poisson_subsample",
            "neighbours": "add_remove",
            "rate": "1/2",
            "of": {"mechanism": "gaussian", "sigma": "1"},
        }
    )
    with pytest.raises(Declined, match="claims of rho are offered for"):
        judge_rho(sampled, mpq(1))
    with pytest.raises(Declined, match="claims of rho are offered for"):
        least_rho(sampled)
    with pytest.raises(InputError, match="rho at least 0"):
        judge_rho(RESPONSE, mpq(-1))


def test_the_border_is_undecided():
    """A rho between D_1 and anything the limit of cells can tell from it."""
    with mpmath.workdps(5100):
        kl = mpmath.log(3) / 2
        rho = as_mpq(kl)
    assert {f.holds for f in judge_rho(RESPONSE, rho)} == {None}
