"""Commands on a cluster of two workers: a worker or the scheduler dies, and nothing is lost or counted twice."""

from __future__ import annotations

import json
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.process import COMMAND, ENVIRONMENT, run
from tests.conformance.dask_cluster import Cluster, cluster_of

CONFORM = ("conform", "float64", "--concept", "profile", "--concept", "hockey-stick", "--concept", "tradeoff")
NOBODY = "tcp://127.0.0.1:1"
PATIENCE = 240.0
SUBSAMPLED = {
    "mechanism": "poisson_subsample",
    "rate": "0.01",
    "neighbours": "add_remove",
    "of": {"mechanism": "gaussian", "sigma": "1"},
}


def lines_of(folder: Path, name: str = "stream.jsonl") -> list[str]:
    """The whole lines of a stream, none before it is there."""
    stream = folder / name
    lines = stream.read_text(encoding="utf-8").splitlines(keepends=True) if stream.exists() else []
    return [line.rstrip() for line in lines if line.endswith("\n")]


def found_in(folder: Path) -> list[dict[str, Any]]:
    """Results and laws of a stream, but for the time that each took."""
    events = [json.loads(line) for line in lines_of(folder)]
    return [{**event, "seconds": None} for event in events if event["event"] in ("result", "law")]


def begun(folder: Path, lines: int, *options: str) -> subprocess.Popen[bytes]:
    """The command, once its stream has so many lines."""
    command = [*COMMAND, *CONFORM, *options, "--out", str(folder)]
    process = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.monotonic() + PATIENCE
    while len(lines_of(folder)) < lines:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)
    return process


@pytest.mark.slow
def test_nothing_is_touched_where_no_scheduler_answers(tmp_path: Path) -> None:
    """Exit code 2 within seconds, and the results of an earlier run are still there."""
    pytest.importorskip("distributed")
    (tmp_path / "stream.jsonl").write_text("earlier\n", encoding="utf-8")
    start = time.monotonic()
    done = run(*CONFORM, "--dask", NOBODY, "--out", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("oracle: --dask: expected the address of a Dask scheduler that answers")
    assert NOBODY in done.stderr
    assert time.monotonic() - start < 20
    assert lines_of(tmp_path) == ["earlier"]


def test_workers_and_a_cluster_are_not_asked_at_once(tmp_path: Path) -> None:
    """Exit code 2 before anything is tried."""
    done = run(*CONFORM, "--dask", NOBODY, "-n", "2", "--out", str(tmp_path))
    assert (done.returncode, done.stderr) == (2, "oracle: oracle conform: expected -n or --dask, got both\n")


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What a run in this process records."""
    folder = tmp_path_factory.mktemp("here")
    assert run(*CONFORM, "--out", str(folder)).returncode == 1
    return found_in(folder)


@pytest.fixture
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster of this machine's own."""
    pytest.importorskip("distributed")
    with cluster_of(2, tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.mark.slow
def test_a_worker_that_is_killed_loses_nothing(two_workers: Cluster, here: list[Any], tmp_path: Path) -> None:
    """What the stream says is what a run here says, in its order, each case once."""
    process = begun(tmp_path, 150, "--dask", two_workers.address)
    two_workers.kill_worker()
    _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (1, b"")
    assert found_in(tmp_path) == here
    assert set(Counter(event["case"] for event in here if event["event"] == "result").values()) == {1}


def rounds_of(folder: Path) -> list[dict[str, Any]]:
    """The rounds of a search, but for the time that each took."""
    events = [json.loads(line) for line in lines_of(folder, "fuzz.jsonl")]
    return [{**event, "seconds": None} for event in events if event["event"] == "round"]


@pytest.mark.slow
def test_a_search_of_which_a_worker_is_killed_finds_the_same(two_workers: Cluster, tmp_path: Path) -> None:
    """Round for round, each once."""
    options = ("fuzz", "float64", "--op", "post", "--op", "parallel", "--op", "visible", "--questions", "100", "--out")
    here, there = tmp_path / "here", tmp_path / "there"
    code = run(*options, str(here), fresh=True).returncode
    command = [*COMMAND, *options, str(there), "--dask", two_workers.address]
    process = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    end = time.monotonic() + PATIENCE
    while not rounds_of(there):
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)
    two_workers.kill_worker()
    assert process.wait(PATIENCE) == code
    assert rounds_of(there) == rounds_of(here) != []


@pytest.mark.slow
def test_a_profile_of_which_a_worker_is_killed_is_whole(two_workers: Cluster, tmp_path: Path) -> None:
    """Every line as it is had here, each once; the account beside it is printed as always."""
    steps = json.dumps({"mechanism": "repeat", "times": 5, "of": SUBSAMPLED})
    options = ("account", "-", "--points", "2000", "--timeout", "0", "--epsilon", "1", "--profile")
    assert run(*options, str(tmp_path / "here.csv"), stdin=steps).returncode == 0
    command = [*COMMAND, *options, str(tmp_path / "there.csv"), "--dask", two_workers.address]
    with subprocess.Popen(command, env=ENVIRONMENT, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(steps.encode())
        process.stdin.close()
        process.stdin = None
        partial, end = tmp_path / "there.csv.partial", time.monotonic() + PATIENCE
        while not partial.exists():
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.01)
        two_workers.kill_worker()
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert (tmp_path / "there.csv").read_text() == (tmp_path / "here.csv").read_text()
    assert not partial.exists()


@pytest.mark.slow
def test_a_profile_is_not_begun_where_no_scheduler_answers(tmp_path: Path) -> None:
    """Exit code 2 within seconds; nothing is printed or written."""
    pytest.importorskip("distributed")
    options = ("--points", "3000", "--epsilon", "1", "--profile", str(tmp_path / "p.csv"), "--dask", NOBODY)
    done = run("account", "-", *options, stdin=json.dumps(SUBSAMPLED))
    assert (done.returncode, done.stdout) == (2, "")
    assert "--dask: expected the address of a Dask scheduler that answers" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_run_whose_cluster_is_gone_is_incomplete_and_goes_on(
    two_workers: Cluster, here: list[Any], tmp_path: Path
) -> None:
    """Exit code 3 and why; with --resume the rest is asked, here or on a cluster."""
    process = begun(tmp_path, 150, "--dask", two_workers.address)
    two_workers.end()
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3
    assert f"the cluster at {two_workers.address} is gone" in errors.decode()
    assert "go on with --resume" in errors.decode()
    there = len(found_in(tmp_path))
    assert 100 <= there < len(here)
    assert run(*CONFORM, "--resume", "--out", str(tmp_path)).returncode == 1
    assert found_in(tmp_path) == here
