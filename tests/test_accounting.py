"""Accounts: values against independent formulas, the record beside them, the bounds where time is up, profiles."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any

import mpmath
import pytest
from gmpy2 import mpq
from jsonschema import Draft202012Validator

import oracle
from oracle.accountant.composition import Composition
from oracle.accountant.cross_check import CrossCheck
from oracle.accounting import (
    account,
    account_of,
    bounds_entry,
    coarse_entries,
    entries,
    method_of,
    pair_of,
    profile_lines,
    questions,
)
from oracle.accounting import entry as entry_module
from oracle.answers import answer
from oracle.enclosures import Enclosure
from oracle.errors import Declined, InputError
from tests.vectors.fixture_files import FIXTURES, MECHANISMS, SCHEMAS, read_json

SCHEMA = Draft202012Validator(read_json(SCHEMAS / "account.schema.json"))
RESPONSE = {"mechanism": "randomized_response", "exp_epsilon": "3"}
TENFOLD = {"mechanism": "repeat", "times": 10, "of": RESPONSE}
GAUSSIANS = {"mechanism": "repeat", "times": 9, "of": {"mechanism": "gaussian", "sigma": "2"}}
SURVEY = {"mechanism": "compose", "of": [TENFOLD, {"mechanism": "gaussian", "sigma": "2"}]}


def sgd(times: int, rate: str = "0.005", sigma: str = "0.8") -> dict[str, Any]:
    """Noisy gradient steps on Poisson samples."""
    of = {"mechanism": "gaussian", "sigma": sigma}
    step = {"mechanism": "poisson_subsample", "rate": rate, "neighbours": "add_remove", "of": of}
    return {"mechanism": "repeat", "times": times, "of": step}


def ends(value: Any) -> tuple[Fraction, Fraction]:
    """Both ends of a value of an account."""
    return (Fraction(value["lo"]), Fraction(value["hi"])) if isinstance(value, dict) else (Fraction(value),) * 2


def holds(value: Any, truth: Any) -> bool:
    """Whether an enclosure has the truth, a number of mpmath, inside."""
    low, high = ends(value)
    return bool(mpmath.mpf(low.numerator) / low.denominator <= truth <= mpmath.mpf(high.numerator) / high.denominator)


def sum_of_ten(level: Fraction) -> Fraction:
    """The delta of ten randomized responses by the number of true answers."""
    masses = ((comb(10, j), 3**j, 3 ** (10 - j)) for j in range(11))
    return sum((ways * max(Fraction(0), p - level * q) for ways, p, q in masses), Fraction(0)) / 4**10


def test_delta_of_randomized_responses() -> None:
    """Exact, by the sum over the numbers of true answers, at levels below, at and above 1."""
    levels = ["1/2", "1", "9", "1000", "59049"]
    entries = account(TENFOLD, exp_epsilon=levels, direction="forward").entries
    assert [entry["value"] for entry in entries] == [str(sum_of_ten(Fraction(level))) for level in levels]
    assert [entry["given"] for entry in entries] == [{"exp_epsilon": level} for level in levels]
    assert {entry["method"] for entry in entries} == {"lattice polynomial"}


def test_delta_of_gaussians() -> None:
    """Nine of sigma 2 are one of sigma 2/3: the formula of mu-GDP for mu = 3/2."""
    entry = account(GAUSSIANS, epsilon="1/2", digits=25).entries[0]
    with mpmath.workdps(50):
        mu, epsilon = mpmath.mpf(3) / 2, mpmath.mpf(1) / 2
        truth = mpmath.ncdf(-epsilon / mu + mu / 2) - mpmath.exp(epsilon) * mpmath.ncdf(-epsilon / mu - mu / 2)
        assert holds(entry["value"], truth)
    low, high = ends(entry["value"])
    assert (high - low) * 10**25 <= high


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_delta_of_a_mixed_composition(direction: str) -> None:
    """Ten answers and a Gaussian: the sum over the true answers of the Gaussian's delta at the level that is left."""
    entry = account(SURVEY, epsilon=1, direction=direction).entries[0]
    with mpmath.workdps(40):
        truth, mu = mpmath.mpf(0), mpmath.mpf(1) / 2
        for j in range(11):
            left = 1 - (2 * j - 10) * mpmath.log(3)
            delta = mpmath.ncdf(-left / mu + mu / 2) - mpmath.exp(left) * mpmath.ncdf(-left / mu - mu / 2)
            truth += comb(10, j) * mpmath.mpf(3) ** j / 4**10 * delta
        assert holds(entry["value"], truth)
    assert ends(entry["value"])[1] - ends(entry["value"])[0] <= Fraction(1, 10**12)


