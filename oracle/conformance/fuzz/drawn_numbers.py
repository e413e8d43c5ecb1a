"""Strategies for the numbers of questions, as texts of the protocol; each shrinks towards small whole numbers.

Beside ordinary values they reach the regions where programs fail whatever the library: next to 0 and to 1, powers of
two far from 1, levels where e^epsilon overflows a double, deltas far below the precision of a sum of probabilities.

Strategies are made once: making one costs more than drawing from it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from gmpy2 import mpq

from oracle.errors import MissingExtraError
from oracle.exact import to_text

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import SearchStrategy
except ImportError:
    raise MissingExtraError("oracle fuzz", "conformance") from None

__all__ = ["alphas", "deltas", "levels", "mechanism_levels", "noises", "orders", "rates", "sizes", "times"]

Text = SearchStrategy[str]
Fields = SearchStrategy[dict[str, Any]]

_LARGE_LEVELS: Final = ("40", "88", "300", "700", "709", "710", "745", "1000")
"""Around 89, 709.78 and 745.13 lie the ends of e^epsilon in single and double precision, and of e^-epsilon."""


def _ratios(most: int, *, below_one: bool = False) -> Text:
    numerators, denominators = st.integers(1, most), st.integers(1, most)
    if below_one:
        return st.builds(lambda a, b: to_text(mpq(min(a, b), max(a, b))), numerators, denominators)
    return st.builds(lambda a, b: to_text(mpq(a, b)), numerators, denominators)


def _powers(base: int, exponents: SearchStrategy[int]) -> Text:
    return exponents.map(lambda n: to_text(mpq(base) ** n))


@cache
def noises(reach: int = 30) -> Text:
    """Scales and deviations of noise: of ordinary size, and now and then from 2^-reach to 2^reach."""
    far = st.one_of(st.integers(1, reach), st.integers(-reach, -1))
    ordinary = st.one_of(st.integers(1, 10).map(str), st.integers(1, 10).map(str), _ratios(20))
    return st.one_of(ordinary, ordinary, ordinary, _powers(2, far))


@cache
def sizes(most: int) -> SearchStrategy[int]:
    """Whole numbers of at least 1: sensitivities, sizes of groups, numbers of runs."""
    return st.integers(1, most)


@cache
def times() -> SearchStrategy[int]:
    """Numbers of runs, few and many."""
    return st.one_of(st.integers(2, 4), st.integers(2, 4), st.sampled_from([8, 10, 30, 100]))


@cache
def rates() -> Text:
    """Sampling rates in (0, 1], tiny ones and such next to 1 included."""
    tiny = _powers(10, st.integers(-8, -1))
    return st.one_of(st.just("1/2"), _ratios(20, below_one=True), tiny, st.just("99/100"), st.just("1"))


@cache
def mechanism_levels() -> Fields:
    """The epsilon > 0 of a mechanism, as itself or as e^epsilon."""
    whole = st.integers(2, 9).map(lambda n: {"exp_epsilon": str(n)})
    plain = _ratios(12).map(lambda text: {"epsilon": text})
    extreme = st.one_of(st.sampled_from(_LARGE_LEVELS), _powers(2, st.integers(-40, -10)))
    return st.one_of(whole, plain, plain, extreme.map(lambda text: {"epsilon": text}))


@cache
def levels(*, least_zero: bool = False) -> Fields:
    """The level that is asked at: epsilon, negative ones too unless *least_zero*, or e^epsilon."""
    whole = st.integers(1, 9).map(lambda n: {"exp_epsilon": str(n)})
    plain = st.one_of(st.integers(0, 12).map(str), _ratios(12), _ratios(12))
    extreme = st.one_of(st.sampled_from(_LARGE_LEVELS), _powers(2, st.integers(-40, -10)))
    choices = [whole, plain, plain, extreme]
    if not least_zero:
        choices.append(_ratios(6).map(lambda text: f"-{text}"))
    return st.one_of(*(c if c is whole else c.map(lambda text: {"epsilon": text}) for c in choices))


@cache
def deltas() -> Text:
    """Deltas in [0, 1]: 0, ordinary ones, and powers of ten down to 10^-300."""
    tiny = st.one_of(_powers(10, st.integers(-14, -1)), _powers(10, st.integers(-300, -15)))
    return st.one_of(st.just("0"), _ratios(12, below_one=True), tiny, tiny, st.just("1"))


@cache
def alphas() -> Text:
    """Errors of the first kind in [0, 1]."""
    near = st.integers(-60, -6).map(lambda n: to_text(mpq(2) ** n))
    return st.one_of(st.just("0"), _ratios(12, below_one=True), near, near.map(lambda text: to_text(1 - mpq(text))))


@cache
def orders() -> Text:
    """Orders of Rényi divergences: whole, broken, next to 1, large and infinite."""
    next_to_one = st.integers(-40, -4).map(lambda n: to_text(1 + mpq(2) ** n))
    large = st.sampled_from(["32", "64", "128", "256", "1024"])
    return st.one_of(
        st.integers(2, 8).map(str), _ratios(8), large, next_to_one, st.just("1"), st.just("inf"), _ratios(5)
    )
