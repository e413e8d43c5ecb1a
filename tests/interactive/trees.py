"""Random interactive mechanisms, and what adversaries see by definition, without the package's own adversaries."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

from gmpy2 import mpq

from oracle.exact import to_fraction
from oracle.interactive.tree import HALT, AnswerNode, Branch, InteractiveMechanism, Node, QueryNode

Law = list[tuple[Fraction, Fraction]]


def random_law(chance: random.Random, outcomes: int) -> list[mpq]:
    """A law with small denominators, now and then with a zero."""
    weights = [0 if chance.random() < 0.15 else chance.randint(1, 12) for _ in range(outcomes)]
    if not any(weights):
        weights[0] = 1
    return [mpq(weight, sum(weights)) for weight in weights]


def random_node(chance: random.Random, depth: int) -> Node:
    """A subtree of at most that depth, with up to three options and branches."""
    if depth == 0 or chance.random() < 0.1:
        return HALT
    count = chance.randint(1, 3)
    if chance.random() < 0.5:
        return QueryNode(tuple((f"q{k}", random_node(chance, depth - 1)) for k in range(count)))
    laws = zip(random_law(chance, count), random_law(chance, count), strict=True)
    branches = (Branch(str(k), p, q, random_node(chance, depth - 1)) for k, (p, q) in enumerate(laws) if p or q)
    return AnswerNode(tuple(branches))


def random_mechanisms(seed: int, count: int, most: int = 200) -> list[InteractiveMechanism]:
    """Trees of depth 2 to 5 with at most that many adversaries."""
    chance = random.Random(seed)  # noqa: S311 - a fixed sample
    found: list[InteractiveMechanism] = []
    while len(found) < count:
        mechanism = InteractiveMechanism(random_node(chance, 5))
        if mechanism.depth > 1 and adversaries(mechanism.root) <= most:
            found.append(mechanism)
    return found


def adversaries(node: Node) -> int:
    """The number of deterministic adversaries."""
    if isinstance(node, QueryNode):
        return sum(adversaries(child) for _, child in node.options)
    if isinstance(node, AnswerNode):
        count = 1
        for branch in node.branches:
            count *= adversaries(branch.then)
        return count
    return 1


def view_laws(node: Node) -> list[Law]:
    """For each deterministic adversary the probabilities of its views under both inputs, from the definition."""
    if isinstance(node, QueryNode):
        return [law for _, child in node.options for law in view_laws(child)]
    if isinstance(node, AnswerNode):
        found: list[Law] = []
        for below in product(*(view_laws(branch.then) for branch in node.branches)):
            pairs = zip(node.branches, below, strict=True)
            found.append([(to_fraction(b.p) * p, to_fraction(b.q) * q) for b, law in pairs for p, q in law])
        return found
    return [[(Fraction(1), Fraction(1))]]


def errors(law: Law) -> list[tuple[Fraction, Fraction]]:
    """The corners of T(P, Q) of one adversary: reject on the views of largest q/p."""
    by_ratio = sorted(law, key=lambda v: v[1] / (v[0] + v[1]) if any(v) else Fraction(0), reverse=True)
    points = [(Fraction(0), Fraction(1))]
    for p, q in by_ratio:
        points.append((points[-1][0] + p, points[-1][1] - q))
    return points


def lower_hull(points: list[tuple[Fraction, Fraction]]) -> list[tuple[Fraction, Fraction]]:
    """The corners of the lower convex hull."""
    hull: list[tuple[Fraction, Fraction]] = []
    for x, y in sorted(set(points)):
        if hull and hull[-1][0] == x:
            continue
        while len(hull) > 1 and (hull[-1][1] - hull[-2][1]) * (x - hull[-2][0]) >= (y - hull[-2][1]) * (
            hull[-1][0] - hull[-2][0]
        ):
            hull.pop()
        hull.append((x, y))
    return hull


def response(p: object, q: object, after_0: Node = HALT, after_1: Node = HALT) -> AnswerNode:
    """An answer node with the answers 0 and 1."""
    first, second = mpq(p), mpq(q)  # type: ignore[call-overload]
    return AnswerNode((Branch("0", first, second, after_0), Branch("1", 1 - first, 1 - second, after_1)))
