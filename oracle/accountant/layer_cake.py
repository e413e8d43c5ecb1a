"""How fast a characteristic function falls, from a piecewise constant lower bound of a density.

Let a probability law have a density that is at least h_i >= 0 on cell i of a partition l_0 < l_1 < ... < l_m. The lower
bound Σ h_i 1_{cell i} is a sum of multiples of indicators of intervals of adjacent cells: on each maximal interval
where the heights exceed a level, the level rises to their least height (the layer cake; one interval for each cell at
most). So the law is Σ_j p_j Unif(I_j) + (1 - Σ p_j)·(some law), p_j = (rise)·|I_j|, and since the characteristic
function of a uniform law on an interval of width w has modulus |sinc(wt/2)|, sinc u = sin(u)/u,

    |phi(tau)| <= 1 - Σ_j p_j (1 - sup_{u >= w_j t/2} |sinc u|)  for every tau >= t.
    (1)

The supremum from u on is at most max(sinc u, K) for u < pi, sinc falling there, and min(K, 1/u) from pi on, where
K = 0.21724: on [pi, 2 pi] |sin u|/u is largest where tan u = u, at u = 4.4934..., with 1/√(1+u²) = 0.217233..., and
from 2 pi on it is at most 1/(2 pi). With u >= 3.14 the second form is used: on [3.14, pi] sinc u < 0.0006.

(1) falls in each p_j and each w_j, so lower bounds of both may be put in. Balls throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log1p, sin
from typing import Final

from flint import arb

from oracle.accountant.parts import CutOff

__all__ = ["UniformMixture", "layer_cake"]

_SECOND: Final = arb("0.21724").upper()
_SECOND_HINT: Final = 0.21724
_TURN: Final = 3.14


def layer_cake(boundaries: Sequence[arb], heights: Sequence[arb]) -> UniformMixture:
    """The mixture of uniform laws below a density.

    Args:
        boundaries: l_0 < ... < l_m.
        heights: lower bounds of the density on the m cells, exact balls.
    """
    zero = arb(0)
    components: list[tuple[arb, arb]] = []
    stack: list[tuple[int, arb]] = []
    for i, height in enumerate([*heights, zero]):
        start = i
        while stack and stack[-1][1] >= height:
            start, top = stack.pop()
            below = stack[-1][1] if stack else zero
            base = max(below, height)
            width = boundaries[i] - boundaries[start]
            weight = (top - base) * width
            if weight > 0 and width > 0:
                components.append((weight.lower(), width.lower()))
        if height > 0:
            stack.append((start, height))
    return UniformMixture(components)


class UniformMixture(CutOff):
    """The bound (1) for weights p_j and widths w_j that are lower bounds."""

    __slots__ = ("components", "hints")

    def __init__(self, components: Sequence[tuple[arb, arb]]) -> None:
        self.components = tuple(components)
        self.hints = tuple((float(p), float(w) / 2) for p, w in components)

    def bound(self, t: arb) -> arb:
        """See (1)."""
        half = t.lower() / 2
        lost = arb(0)
        for p, w in self.components:
            lost += p * (1 - _largest_sinc((half * w).lower()))
        return (1 - lost).nonnegative_part().upper()

    def hint(self, t: float) -> float:
        """About its logarithm."""
        lost = 0.0
        for p, w in self.hints:
            u = w * t
            if u >= _TURN:
                lost += p * (1 - min(_SECOND_HINT, 1 / u))
            elif u > 0:
                lost += p * (1 - max(_SECOND_HINT, sin(u) / u))
        return log1p(-min(lost, 1 - 1e-12))


def _largest_sinc(u: arb) -> arb:
    """An upper bound of sup |sin v|/v over v >= u, for an exact u >= 0."""
    if u == 0:
        return arb(1)
    if u >= _TURN:
        return _SECOND.min(1 / u)
    return _SECOND.max(u.sin() / u)
