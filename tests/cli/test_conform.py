"""``oracle conform``: a library asked live, interrupted, resumed."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from oracle.conformance.adapters.libraries import LIBRARIES
from tests.cli.process import COMMAND, ENVIRONMENT, run
from tests.conformance.small_suite import program

ENGINE = shlex.join([*COMMAND, "answer"])
SELECTED = ("--op", "delta", "--concept", "rejections")
REPORTS = {"stream.jsonl", "report.md", "junit.xml", "report.html", "badge.json"}


def events_of(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "stream.jsonl").read_text(encoding="utf-8").splitlines()]


def test_our_own_engine_is_clean_behind_a_pipe(tmp_path: Path) -> None:
    """Exit code 0, a stream with a footer, and every report."""
    done = run("conform", "--cmd", ENGINE, "--op", "mu", "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("CLEAN: fdp-oracle")
    assert {path.name for path in (tmp_path / "out").iterdir()} == REPORTS
    assert events_of(tmp_path / "out")[-1]["complete"]


def test_nothing_is_written_without_out(tmp_path: Path) -> None:
    """Zero files outside the chosen folder."""
    done = run("conform", "--cmd", ENGINE, "--op", "mu", "--json", cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []
    document = json.loads(done.stdout)
    assert (document["complete"], document["findings"], document["failures"]) == (True, 0, [])
    assert document["counts"]["exact"] == document["offered"]


def test_a_python_object_has_a_process_of_its_own(tmp_path: Path) -> None:
    """module:object in the current folder; what it prints does not disturb, its crash is one verdict."""
    module = """
import os
from oracle.operations import mu as exact

class Library:
    claims = "exact"
    def mu(self, channel):
        print("computing")
        if channel == {"mechanism": "gaussian", "sigma": "100"}:
            os._exit(9)
        return exact(channel)

