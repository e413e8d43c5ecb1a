"""Small interactive mechanisms of the literature and of counterexamples, exactly."""

from __future__ import annotations

from gmpy2 import mpq

from oracle.interactive.tree import HALT, AnswerNode, Branch, InteractiveMechanism, Node, QueryNode

__all__ = ["binary_answer", "choice_of_two", "interleaving", "renyi_choice", "unattained"]


def binary_answer(p: mpq, q: mpq, after_0: Node = HALT, after_1: Node = HALT) -> AnswerNode:
    """Answer ``0`` with probability p on the first input and q on the second, else ``1``; impossible ones left out."""
    branches = (Branch("0", p, q, after_0), Branch("1", 1 - p, 1 - q, after_1))
    return AnswerNode(tuple(branch for branch in branches if branch.p or branch.q))


def choice_of_two(first: Node, second: Node) -> QueryNode:
    """The adversary chooses ``A`` or ``B``."""
    return QueryNode((("A", first), ("B", second)))


def interleaving() -> InteractiveMechanism:
    """Two copies of this, interleaved, reveal strictly more than one after the other.

    A query is answered 0 with probability 3/4 | 1/2. After 0 the adversary chooses A, answered 0 with probability
    1 | 1/2, or B, answered 0 with probability 1/2 | 1; after 1 it is over. A can prove the second input, B the first.
    Which of them is the better question depends on the other copy, so it pays to hear the first answers of both
    copies before either choice, which no sequential order allows.
    """
    choice = choice_of_two(binary_answer(mpq(1), mpq(1, 2)), binary_answer(mpq(1, 2), mpq(1)))
    first = QueryNode((("ask", binary_answer(mpq(3, 4), mpq(1, 2), after_0=choice)),))
    return InteractiveMechanism(first, "interleaving")


def unattained() -> InteractiveMechanism:
    """Two copies of this do not reach the bound of theorem 1.4, N x N.

    The adversary asks A, answered 0 with probability 0 | 1/3, or B, answered 0 with probability 1/4 | 3/4. N has the
    columns (3/4, 1/4, 0 | 1/4, 5/12, 1/3): at alpha = 0 it is A, at alpha = 1/4 it is B, and N x N is both at a time.
    """
    return InteractiveMechanism(
        choice_of_two(binary_answer(mpq(0), mpq(1, 3)), binary_answer(mpq(1, 4), mpq(3, 4))), "bound not attained"
    )


def renyi_choice() -> InteractiveMechanism:
    """A choice whose options have the moment 4/3 of order 2 each, while every simulating channel has at least 3/2.

    A is answered 0 with probability 1/2 | 1/4, B with probability 0 | 1/4.
    """
    return InteractiveMechanism(
        choice_of_two(binary_answer(mpq(1, 2), mpq(1, 4)), binary_answer(mpq(0), mpq(1, 4))), "Renyi choice"
    )
