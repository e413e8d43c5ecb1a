"""``oracle audit``: exit codes, files, standard input, and the errors for bad input, with nothing written."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from oracle.audits.run import audit
from oracle.cli.audit import audit as command
from oracle.errors import OracleError, UndecidedError
from tests.vectors.fixture_files import MECHANISMS

ROOT = Path(__file__).parents[2]
WARNER = str(MECHANISMS / "warner_randomized_response.json")
GEOMETRIC = str(MECHANISMS / "truncated_geometric_table.json")
THREE = "outcome,a,b,c\nx,1/2,1/3,1/4\ny,1/2,2/3,3/4\n"


def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
    """Exit code, stdout and stderr or the message of the error, as the command group maps them."""
    result = CliRunner().invoke(command, [str(a) for a in arguments], input=stdin)
    error = result.exception
    if isinstance(error, OracleError):
        return (3 if isinstance(error, UndecidedError) else 2), result.stdout, str(error)
    assert error is None or isinstance(error, SystemExit), error
    return result.exit_code, result.stdout, result.stderr


def process(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The whole command in a process of its own."""
    code = "from oracle.cli.main import main; main()"
    variables = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    return subprocess.run(
        [sys.executable, "-c", code, "audit", *arguments],
        cwd=cwd,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_claim_that_holds():
    """Exit code 0, the verdict in the first line."""
    code, output, error = run(WARNER, "--claim", "eps=log(3)")
    assert (code, error) == (0, "")
    assert output.splitlines()[0] == "HOLDS with equality: epsilon = log(3), delta = 0"


def test_claim_that_is_refuted():
    """Exit code 1."""
    code, output, _ = run(WARNER, "--claim", "exp_eps=3", "--claim", "exp_eps=2")
    assert code == 1
    assert output.splitlines()[0] == "REFUTED: 1 of 2 claims"


def test_json_is_the_report_of_the_python_call():
    """One document, one line of UTF-8."""
    code, output, _ = run(GEOMETRIC, "--claim", "exp_eps=2", "--digits", "20", "--direction", "forward", "--json")
    report = audit(GEOMETRIC, "exp_eps=2", digits=20, direction="forward")
    assert code == 0
    assert output == report.to_text() + "\n"


def test_standard_input():
    """JSON by - as the file."""
    data = Path(WARNER).read_bytes()
    code, output, _ = run("-", "--claim", "exp_eps=3", "--json", stdin=b"\xef\xbb\xbf" + data)
    assert code == 0
    assert json.loads(output)["input"]["name"] == "stdin"


def test_format_of_standard_input():
    """A table between commas or tabs on stdin."""
    for form, cut in (("csv", ","), ("tsv", "\t")):
        stdin = THREE.replace(",", cut).encode()
        code, output, _ = run(
            "-", "--claim", "exp_eps=3/2", "--pair", "a", "b", "--format", form, "--json", stdin=stdin
        )
        assert (code, json.loads(output)["input"]["form"]) == (0, form)
    code, _, error = run("-", "--claim", "exp_eps=3/2", stdin=THREE.encode())
    assert code == 2
    assert "or --format" in error


def test_an_audit_is_run_again_from_its_report(tmp_path):
    """The last command of the report, in its folder, gives the same verdict and certificates; labels are quoted."""
    table = tmp_path / "a b.csv"
    table.write_text("outcome,it's,b $x\nx,1/2,1/3\ny,1/2,2/3\n")
    curve = tmp_path / "my curve.json"
    curve.write_text('{"breakpoints": [["0", "1"], ["1/3", "1/3"], ["1", "0"]]}')
    arguments = ["--claim", "eps=log(3/2)", "--claim", f"curve={curve}", "--pair", "it's", "b $x", "--digits", "20"]
    target = tmp_path / "out"
    assert run(table, *arguments, "--direction", "forward", "--out", target)[0] == 0
    report = json.loads((target / "report.json").read_text())
    command, *again = shlex.split(report["recheck"][-1])
    assert [command, again[0]] == ["oracle", "audit"]
    done = process(*again[1:], "--json", cwd=target)
    assert (done.returncode, done.stderr) == (0, "")
    second = json.loads(done.stdout)
    for key in ("certificates", "pairs", "results", "verdict", "direction", "digits"):
        assert second[key] == report[key]
    assert second["input"]["sha256"] == report["input"]["sha256"]


def test_pairs_of_a_csv_table(tmp_path):
    """Given by --pair, as often as there are pairs."""
    path = tmp_path / "three.csv"
    path.write_text(THREE)
    code, output, _ = run(path, "--claim", "exp_eps=3/2", "--pair", "a", "b", "--pair", "b", "c", "--json")
    assert code == 0
    assert [(pair["p"], pair["q"]) for pair in json.loads(output)["pairs"]] == [("a", "b"), ("b", "c")]
    code, _, error = run(path, "--claim", "exp_eps=3/2")
    assert code == 2
    assert "--pair A B" in error


def test_out_writes_the_report_its_view_and_the_certificates(tmp_path):
    """What was written is printed, and is the same each time."""
    target = tmp_path / "new" / "report"
    code, output, _ = run(GEOMETRIC, "--claim", "exp_eps=3/2", "--out", target)
    assert code == 1
    names = ["report.html", "report.md", "input.json", *(f"certificate-0{k}.json" for k in range(1, 5)), "report.json"]
    assert output.splitlines()[-8:] == [f"wrote {target / name}" for name in names]
    assert sorted(path.name for path in target.iterdir()) == sorted(names)
    assert (target / "report.md").read_text().startswith("# REFUTED\n")
    before = {path.name: path.read_bytes() for path in target.iterdir()}
    code, output, error = run(GEOMETRIC, "--claim", "exp_eps=3/2", "--out", target, "--json")
    assert code == 1
    assert json.loads(output)["verdict"] == "refuted"
    assert error.splitlines() == [f"wrote {target / name}" for name in names]
    assert {path.name: path.read_bytes() for path in target.iterdir()} == before
    assert str(tmp_path).encode() not in b"".join(before.values())


def test_without_out_nothing_is_written(tmp_path):
    """Not even a temporary file."""
    done = process(WARNER, "--claim", "exp_eps=2", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert list(tmp_path.iterdir()) == []


BAD_FILES = [
    ("rows.json", '{"matrix": [["1/2", "1/3"], ["1/2", "1/2"]]}', "misses 1 by 1/6"),
    (
        "negative.json",
        '{"matrix": [["3/2", "-1/2"], ["1/2", "1/2"]]}',
        "matrix[0][1]: expected a probability at least 0",
    ),
    ("nan.json", '{"matrix": [["nan"], ["1"]]}', "expected a finite number"),
    ("ragged.json", '{"matrix": [["1", "0"], ["1"]]}', "expected 2 columns"),
    ("empty.json", '{"matrix": []}', "at least one row"),
    ("one.json", '{"matrix": [["1"]]}', "got one row"),
    ("float.json", '{"matrix": [[0.5, 0.5], ["1/2", "1/2"]]}', "the JSON float 0.5"),
    ("twice.json", '{"matrix": [["1"], ["1"]], "matrix": [["1"], ["1"]]}', 'the key "matrix" twice'),
    ("unknown.json", '{"matrix": [["1"], ["1"]], "note": 1}', 'got the key "note"'),
    ("long.json", '{"matrix": [["1e100001"], ["1"]]}', "at most 100000 digits"),
    ("percent.csv", "outcome,p,q\na,100%,1\n", "line 2, column p"),
    ("control.json", '{"matrix": [["1"], ["1"]], "outputs": ["\\u001b"]}', "without control characters"),
    ("ragged.csv", "outcome,p,q\na,1\n", "line 2: expected 3 cells"),
    ("text.json", "nonsense", "expected JSON"),
]


@pytest.mark.parametrize(("name", "text", "message"), BAD_FILES, ids=[case[0] for case in BAD_FILES])
def test_bad_file_is_refused(tmp_path, name, text, message):
    """Exit code 2, the file and the expectation named, nothing written."""
    path = tmp_path / name
    path.write_text(text)
    code, output, error = run(path, "--claim", "exp_eps=3", "--out", tmp_path / "out")
    assert (code, output) == (2, "")
    assert error.startswith(str(path))
    assert message in error
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.json", "--claim", "exp_eps=3"], "missing.json: expected a readable file, got no such file"),
        ([str(MECHANISMS), "--claim", "exp_eps=3"], "got is a directory"),
        ([WARNER], "Missing option '--claim'"),
        ([WARNER, "--claim", "eps=-1"], "epsilon at least 0"),
        ([WARNER, "--claim", "exp_eps=1/2"], "epsilon at least 0"),
        ([WARNER, "--claim", "exp_eps=2,delta=2"], "delta between 0 and 1"),
        ([WARNER, "--claim", "nonsense"], "--claim: expected a claim such as"),
        ([WARNER, "--claim", "mu=-1"], "mu at least 0"),
        ([WARNER, "--claim", "rdp=2"], 'an order and an epsilon such as "rdp=2:1/2"'),
        ([WARNER, "--claim", "curve=none.json"], "none.json: expected a readable file"),
        ([WARNER, "--claim", "exp_eps=3", "--digits", "many"], "--digits: expected a number"),
        ([WARNER, "--claim", "exp_eps=3", "--direction", "up"], "'up' is not one of"),
        ([WARNER, "--claim", "exp_eps=3", "--out", WARNER], "a directory that can be written to"),
        ([GEOMETRIC, "--claim", "exp_eps=3", "--pair", "0", "1"], "the pairs in one place"),
    ],
)
def test_bad_usage_is_refused(arguments, message):
    """Exit code 2 and a message that says what was expected."""
    code, output, error = run(*arguments)
    assert (code, output) == (2, "")
    assert message in error


