"""Section 5.2: visible choice, its curve, and the figure drawn for it."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.certificates.documents import Certificate
from oracle.channels.canonical import equivalent
from oracle.channels.channel import Channel
from oracle.channels.galois import tradeoff_of
from oracle.channels.operators import visible
from oracle.channels.worst_case import approximate_dp_channel
from oracle.laws.ask import Ask
from oracle.laws.compare import at, at_most, curves_equal, equal, tables_equal, worst
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025._facts import canonical_rows, channel, curve, error_of, exact
from oracle.laws.fernandes2025._operators import (
    IDENTITY,
    ONE_COLUMN,
    approximate_dp,
    randomized_response,
    refining_pairs,
    visible_of,
)
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, deltas, rational_levels, two_row_channels

__all__ = ["CLAIMS"]

HALF: Final = mpq(1, 2)
SMALL: Final = two_row_channels(3)
NARROW: Final = two_row_channels(2)
FIG9: Final = visible(mpq(3, 10), Channel(randomized_response(mpq(6))), approximate_dp_channel(mpq(2), mpq(1, 10)))
THIRDS: Final = channel("1/3 2/3", "2/3 1/3")
IDENTICAL: Final = Channel(IDENTITY)
NOTHING: Final = Channel(ONE_COLUMN)


def _visible_entries(ask: Ask, left: Channel, right: Channel, r: mpq) -> mpq:
    return tables_equal(ask.visible(r, left.rows, right.rows), visible_of(r, left.rows, right.rows))


def _visible_over_minimum(ask: Ask, a: Channel, b: Channel, c: Channel, r: mpq) -> mpq:
    together = ask.visible(r, ask.glb([a.rows, b.rows]), c.rows)
    apart = ask.glb([ask.visible(r, a.rows, c.rows), ask.visible(r, b.rows, c.rows)])
    return curves_equal(ask.tradeoff(together), ask.tradeoff(apart))


def _same_level(ask: Ask, left: Channel, right: Channel, r: mpq, h: mpq) -> mpq:
    (a, power), (b, other) = error_of(left.rows, h), error_of(right.rows, h)
    value = ask.beta(ask.visible(r, left.rows, right.rows), r * a + (1 - r) * b)
    return equal(value, r * (1 - power) + (1 - r) * (1 - other))


def _same_level_of_lower_curves(
    ask: Ask, f: tuple[Channel, Channel], g: tuple[Channel, Channel], r: mpq, h: mpq
) -> mpq:
    (a, power), (b, other) = error_of(f[0].rows, h), error_of(g[0].rows, h)
    value = ask.beta(ask.visible(r, f[1].rows, g[1].rows), r * a + (1 - r) * b)
    return at_most(r * (1 - power) + (1 - r) * (1 - other), value)


def _infimal_convolution(ask: Ask, left: Channel, right: Channel, r: mpq) -> mpq:
    f, g = ask.tradeoff(left.rows), ask.tradeoff(right.rows)
    mixture = ask.tradeoff(ask.visible(r, left.rows, right.rows))
    sums = [(r * a + (1 - r) * c, r * b + (1 - r) * d) for a, b in f for c, d in g]
    above = worst(at(mixture, min(x, mpq(1))) - y for x, y in sums)
    lost = worst(min(abs(x - a) + abs(y - b) for a, b in sums) for x, y in mixture)
    return max(above, lost)


def _e12_fails() -> bool:
    left = tradeoff_of(visible(HALF, IDENTICAL, NOTHING)).at(HALF * 1 + HALF * 0)
    right = HALF * tradeoff_of(IDENTICAL).at(mpq(1)) + HALF * tradeoff_of(NOTHING).at(mpq(0))
    return not left >= right


def _e12_certificate() -> Certificate:
    evidence = Evidence()
    mixture = evidence.curve_value(visible(HALF, IDENTICAL, NOTHING), HALF)
    first = evidence.curve_value(IDENTICAL, mpq(1))
    second = evidence.curve_value(NOTHING, mpq(0))
    evidence.compare(mixture, "<", evidence.combination((HALF, first), (HALF, second)))
    return evidence.certificate()


def _ced_equivalent(ask: Ask, level: mpq, delta: mpq) -> mpq:
    choice = ask.canonical(ask.visible(delta, IDENTITY, randomized_response(level)))
    return tables_equal(choice, canonical_rows(approximate_dp(level, delta)))


def _ced_scaled(ask: Ask, level: mpq, delta: mpq, alpha: mpq) -> mpq:
    scaled = ask.beta(approximate_dp(level, delta), (1 - delta) * alpha)
    return equal(scaled, (1 - delta) * exact(ask.beta(randomized_response(level), alpha)))


def _ced_certificate() -> Certificate:
    evidence = Evidence()
    ends = evidence.event_sum(IDENTITY, 0, [0, 1])
    evidence.compare(ends, "=", 1)
    evidence.compare(ends, "!=", 0)
    return evidence.certificate()


def _average_is_above(ask: Ask, left: Channel, right: Channel, r: mpq, x: mpq) -> mpq:
    average = r * exact(ask.beta(left.rows, x)) + (1 - r) * exact(ask.beta(right.rows, x))
    return at_most(ask.beta(ask.visible(r, left.rows, right.rows), x), average)


def _fig9_average(x: mpq) -> mpq:
    """What the figure draws: the average of the two curves at the same α."""
    pure, approximate = randomized_response(mpq(6)), approximate_dp_channel(mpq(2), mpq(1, 10))
    return mpq(3, 10) * tradeoff_of(Channel(pure)).at(x) + mpq(7, 10) * tradeoff_of(approximate).at(x)


def _fig9_corners() -> set[mpq]:
    """Where the plotted average or the true curve may bend, which is where their gap is largest."""
    parts = (FIG9, Channel(randomized_response(mpq(6))), approximate_dp_channel(mpq(2), mpq(1, 10)))
    return {a for part in parts for a, _ in tradeoff_of(part).corners}


def _fig9_certificate() -> Certificate:
    evidence = Evidence()
    x = mpq(3, 70)
    truth = evidence.curve_value(FIG9, x)
    pure = evidence.curve_value(Channel(randomized_response(mpq(6))), x)
    approximate = evidence.curve_value(approximate_dp_channel(mpq(2), mpq(1, 10)), x)
    drawn = evidence.combination((mpq(3, 10), pure), (mpq(7, 10), approximate))
    evidence.compare(drawn, ">", truth)
    evidence.compare(evidence.combination((1, drawn), (-1, truth)), "=", mpq(3, 25))
    return evidence.certificate()


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="D-vis",
        title="Visible choice",
        statement="One of two channels is run, the first with probability r, and the output tells which.",
        formula="C ⊕_r M = the columns r·C, then the columns (1 − r)·M",
        source="section 5.2",
        status="definition",
        defines=True,
        laws=(
            Law("columns side by side", st.tuples(SMALL, SMALL, alphas()), _visible_entries),
            Law("distributes over min", st.tuples(SMALL, SMALL, NARROW, alphas()), _visible_over_minimum),
        ),
        facts=(
            fact(
                "[9/10 1/10; 4/5 1/5] ⊕_{1/3} [9/10 1/10; 1/2 1/2]: (0, 1), (1/15, 2/3), (1/10, 3/5), (2/5, 1/3), (1, "
                "0)",
                lambda: (
                    tradeoff_of(visible(mpq(1, 3), channel("9/10 1/10", "4/5 1/5"), channel("9/10 1/10", "1/2 1/2")))
                    == curve((0, 1), ("1/15", "2/3"), ("1/10", "3/5"), ("2/5", "1/3"), (1, 0))
                ),
            ),
            fact("weights 0 and 1 leave one channel", lambda: equivalent(visible(mpq(0), IDENTICAL, THIRDS), THIRDS)),
        ),
    ),
    ClaimRecord(
        id="E12",
        title="Curve of a visible choice",
        statement=(
            "When α and α' are the errors of the tests at the same level h for both channels, the curve of the visible "
            "choice at the mixed error is at least the mixed value, and equal to it for the channels' own curves. In "
            "general it is the least mixed value over all pairs (α, α') with that mixed error."
        ),
        formula=(
            "T(C ⊕_r M)(r α + (1 − r) α') ≥ r f(α) + (1 − r) f'(α') for α = err_C(h), α' = err_M(h); "
            "T(C ⊕_r M)(x) = min { r f(α) + (1 − r) f'(α') : r α + (1 − r) α' = x } for f = T(C), f' = T(M)"
        ),
        source="section 5.2, equation (12)",
        status="holds_under",
        hypotheses="added: α and α' belong to the same level h (of C and M, or of C(f) and C(f')).",
        laws=(
            Law("equality at one level", st.tuples(SMALL, SMALL, alphas(), rational_levels()), _same_level),
            Law(
                "lower curves at one level",
                st.tuples(refining_pairs(), refining_pairs(), alphas(), rational_levels()),
                _same_level_of_lower_curves,
            ),
            Law("least mixed value", st.tuples(SMALL, SMALL, alphas()), _infimal_convolution),
        ),
        facts=(
            fact(
                "I ⊕_{1/2} (one column): (0, 1/2), (1/2, 0), (1, 0)",
                lambda: tradeoff_of(visible(HALF, IDENTICAL, NOTHING)) == curve((0, "1/2"), ("1/2", 0), (1, 0)),
            ),
        ),
        errata=(
            Erratum(
                printed="The inequality for all α and α' in [0, 1], with no relation between them.",
                counterexample=(
                    "C = I = [1 0; 0 1], M = [1; 1], r = 1/2, α = 1, α' = 0, f = T(I), f' = T(M). f is 0 everywhere "
                    "and f'(α') = 1 − α', so the right side is 1/2 · 0 + 1/2 · 1 = 1/2. On the left r α + (1 − r) α' = "
                    "1/2 · 1 + 1/2 · 0 = 1/2, and the choice is C ⊕_{1/2} M = [1/2 0 1/2; 0 1/2 1/2]; rejecting on its "
                    "last two columns has α = 0 + 1/2 = 1/2 and β = 1 − 1/2 − 1/2 = 0, so the left side is 0 < 1/2."
                ),
                correction=(
                    "Take α = err_C(h) and α' = err_M(h) at the same level h. Over free α, α' the curve is the least "
                    "mixed value, so it is not above every one."
                ),
                scope="hypothesis",
                fails=_e12_fails,
                certificate=_e12_certificate,
                summary="α and α' must share a level",
                printed_formula="T(C ⊕_r M)(r α + (1 − r) α') ≥ r f(α) + (1 − r) f'(α') for all α, α' in [0, 1]",
            ),
        ),
    ),
    ClaimRecord(
        id="E-ced",
        title="The canonical (ε, δ) channel as a visible choice",
        statement=(
            "C_{ε,δ} is, up to equivalence, the visible choice that reveals everything with probability δ and else "
            "runs pure randomized response; its curve is the one of randomized response scaled by 1 − δ."
        ),
        formula="C_{ε,δ} ≡ C_{∞,0} ⊕_δ C_{ε,0}; T(C_{ε,δ})((1 − δ) α) = (1 − δ) T(C_{ε,0})(α)",
        source="section 5.2, example after equation (12)",
        status="holds",
        proofs=("visible-choice",),
        hypotheses="ε ≥ 0, 0 ≤ δ ≤ 1.",
        laws=(
            Law("same canonical form", st.tuples(rational_levels(1), deltas()), _ced_equivalent),
            Law("scaled curve", st.tuples(rational_levels(1), deltas(), alphas()), _ced_scaled),
        ),
        facts=(
            fact(
                "e^ε = 3, δ = 1/10: [1/10 27/40 9/40 0; 0 9/40 27/40 1/10] = I ⊕_{1/10} [3/4 1/4; 1/4 3/4]",
                lambda: equivalent(
                    channel("1/10 27/40 9/40 0", "0 9/40 27/40 1/10"),
                    visible(mpq(1, 10), IDENTICAL, Channel(randomized_response(mpq(3)))),
                ),
            ),
            fact(
                "err of C_{∞,0} is 0 at every h > 0 and 1 at h = 0",
                lambda: [error_of(IDENTITY, mpq(h))[0] for h in ("0", "1/100", "1", "100")] == [1, 0, 0, 0],
            ),
        ),
        errata=(
            Erratum(
                printed="For every h ≥ 0 the error err(h) of C_{∞,0} is 0.",
                counterexample=(
                    "C_{∞,0} = I = [1 0; 0 1] with the columns (1, 0) and (0, 1). At h = 0 both have q ≥ 0 · p, so "
                    "err(0) = 1 + 0 = 1. (At h > 0 only the second has q ≥ h p, and err(h) = 0.)"
                ),
                correction="The error is 0 for h > 0, which is all that the derivation uses.",
                scope="remark",
                fails=lambda: error_of(IDENTITY, mpq(0))[0] != 0,
                certificate=_ced_certificate,
                summary="err is 1 at h = 0",
                printed_formula="err_M(h) = 0 for h ≥ 0, M = C_{∞,0}",
                true_formula="err_M(h) = 0 for h > 0, and err_M(0) = 1, M = C_{∞,0}",
            ),
        ),
    ),
    ClaimRecord(
        id="Fig9",
        title="Figure of a visible choice",
        statement=(
            "The curve of the visible choice (weight 3/10) of C_{log 6, 0} and C_{log 2, 1/10}. It is at most the "
            "average of the two curves at the same α, which is what the published plot draws."
        ),
        formula="T(C ⊕_r M)(x) ≤ r T(C)(x) + (1 − r) T(M)(x)",
        source="Figure 9 of the text, figure 7 of the authors' plotting code",
        status="false_as_stated",
        defines=True,
        laws=(Law("the average is an upper bound", st.tuples(SMALL, SMALL, alphas(), alphas()), _average_is_above),),
        facts=(
            fact(
                "corners (0, 93/100), (3/70, 471/700), (177/700, 177/700), (471/700, 3/70), (93/100, 0), (1, 0)",
                lambda: (
                    tradeoff_of(FIG9)
                    == curve(
                        (0, "93/100"),
                        ("3/70", "471/700"),
                        ("177/700", "177/700"),
                        ("471/700", "3/70"),
                        ("93/100", 0),
                        (1, 0),
                    )
                ),
            ),
            fact(
                "the plotted average is too high by at most 3/25, reached at α = 3/70",
                lambda: (
                    max((_fig9_average(x) - tradeoff_of(FIG9).at(x), x) for x in _fig9_corners())
                    == (mpq(3, 25), mpq(3, 70))
                ),
            ),
        ),
        errata=(
            Erratum(
                printed=(
                    "The curve drawn for the choice is the average r f(x) + (1 − r) f'(x) of the two curves f = T(C), "
                    "f' = T(M)."
                ),
                counterexample=(
                    "C = [6/7 1/7; 1/7 6/7] with weight r = 3/10 and M = C_{log 2, 1/10} = [1/10 3/5 3/10 0; 0 3/10 "
                    "3/5 1/10] with weight 7/10. In C ⊕_r M reject on C's second column and M's last: α = 3/10 · 1/7 + "
                    "7/10 · 0 = 3/70 and β = 1 − 3/10 · 6/7 − 7/10 · 1/10 = 1 − 180/700 − 49/700 = 471/700, so T(C ⊕_r "
                    "M)(3/70) ≤ 471/700. The average at 3/70: T(C) falls from (0, 1) to (1/7, 1/7) with slope −6, so "
                    "T(C)(3/70) = 1 − 18/70 = 52/70; T(M) falls from (0, 9/10) to (3/10, 3/10) with slope −2, so "
                    "T(M)(3/70) = 63/70 − 6/70 = 57/70; and 3/10 · 52/70 + 7/10 · 57/70 = 156/700 + 399/700 = 555/700, "
                    "which is 84/700 = 3/25 more."
                ),
                correction=(
                    "The curve is the least r f(α) + (1 − r) f'(α') over r α + (1 − r) α' = x; the average takes α = "
                    "α' = x and is only an upper bound."
                ),
                scope="statement",
                fails=lambda: _fig9_average(mpq(3, 70)) - tradeoff_of(FIG9).at(mpq(3, 70)) == mpq(3, 25),
                certificate=_fig9_certificate,
                true_formula=(
                    "T(C ⊕_r M)(x) = min { r T(C)(α) + (1 − r) T(M)(α') : r α + (1 − r) α' = x } ≤ r T(C)(x) + (1 − r) "
                    "T(M)(x)"
                ),
                summary="an average drawn for the curve",
                printed_formula="T(C ⊕_r M)(x) = r T(C)(x) + (1 − r) T(M)(x)",
            ),
        ),
    ),
)
