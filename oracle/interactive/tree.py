"""Finite interactive mechanisms as rational decision trees, for one pair of neighbouring inputs.

A node is one of three. At a *query node* the adversary chooses one of the options. At an *answer node* the mechanism
answers at random: each branch has its probability p on the first input and q on the second, given all that was said
before. At a *leaf* the interaction is over. Query nodes may follow each other, and so may answer nodes.

A subtree that stands in several places may be one object, so a tree is kept as an acyclic graph of its distinct nodes:
equal subtrees of a mechanism *are* the same object, and everything that is computed for a node is computed once.

Source: Vadhan and Zhang, STOC 2023, definitions 1.2 to 1.5 (interactive protocols with finite communication).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Self, cast

from gmpy2 import mpq

from oracle.errors import InputError, LimitError, shorten
from oracle.exact import parse_number, to_text
from oracle.json_text import digest

__all__ = [
    "HALT",
    "MAX_DEPTH",
    "MAX_NODES",
    "AnswerNode",
    "Branch",
    "InteractiveMechanism",
    "Leaf",
    "Node",
    "Place",
    "QueryNode",
    "check_label",
    "check_node",
    "children",
    "place_text",
    "postorder",
    "size",
    "step_to",
]

MAX_NODES: Final = 200_000
"""Most distinct nodes of one mechanism."""
MAX_DEPTH: Final = 1_000
"""Most nodes on a path from the root to a leaf, the leaf not counted."""

_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Leaf:
    """The end of the interaction; :data:`HALT` is the only one."""

    __slots__ = ()
    _only: Leaf | None = None

    def __new__(cls) -> Self:
        """The one leaf."""
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cast("Self", cls._only)

    def __repr__(self) -> str:
        return "HALT"

    def __reduce__(self) -> str:
        return "HALT"


HALT: Final = Leaf()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class QueryNode:
    """The adversary chooses one of the options (label, what follows); at least one, labels distinct.

    Nodes compare by identity: see :func:`postorder` and :attr:`InteractiveMechanism.hash` for equality of trees.
    """

    options: tuple[tuple[str, Node], ...]

    def __repr__(self) -> str:
        return f"<QueryNode with {len(self.options)} options>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Branch:
    """One answer: its label, its probabilities on the first (p) and second (q) input, and what follows.

    The probabilities may be given as anything :func:`oracle.exact.parse_number` reads.
    """

    label: str
    p: mpq
    q: mpq
    then: Node = HALT

    def __post_init__(self) -> None:
        for name in ("p", "q"):
            value = getattr(self, name)
            if not isinstance(value, mpq):
                object.__setattr__(self, name, parse_number(value, name))

    def __repr__(self) -> str:
        return f"<Branch {shorten(self.label)}: {shorten(to_text(self.p))} | {shorten(to_text(self.q))}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AnswerNode:
    """The mechanism answers: branches of distinct labels, whose p sum to 1 and whose q sum to 1.

    A branch with p = q = 0 can never be reached and is refused. Nodes compare by identity.
    """

    branches: tuple[Branch, ...]

    def __repr__(self) -> str:
        return f"<AnswerNode with {len(self.branches)} branches>"


Node = Leaf | QueryNode | AnswerNode

Place = tuple[Any, str] | None
"""A place in a tree or document as a linked list (place before, step), written out only for messages."""


def place_text(place: Place) -> str:
    """The path of a place, such as ``interactive.query["A"].answer["0"].p``; a long one without its middle."""
    steps: list[str] = []
    while place is not None:
        place, step = place
        steps.append(step)
    steps.reverse()
    if len(steps) > 60:
        steps[20:-20] = [f"...({len(steps) - 40} steps)..."]
    return "".join(steps)


def step_to(kind: str, label: object) -> str:
    """The step of a path to an option or a branch."""
    return f".{kind}[{json.dumps(shorten(label), ensure_ascii=False)}]"


def children(node: Node) -> tuple[Node, ...]:
    """What follows a node, in order."""
    if isinstance(node, QueryNode):
        return tuple(child for _, child in node.options)
    if isinstance(node, AnswerNode):
        return tuple(branch.then for branch in node.branches)
    return ()


def postorder(root: Node) -> list[Node]:
    """The distinct nodes below and including *root*, every node after all its children, the root last."""
    order: list[Node] = []
    seen: set[int] = {id(root)}
    stack: list[tuple[Node, Iterator[Node]]] = [(root, iter(children(root)))]
    while stack:
        node, rest = stack[-1]
        for child in rest:
            if id(child) not in seen:
                seen.add(id(child))
                stack.append((child, iter(children(child))))
                break
        else:
            order.append(node)
            stack.pop()
    return order


def size(root: Node) -> int:
    """The number of distinct nodes, the leaf counted once."""
    return len(postorder(root))


class InteractiveMechanism:
    """A finite interactive mechanism on one pair of neighbouring inputs.

    Args:
        root: the first node. Equal subtrees are replaced by one object each.
        name: what to call it in reports, or None.

    Raises:
        InputError: for a node without options or branches, labels that are not distinct texts, a negative
            probability, probabilities that do not sum to 1, an unreachable branch or a cycle; the message names the
            path of the node.
        LimitError: beyond :data:`MAX_NODES` distinct nodes or :data:`MAX_DEPTH`.
    """

    __slots__ = ("depth", "name", "nodes", "root")

    root: Node
    """The first node."""
    nodes: tuple[Node, ...]
    """The distinct nodes, every node after all its children, the root last."""
    depth: int
    """Most nodes on a path from the root, the leaf not counted."""
    name: str | None
    """What to call it, or None."""

    def __init__(self, root: Node, name: str | None = None) -> None:
        _check_tree(root)
        self._fill(root, name)

    @classmethod
    def checked(cls, root: Node, name: str | None = None) -> InteractiveMechanism:
        """A mechanism from nodes that :func:`check_node` has accepted one by one and that are acyclic."""
        self = cls.__new__(cls)
        self._fill(root, name)
        return self

    def _fill(self, root: Node, name: str | None) -> None:
        if name is not None:
            check_label(name, "a name", (None, "name"))
        self.name = name
        self.nodes = _shared(root)
        self.root = self.nodes[-1]
        depths: dict[int, int] = {}
        for node in self.nodes:
            below = max((depths[id(child)] for child in children(node)), default=-1)
            depths[id(node)] = below + 1
        self.depth = depths[id(self.root)]
        if self.depth > MAX_DEPTH:
            raise LimitError(f"a tree of depth at most {MAX_DEPTH}", f"depth {self.depth}", "interactive")

    @property
    def size(self) -> int:
        """The number of distinct nodes, the leaf counted once."""
        return len(self.nodes)

    @property
    def hash(self) -> str:
        """SHA-256 that identifies the tree: equal for trees that differ only in the order of options and branches.

        Each node is the SHA-256 of the canonical JSON of ``null``, ``{"query": {label: hash}}`` or
        ``{"answer": {label: [p, q, hash]}}``, the hashes being those of the children; the name is left out.
        """
        hashes: dict[int, str] = {}
        for node in self.nodes:
            hashes[id(node)] = digest(_flat(node, hashes))
        return hashes[id(self.root)]

    def swapped(self) -> InteractiveMechanism:
        """The same mechanism with the two inputs exchanged."""
        made: dict[int, Node] = {}
        for node in self.nodes:
            if isinstance(node, QueryNode):
                made[id(node)] = QueryNode(tuple((label, made[id(child)]) for label, child in node.options))
            elif isinstance(node, AnswerNode):
                branches = (Branch(b.label, b.q, b.p, made[id(b.then)]) for b in node.branches)
                made[id(node)] = AnswerNode(tuple(branches))
            else:
                made[id(node)] = node
        return InteractiveMechanism.checked(made[id(self.root)], self.name)

    def __repr__(self) -> str:
        name = "" if self.name is None else f" {shorten(self.name)!r}"
        return f"<InteractiveMechanism{name} of {self.size} nodes, depth {self.depth}>"


def _flat(node: Node, known: dict[int, Any]) -> Any:  # noqa: ANN401 - a JSON value
    """A node as JSON in which every child is what *known* has for it."""
    if isinstance(node, QueryNode):
        return {"query": {label: known[id(child)] for label, child in node.options}}
    if isinstance(node, AnswerNode):
        return {"answer": {b.label: [to_text(b.p), to_text(b.q), known[id(b.then)]] for b in node.branches}}
    return None


def _shared(root: Node) -> tuple[Node, ...]:
    """The distinct nodes in postorder after equal subtrees have become one object; what needs no change is kept."""
    kept: dict[object, Node] = {}
    new: dict[int, Node] = {}
    order: list[Node] = []
    for node in postorder(root):
        mapped: Node = node
        key: object = None
        if isinstance(node, QueryNode):
            options = tuple((label, new[id(child)]) for label, child in node.options)
            key = ("query", *((label, id(child)) for label, child in options))
            if any(a is not b for (_, a), (_, b) in zip(options, node.options, strict=True)):
                mapped = QueryNode(options)
        elif isinstance(node, AnswerNode):
            key = ("answer", *((b.label, b.p, b.q, id(new[id(b.then)])) for b in node.branches))
            if any(new[id(b.then)] is not b.then for b in node.branches):
                mapped = AnswerNode(tuple(Branch(b.label, b.p, b.q, new[id(b.then)]) for b in node.branches))
        known = kept.get(key)
        if known is None:
            kept[key] = known = mapped
            order.append(mapped)
        new[id(node)] = known
    return tuple(order)


def _check_tree(root: Node) -> None:
    """Check every node, each at the first path that leads to it; refuse cycles, too many nodes, too long paths."""
    start: Place = (None, "interactive")
    states: dict[int, bool] = {}  # False while on the current path, True when done
    stack: list[tuple[Node, Place, Iterator[tuple[Node, Place]]]] = []

    def enter(node: Node, place: Place) -> None:
        check_node(node, place)
        states[id(node)] = False
        if len(states) > MAX_NODES:
            raise LimitError(f"at most {MAX_NODES} distinct nodes", "more", place_text(place))
        if len(stack) > MAX_DEPTH:
            raise LimitError(f"a tree of depth at most {MAX_DEPTH}", "a deeper one", place_text(place))
        stack.append((node, place, _steps(node, place)))

    enter(root, start)
    while stack:
        node, _, rest = stack[-1]
        for child, place in rest:
            state = states.get(id(child))
            if state is None:
                enter(child, place)
                break
            if not state:
                raise InputError("a tree", "a cycle: the node is below itself", place_text(place))
        else:
            states[id(node)] = True
            stack.pop()


def _steps(node: Node, place: Place) -> Iterator[tuple[Node, Place]]:
    if isinstance(node, QueryNode):
        for label, child in node.options:
            yield child, (place, step_to("query", label))
    elif isinstance(node, AnswerNode):
        for branch in node.branches:
            yield branch.then, ((place, step_to("answer", branch.label)), ".then")


def check_node(node: object, place: Place) -> None:
    """Check one node without what follows it; *place* is where it stands."""
    if isinstance(node, QueryNode):
        if not node.options:
            raise InputError("at least one option", "none", place_text((place, ".query")))
        _check_labels([label for label, _ in node.options], (place, ".query"))
    elif isinstance(node, AnswerNode):
        _check_answer(node, (place, ".answer"))
    elif not isinstance(node, Leaf):
        raise InputError("a node: QueryNode, AnswerNode or HALT", shorten(node), place_text(place))


def _check_answer(node: AnswerNode, place: Place) -> None:
    if not node.branches:
        raise InputError("at least one branch", "none", place_text(place))
    _check_labels([branch.label for branch in node.branches], place)
    sums = {"p": mpq(0), "q": mpq(0)}
    for branch in node.branches:
        for name, value in (("p", branch.p), ("q", branch.q)):
            if value < 0:
                where = f"{place_text(place)}[{json.dumps(shorten(branch.label), ensure_ascii=False)}].{name}"
                raise InputError("a probability at least 0", shorten(to_text(value)), where)
            sums[name] += value
        if not branch.p and not branch.q:
            where = f"{place_text(place)}[{json.dumps(shorten(branch.label), ensure_ascii=False)}]"
            raise InputError("a branch that can be reached", "p = q = 0", where)
    for name, total in sums.items():
        if total != 1:
            word = "exceeds" if total > 1 else "misses"
            got = f"a sum of {shorten(to_text(total))}, which {word} 1 by {shorten(to_text(abs(total - 1)))}"
            raise InputError(f"{name} that sum to 1", got, place_text(place))


def _check_labels(labels: list[str], place: Place) -> None:
    seen: set[str] = set()
    for label in labels:
        check_label(label, "a label", place)
        if label in seen:
            raise InputError("distinct labels", f'"{shorten(label)}" twice', place_text(place))
        seen.add(label)


def check_label(label: object, what: str, place: Place) -> None:
    """Refuse what is no text or has control characters."""
    if not isinstance(label, str):
        raise InputError(f"{what} as text", shorten(label), place_text(place))
    if _CONTROL.search(label):
        raise InputError(f"{what} without control characters", ascii(shorten(label)), place_text(place))
