"""Section 7 and Appendix E.1: when a purified mechanism is pure, with and without full coverage."""

from __future__ import annotations

from typing import Final, cast

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle import operations
from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel, Rows
from oracle.channels.galois import tradeoff_of
from oracle.channels.operators import hidden, post_process
from oracle.channels.refinement import refines
from oracle.channels.tradeoff import approximate_dp_curve
from oracle.exact import INFINITY
from oracle.laws.ask import Ask, breakpoints
from oracle.laws.compare import at_most, equal, tables_equal, true, worst
from oracle.laws.fernandes2025 import splitting
from oracle.laws.fernandes2025._facts import channel, curve, mass
from oracle.laws.fernandes2025._operators import (
    IDENTITY,
    approximate_dp,
    hidden_of,
    uniform,
)
from oracle.laws.fernandes2025.purification import (
    G4,
    D,
    Replacement,
    ratios,
    replaced_noisy_is_above,
    replacements,
)
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, two_row_channels

__all__ = ["CLAIMS"]

ZERO, HALF, ONE = mpq(0), mpq(1, 2), mpq(1)


# --- when is the result pure? -----------------------------------------------------------------------------------------


def _is_pure(table: Rows) -> bool:
    """No output has probability 0 under exactly one of the two laws."""
    return all(bool(a) == bool(b) for a, b in zip(*table, strict=True))


def _replaced_is_above(ask: Ask, given: Replacement, r: mpq) -> mpq:
    return true(ask.refines(given[0].rows, ask.hidden(r, given[0].rows, given[1])))


def _replacement_is_post_processing(ask: Ask, given: Replacement, r: mpq) -> mpq:
    """M ⊞_r U = M·W with W = r·I + (1 − r)·(every row the law of U)."""
    of, replacement = given
    size = of.shape[1]
    witness = tuple(tuple(r * (i == j) + (1 - r) * replacement[0][j] for j in range(size)) for i in range(size))
    return tables_equal(ask.post(of.rows, witness), ask.hidden(r, of.rows, replacement))


def _pure_exactly_when(ask: Ask, given: Replacement, r: mpq) -> mpq:
    of, replacement = given
    pure = at_most(ask.delta(ask.hidden(r, of.rows, replacement), INFINITY), 0) <= 0
    holes = (u for a, b, u in zip(*of.rows, replacement[0], strict=True) if bool(a) != bool(b))
    return true(pure == (r == 0 or _is_pure(of.rows) or (r < 1 and all(holes))))


def _covered_is_pure(ask: Ask, of: Channel, r: mpq) -> mpq:
    if r == 1:
        return ZERO
    return at_most(ask.delta(ask.hidden(r, of.rows, uniform(of.shape[1])), INFINITY), 0)


def _where_zero(ask: Ask, given: Replacement, r: mpq) -> mpq:
    """T reaches 0 at 1 − r·(P-mass of the outputs with q = 0 that no replacement hits)."""
    of, replacement = given
    f = ask.tradeoff(ask.hidden(r, of.rows, replacement))
    reached = next((a for a, b in f if b == 0), ONE)
    bare = [i for i, (q, u) in enumerate(zip(of.rows[1], replacement[0], strict=True)) if not q and (r == 1 or not u)]
    return equal(reached, 1 - r * mass(of.rows[0], bare))


def _pure_three_ways(ask: Ask, of: Channel) -> mpq:
    pure = _is_pure(of.rows)
    f = ask.tradeoff(of.rows)
    steep = f[0][1] == 1 and all(b > 0 for _, b in f[:-1])
    ratios = [max(a / b, b / a) for a, b in zip(*of.rows, strict=True) if a and b]
    level = max(ratios) if pure else mpq(10) ** 6
    claim = {"tradeoff": breakpoints(approximate_dp_curve(level, ZERO))}
    return worst(map(true, (steep == pure, ask.satisfies(of.rows, claim) == pure)))


