"""Formal channels: against rational channels, against mpmath, and against the independent checker."""

from __future__ import annotations

from itertools import chain, combinations

import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.certificates.checker import Rejected, check
from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.formal_channel import (
    FormalChannel,
    curve_claim,
    formal_beta,
    formal_claim_document,
    formal_delta,
    formal_epsilon,
    formal_hockey_stick,
    formal_satisfies,
    formal_satisfies_curve,
    formal_tradeoff,
    formal_vulnerability,
    level_claim,
)
from oracle.channels.galois import tradeoff_of
from oracle.channels.tradeoff import TradeoffFunction
from oracle.enclosures import Enclosure
from oracle.errors import InputError
from oracle.formal import FormalSum
from oracle.json_text import digest
from oracle.levels import Level

ZERO, ONE, E = FormalSum(), FormalSum.rational(1), FormalSum.exp(1)
HALF = Level.of_exponent(mpq(1, 2))
RR_HALF = FormalChannel([[FormalSum.exp(mpq(1, 2)), ONE], [ONE, FormalSum.exp(mpq(1, 2))]])
UNEVEN = FormalChannel(
    [
        [ONE + E, FormalSum.exp(mpq(-1, 2)), ZERO, FormalSum.power(2, mpq(1, 2)), ZERO],
        [FormalSum.rational(2), ONE, E, ZERO, ZERO],
    ]
)

rows = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=5).filter(
    lambda pairs: sum(p for p, _ in pairs) and sum(q for _, q in pairs)
)
levels = st.one_of(
    st.fractions(min_value=0, max_value=6, max_denominator=6).map(lambda x: Level.rational(mpq(x))),
    st.just(Level.infinite()),
)
deltas = st.fractions(min_value=0, max_value=1, max_denominator=12).map(mpq)
directions = st.sampled_from(["both", "forward", "backward"])
weights = st.one_of(
    st.just(ZERO),
    st.builds(
        lambda s, c: FormalSum.exp(mpq(s)).scaled(mpq(c)),
        st.fractions(min_value=-1, max_value=1, max_denominator=2),
        st.integers(1, 3),
    ),
    st.just(ONE + E),
    st.just(FormalSum.power(3, mpq(1, 2))),
)
formal_channels = (
    st.lists(st.tuples(weights, weights), min_size=1, max_size=4)
    .filter(lambda pairs: any(not p.is_zero() for p, _ in pairs) and any(not q.is_zero() for _, q in pairs))
    .map(lambda pairs: FormalChannel([[p for p, _ in pairs], [q for _, q in pairs]]))
)


def rational(pairs) -> Channel:
    """The channel with rows proportional to the integer weights."""
    totals = [sum(pair[i] for pair in pairs) for i in range(2)]
    return Channel([[mpq(pair[i], totals[i]) for pair in pairs] for i in range(2)])


def formal(pairs) -> FormalChannel:
    """The same weights, not normalised."""
    return FormalChannel([[FormalSum.rational(pair[i]) for pair in pairs] for i in range(2)])


def mp(number: FormalSum) -> mpmath.mpf:
    total = mpmath.mpf(0)
    for (s, roots), c in number.terms():
        term = mpmath.mpf(int(c.numerator)) / int(c.denominator)
        term *= mpmath.exp(mpmath.mpf(int(s.numerator)) / int(s.denominator))
        for p, r in roots:
            term *= mpmath.mpf(p) ** (mpmath.mpf(int(r.numerator)) / int(r.denominator))
        total += term
    return total


def probabilities(channel: FormalChannel) -> list[list[mpmath.mpf]]:
    """The matrix by mpmath, at the caller's precision."""
    return [[mp(w) / mp(total) for w in row] for row, total in zip(channel.rows, channel.totals, strict=True)]


def holds_within(value, truth: mpmath.mpf) -> bool:
    """Whether an exact value or an enclosure is compatible with a 60-digit value."""
    lo, hi = (value.lo, value.hi) if isinstance(value, Enclosure) else (value, value)
    slack = mpmath.mpf(10) ** -50
    low, high = (mpmath.mpf(int(end.numerator)) / int(end.denominator) for end in (lo, hi))
    return bool(low - slack <= truth <= high + slack)


def events(n: int):
    return chain.from_iterable(combinations(range(n), k) for k in range(n + 1))


@settings(deadline=None)
@given(rows, levels, directions)
def test_hockey_sticks_of_rational_weights_are_those_of_the_rational_channel(pairs, level, direction):
    """Where both can be asked, they agree exactly."""
    assert formal_hockey_stick(formal(pairs), level, direction) == hockey_stick(rational(pairs), level.value, direction)


