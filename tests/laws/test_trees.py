"""Random interactive mechanisms as examples: valid, within their limits, and with the corners that they promise."""

from __future__ import annotations

from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

from oracle.channels.canonical import canonical
from oracle.interactive.adversaries import count_strategies, strategies, view_channel
from oracle.interactive.concurrent import concurrent_composition
from oracle.interactive.reading import parse_interactive
from oracle.interactive.tightness import tight_channel
from oracle.interactive.tree import HALT, AnswerNode, InteractiveMechanism, QueryNode, children
from oracle.json_text import parse
from oracle.laws.harness import show
from oracle.laws.trees import (
    MAX_INTERLEAVINGS,
    attacked_mechanisms,
    interactive_mechanisms,
    mechanism_pairs,
    numbered,
    one_shot,
)


def drawn(strategy: SearchStrategy[Any], examples: int) -> list[Any]:
    """Examples as a search would meet them, the same every time; nothing is shrunk."""
    found: list[Any] = []
    collect = settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    collect(given(strategy)(lambda example: found.append(example)))()  # noqa: PLW0108 - hypothesis wants a function
    return found


def answers(mechanism: InteractiveMechanism) -> list[AnswerNode]:
    return [node for node in mechanism.nodes if isinstance(node, AnswerNode)]


def follows(mechanism: InteractiveMechanism, kind: type) -> bool:
    """Whether a node of a kind is followed by one of the same kind."""
    return any(isinstance(node, kind) and any(isinstance(c, kind) for c in children(node)) for node in mechanism.nodes)


def is_shared(mechanism: InteractiveMechanism) -> bool:
    inner = [id(child) for node in mechanism.nodes for child in children(node) if child is not HALT]
    return len(inner) > len(set(inner))


def needs_several(mechanism: InteractiveMechanism) -> bool:
    """Whether no single adversary has the tight pair as its views."""
    views = [canonical(view_channel(mechanism, strategy)) for strategy in strategies(mechanism)]
    return tight_channel(mechanism) not in views


CORNERS = {
    "a leaf at the root": lambda m: m.root is HALT,
    "an answer at the root": lambda m: isinstance(m.root, AnswerNode),
    "three options": lambda m: isinstance(m.root, QueryNode) and len(m.root.options) == 3,
    "queries after queries": lambda m: follows(m, QueryNode),
    "answers after answers": lambda m: follows(m, AnswerNode),
    "an answer of one input only": lambda m: any(
        (b.p == 0) != (b.q == 0) for node in answers(m) for b in node.branches
    ),
    "equal laws": lambda m: any(
        all(b.p == b.q for b in node.branches) and len(node.branches) > 1 for node in answers(m)
    ),
    "a shared subtree": is_shared,
    "a huge denominator": lambda m: any(b.p.denominator > 2**80 for node in answers(m) for b in node.branches),
    "no best adversary": needs_several,
    "many adversaries": lambda m: count_strategies(m) > 15,
}


@pytest.fixture(scope="module")
def examples() -> list[InteractiveMechanism]:
    """What a long run of one law meets."""
    return drawn(interactive_mechanisms(), 400)


@pytest.mark.slow
@pytest.mark.parametrize("corner", CORNERS)
def test_mechanisms_reach_every_corner(examples: list[InteractiveMechanism], corner: str) -> None:
    """A mechanism of each kind is among the examples."""
    assert any(map(CORNERS[corner], examples))


@given(interactive_mechanisms(3, 20))
def test_mechanisms_stay_within_their_limits(mechanism: InteractiveMechanism) -> None:
    """Depth and number of adversaries."""
    assert mechanism.depth <= 3
    assert count_strategies(mechanism) <= 20


@given(interactive_mechanisms(coins=3), interactive_mechanisms(positive=True))
def test_probabilities_are_as_asked(tossed: InteractiveMechanism, positive: InteractiveMechanism) -> None:
    """Multiples of a third; none that is 0."""
    assert all((3 * b.p).denominator == (3 * b.q).denominator == 1 for node in answers(tossed) for b in node.branches)
    assert all(b.p > 0 and b.q > 0 for node in answers(positive) for b in node.branches)


@given(attacked_mechanisms())
def test_adversaries_have_numbers_and_weights(attacked) -> None:
    """As many weights as adversaries, positive ones that sum to 1; numbers name adversaries of the mechanism."""
    mechanism, numbers, weights = attacked
    assert len(weights) == len(numbers) == len(numbered(mechanism, numbers))
    assert (sum(weights), min(weights) > 0) == (1, True)


def test_pairs_can_be_enumerated() -> None:
    """The number of interleaving adversaries stays within its limit, also where the parts have many."""
    counts = [count_strategies(concurrent_composition(pair)) for pair in drawn(mechanism_pairs(3, 40), 60)]
    assert 20 < max(counts) <= MAX_INTERLEAVINGS


def test_pairs_are_now_and_then_twice_the_same() -> None:
    """Both kinds of pair come up, with more than one adversary each."""
    pairs = [pair for pair in drawn(mechanism_pairs(), 60) if all(count_strategies(m) > 1 for m in pair)]
    assert {first is second for first, second in pairs} == {True, False}


def test_a_channel_as_a_mechanism_leaves_out_what_cannot_be_answered() -> None:
    """One query, and as many answers as columns that are not 0."""
    mechanism = one_shot(((mpq(1, 2), mpq(1, 2), mpq(0)), (mpq(1, 4), mpq(3, 4), mpq(0))))
    assert (count_strategies(mechanism), len(answers(mechanism)[0].branches)) == (1, 2)


@given(interactive_mechanisms())
def test_examples_are_shown_as_json_that_reads_back(mechanism: InteractiveMechanism) -> None:
    """What the harness prints of a mechanism is the mechanism."""
    assert parse_interactive(parse(show((mechanism,)))).hash == mechanism.hash
