"""Proposals from a floating-point solver of linear programs: the one module of the channels that computes in floats.

HiGHS (extra ``lp``) is asked for the least total violation of A x = b over x >= 0; the columns that are basic at the
end are the proposal. :func:`oracle.channels.exact_lp.solve` starts from any proposal and decides in exact arithmetic,
so that a wrong one, or none, costs time and nothing else.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any, Final

from gmpy2 import mpq

from oracle.channels.exact_lp import Program
from oracle.channels.lp_basis import row_factors

__all__ = ["propose"]

_SECONDS: Final = 10.0
_DEAREST: Final = mpq(2**20)


def propose(program: Program) -> tuple[int, ...]:
    """Indices of columns for a first basis; none if there is no solver or it does not finish."""
    try:
        highspy: Any = import_module("highspy")
    except ImportError:
        return ()
    columns, rows = len(program.columns), len(program.right)
    factors, scales = row_factors(program.columns, rows), [mpq(0)] * rows
    for column in program.columns:
        for r, value in column.items():
            scales[r] = max(scales[r], abs(value))
    scales = [scale or mpq(1) for scale in scales]
    # The exact method weighs violations in integer rows; here rows have entries at most 1.
    costs = [float(min(factor * scale, _DEAREST)) for factor, scale in zip(factors, scales, strict=True)]
    starts, indices, values = [0], [], []
    for column in program.columns:
        for r, value in column.items():
            indices.append(r)
            values.append(float(value / scales[r]))
        starts.append(len(indices))
    for sign in (1.0, -1.0):
        for r in range(rows):
            indices.append(r)
            values.append(sign)
            starts.append(len(indices))
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = columns + 2 * rows, rows
    model.col_cost_ = [0.0] * columns + costs * 2
    model.col_lower_ = [0.0] * model.num_col_
    model.col_upper_ = [math.inf] * model.num_col_
    model.row_lower_ = model.row_upper_ = [float(b / scale) for b, scale in zip(program.right, scales, strict=True)]
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = starts, indices, values
    # The bare class of the solver: the public one built on it prints a banner, and standard output is not ours.
    solver = highspy._Highs()  # noqa: SLF001
    for option, setting in (("output_flag", False), ("threads", 1), ("time_limit", _SECONDS)):
        solver.setOptionValue(option, setting)
    if solver.passModel(model) == highspy.HighsStatus.kError or solver.run() == highspy.HighsStatus.kError:
        return ()
    status = solver.getBasis().col_status
    basic = highspy.HighsBasisStatus.kBasic
    return tuple(v for v, state in enumerate(status[:columns]) if state == basic)
