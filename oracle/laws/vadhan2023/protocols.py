"""Definitions of section 1: differential privacy, interactive protocols and views, concurrent composition."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.certificates.documents import Certificate, approximate_dp_refuted
from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import tradeoff_of
from oracle.channels.profile import Exceedance
from oracle.claims import ApproximateDP
from oracle.exact import to_text
from oracle.interactive.adversaries import strategies, view_channel, views
from oracle.interactive.concurrent import concurrent_composition
from oracle.interactive.examples import interleaving
from oracle.interactive.tightness import tight_channel
from oracle.interactive.tree import InteractiveMechanism
from oracle.laws.ask import Ask
from oracle.laws.compare import at, equal, tables_equal, true, valid_curve, worst
from oracle.laws.fernandes2025._facts import canonical_rows, channel, chord_minimum, events, mass
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, rational_levels, two_row_channels
from oracle.laws.trees import attacked_mechanisms, interactive_mechanisms, mechanism_pairs, numbered, one_shot
from oracle.laws.vadhan2023._facts import ZERO, parallel_rows, pure_response
from oracle.laws.vadhan2023._protocol import (
    HALTED,
    Laws,
    Party,
    concurrent_party,
    mechanism_party,
    run,
    views_by_coins,
    views_of_pair,
)
from oracle.levels import Level

__all__ = ["CLAIMS"]

_SIDES: Final = 3
"""Sides of the die that mechanisms toss where coins are enumerated."""

_RESPONSE: Final = Channel(pure_response(mpq(2)))
"""Randomised response: the truth with probability 2/3."""


def _claim(level: mpq, delta: mpq) -> dict[str, str]:
    return {"exp_epsilon": to_text(level), "delta": to_text(delta)}


def _obeyed(m: Channel, level: mpq, delta: mpq) -> bool:
    """Every event, both orders."""
    p, q = m.rows
    masses = [(mass(p, event), mass(q, event)) for event in events(len(p))]
    return all(a <= level * b + delta and b <= level * a + delta for a, b in masses)


def _dp_law(ask: Ask, m: Channel, level: mpq, delta: mpq) -> mpq:
    """The subject accepts exactly where every event obeys the bound; at its own least delta, too."""
    least = max(hockey_stick(m, level), hockey_stick(m.swapped(), level))
    return worst(true(ask.satisfies(m.rows, _claim(level, d)) == _obeyed(m, level, d)) for d in (delta, least))


def _heard(laws: Laws, rows: int) -> list[tuple[tuple[str, ...], mpq]]:
    """Views without the empty messages, with one of their two probabilities, in order."""
    return sorted((tuple(text for text in view if text), masses[rows]) for view, masses in laws.items())


def _answers(
    mechanism: InteractiveMechanism, number: int, row: int, *, concurrent: bool
) -> list[tuple[tuple[str, ...], mpq]]:
    """What a view of the tree hears, with one of its two probabilities, in order."""
    found = []
    for view in views(mechanism, numbered(mechanism, [number])[0]):
        if view.p or view.q:
            said = (label for kind, label in view.steps if kind == "answer")
            heard = tuple(label.partition(".")[2] if concurrent else label for label in said)
            found.append((heard, view.q if row else view.p))
    return sorted(found)


def _view_law(ask: Ask, m: InteractiveMechanism, numbers: tuple[int, ...], _: tuple[mpq, ...]) -> mpq:
    """Running the protocol for every outcome of the coins gives the tree's views, and the subject's canonical form."""
    strategy = numbered(m, numbers)[0]
    laws = views_by_coins(m, strategy, _SIDES)
    same = all(_heard(laws, row) == _answers(m, numbers[0], row, concurrent=False) for row in (0, 1))
    table = tuple(tuple(masses[row] for masses in laws.values()) for row in (0, 1))
    asked = ask.canonical(view_channel(m, strategy).rows)
    return max(true(same), tables_equal(asked, canonical_rows(table)))


def _every_view_law(ask: Ask, m: InteractiveMechanism, level: mpq, delta: mpq) -> mpq:
    """The subject accepts a claim for the tight pair exactly where every adversary's view obeys it."""
    least = max(hockey_stick(view_channel(m, strategy), level, "both") for strategy in strategies(m))
    tight = tight_channel(m).rows
    return worst(true(ask.satisfies(tight, _claim(level, d)) == (least <= d)) for d in (delta, least, least / 2))


def _comp_law(ask: Ask, first: Channel, second: Channel) -> mpq:
    """Comp of two mechanisms that answer once is the product; so is their concurrent composition."""
    asked = ask.parallel([first.rows, second.rows])
    both = concurrent_composition([one_shot(first.rows), one_shot(second.rows)])
    by_definition = tables_equal(asked, parallel_rows([first.rows, second.rows]))
    return max(by_definition, tables_equal(ask.canonical(asked), tight_channel(both).rows))


