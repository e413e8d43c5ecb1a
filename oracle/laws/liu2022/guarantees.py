"""Claims of section 2 on (epsilon, delta) guarantees: the profile, which guarantee implies which, the refinement."""

from __future__ import annotations

from typing import Final, Literal

from flint import arb
from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.lattice import least_upper_bound
from oracle.enclosures import Ball, Enclosure, rational_ball
from oracle.exact import INFINITY, Infinity, to_text
from oracle.gaussian_dp.examples import EXAMPLES
from oracle.gaussian_dp.guarantee_lists import GuaranteeList
from oracle.gaussian_dp.guarantee_order import Guarantee, implied_delta, implies
from oracle.gaussian_dp.profile import mu_gdp
from oracle.gaussian_dp.profiles import Profile, Refined
from oracle.laws.ask import Ask
from oracle.laws.balle2018._facts import channel, divergence, divergence_both, exact, number
from oracle.laws.compare import at_most, equal, true, worst
from oracle.laws.evidence import Evidence
from oracle.laws.liu2022._samples import guarantee_lists
from oracle.laws.liu2022._values import ONE, ZERO, bounds, guarantees_node, worst_rows
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, rational_levels, two_row_channels
from oracle.levels import Level

__all__ = ["CLAIMS"]

_Pairs = list[tuple[mpq, mpq]]
_ONE_SIDED: Final = channel("1 0", "1/3 2/3")
"""D_3(P‖Q) = 0, but D_1(P‖Q) = 2/3."""
_TWO: Final[_Pairs] = [(mpq(2), mpq(1, 4)), (mpq(5), ZERO)]
"""Two guarantees that imply together what neither implies alone."""
_AT: Final = mpq(3)
_DIRECTIONS: Final[tuple[Literal["forward", "backward"], ...]] = ("forward", "backward")


def _profile_law(ask: Ask, m: Channel, level: mpq) -> mpq:
    """The subject's delta is the largest excess of an event, in either order of the two laws."""
    return equal(ask.delta(m.rows, level), divergence_both(m.rows, level))


def _region_law(ask: Ask, m: Channel, levels: tuple[mpq, mpq], more: mpq) -> mpq:
    """Accepted are exactly the guarantees on and above the profile, which does not increase."""
    low, high = sorted(levels)
    least = exact(ask.delta(m.rows, low))

    def accepted(level: mpq, delta: mpq) -> bool:
        return ask.satisfies(m.rows, {"exp_epsilon": to_text(level), "delta": to_text(delta)})

    good = [(low, least), (high, least), (low, max(least, more)), (high, max(least, more))]
    fine = all(accepted(*claim) for claim in good) and not (least and accepted(low, least * mpq(999, 1000)))
    return worst([true(fine), at_most(ask.delta(m.rows, high), least)])


def _conventions_law(ask: Ask, m: Channel) -> mpq:
    """A profile of 0 needs mu = 0 and no other does; one that is 1 at eps = 0 allows no mu."""
    most, mu = exact(ask.delta(m.rows, 1)), ask.mu(m.rows)
    return worst([true((mu == 0) == (most == 0)), true(most < 1 or isinstance(mu, Infinity))])


def _implied(level: mpq, delta: mpq, at: mpq) -> mpq:
    """The formula of theorem 2.1: the least delta at e^eps = *at*."""
    return delta + (1 - delta) * max(ZERO, level - at) / (1 + level)


def _if_law(ask: Ask, m: Channel, level: mpq, at: mpq) -> mpq:
    """No channel with the guarantee exceeds the formula anywhere."""
    return at_most(ask.delta(m.rows, at), _implied(level, exact(ask.delta(m.rows, level)), at))


def _only_if_law(ask: Ask, level: mpq, delta: mpq, at: mpq) -> mpq:
    """The worst-case channel has the guarantee, no better one, and reaches the formula everywhere."""
    rows = worst_rows(level, delta)
    return worst([equal(ask.delta(rows, level), delta), equal(ask.delta(rows, at), _implied(level, delta, at))])


