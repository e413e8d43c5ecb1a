"""Claims of section 4 on Poisson subsampling under substitution, which the paper calls incompatible.

With x and x' of n records, x0 their n - 1 common ones, v only in x and v' only in x': w_0 is the Poisson sample of x0,
w_1 adds v to it and w_1' adds v'; the laws of the samples of x and x' are (1 - γ) w_0 + γ w_1 and (1 - γ) w_0 + γ w_1'.
"""

from __future__ import annotations

from math import comb
from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracle.certificates.checker import check
from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel, Rows
from oracle.databases.universe import Database
from oracle.exact import INFINITY, Extended, Infinity
from oracle.laws.ask import Ask
from oracle.laws.balle2018._facts import ONE, ZERO
from oracle.laws.balle2018._mechanisms import Space
from oracle.laws.balle2018._samples import (
    Sample,
    distances,
    excess,
    group_profile,
    level_between,
    on_the_same_outcomes,
    poisson,
    poisson_node,
)
from oracle.laws.balle2018.amplification import asked, neighbouring_sources, subsampled
from oracle.laws.compare import at_most, equal, tables_equal, true, worst
from oracle.laws.evidence import Evidence
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, many_row_channels, rational_levels
from oracle.theorems.couplings import Coupling, compatible_coupling, least_transport
from oracle.theorems.subsampling import poisson_substitution_bound
from oracle.theorems.transport import Transport, transport

__all__ = ["CLAIMS", "supplement_bound"]

V, OTHER = "v", "w"
"""The record of x that x' lacks, and the one that stands in its place (v' in the text)."""
HALF: Final = mpq(1, 2)
_RECORDS: Final = ("a", "b", "c", V, OTHER)


def _with(law: Sample, record: str) -> Sample:
    return {tuple(sorted((*y, record))): w for y, w in law.items()}


def _common(n: int) -> Database:
    return _RECORDS[: n - 1]


def _factors(n: int, rate: mpq) -> tuple[Sample, Sample, Sample]:
    """The laws w_0, w_1 and w_1'."""
    rest = poisson(_common(n), rate)
    return rest, _with(rest, V), _with(rest, OTHER)


def _space(relation: str) -> Space:
    return Space("set", _RECORDS, (), "substitute" if relation == "substitute" else "add_remove")


def _tables(first: Sample, second: Sample, relation: str) -> tuple[list[mpq], list[mpq], list[list[Extended]]]:
    """Both laws on their own supports, and the distances between these."""
    table = distances(_space(relation), list(first), list(second))
    return list(first.values()), list(second.values()), table


@st.composite
def _rates(draw: DrawFn) -> tuple[int, mpq]:
    """The size n of the sources and a rate, often at or next to (n - 1)/n."""
    n = draw(st.integers(1, 4))
    edge = mpq(n - 1, n)
    near = [edge, edge + mpq(1, 1000), max(ZERO, edge - mpq(1, 1000))]
    return n, draw(st.one_of(alphas(), st.sampled_from(near)))


def _mixture_law(ask: Ask, n: int, rate: mpq) -> mpq:
    """The subject's hidden choice between the factors gives the laws of the samples, and their TV is the rate."""
    factors = _factors(n, rate)
    common = _common(n)
    both = [poisson((*common, record), rate) for record in (V, OTHER)]
    _, rows = on_the_same_outcomes(*factors, *both)
    chosen = ask.hidden(1 - rate, (rows[0], rows[0]), (rows[1], rows[2]))
    total = equal(ask.hockey_stick(rows[3:], ONE), rate)
    return worst([tables_equal(chosen, rows[3:]), total, equal(ask.hockey_stick(rows[1:3], ONE), ONE)])


def _literal_costs(table: list[list[Extended]]) -> list[list[Extended]]:
    """Cost 0 where the distance is the least to the support, be it infinite; else forbidden."""
    return [[ZERO if d == min(row) else INFINITY for d in row] for row in table]


def _literally_compatible(n: int, rate: mpq) -> bool:
    rest, first, _ = _factors(n, rate)
    nu, other, table = _tables(first, rest, "substitute")
    return isinstance(transport(nu, other, _literal_costs(table)), Transport)


