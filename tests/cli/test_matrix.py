"""``oracle matrix``: the pages about several libraries."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.render import conformance_html, conformance_index
from oracle.render.conformance_libraries import Library, read_libraries
from tests.cli.process import run
from tests.render.conformance_streams import write_libraries

COMMITTED = Path(__file__).parents[2] / "reports/conformance"
LARGEST = 3 * 10**6


@pytest.fixture(scope="module")
def committed() -> list[Library]:
    """The libraries of the committed reports."""
    return read_libraries(COMMITTED)


def test_the_committed_pages_say_what_the_committed_streams_say(committed: list[Library]) -> None:
    """Nothing is edited by hand."""
    page, text = ((COMMITTED / name).read_text(encoding="utf-8") for name in ("index.html", "index.md"))
    beside = ["incidents.md", "searches.md"]
    assert page == conformance_html.render(committed, every_case=False, beside=beside)
    assert text == conformance_index.render(committed, beside)


def test_the_committed_page_is_small_enough_for_a_phone(committed: list[Library]) -> None:
    """However many cases passed."""
    assert sum(len(library.run.results) for library in committed) > 2000 * len(committed)
    assert (COMMITTED / "index.html").stat().st_size < LARGEST


def test_the_files_to_which_the_committed_pages_lead_are_there(committed: list[Library]) -> None:
    """Scripts of root causes and what they printed, reports and streams."""
    for library in committed:
        names = [*library.files, *(name for cause in library.causes for name in (cause.script, cause.output) if name)]
        assert [name for name in names if not (COMMITTED / library.folder / name).is_file()] == []


def test_the_pages_stand_beside_the_folders(tmp_path: Path) -> None:
    """Both say what is in the folders, the same at each call."""
    write_libraries(tmp_path)
    done = run("matrix", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"wrote {tmp_path / 'index.html'}\nwrote {tmp_path / 'index.md'}\n"
    page, text = ((tmp_path / name).read_text(encoding="utf-8") for name in ("index.html", "index.md"))
    libraries = read_libraries(tmp_path)
    assert page == conformance_html.render(libraries, every_case=False)
    assert text == conformance_index.render(libraries)


def test_other_pages_in_the_folder_are_linked(tmp_path: Path) -> None:
    """Markdown, whatever its name; without any the pages say nothing of them."""
    write_libraries(tmp_path)
    run("matrix", str(tmp_path))
    assert "Also here" not in (tmp_path / "index.md").read_text() + (tmp_path / "index.html").read_text()
    (tmp_path / "our notes <1>.md").write_text("# Notes")
    run("matrix", str(tmp_path))
    link = "./our%20notes%20%3C1%3E.md"
    assert f"]({link})" in (tmp_path / "index.md").read_text()
    assert f'<a href="{link}">our notes &lt;1&gt;.md</a>' in (tmp_path / "index.html").read_text()


def test_a_directory_without_results_is_refused(tmp_path: Path) -> None:
    """Exit code 2, and nothing is written."""
    for directory in (tmp_path, tmp_path / "missing"):
        done = run("matrix", str(directory))
        assert done.returncode == 2
        assert (
            done.stderr == f"oracle: {directory}: expected a directory of folders with stream.jsonl, got none in it\n"
        )
    assert list(tmp_path.iterdir()) == []


def test_a_stream_that_is_none_is_refused_with_its_place(tmp_path: Path) -> None:
    """The other libraries' pages stay as they are."""
    write_libraries(tmp_path)
    (tmp_path / "index.html").write_text("before", encoding="utf-8")
    (tmp_path / "other/stream.jsonl").write_text("{}\n{}\n", encoding="utf-8")
    done = run("matrix", str(tmp_path))
    assert done.returncode == 2
    assert "other/stream.jsonl, line 1" in done.stderr
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == "before"