LIBRARY = Library()
"""
    (tmp_path / "my_library.py").write_text(module, encoding="utf-8")
    done = run("conform", "my_library:LIBRARY", "--op", "mu", "-n", "2", "--json", cwd=tmp_path)
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert document["counts"]["crashed"] == 1
    assert document["counts"]["exact"] == document["offered"] - 1
    assert "exit code 9" in document["failures"][0]["reason"]


def test_findings_known_failures_and_their_change(tmp_path: Path) -> None:
    """Red, then green with the generated file, then red again when a known failure is mended."""
    bad = shlex.join(program("good"))
    first = run("conform", "--cmd", bad, *SELECTED, "--out", "out", cwd=tmp_path)
    assert first.returncode == 1
    assert run("known", "--write", "out", cwd=tmp_path).returncode == 0
    again = ("conform", "--cmd", bad, *SELECTED, "--known", "dp-oracle.toml")
    assert run(*again, cwd=tmp_path).returncode == 0
    text = (tmp_path / "dp-oracle.toml").read_text(encoding="utf-8")
    (tmp_path / "dp-oracle.toml").write_text(text.replace('"wrong"', '"errored"', 1), encoding="utf-8")
    changed = run(*again, "--json", cwd=tmp_path)
    assert changed.returncode == 1
    assert len(json.loads(changed.stdout)["mismatches"]) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "either NAME or --cmd"),
        (("float64", "--cmd", "x"), "either NAME or --cmd"),
        (("opendpp",), "module:object"),
        (("no_such_module:X",), "no_such_module"),
        (("--cmd", "./no-such-program"), "could not be started"),
        (("--cmd", shlex.join(program("crash-at-start"))), "exit code 7"),
        (("float64", "--op", "deltas"), "--op"),
        (("float64", "--concept", "x"), "--concept"),
        (("float64", "--resume"), "--out DIR"),
        (("float64", "--known", "missing.toml"), "missing.toml"),
        (("float64", "--timeout", "0"), "--timeout"),
        (("float64", "-n", "0"), "-n"),
    ],
)
def test_faults_of_use_and_of_adapters_end_with_2(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    """One line says what is wrong, and nothing is written."""
    done = run("conform", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_an_interrupted_run_is_incomplete_and_resumes(tmp_path: Path) -> None:
    """SIGTERM at a hanging case: exit 3, no footer, reports that say so; --resume asks only the rest."""
    slow = shlex.join(program("hang", 6))
    command = [*COMMAND, "conform", "--cmd", slow, *SELECTED, "--out", "out", "--timeout", "100"]
    process = subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    stream = tmp_path / "out" / "stream.jsonl"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (stream.exists() and stream.read_bytes().count(b'"case"') >= 5):
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 3
    assert b"--resume" in err
    assert b"INCOMPLETE" in out.upper()
    events = events_of(tmp_path / "out")
    answered = [event["case"] for event in events if event["event"] == "result"]
    assert len(answered) == 5
    assert events[-1]["event"] != "footer"
    assert "incomplete" in (tmp_path / "out" / "badge.json").read_text(encoding="utf-8")
    with stream.open("ab") as torn:
        torn.write(b'{"event": "result", "case": "torn')
    good = shlex.join(program("good"))
    done = run("conform", "--cmd", good, *SELECTED, "--out", "out", "--resume", "--json", cwd=tmp_path)
    document = json.loads(done.stdout)
    assert document["complete"]
    assert sum(document["counts"].values()) == document["offered"]
    cases = [event["case"] for event in events_of(tmp_path / "out") if event["event"] == "result"]
    assert cases[:5] == answered
    assert len(cases) == len(set(cases)) == document["offered"]
    again = run("conform", "--cmd", good, *SELECTED, "--out", "out", "--resume", cwd=tmp_path)
    assert again.returncode == done.returncode
    other = run("conform", "--cmd", ENGINE, "--op", "mu", "--out", "out", cwd=tmp_path)
    assert other.returncode == 0
    assert events_of(tmp_path / "out")[0]["subject"]["name"] == "fdp-oracle"  # type: ignore[index]


def test_another_run_is_not_resumed(tmp_path: Path) -> None:
    """The header must say the same."""
    run("conform", "--cmd", ENGINE, "--op", "mu", "--out", "out", cwd=tmp_path)
    stream = tmp_path / "out" / "stream.jsonl"
    stream.write_text("".join(stream.read_text(encoding="utf-8").splitlines(keepends=True)[:5]), encoding="utf-8")
    done = run("conform", "--cmd", shlex.join(program("good")), "--op", "mu", "--out", "out", "--resume", cwd=tmp_path)
    assert done.returncode == 2
    assert "--resume" in done.stderr


def test_programs_are_ended_with_their_children(tmp_path: Path) -> None:
    """Nothing of a hanging program is left after its timeout."""
    code = (
        "import json, os, subprocess, sys, time\n"
        "for line in sys.stdin:\n"
        "    r = json.loads(line)\n"
        "    if r['op'] == 'hello':\n"
        "        print(json.dumps({'id': r['id'], 'value': {'name': 'x', 'ops': ['mu']}}), flush=True)\n"
        "        continue\n"
        "    child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(100)'])\n"
        f"    open({str(tmp_path / 'pids')!r}, 'a').write(f'{{os.getpid()}} {{child.pid}}\\n')\n"
        "    time.sleep(100)\n"
    )
    (tmp_path / "program.py").write_text(code, encoding="utf-8")
    command = shlex.join([sys.executable, str(tmp_path / "program.py")])
    done = run("conform", "--cmd", command, "--op", "mu", "--concept", "mu", "--timeout", "0.05", "-n", "2", "--json")
    assert json.loads(done.stdout)["counts"]["timeout"] > 0
    time.sleep(0.2)
    pids = (tmp_path / "pids").read_text(encoding="utf-8").split()
    assert pids
    assert not [pid for pid in pids if runs(pid)]


def runs(pid: str) -> bool:
    """Whether a process is there and no zombie that waits for a parent to look."""
    listed = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True, check=False)
    return bool(listed.stdout.strip()) and not listed.stdout.strip().startswith("Z")


def test_the_adapters_of_the_package_are_there() -> None:
    """Each name has its module."""
    root = Path(ENVIRONMENT["PYTHONPATH"])
    for library in LIBRARIES.values():
        module = library.adapter.partition(":")[0]
        assert (root / (module.replace(".", "/") + ".py")).is_file()
