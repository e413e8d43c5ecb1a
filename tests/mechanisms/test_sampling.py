"""Subsampling nodes: exact tables and pairs by two ways, bounds that say so, and what is declined."""

from __future__ import annotations

from itertools import product

import mpmath
import pytest
from gmpy2 import mpq

from oracle.answers import answer
from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel
from oracle.errors import Declined, InputError, LimitError
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import PoissonSubsampled
from oracle.experiments.substituted import SubstitutedGaussian, SubstitutedLaplace
from oracle.mechanisms.evaluate import evaluate
from oracle.mechanisms.parse import parse_mechanism
from oracle.theorems.bounds import ProfileBound

RESPONSE = {"mechanism": "randomized_response", "exp_epsilon": "3"}
E_RESPONSE = {"mechanism": "randomized_response", "epsilon": "1"}
LAPLACE = {"mechanism": "laplace", "scale": "2", "sensitivity": "1"}
GAUSSIAN = {"mechanism": "gaussian", "sigma": "2", "sensitivity": "1"}


def poisson(of, rate="1/5", neighbours="add_remove"):
    """A Poisson node."""
    return {"mechanism": "poisson_subsample", "rate": rate, "neighbours": neighbours, "of": of}


def fixed(of, way="without", source=10, sample=2, neighbours="substitute"):
    """A node of one of the two fixed sizes."""
    sizes = {"source": source, "sample": sample, "neighbours": neighbours}
    return {"mechanism": f"subsample_{way}_replacement", **sizes, "of": of}


def ask(op, channel, **args):
    """The whole answer but its id."""
    reply = answer({"id": 1, "op": op, "args": {"channel": channel, **args}})
    del reply["id"]
    return reply


@pytest.mark.parametrize("document", [poisson(RESPONSE), fixed(LAPLACE), fixed(GAUSSIAN, "with", 3, 7, "add_remove")])
def test_an_expression_comes_back_as_it_went_in(document):
    """parse, then to_json, is the identity on canonical expressions."""
    node = parse_mechanism(document)
    assert node.to_json() == document
    assert parse_mechanism(node.to_json()) == node


def test_poisson_of_a_finite_pair_mixes_the_rows():
    """P' = q P + (1-q) Q, Q' = Q, column by column; irrational weights stay formal."""
    channel = evaluate(parse_mechanism(poisson(RESPONSE)))
    assert channel == Channel([["7/20", "13/20"], ["1/4", "3/4"]])
    formal = evaluate(parse_mechanism(poisson(E_RESPONSE)))
    assert isinstance(formal, FormalChannel)
    lo = formal.probability(0, 0).lo
    with mpmath.workdps(20):
        expected = (mpmath.e / 5 + mpmath.mpf(4) / 5) / (1 + mpmath.e)
        assert abs(expected - mpmath.mpf(int(lo.numerator)) / int(lo.denominator)) < mpmath.mpf(10) ** -11
    assert evaluate(parse_mechanism(poisson(RESPONSE, "1"))) == evaluate(parse_mechanism(RESPONSE))


@pytest.mark.parametrize("of", [RESPONSE, LAPLACE, GAUSSIAN])
@pytest.mark.parametrize("neighbours", ["add_remove", "substitute"])
def test_rate_0_tells_nothing(of, neighbours):
    """Both laws are the same."""
    assert ask("delta", poisson(of, "0", neighbours), exp_epsilon="1") == {"value": "0"}
    assert ask("delta", poisson(of, "0", neighbours), exp_epsilon="1/2") == {"value": "1/2"}


def test_poisson_of_a_continuous_pair():
    """The class that does it for each relation."""
    assert isinstance(evaluate(parse_mechanism(poisson(GAUSSIAN))), PoissonSubsampled)
    assert isinstance(evaluate(parse_mechanism(poisson(LAPLACE, "1"))), Laplace)
    assert isinstance(evaluate(parse_mechanism(poisson(GAUSSIAN, neighbours="substitute"))), SubstitutedGaussian)
    assert isinstance(evaluate(parse_mechanism(poisson(LAPLACE, neighbours="substitute"))), SubstitutedLaplace)


