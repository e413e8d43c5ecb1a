"""Certificates of couplings: the coupling itself, a set that forbids one, the dual of an optimal one.

As in :mod:`oracle.certificates.documents`; why each kind proves its statement is written down beside the check,
:mod:`oracle.certificates.checker.couplings`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from gmpy2 import mpq

from oracle.certificates.documents import Certificate, seal
from oracle.channels.divergences import Direction, hockey_stick
from oracle.exact import Infinity, to_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oracle.channels.channel import Channel
    from oracle.exact import Extended

__all__ = ["coupling_certificate", "hockey_stick_fact", "no_coupling_certificate", "transport_certificate"]


def _texts(values: Sequence[Extended]) -> list[str]:
    return [to_text(value) for value in values]


def _laws(first: Sequence[mpq], second: Sequence[mpq]) -> dict[str, Any]:
    return {"version": 1, "first": _texts(first), "second": _texts(second)}


def _entries(entries: Mapping[tuple[int, int], mpq]) -> list[list[int | str]]:
    return [[i, j, to_text(value)] for (i, j), value in sorted(entries.items())]


def coupling_certificate(
    first: Sequence[mpq],
    second: Sequence[mpq],
    entries: Mapping[tuple[int, int], mpq],
    fact: Literal["maximal", "nearest"],
    distances: Sequence[Sequence[Extended]] | None = None,
) -> Certificate:
    """Kind ``coupling``: a coupling that is maximal, or lives on nearest pairs of finite *distances*."""
    table = None if distances is None else [_texts(row) for row in distances]
    laws = _laws(first, second)
    return seal({"certificate": "coupling", **laws, "fact": fact, "distances": table, "entries": _entries(entries)})


def no_coupling_certificate(
    first: Sequence[mpq],
    second: Sequence[mpq],
    distances: Sequence[Sequence[Extended]],
    fact: Literal["nearest", "finite"],
    event: Sequence[int],
) -> Certificate:
    """Kind ``no_coupling``: an event of first outcomes with more mass than all second outcomes allowed from it."""
    support = [j for j, value in enumerate(second) if value]
    allowed = set()
    for i in event:
        nearest = min(distances[i][j] for j in support)
        for j in support:
            finite = not isinstance(distances[i][j], Infinity)
            if finite and (fact == "finite" or distances[i][j] == nearest):
                allowed.add(j)
    masses = {"event_mass": sum(first[i] for i in event), "allowed_mass": sum(second[j] for j in allowed)}
    fields = {"fact": fact, "distances": [_texts(row) for row in distances], "event": list(event)}
    stated = {name: str(mass) for name, mass in masses.items()}
    return seal({"certificate": "no_coupling", **_laws(first, second), **fields, **stated})


def transport_certificate(
    first: Sequence[mpq],
    second: Sequence[mpq],
    costs: Sequence[Sequence[Extended]],
    entries: Mapping[tuple[int, int], mpq],
    potentials: tuple[Sequence[mpq], Sequence[mpq]],
) -> Certificate:
    """Kind ``transport``: a coupling and potentials of the same value, the least cost of all couplings."""
    duals = {"first_potentials": _texts(potentials[0]), "second_potentials": _texts(potentials[1])}
    paid = ((mass, costs[i][j]) for (i, j), mass in entries.items())
    value = sum((mass * cost for mass, cost in paid if not isinstance(cost, Infinity)), mpq(0))
    fields = {"costs": [_texts(row) for row in costs], "entries": _entries(entries), "value": to_text(value)}
    return seal({"certificate": "transport", **_laws(first, second), **fields, **duals})


def hockey_stick_fact(channel: Channel, level: mpq, direction: Direction) -> dict[str, Any]:
    """A fact of an ``evaluation``: the hockey stick of two rows at a rational level."""
    value = hockey_stick(channel, level, direction)
    matrix = {"matrix": [_texts(row) for row in channel.rows]}
    stated = {"level": to_text(level), "direction": direction, "value": to_text(value)}
    return {"fact": "hockey_stick", "channel": matrix, **stated}
