"""The checks of a record as lines."""

from __future__ import annotations

import pytest

from oracle.audits.registry import Check
from oracle.render.registry import record_json, record_text, verdict_of


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ([], "consistent"),
        (["consistent"], "consistent"),
        (["consistent", "missing"], "incomplete"),
        (["undecided"], "incomplete"),
        (["missing", "inconsistent", "consistent"], "inconsistent"),
    ],
)
def test_one_word_for_all_checks(outcomes, verdict):
    """The worst one."""
    checks = [Check("field", outcome, "why") for outcome in outcomes]
    assert verdict_of(checks) == verdict
    assert record_json("x.yaml", checks)["verdict"] == verdict


def test_what_does_not_agree_comes_first():
    """Under the verdict, with nothing that a terminal might act on."""
    lines = record_text("x\x1b.yaml", [Check("a", "consistent", "fine"), Check("b", "inconsistent", "not")]).split("\n")
    assert lines[0] == r"INCONSISTENT: x\x1b.yaml, 2 checks of its numbers"
    assert [line.split()[0] for line in lines[2:]] == ["inconsistent", "consistent"]
    assert record_text("x.yaml", []).endswith("nothing in it can be checked")
