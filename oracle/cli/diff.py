"""``oracle diff``: what two audit reports say differently."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

EXAMPLES = """\b
Examples:
  oracle diff before/report.json after/report.json
  oracle diff before/report.html after/report.html --json

\b
Exit codes: 0 they say the same, 1 they differ, 2 bad usage or input, or a report that the
checker does not accept (nothing is compared then).
"""


@click.command(epilog=EXAMPLES)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("--json", "as_json", is_flag=True, help="Print the differences as JSON.")
def diff(old: str, new: str, as_json: bool) -> None:
    """Compare two audit reports, each a report.json or report.html.

    Both are checked first. Printed are verdicts and tight values that changed, claims and pairs that only one
    of them has, inputs with another hash, and what made the reports. Certificates are not compared.
    """
    from oracle.audits.differences import differences  # noqa: PLC0415
    from oracle.json_text import canonical  # noqa: PLC0415
    from oracle.render.differences import differences_text  # noqa: PLC0415

    found = differences(_report(old), _report(new))
    if as_json:
        click.echo(canonical({"differences": [item.to_json() for item in found]}))
    else:
        click.echo(differences_text(found))
    raise SystemExit(1 if found else 0)


def _report(file: str) -> dict[str, Any]:
    """A report that the checker accepts, as a whole and with its certificates."""
    from oracle import __version__  # noqa: PLC0415
    from oracle.certificates.checker import Rejected, check_all  # noqa: PLC0415
    from oracle.certificates.checker.pages import report_in  # noqa: PLC0415
    from oracle.errors import InputError  # noqa: PLC0415
    from oracle.json_text import read_bytes  # noqa: PLC0415
    from oracle.render.audit_html import first_difference  # noqa: PLC0415

    wanted = "an audit report that the checker accepts"
    whole = read_bytes(Path(file))
    try:
        data = report_in(whole)
    except Rejected as rejected:
        raise InputError(wanted, str(rejected), file) from None
    for _, outcome in check_all(data):
        if isinstance(outcome, Rejected):
            raise InputError(wanted, f"{outcome.reason} (at {outcome.where})", file)
    document: dict[str, Any] = json.loads(data)
    if document.get("report") not in ("audit", "statistical_audit"):
        raise InputError(wanted, "a certificate", file)
    if data is not whole and document["product"]["version"] == __version__:
        where = first_difference(whole.decode("utf-8", "backslashreplace"), document)
        if where is not None:
            raise InputError("a page that shows the report inside it", f"another one (at {where})", file)
    return document
