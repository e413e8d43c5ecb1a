"""The report as Markdown, for pull requests and issues. Labels and names are data: all markup in them is escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

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

__all__ = ["escape", "render"]

Json = Mapping[str, Any]

_MOST_ROWS: Final = 20
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;", ":": "&#58;", "/": "&#47;"}
_ACTIVE = re.compile(r"[\\`*_{}\[\]()#+\-.!|~$&<>@:/\"'=^]")


def escape(text: str) -> str:
    """Text as inert Markdown: nothing in it is markup, a link, a mention or a table border.

    Punctuation is backslash-escaped; what HTML or automatic links would act on becomes an entity.
    """
    return _ACTIVE.sub(lambda found: _ENTITIES.get(found[0], f"\\{found[0]}"), printable(text))


def _label(text: str) -> str:
    return escape(plain(text))


def render(document: Json) -> str:
    """The report as GitHub-flavoured Markdown, ending in a line break."""
    parts = [
        f"# {verdict(document)}",
        f"{escape(headline(document))}.",
        *_claims(document),
        *_details(document),
        *_pairs(document),
        *_evidence(document),
        "## What this report does not say",
        "\n".join(f"- {sentence}" for sentence in document["limits"]),
    ]
    return "\n\n".join(parts) + "\n"


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [headers, ["---"] * len(headers), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _more(count: int, what: str) -> list[str]:
    return [f"... {count - _MOST_ROWS:,} more {what} in report.json."] if count > _MOST_ROWS else []


def _claims(document: Json) -> list[str]:
    rows = []
    for claim in document["claims"]:
        told = claim["verdict"] + (" with equality" if claim["equality"] else "")
        rows.append([escape(claim["written"]), escape(claim["words"]), told, number(claim["slack"], "down")])
    source = document["input"]
    about = [
        ["input", escape(source["name"])],
        ["size", size(source)],
        ["direction", document["direction"]],
        ["SHA-256 of the file", source["sha256"] or "(none: a value from Python)"],
        ["SHA-256 as parsed", source["parsed_sha256"]],
    ]
    return [_table(["claim", "as parsed", "verdict", "slack"], rows), _table(["about", ""], about)]


def _details(document: Json) -> list[str]:
    """The worst pair of each claim."""
    parts = []
    for claim in document["claims"]:
        result = document["results"][claim["worst"]]
        many = "worst pair " if len(document["pairs"]) > 1 else "pair "
        parts.append(f"## {escape(claim['written'])}, {many}{pair_name(document['pairs'][result['pair']], _label)}")
        items = []
        if result["about"] == "approximate_dp":
            delta, level = short(claim["parsed"]["delta"]), escape(claim["words"].partition(",")[0])
            items.append(f"tight exp\\_epsilon at delta = {delta}: {tight_epsilon(claim)}")
            items.append(f"tight delta at {level}: {number(claim['tight_delta'], 'up')}")
        items.append(f"slack: {gap(result)}")
        if result["evidence"]["kind"] == "enclosure":
            items += [f"compared: {_inert(line)}" for line in comparison_lines(result["evidence"])]
        elif result["holds"]:
            items.append(f"witness: {witness_line(result['evidence'])}")
        else:
            event, inequality = event_lines(result["evidence"], _label)
            items += [f"refuting event {event}", _inert(inequality)]
        parts.append("\n".join(f"- {item}" for item in items))
    most = " (over all pairs)" if len(document["pairs"]) > 1 else ""
    distance, error = number(document["total_variation"], "up"), number(document["bayes_error"], "down")
    return [*parts, f"Total variation{most}: {distance}. Bayes error at prior 1/2{most}: {error}."]


def _inert(line: str) -> str:
    """A line of our own with its comparison signs as entities."""
    return line.replace("<", "&lt;").replace(">", "&gt;")


def _pairs(document: Json) -> list[str]:
    parts = []
    if len(document["pairs"]) > 1:
        rows = [
            [
                escape(document["claims"][result["claim"]]["written"]),
                pair_name(document["pairs"][result["pair"]], _label),
                outcome(result),
                number(result["slack"], "down"),
            ]
            for result in document["results"][:_MOST_ROWS]
        ]
        table = _table(["claim", "pair", "verdict", "slack"], rows)
        parts += ["## All pairs, the worst first", table, *_more(len(document["results"]), "results")]
    if not document["input"]["finite"]:
        return [*parts, "The trade-off function has no finite list of corners."]
    first = document["results"][document["claims"][0]["worst"]]["pair"]
    pair = document["pairs"][first]
    titles = {"forward": "T(P, Q) = T(Q, P)" if pair["symmetric"] else "T(P, Q)"}
    if not pair["symmetric"]:
        titles["backward"] = "T(Q, P)"
    for name, title in titles.items():
        corners = pair["tradeoff"][name]
        parts.append(f"## Corners of {title}, pair {pair_name(pair, _label)}")
        if corners is None:
            parts.append("Left out: too long to write exactly.")
            continue
        rows = [[number(alpha, "down"), number(beta, "down")] for alpha, beta in corners[:_MOST_ROWS]]
        parts += [_table(["alpha", "beta"], rows), *_more(len(corners), "corners")]
    return parts


def _evidence(document: Json) -> list[str]:
    certificates = document["certificates"]
    rows = [
        [str(k), certificate["certificate"].replace("_", "\\_"), certificate["digest"]]
        for k, certificate in enumerate(certificates[:_MOST_ROWS], 1)
    ]
    product = document["product"]
    commands = "\n".join(document["recheck"])
    made = f"Report {document['id']}, made by {product['name']} {product['version']}."
    if not certificates:
        said = (
            f"There is no certificate: the mechanism is no finite table. {len(document['records'])} records say what was "
            "computed, with proved enclosures. To make them again:"
        )
        return ["## Records", said, f"```\n{commands}\n```", made]
    return [
        "## Certificates",
        "The independent checker accepts every one of them. To check them again:",
        f"```\n{commands}\n```",
        _table(["number", "kind", "digest"], rows),
        *_more(len(certificates), "certificates"),
        made,
    ]
