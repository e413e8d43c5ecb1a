"""The report as Markdown, for pull requests and issues. Labels, names and claims are data: no markup in them acts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oracle.render.interactive import adversary_lines, report_tree
from oracle.render.words import (
    columns_line,
    comparison_lines,
    count,
    curves,
    declared_lines,
    event_lines,
    gap,
    headline,
    level_words,
    number,
    outcome,
    pair_name,
    plain,
    printable,
    proof_lines,
    short,
    size,
    tight,
    tight_delta,
    tight_epsilon,
    verdict,
    witness_line,
)

__all__ = ["code", "escape", "render", "table"]

Json = Mapping[str, Any]

_MOST_ROWS: Final = 20
_LONGEST_EXPRESSION: Final = 2000
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;", ":": "&#58;", "/": "&#47;"}
_ACTIVE = re.compile(r"[\\`*_{}\[\]()#+\-.!|~$&<>@:/\"'=^]")


def escape(text: str) -> str:
    """Text as inert Markdown: nothing in it is markup, a link, a mention or a table border.

    Punctuation is backslash-escaped; what HTML or automatic links would act on becomes an entity.
    """
    return _ACTIVE.sub(lambda found: _ENTITIES.get(found[0], f"\\{found[0]}"), printable(text))


def code(text: str) -> str:
    """Text as a code span, in which nothing acts; escaped where a span or a table cell could not hold it."""
    shown = printable(text)
    return f"`{shown}`" if shown.strip() == shown != "" and not set("`|\\") & set(shown) else escape(text)


def _label(text: str) -> str:
    return code(plain(text))


def render(document: Json) -> str:
    """The report as GitHub-flavoured Markdown, ending in a line break."""
    parts = [
        f"# {verdict(document)}",
        f"{_inert(headline(document))}.",
        *_claims(document),
        *_mechanism(document),
        *_details(document),
        *_pairs(document),
        *_evidence(document),
        *_notes(document),
        *_declared(document),
        "## What this report does not say",
        "\n".join(f"- {sentence}" for sentence in document["limits"]),
    ]
    return "\n\n".join(parts) + "\n"


def table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of cells that are Markdown already."""
    lines = [headers, ["---"] * len(headers), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _more(rows: int, what: str) -> list[str]:
    more = rows - _MOST_ROWS
    return [f"... {count(more, f'more {what}')} in report.json."] if more > 0 else []


def _inert(line: str) -> str:
    """A line of our own with its comparison signs as entities."""
    return line.replace("<", "&lt;").replace(">", "&gt;")


def _notes(document: Json) -> list[str]:
    lines = document["notes"]
    return ["## Notes", "\n".join(f"- {escape(line)}" for line in lines)] if lines else []


def _declared(document: Json) -> list[str]:
    lines = declared_lines(document)
    return ["## Declared, not checked", "\n".join(f"- {escape(line)}" for line in lines)] if lines else []


def _claims(document: Json) -> list[str]:
    rows = []
    for claim in document["claims"]:
        told = claim["verdict"] + (" with equality" if claim["equality"] else "")
        rows.append([code(claim["written"]), claim["words"], told, number(claim["slack"], "down")])
    source = document["input"]
    about = [
        ["input", code(source["name"])],
        ["size", size(source)],
        ["direction", document["direction"]],
        ["SHA-256 of the file", source["sha256"] or "(none: a value from Python)"],
        ["SHA-256 as parsed", source["parsed_sha256"]],
    ]
    return [table(["claim", "as parsed", "verdict", "slack"], rows), table(["about", ""], about)]


def _mechanism(document: Json) -> list[str]:
    """What was audited: the expression, a tree, or a small table with a line for each outcome."""
    source = document["input"]
    if "interactive" in source:
        # Indented, so that no fence in a label can end it.
        tree = "\n".join(f"    {line}" for line in report_tree(document).split("\n"))
        return ["## Mechanism", tree, "![The tree, as a drawing](tree.svg)"]
    if "expression" in source:
        text = json.dumps(source["expression"], sort_keys=True, ensure_ascii=True)
        if len(text) > _LONGEST_EXPRESSION:
            return ["## Mechanism", "The expression is in report.json."]
        # Indented, so that no fence in a label can end it.
        return ["## Mechanism", f"    {text}"]
    if "table" not in source:
        return []
    given = source["table"]
    rows = given["matrix"]
    inputs = [_label(label) for label in given.get("inputs", [])] or [f"row {i}" for i in range(len(rows))]
    outputs = [_label(label) for label in given.get("outputs", [])] or [f"column {k}" for k in range(len(rows[0]))]
    lines = [[outputs[k], *(short(row[k]) for row in rows)] for k in range(len(outputs))]
    return ["## Mechanism", table(["outcome", *inputs], lines)]


def _details(document: Json) -> list[str]:
    """The worst pair of each claim."""
    parts = []
    for claim in document["claims"]:
        result = document["results"][claim["worst"]]
        many = "worst pair " if len(document["pairs"]) > 1 else "pair "
        parts.append(f"## {code(claim['written'])}, {many}{pair_name(document['pairs'][result['pair']], _label)}")
        items = []
        if result["about"] == "approximate_dp":
            name, epsilon = tight_epsilon(claim, claim, document["digits"])
            items.append(f"{name}, at delta = {short(claim['parsed']['delta'])}: {epsilon}")
            items.append(f"tight delta, at {level_words(claim)}: {tight_delta(claim, claim)}")
        if result["about"] == "divergence":
            items.append(_inert(": ".join(tight(claim, claim))))
        items.append(f"slack: {gap(result, claim, document['digits'])}")
        if result["evidence"]["kind"] == "enclosure":
            items += [f"compared: {_inert(line)}" for line in comparison_lines(result["evidence"])]
        elif proved := proof_lines(result):
            items += [_inert(": ".join(line)) for line in proved]
        elif result["holds"]:
            items.append(": ".join(witness_line(result)))
        elif result["evidence"]["kind"] == "adversary":
            items += [f"{name}: {_inert(line)}" if name else _inert(line) for name, line in _adversary(result)]
        else:
            event, inequality, *each = event_lines(result["evidence"], _label)
            items += [f"refuting event {event}", _inert(inequality), *map(_inert, each)]
            columns = columns_line(document, result["evidence"])
            items += [] if columns is None else [f"columns: {columns}"]
        parts.append("\n".join(f"- {item}" for item in items))
    most = " (over all pairs)" if len(document["pairs"]) > 1 else ""
    distance, error = number(document["total_variation"], "up"), number(document["bayes_error"], "down")
    return [*parts, f"Total variation{most}: {distance}. Bayes error at prior 1/2{most}: {error}."]


def _adversary(result: Json) -> list[tuple[str, str]]:
    return adversary_lines(result["evidence"], _label)


def _pairs(document: Json) -> list[str]:
    parts = []
    if len(document["pairs"]) > 1:
        rows = [
            [
                code(document["claims"][result["claim"]]["written"]),
                pair_name(document["pairs"][result["pair"]], _label),
                outcome(result),
                number(result["slack"], "down"),
            ]
            for result in document["results"][:_MOST_ROWS]
        ]
        pairs = table(["claim", "pair", "verdict", "slack"], rows)
        parts += ["## All pairs, the worst first", pairs, *_more(len(document["results"]), "result")]
    if not document["input"]["finite"]:
        return [*parts, "The trade-off function has no finite list of corners."]
    pair = document["pairs"][document["results"][document["claims"][0]["worst"]]["pair"]]
    for title, corners in curves(document, pair):
        parts.append(f"## Corners of {title}, pair {pair_name(pair, _label)}")
        if corners is None:
            parts.append("Left out: too long to write exactly.")
            continue
        rows = [[number(alpha, "down"), number(beta, "down")] for alpha, beta in corners[:_MOST_ROWS]]
        parts += [table(["alpha", "beta"], rows), *_more(len(corners), "corner")]
    return parts


def _evidence(document: Json) -> list[str]:
    certificates, records, product = document["certificates"], document["records"], document["product"]
    made = f"Report {document['id']}, made by {product['name']} {product['version']}."
    commands = [f"    {printable(command)}" for command in document["recheck"]]
    if not certificates:
        told = "says" if len(records) == 1 else "say"
        why = "" if document["input"]["finite"] else ": the mechanism is no finite table"
        said = (
            f"There is no certificate{why}. {count(len(records), 'record')} {told} what "
            "was computed, with proved enclosures. To make them again, in the folder of this report:"
        )
        return ["## Records", said, *_block(commands), made]
    width = max(2, len(str(len(certificates))))
    rows = []
    proved = [result for result in document["results"] if "certificate" in result]
    for k, (result, certificate) in enumerate(zip(proved, certificates, strict=False), 1):
        if k > _MOST_ROWS:
            break
        pair = document["pairs"][result["pair"]]
        claim = code(document["claims"][result["claim"]]["written"])
        named = [claim, pair_name(pair, _label), outcome(result), certificate["certificate"]]
        rows.append([str(k), *named, pair["sha256"], f"certificate-{k:0{width}}.json"])
    if "interactive" in document["input"] and len(certificates) <= _MOST_ROWS:
        # The last one is about the mechanism, not about a claim.
        k, pair = len(certificates), document["pairs"][0]
        named = ["the mechanism", pair_name(pair, _label), "tight channel", certificates[-1]["certificate"]]
        rows.append([str(k), *named, pair["sha256"], f"certificate-{k:0{width}}.json"])
    whole = f", but for {count(len(records), 'record')} without one" if records else ", and this report as a whole"
    said = (
        f"The independent checker accepts every one of them{whole}. To check them again, and last "
        "to run the same audit again, in the folder of this report:"
    )
    return [
        "## Certificates",
        said,
        *_block(commands),
        table(["number", "claim", "pair", "verdict", "kind", "SHA-256 of the channel", "file"], rows),
        *_more(len(certificates), "certificate"),
        made,
    ]


def _block(commands: Sequence[str]) -> list[str]:
    return ["\n".join(commands)] if commands else []
