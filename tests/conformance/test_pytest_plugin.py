"""The plugin in a pytest of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from oracle.conformance.cases import installed_suite
from tests.cli.process import ENVIRONMENT

MODULE = """
from types import SimpleNamespace
from oracle.operations import mu

GOOD = SimpleNamespace(mu=lambda channel: mu(channel), claims="exact")
ZERO = SimpleNamespace(mu=lambda **_: "0", claims="upper")
"""


def pytest_run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "my_library.py").write_text(MODULE, encoding="utf-8")
    environment = {**ENVIRONMENT, "PYTHONPATH": f"{ENVIRONMENT['PYTHONPATH']}:{folder}"}
    plugin = ("-p", "no:cacheprovider", "-p", "no:xdist", "-rA")
    command = [sys.executable, "-m", "pytest", *plugin, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_there_is_one_test_for_each_file(tmp_path: Path) -> None:
    """Those of ops that are not offered are skipped."""
    done = pytest_run(tmp_path, "--oracle-adapter", "my_library:GOOD")
    files = installed_suite().files
    offered = [file for file in files if file.op == "mu"]
    assert done.returncode == 0, done.stdout
    assert f"{len(offered)} passed, {len(files) - len(offered)} skipped" in done.stdout
    assert f"PASSED oracle::{offered[0].path}" in done.stdout


def test_a_failure_shows_its_table(tmp_path: Path) -> None:
    """-k and --oracle-op choose; the trace through the oracle is left out."""
    done = pytest_run(tmp_path, "--oracle-adapter", "my_library:ZERO", "--oracle-op", "mu", "-k", "tables")
    assert done.returncode == 1
    assert "unsound" in done.stdout
    assert "recording.py" not in done.stdout
    assert "1 failed" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (("--oracle-adapter", "no_such_module:X", "--oracle-op", "mu"), 1, "no_such_module"),
        (("--oracle-adapter", "my_library:GOOD", "--oracle-known", "missing.toml"), 4, "missing.toml"),
        ((), 5, "no tests ran"),
    ],
)
def test_faults_of_use(tmp_path: Path, arguments: tuple[str, ...], code: int, text: str) -> None:
    """A wrong name fails, a missing file is a usage error, and without the option there is nothing."""
    done = pytest_run(tmp_path, *arguments)
    assert done.returncode == code
    assert text in done.stdout + done.stderr


def test_without_the_option_nothing_of_the_oracle_is_loaded() -> None:
    """The plugin is imported by every pytest where the package is installed."""
    code = (
        "import sys, oracle.conformance.pytest_plugin; "
        "print(sorted(m for m in sys.modules if m.startswith('oracle.') or m in ('flint', 'gmpy2')))"
    )
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['oracle.conformance', 'oracle.conformance.pytest_plugin']"
