"""Random trees of some hundred and of over 10,000 nodes: tight curve, simulation, and the check of its certificate."""

from __future__ import annotations

import random
import sys
from itertools import pairwise
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from oracle.certificates.checker import check
from oracle.interactive.simulation import simulate
from oracle.interactive.tightness import Tightness
from oracle.interactive.tree import HALT, AnswerNode, Branch, InteractiveMechanism, Node, QueryNode
from tests.interactive.trees import random_law


def grown(chance: random.Random, budget: int, *, asks: bool) -> Node:
    """A tree of about a third of *budget* nodes; questions and answers alternate."""
    if budget < 3:
        return HALT
    if asks:
        return QueryNode(tuple((f"q{k}", grown(chance, budget // 2 - 1, asks=False)) for k in range(2)))
    laws = zip(random_law(chance, 3), random_law(chance, 3), strict=True)
    branches = ((p, q, grown(chance, budget // 3 - 1, asks=True)) for p, q in laws)
    return AnswerNode(tuple(Branch(str(k), p, q, then) for k, (p, q, then) in enumerate(branches) if p or q))


def main() -> None:
    chance = random.Random(6)  # noqa: S311 - a fixed sample
    for budget, limit in ((350, "seconds"), (250_000, "5 s for the curve")):
        mechanism = InteractiveMechanism(grown(chance, budget, asks=True))
        times = [perf_counter()]
        tight = Tightness(mechanism)
        times.append(perf_counter())
        certificate = simulate(mechanism, tight).certificate()
        times.append(perf_counter())
        check(certificate)
        times.append(perf_counter())
        curve, simulated, checked = (b - a for a, b in pairwise(times))
        took = f"curve {curve:.2f} s, simulation {simulated:.2f} s, check {checked:.2f} s"
        print(f"{mechanism.size} nodes: {took} ({limit})")


if __name__ == "__main__":
    main()
