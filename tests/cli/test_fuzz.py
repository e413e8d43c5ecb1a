"""The command ``oracle fuzz``: findings with their files, exit codes, resuming, refusals."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.process import COMMAND, ENVIRONMENT, run

SUBJECT = '''
"""A subject of two ops: mu is always infinite, every channel refines every other."""
import json, sys

for line in sys.stdin:
    asked = json.loads(line)
    told = {"id": asked["id"]}
    if asked["op"] == "hello":
        told["value"] = {"name": "zero", "version": "1", "ops": ["mu", "refines"], "claims": {"mu": "upper"}}
    elif asked["op"] == "mu":
        told["value"] = "inf"
    else:
        told["value"] = {"holds": True}
    print(json.dumps(told), flush=True)
'''


def program(folder: Path) -> str:
    """The command of the subject."""
    path = folder / "subject.py"
    path.write_text(SUBJECT)
    return f"{sys.executable} {path}"


def fuzz(*args: str | Path, fresh: bool = False):
    return run("fuzz", *map(str, args), fresh=fresh)


def test_findings_are_written_and_the_exit_code_is_1(tmp_path: Path) -> None:
    """Channels that do not refine each other are found, with the index and the folder of each finding."""
    out = tmp_path / "out"
    done = fuzz("--cmd", program(tmp_path), "--op", "refines", "--questions", "30", "--out", out, "--json")
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    assert told["judged"] >= 30
    assert told["findings"]
    assert json.loads((out / "findings.json").read_text()) == told["findings"]
    for entry in told["findings"]:
        assert (out / entry["script"]).is_file()
        assert (out / entry["output"]).is_file()
    again = fuzz("--cmd", program(tmp_path), "--op", "refines", "--questions", "30", "--out", out, "--resume", "--json")
    assert again.returncode == 1
    assert json.loads(again.stdout)["findings"] == told["findings"]
    refused = fuzz("--cmd", program(tmp_path), "--op", "refines", "--questions", "30", "--out", out)
    assert refused.returncode == 2
    assert "a new folder, or --resume" in refused.stderr


def test_nothing_found_is_exit_code_0(tmp_path: Path) -> None:
    """As an upper bound an infinite mu is never wrong; --op chooses."""
    done = fuzz("--cmd", program(tmp_path), "--questions", "5", "--op", "mu")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing found" in done.stdout
    assert "zero 1, seed 0" in done.stdout


def test_a_campaign_of_something_else_is_not_gone_on_with(tmp_path: Path) -> None:
    """Another seed is refused, naming both."""
    out = tmp_path / "out"
    assert fuzz("--cmd", program(tmp_path), "--op", "mu", "--questions", "5", "--out", out).returncode == 0
    done = fuzz("--cmd", program(tmp_path), "--op", "mu", "--questions", "5", "--seed", "1", "--out", out, "--resume")
    assert done.returncode == 2
    assert "same seed" in done.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "either NAME or --cmd"),
        (("nothing",), "NAME"),
        (("float64", "--resume"), "--out DIR"),
        (("float64", "--questions", "0"), "--questions"),
        (("float64", "-n", "2", "--dask", "tcp://127.0.0.1:1"), "-n or --dask"),
    ],
)
def test_bad_usage_is_exit_code_2(args: tuple[str, ...], message: str) -> None:
    """The message names the option, and nothing is begun."""
    done = fuzz(*args)
    assert done.returncode == 2
    assert message in done.stderr


def test_without_hypothesis_the_extra_is_named() -> None:
    """The command says what to install, and asks nothing."""
    code = "import sys; sys.modules['hypothesis'] = None; from oracle.cli.main import main; main()"
    command = [sys.executable, "-c", code, "fuzz", "float64"]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=120, check=False)
    assert done.returncode == 2
    assert "conformance" in done.stderr


@pytest.mark.slow
def test_an_interrupted_campaign_is_gone_on_with(tmp_path: Path) -> None:
    """SIGTERM ends it with exit code 3; resumed, it has the counts and findings of one that was not interrupted."""
    options = ["--cmd", program(tmp_path), "--op", "refines", "--questions", "300", "--json"]
    whole = json.loads(fuzz(*options, "--out", tmp_path / "whole", fresh=True).stdout)
    out = tmp_path / "out"
    process = subprocess.Popen([*COMMAND, "fuzz", *options, "--out", str(out)], env=ENVIRONMENT, stderr=subprocess.PIPE)
    journal = out / "fuzz.jsonl"
    while not journal.exists() or journal.read_bytes().count(b'"event": "round"') < 3:
        assert process.poll() is None
        time.sleep(0.05)
    process.terminate()
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 3
    assert b"--resume" in errors
    rest = json.loads(fuzz(*options, "--out", out, "--resume", fresh=True).stdout)
    assert {key: rest[key] for key in ("judged", "counts", "findings", "repeats")} == {
        key: whole[key] for key in ("judged", "counts", "findings", "repeats")
    }


def test_help_has_examples_and_exit_codes() -> None:
    """What a reader needs to begin."""
    done = fuzz("--help")
    assert done.returncode == 0
    assert "oracle fuzz dp-accounting --minutes 5" in done.stdout
    assert "Exit codes" in done.stdout


@pytest.mark.slow
def test_two_processes_find_what_one_finds(tmp_path: Path) -> None:
    """The rounds, the counts and the findings do not depend on how many search."""
    options = ["--cmd", program(tmp_path), "--op", "refines", "--questions", "300", "--seed", "5", "--json"]
    one, two = (json.loads(fuzz(*options, "-n", n, "--out", tmp_path / n, fresh=True).stdout) for n in ("1", "2"))
    times = ("started", "seconds")
    assert {key: one[key] for key in one if key not in times} == {key: two[key] for key in two if key not in times}


@pytest.mark.parametrize("name", ["findings.json", "01-mine"])
def test_a_folder_with_findings_of_something_else_is_kept(tmp_path: Path, name: str) -> None:
    """Nothing is written over what has the name of a finding and no journal."""
    out = tmp_path / "out"
    out.mkdir()
    (out / name).write_text("mine")
    done = fuzz("--cmd", program(tmp_path), "--op", "refines", "--questions", "5", "--out", out)
    assert done.returncode == 2
    assert "a folder without findings" in done.stderr
    assert [path.name for path in out.iterdir()] == [name]
    assert (out / name).read_text() == "mine"


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["1", "2"])
def test_of_the_engine_behind_a_pipe_nothing_is_found(seed: str) -> None:
    """Strictly judged, with its own laws, over ops and shapes as they come."""
    done = fuzz("--cmd", shlex.join([*COMMAND, "answer"]), "--strict", "--questions", "150", "--seed", seed, "--json")
    assert done.returncode == 0, done.stdout
    told = json.loads(done.stdout)
    assert told["findings"] == []
    assert told["judged"] >= 150
