"""``oracle account``: values, JSON, profile, cross-checks, calibration, exit codes, bad input."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest
from click.testing import CliRunner, Result
from gmpy2 import mpq
from jsonschema import Draft202012Validator

from oracle import accounting, calibration
from oracle.accountant.cross_check import CrossCheck
from oracle.accounting import entry as entry_module
from oracle.calibration import Calibration
from oracle.cli import profile_file
from oracle.cli.main import cli
from oracle.enclosures import Enclosure
from oracle.errors import InputError
from tests.cli.process import run
from tests.vectors.fixture_files import FIXTURES, MECHANISMS, SCHEMAS, read_json

SCHEMA = Draft202012Validator(read_json(SCHEMAS / "account.schema.json"))
SGD = MECHANISMS / "dp_sgd.json"
TENFOLD = MECHANISMS / "randomized_response_tenfold.json"
NO_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork, so no limit within one call")
GAUSSIAN = {"mechanism": "gaussian", "sigma": "2"}
GAUSSIANS = {"mechanism": "repeat", "times": 4, "of": GAUSSIAN}


def subsampled(rate: str = "0.1", relation: str | None = "add_remove", of: Any = None) -> dict[str, Any]:
    """Poisson subsampling of a Gaussian."""
    beside = {} if relation is None else {"neighbours": relation}
    return {"mechanism": "poisson_subsample", "rate": rate, **beside, "of": of or GAUSSIAN}


def called(document: Any, *options: str) -> Result:
    """The command run in this process on a document as stdin."""
    text = document if isinstance(document, (str, bytes)) else json.dumps(document)
    return CliRunner().invoke(cli, ["account", "-", *options], input=text)


def printed(result: Result) -> Any:
    """The document that --json printed, valid by its schema."""
    document = json.loads(result.stdout)
    assert list(SCHEMA.iter_errors(document)) == []
    return document


def test_the_summary_of_an_exact_account() -> None:
    """Value and method of each question, in their order; nothing on stderr."""
    done = run("account", str(TENFOLD), "--exp-epsilon", "9", "--exp-epsilon", "81", "--delta", "0")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "delta at exp_epsilon = 9: 12195/16384\n"
        "    method: lattice polynomial\n"
        "delta at exp_epsilon = 81: 16119/32768\n"
        "    method: lattice polynomial\n"
        "epsilon at delta = 0: [10.986122886681, 10.9861228866811] (e^epsilon = 59049)\n"
        "    method: lattice polynomial\n"
    )


def test_the_summary_has_both_directions() -> None:
    """Where removing and adding differ, with the name that each has under add_remove."""
    lines = CliRunner().invoke(cli, ["account", str(SGD), "--epsilon", "1"]).stdout.splitlines()
    assert lines[0].startswith("delta at epsilon = 1: [0.000449401376605")
    assert lines[1] == "    method: contour"
    assert lines[2].startswith("    forward (remove): [0.000449401376605")
    assert lines[3].startswith("    backward (add): [0.0000031181934488")


def test_stdin_and_a_file_are_the_same() -> None:
    """- reads stdin, with or without a byte order mark."""
    data = SGD.read_bytes()
    plain, marked = called(data, "--epsilon", "1"), called(b"\xef\xbb\xbf" + data, "--epsilon", "1")
    assert plain.stdout == marked.stdout == CliRunner().invoke(cli, ["account", str(SGD), "--epsilon", "1"]).stdout


def test_json_is_the_account() -> None:
    """The same document as from Python."""
    result = CliRunner().invoke(cli, ["account", str(SGD), "--epsilon", "1", "--delta", "1e-5", "--json"])
    options = {"epsilon": ["1"], "delta": ["1e-5"]}
    assert printed(result) == accounting.account(read_json(SGD), **options).document
    assert result.exit_code == 0


def test_direction_and_digits() -> None:
    """Of four Gaussians of sigma 2, one of sigma 1, thirty digits of each direction."""
    with mpmath.workdps(60):
        truth = mpmath.ncdf(-0.5) - mpmath.e * mpmath.ncdf(-1.5)
        for direction in ("forward", "backward"):
            result = called(GAUSSIANS, "--epsilon", "1", "--direction", direction, "--digits", "30", "--json")
            document = printed(result)
            value = document["entries"][0]["value"]
            assert mpmath.mpf(value["lo"]) <= truth <= mpmath.mpf(value["hi"])
            assert Fraction(value["hi"]) - Fraction(value["lo"]) <= Fraction(1, 10**30)
            assert (document["direction"], document["digits"]) == (direction, 30)


@pytest.mark.parametrize("file", ["sparse_vector.json", "interleaving.json"])
def test_an_interactive_mechanism_has_an_account(file: str) -> None:
    """That of its tight channel."""
    result = CliRunner().invoke(cli, ["account", str(FIXTURES / "interactive" / file), "--exp-epsilon", "2", "--json"])
    assert (printed(result)["entries"][0]["method"], result.exit_code) == ("exact sum", 0)


def test_the_profile_is_written_where_it_is_named(tmp_path: Path) -> None:
    """CSV with two proved ends at each epsilon, and no other file."""
    done = run("account", str(SGD), "--profile", "profile.csv", "--points", "5", "--epsilon", "2", cwd=tmp_path)
    assert (done.returncode, [path.name for path in tmp_path.iterdir()]) == (0, ["profile.csv"])
    assert done.stdout.endswith("wrote profile.csv\n")
    rows = [line.split(",") for line in (tmp_path / "profile.csv").read_text(encoding="utf-8").splitlines()]
    assert rows[0] == ["epsilon", "lo", "hi", "method"]
    assert [Fraction(row[0]) for row in rows[1:]] == [Fraction(i, 2) for i in range(5)]
    assert all(0 < Fraction(row[1]) <= Fraction(row[2]) <= 1 for row in rows[1:])
    # One point asked on its own has a point in common with the row.
    value = printed(called(SGD.read_bytes(), "--epsilon", "1", "--json"))["entries"][0]["value"]
    assert max(Fraction(rows[3][1]), Fraction(value["lo"])) <= min(Fraction(rows[3][2]), Fraction(value["hi"]))


def test_nothing_is_written_without_a_profile(tmp_path: Path) -> None:
    """An account and a calibration leave the folder empty."""
    assert run("account", str(TENFOLD), "--exp-epsilon", "9", "--json", cwd=tmp_path).returncode == 0
    unknown = json.dumps({"mechanism": "gaussian", "sigma": "?"})
    assert run("account", "-", "--epsilon", "1", "--delta", "1e-5", stdin=unknown, cwd=tmp_path).returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_a_profile_alone_is_a_question(tmp_path: Path) -> None:
    """With --json the notice goes to stderr, so that stdout has nothing that is no JSON."""
    out = tmp_path / "x.csv"
    result = called(GAUSSIANS, "--profile", str(out), "--points", "3", "--json")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"wrote {out}\n")
    assert len(out.read_text(encoding="utf-8").splitlines()) == 4


def endless(*_arguments: Any, **_options: Any) -> Any:
    """Work that never ends, and that no signal handler interrupts."""
    return pow(3, 3**25)


@pytest.mark.slow
@NO_FORK
def test_a_profile_is_not_written_without_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Out of time is 3, what was asked beside it is printed, and no half of a file is left."""
    monkeypatch.setattr(profile_file, "profile_runs", endless)
    result = called(GAUSSIAN, "--epsilon", "1", "--profile", str(tmp_path / "x.csv"), "--timeout", "3")
    assert result.exit_code == 3
    assert result.stdout.startswith("delta at epsilon = 1: ")
    assert "oracle: the profile: out of time after " in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "last"),
    [
        (("--epsilon", "1", "--exp-epsilon", "4"), "1.38629437"),
        (("--epsilon", "log(3)", "--exp-epsilon", "0"), "1.09861229"),
        (("--exp-epsilon", "2", "--epsilon", "3/4"), "0.75"),
    ],
)
def test_the_profile_ends_at_the_largest_epsilon_asked(options: tuple[str, ...], last: str, tmp_path: Path) -> None:
    """However it was written; a logarithm is rounded up a little."""
    out = tmp_path / "x.csv"
    assert called(GAUSSIANS, *options, "--profile", str(out), "--points", "3").exit_code == 0
    end = out.read_text(encoding="utf-8").splitlines()[-1].split(",")[0]
    assert end == last