def _sizes_law(ask: Ask, n: int, rate: mpq) -> mpq:
    """A finite distance needs equal sizes, but w_1 and w_0 put different masses on the sizes, as the subject sees."""
    rest, first, _ = _factors(n, rate)
    known, rows = on_the_same_outcomes(first, rest)
    merge = tuple(tuple(mpq(int(len(y) == size)) for size in range(n + 1)) for y in known)
    differ = ask.hockey_stick(ask.post(rows, merge), ONE)
    nu, other, table = _tables(first, rest, "substitute")
    found, _ = compatible_coupling(nu, other, table)
    empty = (1 - rate) ** (n - 1)
    return worst([true(not isinstance(found, Coupling)), at_most(max(empty, rate ** (n - 1)), differ)])


def _threshold_law(ask: Ask, n: int, rate: mpq) -> mpq:
    """Read with ∞ = ∞ a coupling exists exactly from the rate (n-1)/n on; the subject carries w_1 to w_0 by it."""
    rest, first, _ = _factors(n, rate)
    nu, other, table = _tables(first, rest, "substitute")
    found = transport(nu, other, _literal_costs(table))
    # At rate 0 the only sample of x0 is empty, and every distance is infinite.
    same = true(isinstance(found, Transport) == (rate >= mpq(n - 1, n) or not rate))
    law = (tuple(nu), tuple(nu))
    if not isinstance(found, Transport):
        return max(same, tables_equal(ask.pre(((ONE, ZERO), (ZERO, ONE)), law), law))
    kernel = tuple(tuple(found.entries.get((i, j), ZERO) / a for j in range(len(other))) for i, a in enumerate(nu))
    return max(same, tables_equal(ask.post(law, kernel), (tuple(other), tuple(other))))


def _exchange_law(ask: Ask, n: int, rate: mpq) -> mpq:
    """Exchanging v for v' carries w_1 to w_1', and dropping v carries it to w_0, over the least distances 2 and 1."""
    rest, first, second = _factors(n, rate)
    return max(_carried(ask, first, second, {OTHER}, mpq(2)), _carried(ask, first, rest, set(), ONE))


def _carried(ask: Ask, first: Sample, second: Sample, instead: set[str], distance: mpq) -> mpq:
    """Put *instead* in place of v in each y of *first*: the subject's image, and the distance of all pairs."""
    nu, other, table = _tables(first, second, "add_remove")
    kernel = tuple(tuple(mpq(int(tuple(sorted({*y, *instead} - {V})) == z)) for z in second) for y in first)
    carried = ask.post((tuple(nu), tuple(nu)), kernel)
    moved = {table[i][j] for i, row in enumerate(kernel) for j, one in enumerate(row) if one}
    nearest = {min(row) for row in table}
    return max(tables_equal(carried, (tuple(other), tuple(other))), true(moved == nearest == {distance}))


MECHANISMS: Final = (
    Space("set", ("a", "b"), (0, 1, 2), "add_remove"),
    Space("set", ("a", "b", "c"), (0, 1, 2), "add_remove"),
    Space("multiset", ("a", "b"), (0, 1, 2), "add_remove"),
    Space("set", ("a", "b", "c", "d"), (0, 1, 2, 3), "add_remove"),
)


@st.composite
def _mechanisms(draw: DrawFn) -> tuple[Space, Rows, mpq, mpq]:
    space = draw(st.sampled_from(MECHANISMS))
    size = len(space.databases)
    return space, draw(many_row_channels(size, size, 3)).rows, draw(alphas()), draw(rational_levels(1))


def _theorem_7_law(ask: Ask, space: Space, rows: Rows, rate: mpq, level: mpq) -> mpq:
    """Subsampled exactly, the subject's delta under substitution is at most rate·((1-b) δ_1 + b δ_2)."""
    raised = level_between(rate, level)
    b = raised / level
    group = group_profile(space, rows, level)
    sampled = asked(ask, poisson_node(rate, "substitute", space.to_json(rows)), raised)
    return at_most(sampled, rate * ((1 - b) * group(1) + b * group(2)))


def _substitution_profile(space: Space, rows: Rows, level: mpq) -> mpq:
    """The largest excess of two databases of the table that differ by a substitution, at any level >= 0.

    The supremum over no pairs is [1 - a]_+, what two equal laws have.
    """
    known = space.databases
    tables = [(rows[known.index(x)], rows[known.index(y)]) for x, y in neighbouring_sources(known)]
    return max((excess(table, level) for table in tables), default=max(ZERO, 1 - level))


