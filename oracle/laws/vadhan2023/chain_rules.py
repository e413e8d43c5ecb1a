"""Section 3 on chain rules: Kullback-Leibler, Rényi, and the trade-off functions with their continuity."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.channels.channel import Channel, Rows
from oracle.enclosures import Enclosure
from oracle.exact import INFINITY, Infinity
from oracle.interactive.adversaries import strategies, view_channel
from oracle.interactive.kullback_leibler import LogSum, tight_kullback_leibler
from oracle.interactive.tree import InteractiveMechanism
from oracle.laws.ask import Ask, Number, Table
from oracle.laws.compare import true
from oracle.laws.fernandes2025._facts import channel
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.trees import interactive_mechanisms
from oracle.laws.vadhan2023._facts import ZERO, at_most_extended, moment_of
from oracle.laws.vadhan2023._joint import answered_channels, joint_rows
from oracle.laws.vadhan2023._renyi_errata import CHAIN

__all__ = ["CLAIMS"]

_HALF: Final = mpq(1, 2)


def _logarithms(table: Table) -> LogSum | Infinity:
    """Σ p log(p/q), exactly as a sum of logarithms."""
    columns = [(p, q) for p, q in zip(*table, strict=True) if p]
    return INFINITY if not all(q for _, q in columns) else LogSum.of((p / q, p) for p, q in columns)


def _plus(x: Number | Infinity, weight: mpq, y: Number | Infinity) -> Number | Infinity:
    """X + weight·y, with 0·∞ = 0."""
    if not weight:
        return x
    if isinstance(x, Infinity) or isinstance(y, Infinity):
        return INFINITY
    (a, b), (c, d) = (_ends(v) for v in (x, y))
    return Enclosure(a + weight * c, b + weight * d)


def _ends(x: Number) -> tuple[mpq, mpq]:
    return (x.lo, x.hi) if isinstance(x, Enclosure) else (x, x)


def _same(x: Number | Infinity, y: Number | Infinity) -> mpq:
    return max(at_most_extended(x, y), at_most_extended(y, x))


def _kl_law(ask: Ask, first: Channel, parts: tuple[Channel, ...]) -> mpq:
    """The subject's divergence of the pair is that of the answer plus the mean of those of what follows."""
    total = ask.kullback_leibler(first.rows)
    for weight, part in zip(first.rows[0], parts, strict=True):
        total = _plus(total, weight, ask.kullback_leibler(part.rows))
    return _same(ask.kullback_leibler(joint_rows(first.rows, [part.rows for part in parts])), total)


def _exact_kl_law(ask: Ask, first: Channel, parts: tuple[Channel, ...]) -> mpq:
    """The two sides as sums of logarithms differ by exactly 0, and the subject's value is the sum's."""
    whole = _logarithms(joint_rows(first.rows, [part.rows for part in parts]))
    total = _logarithms(first.rows)
    for weight, part in zip(first.rows[0], parts, strict=True):
        if weight and not isinstance(total, Infinity):
            more = _logarithms(part.rows)
            total = INFINITY if isinstance(more, Infinity) else total + more.scaled(weight)
    asked = ask.kullback_leibler(joint_rows(first.rows, [part.rows for part in parts]))
    if isinstance(whole, Infinity) or isinstance(total, Infinity):
        return true(isinstance(whole, Infinity) and isinstance(total, Infinity) and isinstance(asked, Infinity))
    return max(true(not (whole - total).sign()), _same(asked, whole.enclosure()))


def _rounds_law(ask: Ask, m: InteractiveMechanism) -> mpq:
    """Added up round by round, the best option at each query: the largest of the subject's over all adversaries."""
    largest: Number | Infinity = ZERO
    for strategy in strategies(m):
        found = ask.kullback_leibler(view_channel(m, strategy).rows)
        if isinstance(found, Infinity) or isinstance(largest, Infinity):
            largest = INFINITY
        elif _ends(found) > _ends(largest):
            largest = found
    exact = tight_kullback_leibler(m)
    return _same(largest, exact if isinstance(exact, Infinity) else exact.enclosure())


def _moments_law(ask: Ask, first: Channel, parts: tuple[Channel, ...], order: int) -> mpq:
    """The subject's moment of the pair is Σ X^α X'^(1-α) times the subject's moments of what follows."""
    total: Number | Infinity = ZERO
    for p, q, part in zip(*first.rows, parts, strict=True):
        if p:
            total = INFINITY if not q else _plus(total, p * (p / q) ** (order - 1), ask.moment(part.rows, order))
    return _same(ask.moment(joint_rows(first.rows, [part.rows for part in parts]), order), total)


