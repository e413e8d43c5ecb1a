"""Claims of sections 2 and 3 on differential privacy as a divergence: definitions, theorem 1 and its consequences."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.exact import INFINITY, to_text
from oracle.laws.ask import Ask
from oracle.laws.balle2018._divergence_errata import (
    MIDDLE,
    POINT,
    TOPOLOGICAL,
    UNCHANGED,
    middle_expression,
    neighbourhood_mass,
)
from oracle.laws.balle2018._facts import (
    EVERYTHING,
    NOTHING,
    ONE,
    ZERO,
    channel,
    divergence,
    divergence_both,
    events,
    mass,
    mix,
)
from oracle.laws.balle2018._mechanisms import Space, laws_on_the_same_outcomes, mechanisms
from oracle.laws.compare import at_most, equal, true, worst
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import alphas, channels_with_levels, rational_levels, two_row_channels

__all__ = ["CLAIMS"]

VECTOR: Final = channel("1/2 1/3 1/6", "1/6 1/3 1/2")
"""Two laws on three outcomes, with D_{3/2} = 1/4."""


def _claim(level: mpq, delta: mpq) -> dict[str, str]:
    return {"exp_epsilon": to_text(level), "delta": to_text(delta)}


def _dp_law(ask: Ask, m: Channel, level: mpq, delta: mpq) -> mpq:
    """The subject accepts (epsilon, delta) exactly where every event of both orders obeys it, equality included."""

    def obeyed(bound: mpq) -> bool:
        p, q = m.rows
        masses = [(mass(p, e), mass(q, e)) for e in events(len(p))]
        return all(a <= level * b + bound and b <= level * a + bound for a, b in masses)

    least = divergence_both(m.rows, level)
    return worst(true(ask.satisfies(m.rows, _claim(level, d)) == obeyed(d)) for d in (delta, least))


def _divergence_law(ask: Ask, m: Channel, level: mpq) -> mpq:
    """Both orders of the subject's hockey stick are the largest excess of an event."""
    forward = equal(ask.hockey_stick(m.rows, level), divergence(m.rows, level))
    return max(forward, equal(ask.hockey_stick(m.rows, level, "backward"), divergence(m.rows[::-1], level)))


def _middle_law(ask: Ask, m: Channel, level: mpq) -> mpq:
    """The integral of the derivative, plus the mass where there is none, is the subject's hockey stick."""
    p, q = m.rows
    singular = sum((a for a, b in zip(p, q, strict=True) if not b), ZERO)
    return equal(ask.hockey_stick(m.rows, level), middle_expression(m.rows, level) + singular)


def _continuous_middle_law(ask: Ask, m: Channel, level: mpq, weight: mpq) -> mpq:
    """With mu made absolutely continuous (mixed into mu'), the printed equation holds as it stands."""
    p, q = m.rows
    inside = tuple(a if b else ZERO for a, b in zip(p, q, strict=True))
    total = sum(inside, ZERO)
    law = tuple(a / total for a in inside) if total else q
    rows = (mix(weight, q, law), q)
    return equal(ask.hockey_stick(rows, level), middle_expression(rows, level))


def _theorem_one_law(ask: Ask, space: Space, m: Channel, level: mpq, delta: mpq) -> mpq:
    """(epsilon, delta)-DP of a mechanism on databases, event by event, is a bound on the subject's divergences."""
    tables = [(m.rows[i], m.rows[j]) for i, j in space.pairs()]
    sups = [ask.hockey_stick(t, level, side) for t in tables for side in ("forward", "backward")]
    largest = worst(divergence_both(t, level) for t in tables)
    mechanism = {"channel": space.to_json(m.rows)}
    excess = ZERO
    for bound in (delta, largest):
        private = all(divergence_both(t, level) <= bound for t in tables)
        asked = ask.value("satisfies", {**mechanism, "claim": _claim(level, bound)})["holds"] is True
        excess = max(excess, true(asked == private), true(all(at_most(s, bound) <= 0 for s in sups) == private))
    return excess


def _range_law(ask: Ask, m: Channel, level: mpq) -> mpq:
    """0 <= D_a <= 1, and at least 1 - a for a below 1."""
    value = ask.hockey_stick(m.rows, level)
    return worst([at_most(value, ONE), at_most(ZERO, value), at_most(1 - level, value)])


def _monotone_law(ask: Ask, m: Channel, first: mpq, second: mpq) -> mpq:
    """D_a does not increase with a."""
    low, high = sorted((first, second))
    return at_most(ask.hockey_stick(m.rows, high), ask.hockey_stick(m.rows, low))


