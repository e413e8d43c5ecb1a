"""Claims on operations that protect further (rectification), on what epsilon-DP gives, and on composition."""

from __future__ import annotations

from typing import Any, Final

from flint import arb
from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from oracle.channels.channel import Channel, Rows
from oracle.channels.refinement import refines
from oracle.enclosures import Ball, Enclosure, rational_ball
from oracle.exact import INFINITY
from oracle.gaussian_dp.channel_mu import least_mu
from oracle.gaussian_dp.profile import mu_gdp
from oracle.gaussian_dp.rectification import clip_ratio, mix_with_uniform, mixing_level, subsample
from oracle.laws.ask import Ask
from oracle.laws.balle2018._noise import gaussian_excess
from oracle.laws.compare import at_most, equal, tables_equal, true, worst
from oracle.laws.liu2022._subjects import finite_mu, mu_of, plain_channels, processed_channels, randomised_response
from oracle.laws.liu2022._subjects import within as lies_within
from oracle.laws.liu2022._transform import required_mu
from oracle.laws.liu2022._values import ONE, ZERO, bounds, delta_of, gaussian_dp, profile
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import two_row_channels
from oracle.levels import Level
from oracle.special import phi_inverse

__all__ = ["CLAIMS"]

_TRIPLES: Final = ((3, 4, 5), (5, 12, 13), (8, 15, 17))


def _mixing(outputs: int, weight: mpq) -> Rows:
    """(1 - r) I + r/k."""
    share = weight / outputs
    return tuple(tuple(share + (1 - weight if i == j else ZERO) for j in range(outputs)) for i in range(outputs))


def _telling_apart(outputs: int) -> Channel:
    """The worst case on k outputs: the two inputs have one of their own each."""
    return Channel([[ONE, *[ZERO] * (outputs - 1)], [ZERO, ONE, *[ZERO] * (outputs - 2)]])


def _level(outputs: int, weight: mpq) -> mpq:
    return 1 + outputs * (1 - weight) / weight


def _worst_case_law(ask: Ask, outputs: int, weight: mpq) -> mpq:
    """Mixing the worst case needs exactly e^eps = 1 + k (1 - r)/r at delta = 0, and leaves D_1 = 1 - r."""
    mixed = ask.post(_telling_apart(outputs).rows, _mixing(outputs, weight))
    level = _level(outputs, weight)
    found = ask.exp_epsilon(mixed, 0)
    off = abs(found - level) if isinstance(found, mpq) else ONE
    return worst([off, equal(ask.delta(mixed, 1), 1 - weight), at_most(finite_mu(ask, mixed), _pure_mu(level))])


def _mixed_law(ask: Ask, m: Channel, weight: mpq) -> mpq:
    """Every channel is log(1 + k (1 - r)/r)-DP after mixing; mixing is a hidden choice between it and uniform laws."""
    outputs = m.shape[1]
    mixed = ask.post(m.rows, _mixing(outputs, weight))
    uniform = ((mpq(1, outputs),) * outputs,) * 2
    chosen = ask.hidden(1 - weight, m.rows, uniform)
    return worst([at_most(ask.delta(mixed, _level(outputs, weight)), 0), tables_equal(mixed, chosen)])


def _clipping_law(ask: Ask, processed: tuple[Channel, Rows], bound: mpq) -> mpq:
    """The maximum with randomised response at B is log(B)-DP, had from M, and above each such post-processing of M."""
    m, witness = processed
    clipped = ask.lub([m.rows, randomised_response(bound).rows])
    outputs = len(witness[0])
    other = ask.post(ask.post(m.rows, witness), _mixing(outputs, outputs / (outputs + bound - 1)))
    least = ask.refines(m.rows, clipped) and ask.refines(clipped, other)
    same = tables_equal(clipped, clip_ratio(m, bound).channel.rows)
    return worst([true(least), at_most(ask.delta(clipped, bound), 0), same])


