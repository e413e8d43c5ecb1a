"""Hand-made streams of conformance runs, one with a result of every verdict and texts that try to act as markup."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from oracle.conformance.gaps import VERDICTS
from oracle.render.conformance_stream import Run, read_stream

HOSTILE = "</script><script>document.title='acted'</script><img src=x onerror=alert(1)> | `*_[a](javascript:b) \x1b[31m"

HEADER: dict[str, Any] = {
    "event": "header",
    "suite": "2026.12",
    "subject": {
        "name": "somelib",
        "version": "1.2.3",
        "claims": {"delta": "upper"},
        "accepts": {"numbers": "binary64"},
    },
    "settings": {"strict": False, "tightness": False},
    "notes": {"TinyDelta": {"kind": "soundness", "description": "Deltas below 1e-30.", "effect": "A zero is unsafe."}},
}
FOOTER: dict[str, Any] = {"event": "footer", "complete": True, "counts": {}}


def result(verdict: str, **more: Any) -> dict[str, Any]:
    """One result; *more* replaces and adds fields."""
    event = {"event": "result", "case": f"profile/{verdict}", "op": "delta", "concept": "profile", "flags": []}
    return event | {"verdict": verdict, "gap": None, "answer": "1/4", "truth": {"exact": "1/4"}} | more


def gap(exact: str, relative: str) -> dict[str, str]:
    """A gap as the stream has it."""
    return {"exact": exact, "relative": relative, "ulps": "+3", "decimal": exact}


def law(name: str, verdict: str, **more: Any) -> dict[str, Any]:
    """One law."""
    return {"event": "law", "law": name, "verdict": verdict} | more


GAPS = {
    "exact": gap("0", "0"),
    "sound": gap("1/10000000000", "4e-10"),
    "loose": gap("1/8", "0.5"),
    "unsound": gap("-1/8", "0.5"),
    "unsound-rounding": gap("-1/100000000000", "4e-11"),
    "wrong": gap("1/3", "1.34"),
}
EVERY = [result(verdict, gap=GAPS.get(verdict)) for verdict in VERDICTS]
ANSWERLESS = {"answer": None, "reason": HOSTILE}


def lines(
    events: Iterable[object], header: dict[str, Any] = HEADER, footer: dict[str, Any] | None = FOOTER
) -> list[str]:
    """A stream, with its footer unless that is None."""
    return [json.dumps(event) + "\n" for event in [header, *events, *([] if footer is None else [footer])]]


def run(events: Iterable[object], header: dict[str, Any] = HEADER, footer: dict[str, Any] | None = FOOTER) -> Run:
    """The run of those events."""
    return read_stream(lines(events, header, footer))


def hostile() -> Run:
    """A run whose every text of the subject tries to act."""
    header = HEADER | {"subject": {"name": HOSTILE, "version": HOSTILE, "claims": HOSTILE}}
    events = [
        result(
            "unsound", case="profile/tiny", flags=["TinyDelta"], gap=GAPS["unsound"], answer=HOSTILE, summary=HOSTILE
        ),
        result("errored", case="profile/fails", **ANSWERLESS),
        result("declined", concept="noise", **ANSWERLESS),
        law(HOSTILE, "broken", reason=HOSTILE, cases=[HOSTILE]),
    ]
    return run(events, header)


def write_libraries(directory: Path) -> None:
    """Folders of results of two libraries; one has a root cause with its script, and ops that answer nothing."""
    other = [result("sound", case="renyi/two", concept="renyi", op="renyi", gap=GAPS["sound"])]
    events = [
        *EVERY,
        result("exact", case="epsilon/one", concept="epsilon", op="epsilon"),
        result("declined", case="mu/one", concept="mu", op="mu"),
        law("delta falls", "broken", id="law:delta falls:1", reason="at 1/2"),
    ]
    texts = {
        "other/stream.jsonl": "".join(lines(other, HEADER | {"subject": {"name": "otherlib", "version": "2"}})),
        "some-lower/stream.jsonl": "".join(lines(events)),
        "some-lower/findings.json": json.dumps([CAUSE]),
        "some-lower/tiny-delta.py": 'print("<delta>")\n',
        "some-lower/tiny-delta.txt": "0.0 < 1e-40\n",
        "some-lower/report.md": "",
    }
    for name, text in texts.items():
        (directory / name).parent.mkdir(exist_ok=True)
        (directory / name).write_text(text, encoding="utf-8")


CAUSE: dict[str, Any] = {
    "slug": "tiny-delta",
    "class": "failing-open",
    "verdict": "unsound",
    "summary": "A small delta becomes 0. It is claimed to be an upper bound.",
    "library": "somelib",
    "version": "1.2.3",
    "versions": {"numpy": "2.4"},
    "op": "delta",
    "input": {"epsilon": "1"},
    "answer": "0x1p-140",
    "truth": {"lo": "1e-40", "hi": "1.1e-40"},
    "gap": "-1e-40",
    "record": "profile/unsound",
    "script": "tiny-delta.py",
    "output": "tiny-delta.txt",
    "cases": ["profile/unsound", "law:gone"],
}
