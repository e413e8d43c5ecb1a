"""``oracle known``: the file of known failures, from a run."""

from __future__ import annotations

from pathlib import Path

import click

EXAMPLES = """\b
Examples:
  oracle conform --cmd "./your-program" --out report
  oracle known --write report
  oracle conform --cmd "./your-program" --known dp-oracle.toml

\b
STREAM is the stream.jsonl of a run or the folder with it. Each failure of the run becomes
an entry with its exact verdict and reason; add the link of your issue. A known failure must
keep failing in the stated way: one that is mended, or fails otherwise, fails the next run.
Of a file that is there already, reasons and issues are kept where the verdict is the same.
"""


@click.command(epilog=EXAMPLES)
@click.argument("stream", metavar="STREAM")
@click.option("--write", is_flag=True, help="Write the file instead of printing it.")
@click.option(
    "--file",
    "name",
    default="dp-oracle.toml",
    show_default=True,
    metavar="FILE",
    help="Where to, in a folder that is there.",
)
@click.option("--strict", is_flag=True, help="Entries for the wrong side by rounding alone, too.")
@click.option("--tightness", is_flag=True, help="Entries for loose answers, too.")
@click.option("--json", "as_json", is_flag=True, help="Print the entries as one JSON document.")
def known(  # noqa: PLR0917 - one parameter for each option
    stream: str, write: bool, name: str, strict: bool, tightness: bool, as_json: bool
) -> None:
    """Make the file of known failures from a run of the conformance suite."""
    # The engine loads when it is needed, so that help is quick.
    import tomllib  # noqa: PLC0415

    from oracle.conformance.checking import failures_to_know  # noqa: PLC0415
    from oracle.conformance.known import known_text, read_known  # noqa: PLC0415
    from oracle.conformance.streams import read_events, stream_path  # noqa: PLC0415
    from oracle.errors import InputError  # noqa: PLC0415
    from oracle.json_text import dump_line  # noqa: PLC0415
    from oracle.writing import require_file, write_file  # noqa: PLC0415

    if write:
        require_file(name, "--file")
    path = stream_path(Path(stream))
    events = read_events(path)
    if events[-1]["event"] != "footer" or not events[-1]["complete"]:
        raise InputError("the stream of a run that finished", "one without a footer", str(path))
    target = Path(name)
    before = read_known(target) if target.exists() else None
    text = known_text(events[0]["suite"], failures_to_know(events, strict=strict, tightness=tightness), before)
    if write:
        write_file(name, text.encode(), "--file")
    if as_json:
        click.echo(dump_line(tomllib.loads(text)).encode())
    elif write:
        click.echo(f"wrote {target}: {text.count('[[known]]')} known failures")
    else:
        click.echo(text.encode(), nl=False)
