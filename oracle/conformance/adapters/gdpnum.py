"""gdpnum as a subject: mu and trade-off functions from privacy loss distributions of dp-accounting.

``PLDConverter`` is documented to extract "a pessimistic value for mu (i.e. so that f_mu <= T(P,Q))", so ``mu`` is
claimed to be an upper bound, and its trade-off function is that of "a discrete-valued dominating pair", a lower bound;
both are given the pessimistic distribution and stand for both directions together.

Declined: whole curves, and everything else.
"""

from __future__ import annotations

from typing import Any, Final

from oracle.conformance.adapters.doubles import Rounding, echoed, facts, load
from oracle.conformance.adapters.dp_accounting_calls import distribution
from oracle.conformance.adapters.loss_grid import interval_for
from oracle.errors import Declined
from oracle.exact import parse_number
from oracle.mechanisms.parse import mechanism_from
from oracle.operations import parse_direction

__all__ = ["ADAPTER", "GDPNum"]

_UPPER: Final = Rounding()
"""Less privacy is a smaller beta, and so is a larger alpha."""


class GDPNum:
    """The library; the methods are ops of the protocol."""

    def hello(self) -> dict[str, Any]:
        """Who answers, and what the library claims."""
        load("gdpnum", "gdpnum")
        claims = {"tradeoff": "lower", "mu": "upper"}
        return facts("gdpnum", claims, homepage="https://github.com/interpretable-dp/gdpnum")

    def echo(self, values: list[Any]) -> list[float]:
        """The same numbers."""
        return echoed(values)

    def tradeoff(self, channel: Any, alpha: object = None, direction: str = "forward") -> float:  # noqa: ANN401
        """``PLDConverter.get_beta``."""
        if alpha is None:
            raise Declined("beta is offered at one alpha")
        parse_direction(direction)
        return float(_converter(channel).get_beta(_UPPER.larger(parse_number(alpha))))

    def mu(self, channel: Any, direction: str = "both") -> float:  # noqa: ANN401
        """``PLDConverter.get_mu``."""
        parse_direction(direction)
        return float(_converter(channel).get_mu())


def _converter(channel: object) -> Any:  # noqa: ANN401 - an object of the library
    of = mechanism_from(channel)
    pld = distribution(of, "both", True, interval_for(of))
    return load("gdpnum", "gdpnum").PLDConverter(pld)


ADAPTER: Final = GDPNum()
"""The library as it is installed."""
