"""``oracle audit`` on counts: verdicts, exit codes, the words, the files, and every kind of bad input."""

from __future__ import annotations

import json
import shlex
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from click.testing import CliRunner

from oracle.audits.run import audit
from oracle.channels.channel import Channel
from oracle.cli.audit import audit as command
from oracle.cli.verify import verify
from oracle.errors import OracleError, UndecidedError
from tests.vectors.fixture_files import FIXTURES

SAMPLES = FIXTURES / "samples"
HEADER = "outcome,n_on_D,n_on_Dprime\n"
TWO = f"{HEADER}yes,750,250\nno,250,750\n"
THREE = f"{HEADER}a,700,200\nb,200,200\nc,100,600\n"
SPLIT = "outcome,choose_on_D,choose_on_Dprime,n_on_D,n_on_Dprime\na,70,20,700,200\nb,20,20,200,200\nc,10,60,100,600\n"
DECLARED = ("--event", "declared")


def run(*arguments: object, stdin: str = "") -> tuple[int, str, str]:
    """Exit code, stdout, and stderr or the message of the error, as the command group maps them."""
    result = CliRunner().invoke(command, [str(a) for a in arguments], input=stdin)
    error = result.exception
    if isinstance(error, OracleError):
        return (3 if isinstance(error, UndecidedError) else 2), result.stdout, str(error)
    assert error is None or isinstance(error, SystemExit), error
    return result.exit_code, result.stdout, result.stderr


def written(tmp_path: Path, text: str, name: str = "counts.csv") -> Path:
    """A file with the text."""
    path = tmp_path / name
    path.write_text(text)
    return path


def document(*arguments: object) -> dict:
    """The report as JSON."""
    return json.loads(run(*arguments, "--json")[1])


def upper_tail(n: int, p: Fraction, k: int) -> Fraction:
    """P[Bin(n, p) >= k] by its definition."""
    return sum((comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1)), Fraction(0))


def test_row_14_of_a_thousand_runs():
    """750 and 250 of 1,000: p_L = 7219/10000, q_U = 2781/10000, and the claim (2, 1/1000) is refuted."""
    file = SAMPLES / "randomized_response_1000.csv"
    code, output, _ = run(file, "--claim", "E=2, delta=1/1000", "--confidence", "19/20", *DECLARED)
    assert code == 1
    assert output.startswith("REFUTED: epsilon = log(2), delta = 1/1000\n")
    assert "P[Bin(1000, 7219/10000) >= 750] <= 1/40 and P[Bin(1000, 2781/10000) <= 250] <= 1/40" in output
    assert "7219/10000 - 2 * 2781/10000 = 1657/10000 > 1/1000" in output
    pure = document(file, "--claim", "E=2", *DECLARED)
    assert pure["claims"][0]["bound"] == {"exp_epsilon": "7219/2781", "certificate": 0}


def test_row_14_of_ten_thousand_runs():
    """7,500 and 2,500 of 10,000: 7413/10000 and 2587/10000, which refute up to E = 2.8654."""
    found = document(SAMPLES / "randomized_response_10000.csv", "--claim", "E=2", *DECLARED)
    certificate = found["certificates"][0]
    assert (certificate["lower"]["bound"], certificate["upper"]["bound"]) == ("7413/10000", "2587/10000")
    assert found["claims"][0]["bound"]["exp_epsilon"] == "7413/2587"


def test_row_14_of_a_confusion_table():
    """The counts (487, 1, 512, 0) do not even refute epsilon = 0, in either statement."""
    file = SAMPLES / "privacy_estimates_confusion.csv"
    code, output, _ = run(file, "--claim", "eps=0", *DECLARED)
    assert code == 3
    assert output.startswith("UNDECIDED: epsilon = 0, delta = 0\n")
    assert "487 of 487 runs on D, 512 of 513 runs on D'" in output
    assert run(file, "--claim", "eps=0", *DECLARED, "--likelier-on", "either")[0] == 3


