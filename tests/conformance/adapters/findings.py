"""Root causes of a library's failures: each failing case of its stream is assigned to one, and its script is run again.

    python -m tests.conformance.adapters.findings NAME PYTHON

reads ``stream.jsonl`` and ``causes.toml`` in ``reports/conformance/NAME`` and writes ``findings.json`` there, and
beside each reproducer ``SLUG.py`` what it printed, ``SLUG.txt``. PYTHON has the library, which is all a script uses.

``causes.toml`` is a list ``[[cause]]`` with ``slug``, ``class`` (one of :data:`CLASSES`), ``summary`` (two sentences)
and ``match``, a list of tables of which one must fit: ``verdicts``, ``cases`` (globs of ids, laws too) and ``reason``
and ``answer`` (regular expressions that are searched). The first cause that fits a failure has it; a failure that none
fits, a cause without failures, and a script that fails are errors.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

REPORTS: Final = Path(__file__).parents[3] / "reports/conformance"

CLASSES: Final = (
    "failing-open",
    "closed-form",
    "infinite-loss",
    "bisection",
    "discretisation",
    "negative-epsilon",
    "overflow",
    "large-epsilon",
    "truncation",
    "inconsistent",
    "cancellation",
    "threshold",
    "crash",
    "domain",
    "round-off",
)
"""Classes of fault, the gravest first."""

FAILING: Final = ("unsound", "wrong", "errored", "crashed", "timeout", "unsound-rounding", "broken")
"""Verdicts of cases and laws that a cause explains, the gravest first."""

KEYS: Final = (
    *("slug", "class", "verdict", "summary", "library", "version", "versions", "op", "input", "answer", "truth", "gap"),
    *("record", "script", "output", "cases"),
)
"""The keys of a finding, in order."""

_SECONDS: Final = 300
_VERSIONS: Final = """
import json, platform
from importlib.metadata import PackageNotFoundError, version
found = {"python": platform.python_version()}
for name in ("numpy", "scipy", "dp-accounting", "scikit-learn"):
    try:
        found[name] = version(name)
    except PackageNotFoundError:
        pass
print(json.dumps(found))
"""

Event = Mapping[str, Any]


def failures(events: Iterable[Event]) -> list[Event]:
    """The failing cases and broken laws of a stream."""
    return [event for event in events if event["event"] in ("result", "law") and event["verdict"] in FAILING]


def identity(event: Event) -> str:
    """The id of a case or a law."""
    return str(event["case"] if event["event"] == "result" else event["id"])


def fits(event: Event, match: Mapping[str, Any]) -> bool:
    """Whether a failure is one that a table of ``match`` describes."""
    return (
        event["verdict"] in match.get("verdicts", FAILING)
        and any(fnmatchcase(identity(event), pattern) for pattern in match.get("cases", ["*"]))
        and bool(re.search(match.get("reason", ""), str(event.get("reason") or "")))
        and bool(re.search(match.get("answer", ""), _text(event.get("answer"))))
    )


def assigned(causes: Sequence[Mapping[str, Any]], failing: Sequence[Event]) -> dict[str, list[Event]]:
    """The failures of each cause, by slug.

    Raises:
        ValueError: for a failure without a cause, or a cause without a failure.
    """
    by_slug: dict[str, list[Event]] = {cause["slug"]: [] for cause in causes}
    for event in failing:
        slugs = [cause["slug"] for cause in causes if any(fits(event, match) for match in cause["match"])]
        if not slugs:
            raise ValueError(f"no cause for {identity(event)}: {event['verdict']}, {event.get('reason')}")
        by_slug[slugs[0]].append(event)
    unused = [slug for slug, events in by_slug.items() if not events]
    if unused:
        raise ValueError(f"causes without a failure: {', '.join(unused)}")
    return by_slug


def smallest(events: Sequence[Event]) -> Event:
    """The failure with the gravest verdict and, of these, the shortest question; a law only where there is no case."""
    return min(
        events, key=lambda e: (e["event"] == "law", FAILING.index(e["verdict"]), len(_text(e.get("args"))), identity(e))
    )


def finding(cause: Mapping[str, Any], events: Sequence[Event], header: Event, versions: Mapping[str, str]) -> Event:
    """One finding, with the keys of :data:`KEYS`."""
    least, slug = smallest(events), cause["slug"]
    values = {
        "slug": slug,
        "class": cause["class"],
        "verdict": min((event["verdict"] for event in events), key=FAILING.index),
        "summary": " ".join(cause["summary"].split()),
        "library": header["subject"]["name"],
        "version": header["subject"]["version"],
        "versions": versions,
        "op": least["op"],
        "input": least.get("args", {"cases": least.get("cases")}),
        "answer": _text(least["answer"]) if least.get("answer") else str(least.get("reason")),
        "truth": stated(least.get("truth") or {}),
        "gap": (least.get("gap") or {}).get("decimal", ""),
        "record": identity(least) if least["event"] == "result" else least["cases"][0],
        "script": f"{slug}.py",
        "output": f"{slug}.txt",
        "cases": [identity(event) for event in events],
    }
    return {key: values[key] for key in KEYS}


def stated(truth: Mapping[str, Any]) -> str | dict[str, str]:  # noqa: PLR0911 - one for each shape
    """The truth of an event as text, or as the two ends of an enclosure."""
    match truth:
        case {"exact": value}:
            return _text(value)
        case {"enclosure": [lo, hi]} | {"least": [lo, hi]}:
            return {"lo": lo, "hi": hi}
        case {"epsilon": {"lo": lo, "hi": hi}}:
            return lo if lo == hi else {"lo": lo, "hi": hi}
        case {"rejects": why}:
            return f"no answer: {why}"
        case {"renyi": {"divergence": divergence}}:
            return stated(divergence)
        case {"relation": holds}:
            return _text(holds)
    return _text(truth) if truth else ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _run(python: str, arguments: Sequence[str]) -> str:
    done = subprocess.run(
        [python, "-W", "ignore", *arguments], capture_output=True, text=True, timeout=_SECONDS, check=False
    )
    if done.returncode:
        raise ValueError(f"{' '.join(arguments)[:80]} ended with {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


def main(name: str, python: str) -> None:
    """Write the findings of a library."""
    folder = REPORTS / name
    events = [json.loads(line) for line in (folder / "stream.jsonl").read_text(encoding="utf-8").splitlines()]
    causes = []
    if (folder / "causes.toml").exists():
        causes = tomllib.loads((folder / "causes.toml").read_text(encoding="utf-8"))["cause"]
    by_slug = assigned(causes, failures(events))
    versions = json.loads(_run(python, ["-c", _VERSIONS]))
    found = [finding(cause, by_slug[cause["slug"]], events[0], versions) for cause in causes]
    found.sort(key=lambda one: CLASSES.index(one["class"]))
    for one in found:
        printed = _run(python, [str(folder / one["script"])])
        (folder / one["output"]).write_text(printed, encoding="utf-8")
    text = json.dumps(found, indent=1, ensure_ascii=False)
    (folder / "findings.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
