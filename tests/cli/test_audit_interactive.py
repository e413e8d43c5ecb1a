"""``oracle audit`` of interactive mechanisms, end to end: verdicts, files, the checker on its own, bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from oracle.certificates.checker import Accepted, check_all
from oracle.cli.audit import audit
from oracle.errors import OracleError
from tests.cli.process import ROOT, run
from tests.vectors.fixture_files import FIXTURES, SCHEMAS, read_json

FOLDER = FIXTURES / "interactive"
INDEX = read_json(FOLDER / "index.json")
AUDITS = [(entry["file"], audited) for entry in INDEX for audited in entry["audits"]]
REPORT = Draft202012Validator(read_json(SCHEMAS / "report.schema.json"))
CERTIFICATE = Draft202012Validator(read_json(SCHEMAS / "certificate.schema.json"))
CODES = {"holds": 0, "refuted": 1}
BROKEN = FOLDER / "sparse_vector_no_query_noise.json"
CURVE = {"breakpoints": [["0", "9/10"], ["1/4", "1/8"], ["1", "0"]]}

REPORTS = ("report.html", "report.json", "report.md")


def checker(*arguments):
    """The checker as a program of its own, on the standard library alone."""
    command = [sys.executable, "-I", "-c", CHECKER, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, cwd=ROOT, text=True, check=False)


CHECKER = (
    f"import sys; sys.path[:] = [p for p in sys.path if 'site-packages' not in p] + [{str(ROOT)!r}]; "
    "from oracle.certificates.checker.__main__ import main; sys.exit(main(sys.argv[1:]))"
)


def invoke(*arguments):
    """The command in this process."""
    return CliRunner().invoke(audit, list(map(str, arguments)))


@pytest.mark.parametrize(("name", "stated"), AUDITS, ids=lambda value: value if isinstance(value, str) else None)
def test_every_fixture_has_its_stated_verdict(name, stated):
    """And its tight values; the report has its schema, every certificate too, and the checker accepts all."""
    claims = [word for claim in stated["claims"] for word in ("--claim", claim)]
    result = invoke(FOLDER / name, *claims, "--json")
    assert result.exit_code == CODES[stated["verdict"]]
    document = json.loads(result.stdout)
    assert document["verdict"] == stated["verdict"]
    (claim,) = document["claims"]
    assert claim["tight_exp_epsilon"] == stated["tight_exp_epsilon"]
    assert claim["tight_delta"] == stated["tight_delta"]
    assert document["total_variation"] == stated["total_variation"]
    assert [error.message for error in REPORT.iter_errors(document)] == []
    assert all(CERTIFICATE.is_valid(certificate) for certificate in document["certificates"])
    (result,) = document["results"]
    kind = "simulation" if stated["verdict"] == "holds" else "adversary"
    assert result["evidence"]["kind"] == kind
    outcomes = [found for _, found in check_all(json.dumps(document))]
    assert all(isinstance(found, Accepted) for found in outcomes)
    decided = f"interactive_{'held' if stated['verdict'] == 'holds' else 'refuted'}"
    assert [found.kind for found in outcomes] == ["report", decided, "simulation"]


def test_the_broken_variants_are_refuted_with_a_view():
    """Every mechanism called broken: at least one view in the event, and the inequality that it violates."""
    broken = {entry["file"] for entry in INDEX if "broken" in entry["title"]}
    assert {"sparse_vector_no_query_noise.json", "sparse_vector_noise_not_refreshed.json"} <= broken
    for name, stated in AUDITS:
        if name in broken and stated["verdict"] == "refuted":
            result = invoke(FOLDER / name, "--claim", stated["claims"][0], "--json")
            evidence = json.loads(result.stdout)["results"][0]["evidence"]
            assert evidence["event"]
            assert all(view["steps"] for view in evidence["event"])
            assert evidence["strategy"]
            assert evidence["inequality"]["relation"] == ">"
            broken.discard(name)
    assert broken == set()


def test_the_folder_of_a_report(tmp_path):
    """All files; the checker accepts them on its own, also against the input; the same audit again gives the same."""
    curve = tmp_path / "f.json"
    curve.write_text(json.dumps(CURVE))
    out = tmp_path / "out"
    claims = [*("--claim", "exp_eps=8"), *("--claim", "mu=1"), *("--claim", f"curve={curve}"), *("--claim", "eps=1")]
    done = run("audit", str(BROKEN), *claims, "--out", str(out))
    assert (done.returncode, done.stderr) == (1, "")
    names = sorted(path.name for path in out.iterdir())
    certificates = [f"certificate-0{k}.json" for k in range(1, 6)]
    assert names == [*certificates, "curve-01.json", "input.json", *REPORTS, "tree.svg"]
    assert (out / "input.json").read_bytes() == BROKEN.read_bytes()
    accepted = checker(out / "report.json", "--input", BROKEN)
    assert (accepted.returncode, accepted.stderr) == (0, "")
    assert len(accepted.stdout.splitlines()) > 6
    assert "is the input of the report, byte for byte" in accepted.stdout
    assert checker(*(out / name for name in certificates)).returncode == 0
    assert run("verify", str(out / "report.json"), "--input", str(BROKEN)).returncode == 0
    other = checker(out / "report.json", "--input", FOLDER / "sparse_vector.json")
    assert other.returncode == 1
    assert "is not the SHA-256 of the file" in other.stdout
    again = read_json(out / "report.json")["recheck"][-1]
    assert again == "oracle audit input.json --claim exp_eps=8 --claim mu=1 --claim curve=curve-01.json --claim eps=1"
    second = run(*again.split()[1:], "--json", cwd=out)
    first, same = read_json(out / "report.json"), json.loads(second.stdout)
    assert (second.returncode, same["verdict"]) == (1, first["verdict"])
    assert same["certificates"] == first["certificates"]


def test_the_report_in_words(tmp_path):
    """The tree with the views marked, the strategy, the views, the certificates; the drawing is an SVG with a title."""
    out = tmp_path / "out"
    done = invoke(BROKEN, "--claim", "exp_eps=8", "--out", out)
    assert done.stdout.startswith("REFUTED: epsilon = log(8), delta = 0\n")
    assert "tree of 27 nodes, depth 6" in done.stdout
    assert "first: ask 0|0" in done.stdout
    assert "ask 1|0, hear above: 1/6 (0.166666 rounded down), 0\n" in done.stdout
    text = (out / "report.md").read_text(encoding="utf-8")
    assert "![The tree, as a drawing](tree.svg)" in text
    assert "    * │     │     ├─ ask 1|0" in text
    assert "- adversary: first: ask 0\\|0" in text
    assert "| 2 | the mechanism | `P`, `Q` | tight channel | simulation |" in text
    root = ET.parse(out / "tree.svg").getroot()  # noqa: S314 - our own file
    assert root.find("{http://www.w3.org/2000/svg}title").text.startswith(
        "Above threshold without noise on the queries"
    )
    held = invoke(FOLDER / "sparse_vector.json", "--claim", "exp_eps=8")
    assert held.exit_code == 0
    assert "worst case of the claim times W = N; every view is a post-processing of one sample of N" in held.stdout


def test_a_second_report_takes_the_place_of_the_first(tmp_path):
    """Also of a table after a tree: its drawing and certificates are gone; what else is there stays."""
    out = tmp_path / "out"
    invoke(BROKEN, "--claim", "exp_eps=8", "--claim", "eps=1", "--out", out)
    (out / "mine.txt").write_text("kept")
    table = tmp_path / "table.json"
    table.write_text('{"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}')
    assert invoke(table, "--claim", "exp_eps=3", "--out", out).exit_code == 0
    assert sorted(path.name for path in out.iterdir()) == [*("certificate-01.json", "input.json", "mine.txt", *REPORTS)]


def test_directions_and_equality():
    """One direction of a mechanism that is not symmetric; a claim at its tight value holds with equality."""
    name = str(FOLDER / "interleaving.json")
    held = invoke(name, "--claim", "exp_eps=1,delta=1/2", "--direction", "forward", "--json")
    document = json.loads(held.stdout)
    assert (held.exit_code, document["equality"], document["direction"]) == (0, True, "forward")
    assert check_all(held.stdout)[0][1].kind == "report"
    refuted = invoke(name, "--claim", "exp_eps=1,delta=1/4", "--direction", "backward", "--json")
    (result,) = json.loads(refuted.stdout)["results"]
    assert (refuted.exit_code, result["tight_delta"]) == (1, "1/2")
    assert result["evidence"]["direction"] == "backward"
    assert result["evidence"]["inequality"]["left"] == "Q(S) - e^epsilon P(S)"


def test_stdin_and_pair():
    """Through a pipe; the one pair may be named."""
    data = BROKEN.read_bytes()
    done = run("audit", "-", "--claim", "exp_eps=8", "--pair", "P", "Q", stdin=data)
    assert (done.returncode, done.stdout[:7]) == (1, "REFUTED")
    other = run("audit", "-", "--claim", "exp_eps=8", "--pair", "A", "B", stdin=data)
    assert other.returncode == 2
    assert "no pairs, since the mechanism is one pair of laws" in other.stderr


BAD = [
    ('{"query": {"A": {"answer": {"x": {"p": "1/2", "q": "1"}}}}}', 'interactive.query["A"].answer: expected p that'),
    ('{"answer": {"x": {"p": "1", "q": "1/2"}}}', "interactive.answer: expected q that sum to 1"),
    (
        '{"query": {"A": {"answer": {"x": {"q": "1"}}}}}',
        'interactive.query["A"].answer["x"]: expected the probabilities',
    ),
    (
        '{"query": {"A": {"answer": {"x": {"p": "1"}}}}}',
        'interactive.query["A"].answer["x"]: expected the probabilities',
    ),
    (
        '{"answer": {"x": {"p": "3/2", "q": "1"}, "y": {"p": "-1/2", "q": "0"}}}',
        'interactive.answer["y"].p: expected a',
    ),
    ('{"answer": {}}', "interactive.answer: expected at least one branch"),
    ('{"query": {"A": null, "A": null}}', 'expected every key once, got the key "A" twice'),
    ('{"query": {"A": {"ref": "n"}}}', 'interactive.query["A"].ref: expected the name of a node'),
]


@pytest.mark.parametrize(("node", "message"), BAD)
def test_bad_trees_exit_with_two_and_their_path(tmp_path, node, message):
    """Nothing is written, and the message begins with the file and names the node."""
    path, out = tmp_path / "tree.json", tmp_path / "out"
    path.write_text(f'{{"interactive": {node}}}')
    result = invoke(path, "--claim", "eps=1", "--out", out)
    assert isinstance(result.exception, OracleError)
    assert message in str(result.exception)
    assert not out.exists()


@pytest.mark.parametrize(
    ("tree", "claim", "message"),
    [
        ({"interactive": {"ref": "a"}, "nodes": {"a": {"query": {"x": {"ref": "a"}}}}}, "eps=1", "a cycle"),
        ("a long chain", "eps=1", "expected a tree of depth at most 1000"),
        ({"interactive": None}, "alpha=1", "--claim: expected a claim"),
        ({"interactive": None}, "rho=1", "trade-off and mu claims are decided"),
        ({"interactive": None, "matrix": []}, "eps=1", 'got the key "matrix"'),
        ({"interactive": None, "nodes": {"a": None}}, "eps=1", "expected only named nodes that are referred to"),
    ],
)
def test_other_bad_input_is_refused(tmp_path, tree, claim, message):
    """A cycle, a tree over the limit, unknown and declined claims, keys and names that have no place."""
    path = tmp_path / "tree.json"
    path.write_text(json.dumps(long_chain() if isinstance(tree, str) else tree))
    result = invoke(path, "--claim", claim, "--out", tmp_path / "out")
    assert isinstance(result.exception, OracleError)
    assert message in str(result.exception)
    assert not (tmp_path / "out").exists()


def test_a_process_exits_with_two(tmp_path):
    """With one line on stderr, which begins with the file and the path of the node."""
    (tmp_path / "tree.json").write_text(f'{{"interactive": {BAD[0][0]}}}')
    done = run("audit", "tree.json", "--claim", "eps=1", "--out", "out", cwd=tmp_path)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert done.stderr.startswith('oracle: tree.json.interactive.query["A"].answer: expected p that sum to 1')
    assert not (tmp_path / "out").exists()


def long_chain():
    """A tree one node deeper than the limit, in pieces."""
    nodes = {f"n{k}": {"query": {"x": {"ref": f"n{k + 1}"}}} for k in range(1001)}
    return {"interactive": {"ref": "n0"}, "nodes": {**nodes, "n1001": None}}
