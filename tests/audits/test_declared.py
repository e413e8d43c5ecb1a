"""Declared facts: names, files, and what is refused."""

from __future__ import annotations

import pytest

from oracle.audits.declared import FIELDS, SHORT_NAMES, read_declared
from oracle.errors import InputError


def test_short_names_stand_for_fields_of_the_registry():
    """In the order of the fields, whatever that of the items."""
    found = read_declared(["tuning=on public data", "unit=user", "basic.name=Counts"])
    assert list(found.items()) == [
        ("basic.name", "Counts"),
        ("privacy_loss.privacy_unit", "user"),
        ("implementation.preprocessing_and_hyperparameter_tuning", "on public data"),
    ]
    assert set(SHORT_NAMES.values()) <= set(FIELDS)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("d.toml", 'unit = "user"\n[deployment_model]\nmodel_name = "Central"\n'),
        ("d.json", '{"deployment": {"privacy_loss": {"privacy_unit": "user"}, "setting": "Central"}}'),
        ("d.yaml", "deployment:\n  privacy_loss:\n    privacy_unit: user\n    privacy_unit_details: ''\n"),
    ],
)
def test_a_side_file_may_be_toml_json_or_yaml(tmp_path, name, text):
    """Below "deployment" or at the top; what is empty is left out."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    found = read_declared([str(tmp_path / name)])
    assert found["privacy_loss.privacy_unit"] == "user"
    assert found.get("deployment_model.model_name", "Central") == "Central"
    assert "privacy_loss.privacy_unit_details" not in found


def test_decimals_of_a_side_file_stay_decimals(tmp_path):
    """As text: 0.1 is no double."""
    (tmp_path / "d.toml").write_text("[privacy_loss.privacy_parameters]\nepsilon = 0.10\n", encoding="utf-8")
    assert read_declared([str(tmp_path / "d.toml")]) == {"privacy_loss.privacy_parameters.epsilon": "0.10"}


def test_a_list_is_joined(tmp_path):
    """Curators, for example."""
    (tmp_path / "d.yaml").write_text("basic:\n  data_curators:\n  - A\n  - B\n", encoding="utf-8")
    assert read_declared([str(tmp_path / "d.yaml")]) == {"basic.data_curators": "A; B"}


@pytest.mark.parametrize(
    ("items", "message"),
    [
        (["colour=red"], "expected a field such as title, unit"),
        (["unit=user", "privacy_loss.privacy_unit=day"], "each fact once"),
        (["unit="], "text of 1 to 10000 characters"),
        (["unit"], "expected NAME=TEXT, or a"),
        (["missing.toml"], "a readable file"),
    ],
)
def test_what_is_refused(items, message):
    """Each with what was expected."""
    with pytest.raises(InputError, match=message):
        read_declared(items)


@pytest.mark.parametrize(
    "text",
    [
        *("[1]", '{"unit": {"a": 1}}', '{"unit": {}}', '{"unit": [[1]]}', '{"unit": null}', '{"unit": true}'),
        *('{"unit": "\\ud800"}', '{"deployment": {}, "unit": "z"}', '{"deployment": 1}'),
    ],
)
def test_a_side_file_that_holds_no_facts_is_refused(tmp_path, text):
    """A list at the top, objects and lists in the place of text, half a character, facts beside a record."""
    (tmp_path / "d.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        read_declared([str(tmp_path / "d.json")])


def test_broken_toml_is_refused_with_its_place(tmp_path):
    """The reader's own message."""
    (tmp_path / "d.toml").write_text("unit = \n", encoding="utf-8")
    with pytest.raises(InputError, match="expected TOML"):
        read_declared([str(tmp_path / "d.toml")])


def test_toml_that_is_nested_without_end_is_refused(tmp_path):
    """Not a fault of the reader."""
    (tmp_path / "d.toml").write_text(f"a = {'[' * 5000}{']' * 5000}\n", encoding="utf-8")
    with pytest.raises(InputError, match="nested too deep"):
        read_declared([str(tmp_path / "d.toml")])
