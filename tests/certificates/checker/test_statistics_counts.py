"""Certificates of two counts: each field tampered with, each claim, each region, and the words of the statement."""

from __future__ import annotations

import pytest

from oracle.certificates.checker import Rejected, check
from tests.certificates.checker.documents import DOCUMENTS, sealed

PLAIN = DOCUMENTS["count_refutation: all against none"]
ROW_14 = sealed(
    {
        **PLAIN,
        "claim": {"exp_epsilon": "2", "delta": "1/1000"},
        "counts": {"first": {"hits": "750", "runs": "1000"}, "second": {"hits": "250", "runs": "1000"}},
        "lower": {"bound": "7219/10000", "level": "1/40"},
        "upper": {"bound": "2781/10000", "level": "1/40"},
        "grid": "10000",
        "violation": {"level": "2", "excess": "1657/10000"},
    }
)


def changed(document, **fields):
    """The document with other fields and the digest that belongs to them; "a.b" is a field within a field."""
    result = dict(document)
    for name, value in fields.items():
        outer, _, inner = name.partition("__")
        result[outer] = {**result[outer], inner: value} if inner else value
    return sealed(result)


def test_randomised_response_of_level_3_is_refuted_at_2():
    """750 and 250 of 1000; the statement has every inequality, the confidence and the assumptions."""
    statement = check(ROW_14).statement
    for part in (
        "With confidence at least 19/20 the claim epsilon = log(2), delta = 1/1000 is refuted, direction forward.",
        "P[Bin(1000, 7219/10000) >= 750] <= 1/40 and P[Bin(1000, 2781/10000) <= 250] <= 1/40,",
        "so P(S) >= 7219/10000 and Q(S) <= 2781/10000,",
        "7219/10000 - 2 * 2781/10000 = 1657/10000 > 1/1000.",
        "Assumed, not checked: runs are independent",
        "S was declared before the counted runs.",
    ):
        assert part in statement


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"counts__first": {"hits": "749", "runs": "1000"}}, "the tail is above its level"),
        ({"counts__first": {"hits": "751", "runs": "1000"}}, "is not the best bound"),
        ({"counts__first": {"hits": "750", "runs": "1001"}}, "the tail is above its level"),
        ({"counts__first": {"hits": "750", "runs": "700"}}, "from 0 to 700"),
        ({"counts__first": {"hits": "750", "runs": "1000000001"}}, "from 1 to 1000000000"),
        ({"counts__second": {"hits": "251", "runs": "1000"}}, "the tail is above its level"),
        ({"counts__second": {"hits": "249", "runs": "1000"}}, "is not the best bound"),
        ({"counts__second": {"hits": "0.25", "runs": "1000"}}, "whole number"),
        ({"lower__bound": "7220/10000"}, "lowest terms"),
        ({"lower__bound": "361/500"}, "the tail is above its level"),
        ({"lower__bound": "3609/5000"}, "is not the best bound"),
        ({"lower__bound": "72195/100000"}, "lowest terms"),
        ({"lower__bound": "14439/20000"}, "multiple of 1/grid"),
        ({"upper__bound": "139/500"}, "the tail is above its level"),
        ({"upper__bound": "1391/5000"}, "is not the best bound"),
        ({"lower__level": "1/41"}, "the tail is above its level"),
        ({"lower__level": "1/39"}, "is not the best bound"),
        ({"upper__level": "1/20"}, "is not the best bound|add up to more"),
        ({"upper__level": "1"}, "above 0 and below 1"),
        ({"confidence": "20/21"}, "add up to more"),
        ({"confidence": "1"}, "above 0 and below 1"),
        ({"statements": "2"}, "add up to more"),
        ({"statements": "0"}, "from 1 to 2"),
        ({"selection": {"kind": "family", "size": "2"}}, "add up to more"),
        ({"selection": {"kind": "family", "size": "0"}}, "whole number"),
        ({"selection": {"kind": "declared", "size": "2"}}, "unknown field"),
        ({"larger": "second"}, "the tail is above its level"),
        ({"region": "complement"}, "not the direction"),
        ({"direction": "backward"}, "not the direction"),
        ({"direction": "both"}, "expected one of forward, backward"),
        ({"region": "complement", "direction": "backward"}, None),
        ({"grid": "100000"}, "is not the best bound"),
        ({"grid": "0"}, "whole number"),
        ({"claim": {"exp_epsilon": "3", "delta": "1/1000"}}, "the level is below e.epsilon"),
        ({"claim": {"exp_epsilon": "inf", "delta": "0"}}, "the level is below e.epsilon"),
        ({"claim": {"epsilon": "7/10", "delta": "0"}}, "the level is below e.epsilon"),
        ({"claim": {"exp_epsilon": "2", "delta": "1657/10000"}}, "do not violate"),
        ({"claim": {"rho": "1/2"}}, "expected a claim of"),
        ({"claim": {"order": "2", "epsilon": "1"}}, "expected a claim of"),
        ({"violation": {"level": "3", "excess": "-281/2500"}}, "do not violate"),
        ({"violation__excess": "1658/10000"}, "lowest terms"),
        ({"violation__excess": "829/5000"}, "the excess is not the stated number"),
        ({"violation": {"alpha": "0", "beta": "0", "claimed": "1"}}, "missing field"),
    ],
)
def test_a_changed_field_is_rejected(fields, reason):
    """With a new digest; counts that are as good either way may change the region."""
    document = changed(ROW_14, **fields)
    if reason is None:
        assert check(document).kind == "count_refutation"
        return
    with pytest.raises(Rejected, match=reason):
        check(document)