def _order_law(ask: Ask, given: tuple[mpq, mpq], at: mpq, other: mpq, bits: int) -> mpq:
    """One guarantee implies another iff its worst case is a post-processing of the other's, near misses included."""
    least = _implied(*given, at)
    step = mpq(1, 2**bits)
    rows = worst_rows(*given)
    wanted = {other, least, min(ONE, least + step), max(ZERO, least - step)}
    return worst(true(ask.refines(worst_rows(at, d), rows) == (d >= least)) for d in wanted)


def _accepted_law(ask: Ask, given: tuple[mpq, mpq], at: mpq, other: mpq) -> mpq:
    """The worst case satisfies exactly the guarantees that the formula says are implied."""
    least = _implied(*given, at)
    rows = worst_rows(*given)
    accepted = (ask.satisfies(rows, {"exp_epsilon": to_text(at), "delta": to_text(d)}) for d in (other, least))
    return worst(true(found == (d >= least)) for found, d in zip(accepted, (other, least), strict=True))


def _naive(pairs: _Pairs, at: mpq) -> mpq:
    return min((d for a, d in pairs if a <= at), default=ONE)


def _pairwise(pairs: _Pairs, at: mpq) -> mpq:
    """The refined profile of finitely many guarantees: the printed formula, one guarantee at a time."""
    later = (1 - (1 - d) * (1 + at) / (1 + a) for a, d in pairs if a > at)
    return min([_naive(pairs, at), *later])


def _together(pairs: _Pairs, at: mpq) -> mpq:
    """The lowest chord over *at* of (0, 1), the guarantees and their mirror images, by looking at all pairs."""
    points = [(ZERO, ONE), *pairs, *((1 / a, 1 - (1 - d) / a) for a, d in pairs)]
    values = [y for x, y in points if x <= at]
    for x0, y0 in points:
        values += [y0 + (y1 - y0) * (at - x0) / (x1 - x0) for x1, y1 in points if x0 <= at < x1]
    return min(values)


def _bound_law(ask: Ask, pairs: _Pairs, at: mpq) -> mpq:
    """The least upper bound of the worst cases has the lowest chord as its profile; the refinement is not below it."""
    lub = ask.lub([worst_rows(*pair) for pair in pairs])
    value = ask.delta(lub, at)
    order = at_most(_pairwise(pairs, at), _naive(pairs, at))
    return worst([equal(value, _together(pairs, at)), at_most(value, _pairwise(pairs, at)), order])


def _node_law(ask: Ask, pairs: _Pairs, at: mpq) -> mpq:
    """The subject's profile of the list of guarantees is the lowest chord."""
    found = ask.value("delta", {"channel": guarantees_node(pairs), "exp_epsilon": to_text(at)})
    return equal(number(found), _together(pairs, at))


def _mechanism_law(ask: Ask, m: Channel, levels: list[mpq], at: mpq) -> mpq:
    """No channel exceeds what its guarantees at a few levels imply together."""
    pairs = [(a, exact(ask.delta(m.rows, a))) for a in levels]
    return at_most(ask.delta(m.rows, at), _together(pairs, at))


def _levels() -> SearchStrategy[mpq]:
    """Levels that lie among those of the guarantees, and others."""
    return st.one_of(st.builds(lambda a, b: 1 + mpq(a, b), st.integers(0, 16), st.integers(1, 4)), rational_levels(1))


def _given() -> SearchStrategy[tuple[mpq, mpq]]:
    return st.tuples(_levels(), alphas())


def _is_implied(level: str, delta: str, at: str, value: str) -> bool:
    """A worked value by the engine's order, on both sides of it."""
    given = Guarantee(Level.rational(mpq(level)), mpq(delta))
    exactly = Guarantee(Level.rational(mpq(at)), mpq(value))
    below = exactly._replace(delta=mpq(value) - mpq(1, 10**30))
    same = implied_delta(given, exactly.level) == mpq(value) == _implied(mpq(level), mpq(delta), mpq(at))
    return same and implies(given, exactly) and not implies(given, below)


def _constant(x: mpq) -> Ball:
    return lambda _: rational_ball(x)


