"""``oracle account``: delta and epsilon of compositions, with method, record and cross-checks; calibration."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import click

from oracle.cli.time_limit import TooLongError, seconds, time_limit

if TYPE_CHECKING:
    from oracle.mechanisms.evaluate import Pair

_PATIENCE: Final = 0.5

EXAMPLES: Final = """\b
Examples:
  oracle account sgd.json --epsilon 1 --delta 1e-5
  oracle account sgd.json --epsilon 1 --epsilon 2 --direction forward --digits 30
  oracle account sgd.json --epsilon 1 --cross-check --json > account.json
  oracle account sgd.json --profile profile.csv
  echo '{"mechanism": "repeat", "times": 1000, "of": {"mechanism": "poisson_subsample",
    "rate": "0.01", "neighbours": "add_remove", "of": {"mechanism": "gaussian",
    "sigma": "?"}}}' | oracle account - --epsilon 1 --delta 1e-5

\b
FILE is JSON, - is stdin: a mechanism expression, such as
  {"mechanism": "repeat", "times": 1000,
   "of": {"mechanism": "poisson_subsample", "rate": "0.005", "neighbours": "add_remove",
          "of": {"mechanism": "gaussian", "sigma": "0.8"}}}
or {"mechanism": "compose", "of": [...]} of any mix of finite tables, randomized response, geometric
and discrete Laplace, Laplace, Gaussian and discrete Gaussian noise, and their Poisson subsampling.
The direction forward is "remove", backward is "add", both the larger.

\b
With "?" in the place of one sigma, scale, rate or times, the value is found at which the target,
one --epsilon (or --exp-epsilon) and one --delta, begins to be met: two ends, one proved to
meet it and the other proved not to.

