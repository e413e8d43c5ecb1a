"""The pairs that a composition is made of, each with what every method of the accountant needs of it.

A constituent is a pair (P, Q) taken a number of times. Equal ones are counted together; Gaussian ones add up to one,
theta² = Σ k_i theta_i² (:mod:`oracle.experiments.gaussian`); pairs with P = Q tell nothing and are left out. Of each
there are three descriptions, where they exist: its part of a contour integral (:mod:`oracle.accountant.parts`), its
cells on a loss grid (:mod:`oracle.accountant.loss_cells`) and its densities (:mod:`oracle.accountant.step_laws`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gmpy2 import mpq

from oracle.accountant.atomic_parts import DiscreteGaussian as DiscreteGaussianPart
from oracle.accountant.atomic_parts import FiniteChannel, FormalAtoms
from oracle.accountant.block_cells import BlockCells
from oracle.accountant.closed_form_parts import Gaussian as GaussianPart
from oracle.accountant.closed_form_parts import Laplace as LaplacePart
from oracle.accountant.continuous_cells import ContinuousCells, GaussianLoss, LaplaceLoss, LossSurvival, SubsampledLoss
from oracle.accountant.integer_noise import NoiseCells
from oracle.accountant.loss_cells import CellSource, FiniteCells, FormalCells
from oracle.accountant.parts import Part
from oracle.accountant.step_laws import FiniteStep, GaussianStep, LaplaceStep, Step
from oracle.accountant.subsampled_gaussian import SubsampledGaussian
from oracle.accountant.subsampled_steps import exchanged, subsampled
from oracle.channels.canonical import canonical
from oracle.channels.channel import Channel, require_full, require_two_rows
from oracle.channels.divergences import Direction
from oracle.channels.formal_rows import FormalChannel
from oracle.errors import Declined, InputError, LimitError, shorten
from oracle.exact import to_text
from oracle.experiments.base import Experiment
from oracle.experiments.discrete_gaussian import DiscreteGaussian
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import PoissonSubsampled

__all__ = ["MAX_TIMES", "Constituent", "Pair", "cell_sources", "contour_part", "pooled", "spread", "step_of"]

_LARGEST_JSON: Final = 10**15
"""Integers up to this size are JSON numbers in a document."""

MAX_TIMES: Final = 10**18
"""Most steps of one kind, Gaussian ones aside."""

_LARGE_SQUARE: Final = 400
_BLOCK_ATOMS: Final = (200_000, 20_000, 2_000, 200)
_MOST_BLOCK_BITS: Final = 1 << 31

Pair = Channel | FormalChannel | Experiment


@dataclass(frozen=True, slots=True)
class Constituent:
    """A pair and how often it is taken.

    Attributes:
        pair: (P, Q).
        times: at least 1 once pooled.
        expression: a mechanism expression of the pair.
    """

    pair: Pair
    times: int
    expression: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The expression, repeated."""
        if self.times == 1:
            return dict(self.expression)
        times = self.times if self.times <= _LARGEST_JSON else to_text(mpq(self.times))
        return {"mechanism": "repeat", "times": times, "of": dict(self.expression)}


def pooled(constituents: Iterable[Constituent]) -> list[Constituent]:
    """Equal pairs counted together, Gaussian ones added up, and what tells nothing left out; in order of appearance.

    Raises:
        InputError: for a number of times below 0, or a channel that is no pair of full laws.
        LimitError: for more than ``MAX_TIMES`` steps of one kind.
        Declined: for a pair that no method of the accountant takes.
    """
    found: dict[object, Constituent] = {}
    total, place = mpq(0), None
    for i, item in enumerate(constituents):
        where = f"of[{i}]"
        if item.times < 0:
            raise InputError("a whole number of times, at least 0", shorten(item.times), where)
        key = _key(item.pair, where)
        if not item.times or key is None:
            continue
        if isinstance(item.pair, Gaussian):
            total += item.times * item.pair.theta_squared
            place = place or key
            found.setdefault(place, item)
            continue
        before = found.get(key)
        times = item.times + (before.times if before else 0)
        if times > MAX_TIMES:
            raise LimitError(f"at most {MAX_TIMES} steps of one kind", shorten(times), "times")
        found[key] = Constituent(item.pair, times, before.expression if before else item.expression)
    if place is not None:
        gaussian = Gaussian(total)
        found[place] = Constituent(gaussian, 1, gaussian.to_json())
    return list(found.values())


