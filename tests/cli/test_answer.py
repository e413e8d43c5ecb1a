"""``oracle answer`` as a process: order, flushing, malformed lines, limits, end of input."""

from __future__ import annotations

import json
import shlex
import subprocess

import pytest
from click.testing import CliRunner

from oracle.answers import answer_line
from oracle.cli.answer import _identity, answer
from tests.cli.process import COMMAND, ENVIRONMENT, run

HELLO = '{"id": "h", "op": "hello", "args": {}}'


def echo(identity: object, *values: object) -> str:
    return json.dumps({"id": identity, "op": "echo", "args": {"values": values}})


def answers(*lines: str | bytes, options: tuple[str, ...] = ()) -> list[dict[str, object]]:
    """The answers to lines given at once; the process must end with 0 and say nothing on stderr."""
    data = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
    done = run("answer", *options, stdin=data)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_end_of_input_ends_with_0() -> None:
    done = run("answer")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_answers_come_in_order() -> None:
    found = answers(echo(1, "1/2"), echo(2, "inf"))
    assert found == [{"id": 1, "value": ["1/2"]}, {"id": 2, "value": ["inf"]}]


def test_a_blank_line_is_a_malformed_one() -> None:
    found = answers("", "   ", echo(1))
    assert [set(reply) for reply in found] == [{"id", "error"}, {"id", "error"}, {"id", "value"}]


def test_a_last_line_without_its_end_is_answered() -> None:
    done = run("answer", stdin=echo(1))
    assert json.loads(done.stdout) == {"id": 1, "value": []}


def test_every_answer_is_flushed_before_the_next_line_is_read() -> None:
    process = subprocess.Popen([*COMMAND, "answer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT)
    with process:
        for k in range(3):
            process.stdin.write(echo(k, str(k)).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == {"id": k, "value": [str(k)]}
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_the_loop_survives_every_malformed_line() -> None:
    bad = ["{", "[]", "nul", '{"id": 1, "id": 1}', '{"id": 3}', "\x00", "[" * 50_000, "é" * 10, '"\\ud800"']
    lines = [line for k, text in enumerate(bad) for line in (text, echo(k))]
    found = answers(*lines)
    assert len(found) == 2 * len(bad)
    assert all("error" in reply for reply in found[::2])
    assert found[1::2] == [{"id": k, "value": []} for k in range(len(bad))]


def test_bytes_that_are_no_utf8_are_named() -> None:
    bad, good = answers(b'{"id": "\xff"}', echo(1))
    assert bad == {"id": None, "error": "expected UTF-8 text, got the byte 0xff at 8"}
    assert good == {"id": 1, "value": []}


def test_a_byte_order_mark_and_crlf_are_accepted() -> None:
    assert answers(b"\xef\xbb\xbf" + echo(1).encode() + b"\r", echo(2) + "\r") == [
        {"id": 1, "value": []},
        {"id": 2, "value": []},
    ]


def test_a_line_beyond_the_limit_is_answered_and_skipped() -> None:
    long = '{"id": 1, "op": "echo", "args": {"values": ["' + "1" * (3 * 2**20) + '"]}}'
    found = answers(long, echo(2), options=("--max-megabytes", "1"))
    assert found == [
        {"id": None, "error": "the line is longer than the size limit (--max-megabytes 1)"},
        {"id": 2, "value": []},
    ]


def test_a_last_line_beyond_the_limit_ends_the_loop_too() -> None:
    done = run("answer", "--max-megabytes", "1", stdin=b"1" * (2**20 + 5))
    assert done.returncode == 0
    assert "size limit" in done.stdout


def test_a_request_beyond_the_time_limit_is_answered_with_its_id() -> None:
    wide = [{"mechanism": "k_randomized_response", "k": "100000", "exp_epsilon": str(e)} for e in range(2, 40)]
    slow = json.dumps({"id": "slow", "op": "lub", "args": {"channels": wide}})
    found = answers(slow, echo(2), options=("--timeout", "0.2"))
    assert found[0]["id"] == "slow"
    assert found[0]["error"] == "no answer within the time limit (--timeout 0.2 s)"
    assert found[1] == {"id": 2, "value": []}


def test_non_ascii_text_is_kept_and_lone_surrogates_are_escaped() -> None:
    done = run(
        "answer",
        stdin=echo("ü").replace("\\u00fc", "ü") + '\n{"id": "\\ud800", "op": "echo", "args": {"values": []}}\n',
    )
    assert done.stdout == '{"id": "ü", "value": []}\n{"id": "\\ud800", "value": []}\n'


def test_the_json_flag_changes_nothing() -> None:
    assert answers(HELLO, options=("--json",)) == answers(HELLO)


def test_options_out_of_range_are_bad_usage() -> None:
    for options in (("--timeout", "-1"), ("--max-megabytes", "0"), ("--timeout", "x"), ("--no-such",), ("extra",)):
        done = run("answer", *options)
        assert done.returncode == 2
        assert done.stdout == ""
        assert "Error:" in done.stderr


def test_a_reader_that_goes_away_is_no_verdict() -> None:
    process = subprocess.Popen(
        [*COMMAND, "answer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    )
    with process:
        process.stdout.close()
        process.stdin.write(echo(1).encode() + b"\n")
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 3


def test_the_example_of_the_help_is_true() -> None:
    warner = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
    request = json.dumps({"id": "q1", "op": "delta", "args": {"channel": warner, "exp_epsilon": "2"}})
    assert answers(request) == [{"id": "q1", "value": "1/4"}]
    assert '{"id": "q1", "value": "1/4"}' in run("answer", "--help").stdout


@pytest.mark.parametrize(
    "options", [("--timeout", t) for t in ("nan", "inf", "1e300", "-1")] + [("--max-megabytes", "9" * 20)], ids=str
)
def test_limits_that_mean_nothing_are_wrong_usage(options) -> None:
    done = run("answer", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Invalid value" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_malformed_line_under_a_time_limit_has_no_id() -> None:
    found = answers("x", "[" * 100_000, echo(1), options=("--timeout", "20"))
    assert [reply["id"] for reply in found] == [None, None, 1]


def test_the_id_of_a_request_cut_short_that_is_no_request() -> None:
    for line in ("x", "[1]", '{"id": true}', '{"id": 1.5}', '{"id": ' + "9" * 5000 + "}"):
        assert _identity(line, 20) is None
    assert _identity('{"id": "a"}', 20) == "a"


def test_a_fault_of_one_request_is_its_answer_and_the_next_is_answered(monkeypatch) -> None:
    """Whatever was not foreseen stays in its line; what went wrong is on stderr."""

    def fault(line: str) -> dict[str, object]:
        if "boom" in line:
            raise ZeroDivisionError("boom")
        return answer_line(line)

    monkeypatch.setattr("oracle.answers.answer_line", fault)
    done = CliRunner().invoke(answer, input=f"{echo('boom')}\n{echo(2, '1')}\n")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first == {"id": "boom", "error": "internal fault: ZeroDivisionError: boom"}
    assert second == {"id": 2, "value": ["1"]}
    assert "Traceback" in done.stderr
    assert done.exit_code == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-", ">/dev/full"])
def test_a_stream_that_is_closed_or_full_is_incomplete(closed) -> None:
    """Exit code 3 and one line, no traceback."""
    command = " ".join(map(shlex.quote, [*COMMAND, "answer"]))
    done = subprocess.run(  # noqa: S602 - the shell closes the descriptor
        f"{command} {closed}", shell=True, input=HELLO, capture_output=True, text=True, env=ENVIRONMENT, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert done.stderr.startswith("oracle: ")
