"""Claims of section 2 on privacy profiles, the path distance and group profiles of a mechanism on databases."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel, Rows
from oracle.databases.tables import DatabaseMechanism
from oracle.exact import INFINITY, Infinity, to_text
from oracle.laws.ask import Ask
from oracle.laws.balle2018._facts import ONE, ZERO, channel, divergence_both, exact, number, product
from oracle.laws.balle2018._mechanisms import SPACES, Space, mechanisms
from oracle.laws.compare import at_most, equal, true, worst
from oracle.laws.evidence import Evidence
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import alphas, rational_levels

__all__ = ["CLAIMS"]

_NO_NEIGHBOURS: Final = SPACES[-1]
_STEPS: Final = 5
"""No path in :data:`SPACES` that leads anywhere needs more steps."""
_PAIR: Final = ((ZERO, ONE), (ONE, ZERO))
"""Adjacency of two databases that are neighbours of each other."""
RETURN: Final = channel("1 0", "1/2 1/2", "1 0")
"""A mechanism on a path 0 - 1 - 2 that says the same at both ends."""


def _profile(ask: Ask, space: Space, rows: Rows, level: mpq) -> mpq:
    """The subject's delta of the whole mechanism."""
    value = ask.value("delta", {"channel": space.to_json(rows), "exp_epsilon": to_text(level)})
    return exact(number(value))


def _profile_law(ask: Ask, space: Space, m: Channel, level: mpq) -> mpq:
    """The subject's delta of the mechanism is the largest excess of an event over all neighbours; 0 for no pair."""
    tables = [(m.rows[i], m.rows[j]) for i, j in space.pairs()]
    largest = max((divergence_both(t, level) for t in tables), default=ZERO)
    asked = [exact(ask.delta(t, level)) for t in tables]
    return worst([equal(_profile(ask, space, m.rows, level), largest), equal(max(asked, default=ZERO), largest)])


def _decreasing_law(ask: Ask, space: Space, m: Channel, first: mpq, second: mpq) -> mpq:
    """delta_M does not increase with epsilon."""
    low, high = sorted((first, second))
    return at_most(_profile(ask, space, m.rows, high), _profile(ask, space, m.rows, low))


def _region_law(ask: Ask, space: Space, m: Channel, levels: tuple[mpq, mpq], more: mpq) -> mpq:
    """Where (epsilon, delta) is accepted, so is (epsilon', delta') with epsilon' >= epsilon and delta' >= delta."""
    low, high = sorted(levels)
    least = _profile(ask, space, m.rows, low)
    claims = [(low, least), (high, least), (high, max(least, more)), (low, max(least, more))]

    def accepted(level: mpq, delta: mpq) -> bool:
        claim = {"exp_epsilon": to_text(level), "delta": to_text(delta)}
        return ask.value("satisfies", {"channel": space.to_json(m.rows), "claim": claim})["holds"] is True

    return true(all(accepted(*claim) for claim in claims) and not (least and accepted(low, least / 2)))


def _walks(ask: Ask, space: Space, start: int) -> dict[int, int]:
    """Databases by the first step at which a random walk along neighbours, run by the subject, can be there."""
    size = len(space.databases)
    near: dict[int, list[int]] = {i: [] for i in range(size)}
    for i, j in space.pairs():
        near[i].append(j)
        near[j].append(i)
    steps = tuple(
        tuple(mpq(near[i].count(j), len(near[i])) if near[i] else mpq(int(i == j)) for j in range(size))
        for i in range(size)
    )
    here = tuple(mpq(int(i == start)) for i in range(size))
    found = {start: 0}
    walk: Rows = (here, here)
    for step in range(1, _STEPS + 1):
        walk = ask.post(walk, steps)
        for place, probability in enumerate(walk[0]):
            if probability > 0:
                found.setdefault(place, step)
    return found


def _distance_law(ask: Ask, space: Space, start: int) -> mpq:
    """The first step of the subject's walk is the closed form of the distance, 0 at the start, infinite elsewhere."""
    known = len(space.databases)
    first = start % known
    found = _walks(ask, space, first)
    return true(all(found.get(j, INFINITY) == space.distance(first, j) for j in range(known)))


