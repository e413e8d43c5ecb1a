"""The signs of vadhan2023, as the reports print them above the claims and the errata."""

from __future__ import annotations

from typing import Final

__all__ = ["NOTATION"]

NOTATION: Final = (
    (
        "M: a mechanism; x ~ x': neighbouring datasets. X, X' (or Y, Y', P, P', P, Q): two laws or random variables on "
        "the same outcomes, those for x and x'. A two-row matrix such as [1/2 1/2; 1/4 3/4] is a pair of laws, rows "
        "apart by a semicolon; p | q is the probability of an answer on x and on x'."
    ),
    "[u]_+ = max(0, u). a = e^ε, a_i = e^{ε_i}.",
    (
        "D_a(X‖X') = Σ [x - a x']_+, the hockey-stick divergence, which is the largest Pr[X ∈ S] - a Pr[X' ∈ S] over "
        "events S. (ε, δ)-DP is a bound δ of it at a = e^ε, in both orders."
    ),
    (
        "D_∞ = log max x/x', the max-divergence; D_α = log(Σ x^α x'^{1-α})/(α-1), the Rényi divergence of order α > 1; "
        "e^{(α-1)D_α} = Σ x^α x'^{1-α} is its moment."
    ),
    (
        "T(X, X')(α): the trade-off function, the least type II error of a test of type I error at most α. f-DP: T(M(x)"
        ", M(x')) >= f. f_{ε,δ}: the trade-off function of (ε, δ)-DP."
    ),
    (
        "D, ⪯: a generalised distance and its order; for trade-off functions the order is reversed, f ⪯ g iff f >= g, "
        "so sup S is the largest trade-off function below all of S."
    ),
    (
        "RR_ε: randomised response, the true bit with probability e^ε/(1+e^ε). RR_{ε,δ}: it reveals the bit for "
        "certain with probability δ, else it is RR_ε."
    ),
    (
        "B: an adversary; view(B, M(x)): what B sees in its interaction with M on x. A query node is where the "
        "adversary chooses an option (A, B, ...), an answer node where the mechanism draws an answer (0, 1, ...)."
    ),
    (
        "Comp(M_1, ..., M_k), ConComp(M_1, ..., M_k): composition and concurrent composition; (j, q): query q to M_j; "
        "m_i: messages; r_j: coins of M_j."
    ),
    (
        "N: a pair of laws, or its non-interactive mechanism, from which an interactive mechanism is simulated by an "
        "interactive post-processing 𝒫; the tight one has T(N) = the largest trade-off function below all views."
    ),
    "W: a kernel, a row-stochastic matrix; (P, P')·W is the pair of laws after post-processing.",
    (
        "Y_x, Y'_x, f_x = T(Y_x, Y'_x): what follows an answer x, in law and as a trade-off function; ChainRule: the "
        "trade-off function of the answer with what follows it, equation (10)."
    ),
    "F, A(F): a random trade-off function and the point at which it is taken.",
)
"""One entry for each line of the list."""