@settings(deadline=None)
@given(rows)
def test_the_tradeoff_of_rational_weights_is_that_of_the_rational_channel(pairs):
    """Same corners, and same values between them."""
    curve = tradeoff_of(rational(pairs))
    channel = formal(pairs)
    assert formal_tradeoff(channel) == list(curve.corners)
    for alpha in (mpq(0), mpq(1, 7), mpq(1, 2), mpq(9, 10), mpq(1)):
        assert formal_beta(channel, alpha) == curve.at(alpha)


@settings(deadline=None)
@given(rows, deltas, directions)
def test_the_least_epsilon_of_rational_weights_is_the_least(pairs, delta, direction):
    """D is at most delta at the level found and above it at every smaller one of at least 1."""
    level = formal_epsilon(formal(pairs), delta, direction)
    assert isinstance(level, Level)
    channel = rational(pairs)
    if level.is_infinite:
        assert hockey_stick(channel, mpq(10**9), direction) > delta
        return
    assert hockey_stick(channel, level.value, direction) <= delta
    if level.value > 1:
        assert hockey_stick(channel, max(mpq(1), level.value - mpq(1, 10**9)), direction) > delta


@settings(deadline=None)
@given(rows, st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 4)), min_size=1, max_size=4), deltas)
def test_vulnerability_of_rational_weights_is_that_of_the_definition(pairs, gain, share):
    """Σ_y max_a Σ_x prior g C, term by term."""
    channel, prior = rational(pairs), (share, 1 - share)
    expected = sum(
        max(sum(prior[x] * action[x] * channel.rows[x][y] for x in range(2)) for action in gain)
        for y in range(len(pairs))
    )
    gains = [[mpq(g) for g in action] for action in gain]
    assert formal_vulnerability(formal(pairs), gains, prior) == expected


@settings(deadline=None)
@given(rows, st.fractions(min_value=1, max_value=5, max_denominator=4), deltas, directions)
def test_claims_on_rational_weights_are_decided_by_the_definition(pairs, level, delta, direction):
    """(epsilon, delta)-DP holds exactly when the hockey stick is at most delta."""
    channel, level = formal(pairs), Level.rational(mpq(level))
    verdict = formal_satisfies(channel, level, delta, direction)
    assert verdict.holds == (hockey_stick(rational(pairs), level.value, direction) <= delta)
    if not verdict.holds:
        p, q = (sum(row[y] for y in verdict.event) for row in rational(pairs).rows)
        first, second = (p, q) if verdict.direction == "forward" else (q, p)
        assert first - level.value * second > delta


@settings(deadline=None)
@given(rows, rows, directions)
def test_curve_claims_on_rational_weights_are_the_pointwise_order(pairs, claimed, direction):
    """The order f <= T(P, Q), f <= T(Q, P) or both, against the pointwise order of the curves."""
    f, curve = tradeoff_of(rational(claimed)), tradeoff_of(rational(pairs))
    expected = {"forward": f <= curve, "backward": f <= curve.inverse()}
    expected["both"] = expected["forward"] and expected["backward"]
    assert formal_satisfies_curve(formal(pairs), f, direction).holds == expected[direction]


@settings(deadline=None)
@given(formal_channels, st.fractions(min_value=-2, max_value=2, max_denominator=4))
def test_hockey_sticks_of_exponential_weights_contain_the_value_over_all_events(channel, s):
    """The maximum over events of P(S) - a·Q(S), computed with 60 digits, lies in the answer."""
    with mpmath.workdps(60):
        p, q = probabilities(channel)
        a = mpmath.exp(mpmath.mpf(s.numerator) / s.denominator)
        truth = max(sum(p[y] - a * q[y] for y in event) for event in events(len(p)))
        assert holds_within(formal_hockey_stick(channel, Level.of_exponent(mpq(s))), mpmath.mpf(truth))


@settings(deadline=None)
@given(formal_channels, st.fractions(min_value=0, max_value=1, max_denominator=20))
def test_beta_of_exponential_weights_contains_the_value_of_the_supporting_lines(channel, alpha):
    """T(alpha) = max over levels h of 1 - Σ max(0, q - h p) - h·alpha, h among the ratios and 0."""
    with mpmath.workdps(60):
        p, q = probabilities(channel)
        ratios = [mpmath.mpf(0), *(b / a for a, b in zip(p, q, strict=True) if a)]
        at = mpmath.mpf(alpha.numerator) / alpha.denominator
        truth = max(1 - sum(max(0, b - h * a) for a, b in zip(p, q, strict=True)) - h * at for h in ratios)
        assert holds_within(formal_beta(channel, mpq(alpha)), truth)


