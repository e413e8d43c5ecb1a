"""What a report says of one claim: how tight it is over all pairs, and the evidence for the worst pair."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oracle.render.interactive import adversary_lines
from oracle.render.words import (
    columns_line,
    comparison_lines,
    event_lines,
    gap,
    level_words,
    pair_name,
    proof_lines,
    short,
    tight,
    tight_delta,
    tight_epsilon,
    witness_line,
)

__all__ = ["claim_facts", "evidence_facts"]

Json = Mapping[str, Any]


def claim_facts(document: Json, index: int) -> list[tuple[str, str]]:
    """Names and texts, a name that is empty continuing the one before; nothing is escaped."""
    claim = document["claims"][index]
    result = document["results"][claim["worst"]]
    facts: list[tuple[str, str]] = []
    if result["about"] == "approximate_dp":
        name, epsilon = tight_epsilon(claim, claim, document["digits"])
        facts.append((name, f"{epsilon}, at delta = {short(claim['parsed']['delta'])}"))
        facts.append(("tight delta", f"{tight_delta(claim, claim)}, at {level_words(claim)}"))
    if result["about"] == "divergence":
        facts.append(tight(claim, claim))
    facts.append(("slack", gap(result, claim, document["digits"])))
    if len(document["pairs"]) > 1:
        facts.append(("worst pair", pair_name(document["pairs"][result["pair"]])))
    return [*facts, *evidence_facts(document, result)]


def evidence_facts(document: Json, result: Json) -> list[tuple[str, str]]:
    """What decides a result: comparisons, a proof, a witness, an adversary, or an event."""
    if result["evidence"]["kind"] == "enclosure":
        lines = comparison_lines(result["evidence"])
        return list(zip(["compared", *[""] * len(lines)], lines, strict=False))
    proved = proof_lines(result)
    if proved:
        return proved
    if result["holds"]:
        return [witness_line(result)]
    if result["evidence"]["kind"] == "adversary":
        return adversary_lines(result["evidence"])
    lines = event_lines(result["evidence"])
    facts = list(zip(["event", *[""] * len(lines)], lines, strict=False))
    columns = columns_line(document, result["evidence"])
    return facts if columns is None else [*facts, ("columns", columns)]
