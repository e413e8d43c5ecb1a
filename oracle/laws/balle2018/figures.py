"""Table 1 as a picture, and plots of the bounds as the supplement has them, from exact points.

Laplace noise with e^(θ/2) = t has δ = 1 - r/t at e^ε = r², and 1 - r/t^k for a group of k: rational at rational r.
Where a bound needs the profile at ε/k as well, r is a power of a rational. Points are joined by straight lines.
"""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from oracle.laws.balle2018._facts import ONE, ZERO
from oracle.laws.balle2018._samples import (
    binomial_weight,
    excess,
    group_profile,
    level_between,
    on_the_same_outcomes,
    poisson,
)
from oracle.laws.balle2018.incompatible import BASE, BASE_ROWS, supplement_bound
from oracle.laws.figures import Figure, Panel, Series
from oracle.theorems.groups import black_box_bound

__all__ = ["FIGURES", "groups_compared"]

T: Final = mpq(7, 5)
"""The number e^(θ/2) of the Laplace noise drawn."""
HALF: Final = mpq(1, 2)
_Points = tuple[tuple[mpq, mpq], ...]


def _known(k: int, r: mpq) -> mpq:
    """The group profile of Laplace noise at e^ε = r²."""
    return max(ZERO, 1 - r / T**k)


def groups_compared(k: int, root: mpq) -> tuple[mpq, mpq]:
    """The group profile of Laplace noise at e^ε = root^(2k), known and derived from the profile alone."""
    return _known(k, root**k), black_box_bound(k, root**2, _known(1, root))


def _grid(low: mpq, high: mpq, steps: int) -> list[mpq]:
    return [low + (high - low) * i / steps for i in range(steps + 1)]


def _table_1() -> Figure:
    rates = [(mpq(m, 20), 1 - mpq(19, 20) ** m) for m in range(21)]
    small = [(mpq(m, 5), 1 - mpq(4, 5) ** m) for m in range(6)]
    weights = [
        Series(f"n = {n}, m = {m}", tuple((mpq(k), binomial_weight(n, m, k)) for k in range(1, m + 1)))
        for n, m in ((10, 10), (5, 3), (3, 2), (2, 2))
    ]
    return Figure(
        "table-1",
        "Amplification parameter and weights of Table 1",
        "Left, η against the rate m/n or γ: the straight line of Poisson sampling and of sampling without "
        "replacement, and below it the curves of sampling with replacement, which end at 2101/3125 for n = 5 and "
        "lower for n = 20. Right, the weights of the group profiles with replacement, falling with k.",
        ("Table1", "Thm10 approx"),
        (
            Panel(
                "η against the rate",
                "rate γ or m/n",
                "η",
                (
                    Series("Poisson, without replacement: η = rate", ((ZERO, ZERO), (ONE, ONE))),
                    Series("with replacement, n = 5", tuple(small)),
                    Series("with replacement, n = 20", tuple(rates)),
                ),
            ),
            Panel(
                "weights with replacement",
                "k, the times that the record is drawn",
                "weight of the group profile of k",
                tuple(weights),
                x_range=(ZERO, mpq(12)),
                y_range=(ZERO, HALF),
            ),
        ),
        "The table is right. That η is near the rate with replacement, as the text says, holds for small rates only: "
        "at rate 1 it is 2101/3125 for n = 5 and tends to 1 - 1/e.",
    )


def _groups() -> Panel:
    known = tuple((r**2, _known(2, r)) for r in _grid(ONE, T**2, 20))
    derived = tuple((w**4, groups_compared(2, w)[1]) for w in _grid(ONE, T, 20))
    single = tuple((r**2, _known(1, r)) for r in _grid(ONE, T, 20))
    return Panel(
        "Laplace noise, e^(θ/2) = 7/5",
        "e^ε",
        "δ",
        (
            Series("profile δ", single),
            Series("group of 2, known", known),
            Series("group of 2, derived from δ", derived),
        ),
        x_range=(ONE, mpq(5)),
    )


