"""What f-DP has and Rényi divergences of order 2 lack: couplings, the simulation built on them, the chain rule.

None of the three is claimed in the paper; section 1 withdraws what an earlier version said of the chain rule. Each
shows why the section on Rényi DP takes another way.
"""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from oracle.certificates.documents import Certificate
from oracle.channels.channel import Rows
from oracle.interactive.couplings import least_second_moment
from oracle.interactive.examples import renyi_choice
from oracle.interactive.renyi import simulation_moment, tight_moment
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025._facts import channel
from oracle.laws.record import Erratum
from oracle.laws.vadhan2023._facts import moment_of
from oracle.laws.vadhan2023._joint import joint_rows

__all__ = ["CHAIN", "COUPLING", "FIRST", "SECOND", "SIMULATION", "needed_moment"]

FIRST: Final = channel("1/2 1/2", "1/4 3/4")
"""(X, X')."""
SECOND: Final = channel("0 1", "1/4 3/4")
"""(Y, Y')."""

_FAIR: Final = channel("1/2 1/2", "1/2 1/2")
_TOLD: Final = channel("1 0", "1/2 1/2")


def needed_moment() -> mpq:
    """The larger of the two moments of order 2, which a coupling property would keep."""
    return max(moment for moment in (moment_of(FIRST.rows, 2), moment_of(SECOND.rows, 2)) if isinstance(moment, mpq))


def _no_coupling() -> bool:
    """The bound for all couplings, by duality, is above the moments of both pairs."""
    return least_second_moment(FIRST, SECOND).lower > needed_moment()


def _bound(evidence: Evidence) -> None:
    """The moments of the two pairs, and 3/2 as a bound for all their couplings, from p²/q >= 2tp - t²q.

    t = 2 at the outcome (0, 1) and t = 1 at (1, 1): 2·(2·1/2 + 1·1/2) - (4s + 3/4 - s), with s <= 1/4 the probability
    of (0, 1) on the second input.
    """
    first = evidence.combination((2, "1/2"), ("2/3", "1/2"))
    second = evidence.combination(("4/3", 1))
    linear = [evidence.event_sum(FIRST, 0, [outcome]) for outcome in (0, 1)]
    most = evidence.event_sum(FIRST, 1, [0])
    both = evidence.event_sum(SECOND, 1, [1])
    bound = evidence.combination((4, linear[0]), (2, linear[1]), (-1, both), (-3, most))
    evidence.compare(bound, ">", first)
    evidence.compare(bound, ">", second)


def _coupling_certificate() -> Certificate:
    evidence = Evidence()
    _bound(evidence)
    return evidence.certificate()


def _worse_than_views() -> bool:
    """Every simulating pair has at least the moment of the tight pair, which is above those of the views."""
    views, simulating = tight_moment(renyi_choice(), 2), simulation_moment(renyi_choice(), 2)
    return views == needed_moment() and simulating > views


_N: Final = channel("1/2 1/2 0", "1/4 1/2 1/4")
"""The tight pair of the choice between the two pairs."""
_KERNELS: Final[tuple[Rows, ...]] = tuple(
    tuple(tuple(mpq(v) for v in row.split()) for row in rows) for rows in (("1 0", "0 1", "0 1"), ("0 1", "0 1", "1 0"))
)
"""From the three outcomes of N to the answers of A and of B."""


def _simulation_certificate() -> Certificate:
    """N·W is each of the two pairs, so N simulates; the bound for couplings, and the moment of N that reaches it."""
    evidence = Evidence()
    for kernel in _KERNELS:
        evidence.product(_N, kernel)
    _bound(evidence)
    terms = [(a / b, a) for a, b in zip(*_N.rows, strict=True) if a]
    evidence.compare(evidence.combination(*terms), "=", "3/2")
    return evidence.certificate()


def _joint() -> Rows:
    """U says nothing; V tells much where U = 0 and nothing where U = 1."""
    return joint_rows(_FAIR.rows, [_TOLD.rows, _FAIR.rows])


def _chain_fails() -> bool:
    """e^{2 D_2} of the pair against e^{2 D_2(U)} times the product of the moments at weights 1/2, all squared."""
    moments = [moment_of(rows, 2) for rows in (_joint(), _FAIR.rows, _TOLD.rows, _FAIR.rows)]
    whole, first, told, fair = (moment for moment in moments if isinstance(moment, mpq))
    return whole**2 != first**2 * told * fair


def _chain_certificate() -> Certificate:
    """The moment of the pair is 3/2, its square 9/4; that of U is 1, those of V given U are 2 and 1."""
    evidence = Evidence()
    terms = [(a / b, a) for a, b in zip(*_joint(), strict=True) if a]
    whole = evidence.combination(*terms)
    evidence.compare(whole, "=", "3/2")
    square = evidence.combination(("3/2", whole))
    told = evidence.combination((2, 1))
    fair = evidence.combination((1, "1/2"), (1, "1/2"))
    evidence.compare(fair, "=", 1)
    evidence.compare(square, ">", told)
    return evidence.certificate()


