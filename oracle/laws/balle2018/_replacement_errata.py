"""What section 4 prints of sampling with replacement and is not so: each with a counterexample, run and certified."""

from __future__ import annotations

from math import factorial, prod
from typing import Final

from gmpy2 import mpq

from oracle.certificates.documents import Certificate
from oracle.databases.subsampling import with_replacement
from oracle.databases.universe import Database
from oracle.errors import InputError
from oracle.laws.balle2018._facts import ONE, ZERO
from oracle.laws.balle2018._samples import replacing
from oracle.laws.evidence import Evidence
from oracle.laws.record import Erratum

__all__ = ["EMPTY", "FIRST_ORDER", "MULTINOMIAL", "multinomial", "printed_multinomial"]


def printed_multinomial(x: Database, y: Database, universe: str) -> mpq:
    """(m!/n^m) Π over all u of the universe of x_u/(y_u!)."""
    m, n = len(y), len(x)
    return mpq(factorial(m), n**m) * prod((mpq(x.count(u), factorial(y.count(u))) for u in universe), start=ONE)


def multinomial(x: Database, y: Database, universe: str) -> mpq:
    """(m!/n^m) Π over all u of the universe of x_u^(y_u)/(y_u!), with 0^0 = 1."""
    m, n = len(y), len(x)
    factors = (mpq(x.count(u) ** y.count(u), factorial(y.count(u))) for u in universe)
    return mpq(factorial(m), n**m) * prod(factors, start=ONE)


def _vanishes() -> bool:
    """The sample {a} of x = {a} is certain; printed it has probability 0 as soon as b is in the universe."""
    printed = printed_multinomial(("a",), ("a",), "ab")
    return printed != replacing(("a",), 1)[("a",)] == multinomial(("a",), ("a",), "ab")


def _vanishing_certificate() -> Certificate:
    """The printed product of 1/1! for a and 0/0! for b is 0, less than the probability 1 that it should be."""
    evidence = Evidence()
    printed = evidence.event_sum(evidence.product([[1]], [[0]]), 0, [0])
    evidence.compare(printed, "<", 1)
    return evidence.certificate()


def _eta(n: int, m: int) -> mpq:
    return 1 - (1 - mpq(1, n)) ** m


def _stays_apart() -> bool:
    """With m = n, rate 1: 1/4 off at n = 2, and more than a third off at n = 10 and n = 1000."""
    return _eta(2, 2) == 1 - mpq(1, 4) and all(_eta(n, n) < mpq(2, 3) for n in (10, 1000))


def _apart_certificate() -> Certificate:
    """Both draws miss the record with probability 1/2·1/2; ten out of ten with (9/10)^10, by squares."""
    evidence = Evidence()
    square = evidence.product([[mpq(1, 2)]], [[mpq(1, 2)]])
    both = evidence.combination((1, 1), (-1, evidence.event_sum(square, 0, [0])))
    evidence.compare(both, "<", 1)
    power = evidence.product([[mpq(9, 10)]], [[mpq(9, 10)]])
    two = power
    for _ in range(2):
        power = evidence.product(power, power)
    ten = evidence.event_sum(evidence.product(power, two), 0, [0])
    evidence.compare(evidence.combination((1, 1), (-1, ten)), "<", mpq(2, 3))
    return evidence.certificate()


def _nothing_to_draw_from() -> bool:
    """An empty source has no sample of one record: the engine refuses, and the multinomial formula divides by zero."""
    try:
        with_replacement((), 1, "set")
    except InputError:
        return _divides_by_zero()
    return False


def _divides_by_zero() -> bool:
    try:
        multinomial((), ("a",), "a")
    except ZeroDivisionError:
        return True
    return False


def _empty_certificate() -> Certificate:
    """The samples of one record with support in the empty set are none: their masses sum to 0, and a law needs 1."""
    evidence = Evidence()
    evidence.compare(evidence.event_sum([[ZERO]], 0, [0]), "<", 1)
    return evidence.certificate()


MULTINOMIAL: Final = Erratum(
    printed="Sampling with replacement outputs y with probability ω(y) = (m!/n^m) Π_{u in U} x_u/(y_u!), over all "
    "multisets y of size m with supp(y) ⊆ x.",
    counterexample="Take U = {a, b}, x = {a}, n = m = 1. The only sample is y = {a}, of probability 1. Printed: x_a = "
    "1, y_a = 1, x_b = 0, y_b = 0, so ω(y) = (1!/1^1) · (1/1!) · (0/0!) = 0. The factor x_u = 0 makes every ω(y) zero "
    "as soon as U has a record outside x. For the multiset x = {a, a}, U = {a}, m = 2 it is wrong the other way: "
    "ω({a, a}) = (2!/2^2) · (2/2!) = 1/2, and true is 1.",
    correction="The power is missing: ω(y) = (m!/n^m) Π_{u in U} x_u^{y_u}/(y_u!), with 0^0 = 1; for a set x this is "
    "(m!/n^m) Π_{u in U} 1/(y_u!) on the multisets with support in x.",
    scope="statement",
    fails=_vanishes,
    certificate=_vanishing_certificate,
    summary="the power x_u^{y_u} is missing",
    printed_formula="ω(y) = (m!/n^m) Π_{u in U} x_u/(y_u!)",
)

FIRST_ORDER: Final = Erratum(
    printed="If m = γn, then 1 - (1 - 1/n)^m ≈ γ (no range is given).",
    counterexample="Take n = m = 2, γ = 1: 1 - (1/2)^2 = 3/4, not near 1. It does not get better with n: for n = m = "
    "10 it is 1 - (9/10)^10 = 6513215599/10^10 < 2/3, and for n -> ∞ it tends to 1 - 1/e = 0.632...",
    correction="γ - γ²/2 <= 1 - (1 - 1/n)^m <= γ, so it is near γ where γ is small; for any γ and n -> ∞ it tends to "
    "1 - e^{-γ} from above.",
    scope="hypothesis",
    fails=_stays_apart,
    certificate=_apart_certificate,
    summary="near γ only where γ is small",
    printed_formula="1 - (1 - 1/n)^m ≈ γ for m = γn",
)

EMPTY: Final = Erratum(
    printed="Theorem 11 is for any ε >= 0 and n >= 0.",
    counterexample="For n = 0 the bound has 1/n. For n = 1 take x = {a} and its neighbour x' = {} (one record "
    "removed), m = 1: there is no sample of 1 record with support in {}, so the probabilities of all samples sum to 0 "
    "and M'(x') is no distribution. (Over U = {a} the only multiset of size 1 is {a}, and a is not in x'.)",
    correction="n >= 1 and x' not empty; so n >= 2 wherever a record is removed.",
    scope="hypothesis",
    fails=_nothing_to_draw_from,
    certificate=_empty_certificate,
    summary="nothing to draw from when x' is empty",
    printed_formula="the bound for n >= 0 and every x ~r x'",
    true_formula="the bound for n >= 1 and every x ~r x' with x' not empty",
)
