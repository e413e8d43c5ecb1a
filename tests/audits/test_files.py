"""Writing a report: all or nothing, and what cannot be written to."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.audits.files import report_files, write_files
from oracle.audits.run import audit
from oracle.errors import InputError

WARNER = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}


def test_files_of_a_report():
    """One for each certificate, numbered with as many digits as it takes, and the report last."""
    assert list(report_files(audit(WARNER, "exp_eps=3"))) == ["certificate-01.json", "report.json"]
    names = list(report_files(audit(WARNER, ["exp_eps=3"] * 100)))
    assert (names[0], names[99], names[100]) == ("certificate-001.json", "certificate-100.json", "report.json")


def test_files_are_written_over(tmp_path):
    """The directory is made, other files in it stay."""
    target = tmp_path / "x" / "y"
    assert write_files(target, {"a": "1", "b": "ü\n"}) == [target / "a", target / "b"]
    (target / "c").write_text("kept")
    write_files(target, {"a": "2"})
    assert {path.name: path.read_bytes() for path in target.iterdir()} == {
        "a": b"2",
        "b": "ü\n".encode(),
        "c": b"kept",
    }


def test_interrupted_run_leaves_no_half_file(tmp_path, monkeypatch):
    """An interrupt between the files leaves nothing new under any name."""
    write = Path.write_text

    def interrupted(self, text, **options):
        write(self, text[: len(text) // 2], **options)
        if ".b." in self.name:
            raise KeyboardInterrupt
        return len(text)

    monkeypatch.setattr(Path, "write_text", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_files(tmp_path, {"a": "1111", "b": "2222"})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_directory_that_is_a_file_is_refused(tmp_path, place):
    """It is left as it was."""
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="a directory that can be written to"):
        write_files(tmp_path / place, {"a": "1"})
    assert (tmp_path / "file").read_text() == "mine"
