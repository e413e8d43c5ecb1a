"""Interactive mechanisms: their trees, and adversaries with events of views.

NODES is a list in which every child stands before its parents and the root is the last node: null (a leaf: the
interaction is over), {"query": [[label, child], ...]} (the adversary chooses an option) or {"answer": [[label, p, q,
child], ...]} (the mechanism answers, p and q being the probabilities on the two inputs given all that was said).
Labels are strictly sorted.  A node may have several parents: it stands for the same subtree in several places.

TESTS is a list of adversaries with events: {"node": i, "end": b} at a leaf (the view belongs to the event iff b),
{"node": i, "ask": k, "then": t} at a query node (choose option k, go on as test t), {"node": i, "hear": [t, ...]} at an
answer node (go on as test t after the branch).  A test refers to earlier tests, at the nodes that follow.  One test at
the root is one deterministic adversary, which may remember everything: what follows a branch may depend on the branch.
Its event has the masses P(S) and Q(S), computed from the leaves: (1, 1) or (0, 0) at an end, that of `then` after a
choice, and the sums of p P(S_t) and of q Q(S_t) over the branches of an answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .reading import canonical_hash, fields, index, items, probability
from .verdict import Rejected

_MOST_NODES = 500_000


@dataclass(frozen=True, slots=True)
class Branch:
    """An answer: its probabilities on the two inputs, and the node that follows."""

    p: Fraction
    q: Fraction
    child: int


@dataclass(frozen=True, slots=True)
class Tree:
    """The nodes: None for a leaf, a list of children for a query node, a list of branches for an answer node.

    `digest` is the hash by which the tree is named: that of its root, each node being hashed as null, {"query": {label:
    hash of the child}} or {"answer": {label: [p, q, hash of the child]}}.
    """

    nodes: list[list[int] | list[Branch] | None]
    digest: str


def tree(value: object, where: str) -> Tree:
    """Read NODES."""
    listed = items(value, where, 1)
    if len(listed) > _MOST_NODES:
        raise Rejected(f"more than {_MOST_NODES} nodes", where)
    nodes: list[list[int] | list[Branch] | None] = []
    hashes: list[str] = []
    used: set[int] = set()
    for i, item in enumerate(listed):
        place = f"{where}[{i}]"
        if item is None:
            nodes.append(None)
            hashes.append(canonical_hash(None))
        elif isinstance(item, dict) and "query" in item:
            pairs = _labelled(fields(item, ("query",), place)["query"], 2, f"{place}.query")
            children = [index(row[1], i, f"{place}.query[{k}][1]") for k, row in enumerate(pairs)]
            used.update(children)
            nodes.append(children)
            below = {str(row[0]): hashes[child] for row, child in zip(pairs, children, strict=True)}
            hashes.append(canonical_hash({"query": below}))
        else:
            rows = _labelled(fields(item, ("answer",), place)["answer"], 4, f"{place}.answer")
            branches = [_branch(row, i, f"{place}.answer[{k}]") for k, row in enumerate(rows)]
            used.update(branch.child for branch in branches)
            _require_laws(branches, f"{place}.answer")
            nodes.append(branches)
            said = {str(row[0]): [row[1], row[2], hashes[b.child]] for row, b in zip(rows, branches, strict=True)}
            hashes.append(canonical_hash({"answer": said}))
    if len(used) != len(nodes) - 1:
        raise Rejected("a node that does not follow from the root", where)
    return Tree(nodes, hashes[-1])


def _labelled(value: object, length: int, where: str) -> list[list[object]]:
    """Read a non-empty list of lists of the given length, whose first items are strictly sorted texts."""
    rows: list[list[object]] = []
    last: str | None = None
    for k, item in enumerate(items(value, where, 1)):
        row = items(item, f"{where}[{k}]")
        if len(row) != length:
            raise Rejected(f"expected {length} items, got {len(row)}", f"{where}[{k}]")
        label = row[0]
        if not isinstance(label, str):
            raise Rejected("expected a label", f"{where}[{k}][0]")
        if last is not None and label <= last:
            raise Rejected("expected strictly sorted labels", f"{where}[{k}][0]")
        last = label
        rows.append(row)
    return rows


def _branch(row: list[object], bound: int, where: str) -> Branch:
    p, q = probability(row[1], f"{where}[1]"), probability(row[2], f"{where}[2]")
    if p == q == 0:
        raise Rejected("a branch that neither input can produce", where)
    return Branch(p, q, index(row[3], bound, f"{where}[3]"))


def _require_laws(branches: list[Branch], where: str) -> None:
    for name, law in (("p", [b.p for b in branches]), ("q", [b.q for b in branches])):
        if sum(law, Fraction(0)) != 1:
            raise Rejected(f"the {name} do not sum to 1", where)


def tests(value: object, of: Tree, where: str) -> list[tuple[int, Fraction, Fraction]]:
    """Read TESTS; return for each its node and the masses of its event under the two inputs."""
    found: list[tuple[int, Fraction, Fraction]] = []
    for i, item in enumerate(items(value, where, 1)):
        place = f"{where}[{i}]"
        if not isinstance(item, dict):
            raise Rejected("expected an object", place)
        number = index(item.get("node"), len(of.nodes), f"{place}.node")
        found.append((number, *_masses(item, of.nodes[number], found, place)))
    return found


def _masses(
    item: dict[str, object],
    node: list[int] | list[Branch] | None,
    earlier: list[tuple[int, Fraction, Fraction]],
    where: str,
) -> tuple[Fraction, Fraction]:
    if node is None:
        end = fields(item, ("node", "end"), where)["end"]
        if not isinstance(end, bool):
            raise Rejected("expected true or false", f"{where}.end")
        return Fraction(end), Fraction(end)
    if "ask" in item:
        test = fields(item, ("node", "ask", "then"), where)
        option = node[index(test["ask"], len(node), f"{where}.ask")]
        if isinstance(option, Branch):
            raise Rejected("expected hear: the node is an answer node", where)
        return _earlier(test["then"], option, earlier, f"{where}.then")
    heard = items(fields(item, ("node", "hear"), where)["hear"], f"{where}.hear")
    if len(heard) != len(node):
        raise Rejected(f"expected {len(node)} tests, one for each branch", f"{where}.hear")
    p = q = Fraction(0)
    for k, (test_number, branch) in enumerate(zip(heard, node, strict=True)):
        if not isinstance(branch, Branch):
            raise Rejected("expected ask: the node is a query node", where)
        first, second = _earlier(test_number, branch.child, earlier, f"{where}.hear[{k}]")
        p += branch.p * first
        q += branch.q * second
    return p, q


def _earlier(
    value: object, node: int, earlier: list[tuple[int, Fraction, Fraction]], where: str
) -> tuple[Fraction, Fraction]:
    found, p, q = earlier[index(value, len(earlier), where)]
    if found != node:
        raise Rejected("a test of another node than the one that follows", where)
    return p, q
