"""Hidden choice of channels whose outputs overlap in part, through the part that only one of them has.

A channel with equally much mass on a set of outputs in every row is a visible choice D ⊕_p C of its part D off the set
and its part C on it. If the right channel E never gives those outputs, nothing is hidden there, and

    (D ⊕_p C) ⊞_r E  ≡  (D ⊞_r' E) ⊕_p' C,    p' = 1 - r + r p,    r' = r p / p'

up to the order of the columns: the mass of C is r (1 - p) = 1 - p' on both sides, that of D is r p = p' r' and that
of E is 1 - r = p' (1 - r'). Source: Fernandes et al. 2025, Theorem 6.1(5), as repaired: the printed law keeps r and p.
"""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq, mpz

from oracle.channels.channel import Channel
from oracle.channels.operators import choice_weights, hidden, matched_columns, require_same_inputs
from oracle.errors import InputError, shorten
from oracle.exact import to_text

__all__ = ["hidden_as_visible", "split"]


def split(channel: Channel, columns: Sequence[int]) -> tuple[mpq, Channel | None, Channel | None]:
    """(p, D, C) with channel ≡ D ⊕_p C, where C lives on *columns* and D off them; a part of weight 0 is None.

    Both parts keep their columns, labels included.

    Raises:
        InputError: if the mass on *columns* is not the same in every row; then there is no such choice.
    """
    inside = sorted(set(columns))
    masses = [mpq(sum((row[y] for y in inside), mpz(0))) / channel.scale for row in channel.numerators]
    for i, mass in enumerate(masses):
        if mass != masses[0]:
            got = f"{shorten(to_text(mass))} in row {i}, {shorten(to_text(masses[0]))} in row 0"
            raise InputError("the same mass on these outputs in every row", got, "columns")
    off = sorted(set(range(channel.shape[1])) - set(inside))
    weight = 1 - masses[0]
    return weight, _part(channel, off, weight), _part(channel, inside, masses[0])


def _part(channel: Channel, columns: Sequence[int], weight: mpq) -> Channel | None:
    if not weight:
        return None
    rows = tuple(tuple(row[y] / weight for y in columns) for row in channel.rows)
    outputs = None if channel.outputs is None else tuple(channel.outputs[y] for y in columns)
    return Channel.trusted(rows, channel.inputs, outputs)


def hidden_as_visible(
    r: mpq, left: Channel, right: Channel, columns: Sequence[int] | None = None
) -> tuple[mpq, Channel, Channel | None]:
    """(p', D ⊞_r' E, C) with left ⊞_r right ≡ (D ⊞_r' E) ⊕_p' C; C is left's part on *columns*, None if without mass.

    Columns are matched as in :func:`oracle.channels.operators.hidden`. *columns* are columns of left that right never
    gives, by default all of those.

    Raises:
        InputError: as for a hidden choice, if right gives one of *columns*, and if left's mass on them differs
            from row to row.
    """
    choice_weights(r)
    require_same_inputs((left, right), ("left", "right"))
    _, places = matched_columns(left, right)
    given = [y for y, column in enumerate(zip(*right.numerators, strict=True)) if any(column)]
    shared = {places[y] for y in given}
    own = [y for y in range(left.shape[1]) if y not in shared]
    for y in columns or ():
        if y not in own:
            raise InputError("columns of left that right never gives", str(y), "columns")
    p, inner, outer = split(left, own if columns is None else columns)
    weight = 1 - r + r * p
    if inner is None or not weight:
        return weight, right, outer
    # D has lost the columns of C, and so does E, which never gives them.
    lost = set(own if columns is None else columns)
    _, used, _ = split(right, [y for y, place in enumerate(places) if place in lost])
    return weight, hidden(r * p / weight, inner, used or right), outer
