"""The peers, and for each of them the program that answers a case with its public calls alone.

A program is source text: the benchmark runs the very lines that a reader finds in ``reports/accountants/scripts``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.benchmarks.accountants.cases import (
    FIRST,
    Approximate,
    Case,
    Gaussian,
    Laplace,
    Part,
    Response,
    Subsampled,
    double,
)

__all__ = ["OURS", "PEERS", "Declined", "Peer", "Program"]


class Declined(Exception):  # noqa: N818 - no error, but an answer
    """The peer has no call for the case."""


@dataclass(frozen=True, slots=True)
class Program:
    """What is run.

    Attributes:
        imports: source text that is not timed.
        body: source text that is.
        claims: kind of claim (``lower``, ``estimate``, ``upper``) to the expression of its value after the body.
    """

    imports: str
    body: str
    claims: dict[str, str]


@dataclass(frozen=True, slots=True)
class Peer:
    """A released accountant in one configuration.

    Attributes:
        name: unique.
        package: package and version.
        environment: its folder under ``.peers``; the empty text is this Python.
        claim: what its documentation says of the value.
        program: makes the program of a case.
        only: the names of the cases that it is asked, where all would take hours; None for all.
    """

    name: str
    package: str
    environment: str
    claim: str
    program: Callable[[Case], Program]
    only: frozenset[str] | None = None

    def answers(self, case: Case) -> Program:
        """The program of a case.

        Raises:
            Declined: where there is none.
        """
        if self.only is not None and case.name not in self.only:
            raise Declined
        return self.program(case)


def _only(case: Case, *kinds: type) -> None:
    if not all(isinstance(part, kinds) for part in case.parts):
        raise Declined


# --- dp-accounting ----------------------------------------------------------------------------------------------------


def _pld_part(part: Part, options: str, *, pessimistic: bool) -> str:
    rounding = "" if pessimistic else ", pessimistic_estimate=False"
    dots = "" if pessimistic else ", use_connect_dots=False"
    match part:
        case Subsampled():
            call = f"from_gaussian_mechanism({part.sigma}, sampling_prob={part.rate}{rounding}{dots}{options})"
        case Gaussian():
            call = f"from_gaussian_mechanism({part.sigma}{rounding}{dots}{options})"
        case Laplace():
            call = f"from_laplace_mechanism({part.scale}{rounding}{dots}{options})"
        case Response():
            call = f"from_randomized_response({2 * float(part.flip)!r}, 2{rounding}{options})"
        case Approximate():
            if not pessimistic:
                raise Declined
            call = f"from_privacy_parameters(DifferentialPrivacyParameters({part.epsilon}, {part.delta}){options})"
    return f"pld.{call}"


def _pld(case: Case, interval: str | None, *, pessimistic: bool) -> Program:
    imports = "from dp_accounting.pld import privacy_loss_distribution as pld"
    if any(isinstance(part, Approximate) for part in case.parts):
        imports += "\nfrom dp_accounting.pld.common import DifferentialPrivacyParameters"
    options = "" if interval is None else f", value_discretization_interval={interval}"
    lines = []
    for i, part in enumerate(case.parts):
        lines.append(f"step = {_pld_part(part, options, pessimistic=pessimistic)}")
        steps = f"step.self_compose({part.times})" if part.times > 1 else "step"
        lines.append(f"composed = composed.compose({steps})" if i else f"composed = {steps}")
    if case.epsilon is not None:
        lines.append(f"value = composed.get_delta_for_epsilon({case.epsilon})")
    else:
        lines.append(f"value = composed.get_epsilon_for_delta({case.delta})")
    return Program(imports, "\n".join(lines), {"upper" if pessimistic else "lower": "value"})


def _rdp(case: Case) -> Program:
    _only(case, Subsampled, Gaussian, Laplace, Response)
    lines = []
    if any(isinstance(part, Response) for part in case.parts):
        relation = "neighboring_relation=dp_accounting.NeighboringRelation.REPLACE_ONE"
        lines.append(f"accountant = dp_accounting.rdp.RdpAccountant({relation})")
    else:
        lines.append("accountant = dp_accounting.rdp.RdpAccountant()")
    for part in case.parts:
        match part:
            case Subsampled():
                event = f"PoissonSampledDpEvent({part.rate}, dp_accounting.GaussianDpEvent({part.sigma}))"
            case Gaussian():
                event = f"GaussianDpEvent({part.sigma})"
            case Laplace():
                event = f"LaplaceDpEvent({part.scale})"
            case Response():
                event = f"RandomizedResponseDpEvent({2 * float(part.flip)!r}, 2)"
            case Approximate():
                raise Declined
        lines.append(f"accountant.compose(dp_accounting.{event}, {part.times})")
    question = f"get_delta({case.epsilon})" if case.epsilon is not None else f"get_epsilon({case.delta})"
    lines.append(f"value = accountant.{question}")
    return Program("import dp_accounting\nimport dp_accounting.rdp", "\n".join(lines), {"upper": "value"})


# --- prv-accountant ---------------------------------------------------------------------------------------------------


def _prv_part(part: Part) -> str:
    match part:
        case Subsampled():
            return f"PoissonSubsampledGaussianMechanism({part.rate}, {part.sigma})"
        case Gaussian():
            return f"GaussianMechanism({part.sigma})"
        case Laplace():
            return f"LaplaceMechanism(mu=1 / {part.scale})"
        case Response():
            return f"PureDPMechanism(eps=math.log((1 - {part.flip}) / {part.flip}))"
        case Approximate():
            return f"ApproximateDPMechanism({part.epsilon}, {part.delta})"


def _prv(case: Case, epsilon_error: str) -> Program:
    parts = [_prv_part(part) for part in case.parts]
    names = sorted({part.split("(")[0] for part in parts})
    imports = (
        "from prv_accountant import PRVAccountant\n"
        f"from prv_accountant.privacy_random_variables import {', '.join(names)}"
    )
    if "PureDPMechanism" in names:
        imports = "import math\n" + imports
    times = [part.times for part in case.parts]
    question = f"compute_delta({case.epsilon}, {times})"
    if case.epsilon is None:
        question = f"compute_epsilon({case.delta}, {times})"
    body = (
        f"accountant = PRVAccountant(\n    prvs=[{', '.join(parts)}],\n    max_self_compositions={times},\n"
        f"    eps_error={epsilon_error},\n    delta_error={float(case.scale) * 1e-3:.0e},\n)\n"
        f"lower, estimate, upper = accountant.{question}"
    )
    return Program(imports, body, {"lower": "lower", "estimate": "estimate", "upper": "upper"})


# --- opacus -----------------------------------------------------------------------------------------------------------


def _opacus(case: Case, accountant: str, claim: str) -> Program:
    _only(case, Subsampled, Gaussian)
    if case.delta is None or (accountant == "GaussianAccountant" and len(case.parts) > 1):
        raise Declined
    lines = [f"accountant = {accountant}()"]
    for part in case.parts:
        rate = part.rate if isinstance(part, Subsampled) else "1.0"
        lines.append(f"for _ in range({part.times}):")
        lines.append(f"    accountant.step(noise_multiplier={part.sigma}, sample_rate={rate})")
    lines.append(f"value = accountant.get_epsilon({case.delta})")
    return Program(f"from opacus.accountants import {accountant}", "\n".join(lines), {claim: "value"})


# --- autodp and fourier-accountant ------------------------------------------------------------------------------------


def _autodp_part(part: Part, *, fourier: bool) -> str:
    options = ", phi_off=False" if fourier else ""
    match part:
        case Subsampled():
            base = f"mechanism_zoo.GaussianMechanism({part.sigma}{options})"
            if fourier:
                return f"transformer_zoo.AmplificationBySampling_pld(neighboring='remove_only')({base}, {part.rate})"
            return f"transformer_zoo.AmplificationBySampling()({base}, {part.rate}, improved_bound_flag=True)"
        case Gaussian():
            return f"mechanism_zoo.GaussianMechanism({part.sigma}{options})"
        case Laplace():
            return f"mechanism_zoo.LaplaceMechanism({part.scale}{options})"
        case Response():
            return f"mechanism_zoo.RandresponseMechanism({1 - float(part.flip)!r}{options})"
        case Approximate():
            raise Declined


def _autodp(case: Case, *, fourier: bool) -> Program:
    parts = [_autodp_part(part, fourier=fourier) for part in case.parts]
    composer = "ComposeAFA" if fourier else "Composition"
    lines = ["parts = ["] + [f"    {part}," for part in parts] + ["]"]
    lines.append(f"composed = transformer_zoo.{composer}()(parts, {[part.times for part in case.parts]})")
    question = f"get_approx_delta({case.epsilon})" if case.epsilon is not None else f"get_approxDP({case.delta})"
    lines.append(f"value = composed.{question}")
    claim = "estimate" if fourier else "upper"
    return Program("from autodp import mechanism_zoo, transformer_zoo", "\n".join(lines), {claim: "value"})


def _fourier(case: Case) -> Program:
    _only(case, Subsampled)
    arrays = [
        f"np.array([{', '.join(values)}])"
        for values in (
            [part.sigma for part in case.parts if isinstance(part, Subsampled)],
            [part.rate for part in case.parts if isinstance(part, Subsampled)],
            [str(part.times) for part in case.parts],
        )
    ]
    call, given = ("get_delta_R", case.epsilon) if case.epsilon is not None else ("get_epsilon_R", case.delta)
    body = f"value = {call}({given}, sigma={arrays[0]}, q={arrays[1]}, ncomp={arrays[2]})"
    imports = f"import numpy as np\nfrom fourier_accountant import {call}"
    return Program(imports, body, {"estimate": "value"})


# --- ours -------------------------------------------------------------------------------------------------------------


def _expression(part: Part) -> str:
    """The mechanism of a part as Python source, its numbers the doubles that the peers read."""
    match part:
        case Subsampled():
            noise = f'{{"mechanism": "gaussian", "sigma": "{float(part.sigma).hex()}"}}'
            rate = float(part.rate).hex()
            of = f'{{"mechanism": "poisson_subsample", "rate": "{rate}", "neighbours": "add_remove", "of": {noise}}}'
        case Gaussian():
            of = f'{{"mechanism": "gaussian", "sigma": "{float(part.sigma).hex()}"}}'
        case Laplace():
            of = f'{{"mechanism": "laplace", "scale": "{float(part.scale).hex()}"}}'
        case Response():
            flip = double(part.flip)
            of = f'{{"mechanism": "randomized_response", "exp_epsilon": "{(1 - flip) / flip}"}}'
        case Approximate():
            epsilon, delta = (float(text).hex() for text in (part.epsilon, part.delta))
            of = f'{{"mechanism": "approximate_randomized_response", "epsilon": "{epsilon}", "delta": "{delta}"}}'
    return f'{{"mechanism": "repeat", "times": {part.times}, "of": {of}}}'


def _ours(case: Case) -> Program:
    question = f'epsilon="{float(case.epsilon).hex()}"' if case.epsilon is not None else ""
    if case.delta is not None:
        question = f'delta="{float(case.delta).hex()}"'
    lines = ["parts = [", *(f"    {_expression(part)}," for part in case.parts), "]"]
    lines.append('mechanism = {"mechanism": "compose", "of": parts}')
    lines.append(f"value = oracle.account(mechanism, {question}).entries[0]['value']")
    lines.append("low, high = (value['lo'], value['hi']) if isinstance(value, dict) else (value, value)")
    return Program("import oracle\nimport oracle.accounting", "\n".join(lines), {"lower": "low", "upper": "high"})


OURS = Peer("fdp-oracle", "this checkout", "", "proved enclosure of 12 digits", _ours)

_DPA = "dp-accounting 0.6.0"
_PESSIMISTIC = 'upper: "gives an upper estimate to the real value"'

PEERS = {
    peer.name: peer
    for peer in (
        Peer("dpa-pld", _DPA, "adapters", _PESSIMISTIC, lambda case: _pld(case, None, pessimistic=True)),
        Peer(
            "dpa-pld-fine",
            _DPA,
            "adapters",
            _PESSIMISTIC,
            lambda case: _pld(case, "1e-5", pessimistic=True),
            frozenset({*FIRST, "A1-tiny", "A-3000-tiny", "M-small", "R-small", "A1-eps", "A1-eps-tiny", "S-eps"}),
        ),
        Peer(
            "dpa-pld-optimistic",
            _DPA,
            "adapters",
            "lower: pessimistic_estimate=False",
            lambda case: _pld(case, None, pessimistic=False),
        ),
        Peer("dpa-rdp", _DPA, "adapters", "upper", _rdp),
        Peer(
            "prv",
            "prv-accountant 0.2.0",
            "adapters",
            "lower and upper bound, and an estimate between them",
            lambda case: _prv(case, "0.1"),
        ),
        Peer(
            "prv-fine",
            "prv-accountant 0.2.0",
            "adapters",
            "lower and upper bound, and an estimate between them",
            lambda case: _prv(case, "0.01"),
        ),
        Peer(
            "opacus-prv",
            "opacus 1.6.0",
            "adapters",
            'upper: "return upper bound as we want guarantee"',
            lambda case: _opacus(case, "PRVAccountant", "upper"),
        ),
        Peer("opacus-rdp", "opacus 1.6.0", "adapters", "upper", lambda case: _opacus(case, "RDPAccountant", "upper")),
        Peer(
            "opacus-gdp",
            "opacus 1.6.0",
            "adapters",
            "estimate from a central limit theorem, without an error",
            lambda case: _opacus(case, "GaussianAccountant", "estimate"),
        ),
        Peer("autodp-rdp", "autodp 0.2.3.1", "numpy1", "upper", lambda case: _autodp(case, fourier=False)),
        Peer(
            "autodp-afa",
            "autodp 0.2.3.1",
            "numpy1",
            "estimate, without an error",
            lambda case: _autodp(case, fourier=True),
            frozenset({*FIRST, "A1-tiny", "A1-eps"}),
        ),
        Peer("fourier", "fourier-accountant 0.12.11", "numpy1", "estimate, without an error", _fourier),
    )
}
"""By name."""
