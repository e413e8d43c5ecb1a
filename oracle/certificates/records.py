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

D_a forward is ∫ max(0, p - a q), backward ∫ max(0, q - a p). The claim (epsilon, delta) is D_a <= delta at
a = e^epsilon. A trade-off claim f is, for each of its lines beta = c - h·alpha, D_h <= 1 - c in the opposite direction.
The claim holds if no relation is ">" or "undecided"; it is refuted if one is ">".

Of a subsampled mechanism that has a theorem's bound only, the value compared is that bound, for both directions
together ("direction": "both"); such a record never says more than "holds".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from oracle.channels.divergences import Direction
from oracle.claims import Claim
from oracle.enclosures import DEFAULT_DIGITS, MAX_REQUESTED_DIGITS, Enclosure
from oracle.exact import to_text
from oracle.experiments.base import Check, Experiment, Value

__all__ = ["Record", "enclosure_record", "outcome"]

Record = dict[str, Any]

_RELATIONS: Final[dict[int | None, str]] = {-1: "<", 0: "=", 1: ">", None: "undecided"}


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
    return {
        "record": "enclosure",
        "version": 1,
        "mechanism": experiment.to_json(),
        "claim": claim.to_json(),
        "direction": direction,
        "holds": outcome(checks),
        "comparisons": [_comparison(experiment, check, digits) for check in checks],
        "bits": max((check.comparison.bits for check in checks), default=0),
    }


def _comparison(experiment: Experiment, check: Check, digits: int) -> Record:
    value = experiment.hockey_stick(check.level, check.direction, digits)
    while check.comparison.sign and _overlaps(value, check) and digits < MAX_REQUESTED_DIGITS:
        digits = min(2 * digits, MAX_REQUESTED_DIGITS)
        value = experiment.hockey_stick(check.level, check.direction, digits)
    return {
        "direction": check.direction,
        **check.level.to_json(),
        "value": value.to_json() if isinstance(value, Enclosure) else to_text(value),
        "relation": _RELATIONS[check.comparison.sign],
        "bound": to_text(check.bound),
        "bits": check.comparison.bits,
    }


def _overlaps(value: Value, check: Check) -> bool:
    return isinstance(value, Enclosure) and value.contains(check.bound)
