"""Lemmas 1.6 and 3.1: trade-off functions have the coupling property; Rényi divergences do not."""

from __future__ import annotations

from math import prod
from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.certificates.checker import check
from oracle.channels.channel import Channel
from oracle.channels.galois import tradeoff_of
from oracle.channels.lattice import greatest_lower_bound
from oracle.exact import Extended
from oracle.interactive.couplings import couple, least_second_moment
from oracle.interactive.examples import unattained
from oracle.interactive.tightness import tight_channel
from oracle.laws.ask import Ask, Table
from oracle.laws.compare import at_most, curve_at_most, curves_equal, tables_equal, true, worst
from oracle.laws.fernandes2025._facts import channel, curve
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import alphas, two_row_channels
from oracle.laws.vadhan2023._facts import ONE, at_most_extended, kernel, moment_of, parallel_rows
from oracle.laws.vadhan2023._joint import marginal, mixed_coupling, tensor
from oracle.laws.vadhan2023._renyi_errata import COUPLING, FIRST, SECOND

__all__ = ["CLAIMS"]

_FAMILIES: Final = st.lists(two_row_channels(3), min_size=2, max_size=3)
_BINARY: Final = two_row_channels(2).filter(lambda c: c.shape == (2, 2))

_RESPONSE: Final = channel("2/3 1/3", "1/3 2/3")
_A: Final = channel("0 1", "1/3 2/3")
_B: Final = channel("1/4 3/4", "3/4 1/4")
"""The two options of the mechanism that does not attain the bound of theorem 1.4."""


def _marginals(joint: Table, family: list[Channel]) -> mpq:
    """How far the members of a joint pair are from those of the family."""
    sizes = [c.shape[1] for c in family]
    if any(len(row) != prod(sizes) for row in joint):
        return ONE
    return worst(tables_equal(marginal(joint, sizes, k), c.rows) for k, c in enumerate(family))


def _coupling_law(ask: Ask, family: list[Channel]) -> mpq:
    """All members are drawn independently given the outcome of the subject's greatest lower bound.

    The kernels are found by linear programming. The joint laws have the members as marginals, and the curve of the
    bound, which is the largest below all members' curves.
    """
    lower = ask.glb([c.rows for c in family])
    kernels = [kernel(lower, c.rows) for c in family]
    found = [k for k in kernels if k is not None]
    if len(found) < len(family):
        return ONE
    joint = ask.post(lower, tensor(found))
    below = worst(curve_at_most(ask.tradeoff(lower), ask.tradeoff(c.rows)) for c in family)
    return worst([_marginals(joint, family), curves_equal(ask.tradeoff(joint), ask.tradeoff(lower)), below])


def _given_law(ask: Ask, family: list[Channel], other: Channel) -> mpq:
    """For any f below all members' curves there is a coupling with T >= f."""
    lower = greatest_lower_bound([*family, other])
    f = tradeoff_of(lower)
    joint = couple(family, f).joint.rows
    above = curve_at_most(f.corners, ask.tradeoff(joint))
    return worst([_marginals(joint, family), above, true(ask.refines(lower.rows, joint))])


def _no_better_law(ask: Ask, first: Channel, second: Channel, p: mpq, q: mpq) -> mpq:
    """No coupling has a curve above that of the greatest lower bound: its members are post-processings of it."""
    rows = tuple(mixed_coupling(x, y, weight) for x, y, weight in zip(first.rows, second.rows, (p, q), strict=True))
    family = [first, second]
    known = curve_at_most(ask.tradeoff(rows), ask.tradeoff(ask.glb([c.rows for c in family])))
    processed = worst(true(ask.refines(rows, c.rows)) for c in family)
    return worst([_marginals(rows, family), known, processed])


def _least_moment_law(ask: Ask, family: list[Channel], order: int, p: mpq, q: mpq) -> mpq:
    """The coupling drawn from the greatest lower bound has its moment; others have no less, members no more."""
    least = ask.moment(ask.glb([c.rows for c in family]), order)
    drawn = ask.moment(couple(family).joint.rows, order)
    members = [ask.moment(c.rows, order) for c in family]
    (x, x_prime), (y, y_prime) = family[0].rows, family[1].rows
    mixed = mixed_coupling(x, y, p), mixed_coupling(x_prime, y_prime, q)
    of_two = ask.moment(ask.glb([c.rows for c in family[:2]]), order)
    return worst(
        [
            at_most_extended(drawn, least),
            at_most_extended(least, drawn),
            at_most_extended(of_two, ask.moment(mixed, order)),
            *(at_most_extended(member, least) for member in members),
        ]
    )


def _bracket_law(ask: Ask, first: Channel, second: Channel) -> mpq:
    """For two outcomes each: above the bound by transport duality, and not above the moments of extreme couplings."""
    bracket = least_second_moment(first, second)
    least = ask.moment(ask.glb([first.rows, second.rows]), 2)
    return max(at_most_extended(bracket.lower, least), at_most_extended(least, bracket.upper))