def test_row_15():
    """90 of 100 guesses about 1,000 canaries: E = 4 is refuted, and up to 1271/250 on the grid."""
    file = SAMPLES / "one_run_1000_canaries.json"
    code, output, _ = run(file, "--claim", "E=4, delta=1e-5", *DECLARED)
    assert code == 1
    assert "every exp_epsilon up to 1271/250 (5.084), epsilon = 1.62609 rounded down" in output
    found = document(file, "--claim", "E=4, delta=1e-5", *DECLARED)
    assert found["claims"][0]["bound"] == {"exp_epsilon": "1271/250", "certificate": 1}
    assert run(file, "--claim", "E=1271/250, delta=1e-5", *DECLARED)[0] == 1
    assert run(file, "--claim", "E=1272/250, delta=1e-5", *DECLARED)[0] == 3


def test_undecided_says_what_would_have_been_found(tmp_path):
    """Never "holds": at which confidence the counts would refute, and the violation that as many runs find."""
    code, output, _ = run(SAMPLES / "randomized_response_1000.csv", "--claim", "E=3", *DECLARED)
    assert code == 3
    assert output.startswith("UNDECIDED")
    assert "holds" not in output.lower()
    assert "They do not refute the claim: 7219/10000 <= 3 * 2781/10000 + 0" in output
    assert "would find        P(S) = " in output
    file = written(tmp_path, f"{HEADER}yes,75,35\nno,25,65\n")
    least = document(file, "--claim", "E=2", *DECLARED)["claims"][0]["least_level"]
    kept = ["--claim", "E=2", *DECLARED, "--confidence"]
    number = int(least.split("/")[0])
    assert least == f"{number}/1000"
    assert run(file, *kept, f"{1000 - number}/1000")[0] == 1
    assert run(file, *kept, f"{1001 - number}/1000")[0] == 3


def test_several_claims_of_all_kinds(tmp_path):
    """(epsilon, delta), a trade-off function and mu: one of them refuted refutes."""
    curve = written(tmp_path, '{"breakpoints": [["0", "1"], ["1/4", "1/4"], ["1", "0"]]}', "f.json")
    file = written(tmp_path, f"{HEADER}yes,75,25\nno,25,75\n")
    claims = ["E=3/2", f"curve={curve}", "mu=1/2", "mu=2", "E=4"]
    code, output, _ = run(file, *(word for claim in claims for word in ("--claim", claim)), *DECLARED)
    assert code == 1
    assert output.startswith("REFUTED: 2 of 5 claims refuted\n")
    assert "claim             mu=1/2: refuted" in output
    assert "claim             curve=f.json: undecided" in output


@pytest.mark.parametrize(
    ("event", "options", "names", "code"),
    [
        ("declared", ("--outcome", "a"), ["a"], 1),
        ("declared", ("--outcome", "b"), ["b"], 3),
        ("declared", ("--outcome", "a", "--outcome", "b"), ["a", "b"], 1),
        ("declared", ("--outcome", "c", "--likelier-on", "Dprime"), ["c"], 1),
        ("declared", ("--outcome", "c", "--likelier-on", "either"), ["c"], 1),
        ("family:3", (), ["a"], 1),
        ("family:3", ("--likelier-on", "Dprime"), ["c"], 1),
        ("family:3", ("--likelier-on", "either"), ["c"], 1),
        ("family:1000", ("--outcome", "a"), ["a"], 1),
        ("split", ("--outcome", "a"), ["a"], 1),
    ],
)
def test_the_event_is_as_it_was_chosen(tmp_path, event, options, names, code):
    """Declared by name, the best of a family, chosen elsewhere; likelier on either input."""
    file = written(tmp_path, THREE)
    arguments = (file, "--claim", "E=2", "--event", event, *options)
    assert run(*arguments)[0] == code
    assert document(*arguments)["tested"]["outcomes"] == names


def test_split_is_chosen_by_the_other_runs(tmp_path):
    """The columns choose_on_D and choose_on_Dprime propose the event; the others are counted."""
    found = document(written(tmp_path, SPLIT), "--claim", "E=2", "--event", "split")
    assert (found["verdict"], found["tested"]["outcomes"]) == ("refuted", ["a"])
    assert found["tested"]["counts"]["first"] == {"hits": "700", "runs": "1000"}
    assert found["selection"] == {"kind": "split"}


