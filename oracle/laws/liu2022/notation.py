"""The signs of liu2022, as the reports print them above the claims and the errata."""

from __future__ import annotations

from typing import Final

__all__ = ["NOTATION"]

NOTATION: Final = (
    (
        "A: an algorithm (a mechanism); P, Q: its laws on two neighbouring inputs, each pair in both orders, since the "
        "relation is symmetric. A two-row matrix is written [1/2 1/2; 1/4 3/4], rows apart by a semicolon; "
        "(p1, p2) | (q1, q2) is the same."
    ),
    "[u]_+ = max(0, u). a = e^ε, a0 = e^{ε0}; everything rational is said in a, which is exact, and not in ε.",
    "D_a(P‖Q) = Σ_z [P(z) − a Q(z)]_+, the hockey stick, which is the largest P(S) − a Q(S) over events S.",
    (
        "δ_A(ε): the privacy profile, the least δ for which A is (ε, δ)-DP: the largest D_{e^ε}(P‖Q) over neighbouring "
        'inputs. δ^(ε): the refined profile; "naive" is the one read off a formula as it stands.'
    ),
    "Φ, φ: the standard normal distribution function and density. m(t) = Φ(−t)/φ(t): Mills' ratio.",
    (
        "δ_μ(ε) = Φ(−ε/μ + μ/2) − e^ε Φ(−ε/μ − μ/2): the profile of N(0, 1) against N(μ, 1); δ_0 = 0. In tails "
        "a = ε/μ − μ/2 and b = ε/μ + μ/2 = a + μ, where no e^ε is named a."
    ),
    "μ-GDP: T(P, Q) >= G_μ, the trade-off function of N(0, 1) and N(μ, 1); the same as δ_A <= δ_μ on [0, ∞).",
    (
        "μ_GDP(ε, δ): the μ with δ_μ(ε) = δ, 0 for δ = 0 and ∞ for δ = 1. G_A(ε) = μ_GDP(ε, δ_A(ε)): the GDP "
        "transform (GDPT). Tight μ: the least μ for which A is μ-GDP, sup G_A."
    ),
    (
        "(ε_h, μ)-head: δ_A <= δ_μ on [0, ε_h]. (ε_t, μ)-tail: δ_A <= δ_μ on [ε_t, ∞). L = limsup ε²/(−2 log δ_A(ε)) "
        "for ε → ∞, and μ_t = √L."
    ),
    (
        "θ = Δ/b: sensitivity over the scale of Laplace noise. SGD: σ = A √(log(B/δ))/ε with A = 2, B = 1, σ = 2. "
        "ICEA: m > 10 log(n/(εδ)) with m = 20 messages, n = 4 users. ε*: where a refined profile leaves its head "
        "1 − C (1 + e^ε)."
    ),
    (
        "μ-, μ+: the two numbers of the measurement algorithm on a grid ε_0 < ... < ε_n. r, k: weight and number of "
        "outputs of mixing with uniform outputs. B: bound of likelihood ratios. q: sampling rate."
    ),
)
"""One entry for each line of the list."""
