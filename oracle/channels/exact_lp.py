"""Exact feasibility of linear programs: x >= 0 with A x = b, or a proof that there is none.

The proof is a ray of Farkas: y with y·A >= 0 and y·b < 0, which no x >= 0 with A x = b survives, since then
0 <= (y·A) x = y·b < 0. One of the two always exists, and :func:`solve` always finds it: a simplex method on integers,
with Bland's rule wherever it stalls. What it returns has been multiplied out again.

*Method.* An artificial column e_r for each row r, which must be 0, makes any basis square. From any basis whatever,
the sum of infeasibilities

    f(x) = Σ_{v structural} max(0, -x_v) + Σ_{v artificial} |x_v|

is decreased by pivots to its minimum. With c the slopes of f at the basic variables (-1 for a negative structural
one, ±1 for an artificial one that is not 0, else 0) and z = c B⁻¹, a column v enters when z·A_v > 0. If none does and
f > 0, then -z is the ray: z·A_v <= 0 for nonbasic v by choice, z·A_v = c_v <= 0 for basic structural v, and
z·b = c·x_B = f > 0.

*Ties.* Many programs of interest have many basic variables at 0, and pivots among them lead nowhere. So signs and
passages through 0 are those for b + ε b', with ε > 0 infinitesimal and a fixed b' that is arbitrary but makes the
first basis no less feasible: pairs of rationals, compared first by the first. A slope of an infinitesimally
infeasible variable changes nothing above, as it has no part in c·x_B. The search ends as soon as f = 0 for b itself.

*Termination.* f, now a pair, is determined by the basis, so a basis cannot return after f has decreased. While f stands
still, so does x, hence c is fixed, the basic variables other than 0 stay basic, and the pivots are those of an
ordinary simplex method for c with these variables free. After a bounded number of such pivots Bland's rule (least
index enters, least index leaves) is followed until f decreases, and it does not cycle; an artificial variable at 0
leaves first, never to return, which happens finitely often (Bland 1977; Chvátal, Linear Programming, 1983, chapter 3).

*Arithmetic.* All is integer: with δ = |det B|, the products δ B⁻¹ A are integers, and so are those of the next basis,
by an exact division (Edmonds 1967; Azulay and Pique 2001). The basis is kept by blocks: see :class:`Basis`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final

from gmpy2 import mpq, mpz

from oracle.channels.lp_basis import Basis, IntegerRows, integer_rows, row_factors

__all__ = ["Infeasible", "Program", "Solution", "rounded", "solve"]

_PATIENCE: Final = 30
"""Pivots without progress before Bland's rule takes over."""

_START_BITS: Final = 64
"""Bits after the point by which quotients are compared first."""

_ZERO: Final = mpz(0)


@dataclass(frozen=True, slots=True)
class Program:
    """The constraints x >= 0, A x = b.

    Attributes:
        columns: the columns of A, each as its nonzero entries {row: value}.
        right: b.
        blocks: disjoint sets of rows such that no column meets two of them; rows in no block link them. Blocks
            change no answer, but the cost of a pivot: the square of the number of linking rows, plus the squares of
            the sizes of the blocks.
    """

    columns: tuple[Mapping[int, mpq], ...]
    right: tuple[mpq, ...]
    blocks: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Solution:
    """x >= 0 with A x = b, as its nonzero values; ``basis`` holds the structural variables of the last basis."""

    values: dict[int, mpq]
    basis: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Infeasible:
    """A ray y with y·A >= 0 and y·b < 0; ``basis`` as in :class:`Solution`."""

    ray: tuple[mpq, ...]
    basis: tuple[int, ...]


def solve(program: Program, start: Iterable[int] = ()) -> Solution | Infeasible:
    """Decide whether x >= 0 with A x = b exists; always with evidence.

    Args:
        program: the constraints.
        start: indices of columns proposed for the first basis, best first. Any proposal is safe: columns that depend
            on earlier ones are passed over, and artificial ones complete the basis.
    """
    rows = integer_rows(program.columns, program.right, program.blocks)
    basis = Basis(rows)
    # While only keys are exchanged inside blocks, pivots are cheap; the further variables come second.
    for v in [v for v in dict.fromkeys(start) if not basis.admit(v, inside=True)]:
        basis.admit(v, inside=False)
    basis.tilt()
    ray = _minimise(basis)
    chosen = tuple(sorted(v for v in basis.values if v < rows.structural))
    if ray is None:
        values = {v: mpq(x, basis.det * rows.unit) for v, x in sorted(basis.values.items()) if x}
        _require(_is_solution(program, values))
        return Solution(values, chosen)
    scaled = tuple(mpq(y * f) for y, f in zip(ray, rows.factors, strict=True))
    _require(_is_ray(program, scaled))
    return Infeasible(scaled, chosen)


