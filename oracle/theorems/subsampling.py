"""Privacy amplification by subsampling: which theorem speaks about a pairing, and what it says.

A pairing is a way of subsampling with a relation for the inputs x of M' = M∘S. Each theorem bounds the profile of M' by
group profiles of the base M at a level a >= 1:

    delta_{M'}(a') <= Σ_k w_k delta_{M,k}(a),    a' = 1 + eta (a - 1),    b = a'/a.

=====================================  ==========  ============  ============================================
subsampling (inputs, base)             source      eta           weights w_1, w_2, ...
=====================================  ==========  ============  ============================================
Poisson (add_remove, add_remove)       theorem 8   rate          rate
without replacement (subst., subst.)   theorem 9   m/n           m/n
with replacement (subst., subst.)      theorem 10  1-(1-1/n)^m   C(m,k) n^-k (1-1/n)^(m-k), k = 1..m
with replacement (add_remove, subst.)  theorem 11  1-(1-1/n)^m   the same; n >= 1 records, one of them removed
Poisson (substitute, add_remove)       theorem 7   rate          rate·(1-b), rate·b
=====================================  ==========  ============  ============================================

Relations are symmetric, so a bound is about both directions at once and states nothing of one alone. It is an upper
bound: nothing is refuted by it. All are tight in the worst case over M but the last.

*Theorem 11* is printed for n >= 0, but 1/n must have a meaning, and a single record cannot be removed (nothing is
left to draw from). *The last line* is not in the paper, which calls the pairing incompatible. With x0 the common
records, the remainders of the two laws are w_1 (y with v) and w_1' (y with v'), y a Poisson sample of x0, and w_0
is that of x0: the coupling that keeps y has the constant add_remove distance 1 between w_1 and w_0 and 2 between
w_1 and w_1', so that both pairs are compatible, and theorem 2 with joint convexity gives rate·((1-b) delta_{M,1} +
b delta_{M,2}).

*Poisson under substitution with a base profile under substitution* has only the bound of the supplement, which
depends on n and is :func:`poisson_substitution_bound`: w_1 and w_0 are not compatible, since sizes differ.

*Without replacement under add_remove* has no statement: the number of records is then private, and a sample of m need
not exist.

Source: Balle, Barthe and Gaboardi, NeurIPS 2018, section 4 and table 1; the supplement of the same paper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Final, Literal

from gmpy2 import mpq, mpz

from oracle.databases.subsampling import check_rate, check_sizes
from oracle.databases.universe import Relation
from oracle.errors import Declined, InputError, LimitError, shorten
from oracle.exact import Extended, Infinity, to_text

__all__ = [
    "Amplification",
    "GroupProfile",
    "amplified_level",
    "base_level",
    "compatible",
    "group_privacy",
    "poisson",
    "poisson_substitution_bound",
    "with_replacement",
    "without_replacement",
]

GroupProfile = Callable[[int, Extended], mpq]
"""(k, a) -> delta_{M,k}(a), or an upper bound of it."""

_ONE: Final = mpq(1)

MAX_WEIGHTS: Final = 100_000
"""Most weights that are listed."""

_MAX_POWER_BITS: Final = 1 << 22
"""Most bits of source^sample, the denominator of the weights of sampling with replacement."""


def amplified_level(eta: mpq, level: Extended) -> Extended:
    """The level a' = 1 + eta (a - 1)."""
    if isinstance(level, Infinity):
        return level if eta else mpq(1)
    return 1 + eta * (level - 1)


def base_level(eta: mpq, level: Extended) -> Extended:
    """The a with a' = 1 + eta (a - 1), for eta > 0."""
    return level if isinstance(level, Infinity) else 1 + (level - 1) / eta


@dataclass(frozen=True, slots=True)
class Amplification:
    """What a theorem says of one pairing.

    Attributes:
        theorem: its name in the paper.
        eta: the total variation distance of the laws of the samples.
        base: the relation of the base's group profiles.
        groups: the largest k that has a weight.
        rule: the form of the weights.
        places: n, the number of records drawn from, for ``binomial``.
    """

    theorem: str
    eta: mpq
    base: Relation
    groups: int
    rule: Literal["single", "binomial", "split", "group"]
    places: int = 1

    def weight(self, k: int, level: Extended = _ONE) -> mpq:
        """w_k; only those of ``split`` depend on the base level a, through b = a'/a (eta at a = inf)."""
        if not 1 <= k <= self.groups:
            return mpq(0)
        if self.rule == "single":
            return self.eta
        if self.rule == "group":
            return mpq(k == self.groups)
        if self.rule == "split":
            raised = amplified_level(self.eta, level)
            b = self.eta if isinstance(level, Infinity) or isinstance(raised, Infinity) else raised / level
            return self.eta * (1 - b) if k == 1 else self.eta * b
        m, n = self.groups, self.places
        return mpq(comb(m, k) * mpz(n - 1) ** (m - k), mpz(n) ** m)

    def weights(self, level: Extended = _ONE) -> list[mpq]:
        """w_1, w_2, ..."""
        if self.groups > MAX_WEIGHTS:
            raise LimitError(f"at most {MAX_WEIGHTS} weights", shorten(self.groups), "sample")
        return [self.weight(k, level) for k in range(1, self.groups + 1)]

    def bound(self, profile: GroupProfile, level: Extended) -> mpq:
        """Σ_k w_k delta_{M,k}(a) at the base level a >= 1: an upper bound of delta_{M'}(a')."""
        if level < 1:
            raise InputError("a level at least 1", shorten(to_text(level)), "level")
        return sum((w * profile(k, level) for k, w in enumerate(self.weights(level), 1) if w), mpq(0))


