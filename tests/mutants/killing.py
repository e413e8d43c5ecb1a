"""Which case finds which mutant: every mutant is asked every case, and the judge of the suite decides.

``python -m tests.mutants.killing`` writes the table to ``fixtures/mutants/kill_table.json``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oracle.conformance.answer_laws import Answered
from oracle.conformance.cases import Case, Suite, installed_suite
from oracle.conformance.judging import FAILING, judge
from oracle.conformance.protocol import Claimed
from tests.mutants.base import Engine, Mutant, claimed
from tests.mutants.catalogue import CATALOGUE
from tests.mutants.sequences import LAW_MUTANTS, LawMutant, exact_answers
from tests.mutants.witnesses import WITNESSES

__all__ = ["TABLE", "Kill", "document", "exact_verdicts", "idle_cases", "kills", "text"]

TABLE = Path(__file__).parents[2] / "fixtures" / "mutants" / "kill_table.json"
SCHEMA = "oracle/kill-table/v1"
ALWAYS = (*FAILING, "unsound-rounding")
"""Verdicts that find any mutant; ``loose`` finds only those that are meant to be loose."""


@dataclass(frozen=True)
class Kill:
    """A case that finds a mutant."""

    mutant: str
    case: str
    verdict: str


def verdict_on(engine: Engine, mutant: Mutant, case: Case) -> str | None:
    """The verdict on a mutant's answer; None where it answers as the engine does."""
    reply = mutant.reply(engine, case.op, case.args)
    if reply is None:
        return None
    return judge(case.op, case.args, claimed(case.op), case.expected, reply).verdict


def kills(engine: Engine, mutants: Sequence[Mutant], cases: Sequence[Case]) -> list[Kill]:
    """Every kill, by mutant, then by case."""
    found = []
    for mutant in mutants:
        for case in cases:
            verdict = verdict_on(engine, mutant, case)
            if verdict is not None and (verdict in ALWAYS or verdict in mutant.expects):
                found.append(Kill(mutant.name, case.id, verdict))
    return found


def exact_verdicts(engine: Engine, cases: Sequence[Case], claim: Claimed | None = None) -> dict[str, str]:
    """The verdict on the engine's own answer to each case, with the claims of the mutants or with one for all."""
    return {
        case.id: judge(
            case.op, case.args, claim or claimed(case.op), case.expected, engine.reply(case.op, case.args)
        ).verdict
        for case in cases
    }


def document(suite: Suite) -> dict[str, Any]:
    """The whole table."""
    engine = Engine()
    cases = list(suite.select())
    found = kills(engine, CATALOGUE, cases)
    by_case: dict[str, list[str]] = {case.id: [] for case in cases}
    for kill in found:
        by_case[kill.case].append(kill.mutant)
    table: dict[str, Any] = {
        "schema": SCHEMA,
        "suite": suite.version,
        "manifest": suite.digest,
        "exact": dict(sorted(Counter(exact_verdicts(engine, cases).values()).items())),
        "mutants": [_row(mutant, [kill for kill in found if kill.mutant == mutant.name]) for mutant in CATALOGUE],
        "laws": [_law_row(mutant, exact_answers(engine, cases)) for mutant in LAW_MUTANTS],
        "cases": by_case,
    }
    return table | {"witnesses": {case: WITNESSES[case] for case in idle_cases(table) if case in WITNESSES}}


def idle_cases(table: Mapping[str, Any]) -> list[str]:
    """The cases that find no mutant, or only such as show in almost every answer."""
    general = {row["name"] for row in table["mutants"] if row["general"]}
    return [case for case, found in table["cases"].items() if general.issuperset(found)]


def _row(mutant: Mutant, found: Sequence[Kill]) -> dict[str, Any]:
    """A mutant; three cases that find it, by each verdict."""
    first: dict[str, list[str]] = {}
    for kill in found:
        named = first.setdefault(kill.verdict, [])
        if len(named) < 3:
            named.append(kill.case)
    return {
        "name": mutant.name,
        "family": mutant.family,
        "summary": mutant.summary,
        "ops": list(mutant.ops),
        "expects": list(mutant.expects),
        "blind": mutant.blind,
        "general": mutant.general,
        "killed_by": len(found),
        "verdicts": dict(sorted(Counter(kill.verdict for kill in found).items())),
        "first": dict(sorted(first.items())),
    }


def _law_row(mutant: LawMutant, answers: Sequence[Answered]) -> dict[str, Any]:
    """A mutant that only answers taken together give away; the first three breaches of its law."""
    found = mutant.breaches(answers)
    return {
        "name": mutant.name,
        "family": mutant.family,
        "summary": mutant.summary,
        "law": mutant.law,
        "killed_by": len(found),
        "first": [list(breach.cases[:3]) for breach in found[:3]],
    }


def text(table: Mapping[str, Any]) -> str:
    """The one text of a table: a line for each mutant and each case."""
    lines = []
    for key, value in table.items():
        if key in ("mutants", "laws"):
            rows = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in value)
            lines.append(f'  "{key}": [\n{rows}\n  ]')
        elif key in ("cases", "witnesses") and value:
            rows = ",\n".join(f"    {json.dumps(case)}: {json.dumps(of)}" for case, of in value.items())
            lines.append(f'  "{key}": {{\n{rows}\n  }}')
        else:
            lines.append(f'  "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    """Write the table."""
    table = document(installed_suite())
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    TABLE.write_text(text(table), encoding="utf-8")
    alive = [row["name"] for row in (*table["mutants"], *table["laws"]) if not row["killed_by"]]
    idle = [case for case in idle_cases(table) if case not in WITNESSES]
    mutants = len(table["mutants"]) + len(table["laws"])
    print(f"{mutants} mutants, not killed: {alive}; {len(table['cases'])} cases, without a kill: {idle}")


if __name__ == "__main__":
    main()