\b
Exit codes: 0 done, 2 bad usage or input, 3 digits not reached, or out of time.
"""


@click.command(epilog=EXAMPLES)
@click.argument("file", metavar="FILE")
@click.option("--epsilon", "epsilons", multiple=True, metavar="E", help="Ask delta at this epsilon; may be repeated.")
@click.option("--exp-epsilon", "levels", multiple=True, metavar="A", help="Ask delta at e^epsilon = A; likewise.")
@click.option("--delta", "deltas", multiple=True, metavar="D", help="Ask the least epsilon at this delta; likewise.")
@click.option(
    "--direction",
    type=click.Choice(["both", "forward", "backward"]),
    default="both",
    show_default=True,
    help="forward is P against Q, backward Q against P.",
)
@click.option("--digits", metavar="N", help="Digits of values that are not exact; 12, and 6 for a parameter.")
@click.option("--profile", metavar="CSV", help="Write the privacy profile into CSV, in a folder that is there.")
@click.option("--points", type=click.IntRange(2, 100_000), default=200, show_default=True, help="Of the profile.")
@click.option("--cross-check", is_flag=True, help="Check each value on a second contour and by the loss grid.")
@click.option(
    "--timeout",
    type=float,
    default=60,
    show_default=True,
    callback=seconds,
    help="Seconds for all; then the bounds known at once are given. 0 for no limit.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the account as JSON instead of the summary.")
def account(  # noqa: PLR0917 - one parameter for each option
    file: str,
    epsilons: tuple[str, ...],
    levels: tuple[str, ...],
    deltas: tuple[str, ...],
    direction: str,
    digits: str | None,
    profile: str | None,
    points: int,
    cross_check: bool,
    timeout: float,
    as_json: bool,
) -> None:
    """Account for a composition: delta at each epsilon, the least epsilon at each delta.

    Every value is exact or an enclosure: proved, with as many digits as asked for, or with those that were reached, and
    then the command says so and ends with 3. Printed with each are the method and, with --json, the record of how it
    was had. Nothing is written but what --profile names. Progress of longer work goes to stderr.
    """
    # The engine loads when it is needed, so that help is quick.
    from oracle.calibration import unknown_fields  # noqa: PLC0415
    from oracle.enclosures import parse_digits  # noqa: PLC0415
    from oracle.errors import InputError  # noqa: PLC0415
    from oracle.writing import require_file  # noqa: PLC0415

    expression, work = _read(file), _Work(timeout)
    asked = {"epsilon": epsilons, "exp_epsilon": levels, "delta": deltas}
    target: dict[str, Any] = {"direction": direction}
    if digits is not None:
        target["digits"] = parse_digits(digits, "--digits")
    if list(unknown_fields(expression)):
        if profile is not None or cross_check:
            raise InputError('an expression without "?" for --profile and --cross-check', '"?"', "FILE")
        raise SystemExit(_calibrate(expression, asked, target, work, as_json=as_json))
    out = None if profile is None else require_file(profile, "--profile")
    if out is None and not any(asked.values()):
        raise InputError("an --epsilon, --exp-epsilon, --delta or --profile", "none")
    pair, code = _pair(expression, work), 0
    if any(asked.values()):
        target["cross_check"] = cross_check
        code = _account(pair, expression, asked, target, work, as_json=as_json)
        del target["cross_check"]
    if out is not None:
        code = max(code, _profile(pair, out, points, epsilons, target, work, as_json=as_json))
    raise SystemExit(code)


def _pair(expression: Mapping[str, Any], work: _Work) -> Pair:
    """The pair of laws; exit 3 where that takes too long."""
    from oracle.accounting import pair_of  # noqa: PLC0415

    pair: Pair | None = work.run("the pair of laws", lambda: pair_of(expression))
    if pair is None:
        raise SystemExit(3)
    return pair


def _account(
    pair: Pair,
    expression: Mapping[str, Any],
    asked: Mapping[str, tuple[str, ...]],
    target: Mapping[str, Any],
    work: _Work,
    *,
    as_json: bool,
) -> int:
    """Print the account; the exit code."""
    from oracle.accounting import account as account_of  # noqa: PLC0415
    from oracle.json_text import canonical  # noqa: PLC0415
    from oracle.render.account import account_text  # noqa: PLC0415

    options: dict[str, Any] = {**asked, **target}
    report = account_of(pair, guard=work.run, expression=expression, **options)
    click.echo(canonical(report.document) if as_json else account_text(report.document))
    if not report.consistent:
        click.echo("oracle: a cross-check disagrees: a fault in the oracle itself; please report it", err=True)
    return 0 if report.complete and report.consistent else 3


def _profile(  # noqa: PLR0917 - what is asked, and how
    pair: Pair,
    out: Path,
    points: int,
    epsilons: tuple[str, ...],
    target: Mapping[str, Any],
    work: _Work,
    *,
    as_json: bool,
) -> int:
    """Write the profile; the exit code."""
    from oracle.accounting import profile_lines  # noqa: PLC0415
    from oracle.exact import parse_number  # noqa: PLC0415
    from oracle.writing import write_file  # noqa: PLC0415

    top = max(epsilons, key=parse_number) if epsilons else None
    lines = work.run("the profile", lambda: profile_lines(pair, points, top=top, **target))
    if lines is None:
        return 3
    write_file(str(out), ("\n".join(lines) + "\n").encode(), "--profile")
    click.echo(f"wrote {out}", err=as_json)
    return 0


def _read(file: str) -> Mapping[str, Any]:
    from oracle.errors import InputError, shorten  # noqa: PLC0415
    from oracle.json_text import parse, read_bytes  # noqa: PLC0415

    where = "stdin" if file == "-" else file
    data = sys.stdin.buffer.read() if file == "-" else read_bytes(Path(file))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("UTF-8 text", f"the byte 0x{data[error.start]:02x} at {error.start}", where) from None
    found = parse(text, where)
    if not isinstance(found, Mapping):
        raise InputError("a mechanism expression or a channel, an object", shorten(found), where)
    return found


def _calibrate(
    expression: Mapping[str, Any],
    asked: Mapping[str, tuple[str, ...]],
    target: Mapping[str, Any],
    work: _Work,
    *,
    as_json: bool,
) -> int:
    """Find the field that stands "?"; the exit code."""
    from oracle.calibration import calibrate  # noqa: PLC0415
    from oracle.errors import InputError  # noqa: PLC0415
    from oracle.json_text import canonical  # noqa: PLC0415
    from oracle.render.account import calibration_text  # noqa: PLC0415

    levels = [(name, value) for name in ("epsilon", "exp_epsilon") for value in asked[name]]
    deltas = asked["delta"]
    if len(levels) != 1 or len(deltas) != 1:
        raise InputError('with "?" one --epsilon or --exp-epsilon and one --delta', f"{len(levels)} and {len(deltas)}")
    level = dict(levels)
    options: dict[str, Any] = {**level, **target}
    found = work.run("calibration", lambda: calibrate(expression, delta=deltas[0], **options))
    if found is None:
        return 3
    document = {**found.to_json(), "given": {**level, "delta": deltas[0]}, "mechanism": dict(expression)}
    click.echo(canonical(document) if as_json else calibration_text(document))
    return 0 if found.reached is None else 3


class _Work:
    """Runs pieces of work within what is left of the time, and says on stderr how long each took if it was long."""

    def __init__(self, limit: float) -> None:
        self.end = monotonic() + limit if limit else None

    def run(self, what: str, work: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever the work gives
        """The result, or None where the time is up."""
        left = 0.0 if self.end is None else self.end - monotonic()
        if self.end is not None and left <= 0:
            click.echo(f"oracle: {what}: no time left", err=True)
            return None
        started = monotonic()
        try:
            with time_limit(left):
                found = work()
        except TooLongError:
            click.echo(f"oracle: {what}: out of time after {monotonic() - started:.1f} s", err=True)
            return None
        took = monotonic() - started
        if took > _PATIENCE:
            click.echo(f"oracle: {what}: {took:.1f} s", err=True)
        return found
