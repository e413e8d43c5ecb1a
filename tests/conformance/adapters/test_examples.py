"""The example adapters of ``fixtures/adapters``, compiled and run against the whole suite."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from oracle.cli.conform import conform
from oracle.conformance.cases import installed_suite
from oracle.conformance.checking import check_conformance
from oracle.conformance.pipes import Piped
from oracle.conformance.runs import run
from oracle.conformance.subjects import InProcess
from oracle.exact import parse_number

ADAPTERS = Path(__file__).parents[3] / "fixtures/adapters"
CRATES = Path("/usr/share/cargo/registry")
"""Where Debian keeps the sources of packaged crates."""

ROUNDING = parse_number("1e-14")
FINE = ("exact", "sound", "loose")


def _tool(*names: str) -> str:
    for name in names:
        if found := shutil.which(name):
            return found
    pytest.skip(f"none of {', '.join(names)} is installed")


def _built(command: Sequence[str | Path], folder: Path, **variables: str) -> None:
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def python(_: Path) -> list[str]:
    return [sys.executable, str(ADAPTERS / "python/dp_oracle_adapter.py")]


def cpp(folder: Path) -> list[str]:
    compiler = _tool("g++", "clang++", "c++")
    if subprocess.run(
        [compiler, "-fsyntax-only", "-include", "nlohmann/json.hpp", "-x", "c++", os.devnull],
        check=False,
        capture_output=True,
    ).returncode:
        pytest.skip("nlohmann/json is not installed")
    _built(
        [
            compiler,
            "-std=c++17",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-o",
            folder / "adapter",
            ADAPTERS / "cpp/oracle_adapter.cc",
        ],
        folder,
    )
    return [str(folder / "adapter")]


def rust(folder: Path) -> list[str]:
    cargo = _tool("cargo")
    if not any(CRATES.glob("serde_json-*")):
        pytest.skip("the crate serde_json is not packaged here")
    source = folder / "source"
    shutil.copytree(ADAPTERS / "rust", source)
    (folder / "config.toml").write_text(
        f'[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "{CRATES}"\n', encoding="utf-8"
    )
    _built([cargo, "build", "--quiet", "--offline"], source, CARGO_HOME=str(folder), RUSTFLAGS="-Dwarnings")
    return [str(source / "target/debug/oracle-adapter")]


def go(folder: Path) -> list[str]:
    compiler, source = _tool("go"), folder / "source"
    shutil.copytree(ADAPTERS / "go", source)
    variables = {"GOCACHE": str(folder / "cache"), "GOPROXY": "off", "GOFLAGS": ""}
    _built([compiler, "vet", "./..."], source, **variables)
    _built([compiler, "build", "-o", folder / "adapter", "."], source, **variables)
    return [str(folder / "adapter")]


def r(_: Path) -> list[str]:
    script = _tool("Rscript")
    if subprocess.run([script, "-e", "library(jsonlite)"], capture_output=True, check=False).returncode:
        pytest.skip("jsonlite is not installed")
    return [script, str(ADAPTERS / "r/oracle_adapter.R")]


def node(_: Path) -> list[str]:
    return [_tool("node"), str(ADAPTERS / "node/oracle_adapter.mjs")]


@pytest.mark.parametrize(
    "build", [python, node, *(pytest.param(build, marks=pytest.mark.slow) for build in (cpp, rust, go, r))]
)
def test_an_example_is_clean(build: Callable[[Path], list[str]], tmp_path: Path) -> None:
    """The whole suite has no finding, and no bound is above the truth by more than 10^-14."""
    command = build(tmp_path)
    events: list[dict[str, Any]] = []
    outcome = run(lambda: Piped(command), installed_suite(), sink=events.append)
    assert outcome.exit_code == 0
    answered = [event for event in events if event["event"] == "result" and event["verdict"] in FINE]
    assert {event["op"] for event in answered} == {"delta", "hockey_stick"}
    assert len(answered) > 400
    if build is node:  # ratios of integers, so that the claim is equality
        assert {event["claim"] for event in answered} == {"exact"}
    gaps = [parse_number(event["gap"]["exact"]) for event in answered if event["gap"] is not None]
    assert min(gaps) >= 0
    assert max(gaps) < ROUNDING


def test_the_python_example_is_an_object_too() -> None:
    """Behind the Python door it answers as it does on the pipe."""
    found = runpy.run_path(str(ADAPTERS / "python/dp_oracle_adapter.py"))["ADAPTER"]
    subject = InProcess(found)
    assert (subject.hello().name, subject.hello().numbers) == ("example-python", "binary64")
    assert set(subject.hello().ops) == {"echo", "delta", "hockey_stick"}
    check_conformance(found)


def test_the_node_example_on_the_command_line(tmp_path: Path) -> None:
    """A program that is no Python, asked live, has no finding."""
    command = " ".join(node(tmp_path))
    report = tmp_path / "report"
    done = CliRunner().invoke(conform, ["--cmd", command, "--concept", "hockey-stick", "--out", str(report)])
    assert done.exit_code == 0, done.output
    assert (report / "report.md").read_text(encoding="utf-8").startswith("# CLEAN: example")
