"""A profile of several runs is kept on its way, and goes on where it stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oracle.accounting import PROFILE_HEADING, PROFILE_RUN, profile_lines, questions
from oracle.cli.profile_file import Curve, ProfileFile
from oracle.errors import InputError
from tests.cli.process import run

STEPS = {"mechanism": "repeat", "times": 3, "of": {"mechanism": "gaussian", "sigma": "2"}}
POINTS = 2 * PROFILE_RUN + 1
OPTIONS = ("--points", str(POINTS), "--epsilon", "2")


def curve(digits: int = 12) -> Curve:
    """What the command is asked with the options."""
    asked = questions(epsilon=("2",), exp_epsilon=(), delta=(), direction="both", digits=digits, cross_check=False)
    return Curve(STEPS, asked, POINTS)


@pytest.fixture(scope="module")
def whole() -> list[str]:
    """The lines of the profile, had at once."""
    return profile_lines(STEPS, POINTS, top="2")


@pytest.fixture
def begun(tmp_path: Path, whole: list[str]) -> Path:
    """A profile of which the first of three runs is there, and a torn line."""
    out = ProfileFile(str(tmp_path / "p.csv"), curve(), resume=False)
    out.add(whole[1 : 1 + PROFILE_RUN])
    out.close()
    with (tmp_path / "p.csv.partial").open("a", encoding="utf-8") as partial:
        partial.write('{"event": "run", "li')
    return tmp_path / "p.csv"


def account(*options: str, stdin: object = STEPS) -> tuple[int, str]:
    """Exit code and stderr of the command."""
    done = run("account", "-", *OPTIONS, *options, stdin=json.dumps(stdin))
    return done.returncode, done.stderr


def test_a_long_profile_is_that_of_its_runs(tmp_path: Path, whole: list[str]) -> None:
    """Nothing is left but the file; each run that took long is told."""
    code, errors = account("--profile", str(tmp_path / "p.csv"))
    assert code == 0, errors
    assert (tmp_path / "p.csv").read_text(encoding="utf-8").splitlines() == whole
    assert [path.name for path in tmp_path.iterdir()] == ["p.csv"]
    assert (whole[0], len(whole)) == (PROFILE_HEADING, POINTS + 1)


def test_a_profile_goes_on_where_it_stopped(begun: Path, whole: list[str]) -> None:
    """What is kept is taken over as it is, and the rest computed; then nothing is kept."""
    kept = begun.with_name("p.csv.partial")
    kept.write_text(kept.read_text(encoding="utf-8").replace(whole[1], "kept"), encoding="utf-8")
    code, errors = account("--profile", str(begun), "--resume")
    assert code == 0, errors
    assert begun.read_text(encoding="utf-8").splitlines() == [whole[0], "kept", *whole[2:]]
    assert not kept.exists()


def test_another_profile_is_not_gone_on_with(begun: Path) -> None:
    """The error names what is another; what is kept stays."""
    for options, stdin, key in (
        (("--digits", "13"), STEPS, "digits"),
        (("--direction", "forward"), STEPS, "direction"),
        ((), {**STEPS, "times": 4}, "mechanism"),
        (("--epsilon", "3"), STEPS, "top"),
        (("--points", "700"), STEPS, "points"),
    ):
        code, errors = account(*options, "--profile", str(begun), "--resume", stdin=stdin)
        assert code == 2
        assert f"p.csv.partial: expected the {key} of the profile that is kept" in errors
    assert begun.with_name("p.csv.partial").exists()
    assert not begun.exists()


def test_without_resume_a_profile_begins_anew(begun: Path, whole: list[str]) -> None:
    """What was kept is replaced."""
    out = ProfileFile(str(begun), curve(13), resume=False)
    assert (out.done, len(out.missing)) == (0, 3)
    out.add(whole[1:3])
    out.close()
    again = ProfileFile(str(begun), curve(13), resume=True)
    assert (again.done, again.missing) == (1, ["points 251 to 500 of the profile", "points 501 to 501 of the profile"])
    with pytest.raises(InputError, match="expected the digits of the profile that is kept, 13, got 12"):
        ProfileFile(str(begun), curve(), resume=True)


@pytest.mark.parametrize("options", [("--resume",), ("--dask", "tcp://127.0.0.1:1")])
def test_only_a_profile_is_resumed_or_computed_elsewhere(options: tuple[str, ...]) -> None:
    """Exit code 2 before any work."""
    code, errors = account(*options)
    assert (code, errors) == (2, "oracle: expected --profile, of whose points --dask and --resume are, got none\n")
