"""Certificates of e-values: accepted as made, rejected whatever is changed, and the bound from rounded integers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.certificates.checker import Rejected, check
from oracle.certificates.checker.e_values import _product_down, _reaches
from oracle.certificates.documents import seal
from oracle.claims import parse_claim_text
from oracle.statistics.counts import PairCounts
from oracle.statistics.e_values import judge_pairs
from oracle.statistics.selection import Selection


def certificate(*, size: int = 1, pairs: PairCounts | None = None) -> dict:
    """A refutation whose capital of about 28 is not far above its threshold of 20."""
    counts = pairs or PairCounts(10, 30, 4, 12)
    selection = Selection("family", size) if size > 1 else Selection("declared")
    verdict = judge_pairs(
        parse_claim_text("E=3/2,delta=1/100"), counts, bet=mpq(1, 4), confidence=mpq(19, 20), selection=selection
    )
    assert verdict.certificate is not None
    return verdict.certificate


def tampered(path: tuple[str, ...], value: object) -> dict:
    """The certificate with one value changed and a new digest."""
    document = {**certificate(), "counts": dict(certificate()["counts"])}
    del document["digest"]
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return seal(document)


def test_it_says_what_was_proved():
    """With which confidence, of what counts, and what has to be assumed."""
    statement = check(certificate()).statement
    assert statement == (
        "With confidence at least 19/20 the claim epsilon = log(3/2), delta = 1/100 is refuted: P(S) > e^eps Q(S) +"
        " delta. In 56 pairs of runs on D and D' the event S came in 10 both, 30 only on D, 4 only on D', 12 neither;"
        " betting 1/4 against the claim in every pair turns 1 into at least 20, which under the claim happens at any"
        " time with a probability of at most 1/20, so that the runs may be stopped at any time. Assumed, not"
        " checked: each pair has fresh randomness; the inputs are neighbours; the bet was fixed before; S was declared"
        " before the counted runs."
    )


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("claim",), {"exp_epsilon": "2", "delta": "1/100"}, "$.level"),
        (("claim",), {"exp_epsilon": "3/2", "delta": "1/10"}, "$.counts"),
        (("claim",), {"mu": "1"}, "$.claim"),
        (("level",), "1", "$.level"),
        (("level",), "2", "$.counts"),
        (("level",), "0", "$.level"),
        (("counts", "only_on_D"), "20", "$.counts"),
        (("counts", "only_on_Dprime"), "9", "$.counts"),
        (("counts", "only_on_D"), 30, "$.counts.only_on_D"),
        (("counts", "both"), "-1", "$.counts.both"),
        (("counts",), {"both": "0", "only_on_D": "0", "only_on_Dprime": "0", "neither": "0"}, "$.counts"),
        (("larger",), "second", "$.counts"),
        (("larger",), "either", "$.larger"),
        (("selection",), {"kind": "family", "size": "2"}, "$.threshold"),
        (("selection",), {"kind": "family", "size": "0"}, "$.selection.size"),
        (("selection",), {"kind": "best"}, "$.selection"),
        (("confidence",), "99/100", "$.threshold"),
        (("confidence",), "1", "$.confidence"),
        (("threshold",), "10", "$.threshold"),
        (("bet",), "1/100", "$.counts"),
        (("bet",), "7/10", "$.bet"),
        (("bet",), "0", "$.bet"),
    ],
)
def test_a_changed_field_is_rejected(path, value, where):
    """Each with a new digest: the claim, a count, the level, the choice of the event, the bet."""
    with pytest.raises(Rejected) as rejected:
        check(tampered(path, value))
    assert rejected.value.where == where


def test_a_larger_threshold_needs_its_capital():
    """Confidence and threshold changed together are consistent, and the capital is too small."""
    document = {**tampered(("confidence",), "99/100"), "threshold": "100"}
    del document["digest"]
    with pytest.raises(Rejected, match="does not reach"):
        check(seal(document))


def test_another_confidence_and_a_family_are_accepted_where_they_are_true():
    """Half the level doubles the threshold; so does a family of two."""
    strong = certificate(size=2, pairs=PairCounts(10, 40, 4, 12))
    assert strong["threshold"] == "40"
    assert "one of a family of 2" in check(strong).statement


@given(
    st.lists(st.tuples(st.fractions(Fraction(1, 8), 8, max_denominator=50), st.integers(0, 60)), min_size=1, max_size=4)
)
def test_the_rounded_product_is_below_the_product_and_close(powers):
    """From integers of 128 bits rounded down, against the exact rational number."""
    exact = Fraction(1)
    for factor, times in powers:
        exact *= factor**times
    rounded = _product_down(powers, 128)
    assert exact * (1 - Fraction(1, 2**100)) <= rounded <= exact


def test_large_products_neither_overflow_nor_count_for_more():
    """Powers far out of range decide by their exponent; a factor that is not positive proves nothing."""
    assert _reaches([Fraction(3, 2)], [10**6], Fraction(20))
    assert _product_down([(Fraction(1, 3), 10**6)], 128) == 0
    assert not _reaches([Fraction(2, 3)], [10**6], Fraction(20))
    assert not _reaches([Fraction(2), Fraction(0)], [2000, 1], Fraction(1))
