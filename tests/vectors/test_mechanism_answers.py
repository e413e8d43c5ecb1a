"""The engine says of every pair of fixtures/mechanisms what the index says of the file.

Each verdict's certificate is held against its schema and goes to the independent checker.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from oracle.answers import answer
from oracle.certificates.checker import check
from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel
from oracle.mechanisms.evaluate import evaluate
from oracle.mechanisms.parse import parse_mechanism
from tests.vectors.fixture_files import MECHANISMS, SCHEMAS, read_json
from tests.vectors.mechanism_rows import EXPONENTS, ROWS

INDEX = [entry for entry in read_json(MECHANISMS / "index.json") if entry["file"] in {*ROWS, *EXPONENTS}]
CERTIFICATE = Draft202012Validator(read_json(SCHEMAS / "certificate.schema.json"))
AUDITS = [
    pytest.param(entry["file"], audit, id=f"{entry['file']}-{'+'.join(audit['claims'])}")
    for entry in INDEX
    for audit in entry["audits"]
]


def pairs_in(file: str) -> list[dict[str, Any]]:
    """The documents of the neighbouring pairs of a file, each a channel of two rows or an expression."""
    if not file.endswith(".json"):
        separator = "," if file.endswith(".csv") else "\t"
        lines = [line.split(separator) for line in (MECHANISMS / file).read_text(encoding="utf-8").splitlines()[1:]]
        return [{"matrix": [[line[1] for line in lines], [line[2] for line in lines]]}]
    document = read_json(MECHANISMS / file)
    if "pairs" not in document:
        return [document]
    rows = dict(zip(document["inputs"], document["matrix"], strict=True))
    return [{"matrix": [rows[first], rows[second]]} for first, second in document["pairs"]]


def claim_of(text: str) -> dict[str, str]:
    """The claim of the contract for one ``--claim`` text of the index."""
    words = {"eps": "epsilon", "exp_eps": "exp_epsilon", "delta": "delta"}
    return {words[name]: value for name, value in (part.split("=") for part in text.split(","))}


def ask(op: str, **args: object) -> Any:
    """The value that the engine answers."""
    given = answer({"id": "a", "op": op, "args": args})
    assert set(given) == {"id", "value"}, given
    return given["value"]


def largest(values: list[str]) -> str:
    """The largest of exact results, "inf" above all."""
    return "inf" if "inf" in values else str(max(map(Fraction, values)))


EXPRESSIONS = [
    entry["file"]
    for entry in INDEX
    if entry["file"].endswith(".json") and "mechanism" in read_json(MECHANISMS / entry["file"])
]


@pytest.mark.parametrize("file", [file for file in EXPRESSIONS if file in ROWS])
def test_expression_has_the_derived_rows(file):
    """The finite channel of an expression with rational probabilities, entry by entry."""
    channel = evaluate(parse_mechanism(read_json(MECHANISMS / file)))
    assert isinstance(channel, Channel)
    assert [list(row) for row in channel.matrix] == ROWS[file]


@pytest.mark.parametrize("file", [file for file in EXPRESSIONS if file in EXPONENTS])
def test_irrational_expression_is_a_formal_channel(file):
    """Irrational probabilities are kept as formal sums."""
    assert isinstance(evaluate(parse_mechanism(read_json(MECHANISMS / file))), FormalChannel)


@pytest.mark.parametrize(("file", "audit"), AUDITS)
def test_engine_agrees_with_the_index(file, audit):
    """Verdict of every claim, and the tight values, over the pairs of the file."""
    pairs = pairs_in(file)
    claims = [claim_of(text) for text in audit["claims"]]
    answers = [ask("satisfies", channel=pair, claim=claim) for pair in pairs for claim in claims]
    assert all(value["holds"] for value in answers) == (audit["verdict"] == "holds")
    for value in answers:
        assert list(CERTIFICATE.iter_errors(value["certificate"])) == []
        accepted = check(value["certificate"])
        held = {"dp_held": True, "dp_refuted": False}.get(accepted.kind, value["certificate"].get("holds"))
        assert held is value["holds"]
    (claim, *more) = claims
    allowed = claim.pop("delta", "0")
    if "tight_delta" in audit:
        assert largest([ask("delta", channel=pair, **claim) for pair in pairs]) == audit["tight_delta"]
    if not more:
        least = [ask("epsilon", channel=pair, delta=allowed) for pair in pairs]
        if "tight_exp_epsilon" in audit:
            assert largest([value["exp_epsilon"] for value in least]) == audit["tight_exp_epsilon"]
        else:
            assert [(value["lo"], value["hi"]) for value in least] == [(audit["tight_epsilon"],) * 2]
            assert "exp_epsilon" not in least[0]
    if "total_variation" in audit:
        assert largest([ask("delta", channel=pair, exp_epsilon="1") for pair in pairs]) == audit["total_variation"]


@pytest.mark.parametrize(("file", "audit"), [case for case in AUDITS if case.values[1].get("equality")])
def test_equality_is_the_border_of_the_claim(file, audit):
    """A claim with equality fails when its delta, or at delta = 0 its epsilon, is any smaller."""
    (claim,) = map(claim_of, audit["claims"])
    allowed = Fraction(claim.get("delta", "0"))
    if allowed > 0:
        smaller = claim | {"delta": str(allowed - Fraction(1, 10**30))}
    elif "tight_epsilon" in audit:
        smaller = {"epsilon": str(Fraction(audit["tight_epsilon"]) - Fraction(1, 10**30))}
    else:
        smaller = {"exp_epsilon": str(Fraction(audit["tight_exp_epsilon"]) - Fraction(1, 10**30))}
    verdicts = [ask("satisfies", channel=pair, claim=smaller)["holds"] for pair in pairs_in(file)]
    assert not all(verdicts)