def _subsampling_law(ask: Ask, m: Channel, rate: mpq, level: mpq) -> mpq:
    """D_{1 + q (a - 1)} of (q P + (1 - q) Q, Q) is q D_a(P‖Q)."""
    absent = (m.rows[1], m.rows[1])
    sampled = ask.hidden(rate, m.rows, absent)
    amplified = ask.hockey_stick(sampled, 1 + rate * (level - 1))
    before = ask.hockey_stick(m.rows, level)
    scaled = Enclosure(rate * before.lo, rate * before.hi) if isinstance(before, Enclosure) else rate * before
    return worst([equal(amplified, scaled), tables_equal(sampled, subsample(m, rate).channel.rows)])


def _pure_mu(level: mpq) -> Enclosure:
    """-2 Phi^(-1)(1/(1 + a))."""
    return bounds(lambda _: -2 * phi_inverse(rational_ball(1 / (1 + level))))


def _response_law(ask: Ask, level: mpq) -> mpq:
    """Randomised response needs just that mu, which is what its delta(0) = (a - 1)/(a + 1) needs."""
    found, formula = finite_mu(ask, randomised_response(level).rows), _pure_mu(level)
    return worst([equal(found, formula), equal(required_mu(ZERO, (level - 1) / (level + 1)), formula)])


def _pure_law(ask: Ask, m: Channel) -> mpq:
    """A channel needs no larger mu than randomised response with its largest likelihood ratio."""
    ratio = max(max(p / q, q / p) for p, q in zip(*m.rows, strict=True))
    return worst(
        [at_most(finite_mu(ask, m.rows), _pure_mu(ratio)), true(ask.satisfies(m.rows, {"exp_epsilon": str(ratio)}))]
    )


def _head_law(ask: Ask, level: mpq, share: mpq) -> mpq:
    """1 - (1 + e^eps)/(1 + a) is below delta_mu at every eps, with equality at 0 only (lemma 1)."""
    mu = _pure_mu(level).hi
    epsilon = share * bounds(lambda _: rational_ball(level).log()).lo
    response = randomised_response(level).rows
    below = at_most(profile(ask, response, epsilon), delta_of(ask, mu, epsilon))
    return worst([below, equal(profile(ask, response, ZERO), delta_of(ask, mu, ZERO))])


def _root(*squares: mpq) -> Enclosure:
    return bounds(lambda _: rational_ball(sum(squares, ZERO)).sqrt())


def _compose(*mus: mpq) -> dict[str, Any]:
    return {"mechanism": "compose", "of": [gaussian_dp(mu) for mu in mus]}


def _gaussian_law(ask: Ask, mus: list[mpq]) -> mpq:
    """The composition of Gaussian pairs has the least mu √(Σ mu_i²)."""
    return equal(mu_of(ask, _compose(*mus)), _root(*(mu * mu for mu in mus)))


def _whole_law(ask: Ask, triple: tuple[int, int, int], unit: mpq, times: mpq) -> mpq:
    """For a Pythagorean triple the mu is rational, and the profile is that of one pair, integrated."""
    first, second, both = (unit * side for side in triple)
    mechanism = _compose(first, second)
    epsilon = both * times
    return worst(
        [
            equal(mu_of(ask, mechanism), both),
            equal(profile(ask, mechanism, epsilon, 15), gaussian_excess(both, epsilon)),
        ]
    )


def _corners_mu(table: Rows) -> Enclosure:
    """The largest Phi^(-1)(1 - alpha) - Phi^(-1)(beta) over the sets {q/p >= h}, for positive entries."""
    ratios = sorted({q / p for p, q in zip(*table, strict=True)})
    found = []
    for h in ratios[1:]:
        kept = [(p, q) for p, q in zip(*table, strict=True) if q < h * p]
        alpha, beta = 1 - sum((p for p, _ in kept), ZERO), sum((q for _, q in kept), ZERO)
        found.append(bounds(_difference_of_quantiles(alpha, beta)))
    return Enclosure(max(x.lo for x in found), max(x.hi for x in found))


def _product(left: Channel, right: Channel) -> Rows:
    """The laws of the pair of outputs."""
    first, second = (tuple(a * b for a in x for b in y) for x, y in zip(left.rows, right.rows, strict=True))
    return first, second


