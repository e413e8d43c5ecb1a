"""Theorem 1.5: one pair of laws and an interactive post-processing that reproduce every adversary's views."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.certificates.checker import check
from oracle.channels.channel import Channel
from oracle.channels.galois import tradeoff_of
from oracle.errors import InputError, LimitError
from oracle.interactive import simulation as module
from oracle.interactive.adversaries import ACCEPT, Ask, Hear, strategies
from oracle.interactive.simulation import mechanism_of_nodes, nodes_to_json, simulate
from oracle.interactive.tightness import Tightness, tight_tradeoff
from oracle.interactive.tree import HALT, AnswerNode, Branch, InteractiveMechanism, QueryNode
from tests.certificates.checker import truth
from tests.interactive.trees import errors, lower_hull, random_mechanisms, response, view_laws


@pytest.mark.parametrize("seed", range(20, 25))
def test_the_certificate_is_accepted_and_the_curve_is_that_of_the_enumeration(seed):
    """On 100 random trees; the checker names the tree and N by their hashes."""
    for mechanism in random_mechanisms(seed, 20, 60):
        simulation = simulate(mechanism)
        certificate = simulation.certificate()
        accepted = check(certificate)
        assert accepted.kind == "simulation"
        assert dict(accepted.channels) == {"interactive": mechanism.hash, "N": simulation.channel.hash}
        points = [point for law in view_laws(mechanism.root) for point in errors(law)]
        assert [tuple(corner) for corner in tradeoff_of(simulation.channel).breakpoints] == lower_hull(points)


def test_running_the_kernels_gives_every_view_its_probability():
    """Every adversary of 30 random trees, in the engine and, from the document, by definition."""
    for mechanism in random_mechanisms(26, 30, 12):
        simulation = simulate(mechanism)
        for plan in strategies(mechanism):
            assert all((p, q) == (view.p, view.q) for view, p, q in simulation.views(plan))
        assert truth.is_simulated(simulation.certificate())


def test_the_kernels_of_a_choice_are_witnesses_of_the_bound():
    """N of the options (3/4, 1/4 | 1/2, 1/2) and (1/2, 1/2 | 1/4, 3/4) has three columns; each option merges two."""
    root = QueryNode((("B", response("1/2", "1/4")), ("A", response("3/4", "1/2"))))
    simulation = simulate(InteractiveMechanism(root))
    assert simulation.channel == Channel([["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]])
    merged = [[(i, j) for i, j, _ in witness.entries] for witness in simulation.kernels[-1]]
    assert merged == [[(0, 0), (1, 0), (2, 1)], [(0, 0), (1, 1), (2, 1)]]


def test_answers_of_equal_ratio_are_split_in_proportion():
    """Three answers, two of ratio 1/2: the first column of N says 0 or 1 with weights 1/3 and 2/3."""
    branches = (Branch("0", "1/4", "1/8"), Branch("1", "1/2", "1/4"), Branch("2", "1/4", "5/8"))
    simulation = simulate(InteractiveMechanism(AnswerNode(branches)))
    assert simulation.kernels[-1][0].entries == ((0, 0, mpq(1, 3)), (0, 1, mpq(2, 3)), (1, 2, mpq(1)))


def test_answers_that_only_one_input_gives_are_simulated():
    """Columns of ratio 0 and infinity, and what follows an answer that is impossible on one input."""
    below = response("1/2", "1/3", response("1", "1/2"))
    root = AnswerNode(
        (Branch("0", "1/2", "0", below), Branch("1", "1/2", "2/3", below), Branch("2", "0", "1/3", below))
    )
    mechanism = InteractiveMechanism(root)
    simulation = simulate(mechanism)
    assert check(simulation.certificate()).kind == "simulation"
    plan = strategies(mechanism)[0]
    assert all((p, q) == (view.p, view.q) for view, p, q in simulation.views(plan))


def test_a_mechanism_that_says_nothing_is_simulated_by_nothing():
    """N has one column."""
    simulation = simulate(InteractiveMechanism(HALT))
    assert simulation.channel == Channel([["1"], ["1"]])
    assert check(simulation.certificate()).kind == "simulation"
    assert [(p, q) for _, p, q in simulation.views(ACCEPT)] == [(1, 1)]


def test_the_tree_of_a_certificate_is_sorted_by_label():
    """Whatever the order of options and branches."""
    root = QueryNode((("B", HALT), ("A", AnswerNode((Branch("1", "1/2", "1/3"), Branch("0", "1/2", "2/3"))))))
    assert nodes_to_json(InteractiveMechanism(root)) == [
        None,
        {"answer": [["0", "1/2", "2/3", 0], ["1", "1/2", "1/3", 0]]},
        {"query": [["A", 1], ["B", 0]]},
    ]


def test_a_strategy_for_unsorted_labels_is_followed():
    """Branches and options are matched by label, not by place."""
    low = QueryNode((("B", response("1/5", "1/3")), ("A", response("1/2", "1/7"))))
    root = AnswerNode((Branch("1", "1/2", "1/3"), Branch("0", "1/2", "2/3", low)))
    mechanism = InteractiveMechanism(root)
    found = simulate(mechanism).views(Hear((ACCEPT, Ask("B", Hear((ACCEPT, ACCEPT))))))
    assert [(view.text, p, q) for view, p, q in found] == [
        ("hear 1", mpq(1, 2), mpq(1, 3)),
        ("hear 0, ask B, hear 0", mpq(1, 10), mpq(2, 9)),
        ("hear 0, ask B, hear 1", mpq(2, 5), mpq(4, 9)),
    ]


def test_known_tight_channels_are_used():
    """The same simulation."""
    mechanism = InteractiveMechanism(response("1/2", "1/3", response("1/4", "1/5")))
    tight = Tightness(mechanism)
    assert simulate(mechanism, tight).tight is tight
    assert simulate(mechanism, tight).certificate() == simulate(mechanism).certificate()


def test_sixty_answers_in_a_row_are_simulated():
    """2^60 views; the certificate has 61 nodes and, at the root, 61 columns."""
    node = HALT
    for _ in range(60):
        node = response("2/3", "1/3", node, node)
    simulation = simulate(InteractiveMechanism(node))
    certificate = simulation.certificate()
    assert len(certificate["nodes"]) == 61
    assert len(certificate["states"][-1]["matrix"][0]) == len(tight_tradeoff(simulation.mechanism).corners) - 1 == 61
    assert check(certificate).kind == "simulation"


def test_the_certificate_grows_with_the_columns():
    """Of one answer with n branches: n columns and n entries of its kernel, whatever is learned from it."""
    for n in (10, 1000):
        law = [(mpq(k + 1, n * (n + 1) // 2), mpq(1, n)) for k in range(n)]
        root = AnswerNode(tuple(Branch(f"{k}", p, q) for k, (p, q) in enumerate(law)))
        certificate = simulate(InteractiveMechanism(root)).certificate()
        assert len(certificate["states"][-1]["matrix"][0]) == len(certificate["kernels"][-1][0]["entries"]) == n
        assert check(certificate).kind == "simulation"


@pytest.mark.parametrize(
    ("limit", "what"), [("MAX_NUMBERS", "numbers"), ("MAX_SIMULATED_BITS", "bits"), (None, "none")]
)
def test_too_large_a_simulation_is_refused_before_a_kernel_is_made(monkeypatch, limit, what):
    """The limit and what was counted are named; at the limit the simulation is made."""
    mechanism = InteractiveMechanism(QueryNode((("A", response("1/2", "1/3")), ("B", response("1/4", "1/5")))))
    simulation = simulate(mechanism)
    numbers = sum(2 * state.shape[1] for state in simulation.parts().states)
    numbers += sum(len(witness.entries) for group in simulation.kernels for witness in group)
    monkeypatch.setattr(module, "MAX_NUMBERS", numbers + 2)  # a witness has one entry less than it is counted with
    assert simulate(mechanism).channel == simulation.channel
    if limit is not None:
        monkeypatch.setattr(module, "_kernels", None)
        monkeypatch.setattr(module, limit, numbers - 1)
        with pytest.raises(LimitError, match=f"a simulation of at most {numbers - 1} {what} in tight channels"):
            simulate(mechanism)


def test_nodes_are_read_back():
    """The same tree, by its hash, and the same list; what was not checked may be refused."""
    for mechanism in random_mechanisms(29, 20):
        nodes = nodes_to_json(mechanism)
        again = mechanism_of_nodes(nodes, "again")
        assert (again.hash, again.name) == (mechanism.hash, "again")
        assert nodes_to_json(again) == nodes
    with pytest.raises(InputError, match="p that sum to 1"):
        mechanism_of_nodes([None, {"answer": [["0", "1/2", "1", 0]]}])