def _distances_metric_law(ask: Ask, space: Space, start: int) -> mpq:
    """Distances by the subject's walk are those by relaxation, and the same in both orders."""
    first = start % len(space.databases)
    found = _walks(ask, space, first)
    return true(found == space.distances(first) and all(space.distances(j)[first] == d for j, d in found.items()))


def _group(ask: Ask, space: Space, rows: Rows, level: mpq, k: int) -> mpq:
    """The largest delta, asked of the subject, of two databases at a distance of at most k by the closed form."""
    size = len(rows)
    best = ZERO
    for j in range(size):
        for i in range(j):
            steps = space.distance(i, j)
            if not isinstance(steps, Infinity) and steps <= k:
                best = max(best, exact(ask.delta((rows[i], rows[j]), level)))
    return best


def _group_law(ask: Ask, space: Space, m: Channel, level: mpq, k: int) -> mpq:
    """The group profile, over closed-form distances, is that over paths inside the table."""
    table = dict(zip(space.databases, m.rows, strict=True))
    by_paths = DatabaseMechanism(space.universe, table).group_profile(k, level, space.relation)
    return equal(_group(ask, space, m.rows, level, k), by_paths)


def _growing_law(ask: Ask, space: Space, m: Channel, level: mpq) -> mpq:
    """delta_{M,1} is delta_M, and delta_{M,k} does not decrease with k."""
    values = [_group(ask, space, m.rows, level, k) for k in range(1, 4)]
    excess = equal(values[0], _profile(ask, space, m.rows, level))
    return worst([excess, *(at_most(a, b) for a, b in pairwise(values))])


def _noise(ratio: mpq, sensitivity: int) -> dict[str, Any]:
    return {"mechanism": "discrete_laplace", "ratio": to_text(ratio), "sensitivity": str(sensitivity)}


def _group_node_law(ask: Ask, ratio: mpq, k: int, level: mpq) -> mpq:
    """For noise on integers the group of k is the largest delta of all distances up to k."""

    def delta(mechanism: dict[str, Any]) -> mpq:
        return exact(number(ask.value("delta", {"channel": mechanism, "exp_epsilon": to_text(level)})))

    group = delta({"mechanism": "group", "size": k, "of": _noise(ratio, 1)})
    return equal(group, max(delta(_noise(ratio, j)) for j in range(1, k + 1)))


@st.composite
def _starts(draw: DrawFn) -> tuple[Space, int]:
    return draw(st.sampled_from(SPACES)), draw(st.integers(0, 6))


def _printed_distance(adjacency: Rows, start: int, end: int) -> int:
    """The least k >= 1 with a chain of k neighbours from start to end: all that the printed definition allows."""
    power, k = adjacency, 1
    while not power[start][end]:
        power, k = product(power, adjacency), k + 1
    return k


def _distance_certificate() -> Certificate:
    """Chains are counted by powers of the adjacency matrix: none of length 1 from x to x, one of length 2."""
    evidence = Evidence()
    square = evidence.product(_PAIR, _PAIR)
    one_step, two_steps = evidence.event_sum(_PAIR, 0, [0]), evidence.event_sum(square, 0, [0])
    evidence.compare(one_step, "=", 0)
    evidence.compare(two_steps, ">", 0)
    return evidence.certificate()


