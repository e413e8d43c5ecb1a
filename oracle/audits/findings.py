"""What an audit is asked, and what it finds of one claim for one pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from oracle.audits.divergence_measures import DivergenceMeasures
from oracle.audits.measures import CurveMeasures, LevelMeasures
from oracle.audits.tables import Table
from oracle.certificates.documents import Certificate
from oracle.certificates.records import Record
from oracle.channels.divergences import Direction
from oracle.claims import Claim

__all__ = ["Finding", "Question", "Stated"]


@dataclass(frozen=True, slots=True)
class Stated:
    """A claim as it was written and as it was understood; *text* is it for ``--claim``, empty for a curve in a file."""

    written: str
    claim: Claim
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one claim for one pair; *why* says it of one that is left undecided beside others."""

    claim: int
    pair: int
    holds: bool | Literal["undecided"]
    measures: LevelMeasures | CurveMeasures | DivergenceMeasures
    certificate: Certificate | None
    record: Record | None
    why: str | None = None

    @property
    def equality(self) -> bool:
        """Whether the claim holds and is attained: for a curve, f touches T at a corner where it need not."""
        if isinstance(self.measures, DivergenceMeasures):
            return self.holds is True and self.measures.attained
        if isinstance(self.measures, LevelMeasures):
            return self.measures.attained
        return self.holds is True and self.measures.slack == 0


@dataclass(frozen=True, slots=True)
class Question:
    """What an audit is asked: do all claims hold for all pairs of the table, in the direction.

    ``digits`` is the precision of enclosures.
    """

    table: Table
    stated: tuple[Stated, ...]
    direction: Direction
    digits: int
