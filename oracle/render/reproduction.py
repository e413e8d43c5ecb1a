"""A paper's reproduction as a terminal table and as Markdown: the claims table and the errata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tabulate import tabulate

from oracle.laws.figures import Figure

__all__ = ["NOT_PRINTED", "cell", "claims_markdown", "errata_markdown", "results_table", "text"]

NOT_PRINTED: Final = "Not printed: "
"""How an erratum's text, and its printed formula, begin where the paper claims nothing of the kind: what follows is the
analogue that a reader may expect, and that is shown to be false."""

_SCOPES: Final = {
    "statement": "false as stated",
    "hypothesis": "needs a further hypothesis",
    "typing": "cannot be evaluated as printed",
    "remark": "a proof, remark or figure is wrong; the claim itself stands",
}
_UNCLAIMED: Final = "no error of the paper: what a reader may expect beside it is false"
_REPEATS: Final = 2
"""Most errata with which the note of one figure stands; where it belongs to more, it stands with the first only."""


_SIGNS: Final = {"<=": "≤", ">=": "≥", "->": "→", " - ": " − "}
_STATUSES: Final = {
    "holds": "true as printed (a remark or proof beside it may be wrong, see the errata)",
    "holds_under": "true under the hypotheses listed, false or undefined without those marked as added",
    "false_as_stated": "the printed formula fails on the counterexample in the errata; the formula under *true* holds",
    "ill_typed": "the printed formula cannot be evaluated; the formula under *true* holds",
    "definition": "a definition or figure, tested on its worked values and consequences",
}
_EXPECTED: Final = (
    'Where *printed* begins with "Not printed", the paper does not claim what follows. A reader may expect it beside',
    "what is printed, and the status is about that.",
    "",
)
_NO_ERROR: Final = (
    'An entry that begins with "Not printed" is no error of the paper. It shows that an analogue, which a reader may',
    "expect beside what is printed and which the paper does not claim, is false.",
    "",
)


def results_table(document: Mapping[str, Any]) -> str:
    """The results as a table for people: id, status, derived status, cases run and largest excess."""
    rows = [
        [row["id"], row["status"], _mark(row), row["cases"], "" if row["worst"] is None else row["worst"]]
        for row in document["claims"]
    ]
    return tabulate(rows, headers=["claim", "status", "re-derived", "cases", "worst"], disable_numparse=True)


def _mark(row: Mapping[str, Any]) -> str:
    return "yes" if row["status"] == row["rederived"] else f"NO: {row['rederived']}"


def claims_markdown(
    title: str,
    document: Mapping[str, Any],
    records: Sequence[Mapping[str, Any]],
    notation: Sequence[str] = (),
    figures: Sequence[Figure] = (),
) -> str:
    """The claims table: statement, formulas, source, hypotheses and status of every claim, with the cases run."""
    results = {row["id"]: row for row in document["claims"]}
    lines = [
        f"# Claims of {document['paper']}",
        "",
        f"{title}.",
        "",
        "Every status is re-derived by running: laws on generated exact inputs, worked values, and for what is wrong",
        "as printed an exact counterexample (see [errata.md](errata.md)). *cases* counts the examples run; *worst* is",
        "the largest excess over all of them, 0 or less where every law holds.",
        "",
        "How to read a row: *statement*, *true* and *hypotheses* say what is true and was tested; *printed* is the",
        "formula of the paper where it differs from *true*; *status* is about what is printed:",
        "",
        *(f"- {text(status)}: {meaning}" for status, meaning in _STATUSES.items()),
        "",
        *(_EXPECTED if any(record["printed"].startswith(NOT_PRINTED) for record in records) else []),
        *_notation(notation),
        "## Claims",
        "",
        "| claim | statement | printed (where it differs) | true | source | hypotheses | status | cases | worst |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for record in records:
        row = results[record["id"]]
        status = row["rederived"] if row["rederived"] == row["status"] else f"{row['status']}, NOT re-derived"
        texts = [record[name] for name in ("id", "statement", "printed", "formula", "source", "hypotheses")]
        numbers = [status, str(row["cases"]), "" if row["worst"] is None else row["worst"]]
        lines.append("| " + " | ".join(cell(text) for text in (*texts, *numbers)) + " |")
    return "\n".join([*lines, *_proofs(records), *_figures(figures)]) + "\n"


def _notation(lines: Sequence[str]) -> list[str]:
    """The list of signs, with an empty line after it; nothing where there is none."""
    return ["## Notation", "", *(f"- {text(line)}" for line in lines), ""] if lines else []


def _proofs(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is proved symbolically, with the claims that link to it."""
    statements = {proof.name: proof for record in records for proof in record["proofs"]}
    if not statements:
        return []
    lines = [
        "",
        "## Proved for all parameters",
        "",
        "Every step of these is checked symbolically, without sampling.",
        "",
    ]
    for name, proof in statements.items():
        users = ", ".join(text(r["id"]) for r in records if name in {p.name for p in r["proofs"]})
        lines.append(f"- `{name}` ({users}): {text(proof.statement)}")
    return lines


