"""Runs the command as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import oracle

ROOT = Path(oracle.__file__).parent.parent
COMMAND = (sys.executable, "-c", "from oracle.cli.main import main; main()")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "NO_COLOR": "1"}


def run(*arguments: str, stdin: str | bytes = b"", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The finished process, its output as text."""
    data = stdin if isinstance(stdin, bytes) else stdin.encode()
    done = subprocess.run(
        [*COMMAND, *arguments], input=data, capture_output=True, cwd=cwd, env=ENVIRONMENT, timeout=120, check=False
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