def supplement_bound(space: Space, rows: Rows, n: int, rate: mpq, level: mpq) -> mpq:
    """The bound of the supplement for sources of n records, 0 <= rate < 1, with the profile by definition."""
    b = level_between(rate, level) / level
    total = rate ** (n - 1)
    for k in range(1, n):
        share = comb(n - 1, k - 1) * rate ** (k - 1) * (1 - rate) ** (n - k)
        total += share * _substitution_profile(space, rows, level * rate / (1 - rate) * (mpq(n, k) - 1))
    return rate * b * _substitution_profile(space, rows, level) + rate * (1 - b) * total


def _supplement_law(ask: Ask, space: Space, rows: Rows, rate: mpq, level: mpq) -> mpq:
    """The subject's delta of all pairs of sources of each size is at most the bound for that size."""
    if rate == 1:
        return ZERO
    known = space.databases
    raised = level_between(rate, level)
    excesses = []
    for n in space.sizes[1:]:
        most = supplement_bound(space, rows, n, rate, level)
        for x, y in neighbouring_sources([u for u in known if len(u) == n]):
            _, laws = on_the_same_outcomes(poisson(x, rate), poisson(y, rate), outcomes=known)
            excesses.append(at_most(ask.delta(ask.post(laws, rows), raised), most))
    return worst(excesses)


# --- errata -----------------------------------------------------------------------------------------------------------


def _infinite_pairs_certificate() -> Certificate:
    """For n = 2, γ = 1/2 the kernel {v} -> {a}, {a, v} -> {} carries w_1 to w_0."""
    evidence = Evidence()
    evidence.product([[HALF, HALF]], [[0, 1], [1, 0]])
    return evidence.certificate()


def _exchange_certificate() -> Certificate:
    """For n = 2, γ = 1/2 the coupling of w_1 and w_1' on nearest pairs, all at distance 2."""
    _, first, second = _factors(2, HALF)
    found, certificate = compatible_coupling(*_tables(first, second, "add_remove"))
    return certificate if isinstance(found, Coupling) else {}


def _exchange_compatible() -> bool:
    _, first, second = _factors(2, HALF)
    found, _ = compatible_coupling(*_tables(first, second, "add_remove"))
    return isinstance(found, Coupling)


def _no_finite_coupling(n: int, rate: mpq) -> bool:
    """The checker accepts that w_1 and w_0 have no coupling on pairs of finite distance."""
    rest, first, _ = _factors(n, rate)
    nu, other, table = _tables(first, rest, "substitute")
    costs = [[d if isinstance(d, Infinity) else ZERO for d in row] for row in table]
    found, certificate = least_transport(nu, other, costs)
    return not isinstance(found, Transport) and check(certificate).kind == "no_coupling"


INFINITE: Final = Erratum(
    printed="ω_1 and ω_0 are not d_s-compatible, since the supports have sets of different sizes. (Compatible is "
    "defined by d(y, y') = d(y, supp(ν')), without asking for finite distances.)",
    counterexample="Take n = 2, x = {a, v}, x' = {a, v'}, γ = 1/2. ω_1 has mass 1/2 on {v} and 1/2 on {a, v}; ω_0 has "
    "mass 1/2 on {} and 1/2 on {a}. Couple {v} with {a} and {a, v} with {}. d_s({v}, {a}) = 1 is the distance to "
    "supp(ω_0). {a, v} has two records, no set of supp(ω_0) has, so d_s({a, v}, supp(ω_0)) = ∞ = d_s({a, v}, {}). "
    "Both pairs fit the definition as printed, and the masses agree: 1/2 and 1/2. The same happens for n = 1, where "
    "{v} is coupled with {}.",
    correction="Not compatible if finite distances are asked for, for every n and γ. Read with ∞ = ∞ they are "
    "compatible exactly when γ >= (n-1)/n (or γ = 0).",
    scope="hypothesis",
    fails=lambda: _literally_compatible(2, HALF) and _literally_compatible(1, HALF),
    certificate=_infinite_pairs_certificate,
    summary="compatible if infinite distances may agree",
    printed_formula="no π in C(ω_1, ω_0) has d_s(y, y') = d_s(y, supp(ω_0)) on its support",
    true_formula="no π in C(ω_1, ω_0) has d_s(y, y') = d_s(y, supp(ω_0)) < ∞ on its support",
)

