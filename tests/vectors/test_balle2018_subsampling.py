"""The engine gives the values of fixtures/vectors/balle2018.json about databases, couplings and subsampling."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.answers import answer
from oracle.certificates.checker import check
from oracle.databases import subsampling as exact
from oracle.databases.tables import DatabaseMechanism
from oracle.databases.universe import Universe
from oracle.errors import Declined
from oracle.theorems import lower_bounds, subsampling
from oracle.theorems.couplings import advanced_joint_convexity
from oracle.theorems.groups import black_box_bound
from tests.vectors.fixture_files import VECTORS, read_json

ALL = {vector["id"]: vector for vector in read_json(VECTORS / "balle2018.json")["vectors"]}


def numbers(fields):
    """The fields that are numbers."""
    return {name: mpq(value) for name, value in fields.items() if isinstance(value, str)}


def of_claim(prefix):
    """A parameter for each vector whose id starts so."""
    chosen = [vector for name, vector in ALL.items() if name.startswith(f"balle2018-{prefix}")]
    return pytest.mark.parametrize("vector", chosen, ids=lambda v: v["id"])


def test_advanced_joint_convexity():
    """Both sides 1/9, the plain bound 1/6, and the certificate is accepted."""
    given, expected = ALL["balle2018-04"]["input"], numbers(ALL["balle2018-04"]["expected"])
    laws = [[mpq(given[name].get(str(z), "0")) for z in range(3)] for name in ("mu0", "mu1", "mu1_prime")]
    found = advanced_joint_convexity(mpq(given["eta"]), mpq(given["exp_epsilon"]), *laws)
    assert (found.level, found.beta) == (expected["exp_epsilon_prime"], expected["beta"])
    assert found.left == found.right == expected["both_sides"]
    assert found.bound == expected["convex_upper_bound"]
    assert check(found.certificate).kind == "evaluation"


def test_group_bound():
    """Bernoulli(i/10) on the path of copies of one record."""
    expected = numbers(ALL["balle2018-08"]["expected"])
    universe = Universe(("v",), "multiset")
    mechanism = DatabaseMechanism(universe, {("v",) * i: (1 - mpq(i, 10), mpq(i, 10)) for i in range(4)})
    assert mechanism.profile(mpq(1), "add_remove") == expected["delta_1"]
    assert mechanism.group_profile(3, mpq(1), "add_remove") == expected["delta_3"]
    assert black_box_bound(3, mpq(1), expected["delta_1"]) == expected["bound"]


def test_multinomial_weights():
    """Three draws from three records."""
    law = exact.with_replacement(("a", "b", "c"), 3, "set")
    assert {"".join(y): str(w) for y, w in law.items()} == ALL["balle2018-09"]["expected"]


@of_claim("10")
@pytest.mark.parametrize("inputs", ["substitute", "add_remove"])
def test_table_1(vector, inputs):
    """The two rows with replacement have the same eta and weights."""
    n, m = (int(vector["input"][name]) for name in ("n", "m"))
    if n == 1 and inputs == "add_remove":
        with pytest.raises(Declined, match="theorem 11"):
            subsampling.with_replacement(n, m, inputs)
        return
    found = subsampling.with_replacement(n, m, inputs)
    assert str(found.eta) == vector["expected"]["eta"]
    assert [str(w) for w in found.weights()] == vector["expected"]["weights"]


def test_the_first_order_approximation_is_not_exact():
    """Equal sizes 10: 0.65..., not 1."""
    found = subsampling.with_replacement(10, 10, "substitute").eta
    assert found == mpq(ALL["balle2018-16"]["expected"]["eta"])
    assert found < mpq(ALL["balle2018-16"]["expected"]["rate"])


def enumerated(way, p, given):
    """The profile of the membership mechanism, subsampled, at a'; and eta."""
    level = mpq(given["exp_epsilon"])
    if way == "a":
        universe = Universe(("v", "a", "b"), "set")
        theorem, relation = subsampling.poisson(mpq(given["rate"]), "add_remove"), "add_remove"
        databases = samples = universe.enumerated(range(4))
        sampler, sources = (lambda x: exact.poisson(x, mpq(given["rate"]))), universe
    else:
        n, m = int(given["n"]), int(given["m"])
        sources = Universe(("v", "a", "b", "c", "d", "e")[: n + 1], "set")
        universe = sources if way == "b" else Universe(sources.records, "multiset")
        relation, databases, samples = "substitute", sources.enumerated([n]), universe.enumerated([m])
        if way == "b":
            theorem = subsampling.without_replacement(n, m, relation)
            sampler = exact.sampled_without_replacement(m)
        else:
            theorem = subsampling.with_replacement(n, m, relation)
            sampler = exact.sampled_with_replacement(m, "set")
    base = lower_bounds.membership_mechanism(universe, samples, "v", p)
    raised = subsampling.amplified_level(theorem.eta, level)
    bound = theorem.bound(lambda _k, a: lower_bounds.response_profile(p, a), level)
    return theorem.eta, raised, base.subsampled(sources, databases, sampler).profile(raised, relation), bound


