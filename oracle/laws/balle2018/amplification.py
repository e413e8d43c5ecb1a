"""Claims of section 4 on sampling without repetition: table 1, theorem 8 (Poisson), theorem 9 (without replacement).

Bounds are asked for in two ways: of mechanisms on small databases, which a subject subsamples exactly, and of a pair of
laws alone, where it can only answer with the theorem.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracle.channels.channel import Channel, Rows
from oracle.databases.universe import Database, Kind, Relation
from oracle.exact import to_text
from oracle.laws.ask import Ask, matrix
from oracle.laws.balle2018._facts import ONE, ZERO, exact, number, product
from oracle.laws.balle2018._mechanisms import Space
from oracle.laws.balle2018._samples import (
    Sample,
    binomial_weight,
    excess,
    level_between,
    on_the_same_outcomes,
    poisson,
    poisson_node,
    replacing,
    replacing_node,
    response,
    taking,
    taking_node,
)
from oracle.laws.compare import at_most, equal, worst
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import alphas, many_row_channels, rational_levels
from oracle.theorems.subsampling import with_replacement as theorem_10

__all__ = ["CLAIMS", "Setting", "asked", "neighbouring_sources", "subsampled", "with_mechanisms"]


class Setting(NamedTuple):
    """Sources of n records over a universe, samples of m, and the space of the samples."""

    kind: Kind
    records: tuple[str, ...]
    n: int
    m: int
    samples: Space

    def sources(self, size: int | None = None) -> list[Database]:
        """The sources, of n records unless told otherwise."""
        return Space(self.kind, self.records, (self.n if size is None else size,), "substitute").databases


def _taken(kind: Kind, records: str, n: int, m: int) -> Setting:
    return Setting(kind, tuple(records), n, m, Space(kind, tuple(records), (m,), "substitute"))


POISSON_SPACES: Final = (
    Space("set", ("a",), (0, 1), "add_remove"),
    Space("set", ("a", "b"), (0, 1, 2), "add_remove"),
    Space("multiset", ("a",), (0, 1, 2), "add_remove"),
    Space("multiset", ("a", "b"), (0, 1, 2), "add_remove"),
)
TAKEN: Final = (
    _taken("set", "ab", 1, 1),
    _taken("set", "abc", 2, 0),
    _taken("set", "abc", 2, 1),
    _taken("set", "abc", 2, 2),
    _taken("set", "abc", 3, 1),
    _taken("set", "abcd", 3, 2),
    _taken("multiset", "ab", 2, 1),
    _taken("multiset", "ab", 3, 2),
)


def asked(ask: Ask, mechanism: dict[str, Any], level: mpq) -> mpq:
    """The subject's delta of a mechanism in the protocol's own words."""
    return exact(number(ask.value("delta", {"channel": mechanism, "exp_epsilon": to_text(level)})))


def neighbouring_sources(sources: Sequence[Database], relation: Relation = "substitute") -> list[tuple[Database, ...]]:
    """Unordered pairs of sets or multisets that differ by one substitution, or by one record."""
    wanted = (1, 1) if relation == "substitute" else (0, 1)

    def extra(x: Database, y: Database) -> int:
        return sum(max(0, x.count(u) - y.count(u)) for u in set(x))

    return [(x, y) for x, y in combinations(sources, 2) if tuple(sorted((extra(x, y), extra(y, x)))) == wanted]


def subsampled(first: Sample, second: Sample, databases: Sequence[Database], rows: Rows) -> Rows:
    """The two laws of the output, from the laws of two samples."""
    _, laws = on_the_same_outcomes(first, second, outcomes=databases)
    return product(laws, rows)


def with_mechanisms(settings: Sequence[Setting]) -> st.SearchStrategy[Any]:
    """A setting, a mechanism on its samples and a level."""

    @st.composite
    def examples(draw: DrawFn) -> tuple[Setting, Rows, mpq]:
        setting = draw(st.sampled_from(settings))
        size = len(setting.samples.databases)
        return setting, draw(many_row_channels(size, size, 3)).rows, draw(rational_levels(1))

    return examples()


# --- table 1 ----------------------------------------------------------------------------------------------------------

_Pairing = tuple[str, int, int, mpq]


@st.composite
def _pairings(draw: DrawFn) -> tuple[str, int, int, mpq]:
    """A row of the table, n, m and a rate."""
    n = draw(st.integers(1, 4))
    m = draw(st.integers(0, 3))
    return draw(st.sampled_from(["8", "9", "10", "11"])), n, m, draw(alphas())


def _eta(row: str, n: int, m: int, rate: mpq) -> mpq:
    """The table's column of η."""
    if row in ("10", "11"):
        return 1 - (1 - mpq(1, n)) ** m
    return rate if row == "8" else mpq(m, n)