CONSTANT: Final = Erratum(
    printed="ω_1 and ω_1' are not d_r-compatible, so the method does not extend to Poisson subsampling under "
    "substitution, whatever the relation of the base mechanism.",
    counterexample="Take n = 2, x = {a, v}, x' = {a, v'}, γ = 1/2. ω_1 has mass 1/2 on {v} and 1/2 on {a, v}; ω_1' "
    "has mass 1/2 on {v'} and 1/2 on {a, v'}. Removals and additions from {v}: 2 to {v'}, 3 to {a, v'}; from {a, v}: "
    "3 to {v'}, 2 to {a, v'}. So the coupling {v} -> {v'}, {a, v} -> {a, v'} pairs each set with a nearest one, at "
    "distance 2. Its masses are 1/2 and 1/2, as they must be. (The same for any n and γ: exchange v for v'.)",
    correction="They are compatible, with the constant distance 2; so are ω_1 and ω_0, with the constant distance 1. "
    "Thus theorems 2 and 7 do give a bound: δ_{M'}(ε') <= γ((1-β) δ_{M,1}(ε) + β δ_{M,2}(ε)) with group profiles "
    "under remove/add-one and β = e^{ε'-ε}.",
    scope="statement",
    fails=_exchange_compatible,
    certificate=_exchange_certificate,
    summary="exchanging v for v' is compatible",
    printed_formula="no π in C(ω_1, ω_1') has d_r(y, y') = d_r(y, supp(ω_1')) on its support",
    true_formula="π{(y + v, y + v')} = ω_0(y) is in C(ω_1, ω_1'), with d_r(y + v, y + v') = 2 = d_r(y + v, supp(ω_1'))",
)


BASE: Final = Space("set", ("a", "v", "w"), (0, 1, 2), "add_remove")
BASE_ROWS: Final = Channel(
    [row.split() for row in ("7/8 1/8", "7/8 1/8", "3/4 1/4", "1/2 1/2", "3/4 1/4", "1/2 1/2", "1/2 1/2")]
).rows
"""A mechanism on {}, {a}, {v}, {w}, {a, v}, {a, w} and {v, w}."""


def _worked_bounds() -> tuple[mpq, mpq, mpq]:
    """At γ = 1/2, e^ε = 2, for {a, v} and {a, w}: the divergence at e^ε' = 3/2, theorem 7's bound, the supplement's."""
    level, known = mpq(2), BASE.databases
    raised = level_between(HALF, level)
    table = subsampled(poisson(("a", "v"), HALF), poisson(("a", "w"), HALF), known, BASE_ROWS)
    group, b = group_profile(BASE, BASE_ROWS, level), raised / level
    return (
        excess(table, raised),
        HALF * ((1 - b) * group(1) + b * group(2)),
        supplement_bound(BASE, BASE_ROWS, 2, HALF, level),
    )


