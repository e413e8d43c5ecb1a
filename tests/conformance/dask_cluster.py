"""A Dask cluster of processes on this machine: a scheduler, and workers that can be killed one by one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0


class Cluster:
    """The address of the scheduler and the processes of the workers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._environment = os.environ | {"PYTHONPATH": str(ROOT)}
        self.workers: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        self.scheduler = self._start("distributed.cli.dask_scheduler", *options)
        self.address = self._address(file)

    def _start(self, module: str, *options: str) -> subprocess.Popen[bytes]:
        with (self._folder / "log.txt").open("ab") as log:
            command = [sys.executable, "-m", module, *options]
            return subprocess.Popen(command, cwd=self._folder, env=self._environment, stdout=log, stderr=log)

    def _address(self, file: Path) -> str:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(OSError, ValueError):
                return json.loads(file.read_text(encoding="utf-8"))["address"]
            time.sleep(0.1)
        raise TimeoutError((self._folder / "log.txt").read_text(encoding="utf-8"))

    def add_worker(self) -> None:
        """Start a worker of one thread, without the process that would start it again when it dies."""
        options = (self.address, "--no-nanny", "--nthreads", "1", "--no-dashboard")
        self.workers.append(self._start("distributed.cli.dask_worker", *options))

    def kill_worker(self) -> None:
        """Kill the worker that was started first, in the middle of whatever it does."""
        worker = self.workers.pop(0)
        worker.kill()
        worker.wait()

    def end(self) -> None:
        """Kill what is left."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def cluster_of(workers: int, folder: Path) -> Iterator[Cluster]:
    """A cluster with so many workers, on the way up; a campaign waits for the first of them."""
    cluster = Cluster(folder)
    try:
        for _ in range(workers):
            cluster.add_worker()
        yield cluster
    finally:
        cluster.end()
