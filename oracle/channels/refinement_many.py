"""Refinement of channels with any number of rows, as the feasibility of a linear program in exact arithmetic.

C ⊑ M for C (k x n) and M (k x m) of equal row masses: some W >= 0 (n x m) has rows that sum to 1 and C·W = M. Write
c_i and m_j for the columns.

*Separation.* If there is no such W, then by Farkas' lemma there are vectors g_1, ..., g_m in R^k with

    Σ_i max_j g_j·c_i < Σ_j g_j·m_j.                                                             (*)

Conversely, if C·W = M, then Σ_j g_j·m_j = Σ_i Σ_j W_ij g_j·c_i <= Σ_i max_j g_j·c_i for all g. Adding one vector v to
every g_j adds v·Σ_i c_i on the left of (*) and v·Σ_j m_j on the right, which is the same, since both sums are the
vector of row masses; so g_j >= 0 may be assumed. Read as a gain function with the actions j, (*) says
k·V_g(C) < Σ_j g_j·m_j <= k·V_g(M) for the uniform prior.

*Program.* The rows Σ_j W_ij <= 1 link m blocks Σ_i W_ij c_i = m_j. Here <= does for =: the slacks s_i >= 0 satisfy
Σ_i s_i c_i = Σ_i c_i - Σ_j m_j = 0, and zero columns are gone, so s = 0. Before that: parallel columns of C, and of M,
are merged (the posterior is the same; the witness is split in proportion afterwards); a row of C that depends on
others must depend on them in M too, and goes; W_ij with an entry of c_i where m_j has 0 must be 0, and goes, together
with the rows of block j in which m_j is 0.

The coriaceous theorem: McIver et al. 2014; Alvim et al., The Science of Quantitative Information Flow, 2020, chapter 9.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final, NamedTuple

from gmpy2 import gcd, lcm, mpq, mpz

from oracle.channels.channel import Channel, Rows
from oracle.channels.exact_lp import Infeasible, Program, rounded, solve
from oracle.channels.gains import posterior_vulnerability
from oracle.channels.lp_hint import propose
from oracle.errors import LimitError

__all__ = ["GainSeparation", "couple_or_separate"]

MAX_VARIABLES: Final = 10_000
"""Products n·m (distinct posteriors of left times those of right) up to which refinement is decided."""

_WORTH_A_HINT: Final = 300
"""Number of variables from which a floating-point solver is asked first."""

_SHORT_BITS: Final = 24
"""Length of the integers of the rounded program that proposes a basis where there is no other proposal."""

_ZERO: Final = mpz(0)

Vector = tuple[mpz, ...]
_Entries = list[tuple[int, int, mpq]]


@dataclass(frozen=True, slots=True)
class GainSeparation:
    """A gain function g >= 0 (actions x inputs) with V_g(left) < V_g(right) under the uniform prior."""

    gain: Rows
    left: mpq
    right: mpq

    @property
    def holds(self) -> bool:
        """False: the refinement does not hold."""
        return False

    def __bool__(self) -> bool:
        return False


def couple_or_separate(left: Channel, right: Channel) -> _Entries | GainSeparation:
    """Decide left ⊑ right for channels of the same number of rows and equal row masses.

    Returns:
        The nonzero entries (i, j, W_ij) of a witness, sorted; or a separating gain function.

    Raises:
        LimitError: for more than :data:`MAX_VARIABLES` pairs of distinct posteriors.
    """
    sources, targets = _merged(left), _merged(right)
    if len(sources) * len(targets) > MAX_VARIABLES:
        got = f"{len(sources)} x {len(targets)}"
        raise LimitError(f"at most {MAX_VARIABLES} pairs of distinct columns (n·m)", got, "right")
    independent, relations = _row_relations([source.column for source in sources], len(left.numerators))
    for relation in relations:
        for target in targets:
            excess = sum(map(mul, relation, target.column), _ZERO)
            if excess:
                sign = 1 if excess > 0 else -1
                return _separation(left, right, [[mpq(sign * h) for h in relation], [mpq(0)] * len(relation)])
    problem = _Problem(sources, targets, independent, mpq(left.scale, right.scale))
    outcome = solve(problem.program, _first_basis(problem))
    if isinstance(outcome, Infeasible):
        return _separation(left, right, problem.gain(outcome.ray))
    weights = {problem.pairs[v]: x for v, x in outcome.values.items() if v < len(problem.pairs)}
    entries = sorted(_split(weights, left.shape[1], sources, targets))
    _check(left, right, entries)
    return entries


def _first_basis(problem: _Problem) -> tuple[int, ...]:
    """A proposal for the first basis: by floating point, or else the nearest posteriors, or what these lead to.

    The latter where the integers are long: the last basis of the same program in short ones.
    """
    proposal = propose(problem.program) if len(problem.program.columns) >= _WORTH_A_HINT else ()
    if proposal:
        return proposal
    short = rounded(problem.program, _SHORT_BITS)
    return problem.nearest() if short is None else solve(short, problem.nearest()).basis


class _Merged(NamedTuple):
    """Parallel columns as one: their sum, the columns, and the share of each."""

    column: Vector
    members: list[int]
    shares: list[mpq]


def _merged(channel: Channel) -> list[_Merged]:
    """The distinct posteriors in order of appearance, zero columns left out; times the scale of the channel."""
    found: dict[Vector, list[tuple[int, mpz]]] = {}
    for i, column in enumerate(zip(*channel.numerators, strict=True)):
        content = gcd(*column)
        if content:
            found.setdefault(tuple(a // content for a in column), []).append((i, content))
    merged = []
    for direction, parts in found.items():
        total = sum((content for _, content in parts), _ZERO)
        column = tuple(a * total for a in direction)
        merged.append(_Merged(column, [i for i, _ in parts], [mpq(content, total) for _, content in parts]))
    return merged


def _row_relations(columns: Sequence[Vector], rows: int) -> tuple[list[int], list[list[mpz]]]:
    """Indices of independent rows that span the rest, and a basis of the h with h·c = 0 for every column c.

    Elimination without fractions on (rows | identity); a row that becomes 0 has its relation on the right.
    """
    table = [[column[x] for column in columns] + [mpz(x == y) for y in range(rows)] for x in range(rows)]
    width = len(columns)
    independent: list[int] = []
    relations: list[list[mpz]] = []
    pivots: list[tuple[int, list[mpz]]] = []
    for x, row in enumerate(table):
        reduced = row
        for place, pivot in pivots:
            factor = reduced[place]
            if factor:
                reduced = [pivot[place] * a - factor * b for a, b in zip(reduced, pivot, strict=True)]
                content = gcd(*reduced)
                reduced = [a // content for a in reduced]
        lead = next((i for i in range(width) if reduced[i]), None)
        if lead is None:
            relations.append(reduced[width:])
        else:
            independent.append(x)
            pivots.append((lead, reduced))
    return independent, relations


class _Problem:
    """The linear program of a pair of merged channels, and what its variables and rows stand for.

    ``pairs[v]`` = (i, j) for the variable W_ij number v; the slacks follow. Row i < n is linking; the rows of block j
    are ``kept[j]``. Row x of both channels is divided by the greatest common divisor of row x of *left*, and *right*,
    whose columns come times its own scale, is brought to the scale of *left*.
    """

    def __init__(
        self, sources: Sequence[_Merged], targets: Sequence[_Merged], independent: Sequence[int], ratio: mpq
    ) -> None:
        self.sources = [source.column for source in sources]
        self.targets = [target.column for target in targets]
        self.divisors = [gcd(*row) for row in zip(*self.sources, strict=True)]
        self.kept = [[x for x in independent if target[x]] for target in self.targets]
        self.pairs: list[tuple[int, int]] = []
        columns: list[dict[int, mpq]] = []
        right = [mpq(1)] * len(sources)
        blocks = []
        for j, (target, kept) in enumerate(zip(self.targets, self.kept, strict=True)):
            block = {x: len(right) + place for place, x in enumerate(kept)}
            blocks.append(tuple(block.values()))
            right += [target[x] * ratio / self.divisors[x] for x in kept]
            for i, source in enumerate(self.sources):
                if _within(source, target):
                    self.pairs.append((i, j))
                    entries = {block[x]: mpq(source[x] // self.divisors[x]) for x in kept if source[x]}
                    columns.append({i: mpq(1), **entries})
        columns += [{i: mpq(1)} for i in range(len(sources))]
        self.program = Program(tuple(columns), tuple(right), tuple(blocks))

    def nearest(self) -> tuple[int, ...]:
        """For each target, its pairs with as many sources as it has rows, by the distance of posteriors; the slacks."""
        sources, targets = ([_posterior(c) for c in columns] for columns in (self.sources, self.targets))
        chosen: list[int] = []
        ranked: list[list[tuple[mpq, int]]] = [[] for _ in targets]
        for v, (i, j) in enumerate(self.pairs):
            distance = sum(((a - b) ** 2 for a, b in zip(sources[i], targets[j], strict=True)), mpq(0))
            ranked[j].append((distance, v))
        for kept, candidates in zip(self.kept, ranked, strict=True):
            chosen += [v for _, v in sorted(candidates)[: len(kept)]]
        return (*chosen, *range(len(self.pairs), len(self.program.columns)))

    def gain(self, ray: Sequence[mpq]) -> list[list[mpq]]:
        """The vectors g_j of (*), from y with y·A >= 0 and y·b < 0.

        With u = y on the linking rows and g_j = -y on block j: u >= 0 by the slacks, g_j·c_i <= u_i for every pair,
        and Σ_j g_j·m_j > Σ_i u_i. Where a pair (i, j) was left out, c_i has an entry at some x with m_j at x = 0:
        lowering g_j there costs nothing and brings g_j·c_i below u_i.
        """
        limits = ray[: len(self.sources)]
        vectors = []
        for target, kept, block in zip(self.targets, self.kept, self.program.blocks, strict=True):
            vector = [mpq(0)] * len(target)
            for x, r in zip(kept, block, strict=True):
                vector[x] = -ray[r] / self.divisors[x]
            depth = mpq(0)
            for source, limit in zip(self.sources, limits, strict=True):
                outside = sum((a for a, b in zip(source, target, strict=True) if not b), _ZERO)
                if outside:
                    depth = max(depth, (sum(map(mul, vector, source), mpq(0)) - limit) / outside)
            vectors.append([g if b else -depth for g, b in zip(vector, target, strict=True)])
        return vectors


def _posterior(column: Vector) -> list[mpq]:
    total = sum(column, _ZERO)
    return [mpq(a, total) for a in column]


def _within(source: Vector, target: Vector) -> bool:
    """Whether the support of *source* lies in that of *target*."""
    return all(b or not a for a, b in zip(source, target, strict=True))


def _split(
    weights: dict[tuple[int, int], mpq], rows: int, sources: Sequence[_Merged], targets: Sequence[_Merged]
) -> Iterator[tuple[int, int, mpq]]:
    """The witness of the channels themselves.

    Every member of a merged source column has the row of the merged one, each entry divided among the members of the
    merged target by their shares. A zero column contributes nothing; its row is a unit vector.
    """
    members = {i for source in sources for i in source.members}
    yield from ((i, 0, mpq(1)) for i in range(rows) if i not in members)
    for (s, t), weight in weights.items():
        for i in sources[s].members:
            for j, share in zip(targets[t].members, targets[t].shares, strict=True):
                yield i, j, weight * share


def _separation(left: Channel, right: Channel, vectors: Sequence[Sequence[mpq]]) -> GainSeparation:
    """The gain function of vectors that satisfy (*): shifted to >= 0, in coprime integers, no dominated action."""
    floors = [min(entries) for entries in zip(*vectors, strict=True)]
    shifted = [[g - floor for g, floor in zip(vector, floors, strict=True)] for vector in vectors]
    scale = lcm(*(g.denominator for vector in shifted for g in vector))
    whole = [[(g * scale).numerator for g in vector] for vector in shifted]
    content = gcd(*(g for vector in whole for g in vector)) or mpz(1)
    actions = list(dict.fromkeys(tuple(mpq(g // content) for g in vector) for vector in whole))
    gain = tuple(a for a in actions if not any(b != a and _below(a, b) for b in actions))
    found = GainSeparation(gain, posterior_vulnerability(left, gain), posterior_vulnerability(right, gain))
    if not found.left < found.right:
        raise ArithmeticError("a separating gain function that does not separate")
    return found


def _below(a: Sequence[mpq], b: Sequence[mpq]) -> bool:
    return all(x <= y for x, y in zip(a, b, strict=True))


def _check(left: Channel, right: Channel, entries: _Entries) -> None:
    """Multiply a witness out."""
    sums = [mpq(0)] * left.shape[1]
    product = [[mpq(0)] * right.shape[1] for _ in left.rows]
    for i, j, weight in entries:
        sums[i] += weight
        for row, target in zip(left.rows, product, strict=True):
            target[j] += row[i] * weight
    if any(total != 1 for total in sums) or tuple(map(tuple, product)) != right.rows:
        raise ArithmeticError("a witness that does not multiply out")
