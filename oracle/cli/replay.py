"""``oracle replay``: one case of the conformance suite, its truth, and what a library answers to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from oracle.cli.campaign_options import python_option, subject_maker

if TYPE_CHECKING:
    from collections.abc import Mapping

EXAMPLES = """\b
Examples:
  oracle replay hockey-stick/rr-3of4/e2-fwd
  oracle replay incident/programming-dp-56 --subject dp-accounting
  oracle replay incident/riskcal-2/corners --cmd "./your-program"
  oracle replay hockey-stick/rr-3of4/e2-fwd#binary64 --json

\b
ID is that of a case, as a report names it; with #binary64 its question in doubles. A subject
is asked in the form that it accepts, as oracle conform would ask it.

\b
Exit codes: 0 done, 1 the answer fails, 2 bad usage, or an adapter that cannot be asked.
"""


@click.command(epilog=EXAMPLES)
@click.argument("identity", metavar="ID")
@click.option("--subject", "name", metavar="NAME", help="A library or module:object, as for oracle conform.")
@click.option("--cmd", "command", metavar="COMMAND", help="A program on a pipe, in the shell's quoting.")
@python_option
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, max=10**6, min_open=True),
    default=60,
    show_default=True,
    help="Seconds for the answer.",
)
@click.option("--strict", is_flag=True, help="Fail for the wrong side by rounding alone, too.")
@click.option("--tightness", is_flag=True, help="Fail for an answer that is on the claimed side and loose, too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with the certificate.")
def replay(  # noqa: PLR0917 - one parameter for each option
    identity: str,
    name: str | None,
    command: str | None,
    python: str | None,
    timeout: float,
    strict: bool,
    tightness: bool,
    as_json: bool,
) -> None:
    """Show one case of the conformance suite, and ask it of a library if one is named."""
    # The suite loads when it is needed, so that help is quick.
    from oracle.conformance.cases import installed_suite  # noqa: PLC0415
    from oracle.conformance.recording import Settings  # noqa: PLC0415
    from oracle.conformance.replaying import answered, case_named, described  # noqa: PLC0415
    from oracle.json_text import dump_line  # noqa: PLC0415

    asks = name is not None or command is not None
    make = subject_maker(name, command, timeout, python) if asks else None
    suite = installed_suite()
    case, binary64 = case_named(suite, identity)
    told = described(suite, case, binary64=binary64)
    if make is not None:
        settings = Settings(strict=strict, tightness=tightness, timeout=timeout)
        told["result"] = answered(suite, case, make, settings)
    click.echo(dump_line(told).encode() if as_json else "\n".join(_lines(told)))
    if told.get("result", {}).get("fails"):
        raise SystemExit(1)


def _lines(told: Mapping[str, Any]) -> list[str]:
    """The case and the result for a reader, a fact a line."""
    from oracle.json_text import dump_line  # noqa: PLC0415
    from oracle.render.words import printable  # noqa: PLC0415

    certificate = told.get("certificate")
    lines = [
        f"{told['case']}: {told['summary']}",
        f"  request      {dump_line(told['request'])}",
        f"  truth        {dump_line(told['truth'])}",
        f"  confirmed    {told['confirmed']}",
    ]
    lines += [] if certificate is None else [f"  certificate  {certificate['certificate']}, with --json in full"]
    lines += [f"  {flag}: {words}" for flag, words in told["flags"].items()]
    lines += [f"  {link}" for link in told["links"]]
    result = told.get("result")
    if result is None:
        return lines
    subject = result["subject"]
    lines.append(f"{printable(subject['name'])} {printable(subject['version'])}: {result['verdict']}")
    if result["asked"] is not None and result["asked"] != told["request"]:
        lines += [f"  asked        {dump_line(result['asked'])}", f"  truth of it  {dump_line(result['truth'])}"]
    if result["answer"] is not None:
        lines.append(f"  answer       {printable(dump_line(result['answer']))} (claimed: {result['claim']})")
    if result["gap"] is not None:
        gap = result["gap"]
        ulps = "" if gap["ulps"] is None else f", {gap['ulps']} ulps"
        lines.append(f"  gap          {gap['decimal']}, relative {gap['relative']}{ulps}; exactly {gap['exact']}")
    if result["reason"]:
        lines.append(f"  reason       {printable(str(result['reason']))}")
    return lines
