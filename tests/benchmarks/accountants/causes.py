"""Why values are on the wrong side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.benchmarks.accountants.cases import Approximate, Response, Subsampled
from tests.benchmarks.accountants.rows import Row

__all__ = ["CAUSES", "Cause", "cause_of"]

_NOT_TINY = 1e-6
"""A delta from which on the round-off of a Fourier transform is no explanation."""


@dataclass(frozen=True)
class Cause:
    """A cause and the rows that it explains.

    Attributes:
        name: that of its script.
        title: one line.
        text: what happens in the peer, as far as its source shows.
        explains: whether a row on the wrong side belongs here; the first cause that says so has it.
    """

    name: str
    title: str
    text: str
    explains: Callable[[Row], bool]


def _of(prefix: str, claim: str, row: Row) -> bool:
    return row.peer.startswith(prefix) and row.claim == claim


def _two_losses(row: Row) -> bool:
    return any(isinstance(part, Response | Approximate) for part in row.case.parts)


CAUSES: tuple[Cause, ...] = (
    Cause(
        "dp_accounting_optimistic_tail",
        "the lower estimate counts the mass that truncation may have cut off as infinite loss",
        """\
PLDPmf.self_compose adds tail_mass_truncation (1e-15 by default) to the mass at infinity, with
pessimistic_estimate=False too, so no lower estimate is below 1e-15, however small delta is.""",
        lambda row: _of("dpa-pld", "lower", row) and row.value == "1e-15",
    ),
    Cause(
        "dp_accounting_connect_the_dots",
        "the masses of connect-the-dots do not sum to 1, which the upper estimate does not make up for",
        """\
With use_connect_dots (the default for Laplace and Gaussian noise) the mass of a grid point is made of float
differences of delta at neighbouring points. On fine grids their sum falls short of 1 (for Laplace noise of scale 1 and
an interval of 1e-5 by 6e-12 a step), which is multiplied by the number of steps and given to no loss.""",
        lambda row: _of("dpa-pld", "upper", row) and float(row.case.scale) >= _NOT_TINY,
    ),
    Cause(
        "dp_accounting_fourier_round_off",
        "the round-off of the Fourier convolution is not in the bound",
        """\
common.self_convolve takes the FFT, its power, and the inverse FFT in binary64. The error of the masses grows with the
number of steps and has either sign, while the bound adds 1e-15: with default settings upper estimates are below the
truth from about delta = 1e-8 down, and can be negative, and lower estimates are above it. With the same masses and the
same transforms in 80-bit arithmetic, the eight upper estimates of delta for Gaussian noise that were checked come out
above the truth.""",
        lambda row: row.peer.startswith("dpa-pld"),
    ),
    Cause(
        "prv_accountant_pure_dp_domain",
        "the domain comes from a Rényi divergence that is too small, and the convolution wraps around",
        """\
PureDPMechanism.rdp (and ApproximateDPMechanism.rdp) returns (alpha - 1)·eps/alpha, which is no upper bound of the Rényi
divergence (near order 1 it is 0). compute_safe_domain_size then returns a domain that the sum of the losses leaves, and
what leaves it on one side enters on the other.""",
        lambda row: row.peer.startswith("prv") and _two_losses(row),
    ),
    Cause(
        "prv_accountant_cell_masses",
        "masses in the tail are differences of numbers near 1, whose round-off is not in the bounds",
        """\
PoissonSubsampledGaussianMechanism.cdf is a sum of erfc of doubles, near 1 in the upper tail, where the mass of a cell
is a difference of two such values. The error bounds of the method (Gopi, Lee and Wutschitz 2021) are those of exact
arithmetic. compute_epsilon refuses where round-off may dominate; compute_delta does not, and its bounds are on the
wrong side, or negative. With accurate masses of the cells above loss 2 alone, the upper value of A-3000-tiny comes out
above the truth.""",
        lambda row: row.peer.startswith("prv") and any(isinstance(part, Subsampled) for part in row.case.parts),
    ),
    Cause(
        "prv_accountant_fourier_round_off",
        "the round-off of the Fourier convolution is not in the error bounds",
        """\
The error bounds of the method (Gopi, Lee and Wutschitz 2021) are those of exact arithmetic. compute_epsilon refuses
where round-off may dominate; compute_delta does not. With the same masses and the transforms in 80-bit arithmetic, the
lower value of E-1000 comes out below the truth.""",
        lambda row: row.peer.startswith("prv"),
    ),
)


def cause_of(row: Row) -> Cause:
    """The first cause that explains a row.

    Raises:
        LookupError: if none does.
    """
    for cause in CAUSES:
        if cause.explains(row):
            return cause
    raise LookupError(f"a wrong side without a cause: {row.peer} on {row.case.name}, {row.claim} {row.value}")
