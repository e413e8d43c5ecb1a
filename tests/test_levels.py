"""Levels e^epsilon: the grammar, exact comparison, both spellings."""

from __future__ import annotations

import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.enclosures import Enclosure
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY, NEGATIVE_INFINITY
from oracle.formal import FormalSum
from oracle.json_text import parse
from oracle.levels import Level, parse_epsilon_text, parse_level

exponents = st.fractions(min_value=-20, max_value=20, max_denominator=50).filter(bool).map(mpq)


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("log(3)", Level.rational(3)),
        ("ln(9/4)", Level.rational(mpq(9, 4))),
        ("log(0.5)", Level.rational(mpq(1, 2))),
        ("log(0x1.8p0)", Level.rational(mpq(3, 2))),
        ("-log(3)", Level.rational(mpq(1, 3))),
        ("+ln(3)", Level.rational(3)),
        ("log(1)", Level.rational(1)),
        ("1/2", Level.of_exponent(mpq(1, 2))),
        ("0.05", Level.of_exponent(mpq(1, 20))),
        ("-1", Level.of_exponent(-1)),
        ("0", Level.rational(1)),
        (0, Level.rational(1)),
        (2, Level.of_exponent(2)),
        ("inf", Level.infinite()),
        ("-inf", Level.rational(0)),
        (INFINITY, Level.infinite()),
    ],
)
def test_an_epsilon_is_read_exactly(text, level):
    """log(x) gives the rational level x, a plain number e to that power."""
    assert parse_epsilon_text(text) == level


@pytest.mark.parametrize(
    "text",
    ["log(0)", "log(-1)", "log(inf)", "log()", "log(3", "log 3", "log10(3)", "LOG(3)", "log(log(3))", " 1", "",
     "nan", "50%", "log(50%)", "e", "2*log(3)", 0.5, None, True, [], {}],
)  # fmt: skip
def test_anything_else_is_no_epsilon(text):
    """Malformed epsilons are refused with their place."""
    with pytest.raises(InputError, match=r"^args\.epsilon: "):
        parse_epsilon_text(text, "args.epsilon")


def test_a_json_float_is_refused():
    """A JSON number with a point never becomes a level."""
    for document in ('{"epsilon": 0.5}', '{"exp_epsilon": 1.5}', '{"epsilon": NaN}'):
        with pytest.raises(InputError):
            parse_level(parse(document), minimum_one=False)


def test_exactly_one_of_the_two_spellings_is_read():
    """Both and neither are errors that say so; neither is fine where none is required."""
    with pytest.raises(InputError, match='got both "exp_epsilon" and "epsilon"'):
        parse_level({"epsilon": "1", "exp_epsilon": "2"}, "args", minimum_one=False)
    with pytest.raises(InputError, match=r"^args: expected exactly one of .* got neither"):
        parse_level({"delta": "1"}, "args", minimum_one=False)
    assert parse_level({"delta": "1"}, minimum_one=False, required=False) is None
    assert parse_level({"exp_epsilon": "3", "delta": "1"}, minimum_one=True) == Level.rational(3)
    assert parse_level({"exp_epsilon": "inf"}, minimum_one=True) == Level.infinite()
    assert parse_level({"exp_epsilon": "0"}, minimum_one=False) == Level.rational(0)


@pytest.mark.parametrize(
    "args", [{"exp_epsilon": "1/2"}, {"epsilon": "-1/1000"}, {"epsilon": "log(0.99)"}, {"epsilon": "-inf"}]
)
def test_a_claim_needs_an_epsilon_of_at_least_0(args):
    """Below 0 is an error for claims and parameters and fine for questions."""
    with pytest.raises(InputError, match="epsilon at least 0"):
        parse_level(args, minimum_one=True)
    assert parse_level(args, minimum_one=False).compare(1) == -1


def test_a_negative_exp_epsilon_is_never_a_level():
    """e^epsilon is at least 0."""
    for text in ("-1", "-inf"):
        with pytest.raises(InputError, match=r"args\.exp_epsilon: expected exp_epsilon at least 0"):
            parse_level({"exp_epsilon": text}, "args", minimum_one=False)
    with pytest.raises(InputError):
        Level.rational(-1)


