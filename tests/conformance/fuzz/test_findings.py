"""The files of a finding: what was asked, the truth with its record and certificates, a reproducer, a vector."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpz

from oracle.certificates.verify import verify
from oracle.conformance.cases import read_file
from oracle.conformance.fuzz import reproducers
from oracle.conformance.fuzz.asking import Asker
from oracle.conformance.fuzz.findings import files_of, index_entry, index_text
from oracle.conformance.fuzz.places import Asked, Origin
from oracle.conformance.fuzz.questions import Family
from oracle.conformance.fuzz.reproducers import printed
from oracle.conformance.fuzz.rounds import Round, Task, run_round
from oracle.conformance.fuzz.truth import Truths
from oracle.conformance.judging import judge
from oracle.conformance.protocol import Claimed, Hello, Reply
from oracle.conformance.subjects import exact_engine
from tests.conformance.fuzz.subjects import MutantSubject, asker

ECHO = f"{sys.executable} -c 'import sys; sys.stdout.write(sys.stdin.read())'"


def found(name: str, family: Family, primitives: tuple[str, ...]) -> Round:
    done = run_round(Task(0, 1, family, primitives, 60), asker(name))
    assert done.found is not None
    return done


@pytest.fixture(scope="module")
def infinite() -> Round:
    """Epsilon 0 is answered where it is infinite."""
    return found("infinite-becomes-zero", Family("epsilon", "alone"), ("table",))


@pytest.fixture(scope="module")
def files(infinite: Round) -> dict[str, bytes]:
    return files_of(infinite, Origin(MutantSubject().hello(), Asked(command=ECHO), 1))


def document(files: dict[str, bytes], name: str) -> Any:
    return json.loads(files[name])


def test_the_finding_has_question_answer_truth_and_gap(files: dict[str, bytes]) -> None:
    """Everything is exact, and the summary has two sentences."""
    told = document(files, "finding.json")
    (question,) = told["questions"]
    assert (told["verdict"], told["class"], question["answer"]["hi"]) == ("unsound", "infinite-loss", "0")
    assert question["truth"]["epsilon"]["hi"] == "inf"
    assert told["gap"] == "-inf"
    assert told["found"]["repeatable"]
    assert told["summary"].count(". ") == 1


def test_the_certificate_is_accepted_by_the_checker(files: dict[str, bytes]) -> None:
    """It shows that the pair is not (epsilon, delta)-DP with the epsilon that was answered."""
    names = [name for name in files if name.startswith("certificate-")]
    assert names
    for name in names:
        verify(document(files, name))


def test_the_record_answers_the_question_again(files: dict[str, bytes]) -> None:
    """The engine's own answer is infinite."""
    (told,) = document(files, "record.json")
    assert told["request"]["op"] == "epsilon"
    assert told["answer"]["value"]["hi"] == "inf"


def test_a_program_is_asked_by_its_own_command(files: dict[str, bytes]) -> None:
    """The script pipes the request into the program, which was run: here it gives the request back."""
    assert files["reproduce.sh"].startswith(b"#!/bin/sh\n# mutant 1: infinite-loss, unsound")
    asked = json.loads(files["output.txt"])
    assert asked["op"] == "epsilon"
    assert asked["args"] == document(files, "finding.json")["questions"][0]["args"]


def test_the_vector_is_read_and_finds_the_fault_again(files: dict[str, bytes]) -> None:
    """A suite that has the vector judges the answer as the search did."""
    (case,) = read_file(files["vector.json"].decode(), "epsilon/fuzz.json").cases
    told = document(files, "finding.json")
    assert case.id == told["vector"]
    judgement = judge(case.op, case.args, Claimed("upper"), case.expected, Reply("value", "0"))
    assert judgement.verdict == "unsound"
    assert case.confirmed == "enumeration in fractions"