def test_a_family_is_paid_for(tmp_path):
    """The levels of one of 12 events are 1/480 each, and the bounds are found again, not scaled."""
    found = document(written(tmp_path, TWO), "--claim", "E=2", "--event", "family:12")
    certificate = found["certificates"][0]
    assert (certificate["lower"]["level"], certificate["upper"]["level"]) == ("1/480", "1/480")
    bound = Fraction(certificate["lower"]["bound"])
    assert upper_tail(1000, bound, 750) <= Fraction(1, 480) < upper_tail(1000, bound + Fraction(1, 10000), 750)


SCORES = "canary,member,score\n" + "".join(
    f"c{k:02},{'in' if k % 3 else 'out'},{k % 3 * 10 + (k * 7) % 5}\n" for k in range(60)
)


@pytest.mark.parametrize(
    ("options", "run_of"),
    [
        (("--event", "declared", "--threshold", "10"), ("60", "60", "60")),
        (("--event", "declared", "--threshold", "3:12"), ("60", "44", "44")),
        (("--event", "split"), ("30", "26", "30")),
        (("--event", "family:60"), ("60", "60", "60")),
    ],
)
def test_canary_scores_become_guesses(tmp_path, options, run_of):
    """By a threshold, with abstentions, by the best threshold of every second canary, or the best of a family."""
    found = document(written(tmp_path, SCORES), "--claim", "E=2", *options)
    assert tuple(found["tested"]["run"][name] for name in ("canaries", "correct", "guesses")) == run_of
    assert found["verdict"] == "refuted"


def test_pairs_of_runs(tmp_path):
    """An e-value at a fixed bet, on either input."""
    file = written(tmp_path, '{"both": 30, "only_on_D": 60, "only_on_Dprime": 5, "neither": 30}', "pairs.json")
    arguments = (file, "--claim", "eps=1/2", *DECLARED, "--bet", "1/4")
    assert run(*arguments)[0] == 1
    assert "at any time with a probability of at most 1/20" in run(*arguments)[1]
    assert run(*arguments, "--likelier-on", "Dprime")[0] == 3
    swapped = '{"both": 30, "only_on_D": 5, "only_on_Dprime": 60, "neither": 30}'
    assert run(written(tmp_path, swapped, "p.json"), *arguments[1:], "--likelier-on", "Dprime")[0] == 1


def test_files_and_the_audit_of_the_same(tmp_path, monkeypatch):
    """report.json, report.md, the certificates and the input; the last command makes the same report."""
    out = tmp_path / "out"
    file = written(tmp_path, SPLIT)
    assert run(file, "--claim", "E=2", "--event", "split", "--out", out)[0] == 1
    assert sorted(path.name for path in out.iterdir()) == [
        "certificate-01.json",
        "input.csv",
        "report.html",
        "report.json",
        "report.md",
    ]
    report = json.loads((out / "report.json").read_text())
    assert (out / "input.csv").read_text() == SPLIT
    assert report["recheck"][-1] == "oracle audit input.csv --claim E=2 --event split --confidence 19/20"
    assert CliRunner().invoke(verify, [str(out / "report.json"), "--input", str(file)]).exit_code == 0
    assert CliRunner().invoke(verify, [str(out / "certificate-01.json")]).exit_code == 0
    monkeypatch.chdir(out)
    again = json.loads(run(*shlex.split(report["recheck"][-1])[2:], "--json")[1])
    assert (again["claims"], again["certificates"]) == (report["claims"], report["certificates"])
    undecided = tmp_path / "undecided"
    assert run(file, "--claim", "E=9", "--event", "split", "--out", undecided)[0] == 3
    assert CliRunner().invoke(verify, [str(undecided / "report.json")]).exit_code == 3
    assert run(file, "--claim", "E=9", "--event", "split", "--out", out)[0] == 3
    assert sorted(path.name for path in out.iterdir()) == ["input.csv", "report.html", "report.json", "report.md"]


