"""Certificates for the truths that have a short one, each accepted by the independent checker before it is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oracle.certificates.documents import (
    greatest_lower_bound_certificate,
    least_upper_bound_certificate,
    refinement_certificate,
    tradeoff_certificate,
)
from oracle.certificates.verify import verify
from oracle.conformance.truths import Exact, Expected
from oracle.operations import rational_channel, refines, satisfies

__all__ = ["certificate_of"]


def certificate_of(op: str, args: Mapping[str, Any], truth: Expected) -> dict[str, Any] | None:
    """A certificate of a truth; None where there is none to be had.

    For delta it states that the pair is (epsilon, delta)-DP with that delta, which is one half of the truth; for the
    others the whole.

    Raises:
        Rejected: where the checker does not accept it.
    """
    document: dict[str, Any] | None = None
    if op == "tradeoff":
        document = tradeoff_certificate(rational_channel(args["channel"]))
    elif op == "refines":
        left, right = rational_channel(args["left"]), rational_channel(args["right"])
        document = refinement_certificate(left, right, refines(left, right))
    elif op in ("glb", "lub"):
        made = greatest_lower_bound_certificate if op == "glb" else least_upper_bound_certificate
        document = made([rational_channel(channel, merged=True) for channel in args["channels"]])
    elif op == "delta" and isinstance(truth, Exact):
        claim = {key: args[key] for key in ("exp_epsilon", "epsilon") if key in args} | {"delta": truth.value}
        document = satisfies(args["channel"], claim).certificate
    if document is not None:
        verify(document)
    return document