def _amplified(eta: mpq, weights: list[mpq], roots: list[mpq]) -> _Points:
    """(a', bound) with the group profiles of Laplace noise known."""
    return tuple(
        (level_between(eta, r**2), sum((w * _known(k, r) for k, w in enumerate(weights, 1)), ZERO)) for r in roots
    )


def _sampling() -> Panel:
    """A source of n = 4 records and a sample of m = 2, or rate 1/2."""
    n, m = 4, 2
    weights = [binomial_weight(n, m, k) for k in (1, 2)]
    eta = sum(weights, ZERO)
    roots = sorted({*_grid(ONE, T, 12), *_grid(T, T**2, 8)})
    derived = tuple(
        (
            level_between(eta, w**4),
            weights[0] * _known(1, w**2) + weights[1] * groups_compared(2, w)[1],
        )
        for w in _grid(ONE, T, 20)
    )
    return Panel(
        "samples of 2 from 4, or rate 1/2",
        "e^ε', after sampling",
        "bound on δ'",
        (
            Series("no sampling: δ", _amplified(ONE, [ONE], [*_grid(ONE, T, 16)])),
            Series("Poisson, without replacement", _amplified(HALF, [HALF], [*_grid(ONE, T, 16)])),
            Series("with replacement, groups known", _amplified(eta, weights, roots)),
            Series("with replacement, groups derived", derived),
        ),
        x_range=(ONE, mpq(3)),
        y_range=(ZERO, HALF),
    )


def _substituted() -> Panel:
    """Poisson subsampling at rate 1/2 of {a, v} and {a, w}, for the mechanism of the claim's worked values."""
    known, levels = BASE.databases, _grid(ONE, mpq(5), 24)
    _, laws = on_the_same_outcomes(poisson(("a", "v"), HALF), poisson(("a", "w"), HALF), outcomes=known)
    table = tuple(
        tuple(sum((p * row[j] for p, row in zip(law, BASE_ROWS, strict=True)), ZERO) for j in (0, 1)) for law in laws
    )

    def theorem_7(level: mpq) -> mpq:
        group, b = group_profile(BASE, BASE_ROWS, level), level_between(HALF, level) / level
        return HALF * ((1 - b) * group(1) + b * group(2))

    raised = [level_between(HALF, level) for level in levels]
    return Panel(
        "Poisson under substitution, n = 2, γ = 1/2",
        "e^ε', after sampling",
        "δ' of one pair of inputs",
        (
            Series("true for {a, v}, {a, w}", tuple((a, excess(table, a)) for a in raised)),
            Series("bound of theorem 7", tuple(zip(raised, map(theorem_7, levels), strict=True))),
            Series(
                "bound of the supplement",
                tuple(
                    (a, supplement_bound(BASE, BASE_ROWS, 2, HALF, level))
                    for a, level in zip(raised, levels, strict=True)
                ),
            ),
        ),
        x_range=(ONE, mpq(3)),
        y_range=(ZERO, HALF),
    )


def _figure_1() -> Figure:
    return Figure(
        "fig-1",
        "Plots of the bounds",
        "Left, the group profile of Laplace noise for two records lies below the bound derived from the profile "
        "alone. Middle, the bounds for samples of half the records fall well below the unsampled profile; those with "
        "replacement reach further right, since two draws of one record need the group profile. Right, for Poisson "
        "subsampling under substitution both bounds lie above the true value of a pair; that of theorem 7 is the "
        "lower one and reaches 0, that of the supplement does not.",
        ("Fig1 (suppl.)", "white-box", "Thm8", "Thm9", "Thm10", "Poisson/S suppl.", "incompat d_r"),
        (_groups(), _sampling(), _substituted()),
        "Drawn anew with parameters for which every point is exact, not copied. The bound of theorem 7 on the "
        "right is not in the paper.",
    )


FIGURES: Final[tuple[Figure, ...]] = (_table_1(), _figure_1())
"""Table 1, then figure 1 of the supplement."""
