"""The report on a terminal: the verdict first, about a dozen lines, then tables that are cut short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tabulate import tabulate

from oracle.render.claim_facts import claim_facts
from oracle.render.words import (
    count,
    curves,
    headline,
    number,
    outcome,
    pair_name,
    plain,
    printable,
    size,
    verdict,
)

__all__ = ["render"]

Json = Mapping[str, Any]

_MOST_ROWS: Final = 8
_TOLD: Final = {"No verdict on ": "no verdict", "The least mu of a Poisson subsampled": "note"}
"""Sentences of what the report does not say that are told here too, by how they begin."""

_COLOURS: Final = {"holds": "\x1b[1;32m", "refuted": "\x1b[1;31m", "undecided": "\x1b[1;33m"}
_RESET: Final = "\x1b[0m"


def render(document: Json, *, colour: bool = False, written: bool = False) -> str:
    """The report as text, without a final line break.

    With *colour* the verdict is marked for a terminal; *written* says that there is a report.json to point to.
    """
    word = verdict(document)
    if colour:
        word = f"{_COLOURS[document['verdict']]}{word}{_RESET}"
    worst = [claim["worst"] for claim in document["claims"]]
    facts = [("input", _input(document))]
    for k in range(len(worst)):
        facts += _claim(document, k)
    most = " over all pairs" if len(document["pairs"]) > 1 else ""
    facts.append(("total variation", number(document["total_variation"], "up") + most))
    facts.append(("Bayes error", f"{number(document['bayes_error'], 'down')} at prior 1/2{most}"))
    if document["certificates"] and document["records"]:
        facts.append(("certificates", f"{len(document['certificates'])}, accepted by the independent checker"))
        facts.append(("records", f"{len(document['records'])}, enclosures in ball arithmetic, without a certificate"))
    elif document["certificates"]:
        facts.append(("certificates", f"{len(document['certificates'])}, accepted by the independent checker"))
    else:
        facts.append(("records", f"{len(document['records'])}, enclosures in ball arithmetic; no certificate"))
    facts += [
        (name, printable(text.removeprefix(start) if name == "no verdict" else text))
        for text in document["limits"]
        for start, name in _TOLD.items()
        if text.startswith(start)
    ]
    facts += [("note", printable(sentence)) for sentence in document["notes"]]
    if document["declared"]:
        facts.append(("declared", f"{count(len(document['declared']), 'fact')}, not checked"))
    lines = [f"{word}: {headline(document)}", *(f"  {name:<18}{value}" for name, value in facts), ""]
    if len(document["pairs"]) > 1:
        lines += [*_pairs(document, written=written), ""]
    pair = document["pairs"][document["results"][worst[0]]["pair"]]
    return "\n".join([*lines, *_corners(document, pair, written=written)])


def _input(document: Json) -> str:
    source = document["input"]
    pairs = document["pairs"]
    name = f"pair {pair_name(pairs[0])}" if len(pairs) == 1 else f"{len(pairs)} pairs"
    direction = "both directions" if document["direction"] == "both" else f"direction {document['direction']}"
    return f"{plain(source['name'])} ({size(source)}), {name}, {direction}"


def _claim(document: Json, index: int) -> list[tuple[str, str]]:
    """A claim as it was written, and what is said of it."""
    claim = document["claims"][index]
    told = claim["verdict"] + (" with equality" if claim["equality"] else "")
    said = f": {told}" if len(document["claims"]) > 1 else ""
    return [("claim", f"{printable(claim['written'])}{said}"), *claim_facts(document, index)]


def _pairs(document: Json, *, written: bool) -> list[str]:
    """All results, by claim and the worst pair first."""
    rows = [
        [
            plain(document["claims"][result["claim"]]["written"]),
            pair_name(document["pairs"][result["pair"]]),
            outcome(result),
            number(result["slack"], "down"),
        ]
        for result in document["results"][:_MOST_ROWS]
    ]
    return [
        _table(rows, ["claim", "pair", "verdict", "slack"]),
        *_more(len(document["results"]), "result", written=written),
    ]


def _corners(document: Json, pair: Json, *, written: bool) -> list[str]:
    if not document["input"]["finite"]:
        return ["The trade-off function has no finite list of corners."]
    name = f" of pair {pair_name(pair)}" if len(document["pairs"]) > 1 else ""
    lines: list[str] = []
    for title, corners in curves(document, pair):
        lines += [""] if lines else []
        lines.append(f"corners of {title}{name}")
        if corners is None:
            lines.append("left out: too long to write exactly")
            continue
        rows = [[number(alpha, "down"), number(beta, "down")] for alpha, beta in corners[:_MOST_ROWS]]
        lines += [_table(rows, ["alpha", "beta"]), *_more(len(corners), "corner", written=written)]
    return lines


def _table(rows: list[list[str]], headers: list[str]) -> str:
    return tabulate(rows, headers, tablefmt="plain", disable_numparse=True)


def _more(rows: int, what: str, *, written: bool) -> list[str]:
    more = rows - _MOST_ROWS
    where = "in report.json" if written else "(all of them with --out or --json)"
    return [f"... {count(more, f'more {what}')} {where}"] if more > 0 else []
