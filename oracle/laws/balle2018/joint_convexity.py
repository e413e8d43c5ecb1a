"""Claims of section 3 on couplings and advanced joint convexity: the maximal coupling, equation (3) and theorem 2."""

from __future__ import annotations

from typing import Any, Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracle.channels.channel import Channel, Rows
from oracle.laws.ask import Ask
from oracle.laws.balle2018._coupling_errata import (
    COMPONENTS,
    DEGENERATE,
    PAIR,
    SQUARED,
    overlap,
    printed_coupling,
)
from oracle.laws.balle2018._facts import ONE, ZERO, channel, divergence, exact, mix, product
from oracle.laws.balle2018._mechanisms import laws_on_the_same_outcomes
from oracle.laws.compare import at_most, equal, tables_equal, true, worst
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import alphas, many_row_channels, rational_levels, two_row_channels
from oracle.theorems.couplings import advanced_joint_convexity, maximal_coupling

__all__ = ["CLAIMS"]

_Law = tuple[mpq, ...]

MIXTURE: Final = channel("1/2 1/4 1/4", "3/4 1/4 0", "1/8 0 7/8")
"""mu_0, mu_1 and mu_1' of a worked example of theorem 2."""


def _corrected_coupling(table: Rows, eta: mpq) -> Rows:
    """(1 - eta) pi_0 + eta pi_1 with eta² under pi_1; pi_0 alone for eta = 0."""
    first, second = table
    least = overlap(first, second)
    return tuple(
        tuple(
            (least[i] if i == j else ZERO) + (eta * (a - least[i]) * (b - least[j]) / eta**2 if eta else ZERO)
            for j, b in enumerate(second)
        )
        for i, a in enumerate(first)
    )


def _coupling_law(ask: Ask, m: Channel) -> mpq:
    """With the subject's total variation for eta the corrected pi is a coupling; y and y' differ with mass eta."""
    first, second = m.rows
    eta = exact(ask.hockey_stick(m.rows, ONE))
    pi = _corrected_coupling(m.rows, eta)
    off = sum((value for i, row in enumerate(pi) for j, value in enumerate(row) if i != j), ZERO)
    rows = tuple(sum(row, ZERO) for row in pi)
    columns = tuple(sum(column, ZERO) for column in zip(*pi, strict=True))
    negative = worst(-value for row in pi for value in row)
    return worst([negative, tables_equal((rows, columns), (first, second)), equal(off, eta)])


def _known_coupling_law(ask: Ask, m: Channel) -> mpq:
    """The same pi is the one whose certificate is accepted."""
    pi = _corrected_coupling(m.rows, exact(ask.hockey_stick(m.rows, ONE)))
    entries = {(i, j): value for i, row in enumerate(pi) for j, value in enumerate(row) if value}
    return true(entries == maximal_coupling(*m.rows).entries)


def _any_coupling_law(ask: Ask, law: _Law, kernel: Rows) -> mpq:
    """TV(nu, nu') <= Pr[y != y'] for the coupling nu(y) W(y, y')."""
    second = product((law,), kernel)[0]
    off = sum(
        (a * w for i, (a, row) in enumerate(zip(law, kernel, strict=True)) for j, w in enumerate(row) if i != j), ZERO
    )
    return at_most(ask.hockey_stick((law, second), ONE), off)


@st.composite
def _couplings(draw: DrawFn) -> tuple[_Law, Rows]:
    """A law and a kernel from its outcomes to themselves, often with much mass on the diagonal."""
    (law,) = draw(laws_on_the_same_outcomes(1))
    size = len(law)
    stay = draw(alphas())
    moves = draw(many_row_channels(size, size, size)).rows
    padded = [(*row, *(ZERO,) * (size - len(row))) for row in moves]
    kernel = tuple(
        tuple((1 - stay) * value + (stay if i == j else 0) for j, value in enumerate(row))
        for i, row in enumerate(padded)
    )
    return law, kernel


def _disjoint_law(ask: Ask, common: _Law, first: _Law, second: _Law, eta: mpq) -> mpq:
    """With disjoint remainders eta is the total variation: here the two remainders have no outcome in common."""
    none = tuple(ZERO for _ in common)
    pair = (
        (*((1 - eta) * c for c in common), *(eta * a for a in first), *none),
        (*((1 - eta) * c for c in common), *none, *(eta * a for a in second)),
    )
    return equal(ask.hockey_stick(pair, ONE), eta)


def _no_smaller_law(ask: Ask, laws: Rows, eta: mpq) -> mpq:
    """No decomposition has an eta below the total variation, and only a disjoint one has as little."""
    common, first, second = laws
    pair = (mix(eta, common, first), mix(eta, common, second))
    total_variation = ask.hockey_stick(pair, ONE)
    disjoint = not any(a and b for a, b in zip(first, second, strict=True))
    same = equal(total_variation, eta) <= 0
    return max(at_most(total_variation, eta), true(same == (disjoint or not eta)))


