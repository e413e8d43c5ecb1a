"""Why a claim about an interactive mechanism holds or not, in the terms of a report: a simulation, or an adversary.

Both are read off the certificate, whose ``tests`` are an adversary with an event of its views
(:mod:`oracle.certificates.checker.trees`). Options and branches come in the order of their labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gmpy2 import mpq

from oracle.audits.evidence import json_number, json_probability, phi_above, witness_evidence
from oracle.certificates.documents import Certificate
from oracle.claims import ApproximateDP, Claim, GaussianDP
from oracle.exact import to_text

__all__ = ["SHOWN_QUESTIONS", "SHOWN_VIEWS", "interactive_evidence"]

Json = dict[str, Any]
Steps = list[list[str]]
"""A history: ["ask", label of an option] and ["hear", label of a branch], in order."""

SHOWN_QUESTIONS: Final = 12
"""Questions of a strategy that are listed, those of the first histories."""

SHOWN_VIEWS: Final = 6
"""Views of an event that are listed, the first ones."""


def interactive_evidence(certificate: Certificate, claim: Claim, digits: int, *, holds: bool) -> Json:
    """The evidence of a verdict.

    ``simulation``: the number of columns of N, which simulates every view, and ``by`` what of N it follows: a witness,
    or thresholds. ``adversary``: what it asks after which history, the views of its event S with P(S) and Q(S), and the
    violated inequality; how many questions and views there are, and the first of each.
    """
    if holds:
        return {"kind": "simulation", "columns": len(certificate["states"][-1]["matrix"][0]), "by": _by(certificate)}
    walk = _Walk(certificate)
    return {
        "kind": "adversary",
        "direction": certificate["direction"],
        "p": certificate["p"],
        "q": certificate["q"],
        "questions": to_text(mpq(walk.questions[-1])),
        "strategy": walk.strategy(SHOWN_QUESTIONS),
        "views": to_text(mpq(walk.views[-1])),
        "event": walk.event(SHOWN_VIEWS),
        "inequality": _inequality(certificate, claim, digits),
    }


def _by(certificate: Certificate) -> Json:
    evidence = certificate["evidence"]
    if "thresholds" in evidence:
        return {"kind": "thresholds", "corners": len(evidence["thresholds"])}
    return witness_evidence(evidence, certificate["direction"])


class _Walk:
    """The histories of the last test of a certificate.

    Attributes:
        questions: for each test the number of histories at which it asks.
        views: for each test the number of views of its event.
    """

    def __init__(self, certificate: Certificate) -> None:
        self.nodes, self.tests = certificate["nodes"], certificate["tests"]
        self.questions: list[int] = []
        self.views: list[int] = []
        for test in self.tests:
            below = self._below(test)
            self.questions.append(sum(self.questions[k] for k, _, _, _ in below) + ("ask" in test))
            self.views.append(sum(self.views[k] for k, _, _, _ in below) + (test.get("end") is True))

    def _below(self, test: Json) -> Sequence[tuple[int, list[str], mpq, mpq]]:
        """What may follow a test: (test, step, p, q)."""
        if "ask" in test:
            label, _ = self.nodes[test["node"]]["query"][test["ask"]]
            return [(test["then"], ["ask", label], mpq(1), mpq(1))]
        if "hear" not in test:
            return []
        branches = self.nodes[test["node"]]["answer"]
        return [(k, ["hear", b[0]], mpq(b[1]), mpq(b[2])) for k, b in zip(test["hear"], branches, strict=True)]

    def strategy(self, most: int) -> list[Json]:
        """The first questions: what is asked after which history."""
        found: list[Json] = []
        stack: list[tuple[int, Steps]] = [(len(self.tests) - 1, [])]
        while stack and len(found) < most:
            k, steps = stack.pop()
            below = self._below(self.tests[k])
            if "ask" in self.tests[k]:
                found.append({"after": steps, "ask": below[0][1][1]})
            stack += [(child, [*steps, step]) for child, step, _, _ in reversed(below) if self.questions[child]]
        return found

    def event(self, most: int) -> list[Json]:
        """The first views of the event, with their probabilities."""
        found: list[Json] = []
        stack: list[tuple[int, Steps, mpq, mpq]] = [(len(self.tests) - 1, [], mpq(1), mpq(1))]
        while stack and len(found) < most:
            k, steps, p, q = stack.pop()
            if self.tests[k].get("end") is True:
                found.append({"steps": steps, "p": to_text(p), "q": to_text(q)})
            below = reversed(self._below(self.tests[k]))
            stack += [(child, [*steps, step], p * x, q * y) for child, step, x, y in below if self.views[child]]
        return found


def _inequality(certificate: Certificate, claim: Claim, digits: int) -> Json:
    """The violated inequality with its two sides, for the event S of the certificate."""
    p, q, bound = mpq(certificate["p"]), mpq(certificate["q"]), certificate["bound"]
    forward = certificate["direction"] == "forward"
    (first, large), (second, small) = (("P(S)", p), ("Q(S)", q)) if forward else (("Q(S)", q), ("P(S)", p))
    errors = {"left": f"1 - {second}", "left_value": to_text(1 - small), "relation": "<"}
    if isinstance(claim, GaussianDP):
        value = json_probability(phi_above(mpq(bound) - claim.mu, 1 - small, digits))
        return {**errors, "right": f"Phi(t - mu) <= G_mu({first})", "right_value": value, "level": bound}
    if not isinstance(claim, ApproximateDP):
        return {**errors, "right": f"f({first})", "right_value": bound, "level": None}
    right = {"relation": ">", "right": "delta", "right_value": to_text(claim.delta)}
    if not small:
        return {"left": first, "left_value": to_text(large), **right, "level": None}
    # A rational level is e^epsilon itself, or an upper bound U of it: P - e^epsilon Q >= P - U Q > delta.
    name = "U" if claim.level.value is None else "e^epsilon"
    excess = json_number(large - mpq(bound) * small)
    return {"left": f"{first} - {name} {second}", "left_value": excess, **right, "level": bound}
