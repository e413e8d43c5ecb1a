"""A script that shows a finding: the library's own calls where they can be written down, and what it prints."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oracle.conformance.fuzz.asking import Judged
from oracle.conformance.fuzz.places import Origin
from oracle.conformance.fuzz.wording import told_answer, told_truth
from oracle.errors import shorten
from oracle.json_text import dump_line

__all__ = ["printed", "reproducer"]

_SECONDS: Final = 25


def reproducer(shown: Sequence[Judged], finding: Mapping[str, Any], origin: Origin) -> tuple[str, str]:
    """Name and text of a script that shows the finding."""
    told = [line for one in shown for line in _said(one)]
    if finding["law"] is not None:
        told.append(f"law {finding['law']['name']}: {finding['law']['reason']}")
    subject = f"{origin.hello.name} {origin.hello.version}"
    title = f"{subject}: {finding['class']}, {finding['verdict']} ({finding['claim']} is claimed)"
    target = origin.asked.target
    if target is None:
        return "reproduce.sh", _shell(shown, [title, *told], origin)
    head = "".join(f"# {line}\n" for line in [title, *told])
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


def _shell(shown: Sequence[Judged], told: Sequence[str], origin: Origin) -> str:
    requests = [
        dump_line({"id": f"fuzz-{n}", "op": one.probe.op, "args": one.probe.args}) for n, one in enumerate(shown)
    ]
    piped = " ".join(map(shlex.quote, requests))
    head = "".join(f"# {line}\n" for line in told)
    return f"#!/bin/sh\n{head}printf '%s\\n' {piped} | {origin.asked.command}\n"


def _traced(one: Judged, target: str, interpreter: str) -> str | None:
    request = dump_line({"id": "trace", "op": one.probe.op, "args": one.probe.args})
    command = [interpreter, "-m", "oracle.conformance.fuzz.tracing", target]
    try:
        done = subprocess.run(  # noqa: S603 - this interpreter and our own module
            command, input=request, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 and done.stdout.strip() else None


def _through_adapter(shown: Sequence[Judged], target: str) -> str:
    lines = [
        "# No script of the library's own calls could be made; this one asks through its adapter.",
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
    try:
        done = subprocess.run(  # noqa: S603 - the script was made here
            program,
            input=script,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no end within {_SECONDS} s\n"
    return done.stdout if done.returncode == 0 else f"{done.stdout}exit code {done.returncode}\n"
