"""The command `python -m oracle.certificates.checker`: lines, JSON, reports and exit statuses."""

from __future__ import annotations

import io
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from oracle.certificates.checker import __main__ as command
from tests.certificates.checker.documents import DOCUMENTS

ROOT = Path(__file__).parents[3]
GOOD = DOCUMENTS["refinement: example 3"]
BAD = {**GOOD, "version": 2}


@pytest.fixture
def files(tmp_path):
    """A good, a bad and a malformed certificate, a report, and a name that is not there."""
    contents = {
        "good": json.dumps(GOOD),
        "bad": json.dumps(BAD),
        "malformed": "{",
        "report": json.dumps({"certificates": [GOOD, BAD]}),
        "empty": '{"certificates": []}',
    }
    paths = {"missing": str(tmp_path / "missing.json"), "folder": str(tmp_path)}
    for name, text in contents.items():
        path = tmp_path / f"{name}.json"
        path.write_text(text, encoding="utf-8")
        paths[name] = str(path)
    return paths


@pytest.mark.parametrize(
    ("names", "status"),
    [
        ("good", 0),
        ("good good", 0),
        ("bad", 1),
        ("malformed", 1),
        ("good bad", 1),
        ("report", 1),
        ("empty", 1),
        ("missing", 2),
        ("folder", 2),
        ("missing bad", 2),
        ("bad missing", 2),
        ("good missing good", 2),
    ],
)
def test_exit_status(files, names, status):
    """0 all accepted, 1 one rejected or malformed, 2 a file that cannot be read; 2 wins over 1."""
    assert command.main([files[name] for name in names.split()]) == status


def test_no_arguments_is_wrong_usage(capsys):
    """Without a file the command explains itself and exits 2."""
    with pytest.raises(SystemExit) as stopped:
        command.main([])
    assert stopped.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_lines(files, capsys):
    """One line per verdict, the hashes of the channels below an accepted one."""
    command.main([files["good"], files["report"], files["malformed"], files["missing"]])
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith(f"accepted {files['good']}: refinement: left refines to right")
    assert [line.split()[0] for line in lines[1:3]] == ["left", "right"]
    assert lines[3].startswith(f"accepted {files['report']}[0]: refinement: ")
    assert lines[6] == f"rejected {files['report']}[1]: expected version 1 (at $.certificates[1].version)"
    assert lines[7].startswith(f"rejected {files['malformed']}: not JSON")
    assert lines[7].endswith("(at $)")
    assert len(lines) == 8
    assert err.startswith(f"unreadable {files['missing']}: ")


def test_json_lines(files, capsys):
    """With --json every verdict is one JSON object on one line."""
    assert command.main(["--json", files["good"], files["report"]]) == 1
    first, second, third = map(json.loads, capsys.readouterr().out.splitlines())
    assert set(first) == {"file", "index", "accepted", "kind", "statement", "channels"}
    assert set(third) == {"file", "index", "accepted", "reason", "where"}
    assert [item["accepted"] for item in (first, second, third)] == [True, True, False]
    assert [item["index"] for item in (first, second, third)] == [None, 0, 1]
    assert [item["name"] for item in first["channels"]] == ["left", "right"]


def test_file_names_cannot_forge_lines(tmp_path, monkeypatch):
    """Line breaks and characters that the stream cannot hold are escaped."""
    path = tmp_path / "x\naccepted é.json"
    path.write_text("{", encoding="utf-8")
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    assert command.main([str(path)]) == 1
    stream.seek(0)
    [line] = stream.read().splitlines()
    assert "x\\naccepted \\xe9.json" in line


def test_the_module_runs(files):
    """The command works as a program, isolated from the environment's packages."""
    program = [sys.executable, "-S", "-m", "oracle.certificates.checker"]
    run = subprocess.run([*program, files["good"], files["bad"]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (1, "")
    assert [line.split()[0] for line in run.stdout.splitlines()] == ["accepted", "left", "right", "rejected"]


@pytest.mark.parametrize("output", [">&-", ">/dev/full"])
def test_verdicts_that_cannot_be_written_are_no_rejection(tmp_path, output):
    """Exit status 3 and one line on stderr; 1 would read as a rejection."""
    (tmp_path / "c.json").write_text("{}")
    command = f"{shlex.quote(sys.executable)} -m oracle.certificates.checker {shlex.quote(str(tmp_path / 'c.json'))}"
    done = subprocess.run(  # noqa: S602 - the shell closes the descriptor
        f"{command} {output}", shell=True, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    assert done.stderr.startswith("not finished: ")