def _sample_laws(row: str, n: int, m: int, rate: mpq) -> tuple[Sample, Sample]:
    """Samples of x and of a neighbour: x without its last record (rows 8, 11), or with it replaced (rows 9, 10)."""
    x = tuple("abcd"[:n])
    other = (*x[:-1], "e")
    if row == "8":
        return poisson(x, rate), poisson(x[:-1], rate)
    if row == "9":
        return taking(x, m), taking(other, m)
    return replacing(x, m), replacing(x[:-1] if row == "11" else other, m)


def _valid(example: _Pairing) -> bool:
    row, n, m, _ = example
    return (row != "9" or m <= n) and (row != "11" or n > 1)


def _total_variation_law(ask: Ask, row: str, n: int, m: int, rate: mpq) -> mpq:
    """The subject's total variation of the two laws of samples, all draws listed, is the table's η."""
    _, laws = on_the_same_outcomes(*_sample_laws(row, n, m, rate))
    return worst(equal(ask.hockey_stick(laws, ONE, way), _eta(row, n, m, rate)) for way in ("forward", "backward"))


def _weights_law(ask: Ask, n: int, m: int) -> mpq:
    """With replacement the weights are the law of the number of draws of one record; from k = 1 on they sum to η."""
    channel = ((1 - mpq(1, n), mpq(1, n)), (ONE, ZERO))
    drawn = ask.parallel([channel] * m) if m else ((ONE,), (ONE,))
    counts = [sum(1 for place in range(m) if j >> place & 1) for j in range(2**m)]
    found = [sum((v for v, c in zip(drawn[0], counts, strict=True) if c == k), ZERO) for k in range(m + 1)]
    weights = [binomial_weight(n, m, k) for k in range(m + 1)]
    total = equal(sum(weights[1:], ZERO), _eta("10", n, m, ZERO))
    return worst([total, *(equal(a, b) for a, b in zip(found, weights, strict=True))])


def _answered_bound_law(ask: Ask, row: str, n: int, m: int, p: mpq, level: mpq) -> mpq:  # noqa: PLR0917, PLR0913
    """Of randomised response alone, without databases, the subject knows the table's bound: every δ_k is δ_1.

    A pair of laws says nothing of k > 1 records, so there the black-box bound stands in; m = 1 needs none.
    """
    base = matrix(response(p))
    eta = _eta(row, n, m, p)
    if row == "8":
        node = poisson_node(p, "add_remove", base)
    elif row == "9":
        node = taking_node(n, m, base)
    else:
        eta = mpq(1, n)
        node = replacing_node(n, 1, base, "substitute" if row == "10" else "add_remove")
    bound = eta * exact(ask.delta(response(p), level))
    return equal(asked(ask, node, level_between(eta, level)), bound)


def _table_values() -> bool:
    """The weights and η of the table at (1, 1), (2, 2), (3, 2) and (5, 3)."""
    values = {
        (1, 1): ("1", ["1"]),
        (2, 2): ("3/4", ["1/2", "1/4"]),
        (3, 2): ("5/9", ["4/9", "1/9"]),
        (5, 3): ("61/125", ["48/125", "12/125", "1/125"]),
    }
    return all(
        theorem_10(n, m, "substitute").eta == mpq(eta) == _eta("10", n, m, ZERO)
        and theorem_10(n, m, "substitute").weights() == [*map(mpq, weights)]
        and [binomial_weight(n, m, k) for k in range(1, m + 1)] == [*map(mpq, weights)]
        for (n, m), (eta, weights) in values.items()
    )


