"""Why a claim holds or not, in the terms of a report: the refuting event and its inequality, or the witness."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gmpy2 import mpq

from oracle.audits.measures import Value, bounds, event_mass
from oracle.certificates.documents import Certificate
from oracle.certificates.records import Record
from oracle.channels.channel import Channel
from oracle.channels.divergences import sides
from oracle.channels.formal_channel import FormalChannel
from oracle.channels.formal_rows import Group, Quotient, forward_quotient
from oracle.channels.profile import simplest_between
from oracle.channels.tradeoff import TradeoffFunction
from oracle.claims import ApproximateDP, Claim, ConcentratedDP, DivergenceClaim, GaussianDP
from oracle.enclosures import DEFAULT_DIGITS, MAX_REQUESTED_DIGITS, Enclosure
from oracle.errors import InputError
from oracle.exact import Infinity, to_decimal, to_text
from oracle.experiments.base import Experiment
from oracle.formal import FormalSum
from oracle.gaussian_dp.renyi_claims import divergence_value
from oracle.special import phi_enclosure

__all__ = ["SHOWN_COLUMNS", "evidence_of", "json_number", "json_probability", "phi_above", "witness_evidence"]

Json = dict[str, Any]
Finite = Channel | FormalChannel
Bound = mpq | Enclosure

SHOWN_COLUMNS = 6
"""Columns of an event whose probabilities are given one by one, the first ones."""


def json_number(value: Value) -> Any:  # noqa: ANN401 - a JSON value
    """An exact value as its one string, an enclosure as ``{"lo", "hi"}`` and, where it fell short, "reached"."""
    if not isinstance(value, Enclosure):
        return to_text(value)
    short = {} if value.reached is None else {"reached": value.reached}
    return {**value.to_json(), **short}


def json_probability(value: Value) -> Any:  # noqa: ANN401 - a JSON value
    """The same for a value between 0 and 1; an enclosure says no more than that."""
    return json_number(value.clamped() if isinstance(value, Enclosure) else value)


def evidence_of(
    certificate: Certificate | Record, channel: Finite | Experiment, claim: Claim, digits: int, *, holds: bool
) -> Json:
    """The evidence of a verdict.

    ``event``: a set S of outcomes that violates the claim, with P(S), Q(S), those of its first columns each, and the
    inequality. ``witness``: the size
    of the row-stochastic matrix in the certificate that turns the worst case of the claim into the channel.
    ``signs``: for irrational probabilities, the checker decides the sign of an exponential sum for each column.
    ``enclosure``: where there is a record, what was compared in ball arithmetic, as in it. For mu, rho and Rényi orders
    also ``thresholds``, ``divergence``, ``cells`` and ``order``: what of the certificate proves the verdict.
    """
    if "record" in certificate:
        return {"kind": "enclosure", "comparisons": certificate["comparisons"]}
    if isinstance(channel, Experiment):
        raise InputError("a record", "a certificate of a pair that is no finite table")
    if isinstance(claim, ConcentratedDP) and certificate["certificate"] == "zcdp_refuted":
        return _order(certificate, channel, claim, digits)
    if isinstance(claim, DivergenceClaim) and certificate["certificate"] != "gdp_refuted":
        return _divergence(certificate)
    if not holds:
        return _event(certificate, channel, claim, digits)
    if certificate["certificate"] == "formal_claim":
        return {"kind": "signs", "columns": channel.shape[1]}
    return witness_evidence(certificate, certificate["direction"])


def witness_evidence(document: Json, direction: str) -> Json:
    """The sizes of the one witness or of the witnesses of each direction in a document."""
    witnesses = document.get("witnesses") or {direction: document["witness"]}
    sizes = [
        {"direction": name, "rows": w["rows"], "columns": w["columns"], "entries": len(w["entries"])}
        for name, w in witnesses.items()
    ]
    return {"kind": "witness", "witnesses": sizes}


def _divergence(certificate: Certificate) -> Json:
    """What of a certificate on mu, rho or a Rényi order proves the verdict."""
    kind = certificate["certificate"]
    if kind == "gdp_held":
        return {"kind": "thresholds", "corners": len(certificate["thresholds"])}
    if kind == "zcdp_held":
        cells = certificate["cells"]
        sizes = [{"direction": name, "cells": len(cells[name])} for name in sides("both") if name in cells]
        return {"kind": "cells", "sides": sizes}
    return {"kind": "divergence", "direction": certificate["direction"]}


def _order(certificate: Certificate, channel: Finite, claim: ConcentratedDP, digits: int) -> Json:
    """The order at which a claim of rho is exceeded, and D_a there, with digits enough to tell it from rho·a."""
    order, side = mpq(certificate["order"]), certificate["direction"]

    def values(n: int) -> tuple[Bound, Value]:
        return claim.rho * order, divergence_value(channel, order, side, n)

    value = values(digits)[1]
    if not isinstance(value, Infinity):
        value = _refined(values, digits)[1]  # type: ignore[arg-type]  # finite at every number of digits
    return {"kind": "order", "direction": side, "order": certificate["order"], "divergence": json_number(value)}


def _event(certificate: Certificate, channel: Finite, claim: Claim, digits: int) -> Json:
    event = certificate["event"]
    return {
        "kind": "event",
        "direction": certificate["direction"],
        "columns": list(event),
        "outcomes": None if channel.outputs is None else [channel.outputs[k] for k in event],
        "p": json_probability(event_mass(channel, 0, event, digits)),
        "q": json_probability(event_mass(channel, 1, event, digits)),
        "probabilities": [
            [json_probability(event_mass(channel, row, [k], digits)) for row in (0, 1)] for k in event[:SHOWN_COLUMNS]
        ],
        "inequality": _inequality(certificate, channel, claim, digits),
        "simple": _simple(certificate, channel, claim),
    }


def _simple(certificate: Certificate, channel: Finite, claim: Claim) -> Json | None:
    """Short bounds of the two masses that still refute (epsilon, delta); None for others and irrational probabilities.

    *large* bounds the likelier mass from below and *small* the other from above, and large > level·small + delta.
    """
    if not isinstance(channel, Channel) or not isinstance(claim, ApproximateDP):
        return None
    order = (0, 1) if certificate["direction"] == "forward" else (1, 0)
    large, small = (bounds(event_mass(channel, row, certificate["event"], DEFAULT_DIGITS))[0] for row in order)
    level = mpq(certificate["level"]) if small else mpq(0)
    most = (large - claim.delta) / level if level else mpq(1)
    # The smaller mass takes half of the room, the larger one what is left.
    small = simplest_between(small, (small + min(most, mpq(1))) / 2) if small else small
    large = 1 - simplest_between(1 - large, 1 - level * small - claim.delta)
    return {"large": to_text(large), "small": to_text(small)}


def _inequality(certificate: Certificate, channel: Finite, claim: Claim, digits: int) -> Json:
    """The violated inequality with its two sides, for the event S of the certificate."""
    forward = certificate["direction"] == "forward"
    first, second = ("P(S)", "Q(S)") if forward else ("Q(S)", "P(S)")
    if isinstance(claim, DivergenceClaim):
        return _gaussian_inequality(certificate, claim, second, digits)
    if not isinstance(claim, ApproximateDP):
        beta, claimed = _errors(certificate, channel, claim.curve, digits)
        words = {"left": f"1 - {second}", "relation": "<", "right": f"f({first})", "level": None}
        return {**words, "left_value": json_probability(beta), "right_value": json_probability(claimed)}
    bound = {"relation": ">", "right": "delta", "right_value": to_text(claim.delta), "level": None}
    large, small = (event_mass(channel, row, certificate["event"], digits) for row in ((0, 1) if forward else (1, 0)))
    if isinstance(small, mpq) and small == 0:
        return {**bound, "left": first, "left_value": json_number(large)}
    if isinstance(channel, FormalChannel):
        excess = _excess(certificate, channel, claim, digits)
        return {**bound, "left": f"{first} - e^epsilon {second}", "left_value": json_number(excess)}
    level = mpq(certificate["level"])
    # A rational level is e^epsilon itself, or an upper bound U of it: P - e^epsilon Q >= P - U Q > delta.
    name = "U" if claim.level.value is None else "e^epsilon"
    excess = bounds(large)[0] - level * bounds(small)[0]
    left = {"left": f"{first} - {name} {second}", "left_value": json_number(excess), "level": to_text(level)}
    return {**bound, **left}


def _gaussian_inequality(certificate: Certificate, claim: DivergenceClaim, second: str, digits: int) -> Json:
    """1 - Q(S) < Phi(t - mu) <= G_mu(P(S)), t the threshold of the certificate."""
    if not isinstance(claim, GaussianDP):
        raise InputError("a claim of mu", claim.describe())
    first = "P(S)" if second == "Q(S)" else "Q(S)"
    beta, threshold = certificate["beta"], certificate["threshold"]
    return {
        "left": f"1 - {second}",
        "left_value": beta,
        "relation": "<",
        "right": f"Phi(t - mu) <= G_mu({first})",
        "right_value": json_probability(phi_above(mpq(threshold) - claim.mu, mpq(beta), digits)),
        "level": threshold,
    }


def phi_above(point: mpq, beta: mpq, digits: int) -> Bound:
    """The value of Phi at a point, which is above beta, with digits enough to tell."""
    return _refined(lambda n: (beta, phi_enclosure(point, n)), digits)[1]


def _refined(values: Callable[[int], tuple[Bound, Bound]], digits: int) -> tuple[Bound, Bound]:
    """Two values, the first below the second in truth, with digits enough to tell (within the limit)."""
    while True:
        low, high = values(digits)
        if bounds(low)[1] < bounds(high)[0] or digits >= MAX_REQUESTED_DIGITS:
            return low, high
        digits = min(2 * digits, MAX_REQUESTED_DIGITS)


def _excess(certificate: Certificate, channel: FormalChannel, claim: ApproximateDP, digits: int) -> Bound:
    """P(S) - e^epsilon Q(S) of irrational probabilities, in the certificate's direction."""
    pair = channel.oriented(certificate["direction"])
    event = certificate["event"]
    masses = (FormalSum.sum(row[k] for k in event) for row in pair.rows)
    quotient = forward_quotient(pair, [Group(tuple(event), *masses)], claim.level)
    return _refined(lambda n: (claim.delta, quotient.value(n)), digits)[1]


def _errors(certificate: Certificate, channel: Finite, curve: TradeoffFunction, digits: int) -> tuple[Bound, Bound]:
    """The type II error 1 - Q(S) of rejecting on S, and the claimed least one f(P(S))."""
    if isinstance(channel, Channel):
        return mpq(certificate["beta"]), mpq(certificate["claimed"])
    pair = channel.oriented(certificate["direction"])
    event = certificate["event"]
    rejected = FormalSum.sum(pair.rows[1][k] for k in event)
    missed = Quotient(pair.totals[1] - rejected, pair.totals[1])

    def values(n: int) -> tuple[Bound, Bound]:
        """The missed mass, and f at the mass of S, with n digits."""
        lo, hi = bounds(event_mass(pair, 0, event, n))
        low, high = curve.at(min(hi, mpq(1))), curve.at(min(lo, mpq(1)))
        if low == high:
            return missed.value(n), low
        # As decimals, rounded outwards, like every other enclosure.
        return missed.value(n), Enclosure(mpq(to_decimal(low, n + 3, "down")), mpq(to_decimal(high, n + 3, "up")))

    return _refined(values, digits)
