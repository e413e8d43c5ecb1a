"""Definition 1.2 and the definition of ConComp, letter by letter: two functions of messages and coins in a loop.

A party is a function of the messages that it has received and of its own coins; it finds out where it is by playing
all earlier rounds again. Party A, the adversary, sends the messages of even number, party B, the mechanism, those of
odd number. Whoever has nothing to say sends the empty message. A mechanism tosses one die with *sides* sides for each
of its answers, so the probabilities of its tree have to be multiples of 1/sides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from gmpy2 import mpq

from oracle.interactive.adversaries import Ask, Hear, Strategy
from oracle.interactive.tree import HALT, AnswerNode, InteractiveMechanism, Node, QueryNode

__all__ = [
    "HALTED",
    "Laws",
    "Party",
    "concurrent_party",
    "mechanism_party",
    "messages_of",
    "run",
    "views_by_coins",
    "views_of_pair",
]

HALTED = "halt"
_NOTHING = ""
_MANY_ROUNDS = 100

Coins = tuple[int, ...]
Party = Callable[[Sequence[str]], str]
"""From the messages received to the message sent, for fixed input and coins."""


def run(first: Party, second: Party) -> list[str]:
    """The messages m_0, m_1, ... of the interaction, up to and including ``halt``."""
    messages: list[str] = []
    for i in range(_MANY_ROUNDS):
        sender = second if i % 2 else first
        messages.append(sender(messages[(i + 1) % 2 :: 2]))
        if messages[-1] == HALTED:
            return messages
    raise AssertionError("a finite mechanism and its adversary come to an end")


def mechanism_party(mechanism: InteractiveMechanism, second_input: bool, coins: Coins, sides: int) -> Party:
    """M(x, m_0, m_2, ...; r): *second_input* says which of the two inputs x is."""

    def message(received: Sequence[str]) -> str:
        node: Node = mechanism.root
        said, tossed = _NOTHING, 0
        for heard in received:
            if node is HALT:
                return HALTED
            if isinstance(node, QueryNode):
                options = dict(node.options)
                if heard not in options:
                    return HALTED
                node = options[heard]
            said = _NOTHING
            if isinstance(node, AnswerNode):
                k = _drawn(node, second_input, coins[tossed], sides)
                said, node, tossed = node.branches[k].label, node.branches[k].then, tossed + 1
        return said

    return message


def _drawn(node: AnswerNode, second_input: bool, coin: int, sides: int) -> int:
    """The branch whose interval of the cumulative law holds the coin."""
    total = mpq(0)
    for k, branch in enumerate(node.branches):
        total += branch.q if second_input else branch.p
        if coin < total * sides:
            return k
    raise AssertionError("the probabilities of the branches sum to 1")


def concurrent_party(parts: Sequence[Party]) -> Party:
    """ConComp: parse the last message as (j, q), written ``j.q``, and answer as M_j does given its own history."""

    def message(received: Sequence[str]) -> str:
        parsed = [_parsed(text, len(parts)) for text in received]
        histories: list[list[str]] = [[] for _ in parts]
        for query in parsed:
            if query is None:
                return HALTED
            histories[query[0]].append(query[1])
        last = parsed[-1]
        assert last is not None  # noqa: S101 - narrows the type
        return parts[last[0]](histories[last[0]])

    return message


def _parsed(text: str, count: int) -> tuple[int, str] | None:
    component, dot, query = text.partition(".")
    if not dot or not component.isdecimal() or not 1 <= int(component) <= count:
        return None
    return int(component) - 1, query


def messages_of(mechanism: InteractiveMechanism, strategy: Strategy, *, concurrent: bool = False) -> Party:
    """The adversary B(m_1, m_3, ...): a strategy of the tree as a function of the answers received.

    With *concurrent* the tree is a concurrent composition, whose labels are ``j.label``: where component j has to
    speak the adversary sends (j, the empty message), and what it hears belongs to the component that it addressed.
    """

    def message(received: Sequence[str]) -> str:
        node: Node = mechanism.root
        plan = strategy
        for turn in range(len(received) + 1):
            said = _NOTHING
            if node is HALT:
                return HALTED
            if isinstance(node, QueryNode) and isinstance(plan, Ask):
                said = plan.option
                node, plan = dict(node.options)[said], plan.then
            elif concurrent and isinstance(node, AnswerNode):
                said = node.branches[0].label.partition(".")[0] + "."
            if turn == len(received):
                return said
            if isinstance(node, AnswerNode) and isinstance(plan, Hear) and received[turn] != _NOTHING:
                heard = said.partition(".")[0] + "." + received[turn] if concurrent else received[turn]
                k = [branch.label for branch in node.branches].index(heard)
                node, plan = node.branches[k].then, plan.then[k]
        raise AssertionError("the last turn has returned")

    return message


Laws = dict[tuple[str, ...], list[mpq]]
"""For each view, the messages that the adversary has received, its probability on the first and second input."""


def _counted(play: Callable[[bool, Coins], list[str]], tosses: int, sides: int) -> Laws:
    laws: Laws = {}
    for second_input in (False, True):
        for coins in product(range(sides), repeat=tosses):
            view = tuple(play(second_input, coins)[1::2])
            laws.setdefault(view, [mpq(0), mpq(0)])[second_input] += mpq(1, sides**tosses)
    return laws


def views_by_coins(mechanism: InteractiveMechanism, strategy: Strategy, sides: int) -> Laws:
    """The laws of the view, by running the protocol for every outcome of the mechanism's coins."""
    adversary = messages_of(mechanism, strategy)

    def play(second_input: bool, coins: Coins) -> list[str]:
        return run(adversary, mechanism_party(mechanism, second_input, coins, sides))

    return _counted(play, mechanism.depth, sides)


def views_of_pair(
    parts: Sequence[InteractiveMechanism], composition: InteractiveMechanism, strategy: Strategy, sides: int
) -> Laws:
    """The laws of the view of ConComp(parts), *strategy* being one of the tree *composition*."""
    adversary = messages_of(composition, strategy, concurrent=True)
    depths = [part.depth for part in parts]

    def play(second_input: bool, coins: Coins) -> list[str]:
        own: list[Party] = []
        start = 0
        for part, depth in zip(parts, depths, strict=True):
            own.append(mechanism_party(part, second_input, coins[start : start + depth], sides))
            start += depth
        return run(adversary, concurrent_party(own))

    return _counted(play, sum(depths), sides)
