"""The command group: help, version, exit codes, and what is loaded when."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from oracle import __version__
from oracle.cli import main as module
from oracle.errors import InputError, UndecidedError
from tests.cli.process import ENVIRONMENT, run


def test_the_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"oracle {__version__}\n", "")


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_the_help_lists_the_commands_examples_and_exit_codes(flag: str) -> None:
    done = run(flag)
    assert (done.returncode, done.stderr) == (0, "")
    for text in (
        "answer",
        "audit",
        "schema",
        "verify",
        "Examples:",
        "Exit codes: 0 done or the claim holds, 1 refuted",
    ):
        assert text in done.stdout


@pytest.mark.parametrize("arguments", ["['--help']", "['--version']", "['answer', '--help']", "['schema', 'channel']"])
def test_help_loads_no_engine(arguments: str) -> None:
    code = (
        "import sys, atexit\n"
        f"sys.argv = ['oracle', *{arguments}]\n"
        "heavy = {'gmpy2', 'flint', 'sympy', 'numpy', 'rich', 'tabulate', 'hypothesis', 'matplotlib'}\n"
        "atexit.register(lambda: print('LOADED', sorted(heavy & set(sys.modules))))\n"
        "from oracle.cli.main import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert done.returncode == 0
    expected = "['gmpy2']" if "channel" in arguments else "[]"
    assert done.stdout.splitlines()[-1] == f"LOADED {expected}"


@pytest.mark.parametrize("command", ["answer", "audit", "schema", "verify"])
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = run(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Example" in done.stdout


def test_an_unknown_command_is_bad_usage() -> None:
    done = run("no-such-command")
    assert (done.returncode, done.stdout) == (2, "")
    assert "No such command 'no-such-command'" in done.stderr


def test_no_command_shows_the_help() -> None:
    done = run()
    assert done.returncode == 2
    assert "Commands:" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (InputError("a table", "nothing", "x.csv"), 2, "oracle: x.csv: expected a table, got nothing\n"),
        (UndecidedError("e < 3", 99), 3, "oracle: e < 3: undecided at 99 bits\n"),
        (KeyboardInterrupt(), 3, "oracle: interrupted\n"),
    ],
)
def test_an_error_is_one_line_on_stderr_and_an_exit_code(
    error: BaseException, code: int, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @click.command()
    def fail() -> None:
        raise error

    monkeypatch.setattr(module, "cli", fail)
    monkeypatch.setattr(sys, "argv", ["oracle"])
    with pytest.raises(SystemExit) as caught:
        module.main()
    assert caught.value.code == code
    captured = capsys.readouterr()
    assert captured.err.lstrip("\n") == message
    assert captured.out == ""


@pytest.mark.parametrize(
    "error", [BrokenPipeError(32, "gone"), OSError(28, "No space left on device"), ZeroDivisionError()]
)
def test_a_fault_or_a_reader_that_goes_away_must_not_look_like_a_verdict(error: Exception) -> None:
    """In a process of its own: 1 would read as "refuted"."""
    code = (
        "import sys, click\n"
        "from oracle.cli import main as module\n"
        "def fail(): raise ERROR\n"
        "module._LazyGroup.get_command = lambda *_: click.Command('audit', callback=fail)\n"
        "sys.argv = ['oracle', 'audit']\n"
        "module.main()"
    )
    source = code.replace("ERROR", repr(error))
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert (done.returncode, done.stdout) == (3, "")


def test_a_missing_file_is_exit_2_and_nothing_on_stdout(tmp_path: Path) -> None:
    done = run("audit", "no-such.json", "--claim", "eps=1", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no-such.json" in done.stderr
    assert list(tmp_path.iterdir()) == []
