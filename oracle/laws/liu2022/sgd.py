"""Claims on the running example SGD: profile, transform and limit, and what figures 1 and 2 show of it."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from flint import arb
from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from oracle.gaussian_dp.examples import EXAMPLES
from oracle.gaussian_dp.tails import tail_limit
from oracle.gaussian_dp.tight_mu import decide_mu, tight_mu
from oracle.laws.ask import Ask
from oracle.laws.compare import at_most, worst
from oracle.laws.liu2022._figure_errata import CROSSES_ONE, NEVER_TWO
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
from oracle.laws.liu2022._transform import SGD, real
from oracle.laws.liu2022._values import ONE, ZERO, bounds, delta_of, difference
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.special import square_root

__all__ = ["CLAIMS"]

_MU: Final = mpq("1.85635729")
"""Above the tight mu of SGD by 2·10^-9."""


def _enough_law(ask: Ask, epsilon: mpq) -> mpq:
    """A little above the tight mu delta_mu is above SGD everywhere; at 0 by less than 10^-8."""
    near = difference(delta_of(ask, _MU, ZERO, 30), SGD.refined(real(ZERO)))
    return worst([below(gap(ask, SGD, _MU, epsilon)), at_most(near, mpq(1, 10**8))])


def _border_law(ask: Ask, mu: mpq, epsilon: mpq) -> mpq:
    """Far out SGD is below delta_mu, its two terms, for mu > √(1/2), above for mu < √(1/2)."""
    found = gap(ask, SGD, mu, epsilon)
    return worst([below(found) if 2 * mu * mu > 1 else above(found), two_terms(ask, mu, epsilon)])


def _sides_law(ask: Ask, epsilon: mpq) -> mpq:
    """Above delta_1 before the crossing and below it afterwards, always below delta_2 and delta_4."""
    first = gap(ask, SGD, ONE, epsilon)
    side = above(first) if epsilon <= mpq("1.9244") else below(first) if epsilon >= mpq("1.9245") else ZERO
    return worst([side, *(below(gap(ask, SGD, mpq(mu), epsilon)) for mu in (2, 4))])


def _strip_law(ask: Ask, epsilon: mpq) -> mpq:
    """From eps = 5 on G lies between 7/10 and 3/4."""
    low, high = (gap(ask, SGD, mu, epsilon) for mu in (mpq(7, 10), mpq(3, 4)))
    return worst([above(low), below(high)])


def _around_the_border() -> SearchStrategy[mpq]:
    smaller = st.builds(mpq, st.integers(50, 70), st.just(100))
    return st.one_of(smaller, st.builds(mpq, st.integers(71, 300), st.just(100)))


def _tight() -> bool:
    """The tight mu is G(0), with its decimals; one more in the last place is proved to serve, one less not."""
    found = tight_mu(EXAMPLES["sgd"], 25)
    low, high = mpq("1.856357288"), mpq("1.856357289")
    decided = [decide_mu(EXAMPLES["sgd"], mu).holds for mu in (low, high)]
    proved = found.proof is not None and found.proof.covers()
    return (
        found.where == "zero"
        and proved
        and within(found.value, *from_decimals("1.85635728853160437"))
        and decided == [False, True]
    )


def _undershoots() -> bool:
    """Down to 0.70469 at 30, then up again, towards √(1/2) from below."""
    values = [SGD.transform(mpq(x)) for x in (5, 10, 20, 30, 40, 100, 1000)]
    known = zip(values, ("0.7476", "0.7128", "0.7053", "0.7046", "0.7047", "0.7057", "0.7069"), strict=True)
    half = bounds(lambda _: (arb(1) / 2).sqrt())
    return all(within(g, *from_decimals(text)) for g, text in known) and all(
        a.hi < b.lo for a, b in pairwise((*values[3:], half))
    )


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="SGD",
        title="noisy SGD",
        statement="The noise σ = A √(log(B/δ))/ε with A = 2, B = 1, σ = 2 gives the naive profile e^{-ε²}; refined it "
        "is 1 - C(1 + e^ε) up to ε*, where (1 - e^{-x²})/(1 + e^x) is largest, with the value C. The limit of the "
        "criterion is √(1/2), so SGD is GDP; the tight μ is G(0), proved for all ε >= 0.",
        formula="δ(ε) = 1 - C(1 + e^ε) for ε <= ε*, e^{-ε²} beyond; tight μ = G(0) = -2 Φ^-1(C); limit √(1/2)",
        source="section 2 and Figure 1; section 4",
        status="holds",
        laws=(
            Law("finitely many of its guarantees", st.tuples(levels(), levels_between()), implied_law(SGD)),
            Law("μ just above G(0) is enough", epsilons_up_to(12), _enough_law),
            Law(
                "√(1/2) is the border far out",
                st.tuples(_around_the_border(), st.builds(mpq, st.integers(100, 120))),
                _border_law,
            ),
        ),
        facts=(
            fact(
                "liu2022-10a: ε* = 1.1878488995805132583..., C = 0.1766574551172460186..., δ(0) = 0.6466850897655...",
                lambda: head_agrees(
                    SGD,
                    "1.18784889958051325833094582519840538",
                    "0.17665745511724601861303998348217869",
                    "0.64668508976550796277392003303564261",
                ),
            ),
            fact("tight μ = G(0) = 1.85635728853160437..., proved for all ε", _tight),
            fact(
                "the limit is √(1/2)",
                lambda: tail_limit(EXAMPLES["sgd"].tail, 20) == square_root(mpq(1, 2), 20),
            ),
            *transform_facts(
                SGD,
                "liu2022-11",
                {
                    "1/2": "1.7875867015707554547456445718654974",
                    "2": "0.9790433827896226532309472004255198",
                    "5": "0.7476820555832090818296064815815444",
                    "10": "0.7128949605351823168028168082523881",
                    "20": "0.7053660340653436561650775887138867",
                },
            ),
        ),
    ),
    ClaimRecord(
        id="SGD Fig1",
        title="SGD against the GDP curves",
        statement="The profile of SGD crosses that of 1-GDP exactly once: above it from ε = 0 on, below it after ε = "
        "1.92445267929103319.... It stays below those of 2-GDP and 4-GDP for every ε. So a graph does not tell, but a "
        "proof does.",
        formula="δ_SGD > δ_1 on [0, 1.92445...), < δ_1 beyond; δ_SGD < δ_2 < δ_4 on [0, ∞)",
        source="section 2, Figure 1 (right) and the text below it",
        status="holds",
        laws=(Law("above and below", epsilons_up_to(40), _sides_law),),
        facts=(
            fact(
                "liu2022-10c: the crossing with δ_1 is at 1.92445267929103319455...",
                lambda: crosses_at("sgd", 1, (1, -1), "1.92445267929103319455289278821433"),
            ),
            fact(
                "no crossing with δ_2 and δ_4: below everywhere",
                lambda: crosses_at("sgd", 2, (-1,)) and crosses_at("sgd", 4, (-1,)),
            ),
        ),
        errata=(CROSSES_ONE, NEVER_TWO),
    ),
    ClaimRecord(
        id="SGD Fig2",
        title="transform of SGD for large epsilon",
        statement="The transform of SGD converges to √(1/2) = 0.7071..., about 0.7, though not from above: it falls "
        "below the limit, to about 0.7047 near ε = 31, and comes back up.",
        formula="lim_{ε→∞} G_SGD(ε) = √(1/2)",
        source="section 4, Figure 2 (left)",
        status="holds",
        laws=(Law("between 7/10 and 3/4 from ε = 5 on", st.builds(mpq, st.integers(20, 400), st.just(4)), _strip_law),),
        facts=(
            fact(
                "G at 5, 10, 20, 30, 40, 100, 1000: 0.7476, 0.7128, 0.7053, 0.7046, 0.7047, 0.7057, 0.7069",
                _undershoots,
            ),
        ),
    ),
)