def _remainders_law(ask: Ask, m: Channel) -> mpq:
    """The remainders of the canonical decomposition multiply out and are disjoint: their total variation is 1."""
    first, second = m.rows
    eta = exact(ask.hockey_stick(m.rows, ONE))
    if not eta:
        return tables_equal((first,), (second,))
    least = overlap(first, second)
    rests = tuple(tuple((a - c) / eta for a, c in zip(law, least, strict=True)) for law in m.rows)
    sums = worst(abs(sum(row, ZERO) - 1) for row in rests)
    return max(sums, equal(ask.hockey_stick(rests, ONE), ONE)) if sums <= 0 else sums


def _subsampling_law(ask: Ask, w: Channel, kernel: Rows, level: mpq) -> mpq:
    """Equation (3) for samples drawn from w and w', a mechanism given by its kernel, and eta = TV(w, w').

    At a = 1, where b = 1, both sides are the total variation distance of the outputs.
    """
    outputs = ask.post(w.rows, kernel)
    eta = 1 - sum(overlap(*w.rows), ZERO)
    if not eta:
        return equal(ask.hockey_stick(outputs, level), max(ZERO, 1 - level))
    at_level, at_one = (_amplified(ask, w, kernel, eta, a) for a in (level, ONE))
    raised = 1 + eta * (level - 1)
    return max(at_most(ask.hockey_stick(outputs, raised), at_level), equal(ask.hockey_stick(outputs, ONE), at_one))


def _amplified(ask: Ask, w: Channel, kernel: Rows, eta: mpq, level: mpq) -> mpq:
    """The right-hand side of equation (3), from the canonical decomposition of w and w'."""
    b = (1 + eta * (level - 1)) / level
    least = overlap(*w.rows)
    first, second = (
        product((tuple((a - c) / eta for a, c in zip(law, least, strict=True)),), kernel)[0] for law in w.rows
    )
    inside = b * exact(ask.hockey_stick((first, second), level))
    if eta < 1:
        common = product((tuple(c / (1 - eta) for c in least),), kernel)[0]
        inside += (1 - b) * exact(ask.hockey_stick((first, common), level))
    return eta * inside


@st.composite
def _subsampled(draw: DrawFn) -> tuple[Channel, Rows, mpq]:
    w = draw(two_row_channels(4))
    size = w.shape[1]
    return w, draw(many_row_channels(size, size, 3)).rows, draw(rational_levels(1))


def _advanced_law(ask: Ask, laws: Rows, eta: mpq, level: mpq) -> mpq:
    """Theorem 2: the two hockey sticks of the subject agree after the factor eta."""
    common, first, second = laws
    raised = 1 + eta * (level - 1)
    outer = (mix(eta, common, first), mix(eta, common, second))
    inner = exact(ask.hockey_stick((first, mix(raised / level, common, second)), level))
    return equal(ask.hockey_stick(outer, raised), eta * inner)


def _convex_bound_law(ask: Ask, laws: Rows, eta: mpq, level: mpq) -> mpq:
    """Plain joint convexity of the right-hand side gives a bound."""
    common, first, second = laws
    raised = 1 + eta * (level - 1)
    b = raised / level
    outer = (mix(eta, common, first), mix(eta, common, second))
    parts = [exact(ask.hockey_stick((first, law), level)) for law in (common, second)]
    return at_most(ask.hockey_stick(outer, raised), eta * ((1 - b) * parts[0] + b * parts[1]))


def _outer(eta: mpq) -> Rows:
    common, first, second = MIXTURE.rows
    return mix(eta, common, first), mix(eta, common, second)


def _signed_identity(level: mpq) -> bool:
    """The identity at 0 < a < 1, where (1 - b) is negative and the inner measure signed."""
    common, first, second = MIXTURE.rows
    eta = mpq(1, 3)
    raised = 1 + eta * (level - 1)
    inner = mix(raised / level, common, second)
    gaps = [a - level * c for a, c in zip(first, inner, strict=True)]
    return eta * sum((max(ZERO, gap) for gap in gaps), ZERO) == divergence(_outer(eta), raised)


