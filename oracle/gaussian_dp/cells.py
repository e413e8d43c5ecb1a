"""Proofs of delta <= delta_mu on a bounded interval of epsilon, by cells that cover it.

A cell [u, v] carries one of three arguments, D = delta_mu - delta:

* step: both functions are non-increasing, so delta(u) <= delta_mu(v) suffices;
* rising: D(u) >= 0 and D' >= 0 on the cell;
* touch at p: D'' >= 0 on the cell and D(p) >= |D'(p)|·max(p - u, v - p), so D lies above its tangent at p, which is
  at least D(p) - |D'(p)|·|x - p| >= 0. This is for a mu a little above the transform's maximum at p, where steps
  would have to be as fine as the distance to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from flint import arb
from gmpy2 import mpq

from oracle.enclosures import precision, rational_ball
from oracle.gaussian_dp.rounding import dyadic_floor
from oracle.gaussian_dp.transform import delta_mu_at, delta_mu_derivatives

if TYPE_CHECKING:
    from oracle.gaussian_dp.profiles import Profile

__all__ = ["CELL_BITS", "MOST_CELLS", "Cell", "Mu", "rising_cell", "step_cells", "touching_cell"]

CELL_BITS: Final = 128
MOST_CELLS: Final = 4000
_LEAST_STEP: Final = mpq(1, 1 << 40)
_HALVINGS: Final = 24


Mu = Callable[[], arb]
"""A ball of mu at the working precision that is set."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One interval on which delta <= delta_mu is proved.

    Attributes:
        start: the lower end u.
        end: the upper end v.
        argument: "step", "rising" or "touch".
        touch: the point p of the third argument, otherwise None.
    """

    start: mpq
    end: mpq
    argument: str
    touch: mpq | None = None


def step_cells(profile: Profile, mu: Mu, start: mpq, stop: mpq) -> list[Cell] | None:
    """Steps that cover [start, stop], each as long as doubling and halving finds it; None if they become too short."""
    cells: list[Cell] = []
    position, length = start, mpq(1, 8)
    with precision(CELL_BITS):
        m = mu()
        while position < stop:
            value = profile.at(rational_ball(position))
            while True:
                end = min(position + length, stop)
                if value <= delta_mu_at(m, rational_ball(end)):
                    break
                length /= 2
                if length < _LEAST_STEP:
                    return None
            cells.append(Cell(position, end, "step"))
            if len(cells) > MOST_CELLS:
                return None
            position, length = end, 2 * length
    return cells


def rising_cell(profile: Profile, mu: Mu, start: mpq, *, equal: bool) -> Cell | None:
    """A rising cell from *start* on, at most of length 1; with *equal*, D(start) = 0 is known by the choice of mu."""
    length = mpq(1)
    with precision(CELL_BITS):
        m = mu()
        if not equal and not profile.at(rational_ball(start)) <= delta_mu_at(m, rational_ball(start)):
            return None
        for _ in range(_HALVINGS):
            low, high = rational_ball(start), rational_ball(start + length)
            slope = delta_mu_derivatives(m, low.union(high))[0] - profile.derivatives_between(low, high)[0]
            if slope >= 0:
                return Cell(start, start + length, "rising")
            length /= 2
    return None


def touching_cell(profile: Profile, mu: Mu, touch: mpq, least: mpq, bits: int) -> Cell | None:
    """A touching cell around a point, as wide as is found by halving, not below *least*.

    Args:
        profile: delta.
        mu: a little above the transform's maximum.
        touch: a point p close to where that maximum is.
        least: the cell's lower end is at least this.
        bits: the working precision, enough to see D(p) > 0.
    """
    reach = min(mpq(1, 4), touch - least) if touch > least else mpq(0)
    for _ in range(_HALVINGS):
        if not reach:
            return None
        with precision(CELL_BITS):
            low, high = rational_ball(touch - reach), rational_ball(touch + reach)
            bend = delta_mu_derivatives(mu(), low.union(high))[1] - profile.derivatives_between(low, high)[1]
            curved = bool(bend >= 0)
        if curved:
            break
        reach = dyadic_floor(reach / 2, 40)
    else:
        return None
    with precision(bits):
        m, p = mu(), rational_ball(touch)
        gap = delta_mu_at(m, p) - profile.at(p)
        slope = abs(delta_mu_derivatives(m, p)[0] - profile.derivatives(p)[0])
        if gap >= slope * rational_ball(reach):
            return Cell(touch - reach, touch + reach, "touch", touch)
    return None
