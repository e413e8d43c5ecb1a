"""``oracle reproduce``: run the claims of a paper and compare every status with the recorded one."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence

    from rich.progress import Progress

    from oracle.laws.figures import Figure
    from oracle.laws.record import ClaimRecord

T = TypeVar("T")

EXAMPLES = """\b
Examples:
  oracle reproduce                             the papers there are
  oracle reproduce fernandes2025
  oracle reproduce fernandes2025 --only E-par --only "T3.1(2)"
  oracle reproduce fernandes2025 --out reports/fernandes2025      (extras conformance and report)
  oracle reproduce fernandes2025 --profile search
  oracle reproduce fernandes2025 --subject float64 --out reports/float64

\b
Exit codes: 0 every status re-derived, or no law broken by the subject; 1 one differs, or
findings; 2 bad usage; 3 interrupted.
"""


def _folder(_context: click.Context, _option: click.Parameter, value: str | None) -> Path | None:
    """The folder of --out; empty text is none."""
    if value == "":
        raise click.BadParameter("expected a folder, got empty text")
    return None if value is None else Path(value)


@click.command(epilog=EXAMPLES)
@click.argument("paper", required=False)
@click.option("--only", multiple=True, metavar="ID", help="Only this claim; may be repeated.")
@click.option(
    "--out",
    type=click.UNPROCESSED,
    callback=_folder,
    help="Folder for the claims table, errata, certificates, figures; made if missing.",
)
@click.option("--subject", metavar="NAME", help="Run the laws against this subject (float64) in place of the engine.")
@click.option(
    "--profile", type=click.Choice(["ci", "search"]), default="ci", show_default=True, help="How hard to search."
)
@click.option("--jobs", "-n", type=click.IntRange(min=1), default=2, show_default=True, help="Processes.")
@click.option("--json", "as_json", is_flag=True, help="The results as JSON.")
def reproduce(  # noqa: PLR0917 - one parameter for each option
    paper: str | None,
    only: tuple[str, ...],
    out: Path | None,
    subject: str | None,
    profile: str,
    jobs: int,
    as_json: bool,
) -> None:
    """Run every claim of PAPER as a program and re-derive its status; without PAPER list the papers.

    Prints one line for each claim: recorded status, whether running it gives the same, cases run, and the largest
    excess over all laws (0 or less: no law is broken). Nothing is written without --out.

    With --subject only the laws run, against that implementation: which hold, which break by rounding (at most 10^-9),
    which break materially, each with a shrunk input; --out then writes NAME.md and NAME.json.

    Needs the extra "conformance", and for the figures of --out (without --subject) also "report":
    pip install '.[conformance,report]' in a checkout, or pip install 'fdp-oracle[conformance,report]'.
    """
    _require_extras(figures=out is not None and subject is None and paper is not None)
    from oracle.json_text import dump_line  # noqa: PLC0415 - the engine loads when it is needed
    from oracle.laws.papers import PAPERS  # noqa: PLC0415
    from oracle.laws.reproduce import document, run_claims, select  # noqa: PLC0415
    from oracle.render.reproduction import results_table  # noqa: PLC0415
    from oracle.writing import require_writable  # noqa: PLC0415

    if paper is None:
        click.echo(dump_line(PAPERS) if as_json else "\n".join(f"{key}  {title}" for key, title in PAPERS.items()))
        return
    claims = select(paper, only)
    if out is not None:
        require_writable(out)
    if subject is not None:
        _run_subject(claims, paper, subject, profile=profile, jobs=jobs, out=out, as_json=as_json)
        return
    figures = [] if out is None else _figures(claims, paper)
    results, complete = _collect(run_claims(claims, paper, profile, jobs), len(claims))
    found = document(paper, results)
    click.echo(dump_line(found) if as_json else results_table(found))
    disagreeing = [result for result in results if not result.agrees]
    for result in disagreeing:
        for problem in result.problems or ("the derived status differs",):
            click.echo(f"{result.id}: {problem}", err=True)
    if not complete:
        _interrupted(len(results), len(claims))
    if out is not None:
        _write(out, _reports(paper, claims, figures, found))
    raise SystemExit(1 if disagreeing else 0)


def _require_extras(*, figures: bool) -> None:
    """Without what runs the claims, and what draws the figures where they are drawn, nothing is run."""
    from importlib.util import find_spec  # noqa: PLC0415

    from oracle.errors import MissingExtraError  # noqa: PLC0415

    command = "oracle reproduce --out" if figures else "oracle reproduce"
    needed = {"conformance": "hypothesis"} | ({"report": "matplotlib"} if figures else {})
    if any(find_spec(module) is None for module in needed.values()):
        raise MissingExtraError(command, *needed)


def _figures(claims: Sequence[ClaimRecord], paper: str) -> list[Figure]:
    """The figures of these claims."""
    from oracle.laws.papers import figures_of  # noqa: PLC0415

    chosen = {claim.id for claim in claims}
    return [figure for figure in figures_of(paper) if chosen & set(figure.claims)]


def _run_subject(
    claims: Sequence[ClaimRecord],
    paper: str,
    subject: str,
    *,
    profile: str,
    jobs: int,
    out: Path | None,
    as_json: bool,
) -> None:
    from oracle.conformance.law_search import document, find_subject, search_claims  # noqa: PLC0415
    from oracle.json_text import dump_line  # noqa: PLC0415
    from oracle.laws.reproduce import title  # noqa: PLC0415
    from oracle.render.subject import findings_markdown, findings_table  # noqa: PLC0415

    find_subject(subject)
    total = sum(1 for claim in claims if claim.laws)
    findings, complete = _collect(search_claims(claims, paper, subject, profile, jobs), total)
    found = document(claims, paper, subject, profile, [law for claim in findings for law in claim])
    click.echo(dump_line(found) if as_json else findings_table(found))
    if not complete:
        _interrupted(len(findings), total)
    if out is not None:
        files = {f"{subject}.md": findings_markdown(title(paper), found), f"{subject}.json": _json(found)}
        _write(out, files)
    raise SystemExit(1 if any(law.breaks for claim in findings for law in claim) else 0)


def _interrupted(done: int, total: int) -> None:
    click.echo(f"oracle: interrupted after {done} of {total} claims", err=True)
    raise SystemExit(3)


def _collect(running: Generator[T, None, None], total: int) -> tuple[list[T], bool]:
    """Results that came, and whether all did; an interrupt keeps what there is."""
    results: list[T] = []
    try:
        with _progress() as progress:
            task = progress.add_task("claims", total=total)
            for result in running:
                results.append(result)
                progress.update(task, advance=1)
    except KeyboardInterrupt:
        running.close()
        return results, False
    return results, True


@contextmanager
def _progress() -> Iterator[Progress]:
    """Progress on stderr, shown only where that is a terminal."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=Console(file=sys.stderr), disable=not sys.stderr.isatty(), transient=True
    ) as progress:
        yield progress


