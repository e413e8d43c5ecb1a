"""Which method answers for a composition in one direction.

In the order of preference: exact methods for parts of one kind; conditioning for two steps, or one step beside Laplace
pairs; the contour integral where a Gaussian step makes its transform fall; the loss grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Final

from gmpy2 import mpq

from oracle.accountant.block_cells import BlockCells
from oracle.accountant.conditioning import Profiled, two_step_delta
from oracle.accountant.constituents import Constituent, cell_sources, contour_part, spread, step_of
from oracle.accountant.exact_methods import ExactChannels, IntegerLattice, Residues
from oracle.accountant.grid_method import FINE_SIZES, LossGrid
from oracle.accountant.hints import positive_float
from oracle.accountant.integral_methods import Conditioning, Contour
from oracle.accountant.laplace_profile import MAX_PROFILE_STEPS, LaplaceProfile
from oracle.accountant.laplace_residues import LaplaceComposition
from oracle.accountant.loss_cells import CellSource
from oracle.accountant.methods import Method
from oracle.accountant.parts import compose
from oracle.accountant.step_laws import FiniteStep, Step
from oracle.channels.channel import Channel
from oracle.channels.composition import compose as composed_channel
from oracle.channels.composition import composition_size
from oracle.channels.divergences import Direction
from oracle.errors import LimitError
from oracle.experiments.discrete_gaussian import DiscreteGaussian
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import PoissonSubsampled

__all__ = ["grid_for", "method_for"]

_FEW: Final = 2
_MOST_GRID_STEPS: Final = 1 << 14
_FEW_BLOCKS: Final = 8
_MANY_LAPLACE: Final = 300
_FALL: Final = 60.0

_MOST_ATOMS: Final = 300
"""Most columns of finite parts that are composed to be conditioned on."""


def method_for(constituents: Sequence[Constituent], side: Direction) -> Method:
    """The method of one direction (see the module's text).

    Raises:
        LimitError: where no method takes so many of the parts.
    """
    exact, grid = _exact(constituents, side), grid_for(constituents, side)
    parts = [(contour_part(item.pair, side), item.times) for item in constituents]
    known = [(part, times) for part, times in parts if part is not None]
    decays = any(_decays(item) for item in constituents) or _fall(constituents) > _FALL
    if exact is not None and not (isinstance(exact, Residues) and exact.composition.steps > _MANY_LAPLACE and decays):
        return exact
    rescue: Method | None = exact or grid
    contour = Contour(compose(known), rescue) if len(known) == len(parts) and (decays or rescue is None) else None
    rest: Method | None = contour or grid
    if rest is None:
        raise LimitError("a composition of fewer steps of these kinds", "one that no method takes")
    steps = sum(item.times for item in constituents)
    if not decays or steps <= _FEW:
        integral = _conditioned(constituents, side)
        if integral is not None:
            two, second = integral
            return Conditioning(lambda epsilon: two_step_delta(two, second, epsilon), rest)
    return rest


def _decays(item: Constituent) -> bool:
    """Whether the transform of the loss falls as fast as a Gaussian's."""
    pair = item.pair
    return isinstance(pair, Gaussian) or (isinstance(pair, PoissonSubsampled) and isinstance(pair.base, Gaussian))


def _fall(constituents: Sequence[Constituent]) -> float:
    """About -log of the bound of the falling transform of Laplace steps, far out: their atoms at ±theta remain."""
    laplace = _laplace(constituents)
    return sum(times * -log((1 + exp(-min(positive_float(theta), 700.0))) / 2) for theta, times in laplace)


def _exact(constituents: Sequence[Constituent], side: Direction) -> Method | None:
    """A method for parts of one kind that is exact, or exact to any precision, within its limits."""
    try:
        if all(isinstance(item.pair, Channel) for item in constituents):
            return ExactChannels(_channels(constituents), side)
        if all(isinstance(item.pair, Laplace) for item in constituents):
            return Residues(_laplace(constituents))
        noise = [(item.pair, item.times) for item in constituents]
        groups = [(p.variance, p.sensitivity, times) for p, times in noise if isinstance(p, DiscreteGaussian)]
        if len(groups) == len(noise):
            return IntegerLattice(groups)
    except LimitError:
        return None
    return None


def _channels(constituents: Sequence[Constituent]) -> list[tuple[Channel, int]]:
    return [(item.pair, item.times) for item in constituents if isinstance(item.pair, Channel)]


def _laplace(constituents: Sequence[Constituent]) -> list[tuple[mpq, int]]:
    return [(item.pair.theta, item.times) for item in constituents if isinstance(item.pair, Laplace)]


def _conditioned(constituents: Sequence[Constituent], side: Direction) -> tuple[Step, Profiled] | None:
    """Two descriptions whose product is the composition: finite parts as one step, Laplace parts as one profile."""
    try:
        steps: list[Step] = []
        channels, laplace = _channels(constituents), _laplace(constituents)
        if channels:
            if composition_size(channels).columns > _MOST_ATOMS:
                return None
            one = composed_channel(channels)
            steps.append(FiniteStep(one if side == "forward" else one.swapped()))
        for item in constituents:
            if isinstance(item.pair, (Channel, Laplace)):
                continue
            step = step_of(item.pair, side)
            if step is None or len(steps) + item.times > 2:
                return None
            steps += [step] * item.times
        if laplace and len(steps) == 1 and sum(times for _, times in laplace) <= MAX_PROFILE_STEPS:
            return steps[0], LaplaceProfile(LaplaceComposition(laplace))
        return (steps[0], steps[1]) if not laplace and len(steps) == 2 else None
    except LimitError:
        return None


def grid_for(constituents: Sequence[Constituent], side: Direction) -> LossGrid | None:
    """The loss grid, where every part has cells and they are not so many that their roundings would hide the sum."""
    sources: list[tuple[CellSource, int]] = []
    for item in constituents:
        found = cell_sources(item.pair, item.times, side)
        if found is None:
            return None
        sources += found
    if sum(times for _, times in sources) > _MOST_GRID_STEPS:
        return None
    farthest = max((spread(item.pair) for item in constituents), default=mpq(1))
    if all(isinstance(source, BlockCells) for source, _ in sources) and sum(n for _, n in sources) <= _FEW_BLOCKS:
        return LossGrid(sources, farthest, FINE_SIZES)
    return LossGrid(sources, farthest)
