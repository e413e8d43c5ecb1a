"""Claims on the running example ICEA, what figure 1 shows of it, and the transforms of all examples near 0."""

from __future__ import annotations

from typing import Final

from flint import arb
from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from oracle.certificates.checker import check
from oracle.certificates.gdp_documents import no_mu_certificate
from oracle.enclosures import rational_ball
from oracle.exact import INFINITY
from oracle.gaussian_dp.examples import EXAMPLES
from oracle.gaussian_dp.tails import tail_limit
from oracle.gaussian_dp.tight_mu import decide_mu, tight_mu
from oracle.gaussian_dp.transform import transform
from oracle.laws.ask import Ask
from oracle.laws.balle2018._facts import number
from oracle.laws.compare import at_most, equal, true, worst
from oracle.laws.liu2022._figure_errata import NAIVE_HEAD, STAYS_ABOVE
from oracle.laws.liu2022._noise_laws import (
    above,
    below,
    crosses_at,
    epsilons_up_to,
    from_decimals,
    gap,
    head_agrees,
    implied_law,
    levels,
    levels_between,
    transform_facts,
    two_terms,
)
from oracle.laws.liu2022._subjects import within
from oracle.laws.liu2022._transform import ICEA, SGD, required_mu
from oracle.laws.liu2022._values import ONE, ZERO, bounds, guarantees_node, profile
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.levels import Level

__all__ = ["CLAIMS"]

_SLOPE: Final = mpq(1254, 1000)
"""Above √(pi/2), the largest value of Mills' ratio on [0, inf)."""


def _in_the_end_law(ask: Ask, mu: mpq, distance: mpq) -> mpq:
    """Above delta_mu, its two terms, at eps = mu (mu/2 + t): eps Phi(-t) <= eps e^(-t²/2)/2 < 4 e^-2 from t = 5 on."""
    epsilon = mu * (mu / 2 + distance)
    return worst([above(gap(ask, ICEA, mu, epsilon)), two_terms(ask, mu, epsilon)])


def _sides_law(ask: Ask, epsilon: mpq) -> mpq:
    """Above delta_1 always; below delta_2 just between the two crossings, and below delta_4 just before the one."""
    sides = [above(gap(ask, ICEA, ONE, epsilon))]
    for mu, low, high in ((mpq(2), mpq("1.0931"), mpq("3.0524")), (mpq(4), mpq(-1), mpq("14.282"))):
        found, margin = gap(ask, ICEA, mu, epsilon), mpq(1, 1000)
        if epsilon <= low or epsilon >= high:
            sides.append(above(found))
        elif low + margin <= epsilon <= high - margin:
            sides.append(below(found))
    return worst(sides)


def _finite_law(ask: Ask, pairs: list[tuple[mpq, mpq]], epsilon: mpq) -> mpq:
    """delta(0) < 1 iff some guarantee says something; then |G(eps) - G(0)| <= √(pi/2) (e^eps - 1).

    Up: G(eps) <= mu_GDP(eps, delta(0)), which grows in eps at the rate m(b) <= √(pi/2), as e^eps phi(b) = phi(a). Down:
    delta is convex in a = e^eps and its own mirror image, so delta(eps) >= 1 - C (1 + a) with C = (1 - delta(0))/2, and
    G(eps) >= -2 Phi^(-1)(C (1 + a)/2), which falls from G(0) by at most C (a - 1)/phi(G(0)/2) = m(G(0)/2) (a - 1).
    """
    node = guarantees_node(pairs)
    first = number(ask.value("delta", {"channel": node, "exp_epsilon": "1"}))
    nontrivial = any(delta < 1 for _, delta in pairs)
    trivial = at_most(ONE, first) <= 0
    if trivial or not nontrivial:
        return true(trivial is not nontrivial)
    at_zero, later = required_mu(ZERO, first), required_mu(epsilon, profile(ask, node, epsilon, 30))
    room = _SLOPE * bounds(lambda _: rational_ball(epsilon).expm1()).hi
    return worst([at_most(later, at_zero.hi + room), at_most(at_zero, later.hi + room)])


