"""Rectification and amplification: operations that make a two-row channel leak less, with their exact effect.

* subsample: the differing record takes part with probability q, P' = q P + (1 - q) Q, Q' = Q. For a' = 1 + q (a - 1):
  D_{a'}(P'‖Q) = q D_a(P‖Q), an identity (Balle, Barthe and Gaboardi 2018, theorem 8, for the pair itself).
* mix with uniform: with probability r the output is replaced by a uniform draw from the k outputs. Worst case, the
  channel that tells its inputs apart: (1 - r + r/k)/(r/k) = 1 + k (1 - r)/r is its largest ratio, so the result is
  exactly log(1 + k (1 - r)/r)-DP there, and its D_1 is 1 - r.
* clip the likelihood ratio to [1/B, B]: the least channel above the given one that is log(B)-DP, its least upper bound
  with randomised response at B. Its curve is max(f, f_B), f_B that of randomised response: any log(B)-DP
  post-processing has a curve at least f (data processing) and at least f_B (the definition of log(B)-DP), and the
  maximum of both is itself convex, hence a channel. It is reached by the post-processing that is returned as witness:
  it merges just so much of the outputs of extreme ratio with the rest that the ratio becomes B. The worst case
  C_{eps, delta} becomes the channel of max(f_{eps, delta}, f_B): for B <= e^eps that is randomised response at B.

Each result is again a finite channel, so its tight mu is exact (:mod:`oracle.gaussian_dp.channel_mu`).

Reference: Y. Liu, K. Sun, B. Jiang and L. Kong, NeurIPS 2022, names subsampling and rectification; its section on them
is not in our text, the operations are our own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.lattice import least_upper_bound
from oracle.channels.operators import hidden, post_process
from oracle.channels.refinement import Witness, witness_of
from oracle.channels.worst_case import approximate_dp_channel
from oracle.enclosures import DEFAULT_DIGITS, Enclosure
from oracle.errors import InputError, shorten
from oracle.exact import Infinity, parse_extended, to_text
from oracle.gaussian_dp.arguments import ExtendedLike, NumberLike, channel_of, finite, whole
from oracle.gaussian_dp.channel_mu import least_mu
from oracle.levels import Level

if TYPE_CHECKING:
    from oracle.exact import Extended

__all__ = ["Rectified", "clip_ratio", "mix_with_uniform", "mixing_level", "subsample"]

Matrix = Channel | Sequence[Sequence[NumberLike]]


@dataclass(frozen=True, slots=True)
class Rectified:
    """A channel after an operation.

    Attributes:
        channel: the result.
        witness: the post-processing W with given·W = channel; None for subsampling, which is none of the pair (P, Q).
    """

    channel: Channel
    witness: Witness | None

    def tight_mu(self, digits: int = DEFAULT_DIGITS) -> Extended | Enclosure:
        """The least mu for which the result is mu-GDP."""
        return least_mu(self.channel, digits)


def subsample(channel: Matrix, rate: NumberLike) -> Rectified:
    """The pair (q P + (1 - q) Q, Q): add/remove, the record of P takes part with probability *rate*.

    Raises:
        InputError: for other than two rows or a rate outside [0, 1].
    """
    pair, share = channel_of(channel), finite(rate, "rate")
    without = Channel.trusted((pair.rows[1], pair.rows[1]), pair.inputs, pair.outputs)
    return Rectified(hidden(share, pair, without), None)


def mixing_level(outputs: int, weight: NumberLike) -> Level:
    """e^epsilon = 1 + k (1 - r)/r: what mixing with a uniform law on k outputs guarantees; exact in the worst case.

    Raises:
        InputError: for no output or a weight outside [0, 1].
    """
    count, share = whole(outputs, "outputs"), _weight(weight)
    return Level.rational(1 + count * (1 - share) / share) if share else Level.infinite()


def _weight(weight: NumberLike) -> mpq:
    number = finite(weight, "weight")
    if not 0 <= number <= 1:
        raise InputError("a weight between 0 and 1", shorten(to_text(number)), "weight")
    return number


def mix_with_uniform(channel: Matrix, weight: NumberLike) -> Rectified:
    """The output replaced, with probability *weight*, by a uniform draw from all outputs of the channel.

    Raises:
        InputError: for other than two rows or a weight outside [0, 1].
    """
    pair, whole_weight = channel_of(channel), _weight(weight)
    columns = pair.shape[1]
    share = whole_weight / columns
    matrix = tuple(
        tuple(share + (1 - whole_weight if i == j else mpq(0)) for j in range(columns)) for i in range(columns)
    )
    entries = tuple((i, j, v) for i, row in enumerate(matrix) for j, v in enumerate(row) if v)
    return Rectified(post_process(pair, matrix), Witness(columns, columns, entries))


def clip_ratio(channel: Matrix, bound: ExtendedLike) -> Rectified:
    """The least channel above the given one whose likelihood ratios lie in [1/bound, bound]; canonical.

    Raises:
        InputError: for other than two rows or a bound below 1.
    """
    pair, largest = channel_of(channel), parse_extended(bound, "bound")
    if largest < 1:
        raise InputError("a bound of at least 1", shorten(to_text(largest)), "bound")
    if isinstance(largest, Infinity):
        clipped = least_upper_bound([pair])
    else:
        clipped = least_upper_bound([pair, approximate_dp_channel(largest, mpq(0))])
    return Rectified(clipped, witness_of(pair, clipped))
