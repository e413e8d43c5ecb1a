"""Claims of section 3 on the privacy loss: its tails, its moments, and mechanisms with symmetric noise."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from flint import arb
from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracle.channels.channel import Channel, Rows
from oracle.channels.loss import moment, moment_by_profile, tail_difference
from oracle.enclosures import rational_ball
from oracle.exact import INFINITY, Infinity, to_text
from oracle.laws.ask import Ask, matrix
from oracle.laws.balle2018._facts import EVERYTHING, ONE, ZERO, channel, divergence, exact, extended, number
from oracle.laws.balle2018._loss_errata import MIXED, SUPREMUM, A, B, fortieths, tails
from oracle.laws.balle2018._mechanisms import Space, mechanisms
from oracle.laws.balle2018._moments import Piecewise, integral, largest, moment_of, nodes, symmetric_pairs
from oracle.laws.balle2018._noise import bounds, gaussian, laplace, profile
from oracle.laws.compare import at_most, equal, true, worst
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import alphas, channels_with_levels, rational_levels, two_row_channels

__all__ = ["CLAIMS"]

THIRDS: Final = channel("2/3 1/3", "1/3 2/3")
LOSSES: Final = channel("1/2 1/2 0", "1/4 1/2 1/4")
"""A pair whose third outcome has p = 0 < q."""
NOISE: Final = channel("1/4 1/2 1/4 0", "0 1/4 1/2 1/4")
SKEWED: Final = channel("2/3 1/3 0", "0 2/3 1/3")


def _tails_law(ask: Ask, m: Channel, level: mpq) -> mpq:
    """D_a is Pr[L > eps] - a Pr[L' < -eps], and the same with both inequalities weak; in both orders."""
    excess = ZERO
    for table, side in ((m.rows, "forward"), (m.rows[::-1], "backward")):
        asked = ask.hockey_stick(m.rows, level, side)
        excess = max(excess, *(equal(asked, tails(table, level, strict, strict)) for strict in (True, False)))
    return excess


def _at_a_ratio(example: tuple[Channel, mpq]) -> tuple[Channel, mpq]:
    """The level, often a ratio q/p, as a ratio p/q of the swapped channel; 0 is no level of a loss."""
    m, level = example
    return m.swapped(), level or ONE


def _profile_law(ask: Ask, space: Space, m: Channel, level: mpq) -> mpq:
    """The profile is the largest difference of tails over both orders of all neighbours, and Pr[L > eps] bounds it."""
    tables = [t for i, j in space.pairs() for t in ((m.rows[i], m.rows[j]), (m.rows[j], m.rows[i]))]
    args = {"channel": space.to_json(m.rows), "exp_epsilon": to_text(level)}
    asked = number(ask.value("delta", args))
    largest_tail = max((tails(t, level, True, True, lower=False) for t in tables), default=ZERO)
    exact_value = max((tails(t, level, True, True) for t in tables), default=ZERO)
    return max(equal(asked, exact_value), at_most(asked, largest_tail))


def _profiles(ask: Ask, table: Rows) -> tuple[Piecewise, Piecewise]:
    """The subject's profile of a pair in both orders, at the levels between which it is linear."""
    levels = nodes([table])
    forward, backward = (
        [(t, exact(ask.hockey_stick(table, t, side))) for t in levels] for side in ("forward", "backward")
    )
    return forward, backward


def _moment_law(ask: Ask, m: Channel, s: int) -> mpq:
    """phi(s) is the integral of the subject's profile; infinite on both sides or on neither."""
    found, by_definition = integral(*_profiles(ask, m.rows), s), moment_of(m.rows, s)
    if isinstance(found, Infinity) or isinstance(by_definition, Infinity):
        return true(found == by_definition)
    return equal(found, by_definition)


def _renyi_law(ask: Ask, m: Channel, s: int) -> mpq:
    """The subject's Rényi moment of order s + 1 is phi(s), by its own profile."""
    asked = ask.value("renyi", {"channel": matrix(m.rows), "order": str(s + 1), "direction": "forward"})
    moment_asked, found = extended(asked["moment"]), integral(*_profiles(ask, m.rows), s)
    if isinstance(moment_asked, Infinity) or isinstance(found, Infinity):
        return true(moment_asked == found)
    return equal(moment_asked, found)


def _fractional_law(ask: Ask, m: Channel, s: mpq) -> mpq:
    """For a fractional s the integral of the subject's profile is e^(s D), D its Rényi divergence of order s + 1."""
    order = {"channel": matrix(m.rows), "order": to_text(s + 1), "direction": "forward"}
    divergence_asked = ask.value("renyi", order)["divergence"]
    forward, backward = _profiles(ask, m.rows)
    if forward[-1][1] or divergence_asked == "inf":
        return true(bool(forward[-1][1]) == (divergence_asked == "inf"))

    def ball(_: int) -> arb:
        x = rational_ball(s)
        total = arb(0)
        for piecewise, upper in ((forward, True), (backward, False)):
            for (t0, d0), (t1, d1) in pairwise(piecewise):
                v = (d0 - d1) / (t1 - t0)
                u = d0 + v * t0
                for t, sign in ((t1, 1), (t0, -1)):
                    y, a, b = rational_ball(t), rational_ball(u), rational_ball(v)
                    up = a * y**x / x - b * y ** (x + 1) / (x + 1)
                    down = b * y**-x / x - a * y ** (-x - 1) / (x + 1)
                    total += sign * (up if upper else down)
        last, constant = backward[-1]
        total += rational_ball(constant) * rational_ball(last) ** (-x - 1) / (x + 1)
        return (1 + x * (x + 1) * total).log() / x

    return equal(number(divergence_asked), bounds(ball))


def _supremum(ask: Ask, pairs: list[Channel], s: int) -> tuple[mpq, mpq]:
    """The largest phi(s), and the formula with the largest of the subject's profiles."""
    tables = [m.rows for m in pairs]
    profiles = [lambda t, table=table: exact(ask.hockey_stick(table, t)) for table in tables]
    delta = largest(profiles, nodes(tables))
    formula, moments = integral(delta, delta, s), [moment_of(table, s) for table in tables]
    # symmetric_pairs have finite losses only.
    return max(v for v in moments if not isinstance(v, Infinity)), _finite(formula)


def _finite(value: mpq | Infinity) -> mpq:
    """A value that is finite unless a subject says that a profile without infinite losses does not reach 0."""
    return mpq(10) ** 100 if isinstance(value, Infinity) else value


def _upper_bound_law(ask: Ask, pairs: list[Channel], s: int) -> mpq:
    """The supremum of the moments is at most the formula with delta_M."""
    sup, formula = _supremum(ask, pairs, s)
    return at_most(sup, formula)


def _dominated_law(ask: Ask, m: Channel, weights: list[mpq], s: int) -> mpq:
    """Where one pair dominates (the others reveal the same with a smaller probability) there is equality."""
    size = m.shape[1]
    weaker = [Channel([[*(w * v for v in row), 1 - w] for row in m.rows]) for w in weights if size and 0 < w <= 1]
    return equal(*_supremum(ask, [m, *weaker], s))


@st.composite
def _symmetric_noise(draw: DrawFn) -> tuple[Channel, int]:
    """A table of noise that is symmetric around 0, and the same moved by a distance."""
    half = draw(st.lists(st.integers(0, 9), min_size=1, max_size=4))
    noise = [*reversed(half[1:]), *half]
    distance = draw(st.integers(1, 3))
    total = mpq(sum(noise))
    if not total:
        noise, total = [1] * len(noise), mpq(len(noise))
    row = [v / total for v in noise]
    rest = [ZERO] * distance
    return Channel([[*row, *rest], [*rest, *row]]), distance


def _reflection_law(ask: Ask, m: Channel, _: int, level: mpq) -> mpq:
    """Both orders agree with the excess of an event in one of them."""
    value = divergence(m.rows, level)
    return worst(equal(ask.hockey_stick(m.rows, level, side), value) for side in ("forward", "backward"))


def _noise_law(ask: Ask, mechanism: dict[str, Any], epsilon: mpq) -> mpq:
    """The subject says the same of both orders."""
    forward, backward = (profile(ask, mechanism, epsilon, side) for side in ("forward", "backward"))
    return equal(forward, backward)


@st.composite
def _noisy(draw: DrawFn) -> tuple[dict[str, Any], mpq]:
    sensitivity, scale = draw(st.integers(1, 3)), draw(st.builds(mpq, st.integers(1, 12), st.integers(1, 4)))
    whole = {"sensitivity": str(sensitivity)}
    mechanism = draw(
        st.sampled_from(
            [
                laplace(mpq(sensitivity), scale),
                gaussian(mpq(sensitivity), scale),
                {"mechanism": "discrete_laplace", "scale": to_text(scale), **whole},
                {"mechanism": "discrete_gaussian", "sigma": to_text(scale), **whole},
            ]
        )
    )
    return mechanism, draw(st.builds(mpq, st.integers(-12, 12), st.integers(1, 6)))


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Thm5",
        title="the profile by tails of the privacy loss",
        statement="The profile is the largest difference of two tails of the privacy loss. Both inequalities may be "
        "made weak together, as outcomes with L = ε add equally much to both terms; infinite losses count as above "
        "every ε. In particular δ(ε) <= Pr[L > ε].",
        formula="δ_M(ε) = sup_{x ~ x'} (Pr[L_{x,x'} > ε] - e^ε Pr[L_{x',x} < -ε])",
        source="section 3, Theorem 5",
        status="holds",
        laws=(
            Law(
                "strict or weak, at and off likelihood ratios",
                channels_with_levels(5).map(_at_a_ratio),
                _tails_law,
            ),
            Law(
                "the profile of a mechanism",
                st.tuples(mechanisms(), rational_levels(1)).map(lambda e: (*e[0], e[1])),
                _profile_law,
            ),
        ),
        facts=(
            fact(
                "(2/3, 1/3) and (1/3, 2/3) at e^ε = 2: both strict or both weak 0, mixed 2/3 and -2/3",
                lambda: (
                    [
                        tail_difference(THIRDS, mpq(2), upper_strict=a, lower_strict=b)
                        for a, b in ((True, True), (False, False), (False, True), (True, False))
                    ]
                    == [ZERO, ZERO, mpq(2, 3), mpq(-2, 3)]
                ),
            ),
            fact(
                "disjoint laws: an infinite loss has probability 1 and δ = 1 at every ε",
                lambda: tails(EVERYTHING.rows, mpq(10) ** 9, True, True) == ONE,
            ),
        ),
        errata=(MIXED,),
    ),
    ClaimRecord(
        id="Thm6a",
        title="moments of the privacy loss from the two profiles",
        statement="The moment generating function of the privacy loss is an integral of the divergences in both "
        "orders. It is infinite on both sides exactly if μ has mass where μ' has none; μ' may have more support than "
        "μ.",
        formula="φ(s) = E[e^{sL}] = 1 + s(s+1) ∫_0^∞ (e^{sε} D_{e^ε}(μ‖μ') + e^{-(s+1)ε} D_{e^ε}(μ'‖μ)) dε",
        source="section 3, Theorem 6, first part",
        status="holds",
        hypotheses="s > 0; at s = 0 both sides are 1 with the convention 0·∞ = 0, which is needed for infinite losses",
        laws=(
            Law("whole s, by definition", st.tuples(two_row_channels(5), st.integers(1, 4)), _moment_law),
            Law("whole s, against the Rényi moment", st.tuples(two_row_channels(5), st.integers(1, 4)), _renyi_law),
            Law(
                "fractional s, against the Rényi divergence",
                st.tuples(two_row_channels(4), st.sampled_from([mpq(1, 2), mpq(1, 3), mpq(3, 2), mpq(7, 3)])),
                _fractional_law,
            ),
        ),
        facts=(
            fact(
                "(1/2, 1/2, 0) and (1/4, 1/2, 1/4): φ(1) = 3/2, φ(2) = 5/2, both ways",
                lambda: (
                    [(moment(LOSSES, s), moment_by_profile(LOSSES, s)) for s in (1, 2)]
                    == [(mpq(3, 2), mpq(3, 2)), (mpq(5, 2), mpq(5, 2))]
                ),
            ),
            fact("its swap has an infinite loss: φ(1) = ∞", lambda: moment(LOSSES.swapped(), 1) == INFINITY),
            fact("φ(0) = 1 with an infinite loss", lambda: moment(EVERYTHING, 0) == ONE),
        ),
    ),
    ClaimRecord(
        id="Thm6b",
        title="the largest moment from the profile alone",
        statement="If all pairs are symmetric, the largest moment is at most the formula with δ_M in place of both "
        "divergences. There is equality where one pair has the largest divergence at every ε; a supremum and an "
        "integral do not commute in general.",
        formula="sup_{x ~ x'} φ(s) <= 1 + s(s+1) ∫_0^∞ (e^{sε} + e^{-(s+1)ε}) δ_M(ε) dε",
        source="section 3, Theorem 6, second part",
        status="false_as_stated",
        hypotheses="D_{e^ε}(M(x)‖M(x')) = D_{e^ε}(M(x')‖M(x)) for all x ~ x'; added for equality: one pair dominates "
        "all others",
        laws=(
            Law(
                "at most the formula",
                st.tuples(st.lists(symmetric_pairs(), min_size=1, max_size=3), st.integers(1, 3)),
                _upper_bound_law,
            ),
            Law(
                "equality where one pair dominates",
                st.tuples(symmetric_pairs(), st.lists(alphas(), max_size=2), st.integers(1, 3)),
                _dominated_law,
            ),
        ),
        facts=(
            fact(
                "(3/4, 1/4)|(1/4, 3/4) and (9, 1, 30)/40|(1, 9, 30)/40, s = 1: largest moment 25/9, formula 211/63",
                lambda: fortieths() == (mpq(25, 9), mpq(211, 63)),
            ),
            fact(
                "A = (2, 1)/3|(1, 2)/3 alone has φ(1) = 3/2",
                lambda: moment(A, 1) == moment_by_profile(A, 1) == mpq(3, 2),
            ),
            fact(
                "B = (3, 1, 3)/7|(1, 3, 3)/7 alone has φ(1) = 37/21",
                lambda: moment(B, 1) == moment_by_profile(B, 1) == mpq(37, 21),
            ),
        ),
        errata=(SUPREMUM,),
    ),
    ClaimRecord(
        id="fn4",
        title="symmetric noise makes the two orders equal",
        statement="When the noise is symmetric around 0, reflection exchanges the two output laws, so the divergence "
        "is the same in both orders.",
        formula="D_{e^ε}(M(x)‖M(x')) = D_{e^ε}(M(x')‖M(x)) for M(x) = f(x) + noise, noise ~ -noise",
        source="section 3, footnote 4",
        status="holds",
        laws=(
            Law(
                "tables of symmetric noise",
                st.tuples(_symmetric_noise(), rational_levels()).map(lambda e: (*e[0], e[1])),
                _reflection_law,
            ),
            Law("Laplace, Gaussian and their discrete forms", _noisy(), _noise_law),
        ),
        facts=(
            fact(
                "noise (1/4, 1/2, 1/4) moved by 1: D_2 = 1/4 in both orders",
                lambda: [divergence(t, mpq(2)) for t in (NOISE.rows, NOISE.rows[::-1])] == [mpq(1, 4), mpq(1, 4)],
            ),
            fact(
                "noise (2/3, 1/3, 0), which is not symmetric, moved by 1: D_2 = 2/3 one way, 1/3 the other",
                lambda: [divergence(t, mpq(2)) for t in (SKEWED.rows, SKEWED.rows[::-1])] == [mpq(2, 3), mpq(1, 3)],
            ),
        ),
    ),
)
