"""Exact linear feasibility, against a referee that shares nothing with it (z3 over the reals)."""

from __future__ import annotations

import pytest
import z3
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.channels import exact_lp
from oracle.channels.exact_lp import Infeasible, Program, Solution, rounded, solve


def program(rows: list[list[int]], right: list[int | mpq], blocks: tuple[tuple[int, ...], ...] = ()) -> Program:
    """A x = b from dense rows."""
    columns = [{r: mpq(a) for r, a in enumerate(column) if a} for column in zip(*rows, strict=True)]
    return Program(tuple(columns), tuple(map(mpq, right)), blocks)


def holds(found: Solution | Infeasible, of: Program) -> bool:
    """Whether the evidence multiplies out, by the definitions."""
    if isinstance(found, Solution):
        sums = [mpq(0)] * len(of.right)
        for v, x in found.values.items():
            for r, a in of.columns[v].items():
                sums[r] += a * x
        return all(x > 0 for x in found.values.values()) and sums == list(of.right)
    below = sum((y * b for y, b in zip(found.ray, of.right, strict=True)), mpq(0))
    return below < 0 and all(sum((found.ray[r] * a for r, a in c.items()), mpq(0)) >= 0 for c in of.columns)


def feasible_by_z3(of: Program) -> bool:
    """Whether x >= 0 with A x = b exists, by z3."""
    solver = z3.Solver()
    unknowns = [z3.Real(f"x{v}") for v in range(len(of.columns))]
    solver.add(*[x >= 0 for x in unknowns])
    for r, b in enumerate(of.right):
        terms = [
            z3.Q(int(c[r].numerator), int(c[r].denominator)) * unknowns[v] for v, c in enumerate(of.columns) if r in c
        ]
        solver.add(z3.Sum([z3.RealVal(0), *terms]) == z3.Q(int(b.numerator), int(b.denominator)))
    return solver.check() == z3.sat


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Small programs, with blocks or without, many of them feasible, dependent or degenerate."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=0, max_size=3))
    linking = draw(st.integers(0, 3))
    rows = linking + sum(sizes)
    blocks, first = [], linking
    for size in sizes:
        blocks.append(tuple(range(first, first + size)))
        first += size
    entry = st.builds(mpq, st.integers(-3, 3), st.sampled_from([1, 1, 1, 2, 7]))
    columns = []
    for _ in range(draw(st.integers(1, 7))):
        home = draw(st.sampled_from([(), *blocks]))
        column = {r: draw(entry) for r in (*range(linking), *home)}
        columns.append({r: a for r, a in column.items() if a})
    if draw(st.booleans()):
        right = [mpq(0)] * rows
        for column in columns:
            x = draw(st.sampled_from([0, 0, 1, mpq(1, 3)]))
            for r, a in column.items():
                right[r] += a * x
    else:
        right = draw(st.lists(entry, min_size=rows, max_size=rows))
    return Program(tuple(columns), tuple(right), tuple(blocks))


@given(programs(), st.lists(st.integers(-2, 9), max_size=8))
def test_the_answer_is_that_of_z3_and_has_evidence_whatever_the_start(of, start):
    """Any proposal, indices out of range and repeated ones too, leads to the verdict of z3."""
    found = solve(of, start)
    assert isinstance(found, Solution) == feasible_by_z3(of)
    assert holds(found, of)


@given(programs())
def test_blocks_change_no_verdict(of):
    """The same rows, all linking."""
    assert type(solve(of)) is type(solve(Program(of.columns, of.right)))


@given(programs(), st.integers(0, 2))
def test_bland_alone_gives_the_same_verdict(of, patience):
    """The rule that proves termination, used from the start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact_lp, "_PATIENCE", patience - 1)
        found = solve(of)
    assert holds(found, of)
    assert type(found) is type(solve(of))


def test_a_cycling_example_ends():
    """Beale's degenerate program, at the level 1/20 of its optimum and just above it."""
    rows = [
        [1, 0, 0, mpq(1, 4), -60, mpq(-1, 25), 9, 0],
        [0, 1, 0, mpq(1, 2), -90, mpq(-1, 50), 3, 0],
        [0, 0, 1, 0, 0, 1, 0, 0],
        [0, 0, 0, mpq(3, 4), -150, mpq(1, 50), -6, -1],
    ]
    at, above = (program(rows, [0, 0, 1, mpq(1, 20) + more]) for more in (0, mpq(1, 2**1000)))
    for patience in (-1, 0, 30):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(exact_lp, "_PATIENCE", patience)
            assert isinstance(solve(at), Solution)
            assert isinstance(solve(above), Infeasible)


def test_no_columns_and_no_rows():
    """Nothing equals 0, and nothing else."""
    assert isinstance(solve(Program((), ())), Solution)
    assert isinstance(solve(Program((), (mpq(0),))), Solution)
    assert isinstance(solve(Program((), (mpq(1),))), Infeasible)
    assert isinstance(solve(Program(({},), (mpq(-1),), ((0,),))), Infeasible)


def test_a_column_in_two_blocks_is_refused():
    """Blocks are what no column connects."""
    with pytest.raises(ValueError, match="two blocks"):
        solve(program([[1], [1]], [1, 1], ((0,), (1,))))


def test_a_hair_decides():
    """Of x + y = 1, x - y = 1 + gap, feasible for gap <= 0 only."""
    for bits in (1, 10, 100, 1000):
        for sign in (1, 0, -1):
            found = solve(program([[1, 1], [1, -1]], [1, 1 + sign * mpq(1, 2**bits)]))
            assert isinstance(found, Solution) == (sign <= 0)


def test_a_ray_is_stated_for_the_rows_as_they_were_given():
    """Of x/7 = -1/3, with x/7 scaled to x inside."""
    given_rows = Program(({0: mpq(1, 7)},), (mpq(-1, 3),))
    found = solve(given_rows)
    assert isinstance(found, Infeasible)
    assert holds(found, given_rows)


def test_rounding_cuts_long_rows_only():
    """24 bits of a row of 30, and nothing of short rows."""
    long = Program(({0: mpq(2**29 + 1), 1: mpq(1)}, {0: mpq(3)}), (mpq(1, 3), mpq(1, 3)))
    short = rounded(long, 24)
    assert short is not None
    assert short.columns == ({0: mpq(2**23), 1: mpq(1)}, {})
    assert [abs(b - c) <= mpq(1, 2**24) for b, c in zip(short.right, (mpq(1, 192), mpq(1, 3)), strict=True)] == [
        True,
        True,
    ]
    assert rounded(program([[1, 2], [3, 4]], [5, mpq(1, 2**1000)]), 24) is None


@pytest.mark.parametrize("broken", ["_is_solution", "_is_ray"])
def test_evidence_that_fails_its_check_is_never_returned(monkeypatch, broken):
    """The last word is a multiplication."""
    monkeypatch.setattr(exact_lp, broken, lambda *_: False)
    with pytest.raises(ArithmeticError, match="multiply out"):
        solve(program([[1]], [1 if broken == "_is_solution" else -1]))
