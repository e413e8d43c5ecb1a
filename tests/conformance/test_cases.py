"""Files of vectors and suites of files: read strictly, found by id, written in one form."""

from __future__ import annotations

import json
import shutil

import pytest

from oracle.conformance.cases import MANIFEST, file_text, installed_suite, read_file, read_suite
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
