"""Compare with released accountants: ``python -m tests.benchmarks.accountants --out reports/accountants``.

Needs the environments of ``.ci/peers``. With ``--report`` nothing runs: the report is made again from ``results.json``.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from tests.benchmarks.accountants.cases import CASES
from tests.benchmarks.accountants.measure import MissingEnvironment, machine, measure, truth_of
from tests.benchmarks.accountants.report import write
from tests.benchmarks.accountants.sources import OURS, PEERS

_EVERY = {OURS.name: OURS, **PEERS}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.accountants", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the report")
    parser.add_argument("--peers", nargs="*", choices=[*_EVERY], help="only these")
    parser.add_argument("--cases", nargs="*", choices=[*CASES], help="only these")
    parser.add_argument("--keep", action="store_true", help="keep what results.json has of other peers and cases")
    parser.add_argument("--report", action="store_true", help="run nothing")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one answer")
    return parser.parse_args()


def main() -> None:
    """Measure, and write the results and the report."""
    arguments = _arguments()
    arguments.out.mkdir(parents=True, exist_ok=True)
    path = arguments.out / "results.json"
    results = {"machine": machine(), "timeout": arguments.timeout, "truths": {}, "runs": []}
    if arguments.keep or arguments.report:
        results = json.loads(path.read_text(encoding="utf-8"))
    if not arguments.report:
        cases = [CASES[name] for name in arguments.cases or CASES]
        peers = [_EVERY[name] for name in arguments.peers or _EVERY]
        for case in cases:
            results["truths"][case.name] = truth_of(case)
            try:
                for run in measure(peers, case, arguments.timeout):
                    print(run["case"], run["peer"], run.get("claims", run.get("error")), run.get("seconds"), flush=True)
                    _enter(results, run)
            except MissingEnvironment as missing:
                sys.exit(str(missing))
            path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    write(results, arguments.out)


def _enter(results: dict[str, Any], run: dict[str, Any]) -> None:
    """Put a record in its place, instead of the one before, if there is one."""
    cases, peers = [*CASES], [*_EVERY]
    records = {(old["case"], old["peer"]): old for old in results["runs"]}
    records[run["case"], run["peer"]] = run
    kept = [old for old in records.values() if old["case"] in CASES and old["peer"] in _EVERY]
    results["runs"] = sorted(kept, key=lambda old: (cases.index(old["case"]), peers.index(old["peer"])))


if __name__ == "__main__":
    main()