@settings(deadline=None)
@given(exponents, st.fractions(min_value=0, max_value=10**6, max_denominator=10**6).map(mpq))
def test_comparison_with_a_rational_is_that_of_mpmath(s, x):
    """The sign of e^s - x."""
    with mpmath.workdps(60):
        value = mpmath.exp(mpmath.mpf(int(s.numerator)) / int(s.denominator)) - mpmath.mpf(int(x.numerator)) / int(
            x.denominator
        )
        assert Level.of_exponent(s).compare(x) == (1 if value > 0 else -1)


@settings(deadline=None)
@given(exponents, st.integers(8, 150))
def test_a_bracket_holds_the_level_and_closes_in(s, bits):
    """Comparisons with the ends of a bracket agree with it."""
    level = Level.of_exponent(s)
    lo, hi = level.bracket(bits)
    assert level.compare(lo) == 1
    assert level.compare(hi) == -1


def test_rational_levels_compare_exactly():
    """-1, 0 and 1 for values, 1 for infinity."""
    assert [Level.rational(3).compare(x) for x in (4, 3, 2)] == [-1, 0, 1]
    assert Level.infinite().compare(10**100) == 1
    assert Level.rational(3).bracket(10) == (3, 3)


def test_levels_far_out_of_range_are_still_compared():
    """e^(10^5000) is above and e^(-10^5000) below any usual number; neither is written out."""
    huge, tiny = Level.of_exponent(mpq(10) ** 5000), Level.of_exponent(-(mpq(10) ** 5000))
    assert huge.compare(mpq(10) ** 4000) == 1
    assert tiny.compare(mpq(1, 10**4000)) == -1
    with pytest.raises(LimitError):
        huge.bracket(10)
    with pytest.raises(LimitError):
        tiny.bracket(10)


def test_the_epsilon_is_exact_where_it_can_be():
    """Exponents, 0 and the infinities are exact; log 3 is enclosed."""
    assert Level.of_exponent(mpq(-1, 2)).epsilon() == mpq(-1, 2)
    assert Level.rational(1).epsilon() == 0
    assert Level.infinite().epsilon() == INFINITY
    assert Level.rational(0).epsilon() == NEGATIVE_INFINITY
    enclosure = Level.rational(3).epsilon(15)
    assert isinstance(enclosure, Enclosure)
    assert enclosure.overlaps(Enclosure(mpq("1.098612288668109691"), mpq("1.098612288668109692")))


def test_a_level_is_one_number_only():
    """Exactly one field is set, and e^0 is the rational 1."""
    assert Level.of_exponent(0) == Level.rational(1)
    assert hash(Level.of_exponent(0)) == hash(Level.rational(1))
    with pytest.raises(InputError):
        Level(None, None)
    with pytest.raises(InputError):
        Level(mpq(2), mpq(1))


def test_the_formal_number_of_a_level():
    """Finite levels are exponential sums, the infinite one is none."""
    assert Level.of_exponent(mpq(1, 2)).formal() == FormalSum.exp(mpq(1, 2))
    assert Level.rational(3).formal() == FormalSum.rational(3)
    for question in (Level.infinite().formal, lambda: Level.infinite().bracket(10)):
        with pytest.raises(InputError, match="finite level"):
            question()


@pytest.mark.parametrize(
    ("level", "document", "text"),
    [
        (Level.rational(mpq(9, 4)), {"exp_epsilon": "9/4"}, "epsilon = log(9/4)"),
        (Level.rational(1), {"exp_epsilon": "1"}, "epsilon = 0"),
        (Level.rational(0), {"exp_epsilon": "0"}, "epsilon = -inf"),
        (Level.infinite(), {"exp_epsilon": "inf"}, "epsilon = inf"),
        (Level.of_exponent(mpq(1, 2)), {"epsilon": "1/2"}, "epsilon = 1/2"),
    ],
)
def test_a_level_goes_out_and_comes_back(level, document, text):
    """The JSON form is read back as the same level."""
    assert level.to_json() == document
    assert level.describe() == text
    assert parse_level(document, minimum_one=False) == level
