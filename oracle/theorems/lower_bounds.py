"""Mechanisms that attain the subsampling bounds: randomised membership, and the count.

*Randomised response* R_p keeps a bit with probability p. D_a(R_p(0)‖R_p(1)) = max(0, p - a(1-p)) for p >= 1/2; for any
p it is that of max(p, 1-p). (Printed without the restriction, which fails for p < 1/2: p = 1/4, a = 1 gives 1/2,
not 0.)

*Randomised membership* M_{v,p}(x) = R_p([v in x]). **Lemma 12, corrected.** Let S only give samples of records of
x, and let eta be the largest Pr[v in S(x)] over x ~ x' with v in x and v not in x'. For p >= 1/2 and a' = 1 + eta
(a - 1), a >= 1, the largest D_{a'} of M_{v,p}∘S over such pairs is eta·max(0, p - a(1-p)). *Proof.* v is never in
S(x'), so the output 1 has probability t = 1 - p under x' and t + e(2p-1) under x, e = Pr[v in S(x)]. D_{a'} is the
gain of output 1 or of output 0, t + e(2p-1) - a' t or (1-t) - e(2p-1) - a'(1-t); the second is negative, the first
is e(2p-1) - eta (a-1)(1-p), largest at e = eta: eta (2p - 1 - (a-1)(1-p)) = eta (p - a(1-p)). In the other order
the gains are a' times as unfavourable and at most these. For pairs with v in both or in neither the lemma says
nothing, and with TV(S(x), S(x')) for eta, as printed, it is false.

*Theorem 13.* M_{v,p} attains theorems 8, 9 and 10. All group profiles of M_{v,p} are equal, so it cannot tell the
weights of theorem 10 from their sum; the *count mechanism*, output 1 with probability t·(copies of v in the
sample), does: delta_{M,k}(a) = min(k, m)·t for a large enough that output 0 gains nothing, and delta_{M'} = t m/n =
Σ_k w_k k t.

Source: Balle, Barthe and Gaboardi, NeurIPS 2018, section 5.
"""

from __future__ import annotations

from collections.abc import Iterable

from gmpy2 import mpq

from oracle.databases.subsampling import Sampler
from oracle.databases.tables import DatabaseMechanism
from oracle.databases.universe import Database, Relation, Universe
from oracle.errors import InputError, shorten
from oracle.exact import to_text

__all__ = ["count_mechanism", "inclusion_probability", "membership_bound", "membership_mechanism", "response_profile"]


def _check_probability(p: mpq) -> None:
    if not 0 <= p <= 1:
        raise InputError("a probability between 0 and 1", shorten(to_text(p)), "p")


def response_profile(p: mpq, level: mpq) -> mpq:
    """D_a of R_p(0) and R_p(1), either order: max(0, s - a(1-s)) with s = max(p, 1-p)."""
    _check_probability(p)
    kept = max(p, 1 - p)
    return max(mpq(0), kept - level * (1 - kept))


def membership_mechanism(universe: Universe, databases: Iterable[Database], v: str, p: mpq) -> DatabaseMechanism:
    """M_{v,p} on the given databases; output 1 says that v is in the database."""
    _check_probability(p)
    rows = {False: (p, 1 - p), True: (1 - p, p)}
    return DatabaseMechanism(universe, {database: rows[v in database] for database in databases})


def count_mechanism(universe: Universe, databases: Iterable[Database], v: str, t: mpq) -> DatabaseMechanism:
    """Output 1 with probability t times the number of copies of v.

    Raises:
        InputError: if that exceeds 1 for a database.
    """
    table = {}
    for database in databases:
        one = t * database.count(v)
        if not 0 <= one <= 1:
            raise InputError("t times the number of copies between 0 and 1", shorten(to_text(one)), "t")
        table[database] = (1 - one, one)
    return DatabaseMechanism(universe, table)


def inclusion_probability(
    universe: Universe, databases: Iterable[Database], relation: Relation, sampler: Sampler, v: str
) -> mpq:
    """The largest Pr[v in S(x)] over neighbours x with v and x' without v among *databases*; 0 if there are none."""
    known = dict.fromkeys(databases)
    best = mpq(0)
    for database in known:
        if v in database:
            lacking = (other for other in universe.neighbours(database, relation) if v not in other and other in known)
            if next(lacking, None) is not None:
                best = max(best, sum((w for sample, w in sampler(database).items() if v in sample), mpq(0)))
    return best


def membership_bound(eta: mpq, p: mpq, level: mpq) -> mpq:
    """Lemma 12, corrected: delta of M_{v,p}∘S at a' = 1 + eta (a - 1) is eta·max(0, s - a(1-s)), s = max(p, 1-p)."""
    if level < 1:
        raise InputError("a level at least 1", shorten(to_text(level)), "level")
    return eta * response_profile(p, level)
