"""All mutants."""

from __future__ import annotations

from tests.mutants import formulas, incidents, interactions, regions, relations, rounding, shapes
from tests.mutants.base import Mutant

CATALOGUE: tuple[Mutant, ...] = tuple(
    value
    for module in (rounding, formulas, shapes, relations, interactions, incidents, regions)
    for value in vars(module).values()
    if isinstance(value, Mutant)
)
"""Every broken implementation, in the order of the modules."""