def _reports(
    paper: str, claims: Sequence[ClaimRecord], figures: Sequence[Figure], found: dict[str, Any]
) -> dict[str, str]:
    """Files of a reproduction by name."""
    from oracle.laws.figures import to_csv  # noqa: PLC0415
    from oracle.laws.papers import notation_of  # noqa: PLC0415
    from oracle.laws.reproduce import certificates, errata, printed_formula, title  # noqa: PLC0415
    from oracle.laws.symbolic import prove  # noqa: PLC0415
    from oracle.render.figures import to_svg  # noqa: PLC0415
    from oracle.render.reproduction import claims_markdown, errata_markdown  # noqa: PLC0415

    texts = ("id", "statement", "formula", "source", "hypotheses")
    records = [
        {
            **{name: getattr(claim, name) for name in texts},
            "printed": printed_formula(claim),
            "proofs": [prove(name) for name in claim.proofs],
        }
        for claim in claims
    ]
    signs = notation_of(paper)
    return {
        "claims.md": claims_markdown(title(paper), found, records, signs, figures),
        "claims.json": _json(found),
        "errata.md": errata_markdown(title(paper), paper, errata(claims), signs, figures),
        **{name: _json(certificate) for name, certificate in certificates(claims, paper).items()},
        **{f"figures/{figure.id}.svg": to_svg(figure) for figure in figures},
        **{f"figures/{figure.id}.csv": to_csv(figure) for figure in figures},
    }


def _json(value: Mapping[str, Any]) -> str:
    from oracle.json_text import canonical  # noqa: PLC0415

    return canonical(value) + "\n"


def _write(out: Path, files: Mapping[str, str]) -> None:
    from oracle.writing import write_all  # noqa: PLC0415

    write_all(out, {name: text.encode() for name, text in files.items()})
    click.echo(f"wrote {len(files)} files to {out}", err=True)
