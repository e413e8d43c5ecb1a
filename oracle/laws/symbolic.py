"""Closed forms proved for all parameters, and the table of all proofs that claims link to.

Each function derives its statement again when it is called and returns the :class:`~oracle.laws.proving.Proof`, or
raises :class:`~oracle.laws.proving.ProofError`. sympy loads when the first proof runs.

Used throughout (Neyman-Pearson, proved by the law L1): if the columns of a channel are sorted by q/p, the tests that
reject the last k of them have the corners of T(P, Q); a point between columns of different ratio is a proper corner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from oracle.laws import closed_forms as forms
from oracle.laws.proving import Derivation, Domain, Proof
from oracle.laws.symbolic_purification import (
    prove_column_order,
    prove_hidden_threshold,
    prove_maximal_ratio,
    prove_non_covering,
    prove_purification_threshold,
)

__all__ = ["PROOFS", "prove"]

Column = tuple[Any, Any]


def cross(left: Column, right: Column) -> Any:  # noqa: ANN401 - a sympy expression
    """p_left q_right - q_left p_right: > 0 exactly when the right column has the greater ratio q/p."""
    return left[0] * right[1] - left[1] * right[0]


def _is_distribution(steps: Derivation, name: str, columns: Sequence[Column]) -> None:
    for row in (0, 1):
        steps.identity(f"row {row} of {name} sums to 1", sum(column[row] for column in columns), 1)


def _sorted(steps: Derivation, name: str, columns: Sequence[Column], domain: Domain, *, strictly: bool) -> None:
    for k, (left, right) in enumerate(pairwise(columns)):
        relation = "<" if strictly else "<="
        text = f"{name}: ratio of column {k} {relation} ratio of column {k + 1}"
        steps.positive(text, cross(left, right), domain, strictly=strictly)


def prove_approximate_dp_curve() -> Proof:
    """T(C_{epsilon, delta}) = f_{epsilon, delta}."""
    steps, domain = Derivation(), Domain()
    E, delta = domain.at_least("E", 1), domain.between("delta")
    columns, corners = forms.approximate_dp_columns(E, delta), forms.approximate_dp_corners(E, delta)
    _is_distribution(steps, "C", columns)
    _sorted(steps, "C", columns, domain, strictly=False)
    _, *cumulated = forms.cumulative_corners(columns)
    steps.identities("the cumulative sums are (0, 1-δ), (a, a), (1-δ, 0), (1, 0)", cumulated, corners)
    lines = [(1 - delta, -E), ((1 - delta) / E, -1 / E), (delta * 0, delta * 0)]
    for k, ((start, slope), ends) in enumerate(zip(lines, pairwise(corners), strict=True), start=1):
        for alpha, beta in ends:
            steps.identity(f"line {k} of f passes through the corner at α = {alpha}", start + slope * alpha, beta)
    # Slopes that increase make the broken line convex, and a convex broken line is the maximum of its lines.
    steps.positive("the slopes increase: -E <= -1/E", E - 1 / E, domain, strictly=False)
    steps.positive("the slopes increase: -1/E < 0", 1 / E, domain)
    return steps.done(
        "approximate-dp-curve",
        "For all E >= 1 and 0 <= δ <= 1, T(C_{ε,δ})(α) = max(0, 1-δ-Eα, (1-δ-α)/E), with corners (0, 1-δ), (a, a), "
        "(1-δ, 0), (1, 0), a = (1-δ)/(1+E).",
        ["Fig2/E-f", "E9"],
    )


def prove_visible_choice() -> Proof:
    """C_{epsilon, delta} = C_{inf, 0} ⊕_delta C_{epsilon, 0}."""
    steps, domain = Derivation(), Domain()
    E, delta = domain.at_least("E", 1), domain.between("delta")
    identity = [(delta, 0), (0, delta)]
    response = [((1 - delta) * p, (1 - delta) * q) for p, q in forms.approximate_dp_columns(E, delta * 0)[1:3]]
    chosen = [identity[0], *response, identity[1]]
    steps.identities("the columns agree, in the order of q/p", chosen, forms.approximate_dp_columns(E, delta))
    whole = forms.approximate_dp_corners(E, delta)[:3]
    pure = forms.approximate_dp_corners(E, delta * 0)[:3]
    scaled = [((1 - delta) * alpha, (1 - delta) * beta) for alpha, beta in pure]
    steps.identities("T(C_{ε,δ})((1-δ)α) = (1-δ) T(C_{ε,0})(α) at the corners", scaled, whole)
    return steps.done(
        "visible-choice",
        "For all E >= 1 and 0 <= δ <= 1, C_{ε,δ} = C_{∞,0} ⊕_δ C_{ε,0} up to the order of columns, and "
        "T(C_{ε,δ})((1-δ)α) = (1-δ) T(C_{ε,0})(α) for all α (both sides are linear between the corners).",
        ["E-ced"],
    )


def prove_nested_visible_choice() -> Proof:
    """A visible choice of the identity and C_{epsilon, delta} is a canonical channel again."""
    steps, domain = Derivation(), Domain()
    E, inner, outer = domain.at_least("E", 1), domain.between("delta1"), domain.between("delta2")
    first, *middle, last = forms.approximate_dp_columns(E, inner)
    merged = [(outer + (1 - outer) * first[0], 0), *(((1 - outer) * p, (1 - outer) * q) for p, q in middle)]
    merged.append((0, outer + (1 - outer) * last[1]))
    total = outer + (1 - outer) * inner
    steps.identities(
        "the columns agree once (p, 0) and (0, q) are merged", merged, forms.approximate_dp_columns(E, total)
    )
    return steps.done(
        "nested-visible-choice",
        "For all E >= 1 and 0 <= δ1, δ2 <= 1, I ⊕_{δ2} C_{ε,δ1} ≡ C_{ε,δ} with δ = δ2 + (1-δ2)δ1.",
        ["E1-D'"],
    )


def prove_subsampled_corners() -> Proof:
    """The points A, B, C, D of the sub-sampled worst case, and when they are proper corners."""
    steps, domain = Derivation(), Domain()
    E, delta, gamma = domain.at_least("E", 1), domain.between("delta"), domain.between("gamma")
    columns = forms.subsampled_columns(E, delta, gamma)
    _is_distribution(steps, "P·C", columns)
    _sorted(steps, "P·C", columns, domain, strictly=False)
    corners = forms.cumulative_corners(columns)[1:]
    steps.identities("the cumulative sums are A, B, C, D", corners, forms.subsampled_corners(E, delta, gamma))
    inner = Domain()
    E = inner.at_least("E", 1, strictly=True)
    delta = inner.between("delta", above=True, below=True)
    gamma = inner.between("gamma", above=True)
    _sorted(steps, "P·C for E > 1, 0 < δ < 1, γ > 0", forms.subsampled_columns(E, delta, gamma), inner, strictly=True)
    return steps.done(
        "subsampled-corners",
        "For all E >= 1, 0 <= δ <= 1, 0 <= γ <= 1, T(P·C_{ε,δ}) is the broken line through A = (0, 1-γδ), "
        "B = (a, (1-γ)(δ+aE)+γa), C = (1-δ, (1-γ)δ), D = (1, 0); "
        "for E > 1, 0 < δ < 1, γ > 0 all four are proper corners.",
        ["S-pts", "Alg3/P"],
    )


def prove_gain_at_b() -> Proof:
    """The gain at B and its sign."""
    steps, domain = Derivation(), Domain()
    E, delta, gamma = domain.at_least("E", 1), domain.between("delta"), domain.between("gamma")
    a = (1 - delta) / (1 + E)
    gain = forms.gain_at_b(E, delta, gamma)
    beta = forms.subsampled_corners(E, delta, gamma)[1][1]
    steps.identity("B - T(C_{ε,δ})(a) = (1-γ)(δ + a(E-1))", beta - a, gain)
    steps.identity("the same is (1-γ)(1-2a)", gain, (1 - gamma) * (1 - 2 * a))
    steps.identity("the same is (1-γ)(E-1+2δ)/(E+1)", gain, (1 - gamma) * (E - 1 + 2 * delta) / (E + 1))
    steps.positive("it is >= 0", gain, domain, strictly=False)
    for which, strict in (("ε > 0", {"E": True, "delta": False}), ("δ > 0", {"E": False, "delta": True})):
        inner = Domain()
        E = inner.at_least("E", 1, strictly=strict["E"])
        delta, gamma = inner.between("delta", above=strict["delta"]), inner.between("gamma", below=True)
        steps.positive(f"it is > 0 for γ < 1 and {which}", forms.gain_at_b(E, delta, gamma), inner)
    return steps.done(
        "gain-at-b",
        "For all E >= 1, 0 <= δ, γ <= 1, sub-sampling lifts the curve at α = a by (1-γ)δ + a(1-γ)(E-1) = "
        "(1-γ)(E-1+2δ)/(E+1) >= 0, and by more than 0 if γ < 1 and ε > 0 or δ > 0.",
        ["S-pts"],
    )


def prove_preprocessing_line() -> Proof:
    """T(P·M)(alpha) = gamma T(M)(alpha) + (1 - gamma)(1 - alpha) for every channel."""
    import sympy  # noqa: PLC0415 - half a second, and only proofs need it

    steps, domain = Derivation(), Domain()
    gamma = domain.between("gamma")
    alpha, power = sympy.symbols("alpha power")
    # A test is a vector φ; its level α = pφ and power qφ are linear in the rows, so those of P·M are combinations.
    image = (1 - gamma) * alpha + gamma * power
    mapped = gamma * (1 - power) + (1 - gamma) * (1 - alpha)
    steps.identity("a test of level α and type II error β of M has γβ + (1-γ)(1-α) for P·M", 1 - image, mapped)
    # At a fixed level the new error grows with the old one, so the same test is best for both.
    beta = sympy.Symbol("beta")
    slope = sympy.diff(gamma * beta + (1 - gamma) * (1 - alpha), beta)
    steps.positive("that grows with β at a fixed α", slope, domain, strictly=False)
    # Both curves are the least error at exactly the level α: randomising up to level α never hurts.
    a0, a1, b0, b1, x = sympy.symbols("alpha0 alpha1 beta0 beta1 x")
    between = b0 + (b1 - b0) * (x - a0) / (a1 - a0)
    ends = [gamma * b + (1 - gamma) * (1 - a) for a, b in ((a0, b0), (a1, b1))]
    line = ends[0] + (ends[1] - ends[0]) * (x - a0) / (a1 - a0)
    steps.identity("a segment of T(M) goes to a segment of T(P·M)", line, gamma * between + (1 - gamma) * (1 - x))
    left, right = sympy.symbols("p0 q0"), sympy.symbols("p1 q1")
    images = [(p, (1 - gamma) * p + gamma * q) for p, q in (left, right)]
    steps.identity(
        "the order of two ratios stays: their cross product times γ", cross(*images), gamma * cross(left, right)
    )
    return steps.done(
        "preprocessing-line",
        "For every two-row channel M, every 0 <= γ <= 1 and P = [1 0; 1-γ γ], T(P·M)(α) = γ T(M)(α) + (1-γ)(1-α).",
        ["S-id", "S-pts"],
    )


PROOFS: Final[Mapping[str, Callable[[], Proof]]] = {
    "approximate-dp-curve": prove_approximate_dp_curve,
    "visible-choice": prove_visible_choice,
    "nested-visible-choice": prove_nested_visible_choice,
    "subsampled-corners": prove_subsampled_corners,
    "gain-at-b": prove_gain_at_b,
    "preprocessing-line": prove_preprocessing_line,
    "column-order": prove_column_order,
    "maximal-ratio": prove_maximal_ratio,
    "hidden-threshold": prove_hidden_threshold,
    "purification-threshold": prove_purification_threshold,
    "non-covering": prove_non_covering,
}
"""Every proof by name."""


def prove(name: str) -> Proof:
    """Run one proof.

    Raises:
        ProofError: if a step is not confirmed.
    """
    return PROOFS[name]()