def group_privacy(size: int, base: Relation = "add_remove") -> Amplification:
    """No sampling at all, but inputs that differ by *size* records: delta_{M,size} itself, at a' = a."""
    if size < 1:
        raise InputError("a group of at least 1", shorten(size), "size")
    return Amplification("group privacy", mpq(1), base, size, "group")


def poisson(rate: mpq, inputs: Relation, base: Relation = "add_remove") -> Amplification:
    """Theorem 8, or for inputs under substitution theorem 7 (see the module's text).

    Raises:
        Declined: for a base profile under substitution.
    """
    check_rate(rate)
    if base == "substitute":
        raise Declined(
            "Poisson samples have different sizes, so no distance-compatible coupling under substitution exists; "
            "the bound of the supplement needs the number of records"
        )
    if inputs == "add_remove":
        return Amplification("theorem 8", rate, "add_remove", 1, "single")
    return Amplification("theorem 7", rate, "add_remove", 2, "split")


def without_replacement(source: int, sample: int, inputs: Relation) -> Amplification:
    """Theorem 9.

    Raises:
        InputError: for a sample larger than its source.
        Declined: for inputs under add_remove.
    """
    check_sizes(source, sample, replacement=False)
    if inputs == "add_remove":
        raise Declined(
            "no theorem about sampling without replacement under add_remove: the number of records is private there, "
            "and a sample of fixed size need not exist"
        )
    return Amplification("theorem 9", mpq(sample, source), "substitute", 1, "single")


def with_replacement(source: int, sample: int, inputs: Relation) -> Amplification:
    """Theorem 10 for inputs under substitution, theorem 11 under add_remove (the larger database has *source* records).

    Raises:
        InputError: for sizes without meaning.
        LimitError: where source^sample, the number of outcomes of the sampling, is too long to write.
        Declined: for a source of one record under add_remove, which leaves nothing to draw from.
    """
    check_sizes(source, sample, replacement=True)
    if inputs == "add_remove" and source == 1:
        raise Declined("theorem 11 needs a record that is left to draw from when one of the source is removed")
    if source.bit_length() * sample > _MAX_POWER_BITS:
        got = f"{shorten(source)} to the power {shorten(sample)}"
        raise LimitError(f"a number of outcomes of at most {_MAX_POWER_BITS} bits", got, "sample")
    eta = 1 - mpq(mpz(source - 1) ** sample, mpz(source) ** sample)
    name = "theorem 10" if inputs == "substitute" else "theorem 11"
    return Amplification(name, eta, "substitute", sample, "binomial", source)


def compatible(way: Literal["poisson", "without", "with"], base: Relation) -> bool:
    """Whether the remainders of the laws of x ~ x' have distance-compatible couplings, x and x' in either relation.

    The laws are w = (1-eta) w_0 + eta w_1 and w' = (1-eta) w_0 + eta w_1'; the pairs are (w_1, w_0) and (w_1, w_1').
    Dropping the differing record v from a Poisson sample moves w_1 onto w_0 at the constant add_remove distance 1;
    under substitution w_1 and w_0 put different masses on the sizes of samples, between which the distance is
    infinite. Samples of a fixed size are moved by replacing v by a random other record, once for each time that it
    was drawn, which is the least possible; their add_remove distances are twice those of substitution.
    """
    return way != "poisson" or base == "add_remove"


def poisson_substitution_bound(profile: Callable[[mpq], mpq], rate: mpq, source: int, level: mpq) -> mpq:
    """The supplement's bound on delta_{M'}(a') for Poisson subsampling, inputs and base under substitution.

    It is rate·b·delta_M(a) + rate·(1-b)·(Σ_{k=1}^{n-1} g_k delta_M(a_k) + g_n), b = a'/a,
    g_k = C(n-1,k-1) rate^(k-1) (1-rate)^(n-k) and a_k = a·rate/(1-rate)·(n/k - 1): the samples of size k of w_1
    against those of w_0, moved onto one another by one substitution. The a_k may be below 1; there delta_M(a) = 1 -
    a + a·delta_M(1/a).

    Args:
        profile: a -> delta_M(a) under substitution, asked at levels a >= 1 only.
        rate: in [0, 1); at 1 every record is kept, and delta_{M'} = delta_M.
        source: n >= 1, the number of records.
        level: a >= 1.
    """
    check_rate(rate)
    check_sizes(source, 0, replacement=True)
    if level < 1:
        raise InputError("a level at least 1", shorten(to_text(level)), "level")
    if rate == 1:
        return profile(level)
    b = (1 + rate * (level - 1)) / level
    n, total = source, rate ** (source - 1)
    for k in range(1, n):
        share = comb(n - 1, k - 1) * rate ** (k - 1) * (1 - rate) ** (n - k)
        if share:
            total += share * _anywhere(profile, level * rate / (1 - rate) * (mpq(n, k) - 1))
    return rate * b * profile(level) + rate * (1 - b) * total


def _anywhere(profile: Callable[[mpq], mpq], level: mpq) -> mpq:
    """delta_M at any level >= 0: by symmetry of the relation D_a(P‖Q) = 1 - a + a D_{1/a}(Q‖P)."""
    if level >= 1:
        return profile(level)
    return 1 - level + level * profile(1 / level) if level else mpq(1)
