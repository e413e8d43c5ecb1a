"""``oracle verify``: the independent checker as a command."""

from __future__ import annotations

import click


@click.command(epilog="\b\nExamples:\n  oracle verify certificate.json\n  oracle verify report/*.json --json")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each certificate.")
def verify(files: tuple[str, ...], as_json: bool) -> None:
    """Re-check certificates, or every certificate of an audit report.

    Prints for each what was proved, and about which channel (its hash). The checker uses nothing but the
    standard library and none of the code that made the certificates: python -m oracle.certificates.checker
    does the same.

    \b
    Exit codes: 0 all accepted, 1 one rejected or malformed, 2 a file is missing.
    """  # noqa: D301 - click's mark for a paragraph that keeps its lines
    from oracle.certificates.checker.__main__ import main  # noqa: PLC0415

    raise SystemExit(main([*(["--json"] if as_json else []), "--", *files]))
