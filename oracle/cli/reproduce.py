"""``oracle reproduce``: run the claims of a paper and compare every status with the recorded one."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.progress import Progress

    from oracle.laws.harness import ClaimResult
    from oracle.laws.record import ClaimRecord

EXAMPLES = """\b
Examples:
  oracle reproduce                             the papers there are
  oracle reproduce fernandes2025
  oracle reproduce fernandes2025 --only E-par --only "T3.1(2)"
  oracle reproduce fernandes2025 --out reports/fernandes2025
  oracle reproduce fernandes2025 --profile search

\b
Exit codes: 0 every status re-derived, 1 one differs, 2 bad usage, 3 interrupted.
"""


@click.command(epilog=EXAMPLES)
@click.argument("paper", required=False)
@click.option("--only", multiple=True, metavar="ID", help="Only this claim; may be repeated.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the claims table, errata, certificates, figures.")
@click.option("--profile", type=click.Choice(["ci", "search"]), default="ci", show_default=True, help="How hard to search.")
@click.option("--jobs", "-n", type=click.IntRange(min=1), default=2, show_default=True, help="Processes.")
@click.option("--json", "as_json", is_flag=True, help="The results as JSON.")
def reproduce(
    paper: str | None, only: tuple[str, ...], out: Path | None, profile: str, jobs: int, as_json: bool
) -> None:
    """Run every claim of PAPER as a program and re-derive its status; without PAPER list the papers.

    Prints one line for each claim: recorded status, whether running it gives the same, cases run, and the largest
    excess over all laws (0 or less: no law is broken). Nothing is written without --out.
    """
    _require_hypothesis()
    from oracle.json_text import dump_line  # noqa: PLC0415 - the engine loads when it is needed
    from oracle.laws.papers import PAPERS  # noqa: PLC0415
    from oracle.laws.reproduce import document, select  # noqa: PLC0415
    from oracle.render.reproduction import results_table  # noqa: PLC0415

    if paper is None:
        click.echo(dump_line(PAPERS) if as_json else "\n".join(f"{key}  {title}" for key, title in PAPERS.items()))
        return
    claims = select(paper, only)
    results, complete = _run(claims, paper, profile, jobs)
    found = document(paper, results)
    click.echo(dump_line(found) if as_json else results_table(found))
    disagreeing = [result for result in results if not result.agrees]
    for result in disagreeing:
        for problem in result.problems or ("the derived status differs",):
            click.echo(f"{result.id}: {problem}", err=True)
    if not complete:
        click.echo(f"oracle: interrupted after {len(results)} of {len(claims)} claims", err=True)
        raise SystemExit(3)
    if out is not None:
        _write(out, paper, claims, found)
    raise SystemExit(1 if disagreeing else 0)


def _require_hypothesis() -> None:
    try:
        import hypothesis  # noqa: F401, PLC0415 - only whether it is there
    except ImportError:
        from oracle.errors import MissingExtraError  # noqa: PLC0415

        raise MissingExtraError("oracle reproduce", "conformance") from None


def _run(claims: Sequence[ClaimRecord], paper: str, profile: str, jobs: int) -> tuple[list[ClaimResult], bool]:
    """Results that came, and whether all did; an interrupt keeps what there is."""
    from oracle.laws.reproduce import run_claims  # noqa: PLC0415

    results: list[ClaimResult] = []
    running = run_claims(claims, paper, profile, jobs)
    try:
        with _progress() as progress:
            task = progress.add_task("claims", total=len(claims))
            for result in running:
                results.append(result)
                progress.update(task, advance=1, description=f"{result.id} done")
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
    with Progress(*columns, console=Console(file=sys.stderr), disable=not sys.stderr.isatty(), transient=True) as progress:
        yield progress


def _write(out: Path, paper: str, claims: Sequence[ClaimRecord], found: dict[str, Any]) -> None:
    from oracle.json_text import canonical  # noqa: PLC0415
    from oracle.laws.reproduce import certificates, errata, title  # noqa: PLC0415
    from oracle.render.reproduction import claims_markdown, errata_markdown  # noqa: PLC0415

    records = [
        {name: getattr(claim, name) for name in ("id", "statement", "formula", "source", "hypotheses")} for claim in claims
    ]
    files = {
        "claims.md": claims_markdown(title(paper), found, records),
        "claims.json": canonical(found) + "\n",
        "errata.md": errata_markdown(title(paper), paper, errata(claims)),
        **{name: canonical(certificate) + "\n" for name, certificate in certificates(claims).items()},
    }
    for name, text in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    click.echo(f"wrote {len(files)} files to {out}", err=True)
