"""Figure 1 as an exchange of messages in time, and the curves of concurrent compositions beside their bounds.

The paper has no plots. Its figure 1 is a diagram of an adversary between k mechanisms; it is drawn here for two copies
of the mechanism in which interleaving pays, with the messages of the best adversary. Corners are exact.
"""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.galois import tradeoff_of
from oracle.interactive.comparison import Comparison
from oracle.interactive.examples import interleaving, unattained
from oracle.interactive.tree import InteractiveMechanism
from oracle.laws.figures import Figure, Panel, Series
from oracle.laws.vadhan2023._facts import ONE, ZERO
from oracle.laws.vadhan2023.diagram import drawn_probabilities, drawn_view
from oracle.theorems.composition_bounds import optimal_channel

__all__ = ["FIGURES", "exchange"]

HALF: Final = mpq(1, 2)
LEVELS: Final = (mpq(2), mpq(2))
"""The numbers e^ε_i at which the optimal composition bound starts; δ_i is the least for them."""
_Points = tuple[tuple[mpq, mpq], ...]


def exchange() -> tuple[list[tuple[mpq, mpq]], list[tuple[mpq, mpq]], list[tuple[mpq, mpq]]]:
    """The drawn view as a path in time between three lanes, with its queries and its answers.

    M_1 is at 1, the adversary at 1/2, M_2 at 0. A query leaves the adversary and its answer is back two steps later.
    """
    path, queries, answers = [(ZERO, HALF)], [], []
    for kind, label in drawn_view().steps:
        lane = ONE if label.startswith("1.") else ZERO
        when = path[-1][0] + 1
        if kind == "query":
            path.append((when, lane))
            queries.append((when, lane))
        else:
            path.append((when, HALF))
            answers.append((when, HALF))
    return path, queries, answers


def _diagram() -> Figure:
    view = drawn_view()
    path, queries, answers = exchange()
    end = path[-1][0]
    heard = [tuple((mpq(k), value) for k, value in enumerate(drawn_probabilities(row))) for row in (0, 1)]
    words = {"query": "ask", "answer": "hear"}
    said = ", ".join(f"{words[kind]} {label}" for kind, label in view.steps)
    return Figure(
        "fig-1",
        "An adversary and two mechanisms, queried concurrently",
        "Left, time runs to the right; a line goes from the adversary in the middle to M_1 at the top and back, to M_2 "
        "at the bottom and back, then to M_1 and to M_2 once more: " + said + ". Right, the probability of what has "
        "been heard falls from 1 to 9/16 on the first input and from 1 to 1/16 on the second.",
        ("Fig1", "interleaving", "Def Comp, ConComp"),
        (
            Panel(
                "messages: M_1 at 1, adversary at 1/2, M_2 at 0",
                "messages exchanged",
                "lane",
                (
                    Series("the exchange", tuple(path)),
                    Series("a query reaches a mechanism", tuple(queries), "point"),
                    Series("its answer reaches the adversary", tuple(answers), "point"),
                ),
                x_range=(ZERO, end),
            ),
            Panel(
                "probability of what has been heard",
                "messages exchanged",
                "probability",
                (
                    Series("on the first input", heard[0]),
                    Series("on the second input", heard[1]),
                ),
                x_range=(ZERO, end),
            ),
        ),
        "Figure 1 of the paper is a diagram of this exchange for k mechanisms, without numbers; there is nothing to "
        "check in it. The mechanism drawn is ours: its first answer is 0 with probability 3/4 | 1/2; after 0 the "
        "adversary asks A, answered 0 with 1 | 1/2, or B, answered 0 with 1/2 | 1.",
    )


def _curve(channel: Channel) -> _Points:
    return tradeoff_of(channel).corners


def _panel(title: str, mechanisms: list[InteractiveMechanism]) -> Panel:
    """Trade-off functions of one pair of mechanisms; lower is more revealing."""
    compared = Comparison.of(mechanisms)
    first, second = compared.sequential
    return Panel(
        title,
        "type I error α",
        "type II error β",
        (
            Series("one after the other, M_1 first", _curve(first)),
            Series("one after the other, M_2 first", _curve(second)),
            Series("concurrent, tight", _curve(compared.concurrent)),
            Series("N_1 x N_2, bound of theorem 1.4", _curve(compared.product)),
            Series("optimal composition, from e^ε = 2", _curve(optimal_channel(compared.guarantees(LEVELS)))),
        ),
        y_range=(ZERO, mpq(3, 4)),
    )


def _compared() -> Figure:
    return Figure(
        "concurrent",
        "Concurrent composition beside both orders and its bounds",
        "Trade-off functions of two mechanisms. On each pair of axes the curves of the two sequential orders are the "
        "highest, the concurrent one is at or below them, then N_1 x N_2, and the optimal bound from (ε, δ) alone is "
        "the lowest. Left, two copies of the interleaving example: the concurrent curve passes through (1/4, 1/16), "
        "where both orders are at 9/80, and is N x N. Middle, the example with another mechanism: the orders differ. "
        "Right, two copies of that other mechanism: concurrent and sequential are the same and stay above N x N.",
        ("Thm1.4", "Thm1.3", "interleaving", "MV16/KOV15"),
        (
            _panel("two copies of the interleaving example", [interleaving()] * 2),
            _panel("the example, and A: 0 | 1/3, B: 1/4 | 3/4", [interleaving(), unattained()]),
            _panel("two copies of A: 0 | 1/3, B: 1/4 | 3/4", [unattained()] * 2),
        ),
        "Not in the paper. Theorem 1.4 bounds the concurrent curve by that of N_1 x N_2; it is attained on the left "
        "and in the middle and not on the right, where D_1 is 7/12 and the bound 2/3.",
    )


FIGURES: Final[tuple[Figure, ...]] = (_diagram(), _compared())
"""Figure 1, then the comparison."""
