"""Where the fixtures lie."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oracle import fixtures
from oracle.errors import InputError


def test_a_fixture_is_found_by_name() -> None:
    assert fixtures.fixture("schemas").is_dir()
    assert json.loads(fixtures.fixture("schemas/channel.schema.json").read_text(encoding="utf-8"))


def test_an_installed_copy_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(fixtures, "_INSTALLED", tmp_path)
    assert fixtures.fixture("mine.json") == tmp_path / "mine.json"


def test_a_name_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match=r"expected a fixture of the oracle, got no-such\.json"):
        fixtures.fixture("no-such.json")