def _figures(figures: Sequence[Figure]) -> list[str]:
    """Every figure with its data, the claims it belongs to, and where it differs from print."""
    if not figures:
        return []
    lines = ["", "## Figures", "", _drawn(figures)]
    for figure in figures:
        claims = ", ".join(map(text, figure.claims))
        lines += [
            "",
            f"### {_name(figure)}: {text(figure.title)}",
            "",
            f"![{text(figure.description)}](figures/{figure.id}.svg)",
            "",
            f"Claims: {claims}. Data: [{figure.id}.csv](figures/{figure.id}.csv).",
            "",
            text(figure.note),
        ]
    return lines


def _drawn(figures: Sequence[Figure]) -> str:
    """What the drawings and the data beside them are: exact, or proved bounds."""
    enclosed = {any(series.upper for panel in figure.panels for series in panel.series) for figure in figures}
    if enclosed == {False}:
        return "Redrawn from exact corners; the data beside each are exact fractions."
    bounds = "the data list x exactly and both ends of the enclosure of y"
    if enclosed == {True}:
        return f"Redrawn with proved bounds; {bounds}."
    return f"Redrawn from exact corners, with exact fractions as data, or with proved bounds; then {bounds}."


def _name(figure: Figure) -> str:
    return figure.id.replace("fig-", "Figure ").replace("table-", "Table ")


def errata_markdown(
    title: str,
    paper: str,
    entries: Sequence[Mapping[str, Any]],
    notation: Sequence[str] = (),
    figures: Sequence[Figure] = (),
) -> str:
    """The errata: what is printed, a counterexample to follow by hand, the certificate and the correction."""
    lines = [
        f"# Errata of {paper}",
        "",
        f"{title}.",
        "",
        "Each entry paraphrases what is printed, gives an exact counterexample that can be followed by hand, and",
        "states what is true instead. The certificates hold the numbers of the counterexamples; `oracle verify` checks",
        "them (or, with nothing but the standard library, `python -m oracle.certificates.checker`), from this folder:",
        "",
        "    oracle verify certificates/*.json",
        "",
        *(_NO_ERROR if any(_unclaimed(entry) for entry in entries) else []),
        *_notation(notation),
        "## Index",
        "",
        "| claim | what is wrong |",
        "|---|---|",
        *(f"| [{cell(e['id'])}](#{_anchor(e)}) | {cell(e['summary'] or _kind(e))} |" for e in entries),
    ]
    first = _first_entries(entries, figures)
    for entry in entries:
        lines += [
            "",
            f'<a id="{_anchor(entry)}"></a>',
            f"## {text(entry['id'])}: {text(entry['title'])}",
            "",
            f"*{text(entry['source'])}; {_kind(entry)}.*",
            "",
            _printed(entry),
            "",
            *_formulas(entry),
            f"**Counterexample.** {text(entry['counterexample'])}",
            "",
            f"**What is true.** {text(entry['correction'])}",
            "",
            f"Certificate: [{entry['certificate']}]({entry['certificate']})",
        ]
        for figure in figures:
            if entry["id"] not in figure.claims:
                continue
            leading = first.get(figure.id, entry)
            links = f"[redrawn](figures/{figure.id}.svg), [data](figures/{figure.id}.csv)"
            note = text(figure.note) if leading is entry else f"See [{text(leading['id'])}](#{_anchor(leading)})."
            lines += ["", f"{_name(figure)}: {links}. {note}"]
    return "\n".join(lines) + "\n"


def _first_entries(entries: Sequence[Mapping[str, Any]], figures: Sequence[Figure]) -> dict[str, Mapping[str, Any]]:
    """The erratum that has the note, by the id of a figure that belongs to more errata than are worth repeating it."""
    found = {figure.id: [entry for entry in entries if entry["id"] in figure.claims] for figure in figures}
    return {name: belonging[0] for name, belonging in found.items() if len(belonging) > _REPEATS}


def _unclaimed(entry: Mapping[str, Any]) -> bool:
    """Whether the paper claims nothing of the kind."""
    return str(entry["printed"]).startswith(NOT_PRINTED)


def _kind(entry: Mapping[str, Any]) -> str:
    return _UNCLAIMED if _unclaimed(entry) else _SCOPES[entry["scope"]]


def _printed(entry: Mapping[str, Any]) -> str:
    if _unclaimed(entry):
        return f"**{NOT_PRINTED.strip()}** {text(entry['printed'].removeprefix(NOT_PRINTED))}"
    return f"**Printed.** {text(entry['printed'])}"


def _formulas(entry: Mapping[str, Any]) -> list[str]:
    """The printed formula and the true one under each other; nothing where none is printed."""
    if not entry["printed_formula"]:
        return []
    rows = [("printed", entry["printed_formula"]), ("true", entry["true_formula"])]
    return ["| | formula |", "|---|---|", *(f"| {name} | {cell(formula)} |" for name, formula in rows), ""]


def _anchor(entry: Mapping[str, Any]) -> str:
    return str(entry["certificate"]).removeprefix("certificates/").removesuffix(".json").lower()


def text(value: str) -> str:
    """Text that Markdown shows as it is: no character of a formula starts markup, and <= is printed as one sign."""
    for typed, sign in _SIGNS.items():
        value = value.replace(typed, sign)
    return "".join(f"\\{c}" if c in "\\`*_[]<>|#" else c for c in value)


def cell(value: str) -> str:
    """The same on one line, for a cell of a table."""
    return text(value).replace("\n", " ")
