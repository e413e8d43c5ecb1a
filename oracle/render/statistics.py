"""The report of an audit from samples as people read it: on a terminal, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from gmpy2 import mpq

from oracle.enclosures import log_enclosure
from oracle.exact import to_decimal
from oracle.render.markdown import code, escape
from oracle.render.words import DIGITS, count, declared_lines, number, plain, printable, short

__all__ = ["counted_facts", "found_facts", "headline", "render_markdown", "render_terminal"]

Json = Mapping[str, Any]

_COLOURS: Final = {"refuted": "\x1b[1;31m", "undecided": "\x1b[1;33m"}
_RESET: Final = "\x1b[0m"
_SHOWN: Final = 6
_ASSUMED: Final = " Assumed, not checked: "
"""Where the words of a certificate come to its assumptions, which the report lists by themselves."""

_SELECTED: Final = {
    "declared": "declared before the counted runs",
    "split": "chosen on other runs than the counted ones",
}


def render_terminal(document: Json, *, colour: bool = False) -> str:
    """The report as text, the verdict first, without a final line break."""
    word = document["verdict"].upper()
    if colour:
        word = f"{_COLOURS[document['verdict']]}{word}{_RESET}"
    facts = list(counted_facts(document))
    for claim in document["claims"]:
        told = f": {claim['verdict']}" if len(document["claims"]) > 1 else ""
        facts += [("claim", f"{printable(claim['written'])}{told}"), *found_facts(document, claim)]
    facts += [("assumed", sentence) for sentence in document["assumptions"]]
    if document["declared"]:
        facts.append(("declared", f"{count(len(document['declared']), 'fact')}, not checked"))
    if document["certificates"]:
        facts.append(("certificates", f"{len(document['certificates'])}, accepted by the independent checker"))
    last, lines = "", [f"{word}: {headline(document)}"]
    for name, value in facts:
        lines.append(f"  {'' if name == last == 'assumed' else name:<18}{value}")
        last = name
    return "\n".join(lines)


def render_markdown(document: Json) -> str:
    """The report as Markdown; names and claims are data, in which no markup acts."""
    parts = [f"# {document['verdict'].upper()}", f"{escape(headline(document))}."]
    rows = [[code(claim["written"]), escape(claim["words"]), claim["verdict"]] for claim in document["claims"]]
    parts.append(_table(["claim", "as parsed", "verdict"], rows))
    about = [[name, escape(value)] for name, value in counted_facts(document)]
    source = document["input"]
    about.append(["SHA-256 of the file", source["sha256"] or "(none: a value from Python)"])
    about.append(["SHA-256 as parsed", source["parsed_sha256"]])
    parts.append(_table(["about", ""], about))
    for claim in document["claims"]:
        parts.append(f"## {code(claim['written'])}")
        parts.append("\n".join(f"- {name}: {escape(value)}" for name, value in found_facts(document, claim)))
    parts += ["## Assumptions", _list(document["assumptions"])]
    commands = "\n".join(f"    {printable(command)}" for command in document["recheck"])
    certified = (
        "The independent checker accepts every certificate, and this report as a whole. To check them again, and last "
        "to run the same audit again, in the folder of this report:"
        if document["certificates"]
        else "There is no certificate, as nothing is proved. To run the same audit again, in the folder of this report:"
    )
    product = document["product"]
    made = f"Report {document['id']}, made by {product['name']} {product['version']}."
    parts += ["## Certificates", certified, commands, made]
    declared = declared_lines(document)
    parts += ["## Declared, not checked", _list(declared)] if declared else []
    parts += ["## What this report does not say", _list(document["limits"])]
    return "\n\n".join(parts) + "\n"


def _table(headers: list[str], rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(line) + " |" for line in [headers, ["---"] * len(headers), *rows])


def _list(sentences: list[str]) -> str:
    return "\n".join(f"- {escape(sentence)}" for sentence in sentences)


def headline(document: Json) -> str:
    """What was claimed, in words, for the line of the verdict."""
    claims = document["claims"]
    if len(claims) == 1:
        return str(claims[0]["words"])
    failed = sum(claim["verdict"] == "refuted" for claim in claims)
    return f"{failed} of {len(claims)} claims refuted"


def counted_facts(document: Json) -> Iterator[tuple[str, str]]:
    """What was counted, and how the event was chosen."""
    tested, selection = document["tested"], document["selection"]
    yield "input", plain(document["input"]["name"])
    yield "counted", "; ".join(_counted(tested))
    chosen = _SELECTED.get(selection["kind"], f"one of a family of {selection.get('size')}")
    yield "selection", f"{chosen} ({printable(tested['how'])})"
    yield "confidence", document["confidence"]


def _counted(tested: Json) -> Iterator[str]:
    if tested["kind"] == "one_run":
        run = tested["run"]
        yield f"{_int(run['correct'])} of {_int(run['guesses'])} guesses right, {_int(run['canaries'])} canaries"
        return
    counts = tested["counts"]
    if tested["kind"] == "pairs":
        named = {"both": "both", "only_on_D": "only on D", "only_on_Dprime": "only on D'", "neither": "neither"}
        yield "pairs of runs with S: " + ", ".join(f"{_int(counts[key])} {words}" for key, words in named.items())
        yield f"bet {short(tested['bet'])}"
        return
    names = tested["outcomes"]
    if names is not None:
        more = f", ... {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        yield f"S = {{{', '.join(plain(name) for name in names[:_SHOWN])}{more}}}"
    yield ", ".join(
        f"{_int(counts[law]['hits'])} of {_int(counts[law]['runs'])} runs on {name}"
        for law, name in (("first", "D"), ("second", "D'"))
    )


def _int(text: str) -> str:
    return f"{int(text):,}"


def found_facts(document: Json, claim: Json) -> Iterator[tuple[str, str]]:
    """What was found of a claim."""
    if claim["verdict"] == "refuted":
        yield "proved", str(claim["statement"]).partition(_ASSUMED)[0]
        if claim["bound"] is not None:
            value = claim["bound"]["exp_epsilon"]
            level = to_decimal(log_enclosure(mpq(value)).lo, DIGITS, "down") if mpq(value) > 1 else "0"
            to = "up to" if document["tested"]["kind"] == "one_run" else "below"
            said = f"every exp_epsilon {to} {number(value, 'down')}, epsilon = {level} rounded down, at this delta"
            yield "also refuted", said
        return
    yield "not refuted", claim["statement"]
    least = claim["least_level"]
    if least is None:
        yield "least level", "these counts would not refute at confidence 1/1000 either"
    else:
        yield "least level", f"these counts would refute at confidence {short(str(1 - mpq(least)))} and below"
    violation = claim["violation"]
    if violation is not None:
        level = violation["exp_epsilon"]
        such = "" if level is None else f", exp_epsilon = {number(level, 'up')}"
        if document["tested"]["kind"] == "one_run":
            said = f"guesses that are right with probability {short(violation['t'])}"
        else:
            said = f"P(S) = {short(violation['t'])} and Q(S) = {short(str(1 - mpq(violation['t'])))}"
        yield "would find", f"{said}{such}, with probability at least 1/2"
