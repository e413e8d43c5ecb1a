"""Query systems that answer questions about bits by randomised response, correct and broken.

The database is a list of bits; the two inputs differ in one of them, which is 1 on the first and 0 on the second, and
all others are 0 on both. The adversary asks for a bit and is told the truth with probability E/(1 + E), else the
opposite. The system keeps to a budget in one of these ways.

*fresh*: new randomness for each of *questions* answers: (questions · log E)-DP by basic composition, and no less, since
the differing bit may be asked for each time.

*remembered*: the answer to a bit is drawn once and repeated; (log E)-DP however often it is asked for, because all
the answers about the differing bit are one randomised response (as RAPPOR's permanent response).

A system that charges a bit once, as if it were remembered, and yet draws every answer anew is the first and claims to
be the second: broken.

*chosen levels*: the adversary also chooses the level E of each answer from a list, as long as the product of all levels
asked for stays within a budget: a privacy filter, which is (log budget)-DP. It ends after *questions* answers, since
the communication is finite. *Charged late* (broken), the filter looks at the budget before it adds the new level.

Sources: S. L. Warner, JASA 60, 1965; U. Erlingsson, V. Pihur and A. Korolova, RAPPOR, CCS 2014; R. Rogers, A. Roth,
J. Ullman and S. Vadhan, Privacy Odometers and Filters, NIPS 2016.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

from gmpy2 import mpq

from oracle.errors import InputError, LimitError, shorten
from oracle.exact import to_text
from oracle.interactive.tree import (
    HALT,
    MAX_DEPTH,
    MAX_NODES,
    AnswerNode,
    Branch,
    InteractiveMechanism,
    Node,
    QueryNode,
)

__all__ = ["chosen_level_responses", "fresh_responses", "remembered_responses"]

_MOST_BITS: Final = 1_000


def _check(exp_epsilon: mpq, bits: int, differing: int, questions: int) -> None:
    if exp_epsilon < 1:
        raise InputError("an exp_epsilon at least 1", shorten(to_text(exp_epsilon)), "exp_epsilon")
    if not 1 <= bits <= _MOST_BITS:
        raise LimitError(f"1 to {_MOST_BITS} bits", f"{bits}", "bits")
    if not 0 <= differing < bits:
        raise InputError(f"one of the bits 0..{bits - 1}", f"{differing}", "differing")
    if not 1 <= 2 * questions <= MAX_DEPTH:
        raise LimitError(f"1 to {MAX_DEPTH // 2} questions", f"{questions}", "questions")


def _response(exp_epsilon: mpq, *, differs: bool, after: Sequence[Node]) -> AnswerNode:
    """The answer to one question; *after* is what follows the answers 0 and 1."""
    truth, lie = exp_epsilon / (1 + exp_epsilon), 1 / (1 + exp_epsilon)
    p_one = truth if differs else lie
    return AnswerNode((Branch("1", p_one, lie, after[1]), Branch("0", 1 - p_one, truth, after[0])))


def fresh_responses(
    exp_epsilon: mpq, questions: int, *, bits: int = 2, differing: int = 0, name: str | None = None
) -> InteractiveMechanism:
    """New randomness for each of *questions* answers: e^epsilon = E^questions, exactly."""
    _check(exp_epsilon, bits, differing, questions)
    node: Node = HALT
    for _ in range(questions):
        options = (
            (f"bit {i}", _response(exp_epsilon, differs=i == differing, after=(node, node))) for i in range(bits)
        )
        node = QueryNode(tuple(options))
    return InteractiveMechanism(node, name)


def remembered_responses(
    exp_epsilon: mpq, questions: int, *, bits: int = 2, differing: int = 0, name: str | None = None
) -> InteractiveMechanism:
    """Each bit's answer is drawn once and repeated: e^epsilon = E, exactly, whatever the number of questions.

    Nodes: up to questions · 3^bits, what is remembered of each bit being nothing, 0 or 1.
    """
    _check(exp_epsilon, bits, differing, questions)
    if questions * 3**bits * bits > MAX_NODES:
        raise LimitError(f"at most {MAX_NODES} nodes", f"up to {shorten(questions * 3**bits * bits)}", "bits")

    after: dict[tuple[int | None, ...], Node] = dict.fromkeys(product((None, 0, 1), repeat=bits), HALT)
    for _ in range(questions):
        after = {known: _remembering(exp_epsilon, differing, known, after) for known in after}
    return InteractiveMechanism(after[(None,) * bits], name)


def _remembering(
    exp_epsilon: mpq, differing: int, known: tuple[int | None, ...], after: dict[tuple[int | None, ...], Node]
) -> Node:
    """The query node at which *known* is remembered of each bit; *after* has that of each memory one question later."""
    options = []
    for i, answer in enumerate(known):
        if answer is None:
            following = [after[(*known[:i], value, *known[i + 1 :])] for value in (0, 1)]
            options.append((f"bit {i}", _response(exp_epsilon, differs=i == differing, after=following)))
        else:
            options.append((f"bit {i}", AnswerNode((Branch(str(answer), mpq(1), mpq(1), after[known]),))))
    return QueryNode(tuple(options))


def chosen_level_responses(
    levels: Sequence[mpq], budget: mpq, questions: int, *, charged_late: bool = False, name: str | None = None
) -> InteractiveMechanism:
    """One bit, each answer at a level that the adversary chooses while the budget lasts.

    The tight e^epsilon is the largest product of levels that can be asked for. Nodes: for each number of
    questions one for each product of so many levels.

    Args:
        levels: distinct, each at least 1.
        budget: what the product of the levels must not exceed.
        questions: most answers.
        charged_late: broken: a question is refused only where the levels asked for *before* exceed the budget.
        name: of the mechanism.
    """
    if not levels or len(set(levels)) < len(levels):
        raise InputError("a list of distinct levels", shorten([to_text(level) for level in levels]), "levels")
    for level in levels:
        _check(level, 1, 0, questions)

    def affordable(spent: mpq) -> list[mpq]:
        return [level for level in levels if (spent if charged_late else spent * level) <= budget]

    rounds: list[set[mpq]] = [{mpq(1)}]
    for _ in range(questions):
        rounds.append({spent * level for spent in rounds[-1] for level in affordable(spent)})
    if sum(map(len, rounds)) * len(levels) > MAX_NODES:
        raise LimitError(f"at most {MAX_NODES} nodes", f"up to {sum(map(len, rounds)) * len(levels)}", "questions")
    nodes: dict[mpq, Node] = dict.fromkeys(rounds.pop(), HALT)
    for reached in reversed(rounds):
        nodes = {spent: _choosing(affordable(spent), spent, nodes) for spent in reached}
    return InteractiveMechanism(nodes[mpq(1)], name)


def _choosing(levels: Sequence[mpq], spent: mpq, after: dict[mpq, Node]) -> Node:
    """The choice among affordable levels; the end where there are none."""
    if not levels:
        return HALT
    return QueryNode(
        tuple(
            (f"E={to_text(level)}", _response(level, differs=True, after=(after[spent * level],) * 2))
            for level in levels
        )
    )
