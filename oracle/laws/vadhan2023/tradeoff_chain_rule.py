"""Equation (10): the chain rule of trade-off functions, and its continuity."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel, Rows
from oracle.channels.galois import channel_of, tradeoff_of
from oracle.channels.tradeoff import TradeoffFunction
from oracle.interactive.chain_rule import allocate, chain_rule
from oracle.interactive.couplings import steepening
from oracle.laws.ask import Ask, Table
from oracle.laws.compare import at, at_most, curve_at_most, curves_equal, equal, tables_equal, worst
from oracle.laws.evidence import Evidence
from oracle.laws.fernandes2025._facts import channel, curve
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, two_row_channels
from oracle.laws.vadhan2023._facts import ONE, ZERO, response
from oracle.laws.vadhan2023._joint import answered_channels, chain_rule_by_definition, joint_rows

__all__ = ["CLAIMS"]

_HALF, _QUARTER = mpq(1, 2), mpq(1, 4)
_SKEWED: Final = channel("1/2 1/2", "1/4 3/4")
"""(X, X') of the worked values: a fair coin, and 1 with probability 3/4."""
_NOTHING: Final = channel("1", "1")
_IDENTITY: Final = curve(("0", "1"), ("1", "0"))
"""f(α) = 1 - α."""


def _definition_law(ask: Ask, first: Channel, parts: tuple[Channel, ...], alpha: mpq) -> mpq:
    """The subject's curve of the pair is the infimum (10) of the subject's curves, over its vertices."""
    curves = [ask.tradeoff(part.rows) for part in parts]
    joint = ask.tradeoff(joint_rows(first.rows, [part.rows for part in parts]))
    points = {alpha, joint[len(joint) // 2][0]}
    return worst(equal(at(joint, x), chain_rule_by_definition(first.rows, curves, x)) for x in points)


def _greedy_law(ask: Ask, first: Channel, parts: tuple[Channel, ...], alpha: mpq) -> mpq:
    """Segments in the order of their slopes: an allocation within alpha, its value, and a multiplier that proves it."""
    p, q = first.rows
    curves = [tradeoff_of(part) for part in parts]
    asked = ask.tradeoff(joint_rows(first.rows, [part.rows for part in parts]))
    found = allocate(p, q, curves, alpha)
    spent = sum((a * x for a, x in zip(p, found.alphas, strict=True)), ZERO)
    least = [min(b * y + found.multiplier * a * x for x, y in f.corners) for a, b, f in zip(p, q, curves, strict=True)]
    dual = sum(least, ZERO) - found.multiplier * alpha
    return worst(
        [
            at_most(spent, alpha),
            equal(at(asked, alpha), found.value),
            equal(found.value, dual),
            curves_equal(asked, chain_rule(p, q, curves).corners),
        ]
    )


def _any_test_law(ask: Ask, first: Channel, parts: tuple[Channel, ...], points: list[mpq]) -> mpq:
    """Whatever the alpha_x, the errors of a test that uses them are not below the subject's curve of the pair."""
    p, q = first.rows
    chosen = [points[k % len(points)] for k in range(len(parts))]
    joint = ask.tradeoff(joint_rows(first.rows, [part.rows for part in parts]))
    one = sum((a * x for a, x in zip(p, chosen, strict=True)), ZERO)
    curves = [ask.tradeoff(part.rows) for part in parts]
    two = sum((b * at(f, x) for b, f, x in zip(q, curves, chosen, strict=True)), ZERO)
    return at_most(at(joint, one), two)


def _supremum_law(ask: Ask, first: Channel, parts: tuple[Channel, ...], others: list[Channel], place: int) -> mpq:
    """The supremum of a finite family in one variable, then the chain rule; and the other way round."""
    k = place % len(parts)
    tables = [part.rows for part in parts]

    def put(table: Table) -> Rows:
        return joint_rows(first.rows, [*tables[:k], table, *tables[k + 1 :]])

    family = [tables[k], *(other.rows for other in others)]
    left = ask.canonical(put(ask.glb(family)))
    return tables_equal(left, ask.glb([put(table) for table in family]))


def _monotone_law(ask: Ask, first: Channel, parts: tuple[Channel, ...], other: Channel) -> mpq:
    """A smaller curve in one variable gives a smaller curve of the pair."""
    tables = [part.rows for part in parts]
    lower = ask.glb([tables[0], other.rows])
    below = ask.tradeoff(joint_rows(first.rows, [lower, *tables[1:]]))
    return curve_at_most(below, ask.tradeoff(joint_rows(first.rows, tables)))


def _infinite_law(ask: Ask, first: Channel, parts: tuple[Channel, ...], n: int, alpha: mpq) -> mpq:
    """f_1, f_2, ... in the first variable: within X(0)/n of the chain rule at 0, which is that of the closed supremum.

    f_n >= 0, and f_n(1/n) = 0, so spending X(0)/n on the first answer leaves the rest as if f_0 were 0.
    """
    tables = [part.rows for part in parts[1:]]
    at_zero = ask.tradeoff(joint_rows(first.rows, [((ONE, ZERO), (ZERO, ONE)), *tables]))
    steep = ask.tradeoff(joint_rows(first.rows, [channel_of(steepening(n)).rows, *tables]))
    excess = [curve_at_most(at_zero, steep)]
    left = alpha - first.rows[0][0] / n
    if left >= 0:
        excess.append(at_most(at(steep, alpha), at(at_zero, left)))
    return worst(excess)


def _joined(*curves: TradeoffFunction) -> Channel:
    """The pair with X, X' of the worked values followed by the curves."""
    return Channel(joint_rows(_SKEWED.rows, [channel_of(f).rows for f in curves]))


def _empty_fails() -> bool:
    """Sup of nothing is the least element 1 - α; the chain rule of it is T(X, X'), not 1 - α."""
    return tradeoff_of(_joined(_IDENTITY, _IDENTITY)) == tradeoff_of(_SKEWED) != _IDENTITY


def _empty_certificate() -> Certificate:
    evidence = Evidence()
    left = evidence.curve_value(_joined(_IDENTITY, _IDENTITY), _HALF)
    evidence.compare(left, "<", evidence.curve_value(_IDENTITY, _HALF))
    return evidence.certificate()


def _even(n: int) -> Channel:
    """f_n after one outcome of a fair coin, which says nothing, and 1 - α after the other."""
    coin = channel("1/2 1/2", "1/2 1/2")
    return Channel(joint_rows(coin.rows, [channel_of(steepening(n)).rows, _NOTHING.rows]))


def _printed_supremum_jumps() -> bool:
    """With h(0) = 1 the infimum (10) is 1 at 0, and at most 1/2 at 1/(2n) for every n tried."""
    ns = [1, 2, 5, 10, 100, 10**6]
    return all(tradeoff_of(_even(n)).at(ZERO) == 1 and tradeoff_of(_even(n)).at(mpq(1, 2 * n)) == _HALF for n in ns)


def _jump_certificate() -> Certificate:
    evidence = Evidence()
    for n in (1, 10, 100, 1000):
        start = evidence.curve_value(_even(n), ZERO)
        evidence.compare(start, "=", 1)
        evidence.compare(evidence.curve_value(_even(n), mpq(1, 2 * n)), "<", start)
    return evidence.certificate()


_EMPTY: Final = Erratum(
    printed="A function is continuous if f(sup S) = sup f(S) for every set S; the chain rule of trade-off functions is "
    "continuous in each variable.",
    counterexample="Let S be empty. Every trade-off function is above all its members, so sup S is the least one in "
    "the reversed order, 1 - α. Let X, X' be a coin with 1/2 | 1/4 for 0, and let 1 - α follow 0 and 1: the chain rule "
    "of this is T(X, X'), which is 1/4 at α = 1/2. The supremum of the empty image is 1 - α again, which is 1/2 there.",
    correction="Read: for every nonempty set S, as in the definition of complete posets.",
    scope="remark",
    fails=_empty_fails,
    certificate=_empty_certificate,
    summary="the empty set must be excluded",
    printed_formula="f(sup S) = sup f(S) for every S ⊆ A",
    true_formula="f(sup S) = sup f(S) for every nonempty S ⊆ A",
)

_CLOSED: Final = Erratum(
    printed="The proof, for every S_i ⊆ D, goes through random members of S_i, as sup S does in Lemma 2.4. (Its "
    "formulas are missing from the text at hand; the one below is reconstructed.)",
    counterexample="Let S = {f_1, f_2, ...}, f_n(α) = max(0, 1 - nα): h is 1 at 0 and 0 elsewhere. Let X, X' be a fair "
    "coin on both inputs, followed by S after 0 and by 1 - α after 1. With h the formula (10) is 1/2·1 + 1/2·1 = 1 at "
    "α = 0, but at α = 1/(2n) it is at most 1/2·f_n(1/n) + 1/2·1 = 1/2: no continuous function, hence no trade-off "
    "function. The true supremum of S is 0, and then (10) is 1/2 - α up to α = 1/2, in both orders of the operations.",
    correction="Close h at 0 before and after, see Lemma 2.4. The claim itself is about suprema and stands.",
    scope="remark",
    fails=_printed_supremum_jumps,
    certificate=_jump_certificate,
    summary="infinite suprema must be closed at 0",
    printed_formula="sup S(α) = inf{E[F(A(F))] : E[A(F)] <= α} for all α ∈ [0, 1] (reconstructed)",
    true_formula="sup S(α) = inf{E[F(A(F))] : E[A(F)] <= α} for 0 < α <= 1; sup S(0) is the limit for α -> 0",
)


def _tenth_example() -> bool:
    """A coin 1/2 | 1/4, after 0 the curve of RR with e^ε = 3, after 1 f_{ε,δ} with e^ε = 2, δ = 1/4."""
    curves = [tradeoff_of(Channel(response(mpq(3), ZERO))), tradeoff_of(Channel(response(mpq(2), _QUARTER)))]
    corners = ("0", "13/16"), ("1/8", "7/16"), ("1/4", "1/4"), ("1/2", "1/16"), ("7/8", "0"), ("1", "0")
    p, q = _SKEWED.rows
    return chain_rule(p, q, curves) == curve(*corners) == tradeoff_of(_joined(*curves))


def _impossible_answers() -> bool:
    """An answer of probability 0 on one input, or on both, with what would follow it."""
    first = channel("1/2 0 1/2 0", "0 1/2 1/2 0")
    curves = [_IDENTITY, tradeoff_of(_SKEWED), _IDENTITY, tradeoff_of(_SKEWED)]
    expected = curve(("0", "1/2"), ("1/2", "0"), ("1", "0"))
    defined = [chain_rule_by_definition(first.rows, [f.corners for f in curves], x) for x, _ in expected.corners]
    p, q = first.rows
    return chain_rule(p, q, curves) == expected and defined == [y for _, y in expected.corners]


_ANSWERED_AT: Final = st.tuples(answered_channels(), alphas()).map(lambda e: (*e[0], e[1]))

CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="(10), Lemma1.7/3.3",
        title="the chain rule of trade-off functions",
        statement="The trade-off function of an answer together with what follows it is the infimum, over all ways to "
        "spend the type I error on the answers, of the type II error: whole segments of the curves, scaled by X and "
        "X', in the order of their slopes. It is attained, so equality holds, and answers of probability 0 are "
        "harmless.",
        formula="T((X,Y), (X',Y'))(α) = inf{Σ_x X'(x) f_x(α_x) : Σ_x X(x) α_x <= α}, f_x = T(Y_x, Y'_x)",
        source="section 3, equation (10), Lemma 3.3; section 1, Lemma 1.7",
        status="holds",
        laws=(
            Law("the pair against the infimum over its vertices", _ANSWERED_AT, _definition_law),
            Law("greedily, with a multiplier that proves it", _ANSWERED_AT, _greedy_law),
            Law(
                "no other way to spend α does better",
                st.tuples(answered_channels(), st.lists(alphas(), min_size=1, max_size=3)).map(lambda e: (*e[0], e[1])),
                _any_test_law,
            ),
        ),
        facts=(
            fact(
                "a coin 1/2 | 1/4, then e^ε = 3 after 0, e^ε = 2 and δ = 1/4 after 1: (0, 13/16), (1/8, 7/16), "
                "(1/4, 1/4), (1/2, 1/16), (7/8, 0), (1, 0)",
                _tenth_example,
            ),
            fact("answers of probability 0 on one input or on both: (0, 1/2), (1/2, 0), (1, 0)", _impossible_answers),
        ),
    ),
    ClaimRecord(
        id="continuity",
        title="the chain rule is continuous in each variable",
        statement="The chain rule of trade-off functions commutes with suprema of nonempty families in each variable, "
        "suprema meant in the reversed order: the largest trade-off function below the family. So it is monotone.",
        formula="ChainRule(..., sup S_i, ...) = sup{ChainRule(..., f, ...) : f ∈ S_i}",
        source="section 3, Lemma 3.3 and the definitions of continuity before it",
        status="holds",
        hypotheses="S nonempty; the supremum of an infinite S is the closed one",
        laws=(
            Law(
                "a finite family, both ways round",
                st.tuples(
                    answered_channels(),
                    st.lists(two_row_channels(3), min_size=1, max_size=2),
                    st.integers(0, 2),
                ).map(lambda e: (*e[0], e[1], e[2])),
                _supremum_law,
            ),
            Law(
                "monotone",
                st.tuples(answered_channels(), two_row_channels(3)).map(lambda e: (*e[0], e[1])),
                _monotone_law,
            ),
            Law(
                "an infinite family, and its closed supremum",
                st.tuples(answered_channels(), st.integers(1, 10**6), alphas()).map(lambda e: (*e[0], e[1], e[2])),
                _infinite_law,
            ),
        ),
        facts=(
            fact(
                "a fair coin, 0 after 0 and 1 - α after 1: (0, 1/2), (1/2, 0), (1, 0)",
                lambda: (
                    chain_rule([_HALF, _HALF], [_HALF, _HALF], [curve(("0", "0"), ("1", "0")), _IDENTITY])
                    == curve(("0", "1/2"), ("1/2", "0"), ("1", "0"))
                ),
            ),
        ),
        errata=(_EMPTY, _CLOSED),
    ),
)
