"""The lint of the vectors: clean as they are, and every broken rule is named."""

from __future__ import annotations

import hashlib
import json
import shutil

import pytest

from oracle.conformance.cases import MANIFEST
from oracle.conformance.linting import lint
from oracle.fixtures import fixture

PATH = "mu/noise.json"


@pytest.fixture
def small(tmp_path):
    """A suite of one file."""
    source = fixture("vectors/v1")
    for name in ("README.md", "ERRATA.md"):
        shutil.copy(source / name, tmp_path / name)
    (tmp_path / "mu").mkdir()
    shutil.copy(source / PATH, tmp_path / PATH)
    _sealed(tmp_path)
    return tmp_path


def _sealed(folder):
    """Write the manifest anew."""
    manifest = json.loads((fixture("vectors/v1") / MANIFEST).read_text(encoding="utf-8"))
    (entry,) = [entry for entry in manifest["files"] if entry["path"] == PATH]
    data = (folder / PATH).read_bytes()
    entry["sha256"] = hashlib.sha256(data).hexdigest()
    entry["cases"] = len(json.loads(data)["cases"])
    manifest |= {"files": [entry], "cases": entry["cases"]}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def _changed(folder, old, new):
    text = (folder / PATH).read_text(encoding="utf-8")
    assert old in text
    (folder / PATH).write_text(text.replace(old, new, 1), encoding="utf-8")
    _sealed(folder)
    return lint(folder)


def test_a_suite_as_it_is_keeps_every_rule(small):
    """Also with a stamp beside it."""
    assert lint(small) == []
    (small / "VERSION.json").write_text("{}", encoding="utf-8")
    assert lint(small) == []


@pytest.mark.slow
def test_the_installed_suite_keeps_every_rule():
    """All of it, certificates too."""
    assert lint(fixture("vectors/v1")) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('  "summary"', '    "summary"', "not in the one form"),
        ("the least mu", "the mu should be least", "one line of facts"),
        (
            '"confirmed": "closed form"',
            '"confirmed": "closed form", "withdrawn": "wrong"',
            "withdrawn without an erratum",
        ),
        ('"effect": "No conversion', '"effect": "Some conversion', "explained in other words"),
        ('{"exact": "1"}', '{"enclosure": ["0.9", "1.1"]}', "wider than 1e-17"),
        ('"args": {"channel"', '"args": {"sigma": "1", "channel"', "no request of the protocol"),
        ('"flags": ["Dyadic"]', '"flags": []', "explained and not used"),
        ('"sources": [', '"sources": [{"key": "x", "locator": "y", "url": "http://x"}, ', "url"),
    ],
    ids=lambda value: value[:20],
)
def test_a_broken_rule_is_named(small, old, new, problem):
    """One change, one complaint at least that says what is wrong."""
    if problem == "explained and not used":
        text = (small / PATH).read_text(encoding="utf-8")
        (small / PATH).write_text(text.replace(old, new), encoding="utf-8")
        _sealed(small)
        problems = lint(small)
    else:
        problems = _changed(small, old, new)
    assert any(problem in found for found in problems), problems


def test_a_certificate_that_is_tampered_with_is_rejected(tmp_path):
    """The digest is made anew, so that only the statement is wrong."""
    name = "lattice/glb.json"
    document = json.loads((fixture("vectors/v1") / name).read_text(encoding="utf-8"))
    certificate = next(case["certificate"] for case in document["cases"] if "certificate" in case)
    assert certificate["certificate"] == "glb"
    text = (fixture("vectors/v1") / name).read_text(encoding="utf-8")
    (tmp_path / "lattice").mkdir()
    (tmp_path / name).write_text(text.replace(certificate["digest"], "0" * 64), encoding="utf-8")
    manifest = json.loads((fixture("vectors/v1") / MANIFEST).read_text(encoding="utf-8"))
    (entry,) = [entry for entry in manifest["files"] if entry["path"] == name]
    entry["sha256"] = hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()
    manifest |= {"files": [entry], "cases": entry["cases"]}
    (tmp_path / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    assert any("the certificate is rejected" in problem for problem in lint(tmp_path))


def test_a_file_that_is_not_listed(small):
    """Anything beside the vectors but the texts and the stamp."""
    (small / "notes.txt").write_text("x", encoding="utf-8")
    assert lint(small) == [f"notes.txt: not listed in {MANIFEST}"]


def test_an_erratum_about_no_case(small):
    """The errata name cases that exist."""
    with (small / "ERRATA.md").open("a", encoding="utf-8") as errata:
        errata.write("| `mu/none` | 2026.12 | 1 | 2 | a slip |\n")
    assert lint(small) == ["ERRATA.md: no case mu/none"]


def test_a_suite_that_cannot_be_read(small):
    """One line, and no traceback."""
    (small / PATH).write_text("{}", encoding="utf-8")
    (problem,) = lint(small)
    assert "the manifest has the hash of" in problem