@pytest.mark.slow
def test_cross_checks_are_told() -> None:
    """A line for each check, each agreeing; in JSON under cross_check."""
    options = ("--epsilon", "1", "--direction", "forward", "--cross-check")
    result = called(GAUSSIANS, *options)
    checks = [line for line in result.stdout.splitlines() if line.startswith("    check, forward (remove): ")]
    assert result.exit_code == 0
    assert checks
    assert all(line.endswith(" agrees") for line in checks)
    assert len(printed(called(GAUSSIANS, *options, "--json"))["entries"][0]["cross_check"]) == len(checks)


def test_a_check_that_disagrees_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    """3, with the plea to report it."""
    wrong = CrossCheck("contour", Enclosure(mpq(9, 10), mpq(1)), False, {})
    monkeypatch.setattr(entry_module, "checks_of", lambda *_args, **_options: [wrong])
    result = called(GAUSSIANS, "--epsilon", "1", "--cross-check")
    assert result.exit_code == 3
    assert "DISAGREES" in result.stdout
    assert "a fault in the oracle itself" in result.stderr


@NO_FORK
@pytest.mark.parametrize(
    ("question", "truth"),
    [
        (("--epsilon", "1"), ("0.000449401376605161", "0.000449401376605257")),
        pytest.param(("--delta", "1e-5"), ("1.593485050168", "1.5934850501704"), marks=pytest.mark.slow),
    ],
)
def test_out_of_time_gives_what_is_known(
    question: tuple[str, str], truth: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """3, an enclosure with the digits that it has, in text and in JSON, and on stderr the work that was cut short."""
    monkeypatch.setattr(accounting, "entries", endless)
    options = (*question, "--digits", "500", "--timeout", "2")
    text, result = called(SGD.read_bytes(), *options), called(SGD.read_bytes(), *options, "--json")
    entry = printed(result)["entries"][0]
    assert (text.exit_code, result.exit_code) == (3, 3)
    assert entry["reached"] < 500
    assert Fraction(entry["value"]["lo"]) <= Fraction(truth[1])
    assert Fraction(truth[0]) <= Fraction(entry["value"]["hi"])
    assert result.stderr.startswith(f"oracle: {entry['quantity']} at {question[0][2:]} = {question[1]}: out of time")
    assert "    not reached: 500 digits; best enclosure above, " in text.stdout


@NO_FORK
def test_without_time_for_anything_the_bounds_are_those_of_every_mechanism(monkeypatch: pytest.MonkeyPatch) -> None:
    """A delta from 0 to 1, an epsilon from 0 on, one line on stderr for each question."""
    monkeypatch.setattr(accounting, "pair_of", endless)
    result = called(SGD.read_bytes(), "--epsilon", "1", "--delta", "1e-5", "--timeout", "0.1", "--json")
    entries = printed(result)["entries"]
    assert [entry["value"] for entry in entries] == [{"lo": "0", "hi": "1"}, {"lo": "0", "hi": "inf"}]
    assert [line.split(": ")[1] for line in result.stderr.splitlines()] == [
        "the pair of laws",
        "delta at epsilon = 1",
        "epsilon at delta = 1e-5",
    ]
    assert result.exit_code == 3


UNKNOWN = {"mechanism": "repeat", "times": 4, "of": {"mechanism": "gaussian", "sigma": "?"}}
TARGET = ("--epsilon", "1", "--delta", "1e-5")


def test_calibration_of_noise() -> None:
    """Which end meets the target and which not, in text and in JSON."""
    result = called(UNKNOWN, *TARGET, "--json")
    document = printed(result)
    low, high = (document["value"][end] for end in ("lo", "hi"))
    with mpmath.workdps(40):
        levels = [2 / mpmath.mpf(low), 2 / mpmath.mpf(high)]
        deltas = [mpmath.ncdf(-1 / mu + mu / 2) - mpmath.e * mpmath.ncdf(-1 / mu - mu / 2) for mu in levels]
        assert deltas[1] <= mpmath.mpf("1e-5") < deltas[0]
    assert (result.exit_code, document["field"], document["sufficient"]) == (0, "sigma", "hi")
    assert (document["given"], document["mechanism"]) == ({"epsilon": "1", "delta": "1e-5"}, UNKNOWN)
    assert called(UNKNOWN, *TARGET).stdout == (
        f"sigma for epsilon = 1, delta = 1e-5: {high}\n    {high} is proved to meet the target, {low} not to\n"
    )


def test_calibration_of_steps_and_of_a_rate() -> None:
    """The lower end meets the target; where rate 1 does, it is the answer."""
    steps = {"mechanism": "repeat", "times": "?", "of": {"mechanism": "randomized_response", "exp_epsilon": "3"}}
    document = printed(called(steps, "--exp-epsilon", "9", "--delta", "1/100", "--json"))
    assert (document["value"], document["sufficient"]) == ({"lo": "2", "hi": "3"}, "lo")
    text = called(subsampled("?"), "--epsilon", "3", "--delta", "1/2").stdout
    assert text == "rate for epsilon = 3, delta = 1/2: 1\n    1 is proved to meet the target\n"


@NO_FORK
def test_calibration_out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """3 and no value."""
    monkeypatch.setattr(calibration, "narrowing", endless)
    result = called(UNKNOWN, *TARGET, "--timeout", "0.1")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "calibration: out of time" in result.stderr


@pytest.mark.slow
@NO_FORK
def test_calibration_out_of_time_gives_the_ends_proved_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """3, and how many digits they have."""

    def slow(*_arguments: Any, **_options: Any) -> Any:
        yield Calibration("sigma", Fraction(1), Fraction(2), "hi", 0)
        yield endless()

    monkeypatch.setattr(calibration, "narrowing", slow)
    result = called(UNKNOWN, *TARGET, "--timeout", "3")
    assert result.exit_code == 3
    assert result.stdout == (
        "sigma for epsilon = 1, delta = 1e-5: 2\n"
        "    2 is proved to meet the target, 1 not to\n"
        "    not reached: the digits asked for; 0 digits\n"
    )
    assert "calibration: out of time" in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--epsilon", "1"), "one --epsilon or --exp-epsilon and one --delta"),
        (("--delta", "1e-5"), "one --epsilon or --exp-epsilon and one --delta"),
        ((*TARGET, "--exp-epsilon", "3"), "one --epsilon or --exp-epsilon and one --delta"),
        ((*TARGET, "--delta", "1e-6"), "one --epsilon or --exp-epsilon and one --delta"),
        ((*TARGET, "--cross-check"), "for --profile and --cross-check"),
        ((*TARGET, "--profile", "x.csv"), "for --profile and --cross-check"),
        (("--epsilon", "1", "--delta", "0"), "a delta above 0"),
        (("--epsilon", "-1", "--delta", "1e-5"), "epsilon"),
    ],
)
def test_calibration_needs_one_target(options: tuple[str, ...], message: str) -> None:
    """One epsilon and one delta, and nothing that needs a mechanism that is known."""
    result = called(UNKNOWN, *options)
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)