def test_declared_facts_and_a_statement(tmp_path):
    """What is declared stands in the report as not checked, and the statement names the report and the counts."""
    out = tmp_path / "out"
    arguments = (written(tmp_path, TWO), "--claim", "E=2", *DECLARED, "--declare", "unit=one person")
    code, output, _ = run(*arguments, "--out", out, "--statement")
    assert code == 1
    assert "  declared          1 fact, not checked" in output
    assert "## Declared, not checked" in (out / "report.md").read_text()
    statement = json.loads((out / "statement.json").read_text())
    assert [subject["name"] for subject in statement["subject"]] == ["report.json", "counts.csv"]
    assert CliRunner().invoke(verify, [str(out / "report.json")]).exit_code == 0


def test_standard_input_and_python():
    """By - with a format, and by oracle.audit, the same claims."""
    arguments = ("--claim", "E=2", *DECLARED, "--json")
    first = json.loads(run("-", "--format", "csv", *arguments, stdin=TWO)[1])
    report = audit(
        {"hits_on_D": 750, "runs_on_D": 1000, "hits_on_Dprime": 250, "runs_on_Dprime": 1000}, "E=2", event="declared"
    )
    assert report.verdict == "refuted"
    assert not report.holds
    assert not report.equality
    assert report.records == []
    assert report.certificates == first["certificates"]
    other = json.loads(run("-", "--format", "tsv", *arguments, stdin=TWO.replace(",", "\t"))[1])
    assert other["input"]["parsed_sha256"] == first["input"]["parsed_sha256"]


BAD = [
    ("frequencies", f"{HEADER}yes,0.75,0.25\nno,0.25,0.75\n", "line 2, column n_on_D: expected a count"),
    ("a ratio", f"{HEADER}yes,3/4,1\nno,1,3\n", "3/4: a count is never made again from a frequency"),
    ("a percentage", f"{HEADER}yes,75%,1\nno,1,3\n", "75%: a count is never made again from a frequency"),
    ("an integral decimal", f"{HEADER}yes,750.0,1\nno,1,3\n", "750.0: a count is never made again"),
    ("a power of ten", f"{HEADER}yes,1e3,1\nno,1,3\n", "1e3: a count is never made again"),
    ("a negative count", f"{HEADER}yes,-1,1\nno,1,3\n", "expected a count at least 0, got -1"),
    ("no number", f"{HEADER}yes,many,1\nno,1,3\n", 'got "many"'),
    ("too large", f"{HEADER}yes,1000000001,1\nno,1,3\n", "expected a count of at most 1000000000"),
    ("an input without runs", f"{HEADER}yes,0,1\nno,0,3\n", "at least one run on D, got 0"),
    ("no line", HEADER, "at least one line of counts"),
    ("an outcome twice", f"{HEADER}yes,1,1\nyes,1,3\n", 'each outcome once, got "yes" twice'),
    ("a ragged line", f"{HEADER}yes,1\nno,1,3\n", "expected 3 cells as in the first line, got 2"),
    ("an empty cell", f"{HEADER}yes,,1\nno,1,3\n", "column n_on_D: expected no empty cell"),
    ("a column missing", "outcome,n_on_D\nyes,1\nno,1\n", "expected counts: the columns outcome,n_on_D,n_on_Dprime"),
    ("a column twice", "outcome,n_on_D,n_on_D,n_on_Dprime\nyes,1,1,1\n", "expected each column once"),
    (
        "one choosing column",
        "outcome,n_on_D,n_on_Dprime,choose_on_D\na,1,1,1\nb,1,1,1\n",
        "expected both of choose_on_D",
    ),
    ("probabilities", "outcome,P,Q\nyes,3/4,1/4\nno,1/4,3/4\n", "expected counts: the columns"),
    ("no member", "TP,FP,TN,FN\n0,5,5,0\n", "expected at least one member, TP + FN, got 0"),
    ("no other", "TP,FP,TN,FN\n5,0,0,5\n", "expected at least one non-member, FP + TN, got 0"),
    ("two tables", "TP,FP,TN,FN\n1,1,1,1\n1,1,1,1\n", "expected one line of counts, got 2"),
    ("an array of scores", "score\n1\n2\n", "expected scores joined with their canaries"),
    ("scores without canaries", "member,score\nin,1\nout,2\n", "expected scores joined with their canaries"),
    ("a canary twice", "canary,member,score\na,in,1\na,out,2\n", 'each canary once, got "a" twice'),
    ("a membership", "canary,member,score\na,maybe,1\nb,out,2\n", "column member: expected in or out"),
    ("nobody out", "canary,member,score\na,in,1\nb,in,2\n", "at least one canary that is out"),
]


