"""Couplings of two finite laws: maximal, overlapping mixtures, advanced joint convexity, distance-compatible.

With nu, nu' laws on the same outcomes, nu_min = min(nu, nu') and eta = 1 - Σ nu_min = TV(nu, nu'):

- the *overlapping mixture decomposition* is nu = (1 - eta)·nu_0 + eta·nu_1, nu' = (1 - eta)·nu_0 + eta·nu_1', with
  nu_0 = nu_min/(1 - eta), nu_1 = (nu - nu_min)/eta, nu_1' = (nu' - nu_min)/eta; nu_1 and nu_1' are disjoint, and no
  decomposition with disjoint remainders has another eta;
- the *maximal coupling* is pi(y, y') = nu_min(y) 1[y = y'] + (nu - nu_min)(y)·(nu' - nu_min)(y')/eta. As printed
  (nu_0 without its normalisation) it has total mass 1 - eta + eta²;
- *advanced joint convexity* (theorem 2): for a >= 1, a' = 1 + eta (a - 1), b = a'/a and any laws mu_0, mu_1, mu_1'

      D_{a'}((1-eta) mu_0 + eta mu_1 ‖ (1-eta) mu_0 + eta mu_1') = eta D_a(mu_1 ‖ (1-b) mu_0 + b mu_1'),

  an identity: the integrands agree, as (1-eta)(1-a') = -eta a (1-b) and eta a' = eta a b;
- nu and nu' are *d-compatible* if a coupling lives on pairs with d(y, y') = d(y, supp nu') < inf. Then it minimises
  Σ pi delta_{M,d(y,y')} for every mechanism, and the least value is Σ_k nu{d(y, supp nu') = k} delta_{M,k} (theorem 7).

Source: Balle, Barthe and Gaboardi, NeurIPS 2018, sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from oracle.certificates.coupling_documents import (
    coupling_certificate,
    hockey_stick_fact,
    no_coupling_certificate,
    transport_certificate,
)
from oracle.certificates.documents import Certificate, evaluation
from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.errors import InputError, shorten
from oracle.exact import INFINITY, Extended, Infinity, to_text
from oracle.theorems.transport import Entries, Obstruction, Transport, check_laws, transport

__all__ = [
    "Coupling",
    "JointConvexity",
    "Overlap",
    "advanced_joint_convexity",
    "compatible_coupling",
    "decomposition",
    "decomposition_certificate",
    "distance_shells",
    "least_transport",
    "maximal_coupling",
    "nearest_costs",
]

Law = tuple[mpq, ...]
Distances = Sequence[Sequence[Extended]]


@dataclass(frozen=True, slots=True)
class Coupling:
    """A coupling, as its positive entries (first outcome, second outcome), with its certificate."""

    entries: Entries
    certificate: Certificate


@dataclass(frozen=True, slots=True)
class Overlap:
    """The overlapping mixture decomposition; ``common`` is None for eta = 1, the remainders are None for eta = 0."""

    eta: mpq
    common: Law | None
    first: Law | None
    second: Law | None


def decomposition(first: Sequence[mpq], second: Sequence[mpq]) -> Overlap:
    """eta, nu_0, nu_1 and nu_1' of two laws on the same outcomes."""
    _check_same(first, second)
    least = [min(a, b) for a, b in zip(first, second, strict=True)]
    eta = 1 - sum(least, mpq(0))
    common = None if eta == 1 else tuple(value / (1 - eta) for value in least)
    if not eta:
        return Overlap(eta, common, None, None)
    rests = [tuple((a - b) / eta for a, b in zip(law, least, strict=True)) for law in (first, second)]
    return Overlap(eta, common, rests[0], rests[1])


def decomposition_certificate(first: Sequence[mpq], second: Sequence[mpq]) -> Certificate:
    """Kind ``evaluation``: the mixtures multiply out, eta is the total variation, and the remainders are disjoint.

    Rows of the product are the components that exist; disjoint remainders have total variation 1.
    """
    overlap = decomposition(first, second)
    components = [law for law in (overlap.common, overlap.first, overlap.second) if law is not None]
    eta, zero = overlap.eta, mpq(0)
    weights = [[1 - eta, eta, zero], [1 - eta, zero, eta]]
    kept = [
        [w for w, law in zip(row, (overlap.common, overlap.first, overlap.second), strict=True) if law is not None]
        for row in weights
    ]
    facts: list[dict[str, Any]] = [
        {"fact": "product", "left": _texts(kept), "right": _texts(components), "product": _texts([first, second])}
    ]
    facts.append(hockey_stick_fact(Channel.trusted((tuple(first), tuple(second))), mpq(1), "forward"))
    facts.append({"fact": "compare", "left": {"fact": 1}, "relation": "=", "right": to_text(eta)})
    if overlap.first is not None and overlap.second is not None:
        facts.append(hockey_stick_fact(Channel.trusted((overlap.first, overlap.second)), mpq(1), "forward"))
        facts.append({"fact": "compare", "left": {"fact": 3}, "relation": "=", "right": "1"})
    return evaluation(facts)


def maximal_coupling(first: Sequence[mpq], second: Sequence[mpq]) -> Coupling:
    """The maximal coupling of two laws on the same outcomes: Pr[y != y'] = TV, the least possible."""
    _check_same(first, second)
    least = [min(a, b) for a, b in zip(first, second, strict=True)]
    eta = 1 - sum(least, mpq(0))
    entries = {(i, i): value for i, value in enumerate(least) if value}
    for i, (a, common) in enumerate(zip(first, least, strict=True)):
        for j, (b, other) in enumerate(zip(second, least, strict=True)):
            if a > common and b > other:
                # On the diagonal one of the two factors is 0, so no entry is met twice.
                entries[i, j] = (a - common) * (b - other) / eta
    entries = dict(sorted(entries.items()))
    return Coupling(entries, coupling_certificate(first, second, entries, "maximal"))


