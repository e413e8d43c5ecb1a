"""dp-accounting's bounds that are no distributions, as a subject: the Rényi accountant and advanced composition.

``RdpAccountant.get_epsilon`` and ``get_delta`` convert the divergences at the library's default orders, and are upper
bounds. Compositions of one (epsilon, delta) guarantee, and of randomized response as the worst pure one, are asked of
``advanced_composition``, "using the optimal advanced composition theorem": "the result is still
(total_epsilon, total_delta)-DP".

Declined: one direction alone of a subsampled mechanism, and what is declined in ``dp_accounting_events``.
"""

from __future__ import annotations

from typing import Any, Final

from gmpy2 import mpq

from oracle.conformance.adapters.doubles import Rounding, echoed, facts
from oracle.conformance.adapters.dp_accounting_calls import library
from oracle.conformance.adapters.dp_accounting_events import event
from oracle.errors import Declined
from oracle.exact import parse_number
from oracle.levels import Level, parse_level
from oracle.mechanisms import nodes
from oracle.mechanisms import primitive_nodes as primitive
from oracle.mechanisms.parse import mechanism_from
from oracle.mechanisms.relations import walk
from oracle.operations import parse_direction

__all__ = ["ADAPTER", "DPAccountingRDP"]

_UPPER: Final = Rounding()
_MOST_RUNS: Final = 10_000


class DPAccountingRDP:
    """The library's conversions; the methods are ops of the protocol."""

    def hello(self) -> dict[str, Any]:
        """Who answers, and what the library claims."""
        library()
        claims = dict.fromkeys(("delta", "hockey_stick", "epsilon"), "upper")
        home = "https://github.com/google/differential-privacy"
        return facts("dp-accounting", claims, homepage=home, accountant="rdp, advanced composition")

    def echo(self, values: list[Any]) -> list[float]:
        """The same numbers."""
        return echoed(values)

    def delta(self, channel: Any, direction: str = "both", **level: Any) -> float:  # noqa: ANN401 - JSON values
        """``RdpAccountant.get_delta``."""
        at = _UPPER.smaller_epsilon(parse_level(level, minimum_one=False))
        if at < 0:
            raise Declined("delta is offered at epsilon >= 0")
        return float(_accountant(mechanism_from(channel), direction).get_delta(at))

    def hockey_stick(self, channel: Any, direction: str = "forward", **level: Any) -> float:  # noqa: ANN401
        """The same question, by default of one direction."""
        return self.delta(channel, direction, **level)

    def epsilon(self, channel: Any, delta: object, direction: str = "both") -> float:  # noqa: ANN401
        """``RdpAccountant.get_epsilon``, or ``advanced_composition`` of a guarantee."""
        of, at = mechanism_from(channel), _UPPER.smaller(parse_number(delta))
        match of:
            case nodes.Repeat(times=times, of=primitive.RandomizedResponse(level=level)):
                return _advanced(level, mpq(0), times, at)
            case nodes.Repeat(times=times, of=primitive.ApproximateRandomizedResponse(level=level, delta=spent)):
                return _advanced(level, spent, times, at)
        return float(_accountant(of, direction).get_epsilon(at))


def _accountant(of: nodes.Mechanism, direction: str) -> Any:  # noqa: ANN401 - an object of the library
    """The Rényi accountant at its default orders."""
    kinds = [type(part) for part in walk(of)]
    if parse_direction(direction) != "both" and nodes.PoissonSubsample in kinds:
        raise Declined("the two directions of a subsampled mechanism are offered together")
    response = primitive.RandomizedResponse in kinds or primitive.KRandomizedResponse in kinds
    relation = "REPLACE_ONE" if response else "ADD_OR_REMOVE_ONE"  # randomized response needs one that replaces
    accountant = library(".rdp").RdpAccountant(neighboring_relation=library().NeighboringRelation[relation])
    try:
        return accountant.compose(event(of, _UPPER))
    except library().UnsupportedEventError as error:
        raise Declined(str(error)) from error


def _advanced(level: Level, delta: mpq, times: int, total: float) -> float:
    """The total epsilon of a guarantee given several times; infinite where the library says that there is none."""
    if not 0 < times <= _MOST_RUNS:
        raise Declined(f"1 to {_MOST_RUNS} runs are asked for")
    guarantee = library(".pld.common").DifferentialPrivacyParameters(_UPPER.guarantee(level), _UPPER.larger(delta))
    found = library(".pld.accountant").advanced_composition(guarantee, int(times), total)
    return float("inf") if found is None else float(found)


ADAPTER: Final = DPAccountingRDP()
"""The accountant as it is installed."""