@settings(deadline=None)
@given(formal_channels)
def test_corners_are_points_of_the_curve(channel):
    """Each corner is reached by an event, and the last is (1, 0)."""
    corners = formal_tradeoff(channel)
    assert corners[-1] == (1, 0)
    assert corners[0][0] == 0
    with mpmath.workdps(60):
        p, q = probabilities(channel)
        points = [(sum(p[y] for y in event), 1 - sum(q[y] for y in event)) for event in events(len(p))]
        for alpha, beta in corners:
            assert any(holds_within(alpha, mpmath.mpf(a)) and holds_within(beta, mpmath.mpf(b)) for a, b in points)


@settings(deadline=None)
@given(formal_channels, st.sampled_from([mpq(0), mpq(1, 10), mpq(1, 3), mpq(1)]), directions)
def test_the_least_epsilon_of_exponential_weights_is_the_least(channel, delta, direction):
    """The claim holds at the upper end of the answer and fails just below its lower end."""
    answer = formal_epsilon(channel, delta, direction)
    if isinstance(answer, Enclosure):
        assert formal_satisfies(channel, Level.of_exponent(answer.hi), delta, direction).holds
        below = Level.of_exponent(answer.lo)
    else:
        if answer.is_infinite:
            assert not formal_satisfies(channel, Level.infinite(), delta, direction).holds
            return
        assert formal_satisfies(channel, answer, delta, direction).holds
        if answer == Level.rational(1):
            return
        exponent = answer.epsilon(20)
        bound = exponent.lo if isinstance(exponent, Enclosure) else exponent
        below = Level.of_exponent(bound * (1 - mpq(1, 10**12)))
    assert not formal_satisfies(channel, below, delta, direction).holds


@settings(deadline=None)
@given(
    formal_channels, st.sampled_from([HALF, Level.rational(3), Level.rational(1), Level.infinite()]), deltas, directions
)
def test_the_independent_checker_accepts_every_verdict_and_no_opposite_one(channel, level, delta, direction):
    """Documents of both outcomes are accepted; the same document with the other outcome is not."""
    verdict = formal_satisfies(channel, level, delta, direction)
    document = formal_claim_document(channel, level_claim(level, delta), direction, verdict)
    assert check({**document, "digest": digest(document)}).kind == "formal_claim"
    if verdict.holds:
        event = list(range(channel.shape[1]))
        false = {**document, "holds": False, "event": event, "direction": "forward"}
    else:
        false = {**document, "holds": True, "event": None}
    with pytest.raises(Rejected):
        check({**false, "digest": digest(false)})


@settings(deadline=None)
@given(formal_channels, rows, directions)
def test_the_independent_checker_accepts_every_verdict_on_a_curve(channel, claimed, direction):
    """The same for claimed trade-off functions."""
    curve = tradeoff_of(rational(claimed))
    verdict = formal_satisfies_curve(channel, curve, direction)
    document = formal_claim_document(channel, curve_claim(curve), direction, verdict)
    assert check({**document, "digest": digest(document)}).kind == "formal_claim"


def test_randomized_response_is_exact_at_its_own_epsilon():
    """Equality with e^(1/2) is decided, and the least epsilon is 1/2 itself."""
    assert formal_satisfies(RR_HALF, HALF, mpq(0)) == (True, None, None)
    assert formal_epsilon(RR_HALF, mpq(0)) == HALF
    assert formal_delta(RR_HALF, HALF) == 0
    just_below = Level.of_exponent(mpq(1, 2) - mpq(1, 10**40))
    assert formal_satisfies(RR_HALF, just_below, mpq(0)) == (False, "forward", (0,))
    assert formal_satisfies(RR_HALF, just_below, mpq(0), "backward") == (False, "backward", (1,))


def test_the_answer_is_a_rational_level_where_the_irrational_parts_cancel():
    """Weights (3e, e) against (e, 3e) are randomized response with E = 3."""
    channel = FormalChannel([[E.scaled(mpq(3)), E], [E, E.scaled(mpq(3))]])
    assert formal_epsilon(channel, mpq(0)) == Level.rational(3)
    assert channel.as_channel() == Channel([["3/4", "1/4"], ["1/4", "3/4"]])
    assert RR_HALF.as_channel() is None


@pytest.mark.parametrize("factor", [FormalSum.rational(2), FormalSum.power(2, mpq(1, 2))])
def test_the_answer_is_an_enclosure_where_only_a_part_of_the_level_is_a_power_of_e(factor):
    """At the level 2e epsilon is 1 + log 2, at √2·e it is 1 + (log 2)/2: neither is rational."""
    channel = FormalChannel([[E * factor, ONE], [ONE, E * factor]])
    answer = formal_epsilon(channel, mpq(0))
    assert isinstance(answer, Enclosure)
    with mpmath.workdps(60):
        assert holds_within(answer, 1 + mpmath.log(mp(factor)))


