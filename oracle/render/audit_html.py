"""The report as one HTML file: no script, no request, readable from ``file://``, printed, in the dark and aloud.

The report itself, ``report.json``, stands inside the page as data, so that the page alone can be verified; the page is
a view of it and has nothing that the report has not. Labels, names and claims are data: no markup in them acts.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final

from oracle.render import statistics_html
from oracle.render.audit_plots import profile_plot, tradeoff_plot
from oracle.render.claim_facts import claim_facts
from oracle.render.html_parts import code, facts, folded, lines_of, paragraph, section, table, text
from oracle.render.interactive import report_svg, report_tree
from oracle.render.report_page import again, assumptions, certificates, claims_table, report_page, verdict_word
from oracle.render.words import (
    count,
    curves,
    headline,
    number,
    outcome,
    pair_name,
    plain,
    protection,
    short,
    size,
    verdict,
)

__all__ = ["first_difference", "render"]

Json = Mapping[str, Any]

_MOST_ROWS: Final = 200
_MOST_RESULTS: Final = 50
_FOLDED: Final = 12
_LONGEST_EXPRESSION: Final = 20_000


def render(document: Json) -> str:
    """The page of a report of either kind, ending in a line break."""
    if document["report"] == "statistical_audit":
        return statistics_html.render(document)
    return report_page(f"{verdict(document)}: {headline(document)}", _meaning(document), _parts(document), document)


def _parts(document: Json) -> Iterator[str]:
    yield section("Claims", _claims(document), "claims")
    yield section("What was audited", _audited(document), "input")
    for k, claim in enumerate(document["claims"]):
        yield section(f"Why: {code(claim['written'])}", _why(document, k), f"why-{k + 1}")
    yield section("How private it is", _privacy(document), "privacy")
    if len(document["pairs"]) > 1:
        yield section("All pairs, the worst first", _results(document), "pairs")
    yield section("Evidence", _evidence(document), "evidence")
    yield assumptions(_checked(document), document)
    yield again(document)


def _meaning(document: Json) -> str:
    """The verdict in a sentence for a reader who sees nothing else."""
    many = len(document["claims"]) > 1
    if document["verdict"] == "holds":
        said = "Every claim holds for every pair of inputs listed here" if many else "The claim holds"
        return f"{said}{', with equality' if document['equality'] else ''}."
    if document["verdict"] == "refuted":
        return "At least one claim does not hold, and an event shows it." if many else "The claim does not hold."
    return "What was computed does not decide it: this is neither a proof nor a refutation."


def _claims(document: Json) -> list[str]:
    rows = []
    for claim in document["claims"]:
        told = claim["verdict"] + (" with equality" if claim["equality"] else "")
        word = verdict_word(claim["verdict"], told)
        rows.append([code(claim["written"]), text(claim["words"]), word, text(number(claim["slack"], "down"))])
    return [claims_table(rows, "verdict", "slack")]


def _audited(document: Json) -> list[str]:
    source = document["input"]
    items = [
        ("input", plain(source["name"])),
        ("size", size(source)),
        ("pairs judged", count(len(document["pairs"]), "pair")),
        ("direction", "both orders of each pair" if document["direction"] == "both" else document["direction"]),
        ("SHA-256 of the file", source["sha256"] or "(none: a value from Python)"),
        ("SHA-256 as parsed", source["parsed_sha256"]),
    ]
    items += [(f"{name} (declared)", told) for name, told in protection(document)]
    return [facts(items), *_mechanism(document)]


def _mechanism(document: Json) -> list[str]:
    source = document["input"]
    if "interactive" in source:
        drawing = b64encode(report_svg(document).encode()).decode()
        image = f'<img src="data:image/svg+xml;base64,{drawing}" alt="The tree as a drawing; it stands below as text">'
        region = f'<div class="scroll" tabindex="0" role="region" aria-label="The tree as a drawing">{image}</div>'
        return [region, folded("The tree as text", f"<pre>{lines_of(report_tree(document))}</pre>")]
    if "expression" in source:
        shown = json.dumps(source["expression"], sort_keys=True, ensure_ascii=True, indent=2)
        if len(shown) > _LONGEST_EXPRESSION:
            return [paragraph("The expression is in the report's data.")]
        return [f"<pre>{lines_of(shown)}</pre>"]
    if "table" not in source:
        return []
    rows = source["table"]["matrix"]
    inputs = source["table"].get("inputs") or [f"row {i}" for i in range(len(rows))]
    outputs = source["table"].get("outputs") or [f"column {k}" for k in range(len(rows[0]))]
    lines = [[text(plain(outputs[k])), *(text(short(row[k])) for row in rows)] for k in range(len(outputs))]
    return [table("Probability of each outcome", ["outcome", *map(plain, inputs)], lines)]


def _why(document: Json, index: int) -> list[str]:
    plots = [plot for plot in (tradeoff_plot(document, index), profile_plot(document, index)) if plot is not None]
    parts = [facts(claim_facts(document, index))]
    if plots:
        parts.append(f'<div class="plots">{"".join(plots)}</div>')
    return parts


def _privacy(document: Json) -> list[str]:
    most = " (the worst of all pairs)" if len(document["pairs"]) > 1 else ""
    items = [
        (
            f"total variation{most}",
            f"{number(document['total_variation'], 'up')}: the most by which any event differs in probability",
        ),
        (f"Bayes error at prior 1/2{most}", number(document["bayes_error"], "down")),
    ]
    items += [("note", sentence) for sentence in document["notes"]]
    return [facts(items), *_corners(document)]


def _corners(document: Json) -> list[str]:
    if not document["input"]["finite"]:
        return [paragraph("The trade-off function has no finite list of corners.")]
    worst = document["results"][document["claims"][0]["worst"]]
    pair = document["pairs"][worst["pair"]]
    parts = []
    for title, corners in curves(document, pair):
        caption = f"Corners of {title}, pair {pair_name(pair)}"
        if corners is None:
            parts.append(paragraph(f"{caption}: left out, too long to write exactly."))
            continue
        rows = [[text(number(a, "down")), text(number(b, "down"))] for a, b in corners[:_MOST_ROWS]]
        inner = table(caption, ["alpha", "beta"], rows) + _more(len(corners), _MOST_ROWS, "corner")
        parts.append(inner if len(corners) <= _FOLDED else folded(f"{caption}: {len(corners)}", inner))
    return parts


def _more(total: int, shown: int, what: str) -> str:
    more = total - shown
    return paragraph(f"... {count(more, f'more {what}')} in the report's data.") if more > 0 else ""


def _results(document: Json) -> list[str]:
    rows = [
        [
            code(document["claims"][result["claim"]]["written"]),
            text(pair_name(document["pairs"][result["pair"]])),
            text(outcome(result)),
            text(number(result["slack"], "down")),
        ]
        for result in document["results"][:_MOST_RESULTS]
    ]
    heads = ("claim", "pair", "verdict", "slack")
    return [table("Verdicts", heads, rows), _more(len(document["results"]), _MOST_RESULTS, "result")]


def _evidence(document: Json) -> list[str]:
    records = document["records"]
    parts = certificates(document["certificates"])
    if records:
        told = "says" if len(records) == 1 else "say"
        parts.append(
            paragraph(
                f"{count(len(records), 'record')} {told} what was computed, with proved enclosures in ball arithmetic."
                " A record can be made again; it is no certificate that the checker could accept."
            )
        )
    return parts


def _checked(document: Json) -> list[str]:
    finite = document["input"]["finite"]
    return [
        "Every probability lies in [0, 1], and every row sums to exactly 1."
        if finite
        else "The parameters of the mechanism are in range.",
        f"{count(len(document['results']), 'verdict')}, each from exact arithmetic or a proved enclosure.",
        "Every certificate by a checker that shares no code with what made it."
        if document["certificates"]
        else "No certificate: the mechanism is no finite table.",
    ]


def first_difference(page: str, document: Json) -> str | None:
    """Where a page is not the view of a report, as the number of a line; None where it is, character for character."""
    made = render(document)
    if page == made:
        return None
    lines = zip_longest(page.split("\n"), made.split("\n"))
    return f"line {next(k for k, (shown, true) in enumerate(lines, 1) if shown != true)}"
