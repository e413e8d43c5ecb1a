"""What sections 2 and 3 print of the divergence and is not so: each with a counterexample that is run and certified."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from oracle.certificates.documents import Certificate, approximate_dp_refuted
from oracle.channels.channel import Channel, Rows
from oracle.channels.divergences import hockey_stick
from oracle.channels.profile import Exceedance
from oracle.claims import ApproximateDP
from oracle.exact import INFINITY
from oracle.laws.balle2018._facts import EVERYTHING, NOTHING, ONE, ZERO, divergence
from oracle.laws.evidence import Evidence
from oracle.laws.record import Erratum
from oracle.levels import Level

__all__ = ["MIDDLE", "POINT", "TOPOLOGICAL", "UNCHANGED", "middle_expression", "neighbourhood_mass"]

POINT: Final[Channel] = EVERYTHING
"""The point mass at 0 and the uniform law on [-1, 1], seen through the question whether z = 0."""


def middle_expression(table: Rows, level: mpq) -> mpq:
    """∫ [dmu/dmu' - a]_+ dmu' of two discrete laws: outcomes without mass under mu' add nothing."""
    p, q = table
    return sum((max(ZERO, a / b - level) * b for a, b in zip(p, q, strict=True) if b), ZERO)


def neighbourhood_mass(radius: mpq) -> mpq:
    """Mass of (-r, r) under the uniform law on [-1, 1]."""
    return min(ONE, 2 * radius / 2)


def _middle_differs() -> bool:
    return middle_expression(EVERYTHING.rows, ONE) != divergence(EVERYTHING.rows, ONE)


def _middle_certificate() -> Certificate:
    """The integral is at most the mass of mu where mu' has some, which is less than D_1."""
    evidence = Evidence()
    seen = evidence.event_sum(EVERYTHING, 0, [1])
    evidence.compare(seen, "<", evidence.hockey_stick(EVERYTHING, ONE, "forward"))
    return evidence.certificate()


def _does_not_decrease() -> bool:
    return not divergence(NOTHING.rows, mpq(2)) < divergence(NOTHING.rows, ONE)


def _constant_certificate() -> Certificate:
    evidence = Evidence()
    values = [evidence.hockey_stick(NOTHING, level, "forward") for level in (ONE, mpq(2))]
    evidence.compare(values[1], ">=", values[0])
    return evidence.certificate()


def _closed_supports_are_not_enough() -> bool:
    """0 is in the closed support of the uniform law, as are all its points, yet the limit of D_a is not 0."""
    contained = all(neighbourhood_mass(mpq(1, 2**k)) > 0 for k in range(200))
    return contained and hockey_stick(POINT, INFINITY) != 0


def _point_certificate() -> Certificate:
    """The event z = 0 has mass 1 under mu and none under mu': (infinity, delta)-DP fails for every delta < 1."""
    claim = ApproximateDP(Level.infinite(), ZERO)
    return approximate_dp_refuted(POINT, claim, Exceedance("forward", (0,), ONE, ZERO, INFINITY))


MIDDLE: Final = Erratum(
    printed="D_α(μ‖μ') = ∫ [dμ/dμ' - α]_+ dμ' for all probability measures.",
    counterexample="Take two outcomes, μ = (1, 0), μ' = (0, 1) and α = 1. The integral runs over the second outcome "
    "only, where dμ/dμ' = 0/1 = 0: it is [0 - 1]_+·1 = 0. But the event of the first outcome gives "
    "μ(E) - α μ'(E) = 1 - 1·0 = 1. So 0 is not 1.",
    correction="Add the mass of μ where μ' has none, or assume μ << μ' (μ has no mass where μ' has none). The first "
    "and the last expression of equation (2) need nothing.",
    scope="statement",
    fails=_middle_differs,
    certificate=_middle_certificate,
    summary="an integral over μ' misses mass",
    printed_formula="D_α(μ‖μ') = ∫ [dμ/dμ' - α]_+ dμ'",
)

UNCHANGED: Final = Erratum(
    printed="The function α -> D_α is monotonically decreasing.",
    counterexample="Take one outcome, μ = μ' = (1). D_1 = [1 - 1]_+ = 0 and D_2 = [1 - 2]_+ = 0: the value does not "
    "decrease from α = 1 to α = 2.",
    correction="It does not increase; it decreases strictly only as long as it is above its limit.",
    scope="remark",
    fails=_does_not_decrease,
    certificate=_constant_certificate,
    summary="not increasing, rather than decreasing",
    printed_formula="α < α' implies D_α(μ‖μ') > D_{α'}(μ‖μ')",
    true_formula="α <= α' implies D_α(μ‖μ') >= D_{α'}(μ‖μ')",
)

TOPOLOGICAL: Final = Erratum(
    printed="D_α tends to 0 as α -> ∞ if and only if supp(μ) ⊆ supp(μ').",
    counterexample="With the usual, closed support: let μ be the point mass at 0 and μ' uniform on [-1, 1] (the base "
    "measure being their sum). Every (-r, r) has mass r > 0 under μ', so 0 is in supp(μ') and supp(μ) = {0} is "
    "contained in it. But E = {0} has μ(E) = 1 and μ'(E) = 0, so μ(E) - α μ'(E) = 1 for every α: D_α = 1, and "
    "the limit is 1, not 0.",
    correction="Read supp as the set of positive density; for discrete laws this is the set of outcomes with mass.",
    scope="hypothesis",
    fails=_closed_supports_are_not_enough,
    certificate=_point_certificate,
    summary="closed supports are not enough",
    printed_formula="lim_{α->∞} D_α(μ‖μ') = 0 iff supp μ ⊆ supp μ', supports being closed",
)