@pytest.mark.parametrize(("text", "message"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_counts(tmp_path, text, message):
    """A clear error with its place, exit code 2, and nothing written."""
    out = tmp_path / "out"
    code, output, error = run(written(tmp_path, text), "--claim", "E=2", *DECLARED, "--out", out)
    assert (code, output) == (2, "")
    assert message in error
    assert not out.exists()


BAD_JSON = [
    ("[1, 2]", "expected scores joined with their canaries: the columns canary,member,score, got a bare array"),
    ('{"scores": [1, 2]}', "expected scores joined with their canaries"),
    ('{"m": 100, "guesses": 101, "correct": 5}', "guesses: expected at most the 100 canaries of m, got 101"),
    ('{"m": 100, "guesses": 10, "correct": 11}', "correct: expected at most the 10 guesses, got 11"),
    ('{"m": 100, "guesses": 10, "correct": -1}', "correct: expected a count at least 0, got -1"),
    ('{"m": 100, "guesses": 0, "correct": 0}', "guesses: expected at least 1, got 0"),
    ('{"m": 100, "guesses": 10, "correct": 0.9}', "0.9: a count is never made again from a frequency"),
    ('{"m": 100, "guesses": 10}', "expected the key correct beside m, guesses"),
    ('{"m": 100, "guesses": 10, "correct": 9, "n": 1}', 'got the key "n"'),
    ('{"m": true, "guesses": 1, "correct": 1}', "expected a count"),
    ('{"hits_on_D": 5, "runs_on_D": 4, "hits_on_Dprime": 1, "runs_on_Dprime": 4}', "at most the 4 runs_on_D, got 5"),
    ('{"hits_on_D": 0, "runs_on_D": 0, "hits_on_Dprime": 1, "runs_on_Dprime": 4}', "expected at least one run, got 0"),
    ('{"outcomes": ["a"], "on_D": 3, "on_Dprime": [3]}', "on_D: expected a list of counts"),
    ('{"outcomes": ["a", "b"], "on_D": [3], "on_Dprime": [3, 4]}', "expected 2 counts, got 1 on D"),
    ('{"outcomes": [1, 2], "on_D": [3, 4], "on_Dprime": [3, 4]}', "outcomes: expected a list of names"),
    ('{"both": 1, "only_on_D": 1, "only_on_Dprime": 1, "neither": 1}', "the bet that was fixed before the pairs"),
    ('{"matrix": [["1", "0"], ["0", "1"]]}', "expected counts: the columns"),
    ("3", "expected counts: the columns"),
]


@pytest.mark.parametrize(("text", "message"), BAD_JSON)
def test_bad_json(tmp_path, text, message):
    """Frequencies, counts above n, bare arrays: a clear error, exit code 2."""
    code, _, error = run(written(tmp_path, text, "counts.json"), "--claim", "E=2", *DECLARED)
    assert code == 2
    assert message in error


ONE_RUN = '{"m": 100, "guesses": 10, "correct": 9}'
PAIRS = '{"both": 1, "only_on_D": 2, "only_on_Dprime": 3, "neither": 4}'
BAD_OPTIONS = [
    (TWO, (), "--event: expected how the event was chosen"),
    (TWO, ("--event", "best"), "--event: expected how the event was chosen"),
    (TWO, ("--event", "family:0"), "expected a family of at least 1 member"),
    (TWO, ("--event", "family:-3"), "--event: expected how the event was chosen"),
    *((TWO, (*DECLARED, "--confidence", c), "--confidence: expected") for c in ("0", "1", "95", "95%", "-1/2", "x")),
    (THREE, DECLARED, "expected --outcome NAME, the event that was declared"),
    (THREE, (*DECLARED, "--outcome", "d"), 'expected the name of an outcome ("a", "b", "c"), got "d"'),
    (THREE, (*DECLARED, "--outcome", "a", "--outcome", "a"), 'expected each outcome once, got "a" twice'),
    (TWO, (*DECLARED, "--outcome", "yes", "--outcome", "no"), "all of them, which every run has"),
    (TWO, ("--event", "split"), "columns choose_on_D and choose_on_Dprime"),
    (THREE, ("--event", "family:2"), "a family of at least the 3 outcomes"),
    (TWO, (*DECLARED, "--threshold", "1"), "expected --threshold with canary scores only"),
    (TWO, (*DECLARED, "--bet", "1/4"), "expected --bet with pairs of runs only"),
    (TWO, (*DECLARED, "--pair", "a", "b"), "no --pair, since counts are of one pair of inputs"),
    (ONE_RUN, (), "--event: expected how the event was chosen"),
    (ONE_RUN, (*DECLARED, "--outcome", "x"), "--outcome with counts by outcome only"),
    (ONE_RUN, (*DECLARED, "--likelier-on", "either"), "--likelier-on with runs on two inputs only"),
    (ONE_RUN, (*DECLARED, "--direction", "forward"), "--direction with counts of an event only"),
    (PAIRS, (*DECLARED, "--bet", "2"), "expected a bet above 0 and at most 1/(e^epsilon + delta) = 0.5"),
    (PAIRS, (*DECLARED, "--bet", "0"), "--bet: expected a bet above 0"),
    (PAIRS, (*DECLARED, "--bet", "1/4", "--likelier-on", "either"), "a bet is made on one of the two"),
    (SCORES, DECLARED, "expected --threshold T, the rule of the guesses that was declared"),
    (SCORES, ("--event", "family:3"), "a family of at least the 15 different scores"),
    (SCORES, (*DECLARED, "--threshold", "x"), "--threshold: expected a number"),
    (SCORES, (*DECLARED, "--threshold", "2:1"), "expected LOW:HIGH with LOW at most HIGH"),
    (SCORES, (*DECLARED, "--threshold", "1:2:3"), "expected a threshold T, or LOW:HIGH"),
]


@pytest.mark.parametrize(("text", "options", "message"), BAD_OPTIONS)
def test_bad_options(tmp_path, text, options, message):
    """Selection not declared, level outside (0, 1), family of size 0, options that do not fit: exit code 2."""
    file = written(tmp_path, text, "counts.json" if text.startswith("{") else "counts.csv")
    code, output, error = run(file, "--claim", "E=2", *options)
    assert (code, output) == (2, "")
    assert message in error


@pytest.mark.parametrize(
    ("text", "claim", "options"),
    [
        (TWO, "rho=1", ()),
        (TWO, "rdp=2:1", ()),
        (ONE_RUN, "rho=1", ()),
        (PAIRS, "mu=1", ("--bet", "1/4")),
        (PAIRS, "eps=inf", ("--bet", "1/4")),
        (SCORES, "E=2,delta=1/10", ("--threshold", "3:12")),
    ],
)
def test_claims_that_counts_do_not_test(tmp_path, text, claim, options):
    """Declined, exit code 2: Renyi divergences, other claims on pairs, abstentions by score where delta > 0."""
    file = written(tmp_path, text, "counts.json" if text.startswith("{") else "counts.csv")
    code, output, error = run(file, "--claim", claim, *DECLARED, *options)
    assert (code, output) == (2, "")
    assert error


def test_options_of_counts_do_not_go_with_probabilities():
    """In Python, where the source is no file."""
    with pytest.raises(OracleError, match="expected counts beside event, got probabilities"):
        audit(Channel([["3/4", "1/4"], ["1/4", "3/4"]]), "E=2", event="declared")
    with pytest.raises(OracleError, match="counts are of one pair of inputs"):
        audit(json.loads(ONE_RUN), "E=2", event="declared", pairs=[("a", "b")])
    with pytest.raises(OracleError, match="expected D, Dprime or either"):
        audit(json.loads(ONE_RUN), "E=2", event="declared", likelier_on="P")
