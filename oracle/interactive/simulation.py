"""Simulation: an interactive mechanism as an interactive post-processing of one sample of a pair of laws.

Theorem (Vadhan and Zhang, STOC 2023, theorems 1.5 and 4.1; finite communication). If every adversary's view has
T >= f, there are a pair of laws N = (N, N') with T(N, N') >= f and an interactive post-processing P such that for every
adversary the view of its interaction with P, given one sample of N (of N'), is distributed like its view of the
mechanism on the first (second) input.

Here both are built, with N the tight channel, so that T(N, N') is the largest such f. P carries a column of the tight
channel N_v of the node v it is in, at first the sample:

    query node    when option c is chosen it draws a column of N_c from the row of the witness of N_v ⊑ N_c, which is
                  there since N_v is the greatest lower bound of the options' channels (the coupling property);
    answer node   it draws an answer b and a column of N_b. The columns (p_b u, q_b w) of all these pairs merge to N_v
                  where their ratios agree, so a column of N_v is split among its parts in proportion (the chain rule).

Why the views agree is proved beside the check, :mod:`oracle.certificates.checker.simulation`.

In P nothing can be rewound: after it has drawn for one option it cannot say how it would have answered another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from gmpy2 import lcm, mpq

from oracle.certificates.documents import Certificate
from oracle.certificates.simulation_documents import SimulationParts, simulation_certificate
from oracle.channels.canonical import likelihood_order
from oracle.channels.channel import Channel
from oracle.channels.refinement import Witness, witness_of
from oracle.errors import LimitError
from oracle.interactive.adversaries import Ask, Hear, Strategy, View, views
from oracle.interactive.tightness import Tightness, answer_channel
from oracle.interactive.tree import HALT, AnswerNode, Branch, InteractiveMechanism, Node, QueryNode

__all__ = ["MAX_NUMBERS", "MAX_SIMULATED_BITS", "Simulation", "mechanism_of_nodes", "nodes_to_json", "simulate"]

MAX_NUMBERS: Final = 500_000
"""Most numbers in the tight channels and kernels of all nodes of a simulation."""
MAX_SIMULATED_BITS: Final = 2**28
"""Most bits of these numbers, counted over the common denominators of what they relate."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """One pair of laws N and the interactive post-processing that imitates the mechanism.

    Attributes:
        tight: the tight channels of the nodes; ``tight.channel`` is N.
        kernels: for each node, by its place in ``mechanism.nodes``, the witnesses from its channel: one for each option
            of a query node, sorted by label; one for the pairs (answer, column of its channel) of an answer node,
            answers sorted by label; none at a leaf.
    """

    tight: Tightness
    kernels: tuple[tuple[Witness, ...], ...]

    @property
    def mechanism(self) -> InteractiveMechanism:
        """What is simulated."""
        return self.tight.mechanism

    @property
    def channel(self) -> Channel:
        """N: the pair of laws of the one sample, canonical."""
        return self.tight.channel

    def parts(self) -> SimulationParts:
        """The simulation as fields of a certificate."""
        states = [self.tight.at(node) for node in self.mechanism.nodes]
        return SimulationParts(nodes_to_json(self.mechanism), states, self.kernels)

    def certificate(self) -> Certificate:
        """Kind ``simulation``: every view is reproduced, and T(N) is the largest below those of all views."""
        return simulation_certificate(self.parts())

    def views(self, strategy: Strategy) -> list[tuple[View, mpq, mpq]]:
        """The views of an adversary, each with its probabilities in the interaction with P given N and given N'.

        They are computed by running P on every column, as a second way beside the certificate; they agree with the
        view's own p and q.

        Raises:
            LimitError: if there are too many views.
        """
        found = views(self.mechanism, strategy)
        p, q = self.channel.rows
        results: list[tuple[View, mpq, mpq]] = []
        for view in found:
            first, second = self._run(strategy, view, p), self._run(strategy, view, q)
            results.append((view, first, second))
        return results

    def _run(self, strategy: Strategy, view: View, law: tuple[mpq, ...]) -> mpq:
        """The probability of a view when the sample of P has the given law."""
        numbers = {id(node): k for k, node in enumerate(self.mechanism.nodes)}
        node: Node = self.mechanism.root
        plan, carried = strategy, law
        for _, label in view.steps:
            kernels = self.kernels[numbers[id(node)]]
            if isinstance(node, QueryNode) and isinstance(plan, Ask):
                options = sorted(node.options, key=lambda option: option[0])
                k = [name for name, _ in options].index(label)
                carried = _drawn(carried, kernels[k], 0, self.tight.at(options[k][1]).shape[1])
                node, plan = options[k][1], plan.then
            elif isinstance(node, AnswerNode) and isinstance(plan, Hear):
                start = 0
                for branch in sorted_branches(node):
                    width = self.tight.at(branch.then).shape[1]
                    if branch.label == label:
                        break
                    start += width
                carried = _drawn(carried, kernels[0], start, width)
                plan = plan.then[[b.label for b in node.branches].index(label)]
                node = branch.then
        return sum(carried, mpq(0))


def _drawn(law: tuple[mpq, ...], kernel: Witness, start: int, width: int) -> tuple[mpq, ...]:
    """The part of law·W in *width* columns from *start* on."""
    result = [mpq(0)] * width
    for i, j, weight in kernel.entries:
        if start <= j < start + width:
            result[j - start] += law[i] * weight
    return tuple(result)


def simulate(mechanism: InteractiveMechanism, tight: Tightness | None = None) -> Simulation:
    """The pair of laws and the post-processing of theorem 1.5 (4.1), with N the tight channel.

    Args:
        mechanism: what is simulated.
        tight: its tight channels, where they are known.

    Raises:
        LimitError: beyond :data:`MAX_NUMBERS` or :data:`MAX_SIMULATED_BITS`, found before any kernel is made.
    """
    known = Tightness(mechanism) if tight is None else tight
    _require_size(known)
    return Simulation(known, tuple(_kernels(known, node) for node in mechanism.nodes))


def _require_size(tight: Tightness) -> None:
    """Count the entries of states and kernels: a witness of two rows has at most one less than there are columns.

    That is one for each column of either side but the last (:mod:`oracle.channels.refinement`); at an answer node each
    pair of an answer and a column has one entry.
    """
    numbers = bits = 0
    for node in tight.mechanism.nodes:
        channel = tight.at(node)
        columns, scale = channel.shape[1], channel.scale
        here = 2 * columns
        if isinstance(node, QueryNode):
            here += sum(columns + tight.at(child).shape[1] for _, child in node.options)
            scale = lcm(scale, *(tight.at(child).scale for _, child in node.options))
        elif isinstance(node, AnswerNode):
            here += sum(tight.at(branch.then).shape[1] for branch in node.branches)
        numbers += here
        bits += here * scale.bit_length()
    for limit, found, what in ((MAX_NUMBERS, numbers, "numbers"), (MAX_SIMULATED_BITS, bits, "bits")):
        if found > limit:
            expected = f"a simulation of at most {limit} {what} in tight channels and kernels"
            raise LimitError(expected, f"{found}", "interactive")


def _kernels(tight: Tightness, node: Node) -> tuple[Witness, ...]:
    channel = tight.at(node)
    if isinstance(node, QueryNode):
        options = sorted(node.options, key=lambda option: option[0])
        made = {id(child): witness_of(channel, tight.at(child)) for _, child in options}
        return tuple(made[id(child)] for _, child in options)
    if isinstance(node, AnswerNode):
        branches = sorted_branches(node)
        return (_split(channel, answer_channel(branches, [tight.at(branch.then) for branch in branches])),)
    return ()


def _split(channel: Channel, joint: Channel) -> Witness:
    """The witness of channel ⊑ joint, *channel* being the canonical form of *joint*.

    Column i of the channel is the sum of the columns of group i of the joint channel, which are parallel to it: each
    gets the share that it has of the sum, the same in both rows.
    """
    order = likelihood_order(joint)
    entries: list[tuple[int, int, mpq]] = []
    p, q = joint.numerators
    for i in range(channel.shape[1]):
        row, total = (p, order.p[i]) if order.p[i] else (q, order.q[i])
        entries += [(i, j, mpq(row[j], total)) for j in sorted(order.group(i))]
    return Witness(channel.shape[1], joint.shape[1], tuple(entries))


def sorted_branches(node: AnswerNode) -> tuple[Branch, ...]:
    """The branches of an answer node in the order of their labels."""
    return tuple(sorted(node.branches, key=lambda branch: branch.label))


def nodes_to_json(mechanism: InteractiveMechanism) -> list[Any]:
    """The tree as the list ``nodes`` of a certificate: children before parents, options and branches by label."""
    numbers = {id(node): k for k, node in enumerate(mechanism.nodes)}
    found: list[Any] = []
    for node in mechanism.nodes:
        if isinstance(node, QueryNode):
            found.append({"query": sorted([label, numbers[id(child)]] for label, child in node.options)})
        elif isinstance(node, AnswerNode):
            rows = ([b.label, str(b.p), str(b.q), numbers[id(b.then)]] for b in sorted_branches(node))
            found.append({"answer": list(rows)})
        else:
            found.append(None)
    return found


def mechanism_of_nodes(nodes: Sequence[Any], name: str | None = None) -> InteractiveMechanism:
    """The tree of the list ``nodes`` of a certificate: the inverse of :func:`nodes_to_json`, labels staying sorted.

    Raises:
        InputError: for what is no tree: the certificate was not checked.
    """
    made: list[Node] = []
    for item in nodes:
        if item is None:
            made.append(HALT)
        elif "query" in item:
            made.append(QueryNode(tuple((label, made[child]) for label, child in item["query"])))
        else:
            made.append(AnswerNode(tuple(Branch(label, p, q, made[child]) for label, p, q, child in item["answer"])))
    return InteractiveMechanism(made[-1], name)