def _pairs() -> SearchStrategy[list[tuple[mpq, mpq]]]:
    level = st.builds(lambda k: 1 + mpq(k, 4), st.integers(0, 40))
    return st.lists(st.tuples(level, st.builds(mpq, st.integers(0, 20), st.just(20))), min_size=1, max_size=3)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="ICEA",
        title="invisibility cloak encoder",
        statement="m > 10 log(n/(εδ)) with m = 20 messages and n = 4 users gives the naive profile 4e^{-2}/ε, which "
        "says nothing for ε <= 0.5413...; refined it is 1 - C(1 + e^ε) up to ε*. It falls too slowly: the limit of the "
        "criterion is infinite, the profile is above every δ_μ in the end, and ICEA is not GDP.",
        formula="δ(ε) = 1 - C(1 + e^ε) for ε <= ε*, 4e^{-2}/ε beyond; limit ∞; no μ",
        source="section 2 and Figure 1; section 4",
        status="holds",
        laws=(
            Law("finitely many of its guarantees", st.tuples(levels(), levels_between()), implied_law(ICEA)),
            Law(
                "above every δ_μ in the end",
                st.tuples(
                    st.builds(mpq, st.integers(1, 40), st.sampled_from([1, 4])),
                    st.builds(mpq, st.integers(10, 24), st.just(2)),
                ),
                _in_the_end_law,
            ),
        ),
        facts=(
            fact(
                "liu2022-12a: ε* = 1.1566070353655780175..., C = 0.1272891290604496079..., δ(0) = 0.7454217418791...",
                lambda: head_agrees(
                    ICEA,
                    "1.15660703536557801753673534354586280",
                    "0.12728912906044960790816008748016171",
                    "0.74542174187910078418367982503967656",
                ),
            ),
            fact(
                "liu2022-12a: 4e^-2 = 0.5413411329464507657..., G(0) = 2.2785989940170829458...",
                lambda: (
                    within(bounds(lambda _: 4 * arb(-2).exp()), *from_decimals("0.54134113294645076757599797988993761"))
                    and within(
                        transform(EXAMPLES["icea"], Level.rational(ONE), 40),
                        *from_decimals("2.2785989940170829458316984404400012"),
                    )
                ),
            ),
            fact(
                "no μ at all: the limit is infinite, and the checker accepts that delta exceeds every δ_μ",
                lambda: (
                    tail_limit(EXAMPLES["icea"].tail) == INFINITY
                    and tight_mu(EXAMPLES["icea"]).value == INFINITY
                    and check(no_mu_certificate(EXAMPLES["icea"])).kind == "gdp_profile_refuted"
                ),
            ),
            fact(
                "G dips: G(2) < G(1) < G(0) < G(5)",
                lambda: (
                    ICEA.transform(mpq(2)).hi < ICEA.transform(ONE).lo
                    and ICEA.transform(ONE).hi < ICEA.transform(ZERO).lo
                    and ICEA.transform(ZERO).hi < ICEA.transform(mpq(5)).lo
                ),
            ),
            *transform_facts(
                ICEA,
                "liu2022-13",
                {
                    "1": "2.0482786650980852079360290393458290",
                    "2": "1.8458797233150784881016192259353901",
                    "5": "2.3845503247441741362585724307522602",
                    "10": "3.3124228311569689740893397397655976",
                    "20": "4.8106851630739943898829820177477752",
                    "100": "11.8844586143462133167643168610675439",
                },
            ),
        ),
    ),
    ClaimRecord(
        id="ICEA Fig1",
        title="ICEA against the GDP curves",
        statement="The profile of ICEA is above that of 1-GDP for every ε. It meets that of 2-GDP twice, being below "
        "between, and that of 4-GDP once, being above afterwards. So ICEA is not μ-GDP for μ = 1, 2, 4.",
        formula="δ_ICEA > δ_1 on [0, ∞); = δ_2 at 1.09313... and 3.05238...; = δ_4 at 14.28178...",
        source="section 2, Figure 1 (right) and the text below it",
        status="false_as_stated",
        hypotheses="repaired: it intersects the curves of μ = 2 and 4 only",
        laws=(Law("above and below", epsilons_up_to(40), _sides_law),),
        facts=(
            fact("above δ_1 everywhere, proved", lambda: crosses_at("icea", 1, (1,))),
            fact(
                "liu2022-14-2: meets δ_2 at 1.0931352659114511747... and, last, 3.0523809034897312107...",
                lambda: crosses_at(
                    "icea", 2, (1, -1, 1), "1.0931352659114511747", "3.05238090348973121075679117179241"
                ),
            ),
            fact(
                "liu2022-14-4: meets δ_4 at 14.28178536310101742884...",
                lambda: crosses_at("icea", 4, (-1, 1), "14.28178536310101742884301032178031"),
            ),
            fact(
                "not μ-GDP for μ = 1, 2, 4",
                lambda: [decide_mu(EXAMPLES["icea"], mpq(mu)).holds for mu in (1, 2, 4)] == [False] * 3,
            ),
        ),
        errata=(STAYS_ABOVE,),
    ),
    ClaimRecord(
        id="Fig2 eps->0",
        title="transforms near 0",
        statement="The transform of a profile that contains all that is implied converges to a finite value as ε → 0+, "
        "G(0), if one guarantee says anything at all: δ(0) < 1 by Theorem 2.1, and G changes near 0 no faster than "
        "√(π/2)(e^ε - 1).",
        formula="|G(ε) - G(0)| <= √(π/2)(e^ε - 1), G(0) = -2 Φ^-1((1 - δ(0))/2) < ∞",
        source="section 4, Figure 2 (left)",
        status="holds_under",
        hypotheses="added: the profiles are refined",
        laws=(
            Law(
                "finite and close to G(0)",
                st.tuples(_pairs(), st.builds(mpq, st.integers(1, 8), st.sampled_from([16, 1024]))),
                _finite_law,
            ),
        ),
        facts=(
            fact(
                "G(0) of Laplace noise, SGD and ICEA: 1.8009..., 1.8563..., 2.2785...",
                lambda: all(
                    within(transform(EXAMPLES[name], Level.rational(ONE), 20), *from_decimals(text))
                    for name, text in (("laplace", "1.8009"), ("sgd", "1.8563"), ("icea", "2.2785"))
                ),
            ),
            fact(
                "at ε = 10^-6 SGD and ICEA are within 2·10^-6 of that",
                lambda: all(
                    equal(formula.transform(mpq(1, 10**6)), formula.transform(ZERO)) < mpq(2, 10**6)
                    for formula in (SGD, ICEA)
                ),
            ),
        ),
        errata=(NAIVE_HEAD,),
    ),
)