def rounded(program: Program, bits: int) -> Program | None:
    """The program with the integer rows of A cut off after their first *bits* bits; None if nothing is cut.

    Its last basis is a good proposal for the program itself, at the price of short integers. b, which costs little,
    is scaled like its row and keeps *bits* bits after the point.
    """
    rows = len(program.right)
    factors = row_factors(program.columns, rows)
    lengths = [0] * rows
    for column in program.columns:
        for r, value in column.items():
            lengths[r] = max(lengths[r], (value * factors[r]).numerator.bit_length())
    drops = [max(0, length - bits) for length in lengths]
    if not any(drops):
        return None

    def cut(value: mpq, r: int, places: int) -> mpq:
        scaled = value * (factors[r] << places) / (mpz(1) << drops[r])
        return mpq(scaled.numerator // scaled.denominator, mpz(1) << places)

    columns = tuple(
        {r: short for r, value in column.items() if (short := cut(value, r, 0))} for column in program.columns
    )
    return Program(columns, tuple(cut(b, r, bits) for r, b in enumerate(program.right)), program.blocks)


def _minimise(basis: Basis) -> list[mpz] | None:
    """Pivot to the least sum of infeasibilities: None if it is 0, else a ray for the integer rows."""
    stalled = 0
    while not basis.feasible:
        slopes = basis.slopes()
        link, local = basis.prices(slopes)
        cautious = stalled > _PATIENCE
        entering, gain = _entering(basis, link, local, cautious=cautious)
        if entering is None:
            return _ray(basis.rows, link, local)
        steps = basis.direction(entering)
        leaving = _leaving(basis, steps, gain, cautious=cautious)
        stalled = 0 if basis.sign(leaving) else stalled + 1
        basis.pivot(entering, leaving, steps)
    return None


def _entering(
    basis: Basis, link: Sequence[mpz], local: Sequence[Sequence[mpz]], *, cautious: bool
) -> tuple[int | None, mpz]:
    """A nonbasic structural column that decreases f, with minus its slope: the steepest, or the first if *cautious*."""
    best, most = None, _ZERO
    for v in range(basis.structural):
        home, dense, sparse = basis.columns[v]
        value = sum(map(mul, local[home], dense), _ZERO) if home >= 0 else _ZERO
        for i, a in sparse:
            value += link[i] * a
        if value > most and v not in basis.values:
            best, most = v, value
            if cautious:
                break
    return best, most


def _leaving(basis: Basis, steps: Mapping[int, mpz], gain: mpz, *, cautious: bool) -> int:
    """The basic variable to leave as the entering one grows from 0 by t, so that x_B - t·steps.

    f is convex in t and its slope, -gain at first, grows where a variable passes 0: by the size of its step, twice
    that for an artificial one coming from elsewhere. The line search goes on until the slope is no longer negative;
    a *cautious* one stops at the first passage.
    """
    passages = []
    for v, step in steps.items():
        sign, free = basis.sign(v), v >= basis.structural
        if sign and (sign > 0) == (step > 0):
            passages.append(_Passage(basis, v, step, abs(step) * (2 if free else 1)))
        elif not sign and (step > 0 or free):
            passages.append(_Passage(basis, v, step, abs(step)))
    if cautious:
        return min(passages).variable
    passages.sort()
    slope = -gain
    for passage in passages:
        slope += passage.growth
        if slope >= 0:
            return passage.variable
    raise ArithmeticError("a sum of absolute values decreases without end")


class _Passage:
    """When a basic variable passes 0, a quotient with an infinitesimal part; at a tie artificial ones come first.

    Quotients are compared by their first bits, and by products only where these agree: they are long, and bringing
    them to lowest terms would cost more than all the rest.
    """

    __slots__ = ("growth", "order", "start", "step", "tilt", "value", "variable")

    def __init__(self, basis: Basis, variable: int, step: mpz, growth: mpz) -> None:
        sign = 1 if step > 0 else -1
        self.variable, self.growth, self.step = variable, growth, sign * step
        self.value, self.tilt = sign * basis.values[variable], sign * basis.tilts[variable]
        self.start = (self.value << _START_BITS) // self.step
        self.order = (variable < basis.structural, variable)

    def __lt__(self, other: _Passage) -> bool:
        if self.start != other.start:
            return self.start < other.start
        for mine, yours in ((self.value, other.value), (self.tilt, other.tilt)):
            if difference := mine * other.step - yours * self.step:
                return difference < 0
        return self.order < other.order


def _ray(rows: IntegerRows, link: Sequence[mpz], local: Sequence[Sequence[mpz]]) -> list[mpz]:
    ray = [_ZERO] * len(rows.factors)
    for r, price in zip(rows.linking, link, strict=True):
        ray[r] = -price
    for block, prices in zip(rows.blocks, local, strict=True):
        for r, price in zip(block, prices, strict=True):
            ray[r] = -price
    return ray


def _require(holds: bool) -> None:
    if not holds:
        raise ArithmeticError("the evidence of an exact linear program does not multiply out")


def _is_solution(program: Program, values: Mapping[int, mpq]) -> bool:
    totals = [mpq(0)] * len(program.right)
    for v, x in values.items():
        if x < 0 or v >= len(program.columns):
            return False
        for r, a in program.columns[v].items():
            totals[r] += a * x
    return totals == list(program.right)


def _is_ray(program: Program, ray: Sequence[mpq]) -> bool:
    if sum(map(mul, ray, program.right), mpq(0)) >= 0:
        return False
    return all(sum((ray[r] * a for r, a in column.items()), mpq(0)) >= 0 for column in program.columns)
