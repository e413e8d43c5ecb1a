"""The mechanisms of fixtures/mechanisms and what index.json says of them, by definition alone.

Nothing of the package is imported: the rows of every file are derived again from the mechanism's
description, and every verdict and value by looking at all events.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations, product
from math import factorial
from typing import Any

import mpmath
import pytest

from tests.vectors import by_definition as definition
from tests.vectors.by_definition import number
from tests.vectors.fixture_files import MECHANISMS, read_json
from tests.vectors.mechanism_rows import COMPOSED, CONTINUOUS, EXPONENTS, HALF, ROWS

INDEX = read_json(MECHANISMS / "index.json")


def rows_in(file: str) -> list[list[Fraction]] | None:
    """The rows that a file itself states; None for an expression."""
    if file.endswith((".csv", ".tsv")):
        separator = "," if file.endswith(".csv") else "\t"
        lines = [line.split(separator) for line in (MECHANISMS / file).read_text(encoding="utf-8").splitlines()]
        assert lines[0] == ["outcome", "p", "q"]
        return [[number(line[column]) for line in lines[1:]] for column in (1, 2)]
    document = read_json(MECHANISMS / file)
    return None if "mechanism" in document else definition.channel(document)


def pairs_of(file: str) -> list[tuple[list[Fraction], list[Fraction]]]:
    """The neighbouring pairs of laws of a file."""
    if file.endswith(".json") and "pairs" in (document := read_json(MECHANISMS / file)):
        return list(definition.neighbours(document))
    p, q = ROWS[file]
    return [(p, q)]


def parse_claim(text: str) -> tuple[Fraction | str, Fraction]:
    """(level, delta) of a claim; an epsilon that is no logarithm stays as text."""
    parts = dict(part.split("=") for part in text.split(","))
    allowed = number(parts.get("delta", "0"))
    if "exp_eps" in parts:
        return number(parts["exp_eps"]), allowed
    logarithm = re.fullmatch(r"(?:log|ln)\((.+)\)", parts["eps"])
    return (number(logarithm[1]), allowed) if logarithm else (parts["eps"], allowed)


AUDITS = [(entry["file"], audit) for entry in INDEX for audit in entry["audits"]]
RATIONAL = [(file, audit) for file, audit in AUDITS if file in ROWS]
IRRATIONAL = [(file, audit) for file, audit in AUDITS if file in EXPONENTS]


def name(case: Any) -> str:
    """The test id of a file or an audit."""
    return case if isinstance(case, str) else "+".join(case["claims"])


def test_every_file_is_indexed_once():
    """The index lists the files of the folder and nothing else, each with a source and a title."""
    files = [entry["file"] for entry in INDEX]
    assert sorted(files) == sorted(path.name for path in MECHANISMS.iterdir() if path.name != "index.json")
    assert set(files) == set(ROWS) | set(EXPONENTS) | set(CONTINUOUS) | set(COMPOSED)
    assert all(entry["title"] and entry["source"] and entry["note"] and entry["audits"] for entry in INDEX)


@pytest.mark.parametrize("file", sorted(ROWS))
def test_rows_are_those_of_the_mechanism(file):
    """The stated rows equal the derived ones, and every derived row is a law."""
    assert all(sum(row) == 1 and min(row) >= 0 for row in ROWS[file])
    assert rows_in(file) in (None, ROWS[file])


def worst_case(level: str, delta: str) -> dict[str, str]:
    """The worst case of (log level, delta)-privacy as an expression."""
    return {"mechanism": "approximate_randomized_response", "exp_epsilon": level, "delta": delta}


def noise(size: int) -> list[list[str]]:
    """The clamped geometric matrix of ratio 1/2."""
    return [[str(mass) for mass in definition.geometric_row(y, 0, size - 1, HALF)] for y in range(size)]


def moved(places: list[int], columns: int) -> list[list[str]]:
    """Output y becomes output places[y]."""
    return [["1" if z == place else "0" for z in range(columns)] for place in places]


def test_expressions_state_the_parameters_of_the_derived_rows():
    """The expressions are the ones whose rows are derived here."""
    uniform = {"matrix": [["1/4"] * 4] * 2}
    covered = {"mechanism": "hidden", "r": "3/4", "left": worst_case("3", "1/10"), "right": uniform}
    revealed = {
        "mechanism": "hidden",
        "r": "1/20",
        "left": {"matrix": moved([0, 5], 6)},
        "right": {"mechanism": "post", "post": moved([1, 2, 3, 4], 6), "of": worst_case("3", "1/19")},
    }
    middle = {"matrix": [["0", *["1/4"] * 4, "0"]] * 2}
    uncovered = {"mechanism": "hidden", "r": "60/79", "left": revealed, "right": middle}
    documents = {file: read_json(MECHANISMS / file) for file in [*ROWS, *EXPONENTS] if file.endswith(".json")}
    scores = [["2", "1", "0"], ["1", "2", "0"]]
    assert {file: document for file, document in documents.items() if "mechanism" in document} == {
        "k_randomized_response.json": {"mechanism": "k_randomized_response", "k": 4, "exp_epsilon": "3"},
        "truncated_geometric.json": {
            "mechanism": "geometric",
            "ratio": "1/2",
            "low": 0,
            "high": 4,
            "values": [1, 2],
        },
        "exponential.json": {
            "mechanism": "exponential",
            "scores": scores,
            "exp_epsilon": "4",
            "sensitivity": "1",
        },
        "exponential_irrational.json": {
            "mechanism": "exponential",
            "scores": scores,
            "epsilon": "1",
            "sensitivity": "1",
        },
        "approximate_randomized_response.json": {
            "mechanism": "approximate_randomized_response",
            "exp_epsilon": "3",
            "delta": "1/10",
        },
        "randomized_response.json": {"mechanism": "randomized_response", "epsilon": "1/2"},
        "purification_covering.json": {"mechanism": "post", "post": noise(4), "of": covered},
        "purification_covering_sorted.json": {
            "mechanism": "post",
            "post": noise(4),
            "of": {"mechanism": "post", "post": moved([1, 0, 3, 2], 4), "of": covered},
        },
        "purification_noncovering_before_noise.json": uncovered,
        "purification_noncovering.json": {"mechanism": "post", "post": noise(6), "of": uncovered},
        "subsampled_approximate_randomized_response.json": {
            "mechanism": "pre",
            "pre": [["1", "0"], ["4/5", "1/5"]],
            "of": worst_case("19/7", "1/10"),
        },
        "composed_approximate_randomized_response.json": {
            "mechanism": "compose",
            "of": [worst_case("2", "1/20"), worst_case("2", "1/20")],
        },
        "randomized_response_tenfold.json": {
            "mechanism": "repeat",
            "times": 10,
            "of": {"mechanism": "randomized_response", "exp_epsilon": "3"},
        },
    }


def test_tables_name_the_pairs_that_are_meant():
    """All pairs for k-ary randomized response, counts that differ by one, one vote more or less."""
    pairs = {file: read_json(MECHANISMS / file).get("pairs") for file in ROWS if file.endswith(".json")}
    votes_pairs = [["votes 2,1,0", "votes 1,1,0"], ["votes 1,1,0", "votes 1,2,0"]]
    assert {file: listed for file, listed in pairs.items() if listed} == {
        "k_randomized_response_table.json": [list(pair) for pair in combinations("abcd", 2)],
        "truncated_geometric_table.json": [[str(i), str(i + 1)] for i in range(4)],
        "exponential_votes.json": votes_pairs,
        "permute_and_flip_votes.json": votes_pairs,
    }


@pytest.mark.parametrize(("file", "audit"), RATIONAL, ids=name)
def test_audit_is_true_by_definition(file, audit):
    """Verdict, equality and the tight values, over all events of all pairs in both orders."""
    pairs = pairs_of(file)
    claims = [parse_claim(text) for text in audit["claims"]]
    least = [max(definition.delta(p, q, level) for p, q in pairs) for level, _ in claims]
    holds = all(reached <= allowed for reached, (_, allowed) in zip(least, claims, strict=True))
    assert audit["verdict"] == ("holds" if holds else "refuted")
    if len(claims) > 1:
        assert set(audit) == {"claims", "verdict"}
        return
    level, allowed = claims[0]
    levels = [definition.least_level(p, q, allowed) for p, q in pairs]
    tight = definition.INFINITE if definition.INFINITE in levels else str(max(levels))
    assert audit["tight_exp_epsilon"] == tight
    assert audit["tight_delta"] == str(least[0])
    assert audit["total_variation"] == str(max(definition.total_variation(p, q) for p, q in pairs))
    attained = any(definition.attains(p, q, level, allowed) for p, q in pairs)
    assert audit["equality"] == (holds and attained)


def root_of_e() -> tuple[Fraction, Fraction]:
    """Rationals around t = e^(1/2): its series, the rest below twice the first term left out."""
    terms = [Fraction(1, 2**n * factorial(n)) for n in range(25)]
    low = sum(terms[:-1], Fraction(0))
    return low, low + 2 * terms[-1]


@pytest.mark.parametrize("file", sorted(EXPONENTS))
def test_least_level_is_the_root_of_e(file):
    """P(S) <= t Q(S) for every event, with equality of the polynomials in t for some event."""
    p, q = EXPONENTS[file]
    assert sorted(p) == sorted(q)  # the normalising constants are the same polynomial
    low, high = root_of_e()
    attained = False
    for event in product((False, True), repeat=len(p)):
        for first, second in ((p, q), (q, p)):
            upper = sorted(n for n, inside in zip(first, event, strict=True) if inside)
            lower = sorted(n + 1 for n, inside in zip(second, event, strict=True) if inside)
            if upper == lower:
                attained |= any(event)
            else:
                assert sum(high**n for n in upper) < sum(low**n for n in lower)
    assert attained


@pytest.mark.parametrize(("file", "audit"), IRRATIONAL, ids=name)
def test_irrational_audit_is_true_by_definition(file, audit):
    """The claims compared with the least level e^(1/2)."""
    assert file in EXPONENTS
    (text,) = audit["claims"]
    level, allowed = parse_claim(text)
    assert allowed == 0
    low, high = root_of_e()
    if isinstance(level, str):
        holds, equal = number(level) >= HALF, number(level) == HALF
    else:
        assert not low <= level <= high
        holds, equal = level > high, False
    assert audit["verdict"] == ("holds" if holds else "refuted")
    assert audit["equality"] == equal
    assert audit["tight_epsilon"] == "1/2"
    assert audit.get("tight_delta") == ("0" if holds else None)


@pytest.mark.parametrize("file", sorted(CONTINUOUS))
def test_continuous_audit_is_true_by_definition(file):
    """At epsilon 0 delta is the total variation: the rate times that of two Gaussians, 2 Phi(theta/2) - 1."""
    rate, theta = CONTINUOUS[file]
    document = read_json(MECHANISMS / file)
    assert number(document["rate"]) == rate
    assert document["neighbours"] == "add_remove"
    assert document["of"] == {"mechanism": "gaussian", "sigma": str(1 / theta)}
    least = (
        rate.numerator * mpmath.erf(mpmath.mpf(theta.numerator) / theta.denominator / mpmath.sqrt(8)) / rate.denominator
    )
    for entry in INDEX:
        for audit in entry["audits"] if entry["file"] == file else []:
            (text,) = audit["claims"]
            level, allowed = parse_claim(text)
            assert level == 1
            assert abs(least - float(allowed)) > mpmath.mpf(10) ** -10
            assert audit["verdict"] == ("holds" if least < float(allowed) else "refuted")
            assert audit.get("tight_exp_epsilon", "1") == "1"