def test_the_least_epsilon_of_gaussians() -> None:
    """The delta is above the target at the lower end and at most the target at the upper one."""
    entry = account(GAUSSIANS, delta="1e-5").entries[0]
    with mpmath.workdps(50):
        mu = mpmath.mpf(3) / 2
        low, high = (mpmath.mpf(x.numerator) / x.denominator for x in ends(entry["value"]))
        above, below = (
            mpmath.ncdf(-e / mu + mu / 2) - mpmath.exp(e) * mpmath.ncdf(-e / mu - mu / 2) for e in (low, high)
        )
        assert below <= mpmath.mpf("1e-5") <= above
    assert entry["quantity"] == "epsilon"


def test_an_epsilon_that_is_rational_in_its_exponential() -> None:
    """exp_epsilon is stated, exact, and delta there is the target; of delta 0 it is the largest ratio."""
    first, second = account(TENFOLD, delta=["1/100", "0"]).entries
    assert sum_of_ten(Fraction(first["value"]["exp_epsilon"])) == Fraction(1, 100)
    assert second["value"]["exp_epsilon"] == "59049"
    assert second["evidence"][0]["value"] == "0"


def test_epsilon_of_delta_0_is_infinite_with_a_gaussian() -> None:
    """No evidence is needed, and the document still has its shape."""
    report = account(SURVEY, delta=0)
    assert report.entries[0]["value"] == {"exp_epsilon": "inf", "lo": "inf", "hi": "inf"}
    assert list(SCHEMA.iter_errors(report.document)) == []


def test_both_directions_stand_behind_the_larger() -> None:
    """Removing and adding differ for noisy gradients; the value is that of the larger."""
    entry = account(sgd(1000), epsilon=1).entries[0]
    assert [item["direction"] for item in entry["evidence"]] == ["forward", "backward"]
    forward, backward = (ends(item["value"]) for item in entry["evidence"])
    assert backward[1] < forward[0]
    assert ends(entry["value"]) == forward
    for side in ("forward", "backward"):
        alone = account(sgd(1000), epsilon=1, direction=side).entries[0]
        assert alone["evidence"] == [item for item in entry["evidence"] if item["direction"] == side]
        assert alone["value"] == alone["evidence"][0]["value"]


def test_a_single_step_of_noisy_gradients() -> None:
    """The delta is q times the Gaussian's at 1 + (a - 1)/q (Balle, Barthe and Gaboardi, theorem 2)."""
    entry = account(sgd(1), epsilon=1, direction="forward", digits=20).entries[0]
    with mpmath.workdps(50):
        q, mu = mpmath.mpf(5) / 1000, mpmath.mpf(10) / 8
        level = mpmath.log(1 + (mpmath.e - 1) / q)
        truth = q * (mpmath.ncdf(-level / mu + mu / 2) - mpmath.exp(level) * mpmath.ncdf(-level / mu - mu / 2))
        assert holds(entry["value"], truth)


def test_the_record_of_a_contour() -> None:
    """Abscissa, step, nodes, and a bound for each term of the error; together they are below the half-width."""
    entry = account(sgd(100), epsilon=1, direction="forward").entries[0]
    facts = entry["evidence"][0]["facts"]
    assert entry["method"] == "contour"
    assert {"abscissa", "step", "nodes", "bits"} < set(facts)
    terms = [Fraction(facts[key]) for key in ("high aliases", "low aliases", "tail", "quadrature and rounding")]
    low, high = ends(entry["value"])
    assert all(term > 0 for term in terms)
    # Each term is stated to three digits, upwards, and the ends are rounded outwards to the digits asked for.
    assert high - low <= 2 * sum(terms) + 4 * Fraction(1, 10**14) * high