def _convex_law(ask: Ask, laws: tuple[tuple[mpq, ...], ...], weight: mpq, level: mpq) -> mpq:
    """D_a of two mixtures is at most the mixture of the D_a."""
    p0, q0, p1, q1 = laws
    mixture = (mix(weight, p0, p1), mix(weight, q0, q1))
    values = ask.hockey_stick((p0, q0), level), ask.hockey_stick((p1, q1), level)
    uppers = [ZERO - at_most(ZERO, value) for value in values]
    return at_most(ask.hockey_stick(mixture, level), (1 - weight) * uppers[0] + weight * uppers[1])


def _limit_law(ask: Ask, m: Channel) -> mpq:
    """The limit is the mass of mu off the support of mu', reached at the largest finite ratio; 0 iff there is none."""
    p, q = m.rows
    outside = sum((a for a, b in zip(p, q, strict=True) if not b), ZERO)
    contained = all(b for a, b in zip(p, q, strict=True) if a)
    last = max((a / b for a, b in zip(p, q, strict=True) if b), default=ONE)
    limit = ask.hockey_stick(m.rows, INFINITY)
    found = [equal(limit, outside), equal(ask.hockey_stick(m.rows, last), outside)]
    return worst([*found, true((equal(limit, ZERO) <= 0) == contained)])


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Def.DP",
        title="(ε, δ)-differential privacy",
        statement="M is (ε, δ)-DP when no event is more likely on one input than e^ε times its probability on a "
        "neighbouring input plus δ. The relation is symmetric, so both orders are meant.",
        formula="Pr[M(x) ∈ E] <= e^ε Pr[M(x') ∈ E] + δ for all x ~ x' and all E",
        source="section 2, equation (1)",
        status="definition",
        laws=(
            Law(
                "accepted exactly where every event obeys the bound",
                st.tuples(two_row_channels(4), rational_levels(1), alphas()),
                _dp_law,
            ),
        ),
        facts=(
            fact(
                "(1/2, 1/3, 1/6) and (1/6, 1/3, 1/2) at e^ε = 3/2: the first outcome needs δ = 1/2 - 3/2·1/6 = 1/4",
                lambda: divergence_both(VECTOR.rows, mpq(3, 2)) == mpq(1, 4),
            ),
        ),
        defines=True,
    ),
    ClaimRecord(
        id="Def.D (2)",
        title="the α-divergence as a sum",
        statement="The largest excess μ(E) - α μ'(E) over all events is the sum of the positive parts of μ - α μ'. It "
        "is so for every α >= 0.",
        formula="D_α(μ‖μ') = sup_E (μ(E) - α μ'(E)) = Σ_z [μ(z) - α μ'(z)]_+",
        source="section 2, equation (2), first and last expression",
        status="holds",
        laws=(
            Law(
                "the sum is the largest excess of an event, in both orders",
                st.tuples(two_row_channels(5), rational_levels()),
                _divergence_law,
            ),
            Law("also exactly at a likelihood ratio", channels_with_levels(5), _divergence_law),
        ),
        facts=(
            fact(
                "(1/2, 1/3, 1/6) and (1/6, 1/3, 1/2): D_{3/2} = 1/4",
                lambda: hockey_stick(VECTOR, mpq(3, 2)) == divergence(VECTOR.rows, mpq(3, 2)) == mpq(1, 4),
            ),
            fact("the same at α = 0 is 1", lambda: divergence(VECTOR.rows, ZERO) == ONE),
        ),
    ),
    ClaimRecord(
        id="Def.D middle",
        title="the α-divergence as an integral of the derivative",
        statement="The integral of [dμ/dμ' - α]_+ with respect to μ' is D_α where μ is absolutely continuous with "
        "respect to μ'. In general the mass of μ where μ' has none has to be added.",
        formula="D_α(μ‖μ') = ∫ [dμ/dμ' - α]_+ dμ' + μ(Z \\ {dμ' > 0})",
        source="section 2, equation (2), middle expression, and footnote 2",
        status="false_as_stated",
        hypotheses="added: the singular part of μ is added, or μ << μ'",
        laws=(
            Law(
                "integral plus singular mass",
                st.tuples(two_row_channels(5), rational_levels()),
                _middle_law,
            ),
            Law(
                "the printed equation for absolutely continuous pairs",
                st.tuples(two_row_channels(5), rational_levels(1), alphas()),
                _continuous_middle_law,
            ),
        ),
        facts=(
            fact(
                "(1/2, 1/2) and (0, 1) at α = 1: the integral is 0, the divergence 1/2, all of it singular",
                lambda: (
                    (
                        middle_expression(channel("1/2 1/2", "0 1").rows, ONE),
                        divergence(channel("1/2 1/2", "0 1").rows, ONE),
                    )
                    == (ZERO, mpq(1, 2))
                ),
            ),
        ),
        errata=(MIDDLE,),
    ),
    ClaimRecord(
        id="Thm1",
        title="differential privacy is a bound on divergences",
        statement="M is (ε, δ)-DP exactly when no pair of neighbouring inputs has a divergence D_{e^ε} above δ.",
        formula="M is (ε, δ)-DP iff sup_{x ~ x'} D_{e^ε}(M(x)‖M(x')) <= δ",
        source="section 3, Theorem 1",
        status="holds",
        laws=(
            Law(
                "accepted exactly where all divergences obey the bound",
                st.tuples(mechanisms(), rational_levels(1), alphas()).map(lambda e: (*e[0], *e[1:])),
                _theorem_one_law,
            ),
        ),
        facts=(
            fact(
                "randomised response with 3/4: D_2 = 1/4 in both orders, the least δ at e^ε = 2",
                lambda: divergence_both(channel("3/4 1/4", "1/4 3/4").rows, mpq(2)) == mpq(1, 4),
            ),
        ),
    ),
    ClaimRecord(
        id="Prop(i)-(iii)",
        title="range, monotonicity and joint convexity",
        statement="D_α lies between 0 and 1, does not increase with α, and is jointly convex in the two laws. (For α "
        "< 1 it is at least 1 - α.)",
        formula="0 <= D_α <= 1; α <= α' implies D_α >= D_α'; D_α((1-λ)μ_0 + λμ_1 ‖ (1-λ)ν_0 + λν_1) <= "
        "(1-λ)D_α(μ_0‖ν_0) + λ D_α(μ_1‖ν_1)",
        source="section 3, Divergences, (i) to (iii)",
        status="holds",
        laws=(
            Law("between 0 and 1", st.tuples(two_row_channels(5), rational_levels()), _range_law),
            Law(
                "not increasing",
                st.tuples(two_row_channels(5), rational_levels(), rational_levels()),
                _monotone_law,
            ),
            Law(
                "jointly convex",
                st.tuples(laws_on_the_same_outcomes(4), alphas(), rational_levels()),
                _convex_law,
            ),
        ),
        facts=(
            fact(
                "for α = 1/2 and equal laws D_α = 1/2, so 0 is not the least value below 1",
                lambda: divergence(NOTHING.rows, mpq(1, 2)) == mpq(1, 2),
            ),
        ),
        errata=(UNCHANGED,),
    ),
    ClaimRecord(
        id="Prop(iv)",
        title="the limit of the divergence",
        statement="As α grows, D_α tends to the mass of μ where μ' has no density. That is 0 exactly when the support "
        "of μ is inside that of μ', where a support is the set of positive density.",
        formula="lim_{α->∞} D_α(μ‖μ') = μ(Z \\ supp μ') = 0 iff supp μ ⊆ supp μ' up to a null set of μ",
        source="section 3, Divergences, after (iii)",
        status="holds_under",
        hypotheses="added: supp is the set where the density is positive, not a closed set",
        laws=(
            Law(
                "the limit is the mass off the support, 0 exactly for contained supports",
                two_row_channels(5),
                _limit_law,
            ),
        ),
        facts=(
            fact(
                "[1/2 1/2; 0 1]: the limit is 1/2",
                lambda: hockey_stick(channel("1/2 1/2", "0 1"), INFINITY) == mpq(1, 2),
            ),
            fact(
                "every neighbourhood (-r, r) of the point 0 has mass r > 0 under the uniform law on [-1, 1]",
                lambda: all(neighbourhood_mass(mpq(1, 2**k)) == mpq(1, 2**k) > 0 for k in range(200)),
            ),
            fact(
                "the event {0} tells the two laws apart at every α",
                lambda: all(divergence(POINT.rows, mpq(10) ** k) == 1 for k in range(20)),
            ),
            fact("disjoint laws have the limit 1", lambda: hockey_stick(EVERYTHING, INFINITY) == ONE),
        ),
        errata=(TOPOLOGICAL,),
    ),
)
