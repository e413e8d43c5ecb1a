"""The page of a report of an audit from samples: what was counted, what is proved, and what had to be assumed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from oracle.render.html_parts import code, facts, section, text
from oracle.render.report_page import again, assumptions, certificates, claims_table, report_page, verdict_word
from oracle.render.statistics import counted_facts, found_facts, headline

__all__ = ["render"]

Json = Mapping[str, Any]

_MEANING: Final = {
    "refuted": "The counts refute the claim with the stated confidence, under the assumptions below.",
    "undecided": "The counts do not refute the claim. That is no sign that it holds: counts never prove that one does.",
}


def render(document: Json) -> str:
    """The page, ending in a line break."""
    title = f"{document['verdict'].upper()}: {headline(document)}, confidence {document['confidence']}"
    return report_page(title, _MEANING[document["verdict"]], _parts(document), document)


def _parts(document: Json) -> Iterator[str]:
    rows = [
        [code(claim["written"]), text(claim["words"]), verdict_word(claim["verdict"], claim["verdict"])]
        for claim in document["claims"]
    ]
    yield section("Claims", [claims_table(rows, "verdict")], "claims")
    source = document["input"]
    about = [
        *counted_facts(document),
        ("SHA-256 of the file", source["sha256"] or "(none: a value from Python)"),
        ("SHA-256 as parsed", source["parsed_sha256"]),
    ]
    yield section("What was counted", [facts(about)], "input")
    for k, claim in enumerate(document["claims"], 1):
        yield section(f"Why: {code(claim['written'])}", [facts(found_facts(document, claim))], f"why-{k}")
    proved = certificates(document["certificates"])
    if proved:
        yield section("Evidence", proved, "evidence")
    yield assumptions(_checked(document), document, document["assumptions"])
    yield again(document)


def _checked(document: Json) -> list[str]:
    sentences = ["Counts are whole numbers, and none is above its number of runs."]
    if document["certificates"]:
        sentences.append(
            "Every tail of the binomial law by integers, by a checker that shares no code with what made it."
        )
        sentences.append("The level of each refutation, with what the choice of the event costs.")
    return sentences