# --- theorems 8 and 9 -------------------------------------------------------------------------------------------------


@st.composite
def _poisson_examples(draw: DrawFn) -> tuple[Space, Rows, mpq, mpq]:
    space = draw(st.sampled_from(POISSON_SPACES))
    size = len(space.databases)
    return space, draw(many_row_channels(size, size, 3)).rows, draw(alphas()), draw(rational_levels(1))


def _theorem_8_law(ask: Ask, space: Space, rows: Rows, rate: mpq, level: mpq) -> mpq:
    """Subsampled exactly, the subject's delta at a' is at most rate·delta of the base at a."""
    base = space.to_json(rows)
    sampled = asked(ask, poisson_node(rate, "add_remove", base), level_between(rate, level))
    return at_most(sampled, rate * asked(ask, base, level))


def _poisson_enumerated_law(ask: Ask, space: Space, rows: Rows, rate: mpq, level: mpq) -> mpq:
    """The subject's delta of the subsampled mechanism is the largest one by listing all tosses of all sources."""
    known = space.databases
    largest = max(
        excess(subsampled(poisson(x, rate), poisson(y, rate), known, rows), level)
        for x, y in neighbouring_sources(known, "add_remove")
    )
    return equal(asked(ask, poisson_node(rate, "add_remove", space.to_json(rows)), level), largest)


def _theorem_9_law(ask: Ask, setting: Setting, rows: Rows, level: mpq) -> mpq:
    """Subsampled exactly, the subject's delta at a' is at most m/n times delta of the base at a."""
    eta, base = mpq(setting.m, setting.n), setting.samples.to_json(rows)
    sampled = asked(ask, taking_node(setting.n, setting.m, base), level_between(eta, level))
    return at_most(sampled, eta * asked(ask, base, level))


def _taken_enumerated_law(ask: Ask, setting: Setting, rows: Rows, level: mpq) -> mpq:
    """The subject's delta of the subsampled mechanism is the largest one by listing all draws; 0 for no neighbours."""
    known = setting.samples.databases
    pairs = neighbouring_sources(setting.sources())
    tables = [subsampled(taking(x, setting.m), taking(y, setting.m), known, rows) for x, y in pairs]
    largest = max((excess(table, level) for table in tables), default=ZERO)
    return equal(asked(ask, taking_node(setting.n, setting.m, setting.samples.to_json(rows)), level), largest)


AB: Final = POISSON_SPACES[1]
AB_ROWS: Final = Channel([row.split() for row in ("1/2 1/4 1/4", "1/4 1/2 1/4", "1/3 1/3 1/3", "1/8 5/8 1/4")]).rows
"""A mechanism on {}, {a}, {b} and {a, b}."""


def _poisson_values(rate: str, level: str) -> tuple[mpq, mpq, mpq]:
    """The profile of AB_ROWS, that of the subsampled mechanism at a', and the bound."""
    known, gamma, a = AB.databases, mpq(rate), mpq(level)
    pairs = neighbouring_sources(known, "add_remove")
    tables = [subsampled(poisson(x, gamma), poisson(y, gamma), known, AB_ROWS) for x, y in pairs]
    base = max(excess((AB_ROWS[known.index(x)], AB_ROWS[known.index(y)]), a) for x, y in pairs)
    return base, max(excess(table, level_between(gamma, a)) for table in tables), gamma * base


def _values(*texts: str) -> tuple[mpq, ...]:
    return tuple(map(mpq, texts))


