"""What section 5 prints of randomised membership and is not so: each with a counterexample, run and certified."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq

from oracle.certificates.documents import Certificate, approximate_dp_refuted
from oracle.channels.channel import Channel, Rows
from oracle.channels.profile import Exceedance
from oracle.claims import ApproximateDP
from oracle.laws.balle2018._facts import EVERYTHING, ONE, ZERO, channel, product
from oracle.laws.balle2018._samples import (
    Sample,
    excess,
    level_between,
    membership_rows,
    on_the_same_outcomes,
    response,
)
from oracle.laws.evidence import Evidence
from oracle.laws.record import Erratum
from oracle.levels import Level

__all__ = ["PRINTED_ETA", "PRINTED_PSI", "RANGE", "claimed_and_actual", "printed_psi", "psi"]


def printed_psi(p: mpq, level: mpq) -> mpq:
    """[p - a(1-p)]_+."""
    return max(ZERO, p - level * (1 - p))


def psi(p: mpq, level: mpq) -> mpq:
    """[s - a(1-s)]_+ with s = max(p, 1-p)."""
    return printed_psi(max(p, 1 - p), level)


def claimed_and_actual(first: Sample, second: Sample, p: mpq, level: mpq) -> tuple[mpq, mpq]:
    """What lemma 12 prints for two inputs, one of them with v, and the divergence of M_{v,p} after sampling."""
    known, laws = on_the_same_outcomes(first, second)
    eta = excess(laws, ONE)
    outputs = product(laws, membership_rows(known, "v", p))
    return eta * printed_psi(p, level), excess(outputs, level_between(eta, level))


HALF_KEPT: Final[tuple[Sample, Sample]] = ({("v",): mpq(1, 2), (): mpq(1, 2)}, {("a",): ONE})
"""S((v)) and S((a)) of the counterexample."""
WHOLE: Final[tuple[Sample, Sample]] = ({("v",): ONE}, {("a",): ONE})
"""Both inputs kept as they are."""
_HALVES: Final = channel("1/2 1/2", "1 0")


def _psi_differs() -> bool:
    return printed_psi(ZERO, ONE) != excess(response(ZERO), ONE)


def _psi_certificate() -> Certificate:
    """R_0 tells the bit by its opposite: D_1 of (0, 1) and (1, 0) is 1."""
    evidence = Evidence()
    evidence.compare(evidence.hockey_stick(Channel(response(ZERO)), ONE, "forward"), ">", 0)
    return evidence.certificate()


def _too_large() -> bool:
    claimed, actual = claimed_and_actual(*HALF_KEPT, ONE, mpq(2))
    return actual < claimed


def _kernel(known: list[tuple[str, ...]]) -> Rows:
    return membership_rows(known, "v", ONE)


def _too_large_certificate() -> Certificate:
    """The laws of the samples, their total variation 1, the outputs by the kernel, and the divergences at 2."""
    evidence = Evidence()
    known, laws = on_the_same_outcomes(*HALF_KEPT)
    eta = evidence.hockey_stick(Channel(laws), ONE, "forward")
    outputs = Channel(evidence.product(laws, _kernel(known)))
    single = evidence.hockey_stick(Channel(response(ONE)), mpq(2), "forward")
    # eta is 1, so that the level stays 2 and eta·psi is psi.
    evidence.compare(eta, "=", 1)
    for way in ("forward", "backward"):
        evidence.compare(
            evidence.hockey_stick(outputs, mpq(2), "forward" if way == "forward" else "backward"), "<", single
        )
    return evidence.certificate()


def _too_small() -> bool:
    claimed, actual = claimed_and_actual(*WHOLE, ZERO, ONE)
    return claimed < actual


def _too_small_certificate() -> Certificate:
    """The outputs of (v) and (a) are certain and different: no (0, 0)-DP, which is what is claimed."""
    claim = ApproximateDP(Level.rational(ONE), ZERO)
    return approximate_dp_refuted(EVERYTHING, claim, Exceedance("forward", (0,), ONE, ZERO, ONE))


PRINTED_PSI: Final = Erratum(
    printed="D_{e^ε}(ν_0‖ν_1) = D_{e^ε}(ν_1‖ν_0) = ψ_p(ε) for ν_b = R_p(b) and every p in [0, 1].",
    counterexample="Take p = 0 and ε = 0. R_0 always gives the other bit: ν_0 = (0, 1), ν_1 = (1, 0). D_1(ν_0‖ν_1) = "
    "[0 - 1]_+ + [1 - 0]_+ = 1, but ψ_0(0) = [0 - 1·1]_+ = 0. So too for p = 1/4: ν_0 = (1/4, 3/4), ν_1 = (3/4, 1/4), "
    "D_1 = [1/4 - 3/4]_+ + [3/4 - 1/4]_+ = 1/2 and ψ = [1/4 - 3/4]_+ = 0.",
    correction="True for p >= 1/2; for every p with max(p, 1-p) in place of p.",
    scope="statement",
    fails=_psi_differs,
    certificate=_psi_certificate,
    summary="wrong for p below 1/2",
    printed_formula="D_{e^ε}(ν_0‖ν_1) = D_{e^ε}(ν_1‖ν_0) = [p - e^ε (1-p)]_+ for p in [0, 1]",
)

PRINTED_ETA: Final = Erratum(
    printed="With η = sup TV(S(x), S(x')), δ_{M_{v,p}^S}(ε') = η ψ_p(ε) for every natural subsampling S.",
    counterexample="Take U = {v, a}, X = {(v), (a)}, (v) ~ (a). S((v)) is (v) or () with probability 1/2 each; S((a)) "
    "is (a). S is natural: every record of x may be in the sample, no other is. The two laws of samples are disjoint, "
    "so η = 1 and ε' = ε. Take p = 1, e^ε = 2: ψ_1 = [1 - 2·0]_+ = 1, so 1 is claimed. But M_{v,1} says whether v is "
    "in the sample: for (v) the output has the law (1/2, 1/2), for (a) it is (1, 0), the first entry for no. D_2 = "
    "[1/2 - 2·1]_+ + [1/2 - 2·0]_+ = 1/2, the other way [1 - 2·1/2]_+ + [0 - 2·1/2]_+ = 0. So δ = 1/2, not 1.",
    correction="η is the largest Pr[v in S(x)] over x ~ x' with v in x and not in x'; what S does to other records "
    "must not count. With it, and the supremum over such pairs, equality holds for p >= 1/2.",
    scope="statement",
    fails=_too_large,
    certificate=_too_large_certificate,
    summary="η must be Pr[v in S(x)]",
    printed_formula="δ_{M_{v,p}^S}(ε') = η ψ_p(ε), η = sup_{x ~ x'} TV(S(x), S(x'))",
)

RANGE: Final = Erratum(
    printed="δ_{M_{v,p}^S}(ε') = η ψ_p(ε) for every p in [0, 1] (p is not restricted).",
    counterexample="Take U = {v, a}, X = {(v), (a)}, (v) ~ (a), and S that keeps everything: η = 1, ε' = ε. Take p = "
    "0, ε = 0: ψ_0(0) = [0 - 1]_+ = 0 is claimed. M_{v,0} says the opposite of whether v is there: (v) gives the "
    "outputs (1, 0), (a) gives (0, 1), and D_1 = [1 - 0]_+ + [0 - 1]_+ = 1.",
    correction="p >= 1/2, or ψ with max(p, 1-p) in place of p.",
    scope="statement",
    fails=_too_small,
    certificate=_too_small_certificate,
    summary="wrong for p below 1/2",
    printed_formula="δ_{M_{v,p}^S}(ε') = η ψ_p(ε) for p in [0, 1]",
    true_formula="δ_{M_{v,p}^S}(ε') = η ψ_{max(p,1-p)}(ε)",
)
