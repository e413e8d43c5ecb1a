"""``oracle schema``."""

from __future__ import annotations

import json

import pytest

from oracle.fixtures import fixture
from tests.cli.process import run

NAMES = sorted(p.name.removesuffix(".schema.json") for p in fixture("schemas").glob("*.schema.json"))


def test_without_a_name_the_schemas_are_listed() -> None:
    done = run("schema")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()] == NAMES
    for name, line in zip(NAMES, done.stdout.splitlines(), strict=True):
        assert line.endswith("  " + json.loads(fixture(f"schemas/{name}.schema.json").read_text("utf-8"))["title"])
    assert json.loads(run("schema", "--json").stdout) == NAMES


@pytest.mark.parametrize("name", ["channel", "certificate"])
def test_a_schema_is_printed_as_it_is(name: str) -> None:
    done = run("schema", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == fixture(f"schemas/{name}.schema.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["no-such", "../README", "channel.schema.json", ""])
def test_an_unknown_schema_is_bad_input(name: str) -> None:
    done = run("schema", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"oracle: NAME: expected one of the schemas {', '.join(NAMES)}, got {name}\n"
