"""A script that shows a finding: the library's own calls where they can be written down, and what it prints."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from oracle.conformance.fuzz.asking import Judged
from oracle.conformance.fuzz.places import Origin
from oracle.conformance.fuzz.wording import told_answer, told_truth
from oracle.errors import shorten
from oracle.json_text import dump_line

__all__ = ["printed", "reproducer"]

_SECONDS: Final = 25
_LINE: Final = 1000


def reproducer(shown: Sequence[Judged], finding: Mapping[str, Any], origin: Origin) -> tuple[str, str]:
    """Name and text of a script that shows the finding."""
    told = [line for one in shown for line in _said(one)]
    if finding["law"] is not None:
        told.append(f"law {finding['law']['name']}: {finding['law']['reason']}")
    subject = f"{origin.hello.name} {origin.hello.version}"
    title = f"{subject}: {finding['class']}, {finding['verdict']} ({finding['claim']} is claimed)"
    # What the subject says of itself may have any character, an end of the line too.
    head = "".join(f"# {shorten(line, _LINE)}\n" for line in [title, *told])
    target = origin.asked.target
    if target is None:
        return "reproduce.sh", _shell(shown, head, origin)
    parts = [_traced(one, target, origin.asked.interpreter) for one in shown]
    if all(part is not None for part in parts):
        text = head + "\n".join(part for part in dict.fromkeys(parts) if part is not None)
    else:
        text = head + _through_adapter(shown, target)
    truths = [told_truth(one.judgement.truth) for one in shown if one.judgement is not None]
    return "reproduce.py", text + "".join(f'print("the truth:", {truth!r})\n' for truth in truths)


def _said(one: Judged) -> list[str]:
    lines = [f"{one.probe.op} {shorten(dump_line(one.probe.args), 400)}", f"  answer: {told_answer(one)}"]
    if one.judgement is not None:
        lines.append(f"  truth:  {told_truth(one.judgement.truth)} ({one.verdict})")
    return lines


def _shell(shown: Sequence[Judged], head: str, origin: Origin) -> str:
    requests = [
        dump_line({"id": f"fuzz-{n}", "op": one.probe.op, "args": one.probe.args}) for n, one in enumerate(shown)
    ]
    piped = " ".join(map(shlex.quote, requests))
    return f"#!/bin/sh\n{head}printf '%s\\n' {piped} | {origin.asked.command}\n"


def _traced(one: Judged, target: str, interpreter: str) -> str | None:
    request = dump_line({"id": "trace", "op": one.probe.op, "args": one.probe.args})
    command = [interpreter, "-m", "oracle.conformance.fuzz.tracing", target]
    code, told = _ended(command, request, subprocess.DEVNULL)
    return told if code == 0 and told.strip() else None


def _through_adapter(shown: Sequence[Judged], target: str) -> str:
    lines = [
        "# No script of the library's own calls could be made; this one asks through its adapter, and runs where that",
        "# and fdp-oracle can be imported. An adapter that takes its library from load of",
        "# oracle.conformance.adapters.doubles, or has a method reproducer(op, args), gets one of the library alone.",
        "from oracle.conformance.subjects import InProcess",
        "",
        f"subject = InProcess({target!r})",
    ]
    for one in shown:
        request = {"id": "fuzz", "op": one.probe.op, "args": one.probe.args}
        lines.append(f"print(subject.ask({request!r}))")
    return "\n".join(lines) + "\n"


def printed(name: str, script: str, interpreter: str) -> str:
    """What the reproducer prints, errors too, when it is run here."""
    program = [interpreter, "-"] if name.endswith(".py") else ["/bin/sh", "-s"]
    code, told = _ended(program, script, subprocess.STDOUT)
    if code is None:
        return f"no end within {_SECONDS} s\n"
    return told if code == 0 else f"{told}exit code {code}\n"


def _ended(program: Sequence[str], text: str, errors: int) -> tuple[int | None, str]:
    """Exit code and output of a program that is given a text; None where it is ended, with all that it started."""
    with subprocess.Popen(  # noqa: S603 - this interpreter, or the shell, with a script that was made here
        program,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        encoding="utf-8",
        errors="backslashreplace",
        start_new_session=True,
    ) as process:
        try:
            told, _ = process.communicate(text, timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            return None, ""
        else:
            return process.returncode, told
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
