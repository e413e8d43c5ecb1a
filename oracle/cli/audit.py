"""``oracle audit``: a verdict on claims about a table of probabilities or a mechanism, with evidence."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from oracle.audits.observations import Observations
    from oracle.audits.report import Report
    from oracle.audits.tables import Table

EXAMPLES = """\b
Examples:
  oracle audit table.json --claim "exp_eps=2,delta=1/4"
  oracle audit table.csv --claim "eps=log(3)" --out report
  oracle audit ages.csv --claim "eps=1/2" --pair 0 1 --pair 1 2
  oracle audit - --format csv --claim exp_eps=2 < table.csv
  oracle audit table.json --claim "exp_eps=3" --claim "curve=f.json" --json
  oracle audit table.json --claim mu=1 --claim rho=1/2 --claim "rdp=2:log(3)"
  echo '{"mechanism": "randomized_response", "epsilon": "1/2"}' | oracle audit - --claim eps=0.5
  oracle audit counts.csv --claim "exp_eps=2,delta=1/1000" --confidence 19/20 --event declared
  oracle audit counts.csv --claim eps=1 --event family:12 --outcome yes
  oracle audit one-run.json --claim "exp_eps=4,delta=1e-5" --event declared
  oracle audit dp-event.json --claim "eps=1,delta=1e-5"
  oracle audit deployment.yaml

\b
FILE is JSON, or CSV or TSV by its name or --format; - is stdin.
  JSON  {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]], "inputs": [...], "outputs": [...]},
        labels optional; more than two inputs need "pairs": [["A", "B"], ...] or --pair;
        or a mechanism expression {"mechanism": ...}, continuous ones included,
        or a DpEvent of dp-accounting {"class_name": ...}, numbers at the value of their doubles;
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
A FILE that ends in .yaml is a record of the deployments registry, without --claim: are its numbers in
range, do they fit the variant, do parts sum to their total, does (epsilon, delta) follow from rho?
Exit codes 0 consistent, 1 inconsistent, 3 something missing or undecided.

\b
--declare states what no arithmetic can check, and the report repeats it as declared: a NAME=TEXT
such as unit=user, neighbours="add or remove one user", setting=Central, accounting=..., tuning=...,
source=URL, or a .toml, .json or .yaml file by the field names of the deployments registry.

\b
--out DIR gets report.json, its views report.html and report.md, each certificate, and the input with
the claimed curves for the same audit again; of an interactive mechanism also tree.svg. Files of an earlier report in
DIR, as its report.json lists them, are removed; anything else is kept. report.json is written
last: a DIR with one is complete.

