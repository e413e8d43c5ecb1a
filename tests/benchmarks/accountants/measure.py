"""Run peers on cases, each pair in a process of its own with a time limit, one after the other."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.benchmarks.accountants.cases import Case
from tests.benchmarks.accountants.sources import Declined, Peer, Program
from tests.benchmarks.accountants.truth import answer

__all__ = ["TRUTH_DIGITS", "MissingEnvironment", "machine", "measure", "python_of", "run", "truth_of"]

ROOT = Path(__file__).resolve().parents[3]
WORKER = Path(__file__).with_name("worker.py")

TRUTH_DIGITS = 12
"""Of the certified value that judges (ours is measured with the default, which is as many)."""


class MissingEnvironment(Exception):  # noqa: N818 - a state of the checkout
    """The environment of a peer has not been made."""


def python_of(peer: Peer) -> Path:
    """The interpreter in which a peer runs.

    Raises:
        MissingEnvironment: where ``.ci/peers`` has not been run.
    """
    if not peer.environment:
        return Path(sys.executable)
    found = ROOT / ".peers" / peer.environment / "bin" / "python"
    if not found.exists():
        raise MissingEnvironment(f"{peer.name} needs .peers/{peer.environment}: run .ci/peers")
    return found


def run(program: Program, python: Path, seconds: float) -> dict[str, Any]:
    """What the worker says of a program; an ``error`` where it says nothing within the time."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [python, str(WORKER)],
            input=json.dumps(asdict(program)),
            capture_output=True,
            text=True,
            timeout=seconds,
            cwd=ROOT,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"error": f"no answer within {seconds:g} s"}
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        return {"error": last[:200]}
    return json.loads(lines[-1])


def measure(peers: Iterable[Peer], case: Case, seconds: float) -> Iterator[dict[str, Any]]:
    """One record for each peer that has calls for the case, one after the other.

    Raises:
        MissingEnvironment: where ``.ci/peers`` has not been run.
    """
    for peer in peers:
        python = python_of(peer)
        try:
            program = peer.answers(case)
        except Declined:
            continue
        yield {"case": case.name, "peer": peer.name, **run(program, python, seconds)}


def truth_of(case: Case) -> dict[str, str]:
    """The certified value as texts."""
    found = answer(case, TRUTH_DIGITS)
    return {**found.value.to_json(), "method": found.method}


def machine() -> dict[str, str]:
    """Where it ran, and how busy that was."""
    return {
        "processors": str(os.cpu_count()),
        "architecture": platform.machine(),
        "python": platform.python_version(),
        "load at the start": f"{os.getloadavg()[0]:.1f}",
    }
