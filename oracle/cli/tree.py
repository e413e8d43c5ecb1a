"""``oracle tree``: an interactive mechanism as text or as a drawing, with its size and its tight guarantee."""

from __future__ import annotations

import sys
from pathlib import Path

import click

EXAMPLES = """\b
Examples:
  oracle tree mechanism.json
  oracle tree mechanism.json --svg tree.svg
  oracle tree mechanism.json --json

\b
FILE is JSON, - is stdin:
  {"interactive": {"query": {"A": {"answer": {"yes": {"p": "3/4", "q": "1/4"},
                                              "no": {"p": "1/4", "q": "3/4"}}}, ...}}}
A node is null (the end), a query with its options, an answer with its branches (each with its
probability p on the first and q on the second input, and "then", the node that follows), or
{"ref": NAME} of the table "nodes". oracle schema interactive prints all of it.

\b
Exit codes: 0 done, 2 bad usage or input.
"""

_AUDITED = {"matrix": "a table", "mechanism": "a mechanism that answers once"}


@click.command(epilog=EXAMPLES)
@click.argument("file", metavar="FILE")
@click.option("--svg", metavar="OUT", help="Write a drawing into the file OUT, whose directory must be there.")
@click.option("--lines", type=click.IntRange(min=1), default=200, show_default=True, help="Most lines of the tree.")
@click.option("--json", "as_json", is_flag=True, help="Print size, hash and tight guarantee as JSON, without the tree.")
def tree(file: str, svg: str | None, lines: int, as_json: bool) -> None:
    """Show an interactive mechanism.

    Prints the tree, how many deterministic adversaries it has, and what the best of them learn: the least
    epsilon at delta = 0, the total variation, and the corners of the largest trade-off function below those of all
    their views.
    """
    # The engine loads when it is needed, so that help is quick.
    from oracle.errors import InputError  # noqa: PLC0415
    from oracle.interactive.reading import parse_interactive  # noqa: PLC0415
    from oracle.json_text import canonical, parse, read_bytes  # noqa: PLC0415
    from oracle.render.guarantee import tree_facts, tree_report  # noqa: PLC0415
    from oracle.render.trees import tree_svg, tree_text  # noqa: PLC0415
    from oracle.writing import require_file, write_file  # noqa: PLC0415

    if svg is not None:
        require_file(svg, "--svg")
    where = "stdin" if file == "-" else file
    data = sys.stdin.buffer.read() if file == "-" else read_bytes(Path(file))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("UTF-8 text", f"the byte 0x{data[error.start]:02x} at {error.start}", where) from None
    document = parse(text, where)
    for key, what in _AUDITED.items():
        if isinstance(document, dict) and key in document and "interactive" not in document:
            raise InputError('an interactive mechanism {"interactive": NODE}', f"{what}: use oracle audit", where)
    mechanism = parse_interactive(document, where)
    facts = tree_facts(mechanism)
    if svg is not None:
        write_file(svg, tree_svg(mechanism).encode(), "--svg")
    shown = canonical(facts) if as_json else f"{tree_text(mechanism, max_lines=lines)}\n\n{tree_report(facts)}"
    encoding = sys.stdout.encoding or "ascii"
    click.echo(shown.encode(encoding, "backslashreplace").decode(encoding))
