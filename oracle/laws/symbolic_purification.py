"""Proofs about purification (Appendix E.1): the exact column order, thresholds, and the non-covering case.

D = C_{epsilon, delta} ⊞_r U on four outputs, u = (1 - r)/4, and Z = D_sorted·G with a clamped geometric post-processor.
"""

from __future__ import annotations

from typing import Any

from oracle.laws import closed_forms as forms
from oracle.laws.proving import Derivation, Domain, Proof

__all__ = [
    "prove_column_order",
    "prove_hidden_threshold",
    "prove_maximal_ratio",
    "prove_non_covering",
    "prove_purification_threshold",
]


def _parameters(domain: Domain, *, delta: str = "whole") -> tuple[Any, Any, Any]:
    """E >= 1, a range of delta, and r in (0, 1)."""
    import sympy  # noqa: PLC0415 - half a second, and only proofs need it

    half = sympy.Rational(1, 2)
    E = domain.at_least("E", 1)
    if delta == "below":
        value = domain.between("delta", 0, half, below=True)
    elif delta == "above":
        value = domain.between("delta", half, 1)
    else:
        value = domain.between("delta")
    return E, value, domain.between("r", above=True, below=True)


def prove_column_order() -> Proof:
    """The exact condition for the middle columns of C to be the extreme columns of D."""
    steps, domain = Derivation(), Domain()
    E, delta, r = _parameters(domain)
    u = (1 - r) / 4
    outer, inner, *_ = forms.purified_columns(E, delta, r)
    # p/q of the middle column of C is greater than that of its δ-column exactly when this is positive.
    order = outer[0] * inner[1] - outer[1] * inner[0]
    bracket = E * u * (1 - 2 * delta) - u - r * delta * (1 - delta)
    steps.identity("the order is that of E u (1-2δ) and u + rδ(1-δ)", order, r / (1 + E) * bracket)
    steps.positive("the factor r/(1+E) is > 0", r / (1 + E), domain)
    mirrored = [column[::-1] for column in forms.purified_columns(E, delta, r)[::-1]]
    steps.identities("the other two columns mirror these", mirrored, forms.purified_columns(E, delta, r))
    steps.positive("the δ-column has p >= q", inner[0] - inner[1], domain, strictly=False)
    below = Domain()
    E, delta, r = _parameters(below, delta="below")
    u = (1 - r) / 4
    bracket = E * u * (1 - 2 * delta) - u - r * delta * (1 - delta)
    bound = forms.column_order_bound(delta, r)
    steps.identity("for δ < 1/2 it is the order of E and the bound", bracket, u * (1 - 2 * delta) * (E - bound))
    steps.positive("u(1-2δ) > 0 for δ < 1/2", u * (1 - 2 * delta), below)
    above = Domain()
    E, delta, r = _parameters(above, delta="above")
    u = (1 - r) / 4
    bracket = E * u * (1 - 2 * delta) - u - r * delta * (1 - delta)
    steps.positive("it is the wrong order for every δ >= 1/2", -bracket, above)
    return steps.done(
        "column-order",
        "For all E >= 1, 0 <= δ <= 1, 0 < r < 1, the middle columns of C_{ε,δ} are strictly the extreme columns of "
        "D = C_{ε,δ} ⊞_r U exactly when δ < 1/2 and E > 1/(1-2δ) + r(1-δ)δ/(0.25(1-r)(1-2δ)).",
        ["E1-cond"],
    )


def prove_maximal_ratio() -> Proof:
    """A channel is purely epsilon'-DP, f_{epsilon', 0} <= T, exactly when no column's ratio exceeds e^epsilon'."""
    import sympy  # noqa: PLC0415

    steps, domain = Derivation(), Domain()
    level = domain.at_least("E", 1)
    alpha, over, under, q = sympy.symbols("alpha over under q")
    # Slack of an event S: over = E P(S) - Q(S); slack of what it leaves: under = E (1 - Q(S)) - (1 - P(S)). Both are
    # sums of the columns' slacks E p - q and E q - p, so they are >= 0 for all S exactly when every column's are.
    power = level * alpha - over
    steps.identity("β - (1 - Eα) is the slack of S", (1 - power) - (1 - level * alpha), over)
    beta = (under + 1 - alpha) / level
    steps.identity("β - (1-α)/E is the slack of its complement over E", beta - (1 - alpha) / level, under / level)
    steps.positive("1/E > 0", 1 / level, domain)
    # A column with E p < q: rejecting on it alone lies below the first line. One with E q < p: accepting on it alone
    # lies below the second.
    p = (q - over) / level
    steps.identity("rejecting on one column misses the line 1 - Eα by its slack", (1 - q) - (1 - level * p), -over)
    p = level * q + over
    alpha = 1 - p
    steps.identity(
        "accepting on one column misses the line (1-α)/E by its slack", q - (1 - alpha) / level, -over / level
    )
    return steps.done(
        "maximal-ratio",
        "For every two-row channel M and every E >= 1, C_{log E,0} ⊑ M, that is f_{log E,0} <= T(M), exactly when "
        "q <= E p and p <= E q in every column; some finite E does exactly when no column has one zero.",
        ["P6"],
    )


