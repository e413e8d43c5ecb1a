"""Interactive mechanisms as text and as SVG, the same on every run.

Query nodes are squares, answer nodes circles, ends dots. An answer has its probabilities ``p | q`` under both inputs.
A tree with shared subtrees is unfolded, breadth first, as far as a limit of drawn nodes allows; what is not
drawn is counted in its place. The drawing has a title and a description as text, runs no script, loads nothing,
and follows the reader's light or dark setting.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

from oracle.errors import InputError
from oracle.exact import to_text
from oracle.interactive.tree import AnswerNode, InteractiveMechanism, Node, QueryNode, size
from oracle.render.words import count, plain, short

__all__ = ["MAX_DRAWN", "MAX_LINES", "tree_summary", "tree_svg", "tree_text"]

MAX_LINES: Final = 200
"""Lines of text of a tree unless told otherwise."""

MAX_DRAWN: Final = 150
"""Nodes of a drawing unless told otherwise."""

_LONGEST_NUMBER: Final = 16
_LONGEST_LABEL: Final = 24

_ROW: Final = 26
_LETTER: Final = 7
_MARGIN: Final = 20
_HEAD: Final = 62
_GAP: Final = 44

_STYLE: Final = (
    ".ground{fill:#ffffff}.ink{fill:#1a1a1a}.line{stroke:#555555;fill:none;stroke-width:1.2}"
    ".query{fill:#ffffff;stroke:#1f4e9c;stroke-width:1.8}.answer{fill:#ffffff;stroke:#a3360a;stroke-width:1.8}"
    ".end{fill:#555555}.marked{stroke:#a3360a;stroke-width:3}.small{fill:#4a4a4a}"
    "@media (prefers-color-scheme:dark){.ground{fill:#14181d}.ink{fill:#ececec}.line{stroke:#a8a8a8}"
    ".query{fill:#14181d;stroke:#8db7ff}.answer{fill:#14181d;stroke:#ffb08a}.end{fill:#a8a8a8}"
    ".marked{stroke:#ffb08a}.small{fill:#bdbdbd}}"
)

Steps = tuple[tuple[str, str], ...]


def tree_summary(mechanism: InteractiveMechanism) -> str:
    """One line: how many nodes of each kind, and the depth."""
    queries = sum(isinstance(node, QueryNode) for node in mechanism.nodes)
    answers = sum(isinstance(node, AnswerNode) for node in mechanism.nodes)
    parts = f"{count(queries, 'query node')}, {count(answers, 'answer node')}, depth {mechanism.depth}"
    return f"{'interactive mechanism' if mechanism.name is None else plain(mechanism.name)}: {parts}"


def _edges(node: Node) -> list[tuple[tuple[str, str], str, str, Node]]:
    """What may follow a node, by label: (step, words, the exact words where those are shortened or nothing, child).

    By label as in certificates, so that a tree and the one of its report are numbered alike.
    """
    if isinstance(node, QueryNode):
        options = sorted(node.options, key=lambda option: option[0])
        return [(("query", label), f"ask {_label(label)}", label, child) for label, child in options]
    if isinstance(node, AnswerNode):
        found = []
        for branch in sorted(node.branches, key=lambda branch: branch.label):
            p, q = to_text(branch.p), to_text(branch.q)
            words = f"hear {_label(branch.label)}: {short(p, _LONGEST_NUMBER)} | {short(q, _LONGEST_NUMBER)}"
            found.append((("answer", branch.label), words, f"{branch.label}: p = {p}, q = {q}", branch.then))
        return found
    return []


def _label(label: str) -> str:
    text = plain(label)
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 3]}..."


def _prefixes(marked: Iterable[Sequence[tuple[str, str]]]) -> set[Steps]:
    return {tuple(steps[:k]) for steps in marked for k in range(1, len(steps) + 1)}


def tree_text(
    mechanism: InteractiveMechanism,
    marked: Iterable[Sequence[tuple[str, str]]] = (),
    max_lines: int = MAX_LINES,
) -> str:
    """The tree as indented lines, one for each option and each answer, a shared subtree written out once.

    Args:
        mechanism: what to show.
        marked: views, as their steps; the lines on their paths begin with ``*``. A subtree on a marked path is
            written out again where it is shared.
        max_lines: after so many lines the rest is counted.
    """
    _require_positive(max_lines, "max_lines")
    paths = _prefixes(marked)
    numbers: dict[int, int] = {}
    lines = [tree_summary(mechanism)]
    stack = _lines_below(mechanism.root, "", ())
    while stack:
        if len(lines) > max_lines:
            lines.append(f"... {count(len(stack), 'more subtree')} not shown")
            break
        node, words, lead, indent, steps = stack.pop()
        known = numbers.get(id(node))
        star = "* " if steps in paths else "  " if paths else ""
        if not _edges(node):
            lines.append(f"{star}{lead}{words}, end")
        elif known is not None and steps not in paths:
            lines.append(f"{star}{lead}{words}, as at #{known}")
        else:
            number = numbers.setdefault(id(node), len(numbers) + 1)
            lines.append(f"{star}{lead}{words}  #{number}")
            stack += _lines_below(node, indent, steps)
    return "\n".join(lines)


def _lines_below(node: Node, indent: str, steps: Steps) -> list[tuple[Node, str, str, str, Steps]]:
    """What follows a node, last first: (node, words, lead of its line, indent below it, steps)."""
    edges = _edges(node)
    found = []
    for k, (step, words, _, child) in enumerate(edges):
        last = k == len(edges) - 1
        lead, below = ("└─ ", "   ") if last else ("├─ ", "│  ")
        found.append((child, words, indent + lead, indent + below, (*steps, step)))
    return found[::-1]


def _require_positive(value: int, name: str) -> None:
    if value < 1:
        raise InputError("at least 1", f"{value}", name)


@dataclass(slots=True)
class _Drawn:
    """A node of the drawing, with the edge that leads to it."""

    node: Node
    depth: int
    words: str = ""
    exact: str = ""
    steps: Steps = ()
    children: list[_Drawn] = field(default_factory=list)
    hidden: int = 0
    y: int = 0


def tree_svg(
    mechanism: InteractiveMechanism,
    marked: Iterable[Sequence[tuple[str, str]]] = (),
    max_drawn: int = MAX_DRAWN,
    element_id: str = "tree",
) -> str:
    """The tree as an SVG document, from left to right.

    Args:
        mechanism: what to draw.
        marked: views, as their steps, that are drawn with thick lines.
        max_drawn: most nodes drawn; a node whose successors are left out says how many nodes are below it.
        element_id: the identifiers of title and description start with it, for documents with several drawings.
    """
    _require_positive(max_drawn, "max_drawn")
    drawn = _unfolded(mechanism.root, max_drawn)
    rows = _place_rows(drawn)
    lefts = _columns(drawn)
    deepest = max(item.depth for item in drawn)
    notes = max(_LETTER * len(_below_words(item)) for item in drawn)
    summary = tree_summary(mechanism)
    width = max(lefts[deepest] + _MARGIN + notes + 12, 2 * _MARGIN + _LETTER * len(summary), 420)
    height = _HEAD + rows * _ROW + _MARGIN
    paths = _prefixes(marked)
    hidden = sum(item.hidden > 0 for item in drawn)
    left_out = f" The successors of {count(hidden, 'node')} are left out." if hidden else ""
    description = (
        "Squares: the adversary asks. Circles: the mechanism answers, with the probabilities p | q under the first and "
        f"second input. Dots: the end. {count(len(drawn), 'node')} drawn.{left_out}"
    )
    body = [line for item in drawn for line in (*_edge_marks(item, lefts, paths), *_node_marks(item, lefts))]
    return "\n".join(
        [
            _opening(width, height, escape(element_id)),
            f' <title id="{escape(element_id)}-title">{escape(summary)}</title>',
            f' <desc id="{escape(element_id)}-desc">{escape(description)}</desc>',
            f" <style>{_STYLE}</style>",
            f' <rect class="ground" width="{width}" height="{height}"/>',
            f' <text class="ink" x="{_MARGIN}" y="24" font-size="12">{escape(summary)}</text>',
            f' <text class="small" x="{_MARGIN}" y="42">p | q: probability on the first | second input</text>',
            *body,
            "</svg>",
            "",
        ]
    )


def _opening(width: int, height: int, name: str) -> str:
    box = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    names = f'role="img" aria-labelledby="{name}-title {name}-desc"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} {names} font-family="ui-monospace, monospace" font-size="11">'
    )


def _unfolded(root: Node, max_drawn: int) -> list[_Drawn]:
    """The nodes to draw, breadth first; each has its successors drawn or left out together."""
    drawn = [_Drawn(root, 0)]
    queue = deque(drawn)
    while queue:
        item = queue.popleft()
        edges = _edges(item.node)
        if len(drawn) + len(edges) > max_drawn:
            item.hidden = size(item.node) - 1 if edges else 0
            continue
        for step, words, exact, child in edges:
            below = _Drawn(child, item.depth + 1, words, exact, (*item.steps, step))
            item.children.append(below)
            drawn.append(below)
            queue.append(below)
    return drawn


def _place_rows(drawn: Sequence[_Drawn]) -> int:
    """Set every y: one row for each node without successors, in order; others in the middle of theirs."""
    rows = 0
    order: list[_Drawn] = []
    stack = [drawn[0]]
    while stack:
        item = stack.pop()
        order.append(item)
        stack += reversed(item.children)
    for item in order:
        if not item.children:
            item.y = _HEAD + rows * _ROW + _ROW // 2
            rows += 1
    for item in reversed(order):
        if item.children:
            item.y = (item.children[0].y + item.children[-1].y) // 2
    return rows


def _columns(drawn: Sequence[_Drawn]) -> list[int]:
    """The x of the nodes of each depth: room for the longest words of an edge before it."""
    longest = [0] * (1 + max(item.depth for item in drawn))
    for item in drawn:
        longest[item.depth] = max(longest[item.depth], len(item.words))
    lefts = [_MARGIN + 8]
    for letters in longest[1:]:
        lefts.append(lefts[-1] + _GAP + _LETTER * letters)
    return lefts


def _edge_marks(item: _Drawn, lefts: Sequence[int], paths: set[Steps]) -> list[str]:
    """The lines to the successors of a node, with their words; exact numbers are in the tooltip."""
    marks = []
    x, turn = lefts[item.depth], lefts[item.depth] + 18
    for child in item.children:
        thick = " marked" if child.steps in paths else ""
        path = f"M{x} {item.y}H{turn}V{child.y}H{lefts[child.depth]}"
        marks.append(f' <g><title>{escape(child.exact)}</title><path class="line{thick}" d="{path}"/>')
        marks.append(f'  <text class="ink" x="{turn + 6}" y="{child.y - 4}">{escape(child.words)}</text></g>')
    return marks


def _below_words(item: _Drawn) -> str:
    return f"{count(item.hidden, 'node')} below" if item.hidden else ""


def _node_marks(item: _Drawn, lefts: Sequence[int]) -> list[str]:
    x, y = lefts[item.depth], item.y
    if isinstance(item.node, QueryNode):
        marks = [f' <rect class="query" x="{x - 6}" y="{y - 6}" width="12" height="12"/>']
    elif isinstance(item.node, AnswerNode):
        marks = [f' <circle class="answer" cx="{x}" cy="{y}" r="6.5"/>']
    else:
        marks = [f' <circle class="end" cx="{x}" cy="{y}" r="3"/>']
    if item.hidden:
        marks.append(f' <text class="small" x="{x + 12}" y="{y + 4}">{_below_words(item)}</text>')
    return marks
