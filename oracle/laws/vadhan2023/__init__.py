"""Claims of Vadhan, Zhang: Concurrent Composition Theorems for Differential Privacy (STOC 2023)."""

from __future__ import annotations

from oracle.laws.record import ClaimRecord
from oracle.laws.vadhan2023 import (
    chain_rules,
    completeness,
    concurrency,
    couplings,
    diagram,
    distances,
    optimal_composition,
    post_processing,
    protocols,
    pure_mechanisms,
    renyi_adversaries,
    simulations,
    tradeoff_chain_rule,
    tradeoff_functions,
)

__all__ = ["CLAIMS"]

_ORDER = (
    *("Def1.1", "Def1.2", "Def Comp, ConComp", "Thm1.1/1.2 (VW21)", "VW21"),
    *("Def1.6 T", "Prop1.7", "f_{eps,delta}", "DP<=>f"),
    *("Def gen.distance", "Lemma2.1/2.2", "Lemma2.3", "Lemma2.4 completeness", "det adversaries"),
    *("Blackwell", "KOV RR", "Lemma1.6/3.1", "coupling, Renyi", "Def3.4, KL chain", "Renyi chain"),
    *("(10), Lemma1.7/3.3", "continuity", "Thm1.5/4.1", "Thm4.1 for Renyi", "Thm1.4", "Thm1.3", "MV16/KOV15"),
    *("interleaving", "Thm5.1, Lem5.2", "Lem5.3/5.4/5.5", "Fig1"),
)
"""The published ids in the paper's order; the modules group them by subject."""

CLAIMS: tuple[ClaimRecord, ...] = tuple(
    sorted(
        (
            *protocols.CLAIMS,
            *pure_mechanisms.CLAIMS,
            *tradeoff_functions.CLAIMS,
            *distances.CLAIMS,
            *completeness.CLAIMS,
            *post_processing.CLAIMS,
            *couplings.CLAIMS,
            *chain_rules.CLAIMS,
            *tradeoff_chain_rule.CLAIMS,
            *simulations.CLAIMS,
            *concurrency.CLAIMS,
            *optimal_composition.CLAIMS,
            *renyi_adversaries.CLAIMS,
            *diagram.CLAIMS,
        ),
        key=lambda claim: _ORDER.index(claim.id),
    )
)
"""One record for each published claim id, in the paper's order."""