def _concurrent_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism, pick: int) -> mpq:
    """ConComp run message by message for every outcome of the coins has the views of the tree over pairs of nodes."""
    both = concurrent_composition([first, second])
    known = strategies(both)
    number = pick % len(known)
    laws = views_of_pair([first, second], both, known[number], _SIDES)
    same = all(_heard(laws, row) == _answers(both, number, row, concurrent=True) for row in (0, 1))
    table = tuple(tuple(masses[row] for masses in laws.values()) for row in (0, 1))
    asked = ask.canonical(view_channel(both, known[number]).rows)
    return max(true(same), tables_equal(asked, canonical_rows(table)))


def _tuples_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism) -> mpq:
    """The dynamic programme over pairs of nodes is the subject's greatest lower bound over all interleavings."""
    both = concurrent_composition([first, second])
    every = [view_channel(both, strategy).rows for strategy in strategies(both)]
    return tables_equal(ask.glb(every), tight_channel(both).rows)


def _interleaved_law(ask: Ask, first: InteractiveMechanism, second: InteractiveMechanism) -> mpq:
    """The subject's curve of ConComp is the largest convex one below the tests of all interleavings."""
    both = concurrent_composition([first, second])
    asked = ask.concurrent([first, second])
    excess = valid_curve(asked)
    if excess > 0:
        return excess
    points = [p for strategy in strategies(both) for p in tradeoff_of(view_channel(both, strategy)).corners]
    return worst(equal(at(asked, x), chord_minimum(points, x)) for x, _ in (*asked, *points))


def _first_view() -> bool:
    """The adversary of the interleaving example that asks A after 0."""
    mechanism = interleaving()
    found = [(view.text, view.p, view.q) for view in views(mechanism, strategies(mechanism)[0])]
    return found == [
        ("ask ask, hear 0, ask A, hear 0", mpq(3, 4), mpq(1, 4)),
        ("ask ask, hear 0, ask A, hear 1", mpq(0), mpq(1, 4)),
        ("ask ask, hear 1", mpq(1, 4), mpq(1, 2)),
    ]


def _unparsable() -> bool:
    """What is no pair (j, q) is answered with halt, and the interaction is over."""
    party = concurrent_party([mechanism_party(interleaving(), False, (0, 0, 0, 0), 4)] * 2)
    return all(run(_always(text), party) == [text, HALTED] for text in ("ask", "3.ask", "0.ask", "x.ask"))


def _always(text: str) -> Party:
    return lambda _: text


def _both_change() -> Channel:
    return Channel(parallel_rows([_RESPONSE.rows, _RESPONSE.rows]))


def _one_changes() -> Channel:
    """The pair of laws on (0, 0) and (1, 0)."""
    first, second = _RESPONSE.rows
    return Channel((parallel_rows([(first, first)] * 2)[0], parallel_rows([(first, second), (first, first)])[1]))


def _readings_differ() -> bool:
    return not hockey_stick(_one_changes(), mpq(2), "both") and hockey_stick(_both_change(), mpq(2), "both") > 0


def _readings_certificate() -> Certificate:
    claim = ApproximateDP(Level.rational(2), ZERO)
    return approximate_dp_refuted(_both_change(), claim, Exceedance("forward", (0,), mpq(4, 9), mpq(1, 9), mpq(2)))


