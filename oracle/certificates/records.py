"""Records: what was computed in ball arithmetic to decide a claim, so that it can be run again. Not certificates.

A record is a JSON object with the key ``record`` in the place of ``certificate``. To the independent
checker it is unverified: it proves nothing to someone who does not trust the ball arithmetic that made it.
``enclosure``, version 1:

    {"record": "enclosure", "version": 1,
     "mechanism": an expression of the pair (P, Q),
     "claim": the claim as in certificates, "direction": "both" | "forward" | "backward",
     "holds": true | false | "undecided",
     "comparisons": [{"direction": "forward" | "backward", "exp_epsilon" or "epsilon": the level a,
                      "value": D_a, exact or {"lo", "hi"}, "relation": "<" | "=" | ">" | "undecided",
                      "bound": a rational, "bits": the working precision that decided, 0 if it was exact}, ...],
     "bits": the largest of them}

``mechanism`` is {"matrix": ...} or {"rows": ...} (as in kind ``formal_claim``) for a finite table.

D_a forward is ∫ max(0, p - a q), backward ∫ max(0, q - a p). The claim (epsilon, delta) is D_a <= delta at
a = e^epsilon. A trade-off claim f is, for each of its lines beta = c - h·alpha, D_h <= 1 - c in the opposite direction.
The claim holds if no relation is ">" or "undecided"; it is refuted if one is ">".

Of a composition a comparison also has "method" and "facts", the parameters, precision and error bounds on which the
value rests (:mod:`oracle.accountant`).

A comparison for a claim of mu, of a Rényi order or of rho has "quantity" and no level:

    {"quantity": "mu", ...}                                      value: the least mu
    {"quantity": "renyi", "direction", "order", ...}             value: D_order
    {"quantity": "rho", "direction", "order", ...}               value: D_order/order, of the refuting order or of the
                                                                 order tried where it is largest
    and, where rho holds, "cells": [[order, bound of (order - 1)·D_order], ...], by which every order was decided
    (:mod:`oracle.gaussian_dp.concentrated`); empty where the least rho is known in closed form.

Of a subsampled mechanism that has a theorem's bound only, the value compared is that bound, for both directions
together ("direction": "both"); such a record never says more than "holds".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from oracle.accountant.composition import Composition
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction
from oracle.channels.formal_channel import FormalChannel
from oracle.claims import Claim
from oracle.enclosures import DEFAULT_DIGITS, MAX_REQUESTED_DIGITS, Enclosure
from oracle.exact import Extended, to_text
from oracle.experiments.base import Check, Experiment, Value

__all__ = ["RELATIONS", "Record", "divergence_record", "enclosure_record", "outcome", "value_json"]

Record = dict[str, Any]

RELATIONS: Final[dict[int | None, str]] = {-1: "<", 0: "=", 1: ">", None: "undecided"}


def outcome(checks: Sequence[Check]) -> bool | Literal["undecided"]:
    """Whether all comparisons hold: False as soon as one is refuted, else "undecided" if one is."""
    found = [check.holds for check in checks]
    return False if False in found else "undecided" if None in found else True


def enclosure_record(
    experiment: Experiment, claim: Claim, direction: Direction, checks: Sequence[Check], digits: int = DEFAULT_DIGITS
) -> Record:
    """The record of the comparisons on which a verdict rests.

    Args:
        experiment: the pair of laws.
        claim: what was asked.
        direction: the direction that was asked.
        checks: from :meth:`Experiment.checks` or :meth:`Experiment.curve_checks` for that claim and direction.
        digits: of the values, more where that many do not show the relation.
    """
    comparisons = [_comparison(experiment, check, digits) for check in checks]
    return _record(experiment, claim, direction, outcome(checks), comparisons)


def divergence_record(
    pair: Channel | FormalChannel | Experiment,
    claim: Claim,
    direction: Direction,
    comparisons: Sequence[Record],
) -> Record:
    """The record of comparisons of a least mu, a Rényi divergence or D_a/a with what is claimed of them."""
    relations = [item["relation"] for item in comparisons]
    holds: bool | Literal["undecided"]
    holds = False if ">" in relations else "undecided" if "undecided" in relations else True
    return _record(pair, claim, direction, holds, list(comparisons))


def _record(
    pair: Channel | FormalChannel | Experiment,
    claim: Claim,
    direction: Direction,
    holds: bool | Literal["undecided"],
    comparisons: list[Record],
) -> Record:
    return {
        "record": "enclosure",
        "version": 1,
        "mechanism": _mechanism(pair),
        "claim": claim.to_json(),
        "direction": direction,
        "holds": holds,
        "comparisons": comparisons,
        "bits": max((item["bits"] for item in comparisons), default=0),
    }


def _mechanism(pair: Channel | FormalChannel | Experiment) -> Record:
    if isinstance(pair, Channel):
        return {"matrix": [[to_text(v) for v in row] for row in pair.rows]}
    if isinstance(pair, FormalChannel):
        return {"rows": [[weight.to_json() for weight in row] for row in pair.rows]}
    return pair.to_json()


def value_json(value: Extended | Enclosure) -> str | Record:
    """A value of a comparison: its one string, or the two ends."""
    return value.to_json() if isinstance(value, Enclosure) else to_text(value)


def _comparison(experiment: Experiment, check: Check, digits: int) -> Record:
    value = experiment.hockey_stick(check.level, check.direction, digits)
    while check.comparison.sign and _overlaps(value, check) and digits < MAX_REQUESTED_DIGITS:
        digits = min(2 * digits, MAX_REQUESTED_DIGITS)
        value = experiment.hockey_stick(check.level, check.direction, digits)
    stated: Record = {
        "direction": check.direction,
        **check.level.to_json(),
        "value": value_json(value),
        "relation": RELATIONS[check.comparison.sign],
        "bound": to_text(check.bound),
        "bits": check.comparison.bits,
    }
    if isinstance(experiment, Composition):
        found = experiment.larger_found(check.level, check.direction, digits)
        stated |= {"method": found.method, "facts": dict(found.facts)}
    return stated


def _overlaps(value: Value, check: Check) -> bool:
    return isinstance(value, Enclosure) and value.contains(check.bound)
