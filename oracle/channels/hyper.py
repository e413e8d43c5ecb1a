"""Hyper-distributions: the posteriors of a channel with their marginals, for any prior.

Outputs that lead to the same posterior merge, outputs of probability 0 vanish. Two channels leak alike under
every prior exactly when their hyper-distributions agree under the uniform one.
"""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.gains import parse_prior, uniform_prior

__all__ = ["hyper_distribution"]


def hyper_distribution(
    channel: Channel, prior: Sequence[object] | None = None
) -> tuple[tuple[mpq, tuple[mpq, ...]], ...]:
    """Pairs (marginal, posterior) in order of increasing posterior; the marginals sum to 1.

    Args:
        channel: any number of rows.
        prior: a distribution over the rows, uniform by default.
    """
    inputs = len(channel.rows)
    weights = uniform_prior(inputs) if prior is None else parse_prior(prior, inputs)
    merged: dict[tuple[mpq, ...], mpq] = {}
    for column in zip(*channel.rows, strict=True):
        joint = [w * c for w, c in zip(weights, column, strict=True)]
        marginal = sum(joint, mpq(0))
        if marginal:
            posterior = tuple(v / marginal for v in joint)
            merged[posterior] = merged.get(posterior, mpq(0)) + marginal
    return tuple((merged[posterior], posterior) for posterior in sorted(merged))
