"""``oracle account``: delta and epsilon of compositions, with method, record and cross-checks; calibration."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from oracle.cli.campaign_options import dask_option
from oracle.cli.timeout_option import seconds
from oracle.cli.worker import Clock, Results, worker

if TYPE_CHECKING:
    from oracle.accounting import Questions
    from oracle.cli.profile_file import Curve, ProfileFile

EXAMPLES: Final = """\b
Examples:
  oracle account sgd.json --epsilon 1 --delta 1e-5
  oracle account sgd.json --epsilon 1 --epsilon 2 --direction forward --digits 30
  oracle account sgd.json --epsilon 1 --cross-check --json > account.json
  oracle account sgd.json --profile profile.csv
  oracle account sgd.json --profile p.csv --points 5000 --timeout 0 --dask tcp://10.0.0.1:8786
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
A profile of more than 250 points is computed in runs of 250, each kept in CSV.partial until
the whole is there, so that --resume goes on with it; with --dask on the workers of a cluster.

\b
Exit codes: 0 done, 2 bad usage or input, 3 digits not reached, or out of time.
"""


@click.command(epilog=EXAMPLES)
@click.argument("file", metavar="FILE")
@click.option(
    "--epsilon", "epsilons", multiple=True, metavar="E", help="Ask delta at this epsilon, of any sign; repeatable."
)
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
@click.option("--resume", is_flag=True, help="Go on with a profile that was not finished.")
@dask_option
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
    resume: bool,
    dask: str | None,
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
    from oracle.accounting import questions  # noqa: PLC0415
    from oracle.calibration import unknown_fields  # noqa: PLC0415
    from oracle.cli.profile_file import Curve, ProfileFile  # noqa: PLC0415
    from oracle.enclosures import DEFAULT_DIGITS, parse_digits  # noqa: PLC0415
    from oracle.errors import InputError  # noqa: PLC0415

    clock, expression = Clock(timeout), _read(file)
    wanted = None if digits is None else parse_digits(digits, "--digits")
    given = {"epsilon": epsilons, "exp_epsilon": levels, "delta": deltas}
    asked = questions(**given, direction=direction, digits=wanted or DEFAULT_DIGITS, cross_check=cross_check)
    if profile is None and (resume or dask is not None):
        raise InputError("--profile, of whose points --dask and --resume are", "none")
    if list(unknown_fields(expression)):
        if profile is not None or cross_check:
            raise InputError('an expression without "?" for --profile and --cross-check', '"?"', "FILE")
        options = {"direction": direction, **({} if wanted is None else {"digits": wanted})}
        raise SystemExit(_calibrate(expression, given, options, clock, as_json=as_json))
    if profile is None and not asked.items:
        raise InputError("an --epsilon, --exp-epsilon, --delta or --profile", "none")
    curve = Curve(expression, asked, points)
    out = None if profile is None else ProfileFile(profile, curve, resume=resume)
    raise SystemExit(_account(curve, out, dask, clock, as_json=as_json))


def _account(curve: Curve, out: ProfileFile | None, dask: str | None, clock: Clock, *, as_json: bool) -> int:
    """Print the account and write the profile; the exit code."""
    from oracle.accounting import entries, pair_of  # noqa: PLC0415
    from oracle.conformance.campaigns import campaign  # noqa: PLC0415

    asked = curve.asked

    def work() -> Iterator[Any]:
        with campaign(dask) as mapper:
            pair = pair_of(curve.expression)
            yield None
            yield from entries(pair, asked)
            if out is not None:
                yield from curve.runs(pair, mapper, out.done)

    names = ["the pair of laws", *map(str, asked.items)]
    with worker(work, clock.end) as source:
        results, code = Results(source, [*names, *([] if out is None else out.missing)]), 0
        if asked.items:
            found = _entries(results, curve.expression, asked, clock)
            code = _print(curve.expression, asked, found, as_json=as_json)
        if out is not None:
            code = max(code, _write(results, out, clock, as_json=as_json))
    return code


def _entries(results: Results, expression: Mapping[str, Any], asked: Questions, clock: Clock) -> list[Any]:
    """The entry of each question: the answer, or what is known of it when its time is up.

    When little time is left, bounds and values of few digits are computed beside the work.
    """
    from oracle.accounting import bounds_entry, coarse_entries, pair_of  # noqa: PLC0415

    count = 1 + len(asked.items)
    if results.wait(clock.nearly, count):
        return results.found[1:count]
    first = max(len(results.found) - 1, 0)
    rest = replace(asked, items=asked.items[first:])
    with worker(lambda: coarse_entries(pair_of(expression), rest), clock.end) as source:
        if results.wait(clock.end, count):
            return results.found[1:count]
        known = dict(source.ready())
    results.tell_missing(count)
    found = results.found[1:]
    for i in range(len(found), len(asked.items)):
        found.append(known.get(i - first) or bounds_entry(None, asked.items[i], asked.direction))
    return found


def _print(expression: Mapping[str, Any], asked: Questions, found: list[Any], *, as_json: bool) -> int:
    """Print the account; the exit code."""
    from oracle.accounting import account_of  # noqa: PLC0415
    from oracle.json_text import canonical  # noqa: PLC0415
    from oracle.render.account import account_text  # noqa: PLC0415

    report = account_of(expression, asked, found)
    click.echo(canonical(report.document) if as_json else account_text(report.document))
    if not report.consistent:
        click.echo("oracle: a cross-check disagrees: a fault in the oracle itself; please report it", err=True)
    return 0 if report.complete and report.consistent else 3


def _write(results: Results, out: ProfileFile, clock: Clock, *, as_json: bool) -> int:
    """Write the profile; the exit code."""
    from oracle.errors import IncompleteError  # noqa: PLC0415

    count = len(results.names) - len(out.missing)
    with closing(out):
        try:
            while out.missing:
                count += 1
                if not results.wait(clock.end, count):
                    results.tell_missing()
                    return 3
                out.add(results.found[-1])
        except IncompleteError as error:
            click.echo(f"oracle: {error}; go on with --resume", err=True)
            return 3
        out.finish()
    click.echo(f"wrote {out.path}", err=as_json)
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
    given: Mapping[str, tuple[str, ...]],
    options: Mapping[str, Any],
    clock: Clock,
    *,
    as_json: bool,
) -> int:
    """Find the field that stands "?"; the exit code."""
    from oracle.calibration import narrowing  # noqa: PLC0415
    from oracle.errors import InputError  # noqa: PLC0415
    from oracle.json_text import canonical  # noqa: PLC0415
    from oracle.render.account import calibration_text  # noqa: PLC0415

    levels = [(name, value) for name in ("epsilon", "exp_epsilon") for value in given[name]]
    deltas = given["delta"]
    if len(levels) != 1 or len(deltas) != 1:
        raise InputError('with "?" one --epsilon or --exp-epsilon and one --delta', f"{len(levels)} and {len(deltas)}")
    target: dict[str, Any] = {**dict(levels), "delta": deltas[0]}

    def work() -> Iterator[Any]:
        for found in narrowing(expression, **target, **options):
            yield found.to_json()

    with worker(work, clock.end) as source:
        results = Results(source, ["calibration"])
        done = results.wait_for_last(clock.end)
    if not results.found:
        return 3
    document = {**results.found[0], "given": target, "mechanism": dict(expression)}
    click.echo(canonical(document) if as_json else calibration_text(document))
    return 0 if done and "reached" not in document else 3