@pytest.mark.parametrize("s", [1, 2, 3])
@pytest.mark.parametrize("name", ["geometric", "discrete_laplace"])
def test_substitution_of_integer_noise_by_its_masses(s, name):
    """A long table of the masses at -30..30 (ends with the tails) has the same hockey sticks at every level."""
    r, q = mpq(1, 3), mpq(1, 4)
    node = poisson({"mechanism": name, "ratio": "1/3", "sensitivity": s}, "1/4", "substitute")
    reach = range(-30, 31)

    def law(centre):
        masses = [(1 - r) / (1 + r) * r ** abs(z - centre) for z in reach]
        masses[0], masses[-1] = r ** abs(-30 - centre) / (1 + r), r ** abs(30 - centre) / (1 + r)
        return masses

    absent = law(0)
    rows = [[q * x + (1 - q) * y for x, y in zip(law(centre), absent, strict=True)] for centre in (s, -s)]
    assert all(sum(row) == 1 for row in rows)
    short = evaluate(parse_mechanism(node))
    assert isinstance(short, Channel)
    assert short.shape == (2, 2 * s + 1)
    for level in ("1/3", "1", "3/2", "2", "9"):
        for direction in ("forward", "backward"):
            of = {"matrix": [[str(x) for x in row] for row in rows]}
            expected = ask("hockey_stick", of, exp_epsilon=level, direction=direction)
            assert ask("hockey_stick", node, exp_epsilon=level, direction=direction) == expected


def test_substitution_of_integer_noise_with_an_irrational_ratio():
    """Formal weights; every column is a law's mass, by mpmath."""
    node = poisson({"mechanism": "discrete_laplace", "scale": "2", "sensitivity": "2"}, "1/4", "substitute")
    found = evaluate(parse_mechanism(node))
    assert isinstance(found, FormalChannel)
    with mpmath.workdps(30):
        r = mpmath.exp(mpmath.mpf(-1) / 2)

        def mass(z, centre):
            return (1 - r) / (1 + r) * r ** abs(z - centre)

        for row, centre in ((0, 2), (1, -2)):
            for column, z in ((1, -1), (2, 0), (3, 1)):
                expected = mass(z, centre) / 4 + mass(z, 0) * 3 / 4
                value = found.probability(row, column, 15)
                slack = mpmath.mpf(10) ** -25
                low, high = (mpmath.mpf(int(x.numerator)) / int(x.denominator) for x in (value.lo, value.hi))
                assert low - slack <= expected <= high + slack


def test_bounds_are_marked_as_such():
    """Delta and epsilon with a sibling; exact where the theorem's sum is."""
    assert ask("delta", fixed(RESPONSE), exp_epsilon="11/10") == {"value": "3/40", "kind": "bound"}
    assert ask("epsilon", fixed(RESPONSE), delta="0")["kind"] == "bound"
    assert ask("epsilon", fixed(RESPONSE), delta="0")["value"]["exp_epsilon"] == "7/5"
    reply = ask("delta", fixed(LAPLACE, "with", 10, 3), exp_epsilon="11/10")
    assert reply["kind"] == "bound"
    assert set(reply["value"]) == {"lo", "hi"}
    assert isinstance(evaluate(parse_mechanism(poisson(RESPONSE, neighbours="substitute"))), ProfileBound)


def test_group_profiles_of_additive_noise_use_its_sensitivity():
    """Theorem 10 of Laplace noise: k records are k times the sensitivity; the black-box bound is larger."""
    noise = evaluate(parse_mechanism(fixed(LAPLACE, "with", 3, 2)))
    assert isinstance(noise, ProfileBound)
    assert noise.noise is not None
    assert noise.noise(3).theta == mpq(3, 2)
    clamped = {"mechanism": "geometric", "ratio": "1/2", "low": 0, "high": 9, "values": [4, 5]}
    assert evaluate(parse_mechanism(fixed(clamped, "with", 3, 2))).noise is None


