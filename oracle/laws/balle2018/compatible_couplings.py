"""Claims of section 3 on couplings of samples: the bound (5), distance-compatible couplings and theorem 7."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracle.certificates.checker import check
from oracle.certificates.documents import Certificate
from oracle.channels.channel import Channel, Rows
from oracle.exact import INFINITY, Extended, Infinity
from oracle.laws.ask import Ask
from oracle.laws.balle2018._facts import EVERYTHING, ONE, ZERO, events, exact, mass
from oracle.laws.balle2018._mechanisms import SPACES, Space
from oracle.laws.balle2018._samples import distances, excess, group_profile, steps
from oracle.laws.balle2018.group_privacy import TENTHS
from oracle.laws.compare import at_most, equal, tables_equal, true, worst
from oracle.laws.evidence import Evidence
from oracle.laws.record import ClaimRecord, Erratum, Law, fact
from oracle.laws.strategies import many_row_channels, rational_levels
from oracle.theorems.couplings import Coupling, compatible_coupling, least_transport
from oracle.theorems.transport import Entries, Transport

__all__ = ["CLAIMS"]

_Law = tuple[mpq, ...]
_Distances = list[list[Extended]]

_PATH: Final[_Distances] = [[mpq(abs(i - j)) for j in range(4)] for i in range(4)]
"""Four databases in a row, 0 - 1 - 2 - 3."""
_INNER: Final = (ZERO, mpq(1, 2), mpq(1, 2), ZERO)
_ENDS: Final = (mpq(3, 4), ZERO, ZERO, mpq(1, 4))
_EVEN_ENDS: Final = (mpq(1, 2), ZERO, ZERO, mpq(1, 2))


def _kernel(entries: Entries, first: Sequence[mpq], columns: int) -> Rows:
    """A coupling read as what becomes of each first outcome; one without mass stays anywhere."""
    return tuple(
        tuple(entries.get((i, j), ZERO) / a for j in range(columns)) if a else (ONE, *[ZERO] * (columns - 1))
        for i, a in enumerate(first)
    )


def _asked_excess(ask: Ask, table: Rows, level: mpq) -> mpq:
    return exact(ask.delta(table, level))


@st.composite
def _coupled(draw: DrawFn) -> tuple[Space, Rows, Entries, mpq]:
    """A space, a mechanism on it, a coupling of two samples on pairs of finite distance, and a level."""
    space = draw(st.sampled_from(SPACES[:-1]))
    known = space.databases
    table = distances(space, known, known)
    near = [(i, j) for i, row in enumerate(table) for j, d in enumerate(row) if not isinstance(d, Infinity)]
    chosen = draw(st.lists(st.sampled_from(near), min_size=1, max_size=5, unique=True))
    weights = draw(st.lists(st.integers(1, 9), min_size=len(chosen), max_size=len(chosen)))
    entries = {place: mpq(w, sum(weights)) for place, w in zip(chosen, weights, strict=True)}
    return space, draw(many_row_channels(len(known), len(known), 3)).rows, entries, draw(rational_levels(1))


def _margins(entries: Entries, size: int) -> tuple[_Law, _Law]:
    first, second = [ZERO] * size, [ZERO] * size
    for (i, j), weight in entries.items():
        first[i] += weight
        second[j] += weight
    return tuple(first), tuple(second)


def _convexity_law(ask: Ask, _: Space, rows: Rows, entries: Entries, level: mpq) -> mpq:
    """The subject's divergence of the two mixtures is at most the coupling's mean of the pairs' divergences."""
    outputs = ask.post(_margins(entries, len(rows)), rows)
    mean = sum((w * exact(ask.hockey_stick((rows[i], rows[j]), level)) for (i, j), w in entries.items()), ZERO)
    return at_most(ask.hockey_stick(outputs, level), mean)


def _group_bound_law(ask: Ask, space: Space, rows: Rows, entries: Entries, level: mpq) -> mpq:
    """The mean of the pairs' divergences is at most that of the group profiles at their distances."""
    known = space.databases
    table, group = distances(space, known, known), group_profile(space, rows, level)
    excesses = []
    mean = bound = ZERO
    for (i, j), weight in entries.items():
        d = table[i][j]
        profile = ZERO if isinstance(d, Infinity) or not d else group(steps(d))
        asked = _asked_excess(ask, (rows[i], rows[j]), level)
        excesses.append(at_most(asked, profile))
        mean, bound = mean + weight * asked, bound + weight * profile
    return worst([*excesses, at_most(mean, bound)])


