"""Concurrent composition by definition: every interleaving adversary on tuples of nodes, and random small trees."""

from __future__ import annotations

import random
from itertools import product

from gmpy2 import mpq

from oracle.interactive.tree import HALT, AnswerNode, Branch, InteractiveMechanism, QueryNode


def laws(state, *, in_order=False):
    """The laws of the view, as tuples of (p, q), of every deterministic adversary of a tuple of nodes.

    A component that has to answer does so; otherwise the adversary chooses a component and an option. With *in_order*
    it may only choose the first component that has not come to its end.
    """
    for j, node in enumerate(state):
        if isinstance(node, AnswerNode):
            below = [list(laws((*state[:j], b.then, *state[j + 1 :]), in_order=in_order)) for b in node.branches]
            for chosen in product(*below):
                pairs = zip(node.branches, chosen, strict=True)
                yield tuple((b.p * p, b.q * q) for b, law in pairs for p, q in law)
            return
    if all(node is HALT for node in state):
        yield ((mpq(1), mpq(1)),)
    for j, node in enumerate(state):
        if isinstance(node, QueryNode):
            for _, child in node.options:
                yield from laws((*state[:j], child, *state[j + 1 :]), in_order=in_order)
            if in_order:
                return


def delayed_laws(state):
    """The same for adversaries that may let a component wait with its answer while they go on with others."""
    if all(node is HALT for node in state):
        yield ((mpq(1), mpq(1)),)
    for j, node in enumerate(state):
        if isinstance(node, QueryNode):
            for _, child in node.options:
                yield from delayed_laws((*state[:j], child, *state[j + 1 :]))
        if isinstance(node, AnswerNode):
            below = [list(delayed_laws((*state[:j], b.then, *state[j + 1 :]))) for b in node.branches]
            for chosen in product(*below):
                pairs = zip(node.branches, chosen, strict=True)
                yield tuple((b.p * p, b.q * q) for b, law in pairs for p, q in law)


def stick(law, level):
    """Σ max(0, p - a q)."""
    return sum((max(mpq(0), p - level * q) for p, q in law), mpq(0))


def moment(law, order):
    """Σ p^a q^(1-a), or None for infinite."""
    if any(p and not q for p, q in law):
        return None
    return sum((p**order / q ** (order - 1) for p, q in law if p), mpq(0))


def seeded(seed):
    """Random numbers that are the same in every run."""
    return random.Random(seed)  # noqa: S311 - test data


def random_law(rng, branches):
    """Weights out of 0..3, not all 0."""
    while True:
        weights = [rng.randint(0, 3) for _ in range(branches)]
        if any(weights):
            return [mpq(w, sum(weights)) for w in weights]


def random_answer(rng, depth):
    """An answer node with two branches, of which neither is impossible under both inputs."""
    while True:
        p, q = random_law(rng, 2), random_law(rng, 2)
        if all(a or b for a, b in zip(p, q, strict=True)):
            children = [random_node(rng, depth - 1) for _ in p]
            rows = zip(("0", "1"), p, q, children, strict=True)
            return AnswerNode(tuple(Branch(*row) for row in rows))


def random_node(rng, depth):
    """A leaf, or a query node with one or two options; rarely two nodes of a kind in a row."""
    if depth <= 0 or rng.random() < 0.25:
        return HALT
    if rng.random() < 0.1:
        return random_answer(rng, depth)
    options = rng.choice((("A",), ("A", "B")))
    return QueryNode(tuple((label, random_answer(rng, depth)) for label in options))


def random_mechanism(rng, depth):
    """A mechanism that starts with a query, or one time in four with an answer."""
    if rng.random() < 0.25:
        return InteractiveMechanism(random_answer(rng, depth))
    options = tuple((label, random_answer(rng, depth)) for label in rng.choice((("A",), ("A", "B"))))
    return InteractiveMechanism(QueryNode(options))