def test_a_bound_proves_a_claim_with_a_record():
    """True where it suffices, declined where not, never false."""
    reply = ask("satisfies", fixed(RESPONSE), claim={"exp_epsilon": "7/5"})
    value = reply["value"]
    assert reply["kind"] == "bound"
    assert value["holds"] is True
    assert value["certificate"]["record"] == "enclosure"
    assert "proves and refutes nothing" in ask("satisfies", fixed(RESPONSE), claim={"exp_epsilon": "6/5"})["declined"]


@pytest.mark.parametrize(
    ("op", "args"),
    [
        ("tradeoff", {}),
        ("tradeoff", {"alpha": "1/2"}),
        ("renyi", {"order": "2"}),
        ("delta", {"exp_epsilon": "2", "direction": "forward"}),
        ("epsilon", {"delta": "0", "direction": "backward"}),
        ("hockey_stick", {"exp_epsilon": "2"}),
        ("satisfies", {"claim": {"exp_epsilon": "2"}, "direction": "forward"}),
        ("satisfies", {"claim": {"tradeoff": {"breakpoints": [["0", "1"], ["1", "0"]]}}}),
        ("canonical", {}),
    ],
)
def test_what_a_bound_declines(op, args):
    """A theorem's bound is about delta and epsilon in both directions."""
    assert set(ask(op, fixed(RESPONSE), **args)) == {"declined"}


DATABASES = {
    "mechanism": "database",
    "universe": ["a", "b", "c"],
    "kind": "multiset",
    "neighbours": "substitute",
    "table": [
        {"database": list(x), "row": [str(mpq(1 + i * i, 40)), str(1 - mpq(1 + i * i, 40))]}
        for i, x in enumerate(["", "a", "b", "c", "aa", "ab"])
    ],
}
ROWS = {tuple(entry["database"]): mpq(entry["row"][0]) for entry in DATABASES["table"]}


def largest(laws, pairs):
    """The largest total variation, with laws of two outputs given by their first probability."""
    return str(max(abs(laws[x] - laws[y]) for x, y in pairs))


@pytest.mark.parametrize("way", ["without", "with"])
def test_databases_are_enumerated(way):
    """One of two records: the average of two rows; without replacement from sizes 2 and 1 under add_remove too."""
    sources = [("a", "a"), ("a", "b"), ("a", "c"), ("b", "b"), ("b", "c"), ("c", "c")]
    laws = {x: (ROWS[x[:1]] + ROWS[x[1:]]) / 2 for x in sources} | {(x,): ROWS[(x,)] for x in "abc"}
    near = [(x, y) for x, y in product(sources, sources) if x != y and set(x) & set(y)]
    assert ask("delta", fixed(DATABASES, way, 2, 1), exp_epsilon="1") == {"value": largest(laws, near)}
    removed = [(x, (record,)) for x in sources for record in x]
    node = fixed(DATABASES, way, 2, 1, "add_remove")
    assert ask("delta", node, exp_epsilon="1") == {"value": largest(laws, removed)}


def test_poisson_sampled_databases():
    """Sources are the databases of the table, under either relation; the node's own relation is not asked."""
    small = {**DATABASES, "table": DATABASES["table"][:4]}
    laws = {x: ROWS[()] * mpq(4, 5) + row * mpq(1, 5) if x else row for x, row in ROWS.items() if len(x) < 2}
    singles = [("a",), ("b",), ("c",)]
    expected = largest(laws, product(singles, singles))
    assert ask("delta", poisson(small, neighbours="substitute"), exp_epsilon="1") == {"value": expected}
    expected = largest(laws, product(singles, [()]))
    assert ask("delta", poisson(small), exp_epsilon="1") == {"value": expected}


