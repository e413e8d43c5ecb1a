"""Makes ``reports/conformance/searches.md`` from the committed searches: what each found, from no hints.

Run as ``python -m tests.conformance.adapters.searches``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tabulate import tabulate

from oracle.conformance.adapters.libraries import LIBRARIES
from oracle.errors import shorten
from oracle.json_text import dump_line

REPORTS: Final = Path(__file__).parents[3] / "reports/conformance"
PAGE: Final = REPORTS / "searches.md"
_SHOWN: Final = 300

HEAD: Final = """\
# What a search finds from no hints

One run each of `oracle fuzz NAME --minutes {minutes} --seed {seed}`, two at once on two cores;
`.ci/conformance-searches` makes them again. Time ends a run, so another machine asks other questions. Nothing is known
of a library beforehand: mechanisms and questions are drawn from the whole language, and each finding is shrunk to a
small question that fails in the same way. A finding is a cause by what can be seen of it (op, verdict, class), which
may be one of several faults, or share one with another; the root causes, each with a reproducer, are in the folders of
the libraries.
"""


def search_of(name: str) -> dict[str, Any]:
    """The committed search of a library."""
    found: dict[str, Any] = json.loads((REPORTS / name / "search.json").read_text(encoding="utf-8"))
    return found


def page() -> str:
    """The page about all of them."""
    searches = {name: search_of(name) for name in LIBRARIES}
    settings = next(iter(searches.values()))["settings"]
    parts = [HEAD.format(minutes=f"{settings['minutes']:g}", seed=settings["seed"]), _summary(searches)]
    return "\n".join([*parts, *(part for name, found in searches.items() for part in _findings(name, found))])


def _summary(searches: dict[str, dict[str, Any]]) -> str:
    verdicts = ("unsound", "law", "wrong", "errored", "timeout", "crashed")
    rows = []
    for name, found in searches.items():
        kinds = [entry["verdict"] for entry in found["findings"]]
        counts = [kinds.count(verdict) or "" for verdict in verdicts]
        rows.append([f"[`{name}`](#{name})", found["subject"]["version"], found["judged"], len(kinds), *counts])
    heads = ["library", "version", "questions judged", "findings", *verdicts]
    return tabulate(rows, heads, tablefmt="github", disable_numparse=True) + "\n"


def _findings(name: str, found: dict[str, Any]) -> Iterator[str]:
    yield f"## {name}\n"
    if not found["findings"]:
        yield "Nothing.\n"
        return
    for entry in found["findings"]:
        question = shorten(dump_line(entry["input"]), _SHOWN)
        yield f"- `{entry['slug']}`, {entry['repeats']} times: {entry['op']} of `{question}`"
        yield f"  is answered `{shorten(entry['answer'], _SHOWN)}`{_gap(entry)}."
    yield ""


def _gap(entry: dict[str, Any]) -> str:
    return f", {entry['gap']} from where it may be" if entry["gap"] else ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