@st.composite
def _samples(draw: DrawFn) -> tuple[Space, _Law, _Law]:
    """A space and the laws of two samples: compatible by construction, or any two."""
    space = draw(st.sampled_from(SPACES[:-1]))
    known = space.databases
    size = len(known)
    table = distances(space, known, known)
    weights = st.lists(st.integers(0, 5), min_size=size, max_size=size).filter(any)
    first = draw(weights)
    law = tuple(mpq(w, sum(first)) for w in first)
    if draw(st.booleans()):
        other = draw(weights)
        return space, law, tuple(mpq(w, sum(other)) for w in other)
    support = draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=size, unique=True))
    second = [ZERO] * size
    for i, a in enumerate(law):
        nearest = min(table[i][j] for j in support)
        places = [j for j in support if table[i][j] == nearest]
        second[draw(st.sampled_from(places))] += a / 2
        second[draw(st.sampled_from(places))] += a / 2
    return space, law, tuple(second)


def _allowed(second: _Law, table: _Distances) -> list[set[int]]:
    """For each first outcome what it may meet: the nearest outcomes of the second law, at a finite distance."""
    support = [j for j, b in enumerate(second) if b]
    found = []
    for row in table:
        nearest = min(row[j] for j in support)
        found.append({j for j in support if row[j] == nearest and not isinstance(nearest, Infinity)})
    return found


def _compatible(first: _Law, second: _Law, table: _Distances) -> bool:
    """Hall's condition for every event: no more mass than the second law has on all that it may meet."""
    allowed = _allowed(second, table)
    return all(
        mass(first, event) <= mass(second, set().union(*(allowed[i] for i in event))) for event in events(len(first))
    )


def _definition_law(ask: Ask, space: Space, first: _Law, second: _Law) -> mpq:
    """A coupling is found exactly when Hall's condition holds, and the subject carries one law to the other by it."""
    known = space.databases
    table = distances(space, known, known)
    found, _ = compatible_coupling(first, second, table)
    same = true(isinstance(found, Coupling) == _compatible(first, second, table))
    if not isinstance(found, Coupling):
        return max(same, tables_equal(ask.post((first, first), _identity(len(first))), (first, first)))
    carried = ask.post((first, first), _kernel(found.entries, first, len(second)))
    allowed = _allowed(second, table)
    return worst([same, tables_equal(carried, (second, second)), true(all(j in allowed[i] for i, j in found.entries))])


def _identity(size: int) -> Rows:
    return tuple(tuple(mpq(int(i == j)) for j in range(size)) for i in range(size))


@st.composite
def _mechanisms_on_samples(draw: DrawFn) -> tuple[tuple[Space, _Law, _Law], Rows, mpq]:
    example = draw(_samples())
    size = len(example[1])
    return example, draw(many_row_channels(size, size, 3)).rows, draw(rational_levels(1))


def _profiles(ask: Ask, rows: Rows, level: mpq, table: _Distances) -> list[mpq]:
    """delta_{M,0}, delta_{M,1}, ... as asked of the subject, up to the largest finite distance."""
    largest = max(steps(d) for row in table for d in row if not isinstance(d, Infinity))
    single = [ZERO] * (largest + 1)
    for i, row in enumerate(table):
        for j, d in enumerate(row[:i]):
            if not isinstance(d, Infinity) and rows[i] != rows[j]:
                single[steps(d)] = max(single[steps(d)], _asked_excess(ask, (rows[i], rows[j]), level))
    return [max(single[: k + 1]) for k in range(len(single))]


def _theorem_law(ask: Ask, example: tuple[Space, _Law, _Law], rows: Rows, level: mpq) -> mpq:
    """The least cost by transport, whose dual is checked, against the shells; >= always, = for compatible laws."""
    space, first, second = example
    known = space.databases
    table = distances(space, known, known)
    profiles = _profiles(ask, rows, level, table)
    costs: _Distances = [[INFINITY if isinstance(d, Infinity) else profiles[steps(d)] for d in row] for row in table]
    found, _ = least_transport(first, second, costs)
    if not isinstance(found, Transport):
        return true(not _compatible(first, second, table))
    shells = sum((w * profiles[k] for k, w in _shells(first, second, table).items()), ZERO)
    least = _checked(found, first, second, costs)
    gap = equal(least, shells) if _compatible(first, second, table) else at_most(shells, least)
    return max(gap, at_most(excess(ask.post((first, second), rows), level), least))


