"""What section 3 prints of the maximal coupling and is not so: each with a counterexample that is run and certified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq

from oracle.certificates.documents import Certificate
from oracle.channels.channel import Rows
from oracle.laws.balle2018._facts import NOTHING, ONE, ZERO, channel
from oracle.laws.evidence import Evidence
from oracle.laws.record import Erratum

__all__ = ["COMPONENTS", "DEGENERATE", "PAIR", "SQUARED", "overlap", "printed_coupling"]

PAIR: Final = channel("1 0", "1/2 1/2")
"""nu = (1, 0) and nu' = (1/2, 1/2): eta = 1/2."""


def overlap(first: Sequence[mpq], second: Sequence[mpq]) -> tuple[mpq, ...]:
    """min(nu, nu'), outcome by outcome."""
    return tuple(map(min, first, second))


def printed_coupling(first: Sequence[mpq], second: Sequence[mpq]) -> Rows:
    """(1 - eta) pi_0 + eta pi_1 as printed, pi_1 with the denominator eta; for 0 < eta < 1."""
    least = overlap(first, second)
    eta = 1 - sum(least, ZERO)
    return tuple(
        tuple(
            (1 - eta) * (least[i] / (1 - eta) if i == j else 0) + eta * (a - least[i]) * (b - least[j]) / eta
            for j, b in enumerate(second)
        )
        for i, a in enumerate(first)
    )


def _total(rows: Rows) -> mpq:
    return sum((value for row in rows for value in row), ZERO)


def _total_is_not_one() -> bool:
    return _total(printed_coupling(*PAIR.rows)) != ONE


def _total_certificate() -> Certificate:
    """(1 - eta) pi_0 has the mass of the minimum; eta pi_1 that of the product of the two remainders."""
    evidence = Evidence()
    least = overlap(*PAIR.rows)
    rests = [[a - b for a, b in zip(law, least, strict=True)] for law in PAIR.rows]
    diagonal = evidence.event_sum([least], 0, [0, 1])
    outer = evidence.product([[value] for value in rests[0]], rests[1:])
    parts = [evidence.event_sum(outer, i, [0, 1]) for i in range(2)]
    total = evidence.combination((1, diagonal), *((1, part) for part in parts))
    evidence.compare(total, "<", 1)
    return evidence.certificate()


def _components(common: Sequence[mpq]) -> list[mpq]:
    """The remainder (nu - (1 - eta) nu_0)/eta that nu = (1 - eta) nu_0 + eta nu_1 leaves for nu_1."""
    eta = mpq(1, 2)
    return [(a - (1 - eta) * c) / eta for a, c in zip(PAIR.rows[0], common, strict=True)]


def _no_law_is_left() -> bool:
    """With nu_0 = min(nu, nu') nothing of total mass 1 completes the mixture; with the normalised one it does."""
    least = overlap(*PAIR.rows)
    normalised = [value / sum(least, ZERO) for value in least]
    return sum(_components(least), ZERO) != ONE == sum(_components(normalised), ZERO)


def _components_certificate() -> Certificate:
    """The largest total mass of (1 - eta) nu_0 + eta nu_1 with nu_1 of mass 1 is below 1, that of nu."""
    evidence = Evidence()
    eta = evidence.hockey_stick(PAIR, ONE, "forward")
    common = evidence.event_sum([overlap(*PAIR.rows)], 0, [0, 1])
    mixture = evidence.combination((1 - eta.value, common), (1, eta))
    evidence.compare(mixture, "<", 1)
    return evidence.certificate()


def _divides_by_zero() -> bool:
    """Whether eta = 0 makes the divisor of the printed nu_1 zero."""
    try:
        printed_coupling(*NOTHING.rows)
    except ZeroDivisionError:
        return True
    return False


def _division_certificate() -> Certificate:
    evidence = Evidence()
    evidence.compare(evidence.hockey_stick(NOTHING, ONE, "forward"), "=", 0)
    return evidence.certificate()


SQUARED: Final = Erratum(
    printed="With ν_0 = min(ν, ν') and η = 1 - Σ ν_0(y), π = (1 - η) π_0 + η π_1 with π_0(y, y') = ν_0(y) 1[y = "
    "y']/(1 - η) and π_1(y, y') = (ν(y) - ν_0(y)) (ν'(y') - ν_0(y'))/η (printed with the name ν_1).",
    counterexample="Take ν = (1, 0) and ν' = (1/2, 1/2). Then ν_0 = (1/2, 0), η = 1 - 1/2 = 1/2, and the remainders "
    "are ν - ν_0 = (1/2, 0), ν' - ν_0 = (0, 1/2). (1 - η) π_0 has mass 1/2. η π_1 is 1/2·(1/2·1/2)/(1/2) = 1/4 "
    "at (1, 2) and 0 elsewhere. The total is 1/2 + 1/4 = 3/4, in general 1 - η + η², so π is no distribution.",
    correction="Divide by η²: π_1(y, y') = (ν(y) - ν_0(y)) (ν'(y') - ν_0(y'))/η².",
    scope="statement",
    fails=_total_is_not_one,
    certificate=_total_certificate,
    summary="a divisor η must be η²",
    printed_formula="π_1(y, y') = (ν(y) - ν_0(y)) (ν'(y') - ν_0(y'))/η, π = (1-η) π_0 + η π_1",
    true_formula="π_1(y, y') = (ν(y) - ν_0(y)) (ν'(y') - ν_0(y'))/η², π = (1-η) π_0 + η π_1",
)

COMPONENTS: Final = Erratum(
    printed="Projecting the coupling yields ν = (1 - η) ν_0 + η ν_1, with the ν_0 = min(ν, ν') defined before.",
    counterexample="Take ν = (1, 0) and ν' = (1/2, 1/2): ν_0 = (1/2, 0) has mass 1/2 and η = 1/2. For a distribution "
    "ν_1 the right-hand side has mass 1/2·1/2 + 1/2·1 = 3/4, but ν has mass 1.",
    correction="The ν_0 of the decomposition is min(ν, ν')/(1 - η).",
    scope="statement",
    fails=_no_law_is_left,
    certificate=_components_certificate,
    summary="ν_0 must be normalised in mixtures",
    printed_formula="ν = (1-η) ν_0 + η ν_1 with ν_0 = min(ν, ν')",
    true_formula="ν = (1-η) ν_0 + η ν_1 with ν_0 = min(ν, ν')/(1-η)",
)

DEGENERATE: Final = Erratum(
    printed="The construction divides by η and by 1 - η for all distributions.",
    counterexample="Take one outcome and ν = ν' = (1): η = 0, and π_1 is 0/0. For disjoint ν = (1, 0) and ν' = (0, "
    "1), 1 - η = 0 and π_0 is 0/0.",
    correction="For η = 0 take π = π_0, for η = 1 take π = π_1; 0 < η < 1 otherwise.",
    scope="hypothesis",
    fails=_divides_by_zero,
    certificate=_division_certificate,
    summary="division by zero at η = 0, 1",
    printed_formula="π = (1-η) π_0 + η π_1 for all ν, ν'",
    true_formula="π = (1-η) π_0 + η π_1 for 0 < η < 1; π = π_0 for η = 0, π = π_1 for η = 1",
)