def _tables_law(ask: Ask, left: Channel, right: Channel) -> mpq:
    """Two channels together need what the corners of the product's curve need, at most √(mu_1² + mu_2²)."""
    together = ask.parallel([left.rows, right.rows])
    mus = [finite_mu(ask, m.rows) for m in (left, right)]
    tops = [mu.hi if isinstance(mu, Enclosure) else mu for mu in mus]
    both = finite_mu(ask, together)
    return worst([at_most(both, _root(*(top * top for top in tops))), equal(both, _corners_mu(_product(left, right)))])


def _weights() -> SearchStrategy[mpq]:
    """Weights of the uniform law, above 0."""
    return st.builds(lambda a, b: mpq(min(a, b), max(a, b)), st.integers(1, 20), st.integers(1, 20))


def _levels() -> SearchStrategy[mpq]:
    """Levels a = e^eps above 1."""
    return st.builds(lambda a, b: 1 + mpq(a, b), st.integers(1, 60), st.integers(1, 12))


def _mixed_worst_case() -> bool:
    """The matrix of the worked example, its level and its D_1."""
    result = mix_with_uniform(_telling_apart(3), mpq(1, 4)).channel.rows
    expected = ((mpq(5, 6), mpq(1, 12), mpq(1, 12)), (mpq(1, 12), mpq(5, 6), mpq(1, 12)))
    apart = sum((max(ZERO, p - q) for p, q in zip(*result, strict=True)), ZERO)
    return result == expected and mixing_level(3, mpq(1, 4)).value == 10 and apart == mpq(3, 4)


def _difference_of_quantiles(alpha: mpq, beta: mpq) -> Ball:
    def ball(_: int) -> arb:
        return phi_inverse(rational_ball(1 - alpha)) - phi_inverse(rational_ball(beta))

    return ball


def _mixed_mu() -> bool:
    """Its least mu is that of the corner (1/12, 1/6), below that of randomised response at 10."""
    found = mix_with_uniform(_telling_apart(3), mpq(1, 4)).tight_mu(20)
    corner = bounds(_difference_of_quantiles(mpq(1, 12), mpq(1, 6)))
    return isinstance(found, Enclosure) and found.overlaps(corner) and found.hi < _pure_mu(mpq(10)).lo


def _responses_need_less() -> bool:
    """The two-fold product (9, 3, 3, 1)/16 has the corner (1/16, 7/16); the rule allows √2 times the single mu."""
    p = [mpq(k, 16) for k in (9, 3, 3, 1)]
    found, single = least_mu(Channel([p, p[::-1]])), _pure_mu(mpq(3))
    corner = bounds(_difference_of_quantiles(mpq(1, 16), mpq(7, 16)))
    return isinstance(found, Enclosure) and found.overlaps(corner) and found.hi < _root(ONE, ONE).lo * single.lo


