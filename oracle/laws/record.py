"""Claims of a paper as programs: what is stated, what must be true of it, where it fails as printed.

The status of a record is never copied: the harness re-derives it from the parts and compares.

=================== ===============================================================================
``holds``           the statement holds as printed
``holds_under``     it holds under an added hypothesis or convention, which is stated and tested
``false_as_stated`` the printed form fails on an exact counterexample; the repair is stated and tested
``ill_typed``       the printed form cannot even be evaluated; the repair is stated and tested
``definition``      a definition, or a figure or remark with nothing to test beyond its worked values
=================== ===============================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from gmpy2 import mpq

from oracle.certificates.documents import Certificate

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["ClaimRecord", "Erratum", "Fact", "Law", "Status", "fact"]

Status = Literal["holds", "holds_under", "false_as_stated", "ill_typed", "definition"]
Scope = Literal["statement", "hypothesis", "typing", "remark"]


@dataclass(frozen=True, slots=True)
class Law:
    """A property over generated inputs, of any subject.

    Attributes:
        name: a few words, unique within its claim.
        given: strategy for one example; tuples are passed as several arguments.
        check: from the asking side and the example's parts to the excess by which the law is
            broken (at most 0: it holds); see :mod:`oracle.laws.compare`.
    """

    name: str
    given: SearchStrategy[Any]
    check: Callable[..., mpq]


@dataclass(frozen=True, slots=True)
class Fact:
    """A worked value: a named yes-or-no check on the exact engine."""

    name: str
    holds: Callable[[], bool]


def fact(name: str, holds: Callable[[], bool]) -> Fact:
    """A worked value of the paper or of the claims' own examples."""
    return Fact(name, holds)


@dataclass(frozen=True, slots=True)
class Erratum:
    """Something printed that is not so, with an exact counterexample.

    Attributes:
        printed: what is printed, paraphrased.
        counterexample: the counterexample in words and numbers that a reader can follow by hand.
        correction: what is true instead.
        scope: ``statement`` (the conclusion changes), ``hypothesis`` (one is missing), ``typing`` (the printed form
            cannot be evaluated), ``remark`` (a proof, remark or figure; the claim itself stands).
        fails: runs the printed form on the counterexample; True when it fails there.
        certificate: builds the document that the independent checker accepts.
        summary: what is wrong in four to seven words, for an index; empty where there is none.
        printed_formula: the formula as printed; empty where it does not differ or is not given.
        true_formula: what replaces that formula; empty for the formula of the claim.
    """

    printed: str
    counterexample: str
    correction: str
    scope: Scope
    fails: Callable[[], bool]
    certificate: Callable[[], Certificate]
    summary: str = ""
    printed_formula: str = ""
    true_formula: str = ""


@dataclass(frozen=True, slots=True)
class ClaimRecord:
    """One claim of one paper.

    Attributes:
        id: as in the published list of claim ids.
        title: a few words.
        statement: the claim in plain words, repaired where it needs to be.
        formula: the same as a formula in plain text.
        source: section, theorem or figure, page where known.
        status: what the record says; the harness derives its own.
        hypotheses: what is assumed, added hypotheses marked as such.
        laws: what must hold of every subject (the repaired form where the printed one fails).
        facts: worked values.
        errata: what is printed and not so.
        defines: whether the record is a definition, or a figure or remark with nothing to test beyond worked values.
        proofs: names of symbolic proofs in :mod:`oracle.laws.symbolic` that cover all parameters.
    """

    id: str
    title: str
    statement: str
    formula: str
    source: str
    status: Status
    hypotheses: str = ""
    laws: Sequence[Law] = ()
    facts: Sequence[Fact] = ()
    errata: Sequence[Erratum] = ()
    defines: bool = False
    proofs: Sequence[str] = ()
