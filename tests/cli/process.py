"""Runs the command as a process of its own."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, NoReturn

import oracle
from oracle.cli.main import main

ROOT = Path(oracle.__file__).parent.parent
COMMAND = (sys.executable, "-c", "from oracle.cli.main import main; main()")
PLAIN = {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "NO_COLOR": "1"}
ENVIRONMENT = {**os.environ, **PLAIN}

SECONDS = 120


def run(
    *arguments: str, stdin: str | bytes = b"", cwd: Path | None = None, fresh: bool = False
) -> subprocess.CompletedProcess[str]:
    """The finished process, its output as text.

    Where the system can fork it is a copy of this process, which has loaded the engine already; *fresh* starts a Python
    of its own. What hypothesis draws depends on the modules that are loaded, so that two searches are compared fresh.
    """
    data = stdin if isinstance(stdin, bytes) else stdin.encode()
    if fresh or not hasattr(os, "fork"):
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=data,
            capture_output=True,
            cwd=cwd,
            env=ENVIRONMENT,
            timeout=SECONDS,
            check=False,
        )
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as said:
        given.write(data)
        given.seek(0)
        child = os.fork()
        if child == 0:
            _become(arguments, (given, told, said), cwd)
        code = _code(child)
        texts = []
        for stream in (told, said):
            stream.seek(0)
            texts.append(stream.read().decode())
        return subprocess.CompletedProcess(["oracle", *arguments], code, *texts)


def _code(child: int) -> int:
    """The exit code of the child, which is ended if it takes too long."""
    end = time.monotonic() + SECONDS
    pause = 0.001
    while True:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise subprocess.TimeoutExpired("oracle", SECONDS)
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


def _become(arguments: Sequence[str], streams: Sequence[BinaryIO], cwd: Path | None) -> NoReturn:
    """Be the command: this process ends with its exit code, and nothing of the test goes on in it."""
    code = 70
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream.fileno(), number)
        sys.stdin, sys.stdout, sys.stderr = (
            io.TextIOWrapper(open(number, mode, closefd=False), encoding="utf-8", line_buffering=number == 2)  # noqa: SIM115
            for number, mode in enumerate(("rb", "wb", "wb"))
        )
        os.environ.update(PLAIN)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        warnings.resetwarnings()
        for ignored in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", ignored)
        if cwd is not None:
            os.chdir(cwd)
        code = _ended(arguments)
    except BaseException:  # noqa: BLE001 - a test of the parent must not run on here
        traceback.print_exc()
    finally:
        for told in (sys.stdout, sys.stderr):
            told.flush()
        os._exit(code)


def _ended(arguments: Sequence[str]) -> int:
    sys.argv = ["oracle", *arguments]
    try:
        main()
    except SystemExit as left:
        if left.code is None or isinstance(left.code, int):
            return left.code or 0
        sys.stderr.write(f"{left.code}\n")
        return 1
    return 0