QUESTIONS: list[tuple[Any, dict[str, Any]]] = [
    (TENFOLD, {"exp_epsilon": "9", "delta": "1/100"}),
    (GAUSSIANS, {"epsilon": ["1", "2"], "delta": "1e-5", "digits": 20}),
    (SURVEY, {"epsilon": "log(2)", "direction": "backward"}),
    (sgd(20), {"epsilon": "1", "delta": "1e-6"}),
    ({"mechanism": "repeat", "times": 0, "of": RESPONSE}, {"exp_epsilon": "1", "delta": "0"}),
    ({"mechanism": "repeat", "times": 3, "of": {"mechanism": "laplace", "scale": "2"}}, {"epsilon": "1"}),
    ({"mechanism": "repeat", "times": 4, "of": {"mechanism": "discrete_gaussian", "sigma": "2"}}, {"epsilon": "1"}),
    ({"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}, {"exp_epsilon": "2", "delta": "1/8"}),
    (read_json(MECHANISMS / "subsampled_approximate_randomized_response.json"), {"exp_epsilon": "2"}),
    (read_json(MECHANISMS / "exponential_irrational.json"), {"epsilon": "1/10"}),
    (read_json(FIXTURES / "interactive" / "interleaving.json"), {"exp_epsilon": "2"}),
]


@pytest.mark.parametrize(("mechanism", "options"), QUESTIONS)
def test_documents_have_the_shape_of_the_schema(mechanism: Any, options: dict[str, Any]) -> None:
    """Tables, compositions, formal tables and interactive mechanisms; every value is at least 0."""
    report = account(mechanism, **options)
    assert list(SCHEMA.iter_errors(report.document)) == []
    assert report.document["mechanism"] == mechanism
    assert report.complete
    assert report.consistent
    assert all(ends(entry["value"])[0] >= 0 for entry in report.entries if entry["quantity"] == "delta")


def test_a_pair_in_memory_is_told_as_an_expression() -> None:
    """What is asked of a pair of laws again gives the same entries from the document alone."""
    pair = pair_of(SURVEY)
    assert isinstance(pair, Composition)
    first = account(pair, epsilon=1)
    again = account(first.document["mechanism"], epsilon=1)
    assert first.entries[0]["value"] == again.entries[0]["value"]
    asked = questions(epsilon=1)
    assert account_of(SURVEY, asked, list(entries(pair, asked))).document == account(SURVEY, epsilon=1).document


@pytest.mark.parametrize("mechanism", [TENFOLD, GAUSSIANS, SURVEY, sgd(50)], ids=["table", "gaussian", "mixed", "sgd"])
def test_the_answers_of_requests_are_those_of_the_account(mechanism: dict[str, Any]) -> None:
    """oracle.answer gives the same value, and the same method and evidence where the pair is a composition."""
    entry = account(mechanism, epsilon="1").entries[0]
    reply = answer({"id": 1, "op": "delta", "args": {"channel": mechanism, "epsilon": "1"}})
    low, high = ends(entry["value"])
    other = ends(reply["value"])
    assert max(low, other[0]) <= min(high, other[1])
    if "evidence" in reply:
        assert (reply["value"], reply["method"], reply["evidence"]) == (
            entry["value"],
            entry["method"],
            entry["evidence"],
        )


@pytest.mark.slow
def test_cross_checks_agree() -> None:
    """A second contour and the loss grid, in both directions, each an enclosure that meets the value."""
    report = account(sgd(1000), epsilon=1, cross_check=True)
    checks = report.entries[0]["cross_check"]
    assert report.consistent
    assert {(check["direction"], check["method"]) for check in checks} == {
        (side, method) for side in ("forward", "backward") for method in ("contour", "loss grid")
    }
    assert list(SCHEMA.iter_errors(report.document)) == []
    for item in report.entries[0]["evidence"]:
        low, high = ends(item["value"])
        own = [ends(check["value"]) for check in checks if check["direction"] == item["direction"]]
        assert all(max(low, other[0]) <= min(high, other[1]) for other in own)
        abscissas = [
            x["facts"]["abscissa"] for x in checks if (x["direction"], x["method"]) == (item["direction"], "contour")
        ]
        assert len(set(abscissas)) == 2


def test_a_check_that_disagrees_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The account is then not consistent."""
    wrong = CrossCheck("contour", Enclosure(mpq(9, 10), mpq(1)), False, {})
    monkeypatch.setattr(entry_module, "checks_of", lambda *_args, **_options: [wrong])
    assert not account(sgd(2), epsilon=1, cross_check=True).consistent


def test_coarse_entries_have_the_value_inside() -> None:
    """First bounds known at once, then values of 3 and 12 digits, each telling its digits."""
    asked = questions(epsilon=["1", "3"], delta="1e-5", digits=20)
    pair = pair_of(sgd(1000))
    full, coarse = list(entries(pair, asked)), list(coarse_entries(pair, asked))
    assert [(i, entry["reached"]) for i, entry in coarse] == [(i, n) for n in (0, 3, 12) for i in range(3)]
    assert list(SCHEMA.iter_errors(account_of(sgd(1000), asked, [entry for _, entry in coarse]).document)) == []
    for i, entry in coarse:
        value, around = ends(full[i]["value"]), ends(entry["value"])
        assert max(value[0], around[0]) <= min(value[1], around[1])
        assert entry["reached"] or entry["method"] == "bounds"


def test_coarse_entries_that_are_exact_have_all_digits() -> None:
    """A finite composition needs no rounding, and no more digits than are asked for are computed."""
    asked = questions(exp_epsilon="2", digits=3)
    assert [entry["method"] for _, entry in coarse_entries(pair_of(TENFOLD), asked)] == ["bounds"]
    asked = questions(exp_epsilon="2", digits=4)
    (_, exact) = list(coarse_entries(pair_of(TENFOLD), asked))[-1]
    assert "reached" not in exact
    assert exact["value"] == account(TENFOLD, exp_epsilon="2").entries[0]["value"]


def test_bounds_without_a_pair() -> None:
    """Those of every mechanism."""
    asked = questions(epsilon="1", delta="1/2")
    found = [bounds_entry(None, question, "both") for question in asked.items]
    assert [entry["value"] for entry in found] == [{"lo": "0", "hi": "1"}, {"lo": "0", "hi": "inf"}]
    assert [str(question) for question in asked.items] == ["delta at epsilon = 1", "epsilon at delta = 1/2"]


@pytest.mark.parametrize(
    ("levels", "last"),
    [
        ({"epsilon": ["1", "1/2"]}, mpq(1)),
        ({"epsilon": "1", "exp_epsilon": ["3", "0"]}, mpq("1.09861229")),
        ({}, None),
    ],
)
def test_the_last_epsilon_of_a_profile(levels: dict[str, Any], last: mpq | None) -> None:
    """The largest that is asked, rounded up where it is irrational; none where none is asked."""
    assert questions(**levels).last_epsilon == last


@pytest.mark.parametrize(
    ("mechanism", "options", "message"),
    [
        (TENFOLD, {}, "an epsilon, exp_epsilon or delta"),
        (TENFOLD, {"epsilon": 1, "digits": 1001}, "at most 1000 digits"),
        (TENFOLD, {"epsilon": 1, "digits": 0}, "digits"),
        (TENFOLD, {"epsilon": 0.5}, "float"),
        (TENFOLD, {"delta": "-1/2"}, "delta between 0 and 1"),
        (TENFOLD, {"exp_epsilon": "-1"}, "exp_epsilon"),
        (TENFOLD, {"epsilon": 1, "direction": "left"}, "direction"),
        (sgd(-1), {"epsilon": 1}, "a whole number of times, at least 0"),
        (sgd(2, rate="3/2"), {"epsilon": 1}, "a rate between 0 and 1"),
        (sgd(2, sigma="0"), {"epsilon": 1}, "a number above 0"),
    ],
)
def test_bad_input_is_refused(mechanism: dict[str, Any], options: dict[str, Any], message: str) -> None:
    """Nothing asked, digits beyond the limit, floats, parameters outside their range."""
    with pytest.raises(InputError, match=message):
        account(mechanism, **options)


def test_a_profile_encloses_the_formula_at_every_point() -> None:
    """Equal steps from 0 to the last epsilon; nine Gaussians of sigma 2."""
    lines = profile_lines(GAUSSIANS, 5, top="2")
    rows = [line.split(",") for line in lines[1:]]
    assert lines[0] == "epsilon,lo,hi,method"
    assert [Fraction(row[0]) for row in rows] == [Fraction(i, 2) for i in range(5)]
    with mpmath.workdps(40):
        mu = mpmath.mpf(3) / 2
        for row in rows:
            eps = mpmath.mpf(row[0])
            truth = mpmath.ncdf(-eps / mu + mu / 2) - mpmath.exp(eps) * mpmath.ncdf(-eps / mu - mu / 2)
            assert holds({"lo": row[1], "hi": row[2]}, truth)


def test_a_profile_without_a_last_epsilon_ends_where_delta_is_negligible() -> None:
    """Below 10^-12 at the last point and falling all the way."""
    rows = [line.split(",") for line in profile_lines(sgd(100), 4)[1:]]
    assert Fraction(rows[-1][1]) <= Fraction(1, 10**12) <= Fraction(rows[-2][2])
    assert all(Fraction(after[1]) < Fraction(before[2]) for before, after in pairwise(rows))


@pytest.mark.parametrize(("points", "options"), [(1, {}), (100_001, {}), (5, {"top": "0"}), (5, {"top": "-1"})])
def test_a_profile_needs_points_and_a_range(points: int, options: dict[str, Any]) -> None:
    """From 2 to 100000 points, up to an epsilon above 0."""
    with pytest.raises(InputError):
        profile_lines(TENFOLD, points, **options)


def test_methods_of_pairs_that_are_no_compositions() -> None:
    """A table is summed, one Gaussian has a closed form, a theorem bounds."""
    assert method_of(oracle.Channel([["1/2", "1/2"], ["1/4", "3/4"]])) == "exact sum"
    assert method_of(pair_of({"mechanism": "gaussian", "sigma": "1"})) == "closed form"
    sample = {"mechanism": "subsample_without_replacement", "source": 10, "sample": 1, "neighbours": "substitute"}
    entry = account({**sample, "of": RESPONSE}, exp_epsilon=2).entries[0]
    assert (entry["method"], entry["kind"]) == ("theorem", "bound")
    with pytest.raises(Declined):
        account({"mechanism": "repeat", "times": 2, "of": {**sample, "of": RESPONSE}}, exp_epsilon=2)


ANSWER_SCHEMA = Draft202012Validator(read_json(SCHEMAS / "answer.schema.json"))


@pytest.mark.parametrize(
    ("op", "args", "method", "directions"),
    [
        ("delta", {"epsilon": "1"}, "contour", ["forward", "backward"]),
        ("hockey_stick", {"epsilon": "1", "direction": "backward"}, "contour", ["backward"]),
        ("epsilon", {"delta": "1e-5"}, "contour", ["forward", "backward"]),
        ("tradeoff", {"alpha": "1/10"}, "supporting lines of the profile", None),
        ("renyi", {"order": "3/2"}, "sum over the parts", None),
        ("mu", {}, "sum over the parts", None),
    ],
)
def test_the_protocol_tells_the_method_of_a_composition(
    op: str, args: dict[str, str], method: str, directions: list[str] | None
) -> None:
    """Beside the value; the profile's ops with the facts of each direction."""
    reply = answer({"id": 1, "op": op, "args": {"channel": sgd(1000), **args}})
    assert list(ANSWER_SCHEMA.iter_errors(reply)) == []
    assert reply["method"] == method
    assert ("evidence" in reply) == (directions is not None)
    if directions is not None:
        assert [item["direction"] for item in reply["evidence"]] == directions
        assert all(item["facts"] for item in reply["evidence"])


def test_the_protocol_tells_a_mu_that_is_only_bounded() -> None:
    """Reached 0, and by what."""
    reply = answer({"id": 1, "op": "mu", "args": {"channel": SURVEY}})
    assert (reply["method"], reply["reached"]) == ("bounds by the parts and by the profile", 0)


def test_epsilon_by_bounds_alone_is_told() -> None:
    """Where no method reaches a digit within its limits."""
    steps = {"mechanism": "repeat", "times": 10**9, "of": sgd(1, "1e-9", "0.001")}
    entry = account(steps, delta="1e-5").entries[0]
    assert (entry["method"], entry["reached"]) == ("bounds", 0)
    low, high = ends(entry["value"])
    assert 10**5 < low < high
