"""The command group ``oracle``; each subcommand's module is loaded when it is called."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from typing import Final

import click

from oracle import __version__
from oracle.errors import IncompleteError, OracleError, UncertifiedError, UndecidedError

__all__ = ["cli", "main"]

_COMMANDS: Final = {
    "account": "Account for a composition: delta, epsilon, profile, calibration.",
    "answer": "Answer requests, one JSON object a line, from stdin to stdout.",
    "audit": "Decide a claimed privacy guarantee of a table or mechanism, with evidence.",
    "conform": "Ask a library the conformance suite and judge its answers.",
    "count": "Count raw samples of two inputs, for an audit from samples.",
    "diff": "Show what two audit reports say differently.",
    "emit": "Write the questions of the conformance suite, one request a line.",
    "fuzz": "Search for questions that a library answers wrongly.",
    "judge": "Judge a file of answers to the conformance suite.",
    "known": "Make the file of known failures from a conformance run.",
    "matrix": "Make one page about the conformance runs of several libraries.",
    "replay": "Show one case of the conformance suite, and ask it of a library.",
    "reproduce": "Run the claims of a paper as programs and re-derive their status.",
    "schema": "Print the JSON Schema of a document that the oracle reads or writes.",
    "tree": "Show an interactive mechanism: its tree, its tight guarantee, a drawing.",
    "vectors": "Make, check and copy the vectors of the conformance suite.",
    "verify": "Re-check certificates and audit reports with the independent checker.",
}

EXAMPLES: Final = """\b
Examples:
  oracle audit table.json --claim "exp_eps=2,delta=1/4"
  oracle audit table.csv --claim "eps=log(3)" --out report/
  oracle verify report/report.json
  echo '{"id": 1, "op": "hello", "args": {}}' | oracle answer

\b
Exit codes: 0 done or the claim holds, 1 refuted or a certificate rejected,
2 bad usage or input, 3 undecided.
"""


class _ReaderGoneError(Exception):
    """The reader of the output went away; click itself would end with 1, which reads as a refutation."""


class _LazyGroup(click.Group):
    """Lists the commands without importing them."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ReaderGoneError from error

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"oracle.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(
    cls=_LazyGroup, epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, "--version", prog_name="oracle", message="%(prog)s %(version)s")
def cli() -> None:
    """Differential privacy questions answered in exact rational arithmetic, with certificates.

    Every verdict is right to the last digit and comes with evidence that anyone can re-check.
    """


def main() -> None:
    """Run the command; errors of the oracle become one line on stderr and an exit code.

    A fault of our own, or a reader that went away, must not look like a verdict: it is incomplete, 3.
    """
    if sys.stdout is None:  # so Python says that the descriptor was closed at the start
        _stop("standard output is closed", 3)
    try:
        cli.main(standalone_mode=False)
    except (IncompleteError, UncertifiedError, UndecidedError) as error:
        _stop(str(error), 3)
    except OracleError as error:
        _stop(str(error), 2)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        _stop("interrupted", 3)
    except (_ReaderGoneError, BrokenPipeError):
        # Nobody reads any more (oracle ... | head); Python must not try to flush what is left.
        _forget_output()
        sys.exit(3)
    except OSError as error:
        _forget_output()
        _stop(f"the output could not be written: {error.strerror or error}", 3)
    except Exception:  # noqa: BLE001 - the process boundary: Python's own exit code 1 would read as "refuted"
        traceback.print_exc()
        _stop("a fault in the oracle itself; there is no verdict. Please report the lines above.", 3)


def _forget_output() -> None:
    """Send what is still in the buffer of the output nowhere, so that Python does not try to write it again."""
    with suppress(OSError, ValueError):  # a stand-in for the output may have no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _stop(message: str, code: int) -> None:
    click.echo(f"oracle: {message}", err=True)
    sys.exit(code)