def test_columns_of_exactly_equal_ratio_are_one_group():
    """Ratios that are equal as numbers are merged whatever their weights look like."""
    root = FormalSum.power(2, mpq(1, 2))
    channel = FormalChannel([[ONE, E, root, ONE + E], [root, E * root, FormalSum.rational(2), root + E * root]])
    (group,) = channel.groups()
    assert group.columns == (0, 1, 2, 3)
    square = ONE + E.scaled(mpq(2)) + FormalSum.exp(2)
    mixed = FormalChannel([[ONE + E, ONE], [square, ONE + E]])
    assert [g.columns for g in mixed.groups()] == [(0, 1)]


def test_groups_are_ordered_by_ratio_with_infinite_last():
    """q/p increases; zero columns are in no group; swapping reverses the order."""
    assert [g.columns for g in UNEVEN.groups()] == [(3,), (0,), (1,), (2,)]
    assert [g.columns for g in UNEVEN.swapped().groups()] == [(2,), (1,), (0,), (3,)]
    assert UNEVEN.swapped().swapped().rows == UNEVEN.rows
    assert UNEVEN.oriented("forward") is UNEVEN
    assert UNEVEN.shape == (2, 5)


def test_level_0_gives_everything_and_level_infinity_the_disjoint_mass():
    """At a = 0 the hockey stick is 1, at infinity the mass where the other law is 0."""
    assert formal_hockey_stick(UNEVEN, Level.rational(0)) == 1
    root = FormalSum.power(2, mpq(1, 2))
    with mpmath.workdps(60):
        truth = mp(root) / mp(UNEVEN.totals[0])
        assert holds_within(formal_hockey_stick(UNEVEN, Level.infinite()), truth)
    assert formal_hockey_stick(RR_HALF, Level.infinite()) == 0


def test_no_finite_epsilon_is_the_infinite_level():
    """A disjoint mass above delta needs epsilon = inf."""
    assert formal_epsilon(UNEVEN, mpq(1, 100)).is_infinite
    assert formal_epsilon(UNEVEN, mpq(1)) == Level.rational(1)


def test_digits_are_those_asked_for():
    """The width of an enclosure follows the digits."""
    for digits in (3, 40):
        value = formal_delta(RR_HALF, Level.rational(1), "both", digits)
        assert isinstance(value, Enclosure)
        assert value.width <= value.hi * mpq(1, 10**digits)
    assert formal_hockey_stick(RR_HALF, Level.rational(1), "both").contains(mpq("0.24491866240370912927780113149"))


def test_a_rational_channel_at_a_transcendental_level():
    """Randomized response with E = 3 at epsilon = 1/2: 3/4 - e^(1/2)/4."""
    channel = FormalChannel.from_channel(Channel([["3/4", "1/4"], ["1/4", "3/4"]]))
    value = formal_hockey_stick(channel, HALF)
    assert value.overlaps(Enclosure(mpq("0.3378196823249679533"), mpq("0.3378196823249679733")))
    assert value.width <= value.hi * mpq(1, 10**12)


def test_a_probability_is_exact_or_enclosed():
    """Entries of the normalised matrix."""
    assert UNEVEN.probability(0, 4) == 0
    assert UNEVEN.probability(1, 1, 5).width > 0


@pytest.mark.parametrize(
    "bad",
    [
        [[ONE]],
        [[ONE], [ONE, ONE]],
        [[], []],
        [[ONE, ONE - E], [ONE, ONE]],
        [[ZERO, ZERO], [ONE, ONE]],
    ],
)
def test_malformed_weights_are_refused(bad):
    """Two rows of equal length, no negative weight, positive totals."""
    with pytest.raises(InputError):
        FormalChannel(bad)


def test_questions_outside_their_domain_are_refused():
    """The arguments alpha, delta, gain and prior are checked."""
    with pytest.raises(InputError):
        formal_beta(RR_HALF, mpq(3, 2))
    with pytest.raises(InputError):
        formal_epsilon(RR_HALF, mpq(-1))
    with pytest.raises(InputError):
        formal_vulnerability(RR_HALF, [])
    with pytest.raises(InputError):
        formal_vulnerability(RR_HALF, [[mpq(1)]])
    with pytest.raises(InputError):
        formal_vulnerability(RR_HALF, [[mpq(1), mpq(0)]], [mpq(1), mpq(1)])


def test_its_own_lower_bound_holds_of_randomized_response_as_a_curve():
    """A chord just below the irrational corner holds in both directions, just above fails in both."""
    corner = formal_tradeoff(RR_HALF)[1][0]
    below = TradeoffFunction([(0, 1), (corner.lo, corner.lo), (1, 0)])
    above = TradeoffFunction([(0, 1), (corner.hi, corner.hi), (1, 0)])
    for direction in ("both", "forward", "backward"):
        assert formal_satisfies_curve(RR_HALF, below, direction).holds
        assert not formal_satisfies_curve(RR_HALF, above, direction).holds
