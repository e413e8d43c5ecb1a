"""Operators on irrational probabilities, against the rational ones after e^(1/2) is replaced by a rational number.

Replacing a transcendental number by any positive rational one is compatible with sums and products, so it carries every
identity of exponential sums over to rational channels. Square roots of primes are tested against mpmath.
"""

from __future__ import annotations

import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import assume, given
from hypothesis import strategies as st

from oracle.channels.canonical import canonical
from oracle.channels.channel import Channel
from oracle.channels.composition import compose
from oracle.channels.formal_channel import FormalChannel, formal_delta, formal_epsilon
from oracle.channels.formal_operators import formal_compose, formal_hidden, formal_post, formal_pre, formal_visible
from oracle.channels.operators import hidden, parallel, post_process, pre_process, visible
from oracle.enclosures import Enclosure
from oracle.errors import InputError, LimitError
from oracle.formal import FormalSum
from oracle.laws.strategies import alphas
from oracle.levels import Level

ROOT_OF_E = mpq(33, 20)
"""What e^(1/2) is replaced by; any other positive number would do as well."""
HALVES = ((mpq(1, 2), mpq(1, 2)), (mpq(1, 4), mpq(3, 4)))

terms = st.tuples(st.sampled_from([-1, 0, 0, 1, 2]), st.integers(1, 3))
weights = st.one_of(
    st.just(FormalSum()),
    st.lists(terms, min_size=1, max_size=2).map(
        lambda found: FormalSum.sum(FormalSum.exp(mpq(s, 2)).scaled(mpq(c)) for s, c in found)
    ),
)


def replaced(number: FormalSum) -> mpq:
    """The number with ROOT_OF_E in place of e^(1/2)."""
    assert all(not roots for (_, roots), _ in number.terms())
    return sum((c * ROOT_OF_E ** int(2 * s) for (s, _), c in number.terms()), mpq(0))


def rational(channel: FormalChannel) -> Channel:
    """The channel after the replacement."""
    rows = [
        [replaced(w) / replaced(total) for w in row] for row, total in zip(channel.rows, channel.totals, strict=True)
    ]
    return Channel(rows, channel.inputs, channel.outputs)


@st.composite
def formal_channels(draw, min_columns: int = 1, max_columns: int = 3) -> FormalChannel:
    """Two rows of weights, zero columns and columns of equal ratio among them."""
    columns = draw(st.lists(st.tuples(weights, weights), min_size=min_columns, max_size=max_columns))
    if draw(st.booleans()):
        columns.append(draw(st.sampled_from(columns)))
    rows = list(zip(*columns, strict=True))
    assume(all(any(not w.is_zero() for w in row) for row in rows))
    return FormalChannel(rows)


def response(s: str) -> FormalChannel:
    """Randomized response with epsilon = s."""
    own, other = FormalSum.exp(mpq(s)), FormalSum.rational(1)
    return FormalChannel([[own, other], [other, own]])


@given(alphas(), formal_channels(), formal_channels())
def test_visible_choice(r, left, right):
    """Entry by entry, in the same order."""
    assert rational(formal_visible(r, left, right)) == visible(r, rational(left), rational(right))


@given(alphas(), formal_channels(2, 2), formal_channels(2, 2), st.booleans(), st.booleans())
def test_hidden_choice(r, left, right, labelled, shifted):
    """By position where the widths agree, and by label with one label in common."""
    if labelled:
        names = (list("abc"), list("cde" if shifted else "abc"))
        left, right = (
            FormalChannel(c.rows, ["D0", "D1"], n[: c.shape[1]]) for c, n in zip((left, right), names, strict=True)
        )
    else:
        assume(left.shape == right.shape)
    assert rational(formal_hidden(r, left, right)) == hidden(r, rational(left), rational(right))


@given(formal_channels(), alphas(), alphas())
def test_pre_processing(channel, a, b):
    """P·M."""
    matrix = ((1 - a, a), (1 - b, b))
    assert rational(formal_pre(matrix, channel)) == pre_process(matrix, rational(channel))


@given(formal_channels(), st.data())
def test_post_processing(channel, data):
    """M·W."""
    row = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)).filter(any)
    matrix = tuple(tuple(mpq(v, sum(w)) for v in w) for w in (data.draw(row) for _ in range(channel.shape[1])))
    assert rational(formal_post(channel, matrix)) == post_process(rational(channel), matrix)


parts = st.lists(st.tuples(formal_channels(1, 2), st.integers(0, 2)), min_size=1, max_size=2)


@given(parts)
def test_composition(given_parts):
    """The composition of the replaced parts, and the product of all their tables."""
    result = formal_compose(given_parts)
    expected = compose([(rational(channel), times) for channel, times in given_parts])
    assert canonical(rational(result)) == expected
    tables = [rational(channel) for channel, times in given_parts for _ in range(times)]
    assert canonical(parallel([Channel([["1"], ["1"]]), *tables])) == expected
    # No two columns are left with one ratio.
    assert len(result.groups()) == result.shape[1]


@given(parts)
def test_composition_commutes(given_parts):
    """Up to the order of the columns."""
    first, second = formal_compose(given_parts), formal_compose(given_parts[::-1])
    for level in (mpq(1), mpq(3, 2), mpq(4)):
        assert formal_delta(first, Level.rational(level)) == formal_delta(second, Level.rational(level))


