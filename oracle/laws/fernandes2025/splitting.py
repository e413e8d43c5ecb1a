"""Section 7: splitting a mechanism by a subset of its outputs, and what noise alone bounds."""

from __future__ import annotations

from itertools import product as pairs
from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel, Rows
from oracle.channels.galois import tradeoff_of
from oracle.channels.operators import post_process
from oracle.laws.ask import Ask
from oracle.laws.compare import equal, tables_equal, true, worst
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025._facts import channel, mass, product
from oracle.laws.fernandes2025._operators import (
    IDENTITY,
    geometric,
    visible_of,
)
from oracle.laws.fernandes2025.purification import (
    RATIOS,
    Replacement,
    ratios,
    replaced_noisy_is_above,
    replacements,
)
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, two_row_channels

__all__ = ["CLAIMS"]

ZERO, HALF, ONE = mpq(0), mpq(1, 2), mpq(1)


def _inner_weights(p: mpq) -> mpq:
    return (1 + 2 * p) / 4


def _split(ask: Ask, first: Channel, second: Channel, p: mpq) -> mpq:
    """A channel whose first outputs have the mass p in both rows is the choice of its two normalised parts."""
    weight = _inner_weights(p)
    whole, width = visible_of(weight, first.rows, second.rows), first.shape[1]
    left = tuple(tuple(v / sum(row[:width]) for v in row[:width]) for row in whole)
    right = tuple(tuple(v / sum(row[width:]) for v in row[width:]) for row in whole)
    return tables_equal(ask.visible(weight, left, right), whole)


def _choice_has_equal_masses(ask: Ask, first: Channel, second: Channel, p: mpq) -> mpq:
    whole = ask.visible(p, first.rows, second.rows)
    return worst(equal(sum(row[: first.shape[1]], ZERO), p) for row in whole)


def _split_replacement(ask: Ask, given: Replacement, second: Channel, p: mpq, r: mpq) -> mpq:
    """M ⊞_r U[Y'] through the exchange law, M = M1 ⊕_p M2 with M1 on Y'."""
    first, u = given
    outer = 1 - r + r * p
    if not outer:
        return ZERO
    whole = ask.visible(p, first.rows, second.rows)
    padded = tuple((*row, *(ZERO,) * second.shape[1]) for row in u)
    exchanged = ask.visible(outer, ask.hidden(r * p / outer, first.rows, u), second.rows)
    return tables_equal(ask.hidden(r, whole, padded), exchanged)


def _splits(table: Rows, event: tuple[int, ...]) -> bool:
    """Whether a choice M1 ⊕_p M2 with M1 on *event* can be M: both rows then give the event the mass p."""
    return mass(table[0], event) == mass(table[1], event)


def _masses_certificate() -> Certificate:
    evidence = Evidence()
    first, second = (evidence.event_sum(IDENTITY, row, [0]) for row in (0, 1))
    evidence.compare(first, "!=", second)
    return evidence.certificate()


def _extreme_rows_below(ask: Ask, given: Replacement, ratio: mpq) -> mpq:
    noise = geometric(given[0].shape[1], ratio)
    return true(ask.refines((noise[0], noise[-1]), ask.post(given[0].rows, noise)))


G3: Final = geometric(3, HALF)
ENDS: Final = channel("1 0 0", "0 0 1")


def _refinement_keeps_total_mass() -> bool:
    """G·W has as much mass as G, the number of its rows, for any row-stochastic W; M·G has mass 2."""
    noisy = product(ENDS.rows, G3)
    return sum(map(sum, G3)) != sum(map(sum, noisy)) and len(G3) != len(noisy)


