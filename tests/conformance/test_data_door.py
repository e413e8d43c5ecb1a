"""The data door: a program in another language reads the vectors as they lie there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from oracle.conformance.cases import installed_suite
from oracle.fixtures import fixture

READER = fixture("adapters/node/vectors.mjs")


def read(directory: Path) -> subprocess.CompletedProcess[str]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    return subprocess.run([node, READER, directory], capture_output=True, text=True, check=False, timeout=60)


def test_a_careless_library_is_found_below_the_truth() -> None:
    """By rounding at many levels; where a ratio equals e^epsilon its 0 is wholly below a truth of 1e-17."""
    found = read(fixture("vectors/v1"))
    assert found.returncode == 1, found.stderr
    cases = installed_suite().cases
    materially = [line.partition(": ")[0] for line in found.stdout.splitlines()[:-1]]
    assert len(materially) > 3
    for name in materially:
        assert "TieAtThreshold" in cases[name].flags or name.endswith("double-log2"), name
    counted = re.findall(r"\d+", found.stdout.splitlines()[-1].partition(": ")[2])
    assert sum(map(int, counted)) - len(materially) == len(cases)


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    """By its hash in the manifest."""
    copy = shutil.copytree(fixture("vectors/v1"), tmp_path / "v1")
    changed = copy / "mu" / "noise.json"
    changed.write_text(changed.read_text(encoding="utf-8") + " ", encoding="utf-8")
    found = read(copy)
    assert found.returncode == 1
    assert "mu/noise.json was changed" in found.stderr
