"""Laws, strategies and worked values that the running examples SGD and ICEA share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from oracle.enclosures import Ball, Enclosure, rational_ball
from oracle.gaussian_dp.crossings import crossings
from oracle.gaussian_dp.examples import EXAMPLES
from oracle.gaussian_dp.profiles import Refined
from oracle.gaussian_dp.rounding import decimal_floor
from oracle.gaussian_dp.transform import transform
from oracle.laws.ask import Ask
from oracle.laws.balle2018._facts import number
from oracle.laws.compare import at_most, equal, true, worst
from oracle.laws.liu2022._subjects import within
from oracle.laws.liu2022._transform import Formula, real
from oracle.laws.liu2022._values import ONE, bounds, delta_of, difference, first_term, guarantees_node, second_term
from oracle.laws.record import Fact, fact
from oracle.levels import Level

__all__ = [
    "above",
    "below",
    "crosses_at",
    "epsilons_up_to",
    "from_decimals",
    "gap",
    "head_agrees",
    "implied_law",
    "levels",
    "levels_between",
    "transform_facts",
    "two_terms",
]

_LAST: Final = mpq(1, 10**34)
_DECIMALS: Final = 12
_Law = Callable[..., mpq]


def _logarithm(level: mpq) -> Ball:
    return lambda _: rational_ball(level).log()


def implied_law(formula: Formula) -> _Law:
    """Finitely many guarantees of a formula, rounded up."""

    def law(ask: Ask, levels: list[mpq], at: mpq) -> mpq:
        """They imply no less than the refined profile, and no more than each of them alone does (theorem 2.1)."""
        tops = (decimal_floor(formula.naive(_logarithm(a)).hi, _DECIMALS) + mpq(10) ** -_DECIMALS for a in levels)
        pairs = [(a, min(ONE, top)) for a, top in zip(levels, tops, strict=True)]
        found = number(ask.value("delta", {"channel": guarantees_node(pairs), "exp_epsilon": str(at)}))
        alone = [d if a <= at else 1 - (1 - d) * (1 + at) / (1 + a) for a, d in pairs]
        return worst([at_most(formula.refined(_logarithm(at)), found), at_most(found, min(alone))])

    return law


def gap(ask: Ask, formula: Formula, mu: mpq, epsilon: mpq) -> Enclosure:
    """Delta - delta_mu, the latter from the subject."""
    return difference(formula.refined(real(epsilon)), delta_of(ask, mu, epsilon, 30))


def two_terms(ask: Ask, mu: mpq, epsilon: mpq) -> mpq:
    """Excess of the subject's delta_mu being the difference of its two terms."""
    return equal(delta_of(ask, mu, epsilon, 30), difference(first_term(mu, epsilon), second_term(mu, epsilon)))


def above(excess: Enclosure) -> mpq:
    """0 where a difference is proved to be positive, else 1."""
    return true(excess.lo > 0)


def below(excess: Enclosure) -> mpq:
    """0 where a difference is proved to be negative, else 1."""
    return true(excess.hi < 0)


def levels() -> SearchStrategy[list[mpq]]:
    """One to three numbers e^eps, from 5/4 to 16."""
    return st.lists(st.builds(lambda k: 1 + mpq(k, 4), st.integers(1, 60)), min_size=1, max_size=3)


def levels_between() -> SearchStrategy[mpq]:
    """A number e^eps from 1 to 11."""
    return st.builds(lambda k: 1 + mpq(k, 8), st.integers(0, 80))


def epsilons_up_to(largest: int) -> SearchStrategy[mpq]:
    """Eps from 0 on, near the crossings as well."""
    fine = st.builds(mpq, st.integers(0, 160), st.just(50))
    return st.one_of(st.builds(mpq, st.integers(0, 4 * largest), st.just(4)), fine)


def from_decimals(text: str) -> tuple[str, str]:
    """The decimal and the next one in its last place."""
    digits = len(text.partition(".")[2])
    return text, str(mpq(text) + mpq(10) ** -digits)


def head_agrees(formula: Formula, end: str, constant: str, first: str) -> bool:
    """eps*, C and delta(0) by the engine, each with its decimals, and eps* proved from r."""
    engine = EXAMPLES[formula.name]
    if not isinstance(engine, Refined):
        return False
    low, high = engine.turning_bracket(40)
    found = bounds(engine.head.constant, 256)
    return (
        formula.turns_there()
        and within(Enclosure(low, high), *from_decimals(end))
        and within(found, *from_decimals(constant))
        and found.overlaps(formula.constant)
        and within(engine.delta(Level.rational(ONE), 40), *from_decimals(first))
    )


def transform_facts(formula: Formula, vector: str, values: dict[str, str]) -> tuple[Fact, ...]:
    """Worked values of G: by the engine within the given decimals, and overlapping our own."""

    def holds(eps: str, text: str) -> Callable[[], bool]:
        def check_value() -> bool:
            found = transform(EXAMPLES[formula.name], Level.of_exponent(mpq(eps)), 40)
            own = formula.transform(mpq(eps))
            return within(found, text, str(mpq(text) + _LAST)) and isinstance(found, Enclosure) and found.overlaps(own)

        return check_value

    return tuple(fact(f"{vector}-{eps}: G({eps}) = {text[:20]}...", holds(eps, text)) for eps, text in values.items())


def crosses_at(name: str, mu: int, signs: tuple[int, ...], *texts: str) -> bool:
    """All crossings with delta_mu, proved complete, each with its decimals."""
    found = crossings(EXAMPLES[name], mpq(mu), 40)
    pairs = zip(found.places, texts, strict=True)
    return found.signs == signs and all(within(place, *from_decimals(text)) for place, text in pairs)
