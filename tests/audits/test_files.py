"""Writing a report: all or nothing, and what cannot be written to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oracle.audits.files import report_files, write_files
from oracle.audits.run import audit
from oracle.errors import InputError

WARNER = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_files_of_a_report(tmp_path):
    """The input and claimed curves, one file for each certificate, with as many digits as it takes, the report last."""
    assert list(report_files(audit(WARNER, "exp_eps=3"))) == ["input.json", "certificate-01.json", "report.json"]
    listed = list(report_files(audit(WARNER, ["exp_eps=3"] * 100)))
    assert (listed[1], listed[100], listed[101]) == ("certificate-001.json", "certificate-100.json", "report.json")
    table = tmp_path / "t.csv"
    table.write_bytes(b"\xef\xbb\xbfoutcome,p,q\r\na,0.5,0.25\r\nb,0.5,0.75\r\n")
    curve = {"tradeoff": {"breakpoints": [["0", "1"], ["1/4", "1/4"], ["1", "0"]]}}
    files = report_files(audit(table, ["exp_eps=3", curve]))
    assert list(files)[:2] == ["input.csv", "curve-01.json"]
    assert files["input.csv"] == table.read_bytes()
    assert json.loads(files["curve-01.json"]) == curve["tradeoff"]


def test_files_are_written_over(tmp_path):
    """The directory is made, other files in it stay."""
    target = tmp_path / "x" / "y"
    assert write_files(target, {"a": b"1", "b": "ü\n".encode()}) == [target / "a", target / "b"]
    (target / "c").write_text("kept")
    write_files(target, {"a": b"2"})
    assert {path.name: path.read_bytes() for path in target.iterdir()} == {
        "a": b"2",
        "b": "ü\n".encode(),
        "c": b"kept",
    }


def test_files_of_an_earlier_report_are_removed(tmp_path):
    """Exactly those that its report.json lists."""
    write_files(tmp_path, report_files(audit(WARNER, ["exp_eps=3", "exp_eps=2", "exp_eps=4"])))
    (tmp_path / "notes.txt").write_text("mine")
    write_files(tmp_path, report_files(audit({"mechanism": "laplace", "scale": "1"}, "eps=1")))
    assert names(tmp_path) == ["input.json", "notes.txt", "record-01.json", "report.json"]
    write_files(tmp_path, report_files(audit(WARNER, "exp_eps=3")))
    assert names(tmp_path) == ["certificate-01.json", "input.json", "notes.txt", "report.json"]


@pytest.mark.parametrize("name", ["certificate-07.json", "record-01.json", "curve-01.json", "input.csv"])
def test_files_of_no_report_are_not_joined(tmp_path, name):
    """What would be taken for a part of the report is refused, and left."""
    (tmp_path / name).write_text("{}")
    with pytest.raises(InputError, match=f"got {name}"):
        write_files(tmp_path, report_files(audit(WARNER, "exp_eps=3")))
    assert names(tmp_path) == [name]


@pytest.mark.parametrize("text", ["{}", "[", '{"report": "other"}', '["audit"]'])
def test_another_report_is_not_written_over(tmp_path, text):
    """A report.json that is of no audit is somebody else's."""
    (tmp_path / "report.json").write_text(text)
    with pytest.raises(InputError, match="is of an audit"):
        write_files(tmp_path, report_files(audit(WARNER, "exp_eps=3")))
    assert (tmp_path / "report.json").read_text() == text


@pytest.mark.parametrize("method", ["write_bytes", "replace"])
@pytest.mark.parametrize("fault", [KeyboardInterrupt, ZeroDivisionError])
def test_interrupted_run_leaves_no_file(tmp_path, monkeypatch, method, fault):
    """A fault between the files, while they are written or renamed, leaves nothing new under any name."""
    whole = getattr(Path, method)

    def interrupted(self, argument):
        if ".b." in self.name:
            raise fault
        return whole(self, argument)

    monkeypatch.setattr(Path, method, interrupted)
    with pytest.raises(fault):
        write_files(tmp_path / "new" / "folder", {"a": b"1111", "b": b"2222", "c": b"3333"})
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_run_leaves_the_earlier_report(tmp_path, monkeypatch):
    """A run that is stopped between the files leaves the report that was there, whole, and nothing of its own."""
    write_files(tmp_path, report_files(audit(WARNER, "exp_eps=3")))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    whole = Path.replace

    def interrupted(self, target):
        if target.name == "certificate-01.json" and self.suffix == ".tmp":
            raise KeyboardInterrupt
        return whole(self, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_files(tmp_path, report_files(audit(WARNER, "exp_eps=2")))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_report_is_the_last_to_come_and_the_first_to_go(tmp_path, monkeypatch):
    """So that a run that is killed between the files leaves no report.json of either audit."""
    write_files(tmp_path, report_files(audit(WARNER, "exp_eps=3")))
    steps = []
    for method in ("unlink", "replace"):
        whole = getattr(Path, method)

        def noted(self, *arguments, method=method, whole=whole, **options):
            name = arguments[0].name if arguments else self.name
            steps.append((method, name))
            return whole(self, *arguments, **options)

        monkeypatch.setattr(Path, method, noted)
    written = report_files(audit(WARNER, "exp_eps=2"))
    write_files(tmp_path, written)
    shown = [step for step in steps if not step[1].startswith(".")]
    assert shown[0] == ("unlink", "report.json")
    assert shown[-len(written) :] == [("replace", name) for name in written]
    assert list(written)[-1] == "report.json"


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_directory_that_is_a_file_is_refused(tmp_path, place):
    """It is left as it was."""
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="a directory that can be written to"):
        write_files(tmp_path / place, {"a": b"1"})
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("name", ["\ud800", "a\0b"])
def test_a_name_that_no_file_can_have_is_bad_input(name):
    """A lone surrogate and a null."""
    with pytest.raises(InputError, match="a readable file"):
        audit(name, "eps=1")


@pytest.mark.parametrize("name", ["input.csv", "report.md", "report.html", "statement.json", "declared.json"])
def test_files_of_others_are_not_overwritten(tmp_path, name):
    """In a folder without a report a file by the name of one of ours is somebody's."""
    (tmp_path / name).write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="a directory without files of an audit"):
        write_files(tmp_path, {"report.json": b"{}"})
    assert [path.name for path in tmp_path.iterdir()] == [name]
