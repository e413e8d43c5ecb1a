"""Group privacy from the profile alone: the black-box bound.

delta_{M,k}(a) <= Σ_{i<k} a^(i/k) · delta_M(a^(1/k)) = (a - 1)/(a^(1/k) - 1) · delta_M(a^(1/k)), a factor k at a = 1,
and never more than 1. Along a path x_0, ..., x_k of neighbours, with r = a^(1/k) and d = delta_M(r),
P_0(S) <= r P_1(S) + d <= r² P_2(S) + r d + d and so on. Source: S. Vadhan, The Complexity of Differential Privacy,
2017, lemma 2.2; Balle, Barthe and Gaboardi, NeurIPS 2018, section 3.
"""

from __future__ import annotations

from collections.abc import Callable

from gmpy2 import iroot, mpq

from oracle.errors import InputError, shorten
from oracle.exact import to_text

__all__ = ["black_box", "black_box_bound", "exact_root"]


def exact_root(level: mpq, k: int) -> mpq | None:
    """The rational k-th root of a level >= 0, if there is one."""
    top, exact_top = iroot(level.numerator, k)
    bottom, exact_bottom = iroot(level.denominator, k)
    return mpq(top, bottom) if exact_top and exact_bottom else None


def black_box_bound(k: int, root: mpq, delta: mpq) -> mpq:
    """The bound on delta_{M,k}(root^k) from delta = delta_M(root): min(1, Σ_{i<k} root^i · delta), root >= 1."""
    if k < 1:
        raise InputError("a group of at least 1", shorten(k), "size")
    if root < 1:
        raise InputError("a level at least 1", shorten(to_text(root)), "level")
    factor = mpq(k) if root == 1 else (root**k - 1) / (root - 1)
    return min(mpq(1), factor * delta)


def black_box(profile: Callable[[mpq], mpq], k: int, root: mpq) -> mpq:
    """The same bound from a profile a -> delta_M(a)."""
    return black_box_bound(k, root, profile(root))