_NEIGHBOURS: Final = Erratum(
    printed="The input of ConComp(M_1, ..., M_k) is a tuple x = (x_1, ..., x_k) of private datasets; which tuples are "
    "neighbours is not said.",
    counterexample="Let M answer its input bit truthfully with probability 2/3, and e^ε = 2. If only one bit of (0, 0) "
    "may change, to (1, 0), the answer to that bit has the odds 2/3 : 1/3 and the other says nothing new: "
    "ConComp(M, M) is (ε, 0)-DP. If both may change, to (1, 1), the event that both answers are 0 has 2/3·2/3 = 4/9 "
    "against 1/3·1/3 = 1/9, and 4/9 > 2·1/9: it is not.",
    correction="Read: (x_1, ..., x_k) and (x'_1, ..., x'_k) are neighbours when every x_j is a neighbour of x'_j, or "
    "equal to it. The theorems hold in this reading, and hence in the one in which a single coordinate changes.",
    scope="remark",
    fails=_readings_differ,
    certificate=_readings_certificate,
    summary="neighbouring tuples are not defined",
    printed_formula="x = (x_1, ..., x_k)",
    true_formula="x ~ x' iff x_j ~ x'_j or x_j = x'_j for every j",
)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Def1.1",
        title="(ε, δ)-differential privacy",
        statement="M is (ε, δ)-DP when for all neighbouring datasets x, x' and every set S of outputs the probability "
        "of S on x is at most e^ε times that on x', plus δ. Neighbours can be exchanged, so both orders are meant.",
        formula="Pr[M(x) ∈ S] <= e^ε Pr[M(x') ∈ S] + δ for all x ~ x' and all S",
        source="section 1, Definition 1.1",
        status="definition",
        laws=(
            Law(
                "accepted exactly where every event obeys the bound",
                st.tuples(two_row_channels(4), rational_levels(1), alphas()),
                _dp_law,
            ),
        ),
        facts=(
            fact(
                "answering truthfully with probability 2/3 is (log 2, 0)-DP and at ε = 0 needs δ = 1/3",
                lambda: _obeyed(_RESPONSE, mpq(2), ZERO) and hockey_stick(_RESPONSE, mpq(1), "both") == mpq(1, 3),
            ),
        ),
        defines=True,
    ),
    ClaimRecord(
        id="Def1.2",
        title="interactive protocols and views",
        statement="Two parties, each a function of its input, of its coins and of the messages that it has received, "
        "take turns until one says halt. The view of a party is its coins, its input and the messages that it has "
        "received. A mechanism on a pair of inputs is a tree in which the adversary chooses at a query node and the "
        "mechanism draws at an answer node; the law of the view is the product of the probabilities on its path. An "
        "interactive mechanism is (ε, δ)-DP when the view of every adversary obeys Definition 1.1.",
        formula="m_i = A(x_A, m_1, m_3, ..., m_{i-1}; r_A) for even i, B(x_B, m_0, m_2, ..., m_{i-1}; r_B) for odd i",
        source="section 1, Interactive Differential Privacy, Definition 1.2",
        status="definition",
        laws=(
            Law(
                "views of the tree are those of the protocol, coin by coin",
                attacked_mechanisms(1, coins=_SIDES),
                _view_law,
            ),
            Law(
                "a claim holds of the tight pair where it holds of every view",
                st.tuples(interactive_mechanisms(max_adversaries=12), rational_levels(1), alphas()),
                _every_view_law,
            ),
        ),
        facts=(
            fact("ask, and A after 0: views of 3/4 | 1/4, 0 | 1/4 and 1/4 | 1/2", _first_view),
            fact(
                "an adversary that halts at once sees nothing",
                lambda: run(lambda _: HALTED, mechanism_party(interleaving(), False, (), 4)) == [HALTED],
            ),
        ),
        defines=True,
    ),
    ClaimRecord(
        id="Def Comp, ConComp",
        title="composition and concurrent composition",
        statement="Comp runs non-interactive mechanisms side by side with independent coins. ConComp answers a query "
        "(j, q) as M_j does, given the queries that M_j itself has received and its own coins; a message that is no "
        "such pair ends the interaction. All components run on their first input, or all on their second. A component "
        "that has come to its end is not asked again: the others go on.",
        formula="Comp(x) = (M_1(x), ..., M_k(x)); ConComp(x, m_0, ..., m_{i-1}; r) = M_j(x_j, m^j_0, ..., m^j_{t-1}; "
        "r_j) for m_{i-1} = (j, q)",
        source="section 1, Concurrent Composition",
        status="definition",
        hypotheses="added: tuples are neighbours when all their coordinates are, or are equal",
        laws=(
            Law(
                "Comp is the product, and so is ConComp of mechanisms that answer once",
                st.tuples(two_row_channels(3), two_row_channels(3)),
                _comp_law,
            ),
            Law(
                "ConComp message by message, coin by coin",
                st.tuples(mechanism_pairs(2, 4, _SIDES), st.integers(0, 1000)).map(lambda e: (*e[0], e[1])),
                _concurrent_law,
            ),
            Law(
                "over pairs of nodes as over all interleavings",
                mechanism_pairs(2, 4),
                _tuples_law,
            ),
            Law("the curve over all interleavings", mechanism_pairs(2, 4), _interleaved_law),
        ),
        facts=(
            fact("(no pair), (no third component) and the like are answered with halt", _unparsable),
            fact(
                "two answers of 2/3 | 1/3: 4/9, 2/9, 2/9, 1/9 against 1/9, 2/9, 2/9, 4/9",
                lambda: _both_change() == channel("4/9 2/9 2/9 1/9", "1/9 2/9 2/9 4/9"),
            ),
        ),
        errata=(_NEIGHBOURS,),
        defines=True,
    ),
)
