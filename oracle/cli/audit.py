"""``oracle audit``: a verdict on claims about a table of probabilities or a mechanism, with evidence."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

EXAMPLES = """\b
Examples:
  oracle audit table.json --claim "exp_eps=2,delta=1/4"
  oracle audit table.csv --claim "eps=log(3)" --out report
  oracle audit ages.csv --claim "eps=1/2" --pair 0 1 --pair 1 2
  oracle audit - --format csv --claim exp_eps=2 < table.csv
  oracle audit table.json --claim "exp_eps=3" --claim "curve=f.json" --json
  oracle audit table.json --claim mu=1 --claim rho=1/2 --claim "rdp=2:log(3)"
  echo '{"mechanism": "randomized_response", "epsilon": "1/2"}' | oracle audit - --claim eps=0.5

\b
FILE is JSON, or CSV or TSV by its name or --format; - is stdin.
  JSON  {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]], "inputs": [...], "outputs": [...]},
        labels optional; more than two inputs need "pairs": [["A", "B"], ...] or --pair;
        or a mechanism expression {"mechanism": ...}, continuous ones included,
        or an interactive mechanism {"interactive": ...}: claims are about every adversary
  CSV   a line for each outcome: its name, then a probability for each input;
        exactly two columns are P and Q without names. The first line is a header if
        its first cell is outcome or output, or none of its probability cells is a number.
Numbers are exact: 9/10, 0.05, 1e-6, 0x1.8p-1. A claim that holds with equality holds.

\b
Claims: eps= or epsilon= (log(3) and ln(9/4) stay exact), exp_eps= or E=, delta= (0 by
default); curve=FILE, a trade-off function {"breakpoints": [["0", "1"], ..., ["1", "0"]]};
mu= for mu-GDP; rho= for rho-zCDP; rdp=ORDER:EPS for the Renyi divergence of one order,
inf included. Each of the last four stands alone in its --claim.

\b
--out DIR gets report.json, report.md, each certificate, and the input with the claimed curves
for the same audit again; of an interactive mechanism also tree.svg. Files of an earlier report in
DIR, as its report.json lists them, are removed; anything else is kept. report.json is written
last: a DIR with one is complete.

\b
Exit codes: 0 every claim holds for every pair, 1 refuted, 2 bad usage or input
(nothing is written), 3 undecided.
"""


@click.command(epilog=EXAMPLES)
@click.argument("file", metavar="FILE")
@click.option("--claim", "claims", multiple=True, required=True, metavar="TEXT", help="A claim; repeat for several.")
@click.option("--pair", "pairs", multiple=True, nargs=2, metavar="A B", help="Neighbouring inputs; repeat for several.")
@click.option("--format", "form", type=click.Choice(["json", "csv", "tsv"]), help="Of FILE, whatever its name.")
@click.option(
    "--direction",
    type=click.Choice(["both", "forward", "backward"]),
    default="both",
    show_default=True,
    help="forward is P against Q, backward Q against P.",
)
@click.option("--digits", default="12", show_default=True, metavar="N", help="Digits of values that are not rational.")
@click.option("--out", metavar="DIR", help="Write the report and its certificates into DIR, made if missing.")
@click.option("--json", "as_json", is_flag=True, help="Print report.json instead of the summary.")
def audit(  # noqa: PLR0917 - one parameter for each option
    file: str,
    claims: tuple[str, ...],
    pairs: tuple[tuple[str, str], ...],
    form: str | None,
    direction: str,
    digits: str,
    out: str | None,
    as_json: bool,
) -> None:
    """Decide claimed privacy guarantees of a table of probabilities or a mechanism.

    Prints the verdict first, then how tight the claim is and why: the event that refutes it, or the size
    of the witness that proves it. Every claim must hold for every pair of neighbouring inputs, in
    both orders. Each verdict has a certificate, which the independent checker has accepted before
    anything is printed. For a mechanism that is no finite table, such as laplace or gaussian, there is a record of
    proved enclosures in its place. A claim on an interactive mechanism must hold of every adversary's view; of one that
    does not, the report has the adversary's strategy and the views that show it.
    """
    # The engine loads when it is needed, so that help is quick.
    from oracle.audits import run  # noqa: PLC0415
    from oracle.audits.files import report_files, write_files  # noqa: PLC0415
    from oracle.audits.tables import read_table, table_from_bytes  # noqa: PLC0415
    from oracle.enclosures import parse_digits  # noqa: PLC0415
    from oracle.errors import InputError  # noqa: PLC0415
    from oracle.render import markdown, terminal  # noqa: PLC0415
    from oracle.render.interactive import report_svg  # noqa: PLC0415
    from oracle.writing import require_writable  # noqa: PLC0415

    wanted = parse_digits(digits, "--digits")
    if out is not None:
        if not out:
            raise InputError("a directory", "empty text", "--out")
        require_writable(Path(out))
    if file == "-":
        table = table_from_bytes(sys.stdin.buffer.read(), "stdin", pairs, form=form)
    else:
        table = read_table(file, pairs, form)
    report = run.audit(table, claims, direction=direction, digits=wanted)
    written = []
    if out is not None:
        files = report_files(report)
        # report.json comes last, so that a directory that has one has all.
        if "interactive" in report.document["input"]:
            files = {"tree.svg": report_svg(report.document).encode(), **files}
        files = {"report.md": markdown.render(report.document).encode(), **files}
        written = write_files(Path(out), files)
    if as_json:
        click.echo(report.to_text().encode())
    else:
        colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        _print(terminal.render(report.document, colour=colour, written=bool(written)))
    if written:
        _print("\n".join(f"wrote {path}" for path in written), err=as_json)
    raise SystemExit({"holds": 0, "refuted": 1, "undecided": 3}[report.verdict])


def _print(text: str, *, err: bool = False) -> None:
    """Print what the stream can encode; the rest as escapes."""
    encoding = (sys.stderr if err else sys.stdout).encoding or "ascii"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), err=err)
