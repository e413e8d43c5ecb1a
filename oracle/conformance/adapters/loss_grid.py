"""How fine a grid of privacy losses may be: the reach of a mechanism's losses, and the interval for a million points.

Only the cost of a library's answer depends on this, never a verdict: a coarser grid makes an upper bound looser.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from gmpy2 import mpq

from oracle.conformance.adapters.doubles import log_nearest, nearest
from oracle.errors import Declined
from oracle.levels import Level
from oracle.mechanisms import nodes
from oracle.mechanisms import primitive_nodes as primitive

__all__ = ["DEFAULT_INTERVAL", "interval_for"]

DEFAULT_INTERVAL: Final = 1e-4
"""The default of dp-accounting."""

_POINTS: Final = 10**6
_DEVIATIONS: Final = 10.0
_FARTHEST: Final = 1e6


@dataclass(frozen=True, slots=True)
class _Reach:
    """Losses lie within ``most``, and but for a negligible part within ``mean`` and ten deviations."""

    most: float
    mean: float
    variance: float

    def times(self, k: int) -> _Reach:
        return _Reach(self.most * k, self.mean * k, self.variance * k) if k else _Reach(0, 0, 0)

    def plus(self, other: _Reach) -> _Reach:
        return _Reach(self.most + other.most, self.mean + other.mean, self.variance + other.variance)

    @property
    def end(self) -> float:
        return min(self.most, self.mean + _DEVIATIONS * math.sqrt(self.variance))


def interval_for(mechanism: nodes.Mechanism) -> float:
    """The interval of the grid: the default, or the least power of ten times it that needs a million points.

    Raises:
        Declined: where the losses reach beyond 10^6.
    """
    end = _reach(mechanism).end
    if not end <= _FARTHEST:
        raise Declined(f"privacy losses of up to {end:.3g} are too far for a grid")
    interval = DEFAULT_INTERVAL
    while 2 * end > _POINTS * interval:
        interval *= 10
    return interval


def _reach(mechanism: nodes.Mechanism) -> _Reach:  # noqa: C901, PLR0911, PLR0912 - one case for each node
    match mechanism:
        case nodes.Repeat(times=times, of=inside):
            return _reach(inside).times(times)
        case nodes.Compose(of=parts):
            total = _Reach(0, 0, 0)
            for part in parts:
                total = total.plus(_reach(part))
            return total
        case nodes.Visible(left=left, right=right):
            return max(_reach(left), _reach(right), key=lambda reach: reach.end)
        case nodes.PoissonSubsample(of=inside):
            return _reach(inside)
        case nodes.Group(size=size, of=inside):
            return _scaled(_reach(inside), size)
        case primitive.Gaussian(sigma=sigma, sensitivity=sensitivity):
            return _gaussian(sensitivity / sigma)
        case primitive.DiscreteGaussian(sigma=sigma, sensitivity=sensitivity):
            return _gaussian(sensitivity / sigma)
        case primitive.GaussianDP(mu=mu):
            return _gaussian(mu)
        case primitive.Laplace(scale=scale, sensitivity=sensitivity):
            return _bounded(_float(sensitivity / scale))
        case primitive.DiscreteLaplace() as noise:
            step = _float(1 / noise.scale) if noise.scale else -log_nearest(noise.ratio or mpq(0))
            return _bounded(step * noise.sensitivity)
        case primitive.Geometric(ratio=ratio, sensitivity=sensitivity, values=None):
            return _bounded(-log_nearest(ratio) * _float(sensitivity or mpq(1)))
        case primitive.RandomizedResponse(level=level) | primitive.KRandomizedResponse(level=level):
            return _bounded(_epsilon(level))
        case primitive.ApproximateRandomizedResponse(level=level) | primitive.Exponential(level=level):
            return _bounded(_epsilon(level))
        case primitive.ChannelNode(channel=channel):
            return _bounded(_largest_loss(list(channel.rows)))
    return _Reach(0, 0, 0)


def _float(x: mpq) -> float:
    return nearest(x) if abs(x) < 10**300 else math.inf


def _epsilon(level: Level) -> float:
    if level.value is not None:
        return 0.0 if level.is_infinite else log_nearest(mpq(level.bracket(53)[0]))
    return _float(level.exponent or mpq(0))


def _gaussian(mu: mpq) -> _Reach:
    ratio = _float(mu)
    return _Reach(math.inf, ratio * ratio / 2, ratio * ratio)


def _bounded(epsilon: float) -> _Reach:
    """A loss within epsilon has mean at most epsilon·tanh(epsilon/2), that of randomized response."""
    return _Reach(epsilon, epsilon * math.tanh(epsilon / 2), epsilon * epsilon)


def _scaled(reach: _Reach, size: int) -> _Reach:
    return _Reach(reach.most * size, reach.mean * size * size, reach.variance * size * size)


def _largest_loss(rows: list[tuple[mpq, ...]]) -> float:
    """The largest finite loss in a table of two rows; a table of one loss is exact on any grid that holds it."""
    if len(rows) != 2:
        raise Declined("a pair of two rows is needed")
    return max((abs(log_nearest(p / q)) for p, q in zip(*rows, strict=True) if p and q), default=0.0)
