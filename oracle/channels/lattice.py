"""Greatest lower and least upper bound of two-row channels under refinement.

On curves the greatest lower bound is the lower convex hull of the pointwise minimum, the least upper
bound the pointwise maximum. Both come out canonical. Partial channels are accepted
where all share their pair of row masses (e, f): their curves run from alpha = 0 to alpha = e.

The hull is taken of the corners of all channels at once. (Peeling one facet after another from an order
sorted once, as Fernandes et al. 2025, Appendix B, Algorithm 4 is printed, is wrong for three channels.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from gmpy2 import lcm, mpq, mpz

from oracle.channels.canonical import likelihood_order, sorted_channel
from oracle.channels.channel import Channel, common_denominator, require_two_rows
from oracle.channels.galois import scaled_corners
from oracle.channels.tradeoff import lower_hull, upper_envelope
from oracle.errors import InputError

__all__ = ["greatest_lower_bound", "least_upper_bound", "require_family"]


def require_family(channels: Sequence[Channel]) -> None:
    """Refuse anything but at least one two-row channel, all of equal row masses."""
    if not channels:
        raise InputError("at least one channel", "an empty list", "channels")
    for i, channel in enumerate(channels):
        require_two_rows(channel, f"channels[{i}]")
        if channel.masses != channels[0].masses:
            raise InputError("channels of equal row masses", "different ones", f"channels[{i}]")


def greatest_lower_bound(channels: Sequence[Channel]) -> Channel:
    """The greatest channel below all of *channels*, canonical; O(N log N) in the number of columns."""
    require_family(channels)
    scale = lcm(*(channel.scale for channel in channels))
    hull = lower_hull(point for channel in channels for point in _corners(channel, scale))
    return _channel_below(hull, channels[0], scale)


def least_upper_bound(channels: Sequence[Channel]) -> Channel:
    """The least channel above all of *channels*, canonical."""
    require_family(channels)
    curves = [[(mpq(a, c.scale), mpq(b, c.scale)) for a, b in _corners(c, c.scale)] for c in channels]
    envelope = upper_envelope(curves)
    scale = common_denominator(value for corner in envelope for value in (*corner, channels[0].masses[1]))
    corners = [((a * scale).numerator, (b * scale).numerator) for a, b in envelope]
    return _channel_below(corners, channels[0], scale)


def _corners(channel: Channel, scale: mpz) -> Iterable[tuple[mpz, mpz]]:
    """Corners of the curve times *scale*, a multiple of the channel's own."""
    factor = scale // channel.scale
    corners = zip(*scaled_corners(likelihood_order(channel)), strict=True)
    return corners if factor == 1 else ((a * factor, b * factor) for a, b in corners)


def _channel_below(corners: Sequence[tuple[mpz, mpz]], member: Channel, scale: mpz) -> Channel:
    """The canonical channel of the members' row masses whose curve has these corners, times *scale*.

    One column for each segment, from the last to the first; what the corner at alpha = 0 leaves of the
    mass of row 1 is a column with p = 0.
    """
    p = [a1 - a0 for (a0, _), (a1, _) in pairwise(corners)]
    q = [b0 - b1 for (_, b0), (_, b1) in pairwise(corners)]
    p.reverse()
    q.reverse()
    rest = (member.masses[1] * scale).numerator - corners[0][1]
    if rest:
        p.append(mpz(0))
        q.append(rest)
    return sorted_channel(p, q, scale)
