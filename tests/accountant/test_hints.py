"""Floats from exact numbers and back."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.accountant.hints import dyadic, positive_float
from oracle.errors import LimitError


def test_a_proposal_is_rounded_towards_zero_to_few_bits():
    """Two bits of 0.9 and of -13."""
    assert dyadic(0.9, 2) == mpq(3, 4)
    assert dyadic(-13.0, 2) == -12
    assert dyadic(5e-324) > 0


@pytest.mark.parametrize("x", [float("inf"), float("nan"), 0.0])
def test_what_is_no_proposal_is_refused(x):
    """Infinity, NaN and 0."""
    with pytest.raises(LimitError):
        dyadic(x)


def test_parameters_beyond_binary64_are_refused():
    """10^400 and 10^-400."""
    assert positive_float(mpq(1, 3)) == 1 / 3
    for x in (mpq(10) ** 400, mpq(10) ** -400):
        with pytest.raises(LimitError, match="binary64"):
            positive_float(x)
