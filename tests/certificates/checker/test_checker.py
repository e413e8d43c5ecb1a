"""The whole checker: hand-made documents, systematic tampering judged by definition, fuzzing, isolation, the schema."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from oracle.certificates.checker import KINDS, Accepted, Rejected, check, check_all, check_text
from tests.certificates.checker import documents, tampering, truth
from tests.certificates.checker.documents import DOCUMENTS

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "fixtures/schemas/certificate.schema.json").read_text(encoding="utf-8"))
BY_NAME = pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)


def verdict(document):
    """Accepted or the Rejected raised; a reason that starts with "internal" means an exception nobody foresaw."""
    try:
        return check(document)
    except Rejected as rejected:
        if rejected.reason.startswith("internal"):
            raise
        return rejected


def test_every_kind_has_a_hand_made_document():
    """The kinds of the checker, of the documents and of the schema are the same."""
    assert sorted(KINDS) == documents.KINDS
    assert sorted(KINDS) == sorted(choice["$ref"].removeprefix("#/$defs/") for choice in SCHEMA["oneOf"])


@BY_NAME
def test_hand_made_document_is_accepted(document):
    """A true document is accepted, parsed or as text, with its kind and one ASCII line of statement."""
    assert truth.is_true(document)
    accepted = check(document)
    assert accepted == check_text(json.dumps(document)) == check_text(json.dumps(document, indent=1).encode())
    assert accepted.kind == document["certificate"]
    assert accepted.statement.isascii()
    assert accepted.statement.isprintable()
    assert accepted.statement.endswith(".")


@BY_NAME
def test_channels_are_named_by_the_hash_of_their_json(document):
    """Every channel of the document is in `channels` with the SHA-256 of its canonical JSON."""
    hashes = dict(check(document).channels)
    for name in ("left", "right", "channel", "glb", "lub"):
        if name in document:
            assert hashes[name] == documents.sha256(document[name])
    for i, member in enumerate(document.get("channels", [])):
        assert hashes[f"channels[{i}]"] == documents.sha256(member)
    for i, fact in enumerate(document.get("facts", [])):
        for name in ("channel", "left", "right"):
            if isinstance(fact.get(name), dict) and "matrix" in fact[name]:
                assert hashes[f"facts[{i}].{name}"] == documents.sha256(fact[name])


@BY_NAME
def test_hand_made_document_validates_against_the_schema(document):
    """The schema describes every hand-made document."""
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(document)] == []


@pytest.mark.slow
@BY_NAME
def test_accepted_documents_are_within_the_schema(document):
    """Whatever tampering leaves acceptable still has the shape of the schema."""
    validator = Draft202012Validator(SCHEMA)
    for candidate in tampering.resealed(document):
        if isinstance(verdict(candidate), Accepted):
            assert validator.is_valid(candidate)


@BY_NAME
def test_tampering_without_a_new_digest_is_rejected(document):
    """Each change of each field at each depth is rejected when the digest stays."""
    candidates = list(tampering.tampered(document))
    assert len(candidates) > 200
    for candidate in candidates:
        assert isinstance(verdict(candidate), Rejected), candidate


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
@BY_NAME
def test_tampering_with_a_new_digest_leaves_only_true_statements(document, step):
    """Each change (here every seventh) with the right digest is rejected, or its statement is true by definition."""
    outcomes = {True: 0, False: 0}
    for candidate in islice(tampering.resealed(document), None, None, step):
        accepted = isinstance(verdict(candidate), Accepted)
        outcomes[accepted] += 1
        assert not accepted or truth.is_true(candidate), candidate
    assert outcomes[False] > 200 // step
    assert outcomes[False] > 6 * outcomes[True]


@pytest.mark.slow
@BY_NAME
def test_tampering_twice_with_a_new_digest_leaves_only_true_statements(document):
    """Two changes that might make up for each other: accepted only where true by definition."""
    chance = random.Random(20251221)  # noqa: S311 - a fixed sample
    first = [candidate for candidate in tampering.resealed(document) if len(json.dumps(candidate)) > 200]
    for start in chance.sample(first, 6):
        second = list(tampering.resealed(start))
        for candidate in chance.sample(second, min(len(second), 300)):
            if isinstance(verdict(candidate), Accepted):
                assert truth.is_true(candidate), candidate


FUZZED = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["0", "1", "1/2", "inf", *KINDS]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=200))
def test_random_bytes_are_rejected(data):
    """Bytes that are no certificate are rejected, and nothing else is raised."""
    with pytest.raises(Rejected):
        check_text(data)
    [(index, outcome)] = check_all(data)
    assert index is None
    assert isinstance(outcome, Rejected)


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(sorted(DOCUMENTS)), st.data())
def test_random_json_in_a_field_is_rejected(name, data):
    """Any JSON in the place of a field, with a new digest, gives a verdict; accepted only where it is true."""
    document = DOCUMENTS[name]
    field = data.draw(st.sampled_from(sorted(set(document) - {"digest"})))
    candidate = documents.sealed({**document, field: data.draw(FUZZED)})
    assert isinstance(verdict(candidate), Rejected) or truth.is_true(candidate)


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(sorted(DOCUMENTS)), st.data())
def test_damaged_text_is_rejected(name, data):
    """One byte of the text changed or the tail cut off: rejected, or the same document."""
    text = json.dumps(DOCUMENTS[name]).encode()
    place = data.draw(st.integers(0, len(text) - 1))
    byte = data.draw(st.integers(0, 255))
    for damaged in (text[:place], text[:place] + bytes([byte]) + text[place + 1 :], text + bytes([byte])):
        try:
            accepted = check_text(damaged)
        except Rejected:
            continue
        assert json.loads(damaged) == DOCUMENTS[name]
        assert accepted == check(DOCUMENTS[name])


class Float(float):
    """A float that must not be looked at."""


@pytest.mark.parametrize(
    "document",
    [
        None,
        7,
        "text",
        [],
        {},
        b"x",
        0.5,
        NotImplemented,
        {1: 2},
        {"certificate": float("nan")},
        {"certificate": ()},
        Float(1),
    ],
    ids=repr,
)
def test_what_is_no_document_is_rejected(document):
    """Python values that are no JSON object are rejected, not crashed on."""
    assert isinstance(verdict(document), Rejected)


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"certificates":[', '{"certificate":['])
def test_deep_nesting_is_rejected(opening):
    """A hundred thousand levels are rejected, as text and parsed."""
    with pytest.raises(Rejected):
        check_text(opening * 100_000)
    nested: list[object] = []
    for _ in range(50_000):
        nested = [nested]
    assert isinstance(verdict({"certificate": nested}), Rejected)
    loop: list[object] = []
    loop.append(loop)
    assert isinstance(verdict({"certificate": loop}), Rejected)


def test_shared_structure_is_no_trap():
    """A value that refers to itself twice at each level is rejected quickly."""
    loop: list[object] = []
    loop.extend((loop, loop))
    assert isinstance(verdict({"certificate": loop}), Rejected)


def test_check_all_reads_reports():
    """Each item of an object with nothing but a list `certificates` gets its own verdict and place."""
    good, other = (DOCUMENTS[name] for name in ("refinement: example 3", "dp_refuted: figure 4"))
    bad = {**other, "p": "1/5"}
    outcomes = check_all(json.dumps({"certificates": [good, bad, other, 7]}))
    assert [index for index, _ in outcomes] == [0, 1, 2, 3]
    assert [isinstance(outcome, Accepted) for _, outcome in outcomes] == [True, False, True, False]
    assert outcomes[1][1].where == "$.certificates[1].digest"


@pytest.mark.parametrize("certificates", ["[]", "{}", "null", '"x"'])
def test_report_without_certificates_is_rejected(certificates):
    """An empty or misshapen list of certificates proves nothing."""
    [(_, outcome)] = check_all('{"certificates": ' + certificates + "}")
    assert isinstance(outcome, Rejected)


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"matrix": [["1"], ["1"]]}, "this is a table, not a certificate: use oracle audit"),
        ({"mechanism": "laplace"}, "this is a mechanism expression, not a certificate: use oracle audit"),
        ({"claim": "x", "certificates": []}, "expected a certificate or an audit report"),
        ({}, "expected a certificate or an audit report"),
    ],
)
def test_what_is_no_certificate_is_named(document, reason):
    """With what to do about it where that is known."""
    [(index, outcome)] = check_all(json.dumps(document))
    assert (index, outcome.reason) == (None, reason)


def test_certificate_cannot_hide_in_a_report():
    """A document with `certificate` is a certificate, whatever else it holds."""
    good = DOCUMENTS["refinement: example 3"]
    [(index, outcome)] = check_all(json.dumps({**good, "h": "1", "certificates": [good]}))
    assert index is None
    assert isinstance(outcome, Rejected)


def test_the_checker_is_isolated():
    """A fresh interpreter that imports the checker loads its own modules and the standard library only."""
    program = (
        "import sys, json; before = set(sys.modules)\n"
        "import oracle.certificates.checker, oracle.certificates.checker.__main__\n"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = json.loads(run.stdout)
    package = "oracle.certificates.checker"
    ours = {name for name in loaded if name.split(".")[0] == "oracle"}
    assert {name for name in ours if not name.startswith(package)} == {"oracle", "oracle.certificates"}
    files = {path.stem for path in (ROOT / "oracle/certificates/checker").glob("*.py")} - {"__init__"}
    assert {name.removeprefix(package + ".") for name in ours if name.startswith(package + ".")} == files
    others = {name.split(".")[0] for name in loaded} - {"oracle"}
    assert others <= set(sys.stdlib_module_names)


def test_the_checker_has_no_float():
    """No module of the checker names float or writes a floating literal, and none is above 300 lines."""
    for path in (ROOT / "oracle/certificates/checker").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 300
        program = compile(text, str(path), "exec")
        pending = [program]
        while pending:
            code = pending.pop()
            assert "float" not in code.co_names
            for constant in code.co_consts:
                assert not isinstance(constant, float)
                if isinstance(constant, type(program)):
                    pending.append(constant)


def test_importing_leaves_the_digit_limit_alone():
    """The interpreter's limit on int <-> str is not changed, and long numbers are read all the same."""
    limit = sys.get_int_max_str_digits()
    p, q = "1" + "0" * 5000, "1" * 5001
    document = documents.certificate(
        "evaluation",
        facts=[
            {"fact": "compare", "left": p, "relation": "<", "right": q},
            {"fact": "compare", "left": f"1/{q}", "relation": "<", "right": f"1/{p}"},
        ],
    )
    assert isinstance(verdict(document), Accepted)
    assert sys.get_int_max_str_digits() == limit
