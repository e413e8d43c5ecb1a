"""Claims of section 4 on sampling with replacement: its law, theorems 10 and 11, and the level ε'."""

from __future__ import annotations

from typing import Any, Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracle import operations
from oracle.channels.channel import Channel, Rows
from oracle.databases.universe import Database, Kind
from oracle.enclosures import Enclosure
from oracle.exact import to_text
from oracle.laws.ask import Ask
from oracle.laws.balle2018._facts import ONE, ZERO, exact
from oracle.laws.balle2018._mechanisms import Space
from oracle.laws.balle2018._noise import exponential
from oracle.laws.balle2018._replacement_errata import (
    EMPTY,
    FIRST_ORDER,
    MULTINOMIAL,
    multinomial,
    printed_multinomial,
)
from oracle.laws.balle2018._samples import (
    binomial_weight,
    excess,
    group_profile,
    level_between,
    on_the_same_outcomes,
    replacing,
    replacing_node,
    response,
)
from oracle.laws.balle2018.amplification import (
    Setting,
    asked,
    neighbouring_sources,
    subsampled,
    with_mechanisms,
)
from oracle.laws.compare import at_most, equal, tables_equal, worst
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import alphas, rational_levels

__all__ = ["CLAIMS", "REPLACED", "bound", "replaced"]


def replaced(kind: Kind, records: str, n: int, m: int) -> Setting:
    """M draws from n records; samples are multisets, of sets too."""
    return Setting(kind, tuple(records), n, m, Space("multiset", tuple(records), (m,), "substitute"))


REPLACED: Final = (
    replaced("set", "ab", 1, 1),
    replaced("set", "ab", 1, 3),
    replaced("set", "abc", 2, 1),
    replaced("set", "abc", 2, 2),
    replaced("set", "abc", 2, 3),
    replaced("set", "abcd", 3, 2),
    replaced("multiset", "ab", 2, 2),
    replaced("multiset", "ab", 3, 2),
)
REMOVED: Final = (
    replaced("set", "ab", 2, 1),
    replaced("set", "ab", 2, 2),
    replaced("set", "abc", 2, 2),
    replaced("set", "abc", 3, 2),
    replaced("multiset", "ab", 2, 2),
    replaced("multiset", "ab", 3, 3),
)


def _eta(n: int, m: int) -> mpq:
    return 1 - (1 - mpq(1, n)) ** m


def bound(setting: Setting, rows: Rows, level: mpq) -> mpq:
    """The right-hand side of theorems 10 and 11, with group profiles by definition."""
    group = group_profile(setting.samples, rows, level)
    return sum((binomial_weight(setting.n, setting.m, k) * group(k) for k in range(1, setting.m + 1)), ZERO)


def _node(setting: Setting, rows: Rows, relation: str = "substitute") -> dict[str, Any]:
    base = {**setting.samples.to_json(rows), "sources": setting.kind}
    return replacing_node(setting.n, setting.m, base, relation)


# --- the law ----------------------------------------------------------------------------------------------------------


@st.composite
def _two_sources(draw: DrawFn) -> tuple[Database, Database, int]:
    """Two multisets over {a, b, c}, and a number of draws."""
    source = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(lambda u: tuple(sorted(u)))
    return draw(source), draw(source), draw(st.integers(0, 3))


def _multinomial_law(ask: Ask, first: Database, second: Database, m: int) -> mpq:
    """M draws by the subject, with equal multisets merged, follow the corrected formula."""
    single = tuple(tuple(mpq(x.count(u), len(x)) for u in "abc") for x in (first, second))
    drawn = ask.parallel([single] * m) if m else ((ONE,), (ONE,))
    samples = Space("multiset", ("a", "b", "c"), (m,), "substitute").databases
    sequences = list(_sequences(m))
    merge = tuple(tuple(mpq(int(tuple(sorted(s)) == y)) for y in samples) for s in sequences)
    formula = tuple(tuple(multinomial(x, y, "abc") for y in samples) for x in (first, second))
    _, listed = on_the_same_outcomes(replacing(first, m), replacing(second, m), outcomes=samples)
    return max(tables_equal(ask.post(drawn, merge), formula), tables_equal(formula, listed))


def _sequences(m: int) -> list[str]:
    """Sequences of m records in the order of the subject's parallel composition, the last one fastest."""
    return [s + u for s in _sequences(m - 1) for u in "abc"] if m else [""]


# --- theorems 10 and 11 -----------------------------------------------------------------------------------------------


def _theorem_10_law(ask: Ask, setting: Setting, rows: Rows, level: mpq) -> mpq:
    """Subsampled exactly, the subject's delta at a' is at most the bound."""
    raised = level_between(_eta(setting.n, setting.m), level)
    return at_most(asked(ask, _node(setting, rows), raised), bound(setting, rows, level))