def _whole_source() -> bool:
    """For m = n the sample is the source, and the bound is the profile itself."""
    return taking(("a", "b", "c"), 3) == {("a", "b", "c"): ONE}


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Table1",
        title="summary of the amplification bounds",
        statement="For each way of subsampling and its relations: η is the total variation distance of the laws of "
        "the samples of two neighbours, and the bound on the profile of the subsampled mechanism at e^ε' = 1 + η(e^ε "
        "- 1) is a combination of group profiles of the base mechanism at e^ε, with weights that sum to η.",
        formula="R: remove/add-one, S: substitute-one, first for M, then for M'. Poisson(γ), R/R: η = γ, δ' <= γ δ; "
        "WOR(n,m), S/S: η = m/n, δ' <= (m/n) δ; WR(n,m), S/S and S/R: η = 1 - (1-1/n)^m, δ' <= Σ_{k=1}^m C(m,k) "
        "(1/n)^k (1-1/n)^{m-k} δ_k",
        source="section 2, Table 1",
        status="holds",
        hypotheses="those of theorems 8 to 11; in its last row n >= 2 for the removal of a record",
        laws=(
            Law("η is the total variation distance", _pairings().filter(_valid), _total_variation_law),
            Law("weights with replacement", st.tuples(st.integers(1, 4), st.integers(0, 4)), _weights_law),
            Law(
                "bounds for a pair of laws",
                st.tuples(_pairings().filter(_valid), rational_levels(1)).map(lambda e: (*e[0], e[1])),
                _answered_bound_law,
            ),
        ),
        facts=(
            fact(
                "with replacement: (1,1): η = 1; (2,2): 3/4 = 1/2 + 1/4; (3,2): 5/9 = 4/9 + 1/9; (5,3): 61/125 = "
                "(48 + 12 + 1)/125",
                _table_values,
            ),
            fact(
                "(10,10): η = 6513215599/10^10, and the last weight is 10^-10",
                lambda: (
                    _eta("10", 10, 10, ZERO) == mpq(6513215599, 10**10)
                    and binomial_weight(10, 10, 10) == mpq(1, 10**10)
                ),
            ),
        ),
    ),
    ClaimRecord(
        id="Thm8",
        title="Poisson subsampling, remove/add-one",
        statement="If every record is kept with probability γ, the profile of the subsampled mechanism under "
        "remove/add-one, at the lower level ε', is at most γ times that of the mechanism at ε; for multisets too.",
        formula="δ_{M'}(ε') <= γ δ_M(ε), ε' = log(1 + γ(e^ε - 1)), 0 <= γ <= 1",
        source="section 4, Theorem 8",
        status="holds",
        hypotheses="ε >= 0",
        laws=(
            Law("the bound", _poisson_examples(), _theorem_8_law),
            Law("every source and toss listed", _poisson_examples(), _poisson_enumerated_law),
        ),
        facts=(
            fact(
                "[1/2 1/4 1/4; 1/4 1/2 1/4; 1/3 1/3 1/3; 1/8 5/8 1/4] on {}, {a}, {b}, {a, b}, γ = 1/3, e^ε = 1: "
                "δ_M = 7/24, δ_{M'} = 19/216 <= 7/72",
                lambda: _poisson_values("1/3", "1") == _values("7/24", "19/216", "7/72"),
            ),
            fact(
                "the same with γ = 1/2: 13/96 <= 7/48",
                lambda: _poisson_values("1/2", "1") == _values("7/24", "13/96", "7/48"),
            ),
            fact(
                "γ = 1/2, e^ε = 3/2: e^ε' = 5/4, δ_M = 7/48, δ_{M'} = 1/16 <= 7/96",
                lambda: _poisson_values("1/2", "3/2") == _values("7/48", "1/16", "7/96"),
            ),
        ),
    ),
    ClaimRecord(
        id="Thm9",
        title="sampling without replacement, substitute-one",
        statement="If m of n records are taken, every choice equally likely, the profile of the subsampled "
        "mechanism at ε' is at most m/n times that of the mechanism at ε, both under substitution; for multisets "
        "too.",
        formula="δ_{M'}(ε') <= (m/n) δ_M(ε), ε' = log(1 + (m/n)(e^ε - 1)), 0 <= m <= n",
        source="section 4, Theorem 9",
        status="holds",
        hypotheses="ε >= 0, n >= 1",
        laws=(
            Law("the bound", with_mechanisms(TAKEN), _theorem_9_law),
            Law("every source and draw listed", with_mechanisms(TAKEN), _taken_enumerated_law),
        ),
        facts=(
            fact("m = n: nothing is left out, and the bound is the profile itself", _whole_source),
            fact(
                "2 of {a, b, c}: three pairs of probability 1/3",
                lambda: taking(("a", "b", "c"), 2) == dict.fromkeys(combinations("abc", 2), mpq(1, 3)),
            ),
        ),
    ),
)
