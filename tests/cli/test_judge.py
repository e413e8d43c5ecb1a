"""``oracle judge``: files of answers."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.cli.process import COMMAND, ENVIRONMENT, run


def pipeline(folder: Path, *emit: str) -> tuple[Path, Path]:
    """The requests and our own engine's answers to them."""
    cases, answers = folder / "cases.jsonl", folder / "answers.jsonl"
    cases.write_text(run("emit", *emit).stdout, encoding="utf-8")
    answers.write_text(run("answer", stdin=cases.read_bytes()).stdout, encoding="utf-8")
    return cases, answers


def test_our_own_answers_are_clean_in_both_forms(tmp_path: Path) -> None:
    """With the requests, by id alone, from standard input."""
    cases, answers = pipeline(tmp_path, "--op", "mu", "--op", "refines")
    assert run("judge", str(cases), str(answers)).returncode == 0
    assert run("judge", str(answers)).returncode == 0
    done = run("judge", "-", "--json", stdin=answers.read_bytes())
    assert done.returncode == 0
    document = json.loads(done.stdout)
    assert document["counts"]["exact"] == document["offered"] > 0


@pytest.mark.slow
def test_the_three_stage_pipe_of_the_manual(tmp_path: Path) -> None:
    """Oracle emit | program | oracle judge -, with Windows line endings on the way."""
    oracle = shlex.join(COMMAND)
    line = f"{oracle} emit --op epsilon --binary64 | {oracle} answer | sed 's/$/\\r/' | {oracle} judge - --out out"
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"stream.jsonl", "report.html"}


def test_findings_and_missing_answers(tmp_path: Path) -> None:
    """A wrong answer is 1; a missing one with the requests at hand is 3."""
    cases, answers = pipeline(tmp_path, "--op", "mu")
    lines = answers.read_text(encoding="utf-8").splitlines(keepends=True)
    short = run("judge", str(cases), "-", stdin="".join(lines[:-1]))
    assert short.returncode == 3
    assert "INCOMPLETE" in short.stdout.upper()
    identity = json.loads(lines[5])["id"]
    wrong = json.dumps({"id": identity, "value": "12345"}) + "\n"
    done = run("judge", str(cases), "-", "--json", stdin="".join([*lines[:5], wrong, *lines[6:]]))
    assert done.returncode == 1
    assert [failure["case"] for failure in json.loads(done.stdout)["failures"]] == [identity]


def test_claims_are_given_on_the_command_line(tmp_path: Path) -> None:
    """A loose answer fails with --tightness, and as an exact one always."""
    _, answers = pipeline(tmp_path, "--op", "mu")
    identity = json.loads(answers.read_text(encoding="utf-8").splitlines()[5])["id"]
    loose = json.dumps({"id": identity, "value": "12345"})
    assert run("judge", "-", "--claim", "mu=upper", stdin=loose).returncode == 0
    assert run("judge", "-", "--claim", "upper", "--tightness", stdin=loose).returncode == 1
    assert run("judge", "-", "--claim", "lower", "--claim", "mu=exact", stdin=loose).returncode == 1


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        ((), "", "Missing argument"),
        (("a", "b", "c"), "", "one or two files"),
        (("missing.jsonl",), "", "missing.jsonl"),
        (("missing.jsonl", "-"), "", "missing.jsonl"),
        (("-",), "", "answers to cases"),
        (("-",), "\x00\xff noise", "answers to cases"),
        (("-", "--claim", "roughly"), "", "--claim"),
        (("-", "--op", "deltas"), "", "--op"),
        (("-",), '{"id": "echo", "value": ["0.1"]}', "echo"),
    ],
)
def test_faults_of_use_end_with_2(tmp_path: Path, arguments: tuple[str, ...], stdin: str, message: str) -> None:
    """One line says what is wrong."""
    done = run("judge", *arguments, stdin=stdin, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_ten_thousand_answers_are_judged_quickly(tmp_path: Path) -> None:
    """In under 10 s, by id and with requests."""
    args = {"channel": {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}}
    asked = [{"id": f"q{n}", "op": "delta", "args": {**args, "exp_epsilon": f"{n}/5000"}} for n in range(10_000)]
    answers = [{"id": f"q{n}", "value": str(max(0.0, 0.75 - n / 20000))} for n in range(10_000)]
    cases = tmp_path / "cases.jsonl"
    cases.write_text("".join(json.dumps(line) + "\n" for line in asked), encoding="utf-8")
    done = run("judge", str(cases), "-", "--claim", "estimate", stdin="".join(json.dumps(a) + "\n" for a in answers))
    assert done.returncode in (0, 1)