\b
Audits from samples: FILE has counts, and the verdict is refuted or undecided, never holds.
  CSV   outcome,n_on_D,n_on_Dprime    a line for each outcome; also choose_on_D,
                                      choose_on_Dprime, of runs that only choose the event
        TP,FP,TN,FN                   one line, guesses about members (D) and others (D')
        canary,member,score           one run; member is in or out
  JSON  {"m": ..., "guesses": ..., "correct": ...}, one run;
        {"hits_on_D": ..., "runs_on_D": ..., "hits_on_Dprime": ..., "runs_on_Dprime": ...};
        {"both": ..., "only_on_D": ..., "only_on_Dprime": ..., "neither": ...}, pairs of runs
Counts are whole numbers, never frequencies; oracle count makes them of raw samples.
--event says how the event S was chosen, which is paid for: declared before the counted runs
(--outcome NAME; of two outcomes the first); split, chosen on other runs; family:N, one of N
events that might have been reported, each at 1/N of the level. Scores need --threshold T (in
from T on), or with split and family:N take the best one. --likelier-on says on which input S
is too likely.

\b
Exit codes: 0 every claim holds for every pair, 1 refuted, 2 bad usage or input
(nothing is written), 3 undecided.
"""


@click.command(epilog=EXAMPLES)
@click.argument("file", metavar="FILE")
@click.option("--claim", "claims", multiple=True, metavar="TEXT", help="A claim; repeat for several.")
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
@click.option("--event", metavar="HOW", help="With counts: declared, split or family:N.")
@click.option("--confidence", metavar="C", help="With counts: of a refutation; 19/20 unless given.")
@click.option("--outcome", "outcomes", multiple=True, metavar="NAME", help="With counts: of the event; repeatable.")
@click.option(
    "--likelier-on",
    type=click.Choice(["D", "Dprime", "either"]),
    default="D",
    show_default=True,
    help="With counts: where the event is too likely; either costs a factor 2.",
)
@click.option("--threshold", metavar="T", help="With scores: in from T on; LOW:HIGH guesses nothing between.")
@click.option("--bet", metavar="B", help="With pairs of runs: fixed before them, at most 1/(e^epsilon + delta).")
@click.option("--declare", multiple=True, metavar="FACT", help="NAME=TEXT, or a file of facts; repeatable.")
@click.option("--out", metavar="DIR", help="Write the report and its certificates into DIR, made if missing.")
@click.option("--statement", is_flag=True, help="With --out: also statement.json, an unsigned in-toto statement.")
@click.option("--json", "as_json", is_flag=True, help="Print report.json instead of the summary.")
def audit(  # noqa: PLR0917 - one parameter for each option
    file: str,
    claims: tuple[str, ...],
    pairs: tuple[tuple[str, str], ...],
    form: str | None,
    direction: str,
    digits: str,
    event: str | None,
    confidence: str | None,
    outcomes: tuple[str, ...],
    likelier_on: str,
    threshold: str | None,
    bet: str | None,
    declare: tuple[str, ...],
    out: str | None,
    statement: bool,
    as_json: bool,
) -> None:
    """Decide claimed privacy guarantees of a table of probabilities or a mechanism, or test them on counts.

    Prints the verdict first, then how tight the claim is and why: the event that refutes it, or the size
    of the witness that proves it. Every claim must hold for every pair of neighbouring inputs, in
    both orders. Each verdict has a certificate, which the independent checker has accepted before
    anything is printed. For a mechanism that is no finite table, such as laplace or gaussian, there is a record of
    proved enclosures in its place. A claim on an interactive mechanism must hold of every adversary's view; of one that
    does not, the report has the adversary's strategy and the views that show it.
    """
    # The engine loads when it is needed, so that help is quick.
    from oracle.audits import run  # noqa: PLC0415
    from oracle.audits.declared import read_declared  # noqa: PLC0415
    from oracle.audits.files import write_files  # noqa: PLC0415
    from oracle.enclosures import parse_digits  # noqa: PLC0415
    from oracle.errors import InputError  # noqa: PLC0415
    from oracle.writing import require_writable  # noqa: PLC0415

    if file.endswith((".yaml", ".yml")):
        raise SystemExit(_record(file, claims, out, as_json=as_json))
    if not claims:
        raise click.UsageError("Missing option '--claim'.")
    wanted = parse_digits(digits, "--digits")
    if out is not None:
        if not out:
            raise InputError("a directory", "empty text", "--out")
        require_writable(Path(out))
    elif statement:
        raise InputError("--out DIR, where the statement is written", "none", "--statement")
    facts = read_declared(declare)
    options: Any = {"event": event, "confidence": confidence, "outcomes": outcomes, "threshold": threshold, "bet": bet}
    source = _source(file, pairs, form, counts=any(options.values()) or likelier_on != "D")
    report = run.audit(
        source, claims, direction=direction, digits=wanted, likelier_on=likelier_on, declared=facts, **options
    )
    written = [] if out is None else write_files(Path(out), _files(report, statement=statement))
    if as_json:
        click.echo(report.to_text().encode())
    else:
        colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        _print(_summary(report.document, colour=colour, written=bool(written)))
    if written:
        _print("\n".join(f"wrote {path}" for path in written), err=as_json)
    raise SystemExit({"holds": 0, "refuted": 1, "undecided": 3}[report.verdict])


def _record(file: str, claims: tuple[str, ...], out: str | None, *, as_json: bool) -> int:
    """Check the numbers of a registry record; the exit code."""
    from oracle.audits.registry import check_record  # noqa: PLC0415
    from oracle.errors import InputError  # noqa: PLC0415
    from oracle.json_text import canonical, read_text  # noqa: PLC0415
    from oracle.render.registry import record_json, record_text, verdict_of  # noqa: PLC0415
    from oracle.yaml_text import parse_yaml  # noqa: PLC0415

    for name, given in (("--claim", claims), ("--out", out)):
        if given:
            raise InputError("a registry record alone", f"{name} beside it", file)
    checks = check_record(parse_yaml(read_text(Path(file)), file))
    name = Path(file).name
    _print(canonical(record_json(name, checks)) if as_json else record_text(name, checks))
    return {"consistent": 0, "inconsistent": 1, "incomplete": 3}[verdict_of(checks)]


def _source(file: str, pairs: tuple[tuple[str, str], ...], form: str | None, *, counts: bool) -> Table | Observations:
    """Read FILE: counts where it looks so, or where an option of counts was given, else probabilities."""
    from oracle.audits.observations import observations_from_bytes, read_observations  # noqa: PLC0415
    from oracle.audits.tables import read_table, table_from_bytes  # noqa: PLC0415
    from oracle.errors import InputError  # noqa: PLC0415

    data = sys.stdin.buffer.read() if file == "-" else b""
    if file == "-":
        seen = observations_from_bytes(data, "stdin", form=form, certain=counts)
    else:
        seen = read_observations(file, form, certain=counts)
    if seen is None:
        return table_from_bytes(data, "stdin", pairs, form=form) if file == "-" else read_table(file, pairs, form)
    if pairs:
        raise InputError("no --pair, since counts are of one pair of inputs", "pairs", "--pair")
    return seen


def _files(report: Report, *, statement: bool) -> dict[str, bytes]:
    """All files; report.json comes last, so that a directory that has one has all."""
    from oracle.audits.files import report_files  # noqa: PLC0415
    from oracle.audits.statement import statement_of  # noqa: PLC0415
    from oracle.json_text import canonical  # noqa: PLC0415
    from oracle.render.interactive import report_svg  # noqa: PLC0415

    files = report_files(report)
    views = _views(report.document)
    if "interactive" in report.document["input"]:
        views["tree.svg"] = report_svg(report.document)
    if statement:
        views["statement.json"] = canonical(statement_of(report, files["report.json"])) + "\n"
    return {**{name: view.encode() for name, view in views.items()}, **files}


def _views(document: dict[str, Any]) -> dict[str, str]:
    """The report as people read it, by the names of the files."""
    from oracle.render import audit_html, markdown, statistics  # noqa: PLC0415

    counted = document["report"] == "statistical_audit"
    short = statistics.render_markdown(document) if counted else markdown.render(document)
    return {"report.html": audit_html.render(document), "report.md": short}


def _summary(document: dict[str, Any], *, colour: bool, written: bool) -> str:
    from oracle.render import statistics, terminal  # noqa: PLC0415

    if document["report"] == "statistical_audit":
        return statistics.render_terminal(document, colour=colour)
    return terminal.render(document, colour=colour, written=written)


def _print(text: str, *, err: bool = False) -> None:
    """Print what the stream can encode; the rest as escapes."""
    encoding = (sys.stderr if err else sys.stdout).encoding or "ascii"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), err=err)