def _worst_clipped() -> bool:
    """The channel that tells its inputs apart, clipped to B = 3, is randomised response at 3."""
    clipped, response = clip_ratio(_telling_apart(2), mpq(3)).channel, randomised_response(mpq(3))
    return bool(refines(clipped, response)) and bool(refines(response, clipped))


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="rectify",
        title="rectification",
        statement="Three operations make any mechanism GDP, or its μ smaller, with an exact effect. Replacing the "
        "output, with probability r, by a uniform draw from the k outputs makes it log(1 + k(1 - r)/r)-DP: exactly, in "
        "the worst case, which tells its inputs apart. Clipping likelihood ratios to [1/B, B]: the least channel above "
        "M that is log(B)-DP is its least upper bound with randomised response at B, a post-processing of M. "
        "Subsampling at rate q takes D_a to q D_a at 1 + q(a - 1). (The paper's section on rectification is missing "
        "from the text at hand; these operations are our own.)",
        formula="mixing: e^ε = 1 + k(1 - r)/r, D_1 = 1 - r in the worst case; clipping: T = max(T(P, Q), T_B); "
        "sampling: D_{1+q(a-1)}(qP + (1-q)Q ‖ Q) = q D_a(P‖Q)",
        source="section 5, amplification and rectification",
        status="holds",
        laws=(
            Law("mixing the worst case", st.tuples(st.integers(2, 5), _weights()), _worst_case_law),
            Law("mixing any channel", st.tuples(two_row_channels(5), _weights()), _mixed_law),
            Law("clipping is the least", st.tuples(processed_channels(), _levels()), _clipping_law),
            Law("subsampling", st.tuples(two_row_channels(5), _weights(), _levels()), _subsampling_law),
        ),
        facts=(
            fact("liu2022-20: k = 3, r = 1/4: e^ε = 10 and D_1 = 3/4", _mixed_worst_case),
            fact("there the least μ is Φ^-1(11/12) - Φ^-1(1/6), less than 10 : 1 alone would need", _mixed_mu),
            fact("clipping what tells the inputs apart to B = 3 leaves randomised response at 3", _worst_clipped),
            fact(
                "what tells its inputs apart has no μ; mixed, clipped or sampled and mixed it has",
                lambda: (
                    least_mu(_telling_apart(3)) == INFINITY
                    and mix_with_uniform(_telling_apart(3), mpq(1, 100)).tight_mu() != INFINITY
                    and clip_ratio(_telling_apart(3), mpq(100)).tight_mu() != INFINITY
                    and subsample(_telling_apart(3), mpq(1, 2)).tight_mu() == INFINITY
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="eps-DP => GDP",
        title="pure differential privacy is GDP",
        statement="An ε-DP mechanism is μ-GDP with μ = -2Φ^-1(1/(1 + e^ε)), and randomised response needs no less. Its "
        "profile 1 - C(1 + e^x), C = 1/(1 + e^ε), agrees with δ_μ at x = 0 and falls faster: -C e^x <= "
        "-e^x Φ(-x/μ - μ/2), since C = Φ(-μ/2).",
        formula="μ = -2 Φ^-1(1/(1 + e^ε))",
        source="from Theorems 2.1 and 4.1; proved here (lemma 1)",
        status="holds",
        hypotheses="the neighbouring relation is symmetric; ε < ∞",
        laws=(
            Law("randomised response needs it", _levels(), _response_law),
            Law("no channel needs more", plain_channels(), _pure_law),
            Law("the head stays below", st.tuples(_levels(), st.builds(mpq, st.integers(0, 9), st.just(8))), _head_law),
        ),
        facts=(
            fact(
                "e^ε = 3: μ = 1.34897950039216348...",
                lambda: (
                    lies_within(least_mu(randomised_response(mpq(3)), 25), "1.34897950039216348", "1.34897950039216349")
                    and lies_within(_pure_mu(mpq(3)), "1.34897950039216348", "1.34897950039216349")
                ),
            ),
            fact(
                "the same as μ_GDP(0, 1/2)",
                lambda: lies_within(
                    mu_gdp(Level.rational(ONE), mpq(1, 2), 25), "1.348979500392163", "1.348979500392164"
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="GDP comp",
        title="composition of GDP",
        statement="μ_1-GDP and μ_2-GDP mechanisms together are √(μ_1² + μ_2²)-GDP, and likewise any number of them. "
        "For Gaussian pairs it is exact: two coordinates with the differences μ_1 and μ_2 are one with that distance.",
        formula="μ = √(μ_1² + ... + μ_n²)",
        source="section 1",
        status="holds",
        laws=(
            Law(
                "Gaussian pairs",
                st.lists(st.builds(mpq, st.integers(0, 20), st.integers(1, 6)), min_size=1, max_size=4),
                _gaussian_law,
            ),
            Law(
                "rational distances, integrated",
                st.tuples(
                    st.sampled_from(_TRIPLES),
                    st.builds(mpq, st.integers(1, 4), st.sampled_from([8, 20])),
                    st.builds(mpq, st.integers(0, 8), st.just(4)),
                ),
                _whole_law,
            ),
            Law("finite channels", st.tuples(plain_channels(3), plain_channels(3)), _tables_law),
        ),
        facts=(
            fact(
                "1 and 1 make √2 = 1.414213562373...",
                lambda: lies_within(_root(ONE, ONE), "1.414213562373", "1.414213562374"),
            ),
            fact(
                "two randomised responses at 3 need less than √2·1.3489...: the rule is a bound for finite channels",
                _responses_need_less,
            ),
        ),
    ),
)
