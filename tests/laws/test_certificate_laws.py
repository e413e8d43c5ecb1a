"""Every certificate that is made is accepted by the independent checker, and no altered one is."""

from __future__ import annotations

import copy
import json
from random import Random

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.certificates.checker import KINDS, Rejected, check, check_text
from oracle.certificates.documents import (
    evaluation,
    greatest_lower_bound_certificate,
    least_upper_bound_certificate,
    refinement_certificate,
    tradeoff_certificate,
)
from oracle.channels.channel import Channel
from oracle.channels.refinement import Witness, refine
from oracle.channels.tradeoff import TradeoffFunction
from oracle.claims import ApproximateDP, TradeoffClaim
from oracle.exact import to_text
from oracle.json_text import canonical
from oracle.laws.strategies import (
    NASTY_CHANNELS,
    NearPair,
    levels,
    nearly_refining_pairs,
    partial_families,
    tradeoff_functions,
    two_row_channels,
)
from oracle.levels import Level
from oracle.operations import finite
from oracle.verdicts import judge

FAMILIES = st.one_of(st.lists(two_row_channels(5), min_size=1, max_size=4), partial_families(1, 4))


@given(two_row_channels(), two_row_channels())
def test_a_refinement_or_its_separating_level_is_accepted(left: Channel, right: Channel) -> None:
    for a, b in ((left, right), (right, left), (left, left)):
        evidence = refine(a, b)
        accepted = check(refinement_certificate(a, b, evidence))
        assert accepted.kind == ("refinement" if isinstance(evidence, Witness) else "separating_level")


@given(nearly_refining_pairs())
def test_a_hair_is_accepted(pair: NearPair) -> None:
    kind = check(refinement_certificate(pair.left, pair.right, refine(pair.left, pair.right))).kind
    assert kind == ("refinement" if pair.holds else "separating_level")


@given(FAMILIES)
def test_a_greatest_lower_bound_is_accepted(family: list[Channel]) -> None:
    assert check(greatest_lower_bound_certificate(family)).kind == "glb"


@given(FAMILIES)
def test_a_least_upper_bound_is_accepted(family: list[Channel]) -> None:
    assert check(least_upper_bound_certificate(family)).kind == "lub"


@given(two_row_channels())
def test_a_trade_off_function_is_accepted(channel: Channel) -> None:
    assert check(tradeoff_certificate(channel)).kind == "tradeoff"


@given(partial_families(2, 2))
def test_partial_refinement_is_accepted(family: list[Channel]) -> None:
    left, right = family
    check(refinement_certificate(left, right, refine(left, right)))


@given(two_row_channels())
def test_the_hash_that_the_checker_prints_is_the_channels(channel: Channel) -> None:
    assert channel.hash in {digest for _, digest in check(tradeoff_certificate(channel)).channels}


def verdict_certificates() -> list[dict[str, object]]:
    """One certificate of every kind that the engine makes."""
    warner = Channel([["3/4", "1/4"], ["1/4", "3/4"]])
    weaker = Channel([["7/10", "3/10"], ["3/10", "7/10"]])
    skew = Channel([["1/10", "27/40", "9/40", "0"], ["0", "9/40", "27/40", "1/10"]])
    lean = Channel([["1/2", "1/3", "1/6"], ["1/4", "1/4", "1/2"]])
    curve = TradeoffFunction([["0", "1/2"], ["1/4", "1/8"], ["1", "0"]])
    steep = TradeoffFunction([["0", "1"], ["1/8", "3/4"], ["1", "0"]])
    irrational = finite({"mechanism": "randomized_response", "epsilon": "1"})
    found = [
        refinement_certificate(warner, weaker, refine(warner, weaker)),
        refinement_certificate(weaker, warner, refine(weaker, warner)),
        greatest_lower_bound_certificate([warner, lean, skew]),
        least_upper_bound_certificate([warner, lean, skew]),
        tradeoff_certificate(skew),
        evaluation([{"fact": "compare", "left": "1/2", "relation": "<", "right": "2/3"}]),
    ]
    verdicts = [
        judge(warner, ApproximateDP(Level.rational(3), mpq(0))),
        judge(warner, ApproximateDP(Level.rational(2), mpq(1, 8))),
        judge(skew, ApproximateDP(Level.of_exponent(2), mpq(1, 10)), "forward"),
        judge(skew, ApproximateDP(Level.of_exponent(1), mpq(1, 10)), "backward"),
        judge(skew, ApproximateDP(Level.infinite(), mpq(1, 20))),
        judge(skew, ApproximateDP(Level.infinite(), mpq(1, 10))),
        judge(lean, TradeoffClaim(curve)),
        judge(lean, TradeoffClaim(steep), "backward"),
        judge(irrational, ApproximateDP(Level.of_exponent(1), mpq(0))),
        judge(irrational, ApproximateDP(Level.rational(2), mpq(1, 100))),
        judge(irrational, TradeoffClaim(curve)),
    ]
    return found + [verdict.certificate for verdict in verdicts]