def prove_hidden_threshold() -> Proof:
    """The least level of pure privacy of D, before any post-processing."""
    steps, domain = Derivation(), Domain()
    E = domain.at_least("E", 1)
    delta, r = domain.between("delta"), domain.between("r", below=True)
    a, u = (1 - delta) / (1 + E), (1 - r) / 4
    outer, inner, *_ = forms.purified_columns(E, delta, r)
    steps.identity("the δ-column's ratio is 1 + 4rδ/(1-r)", inner[0] / inner[1], 1 + 4 * r * delta / (1 - r))
    steps.identity("the middle ratio is (raE+u)/(ra+u)", outer[0] / outer[1], (r * a * E + u) / (r * a + u))
    for text, column in (("middle", outer), ("δ", inner)):
        steps.positive(f"the {text} column has p >= q", column[0] - column[1], domain, strictly=False)
        steps.positive(f"the {text} column has q > 0", column[1], domain)
    return steps.done(
        "hidden-threshold",
        "For all E >= 1, 0 <= δ <= 1, 0 <= r < 1, D = C_{ε,δ} ⊞_r U is purely ε'-DP exactly when "
        "e^ε' >= max(1 + 4rδ/(1-r), (raE+u)/(ra+u)), u = (1-r)/4.",
        ["E1-D", "P2"],
    )


def prove_purification_threshold() -> Proof:
    """The least level of pure privacy after the geometric post-processor, and the condition for e^epsilon' = 2."""
    import sympy  # noqa: PLC0415

    steps = Derivation()
    _prove_extreme_column(steps)
    E, delta, r, ratio = sympy.symbols("E delta r rho")
    domain = Domain()
    E, delta = domain.at_least("E", 1), domain.between("delta")
    r, ratio = domain.between("r", below=True), domain.between("rho", below=True)
    row = [p for p, _ in forms.purified_columns(E, delta, r)]
    z = forms.post_processed_row(row, forms.geometric_matrix(4, ratio))
    threshold = forms.purification_threshold(E, delta, r, ratio)
    steps.identity("Z_00 / Z_03 is the closed form", z[0] / z[3], threshold)
    steps.positive("Z_03 > 0", z[3], domain)
    half = sympy.Rational(1, 2)
    a, u = (1 - delta) / (1 + E), (1 - r) / 4
    z = forms.post_processed_row(row, forms.geometric_matrix(4, half))
    steps.identity("at ρ = 1/2, 4(2 Z_03 - Z_00) = 5u - ra(2E-5)", 4 * (2 * z[3] - z[0]), 5 * u - r * a * (2 * E - 5))
    return steps.done(
        "purification-threshold",
        "For all E >= 1, 0 <= δ <= 1, 0 <= r < 1, 0 <= ρ < 1 for which the middle columns of C_{ε,δ} are the "
        "extreme ones of D, Z = D_sorted·G_ρ is purely ε'-DP exactly when e^ε' >= (ra(E+ρ³)+ρrδ+u(1+ρ+ρ²+ρ³)) / "
        "(ra(1+ρ³E)+ρ²rδ+u(1+ρ+ρ²+ρ³)), u = (1-r)/4; for the paper's ρ = 1/2, "
        "C_{log 2,0} ⊑ Z exactly when ra(2E-5) <= 5u.",
        ["E1-Z", "P6"],
    )


def _prove_extreme_column(steps: Derivation) -> None:
    """The first column of Z has its greatest ratio, if D's columns are sorted: D = (d0, d1, d2, d3), mirrored below."""
    domain = Domain()
    d3, d2 = domain.at_least("d3", 0, strictly=True), domain.at_least("d2", 0, strictly=True)
    s, t = domain.at_least("s", 0), domain.at_least("t", 0)
    ratio = domain.between("rho", below=True)
    row = [d3 * (1 + s + t), d2 * (1 + s), d2, d3]
    matrix = forms.geometric_matrix(4, ratio)
    for i, entries in enumerate(matrix):
        steps.identity(f"row {i} of G sums to 1", sum(entries), 1)
    z, mirrored = forms.post_processed_row(row, matrix), forms.post_processed_row(row[::-1], matrix)
    steps.identities("row 1 of Z is row 0 reversed", [mirrored], [z[::-1]])
    steps.positive("the inner ratio of Z is >= 1", z[1] - z[2], domain, strictly=False)
    steps.positive("the outer ratio of Z is at least the inner", z[0] * z[2] - z[1] * z[3], domain, strictly=False)


def prove_non_covering() -> Proof:
    """D' with a uniform choice on the middle four outputs is a visible choice of the identity and a covered D."""
    steps, domain = Derivation(), Domain()
    E, delta, seen = domain.at_least("E", 1), domain.between("delta1"), domain.between("delta2", below=True)
    weight = domain.between("r")
    rho = weight * (1 - seen) / (1 - weight * seen)
    kept = 1 - weight * seen
    inner = forms.approximate_dp_columns(E, delta)
    u = (1 - weight) / 4
    direct = [(weight * (1 - seen) * p + u, weight * (1 - seen) * q + u) for p, q in inner]
    nested = [(kept * (rho * p + (1 - rho) / 4), kept * (rho * q + (1 - rho) / 4)) for p, q in inner]
    steps.identities("the four covered columns agree", direct, nested)
    steps.identity("the two columns left out have the weight r'δ2", weight * seen, 1 - kept)
    steps.positive("1 - r'δ2 > 0", kept, domain)
    steps.positive("0 <= ρ", rho, domain, strictly=False)
    steps.positive("ρ <= 1", 1 - rho, domain, strictly=False)
    return steps.done(
        "non-covering",
        "For all E >= 1, 0 <= δ1 <= 1, 0 <= δ2 < 1, 0 <= r' <= 1, (I ⊕_{δ2} C_{ε,δ1}) ⊞_{r'} U on the middle four "
        "outputs is I ⊕_{r'δ2} (C_{ε,δ1} ⊞_ρ U) with ρ = r'(1-δ2)/(1-r'δ2).",
        ["E1-D'"],
    )