def _key(pair: Pair, where: str) -> object | None:
    """What equal pairs have in common; None for a pair that tells nothing."""
    if isinstance(pair, Channel):
        require_two_rows(pair, where)
        require_full(pair)
        rows = canonical(pair).rows
        return ("channel", rows) if len(rows[0]) > 1 else None
    if isinstance(pair, FormalChannel):
        return "formal", id(pair)
    if isinstance(pair, Gaussian):
        return ("gaussian",)
    if isinstance(pair, Laplace):
        return "laplace", pair.theta
    if isinstance(pair, DiscreteGaussian):
        return "discrete_gaussian", pair.variance, pair.sensitivity
    if isinstance(pair, PoissonSubsampled) and not isinstance(pair.base, PoissonSubsampled):
        base = _key(pair.base, where)
        return ("subsampled", pair.rate, base, _theta_squared(pair.base))
    raise Declined(
        f"{where}: composition is offered for finite pairs, gaussian, laplace, discrete_gaussian and their Poisson "
        "subsampling under add_remove, not for a bound of a theorem or a pair under substitution"
    )


def _theta_squared(pair: Pair) -> mpq | None:
    return pair.theta_squared if isinstance(pair, Gaussian) else None


def contour_part(pair: Pair, side: Direction = "forward") -> Part | None:
    """The law of the privacy loss as the contour integral takes it; None where it does not."""
    part = _part(pair)
    return part if part is None or side == "forward" else part.swapped()


def _part(pair: Pair) -> Part | None:
    if isinstance(pair, Channel):
        return FiniteChannel.of(pair)
    return FormalAtoms(pair) if isinstance(pair, FormalChannel) else _continuous_part(pair)


def _continuous_part(pair: Experiment) -> Part | None:
    if isinstance(pair, Gaussian):
        return GaussianPart(pair.theta_squared)
    if isinstance(pair, Laplace):
        return LaplacePart(pair.theta)
    if isinstance(pair, DiscreteGaussian):
        return DiscreteGaussianPart(pair.variance, pair.sensitivity)
    if isinstance(pair, PoissonSubsampled) and isinstance(pair.base, Gaussian):
        return SubsampledGaussian(pair.base.theta_squared, pair.rate)
    return None


def cell_sources(pair: Pair, times: int, side: Direction = "forward") -> list[tuple[CellSource, int]] | None:
    """The cells of a pair taken so many times: of a finite channel those of blocks of it; None where there are none."""
    if isinstance(pair, Channel):
        return _blocks(pair if side == "forward" else pair.swapped(), times)
    if isinstance(pair, FormalChannel):
        return [(FormalCells(pair if side == "forward" else pair.swapped()), times)]
    if isinstance(pair, DiscreteGaussian):
        return [(NoiseCells(pair.variance, pair.sensitivity, mpq(1), side), times)]
    if isinstance(pair, PoissonSubsampled) and isinstance(pair.base, DiscreteGaussian):
        return [(NoiseCells(pair.base.variance, pair.base.sensitivity, pair.rate, side), times)]
    survival = _survival(pair)
    return None if survival is None else [(ContinuousCells(survival, side), times)]


def _blocks(channel: Channel, times: int) -> list[tuple[CellSource, int]]:
    """Blocks of as many steps as memory and time allow, single steps where even short ones would be too much."""
    bits = max(channel.scale.bit_length(), 1)
    for most in _BLOCK_ATOMS:
        blocks = BlockCells.parts(channel, times, most)
        # A block makes about as many atoms, and tables of the square of its steps, of numbers of so many bits.
        if all(block.steps * bits * max(most, block.steps**2) <= _MOST_BLOCK_BITS for block, _ in blocks):
            return [*blocks]
    return [(FiniteCells(channel), times)]


def _survival(pair: Pair) -> LossSurvival | None:
    if isinstance(pair, Gaussian):
        return GaussianLoss(pair.theta_squared)
    if isinstance(pair, Laplace):
        return LaplaceLoss(pair.theta)
    if isinstance(pair, PoissonSubsampled):
        base = _survival(pair.base)
        return None if base is None else SubsampledLoss(base, pair.rate)
    return None


def spread(pair: Pair) -> mpq:
    """About the largest loss of a step that matters, for planning: theta²/2 + 16 theta of Gaussian noise."""
    base = pair.base if isinstance(pair, PoissonSubsampled) else pair
    if isinstance(base, Laplace):
        return base.theta
    square = mpq(1)
    if isinstance(base, Gaussian):
        square = base.theta_squared
    elif isinstance(base, DiscreteGaussian):
        square = base.sensitivity * base.sensitivity / base.variance
    return square / 2 + 16 * max(square, mpq(1)) if square < _LARGE_SQUARE else square


def step_of(pair: Pair, side: Direction = "forward") -> Step | None:
    """The pair as densities and a piecewise analytic profile; None where there is no such description."""
    step = _step(pair)
    return step if step is None or side == "forward" else exchanged(step)


def _step(pair: Pair) -> Step | None:
    if isinstance(pair, Channel):
        return FiniteStep(pair)
    if isinstance(pair, Gaussian):
        return GaussianStep(pair.theta_squared)
    if isinstance(pair, Laplace):
        return LaplaceStep(pair.theta)
    if isinstance(pair, PoissonSubsampled):
        base = _step(pair.base)
        return None if base is None else subsampled(base, pair.rate)
    return None
