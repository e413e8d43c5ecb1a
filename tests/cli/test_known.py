"""``oracle known``: the file of known failures from a run."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path

import pytest

from tests.cli.process import run
from tests.conformance.small_suite import program


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A folder with the results of a run that fails."""
    run(
        "conform",
        "--cmd",
        shlex.join(program("good")),
        "--op",
        "delta",
        "--concept",
        "rejections",
        "--out",
        "out",
        cwd=tmp_path,
    )
    return tmp_path


def test_the_file_has_an_entry_for_each_failure(results: Path) -> None:
    """Printed without --write, written with it; reasons of the adopter are kept."""
    printed = run("known", "out", cwd=results)
    entries = tomllib.loads(printed.stdout)["known"]
    assert printed.returncode == 0
    assert {entry["verdict"] for entry in entries} == {"wrong"}
    assert not (results / "dp-oracle.toml").exists()
    written = run("known", "--write", "out/stream.jsonl", cwd=results)
    assert f"{len(entries)} known failures" in written.stdout
    path = results / "dp-oracle.toml"
    assert path.read_text(encoding="utf-8") == printed.stdout
    first = entries[0]["reason"]
    escaped = json.dumps(first, ensure_ascii=False)
    path.write_text(path.read_text(encoding="utf-8").replace(escaped, '"our reason"', 1), encoding="utf-8")
    document = json.loads(run("known", "--write", "out", "--json", cwd=results).stdout)
    assert document["known"][0]["reason"] == "our reason"
    assert len(document["known"]) == len(entries)


def test_a_run_that_did_not_finish_has_no_known_failures(results: Path) -> None:
    """Without a footer the rest is unknown."""
    stream = results / "out" / "stream.jsonl"
    lines = stream.read_text(encoding="utf-8").splitlines(keepends=True)
    stream.write_text("".join(lines[:-1]), encoding="utf-8")
    done = run("known", "out", cwd=results)
    assert done.returncode == 2
    assert "finished" in done.stderr


def test_faults_of_use_end_with_2(tmp_path: Path) -> None:
    """A missing stream, something else, a malformed file that is there."""
    assert run("known", "missing", cwd=tmp_path).returncode == 2
    (tmp_path / "other.jsonl").write_text("{}\n", encoding="utf-8")
    assert run("known", "other.jsonl", cwd=tmp_path).returncode == 2
