"""The protocol of definition 1.2, run message by message, on mechanisms that are worked out by hand."""

from __future__ import annotations

from gmpy2 import mpq

from oracle.interactive.adversaries import ACCEPT, Ask, Hear, strategies
from oracle.interactive.concurrent import concurrent_composition
from oracle.interactive.examples import binary_answer, interleaving
from oracle.interactive.tree import HALT, AnswerNode, Branch, InteractiveMechanism, QueryNode
from oracle.laws.vadhan2023._protocol import (
    HALTED,
    concurrent_party,
    mechanism_party,
    messages_of,
    run,
    views_by_coins,
    views_of_pair,
)


def test_messages_alternate_until_somebody_halts() -> None:
    """The adversary's messages have even numbers, the mechanism's odd ones, and the last is halt."""
    mechanism = interleaving()
    asks_b = Ask("ask", Hear((Ask("B", Hear((ACCEPT, ACCEPT))), ACCEPT)))
    messages = run(messages_of(mechanism, asks_b), mechanism_party(mechanism, False, (0, 3), 4))
    assert messages == ["ask", "0", "B", "1", HALTED]


def test_views_are_counted_over_all_coins() -> None:
    """Two coins of four sides: 0 and then A's answer 0 on 12 of 16 outcomes of the first input, 4 of the second."""
    mechanism = interleaving()
    assert views_by_coins(mechanism, strategies(mechanism)[0], 4) == {
        ("0", "0"): [mpq(3, 4), mpq(1, 4)],
        ("0", "1"): [mpq(0), mpq(1, 4)],
        ("1",): [mpq(1, 4), mpq(1, 2)],
    }


def test_a_mechanism_that_has_come_to_its_end_halts() -> None:
    """A further message, and a query that is no option, are answered with halt."""
    party = mechanism_party(interleaving(), False, (3, 0), 4)
    assert [party(["ask"]), party(["ask", "A"]), party(["other"])] == ["1", HALTED, HALTED]


def test_two_answers_in_a_row_take_two_rounds() -> None:
    """The adversary has nothing to say in between; queries in a row leave the mechanism nothing to say."""
    half = mpq(1, 2)
    answers = AnswerNode((Branch("0", half, half, binary_answer(half, half)), Branch("1", half, half, HALT)))
    mechanism = InteractiveMechanism(QueryNode((("A", QueryNode((("B", answers),))),)))
    (strategy,) = strategies(mechanism)
    party = mechanism_party(mechanism, False, (0, 1), 2)
    assert run(messages_of(mechanism, strategy), party) == ["A", "", "B", "0", "", "1", HALTED]


def test_each_component_sees_its_own_queries_only() -> None:
    """The history of component 2 is its own part of the messages, in order."""
    seen: list[list[str]] = []

    def listening(received):
        seen.append(list(received))
        return "heard"

    party = concurrent_party([lambda _: "other", listening])
    assert party(["1.a", "2.b", "1.c", "2.d"]) == "heard"
    assert seen == [["b", "d"]]


def test_concurrent_views_are_products_of_independent_coins() -> None:
    """Both copies are asked once: 0 and 0 with 9/16 | 1/4."""
    one = InteractiveMechanism(QueryNode((("ask", binary_answer(mpq(3, 4), mpq(1, 2))),)))
    both = concurrent_composition([one, one])
    laws = views_of_pair([one, one], both, strategies(both)[0], 4)
    assert laws["0", "0"] == [mpq(9, 16), mpq(1, 4)]
    assert len(laws) == 4
