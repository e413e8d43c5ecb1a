"""``oracle replay``, as a process."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.cli.process import run

PROGRAM = Path(__file__).parents[1] / "conformance" / "hostile_program.py"
CASE = "hockey-stick/rr-3of4/e2-fwd"


def test_a_case_alone() -> None:
    """Question, truth and what is at stake, as text and as JSON."""
    shown = run("replay", CASE)
    assert shown.returncode == 0
    assert '{"exact": "1/4"}' in shown.stdout
    told = json.loads(run("replay", CASE + "#binary64", "--json").stdout)
    assert told["request"]["args"]["epsilon"] == "0x1.62e42fefa39efp-1"
    assert list(told["truth"]) == ["enclosure"]
    assert "result" not in told


def test_a_case_asked_of_a_program() -> None:
    """It answers 1 to everything: loose as an upper bound of 1/4, wrong where there is no answer."""
    command = f"{sys.executable} {PROGRAM} good 0"
    loose = run("replay", "profile/rr-3of4/eps-log2", "--cmd", command, "--json")
    result = json.loads(loose.stdout)["result"]
    assert (loose.returncode, result["verdict"], result["answer"]) == (0, "loose", "1")
    assert run("replay", "profile/rr-3of4/eps-log2", "--cmd", command, "--tightness").returncode == 1
    wrong = run("replay", "rejected/mechanism-sigma-zero", "--cmd", command)
    assert wrong.returncode == 1
    assert "hostile 1: wrong" in wrong.stdout
    assert "a value was answered where the question has none: sigma is 0" in wrong.stdout


def test_bad_usage() -> None:
    """An id that is none, two subjects, a program that cannot be asked."""
    assert run("replay", "nothing").returncode == 2
    assert run("replay", CASE, "--subject", "float64", "--cmd", "x").returncode == 2
    crashed = run("replay", CASE, "--cmd", f"{sys.executable} {PROGRAM} crash-at-start 0")
    assert crashed.returncode == 2
    assert "hello was answered with crashed" in crashed.stderr
