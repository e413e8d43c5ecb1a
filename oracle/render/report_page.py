"""What the pages of all reports share: the frame with the report inside, certificates, assumptions, commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from oracle.json_text import canonical
from oracle.render.html_parts import asset, code, facts, paragraph, section, style_hash, table, text
from oracle.render.words import count, declared_lines

__all__ = ["DATA", "again", "assumptions", "certificates", "claims_table", "report_page", "verdict_word"]

Json = Mapping[str, Any]

DATA: Final = '<script type="application/json" id="report">'
"""What stands before the report in the page."""

_MOST_CERTIFICATES: Final = 50


def report_page(title: str, meaning: str, parts: Iterable[str], document: Json) -> str:
    """The page: the verdict with what it means, the sections, and the report as data; it ends in a line break."""
    style = asset("audit_page.css")
    policy = f"default-src 'none'; img-src data:; style-src '{style_hash(style)}'; base-uri 'none'; form-action 'none'"
    sections = "".join(f"{part}\n" for part in parts)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{text(title)}</title>
<style>{style}</style>
</head>
<body>
<main>
<header class="verdict {text(document["verdict"])}"><h1>{text(title)}</h1>
{paragraph(meaning)}</header>
{sections}</main>
{DATA}{_data(document)}</script>
</body>
</html>
"""


def _data(document: Json) -> str:
    """The canonical text of the report, in which no character could end the element that holds it."""
    return canonical(document).replace("<", "\\u003c")


def verdict_word(verdict: str, told: str) -> str:
    """A verdict that stands out; in words, not by colour alone."""
    return f'<span class="word {text(verdict)}">{text(told)}</span>'


def claims_table(rows: Iterable[Sequence[str]], *more: str) -> str:
    """The claims as they were written and understood, with their verdicts, and whatever more columns are named."""
    return table("Claims as they were written and as they were understood", ("as written", "as parsed", *more), rows)


def certificates(documents: Sequence[Json]) -> list[str]:
    """The certificates by kind and digest; nothing where there is none."""
    if not documents:
        return []
    each = "It is" if len(documents) == 1 else "Each is"
    said = (
        f"{count(len(documents), 'certificate')}, accepted by the independent checker before this report was written. "
        f"{each} part of this page's data."
    )
    shown = documents[:_MOST_CERTIFICATES]
    rows = [[str(k), text(item["certificate"]), code(item["digest"])] for k, item in enumerate(shown, 1)]
    left = len(documents) - len(shown)
    more = [paragraph(f"... {count(left, 'more certificate')} in the report's data.")] if left else []
    return [paragraph(said), table("Certificates", ("number", "kind", "digest"), rows), *more]


def assumptions(checked: Sequence[str], document: Json, assumed: Sequence[str] = ()) -> str:
    """Three columns: what was checked, what was declared or is assumed, what nothing here covers."""
    declared = [*declared_lines(document), *assumed] or ["Nothing was declared."]
    title = "Declared or assumed, not checked" if assumed else "Declared, not checked"
    columns = (("Checked", checked), (title, declared), ("Not covered", document["limits"]))
    inner = f'<div class="columns">{"".join(_column(*column) for column in columns)}</div>'
    return section("Assumptions", [inner], "assumptions")


def _column(title: str, sentences: Sequence[str]) -> str:
    items = "".join(f"<li>{text(sentence)}</li>" for sentence in sentences)
    return f"<div><h3>{text(title)}</h3><ul>{items}</ul></div>"


def again(document: Json) -> str:
    """What made the report, and the commands that check it and make it again."""
    product = document["product"]
    items = [
        ("report", document["id"]),
        ("made by", f"{product['name']} {product['version']}"),
        ("shape", f"version {document['version']}"),
    ]
    commands = "\n".join(text(command) for command in document["recheck"])
    told = "In the folder of this report; report.html may stand for report.json:"
    shown = [paragraph(told), f"<pre>{commands}</pre>"] if commands else []
    return section("Check it again", [facts(items), *shown], "again")
