"""The committed findings explain every failure of the committed streams, each by one cause with a script."""

from __future__ import annotations

import json
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from oracle.conformance.adapters.libraries import LIBRARIES
from tests.conformance.adapters.findings import (
    CLASSES,
    KEYS,
    REPORTS,
    assigned,
    failures,
    finding,
    fits,
    identity,
    main,
    smallest,
    stated,
)


def stream(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (REPORTS / name / "stream.jsonl").read_text(encoding="utf-8").splitlines()]


def found(name: str) -> list[dict[str, Any]]:
    return json.loads((REPORTS / name / "findings.json").read_text(encoding="utf-8"))


def causes_of(name: str) -> list[dict[str, Any]]:
    path = REPORTS / name / "causes.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))["cause"] if path.exists() else []


@pytest.mark.parametrize("name", LIBRARIES)
def test_every_failure_has_one_cause(name: str) -> None:
    """The failing cases and broken laws of the stream, each in the list of one finding."""
    explained = Counter(case for one in found(name) for case in one["cases"])
    assert explained == Counter(map(identity, failures(stream(name))))


@pytest.mark.parametrize("name", LIBRARIES)
def test_findings_are_made_from_the_stream_and_the_causes(name: str) -> None:
    """Nothing in them is edited by hand."""
    events, causes = stream(name), causes_of(name)
    by_slug = assigned(causes, failures(events))
    versions = found(name)[0]["versions"] if causes else {}
    again = [finding(cause, by_slug[cause["slug"]], events[0], versions) for cause in causes]
    assert found(name) == sorted(again, key=lambda one: CLASSES.index(one["class"]))


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_finding_is_complete(name: str) -> None:
    """Its keys, a class of fault, two sentences or more, and a script with what it printed: an answer and the truth."""
    for one in found(name):
        assert tuple(one) == KEYS
        assert one["class"] in CLASSES
        assert one["summary"].count(". ") >= 1
        script, printed = REPORTS / name / one["script"], REPORTS / name / one["output"]
        assert one["version"] in script.read_text(encoding="utf-8").splitlines()[0] or name == "float64"
        assert "answer:" in printed.read_text(encoding="utf-8")
        assert "truth: " in printed.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", LIBRARIES)
def test_no_file_without_a_finding(name: str) -> None:
    """Each script and each output belongs to a finding."""
    expected = {one[key] for one in found(name) for key in ("script", "output")}
    there = {path.name for path in (REPORTS / name).iterdir() if path.suffix in (".py", ".txt")}
    assert there == expected


def event(case: str, verdict: str, **further: Any) -> dict[str, Any]:
    return {"event": "result", "case": case, "verdict": verdict, "op": "delta", "args": {"epsilon": "1"}, **further}


FAILED = [
    event("a/one", "unsound", args={"epsilon": "10"}),
    event("a/two", "unsound"),
    event("b", "errored", reason="E1"),
]
CAUSES = [
    {"slug": "first", "match": [{"verdicts": ["unsound"], "cases": ["a/*"]}]},
    {"slug": "second", "match": [{"reason": "^E"}]},
]


def test_failures_go_to_the_first_cause_that_fits() -> None:
    """By verdict, glob of the id and regular expressions."""
    by_slug = assigned(CAUSES, FAILED)
    assert {slug: [one["case"] for one in events] for slug, events in by_slug.items()} == {
        "first": ["a/one", "a/two"],
        "second": ["b"],
    }
    assert smallest(by_slug["first"])["case"] == "a/two"
    assert fits(event("x", "unsound", answer="-0x1p-1"), {"answer": "^-"})
    assert not fits(event("x", "unsound", answer="0x1p-1"), {"answer": "^-"})


@pytest.mark.parametrize(
    ("truth", "text"),
    [
        ({"exact": "1/4"}, "1/4"),
        ({"enclosure": ["0.1", "0.2"]}, {"lo": "0.1", "hi": "0.2"}),
        ({"epsilon": {"exp_epsilon": "1", "lo": "0", "hi": "0"}}, "0"),
        ({"epsilon": {"lo": "1", "hi": "2"}}, {"lo": "1", "hi": "2"}),
        ({"feeds": {}, "at_most": "1/10", "least": ["3", "4"]}, {"lo": "3", "hi": "4"}),
        ({"renyi": {"moment": {"exact": "2"}, "divergence": {"exact": "1"}}}, "1"),
        ({"rejects": "delta is negative"}, "no answer: delta is negative"),
        ({"relation": False}, "false"),
        ({"feeds": {"op": "delta"}}, '{"feeds": {"op": "delta"}}'),
        ({}, ""),
    ],
)
def test_a_truth_is_told_as_text_or_two_ends(truth: dict[str, Any], text: str | dict[str, str]) -> None:
    """Each shape of the stream's truths."""
    assert stated(truth) == text


def test_a_failure_without_a_cause_is_an_error() -> None:
    """And so is a cause without a failure."""
    with pytest.raises(ValueError, match="no cause for c: wrong"):
        assigned(CAUSES, [*FAILED, event("c", "wrong")])
    with pytest.raises(ValueError, match="causes without a failure: second"):
        assigned(CAUSES, FAILED[:2])


def test_a_script_that_fails_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The findings are not written."""
    monkeypatch.setattr("tests.conformance.adapters.findings.REPORTS", tmp_path)
    folder = tmp_path / "library"
    folder.mkdir()
    header = {"event": "header", "subject": {"name": "library", "version": "1"}}
    lines = [header, event("a", "unsound", answer="0", truth={"exact": "1"})]
    (folder / "stream.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    cause = 'slug = "one"\nclass = "overflow"\nsummary = "It fails. Twice."\nmatch = [{ cases = ["a"] }]\n'
    (folder / "causes.toml").write_text("[[cause]]\n" + cause, encoding="utf-8")
    (folder / "one.py").write_text("raise SystemExit(1)\n", encoding="utf-8")
    with pytest.raises(ValueError, match="ended with 1"):
        main("library", sys.executable)
    assert not (folder / "findings.json").exists()
    (folder / "one.py").write_text('print("answer: 0")\n', encoding="utf-8")
    main("library", sys.executable)
    assert json.loads((folder / "findings.json").read_text(encoding="utf-8"))[0]["cases"] == ["a"]
    assert (folder / "one.txt").read_text(encoding="utf-8") == "answer: 0\n"
