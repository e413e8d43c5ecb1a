"""The tight guarantee of an interactive mechanism: the best that any adversary can do, without enumerating adversaries.

The *tight channel* N_v of a node v is the canonical two-row channel whose trade-off function is the largest one below
those of all adversaries' views of what starts at v. Going up from the leaves,

    leaf          N = [1; 1], nothing is learned;
    query node    N = glb of the children's channels: the adversary chooses, so the curve is the lower convex hull of
                  the minimum of the children's curves (mixtures of options are randomised adversaries);
    answer node   N = the canonical form of the columns (p_b u, q_b w), one for each branch b and column (u, w) of its
                  channel: the answer is seen. On curves this is the chain rule, see
                  :mod:`oracle.interactive.chain_rule`.

Both steps are monotone in the children, and strategies below different branches are chosen independently, so by
induction the result is the infimum over all adversaries: f <= T(view_B) for every B if and only if f <= T(N_root).
Every corner of T(N_root) is reached by a deterministic adversary (:meth:`Tightness.adversary`), which also shows it.

Cost: each node is handled once, in time proportional to the columns of its children (sorting apart). A tree without
shared subtrees has, over all nodes, at most nodes x depth columns. With shared subtrees the columns of one node may be
as many as the paths below it, so they are limited: to :data:`MAX_COLUMNS` at one node, and over all nodes to
:data:`MAX_TOTAL_COLUMNS` and :data:`MAX_BITS`, which is some ten seconds.

Source: Vadhan and Zhang, STOC 2023, theorems 1.5 and 4.1, lemmas 1.6, 1.7 and 2.4; the dynamic programme is ours.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from gmpy2 import gcd, lcm, mpq, mpz

from oracle.channels.canonical import likelihood_order, sorted_channel
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction
from oracle.channels.galois import scaled_corners, tradeoff_of
from oracle.channels.lattice import greatest_lower_bound
from oracle.channels.tradeoff import Corner, TradeoffFunction
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY, Extended, Infinity, to_text
from oracle.interactive.adversaries import ACCEPT, REJECT, Ask, Hear, Strategy, complement
from oracle.interactive.tree import HALT, AnswerNode, Branch, InteractiveMechanism, Node, QueryNode

__all__ = [
    "MAX_BITS",
    "MAX_COLUMNS",
    "MAX_STATES",
    "MAX_STEPS",
    "MAX_TOTAL_COLUMNS",
    "Tightness",
    "answer_channel",
    "optimal_adversary",
    "tight_channel",
    "tight_hockey_stick",
    "tight_tradeoff",
]

MAX_COLUMNS: Final = 200_000
"""Most columns of the tight channel of one node."""
MAX_TOTAL_COLUMNS: Final = 5_000_000
"""Most columns of the channels that the tight channels of all nodes are made from, counted at each node."""
MAX_BITS: Final = 2**32
"""Most bits of the tight channels of all nodes, each over its common denominator."""
MAX_STEPS: Final = 1_000_000
"""Most options and branches that adversaries made together may have, counted once for each node and event."""
MAX_STATES: Final = 1_000_000
"""Most pairs (node, level) that :func:`tight_hockey_stick` visits."""

_CornerList = tuple[int, list[Corner], dict[Corner, int]]
"""Columns taken at the first corner; the corners for alpha increasing, one column more each; the columns of each."""

_NOTHING: Final = sorted_channel([mpz(1)], [mpz(1)], mpz(1))


class Tightness:
    """The tight channels of all nodes of a mechanism.

    Raises:
        LimitError: if a node's tight channel has more than :data:`MAX_COLUMNS` columns, or all of them are beyond
            :data:`MAX_TOTAL_COLUMNS` or :data:`MAX_BITS`.
    """

    __slots__ = ("_bits", "_channels", "_columns", "mechanism")

    mechanism: InteractiveMechanism

    def __init__(self, mechanism: InteractiveMechanism) -> None:
        self.mechanism = mechanism
        self._channels: dict[int, Channel] = {}
        self._columns = self._bits = 0
        for node in mechanism.nodes:
            channel = self._channels[id(node)] = self._tight(node)
            self._bits += 2 * channel.shape[1] * channel.scale.bit_length()
            if self._bits > MAX_BITS:
                raise LimitError(f"tight channels of at most {MAX_BITS} bits over all nodes", "more", "interactive")

    def _require_columns(self, columns: int) -> None:
        """Refuse a node whose channel is made from so many columns, before it is made."""
        _require_columns(columns)
        self._columns += columns
        if self._columns > MAX_TOTAL_COLUMNS:
            expected = f"tight channels made from at most {MAX_TOTAL_COLUMNS} columns over all nodes"
            raise LimitError(expected, "more", "interactive")

    def _tight(self, node: Node) -> Channel:
        if isinstance(node, QueryNode):
            below = {id(child): self.at(child) for _, child in node.options}
            if len(below) == 1:
                return next(iter(below.values()))
            columns = sum(channel.shape[1] for channel in below.values())
            self._require_columns(columns)
            return _reduced(greatest_lower_bound(list(below.values())))
        if isinstance(node, AnswerNode):
            self._require_columns(sum(self.at(branch.then).shape[1] for branch in node.branches))
            joint = answer_channel(node.branches, [self.at(branch.then) for branch in node.branches])
            order = likelihood_order(joint)
            return _reduced(sorted_channel(order.p, order.q, order.scale))
        return _NOTHING

    def at(self, node: Node) -> Channel:
        """The tight channel of what starts at *node*, canonical."""
        return self._channels[id(node)]

    @property
    def channel(self) -> Channel:
        """The tight channel N of the whole mechanism, canonical."""
        return self.at(self.mechanism.root)

    def tradeoff(self, direction: Direction = "forward") -> TradeoffFunction:
        """The largest f below T(view_B(x), view_B(x')) for every adversary B (backward: the inputs exchanged).

        T(Q, P) is the inverse of T(P, Q), so one serves for both; *both* gives the largest below the two.
        """
        curve = tradeoff_of(self.channel)
        if direction == "forward":
            return curve
        return curve.inverse() if direction == "backward" else curve.symmetrised()

    def adversary(self, taken: int) -> Strategy:
        """A deterministic adversary, with its event, that reaches a corner of T(N).

        Its event S has P(S) and Q(S) equal to the masses of the last *taken* columns of N, those of the largest q/p.
        So it tests at the corner (alpha, beta) = (P(S), 1 - Q(S)).

        At a query node a corner of the hull is a corner of some child. At an answer node the last columns of the
        canonical form are, branch by branch, the last columns of the children: those whose scaled ratio is at least
        that of the last group taken.

        Raises:
            InputError: for more columns than N has.
            LimitError: beyond :data:`MAX_STEPS`.
        """
        if not 0 <= taken <= self.channel.shape[1]:
            raise InputError(f"from 0 to {self.channel.shape[1]} columns", str(taken), "taken")
        return _Corners(self).strategy(self.mechanism.root, taken)

    def corner_adversaries(self) -> list[Strategy]:
        """One adversary for each corner of T(N), alpha increasing; they share what they can.

        Raises:
            LimitError: beyond :data:`MAX_STEPS`.
        """
        columns = self.channel.shape[1]
        first = columns + 1 - len(scaled_corners(likelihood_order(self.channel))[0])
        builder = _Corners(self)
        return [builder.strategy(self.mechanism.root, taken) for taken in range(first, columns + 1)]


def _require_columns(columns: int) -> None:
    if columns > MAX_COLUMNS:
        raise LimitError(f"a tight channel of at most {MAX_COLUMNS} columns at each node", f"{columns}", "interactive")


def _reduced(channel: Channel) -> Channel:
    """The same canonical channel over its least common denominator."""
    p, q = channel.numerators
    common = gcd(channel.scale, *p, *q)
    if common == 1:
        return channel
    return sorted_channel([v // common for v in p], [v // common for v in q], channel.scale // common)


def answer_channel(branches: tuple[Branch, ...], channels: list[Channel]) -> Channel:
    """The joint laws of the answer and of a column of its channel: columns (p_b u, q_b w), branch by branch."""
    scale = lcm(*(channel.scale for channel in channels))
    shared = lcm(*(d for branch in branches for d in (branch.p.denominator, branch.q.denominator)))
    p: list[mpz] = []
    q: list[mpz] = []
    for branch, channel in zip(branches, channels, strict=True):
        factor = scale // channel.scale
        a = branch.p.numerator * (shared // branch.p.denominator) * factor
        b = branch.q.numerator * (shared // branch.q.denominator) * factor
        first, second = channel.numerators
        p += [a * v for v in first]
        q += [b * v for v in second]
    return Channel.from_numerators((p, q), scale * shared)


class _Corners:
    """Builds the adversary of a corner; states (node, columns taken) are built once each."""

    def __init__(self, tight: Tightness) -> None:
        self.tight = tight
        self.made: dict[tuple[int, int], Strategy] = {}
        self.corners: dict[int, _CornerList] = {}
        self.steps = 0

    def strategy(self, root: Node, taken: int) -> Strategy:
        """The strategy of the node at the corner, with a stack in place of recursion."""
        stack = [(root, taken)]
        while stack:
            node, count = stack[-1]
            if (id(node), count) in self.made:
                stack.pop()
                continue
            below = self._below(node, count)
            missing = [(child, k) for child, k in below if (id(child), k) not in self.made]
            if missing:
                stack += missing
                continue
            stack.pop()
            self.steps += len(below)
            if self.steps > MAX_STEPS:
                expected = f"adversaries of at most {MAX_STEPS} options and branches, once for each node and event"
                raise LimitError(expected, "more", "interactive")
            rests = tuple(self.made[id(child), k] for child, k in below)
            self.made[id(node), count] = self._whole(node, count, rests)
        return self.made[id(root), taken]

    def _whole(self, node: Node, taken: int, rests: tuple[Strategy, ...]) -> Strategy:
        if isinstance(node, QueryNode):
            return Ask(node.options[self._choice(node, taken)[0]][0], rests[0])
        return Hear(rests) if isinstance(node, AnswerNode) else REJECT if taken else ACCEPT

    def _below(self, node: Node, taken: int) -> list[tuple[Node, int]]:
        if isinstance(node, QueryNode):
            option, count = self._choice(node, taken)
            return [(node.options[option][1], count)]
        if isinstance(node, AnswerNode):
            return self._shares(node, taken)
        return []

    def _choice(self, node: QueryNode, taken: int) -> tuple[int, int]:
        """The first option one of whose own corners is the corner, and how many columns that takes."""
        if not taken:
            return 0, 0
        columns = self.tight.at(node).shape[1]
        if taken == columns:
            return 0, self.tight.at(node.options[0][1]).shape[1]
        first, corners, _ = self._corners(node)
        wanted = corners[taken - first]
        for k, (_, child) in enumerate(node.options):
            found = self._corners(child)[2].get(wanted)
            if found is not None:
                return k, found
        raise AssertionError("a corner of a lower convex hull is a corner of one of the curves")

    def _corners(self, node: Node) -> _CornerList:
        """The corners of a node's curve."""
        known = self.corners.get(id(node))
        if known is None:
            channel = self.tight.at(node)
            alphas, betas = scaled_corners(likelihood_order(channel))
            first = channel.shape[1] + 1 - len(alphas)
            points = [(mpq(a, channel.scale), mpq(b, channel.scale)) for a, b in zip(alphas, betas, strict=True)]
            known = self.corners[id(node)] = first, points, {point: first + k for k, point in enumerate(points)}
        return known

    def _shares(self, node: AnswerNode, taken: int) -> list[tuple[Node, int]]:
        """For each branch how many of the last columns of its channel are among the last *taken* of the node.

        Those are the columns whose scaled vector (p_b u, q_b w) has a ratio at least b/a, (a, b) being the last group
        taken: q_b w a >= p_b u b, which holds from some column on. Where both sides vanish the column has no mass.
        """
        if not taken:
            return [(branch.then, 0) for branch in node.branches]
        p, q = self.tight.at(node).numerators
        a, b = p[-taken], q[-taken]
        shares: list[tuple[Node, int]] = []
        for branch in node.branches:
            u, w = self.tight.at(branch.then).numerators
            left, right = branch.q * a, branch.p * b
            columns = len(u)
            start = bisect_left(range(columns), True, key=lambda k: left * w[k] >= right * u[k])
            shares.append((branch.then, columns - start))
        return shares


def tight_channel(mechanism: InteractiveMechanism) -> Channel:
    """The canonical channel N with T(N) = the infimum over all adversaries of T(view_B), see :class:`Tightness`."""
    return Tightness(mechanism).channel


def tight_tradeoff(mechanism: InteractiveMechanism, direction: Direction = "forward") -> TradeoffFunction:
    """The largest trade-off function below those of every adversary's views, see :meth:`Tightness.tradeoff`."""
    return Tightness(mechanism).tradeoff(direction)


def tight_hockey_stick(mechanism: InteractiveMechanism, level: Extended, direction: Direction = "forward") -> mpq:
    """The supremum over all adversaries of D_a(view_B(x) ‖ view_B(x')), a = *level* >= 0 (*backward*: exchanged).

    Dynamic programming over pairs (node, level), independent of the trade-off curve: with V(leaf, a) = max(0, 1 - a),

        query node    V(v, a) = the maximum of V(child, a) over the options,
        answer node   V(v, a) = Σ_b p_b V(child_b, a q_b / p_b),

    since Σ max(0, p_b p - a q_b q) over the views below branch b is p_b times the hockey stick at a q_b/p_b; a branch
    with p_b = 0 contributes nothing. At a = inf the views with q = 0 count, so that inf times q_b = 0 is 0, and V(v, 0)
    is 1.

    Raises:
        LimitError: beyond :data:`MAX_STATES` pairs; levels that come up are a times a ratio of branches on a path.
    """
    if level < 0:
        raise InputError("a level at least 0", to_text(level), "exp_epsilon")
    if direction == "both":
        return max(tight_hockey_stick(mechanism, level, side) for side in ("forward", "backward"))
    values: dict[tuple[int, Extended], mpq] = {}
    stack: list[tuple[Node, Extended]] = [(mechanism.root, level)]
    while stack:
        node, a = stack[-1]
        if (id(node), a) in values:
            stack.pop()
            continue
        below = _positions_below(node, a, direction)
        missing = [(child, b) for _, child, b in below if (id(child), b) not in values]
        if missing:
            stack += missing
            continue
        stack.pop()
        found = [weight * values[id(child), b] for weight, child, b in below]
        values[id(node), a] = sum(found, mpq(0)) if isinstance(node, AnswerNode) else max(found, default=_end_value(a))
        if len(values) > MAX_STATES:
            raise LimitError(f"at most {MAX_STATES} pairs of a node and a level", "more", "interactive")
    return values[id(mechanism.root), level]


def _end_value(a: Extended) -> mpq:
    """max(0, 1 - a): what is left when the interaction is over."""
    return mpq(0) if isinstance(a, Infinity) or a >= 1 else 1 - a


def _positions_below(node: Node, a: Extended, direction: Direction) -> list[tuple[mpq, Node, Extended]]:
    """What V(node, a) depends on: triples (weight, child, level). At level 0 the value is 1 whatever follows."""
    if not a:
        return [(mpq(1), HALT, a)] if node is not HALT else []
    if isinstance(node, QueryNode):
        return [(mpq(1), child, a) for _, child in node.options]
    if not isinstance(node, AnswerNode):
        return []
    found: list[tuple[mpq, Node, Extended]] = []
    for branch in node.branches:
        p, q = (branch.p, branch.q) if direction == "forward" else (branch.q, branch.p)
        if p:
            scaled = (INFINITY if q else mpq(0)) if isinstance(a, Infinity) else a * q / p
            found.append((p, branch.then, scaled))
    return found


def optimal_adversary(tight: Tightness, level: Extended, direction: Direction = "forward") -> tuple[Strategy, mpq, mpq]:
    """An adversary and event S of largest P(S) - a Q(S) (*backward*: Q(S) - a P(S)), with P(S) and Q(S); a = *level*.

    Forward the event is {p > a q}, all columns of N but those with q/p >= 1/a; the strategy of that corner with the
    event complemented. Backward it is {q > a p}. At a = inf the views of a zero second law are meant.
    """
    channel = tight.channel
    p, q = channel.numerators
    columns = channel.shape[1]
    if direction == "both":
        raise InputError("one direction, forward or backward", "both", "direction")
    up, down = (None, None) if isinstance(level, Infinity) else (level.numerator, level.denominator)

    def exceeds(first: mpz, second: mpz) -> bool:
        return not second if up is None or down is None else first * down > second * up

    if direction == "forward":
        kept = bisect_left(range(columns), True, key=lambda k: not exceeds(p[k], q[k]))
        strategy = complement(tight.adversary(columns - kept))
        taken = range(kept)
    else:
        start = bisect_left(range(columns), True, key=lambda k: exceeds(q[k], p[k]))
        strategy = tight.adversary(columns - start)
        taken = range(start, columns)
    masses = [mpq(sum((row[k] for k in taken), mpz(0)), channel.scale) for row in (p, q)]
    return strategy, masses[0], masses[1]