@pytest.mark.parametrize(
    "breakpoints",
    [
        [["0", "1"], ["1/4", "3/4"], ["1/2", "1/4"], ["1", "0"]],
        [["0", "1"], ["1/2", "3/5"], ["1", "0"]],
        [["0", "1/2"], ["1/4", "3/4"], ["1", "0"]],
        [["0", "1"], ["0", "1/2"], ["1", "0"]],
    ],
    ids=["not convex", "above 1 - alpha", "increasing", "discontinuous at 0"],
)
def test_bad_curve_is_refused(tmp_path, breakpoints):
    """The file and the corner are named."""
    path = tmp_path / "curve.json"
    path.write_text(json.dumps({"breakpoints": breakpoints}))
    code, _, error = run(WARNER, "--claim", f"curve={path}")
    assert code == 2
    assert error.startswith(f"{path}.breakpoints")


def test_process_maps_errors_to_its_exit_code(tmp_path):
    """One line on stderr, no traceback."""
    done = process("missing.json", "--claim", "exp_eps=3", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "oracle: missing.json: expected a readable file, got no such file or directory\n"


def test_labels_reach_a_stream_that_cannot_encode_them(tmp_path):
    """Escaped on an ASCII terminal; the JSON stays UTF-8."""
    path = tmp_path / "t.csv"
    path.write_text("ответ,да,нет\nü,1,1/2\nö,0,1/2\n", encoding="utf-8")
    done = process(str(path), "--claim", "exp_eps=2", cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert "pair \\u0434\\u0430" in done.stdout
    done = process(str(path), "--claim", "exp_eps=2", "--json", cwd=tmp_path, PYTHONIOENCODING="utf-8")
    assert json.loads(done.stdout)["pairs"][0]["p"] == "да"


def test_help_has_examples_and_does_not_load_the_engine():
    """Help is quick: nothing of the engine is imported."""
    code = (
        "import sys; from click.testing import CliRunner; from oracle.cli.audit import audit;"
        "result = CliRunner().invoke(audit, ['--help']); print(result.output); "
        "print(sorted(m for m in sys.modules if m.startswith(('oracle', 'gmpy2', 'flint', 'sympy', 'tabulate'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "oracle audit table.csv --claim" in done.stdout
    assert done.stdout.splitlines()[-1] == "['oracle', 'oracle.cli', 'oracle.cli.audit']"
