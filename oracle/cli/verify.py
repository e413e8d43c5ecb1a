"""``oracle verify``: the independent checker as a command."""

from __future__ import annotations

import click

EXAMPLES = """\b
Examples:
  oracle verify certificate.json
  oracle verify report/report.json --input table.csv
  oracle verify report/*.json --json
"""


@click.command(epilog=EXAMPLES)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--input", "table", metavar="TABLE", help="The file that the (one) report was made of, to be compared.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each certificate.")
def verify(files: tuple[str, ...], table: str | None, as_json: bool) -> None:
    """Re-check certificates and audit reports.

    Prints for each certificate what was proved, and about which channel (its hash). Of a report everything that
    follows from its certificates is checked, and it is said what does not. The checker uses nothing but the
    standard library and none of the code that made the certificates: python -m oracle.certificates.checker
    does the same. A record of enclosures, of a mechanism that is no finite table, is unverified: nothing in it is
    proved to the checker.

    \b
    Exit codes: 0 all accepted, 1 one rejected or malformed, 2 a file is missing,
    3 there is no certificate, only records.
    """  # noqa: D301 - click's mark for a paragraph that keeps its lines
    from oracle.certificates.checker.__main__ import main  # noqa: PLC0415

    if table is not None and len(files) != 1:
        raise click.UsageError("--input goes with one report")
    options = [*(["--json"] if as_json else []), *([] if table is None else [f"--input={table}"])]
    raise SystemExit(main([*options, "--", *files]))