def repeated(times: Any, of: Any = None) -> dict[str, Any]:
    """So many steps."""
    return {"mechanism": "repeat", "times": times, "of": of or GAUSSIAN}


MALFORMED: list[tuple[Any, str]] = [
    (repeated(5, subsampled("3/2")), "channel.of.rate: expected a rate between 0 and 1, got 3/2"),
    (repeated(5, subsampled("-0.1")), "channel.of.rate: expected a rate between 0 and 1, got -1/10"),
    (subsampled(relation=None), 'expected the key "neighbours"'),
    (subsampled(relation="remove"), "neighbours"),
    ({"mechanism": "gaussian", "sigma": "0"}, "channel.sigma: expected a number above 0, got 0"),
    ({"mechanism": "gaussian", "sigma": "-1"}, "channel.sigma: expected a number above 0, got -1"),
    ({"mechanism": "laplace", "scale": "0"}, "channel.scale: expected a number above 0, got 0"),
    ({"mechanism": "gaussian"}, "sigma"),
    ({"mechanism": "gaussian", "sigma": 1.5}, "quote it"),
    ({"mechanism": "gaussian", "sigma": "nan"}, "channel.sigma"),
    ({"mechanism": "gaussian", "sigma": "1", "sensitivity": "-1"}, "channel.sensitivity"),
    ({"mechanism": "gaussian", "sigma": "1", "sigmas": "1"}, 'got the key "sigmas"'),
    (repeated(-1), "channel.times: expected a whole number of times, at least 0, got -1"),
    (repeated("3/2"), "channel.times: expected a whole number of times, at least 0, got 3/2"),
    (repeated("many"), "channel.times"),
    ({"mechanism": "no_such_noise"}, "no_such_noise"),
    ({"mechanism": "compose", "of": []}, "of"),
    (
        {"mechanism": "compose", "of": [subsampled(), subsampled(relation="substitute")]},
        "expected parts over one neighbouring relation, got both add_remove and substitute",
    ),
    ([GAUSSIAN], "stdin: expected a mechanism expression or a channel, an object"),
    ("{", "stdin: expected JSON"),
    (b"\xff{}", "stdin: expected UTF-8 text, got the byte 0xff at 0"),
]


