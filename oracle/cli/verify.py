"""``oracle verify``: the independent checker as a command, and whether a page shows the report inside it."""

from __future__ import annotations

import json
from pathlib import Path

import click

EXAMPLES = """\b
Examples:
  oracle verify certificate.json
  oracle verify report/report.json --input table.csv
  oracle verify report/report.html
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
    proved to the checker. Of a report.html the report inside it is checked, and then that the page shows just
    that report: the page is made again and compared.

    \b
    Exit codes: 0 all accepted, 1 one rejected or malformed, 2 a file is missing,
    3 there is no certificate, only records, or a page was made by another version.
    """  # noqa: D301 - click's mark for a paragraph that keeps its lines
    from oracle.certificates.checker.__main__ import main  # noqa: PLC0415

    if table is not None and len(files) != 1:
        raise click.UsageError("--input goes with one report")
    options = [*(["--json"] if as_json else []), *([] if table is None else [f"--input={table}"])]
    status = main([*options, "--", *files])
    if status in (0, 3):
        codes = [_page(file, as_json=as_json) for file in files]
        status = 1 if 1 in codes else max(status, *codes)
    raise SystemExit(status)


def _page(file: str, *, as_json: bool) -> int:
    """Compare a page whose report was accepted with what that report looks like; the exit code."""
    from oracle import __version__  # noqa: PLC0415
    from oracle.certificates.checker.pages import report_in  # noqa: PLC0415
    from oracle.errors import OracleError  # noqa: PLC0415
    from oracle.json_text import parse  # noqa: PLC0415
    from oracle.render.audit_html import first_difference  # noqa: PLC0415

    data = Path(file).read_bytes()
    inner = report_in(data)
    if inner is data:
        return 0
    document = parse(inner.decode(), file)
    product = document["product"]
    if product["version"] != __version__:
        said = f"the page was made by {product['name']} {product['version']}; this is {__version__}"
        return _say(file, {"accepted": False, "unverified": True, "reason": said}, as_json=as_json)
    try:
        where = first_difference(data.decode("utf-8", "backslashreplace"), document)
    except (OracleError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
        # What the checker does not read of a report without certificates may be of any shape.
        where = "$"
    if where is not None:
        said = "the page does not show the report inside it"
        return _say(file, {"accepted": False, "reason": said, "where": where}, as_json=as_json)
    said = "The page shows the report inside it, character for character."
    return _say(file, {"accepted": True, "kind": "page", "statement": said, "channels": []}, as_json=as_json)


def _say(file: str, found: dict[str, object], *, as_json: bool) -> int:
    """Print an outcome as the checker prints its own; the exit code that it stands for."""
    if as_json:
        click.echo(json.dumps({"file": file, "index": None, **found}, sort_keys=True))
    elif found["accepted"]:
        click.echo(f"accepted {file}: page: {found['statement']}")
    elif "unverified" in found:
        click.echo(f"unverified {file}: {found['reason']}")
    else:
        click.echo(f"rejected {file}: {found['reason']} (at {found['where']})")
    return 0 if found["accepted"] else 3 if "unverified" in found else 1
