"""Folders of results are read whole, and a list of root causes that is not one is refused with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oracle.errors import InputError
from oracle.render.conformance_libraries import Library, listed, read_libraries, read_library
from oracle.render.conformance_stream import SEVERITY
from tests.render.conformance_streams import CAUSE, EVERY, hostile, run, write_libraries


def test_every_folder_with_a_stream_is_a_library(tmp_path: Path) -> None:
    """In the order of the names; other folders and files are passed over."""
    write_libraries(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "index.html").write_text("", encoding="utf-8")
    other, some = read_libraries(tmp_path)
    assert (other.title, other.causes, other.files) == ("other 2", (), ("stream.jsonl",))
    assert (some.title, some.files) == ("some-lower 1.2.3", ("report.md", "stream.jsonl"))
    (cause,) = some.causes
    assert (cause.source, cause.printed) == ('print("<delta>")\n', "0.0 < 1e-40\n")
    assert (cause.answer, cause.truth) == ("7.1746481373430634e-43, as 0x1p-140", "1e-40 to 1.1e-40")
    assert some.cause_of == {"profile/unsound": cause, "law:gone": cause}


def test_a_directory_without_a_stream_is_refused(tmp_path: Path) -> None:
    """Rather than an empty page."""
    with pytest.raises(InputError, match=r"folders with stream\.jsonl, got none in it"):
        read_libraries(tmp_path)


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ("{}", ": expected a list of root causes"),
        ("[1]", r"\[0\]: expected a root cause, an object, got 1"),
        ([{key: value for key, value in CAUSE.items() if key != "class"}], r"\[0\].class: expected a text, got null"),
        ([CAUSE | {"slug": "../up"}], r"\[0\].slug: expected a name of a-z"),
        ([CAUSE, CAUSE], r"\[1\].slug: expected slugs that differ, got tiny-delta"),
        ([CAUSE | {"cases": "profile/unsound"}], r"\[0\].cases: expected a list of cases"),
        ([CAUSE | {"script": "javascript:alert(1)"}], r"\[0\].script: expected the name of a file in the same folder"),
        ([CAUSE | {"output": "../up.txt"}], r"\[0\].output: expected the name of a file in the same folder"),
        ("[", "findings.json: expected"),
    ],
)
def test_what_is_no_list_of_root_causes_is_refused(tmp_path: Path, document: Any, where: str) -> None:
    """With the file, the entry and the key."""
    write_libraries(tmp_path)
    text = document if isinstance(document, str) else json.dumps(document)
    (tmp_path / "some-lower/findings.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=where) as caught:
        read_library(tmp_path / "some-lower")
    assert "some-lower/findings.json" in str(caught.value)


def test_a_script_that_is_not_there_is_named_alone(tmp_path: Path) -> None:
    """The list may come before the scripts."""
    write_libraries(tmp_path)
    (tmp_path / "some-lower/tiny-delta.py").unlink()
    (cause,) = read_library(tmp_path / "some-lower").causes
    assert (cause.script, cause.source) == ("tiny-delta.py", "")


def test_what_needs_a_look_comes_the_worst_first() -> None:
    """Loose answers last or not at all; passing and declined ones never."""
    (group,) = run(EVERY).concepts
    assert tuple(result.verdict for result in listed(group, loose=True)) == SEVERITY
    assert tuple(result.verdict for result in listed(group, loose=False)) == SEVERITY[:-1]


def test_an_address_leads_to_the_folder_whatever_its_name() -> None:
    """It is no address of another kind, and no part of the name ends it."""
    library = Library(hostile(), "javascript:a b#?")
    assert library.address("stream.jsonl") == "./javascript%3Aa%20b%23%3F/stream.jsonl"
