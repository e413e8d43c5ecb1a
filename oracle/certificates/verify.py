"""Verification of certificates in Python: a thin door to the independent checker."""

from __future__ import annotations

from typing import Any

from oracle.certificates.checker import Accepted, Rejected, check

__all__ = ["Accepted", "Rejected", "verify"]


def verify(certificate: dict[str, Any]) -> Accepted:
    """Check one certificate document; returns what was proved, and about which channels.

    Raises:
        Rejected: if it is malformed, altered, or its statement is not true; also for a record, which is no certificate.
    """
    return check(certificate)