@pytest.mark.parametrize(("document", "message"), MALFORMED)
def test_malformed_mechanisms_are_refused(document: Any, message: str) -> None:
    """A rate outside [0, 1], noise not above 0, steps negative or broken, unknown fields, two relations, no JSON."""
    result = called(document, "--epsilon", "1")
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "an --epsilon, --exp-epsilon, --delta or --profile"),
        (("--epsilon", "1", "--digits", "1001"), "--digits: expected at most 1000 digits, got 1001"),
        (("--epsilon", "1", "--digits", "0"), "--digits: expected a whole number of digits from 1 to 1000, got 0"),
        (("--epsilon", "1", "--digits", "2.5"), "--digits"),
        (("--epsilon", "one"), "epsilon"),
        (("--epsilon", "50%"), "epsilon"),
        (("--exp-epsilon", "-1"), "exp_epsilon"),
        (("--delta", "2"), "delta: expected delta between 0 and 1, got 2"),
        (("--delta", "-1/2"), "delta: expected delta between 0 and 1, got -1/2"),
        (("--profile", "no/such/folder/x.csv"), "--profile: expected a file in a directory that is there"),
        (("--profile", "."), "--profile"),
        (("--epsilon", "0", "--profile", "x.csv"), "a last epsilon above 0"),
        (("--exp-epsilon", "1/2", "--profile", "x.csv"), "a last epsilon above 0"),
        (("--epsilon", "inf", "--profile", "x.csv"), "a last epsilon that is finite"),
        (("--epsilon", "1", "--epsilon", "one", "--profile", "x.csv"), "epsilon"),
    ],
)
def test_bad_questions_are_refused(
    options: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No question, digits beyond the limit, numbers that are none; no file is written."""
    monkeypatch.chdir(tmp_path)
    result = called(GAUSSIANS, *options)
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "options", [("--timeout", "-1"), ("--timeout", "nan"), ("--points", "1"), ("--direction", "left"), ("--bogus",)]
)
def test_bad_options_are_refused(options: tuple[str, ...]) -> None:
    """2, by the parser of the options."""
    assert called(GAUSSIANS, "--epsilon", "1", *options).exit_code == 2


def test_bad_input_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    """As a process: the place, what was expected, what came; a file that is not there."""
    done = run("account", "-", "--epsilon", "1", stdin=json.dumps(repeated(-1)))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "oracle: channel.times: expected a whole number of times, at least 0, got -1\n"
    done = run("account", str(tmp_path / "none.json"), "--epsilon", "1")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_help_has_examples_and_exit_codes() -> None:
    """What a reader needs to start."""
    text = CliRunner().invoke(cli, ["account", "--help"]).stdout
    assert "Examples:" in text
    assert "Exit codes: 0 done, 2 bad usage or input, 3 digits not reached, or out of time." in text


EXTREME: list[tuple[Any, tuple[str, ...]]] = [
    ({"mechanism": "gaussian", "sigma": "1e-3"}, ("--epsilon", "1")),
    ({"mechanism": "gaussian", "sigma": "1e6"}, ("--epsilon", "1")),
    (repeated(10**9), ("--epsilon", "1", "--delta", "1e-300")),
    (repeated(10**9, subsampled("1e-9")), ("--epsilon", "1")),
    (repeated(1000, subsampled("1e-9")), ("--epsilon", "1000")),
    (repeated(100, subsampled("1")), ("--epsilon", "1")),
    (repeated(100, subsampled("0")), ("--epsilon", "1", "--delta", "0")),
    (repeated(0), ("--epsilon", "1", "--delta", "0")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("document", "options"), EXTREME)
def test_extreme_parameters_end_in_an_enclosure(document: Any, options: tuple[str, ...]) -> None:
    """0 with all digits or 3 with bounds, within the time; never a fault or an empty enclosure."""
    result = called(document, *options, "--timeout", "20", "--json")
    entries = printed(result)["entries"]
    assert result.exit_code == (3 if any("reached" in entry for entry in entries) else 0)
    for entry in entries:
        value = entry["value"]
        if isinstance(value, dict) and value["hi"] != "inf":
            assert 0 <= Fraction(value["lo"]) <= Fraction(value["hi"])
