"""Composition with equal ratios merged: against the product of all tables, made canonical afterwards."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from gmpy2 import gcd, mpq, mpz
from hypothesis import example, given
from hypothesis import strategies as st

from oracle.channels.canonical import canonical
from oracle.channels.channel import Channel
from oracle.channels.composition import compose, composition_size, coprime_base, power
from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import tradeoff_of
from oracle.channels.operators import parallel
from oracle.channels.profile import least_level
from oracle.errors import InputError, LimitError
from oracle.laws.strategies import NASTY_CHANNELS, two_row_channels

NOTHING = Channel([["1"], ["1"]])
GENERIC = Channel([["1/2", "1/3", "1/6"], ["1/7", "2/7", "4/7"]])
HALF_CERTAIN = Channel([["1/2", "1/2", "0"], ["0", "1/2", "1/2"]])


def response(level: object) -> Channel:
    """Randomized response at e^epsilon = level."""
    truth = mpq(level) / (1 + mpq(level))
    return Channel([[truth, 1 - truth], [1 - truth, truth]])


def by_definition(channels: list[Channel]) -> Channel:
    """Every tuple of outputs, then the canonical form."""
    return canonical(parallel([NOTHING, *channels]))


@given(two_row_channels(4), st.integers(0, 4))
@example(GENERIC, 0)
@example(GENERIC, 1)
@example(NOTHING, 3)
def test_a_power_is_the_repeated_product(channel, times):
    """K = 0 and 1 included; canonical columns, one for each ratio."""
    result = power(channel, times)
    assert result == by_definition([channel] * times)
    assert canonical(result) == result


@pytest.mark.parametrize("times", range(4))
@pytest.mark.parametrize("channel", NASTY_CHANNELS, ids=str)
def test_powers_of_channels_picked_by_hand(channel, times):
    """Zero entries, zero columns, infinite masses, one column, huge and unrelated denominators."""
    assert power(channel, times) == by_definition([channel] * times)


parts = st.lists(st.tuples(two_row_channels(3), st.integers(0, 2)), max_size=3)


@given(parts)
@example([])
@example([(response(2), 2), (response(4), 1), (response(8), 2)])
@example([(response(6), 1), (response(10), 2), (response("15/2"), 1)])
@example([(response(2), 2), (response(3), 2), (HALF_CERTAIN, 1)])
@example([(HALF_CERTAIN, 2), (Channel([["1", "0"], ["1/2", "1/2"]]), 1)])
@example([(Channel([["1", "0"], ["0", "1"]]), 2), (response(3), 2)])
def test_a_composition_is_the_product_of_its_parts(given_parts):
    """Heterogeneous, on shared and unrelated base numbers, with outcomes that only one law has."""
    expected = by_definition([channel for channel, times in given_parts for _ in range(times)])
    assert compose(given_parts) == expected


@given(parts)
def test_composition_commutes(given_parts):
    """The order of the parts is nothing, nor is counting a channel twice in place of two times."""
    assert compose(given_parts) == compose(given_parts[::-1])
    assert compose(given_parts) == compose([(channel, 1) for channel, times in given_parts for _ in range(times)])


@given(two_row_channels(3), st.integers(0, 3), st.integers(0, 3))
def test_powers_add_and_multiply(channel, j, k):
    """C^(j+k) = C^j ∥ C^k and (C^j)^k = C^(jk), canonically."""
    assert power(channel, j + k) == compose([(power(channel, j), 1), (power(channel, k), 1)])
    assert power(power(channel, j), k) == power(channel, j * k)


def test_more_base_numbers_than_variables():
    """Fourteen responses at distinct primes have fourteen base numbers and 2^14 ratios; three of them by definition."""
    primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43]
    channels = [response(prime) for prime in primes]
    whole = compose([(channel, 1) for channel in channels])
    assert whole.shape == (2, 2**14)
    assert whole == canonical(whole)
    assert whole == compose([(channel, 1) for channel in reversed(channels)])
    # The largest ratio is the product, and the mass at e^epsilon = 1 is that of all events, by a product of tables.
    assert whole.rows[1][-1] / whole.rows[0][-1] == mpz(13082761331670030)
    repeated = [(Channel([[mpq(p, 200), 1 - mpq(p, 200)], [mpq(1, p), 1 - mpq(1, p)]]), 2) for p in primes[:4]]
    assert compose(repeated) == by_definition([channel for channel, _ in repeated for _ in range(2)])


def test_ten_randomized_responses():
    """E = 3, k = 10: delta at every power of 3 in closed form, and 81 -> 16119/32768, 729 -> 3645/16384."""
    ten = power(response(3), 10)
    assert ten.shape == (2, 11)
    stated = {1: "59123/65536", 9: "12195/16384", 81: "16119/32768", 729: "3645/16384", 6561: "6561/131072"}
    for level, delta in {**stated, 59049: "0"}.items():
        # The term with j lies: C(10, j) (3^(10-j) - level 3^j)/4^10 where positive.
        closed = sum(comb(10, j) * max(Fraction(0), Fraction(3 ** (10 - j) - level * 3**j, 4**10)) for j in range(11))
        assert hockey_stick(ten, mpq(level), "forward") == hockey_stick(ten, mpq(level), "backward") == closed
        assert str(closed) == delta
        assert least_level(ten, mpq(delta)) == level


def test_many_randomized_responses_are_a_binomial():
    """Corner by corner against the sums of binomial terms, at E = 3/2 with its two base numbers."""
    k, e = 200, Fraction(3, 2)
    corners = tradeoff_of(power(response("3/2"), k)).breakpoints
    terms = [comb(k, j) * e ** (k - j) / (1 + e) ** k for j in range(k + 1)]
    assert len(corners) == k + 2
    alpha, beta = Fraction(0), Fraction(1)
    for j, corner in enumerate(corners):
        assert corner == (alpha, beta)
        if j <= k:
            alpha, beta = alpha + terms[k - j], beta - terms[j]


def test_close_ratios_are_told_apart():
    """Ratios that differ by 2^-400, next to equal ones, in order."""
    hair = mpq(1, 2**400)
    first, second = response(2 + hair), response(2)
    result = compose([(first, 2), (second, 2)])
    assert result == by_definition([first, first, second, second])
    assert result.shape == (2, 9)


@pytest.mark.slow
def test_exponents_far_apart_take_no_room():
    """Ratios 1, 2 and 2^-100000 on the base number 2: a polynomial of few terms and enormous degree."""
    tiny = mpq(1, 2**100_001)
    channel = Channel([["1/2", "1/4", tiny * 2, mpq(1, 4) - 2 * tiny], ["1/4", "1/4", "1/4", "1/4"]])
    assert power(channel, 2) == by_definition([channel] * 2)
    lone = Channel([["1/2", tiny, mpq(1, 2) - tiny, 0], ["1/4", "1/2", 0, "1/4"]])
    assert power(lone, 3) == by_definition([lone] * 3)
    assert power(lone, 100).shape == (2, 103)


@given(st.lists(st.integers(1, 10**6), max_size=8), st.integers(0, 3))
@example([2**64, 2**3, 6, 15, 35], 2)
def test_a_coprime_base_generates_its_values(values, most):
    """Pairwise coprime, all at least 2, each value a product of powers; no shorter when it stops early."""
    base = coprime_base(map(mpz, values))
    assert all(b > 1 for b in base)
    assert all(gcd(a, b) == 1 for i, a in enumerate(base) for b in base[:i])
    for value in values:
        rest = value
        for b in base:
            while rest % b == 0:
                rest //= b
        assert rest == 1
    stopped = coprime_base(map(mpz, values), most)
    assert (len(stopped) > most) == (len(base) > most)
    assert len(base) > most or stopped == base


def test_powers_of_one_number_are_refined_at_once():
    """2^100000 against 2 takes a division with all its powers, not one after another."""
    assert coprime_base([mpz(2) ** 1_000_000, mpz(2)]) == [2]
    assert coprime_base([mpz(6) ** 50_000, mpz(4), mpz(9)]) == [4, 9]


UNRELATED = Channel([[mpq(i * i + 1, sum(j * j + 1 for j in range(300))) for i in range(300)], [mpq(1, 300)] * 300])
FINE = Channel([[mpq(1, 10**5000), 1 - mpq(1, 10**5000)], ["1/2", "1/2"]])


OVERSIZED = [
    (response(3), 10**12, r"denominator of at most \d+ bits, got one of 2000000000000 bits"),
    (response(3), 10**5000, r"got one of more than 10\^20 bits"),
    (response(3), 10**6 + 1, "at most 1000000 columns, got one of up to 1000002"),
    (response(3), 10**5, "bits in all"),
    (GENERIC, 10**9, "bits"),
    (GENERIC, 10**5, "at most 1000000 columns, got one of up to 5000150001"),
    (HALF_CERTAIN, 10**9, "bits"),
    (FINE, 1000, "bits in all, got up to 1001 columns"),
    (UNRELATED, 3, "columns"),
    (UNRELATED, 10**12, "bits"),
]


@pytest.mark.parametrize(("channel", "times", "message"), OVERSIZED, ids=map(str, range(len(OVERSIZED))))
def test_a_composition_beyond_the_limits_is_refused(channel, times, message):
    """The error states the limit and the size."""
    with pytest.raises(LimitError, match=message):
        power(channel, times)


def test_the_caller_may_set_a_smaller_limit():
    """Columns of the merged result count, not those of the product."""
    assert power(response(3), 9, max_columns=10).shape == (2, 10)
    with pytest.raises(LimitError, match="at most 10 columns, got one of up to 11"):
        power(response(3), 10, max_columns=10)
    with pytest.raises(LimitError, match="at most 20 columns"):
        power(GENERIC, 5, max_columns=20)
    assert power(GENERIC, 5, max_columns=21).shape == (2, 21)


def test_other_shapes_and_counts_are_refused():
    """Two rows, at least 0 times, with the place among the parts."""
    with pytest.raises(InputError, match=r"^of\[1\]: expected two rows"):
        compose([(NOTHING, 1), (Channel([["1"], ["1"], ["1"]]), 1)])
    with pytest.raises(InputError, match=r"^of\[0\]: expected a number of times at least 0, got -1"):
        power(NOTHING, -1)
    with pytest.raises(InputError, match=r"^of\[0\]"):
        power(NOTHING, -(10**5000))


@given(parts)
def test_the_size_is_known_before_the_columns_are_made(of):
    """At least the columns of finite, nonzero ratio."""
    composed = compose(of)
    finite = sum(1 for p, q in zip(*composed.rows, strict=True) if p and q)
    assert composition_size(of).columns >= (finite if any(times for _, times in of) else 0)


@pytest.mark.parametrize(
    ("of", "columns", "variables"),
    [
        ([(response(3), 50)], 51, 1),
        ([(GENERIC, 100)], 5151, 3),
        ([(HALF_CERTAIN, 9)], 1, 1),
        ([(response(3), 7), (response(9), 4)], 31, 1),
    ],
)
def test_sizes_of_compositions(of, columns, variables):
    """Two columns are binomial, one base number is one variable, a generic channel has a multinomial number."""
    size = composition_size(of)
    assert (size.columns, size.variables) == (columns, variables)
