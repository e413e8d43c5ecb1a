"""The canonical worst-case channel of an (epsilon, delta) claim: every channel that satisfies it is above it."""

from __future__ import annotations

from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction, check_delta
from oracle.errors import InputError
from oracle.exact import Extended, Infinity, to_text

__all__ = ["approximate_dp_channel"]


def approximate_dp_channel(exp_epsilon: Extended, delta: mpq, direction: Direction = "both") -> Channel:
    """C_{epsilon, delta} with E = e^epsilon >= 1 and a = (1 - delta)/(1 + E), all columns kept.

    both:      [delta, aE, a, 0; 0, a, aE, delta], the channel of f_{epsilon, delta}: M is
               (epsilon, delta)-DP in both directions iff C ⊑ M (Fernandes et al. 2025, Corollary 3).
    forward:   [delta, 1 - delta, 0; 0, (1 - delta)/E, 1 - (1 - delta)/E]: its curve is
               max(0, (1 - delta - alpha)/E) for alpha in [0, 1], so C ⊑ M iff every S has
               P(S) <= E Q(S) + delta.
    backward:  the forward one with its rows exchanged.

    At E = inf, where the curve is no longer continuous, aE is 1 - delta and a is 0.
    """
    check_delta(delta)
    if exp_epsilon < 1:
        raise InputError("exp_epsilon at least 1", to_text(exp_epsilon), "exp_epsilon")
    rest = 1 - delta
    zero = mpq(0)
    low = zero if isinstance(exp_epsilon, Infinity) else rest / (1 + exp_epsilon)
    high = rest - low
    if direction == "both":
        return Channel.trusted(((delta, high, low, zero), (zero, low, high, delta)))
    share = zero if isinstance(exp_epsilon, Infinity) else rest / exp_epsilon
    rows = ((delta, rest, zero), (zero, share, 1 - share))
    return Channel.trusted(rows if direction == "forward" else rows[::-1])