def _certificate(of: Channel, exp_epsilon: int | str) -> Certificate:
    """The certificate of a verdict on a finite channel, which always has one."""
    return cast("Certificate", operations.satisfies(of, exp_epsilon=exp_epsilon).certificate)


def _identity_certificate() -> Certificate:
    return _certificate(Channel(IDENTITY), "inf")


HOLE: Final = channel("1/2 1/2", "0 1")
FILLED: Final = hidden(HALF, HOLE, channel("1 0", "1 0"))


def _filled_certificate() -> Certificate:
    return _certificate(FILLED, 2)


def _delta_columns() -> Rows:
    ends = ((HALF, ZERO, ZERO, HALF),) * 2
    return hidden_of(mpq(3, 4), approximate_dp(mpq(3), mpq(1, 10)), ends)


PURITY: Final = (
    ClaimRecord(
        id="P1",
        title="Replacement only improves privacy",
        statement=(
            "Replacing outputs by draws that do not depend on the input is a post-processing, before and under noise."
        ),
        formula="M ⊑ M ⊞_r U and M·G ⊑ (M ⊞_r U)·G, U with equal rows, 0 ≤ r ≤ 1",
        source="section 7, discussion of figure 7",
        status="holds",
        laws=(
            Law("M refines to the replaced M", st.tuples(replacements(), alphas()), _replaced_is_above),
            Law("also under noise", st.tuples(replacements(3), alphas(), ratios()), replaced_noisy_is_above),
            Law("the witness", st.tuples(replacements(), alphas()), _replacement_is_post_processing),
        ),
        facts=(
            fact(
                "C_{log 3,1/10} ⊑ D ⊑ D·G4 and C_{log 3,1/10}·G4 ⊑ D·G4",
                lambda: (
                    refines(Channel(approximate_dp(mpq(3), mpq(1, 10))), D)
                    and refines(D, post_process(D, G4))
                    and refines(post_process(Channel(approximate_dp(mpq(3), mpq(1, 10))), G4), post_process(D, G4))
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="P2",
        title="Replacement on all outputs makes pure",
        statement=(
            "If replacements reach every output and happen with positive probability, the result is pure without "
            "noise. Exactly: r = 0, or M is pure, or r < 1 and every output with probability 0 under just one law is "
            "hit."
        ),
        formula="M ⊞_r U[Y] has T with slopes in (−∞, 0) for r < 1",
        source="section 7, discussion of figure 7, case Y = Y'",
        status="holds_under",
        proofs=("hidden-threshold",),
        hypotheses="added: r < 1, U of full support.",
        laws=(
            Law("full support", st.tuples(two_row_channels(5), alphas()), _covered_is_pure),
            Law("exactly when", st.tuples(replacements(), alphas()), _pure_exactly_when),
        ),
        facts=(
            fact(
                "D of the worked example is pure and C_{log 3,1/10} is not",
                lambda: _is_pure(D.rows) and not _is_pure(approximate_dp(mpq(3), mpq(1, 10))),
            ),
        ),
        errata=(
            Erratum(
                printed=("When Y' = Y, the final noise is not needed (for any probability r of keeping M's output)."),
                counterexample=(
                    "r = 1 and M = I = [1 0; 0 1]: nothing is ever replaced, M ⊞_1 U = 1 · I + 0 · U = I. Its first "
                    "output has probability 1 for one input and 0 for the other, and 1 ≤ e^ε · 0 fails for every "
                    "finite ε: I is not pure."
                ),
                correction="r < 1.",
                scope="hypothesis",
                fails=lambda: not _is_pure(hidden(ONE, Channel(IDENTITY), Channel(uniform(2))).rows),
                certificate=_identity_certificate,
                summary="r = 1 must be excluded",
                printed_formula="M ⊞_r U[Y] is pure for 0 ≤ r ≤ 1",
                true_formula="M ⊞_r U[Y] is pure for 0 ≤ r < 1",
            ),
        ),
    ),
    ClaimRecord(
        id="P3",
        title="Replacement on some outputs",
        statement=(
            "The curve of M ⊞_r U[Y'] reaches 0 before α = 1 exactly when some output possible under P alone is not "
            "replaced (or r = 1); a proper subset Y' may well cover all of those."
        ),
        formula="T(M ⊞_r U[Y']) first reaches 0 at 1 − r · P{y : q_y = 0, U(y) = 0}, for r < 1",
        source="section 7, discussion of figure 7, case Y' ⊂ Y",
        status="false_as_stated",
        laws=(Law("where the curve reaches 0", st.tuples(replacements(), alphas()), _where_zero),),
        facts=(
            fact(
                "C_{log 3,1/10} with its two δ columns replaced, r = 3/4: [1/5 81/160 27/160 1/8; mirrored], pure",
                lambda: _delta_columns() == channel("1/5 81/160 27/160 1/8", "1/8 27/160 81/160 1/5").rows,
            ),
            fact(
                "[1/2 1/2; 0 1] itself reaches 0 at α = 1/2",
                lambda: tradeoff_of(HOLE) == curve((0, 1), ("1/2", 0), (1, 0)),
            ),
            fact(
                "after replacement: (0, 1), (1/4, 1/2), (1, 0)",
                lambda: tradeoff_of(FILLED) == curve((0, 1), ("1/4", "1/2"), (1, 0)),
            ),
        ),
        errata=(
            Erratum(
                printed=(
                    "When Y' is a proper subset of Y, the curve of M ⊞_r U[Y'] reaches 0 before 1, so noise is needed."
                ),
                counterexample=(
                    "M = [1/2 1/2; 0 1], Y' = {first output}, r = 1/2: M ⊞_r U[Y'] = 1/2 · [1/2 1/2; 0 1] + 1/2 · [1 "
                    "0; 1 0] = [3/4 1/4; 1/2 1/2]. Its curve has the corners (0, 1), (1/4, 1/2), (1, 0), so it is 0 "
                    "only at α = 1. The ratios p/q are 3/2 and 1/2, between 1/2 and 2, so it is pure with e^ε = 2 and "
                    "needs no noise."
                ),
                correction=(
                    "Noise is needed exactly when an output with probability 0 for just one input is not in Y' (or r = "
                    "1). In the example the only such output is the first."
                ),
                scope="statement",
                fails=lambda: channel("3/4 1/4", "1/2 1/2") == FILLED and tradeoff_of(FILLED).corners[-2][1] > 0,
                certificate=_filled_certificate,
                summary="a proper subset may be enough",
                printed_formula="T(M ⊞_r U[Y'])(α) = 0 for some α < 1, for every Y' ⊂ Y, Y' ≠ Y",
            ),
        ),
    ),
    ClaimRecord(
        id="P6",
        title="Pure means slopes between 0 and infinity",
        statement=(
            "A channel is pure exactly when its curve has no slope 0 or ∞, which is when some f_{ε',0} is below it."
        ),
        formula="T(M) has slopes in (−∞, 0) iff f_{ε',0} ≤ T(M) for some finite ε'",
        source="section 7, first paragraph",
        status="holds",
        proofs=(
            "maximal-ratio",
            "purification-threshold",
        ),
        laws=(Law("three ways", two_row_channels(5), _pure_three_ways),),
        facts=(
            fact(
                "D: f_{ε,0} ≤ T(D) at e^ε = 91/37 and not at 9/4",
                lambda: (
                    approximate_dp_curve(mpq(91, 37), ZERO) <= tradeoff_of(D)
                    and not approximate_dp_curve(mpq(9, 4), ZERO) <= tradeoff_of(D)
                ),
            ),
        ),
    ),
)


P1, P2, P3, P6 = PURITY
P4, P5 = splitting.CLAIMS
CLAIMS: tuple[ClaimRecord, ...] = (P1, P2, P3, P4, P5, P6)