@pytest.mark.parametrize(
    ("name", "fields", "reason"),
    [
        ("a curve", {"violation__claimed": "39/100"}, "the claimed error"),
        ("a curve", {"violation__alpha": "3/10"}, "the bound of alpha"),
        ("a curve", {"violation__beta": "3/10"}, "the bound of beta"),
        ("a curve", {"direction": "forward"}, "not the direction"),
        (
            "a curve",
            {"claim": {"tradeoff": {"breakpoints": [["0", "1"], ["1/4", "1/4"], ["1", "0"]]}}},
            "claimed error",
        ),
        ("mu, either way", {"violation__threshold": "1/2"}, r"Phi.t. is above 1 - alpha"),
        ("mu, either way", {"violation__threshold": "-1/100"}, "does not violate the claim"),
        ("mu, either way", {"claim": {"mu": "1"}}, "does not violate the claim"),
        ("mu, either way", {"claim": {"mu": "-1"}}, "expected a number >= 0"),
        ("mu, either way", {"confidence": "19/20"}, "add up to more"),
        ("the complement, one of two", {"violation__level": "2", "violation__excess": "7/100"}, None),
        ("the complement, one of two", {"confidence": "91/100"}, "add up to more"),
    ],
)
def test_other_claims_are_checked_as_strictly(name, fields, reason):
    """Curves, mu, and a transcendental level, for which any rational above e^epsilon serves."""
    document = changed(DOCUMENTS[f"count_refutation: {name}"], **fields)
    if reason is None:
        assert check(document).kind == "count_refutation"
        return
    with pytest.raises(Rejected, match=reason):
        check(document)


def test_a_curve_below_the_bounds_is_not_refuted():
    """A curve of f(31/100) = 31/100 = 1 - x exactly: equality is no violation."""
    curve = {"tradeoff": {"breakpoints": [["0", "1"], ["31/100", "31/100"], ["1", "0"]]}}
    document = changed(DOCUMENTS["count_refutation: a curve"], claim=curve, violation__claimed="31/100")
    with pytest.raises(Rejected, match="do not violate"):
        check(document)


UNEVEN = changed(
    ROW_14,
    counts={"first": {"hits": "990", "runs": "1000"}, "second": {"hits": "500", "runs": "1000"}},
    lower={"bound": "1227/1250", "level": "1/40"},
    upper={"bound": "1063/2000", "level": "1/40"},
    region="complement",
    direction="backward",
    violation={"level": "2", "excess": "4317/10000"},
)


def test_the_complement_has_the_bounds_exchanged():
    """990 and 500 of 1000: 937/2000 - E 23/1250 for the complement, 1227/1250 - E 1063/2000 for the event."""
    claim = {"exp_epsilon": "20", "delta": "0"}
    found = check(changed(UNEVEN, claim=claim, violation={"level": "20", "excess": "201/2000"}))
    assert "for the complement of S 937/2000 - 20 * 23/1250 = 201/2000 > 0" in found.statement
    fields = {"region": "event", "direction": "forward"}
    with pytest.raises(Rejected, match="do not violate"):
        check(changed(UNEVEN, claim=claim, **fields, violation={"level": "20", "excess": "-24121/2500"}))
    with pytest.raises(Rejected, match="the excess is not"):
        check(changed(UNEVEN, **fields))


def test_no_hits_bound_nothing_from_below():
    """And all hits nothing from above: such bounds have no tail that is small."""
    none, every = {"hits": "0", "runs": "10"}, {"hits": "10", "runs": "10"}
    for name, counts in (("first", {"first": none, "second": none}), ("second", {"first": every, "second": every})):
        with pytest.raises(Rejected, match="the tail is above its level"):
            check(changed(PLAIN, **{f"counts__{name}": counts[name]}))


def test_the_words_of_other_certificates():
    """The complement, a family, and the law of the larger probability."""
    statement = check(DOCUMENTS["count_refutation: the complement, one of two"]).statement
    assert "for the complement of S 69/100 - 39/20 * 31/100 = 171/2000 > 0" in statement
    assert "one of a family of 2" in statement
    statement = check(DOCUMENTS["count_refutation: mu, either way"]).statement
    assert "Q(S) >= 69/100 and P(S) <= 31/100" in statement
    assert "G_mu(31/100) >= Phi(49/100 - mu) > 31/100" in statement


def test_a_million_runs_are_checked_quickly():
    """Four tails in integers; two seconds are allowed."""
    fields = {
        "counts": {"first": {"hits": "750000", "runs": "1000000"}, "second": {"hits": "250000", "runs": "1000000"}},
        "lower": {"bound": "14983/20000", "level": "1/40"},
        "upper": {"bound": "5017/20000", "level": "1/40"},
        "grid": "1000000",
        "violation": {"level": "2", "excess": "4949/20000"},
    }
    assert check(sealed({**ROW_14, **fields})).kind == "count_refutation"
