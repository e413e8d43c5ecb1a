"""The operation that decides a claim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oracle import verdicts
from oracle.channels.divergences import check_delta
from oracle.claims import ApproximateDP, Claim, parse_claim
from oracle.exact import parse_number
from oracle.interactive.reading import interactive_from, is_interactive
from oracle.interactive.verdicts import judge_tree
from oracle.operations.arguments import MechanismLike, level_of, pair_of, parse_direction

__all__ = ["satisfies"]


def satisfies(  # noqa: PLR0913 - the claim, or its parts
    mechanism: MechanismLike,
    claim: Claim | Mapping[str, Any] | None = None,
    *,
    exp_epsilon: object = None,
    epsilon: object = None,
    delta: object = "0",
    direction: str = "both",
) -> verdicts.Verdict:
    """Decide a claim, with a certificate: ``satisfies(m, exp_epsilon=3)`` or ``satisfies(m, {"mu": "1"})``.

    For a mechanism that is not a finite table, and for claims of mu, rho or a Rényi order with irrational
    probabilities, ``certificate`` is None and there is a ``record`` of what was computed; ``holds`` may then be
    "undecided".
    """
    if claim is None:
        level = level_of(exp_epsilon, epsilon, minimum_one=True)
        claim = ApproximateDP(level, check_delta(parse_number(delta, "delta")))
    elif not isinstance(claim, Claim):
        claim = parse_claim(claim)
    side = parse_direction(direction)
    if is_interactive(mechanism):
        found = judge_tree(interactive_from(mechanism, "channel"), claim, side)
        return verdicts.Verdict(found.holds, found.certificate)
    return verdicts.judge(pair_of(mechanism), claim, side)
