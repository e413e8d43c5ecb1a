"""An account as a document: the mechanism, what was asked, and the entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oracle import __version__
from oracle.accounting.entry import entries, pair_of
from oracle.accounting.question import Json, Questions, questions
from oracle.channels.formal_channel import FormalChannel
from oracle.enclosures import DEFAULT_DIGITS
from oracle.errors import InputError
from oracle.experiments.base import Experiment
from oracle.mechanisms.evaluate import Pair
from oracle.operations import MechanismLike

__all__ = ["Account", "account", "account_of"]


@dataclass(frozen=True, slots=True)
class Account:
    """An account.

    Attributes:
        document: the whole of it.
    """

    document: Json

    @property
    def entries(self) -> list[Json]:
        """One for each question, in their order: the deltas at each level, then the epsilons at each delta."""
        found: list[Json] = self.document["entries"]
        return found

    @property
    def complete(self) -> bool:
        """Whether every value has the digits that were asked for."""
        return not any("reached" in entry for entry in self.entries)

    @property
    def consistent(self) -> bool:
        """Whether every cross-check agrees; a disagreement is a fault of the oracle."""
        return all(check["agrees"] for entry in self.entries for check in entry.get("cross_check", ()))


def account(  # noqa: PLR0913 - what is asked, and how
    mechanism: MechanismLike,
    *,
    epsilon: object = None,
    exp_epsilon: object = None,
    delta: object = None,
    direction: str = "both",
    digits: int = DEFAULT_DIGITS,
    cross_check: bool = False,
) -> Account:
    """Delta at each level and the least epsilon at each delta, with method, record and checks.

    Args:
        mechanism: whatever may stand where a channel may stand.
        epsilon: one or several; at least one in all of the three.
        exp_epsilon: likewise.
        delta: likewise.
        direction: both, forward (remove) or backward (add).
        digits: of values that are not exact.
        cross_check: whether a second contour and the loss grid check every delta.

    Raises:
        InputError: for malformed input, with its place.
        Declined: for a mechanism that is not offered.
    """
    asked = questions(
        epsilon=epsilon,
        exp_epsilon=exp_epsilon,
        delta=delta,
        direction=direction,
        digits=digits,
        cross_check=cross_check,
    )
    if not asked.items:
        raise InputError("an epsilon, exp_epsilon or delta", "none")
    pair = pair_of(mechanism)
    return account_of(_expression(mechanism, pair), asked, list(entries(pair, asked)))


def account_of(expression: Mapping[str, Any], asked: Questions, found: Sequence[Json]) -> Account:
    """The account of a mechanism, given as an expression, whose entries are at hand."""
    return Account(
        {
            "account": 1,
            "oracle": __version__,
            "mechanism": dict(expression),
            "direction": asked.direction,
            "digits": asked.digits,
            "entries": list(found),
        }
    )


def _expression(mechanism: MechanismLike, pair: Pair) -> Json:
    if isinstance(mechanism, Mapping):
        return dict(mechanism)
    if isinstance(pair, Experiment):
        return pair.to_json()
    if isinstance(pair, FormalChannel):
        return {"rows": [[weight.to_json() for weight in row] for row in pair.rows]}
    return pair.to_json()
