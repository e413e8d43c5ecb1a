"""What a certificate about an interactive mechanism means, by definition: every adversary's views, one by one.

Nothing of the package under test is imported.  Documents given here were accepted, so they are well-formed.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

View = tuple[Fraction, Fraction]
Law = list[Fraction]


def view_laws(d: Any) -> list[list[View]]:
    """For each deterministic adversary the probabilities (on the first, on the second input) of each of its views."""
    return _laws(d["nodes"], len(d["nodes"]) - 1)


def _laws(nodes: Any, k: int) -> list[list[View]]:
    node = nodes[k]
    if node is None:
        return [[(Fraction(1), Fraction(1))]]
    if "query" in node:
        return [views for _, child in node["query"] for views in _laws(nodes, child)]
    found = []
    for choice in product(*(_laws(nodes, child) for *_, child in node["answer"])):
        scaled = zip(node["answer"], choice, strict=True)
        found.append([(Fraction(p) * a, Fraction(q) * b) for (_, p, q, _), views in scaled for a, b in views])
    return found


def simulated_laws(d: Any, row: int) -> list[list[Fraction]]:
    """The same by running the kernels, given one sample of a row of N; in the same order."""
    state = [Fraction(text) for text in d["states"][-1]["matrix"][row]]
    return _runs(d, len(d["nodes"]) - 1, state)


def _runs(d: Any, k: int, carried: Law) -> list[list[Fraction]]:
    node, kernels = d["nodes"][k], d["kernels"][k]
    if node is None:
        return [[sum(carried, Fraction(0))]]
    if "query" in node:
        pairs = zip(node["query"], kernels, strict=True)
        return [views for (_, child), kernel in pairs for views in _runs(d, child, _times(carried, kernel))]
    (kernel,) = kernels
    drawn, start = _times(carried, kernel), 0
    parts = []
    for *_, child in node["answer"]:
        width = len(d["states"][child]["matrix"][0])
        parts.append(_runs(d, child, drawn[start : start + width]))
        start += width
    return [[x for views in choice for x in views] for choice in product(*parts)]


def _times(law: Law, kernel: Any) -> Law:
    result = [Fraction(0)] * kernel["columns"]
    for i, j, text in kernel["entries"]:
        result[j] += law[i] * Fraction(text)
    return result


def is_simulated(d: Any) -> bool:
    """The views of every adversary have the probabilities that the kernels give them, for both inputs."""
    views = view_laws(d)
    return all([[view[row] for view in one] for one in views] == simulated_laws(d, row) for row in (0, 1))


def event_views(d: Any, test: int) -> list[tuple[Fraction, Fraction, bool]]:
    """The views of a test, with their probabilities, and whether they belong to its event."""
    item = d["tests"][test]
    if "end" in item:
        return [(Fraction(1), Fraction(1), item["end"])]
    if "ask" in item:
        return event_views(d, item["then"])
    found = []
    for (_, p, q, _), below in zip(d["nodes"][item["node"]]["answer"], item["hear"], strict=True):
        found += [(Fraction(p) * a, Fraction(q) * b, inside) for a, b, inside in event_views(d, below)]
    return found