def _bound_is_the_engines() -> bool:
    """The engine's bound, from the profile at levels >= 1 alone, is that of the formula."""

    def profile(level: mpq) -> mpq:
        return _substitution_profile(BASE, BASE_ROWS, level)

    levels = [ONE, mpq(3, 2), mpq(2), mpq(7)]
    rates = [ZERO, mpq(1, 3), HALF, mpq(3, 4)]
    return all(
        poisson_substitution_bound(profile, rate, n, level) == supplement_bound(BASE, BASE_ROWS, n, rate, level)
        for n in (1, 2, 3)
        for rate in rates
        for level in levels
    )


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="incompat TV",
        title="Poisson samples of two inputs that differ in one record",
        statement="For x and x' of n records that differ by a substitution the Poisson samples have total variation "
        "distance γ, and their maximal coupling splits them into the sample of the common records and that with v, or "
        "v', added.",
        formula="TV(ω, ω') = γ; ω = (1-γ) ω_0 + γ ω_1, ω' = (1-γ) ω_0 + γ ω_1', ω_1(y + v) = ω_0(y) = ω_1'(y + v')",
        source='section 4, When the Neighbouring Relation is "Incompatible" (the rate is called η there)',
        status="holds",
        laws=(Law("the factors mix to the samples", _rates(), _mixture_law),),
        facts=(
            fact(
                "n = 2, γ = 1/2: ω is 1/4 on each of {}, {a}, {v}, {a, v}",
                lambda: set(poisson(("a", "v"), HALF).values()) == {mpq(1, 4)},
            ),
        ),
    ),
    ClaimRecord(
        id="incompat d_s",
        title="ω_1 and ω_0 under substitution",
        statement="The samples with v and those of the common records alone have different laws of their sizes, and "
        "sets of different sizes are at an infinite distance under substitution: no coupling has finite distances.",
        formula="Pr_{ω_1}[|y| = n] = γ^{n-1} > 0 = Pr_{ω_0}[|y| = n] for γ > 0",
        source='section 4, When the Neighbouring Relation is "Incompatible"',
        status="holds_under",
        hypotheses="added: compatible couplings have finite distances",
        laws=(
            Law("sizes have different laws", _rates(), _sizes_law),
            Law("with ∞ = ∞ exactly from (n-1)/n on", _rates(), _threshold_law),
        ),
        facts=(
            fact("n = 2, γ = 1/2: no coupling of finite distances, certified", lambda: _no_finite_coupling(2, HALF)),
            fact("n = 3, γ = 1/10: the same", lambda: _no_finite_coupling(3, mpq(1, 10))),
            fact("n = 2, γ = 1/4: none even with ∞ = ∞", lambda: not _literally_compatible(2, mpq(1, 4))),
            fact(
                "n = 3: with ∞ = ∞ at γ = 2/3, not at 13/20",
                lambda: _literally_compatible(3, mpq(2, 3)) and not _literally_compatible(3, mpq(13, 20)),
            ),
        ),
        errata=(INFINITE,),
    ),
    ClaimRecord(
        id="incompat d_r",
        title="ω_1 and ω_1' under remove/add-one",
        statement="The samples with v and those with v' are compatible under remove/add-one: exchange v for v', at "
        "the constant distance 2. So Poisson subsampling under substitution has a bound from the group profiles under "
        "remove/add-one.",
        formula="δ_{M'}(ε') <= γ((1-β) δ_{M,1}(ε) + β δ_{M,2}(ε)), e^ε' = 1 + γ(e^ε - 1), β = e^{ε'-ε}",
        source='section 4, When the Neighbouring Relation is "Incompatible"; the bound is not in the paper',
        status="false_as_stated",
        hypotheses="M' under substitution, δ_{M,k} under remove/add-one",
        laws=(
            Law("exchanging and dropping v are nearest couplings", _rates(), _exchange_law),
            Law("the bound that follows", _mechanisms(), _theorem_7_law),
        ),
        facts=(
            fact(
                "n = 2, γ = 1/2: distances [2 3; 3 2]",
                lambda: _tables(*_factors(2, HALF)[1:], "add_remove")[2] == [[mpq(2), mpq(3)], [mpq(3), mpq(2)]],
            ),
        ),
        errata=(CONSTANT,),
    ),
    ClaimRecord(
        id="Poisson/S suppl.",
        title="Poisson subsampling under substitution",
        statement="With the base mechanism's profile under substitution as well there is a bound that depends on n: "
        "samples with v against samples without it are compared size by size.",
        formula="δ_{M'}(ε') <= γβ δ_M(ε) + γ(1-β)(Σ_{k=1}^{n-1} g_k δ_M(ε_k) + g_n), g_k = C(n-1,k-1) γ^{k-1} "
        "(1-γ)^{n-k}, e^{ε_k} = e^ε (γ/(1-γ)) (n/k - 1), β = e^{ε'-ε}",
        source="section 4, last paragraph, and supplementary material (the formula is reconstructed, not quoted)",
        status="holds",
        hypotheses="0 <= γ < 1; e^{ε_k} may be below 1, and δ_M(ε) is then the same supremum of Σ [p - e^ε q]_+",
        laws=(Law("all pairs of sources", _mechanisms(), _supplement_law),),
        facts=(
            fact(
                "output 1 with probability 1/8 on {} and {a}, 1/4 on {v} and {a, v}, 1/2 on {w}, {a, w} and {v, w}; γ "
                "= 1/2, e^ε = 2: D_{3/2} of {a, v} and {a, w} is 1/32, theorem 7's bound 1/8, the supplement's 11/64",
                lambda: _worked_bounds() == (mpq(1, 32), mpq(1, 8), mpq(11, 64)),
            ),
            fact("computed from the profile at levels of at least 1 alone, it is the same", _bound_is_the_engines),
        ),
    ),
)
