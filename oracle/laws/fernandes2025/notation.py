"""The signs of fernandes2025, as the reports print them above the claims and the errata."""

from __future__ import annotations

from typing import Final

__all__ = ["NOTATION"]

NOTATION: Final = (
    (
        "Channel: a matrix with a row of output probabilities for each input, written [1/2 1/2; 1/4 3/4], rows apart "
        "by a semicolon. The two rows are p (input D0, hypothesis H0, law P) and q (D1, H1, Q); an output is a column "
        "(p_y, q_y). Zero columns (0, 0) may be left out. I = [1 0; 0 1] tells the input, [1; 1] tells nothing."
    ),
    (
        "Test: a set S of outputs on which H0 is rejected (or a probability φ(y) of rejecting at each output), with "
        "type I error α = p(S) and type II error β = 1 − q(S)."
    ),
    (
        "T(M), the curve or trade-off function of M: T(M)(α) is the least β of tests with error at most α. So one test "
        "with errors (α, β) shows T(M)(α) ≤ β. Adding up the columns in the order of decreasing q/p gives its corners, "
        "from (0, 1 − the sum of q over columns with p = 0) to (1, 0); it is straight between them. The α of the "
        "corners are its facets."
    ),
    (
        "F: all trade-off functions: f convex from [0, 1] to [0, 1], f(α) ≤ 1 − α (and continuous at 0, see D3). f ⊔ "
        "g is the pointwise maximum, f ⊓ g (meet, lattice minimum) the greatest member of F below both."
    ),
    (
        "f^α = [1 − α, α; f(α), 1 − f(α)]: the channel of a test with errors (α, f(α)), columns accept and reject. M^α "
        "is the same for f = T(M), the best test of M at level α."
    ),
    (
        "A ⊑ B, A is refined by B: A·W = B for some row-stochastic W. A is below B and tells at least as much; for two "
        "rows it holds exactly when T(A) ≤ T(B). A ⊏ B: A ⊑ B and not B ⊑ A. A ≡ B: A ⊑ B ⊑ A, equal up to zero "
        "columns, order of columns, and columns of equal ratio q/p."
    ),
    (
        "A min B: the greatest channel below A and B; its curve is T(A) ⊓ T(B). C(f): the greatest channel below f^α "
        "for all α; for f = T(M) it is M up to ≡."
    ),
    (
        "C ∥ M: both run independently, both outputs are seen; the columns are all products (p_y p'_z, q_y q'_z). C "
        "⊕_r M, visible choice: the columns r·C, then (1 − r)·M. C ⊞_r M, hidden choice: r·C + (1 − r)·M, column by "
        "column. P·M: pre-processing; M·W: post-processing (matrix products)."
    ),
    "err_M(h): the sum of p over the outputs with q ≥ h p, which is the type I error of the test that rejects there.",
    (
        "V_h(M) = 1/2 Σ max(0, q_y − h p_y), the vulnerability (expected gain) at level h; Σ max(0, q − h p) is called "
        "a hockey stick. V_g[u ▹ M]: the same for any gain g, u the uniform prior. The posterior of an output is "
        "q_y/(p_y + q_y)."
    ),
    (
        "E = e^ε, a = (1 − δ)/(1 + E). C_{ε,δ} = [δ aE a 0; 0 a aE δ], the channel of (ε, δ)-differential privacy, "
        "with the curve f_{ε,δ}. C_{ε,0} = [E 1; 1 E]/(1 + E) is randomized response, C_{∞,0} = I. Pure: (ε, "
        "0)-private for some finite ε."
    ),
    "U: a channel with equal rows, mostly uniform; U[Y']: uniform on the outputs Y' alone. G: geometric noise.",
    "Partial channel: rows with sums e and f in place of 1.",
)
"""One entry for each line of the list."""