@dataclass(frozen=True, slots=True)
class JointConvexity:
    """Both sides of theorem 2 (``left`` = ``right``) and the larger bound that plain joint convexity gives."""

    level: mpq
    beta: mpq
    left: mpq
    right: mpq
    bound: mpq
    certificate: Certificate


def advanced_joint_convexity(
    eta: mpq, level: mpq, common: Sequence[mpq], first: Sequence[mpq], second: Sequence[mpq]
) -> JointConvexity:
    """Theorem 2 for laws mu_0 (*common*), mu_1 (*first*) and mu_1' (*second*), a = *level* >= 1, eta in [0, 1].

    The bound is eta ((1-b) D_a(mu_1‖mu_0) + b D_a(mu_1‖mu_1')).

    Raises:
        InputError: for laws of different lengths, an eta outside [0, 1] or a level below 1.
    """
    _check_same(common, first)
    _check_same(first, second)
    if not 0 <= eta <= 1:
        raise InputError("eta between 0 and 1", shorten(to_text(eta)), "eta")
    if level < 1:
        raise InputError("a level at least 1", shorten(to_text(level)), "level")
    raised = 1 + eta * (level - 1)
    b = raised / level
    mixtures = Channel.trusted((_mix(eta, common, first), _mix(eta, common, second)))
    inner = Channel.trusted((tuple(first), _mix(b, common, second)))
    to_common, to_second = (Channel.trusted((tuple(first), tuple(law))) for law in (common, second))
    left, right = hockey_stick(mixtures, raised), eta * hockey_stick(inner, level)
    bound = eta * ((1 - b) * hockey_stick(to_common, level) + b * hockey_stick(to_second, level))
    facts = [
        hockey_stick_fact(mixtures, raised, "forward"),
        hockey_stick_fact(inner, level, "forward"),
        {"fact": "combination", "terms": [[to_text(eta), {"fact": 1}]], "value": to_text(right)},
        {"fact": "compare", "left": {"fact": 0}, "relation": "=", "right": {"fact": 2}},
    ]
    return JointConvexity(raised, b, left, right, bound, evaluation(facts))


def nearest_costs(second: Sequence[mpq], distances: Distances) -> list[list[Extended]]:
    """0 for pairs with d(y, y') = d(y, supp nu') finite, else infinite."""
    support = [j for j, value in enumerate(second) if value]
    costs: list[list[Extended]] = []
    for row in distances:
        nearest = min(row[j] for j in support)
        finite = not isinstance(nearest, Infinity)
        costs.append([mpq(0) if finite and d == nearest else INFINITY for d in row])
    return costs


def compatible_coupling(
    first: Sequence[mpq], second: Sequence[mpq], distances: Distances
) -> tuple[Coupling | Obstruction, Certificate]:
    """A coupling on pairs with d(y, y') = d(y, supp nu') < inf, or a set of outcomes that has none; and the proof.

    The kind of the certificate is ``coupling`` (fact nearest) or ``no_coupling``.
    """
    check_laws(first, second)
    _check_shape(first, second, distances)
    found = transport(first, second, nearest_costs(second, distances))
    if isinstance(found, Obstruction):
        return found, no_coupling_certificate(first, second, distances, "nearest", found.event)
    certificate = coupling_certificate(first, second, found.entries, "nearest", distances)
    return Coupling(found.entries, certificate), certificate


def least_transport(
    first: Sequence[mpq], second: Sequence[mpq], costs: Distances
) -> tuple[Transport | Obstruction, Certificate]:
    """A coupling of least Σ pi(y, y') c(y, y') with its dual, or why every coupling costs infinity."""
    found = transport(first, second, costs)
    if isinstance(found, Obstruction):
        return found, no_coupling_certificate(first, second, costs, "finite", found.event)
    potentials = found.first_potentials, found.second_potentials
    return found, transport_certificate(first, second, costs, found.entries, potentials)


def distance_shells(first: Sequence[mpq], second: Sequence[mpq], distances: Distances) -> dict[Extended, mpq]:
    """nu{d(y, supp nu') = k} for every k that has mass: the weights of the group profiles in theorem 7."""
    _check_shape(first, second, distances)
    support = [j for j, value in enumerate(second) if value]
    shells: dict[Extended, mpq] = {}
    for mass, row in zip(first, distances, strict=True):
        if mass:
            nearest = min(row[j] for j in support)
            shells[nearest] = shells.get(nearest, mpq(0)) + mass
    return dict(sorted(shells.items()))


def _mix(weight: mpq, rest: Sequence[mpq], law: Sequence[mpq]) -> Law:
    return tuple((1 - weight) * a + weight * b for a, b in zip(rest, law, strict=True))


def _texts(rows: Sequence[Sequence[mpq]]) -> list[list[str]]:
    return [[to_text(value) for value in row] for row in rows]


def _check_same(first: Sequence[mpq], second: Sequence[mpq]) -> None:
    check_laws(first, second)
    if len(first) != len(second):
        raise InputError(f"{len(first)} outcomes in both laws", f"{len(second)}", "second")


def _check_shape(first: Sequence[mpq], second: Sequence[mpq], distances: Distances) -> None:
    if len(distances) != len(first) or any(len(row) != len(second) for row in distances):
        raise InputError(f"distances of {len(first)} rows and {len(second)} columns", "another shape", "distances")
