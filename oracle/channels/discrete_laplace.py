"""Two-sided geometric (discrete Laplace) noise on the integers as a finite channel, exactly.

P(z) = (1-r)/(1+r) · r^|z| and Q(z) = P(z - s) for a sensitivity s. On z <= 0 the ratio p/q is r^(-s), on z >= s it is
r^s, so each of the two tails is one outcome after merging equal ratios: s + 1 columns, the outcomes
z <= 0, 1, ..., s - 1, z >= s. Merging equal ratios changes no question that is asked of a pair.

Source: A. Ghosh, T. Roughgarden and M. Sundararajan, *Universally utility-maximizing privacy mechanisms*, STOC 2009.
"""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel
from oracle.errors import InputError, LimitError, shorten
from oracle.exact import to_text
from oracle.formal import FormalSum

__all__ = ["discrete_laplace", "discrete_laplace_formal"]

_MAX_TABLE_BITS: Final = 1 << 30
_MAX_FORMAL_COLUMNS: Final = 2000


def discrete_laplace(ratio: mpq, sensitivity: int) -> Channel:
    """The channel of a rational ratio r in [0, 1).

    Row 0 is (1, (1-r)r, ..., (1-r)r^(s-1), r^s)/(1+r), since Σ_{z<=0} P = 1/(1+r) and Σ_{z>=s} P = r^s/(1+r). Row 1
    is row 0 reversed.

    Raises:
        InputError: for another ratio, or a sensitivity below 1.
        LimitError: for a table too large to hold.
    """
    if not 0 <= ratio < 1:
        raise InputError("a ratio in [0, 1)", shorten(to_text(ratio)), "ratio")
    _require_sensitivity(sensitivity)
    size = max(ratio.numerator.bit_length(), ratio.denominator.bit_length())
    if size * sensitivity * sensitivity > _MAX_TABLE_BITS:
        raise LimitError(
            f"a table of at most {_MAX_TABLE_BITS} bits", f"powers of the ratio up to {shorten(sensitivity)}"
        )
    tail = 1 / (1 + ratio)
    inner = (1 - ratio) * tail
    power, row = mpq(1), [tail]
    for _ in range(1, sensitivity):
        power *= ratio
        row.append(inner * power)
    row.append(tail * power * ratio)
    return Channel.trusted((tuple(row), tuple(reversed(row))))


def discrete_laplace_formal(scale: mpq, sensitivity: int) -> FormalChannel:
    """The channel of r = e^(-1/scale); its weights are those above times 1 + r.

    Raises:
        InputError: for a scale that is not above 0, or a sensitivity below 1.
        LimitError: for more than 2,000 columns.
    """
    if scale <= 0:
        raise InputError("a scale above 0", shorten(to_text(scale)), "scale")
    _require_sensitivity(sensitivity)
    if sensitivity >= _MAX_FORMAL_COLUMNS:
        raise LimitError(f"a sensitivity below {_MAX_FORMAL_COLUMNS}", shorten(sensitivity), "sensitivity")
    step = -1 / scale
    powers = [FormalSum.exp(step * z) for z in range(sensitivity + 1)]
    row = [powers[0], *(powers[z] - powers[z + 1] for z in range(1, sensitivity)), powers[sensitivity]]
    return FormalChannel([row, row[::-1]])


def _require_sensitivity(sensitivity: int) -> None:
    if sensitivity < 1:
        raise InputError("a whole sensitivity of at least 1", shorten(sensitivity), "sensitivity")