def _candidate(eps: mpq, later: mpq, naive: Profile) -> Enclosure:
    """1 - (1 - delta(e0)) (1 + e^eps)/(1 + e^e0), the least delta that the guarantee at e0 implies at eps < e0."""

    def ball(_: int) -> arb:
        e0 = rational_ball(later)
        return 1 - (1 - naive.at(e0)) * (1 + rational_ball(eps).exp()) / (1 + e0.exp())

    return bounds(ball)


def _is_refined(profile: Profile) -> bool:
    """On a grid: below every printed candidate, and within 10^-9 of one of them or of the naive value."""
    if not isinstance(profile, Refined):
        return False
    later = [*(mpq(k, 8) for k in range(1, 33)), *profile.turning_bracket(12)]
    for eps in (ZERO, mpq(1, 2), ONE, mpq(2)):
        found, naive = (bounds(each.ball(_constant(eps))) for each in (profile, profile.naive))
        candidates = [naive, *(_candidate(eps, e0, profile.naive) for e0 in later if e0 > eps)]
        if any(candidate.hi < found.lo for candidate in candidates):
            return False
        if all(candidate.lo > found.hi + mpq(1, 10**9) for candidate in candidates):
            return False
    return True


def _within(profile: Profile, low: str, high: str) -> bool:
    """Whether delta(0) lies between two decimals."""
    value = profile.delta(Level.rational(mpq(1)), 40)
    return isinstance(value, Enclosure) and mpq(low) <= value.lo and value.hi <= mpq(high)


def _list_values(at: mpq) -> tuple[mpq, mpq | Enclosure, mpq | Enclosure]:
    """Naive, refined and implied by the engine, for the two guarantees of the counterexample."""
    found, level = GuaranteeList([(Level.rational(a), d) for a, d in _TWO]), Level.rational(at)
    return found.naive(level), found.refined(level), found.implied(level)


def _refined_fails() -> bool:
    """The worst mechanism with both guarantees has a smaller delta than "all pairs inferred" say."""
    bound = least_upper_bound([Channel(worst_rows(*pair)) for pair in _TWO])
    return hockey_stick(bound, _AT) == mpq(1, 6) < _pairwise(_TWO, _AT)


def _refined_certificate() -> Certificate:
    """[p - 3q]_+ <= (2/3) [p - 2q]_+ + (1/3) [p - 5q]_+, so D_3 <= 1/6; all three candidates are larger."""
    evidence = Evidence()
    (first, d1), (second, d2) = _TWO
    weight = (second - _AT) / (second - first)
    evidence.compare(evidence.combination((weight, 1), (1 - weight, 1)), "=", 1)
    evidence.compare(evidence.combination((weight, first), (1 - weight, second)), "=", _AT)
    together = evidence.combination((weight, d1), (1 - weight, d2))
    candidates = [evidence.combination((1, d1))]
    candidates.append(evidence.combination((1, 1), (-(1 + _AT) / (1 + second), evidence.combination((1, 1), (-1, d2)))))
    for candidate in candidates:
        evidence.compare(together, "<", candidate)
    bound = least_upper_bound([Channel(worst_rows(*pair)) for pair in _TWO])
    for level, value in ((first, d1), (second, d2), (_AT, together)):
        for direction in _DIRECTIONS:
            evidence.compare(evidence.hockey_stick(bound, level, direction), "=", value)
    return evidence.certificate()