def _independent_fails() -> bool:
    """At 1/9 the product of a response with itself has 5/9; coupled as equal it keeps the response's own 7/9."""
    independent = tradeoff_of(Channel(parallel_rows([_RESPONSE.rows] * 2)))
    f = tradeoff_of(_RESPONSE)
    values = independent.at(mpq(1, 9)), f.at(mpq(1, 9))
    return values == (mpq(5, 9), mpq(7, 9)) and tradeoff_of(couple([_RESPONSE] * 2).joint) == f


def _coupled_options() -> bool:
    """The coupled pair of A and B has the curve of N = [3/4 1/4 0; 1/4 5/12 1/3]."""
    joint = couple([_A, _B]).joint
    n = channel("3/4 1/4 0", "1/4 5/12 1/3")
    expected = curve(("0", "2/3"), ("1/4", "1/4"), ("1", "0"))
    return tradeoff_of(joint) == expected == tradeoff_of(n) and n == tight_channel(unattained())


def _certified() -> bool:
    """The coupling, its marginals and that its curve is the supremum: each accepted by the independent checker."""
    return [check(d).kind for d in couple([_A, _B, _RESPONSE]).certificates()] == ["refinement", "evaluation", "glb"]


def _moments(order: int) -> tuple[Extended, ...]:
    """Of the two pairs and of their greatest lower bound."""
    pairs = FIRST, SECOND, greatest_lower_bound([FIRST, SECOND])
    return tuple(moment_of(pair.rows, order) for pair in pairs)


def _exact_bracket() -> bool:
    bracket = least_second_moment(FIRST, SECOND)
    return at_most(bracket.lower, mpq(3, 2)) == 0 and bracket.upper == mpq(3, 2)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Lemma1.6/3.1",
        title="trade-off functions have the coupling property",
        statement="If T(X, X') >= f and T(Y, Y') >= f, then X and Y can be coupled, and X' and Y', such that the pair "
        "has T >= f; likewise finitely many pairs. Draw an outcome of a pair with curve f, and from it all members "
        "independently. With f the supremum in the reversed order, the joint curve is f exactly, and no coupling has a "
        "larger one.",
        formula="T(X, X') >= f, T(Y, Y') >= f imply T((X,Y), (X',Y')) >= f for some couplings",
        source="section 1, Lemma 1.6; section 3, Lemma 3.1",
        status="holds",
        hypotheses="finitely many pairs",
        laws=(
            Law("drawn from the greatest lower bound, by linear programming", _FAMILIES, _coupling_law),
            Law("for any f below all curves", st.tuples(_FAMILIES, two_row_channels(3)), _given_law),
            Law(
                "no coupling does better than the supremum",
                st.tuples(two_row_channels(3), two_row_channels(3), alphas(), alphas()),
                _no_better_law,
            ),
        ),
        facts=(
            fact(
                "X = Y = [2/3 1/3; 1/3 2/3]: coupled independently T(1/9) = 5/9 < 7/9, coupled as equal 7/9",
                _independent_fails,
            ),
            fact("A: [0 1; 1/3 2/3], B: [1/4 3/4; 3/4 1/4]: T is (0, 2/3), (1/4, 1/4), (1, 0)", _coupled_options),
            fact("a coupling of three pairs, certified", _certified),
        ),
    ),
    ClaimRecord(
        id="coupling, Renyi",
        title="Rényi divergences lack the coupling property",
        statement="Two pairs of laws can have a Rényi divergence below that of each of their couplings. The least of "
        "all couplings, at every order, is that of the greatest lower bound N of the pairs, and the coupling drawn "
        "from N attains it.",
        formula="min over couplings of D_α((X,Y)‖(X',Y')) = D_α(N‖N'), T(N, N') the largest trade-off function below "
        "T(X, X') and T(Y, Y')",
        source="section 3, Definition 3.1; section 1, Independent Work, on the withdrawn proof",
        status="false_as_stated",
        hypotheses="orders α > 1; tested at whole ones, where moments are exact",
        laws=(
            Law(
                "the least moment is that of the greatest lower bound",
                st.tuples(_FAMILIES, st.sampled_from([2, 3, 5]), alphas(), alphas()),
                _least_moment_law,
            ),
            Law("bounds by transport, for two outcomes each", st.tuples(_BINARY, _BINARY), _bracket_law),
        ),
        facts=(
            fact(
                "[1/2 1/2; 1/4 3/4] and [0 1; 1/4 3/4]: 4/3 each at order 2, and 3/2 for the greatest lower bound",
                lambda: _moments(2) == (mpq(4, 3), mpq(4, 3), mpq(3, 2)),
            ),
            fact("the least of all their couplings is 3/2: proved by transport, and reached", _exact_bracket),
            fact(
                "at order 3: 20/9, 16/9 and 5/2",
                lambda: _moments(3) == (mpq(20, 9), mpq(16, 9), mpq(5, 2)),
            ),
        ),
        errata=(COUPLING,),
    ),
)