def _shells(first: _Law, second: _Law, table: _Distances) -> dict[int, mpq]:
    """Mass of the first law by the distance to the second law's support."""
    support = [j for j, b in enumerate(second) if b]
    found: dict[int, mpq] = {}
    for a, row in zip(first, table, strict=True):
        nearest = min(row[j] for j in support)
        if a and not isinstance(nearest, Infinity):
            found[steps(nearest)] = found.get(steps(nearest), ZERO) + a
    return found


def _checked(found: Transport, first: _Law, second: _Law, costs: _Distances) -> mpq:
    """The value of a transport after its marginals and its dual have been added up again."""
    u, v = found.first_potentials, found.second_potentials
    dual = sum((a * x for a, x in zip(first, u, strict=True)), ZERO)
    dual += sum((b * x for b, x in zip(second, v, strict=True)), ZERO)
    bounded = all(u[i] + v[j] <= c for i, row in enumerate(costs) for j, c in enumerate(row))
    good = bounded and dual == found.value and _margins(found.entries, len(first)) == (first, second)
    return found.value if good else found.value + 1


def _inf_distance_bound_fails() -> bool:
    """One outcome each, no path between them: read literally compatible, with the sum in (6) empty, yet D = 1."""
    distance: Extended = INFINITY
    literally = distance == min([distance])
    right = sum((w * k for k, w in _shells((ONE,), (ONE,), [[distance]]).items()), ZERO)
    return literally and right < excess(EVERYTHING.rows, ONE)


def _inf_distance_certificate() -> Certificate:
    """No outcome of nu is at a finite distance: the sum of (6) is over an event without outcomes."""
    evidence = Evidence()
    right = evidence.event_sum([[1]], 0, [])
    evidence.compare(right, "<", evidence.hockey_stick(EVERYTHING, ONE, "forward"))
    return evidence.certificate()


def _no_finite_coupling() -> bool:
    """The checker accepts that no coupling of the two laws lives on pairs of finite distance."""
    _, certificate = compatible_coupling([ONE], [ONE], [[INFINITY]])
    return check(certificate).kind == "no_coupling"


FINITE: Final = Erratum(
    printed="ν, ν' are compatible if there is a coupling with d(y, y') = d(y, supp(ν')) on its support; for those, "
    "equation (6) has the sum over k >= 1 of ν(Y_k) δ_{M,k}, Y_k being the points at distance k.",
    counterexample="Take Y = {∅, {a}} under substitution, where sets of different sizes are not connected: d(∅, {a}) "
    "= ∞. Let ν be the point mass at {a} and ν' that at ∅. The only coupling is the pair ({a}, ∅), with d = ∞ = "
    "d({a}, supp(ν')): read literally, ν and ν' are compatible. No Y_k with a finite k has mass, so the sum in (6) is "
    "0. But for M({a}) = (1, 0), M(∅) = (0, 1) the divergence of the mixtures is D_1 = [1 - 0]_+ + [0 - 1]_+ = 1, "
    "which (5) bounds by the left side of (6). So 1 <= 0 would follow.",
    correction="Ask also that d(y, supp(ν')) is finite on the support of ν.",
    scope="hypothesis",
    fails=_inf_distance_bound_fails,
    certificate=_inf_distance_certificate,
    summary="infinite distances must be excluded",
    printed_formula="d(y, y') = d(y, supp(ν')) for all (y, y') in supp(π)",
)


def _bernoulli_cost(first: _Law, second: _Law) -> tuple[mpq, mpq]:
    """Least cost and shells for M(i) = Bernoulli(i/10) on the path, at eps = 0, where delta_k = k/10."""
    costs: _Distances = [[mpq(abs(i - j), 10) for j in range(4)] for i in range(4)]
    found, _ = least_transport(first, second, costs)
    shells = sum((w * k / 10 for k, w in _shells(first, second, _PATH).items()), ZERO)
    return (found.value if isinstance(found, Transport) else mpq(-1)), shells


