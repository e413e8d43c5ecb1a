"""A suite of a few cases and programs that answer it, well and badly."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from oracle.conformance.cases import Suite, VectorFile, read_file

RESPONSE = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
"""Randomized response at e^eps = 3."""

_NOTE = {"kind": "soundness", "description": "what is flagged", "effect": "what goes wrong", "links": []}


def case(identity: str, args: dict[str, Any], expected: dict[str, Any], **further: Any) -> dict[str, Any]:
    head = {"id": identity, "summary": "a case", "flags": ["Dyadic"], "args": args, "expected": expected}
    return {**head, "confirmed": "by hand", **further}


def file(path: str, op: str, *cases: dict[str, Any]) -> VectorFile:
    document = {
        "schema": "oracle/vectors/v1",
        "concept": path.partition("/")[0],
        "op": op,
        "summary": "cases",
        "sources": [],
        "notes": {"Dyadic": _NOTE},
        "cases": list(cases),
    }
    return read_file(json.dumps(document), path)


def small_suite() -> Suite:
    """Six deltas of one channel, an epsilon and a relation."""
    deltas = [
        case(f"delta/e{level}", {"channel": RESPONSE, "exp_epsilon": level}, {"exact": delta})
        for level, delta in (("1", "1/2"), ("5", "0"), ("2", "1/4"), ("3", "0"), ("4", "0"))
    ]
    doubles = {"args": {"channel": RESPONSE, "epsilon": "0x1.62e42fefa39efp-1"}, "expected": {"exact": "1/4"}}
    doubles["expected"] = {
        "enclosure": ["250000000000000011595/1000000000000000000000", "250000000000000011596/1000000000000000000000"]
    }
    deltas.append(case("delta/log2", {"channel": RESPONSE, "epsilon": "log(2)"}, {"exact": "1/4"}, binary64=doubles))
    least = {"epsilon": {"exp_epsilon": "3", "lo": "1.098612288668109691", "hi": "1.098612288668109692"}}
    epsilon = case("epsilon/d0", {"channel": RESPONSE, "delta": "0"}, least)
    refines = case("refines/itself", {"left": RESPONSE, "right": RESPONSE}, {"relation": True})
    files = (file("delta/tables.json", "delta", *deltas), file("epsilon/tables.json", "epsilon", epsilon))
    return Suite("2026.12", (*files, file("refines/tables.json", "refines", refines)), "0" * 64, Path("nowhere"))


PROGRAM = Path(__file__).with_name("hostile_program.py")


def program(mode: str, number: int = 0) -> list[str]:
    """The command of a program that answers delta with 1, or in *mode* misbehaves (at its case *number*, or always)."""
    return [sys.executable, str(PROGRAM), mode, str(number)]
