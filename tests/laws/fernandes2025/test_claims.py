"""The collection of all claims of fernandes2025."""

from __future__ import annotations

from collections import Counter

from oracle.laws.fernandes2025 import CLAIMS


def test_every_claim_is_there_once() -> None:
    """78 claims, from equation (1) to proposition 4 of the appendix, no id twice."""
    ids = [claim.id for claim in CLAIMS]
    assert len(ids) == len(set(ids)) == 78
    assert (ids[0], ids[-1]) == ("D-DP (1)", "Prop4")


def test_names_are_unique_within_a_claim() -> None:
    """A finding is named by its claim and its law or worked value."""
    for claim in CLAIMS:
        names = Counter([law.name for law in claim.laws] + [value.name for value in claim.facts])
        assert max(names.values(), default=1) == 1, claim.id


def test_every_claim_that_is_not_as_printed_says_what_is_true() -> None:
    """An erratum with a correction accompanies each status other than holds and definition."""
    for claim in CLAIMS:
        if claim.status not in ("holds", "definition"):
            assert claim.errata, claim.id
        assert all(erratum.correction and erratum.counterexample for erratum in claim.errata)
