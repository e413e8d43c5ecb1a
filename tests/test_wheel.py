"""The wheel, built and used in an empty environment outside the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import oracle

ROOT = Path(oracle.__file__).parent.parent

pytestmark = pytest.mark.wheel


def clean_environment() -> dict[str, str]:
    """The environment without anything that would let Python find the checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return {**kept, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)],
        check=True,
        cwd=folder,
        env=clean_environment(),
    )
    (built,) = folder.glob("*.whl")
    return built


def environment(folder: Path, requirement: str) -> Path:
    """The folder of programs of a new environment with one requirement and what it depends on."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run(
        [str(programs / "python"), "-m", "pip", "install", "--quiet", requirement],
        check=True,
        cwd=folder,
        env=clean_environment(),
    )
    return programs


@pytest.fixture(scope="module")
def binaries(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that holds the wheel and its dependencies alone."""
    return environment(tmp_path_factory.mktemp("environment"), str(wheel))


def runner(programs: Path, folder: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a program of an environment in a folder."""

    def call(program: str, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(programs / program), *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            cwd=folder,
            env=clean_environment(),
            check=False,
        )

    return call


@pytest.fixture
def run(binaries: Path, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a program of that environment in an empty folder."""
    return runner(binaries, tmp_path)


@pytest.fixture(scope="module")
def conformance_binaries(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for the wheel with the extra ``conformance``."""
    return environment(tmp_path_factory.mktemp("conformance"), f"{wheel}[conformance]")


@pytest.fixture
def run_conformance(conformance_binaries: Path, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a program of that environment in an empty folder."""
    return runner(conformance_binaries, tmp_path)


def test_the_wheel_carries_the_package_its_types_fixtures_and_licence_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for name in ("oracle/py.typed", "oracle/certificates/checker/__main__.py", "oracle/laws/strategies.py"):
        assert name in names
    for folder in ("schemas", "mechanisms", "vectors"):
        expected = {
            f"oracle/_fixtures/{folder}/{p.name}" for p in (ROOT / "fixtures" / folder).iterdir() if p.is_file()
        }
        assert expected <= set(names)
    suite = [p.relative_to(ROOT / "fixtures") for p in (ROOT / "fixtures/vectors/v1").rglob("*") if p.is_file()]
    assert {f"oracle/_fixtures/{path.as_posix()}" for path in suite} <= set(names)
    styles = [p.relative_to(ROOT) for ending in ("css", "js") for p in (ROOT / "oracle").rglob(f"*.{ending}")]
    assert styles
    assert {path.as_posix() for path in styles} <= set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {name.split("/")[0] for name in names} == {"oracle", f"fdp_oracle-{oracle.__version__}.dist-info"}
    assert not [name for name in names if name.endswith(".pyc") or "__pycache__" in name]


def test_the_package_is_the_installed_one_with_its_fixtures(run, binaries: Path) -> None:
    done = run(
        "python", "-c", "import oracle, oracle.fixtures as f; print(oracle.__file__); print(f.fixture('mechanisms'))"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert all(line.startswith(str(binaries.parent)) for line in done.stdout.splitlines())


def test_the_version(run) -> None:
    done = run("oracle", "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"oracle {oracle.__version__}\n", "")


def test_a_schema(run) -> None:
    done = run("oracle", "schema", "channel")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == json.loads(
        (ROOT / "fixtures/schemas/channel.schema.json").read_text(encoding="utf-8")
    )


def test_an_answer(run) -> None:
    mechanism = {"mechanism": "randomized_response", "exp_epsilon": "3"}
    request = {"id": 1, "op": "delta", "args": {"channel": mechanism, "exp_epsilon": "2"}}
    done = run("oracle", "answer", stdin=json.dumps(request) + "\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, '{"id": 1, "value": "1/4"}\n', "")


def test_an_audit_of_an_installed_fixture_and_both_checkers_on_its_report(run, tmp_path: Path) -> None:
    where = run(
        "python",
        "-c",
        "from oracle.fixtures import fixture; print(fixture('mechanisms/warner_randomized_response.json'))",
    )
    fixture = where.stdout.strip()
    for claim, code in (("exp_eps=3", 0), ("exp_eps=2", 1)):
        out = tmp_path / claim
        done = run("oracle", "audit", fixture, "--claim", claim, "--out", str(out))
        assert (done.returncode, done.stderr) == (code, "")
        assert {"report.json", "report.md"} <= {p.name for p in out.iterdir()}
        for checker in (("oracle", "verify"), ("python", "-m", "oracle.certificates.checker")):
            checked = run(*checker, str(out / "report.json"))
            assert (checked.returncode, checked.stderr) == (0, "")
            assert checked.stdout.startswith("accepted ")


def test_help_is_there_without_any_extra(run) -> None:
    for arguments in (
        ["--help"],
        ["audit", "--help"],
        ["answer", "--help"],
        ["verify", "--help"],
        ["schema", "--help"],
    ):
        done = run("oracle", *arguments)
        assert (done.returncode, done.stderr) == (0, "")


def test_the_laws_name_the_extra_they_need(run) -> None:
    done = run("python", "-c", "import oracle.laws.strategies")
    assert done.returncode == 1
    assert "pip install 'fdp-oracle[conformance]'" in done.stderr


def test_the_suite_is_emitted_answered_and_judged(run) -> None:
    """Through pipes: every question of the installed suite is answered, and the judge is content with --strict."""
    asked = run("oracle", "emit")
    assert (asked.returncode, asked.stderr) == (0, "")
    answered = run("oracle", "answer", stdin=asked.stdout)
    # The suite has questions without an answer, of which `oracle answer` tells by its exit code.
    assert answered.stderr == ""
    judged = run("oracle", "judge", "-", "--strict", "--json", stdin=answered.stdout)
    assert (judged.returncode, judged.stderr) == (0, "")
    found = json.loads(judged.stdout)
    cases = json.loads((ROOT / "fixtures/vectors/v1/MANIFEST.json").read_text(encoding="utf-8"))
    assert found["manifest"]
    assert found["offered"] == len(asked.stdout.splitlines()) - 2
    assert (found["complete"], found["findings"], found["suite"]) == (True, 0, cases["suite"])
    assert found["counts"]["exact"] > 1000


def test_the_float64_subject_names_the_extra_it_needs(run) -> None:
    done = run("oracle", "conform", "float64", "--op", "delta")
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'fdp-oracle[conformance]'" in done.stderr


def test_the_float64_subject_meets_the_suite(run_conformance, tmp_path: Path) -> None:
    """Its findings, if any, are verdicts (exit code 1); the reports carry their style and script with them."""
    done = run_conformance("oracle", "conform", "float64", "--op", "delta", "--out", "out")
    assert (done.returncode in (0, 1), done.stderr) == (True, "")
    out = tmp_path / "out"
    assert {p.name for p in out.iterdir()} == {"stream.jsonl", "report.md", "junit.xml", "report.html", "badge.json"}
    footer = json.loads((out / "stream.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert (footer["event"], footer["complete"], footer["exit"]) == ("footer", True, done.returncode)
    assert footer["counts"]["crashed"] == footer["counts"]["timeout"] == 0
    assert footer["counts"]["exact"] + footer["counts"]["sound"] > 100
    page = (out / "report.html").read_text(encoding="utf-8")
    for ending in ("css", "js"):
        text = (ROOT / f"oracle/render/conformance_page.{ending}").read_text(encoding="utf-8")
        assert text.strip().splitlines()[-1] in page