def _largest_part_law(ask: Ask, first: Channel, parts: tuple[Channel, ...], order: int) -> mpq:
    """What is left of the chain rule: D of the pair is at most D of the answer plus the largest of what follows.

    And where all answers are followed by the same pair, the mean and the largest agree: equality.
    """
    rows = joint_rows(first.rows, [part.rows for part in parts])
    answer = ask.moment(first.rows, order)
    followed = [ask.moment(part.rows, order) for p, part in zip(first.rows[0], parts, strict=True) if p]
    same = ask.moment(joint_rows(first.rows, [parts[0].rows] * len(parts)), order)
    if any(isinstance(v, Infinity) for v in (answer, *followed)):
        return ZERO
    bound = _times(answer, max(_upper(v) for v in followed))
    return max(at_most_extended(ask.moment(rows, order), bound), _same(same, _times(answer, _upper(followed[0]))))


def _upper(x: Number | Infinity) -> mpq:
    assert not isinstance(x, Infinity)  # noqa: S101 - infinite ones are left out before
    return _ends(x)[1]


def _times(x: Number | Infinity, factor: mpq) -> mpq:
    return _upper(x) * factor


def _kl_example() -> bool:
    """The value of vadhan2023-11 within 10^-35, and the sum of both parts, exactly."""
    first = channel("1/2 1/2", "1/3 2/3")
    parts = [channel("1/4 3/4", "1/2 1/2").rows, channel("2/3 1/3", "1/5 4/5").rows]
    whole = _logarithms(joint_rows(first.rows, parts))
    terms = [_logarithms(rows) for rows in (first.rows, *parts)]
    if isinstance(whole, Infinity) or any(isinstance(t, Infinity) for t in terms):
        return False
    answer, *followed = (t for t in terms if isinstance(t, LogSum))
    total = answer + followed[0].scaled(_HALF) + followed[1].scaled(_HALF)
    value = whole.enclosure(40)
    lo, hi = mpq("37971034768175554843675500600395067/100000000000000000000000000000000000"), mpq(1, 10**35)
    return isinstance(value, Enclosure) and lo <= value.lo <= value.hi <= lo + hi and not (whole - total).sign()


def _order_two(first: Channel, *parts: Rows) -> tuple[mpq, ...]:
    """e^{2 D_2(U, V)} and e^{2 D_2(U)} Π e^{D_2(V|u)} for two answers of weight 1/2."""
    tables = (joint_rows(first.rows, parts), first.rows, *parts)
    whole, answer, *followed = (m for m in (moment_of(rows, 2) for rows in tables) if isinstance(m, mpq))
    return whole**2, answer**2 * followed[0] * followed[1]


_ORDERED: Final = st.tuples(answered_channels(), st.sampled_from([2, 3, 5])).map(lambda e: (*e[0], e[1]))

CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Def3.4, KL chain",
        title="the chain rule of the Kullback-Leibler divergence",
        statement="A generalised distance has the chain rule property when the distance of pairs is a function, "
        "continuous in each variable, of the laws of the first parts and of the distances of the second parts given "
        "the first. The Kullback-Leibler divergence of pairs is that of the first parts plus the mean, under the first "
        "law, of those of the second parts.",
        formula="D((X,Y)‖(X',Y')) = D(X‖X') + E_{x~X} D(Y_x‖Y'_x)",
        source="section 3, Definition 3.4 and the example after it",
        status="holds",
        hypotheses="an answer x with X(x) = 0 counts 0, whatever follows it",
        laws=(
            Law("the pair, and its parts added up", answered_channels(), _kl_law),
            Law("exactly, as sums of logarithms", answered_channels(), _exact_kl_law),
            Law("round by round through a mechanism", interactive_mechanisms(max_adversaries=8), _rounds_law),
        ),
        facts=(fact("vadhan2023-11: 0.37971034768175554843675500600395067...", _kl_example),),
    ),
    ClaimRecord(
        id="Renyi chain",
        title="no such chain rule for Rényi divergences",
        statement="For orders α > 1 the Rényi divergence of pairs is not that of the first parts plus the mean of "
        "those of the second parts. Moments obey a chain rule with the weights X^α X'^{1-α}; the divergence is at most "
        "that of the first parts plus the largest of those of the second.",
        formula="e^{(α-1)D_α(X,Y)} = Σ_x X(x)^α X'(x)^{1-α} e^{(α-1)D_α(Y_x)}",
        source="section 1, Independent Work, on the withdrawn proof",
        status="false_as_stated",
        hypotheses="tested at whole orders, where moments are exact",
        laws=(
            Law("moments of the pair from those of the parts", _ORDERED, _moments_law),
            Law("at most the largest part, equal for equal parts", _ORDERED, _largest_part_law),
        ),
        facts=(
            fact(
                "vadhan2023-04: e^{2D_2} is (15/8)² = 225/64 for the pair, against (9/8)²·2·1 = 81/32",
                lambda: (
                    _order_two(
                        channel("1/2 1/2", "1/3 2/3"),
                        channel("1 0", "1/2 1/2").rows,
                        channel("1/2 1/2", "1/2 1/2").rows,
                    )
                    == (mpq(225, 64), mpq(81, 32))
                ),
            ),
        ),
        errata=(CHAIN,),
    ),
)
