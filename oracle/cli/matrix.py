"""``oracle matrix``: one page about the conformance runs of several libraries."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

EXAMPLES: Final = """\b
Examples:
  oracle conform dp-accounting --out reports/dp-accounting
  oracle conform opendp --out reports/opendp
  oracle matrix reports

\b
DIR has a folder for each library, with the stream.jsonl that oracle conform --out writes
and, where the findings are explained, findings.json: a list of root causes, each with the
script that shows it. The pages go into DIR, beside the folders to whose files they link,
and to other Markdown files in DIR.

\b
Exit codes: 0 done, 2 bad usage or input.
"""


@click.command(epilog=EXAMPLES)
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
def matrix(directory: Path) -> None:
    """Write index.html and index.md: libraries by concepts, root causes, and every case that needs a look.

    Cases that passed or were declined are counted and not listed. The page needs no network.
    """
    # The engine loads when it is needed, so that help is quick.
    from oracle.render import conformance_html, conformance_index  # noqa: PLC0415
    from oracle.render.conformance_libraries import read_libraries  # noqa: PLC0415
    from oracle.writing import require_writable, write_all  # noqa: PLC0415

    require_writable(directory)
    libraries = read_libraries(directory)
    beside = sorted(path.name for path in directory.glob("*.md") if path.name != "index.md")
    files = {
        "index.html": conformance_html.render(libraries, every_case=False, beside=beside),
        "index.md": conformance_index.render(libraries, beside),
    }
    for path in write_all(directory, {name: text.encode("utf-8", "backslashreplace") for name, text in files.items()}):
        click.echo(f"wrote {path}")