def _with_parameters() -> st.SearchStrategy[Any]:
    return st.tuples(laws_on_the_same_outcomes(3), alphas(), rational_levels(1))


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="maxcoupling",
        title="maximal coupling and overlapping mixtures",
        statement="Put the common part min(ν, ν') on the diagonal and couple the two remainders independently, "
        "divided by η. This is a coupling of ν and ν' whose parts differ with probability η = TV(ν, ν'), the least of "
        "all couplings; its projections are ν = (1 - η) ν_0 + η ν_1 and ν' = (1 - η) ν_0 + η ν_1'.",
        formula="π(y, y') = min(ν, ν')(y) 1[y = y'] + (ν - min)(y) (ν' - min)(y')/η; TV(ν, ν') <= Pr_π[y != y'] for "
        "any π",
        source="section 3, Couplings",
        status="false_as_stated",
        hypotheses="added: 0 < η < 1; for η = 0 or 1 one of the two parts is absent",
        laws=(
            Law("the corrected one is a coupling that differs with mass η", two_row_channels(5), _coupling_law),
            Law("it is the certified one", two_row_channels(5), _known_coupling_law),
            Law("no coupling differs with less", _couplings(), _any_coupling_law),
        ),
        facts=(
            fact(
                "ν = (1, 0), ν' = (1/2, 1/2): the printed entries are 1/2 and 1/4, 3/4 in all",
                lambda: printed_coupling(*PAIR.rows) == ((mpq(1, 2), mpq(1, 4)), (ZERO, ZERO)),
            ),
            fact(
                "the corrected entries are 1/2 and 1/2",
                lambda: _corrected_coupling(PAIR.rows, mpq(1, 2)) == ((mpq(1, 2), mpq(1, 2)), (ZERO, ZERO)),
            ),
        ),
        errata=(SQUARED, COMPONENTS, DEGENERATE),
    ),
    ClaimRecord(
        id="eta minimal",
        title="disjoint remainders and the least weight",
        statement="The remainders of the canonical decomposition have disjoint supports. A decomposition with "
        "disjoint remainders has η = TV(ν, ν'), and no decomposition has a smaller η.",
        formula="ν = (1-η)ν_0 + ην_1, ν' = (1-η)ν_0 + ην_1': η >= TV(ν, ν'), = iff ν_1, ν_1' are disjoint or η = 0",
        source="section 3, after Theorem 2",
        status="holds",
        laws=(
            Law("canonical remainders are disjoint", two_row_channels(5), _remainders_law),
            Law(
                "disjoint remainders force η",
                st.tuples(laws_on_the_same_outcomes(3, 3), alphas()).map(lambda e: (*e[0], e[1])),
                _disjoint_law,
            ),
            Law(
                "no decomposition has less, and only disjoint ones as little",
                st.tuples(laws_on_the_same_outcomes(3), alphas()),
                _no_smaller_law,
            ),
        ),
        facts=(
            fact(
                "ν = (1, 0), ν' = (1/2, 1/2): η = 1/2, remainders (1, 0) and (0, 1)",
                lambda: (
                    divergence(PAIR.rows, ONE) == mpq(1, 2)
                    and mix(mpq(1, 2), (ONE, ZERO), (ZERO, ONE)) == PAIR.rows[1]
                    and mix(mpq(1, 2), (ONE, ZERO), (ONE, ZERO)) == PAIR.rows[0]
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="(3)",
        title="amplification through the decomposition",
        statement="For a subsampled mechanism, with η the total variation distance of the laws of the samples, the "
        "divergence at the raised level is at most η times a mixture of two divergences of the base mechanism's "
        "canonical components.",
        formula="D_α'(μ‖μ') <= η ((1-β) D_α(μ_1‖μ_0) + β D_α(μ_1‖μ_1')), α' = 1 + η(α - 1), β = α'/α",
        source="section 2, Our contribution, equation (3); section 3, after Theorem 2",
        status="holds",
        laws=(
            Law("samples, a mechanism and the canonical decomposition", _subsampled(), _subsampling_law),
            Law("any decomposition", _with_parameters(), _convex_bound_law),
        ),
        facts=(
            fact(
                "η = 1/3, α = 2, μ_0 = (1/2, 1/4, 1/4), μ_1 = (3/4, 1/4, 0), μ_1' = (1/8, 0, 7/8): 1/9 <= 1/6",
                lambda: advanced_joint_convexity(mpq(1, 3), mpq(2), *MIXTURE.rows).bound == mpq(1, 6),
            ),
        ),
    ),
    ClaimRecord(
        id="Thm2 (4)",
        title="advanced joint convexity",
        statement="For two mixtures with a common part, the divergence at the raised level α' = 1 + η(α - 1) is "
        "exactly η times a divergence at α, of μ_1 and a mixture of μ_0 and μ_1'. It is an identity for every η in "
        "[0, 1] and α >= 1, as (1-η)(1-α') = -ηα(1-β) and ηα' = ηαβ make the integrands equal.",
        formula="D_α'(μ‖μ') = η D_α(μ_1 ‖ (1-β) μ_0 + β μ_1'), β = α'/α",
        source="section 3, Theorem 2, equation (4)",
        status="holds",
        laws=(
            Law("the identity", _with_parameters(), _advanced_law),
            Law("the bound by joint convexity", _with_parameters(), _convex_bound_law),
        ),
        facts=(
            fact(
                "η = 1/3, α = 2: α' = 4/3, β = 2/3, both sides 1/9",
                lambda: (
                    (joint := advanced_joint_convexity(mpq(1, 3), mpq(2), *MIXTURE.rows)).left
                    == joint.right
                    == divergence(_outer(mpq(1, 3)), mpq(4, 3))
                    == mpq(1, 9)
                ),
            ),
            fact("it goes on for α = 1/2, with a signed inner measure", lambda: _signed_identity(mpq(1, 2))),
        ),
    ),
)
