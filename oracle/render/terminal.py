"""The report on a terminal: the verdict first, about a dozen lines, then tables that are cut short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tabulate import tabulate

from oracle.render.words import (
    comparison_lines,
    event_lines,
    gap,
    headline,
    number,
    outcome,
    pair_name,
    plain,
    printable,
    short,
    size,
    tight_epsilon,
    verdict,
    witness_line,
)

__all__ = ["render"]

Json = Mapping[str, Any]

_MOST_ROWS: Final = 8
_COLOURS: Final = {"holds": "\x1b[1;32m", "refuted": "\x1b[1;31m", "undecided": "\x1b[1;33m"}
_RESET: Final = "\x1b[0m"


def render(document: Json, *, colour: bool = False) -> str:
    """The report as text, without a final line break. With *colour* the verdict is marked for a terminal."""
    word = verdict(document)
    if colour:
        word = f"{_COLOURS[document['verdict']]}{word}{_RESET}"
    worst = [claim["worst"] for claim in document["claims"]]
    facts = [("input", _input(document))]
    for k, index in enumerate(worst):
        facts += _claim(document, k, document["results"][index])
    most = " over all pairs" if len(document["pairs"]) > 1 else ""
    facts.append(("total variation", number(document["total_variation"], "up") + most))
    facts.append(("Bayes error", f"{number(document['bayes_error'], 'down')} at prior 1/2{most}"))
    if document["certificates"]:
        facts.append(("certificates", f"{len(document['certificates'])}, accepted by the independent checker"))
    else:
        facts.append(("records", f"{len(document['records'])} of enclosures in ball arithmetic; no certificate"))
    lines = [f"{word}: {headline(document)}", *(f"  {name:<18}{value}" for name, value in facts), ""]
    if len(document["pairs"]) > 1:
        lines += [*_pairs(document), ""]
    pair = document["pairs"][document["results"][worst[0]]["pair"]]
    return "\n".join([*lines, *_corners(document, pair)])


def _input(document: Json) -> str:
    source = document["input"]
    pairs = document["pairs"]
    name = f"pair {pair_name(pairs[0])}" if len(pairs) == 1 else f"{len(pairs)} pairs"
    direction = "both directions" if document["direction"] == "both" else f"direction {document['direction']}"
    return f"{plain(source['name'])} ({size(source)}), {name}, {direction}"


def _claim(document: Json, index: int, result: Json) -> list[tuple[str, str]]:
    """A claim: how tight it is over all pairs, and the evidence for the worst one."""
    claim = document["claims"][index]
    told = claim["verdict"] + (" with equality" if claim["equality"] else "")
    said = f": {told}" if len(document["claims"]) > 1 else ""
    facts = [("claim", f"{printable(claim['written'])}{said}")]
    if result["about"] == "approximate_dp":
        level, delta = printable(claim["words"]).partition(",")[0], short(claim["parsed"]["delta"])
        facts.append(("tight exp_epsilon", f"{tight_epsilon(claim)}, at delta = {delta}"))
        facts.append(("tight delta", f"{number(claim['tight_delta'], 'up')} at {level}"))
    facts.append(("slack", gap(result)))
    if len(document["pairs"]) > 1:
        facts.append(("worst pair", pair_name(document["pairs"][result["pair"]])))
    if result["evidence"]["kind"] == "enclosure":
        lines = comparison_lines(result["evidence"])
        return [*facts, *zip(["compared", *[""] * len(lines)], lines, strict=False)]
    if result["holds"]:
        return [*facts, ("witness", witness_line(result["evidence"]))]
    event, inequality = event_lines(result["evidence"])
    return [*facts, ("event", event), ("", inequality)]


def _pairs(document: Json) -> list[str]:
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
    return [_table(rows, ["claim", "pair", "verdict", "slack"]), *_more(len(document["results"]), "results")]


def _corners(document: Json, pair: Json) -> list[str]:
    if not document["input"]["finite"]:
        return ["The trade-off function has no finite list of corners."]
    name = f" of pair {pair_name(pair)}" if len(document["pairs"]) > 1 else ""
    curves = [("T(P, Q)" + (" = T(Q, P)" if pair["symmetric"] else ""), pair["tradeoff"]["forward"])]
    if not pair["symmetric"]:
        curves.append(("T(Q, P)", pair["tradeoff"]["backward"]))
    lines: list[str] = []
    for title, corners in curves:
        lines += [""] if lines else []
        lines.append(f"corners of {title}{name}")
        if corners is None:
            lines.append("left out: too long to write exactly")
            continue
        rows = [[number(alpha, "down"), number(beta, "down")] for alpha, beta in corners[:_MOST_ROWS]]
        lines += [_table(rows, ["alpha", "beta"]), *_more(len(corners), "corners")]
    return lines


def _table(rows: list[list[str]], headers: list[str]) -> str:
    return tabulate(rows, headers, tablefmt="plain", disable_numparse=True)


def _more(count: int, what: str) -> list[str]:
    return [f"... {count - _MOST_ROWS:,} more {what} in report.json"] if count > _MOST_ROWS else []
