"""dp-accelerator as a subject: its Rényi accountant of DP-SGD in Rust.

The library computes "the epsilon value that satisfies (epsilon, delta)-DP" with "the same RDP orders as Google's
dp_accounting library", and "the full RDP curve": upper bounds. A rate is given as a batch size and a dataset size.
Declined: everything but epsilon and Rényi divergences of one kind of sampled Gaussian step.
"""

from __future__ import annotations

from typing import Any, Final

from oracle.conformance.adapters.doubles import Rounding, echoed, facts, load, positive
from oracle.conformance.adapters.sampled_gaussian import both_directions, steps
from oracle.errors import Declined
from oracle.exact import Infinity, parse_extended, parse_number
from oracle.mechanisms.parse import mechanism_from

__all__ = ["ADAPTER", "DPAccelerator"]

_NAME: Final = "dp-accelerator"
_UPPER: Final = Rounding()
_MOST: Final = 10**15


class DPAccelerator:
    """The library; the methods are ops of the protocol."""

    def hello(self) -> dict[str, Any]:
        """Who answers, and what the library claims."""
        load("dp_accelerator", _NAME)
        claims = {"epsilon": "upper", "renyi": "upper"}
        return facts(_NAME, claims, language="Rust, through Python", homepage="https://pypi.org/project/dp-accelerator")

    def echo(self, values: list[Any]) -> list[float]:
        """The same numbers."""
        return echoed(values)

    def epsilon(self, channel: Any, delta: object, direction: str = "both") -> float:  # noqa: ANN401 - JSON values
        """``get_epsilon``."""
        at = _UPPER.smaller(parse_number(delta))
        if not 0 < at < 1:
            raise Declined("epsilon is offered for 0 < delta < 1")
        accountant, runs = _accountant(channel, direction)
        return float(accountant.get_epsilon(runs, at))

    def renyi(self, channel: Any, order: object, direction: str = "forward") -> dict[str, float]:  # noqa: ANN401
        """``get_rdp_curve`` at one order."""
        exact = parse_extended(order)
        if isinstance(exact, Infinity) or exact <= 1:
            raise Declined("the curve is of finite orders above 1")
        accountant, runs = _accountant(channel, "both" if direction == "forward" else direction)
        accountant.orders = [_UPPER.larger(exact)]
        (divergence,) = accountant.get_rdp_curve(runs).values()
        return {"divergence": float(divergence)}


def _accountant(channel: object, direction: str) -> tuple[Any, int]:
    """The accountant of one kind of step, and the number of steps."""
    found = steps(mechanism_from(channel))
    both_directions(found, direction)
    if len(found) != 1:
        raise Declined("one kind of step is offered")
    (step,) = found
    if max(int(step.rate.denominator), step.runs) > _MOST:
        raise Declined(f"sizes and steps of at most {_MOST} are asked for")
    multiplier = positive(_UPPER.smaller(step.multiplier), "the noise multiplier")
    sizes = {"batch_size": int(step.rate.numerator), "dataset_size": int(step.rate.denominator)}
    return load("dp_accelerator", _NAME).DPSGDAccountant(noise_multiplier=multiplier, **sizes), step.runs


ADAPTER: Final = DPAccelerator()
"""The library as it is installed."""
