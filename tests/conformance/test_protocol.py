"""What a subject says of itself, what is sent to it, and what is read from it."""

from __future__ import annotations

import pytest

from oracle.conformance.protocol import (
    AWKWARD,
    AdapterError,
    Claimed,
    echoes,
    parse_claimed,
    read_answer,
    read_hello,
)
from oracle.errors import InputError

BASE = {"name": "lib", "version": "1", "protocol": 1, "ops": ["delta"]}


def test_hello_reads_claims_by_op_and_for_all() -> None:
    """Claims may be an object by op or one word; an op of which nothing is said has its natural claim."""
    by_op = read_hello({**BASE, "claims": {"delta": "nearest:4"}})
    assert (by_op.claim("delta").kind, by_op.claim("delta").allowance) == ("nearest", 4)
    assert by_op.claim("tradeoff") == Claimed("lower")
    assert by_op.claim("epsilon") == Claimed("upper")
    assert by_op.claim("refines") == Claimed("nearest")
    assert read_hello({**BASE, "claims": "exact"}).claim("tradeoff") == Claimed("exact")


def test_hello_survives_its_own_json() -> None:
    """What a hello writes reads back as the same hello."""
    accepts = {"epsilon": ["epsilon"], "numbers": "binary64", "vectors": True}
    hello = read_hello({**BASE, "claims": {"delta": "estimate:1e-10"}, "accepts": accepts, "language": "C++"})
    again = read_hello(hello.to_json())
    assert again == hello
    assert (again.epsilon, again.numbers, again.vectors) == (("epsilon",), "binary64", True)


@pytest.mark.parametrize(
    ("words", "epsilon", "numbers"),
    [
        (["exp_epsilon", "epsilon", "rational", "decimal", "binary64"], ("exp_epsilon", "epsilon"), "rational"),
        (["exp_epsilon", "binary64"], ("exp_epsilon",), "binary64"),
        ([], ("exp_epsilon", "epsilon"), "rational"),
    ],
)
def test_accepts_may_be_a_list_of_words(words: list[str], epsilon: tuple[str, ...], numbers: str) -> None:
    """The list form says the same as the object form."""
    hello = read_hello({**BASE, "accepts": words})
    assert (hello.epsilon, hello.numbers) == (epsilon, numbers)


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        {**BASE, "name": "x" * 201},
        {**BASE, "version": "1" * 201},
        {"name": "", "ops": []},
        {**BASE, "ops": "delta"},
        {**BASE, "ops": [1]},
        {**BASE, "protocol": 2},
        {**BASE, "claims": "roughly"},
        {**BASE, "claims": {"delta": 1}},
        {**BASE, "accepts": {"epsilon": ["log"]}},
        {**BASE, "accepts": {"numbers": "float"}},
        {**BASE, "accepts": 3},
    ],
)
def test_a_malformed_hello_is_a_fault_of_the_adapter(wrong: object) -> None:
    """It names the place and gives no verdict."""
    with pytest.raises(AdapterError, match=r"^hello: "):
        read_hello(wrong)


@pytest.mark.parametrize("text", ["upper:1", "nearest:-1", "exactly", "nearest:x", "", "lower:"])
def test_a_claim_outside_its_grammar_is_refused(text: str) -> None:
    """Only nearest and estimate take an allowance, of at least 0."""
    with pytest.raises(InputError):
        parse_claimed(text)


def test_an_answer_has_one_of_three() -> None:
    """value, declined and error are read; none or two of them is no answer."""
    assert read_answer('{"id": "a", "value": "1/2", "method": "fft"}')[1].value == "1/2"
    assert read_answer('{"id": "a", "declined": "no"}')[1].kind == "declined"
    assert read_answer('{"id": null, "error": "bad"}') == (None, read_answer('{"id": null, "error": "bad"}')[1])
    for line in ('{"id": "a"}', '{"id": "a", "value": "1", "error": "x"}', "[]", "3", "{", ""):
        with pytest.raises(InputError):
            read_answer(line)


@pytest.mark.parametrize("value", ["0.5", "NaN", "1e-9", '["1", 0.5]', '{"lo": "0", "hi": 1.0}', "-Infinity"])
def test_json_floats_are_errors_with_a_hint(value: str) -> None:
    """A JSON float anywhere in a value is an error of the question that says to quote it."""
    identity, reply = read_answer(f'{{"id": "a", "value": {value}}}')
    assert (identity, reply.kind) == ("a", "error")
    assert "as a string" in reply.message


def test_echo_must_return_every_double() -> None:
    """Six digits lose them, 17 digits keep their values only where the decimal is exact."""
    assert echoes(list(AWKWARD)) is None
    assert "came back as" in (echoes([f"{float.fromhex(x):.6g}" for x in AWKWARD]) or "")
    assert "list of 8" in (echoes(list(AWKWARD[:-1])) or "")
    assert "list of 8" in (echoes("0") or "")
    assert echoes(["nan", *AWKWARD[1:]]) is not None
    assert all(float.fromhex(x).hex() == x or float.fromhex(x) < 2.3e-308 for x in AWKWARD)


def test_seventeen_digits_do_where_doubles_are_what_a_subject_takes() -> None:
    """Their nearest doubles are those that were sent; sixteen digits are not always enough, and six never are."""
    seventeen = [f"{float.fromhex(x):.17g}" for x in AWKWARD]
    assert echoes(seventeen, doubles=True) is None
    assert "came back as" in (echoes(seventeen) or "")
    assert "came back as" in (echoes([f"{float.fromhex(x):.15g}" for x in AWKWARD], doubles=True) or "")
    assert "inf" in (echoes(["inf", *AWKWARD[1:]], doubles=True) or "")
