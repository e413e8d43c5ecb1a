"""What is to be known of an interactive mechanism by itself: its size and its tight guarantee."""

from __future__ import annotations

from typing import Any, Final

from gmpy2 import mpq, mpz
from tabulate import tabulate

from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import tradeoff_of
from oracle.channels.profile import least_level
from oracle.errors import LimitError
from oracle.exact import to_text
from oracle.interactive.adversaries import count_strategies
from oracle.interactive.tightness import tight_channel
from oracle.interactive.tree import AnswerNode, InteractiveMechanism, QueryNode
from oracle.render.words import number, short

__all__ = ["tree_facts", "tree_report"]

_MOST_CORNERS: Final = 12


def tree_facts(mechanism: InteractiveMechanism) -> dict[str, Any]:
    """Size, hash and tight guarantee as JSON; all values are suprema over all adversaries, in both directions.

    ``adversaries`` is the number of deterministic ones, null where that has more than 100,000 digits. The trade-off
    function is that of T(P, Q); the one of T(Q, P) is its inverse.
    """
    channel = tight_channel(mechanism)
    queries, answers = (sum(isinstance(node, kind) for node in mechanism.nodes) for kind in (QueryNode, AnswerNode))
    return {
        "name": mechanism.name,
        "sha256": mechanism.hash,
        "nodes": mechanism.size,
        "query_nodes": queries,
        "answer_nodes": answers,
        "depth": mechanism.depth,
        "adversaries": _adversaries(mechanism),
        "tight_exp_epsilon": to_text(least_level(channel, mpq(0))),
        "total_variation": to_text(hockey_stick(channel, mpq(1))),
        "tradeoff": tradeoff_of(channel).to_json(),
    }


def _adversaries(mechanism: InteractiveMechanism) -> str | None:
    try:
        return str(mpz(count_strategies(mechanism)))
    except LimitError:
        return None


def tree_report(facts: dict[str, Any]) -> str:
    """The same as lines for a terminal."""
    count = "more than 10^100000" if facts["adversaries"] is None else short(facts["adversaries"])
    level = facts["tight_exp_epsilon"]
    rows = [
        ("adversaries", count),
        ("tight exp_epsilon", "inf (no epsilon serves at delta = 0)" if level == "inf" else number(level, "up")),
        ("total variation", number(facts["total_variation"], "up")),
        ("SHA-256", facts["sha256"]),
    ]
    corners = facts["tradeoff"]["breakpoints"]
    shown = [[number(alpha, "down"), number(beta, "down")] for alpha, beta in corners[:_MOST_CORNERS]]
    more = len(corners) - _MOST_CORNERS
    return "\n".join(
        [
            *(f"{name:<18}{value}" for name, value in rows),
            "",
            "corners of T(P, Q), the largest below those of all views",
            tabulate(shown, headers=["alpha", "beta"], tablefmt="plain", disable_numparse=True),
            *([f"... {more} more, with --json"] if more > 0 else []),
        ]
    )
