"""Subjects of the tests of the search: mutants of the engine, and the engine itself, in this process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oracle.conformance.fuzz.asking import Asker
from oracle.conformance.fuzz.truth import Truths
from oracle.conformance.protocol import Hello, Reply
from oracle.conformance.subjects import exact_engine
from tests.mutants.base import Engine, Mutant, claimed
from tests.mutants.catalogue import CATALOGUE

OPS = ("delta", "hockey_stick", "epsilon", "renyi", "mu", "tradeoff", "satisfies", "refines", "glb", "calibrate")


class MutantSubject:
    """A mutant, or the exact engine where there is none, with the mutants' claims."""

    def __init__(self, name: str | None = None, ops: tuple[str, ...] = OPS) -> None:
        self._mutant: Mutant | None = next((m for m in CATALOGUE if m.name == name), None)
        assert name is None or self._mutant is not None
        self._engine = Engine()
        self._ops = ops

    def hello(self) -> Hello:
        """The ops, with the claims of the mutants."""
        return Hello("mutant", "1", self._ops, {op: claimed(op) for op in self._ops})

    def ask(self, question: Mapping[str, Any]) -> Reply:
        """What the mutant answers, or the engine where the fault has no part in the question."""
        op, args = question["op"], question["args"]
        changed = None if self._mutant is None else self._mutant.reply(self._engine, op, args)
        return changed or self._engine.reply(op, args)

    def close(self) -> None:
        """Nothing is left to end."""


def asker(name: str | None = None, *, strict: bool = False, ops: tuple[str, ...] = OPS) -> Asker:
    """What asks a mutant, or the exact engine."""
    subject = MutantSubject(name, ops)
    return Asker(subject, subject.hello(), Truths(exact_engine()), strict=strict)
