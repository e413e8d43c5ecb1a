"""``oracle audit`` on a CSV table of 10,000 outcomes (columns of the channel) and ``oracle --help``, as processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.pairs import channel, generator  # noqa: E402 - run as a script

COMMAND = [sys.executable, "-c", "from oracle.cli.main import main; main()"]


def run(*arguments: str) -> tuple[float, int, int]:
    """Wall seconds, peak kilobytes and exit code of one command."""
    start = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.perf_counter() - start, usage.ru_maxrss, process.returncode


def main() -> None:
    seconds = min(run("--help")[0] for _ in range(5))
    print(f"oracle --help: {seconds:.3f} s (limit 0.3)")
    table = channel(10_000, generator(5))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.csv"
        lines = [f"y{j},{p},{q}" for j, (p, q) in enumerate(zip(*table.rows, strict=True))]
        file.write_text("\n".join(["outcome,p,q", *lines]) + "\n", encoding="utf-8")
        for claim in ("exp_eps=2,delta=1/100", "eps=1,delta=99/100", "exp_eps=2000000"):
            found = [run("audit", str(file), "--claim", claim, "--out", str(Path(folder) / "out")) for _ in range(3)]
            seconds, peak = min(f[0] for f in found), max(f[1] for f in found) / 1024
            print(f"oracle audit, {claim}: {seconds:.2f} s (limit 5), {peak:.0f} MB (limit 500), exit {found[0][2]}")


if __name__ == "__main__":
    main()
