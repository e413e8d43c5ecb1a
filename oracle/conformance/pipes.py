"""A program under test on a pipe: one JSON line in, one JSON line out, with timeouts, restarts and patience.

Nothing that the program writes stops the conversation: a line that is no answer is passed over, an answer given twice
counts once, one with a wrong id is an error of the question that was open, a line beyond :data:`LONGEST_LINE` is thrown
away while it is read. A program that ends or is too slow is started again for the next question; so that starting it
takes no time off that question, it is asked ``hello`` first.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import IO, Any, Final

from oracle.answers import OPS
from oracle.conformance.protocol import AdapterError, Hello, Reply, read_answer, read_hello, request
from oracle.errors import InputError, shorten
from oracle.json_text import dump_line

__all__ = ["LONGEST_LINE", "Piped"]

LONGEST_LINE: Final = 32 * 2**20
"""Most bytes of one line; a longer one is no answer."""

_LEAST_START: Final = 20.0
"""Seconds that a program has to start and answer ``hello``, where the time for one answer is less."""

_MOST_LINES_WAITING: Final = 1000
_KEPT_ERROR_LINES: Final = 20
_MOST_WARNINGS: Final = 5
_GRACE: Final = 2.0
_PAUSE: Final = 0.01
_BEGINNING: Final = re.compile(r"""\{\s*["'](?:id|value|declined|error)["']\s*:""")
_HELLO: Final = request("hello", "hello", {})


class _Process:
    """One run of the program; reading and writing have threads of their own, so that neither can block the other."""

    def __init__(self, command: Sequence[str]) -> None:
        self.errors: deque[str] = deque(maxlen=_KEPT_ERROR_LINES)
        self.lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.ended = threading.Event()
        self.answered: set[str] = set()
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        try:
            self.process = subprocess.Popen(  # noqa: S603 - the command is the user's own
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise AdapterError(f"{shorten(shlex.join(command))} could not be started: {reason.lower()}") from error
        threads = [
            threading.Thread(target=target, args=(stream,), daemon=True)
            for target, stream in (
                (self._write, self.process.stdin),
                (self._read, self.process.stdout),
                (self._log, self.process.stderr),
            )
        ]
        for thread in threads:
            thread.start()
        self._threads = threads

    def send(self, line: bytes) -> None:
        """Hand over a line; it is written when the program reads."""
        self._requests.put(line)

    def _write(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):  # the program has closed its input or ended
            while (line := self._requests.get()) is not None:
                stream.write(line)
                stream.flush()
        with contextlib.suppress(OSError, ValueError):
            stream.close()

    def _read(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            while line := stream.readline(LONGEST_LINE):
                if not line.endswith(b"\n") and len(line) == LONGEST_LINE:
                    while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                        pass
                    line = b"(a line of more than %d bytes)" % LONGEST_LINE
                self._hand_over(line)
        self._hand_over(None)

    def _hand_over(self, line: bytes | None) -> None:
        """Wait for room, so that a flood of lines fills no memory, unless the program has been ended."""
        while self.lines.qsize() > _MOST_LINES_WAITING and not self.ended.is_set():
            time.sleep(_PAUSE)
        self.lines.put(line)

    def _log(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            while line := stream.readline(4096):
                self.errors.append(line.decode("utf-8", "replace").rstrip())

    def end(self, *, grace: float = 0) -> int | None:
        """End the program (its input first, if there is *grace*) and what it has started; returns its exit code."""
        self._requests.put(None)
        self.ended.set()
        if grace:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(grace)
        code = self.process.poll()
        with contextlib.suppress(ProcessLookupError, PermissionError, AttributeError):
            os.killpg(self.process.pid, signal.SIGKILL)
        if code is None:
            self.process.kill()
            self.process.wait()
        for thread in self._threads:
            thread.join(_GRACE)
        return code


class Piped:
    """A program that reads requests and writes answers.

    Args:
        command: the program and its arguments, or one text in the shell's quoting (no shell is started).
        timeout: seconds for one answer.
    """

    def __init__(self, command: str | Sequence[str], timeout: float = 60) -> None:
        try:
            self._command = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise AdapterError(f"the command {shorten(str(command))}: {error}") from error
        if not self._command:
            raise AdapterError("expected a command, got empty text")
        self._timeout = timeout
        self._process: _Process | None = None

    def hello(self) -> Hello:
        """What the program says of itself; one that declines ``hello`` may be asked every op.

        Raises:
            AdapterError: if it cannot be started, or does not answer ``hello``.
        """
        reply = self._start() if self._process is None else self._ask(_HELLO, self._timeout)
        if reply.kind == "declined":
            return Hello(shlex.join(self._command), "unknown", tuple(OPS), {})
        if reply.kind != "value":
            raise AdapterError(f"hello was answered with {reply.kind}: {reply.message}")
        return read_hello(reply.value)

    def ask(self, question: Mapping[str, Any]) -> Reply:
        """The reply to one request."""
        warnings: tuple[str, ...] = ()
        if self._process is not None and self._process.process.poll() is not None:
            code = self._drop(self._process)
            warnings = (f"the program ended between two questions, with {_exit_text(code or 0)}",)
        if self._process is None:
            start = self._start()
            if start.kind in ("crashed", "timeout"):
                return replace(start, message=f"it could not be started again: {start.message}", warnings=warnings)
        reply = self._ask(question, self._timeout)
        return replace(reply, warnings=warnings + reply.warnings)

    def _start(self) -> Reply:
        """Start the program; returns its answer to ``hello``."""
        self._process = _Process(self._command)
        return self._ask(_HELLO, max(self._timeout, _LEAST_START))

    def _ask(self, question: Mapping[str, Any], timeout: float) -> Reply:
        start = time.perf_counter()
        process = self._process
        if process is None:
            raise AdapterError("the program is not running")
        warnings: list[str] = []
        process.send(dump_line(question).encode("utf-8", "surrogatepass") + b"\n")
        while True:
            left = start + timeout - time.perf_counter()
            try:
                line = process.lines.get(timeout=max(left, 0))
            except queue.Empty:
                line, left = b"", 0
            if left <= 0:
                self._drop(process)
                came = f"; {warnings[0]}" if warnings else ""
                reason = f"no answer within {timeout:g} s{came}"
                return Reply("timeout", None, reason, time.perf_counter() - start, tuple(warnings))
            if line is None:
                return self._crashed(process, start, tuple(warnings))
            reply = self._read(line, str(question["id"]), process, warnings)
            if reply is not None:
                process.answered.add(str(question["id"]))
                return replace(reply, seconds=time.perf_counter() - start, warnings=tuple(warnings))

    def _read(self, line: bytes, identity: str, process: _Process, warnings: list[str]) -> Reply | None:
        """The reply in a line; None for a line that is passed over."""
        text = line.decode("utf-8", "replace").strip()
        passed_over = None
        try:
            told, reply = read_answer(text)
        except InputError as error:
            if _is_meant(text):
                return Reply("error", message=f"malformed answer: {error}", malformed=True)
            passed_over = f"a line that is no answer: {shorten(text)}" if text else ""
        else:
            if told == identity or (told is None and reply.kind == "error"):
                return reply
            if not isinstance(told, str) or told not in process.answered:
                shown = f"answered with the id {shorten(told)} where {shorten(identity)} was asked"
                return Reply("error", message=shown, malformed=True)
            passed_over = f"a second answer to {shorten(told)}"
        if passed_over and len(warnings) < _MOST_WARNINGS:
            warnings.append(passed_over)
        return None

    def _crashed(self, process: _Process, start: float, warnings: tuple[str, ...]) -> Reply:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.process.wait(_GRACE)  # its output is closed; it may need a moment to end
        code = self._drop(process)
        ended = "closed its output" if code is None else f"ended with {_exit_text(code)}"
        log = "".join(f"; {line}" for line in list(process.errors)[-3:])
        return Reply("crashed", None, f"the program {ended}{shorten(log, 400)}", time.perf_counter() - start, warnings)

    def _drop(self, process: _Process) -> int | None:
        self._process = None
        return process.end()

    def close(self) -> None:
        """End the program: its input is closed, and after a moment it is killed."""
        if self._process is not None:
            self._process.end(grace=_GRACE)
            self._process = None


def _is_meant(text: str) -> bool:
    """Whether a line that is no answer was meant as one: an object with an id or a value, or the beginning of it.

    Python's way of printing a dictionary counts, which is no JSON.
    """
    if _BEGINNING.match(text):
        return True
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and ("id" in document or "value" in document)


def _exit_text(code: int) -> str:
    if code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"
