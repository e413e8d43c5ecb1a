"""The least that still refutes: of a mechanism that is repeated, how few of its steps are enough.

A refuted claim about k steps is often already false after fewer. Composition only adds to what is revealed, so that a
claim refuted of m steps is refuted of every larger number, and the fewest are found by halving. The outcomes of an
event and the numbers of its inequality are shrunk where they are made (:mod:`oracle.audits.evidence`).
"""

from __future__ import annotations

from typing import Final

from oracle.audits.findings import Finding, Question
from oracle.channels.channel import Channel
from oracle.mechanisms.evaluate import evaluate
from oracle.mechanisms.parse import mechanism_from
from oracle.verdicts import judge

__all__ = ["fewest_steps", "notes"]

_MOST_CELLS: Final = 20_000
"""Largest composed table of which fewer steps are looked for."""


def notes(question: Question, findings: list[Finding]) -> list[str]:
    """A sentence for each refuted claim about a repeated mechanism that fewer steps refute as well."""
    sentences = []
    expression = question.table.expression
    for k, stated in enumerate(question.stated):
        if any(finding.claim == k and finding.holds is False for finding in findings):
            steps = fewest_steps(question, k)
            if steps is not None and expression is not None:
                told = f"{steps} of the {expression['times']} steps are enough to refute {stated.claim.describe()}"
                sentences.append(told if steps > 1 else told.replace("steps are", "steps is"))
    return sentences


def fewest_steps(question: Question, claim: int) -> int | None:
    """The least number of steps at which a refuted claim is refuted; None where it is not a question.

    It is one for a ``repeat`` of two steps or more whose composed table is rational and not very large.
    """
    expression, channel = question.table.expression, question.table.channel
    if expression is None or expression["mechanism"] != "repeat" or not isinstance(channel, Channel):
        return None
    times = int(expression["times"])
    if times < 2 or channel.shape[0] * channel.shape[1] > _MOST_CELLS:
        return None

    def refuted(steps: int) -> bool:
        laws = evaluate(mechanism_from({**expression, "times": steps}), "channel")
        stated = question.stated[claim].claim
        return judge(laws, stated, question.direction, question.digits).holds is False

    low, high = 0, times
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if refuted(middle) else (middle, high)
    return high
