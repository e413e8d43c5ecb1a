"""What README.md shows is run: its Python, its requests; and what it counts is counted."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from oracle.answers import answer_line
from oracle.certificates import checker

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
REQUESTS = re.findall(r"^\$ echo '(\{.*\})' \| oracle answer\n(\{.*\})$", TEXT, re.MULTILINE)


def agrees(shown: str, comment: str) -> bool:
    """Whether the text of a value is the comment, or its part before a colon, comma or semicolon; ... is anything."""
    ends = [found.start() for found in re.finditer(r"[:,;] ", comment)]
    parts = [re.escape(comment[:end]).replace(r"\.\.\.", ".*") for end in (*ends, len(comment))]
    return any(re.fullmatch(part, shown, re.DOTALL) for part in parts)


@pytest.mark.parametrize(
    ("shown", "comment", "right"),
    [
        ("Fraction(1, 4)", "Fraction(1, 4)", True),
        ("True", "True: equality holds", True),
        ("Box(lo=1, hi=2)", "Box(lo=..., hi=...), proved", True),
        ("False", "True: equality holds", False),
        ("Fraction(1, 41)", "Fraction(1, 4)", False),
    ],
)
def test_a_comment_is_compared_with_the_value(shown: str, comment: str, *, right: bool) -> None:
    """So that the next test can fail."""
    assert agrees(shown, comment) is right


@pytest.mark.parametrize("block", BLOCKS, ids=[f"block {k}" for k in range(1, len(BLOCKS) + 1)])
def test_the_python_runs_and_its_comments_are_true(block: str) -> None:
    """Statement by statement; the value of an expression with a comment is as the comment says."""
    names: dict[str, object] = {}
    compared = 0
    for statement in ast.parse(block).body:
        source = ast.get_source_segment(block, statement)
        assert source is not None
        line = block.splitlines()[(statement.end_lineno or statement.lineno) - 1]
        comment = line.partition("  # ")[2]
        if isinstance(statement, ast.Expr):
            value = eval(source, names)  # noqa: S307 - the README is ours
            assert comment, source
            assert agrees(repr(value), comment), f"{source} is {value!r}"
            compared += 1
        else:
            exec(source, names)  # noqa: S102 - the README is ours
    assert compared


@pytest.mark.parametrize(("request_line", "reply"), REQUESTS)
def test_the_requests_are_answered_as_shown(request_line: str, reply: str) -> None:
    """Each line of a request, with the line after it."""
    assert answer_line(request_line) == json.loads(reply)


def test_there_are_python_blocks_and_requests() -> None:
    """Nothing is left out because its marks have changed."""
    assert len(BLOCKS) == TEXT.count("```python")
    assert len(REQUESTS) == TEXT.count("| oracle answer\n")
    assert BLOCKS
    assert REQUESTS


def test_the_size_of_the_checker_is_about_what_is_said() -> None:
    """Within a tenth."""
    (said,) = re.findall(r"a separate package of about ([0-9,]+) lines", TEXT)
    modules = list(Path(checker.__file__).parent.glob("*.py"))
    lines = sum(len(module.read_text(encoding="utf-8").splitlines()) for module in modules)
    assert abs(lines - int(said.replace(",", ""))) * 10 <= lines
    assert "in some forty files" in TEXT
    assert 35 <= len(modules) <= 45