PAIRWISE: Final = Erratum(
    printed="Not printed: the analogue that a reader may expect is that the refined profile is all that follows from "
    "the guarantees. The paper says that it takes all pairs into account that are inferred by its corollary 2.1, which "
    "starts from one pair at a time; so it does. (The formula is missing from the text at hand.)",
    counterexample="Let A be (log 2, 1/4)-DP and (log 5, 0)-DP. Since p - 3q = (2/3)(p - 2q) + (1/3)(p - 5q), "
    "[p - 3q]_+ <= (2/3)[p - 2q]_+ + (1/3)[p - 5q]_+ for every outcome, so D_3 <= (2/3)(1/4) + (1/3)·0 = 1/6 in both "
    "orders: A is (log 3, 1/6)-DP. The refined profile at ε = log 3 is the least of 1/4, from the first guarantee as "
    "it stands, and 1 - (1 - 0)(1 + 3)/(1 + 5) = 1/3, from the second: 1/4. (The least upper bound of the two worst "
    "cases has D_2 = 1/4, D_5 = 0 and D_3 = 1/6, so 1/6 cannot be improved.)",
    correction="The formula infers from one pair at a time. All that follows from the guarantees together is the lower "
    "convex hull, in a = e^ε, of (0, 1), the points (a0, δ0) and their mirror images (1/a0, 1 - (1 - δ0)/a0). For the "
    "paper's two formulas both are the same, as the refined profile is already convex in a.",
    scope="statement",
    fails=_refined_fails,
    certificate=_refined_certificate,
    summary="the refinement infers pairwise only",
    printed_formula="Not printed: the analogue that a reader may expect is: all that follows = min(δ(ε), inf_{ε0 > ε} "
    "1 - (1 - δ(ε0))(1 + e^ε)/(1 + e^{ε0}))",
    true_formula="all that follows = lower convex hull in a of (0, 1), (a0, δ0), (1/a0, 1 - (1 - δ0)/a0)",
)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Def profile",
        title="privacy profile",
        statement="The profile of A at ε is the least δ for which A is (ε, δ)-DP, so A is (ε, δ)-DP exactly for the δ "
        "on and above it. It does not increase. By convention δ = 0 needs μ = 0 and δ = 1 no finite μ.",
        formula="δ_A(ε) = min{δ : A is (ε, δ)-DP}; μ_GDP(ε, 0) = 0, μ_GDP(ε, 1) = ∞",
        source="section 2, definition of the privacy profile",
        status="definition",
        hypotheses="added: the two conventions for μ_GDP, without which G_A is not defined where δ_A is 0 or 1",
        laws=(
            Law("the largest excess of an event", st.tuples(two_row_channels(5), rational_levels(1)), _profile_law),
            Law(
                "exactly what lies on and above it is accepted",
                st.tuples(two_row_channels(5), st.tuples(_levels(), _levels()), alphas()),
                _region_law,
            ),
            Law("profiles of 0 and of 1", two_row_channels(5), _conventions_law),
        ),
        facts=(
            fact(
                "the least μ of (log 2, 0) is 0, of (log 2, 1) infinite",
                lambda: mu_gdp(Level.rational(mpq(2)), ZERO) == 0 and mu_gdp(Level.rational(mpq(2)), ONE) == INFINITY,
            ),
            fact(
                "(3/4, 1/4) | (1/4, 3/4): δ(0) = 1/2, δ(log 2) = 1/4, δ(log 3) = 0",
                lambda: (
                    [divergence_both(channel("3/4 1/4", "1/4 3/4").rows, mpq(a)) for a in (1, 2, 3)]
                    == [mpq(1, 2), mpq(1, 4), ZERO]
                ),
            ),
        ),
        defines=True,
    ),
    ClaimRecord(
        id="Thm2.1",
        title="partial order of guarantees",
        statement="(ε0, δ0)-DP implies (ε, δ)-DP if and only if δ is at least the value of the formula. The mechanism "
        "that gives the input away with probability δ0 and else is ε0-randomised response reaches it at every ε. (The "
        "printed formula is missing from the text at hand; this one is reconstructed and proved.)",
        formula="δ >= δ0 + (1 - δ0) [a0 - a]_+/(1 + a0)",
        source="section 2, Theorem 2.1",
        status="holds",
        hypotheses="ε, ε0 >= 0; the neighbouring relation is symmetric, so that both D_a(P‖Q) and D_a(Q‖P) are bounded "
        "(for one order alone the divisor is a0 in place of 1 + a0)",
        laws=(
            Law(
                "if: no channel exceeds the formula",
                st.tuples(two_row_channels(5), _levels(), _levels()),
                _if_law,
            ),
            Law(
                "only if: the worst case reaches it",
                st.tuples(_levels(), alphas(), _levels()),
                _only_if_law,
            ),
            Law(
                "the order is refinement of the worst cases",
                st.tuples(_given(), _levels(), alphas(), st.integers(8, 200)),
                _order_law,
            ),
            Law("what the worst case satisfies", st.tuples(_given(), _levels(), alphas()), _accepted_law),
        ),
        facts=(
            fact("liu2022-01a: a0 = 3, δ0 = 0 at a = 1: 1/2", lambda: _is_implied("3", "0", "1", "1/2")),
            fact("liu2022-01b: a0 = 3, δ0 = 1/10 at a = 1: 11/20", lambda: _is_implied("3", "1/10", "1", "11/20")),
            fact("liu2022-01c: a0 = 3, δ0 = 1/10 at a = 2: 13/40", lambda: _is_implied("3", "1/10", "2", "13/40")),
            fact(
                "liu2022-01d: a0 = 3/2, δ0 = 1/100 at a = 1: 26/125", lambda: _is_implied("3/2", "1/100", "1", "26/125")
            ),
            fact(
                "symmetry is needed: (1, 0) | (1/3, 2/3) has D_3 = 0 in this order, but D_1 = 2/3 > 1/2",
                lambda: [divergence(_ONE_SIDED.rows, a) for a in (mpq(3), ONE)] == [ZERO, mpq(2, 3)],
            ),
        ),
    ),
    ClaimRecord(
        id="refined",
        title="refined profile",
        statement="What one guarantee at a time implies is the refined profile: never above the naive one, and every "
        "mechanism with the guarantees is below it. It is not all that the guarantees imply together: that is the "
        "profile of the least upper bound of the worst cases, the lower convex hull in e^ε. For the two noise formulas "
        "of the paper both are the same.",
        formula="δ^(ε) = min(δ(ε), inf_{ε0 > ε} 1 - (1 - δ(ε0))(1 + e^ε)/(1 + e^{ε0})), an upper bound",
        source="section 2, after Theorem 2.1",
        status="false_as_stated",
        hypotheses="repaired: an upper bound on what follows, with equality where it is convex in e^ε",
        laws=(
            Law("together: the lowest chord", st.tuples(guarantee_lists(), _levels()), _bound_law),
            Law("the list as a mechanism", st.tuples(guarantee_lists(), _levels()), _node_law),
            Law(
                "no channel exceeds what follows",
                st.tuples(two_row_channels(5), st.lists(_levels(), min_size=1, max_size=3), _levels()),
                _mechanism_law,
            ),
        ),
        facts=(
            fact(
                "(log 2, 1/4) and (log 5, 0) at log 3: naive 1/4, refined 1/4, implied 1/6",
                lambda: _list_values(_AT) == (mpq(1, 4), mpq(1, 4), mpq(1, 6)),
            ),
            fact(
                "at 0: naive 1, refined 1/2, implied 1/2",
                lambda: _list_values(ONE) == (ONE, mpq(1, 2), mpq(1, 2)),
            ),
            fact(
                "for SGD and ICEA the printed formula is 1 - C (1 + e^ε), then the naive profile",
                lambda: all(_is_refined(EXAMPLES[name]) for name in ("sgd", "icea")),
            ),
            fact(
                "for SGD and ICEA the refined profile is all that follows",
                lambda: all(EXAMPLES[name].closed for name in ("sgd", "icea")),
            ),
            fact(
                "liu2022-10a: SGD at 0 is 0.646685089765507962773920033035642..., naively 1",
                lambda: _within(
                    EXAMPLES["sgd"], "0.64668508976550796277392003303564261", "0.64668508976550796277392003303564262"
                ),
            ),
            fact(
                "liu2022-12a: ICEA at 0 is 0.745421741879100784183679825039676..., naively 1",
                lambda: _within(
                    EXAMPLES["icea"], "0.74542174187910078418367982503967656", "0.74542174187910078418367982503967657"
                ),
            ),
        ),
        errata=(PAIRWISE,),
    ),
)
