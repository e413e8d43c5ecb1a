"""``oracle count``: raw samples become counts, in the forms that ``oracle audit`` takes."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from oracle.cli.audit import audit
from oracle.cli.count import count as command
from oracle.errors import OracleError

RUNS = "input,outcome\nD,yes\nD,no\nDprime,no\nD,yes\nDprime,yes\nD',no\n"


def run(*arguments: object, stdin: str = "") -> tuple[int, str, str]:
    """Exit code, stdout, and stderr or the message of the error, as the command group maps them."""
    result = CliRunner().invoke(command, [str(a) for a in arguments], input=stdin)
    error = result.exception
    if isinstance(error, OracleError):
        return 2, result.stdout, str(error)
    assert error is None or isinstance(error, SystemExit), error
    return result.exit_code, result.stdout, result.stderr


def test_one_file_of_inputs_and_outcomes():
    """Outcomes in the order of their names, whatever came first."""
    expected = "outcome,n_on_D,n_on_Dprime\nno,1,2\nyes,2,1\n"
    assert run("-", stdin=RUNS) == (0, expected, "")
    assert json.loads(run("-", "--json", stdin=RUNS)[1]) == {
        "outcomes": ["no", "yes"],
        "on_D": [1, 2],
        "on_Dprime": [2, 1],
    }


def test_tab_separated(tmp_path):
    """By the ending of the file."""
    file = tmp_path / "runs.tsv"
    file.write_text(RUNS.replace(",", "\t"))
    assert run(file)[1] == "outcome,n_on_D,n_on_Dprime\nno,1,2\nyes,2,1\n"


def test_two_files_and_thresholds(tmp_path):
    """Numbers by intervals, the highest first; exact at the threshold."""
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text("0.5\n0.4\n\n1\n3/4\n")
    second.write_text("0.1\n-2\n0.75\n")
    assert run(first, second, "--threshold", "1/2", "--threshold", "0.75")[1] == (
        "outcome,n_on_D,n_on_Dprime\nx >= 3/4,2,1\n1/2 <= x < 3/4,1,0\nx < 1/2,1,2\n"
    )


def test_split_and_audit(tmp_path):
    """Half of the runs choose the event, the others are counted; the audit reads what was written."""
    first, second, out = tmp_path / "first.txt", tmp_path / "second.txt", tmp_path / "counts.csv"
    first.write_text("a\n" * 200 + "b\n" * 40)
    second.write_text("a\n" * 40 + "b\n" * 200)
    assert run(first, second, "--split", "--out", out) == (0, "", "")
    assert out.read_text() == (
        "outcome,n_on_D,n_on_Dprime,choose_on_D,choose_on_Dprime\na,100,20,100,20\nb,20,100,20,100\n"
    )
    assert CliRunner().invoke(audit, [str(out), "--claim", "E=2", "--event", "split"]).exit_code == 1


def test_pairs_and_audit(tmp_path):
    """The first runs make the first pair; the audit takes a bet against the claim."""
    first, second, out = tmp_path / "first.txt", tmp_path / "second.txt", tmp_path / "pairs.json"
    first.write_text("a\n" * 60 + "b\n" * 30)
    second.write_text("b\n" * 50 + "a\n" * 20 + "b\n" * 20)
    arguments = (first, second, "--pairs", "--outcome", "a")
    assert json.loads(run(*arguments)[1]) == {"both": 10, "only_on_D": 50, "only_on_Dprime": 10, "neither": 20}
    assert run(*arguments, "--out", out)[0] == 0
    words = [str(out), "--claim", "eps=0", "--event", "declared", "--bet", "1/2"]
    assert CliRunner().invoke(audit, words).exit_code == 1


def test_labels_that_need_quotes():
    """Commas, quotes and line ends in a name survive the way to the audit."""
    text = 'input,outcome\nD,"a, b"\nDprime,"say ""x"""\n'
    counts = run("-", stdin=text)[1]
    assert counts == 'outcome,n_on_D,n_on_Dprime\n"a, b",1,0\n"say ""x""",0,1\n'
    words = ["-", "--format", "csv", "--claim", "E=2", "--event", "declared", "--json"]
    found = json.loads(CliRunner().invoke(audit, words, input=counts).stdout)
    assert found["input"]["observations"]["outcomes"] == ["a, b", 'say "x"']


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", (), "stdin: expected"),
        ("outcome,n\nyes,1\n", (), "expected the columns input,outcome, or two files of samples"),
        ("input,outcome\nE,yes\n", (), 'line 2: expected the input D or Dprime, got "E"'),
        ("input,outcome\nD,\nDprime,x\n", (), "line 2: expected an input and an outcome"),
        ("input,outcome\nD,yes\n", (), "expected at least one run on Dprime, got none"),
        (RUNS, ("--threshold", "1"), "run 1 on D: expected a number"),
        (RUNS, ("--threshold", "x"), "--threshold: expected a number"),
        ("input,outcome\nD,1\nDprime,1\n", ("--threshold", "1", "--threshold", "1"), "expected different thresholds"),
        ("input,outcome\nD,1\nDprime,1\n", ("--split",), "expected at least two runs on D to split, got 1"),
        ("input,outcome\nD,1\nD,1\nDprime,2\n", ("--pairs", "--outcome", "1"), "as many runs on Dprime as on D"),
        (RUNS, ("--pairs", "--outcome", "maybe"), 'expected the name of an outcome ("no", "yes"), got "maybe"'),
        (RUNS, ("--pairs",), "--pairs goes with --outcome and without --split"),
        (RUNS, ("--outcome", "yes"), "--outcome goes with --pairs"),
    ],
)
def test_bad_input(text, options, message):
    """A clear error, exit code 2, no output."""
    code, output, error = run("-", *options, stdin=text)
    assert (code, output) == (2, "")
    assert message in error


def test_files_that_are_none(tmp_path):
    """Three files, an empty one of two, a folder for the output that is not there, bytes that are no text."""
    empty = tmp_path / "empty.txt"
    empty.write_text("\n")
    assert run("a", "b", "c")[0] == 2
    assert "expected an outcome on each line, got an empty file" in run(empty, empty)[2]
    assert "--out" in run("-", "--out", tmp_path / "none" / "x.csv", stdin=RUNS)[2]
    result = CliRunner().invoke(command, ["-"], input=b"\xff")
    assert isinstance(result.exception, OracleError)
    assert "expected UTF-8 text" in str(result.exception)
