"""The public names of the package."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import oracle

ROOT = Path(oracle.__file__).parent.parent


@pytest.mark.parametrize("name", oracle.__all__)
def test_every_public_name_can_be_had(name: str) -> None:
    assert getattr(oracle, name) is not None
    assert name in dir(oracle)


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'oracle' has no attribute 'no_such_name'"):
        _ = oracle.no_such_name


def test_the_names_are_sorted_once_each() -> None:
    assert len(set(oracle.__all__)) == len(oracle.__all__)


def test_the_version_is_the_projects() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == oracle.__version__


def test_the_example_of_the_docstring_is_true() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "doctest", str(ROOT / "oracle" / "__init__.py")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
