"""Programs on a pipe, the badly behaved too."""

from __future__ import annotations

import sys
import time

import pytest

from oracle.conformance.pipes import Piped
from oracle.conformance.protocol import AdapterError, Reply, request
from tests.conformance.small_suite import program


def asked(mode: str, number: int = 0, cases: int = 3, timeout: float = 10) -> list[Reply]:
    """The replies of a program to hello and some cases."""
    subject = Piped(program(mode, number), timeout)
    try:
        assert subject.hello().name == "hostile"
        return [subject.ask(request(f"case-{n}", "delta", {})) for n in range(cases)]
    finally:
        subject.close()


def kinds(replies: list[Reply]) -> list[str]:
    return [reply.kind for reply in replies]


def test_a_good_program_answers_each_question() -> None:
    """One process answers all, without warnings."""
    replies = asked("good")
    assert [(reply.kind, reply.value, reply.warnings) for reply in replies] == [("value", "1", ())] * 3


def test_a_crash_is_of_its_question_and_the_next_has_a_new_process() -> None:
    """The exit code and what it said last are told."""
    replies = asked("crash", 2)
    assert kinds(replies) == ["value", "crashed", "value"]
    assert "exit code 3" in replies[1].message
    assert "about to fail" in replies[1].message


def test_a_hanging_program_is_stopped_at_its_time() -> None:
    """It costs its timeout, and no more for starting again."""
    start = time.perf_counter()
    replies = asked("hang", 1, timeout=0.5)
    assert kinds(replies) == ["timeout", "timeout", "timeout"]
    assert time.perf_counter() - start < 10


def test_a_flood_of_lines_is_a_timeout() -> None:
    """Lines that are no answers do not extend the time."""
    assert kinds(asked("flood", cases=1, timeout=0.5)) == ["timeout"]


def test_other_output_is_passed_over_with_a_warning() -> None:
    """Log lines, half JSON, blank lines and lists before the answer."""
    replies = asked("chatty")
    assert kinds(replies) == ["value"] * 3
    assert len(replies[0].warnings) == 3
    assert "loading tables" in replies[0].warnings[0]


def test_an_answer_given_twice_counts_once() -> None:
    """The second is met at the next question and passed over."""
    replies = asked("twice")
    assert kinds(replies) == ["value"] * 3
    assert any("second answer" in warning for reply in replies for warning in reply.warnings)


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("wrong-id", "answered with the id another where case-0 was asked"),
        ("float", "as a string"),
        ("nan", "as a string"),
        ("both", "exactly one of value, declined and error"),
        ("torn", "malformed answer"),
        ("python", "malformed answer"),
        ("null-error", "cannot read this"),
    ],
)
def test_malformed_answers_are_errors_of_their_question(mode: str, message: str) -> None:
    """The next question is asked of the same process; an error that the program states itself is not malformed."""
    replies = asked(mode, 1)
    assert kinds(replies) == ["error", "value", "value"]
    assert message in replies[0].message
    assert replies[0].malformed == (mode != "null-error")


def test_a_timeout_says_what_came_in_its_time() -> None:
    """A line that is no object may be noise, so it is waited for another."""
    (reply,) = asked("list", cases=1, timeout=0.5)
    assert reply.kind == "timeout"
    assert 'a line that is no answer: ["case-0", "1"]' in reply.message


def test_lines_of_ten_megabytes() -> None:
    """Noise of that length is passed over; a value of it arrives."""
    assert kinds(asked("long-noise")) == ["value"] * 3
    assert len(asked("long-value", cases=1)[0].value) == 10_000_000


def test_a_line_beyond_the_limit_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer after it is read."""
    monkeypatch.setattr("oracle.conformance.pipes.LONGEST_LINE", 1000)
    replies = asked("long-noise", 1)
    assert kinds(replies) == ["value"] * 3
    assert "a line of more than 1000 bytes" in replies[0].warnings[0]


def test_a_program_that_ends_between_questions_is_started_again() -> None:
    """The question that finds it ended is asked of a new process, with a warning."""
    subject = Piped(program("good"), 10)
    try:
        subject.hello()
        assert subject._process is not None
        subject._process.process.kill()
        subject._process.process.wait()
        reply = subject.ask(request("case", "delta", {}))
        assert reply.value == "1"
        assert "ended between two questions, with SIGKILL" in reply.warnings[0]
    finally:
        subject.close()


def test_a_program_that_declines_hello_may_be_asked_everything() -> None:
    """Its claims are the natural ones."""
    subject = Piped(program("declines-hello"), 10)
    try:
        hello = subject.hello()
        assert "tradeoff" in hello.ops
        assert hello.claim("delta").kind == "upper"
    finally:
        subject.close()


def test_no_conversation_is_a_fault_of_the_adapter() -> None:
    """A missing program, one that ends at once, an empty command, a malformed one."""
    with pytest.raises(AdapterError, match="could not be started"):
        Piped("./no-such-program-anywhere").hello()
    with pytest.raises(AdapterError, match="exit code 7"):
        Piped(program("crash-at-start")).hello()
    with pytest.raises(AdapterError, match="empty"):
        Piped("  ")
    with pytest.raises(AdapterError):
        Piped('"unclosed')


def test_a_command_is_split_as_the_shell_does() -> None:
    """Quotes hold an argument together."""
    code = 'import sys; print(\'{"id": "hello", "value": {"name": "one liner", "ops": []}}\')'
    quoted = "'" + code.replace("'", "'\\''") + "'"
    subject = Piped(f"{sys.executable} -c {quoted}")
    assert subject.hello().name == "one liner"
    subject.close()
