"""The interactive mechanism of a report, read back from its certificates: as text, as a drawing, its adversaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gmpy2 import mpz

from oracle.interactive.simulation import mechanism_of_nodes
from oracle.interactive.tree import InteractiveMechanism
from oracle.render.trees import tree_svg, tree_text
from oracle.render.words import Label, inequality_line, number, plain, short

__all__ = ["adversary_lines", "history", "report_svg", "report_tree"]

Json = Mapping[str, Any]
Steps = Sequence[Sequence[str]]

_MOST_LINES: Final = 60
_KINDS: Final = {"ask": "query", "hear": "answer"}


def _mechanism(document: Json) -> InteractiveMechanism:
    return mechanism_of_nodes(document["certificates"][-1]["nodes"], document["input"]["interactive"]["name"])


def _marked(document: Json) -> list[tuple[tuple[str, str], ...]]:
    """The listed views of the first event that refutes a claim."""
    for claim in document["claims"]:
        evidence = document["results"][claim["worst"]]["evidence"]
        if evidence["kind"] == "adversary":
            return [tuple((_KINDS[kind], label) for kind, label in view["steps"]) for view in evidence["event"]]
    return []


def report_tree(document: Json) -> str:
    """The tree as text, the listed views of a refuting event marked."""
    return tree_text(_mechanism(document), _marked(document), _MOST_LINES)


def report_svg(document: Json) -> str:
    """The same as a drawing."""
    return tree_svg(_mechanism(document), _marked(document))


def history(steps: Steps, label: Label = plain) -> str:
    """A history in words."""
    return ", ".join(f"{kind} {label(text)}" for kind, text in steps)


def adversary_lines(evidence: Json, label: Label = plain) -> list[tuple[str, str]]:
    """A refuting adversary: its event with the inequality, what it asks, and the views of the event, each named."""
    views = _count(evidence["views"], "view")
    masses = f"P(S) = {number(evidence['p'], 'down')}, Q(S) = {number(evidence['q'], 'down')}"
    lines = [("event", f"S = {views} of the adversary below: {masses}"), ("", inequality_line(evidence["inequality"]))]
    asked = [
        f"after {history(item['after'], label)}: ask {label(item['ask'])}"
        if item["after"]
        else f"first: ask {label(item['ask'])}"
        for item in evidence["strategy"]
    ] or ["asks nothing"]
    asked += _more(evidence["questions"], len(evidence["strategy"]), "question")
    seen = [
        f"{history(view['steps'], label) or '(nothing)'}: {number(view['p'], 'down')}, {number(view['q'], 'down')}"
        for view in evidence["event"]
    ]
    seen += _more(evidence["views"], len(evidence["event"]), "view")
    for name, texts in (("adversary", asked), ("P, Q of views", seen)):
        lines += zip([name, *[""] * len(texts)], texts, strict=False)
    return lines


def _count(total: str, what: str) -> str:
    """A number of any length with what is counted."""
    return f"{short(total)} {what}{'' if total == '1' else 's'}"


def _more(total: str, shown: int, what: str) -> list[str]:
    more = mpz(total) - shown
    return [f"... {_count(str(more), f'more {what}')}"] if more > 0 else []