def test_sampling_inside_other_nodes():
    """Finite and continuous pairs compose, bounds are declined, groups inside are resolved."""
    composed = {"mechanism": "repeat", "times": 2, "of": poisson(RESPONSE)}
    table = {"mechanism": "compose", "of": [{"matrix": [["7/20", "13/20"], ["1/4", "3/4"]]}] * 2}
    assert ask("delta", composed, exp_epsilon="1") == ask("delta", table, exp_epsilon="1")
    assert ask("delta", {"mechanism": "repeat", "times": 2, "of": poisson(GAUSSIAN)}, exp_epsilon="1")["method"]
    assert "declined" in ask("delta", {"mechanism": "repeat", "times": 2, "of": fixed(RESPONSE)}, exp_epsilon="1")
    grouped = poisson({"mechanism": "group", "size": 3, "of": LAPLACE})
    direct = poisson({**LAPLACE, "sensitivity": "3"})
    assert ask("delta", grouped, exp_epsilon="1") == ask("delta", direct, exp_epsilon="1")
    bound = fixed(RESPONSE, "with", neighbours="add_remove")
    assert "only a bound is known" in ask("delta", poisson(bound), exp_epsilon="1")["declined"]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"mechanism": "poisson_subsample", "rate": "1/5", "of": RESPONSE}, "neighbours"),
        (poisson(RESPONSE, neighbours="zero_out"), "add_remove, substitute"),
        (poisson(RESPONSE, "6/5"), "rate between 0 and 1"),
        (poisson(RESPONSE, "-1/5"), "rate between 0 and 1"),
        ({**poisson(RESPONSE), "source": 3}, "source"),
        (fixed(RESPONSE, "without", 2, 3), "at most as large as its source"),
        (fixed(RESPONSE, "with", 0, 3), "at least 1 record"),
        (fixed(RESPONSE, "with", 3, -1), "at least 0"),
        (fixed(RESPONSE, "with", "5/2", 1), "whole number"),
        (
            {"mechanism": "subsample_with_replacement", "source": 3, "neighbours": "substitute", "of": RESPONSE},
            "sample",
        ),
        (fixed({"mechanism": "unknown"}), "known mechanism"),
    ],
)
def test_what_is_refused(document, message):
    """Each with its place."""
    with pytest.raises(InputError, match=message):
        parse_mechanism(document)


def test_what_is_declined():
    """Pairings without a theorem, with the reason."""
    for document, message in (
        (fixed(RESPONSE, neighbours="add_remove"), "private"),
        (fixed(RESPONSE, "with", 1, 1, "add_remove"), "theorem 11"),
    ):
        with pytest.raises(Declined, match=message):
            evaluate(parse_mechanism(document))


def test_tables_that_do_not_fit():
    """More rows than two, a source the universe does not have, samples without a row, too many groups."""
    three = {"matrix": [["1"], ["1"], ["1"]]}
    for document in (poisson(three), fixed(three)):
        with pytest.raises(InputError, match="two rows"):
            evaluate(parse_mechanism(document))
    sets = {**DATABASES, "kind": "set", "table": DATABASES["table"][:4]}
    with pytest.raises(InputError, match="no set of 5 records"):
        evaluate(parse_mechanism(fixed(sets, "without", 5, 1)))
    with pytest.raises(InputError, match="a row for every sample"):
        evaluate(parse_mechanism(fixed(DATABASES, "with", 2, 2)))
    with pytest.raises(LimitError, match="group sizes"):
        evaluate(parse_mechanism(fixed(RESPONSE, "with", 10, 5000)))


def test_groups_of_other_mechanisms_have_the_black_box_bound():
    """delta_2(2) = min(1, (1 + 3/2)·delta(3/2)) at a = 9/4; inside other nodes it is declined."""
    group = {"mechanism": "group", "size": 2, "of": RESPONSE}
    assert ask("delta", group, exp_epsilon="9/4") == {"value": "15/16", "kind": "bound"}
    nine = ask("epsilon", {"mechanism": "randomized_response", "exp_epsilon": "9"}, delta="0")
    assert ask("epsilon", group, delta="0") == {**nine, "kind": "bound"}
    triple = {"mechanism": "group", "size": 3, "of": E_RESPONSE}
    assert ask("epsilon", triple, delta="0") == {"value": {"lo": "3", "hi": "3"}, "kind": "bound"}
    for outer in (poisson(group), {"mechanism": "group", "size": 2, "of": fixed(RESPONSE)}):
        assert set(ask("delta", outer, exp_epsilon="2")) == {"declined"}