def _mapped(*more: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A mechanism on databases with further parts."""
    return st.tuples(mechanisms(), *more).map(lambda e: (*e[0], *e[1:]))


DISTANCE: Final = Erratum(
    printed="d(x, x') = min{k : there are x_1, ..., x_{k-1} with x ~ x_1, x_1 ~ x_2, ..., x_{k-1} ~ x'}.",
    counterexample="Take two databases with x ~ x'. No database is its own neighbour, so there is no chain of length "
    "1 from x to x, but there is x ~ x', x' ~ x, of length 2: printed d(x, x) = 2, not 0. And a database without "
    "neighbours has no chain at all, so that the minimum is over nothing. (In the adjacency matrix [0 1; 1 0] the "
    "diagonal is 0, that of its square 1.)",
    correction="d(x, x) = 0, which is the empty chain, and d = ∞ where no chain leads.",
    scope="hypothesis",
    fails=lambda: _printed_distance(_PAIR, 0, 0) != 0,
    certificate=_distance_certificate,
    summary="the empty chain must count",
    printed_formula="d(x, x') = min{k >= 1 : x = x_0 ~ x_1 ~ ... ~ x_k = x'}",
)


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Def.profile",
        title="privacy profile",
        statement="The profile of M is the largest divergence of neighbouring inputs. It does not increase with ε, "
        "and (ε, δ)-DP holds on and above it: what is (ε, δ)-DP is also (ε', δ')-DP for ε' >= ε and δ' >= δ.",
        formula="δ_M(ε) = sup_{x ~ x'} D_{e^ε}(M(x)‖M(x'))",
        source="section 2, before the problem statement",
        status="definition",
        hypotheses="the supremum over no pairs is 0 (a space without neighbours reveals nothing)",
        laws=(
            Law("the largest excess over neighbours and events", _mapped(rational_levels(1)), _profile_law),
            Law("not increasing", _mapped(rational_levels(1), rational_levels(1)), _decreasing_law),
            Law(
                "everything on and above the profile is accepted",
                _mapped(st.tuples(rational_levels(1), rational_levels(1)), alphas()),
                _region_law,
            ),
        ),
        facts=(
            fact(
                "all two records of a universe in every database: no neighbours under substitution, profile 0",
                lambda: (
                    DatabaseMechanism(_NO_NEIGHBOURS.universe, {("a", "b"): (ONE,)}).profile(ONE, "substitute") == ZERO
                ),
            ),
            fact(
                "[1; 1/2 1/2] on {} and {a}: δ = 1/2 at ε = 0",
                lambda: divergence_both(channel("1 0", "1/2 1/2").rows, ONE) == mpq(1, 2),
            ),
        ),
        defines=True,
    ),
    ClaimRecord(
        id="Def.path distance",
        title="path distance",
        statement="The distance of two inputs is the least number of steps from one to the other along neighbours: 0 "
        "from an input to itself, infinite where no path leads. For sets and multisets it is half the l1 distance "
        "under substitution (equal sizes) and the l1 distance under removal or addition.",
        formula="d(x, x') = min{k >= 0 : x = x_0 ~ x_1 ~ ... ~ x_k = x'}",
        source="section 2, before the problem statement",
        status="holds_under",
        hypotheses="added: the empty chain counts (d(x, x) = 0), and the minimum over no chain is infinite",
        laws=(
            Law("first visit of a random walk against the closed form", _starts(), _distance_law),
            Law("first visit of a random walk against relaxation", _starts(), _distances_metric_law),
        ),
        facts=(
            fact("printed, d(x, x) = 2 and d(x, x') = 1", lambda: _printed_distance(_PAIR, 0, 1) == 1),
            fact(
                "{a, a} and {b, b} are 4 removals and additions apart",
                lambda: SPACES[3].universe.distance(("a", "a"), ("b", "b"), "add_remove") == 4,
            ),
        ),
        errata=(DISTANCE,),
    ),
    ClaimRecord(
        id="Def.group",
        title="group privacy profile",
        statement="The k-th group profile is the largest divergence of inputs at a distance of at most k. It does not "
        "decrease with k, and the first one is the profile.",
        formula="δ_{M,k}(ε) = sup_{d(x,x') <= k} D_{e^ε}(M(x)‖M(x')); δ_{M,1} = δ_M",
        source="section 2, before the problem statement",
        status="definition",
        laws=(
            Law("closed-form distances against paths", _mapped(rational_levels(1), st.integers(1, 4)), _group_law),
            Law("the first one is the profile, and they grow", _mapped(rational_levels(1)), _growing_law),
            Law(
                "the group of an integer mechanism is its worst distance",
                st.tuples(st.sampled_from([mpq(1, 2), mpq(1, 3), mpq(9, 10)]), st.integers(1, 4), rational_levels(1)),
                _group_node_law,
            ),
        ),
        facts=(
            fact(
                "the path 0 - 1 - 2 with rows [1 0], [1/2 1/2], [1 0]: at distance 2 the divergence is 0, at most 2 "
                "it is 1/2; so with = in place of <= a group profile could decrease",
                lambda: (
                    divergence_both((RETURN.rows[0], RETURN.rows[2]), ONE) == ZERO
                    and divergence_both(RETURN.rows[:2], ONE) == mpq(1, 2)
                ),
            ),
        ),
        defines=True,
    ),
)
