"""``oracle tree``: the tree as text, its guarantee, JSON, a drawing."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from oracle.cli.tree import tree
from oracle.interactive.reading import parse_interactive
from oracle.render.trees import tree_svg
from tests.cli.process import run
from tests.vectors.fixture_files import FIXTURES, read_json

FOLDER = FIXTURES / "interactive"
TREE = FOLDER / "interleaving.json"
SHOWN = """\
A mechanism of which two copies reveal more when interleaved: 2 query nodes, 3 answer nodes, depth 4
└─ ask ask  #1
   ├─ hear 0: 3/4 | 1/2  #2
   │  ├─ ask A  #3
   │  │  ├─ hear 0: 1 | 1/2, end
   │  │  └─ hear 1: 0 | 1/2, end
   │  └─ ask B  #4
   │     ├─ hear 0: 1/2 | 1, end
   │     └─ hear 1: 1/2 | 0, end
   └─ hear 1: 1/4 | 1/2, end

adversaries       2
tight exp_epsilon inf (no epsilon serves at delta = 0)
total variation   1/2 (0.5)
SHA-256           9af40455bf0f48cfafa1b6193728c09538ce8e4b9c1495c6aca7c295eebd1b27

corners of T(P, Q), the largest below those of all views
alpha        beta
0            3/4 (0.75)
1/4 (0.25)   1/4 (0.25)
5/8 (0.625)  0
1            0
"""


def test_the_tree_as_text():
    """Every line of a small one, from a file and from stdin."""
    assert run("tree", str(TREE)).stdout == SHOWN
    done = run("tree", "-", stdin=TREE.read_bytes())
    assert (done.returncode, done.stdout, done.stderr) == (0, SHOWN, "")


def test_a_large_tree_is_cut_short():
    """After so many lines the rest is counted."""
    result = CliRunner().invoke(tree, [str(FOLDER / "sparse_vector.json"), "--lines", "5"])
    lines = result.stdout.splitlines()
    assert lines[6].endswith("more subtrees not shown")
    assert lines[8] == "adversaries       256"


def test_the_facts_as_json():
    """Size, hash and tight guarantee; the value of the index."""
    result = CliRunner().invoke(tree, [str(FOLDER / "sparse_vector.json"), "--json"])
    facts = json.loads(result.stdout)
    assert (facts["nodes"], facts["depth"], facts["adversaries"]) == (151, 8, "256")
    assert (facts["tight_exp_epsilon"], facts["total_variation"]) == ("4447/674", "47528/263655")
    assert facts["sha256"] == parse_interactive(read_json(FOLDER / "sparse_vector.json")).hash
    assert facts["tradeoff"]["breakpoints"][0] == ["0", "1"]


def test_the_drawing(tmp_path):
    """Written into the file, no directory being made for it; the same bytes as the drawing of the tree."""
    out = tmp_path / "new" / "tree.svg"
    done = run("tree", str(TREE), "--svg", str(out))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("oracle: --svg: expected a file in a directory that is there, got no directory ")
    assert not out.parent.exists()
    out.parent.mkdir()
    result = CliRunner().invoke(tree, [str(TREE), "--svg", str(out)])
    assert (result.exit_code, result.stdout) == (0, SHOWN)
    assert out.read_text(encoding="utf-8") == tree_svg(parse_interactive(read_json(TREE)))


@pytest.mark.parametrize(
    ("data", "arguments", "message"),
    [
        (
            b'{"interactive": {"answer": {"x": {"p": "1"}}}}',
            [],
            'stdin.interactive.answer["x"]: expected the probabilities',
        ),
        (
            b'{"matrix": []}',
            [],
            'stdin: expected an interactive mechanism {"interactive": NODE}, got a table: use oracle audit',
        ),
        (
            b'{"mechanism": "laplace"}',
            [],
            'stdin: expected an interactive mechanism {"interactive": NODE}, got a mechanism that answers once: use',
        ),
        (
            b'{"interactive": {"query": {"A": {"answer": {"x": 1, "x": 2}}}}}',
            [],
            'stdin: expected every key once, got the key "x" twice in interactive.query["A"].answer',
        ),
        (
            b'{"interactive": null, "b": 1}',
            [],
            'stdin: expected only the keys interactive, name, nodes, got the key "b"',
        ),
        (b"{}", [], 'stdin: expected the key "interactive"'),
        (b"[", [], "stdin: expected JSON"),
        (b"\xff", [], "stdin: expected UTF-8 text, got the byte 0xff at 0"),
        (b'{"interactive": null}', ["--svg", ""], "--svg: expected a file, got empty text"),
        (b'{"interactive": null}', ["--svg", "/"], "--svg: expected a file, got a directory"),
    ],
)
def test_bad_input_exits_with_two(data, arguments, message):
    """One line that names the place."""
    done = run("tree", "-", *arguments, stdin=data)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"oracle: {message}")


def test_a_missing_file_exits_with_two():
    """As everywhere."""
    done = run("tree", "no-such.json")
    assert done.returncode == 2
    assert "no-such.json" in done.stderr


def test_the_example_of_the_readme_is_a_tree():
    """The document in the section on interactive mechanisms is read; its first answer is as written."""
    text = (FIXTURES / "README.md").read_text(encoding="utf-8")
    section = text[text.index("## `interactive/`") :]
    (found,) = re.findall(r"^    (\{.*?\n\n)", section, re.MULTILINE | re.DOTALL)[:1]
    mechanism = parse_interactive(json.loads(found))
    assert mechanism.name == "Two questions, one answer each"
    assert [label for label, _ in mechanism.root.options] == ["age", "stop"]


def test_the_help_has_examples():
    """And the form of a tree."""
    shown = run("tree", "--help").stdout
    assert "oracle tree mechanism.json --svg tree.svg" in shown
    assert '"interactive"' in shown
