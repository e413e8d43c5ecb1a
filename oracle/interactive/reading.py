"""The JSON form of interactive mechanisms: reading with errors that name the path, and writing.

    {"interactive": NODE, "name": TEXT (optional), "nodes": {NAME: NODE} (optional)}

NODE is one of

    null or {"halt": true}                 the interaction ends
    {"query": {LABEL: NODE, ...}}          the adversary chooses an option
    {"answer": {LABEL: {"p": NUMBER, "q": NUMBER, "then": NODE (default null)}, ...}}
    {"ref": NAME}                          the node NAME of "nodes": a subtree that stands in several places

Trees of more than about a hundred nodes in a row are written with references, since JSON readers limit nesting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gmpy2 import mpq

from oracle.errors import InputError, LimitError, shorten
from oracle.exact import parse_number, to_text
from oracle.interactive.tree import (
    HALT,
    MAX_DEPTH,
    MAX_NODES,
    AnswerNode,
    Branch,
    InteractiveMechanism,
    Node,
    Place,
    QueryNode,
    check_label,
    check_node,
    children,
    place_text,
    step_to,
)
from oracle.json_text import refuse_unknown

__all__ = ["interactive_from", "is_interactive", "parse_interactive", "to_json"]

_NODE: Final = 'a node: null, {"halt": true}, {"query": {...}}, {"answer": {...}} or {"ref": "..."}'
_INLINE: Final = 80  # nodes nested in each other before a reference is written

_Finish = Callable[[Sequence[Node]], Node]
_Frame = tuple[_Finish, list[tuple[object, Place]], list[Node]]
"""A node being built: how to finish it, what it needs as (JSON, place), and what of that is ready."""


def parse_interactive(document: object, where: str = "") -> InteractiveMechanism:
    """Read an interactive mechanism.

    Raises:
        InputError: for anything malformed: unknown keys, a missing p or q, probabilities that do not sum to 1, an
            unreachable branch, a reference to nothing, a cycle, a named node that is never used. The message names
            the path, such as ``interactive.query["A"].answer["0"].p``.
        LimitError: beyond :data:`~oracle.interactive.tree.MAX_NODES` or :data:`~oracle.interactive.tree.MAX_DEPTH`.
    """
    if not isinstance(document, Mapping):
        raise InputError('an interactive mechanism {"interactive": NODE}', shorten(document), where)
    refuse_unknown(document, ("interactive", "name", "nodes"), where)
    if "interactive" not in document:
        raise InputError('the key "interactive"', "none", where)
    prefix: Place = (None, f"{where}.") if where else None
    name = document.get("name")
    if "name" in document:
        check_label(name, "a name", (prefix, "name"))
    table = document.get("nodes", {})
    if not isinstance(table, Mapping):
        raise InputError('an object {"name": NODE}', shorten(table), place_text((prefix, "nodes")))
    reader = _Reader(table, (prefix, "nodes"))
    root = reader.read(document["interactive"], (prefix, "interactive"))
    reader.require_used()
    return InteractiveMechanism.checked(root, name)


def is_interactive(value: object) -> bool:
    """Whether a value is an interactive mechanism or means to be its JSON form: an object with the key."""
    return isinstance(value, InteractiveMechanism) or (isinstance(value, Mapping) and "interactive" in value)


def interactive_from(value: object, where: str = "interactive") -> InteractiveMechanism:
    """Read whatever may stand for an interactive mechanism: itself, its JSON form, or the NODE of its root alone."""
    if isinstance(value, InteractiveMechanism):
        return value
    if is_interactive(value):
        return parse_interactive(value, where)
    return InteractiveMechanism.checked(_Reader({}, (None, f"{where}.nodes")).read(value, (None, where)))


class _Reader:
    """Builds nodes from JSON with a stack of its own: the nesting of the document is not the interpreter's.

    ``done`` holds the named nodes that are built, ``open`` those being built: a reference to one of these is a cycle.
    """

    def __init__(self, table: Mapping[str, Any], place: Place) -> None:
        self.table = table
        self.place = place
        self.done: dict[str, Node] = {}
        self.open: set[str] = set()
        self.count = 0

    def read(self, value: object, place: Place) -> Node:
        """Build the node that *value* describes and all below it."""
        frames: list[_Frame] = []
        built = self._start(value, place, frames)
        while frames:
            finish, waiting, ready = frames[-1]
            if built is not None:
                ready.append(built)
            if len(ready) < len(waiting):
                built = self._start(*waiting[len(ready)], frames)
            else:
                built = finish(ready)
                frames.pop()
        if built is None:
            raise AssertionError("every node is built")
        return built

    def require_used(self) -> None:
        """Refuse named nodes that no reference reaches."""
        for name in self.table:
            if name not in self.done:
                place = (self.place, f'["{shorten(name)}"]')
                raise InputError("only named nodes that are referred to", "one that is not", place_text(place))

    def _start(self, value: object, place: Place, frames: list[_Frame]) -> Node | None:
        """A node that needs nothing more, or None after a frame for what it needs has been pushed."""
        if value is None:
            return HALT
        if not isinstance(value, Mapping) or len(value) != 1:
            raise InputError(_NODE, shorten(value), place_text(place))
        ((kind, content),) = value.items()
        if kind not in ("halt", "query", "answer", "ref"):
            raise InputError(_NODE, f'the key "{shorten(kind)}"', place_text(place))
        if len(frames) > 2 * MAX_DEPTH:
            raise LimitError(f"a tree of depth at most {MAX_DEPTH}", "a deeper one", place_text(place))
        if kind == "halt":
            if content is not True:
                raise InputError("true", shorten(content), place_text((place, ".halt")))
            return HALT
        if kind == "ref":
            return self._refer(content, place, frames)
        self.count += 1
        if self.count > MAX_NODES:
            raise LimitError(f"at most {MAX_NODES} nodes", "more", place_text(place))
        if not isinstance(content, Mapping):
            expected = 'options {"label": NODE}' if kind == "query" else 'branches {"label": {"p": ..., "q": ...}}'
            raise InputError(expected, shorten(content), place_text((place, f".{kind}")))
        frames.append(_query(content, place) if kind == "query" else _answer(content, place))
        return None

    def _refer(self, name: object, place: Place, frames: list[_Frame]) -> Node | None:
        if not isinstance(name, str):
            raise InputError("the name of a node as text", shorten(name), place_text((place, ".ref")))
        if name in self.done:
            return self.done[name]
        if name in self.open:
            raise InputError("a tree", f'a cycle: "{shorten(name)}" is below itself', place_text((place, ".ref")))
        if name not in self.table:
            raise InputError('the name of a node of "nodes"', f'"{shorten(name)}"', place_text((place, ".ref")))
        self.open.add(name)

        def finish(ready: Sequence[Node]) -> Node:
            self.open.discard(name)
            self.done[name] = ready[0]
            return ready[0]

        frames.append((finish, [(self.table[name], (self.place, f'["{shorten(name)}"]'))], []))
        return None


def _query(content: Mapping[str, Any], place: Place) -> _Frame:
    labels = tuple(content)

    def finish(ready: Sequence[Node]) -> Node:
        return QueryNode(tuple(zip(labels, ready, strict=True)))

    check_node(QueryNode(tuple((label, HALT) for label in labels)), place)
    return finish, [(content[label], (place, step_to("query", label))) for label in labels], []


def _answer(content: Mapping[str, Any], place: Place) -> _Frame:
    branches: list[Branch] = []
    waiting: list[tuple[object, Place]] = []
    for label, branch in content.items():
        here = (place, step_to("answer", label))
        if not isinstance(branch, Mapping):
            raise InputError('a branch {"p": ..., "q": ..., "then": NODE}', shorten(branch), place_text(here))
        for name in branch:
            if name not in ("p", "q", "then"):
                refuse_unknown(branch, ("p", "q", "then"), place_text(here))
        for name in ("p", "q"):
            if name not in branch:
                raise InputError('the probabilities "p" and "q" of both inputs', f'no "{name}"', place_text(here))
        branches.append(Branch(label, _number(branch["p"], (here, ".p")), _number(branch["q"], (here, ".q"))))
        waiting.append((branch.get("then"), (here, ".then")))
    check_node(AnswerNode(tuple(branches)), place)

    def finish(ready: Sequence[Node]) -> Node:
        return AnswerNode(tuple(Branch(b.label, b.p, b.q, node) for b, node in zip(branches, ready, strict=True)))

    return finish, waiting, []


def _number(value: object, place: Place) -> mpq:
    """A number; its path is written out only for a message."""
    try:
        return parse_number(value)
    except InputError:
        return parse_number(value, place_text(place))


def to_json(mechanism: InteractiveMechanism) -> dict[str, Any]:
    """The JSON form; shared subtrees, and long chains in pieces, stand under ``nodes`` as ``n0``, ``n1``, ..."""
    uses: dict[int, int] = {}
    for node in mechanism.nodes:
        for child in children(node):
            uses[id(child)] = uses.get(id(child), 0) + 1
    texts: dict[int, Any] = {}
    heights: dict[int, int] = {}
    table: dict[str, Any] = {}
    for node in mechanism.nodes:
        height = 1 + max((heights[id(child)] for child in children(node)), default=0)
        text = _node_json(node, texts)
        if node is not HALT and node is not mechanism.root and (uses[id(node)] > 1 or height >= _INLINE):
            name = f"n{len(table)}"
            table[name] = text
            text, height = {"ref": name}, 1
        texts[id(node)], heights[id(node)] = text, height
    document: dict[str, Any] = {"interactive": texts[id(mechanism.root)]}
    if mechanism.name is not None:
        document["name"] = mechanism.name
    if table:
        document["nodes"] = table
    return document


def _node_json(node: Node, texts: Mapping[int, Any]) -> Any:  # noqa: ANN401 - a JSON value
    if isinstance(node, QueryNode):
        return {"query": {label: texts[id(child)] for label, child in node.options}}
    if isinstance(node, AnswerNode):
        return {"answer": {branch.label: _branch_json(branch, texts) for branch in node.branches}}
    return None


def _branch_json(branch: Branch, texts: Mapping[int, Any]) -> dict[str, Any]:
    document = {"p": to_text(branch.p), "q": to_text(branch.q)}
    return document if branch.then is HALT else {**document, "then": texts[id(branch.then)]}