def _enumerated_law(ask: Ask, setting: Setting, rows: Rows, level: mpq) -> mpq:
    """The subject's delta of the subsampled mechanism is the largest one by listing all draws from all sources."""
    known = setting.samples.databases
    pairs = neighbouring_sources(setting.sources())
    tables = [subsampled(replacing(x, setting.m), replacing(y, setting.m), known, rows) for x, y in pairs]
    return equal(asked(ask, _node(setting, rows), level), max((excess(t, level) for t in tables), default=ZERO))


def count_rows(databases: list[Database], v: str, t: mpq) -> Rows:
    """The count mechanism: output 1 with probability t times the number of copies of v."""
    return tuple((1 - t * y.count(v), t * y.count(v)) for y in databases)


def _count_law(ask: Ask, setting: Setting, part: mpq, level: mpq) -> mpq:
    """The count mechanism attains the bound at every level: both sides are t m/n, with t = part/m."""
    t = part / setting.m
    rows = count_rows(setting.samples.databases, "a", t)
    value = t * setting.m / setting.n
    raised = level_between(_eta(setting.n, setting.m), level)
    return max(equal(asked(ask, _node(setting, rows), raised), value), equal(bound(setting, rows, level), value))


def _theorem_11_law(ask: Ask, setting: Setting, rows: Rows, level: mpq) -> mpq:
    """The subject's divergences, in both orders, of x and each neighbour with one record less or more."""
    most, known = bound(setting, rows, level), setting.samples.databases
    raised = level_between(_eta(setting.n, setting.m), level)
    sources = setting.sources()
    others = [*setting.sources(setting.n - 1), *setting.sources(setting.n + 1)]
    excesses = []
    for x, y in neighbouring_sources([*sources, *others], "add_remove"):
        _, laws = on_the_same_outcomes(replacing(x, setting.m), replacing(y, setting.m), outcomes=known)
        if setting.n in (len(x), len(y)):
            excesses.append(at_most(ask.delta(ask.post(laws, rows), raised), most))
    return worst(excesses)


def _theorem_11_node_law(ask: Ask, setting: Setting, rows: Rows, level: mpq) -> mpq:
    """Subsampled exactly under remove/add-one, with at most n records, the subject's delta is at most the bound."""
    raised = level_between(_eta(setting.n, setting.m), level)
    return at_most(asked(ask, _node(setting, rows, "add_remove"), raised), bound(setting, rows, level))


@st.composite
def _small_rates(draw: DrawFn) -> tuple[int, int]:
    return draw(st.integers(1, 8)), draw(st.integers(1, 5))


def _first_order_law(ask: Ask, n: int, m: int) -> mpq:
    """For one record of n the subject's total variation of m draws is between γ - γ²/2, 1 - e^-γ and γ = m/n."""
    channel = ((1 - mpq(1, n), mpq(1, n)), (ONE, ZERO))
    eta = exact(ask.hockey_stick(ask.parallel([channel] * m), ONE))
    gamma = mpq(m, n)
    limit = exponential(-gamma, mpq(-1))
    lowest = at_most(Enclosure(1 + limit.lo, 1 + limit.hi), eta)
    return worst([equal(eta, _eta(n, m)), at_most(eta, gamma), at_most(gamma - gamma**2 / 2, eta), lowest])


# --- the level --------------------------------------------------------------------------------------------------------


@st.composite
def _rational_roots(draw: DrawFn) -> tuple[mpq, int, int]:
    """A root r >= 1 and j <= k: e^ε = r^k and η = j/k, so that e^(ηε) = r^j is rational."""
    k = draw(st.integers(1, 8))
    return draw(rational_levels(1)), draw(st.integers(0, k)), k


def _between_law(ask: Ask, root: mpq, j: int, k: int) -> mpq:
    """The subject's tight level of sampled randomised response is 1 + η(e^ε - 1), and it is between r^j and r^k."""
    level, eta = root**k, mpq(j, k)
    sampled = ask.pre(((eta, 1 - eta), (ZERO, ONE)), response(level / (1 + level)))
    raised = ask.exp_epsilon(sampled, ZERO)
    if not isinstance(raised, mpq):
        return ONE
    return worst([equal(raised, level_between(eta, level)), at_most(root**j, raised), at_most(raised, level)])


def _epsilon_within(epsilon: str, eta: str, low: str, high: str) -> bool:
    """Whether the engine's tight epsilon of randomised response, subsampled, meets the given bounds."""
    response_node = {"mechanism": "randomized_response", "epsilon": epsilon}
    node = {"mechanism": "poisson_subsample", "rate": eta, "neighbours": "add_remove", "of": response_node}
    found = operations.epsilon(node, delta="0", digits=20)
    return mpq(low) <= found.hi and found.lo <= mpq(high)


