"""The report of a comparison: Markdown, CSV, SVG, scripts of the wrong sides; a function of the results alone."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any, Final

from tests.benchmarks.accountants.cases import CASES, FIRST, Case
from tests.benchmarks.accountants.causes import CAUSES, Cause, cause_of
from tests.benchmarks.accountants.figure import draw
from tests.benchmarks.accountants.rows import Row, rows
from tests.benchmarks.accountants.sources import OURS, PEERS, Peer

__all__ = ["gap_text", "grouped", "script", "write"]

_RIVAL: Final = "dpa-pld"

_MOST_ZEROS: Final = -5
"""Below this power of ten a decimal is written with an exponent."""

_ABOUT: Final = """\
Each peer answers each question in a process of its own, through its public calls, with the doubles nearest the decimals
shown. The certified value is an enclosure that is proved (by `oracle.accountant`); it is that of the larger of the
directions remove and add. `sub(σ, q)`: Poisson-subsampled Gaussian; `gauss(σ)`; `lap(b)`; `rr(p)`: randomized response
that lies with probability p; `adp(ε, δ)`: the worst (ε, δ)-private step. Sensitivity is 1.
"""

_SIDES: Final = """\
A value is on the *wrong side* if it is claimed to be an upper value and is below the enclosure, or claimed to be a
lower value and is above it. It is *material* if moreover the relative gap exceeds 1e-9 and the certified value 1e-300.
"""

_CALLS: Final = """\
`prv` asks for `eps_error` 0.1 and `prv-fine` for 0.01; both for a `delta_error` of a thousandth of the power of ten
near the answer, as the documentation recommends. opacus answers epsilon only; its package file and its optimizers
import torch and are replaced by stand-ins, its accountants are the released files. `dpa-pld-fine` has
`value_discretization_interval=1e-5`; all other calls have their defaults. Peers that take minutes an answer are asked
fewer cases. Times of a busy machine: processor seconds, not wall-clock seconds, are compared.
"""


def write(results: dict[str, Any], folder: Path) -> None:
    """Write ``README.md``, ``results.csv``, ``gaps.svg`` and ``scripts/*.py``."""
    found = rows(results)
    groups = grouped(found)
    scripts = folder / "scripts"
    scripts.mkdir(parents=True, exist_ok=True)
    for old in scripts.glob("*.py"):
        old.unlink()
    for cause, members in groups.items():
        text = script(cause, worst(members), results["truths"])
        (scripts / f"{cause.name}.py").write_text(text, encoding="utf-8")
    (folder / "results.csv").write_text(_csv(found, results["truths"]), encoding="utf-8")
    (folder / "gaps.svg").write_text(draw(found), encoding="utf-8")
    (folder / "README.md").write_text(_markdown(results, found, groups), encoding="utf-8")


def grouped(found: Iterable[Row]) -> dict[Cause, list[Row]]:
    """The values on the wrong side by cause, in the order of the causes.

    Raises:
        LookupError: if one has no cause.
    """
    groups: dict[Cause, list[Row]] = {cause: [] for cause in CAUSES}
    for row in found:
        if row.verdict is not None and row.verdict.side in {"wrong", "no number"}:
            groups[cause_of(row)].append(row)
    return {cause: members for cause, members in groups.items() if members}


def worst(members: Sequence[Row]) -> Row:
    """The row that shows a cause best: material, with default settings if there is one, at the largest delta."""

    def merit(row: Row) -> tuple[bool, bool, float]:
        material = row.verdict is not None and row.verdict.material
        return material, not row.peer.endswith("-fine"), float(row.case.scale)

    return max(members, key=merit)


def _program(row: Row) -> tuple[str, str, str]:
    peer = PEERS[row.peer]
    program = peer.program(row.case)
    return program.imports, program.body, program.claims[row.claim]


def script(cause: Cause, row: Row, truths: dict[str, Any]) -> str:
    """A program that shows a wrong side with the peer's public calls alone."""
    imports, body, value = _program(row)
    truth = truths[row.case.name]
    asked = "delta" if row.case.epsilon is not None else "epsilon"
    side = "at least" if row.claim == "upper" else "at most"
    package = PEERS[row.peer].package.replace(" ", "==")
    return "\n".join(
        (
            f'"""{PEERS[row.peer].package}: {cause.title}.',
            "",
            f"{cause.text}",
            "",
            f"Case: {row.case.label()}. Needs: pip install {package}",
            '"""',
            "# ruff: noqa: INP001, T201",
            "",
            imports,
            "",
            body,
            "",
            f"# The true {asked} (of the worse direction) is proved to lie between the two numbers printed last, so",
            f"# what is claimed to be {side} the true {asked} is not.",
            f'print("claimed {row.claim} end:", {value})',
            f'print("proved lower end:  ", "{_decimal(truth["lo"], 15, up=False)}")',
            f'print("proved upper end:  ", "{_decimal(truth["hi"], 15, up=True)}")',
            "",
        )
    )


def _decimal(text: str, digits: int, *, up: bool) -> str:
    """A positive rational text as a decimal of so many digits, rounded up or down."""
    value = Fraction(text)
    exponent = 0
    while value * Fraction(10) ** -exponent >= 10:
        exponent += 1
    while value * Fraction(10) ** -exponent < 1:
        exponent -= 1
    scaled = value * Fraction(10) ** (digits - 1 - exponent)
    whole = scaled.__ceil__() if up else scaled.__floor__()
    if whole == 10**digits:
        whole, exponent = whole // 10, exponent + 1
    figures = str(whole)
    if 0 <= exponent < digits - 1:
        return f"{figures[: exponent + 1]}.{figures[exponent + 1 :]}"
    if _MOST_ZEROS < exponent < 0:
        return f"0.{'0' * (-exponent - 1)}{figures}"
    return f"{figures[0]}.{figures[1:]}e{exponent}"


def gap_text(row: Row) -> str:
    """The gap of a value in a table: signed, of two digits; a wrong side in bold."""
    verdict = row.verdict
    if verdict is None:
        return "—"
    if verdict.gap is None:
        return f"**{row.value}**" if verdict.side in {"wrong", "no number"} else row.value
    if not verdict.gap:
        return "0"
    gap = float(verdict.gap)
    text = f"{gap:+.1e}" if abs(gap) < 1e-2 or abs(gap) >= 100 else f"{gap:+.3f}"
    return f"**{text}**" if verdict.side == "wrong" else text


def _seconds(value: float | None) -> str:
    return "—" if value is None else f"{value:.3f}" if value < 1 else f"{value:.1f}"


def _csv(found: Sequence[Row], truths: dict[str, Any]) -> str:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    header = "case,composition,question,peer,claim,value,certified_lower,certified_upper,certified_by,side,material"
    table.writerow([*header.split(","), "relative_gap", "cpu_seconds", "megabytes", "megabytes_of_imports"])
    for row in found:
        truth = truths[row.case.name]
        composition = row.case.label().rsplit(", ", 1)[0]
        low, high = _decimal(truth["lo"], 15, up=False), _decimal(truth["hi"], 15, up=True)
        verdict = ["no answer", "", ""]
        if row.verdict is not None:
            gap = "" if row.verdict.gap is None else f"{float(row.verdict.gap):.3e}"
            verdict = [row.verdict.side, "yes" if row.verdict.material else "", gap]
        cost = ["" if cost is None else f"{cost:.4g}" for cost in (row.cpu_seconds, row.megabytes, row.imports)]
        first = [row.case.name, composition, row.case.question, row.peer, row.claim, row.value]
        table.writerow([*first, low, high, truth["method"], *verdict, *cost])
    return text.getvalue()


def _table(header: Sequence[str], body: Iterable[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(header)} |", "|" + "---|" * len(header)]
    return [*lines, *(f"| {' | '.join(cells)} |" for cells in body), ""]


def _cell(found: Sequence[Row], case: Case, peer: str) -> str:
    return " / ".join(gap_text(row) for row in found if row.case is case and row.peer == peer)


def _gaps(found: Sequence[Row], cases: Sequence[Case]) -> list[str]:
    peers = [peer for peer in PEERS if any(row.peer == peer and row.case in cases for row in found)]
    body = [[case.name, case.label(), *(_cell(found, case, peer) for peer in peers)] for case in cases]
    return _table(["case", "composition and question", *peers], body)


def _costs(found: Sequence[Row], cases: Sequence[Case]) -> list[str]:
    peers = [OURS.name, *(peer for peer in PEERS if any(row.peer == peer and row.case in cases for row in found))]
    body = []
    for case in cases:
        cells = [case.name]
        for peer in peers:
            row = next((row for row in found if row.case is case and row.peer == peer), None)
            memory = "" if row is None or row.megabytes is None else f", {row.megabytes:.0f}"
            cells.append("" if row is None else _seconds(row.cpu_seconds if row.claim else None) + memory)
        body.append(cells)
    return _table(["case", *peers], body)


def _ratios(found: Sequence[Row], cases: Sequence[Case]) -> list[float]:
    """Their time over ours on each case that both answer."""
    ratios = []
    for case in cases:
        pair = [
            next((row.cpu_seconds for row in found if row.case is case and row.peer == name and row.claim), None)
            for name in (OURS.name, _RIVAL)
        ]
        if pair[0] is not None and pair[1] is not None:
            ratios.append(pair[1] / pair[0])
    return ratios


def _speed(found: Sequence[Row]) -> list[str]:
    lines = []
    for name, cases in (("these eight", [CASES[name] for name in FIRST]), ("all cases", list(CASES.values()))):
        ratios = _ratios(found, cases)
        if not ratios:
            continue
        faster = sum(ratio > 1 for ratio in ratios)
        lines.append(
            f"- {name}: ours takes less processor time than `{_RIVAL}` (dp-accounting, default grid) on {faster} of "
            f"{len(ratios)}; the median of their time over ours is {median(ratios):.3g}."
        )
    return [*lines, ""]


def _peer_row(peer: Peer) -> list[str]:
    return [f"`{peer.name}`", peer.package, peer.claim]


def _wrong(groups: dict[Cause, list[Row]]) -> list[str]:
    lines = []
    for cause, members in groups.items():
        material = sum(row.verdict is not None and row.verdict.material for row in members)
        lines += [f"### {cause.title[0].upper()}{cause.title[1:]}", "", cause.text, ""]
        lines += [
            f"Script: [`scripts/{cause.name}.py`](scripts/{cause.name}.py). {material} of {len(members)} are material.",
            "",
        ]
        body = [
            [row.case.name, row.case.label(), f"`{row.peer}`", row.claim, f"`{row.value}`", gap_text(row)]
            for row in members
        ]
        lines += _table(["case", "composition and question", "peer", "claim", "value", "gap"], body)
    return lines


def _no_answers(found: Sequence[Row]) -> list[str]:
    body = [[row.case.name, f"`{row.peer}`", f"`{row.value}`"] for row in found if row.verdict is None]
    return _table(["case", "peer", "instead of an answer"], body) if body else ["None.", ""]


def _markdown(results: dict[str, Any], found: Sequence[Row], groups: dict[Cause, list[Row]]) -> str:
    every = [case for case in CASES.values() if case.name in results["truths"]]
    first = [case for case in every if case.name in FIRST]
    deltas = [case for case in every if case.epsilon is not None and case.name not in FIRST]
    epsilons = [case for case in every if case.delta is not None]
    machine = ", ".join(f"{name}: {value}" for name, value in results["machine"].items())
    values = sum(row.verdict is not None for row in found if row.peer != OURS.name)
    wrong = [row for members in groups.values() for row in members]
    material = sum(row.verdict is not None and row.verdict.material for row in wrong)
    total = f"{len(wrong)} of {values} values are proved to be on the wrong side, {material} of them materially."
    truths = _table(
        ["case", "composition and question", "certified value", "by"],
        [
            [
                case.name,
                case.label(),
                f"[{_decimal(truth['lo'], 15, up=False)}, {_decimal(truth['hi'], 15, up=True)}]",
                truth["method"],
            ]
            for case in every
            for truth in (results["truths"][case.name],)
        ],
    )
    lines = [
        "# Certified composition beside released accountants",
        "",
        "Generated by `python -m tests.benchmarks.accountants --out reports/accountants` after `.ci/peers`; nothing",
        f"here is edited by hand. Made on: {machine}; limit of one answer: {results['timeout']:g} s.",
        "",
        _ABOUT,
        f"**{total}**",
        _SIDES,
        "![gaps](gaps.svg)",
        "",
        "## Peers",
        "",
        *_table(["name", "package", "what its documentation claims"], map(_peer_row, PEERS.values())),
        _CALLS,
        "## The eight cases of the method",
        "",
        "Relative gap value/truth − 1 (lower / estimate / upper where a peer gives three); in bold: the wrong side.",
        "",
        *_gaps(found, first),
        "Processor seconds of the answer without imports, and peak memory of the process in MB with them:",
        "",
        *_costs(found, first),
        *_speed(found),
        "## On the wrong side",
        "",
        *_wrong(groups),
        "## More cases: delta at a given epsilon",
        "",
        *_gaps(found, deltas),
        "## More cases: epsilon at a given delta",
        "",
        *_gaps(found, epsilons),
        "## Times and memory of these",
        "",
        *_costs(found, [*deltas, *epsilons]),
        "## No answer",
        "",
        *_no_answers(found),
        "## Certified values",
        "",
        *truths,
        "All values with their costs: [`results.csv`](results.csv); as measured: [`results.json`](results.json).",
    ]
    return "\n".join(lines) + "\n"