def _shape_certificate() -> Certificate:
    evidence = Evidence()
    noisy = evidence.product(ENDS, G3)
    totals = []
    for table in (G3, noisy):
        columns = evidence.product(((ONE,) * len(table),), table)
        totals.append(evidence.event_sum(columns, 0, range(len(columns[0]))))
    evidence.compare(totals[0], "=", 3)
    evidence.compare(totals[1], "=", 2)
    evidence.compare(totals[0], "!=", totals[1])
    return evidence.certificate()


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="P4",
        title="Splitting a mechanism by a subset of outputs",
        statement=(
            "If both inputs give Y' the same probability p, M is a visible choice M1 ⊕_p M2 with M1 on Y', and its "
            "replacement on Y' follows from the exchange law. Without equal probabilities there is no such choice."
        ),
        formula="M = M1 ⊕_p M2 with M1 on Y' iff P(Y') = Q(Y') = p",
        source="section 7, modelling of Algorithm 1",
        status="holds_under",
        hypotheses="added: P(Y') = Q(Y').",
        laws=(
            Law("split", st.tuples(two_row_channels(3), two_row_channels(3), alphas()), _split),
            Law(
                "equal masses are necessary",
                st.tuples(two_row_channels(3), two_row_channels(3), alphas()),
                _choice_has_equal_masses,
            ),
            Law(
                "replacement by the exchange law",
                st.tuples(replacements(3), two_row_channels(3), alphas(), alphas()),
                _split_replacement,
            ),
        ),
        facts=(
            fact(
                "[1/2 1/2; 1/4 3/4], Y' = the first output: 1/2 against 1/4, no choice",
                lambda: not _splits(channel("1/2 1/2", "1/4 3/4").rows, (0,)),
            ),
        ),
        errata=(
            Erratum(
                printed="For every Y' ⊂ Y, M can be rewritten as M1 ⊕_p M2 with M1 on Y'.",
                counterexample=(
                    "M = I = [1 0; 0 1], Y' = {first output}. In M1 ⊕_p M2 the outputs of M1 have the total "
                    "probability p · 1 = p in both rows. In M the output of Y' has probability 1 in the first row and "
                    "0 in the second; p = 1 and p = 0 cannot both be."
                ),
                correction=("P(Y') = Q(Y') is needed, that is, both rows give Y' the same total probability p."),
                scope="hypothesis",
                fails=lambda: not _splits(IDENTITY, (0,)),
                certificate=_masses_certificate,
                summary="both inputs must give Y' equal mass",
                printed_formula="M = M1 ⊕_p M2, M1 on Y', for every Y' ⊂ Y",
            ),
        ),
    ),
    ClaimRecord(
        id="P5",
        title="Noise bounds the result",
        statement=(
            "For a mechanism M with two inputs, the pair of G's first and last row refines to M·G, whatever M is, and "
            "M·G refines to (M ⊞_r U)·G."
        ),
        formula="[G_0; G_{n−1}] ⊑ M·G ⊑ (M ⊞_r U[Y])·G",
        source="section 7, last display of the part on purification",
        status="ill_typed",
        laws=(
            Law("the extreme rows are below", st.tuples(replacements(5), ratios()), _extreme_rows_below),
            Law("replacement is above", st.tuples(replacements(), alphas(), ratios()), replaced_noisy_is_above),
        ),
        facts=(
            fact(
                "T(G_0, G_{n−1}) ≤ T(G_i, G_j) for all rows, n = 2..6 and seven ratios",
                lambda: all(
                    tradeoff_of(Channel((g[0], g[-1]))) <= tradeoff_of(Channel((g[i], g[j])))
                    for g in (geometric(n, ratio) for n in range(2, 7) for ratio in RATIOS)
                    for i, j in pairs(range(len(g)), repeat=2)
                ),
            ),
            fact(
                "equality for M with all its mass on the first and on the last output",
                lambda: post_process(ENDS, G3).rows == (G3[0], G3[-1]),
            ),
        ),
        errata=(
            Erratum(
                printed="G ⊑ M·G, with G the whole geometric channel.",
                counterexample=(
                    "n = 3, ratio 1/2: G = [2/3 1/6 1/6; 1/3 1/3 1/3; 1/6 1/6 2/3], M = [1 0 0; 0 0 1], M·G = [2/3 1/6 "
                    "1/6; 1/6 1/6 2/3]. G ⊑ M·G asks for a row-stochastic W with G·W = M·G. But G·W has three rows, "
                    "each with the sum 1, together 3; M·G has two rows, together 2. No W can do that."
                ),
                correction="Take the pair of rows G_0 and G_{n−1} in place of G; for n = 2 it is G itself.",
                scope="typing",
                fails=_refinement_keeps_total_mass,
                certificate=_shape_certificate,
                summary="G and M·G differ in rows",
                printed_formula="G ⊑ M·G",
                true_formula="[G_0; G_{n−1}] ⊑ M·G",
            ),
        ),
    ),
)
