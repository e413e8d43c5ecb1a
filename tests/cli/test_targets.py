"""Commands that write replace regular files only and make the folder they are told, not the folders above it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from oracle.fixtures import fixture
from tests.cli.process import run
from tests.conformance.small_suite import program

TREE = str(fixture("interactive/interleaving.json"))
CONFORM = ("conform", "--cmd", shlex.join(program("good")), "--op", "delta", "--concept", "rejections")
ACCOUNT = ("account", str(fixture("mechanisms/laplace_eightfold.json")), "--points", "2")

# What is run, the option, and a file that it writes there; None where the option names the file itself.
FOLDERS = [
    (("audit", TREE, "--claim", "exp_eps=3"), "report.json"),
    (("audit", TREE, "--claim", "exp_eps=3"), "tree.svg"),
    (CONFORM, "stream.jsonl"),
    (CONFORM, "report.html"),
    (("reproduce", "fernandes2025", "--only", "E-par"), "claims.md"),
]
FILES = [(("tree", TREE), "--svg"), (ACCOUNT, "--profile")]


def snapshot(folder: Path) -> dict[str, os.stat_result]:
    return {path.relative_to(folder).as_posix(): path.lstat() for path in folder.rglob("*")}


@pytest.mark.parametrize(("command", "name"), FOLDERS)
def test_a_pipe_in_a_named_folder_stays(tmp_path: Path, command: tuple[str, ...], name: str) -> None:
    """Exit code 2, and nothing in the folder has changed."""
    os.mkfifo(tmp_path / name)
    (tmp_path / "notes.md").write_text("mine")
    before = snapshot(tmp_path)
    done = run(*command, "--out", str(tmp_path))
    assert done.returncode == 2, done.stdout
    assert f"no pipe in the way of a file, got {name}" in done.stderr
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize(("command", "option"), FILES)
def test_a_pipe_in_the_place_of_a_named_file_stays(tmp_path: Path, command: tuple[str, ...], option: str) -> None:
    """Exit code 2 before anything is printed; what lies there does too when it is the folder that is missing."""
    os.mkfifo(tmp_path / "x")
    before = snapshot(tmp_path)
    done = run(*command, option, str(tmp_path / "x"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "no pipe in the way of a file, got x" in done.stderr
    done = run(*command, option, str(tmp_path / "new" / "x"))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{option}: expected a file in a directory that is there, got no directory" in done.stderr
    assert snapshot(tmp_path) == before


def test_the_file_of_known_failures_is_a_regular_one(tmp_path: Path) -> None:
    """A pipe is neither read nor replaced when the file is to be written."""
    os.mkfifo(tmp_path / "dp-oracle.toml")
    done = run("known", "--write", "stream", cwd=tmp_path)
    assert done.returncode == 2
    assert "no pipe in the way of a file, got dp-oracle.toml" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["dp-oracle.toml"]


def test_a_named_folder_is_made_with_its_parents(tmp_path: Path) -> None:
    done = run("audit", TREE, "--claim", "exp_eps=3", "--out", str(tmp_path / "a" / "b"))
    assert done.returncode in (0, 1)
    assert (tmp_path / "a" / "b" / "report.json").is_file()


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("audit", "made if missing"),
        ("conform", "made if missing"),
        ("judge", "made if missing"),
        ("reproduce", "made if missing"),
        ("tree", "must be there"),
        ("account", "a folder that is there"),
        ("known", "a folder that is there"),
    ],
)
def test_help_says_what_becomes_of_a_missing_folder(command: str, text: str) -> None:
    assert text in " ".join(run(command, "--help").stdout.split())