CERTIFICATES = verdict_certificates()


KINDS_OF_PAIRS = {
    *("refinement", "separating_level", "glb", "lub", "tradeoff", "evaluation", "formal_claim"),
    *("dp_held", "dp_refuted", "tradeoff_held", "tradeoff_refuted"),
}


def test_every_kind_about_a_pair_is_made_and_accepted() -> None:
    assert {check(certificate).kind for certificate in CERTIFICATES} == KINDS_OF_PAIRS
    assert set(KINDS) >= KINDS_OF_PAIRS


def test_a_certificate_is_accepted_as_text_too() -> None:
    for certificate in CERTIFICATES:
        assert check_text(json.dumps(certificate, indent=2)) == check(certificate)
        assert check_text(canonical(certificate).encode()) == check(certificate)


def leaves(value: object, path: tuple[object, ...] = ()):
    """Places of all scalars."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from leaves(item, (*path, i))
    else:
        yield path


def changed(value: object, random: Random) -> object:
    """Another value of the same type (or null and a word), as an accident or a forger would make it."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + random.choice([-1, 1, 2])
    if value is None:
        return random.choice([0, "0", False])
    if random.random() < 0.5:
        try:
            return to_text(mpq(value) + mpq(random.randint(1, 9), random.randint(1, 10**6)))
        except ValueError:
            pass
    place = random.randrange(len(value))
    other = random.choice([c for c in "0123456789/abcdef-" if c != value[place]])
    return value[:place] + other + value[place + 1 :]


def tampered(certificate: dict[str, object], random: Random) -> dict[str, object]:
    """A copy with one value changed and the digest left as it was (or the digest changed)."""
    copied = copy.deepcopy(certificate)
    *path, last = random.choice(list(leaves(copied)))
    target = copied
    for step in path:
        target = target[step]
    target[last] = changed(target[last], random)
    return copied


@pytest.mark.parametrize("part", range(10))
def test_each_of_a_thousand_single_value_changes_is_rejected(part: int) -> None:
    for seed in range(100 * part, 100 * part + 100):
        forged = tampered(CERTIFICATES[seed % len(CERTIFICATES)], Random(seed))  # noqa: S311
        with pytest.raises(Rejected):
            check(forged)


@given(two_row_channels(4), levels(1), tradeoff_functions(3), st.randoms(use_true_random=False))
def test_one_changed_value_of_a_generated_certificate_is_rejected(
    channel: Channel, level: Level, curve: TradeoffFunction, random: Random
) -> None:
    for claim in (ApproximateDP(level, mpq(1, 20)), TradeoffClaim(curve)):
        certificate = judge(channel, claim).certificate
        check(certificate)
        with pytest.raises(Rejected):
            check(tampered(certificate, random))


def test_the_pool_gets_its_bounds_certified() -> None:
    family = [channel for channel in NASTY_CHANNELS if channel.shape[1] <= 4]
    check(greatest_lower_bound_certificate(family))
    check(least_upper_bound_certificate(family))
