"""``oracle vectors``: lint, copy and the refusal of a bad folder."""

from __future__ import annotations

import json

from oracle.conformance.cases import installed_suite, read_suite
from oracle.fixtures import fixture
from tests.cli.process import run


def test_a_copy_is_the_suite_with_its_schema_and_a_stamp(tmp_path):
    """It reads as the installed suite; a second copy replaces it and keeps what is not ours."""
    folder = tmp_path / "third" / "party"
    done = run("vectors", "copy", str(folder), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    stamp = json.loads(done.stdout)
    assert stamp == json.loads((folder / "VERSION.json").read_text(encoding="utf-8"))
    assert read_suite(folder) == installed_suite()
    assert stamp["manifest"] == installed_suite().digest
    schema = (fixture("schemas") / "vectors-v1.schema.json").read_bytes()
    assert (folder / "vectors-v1.schema.json").read_bytes() == schema
    old = {**stamp, "files": [*stamp["files"], "gone.json", "../kept.json"]}
    (folder / "VERSION.json").write_text(json.dumps(old), encoding="utf-8")
    for name in ("gone.json", "../kept.json", "mine.txt"):
        (folder / name).write_text("x", encoding="utf-8")
    again = run("vectors", "copy", str(folder))
    assert again.returncode == 0
    assert [(folder / name).exists() for name in ("gone.json", "../kept.json", "mine.txt")] == [False, True, True]


def test_a_copy_over_a_file_of_somebody_else_is_refused(tmp_path):
    """A VERSION.json that is no stamp."""
    (tmp_path / "VERSION.json").write_text('{"version": 3}', encoding="utf-8")
    done = run("vectors", "copy", str(tmp_path))
    assert done.returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["VERSION.json"]


def test_lint_of_no_suite(tmp_path):
    """One problem, exit code 1."""
    done = run("vectors", "lint", str(tmp_path), "--json")
    assert done.returncode == 1
    (problem,) = json.loads(done.stdout)["problems"]
    assert "MANIFEST.json" in problem


def test_build_into_a_file_is_refused_before_any_work(tmp_path):
    """Exit code 2, at once."""
    (tmp_path / "x").write_text("x", encoding="utf-8")
    done = run("vectors", "build", str(tmp_path / "x"))
    assert (done.returncode, done.stdout) == (2, "")


def test_help_shows_examples():
    """Of the group and of each command."""
    for arguments in ((), ("build",), ("lint",), ("copy",)):
        done = run("vectors", *arguments, "--help")
        assert done.returncode == 0
        assert "Examples:" in done.stdout
