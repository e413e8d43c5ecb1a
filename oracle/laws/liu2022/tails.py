"""Claims of section 3: head and tail conditions, which algorithms are GDP at all, the key lemma and the criterion."""

from __future__ import annotations

from typing import Final

from flint import arb
from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from oracle.channels.channel import Channel
from oracle.enclosures import Enclosure, precision, rational_ball, rational_bounds
from oracle.exact import INFINITY, Infinity, to_text
from oracle.gaussian_dp.crossings import crossings
from oracle.gaussian_dp.examples import EXAMPLES
from oracle.gaussian_dp.noise_formulas import ConstantProfile
from oracle.gaussian_dp.tails import key_lemma, tail_satisfies
from oracle.gaussian_dp.tight_mu import tight_mu
from oracle.laws.ask import Ask
from oracle.laws.balle2018._facts import exact, number
from oracle.laws.compare import at_most, true, worst
from oracle.laws.liu2022._samples import guarantee_lists, mus, overlapping_channels, tails_of_mu
from oracle.laws.liu2022._values import (
    ONE,
    bounds,
    critical_epsilons,
    delta_of,
    difference,
    digits_for,
    first_term,
    gaussian_dp,
    guarantees_node,
    middle,
    profile,
    second_term,
)
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import two_row_channels

__all__ = ["CLAIMS"]

_MARGIN: Final = mpq(1, 50)
_MOST_DOUBLINGS: Final = 40


def _conditions(ask: Ask, m: Channel, mu: mpq, split: mpq) -> tuple[list[mpq], list[mpq]]:
    """Proved lower bounds of delta_M - delta_mu on [0, split] and on [split, inf), where they are largest."""
    digits = digits_for(m.rows)
    places = [*critical_epsilons(m.rows, mu), split]

    def excess(eps: mpq) -> mpq:
        return difference(profile(ask, m, eps, digits), delta_of(ask, mu, eps, digits)).lo

    found = [(eps, excess(eps)) for eps in places]
    return [value for eps, value in found if eps <= split], [value for eps, value in found if eps >= split]


def _split_law(ask: Ask, m: Channel, times: mpq) -> mpq:
    """mu-GDP is the head condition up to some eps and the tail condition from there: just above the least mu both."""
    least = middle(ask.mu(m.rows))
    if isinstance(least, Infinity):
        return true(False)
    above, below = least * (1 + _MARGIN), least * (1 - _MARGIN)
    head, tail = _conditions(ask, m, above, above * times)
    lost_head, lost_tail = _conditions(ask, m, below, below * times)
    accepted = [ask.satisfies(m.rows, {"mu": to_text(mu)}) for mu in (above, below)]
    return worst([*head, *tail, true(worst([*lost_head, *lost_tail]) > 0), true(accepted == [True, False])])


def _larger_mu_law(ask: Ask, mu: mpq, more: mpq, times: mpq) -> mpq:
    """A condition that holds for mu holds for a larger one: delta_mu grows with mu."""
    return at_most(delta_of(ask, mu, mu * times), delta_of(ask, mu + more, mu * times))


def _vanishes_law(ask: Ask, m: Channel) -> mpq:
    """A finite channel is GDP iff its delta vanishes for large eps, which is when a tail condition holds."""
    return true(isinstance(ask.mu(m.rows), Infinity) == (ask.delta(m.rows, INFINITY) != 0))


def _constructed_law(ask: Ask, m: Channel) -> mpq:
    """From a tail on, mu is enlarged until delta_mu there is at least delta(0): then the channel is mu-GDP."""
    p, q = m.rows
    level = max(max(a / b, b / a) for a, b in zip(p, q, strict=True) if a)
    most, digits, mu = exact(ask.delta(m.rows, 1)), digits_for(m.rows), mpq(2)
    for _ in range(_MOST_DOUBLINGS):
        args = {"channel": gaussian_dp(mu), "exp_epsilon": to_text(level), "digits": digits}
        if at_most(most, number(ask.value("delta", args))) < 0:
            return true(ask.satisfies(m.rows, {"mu": to_text(mu)}))
        mu = 2 * mu
    return ONE


def _list_law(ask: Ask, pairs: list[tuple[mpq, mpq]]) -> mpq:
    """Finitely many guarantees make a mechanism GDP iff one of them has delta = 0."""
    found = _list_mu(ask, pairs)
    return true((found == INFINITY) == all(delta > 0 for _, delta in pairs))


def _list_mu(ask: Ask, pairs: list[tuple[mpq, mpq]]) -> object:
    """The subject's least mu of a list of guarantees: infinite, or anything else."""
    value = ask.value("mu", {"channel": guarantees_node(pairs)})
    return INFINITY if value == "inf" else number(value)


def _lemma(mu: mpq, distance: mpq) -> tuple[Enclosure, Enclosure]:
    """Mu phi(a)/(b² + 3) and mu phi(a)/(a² + 1)."""
    far = distance + mu

    def ball(square: mpq) -> Enclosure:
        return bounds(
            lambda _: (
                rational_ball(mu)
                * (-(rational_ball(distance) ** 2) / 2).exp()
                / ((2 * arb.pi()).sqrt() * rational_ball(square))
            )
        )

    return ball(far * far + 3), ball(distance * distance + 1)


