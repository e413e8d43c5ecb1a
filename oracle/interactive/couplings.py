"""Couplings of pairs of laws: the coupling property of f-DP, completeness of the trade-off functions, and Rényi.

*Coupling property* (Vadhan and Zhang, STOC 2023, lemmas 1.6 and 3.1; for a finite family by induction). If
f <= T(X_i, X'_i) for all i, then the X_i can be coupled, and the X'_i, so that the joint pair has T >= f too. It is
constructive: with a channel L = (P, P') below all members, and witnesses L·W_i = (X_i, X'_i), the members are drawn
independently *given* the outcome of L. With L the greatest lower bound, T of the joint pair is exactly the supremum
(in the paper's order, the largest trade-off function below all T(X_i, X'_i)): it is at least T(L) since the joint pair
is a post-processing of L, and at most the lattice minimum T(L), since each member is a marginal of the joint pair.

*Completeness* (lemma 2.4). For finitely many trade-off functions the supremum in the paper's order is

    h(alpha) = inf{ E[F(A(F))] : E[A(F)] <= alpha },    F random among them,

the lower convex hull of their minimum; two of them always suffice. For infinitely many the formula is wrong at 0: for
f_n = max(0, 1 - n alpha) it gives h(0) = 1 and h = 0 on (0, 1], which is not continuous, while the supremum is the
closure, 0 everywhere (:func:`steepening_certificate`).

*Rényi divergences have no coupling property* (:func:`second_moment_bracket`), so the simulation of an interactive
mechanism by a single pair of laws fails for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from gmpy2 import mpq

from oracle.certificates.coupling_documents import transport_certificate
from oracle.certificates.documents import (
    Certificate,
    evaluation,
    greatest_lower_bound_certificate,
    refinement_certificate,
)
from oracle.channels.channel import Channel
from oracle.channels.galois import channel_of
from oracle.channels.lattice import greatest_lower_bound, require_family
from oracle.channels.refinement import Witness, refine
from oracle.channels.tradeoff import TradeoffFunction, minimum
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import INFINITY, Extended, to_text
from oracle.theorems.transport import Transport, check_laws, transport

__all__ = [
    "MAX_JOINT_COLUMNS",
    "FamilyCoupling",
    "MomentBracket",
    "Supremum",
    "couple",
    "coupling_failure_certificates",
    "least_second_moment",
    "second_moment_bracket",
    "steepening",
    "steepening_certificate",
    "supremum_at",
]

MAX_JOINT_COLUMNS: Final = 100_000
"""Most columns of a joint channel."""


@dataclass(frozen=True, slots=True)
class FamilyCoupling:
    """A coupling of a family of pairs of laws.

    Attributes:
        members: the pairs (X_i, X'_i), as two-row channels.
        lower: the channel L that all are drawn from.
        witnesses: W_i with L·W_i = members[i].
        joint: the coupled pair; its columns are the tuples of outcomes in lexicographic order, the last fastest.
    """

    members: tuple[Channel, ...]
    lower: Channel
    witnesses: tuple[Witness, ...]
    joint: Channel

    def certificates(self) -> list[Certificate]:
        """The coupling as checkable documents, and, where L is the greatest lower bound, that T(joint) is the supremum.

        Kind ``refinement``: L ⊑ joint, so T(joint) >= T(L). Kind ``evaluation``: joint·M_i = member i with M_i a 0/1
        matrix that keeps outcome i, so the joint rows are couplings. Kind ``glb``: L is the members' greatest lower
        bound.
        """
        kernel = _tensor(self.witnesses)
        entries = [(i, j, v) for i, row in enumerate(kernel) for j, v in enumerate(row) if v]
        witness = Witness(len(kernel), len(kernel[0]), tuple(entries))
        documents = [refinement_certificate(self.lower, self.joint, witness)]
        sizes = [channel.shape[1] for channel in self.members]
        facts: list[dict[str, Any]] = []
        for i, channel in enumerate(self.members):
            outcomes = product(*map(range, sizes))
            marginal = [[mpq(int(j == outcome[i])) for j in range(sizes[i])] for outcome in outcomes]
            left, right, result = map(_texts, (self.joint.rows, marginal, channel.rows))
            facts.append({"fact": "product", "left": left, "right": right, "product": result})
        documents.append(evaluation(facts, "the marginals of a coupling of pairs of laws"))
        if self.lower == greatest_lower_bound(self.members):
            documents.append(greatest_lower_bound_certificate(self.members))
        return documents


def couple(members: Sequence[Channel], below: TradeoffFunction | None = None) -> FamilyCoupling:
    """The coupling of the coupling property.

    Args:
        members: pairs of laws, at least one.
        below: f with f <= T of every member; then the joint pair has T >= f. None for the supremum: T is exact then.

    Raises:
        InputError: if f is not below a member's trade-off function; the message names a level that shows it.
        LimitError: beyond :data:`MAX_JOINT_COLUMNS` columns.
    """
    require_family(members)
    columns = 1
    for channel in members:
        columns *= channel.shape[1]
    if columns > MAX_JOINT_COLUMNS:
        raise LimitError(f"at most {MAX_JOINT_COLUMNS} joint outcomes", f"{columns}", "members")
    lower = greatest_lower_bound(members) if below is None else channel_of(below)
    witnesses: list[Witness] = []
    for i, channel in enumerate(members):
        found = refine(lower, channel)
        if not isinstance(found, Witness):
            shown = shorten(to_text(found.left)), shorten(to_text(found.right))
            got = f"Σ max(0, q - h p) = {shown[0]} < {shown[1]}"
            raise InputError("f below the trade-off function of the pair", got, f"members[{i}]")
        witnesses.append(found)
    kernel = _tensor(witnesses)
    rows = tuple(
        tuple(sum((v * k[j] for v, k in zip(row, kernel, strict=True)), mpq(0)) for j in range(columns))
        for row in lower.rows
    )
    return FamilyCoupling(tuple(members), lower, tuple(witnesses), Channel.trusted(rows))


def _tensor(witnesses: Sequence[Witness]) -> list[list[mpq]]:
    """The kernel that draws all members independently given the outcome of the lower channel."""
    dense: list[list[list[mpq]]] = []
    for witness in witnesses:
        rows = [[mpq(0)] * witness.columns for _ in range(witness.rows)]
        for i, j, weight in witness.entries:
            rows[i][j] = weight
        dense.append(rows)
    kernel: list[list[mpq]] = []
    for i in range(witnesses[0].rows):
        row = [mpq(1)]
        for rows in dense:
            row = [a * b for a in row for b in rows[i]]
        kernel.append(row)
    return kernel


def _texts(rows: Sequence[Sequence[mpq]]) -> list[list[str]]:
    return [[to_text(value) for value in row] for row in rows]


@dataclass(frozen=True, slots=True)
class Supremum:
    """h(alpha) of lemma 2.4 with the random F and A that reach it.

    Attributes:
        value: h(alpha).
        mixture: triples (weight, index of the trade-off function, alpha there): one or two of them.
        line: (c, m) with c - m t <= f_i(t) for every i and t, and c - m alpha = value: whatever F and A,
            E[F(A(F))] >= c - m E[A(F)] >= c - m alpha, as m >= 0.
    """

    value: mpq
    mixture: tuple[tuple[mpq, int, mpq], ...]
    line: tuple[mpq, mpq]


def supremum_at(curves: Sequence[TradeoffFunction], alpha: mpq) -> Supremum:
    """The value of the supremum of finitely many trade-off functions at *alpha*, constructed and proved."""
    if not 0 <= alpha <= 1:
        raise InputError("alpha between 0 and 1", shorten(to_text(alpha)), "alpha")
    hull = minimum(curves).corners
    right = next(k for k, (x, _) in enumerate(hull) if k and x >= alpha)
    (x0, y0), (x1, y1) = hull[right - 1], hull[right]
    steepness = (y0 - y1) / (x1 - x0)
    share = (alpha - x0) / (x1 - x0)
    mixture = [
        (weight, next(i for i, curve in enumerate(curves) if curve.at(x) == y), x)
        for weight, x, y in ((1 - share, x0, y0), (share, x1, y1))
        if weight
    ]
    value = y0 - steepness * (alpha - x0)
    return Supremum(value, tuple(mixture), (y0 + steepness * x0, steepness))


def steepening(n: int) -> TradeoffFunction:
    """f_n(alpha) = max(0, 1 - n alpha), n >= 1."""
    if n < 1:
        raise InputError("n at least 1", str(n), "n")
    corners = [(mpq(0), mpq(1)), (mpq(1, n), mpq(0))]
    return TradeoffFunction.trusted(corners if n == 1 else [*corners, (mpq(1), mpq(0))])


def steepening_certificate(alpha: mpq) -> Certificate:
    """Facts that show where the formula of lemma 2.4 fails for the family f_1, f_2, ...; *alpha* in (0, 1].

    f_n(alpha) = 0 for n = ceil(1/alpha), so h(alpha) = 0; and f_n(0) = 1 for that n as for every n, so h(0) = 1, as
    E[A(F)] <= 0 allows A = 0 only. A trade-off function below all f_n is 0 on (0, 1] and, continuous, 0 at 0.
    """
    if not 0 < alpha <= 1:
        raise InputError("alpha above 0 and at most 1", shorten(to_text(alpha)), "alpha")
    inverse = 1 / alpha
    n = int(-((-inverse.numerator) // inverse.denominator))
    corners = [[to_text(a), to_text(b)] for a, b in steepening(n).corners]
    facts: list[dict[str, Any]] = [
        {"fact": "curve_value", "tradeoff": corners, "alpha": to_text(alpha), "value": "0"},
        {"fact": "curve_value", "tradeoff": corners, "alpha": "0", "value": "1"},
        {"fact": "compare", "left": {"fact": 0}, "relation": "<", "right": {"fact": 1}},
    ]
    return evaluation(facts, "max(0, 1 - n alpha) with n = ceil(1/alpha), at alpha and at 0")


@dataclass(frozen=True, slots=True)
class MomentBracket:
    """Bounds of the least second moment Σ pi(i, j)² / pi'(i, j) over couplings pi of X, Y and pi' of X', Y'.

    Attributes:
        lower: proved for every coupling, see :func:`second_moment_bracket`.
        upper: the moment of the couplings given, or INFINITY.
        slopes: the t(i, j) of the proof.
        plan, other_plan: the two transports whose potentials prove it.
    """

    lower: mpq
    upper: Extended
    slopes: tuple[tuple[mpq, ...], ...]
    plan: Transport
    other_plan: Transport


def second_moment_bracket(
    first: Channel, second: Channel, coupling: Sequence[Sequence[mpq]], other: Sequence[Sequence[mpq]]
) -> MomentBracket:
    """A lower bound for all couplings of two pairs, from slopes that the given couplings suggest, and their own moment.

    For every t >= 0, pi²/pi' >= 2 t pi - t² pi' (the square of pi - t pi' is nonnegative). So the moment of any
    couplings is at least 2 min Σ t pi - max Σ t² pi', two transport problems over X, Y and over X', Y', each proved by
    its potentials. Here t = pi/pi' of the given couplings, 0 where pi is 0: the bound is reached if these are optimal
    and no better slopes are needed where both vanish.

    Args:
        first: (X, X') as a two-row channel.
        second: (Y, Y').
        coupling: a coupling of X and Y, a matrix.
        other: a coupling of X' and Y'.
    """
    (x, x_prime), (y, y_prime) = first.rows, second.rows
    _check_coupling(coupling, x, y, "coupling")
    _check_coupling(other, x_prime, y_prime, "other")
    upper: Extended = mpq(0)
    slopes: list[tuple[mpq, ...]] = []
    for row, other_row in zip(coupling, other, strict=True):
        slopes.append(tuple(a / b if b else mpq(0) for a, b in zip(row, other_row, strict=True)))
        for a, b in zip(row, other_row, strict=True):
            if a and not b:
                upper = INFINITY
            elif a and isinstance(upper, mpq):
                upper += a * a / b
    largest = max(t for row in slopes for t in row) ** 2
    plan = _finite_transport(x, y, slopes)
    other_plan = _finite_transport(x_prime, y_prime, [[largest - t * t for t in row] for row in slopes])
    lower = 2 * plan.value - (largest - other_plan.value)
    return MomentBracket(lower, upper, tuple(slopes), plan, other_plan)


def coupling_failure_certificates(first: Channel, second: Channel, bracket: MomentBracket) -> list[Certificate]:
    """What proves that no couplings of the two pairs have a second moment as low as the larger of theirs.

    Two of kind ``transport``, min Σ t pi = A over couplings of X, Y and min Σ (M - t²) pi' = B over those of X', Y', M
    the largest t²; and an ``evaluation`` that 2 A - M + B, the lower bound, exceeds the moments of both pairs.

    Raises:
        InputError: if the lower bound of the bracket is not above both.
    """
    (x, x_prime), (y, y_prime) = first.rows, second.rows
    largest = max(t for row in bracket.slopes for t in row) ** 2
    documents: list[Certificate] = []
    for laws, costs, plan in (
        ((x, y), bracket.slopes, bracket.plan),
        ((x_prime, y_prime), [[largest - t * t for t in row] for row in bracket.slopes], bracket.other_plan),
    ):
        potentials = plan.first_potentials, plan.second_potentials
        documents.append(transport_certificate(*laws, costs, plan.entries, potentials))
    facts: list[dict[str, Any]] = []
    for pair in (first, second):
        columns = [(p, q) for p, q in zip(*pair.rows, strict=True) if p]
        if any(not q for _, q in columns) or sum((p * p / q for p, q in columns), mpq(0)) >= bracket.lower:
            got = shorten(to_text(bracket.lower))
            raise InputError("a lower bound above the second moments of both pairs", got, "bracket")
        terms = [[to_text(p / q), to_text(p)] for p, q in columns]
        moment = sum((p * p / q for p, q in columns), mpq(0))
        facts.append({"fact": "combination", "terms": terms, "value": to_text(moment)})
    values = bracket.plan.value, largest, bracket.other_plan.value
    terms = [[weight, to_text(value)] for weight, value in zip(("2", "-1", "1"), values, strict=True)]
    facts.append({"fact": "combination", "terms": terms, "value": to_text(bracket.lower)})
    facts += [{"fact": "compare", "left": {"fact": 2}, "relation": ">", "right": {"fact": k}} for k in (0, 1)]
    return [*documents, evaluation(facts, "second moments of two pairs and of any coupling of them")]


def _finite_transport(x: Sequence[mpq], y: Sequence[mpq], costs: Sequence[Sequence[mpq]]) -> Transport:
    found = transport(x, y, costs)
    assert isinstance(found, Transport), "only infinite costs forbid a coupling"  # noqa: S101 - narrows the type
    return found


def least_second_moment(first: Channel, second: Channel) -> MomentBracket:
    """The best bracket from the extreme couplings of two pairs with two outcomes each.

    ``lower <= least moment <= upper``; where the two are equal it is the least moment of all couplings.
    """
    for name, channel in (("first", first), ("second", second)):
        if channel.shape != (2, 2):
            raise InputError("a channel of two rows and two columns", f"{channel.shape}", name)
    brackets = [
        second_moment_bracket(first, second, coupling, other)
        for coupling in _extreme(first.rows[0], second.rows[0])
        for other in _extreme(first.rows[1], second.rows[1])
    ]
    upper = min(bracket.upper for bracket in brackets)
    best = max(brackets, key=lambda bracket: bracket.lower)
    return MomentBracket(best.lower, upper, best.slopes, best.plan, best.other_plan)


def _extreme(x: Sequence[mpq], y: Sequence[mpq]) -> list[list[list[mpq]]]:
    """The two extreme couplings of laws on two outcomes."""
    corners = max(mpq(0), x[0] + y[0] - 1), min(x[0], y[0])
    return [[[c, x[0] - c], [y[0] - c, 1 - x[0] - y[0] + c]] for c in corners]


def _check_coupling(coupling: Sequence[Sequence[mpq]], x: Sequence[mpq], y: Sequence[mpq], where: str) -> None:
    check_laws(x, y)
    fits = len(coupling) == len(x) and all(len(row) == len(y) for row in coupling)
    fits = fits and all(value >= 0 for row in coupling for value in row)
    fits = fits and [sum(row, mpq(0)) for row in coupling] == list(x)
    if not fits or [sum(column, mpq(0)) for column in zip(*coupling, strict=True)] != list(y):
        raise InputError(
            "a coupling: a matrix at least 0 with the two laws as its row and column sums", "another", where
        )