ABC: Final = replaced("set", "abc", 2, 2)
ABC_ROWS: Final = Channel(
    [row.split() for row in ("1/2 1/6 1/3", "1/3 1/2 1/6", "1/3 1/6 1/2", "1/6 5/6 0", "1/6 1/2 1/3", "1/6 1/6 2/3")]
).rows
"""A mechanism on {a, a}, {a, b}, {a, c}, {b, b}, {b, c} and {c, c}."""


def _exact_values(level: str) -> tuple[mpq, ...]:
    """The group profiles of ABC_ROWS, the profile of the subsampled mechanism at a', and the bound."""
    a, known = mpq(level), ABC.samples.databases
    group = group_profile(ABC.samples, ABC_ROWS, a)
    tables = [
        subsampled(replacing(x, 2), replacing(y, 2), known, ABC_ROWS) for x, y in neighbouring_sources(ABC.sources())
    ]
    largest = max(excess(table, level_between(mpq(3, 4), a)) for table in tables)
    return group(1), group(2), largest, bound(ABC, ABC_ROWS, a)


def _values(*texts: str) -> tuple[mpq, ...]:
    return tuple(map(mpq, texts))


def _count_values() -> bool:
    """The count mechanism with t = 1/10, n = 2, m = 3, e^ε = 5."""
    setting, a, t = replaced("set", "abc", 2, 3), mpq(5), mpq(1, 10)
    rows = count_rows(setting.samples.databases, "a", t)
    group = group_profile(setting.samples, rows, a)
    tables = [
        subsampled(replacing(x, 3), replacing(y, 3), setting.samples.databases, rows)
        for x, y in neighbouring_sources(setting.sources())
    ]
    raised = level_between(mpq(7, 8), a)
    attained = max(excess(table, raised) for table in tables)
    profiles = [group(k) for k in (1, 2, 3)]
    single = mpq(7, 8) * profiles[0]
    return (raised, attained, bound(setting, rows, a), single) == _values("9/2", "3/20", "3/20", "7/80") and (
        profiles == [t, 2 * t, 3 * t]
    )


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="WR law",
        title="the law of sampling with replacement",
        statement="M draws with replacement from x give the multiset y with the multinomial probability.",
        formula="ω(y) = (m!/n^m) Π_{u in U} x_u^{y_u}/(y_u!), 0^0 = 1",
        source="section 4, Sampling With Replacement",
        status="false_as_stated",
        laws=(Law("draws listed and merged", _two_sources(), _multinomial_law),),
        facts=(
            fact(
                "3 draws from {a, b, c}: aaa 1/27, aab 1/9, abc 2/9",
                lambda: (
                    tuple(multinomial(tuple("abc"), tuple(y), "abc") for y in ("aaa", "aab", "abc"))
                    == _values("1/27", "1/9", "2/9")
                ),
            ),
            fact(
                "printed, with a fourth record in U, each of these is 0",
                lambda: all(not printed_multinomial(tuple("abc"), y, "abcd") for y in replacing(tuple("abc"), 3)),
            ),
            fact(
                "printed, x = {a, a}, U = {a}, m = 2: 1/2",
                lambda: printed_multinomial(("a", "a"), ("a", "a"), "a") == mpq(1, 2),
            ),
        ),
        errata=(MULTINOMIAL,),
    ),
    ClaimRecord(
        id="Thm10",
        title="sampling with replacement, substitute-one",
        statement="With m draws with replacement from n records, the profile of the subsampled mechanism at ε' is at "
        "most a binomial mixture of the group profiles at ε: k is the number of times that the differing record is "
        "drawn. The bound is attained at every ε by the mechanism that says 1 with probability t times the number of "
        "copies of one record.",
        formula="δ_{M'}(ε') <= Σ_{k=1}^m C(m,k) (1/n)^k (1-1/n)^{m-k} δ_{M,k}(ε), e^ε' = 1 + (1-(1-1/n)^m)(e^ε - 1)",
        source="section 4, Theorem 10",
        status="holds",
        hypotheses="ε >= 0; 0^0 = 1 for n = 1; m > n is allowed",
        laws=(
            Law("the bound", with_mechanisms(REPLACED), _theorem_10_law),
            Law("every source and draw listed", with_mechanisms(REPLACED), _enumerated_law),
            Law(
                "attained by the count mechanism",
                st.tuples(st.sampled_from(REPLACED), alphas(), rational_levels(1)),
                _count_law,
            ),
        ),
        facts=(
            fact(
                "[1/2 1/6 1/3; 1/3 1/2 1/6; 1/3 1/6 1/2; 1/6 5/6 0; 1/6 1/2 1/3; 1/6 1/6 2/3] on the multisets of "
                "size 2 over {a, b, c}, n = m = 2, e^ε = 1: δ_{M,1} = 1/3, δ_{M,2} = 2/3, δ_{M'} = 1/3 <= 1/3",
                lambda: _exact_values("1") == _values("1/3", "2/3", "1/3", "1/3"),
            ),
            fact(
                "e^ε = 2: e^ε' = 7/4, δ_{M'} = 5/24",
                lambda: _exact_values("2")[:3] == _values("1/3", "2/3", "5/24"),
            ),
            fact(
                "count mechanism, t = 1/10, n = 2, m = 3, e^ε = 5: e^ε' = 9/2, group profiles 1/10, 2/10, 3/10, "
                "δ_{M'} = bound = 3/20; η δ_{M,1} would be 7/80",
                _count_values,
            ),
        ),
    ),
    ClaimRecord(
        id="Thm10 approx",
        title="the rate of sampling with replacement",
        statement="For m = γn the amplification parameter is at most γ and at least γ - γ²/2 and 1 - e^{-γ}.",
        formula="max(γ - γ²/2, 1 - e^{-γ}) <= 1 - (1 - 1/n)^{γn} <= γ",
        source="section 4, after Theorem 10",
        status="holds_under",
        hypotheses="added: γ is small",
        laws=(Law("bounds for m draws", _small_rates(), _first_order_law),),
        facts=(
            fact("n = m = 10: 6513215599/10^10", lambda: _eta(10, 10) == mpq(6513215599, 10**10)),
            fact(
                "n = 100, m = 5: γ = 1/20, and η is between 39/800 and 1/20",
                lambda: mpq(39, 800) < _eta(100, 5) < mpq(1, 20),
            ),
        ),
        errata=(FIRST_ORDER,),
    ),
    ClaimRecord(
        id="Thm11",
        title="sampling with replacement, remove/add-one",
        statement="With m draws with replacement, the divergences at ε' of an input of n records and a neighbour with "
        "one record less or more are at most the binomial mixture of the group profiles under substitution. (With n + "
        "1 records the record is drawn less often, so η and the bound are smaller than with n.)",
        formula="sup_{|x| = n, x ~r x'} D_{e^ε'}(M'(x)‖M'(x')) <= Σ_{k=1}^m C(m,k) (1/n)^k (1-1/n)^{m-k} δ_{M,k}(ε)",
        source="section 4, Theorem 11",
        status="holds_under",
        hypotheses="added: n >= 1 and x' is not empty",
        laws=(
            Law("one record less and one more", with_mechanisms(REMOVED), _theorem_11_law),
            Law("the subsampled mechanism as a whole", with_mechanisms(REMOVED), _theorem_11_node_law),
        ),
        facts=(
            fact(
                "n = 2, m = 2: η = 3/4; n + 1 = 3: η = 5/9, weights 4/9, 1/9 in place of 1/2, 1/4",
                lambda: (
                    (_eta(2, 2), _eta(3, 2)) == _values("3/4", "5/9")
                    and [binomial_weight(3, 2, k) for k in (1, 2)] == [mpq(4, 9), mpq(1, 9)]
                    and [binomial_weight(2, 2, k) for k in (1, 2)] == [mpq(1, 2), mpq(1, 4)]
                ),
            ),
        ),
        errata=(EMPTY,),
    ),
    ClaimRecord(
        id="eps'",
        title="the amplified level",
        statement="The level of the subsampled mechanism lies between η times that of the mechanism and that itself, "
        "and sampled randomised response has exactly this level.",
        formula="ε' = log(1 + η(e^ε - 1)), η ε <= ε' <= ε",
        source="section 2, after equation (3); section 4",
        status="holds",
        hypotheses="ε >= 0, 0 <= η <= 1",
        laws=(Law("between ηε and ε, attained", _rational_roots(), _between_law),),
        facts=(
            fact(
                "ε = 1, η = 1/10: ε' = 0.15856507874...",
                lambda: _epsilon_within("1", "1/10", "0.15856507874042911100", "0.15856507874042911101"),
            ),
            fact(
                "ε = 1/2, η = 1/2: ε' = 0.28092980362...",
                lambda: _epsilon_within("1/2", "1/2", "0.28092980362016137145", "0.28092980362016137146"),
            ),
            fact(
                "e^ε = 2, η = 1/2: e^ε' = 3/2, and (3/2)^2 > 2",
                lambda: level_between(mpq(1, 2), mpq(2)) == mpq(3, 2) and to_text(mpq(3, 2) ** 2) == "9/4",
            ),
        ),
    ),
)
