"""``oracle emit``: the questions of the conformance suite as requests, one JSON object a line."""

from __future__ import annotations

import sys

import click

EXAMPLES = """\b
Examples:
  oracle emit > cases.jsonl
  oracle emit --op delta --op epsilon | ./your-program | oracle judge -
  oracle emit --binary64 > cases.jsonl

\b
The first two requests are hello and echo: answering them states what is claimed of the
answers, and shows that numbers arrive unchanged. --binary64 asks each question with its
parameters replaced by doubles; the truth is then that of the doubles.
"""


@click.command(epilog=EXAMPLES)
@click.option("--op", "ops", multiple=True, metavar="OP", help="Only this op; repeat for several.")
@click.option("--concept", "concepts", multiple=True, metavar="NAME", help="Only this concept; repeat for several.")
@click.option("--binary64", is_flag=True, help="In doubles; what cannot be asked in doubles is left out.")
@click.option("--json", "as_json", is_flag=True, help="Accepted for uniformity: the output always is JSON lines.")
def emit(ops: tuple[str, ...], concepts: tuple[str, ...], binary64: bool, as_json: bool) -> None:  # noqa: ARG001
    """Write the questions of the conformance suite to stdout, one request a line."""
    # The suite loads when it is needed, so that help is quick.
    from oracle.cli.conformance_options import suite_with  # noqa: PLC0415
    from oracle.conformance.answer_files import emitted  # noqa: PLC0415
    from oracle.json_text import dump_line  # noqa: PLC0415

    suite = suite_with(ops, concepts)
    for request in emitted(suite.select(ops, concepts), binary64=binary64):
        sys.stdout.buffer.write(dump_line(request).encode() + b"\n")
    sys.stdout.buffer.flush()