@of_claim("13")
def test_theorem_13(vector):
    """Membership attains theorems 8, 9 and 10, by enumeration."""
    given, expected = vector["input"], numbers(vector["expected"])
    eta, raised, delta, bound = enumerated(vector["id"][-1], mpq(given["p"]), given)
    assert raised == expected["exp_epsilon_prime"]
    assert delta == bound == expected["delta"]
    assert eta == expected.get("eta", eta)


def test_lemma_12():
    """Claimed 1, in truth 1/2."""
    given, expected = ALL["balle2018-14"]["input"], numbers(ALL["balle2018-14"]["expected"])
    universe = Universe(("v", "a"), "tuple")
    laws = {
        ("v",): {tuple(key.strip("()")): mpq(w) for key, w in given["sample_of_x"].items()},
        ("a",): {tuple(key.strip("()")): mpq(w) for key, w in given["sample_of_x_prime"].items()},
    }
    p, level = mpq(given["p"]), mpq(given["exp_epsilon"])
    base = lower_bounds.membership_mechanism(universe, [(), ("v",), ("a",)], "v", p)
    found = base.subsampled(universe, laws, laws.__getitem__).profile(1 + expected["eta"] * (level - 1), "substitute")
    assert lower_bounds.membership_bound(expected["eta"], p, level) == expected["claimed"]
    assert found == expected["actual"]


def test_the_count_mechanism():
    """Theorem 10 with equality, and the wrong bound below it."""
    given, expected = ALL["balle2018-17"]["input"], ALL["balle2018-17"]["expected"]
    n, m, level = int(given["n"]), int(given["m"]), mpq(given["exp_epsilon"])
    universe = Universe(("v", "a", "b"), "multiset")
    sources = Universe(universe.records, "set")
    base = lower_bounds.count_mechanism(universe, universe.enumerated([m]), "v", mpq(1, 10))
    theorem = subsampling.with_replacement(n, m, "substitute")
    raised = subsampling.amplified_level(theorem.eta, level)
    found = base.subsampled(sources, sources.enumerated([n]), exact.sampled_with_replacement(m, "set"))
    groups = [base.group_profile(k, level, "substitute") for k in range(1, m + 1)]
    assert (str(theorem.eta), str(raised)) == (expected["eta"], expected["exp_epsilon_prime"])
    assert [str(delta) for delta in groups] == expected["delta_by_distance"]
    assert found.profile(raised, "substitute") == mpq(expected["delta_sampled"])
    assert theorem.bound(lambda k, _: groups[k - 1], level) == mpq(expected["delta_sampled"])
    assert theorem.eta * groups[0] == mpq(expected["wrong_bound"])


def rows(table, outputs=3):
    """The table of a vector, the databases written as their letters, {} for none."""
    return [
        {"database": [] if key == "{}" else list(key), "row": [row.get(str(z), "0") for z in range(outputs)]}
        for key, row in table.items()
    ]


def ask_delta(channel, exp_epsilon):
    """Delta in both directions, through the protocol."""
    return answer({"id": 1, "op": "delta", "args": {"channel": channel, "exp_epsilon": exp_epsilon}})["value"]


@of_claim("20")
def test_theorem_8_enumerated(vector):
    """A database node, asked and Poisson sampled."""
    given, expected = vector["input"], vector["expected"]
    node = {"mechanism": "database", "universe": ["a", "b"], "kind": "set", "neighbours": "add_remove"}
    node["table"] = rows(given["mechanism_table"])
    sampled = {"mechanism": "poisson_subsample", "rate": given["rate"], "neighbours": "add_remove", "of": node}
    delta = ask_delta(node, given["exp_epsilon"])
    theorem = subsampling.poisson(mpq(given["rate"]), "add_remove")
    raised = subsampling.amplified_level(theorem.eta, mpq(given["exp_epsilon"]))
    values = {
        "exp_epsilon_prime": str(raised),
        "delta_base": delta,
        "delta_sampled": ask_delta(sampled, str(raised)),
        "bound": str(theorem.eta * mpq(delta)),
    }
    assert values == expected


@of_claim("21")
def test_theorem_10_enumerated(vector):
    """A database node over multisets, drawn from sets with replacement."""
    given, expected = vector["input"], vector["expected"]
    node = {"mechanism": "database", "universe": ["a", "b", "c"], "kind": "multiset", "sources": "set"}
    node |= {"neighbours": "substitute", "table": rows(given["mechanism_table"])}
    sampled = {
        "mechanism": "subsample_with_replacement",
        "source": 2,
        "sample": 2,
        "neighbours": "substitute",
        "of": node,
    }
    universe = Universe(("a", "b", "c"), "multiset")
    table = {tuple(row["database"]): tuple(map(mpq, row["row"])) for row in node["table"]}
    mechanism = DatabaseMechanism(universe, table)
    level = mpq(given["exp_epsilon"])
    theorem = subsampling.with_replacement(2, 2, "substitute")
    raised = subsampling.amplified_level(theorem.eta, level)
    groups = [mechanism.group_profile(k, level, "substitute") for k in (1, 2)]
    assert expected == {
        "eta": str(theorem.eta),
        "exp_epsilon_prime": str(raised),
        "delta_1": str(groups[0]),
        "delta_2": str(groups[1]),
        "delta_sampled": ask_delta(sampled, str(raised)),
        "bound": str(theorem.bound(lambda k, _: groups[k - 1], level)),
    }
