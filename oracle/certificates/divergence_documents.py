"""Certificates of mu-GDP, of a Rényi order and of zCDP for a rational two-row channel.

Each function turns what was decided into one sealed document; what each kind contains and why it proves its statement
is written down beside the check (:mod:`oracle.certificates.checker.gaussian`, ``moments``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb
from gmpy2 import mpq, mpz

from oracle.certificates.documents import Certificate, seal
from oracle.channels.divergences import Direction
from oracle.channels.galois import tradeoff_of
from oracle.channels.testing import event_at_alpha
from oracle.enclosures import (
    COMPARISON_BITS,
    Ball,
    arb_from_rational,
    compare,
    precision,
    rational_ball,
    rational_bounds,
)
from oracle.errors import UndecidedError
from oracle.exact import to_text
from oracle.gaussian_dp.channel_mu import Corner, inner_corners, leading
from oracle.special import phi_inverse_ball

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.channels.channel import Channel
    from oracle.claims import ConcentratedDP, DivergenceClaim, GaussianDP, RenyiDP
    from oracle.gaussian_dp.concentrated import Finding

__all__ = [
    "concentrated_held",
    "concentrated_refuted",
    "gaussian_held",
    "gaussian_refuted",
    "refuting_threshold",
    "renyi_held",
    "renyi_refuted",
]

_FIRST_BITS = 64
_MARGIN = mpq(1, 1 << 20)


def _sealed(kind: str, channel: Channel, claim: DivergenceClaim, direction: Direction, **fields: object) -> Certificate:
    matrix = {"matrix": [[to_text(v) for v in row] for row in channel.rows]}
    head = {"certificate": kind, "version": 1, "channel": matrix, "claim": claim.to_json(), "direction": direction}
    return seal({**head, **fields})


def _shortest(low: mpq, high: mpq, *, strict: bool = False) -> mpq:
    """The decimal of fewest places in [low, high], with *strict* in (low, high]."""
    scale = mpz(1)
    while True:
        scaled = low * scale
        whole = scaled.numerator // scaled.denominator
        found = mpq(whole if whole == scaled and not strict else whole + 1, scale)
        if found <= high:
            return found
        scale *= 10


def _threshold(corner: Corner, mu: mpq, *, held: bool) -> mpq:
    """A short t between Phi^(-1)(1 - alpha) and Phi^(-1)(beta) + mu, the first below the second where it is held.

    Held, t may be either of the two; else it is strictly above the second. Both are exact where they are 0 and mu, at
    the error 1/2, and there the least decimal of an interval that contains its lower end would be that end itself.

    Raises:
        UndecidedError: if the two are not told apart within the precision limit.
    """
    bits = _FIRST_BITS
    while bits <= COMPARISON_BITS:
        with precision(bits):
            first, second = corner.quantiles(bits)
            second = second + rational_ball(mu)
            low, high = (first, second) if held else (second, first)
            if low < high:
                return _shortest(_end(low, upper=True), _end(high, upper=False), strict=not held)
        bits *= 2
    raise UndecidedError("a threshold between the two errors of a test", COMPARISON_BITS)


def refuting_threshold(alpha: mpq, beta: mpq, mu: mpq) -> mpq | None:
    """A short t with Phi(t) <= 1 - alpha and Phi(t - mu) > beta, so that G_mu(alpha) > beta; None if there is none.

    Raises:
        UndecidedError: if G_mu(alpha) and beta are not told apart within the precision limit.
    """
    if alpha >= 1 or beta >= 1:
        return None  # G_mu(1) = 0, and G_mu <= 1
    if not alpha or not beta:
        return _beyond(alpha, beta, mu)
    corner = Corner(*(_constant(x) for x in (alpha, 1 - alpha, beta, 1 - beta)))
    found = compare(corner.mu, mu)
    if found.sign is None:
        raise UndecidedError("a point of a Gaussian trade-off curve", found.bits)
    return _threshold(corner, mu, held=False) if found.sign > 0 else None


def _constant(x: mpq) -> Ball:
    return lambda bits: arb_from_rational(x, bits)


def _end(ball: arb, *, upper: bool) -> mpq:
    return rational_bounds(ball)[upper]


def gaussian_held(channel: Channel, claim: GaussianDP, direction: Direction) -> Certificate:
    """Kind ``gdp_held``: for each inner corner (alpha, beta) a t with Phi(t) >= 1 - alpha and Phi(t - mu) <= beta.

    The least mu of the channel must be below the claimed one, or the rows equal.
    """
    thresholds = [to_text(_threshold(corner, claim.mu, held=True)) for corner in inner_corners(channel) or []]
    return _sealed("gdp_held", channel, claim, direction, thresholds=thresholds)


def gaussian_refuted(channel: Channel, claim: GaussianDP, direction: Direction) -> Certificate:
    """Kind ``gdp_refuted``: the test of one corner and a t with Phi(t) <= 1 - alpha and Phi(t - mu) > beta.

    The least mu of the channel must be above the claimed one.
    """
    side: Direction = "backward" if direction == "backward" else "forward"
    pair = channel if side == "forward" else channel.swapped()
    points = tradeoff_of(pair).corners
    corners = inner_corners(pair)
    if corners is None:
        # No mu serves: f(0) < 1, or f is 0 from the last but one corner on.
        alpha, beta = points[0] if points[0][1] < 1 else points[-2]
        threshold = _beyond(alpha, beta, claim.mu)
    else:
        worst = _largest(corners, claim.mu)
        alpha, beta = points[worst + 1]
        threshold = _threshold(corners[worst], claim.mu, held=False)
    fields = {"event": list(event_at_alpha(pair, alpha)), "alpha": to_text(alpha), "beta": to_text(beta)}
    return _sealed("gdp_refuted", channel, claim, side, **fields, threshold=to_text(threshold))


def _beyond(alpha: mpq, beta: mpq, mu: mpq) -> mpq:
    """A whole t with Phi(t) <= 1 - alpha and Phi(t - mu) > beta where alpha = 0 (and beta < 1) or beta = 0."""
    if not beta:
        # Any t low enough for alpha < 1, as Phi(t - mu) > 0.
        return mpq(0) if not alpha else _floor(-_quantile_above(alpha))
    return -_floor(-_quantile_above(beta) - mu)


def _quantile_above(p: mpq) -> mpq:
    """A rational above Phi^(-1)(p) for 0 < p < 1."""
    return _end(phi_inverse_ball(p, _FIRST_BITS), upper=True) + _MARGIN


def _floor(x: mpq) -> mpq:
    return mpq(x.numerator // x.denominator)


def _largest(corners: Sequence[Corner], mu: mpq) -> int:
    """The index of a corner whose own mu is proved to be above the claimed one."""
    likely = leading(list(corners))
    bits = _FIRST_BITS
    while bits <= COMPARISON_BITS:
        for corner in likely:
            with precision(bits):
                if corner.mu(bits) > rational_ball(mu):
                    return corners.index(corner)
        bits *= 2
    raise UndecidedError("a corner above the claimed curve", COMPARISON_BITS)


def renyi_held(channel: Channel, claim: RenyiDP, direction: Direction) -> Certificate:
    """Kind ``renyi_held``: the checker computes the divergence again."""
    return _sealed("renyi_held", channel, claim, direction)


def renyi_refuted(channel: Channel, claim: RenyiDP, side: Direction) -> Certificate:
    """Kind ``renyi_refuted``, of the one direction in which the divergence exceeds epsilon."""
    return _sealed("renyi_refuted", channel, claim, side)


def concentrated_held(
    channel: Channel, claim: ConcentratedDP, direction: Direction, findings: Sequence[Finding]
) -> Certificate:
    """Kind ``zcdp_held``: the cells of each direction, orders and upper bounds of log Σ p^a q^(1-a) there."""
    cells = {f.side: [[to_text(cell.order), to_text(cell.bound)] for cell in f.cells] for f in findings}
    return _sealed("zcdp_held", channel, claim, direction, cells=cells)


def concentrated_refuted(channel: Channel, claim: ConcentratedDP, finding: Finding) -> Certificate:
    """Kind ``zcdp_refuted``: one order a >= 1 with D_a > rho·a."""
    return _sealed("zcdp_refuted", channel, claim, finding.side, order=to_text(finding.order))
