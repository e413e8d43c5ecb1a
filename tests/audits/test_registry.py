"""Registry records: numbers, variants, parts and conversions."""

from __future__ import annotations

from collections import Counter

import pytest

from oracle.audits.registry import check_record, is_record
from oracle.errors import InputError
from oracle.fixtures import fixture as fixture_path
from oracle.yaml_text import parse_yaml

FIXTURES = {
    "census_demographic_and_housing": {"consistent": 3, "inconsistent": 1},
    "apple_iconic_scenes": {"inconsistent": 1, "missing": 1},
    "google_mobility": {"consistent": 2},
    "uber": {"consistent": 1, "undecided": 1},
}


def fixture(name):
    """A record of the fixtures."""
    path = fixture_path(f"registry/{name}.yaml")
    return parse_yaml(path.read_text(encoding="utf-8"), path.name)


def record(variant, details="", **parameters):
    """A record with what the checks read."""
    loss = {"privacy_unit": "user", "privacy_parameters": parameters, "privacy_parameters_details": details}
    return {"deployment": {"basic": {"name": "x"}, "dp_variant": {"variant_name": variant}, "privacy_loss": loss}}


def outcomes(document):
    """Fields with their outcomes."""
    return [(check.field, check.outcome) for check in check_record(document)]


@pytest.mark.parametrize("name", FIXTURES)
def test_records_of_the_registry(name):
    """Sums and conversions that agree, one sum that does not, a contradicted variant, a formula for a number."""
    assert Counter(check.outcome for check in check_record(fixture(name))) == FIXTURES[name]


def test_parts_that_do_not_sum_are_named():
    """As decimals."""
    told = [check.text for check in check_record(fixture("census_demographic_and_housing"))]
    assert "the parts of rho = 15.29 do not sum to it: 4.96 + 7.7 = 12.66" in told


def test_parts_are_held_against_the_total_only_where_it_was_split():
    """Other values beside a total may mean anything."""
    assert check_record(record("Pure DP", r"\epsilon = 4 and \epsilon = 0.99, doubled", epsilon="9.98"))[1:] == []
    assert outcomes(record("Pure DP", "ε = 3 split: ε = 1, ε = 1", epsilon="3"))[1:] == [
        ("privacy_loss.privacy_parameters_details", "inconsistent")
    ]


@pytest.mark.parametrize(
    ("variant", "parameters", "outcome"),
    [
        ("Pure DP", {"epsilon": "1"}, "consistent"),
        ("Pure DP", {"epsilon": "1", "delta": "0"}, "consistent"),
        ("Pure DP", {"epsilon": "1", "delta": "1e-9"}, "inconsistent"),
        ("Approximate DP", {"epsilon": "1"}, "missing"),
        ("Zero-concentrated DP", {"epsilon": "1"}, "missing"),
        ("Zero-concentrated DP", {"rho": "1"}, "consistent"),
    ],
)
def test_variants(variant, parameters, outcome):
    """Each variant needs its own parameters."""
    assert outcomes(record(variant, **parameters)) == [("dp_variant.variant_name", outcome)]


@pytest.mark.parametrize("parameters", [{"epsilon": "-1"}, {"epsilon": "1", "delta": "1"}])
def test_parameters_out_of_range(parameters):
    """Negative ones, and a delta of 1."""
    assert "inconsistent" in [outcome for _, outcome in outcomes(record("Approximate DP", **parameters))]


@pytest.mark.parametrize(
    ("rho", "epsilon", "delta", "outcome"),
    [
        ("1/2", "6", "1e-6", "consistent"),
        ("1/2", "4", "1e-6", "undecided"),
        ("0.0728", "1.453", "1e-5", "undecided"),
        ("0", "0", "1e-9", "consistent"),
        ("0", "1", "0", "consistent"),
        ("1/2", "1", "0", "undecided"),
    ],
)
def test_conversions_from_rho(rho, epsilon, delta, outcome):
    """Proved for every zCDP mechanism, or not; a pair may hold by an argument of its own."""
    found = outcomes(record("Zero-concentrated DP", rho=rho, epsilon=epsilon, delta=delta))
    assert ("privacy_loss.privacy_parameters", outcome) in found


def test_what_is_no_record_is_refused():
    """Told by its key."""
    assert not is_record({"matrix": []})
    with pytest.raises(InputError, match="a registry record"):
        check_record({"matrix": []})


def test_values_that_are_not_read_whole_are_left_out():
    """Fractions, thousands and powers in the text: no sum is made of what is left, and nothing ends the check."""
    for text in (
        "split: ε = 2/3, ε = 3, ε = 4",
        "split: ε = 1,000 and ε = 2 and ε = 2",
        r"split: ε = 2 \times 3, ε = 1, ε = 4",
    ):
        assert outcomes(record("Pure DP", text, epsilon="5"))[1:] == []
    assert outcomes(record("Zero-concentrated DP", "rho = 1e99999999", rho="1"))[1:] == []


def test_odd_shapes_are_told_and_not_a_fault():
    """A variant that is a list, parameters that are a number, an empty one."""
    document = record("Pure DP", epsilon="1")
    document["deployment"]["dp_variant"]["variant_name"] = ["Pure DP"]
    assert ("dp_variant.variant_name", "undecided") in outcomes(document)
    document["deployment"]["privacy_loss"]["privacy_parameters"] = "7"
    assert ("privacy_loss.privacy_parameters", "undecided") in outcomes(document)
    assert ("privacy_loss.privacy_parameters.epsilon", "undecided") in outcomes(record("Pure DP", epsilon=""))
