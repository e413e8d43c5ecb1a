"""Laws of canonical forms, hyper-distributions and vulnerabilities on generated channels."""

from __future__ import annotations

from fractions import Fraction

from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.channels.canonical import canonical, equivalent
from oracle.channels.channel import Channel
from oracle.channels.gains import posterior_vulnerability, prior_vulnerability, uniform_prior
from oracle.channels.hyper import hyper_distribution
from oracle.channels.refinement import refines
from oracle.exact import to_fraction
from oracle.laws.strategies import (
    many_row_channels,
    partial_families,
    post_processed,
    priors,
    two_row_channels,
    witnesses,
)
from tests.laws import reference


def gains(inputs: int):
    """Small gain functions: lists of actions."""
    row = st.lists(st.builds(mpq, st.integers(0, 6), st.integers(1, 5)), min_size=inputs, max_size=inputs)
    return st.lists(row.map(tuple), min_size=1, max_size=4).map(tuple)


@given(two_row_channels())
def test_the_canonical_form_is_the_columns_grouped_by_posterior(channel: Channel) -> None:
    assert [list(row) for row in canonical(channel).matrix] == reference.merged(channel.matrix)


@given(partial_families(min_size=1, max_size=1))
def test_the_canonical_form_of_a_partial_channel_keeps_its_masses(family: list[Channel]) -> None:
    (channel,) = family
    assert [list(row) for row in canonical(channel).matrix] == reference.merged(channel.matrix)
    assert canonical(channel).masses == channel.masses


@given(two_row_channels())
def test_the_canonical_form_is_its_own(channel: Channel) -> None:
    assert canonical(canonical(channel)) == canonical(channel)


@given(two_row_channels(), st.randoms(use_true_random=False))
def test_order_splits_and_zero_columns_do_not_change_the_canonical_form(channel: Channel, random) -> None:
    columns = list(zip(*channel.rows, strict=True))
    split = [(p / 3, q / 3) for p, q in columns] + [(p * 2 / 3, q * 2 / 3) for p, q in columns] + [(mpq(0), mpq(0))]
    random.shuffle(split)
    assert canonical(Channel(list(zip(*split, strict=True)))) == canonical(channel)


@given(two_row_channels(), two_row_channels())
def test_equivalent_is_refinement_both_ways(left: Channel, right: Channel) -> None:
    assert equivalent(left, right) == (refines(left, right) and refines(right, left))


@given(st.data(), many_row_channels())
def test_the_hyper_distribution_averages_to_the_prior(data, channel: Channel) -> None:
    prior = data.draw(priors(len(channel.rows)))
    hyper = hyper_distribution(channel, prior)
    assert sum(marginal for marginal, _ in hyper) == 1
    assert all(sum(posterior) == 1 for _, posterior in hyper)
    averaged = [sum(m * posterior[x] for m, posterior in hyper) for x in range(len(prior))]
    assert averaged == list(prior)
    assert len({posterior for _, posterior in hyper}) == len(hyper)


@given(two_row_channels(), two_row_channels())
def test_two_channels_have_one_hyper_distribution_exactly_when_equivalent(left: Channel, right: Channel) -> None:
    assert (hyper_distribution(left) == hyper_distribution(right)) == equivalent(left, right)


@given(st.data(), many_row_channels())
def test_vulnerability_agrees_with_the_joint_and_with_the_hyper_distribution(data, channel: Channel) -> None:
    inputs = len(channel.rows)
    gain, prior = data.draw(gains(inputs)), data.draw(priors(inputs))
    fast = posterior_vulnerability(channel, gain, prior)
    fractions = [[to_fraction(g) for g in row] for row in gain]
    assert to_fraction(fast) == reference.vulnerability(channel.matrix, fractions, [to_fraction(w) for w in prior])
    hyper = hyper_distribution(channel, prior)
    assert fast == sum((m * prior_vulnerability(gain, posterior) for m, posterior in hyper), mpq(0))


@given(st.data(), many_row_channels())
def test_looking_never_costs_and_post_processing_never_gains(data, channel: Channel) -> None:
    inputs = len(channel.rows)
    gain, prior = data.draw(gains(inputs)), data.draw(priors(inputs))
    weaker = post_processed(channel, data.draw(witnesses(channel.shape[1])))
    best = posterior_vulnerability(channel, gain, prior)
    assert prior_vulnerability(gain, prior) <= posterior_vulnerability(weaker, gain, prior) <= best


@given(many_row_channels())
def test_the_default_prior_is_uniform(channel: Channel) -> None:
    inputs = len(channel.rows)
    identity = tuple(tuple(mpq(i == j) for j in range(inputs)) for i in range(inputs))
    assert posterior_vulnerability(channel, identity) == posterior_vulnerability(
        channel, identity, uniform_prior(inputs)
    )
    assert hyper_distribution(channel) == hyper_distribution(channel, uniform_prior(inputs))


@given(many_row_channels())
def test_a_channel_survives_its_json_and_its_fractions(channel: Channel) -> None:
    assert Channel(channel.to_json()["matrix"]) == channel
    assert Channel(channel.matrix) == channel
    assert all(isinstance(v, Fraction) for row in channel.matrix for v in row)
    assert all(
        v * channel.scale == n
        for a, b in zip(channel.rows, channel.numerators, strict=True)
        for v, n in zip(a, b, strict=True)
    )
