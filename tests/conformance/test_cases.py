"""Files of vectors and suites of files: read strictly, found by id, written in one form."""

from __future__ import annotations

import json
import shutil

import pytest

from oracle.conformance.cases import MANIFEST, file_text, installed_suite, is_dyadic, read_file, read_suite
from oracle.errors import InputError
from oracle.fixtures import fixture
from tests.conformance.small_suite import RESPONSE, case, file


def _document(**changes):
    found = json.loads(file_text(file("delta/x.json", "delta", case("a/b", {"channel": RESPONSE}, {"exact": "1"}))))
    return {**found, **changes}


def _with_case(**changes):
    document = _document()
    document["cases"][0].update(changes)
    return document


def _read(document):
    return read_file(json.dumps(document), "delta/x.json")


def test_a_file_reads_back_as_it_was_written():
    """The text is one and the same after reading."""
    text = file_text(_read(_document()))
    assert file_text(read_file(text, "delta/x.json")) == text


@pytest.mark.parametrize(
    "document",
    [
        _document(schema="oracle/vectors/v2"),
        _document(concept="epsilon"),
        _document(op=""),
        _document(more=1),
        _document(notes={"lower": {}}),
        _document(notes={"Dyadic": {"kind": "fatal", "description": "x", "effect": "y"}}),
        _document(cases=_document()["cases"] * 2),
        _with_case(id="Upper/case"),
        _with_case(id="a//b"),
        _with_case(id="a" * 61),
        _with_case(flags=["Unknown"]),
        _with_case(flags=["Dyadic", "Dyadic"]),
        _with_case(args=[]),
        _with_case(expected={"exact": "one"}),
        _with_case(extra=1),
        _with_case(summary=""),
        _with_case(binary64={"args": {"epsilon": "1/3"}, "expected": {"exact": "0"}}),
        _with_case(withdrawn=""),
    ],
    ids=lambda document: json.dumps(document)[:60],
)
def test_a_malformed_file_is_refused(document):
    """Unknown keys, wrong words, ids that are no slugs, flags without a note, doubles that are none."""
    with pytest.raises(InputError):
        _read(document)


def test_a_missing_key_is_named():
    """Every key of a case but the optional ones."""
    for key in ("id", "summary", "flags", "args", "expected", "confirmed"):
        document = _document()
        del document["cases"][0][key]
        with pytest.raises(InputError, match=f'the key "{key}"'):
            _read(document)


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"epsilon": "1/2"}, True),
        ({"epsilon": "0.1"}, False),
        ({"epsilon": "log(2)"}, False),
        ({"epsilon": "inf", "direction": "both"}, True),
        ({"epsilon": "0x1.999999999999ap-4"}, True),
        ({"epsilon": "1e400"}, False),
        ({"epsilon": "1e-400"}, False),
        ({"channel": RESPONSE}, True),
        ({"channel": {"matrix": [["1/3", "2/3"], ["1", "0"]]}}, False),
        ({"channel": {"mechanism": "gaussian", "sigma": "?"}}, True),
        ({"channel": {"mechanism": "repeat", "times": 10, "of": RESPONSE}}, True),
        ({"epsilon": str(2**53 + 1)}, False),
    ],
)
def test_dyadic_means_that_every_number_is_a_double(args, expected):
    """Logarithms are none, the infinities are; words are no numbers."""
    assert is_dyadic(args) is expected


def test_a_case_in_both_forms():
    """The doubles where they are given, the question itself where it is dyadic, else nothing."""
    doubles = {"args": {"epsilon": "0x1.8p-1"}, "expected": {"exact": "1"}}
    given, dyadic, neither = file(
        "delta/x.json",
        "delta",
        case("a", {"epsilon": "log(2)"}, {"exact": "0"}, binary64=doubles),
        case("b", {"epsilon": "1/2"}, {"exact": "0"}),
        case("c", {"epsilon": "1/3"}, {"exact": "0"}),
    ).cases
    assert given.request() == {"id": "a", "op": "delta", "args": {"epsilon": "log(2)"}}
    assert given.request("binary64") == {"id": "a", "op": "delta", "args": {"epsilon": "0x1.8p-1"}}
    assert given.truth("binary64") != given.truth()
    assert dyadic.request("binary64") == dyadic.request()
    assert dyadic.truth("binary64") == dyadic.truth()
    assert neither.request("binary64") is None


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    folder = tmp_path_factory.mktemp("suite") / "v1"
    shutil.copytree(fixture("vectors/v1"), folder)
    return folder


def test_the_installed_suite():
    """At least 1,500 cases over every concept, each found by its id."""
    suite = installed_suite()
    assert len(suite.cases) >= 1500
    assert set(suite.concepts) >= {"hockey-stick", "profile", "composition", "noise", "subsampling", "tradeoff"}
    assert set(suite.concepts) >= {"renyi", "mu", "refinement", "lattice", "calibration", "thresholds", "rejections"}
    assert all(suite.cases[case.id] is case for case in suite.select())
    assert {case.op for case in suite.select(ops=("mu",))} == {"mu"}
    assert {case.concept for case in suite.select(concepts=("noise",))} == {"noise"}


def test_the_suite_is_the_same_wherever_it_lies(copied):
    """Two readings are equal but for the folder."""
    assert read_suite(copied) == installed_suite()


@pytest.mark.parametrize("name", ["mu/noise.json", "noise/laplace.json"])
def test_a_changed_file_is_refused(copied, name):
    """One byte is enough."""
    path = copied / name
    before = path.read_bytes()
    path.write_bytes(before.replace(b'"1"', b'"2"', 1))
    with pytest.raises(InputError, match="the file that the manifest has the hash of"):
        read_suite(copied)
    path.write_bytes(before)
    assert read_suite(copied).digest == installed_suite().digest


def test_a_manifest_that_leads_outside_is_refused(copied):
    """Also one with a wrong count, or without a file."""
    path = copied / MANIFEST
    before = path.read_text(encoding="utf-8")
    for old, new in (
        ("calibration/noise.json", "../calibration/noise.json"),
        ("calibration/noise.json", "calibration/none.json"),
        ('"cases": ', '"cases": 1'),
        ("oracle/vectors-manifest/v1", "oracle/vectors-manifest/v2"),
    ):
        path.write_text(before.replace(old, new, 1), encoding="utf-8")
        with pytest.raises(InputError):
            read_suite(copied)
    path.write_text(before, encoding="utf-8")