COUPLING: Final = Erratum(
    printed="Not printed: the analogue that a reader may expect is the coupling property for D_α: pairs with D_α <= d "
    "each have couplings with D_α <= d. The paper claims the property for trade-off functions, where it holds, and "
    "makes it a condition of Theorem 4.1 for any other distance.",
    counterexample="Let (X, X') = [1/2 1/2; 1/4 3/4] and (Y, Y') = [0 1; 1/4 3/4]. The moments of order 2 are 1/2·2 + "
    "1/2·2/3 = 4/3 and 1·4/3 = 4/3. On the first input Y is 1 for certain, so any coupling has (0, 1) and (1, 1) with "
    "1/2 each. On the second let (0, 1) have the probability s; then (1, 1) has 3/4 - s, and s <= X'(0) = 1/4. The "
    "moment is (1/4)/s + (1/4)/(3/4 - s), which falls for s up to 3/8, so it is least at s = 1/4: 1 + 1/2 = 3/2. And "
    "3/2 > 4/3.",
    correction="The least moment of all couplings of several pairs is that of their greatest lower bound N, at every "
    "order: a coupling's curve lies below all the pairs' curves, hence below T(N), and the coupling drawn from N has "
    "T = T(N).",
    scope="statement",
    fails=_no_coupling,
    certificate=_coupling_certificate,
    summary="Rényi divergences lack couplings",
    printed_formula="Not printed: the analogue that a reader may expect is min over couplings of D_α((X,Y)‖(X',Y')) "
    "<= max{D_α(X‖X'), D_α(Y‖Y')}",
    true_formula="min over couplings of D_α((X,Y)‖(X',Y')) = D_α(N‖N'), T(N, N') the largest trade-off function below "
    "T(X, X') and T(Y, Y')",
)

SIMULATION: Final = Erratum(
    printed="Not printed: the analogue that a reader may expect is Theorem 4.1 for D_α: an interactive mechanism all "
    "of whose views have D_α <= d is simulated by a pair of laws with D_α <= d. The paper states the theorem for "
    "distances with the coupling and the chain rule property only, and treats Rényi DP in another way, in section 5.",
    counterexample="The adversary asks A, answered 0 with probability 1/2 | 1/4, or B, answered 0 with probability 0 | "
    "1/4. Each view has the moment 4/3 of order 2. A pair N from which both are drawn gives a coupling of the two, a "
    "post-processing of N; by the counterexample to the coupling property its moment is at least 3/2, and by data "
    "processing so is N's. N = [1/2 1/2 0; 1/4 1/2 1/4] does simulate, with 1/2·2 + 1/2·1 = 3/2.",
    correction="The least moment of a simulating pair is that of the tight one. The supremum over adversaries can be "
    "smaller; for concurrent composition take the product of the suprema, Theorem 5.1.",
    scope="statement",
    fails=_worse_than_views,
    certificate=_simulation_certificate,
    summary="simulation raises the Rényi divergence",
    printed_formula="Not printed: the analogue that a reader may expect is: D_α(view) <= d for all B implies "
    "D_α(N(x)‖N(x')) <= d for some simulating N",
    true_formula="sup_B D_α(view) <= D_α(N(x)‖N(x')) for every simulating N, least for the tight one",
)

CHAIN: Final = Erratum(
    printed="Not printed: the analogue that a reader may expect is the chain rule of the Kullback-Leibler divergence "
    "for D_α. The paper says itself that it holds for order 1 only: section 1 withdraws it from an earlier version, "
    "with thanks to Lyu.",
    counterexample="Let U be a fair coin on both inputs. Where U = 0 let V have [1 0; 1/2 1/2], where U = 1 a fair "
    "coin on both inputs. The moments of order 2 are 1 for U, 1·2 = 2 and 1 for V, and for the pair 1/2·2 + 1/2·1 = "
    "3/2, so D_2(U, V) = log 3/2. The chain rule would say 0 + 1/2·log 2 + 1/2·0 = log √2. But (3/2)² = 9/4 > 2.",
    correction="Moments e^{(α-1)D_α} add up, with the weights U(u)^α U'(u)^{1-α}.",
    scope="statement",
    fails=_chain_fails,
    certificate=_chain_certificate,
    summary="no such chain rule beyond order 1",
    printed_formula="Not printed: the analogue that a reader may expect is D_α(U,V) = D_α(U) + E_{u~U} D_α(V|u)",
    true_formula="e^{(α-1)D_α(U,V)} = Σ_u U(u)^α U'(u)^{1-α} e^{(α-1)D_α(V|u)}",
)
