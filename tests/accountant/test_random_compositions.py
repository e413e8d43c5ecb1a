"""Random compositions: every value, a second contour, the loss grid and exact values have a point in common."""

from __future__ import annotations

from random import Random

import pytest
from gmpy2 import mpq

from oracle.accountant.choice import grid_for
from oracle.accountant.constituents import contour_part
from oracle.accountant.contour import delta
from oracle.accountant.loss_grid import compose_cells
from oracle.accountant.parts import compose
from oracle.channels.channel import Channel
from oracle.channels.composition import compose as composed_channel
from oracle.channels.divergences import hockey_stick
from oracle.enclosures import Enclosure
from oracle.experiments.base import level_logarithm
from oracle.levels import Level
from tests.accountant.examples import random_composition


def check(seed: int) -> None:
    """One composition at a rational level, in both directions."""
    random = Random(seed)  # noqa: S311 - the same compositions every time
    found = random_composition(random)
    level = Level.rational(1 + mpq(random.randint(0, 80), 20))
    for side in ("forward", "backward"):
        low, high = found.found(level, side, 3).ends
        value = Enclosure(low, high)
        grid = grid_for(found.constituents, side)
        cells = compose_cells(grid.sources, cells=1 << 9, bits=96, tail_bits=48)
        assert cells.delta(level).overlaps(value), (seed, side, found.to_json())
        assert grid.grid(1 << 9, 48).delta(level).overlaps(value)
        parts = [(contour_part(item.pair, side), item.times) for item in found.constituents]
        if all(part is not None for part, _ in parts):
            answer = delta(compose(parts), level_logarithm(level), 3, max_nodes=2000)
            assert answer.value.overlaps(value), (seed, side, found.to_json())
        channels = [(item.pair, item.times) for item in found.constituents if isinstance(item.pair, Channel)]
        if len(channels) == len(parts):
            assert low == high == hockey_stick(composed_channel(channels), level.value, side)


@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(n, marks=pytest.mark.slow) for n in range(6, 15))])
def test_all_methods_overlap(seed):
    """Fifteen compositions."""
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_all_methods_overlap_on_many_more(block):
    """Three hundred compositions in ten blocks."""
    for seed in range(1000 + 30 * block, 1030 + 30 * block):
        check(seed)
