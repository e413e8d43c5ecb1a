"""Pieces of an HTML page, every text in them escaped: nothing from a file or a claim is ever markup."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from oracle.render.words import printable

__all__ = ["asset", "code", "facts", "folded", "lines_of", "paragraph", "section", "style_hash", "table", "text"]


def text(value: str) -> str:
    """Text as it is, printable and escaped."""
    return escape(printable(value))


def lines_of(value: str) -> str:
    """Lines of text, each printable and escaped."""
    return "\n".join(text(line) for line in value.split("\n"))


def code(value: str) -> str:
    """The same in a code element."""
    return f"<code>{text(value)}</code>"


def paragraph(value: str, kind: str = "") -> str:
    """A paragraph of plain text, of a class."""
    return f'<p class="{kind}">{text(value)}</p>' if kind else f"<p>{text(value)}</p>"


def section(title: str, parts: Iterable[str], name: str) -> str:
    """A section with its heading, found by its name; *title* is HTML."""
    body = "\n".join(parts)
    return f'<section aria-labelledby="{name}">\n<h2 id="{name}">{title}</h2>\n{body}\n</section>'


def facts(items: Iterable[tuple[str, str]]) -> str:
    """Names with plain texts, a name that is empty continuing the one before."""
    lines = []
    for name, value in items:
        lines.append(f"<dt>{text(name)}</dt><dd>{text(value)}</dd>" if name else f'<dd class="more">{text(value)}</dd>')
    return f'<dl class="facts">{"".join(lines)}</dl>'


def table(caption: str, headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table that scrolls in its own box; captions and headers are plain text, cells HTML."""
    head = "".join(f'<th scope="col">{text(header)}</th>' for header in headers)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>\n" for row in rows)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{text(caption)}"><table>'
        f"<caption>{text(caption)}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>"
    )


def folded(summary: str, inner: str, *, opened: bool = False) -> str:
    """What is opened by a click; *summary* is plain text, *inner* HTML."""
    return f"<details{' open' if opened else ''}><summary>{text(summary)}</summary>\n{inner}\n</details>"


def asset(name: str) -> str:
    """A file that lies beside the renderers."""
    return (files("oracle.render") / name).read_text(encoding="utf-8")


def style_hash(style: str) -> str:
    """The source expression by which a content security policy allows one style or script."""
    return f"sha256-{b64encode(hashlib.sha256(style.encode()).digest()).decode()}"
