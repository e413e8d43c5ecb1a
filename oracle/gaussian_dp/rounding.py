"""Rationals with few digits near given ones, for points of proofs that are printed."""

from __future__ import annotations

from gmpy2 import mpq, mpz

__all__ = ["decimal_floor", "dyadic_floor"]


def dyadic_floor(x: mpq, bits: int) -> mpq:
    """The largest multiple of 2^-bits that is at most *x*."""
    return _floor(x, mpz(1) << bits)


def decimal_floor(x: mpq, digits: int) -> mpq:
    """The largest multiple of 10^-digits that is at most *x*."""
    return _floor(x, mpz(10) ** digits)


def _floor(x: mpq, scale: mpz) -> mpq:
    return mpq(x.numerator * scale // x.denominator, scale)
