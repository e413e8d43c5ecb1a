"""riskcal as a subject: trade-off functions from privacy loss distributions of dp-accounting, and in closed form.

Its module of trade-off functions takes (P, Q) as "a discrete-valued dominating pair if, for all 0 <= alpha <= 1,
T(P,Q)(alpha) <= T(M(D), M(D'))(alpha)", so beta is claimed to be a lower bound; ``get_beta_from_pld`` is given the
pessimistic distribution. Of an asymmetric pair it is that of both directions, "the symmetric tradeoff curve that
matches the add/remove neighboring relation", hence a lower bound of each.

Closed forms are asked where the library has one: ``get_beta_from_gdp`` of mu-GDP, ``get_beta_from_adp`` of randomized
response. Declined: whole curves, and all that is no trade-off function.
"""

from __future__ import annotations

from typing import Any, Final

from oracle.conformance.adapters.doubles import Rounding, echoed, facts, load
from oracle.conformance.adapters.dp_accounting_calls import distribution
from oracle.conformance.adapters.loss_grid import interval_for
from oracle.errors import Declined
from oracle.exact import parse_number
from oracle.mechanisms import primitive_nodes as primitive
from oracle.mechanisms.parse import mechanism_from
from oracle.operations import parse_direction

__all__ = ["ADAPTER", "RiskCal"]

_UPPER: Final = Rounding()
"""Less privacy is a smaller beta, and so is a larger alpha."""


class RiskCal:
    """The library; the methods are ops of the protocol."""

    def hello(self) -> dict[str, Any]:
        """Who answers, and what the library claims."""
        load("riskcal", "riskcal")
        return facts("riskcal", {"tradeoff": "lower"}, homepage="https://github.com/bogdan-kulynych/riskcal")

    def echo(self, values: list[Any]) -> list[float]:
        """The same numbers."""
        return echoed(values)

    def tradeoff(self, channel: Any, alpha: object = None, direction: str = "forward") -> float:  # noqa: ANN401
        """``get_beta_from_pld``, or a closed form."""
        if alpha is None:
            raise Declined("beta is offered at one alpha")
        parse_direction(direction)
        at, of = _UPPER.larger(parse_number(alpha)), mechanism_from(channel)
        analysis = load("riskcal.analysis", "riskcal")
        match of:
            case primitive.GaussianDP(mu=mu):
                return float(analysis.get_beta_from_gdp(_UPPER.larger(mu), at))
            case primitive.RandomizedResponse(level=level):
                return float(analysis.get_beta_from_adp(_UPPER.larger_epsilon(level), 0.0, at))
            case primitive.ApproximateRandomizedResponse(level=level, delta=delta):
                return float(analysis.get_beta_from_adp(_UPPER.larger_epsilon(level), _UPPER.larger(delta), at))
        pld = distribution(of, "both", True, interval_for(of))
        return float(analysis.get_beta_from_pld(pld, at))


ADAPTER: Final = RiskCal()
"""The library as it is installed."""
