"""Proofs that delta <= delta_mu at every epsilon >= 0 at once: on a head, on cells, and on a tail.

Head, lemma 1. If delta = 1 - C (1 + e^eps) on [0, e] and delta(0) <= delta_mu(0), then delta <= delta_mu on [0, e].
    Let mu0 = G(0) <= mu, so that C = Phi(-mu0/2). On [0, e], delta' = -C e^eps <= -e^eps Phi(-eps/mu0 - mu0/2) =
    delta_mu0', and both functions agree at 0, so delta <= delta_mu0 <= delta_mu; strictly for eps > 0: G(eps) < G(0).

Head, lemma 2 (Laplace). delta = max(0, 1 - e^((eps - theta)/2)) is below delta_mu0, mu0 = G(0), everywhere, so the
    tight mu is G(0). Now e^(-theta/2)/2 = Phi(-mu0/2), and delta' <= delta_mu0' on [0, theta] says e^(eps/2)
    Phi(-eps/mu0 - mu0/2) <= Phi(-mu0/2). There is equality at 0, and log Phi(-eps/mu0 - mu0/2) is concave in eps with
    the slope -h(mu0/2)/mu0 <= -1/2 at 0, as the normal hazard h(t) >= t. Beyond theta delta is 0.

Cells: :mod:`oracle.gaussian_dp.cells`; tails: :mod:`oracle.gaussian_dp.tails`.

Reference: Y. Liu, K. Sun, B. Jiang and L. Kong, NeurIPS 2022, section 3 (head and tail conditions).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from flint import arb
from gmpy2 import mpq

from oracle.enclosures import precision, rational_ball, rational_bounds
from oracle.exact import to_text
from oracle.gaussian_dp.cells import CELL_BITS, Cell, rising_cell, step_cells, touching_cell
from oracle.gaussian_dp.noise_formulas import LaplaceProfile
from oracle.gaussian_dp.profiles import Profile
from oracle.gaussian_dp.rounding import dyadic_floor
from oracle.gaussian_dp.tails import TailProof, tail_start
from oracle.special import exact_square_root, phi

__all__ = ["Maximum", "RootMu", "UpperProof", "head_end", "prove_from", "prove_mu"]

_POINT_BITS: Final = 40
_HEAD_BITS: Final = 512


@dataclass(frozen=True, slots=True)
class UpperProof:
    """Why delta <= delta_mu at every epsilon >= 0.

    Attributes:
        mu: the mu of the cells and the tail; None where it is irrational.
        mu_squared: its square.
        head: "lemma 1", "lemma 2" or None.
        head_end: where the head ends and the cells begin.
        cells: they cover [head_end, tail.start].
        tail: from the end of the cells on; None where lemma 2 says everything.
    """

    mu: mpq | None
    mu_squared: mpq
    head: str | None
    head_end: mpq
    cells: tuple[Cell, ...]
    tail: TailProof | None

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON: what a certificate or a record lists."""
        cells = [
            {
                "start": to_text(cell.start),
                "end": to_text(cell.end),
                "argument": cell.argument,
                "touch": None if cell.touch is None else to_text(cell.touch),
            }
            for cell in self.cells
        ]
        tail = None if self.tail is None else {"start": to_text(self.tail.start), "argument": self.tail.argument}
        return {
            "mu_squared": to_text(self.mu_squared),
            "head": self.head,
            "head_end": to_text(self.head_end),
            "cells": cells,
            "tail": tail,
        }

    def covers(self) -> bool:
        """Whether the cells lie end to end from the head to the tail."""
        places = [self.head_end, *(cell.end for cell in self.cells)]
        starts = [cell.start for cell in self.cells] + ([] if self.tail is None else [self.tail.start])
        return self.tail is None or places == starts


class RootMu:
    """A mu > 0 that is the root of a rational, as a ball at the working precision that is set.

    Args:
        squared: mu².
    """

    def __init__(self, squared: mpq) -> None:
        self.squared = squared
        self.rational = exact_square_root(squared)

    def __call__(self) -> arb:
        """The ball."""
        return rational_ball(self.squared).sqrt() if self.rational is None else rational_ball(self.rational)


class Maximum(NamedTuple):
    """A point close to a maximum of the transform, and the precision at which it is looked at."""

    point: mpq
    bits: int


def head_end(profile: Profile) -> mpq:
    """A dyadic rational with few bits at most eps*, and close to it; 0 without a head."""
    if profile.head is None:
        return mpq(0)
    return dyadic_floor(rational_bounds(profile.head.end(CELL_BITS))[0], _POINT_BITS)


def prove_mu(profile: Profile, mu_squared: mpq, maximum: Maximum | None = None) -> UpperProof | None:
    """A proof of delta <= delta_mu at every eps >= 0, or None if none is found.

    Args:
        profile: delta.
        mu_squared: mu², above 0.
        maximum: where G has a maximum just below mu, if it has.
    """
    mu = RootMu(mu_squared)
    if isinstance(profile, LaplaceProfile) or profile.head is not None:
        with precision(_HEAD_BITS):
            # delta(0) <= delta_mu(0) = 1 - 2 Phi(-mu/2), without the cancellation.
            if not profile.half_overlap() >= phi(-mu() / 2):
                return None
    if isinstance(profile, LaplaceProfile):
        return UpperProof(mu.rational, mu_squared, "lemma 2", mpq(0), (), None)
    return prove_from(profile, mu, head_end(profile), maximum)


def prove_from(profile: Profile, mu: RootMu, start: mpq, maximum: Maximum | None = None) -> UpperProof | None:
    """Cells and a tail from *start* on; what lies before is the caller's."""
    least = start if maximum is None else max(start, maximum.point + 1)
    tail = tail_start(profile.tail, mu.squared, "below", least)
    if tail is None:
        return None
    if maximum is None:
        cells = step_cells(profile, mu, start, tail.start)
        if cells is None and profile.head is None:
            first = rising_cell(profile, mu, start, equal=False)
            rest = None if first is None else step_cells(profile, mu, first.end, tail.start)
            cells = None if first is None or rest is None else [first, *rest]
    else:
        cells = _around(profile, mu, start, tail.start, maximum)
    if cells is None:
        return None
    head = None if profile.head is None else "lemma 1"
    return UpperProof(mu.rational, mu.squared, head, start, tuple(cells), tail)


def _around(profile: Profile, mu: RootMu, start: mpq, stop: mpq, maximum: Maximum) -> list[Cell] | None:
    """Steps up to a touching cell, and from there on."""
    cell = touching_cell(profile, mu, maximum.point, start, maximum.bits)
    if cell is None:
        return None
    before, after = step_cells(profile, mu, start, cell.start), step_cells(profile, mu, cell.end, stop)
    return None if before is None or after is None else [*before, cell, *after]