def _three_couplings_agree() -> bool:
    """Take nu on {0, 1} and nu' on {1, 2}, half each: shifted, with 1 kept, and independent; all bounds are 1/10."""
    half = mpq(1, 2)
    tables = [{(0, 1): half, (1, 2): half}, {(0, 2): half, (1, 1): half}]
    tables.append({(i, j): half * half for i in (0, 1) for j in (1, 2)})
    mixtures = Channel([(mpq(19, 20), mpq(1, 20)), (mpq(17, 20), mpq(3, 20))])
    bounds = [sum((w * abs(i - j) / 10 for (i, j), w in table.items()), ZERO) for table in tables]
    same = {_margins(table, 3) for table in tables}
    return len(same) == 1 and set(bounds) == {mpq(1, 10)} == {excess(mixtures.rows, ONE)}


CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="(5)",
        title="a bound from any coupling of the samples",
        statement="The divergence of the outputs on two random inputs is at most the mean, over any coupling of the "
        "two inputs, of the divergences of the pairs, and this at most the mean of the group profiles at their "
        "distances.",
        formula="D_{e^ε}(νM‖ν'M) <= Σ π(y,y') D_{e^ε}(M(y)‖M(y')) <= Σ π(y,y') δ_{M,d(y,y')}(ε)",
        source="section 3, Distance-compatible Coupling, equation (5)",
        status="holds",
        hypotheses="ε >= 0; δ_{M,0} = 0, and pairs at an infinite distance need δ_{M,∞} <= 1",
        laws=(
            Law("joint convexity", _coupled(), _convexity_law),
            Law("group profiles", _coupled(), _group_bound_law),
        ),
        facts=(
            fact(
                "M(i) = Bernoulli(i/10), ν half on 0 and 1, ν' half on 1 and 2, ε = 0: three couplings give 1/10, and "
                "so is D",
                _three_couplings_agree,
            ),
            fact(
                "the path 0 - 1 - 2 - 3, δ_{M,k}(0) = k/10",
                lambda: [excess((TENTHS[0], TENTHS[k]), ONE) for k in (1, 2, 3)] == [mpq(k, 10) for k in (1, 2, 3)],
            ),
        ),
    ),
    ClaimRecord(
        id="Def.compat",
        title="distance-compatible laws",
        statement="Two laws are compatible if they have a coupling that only pairs a point y with points y' of the "
        "second law that are as near to y as any, at a finite distance. This is so exactly when no event of the first "
        "law has more mass than the second law has on the nearest points of the event's points.",
        formula="d(y, y') = d(y, supp(ν')) < ∞ for all (y, y') in supp(π)",
        source="section 3, Distance-compatible Coupling, before Theorem 7",
        status="holds_under",
        hypotheses="added: the distances are finite",
        laws=(Law("Hall's condition, and a kernel that carries ν to ν'", _samples(), _definition_law),),
        facts=(
            fact("without paths there is no such coupling: certified", _no_finite_coupling),
            fact(
                "on the path 0 - 1 - 2 - 3, (0, 1/2, 1/2, 0) is not compatible with (3/4, 0, 0, 1/4): the point 2 has "
                "mass 1/2, its nearest point 3 only 1/4; with (1/2, 0, 0, 1/2) it is",
                lambda: not _compatible(_INNER, _ENDS, _PATH) and _compatible(_INNER, _EVEN_ENDS, _PATH),
            ),
        ),
        errata=(FINITE,),
    ),
    ClaimRecord(
        id="Thm7 (6)",
        title="the best coupling of compatible laws",
        statement="For compatible laws the least bound of all couplings depends only on the first law and the "
        "distances to the support of the second. For any two laws at finite distances it is at least that.",
        formula="min_π Σ π(y,y') δ_{M,d(y,y')}(ε) = Σ_{k>=1} ν{y : d(y, supp(ν')) = k} δ_{M,k}(ε)",
        source="section 3, Theorem 7, equation (6)",
        status="holds",
        hypotheses="distances as in the definition of compatible laws, finite",
        laws=(Law("transport against shells", _mechanisms_on_samples(), _theorem_law),),
        facts=(
            fact(
                "Bernoulli(i/10) on the path at ε = 0, ν = (0, 1/2, 1/2, 0), ν' = (3/4, 0, 0, 1/4), not compatible: "
                "1/8 > 1/10",
                lambda: _bernoulli_cost(_INNER, _ENDS) == (mpq(1, 8), mpq(1, 10)),
            ),
            fact(
                "with ν' = (1/2, 0, 0, 1/2) they are compatible: both 1/10",
                lambda: _bernoulli_cost(_INNER, _EVEN_ENDS) == (mpq(1, 10), mpq(1, 10)),
            ),
        ),
    ),
)
