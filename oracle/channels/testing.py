"""Hypothesis tests as channels: err_M(h), the test channel R^h and M^alpha (Fernandes et al. 2025, section 3)."""

from __future__ import annotations

from gmpy2 import mpq

from oracle.channels.canonical import likelihood_order
from oracle.channels.channel import Channel, require_two_rows
from oracle.channels.galois import tradeoff_of
from oracle.errors import InputError
from oracle.exact import to_text

__all__ = ["error_at", "event_at_alpha", "rejection_set", "test_channel", "two_point_channel"]


def rejection_set(channel: Channel, level: mpq) -> tuple[int, ...]:
    """The outcomes with q >= h p, h = *level* >= 0 finite; the Neyman-Pearson test at h rejects on them."""
    require_two_rows(channel)
    if level < 0:
        raise InputError("a level at least 0", to_text(level), "h")
    p, q = channel.rows
    return tuple(i for i, (a, b) in enumerate(zip(p, q, strict=True)) if b >= level * a)


def error_at(channel: Channel, level: mpq) -> mpq:
    """err_M(h) = P(q >= h p), definition 10: the type I error of the test at level h; err_M(0) = 1."""
    return sum((channel.rows[0][i] for i in rejection_set(channel, level)), mpq(0))


def event_at_alpha(channel: Channel, alpha: mpq) -> tuple[int, ...]:
    """The rejection set of the corner of T(P, Q) at *alpha*, outcomes of probability zero under both laws left out."""
    order = likelihood_order(channel)
    taken, event = mpq(0), []
    for k in reversed(range(len(order.p))):
        taken += mpq(order.p[k]) / order.scale
        if taken > alpha:
            break
        event += order.group(k)
    return tuple(sorted(event))


def test_channel(channel: Channel, level: mpq) -> Channel:
    """R^h: each outcome goes to column 1 (reject) if q >= h p, else to column 0, so M·R^h = M^alpha."""
    reject = set(rejection_set(channel, level))
    rows = tuple((mpq(i not in reject), mpq(i in reject)) for i in range(channel.shape[1]))
    return Channel.trusted(rows)


test_channel.__test__ = False  # type: ignore[attr-defined]  # the field's name, not a pytest test


def two_point_channel(channel: Channel, alpha: mpq) -> Channel:
    """M^alpha = [1 - alpha, alpha; f(alpha), 1 - f(alpha)] with f = T(M), definition 9; M ⊑ M^alpha."""
    beta = tradeoff_of(channel).at(alpha)
    return Channel.trusted(((1 - alpha, alpha), (beta, 1 - beta)))