def _lemma_law(ask: Ask, mu: mpq, distance: mpq) -> mpq:
    """delta_mu lies strictly between the two bounds; eps = mu (a + mu/2)."""
    low, high = _lemma(mu, distance)
    value = delta_of(ask, mu, mu * (distance + mu / 2), 30)
    above, below = difference(value, low), difference(high, value)
    return worst([-above.lo, -below.lo, true(above.lo > 0 and below.lo > 0)])


def _times() -> SearchStrategy[mpq]:
    """Eps over mu."""
    return st.builds(mpq, st.integers(0, 60), st.sampled_from([3, 7]))


def _engine_bounds_agree(mu: mpq, distance: mpq) -> bool:
    """Whether the engine's balls of the two bounds overlap the enclosures by the formula."""
    epsilon = mu * (distance + mu / 2)
    with precision(128):
        found = [Enclosure(*rational_bounds(ball)) for ball in key_lemma(rational_ball(mu), rational_ball(epsilon))]
    return all(a.overlaps(b) for a, b in zip(found, _lemma(mu, distance), strict=True))


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Def head/tail",
        title="head and tail conditions",
        statement="A is (ε_h, μ)-head GDP if δ_A <= δ_μ on [0, ε_h], and (ε_t, μ)-tail GDP if δ_A <= δ_μ on [ε_t, ∞). "
        "Both with the same ε make μ-GDP, for every choice of that ε. What holds for μ holds for a larger μ.",
        formula="head: δ_A(ε) <= δ_μ(ε) for 0 <= ε <= ε_h; tail: for ε >= ε_t",
        source="section 3, definitions before Theorem 3.1",
        status="definition",
        laws=(
            Law("head and tail together are μ-GDP", st.tuples(overlapping_channels(4), _times()), _split_law),
            Law("they grow with μ", st.tuples(mus(), mus(), _times()), _larger_mu_law),
        ),
        facts=(
            fact(
                "SGD at μ = 1: no head condition, and a tail condition from ε = 2 on",
                lambda: (
                    crossings(EXAMPLES["sgd"], ONE).signs == (1, -1)
                    and crossings(EXAMPLES["sgd"], ONE).places[0].hi < 2
                ),
            ),
            fact(
                "ICEA at μ = 4: a head condition up to ε = 14, and no tail condition",
                lambda: (
                    crossings(EXAMPLES["icea"], mpq(4)).signs == (-1, 1)
                    and crossings(EXAMPLES["icea"], mpq(4)).places[0].lo > 14
                ),
            ),
        ),
        defines=True,
    ),
    ClaimRecord(
        id="Thm3.1",
        title="the tail decides",
        statement="A is μ-GDP for some μ if and only if it satisfies some tail condition. A tail condition makes A "
        "(ε_t, δ)-DP for a δ < 1, hence δ_A(0) < 1 by Theorem 2.1, and then every μ large enough for "
        "δ_μ(ε_t) >= δ_A(0) has the head condition too.",
        formula="A is GDP iff δ_A <= δ_μ on [ε_t, ∞) for some ε_t and μ",
        source="section 3, Theorem 3.1",
        status="holds",
        laws=(
            Law("finite channels: δ vanishes", two_row_channels(5), _vanishes_law),
            Law("the μ that the proof constructs", overlapping_channels(4), _constructed_law),
            Law("finite lists of guarantees: one has δ = 0", guarantee_lists(), _list_law),
        ),
        facts=(
            fact(
                "SGD has tails and a tight μ, ICEA neither",
                lambda: (
                    tight_mu(EXAMPLES["sgd"]).value != INFINITY
                    and tight_mu(EXAMPLES["icea"]).value == INFINITY
                    and tail_satisfies(EXAMPLES["icea"].tail, mpq(100)) is False
                ),
            ),
            fact(
                "(0, 1/2)-DP alone has head conditions, as δ_4(1) > 1/2, and is not GDP: δ_μ tends to 0",
                lambda: (
                    difference(first_term(mpq(4), ONE), second_term(mpq(4), ONE)).lo > mpq(1, 2)
                    and tight_mu(ConstantProfile(mpq(1, 2))).value == INFINITY
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="key lemma",
        title="key lemma",
        statement="For large ε the profile δ_μ lies between two closed forms whose quotient tends to 1. The difference "
        "of the two terms is φ(a) times the integral of 1 - t m(t) over [a, a + μ], and 1/(t² + 3) < 1 - t m(t) < "
        "1/(t² + 1), which decrease. (The printed lemma is missing from the text at hand; this is our own form.)",
        formula="μ φ(a)/(b² + 3) < δ_μ(ε) < μ φ(a)/(a² + 1), a = ε/μ - μ/2 > 0, b = a + μ",
        source="section 3, key lemma before Theorem 3.2",
        status="holds",
        hypotheses="ε > μ²/2",
        laws=(Law("strictly between the bounds", tails_of_mu(), _lemma_law),),
        facts=(
            fact(
                "μ = 1, ε = 1: 0.0670 < bound < 0.1269... < bound < 0.2817",
                lambda: (
                    mpq("0.0670") < _lemma(ONE, mpq(1, 2))[0].lo
                    and _lemma(ONE, mpq(1, 2))[0].hi < mpq("0.1269")
                    and mpq("0.1270") < _lemma(ONE, mpq(1, 2))[1].lo
                    and _lemma(ONE, mpq(1, 2))[1].hi < mpq("0.2817")
                ),
            ),
            fact("the engine's bounds are these", lambda: _engine_bounds_agree(mpq(3, 2), mpq(7))),
        ),
    ),
)