def test_the_index_names_the_files(files: dict[str, bytes]) -> None:
    """One entry a finding, with how often its cause was met."""
    entry = index_entry(document(files, "finding.json"), "01-x", 3, sorted(files))
    assert json.loads(index_text([entry])) == [entry]
    assert (entry["script"], entry["output"], entry["repeats"]) == ("01-x/reproduce.sh", "01-x/output.txt", 3)
    assert entry["truth"] == {"lo": "inf", "hi": "inf"}


def test_the_index_of_a_campaign_without_a_folder_names_no_files(files: dict[str, bytes]) -> None:
    """What was not written is not named."""
    entry = index_entry(document(files, "finding.json"), "01-x", 3, [])
    assert (entry["script"], entry["output"]) == ("", "")


def test_a_question_without_an_answer_says_so() -> None:
    """The truth is the reason why there is none."""
    done = found("nothing-is-refused", Family("delta", "malformed"), ("table",))
    files = files_of(done, Origin(MutantSubject().hello(), Asked(command=ECHO), 1))
    told = document(files, "finding.json")
    assert told["class"] == "domain"
    assert "rejects" in told["questions"][0]["truth"]
    assert json.loads(files["record.json"]) == []


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


class Odd:
    """A subject that answers every delta with the same odd reply."""

    def __init__(self, reply: Reply, name: str) -> None:
        self._reply, self._name = reply, name

    def hello(self) -> Hello:
        """One op, of upper bounds."""
        return Hello(self._name, "1", ("delta",), {"delta": Claimed("upper")})

    def ask(self, _question: Mapping[str, Any]) -> Reply:
        """The reply."""
        return self._reply

    def close(self) -> None:
        """Nothing is left to end."""


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply("value", mpz(10) ** 5000), "1000"),
        (Reply("value", {"lo": mpz(10) ** 5000, "hi": "inf"}), '{"lo"'),
        (Reply("value", "\ud800"), "\ud800"),
        (Reply("value", nested(2000)), "a value of type list"),
        (Reply("error", message="\ud800 boom"), "error: \ud800 boom"),
        (Reply("error", message="A" * 3000), "error: AAA"),
    ],
    ids=["integer", "integer inside", "surrogate", "deep", "surrogate in a message", "long word"],
)
def test_whatever_is_answered_can_be_written(reply: Reply, told: str) -> None:
    """No answer ends a search."""
    odd = Odd(reply, "odd")
    by = Asker(odd, odd.hello(), Truths(exact_engine()))
    done = run_round(Task(0, 1, Family("delta", "alone"), ("randomized_response",), 5), by)
    assert done.cause is not None
    assert len(done.cause.slug) < 120
    files = files_of(done, Origin(odd.hello(), Asked(command="true"), 1))
    answer = document(files, "finding.json")["questions"][0]["answer"]
    assert (answer if isinstance(answer, str) else json.dumps(answer)).startswith(told)


def test_what_a_subject_says_of_itself_stays_a_comment(infinite: Round) -> None:
    """An end of a line in its name begins no command."""
    hello = replace(MutantSubject().hello(), name="x\ntouch here\n#", version="\u20281\r2")
    script = files_of(infinite, Origin(hello, Asked(command="true"), 1))["reproduce.sh"].decode()
    comments, (command, *_) = script.splitlines()[:-1], script.splitlines()[-1:]
    assert all(line.startswith("#") for line in comments)
    assert command.startswith("printf")


def test_a_program_that_does_not_end_is_ended_with_what_it_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The shell and its child."""
    monkeypatch.setattr(reproducers, "_SECONDS", 1)
    noted = tmp_path / "pid"
    assert printed("reproduce.sh", f"sleep 100 & echo $! > {noted}; wait", sys.executable) == "no end within 1 s\n"
    child = int(noted.read_text())
    end = time.monotonic() + 10
    while _runs(child) and time.monotonic() < end:
        time.sleep(0.01)
    assert not _runs(child)


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