@pytest.mark.parametrize("times", [1, 2, 3, 10])
def test_composed_responses_have_their_epsilon(times):
    """K randomized responses of epsilon 1/2 have epsilon k/2 exactly, and k + 1 columns."""
    result = formal_compose([(response("1/2"), times)])
    assert result.shape == (2, times + 1)
    assert formal_epsilon(result, mpq(0)) == Level.of_exponent(mpq(times, 2))
    mixed = formal_compose([(response("1/2"), times), (response("1/3"), 1)])
    assert formal_epsilon(mixed, mpq(0)) == Level.of_exponent(mpq(times, 2) + mpq(1, 3))


def test_square_roots_by_mpmath():
    """Weights √2 and 1: the probabilities of a visible choice, a mixture and a composition to 40 digits."""
    root, one = FormalSum.power(2, mpq(1, 2)), FormalSum.rational(1)
    channel = FormalChannel([[root, one], [one, root]])
    made = [
        (
            formal_visible(mpq(1, 3), channel, response("1/2")),
            lambda t, u: [t / 3, (1 - t) / 3, 2 * u / 3, 2 * (1 - u) / 3],
        ),
        (formal_hidden(mpq(1, 3), channel, response("1/2")), lambda t, u: [(t + 2 * u) / 3, 1 - (t + 2 * u) / 3]),
        (formal_compose([(channel, 2)]), lambda t, _: [t * t, 2 * t * (1 - t), (1 - t) ** 2]),
    ]
    with mpmath.workdps(50):
        truths = [mpmath.sqrt(2) / (1 + mpmath.sqrt(2)), mpmath.exp(0.5) / (1 + mpmath.exp(0.5))]
        for result, expected in made:
            for y, truth in enumerate(expected(*truths)):
                found = result.probability(0, y, 40)
                ends = (found.lo, found.hi) if isinstance(found, Enclosure) else (found, found)
                low, high = (mpmath.mpf(int(end.numerator)) / int(end.denominator) for end in ends)
                assert low - mpmath.mpf(10) ** -45 <= truth <= high + mpmath.mpf(10) ** -45


def test_labels_are_kept_as_by_the_rational_operators():
    """Inputs where both agree; outputs by a hidden choice and by pre-processing."""
    named = FormalChannel(response("1").rows, ["D0", "D1"], ["a", "b"])
    assert formal_visible(mpq(1, 2), named, named).inputs == ("D0", "D1")
    assert formal_visible(mpq(1, 2), named, response("1")).inputs is None
    assert formal_hidden(mpq(1, 2), named, named).outputs == ("a", "b")
    assert formal_pre(HALVES, named).outputs == ("a", "b")
    assert formal_pre(HALVES, named).inputs is None
    assert formal_post(named, HALVES).inputs == ("D0", "D1")


def test_malformed_operands_are_refused():
    """The same faults as for rational channels, with the same places."""
    one, two = response("1"), response("2")
    three = formal_visible(mpq(1, 2), one, two)
    named = FormalChannel(one.rows, None, ["a", "b"])
    for call, place in (
        (lambda: formal_visible(mpq(3, 2), one, two), "r"),
        (lambda: formal_hidden(mpq(-1, 2), one, two), "r"),
        (lambda: formal_hidden(mpq(1, 2), one, three), "right"),
        (lambda: formal_hidden(mpq(1, 2), named, two), "right.outputs"),
        (lambda: formal_pre(((mpq(1),), (mpq(1),)), one), "pre"),
        (lambda: formal_pre(((mpq(1), mpq(0)), (mpq(1), mpq(1))), one), "pre[1]"),
        (lambda: formal_post(three, HALVES), "post"),
        (lambda: formal_post(one, ((mpq(1), mpq(1)), (mpq(1), mpq(0)))), "post[0]"),
    ):
        with pytest.raises(InputError) as caught:
            call()
        assert caught.value.where == place


SUMS = FormalChannel(
    [[FormalSum.exp(s) + FormalSum.exp(2 * s) for s in (1, 2, 3)], [FormalSum.exp(s) for s in (5, 1, 2)]]
)


@pytest.mark.parametrize(
    ("channel", "times"),
    [(response("1/2"), 10**12), (SUMS, 10**12), (SUMS, 100), (formal_compose([(SUMS, 1)]), 2**5000)],
    ids=["binomial", "sums", "hundred", "enormous"],
)
def test_a_composition_beyond_the_limits_is_refused_soon(channel, times):
    """The size of a step is known before it is made."""
    with pytest.raises(LimitError, match="at most"):
        formal_compose([(channel, times)])


def test_a_part_that_tells_nothing_may_run_for_ever():
    """One ratio: nothing is learnt, however often."""
    same = FormalChannel([[FormalSum.exp(1), FormalSum.rational(1)]] * 2)
    assert formal_compose([(same, 10**100)]).shape == (2, 1)
    assert formal_compose([(response("1"), 0)]).shape == (2, 1)
    assert formal_compose([(same, 5), (response("1"), 1)]).shape == (2, 2)
