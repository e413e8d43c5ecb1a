"""The signs of balle2018, as the reports print them above the claims and the errata."""

from __future__ import annotations

from typing import Final

__all__ = ["NOTATION"]

NOTATION: Final = (
    (
        "M: a mechanism; M(x) is the law of its output on input x, p_x its mass or density. x ~ x': neighbouring "
        "inputs, all pairs that privacy is asked for. A two-row matrix is written [1/2 1/2; 1/4 3/4], rows apart by a "
        "semicolon."
    ),
    "[u]_+ = max(0, u). supp μ: the outcomes that have mass under μ. 1[...] is 1 if the condition holds, else 0.",
    (
        "D_α(μ‖μ') = Σ_z [μ(z) − α μ'(z)]_+, the α-divergence or hockey stick of the ordered pair, which is the "
        "largest μ(E) − α μ'(E) over events E; α = e^ε throughout."
    ),
    "TV(μ, μ') = D_1(μ‖μ'), the total variation.",
    (
        "δ_M(ε): the privacy profile, the largest D_{e^ε}(M(x)‖M(x')) over x ~ x'; M is (ε, δ)-DP exactly when δ_M(ε) "
        "≤ δ. δ_{M,k}(ε): the group profile, the same over pairs at distance at most k."
    ),
    (
        "d(x, x'): the path distance, the least number of steps ~ from x to x'. d(y, A): the least distance to a "
        "member of A."
    ),
    (
        "S: a subsampling, which draws a sample y from a law on subsets (or multisets) of x; ν = S(x), ν' = S(x'). νM "
        "is the law of M(y) for y drawn from ν, and M after S is the subsampled mechanism M^S."
    ),
    "π: a coupling of ν and ν', a law of pairs (y, y') with these marginals; C(ν, ν'): all of them.",
    (
        "U: the records that there are; x_u: the copies of u in x; |x|: the number of records, n = |x| unless told "
        "otherwise. y + v: y with the record v added."
    ),
    (
        "~r, d_r: remove/add-one (one input has one record more) and its distance; ~s, d_s: substitute-one (one "
        "record is replaced) and its distance, infinite for inputs of different sizes."
    ),
    (
        "Po(γ): Poisson sampling, every record kept with probability γ; WOR(n, m), WR(n, m): m of n records without "
        "and with replacement. ω = S(x), ω' = S(x'), with ω_0, ω_1, ω_1' in the places of μ_0, μ_1, μ_1' below."
    ),
    (
        "R_p: randomised response, which returns the bit b with probability p, else 1 - b; in section 5 ν_b = R_p(b), "
        "so ν_0 = (p, 1 - p) and ν_1 = (1 - p, p), the probabilities of the answers 0 and 1; M_{v,p}(x) = R_p(1[v in "
        "x]); ψ_p(ε) = [p - e^ε (1 - p)]_+."
    ),
    (
        "η: the weight of the part in which two mixtures differ, μ = (1 − η) μ_0 + η μ_1 and μ' = (1 − η) μ_0 + η "
        "μ_1'; α' = 1 + η (α − 1) and β = α'/α."
    ),
    (
        "L_{x,x'}: the privacy loss log(p_x(z)/p_x'(z)) at z drawn from M(x); φ(s) = E[e^{sL}], its moment generating "
        "function. Φ: the standard normal distribution function. θ = Δ/b or Δ/σ: sensitivity over the scale of the "
        "noise."
    ),
)
"""One entry for each line of the list."""
