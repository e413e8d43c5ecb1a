"""Laws across answers: each is met by right answers and broken by a fault of its own."""

from __future__ import annotations

from typing import Any

import pytest

from oracle.conformance.answer_laws import Answered, LawReport, check_laws
from tests.conformance.small_suite import RESPONSE

GAUSSIAN = {"mechanism": "gaussian", "sigma": "1"}


def told(case: str, op: str, value: Any, claim: str = "upper", **args: Any) -> Answered:
    return Answered(case, op, "concept", {"channel": GAUSSIAN, **args}, value, claim)


def reports(*answers: Answered) -> dict[str, LawReport]:
    return {report.law: report for report in check_laws(answers)}


def verdicts(law: str, *answers: Answered) -> list[str]:
    return [breach.verdict for breach in reports(*answers)[law].breaches]


def test_delta_decreases_in_epsilon_whatever_its_form() -> None:
    """Levels of both forms are ordered; an increase names both cases."""
    right = [
        told("a", "delta", "0.5", exp_epsilon="1"),
        told("b", "delta", "0.3", epsilon="1/2"),
        told("c", "delta", "0.3", exp_epsilon="2"),
        told("d", "delta", "0", epsilon="inf"),
    ]
    assert reports(*right)["delta-decreasing"] == LawReport("delta-decreasing", 3, ())
    wrong = told("e", "delta", "0.4", epsilon="1")
    (breach,) = reports(*right[:3], wrong)["delta-decreasing"].breaches
    assert (breach.cases, breach.verdict, breach.gap.to_json()["decimal"]) == (("c", "e"), "broken", "+0.1")
    assert breach.identity == "law:delta-decreasing:c+e"


def test_an_increase_within_rounding_is_told_apart() -> None:
    """10^-9 relative is the boundary."""
    first = told("a", "delta", "1/2", exp_epsilon="1")
    assert verdicts("delta-decreasing", first, told("b", "delta", "0.5000000001", exp_epsilon="2")) == [
        "broken-rounding"
    ]
    assert verdicts("delta-decreasing", first, told("b", "delta", "0.50001", exp_epsilon="2")) == ["broken"]


def test_other_directions_and_channels_are_no_neighbours() -> None:
    """Only answers about the same channel and direction are compared; the default direction is that of the op."""
    answers = [
        told("a", "delta", "0.1", exp_epsilon="1"),
        told("b", "delta", "0.2", exp_epsilon="2", direction="forward"),
        told("c", "delta", "0.3", exp_epsilon="2", channel=RESPONSE),
    ]
    assert "delta-decreasing" not in reports(*answers)
    assert verdicts("delta-decreasing", *answers, told("d", "delta", "0.2", exp_epsilon="2", direction="both")) == [
        "broken"
    ]


def test_delta_is_a_probability() -> None:
    """Negative values and values above 1 break it; enclosures that reach into [0, 1] do not."""
    assert verdicts("delta-in-unit-interval", told("a", "delta", "-0.1", exp_epsilon="1")) == ["broken"]
    assert verdicts("delta-in-unit-interval", told("a", "delta", "-1e-18", exp_epsilon="1")) == ["broken-rounding"]
    assert verdicts("delta-in-unit-interval", told("a", "delta", "1.5", exp_epsilon="0")) == ["broken"]
    gaps = [reports(told("a", "delta", x, exp_epsilon="0"))["delta-in-unit-interval"].breaches for x in ("1.5", "-0.5")]
    assert [breach.gap.to_json()["decimal"] for (breach,) in gaps] == ["+0.5", "-0.5"]
    wide = told("a", "delta", {"lo": "0.99", "hi": "1.01"}, "exact", exp_epsilon="0")
    assert verdicts("delta-in-unit-interval", wide) == []


@pytest.mark.parametrize("claim", ["upper", "lower", "exact", "nearest", "estimate"])
def test_a_law_is_broken_only_where_no_choice_within_the_enclosures_meets_it(claim: str) -> None:
    """Whatever is claimed: enclosures that share a number meet delta's decrease, one that is wholly above breaks it."""
    first = told("a", "delta", {"lo": "0.30", "hi": "0.32"}, claim, exp_epsilon="1")
    wider = told("b", "delta", {"lo": "0.29", "hi": "0.40"}, claim, exp_epsilon="2")
    touching = told("b", "delta", {"lo": "0.32", "hi": "0.33"}, claim, exp_epsilon="2")
    above = told("b", "delta", {"lo": "0.321", "hi": "0.33"}, claim, exp_epsilon="2")
    for answered in (wider, touching):
        assert reports(first, answered)["delta-decreasing"] == LawReport("delta-decreasing", 1, ())
    assert verdicts("delta-decreasing", first, above) == ["broken"]


def test_the_enclosures_of_a_tradeoff_meet_convexity_where_some_choice_does() -> None:
    """The chord is taken between the upper ends, the point below it at its lower end."""

    def at(alpha: str, lo: str, hi: str) -> Answered:
        return told(f"a{alpha}", "tradeoff", {"beta": {"lo": lo, "hi": hi}}, "lower", alpha=alpha)

    ends = [at("0", "0.9", "1"), at("1", "0", "0.1")]
    assert verdicts("tradeoff-convex", ends[0], at("1/2", "0.55", "0.6"), ends[1]) == []
    assert verdicts("tradeoff-convex", ends[0], at("1/2", "0.56", "0.6"), ends[1]) == ["broken"]


def test_epsilon_decreases_in_delta() -> None:
    """A larger delta has no larger epsilon."""
    first = told("a", "epsilon", "1", delta="1e-6")
    assert verdicts("epsilon-decreasing", first, told("b", "epsilon", {"lo": "1", "hi": "1"}, delta="1e-5")) == []
    assert verdicts("epsilon-decreasing", first, told("b", "epsilon", "2", delta="1e-5")) == ["broken"]


def test_epsilon_and_delta_are_inverse() -> None:
    """delta(log 2) = 1/4 makes epsilon(1/4) at most log 2 and epsilon(1/5) at least that."""
    delta = told("a", "delta", "1/4", "exact", exp_epsilon="2")
    law = "epsilon-inverts-delta"
    assert verdicts(law, delta, told("b", "epsilon", "0.6", "exact", delta="1/4")) == []
    assert verdicts(law, delta, told("b", "epsilon", "0.7", "exact", delta="1/4")) == ["broken"]
    assert verdicts(law, delta, told("b", "epsilon", "0.7", "exact", delta="1/5")) == []
    assert verdicts(law, delta, told("b", "epsilon", "0.6", "exact", delta="1/5")) == ["broken"]


def test_bounds_need_not_be_inverse_on_their_loose_side() -> None:
    """An upper bound of epsilon may be above, a lower one below."""
    law = "epsilon-inverts-delta"
    upper = told("a", "delta", "1/4", exp_epsilon="2")
    assert law not in reports(upper, told("b", "epsilon", "0.7", delta="1/4"))
    assert verdicts(law, upper, told("b", "epsilon", "0.6", delta="1/5")) == ["broken"]
    lower = told("a", "delta", "1/4", "lower", exp_epsilon="2")
    assert law not in reports(lower, told("b", "epsilon", "0.6", "lower", delta="1/5"))
    assert verdicts(law, lower, told("b", "epsilon", "0.7", "lower", delta="1/4")) == ["broken"]


def test_a_composition_is_not_below_its_parts() -> None:
    """Compose and repeat against a part, and repeat against fewer times, at the same level."""
    law = "composition-above-part"
    part = told("part", "delta", "0.3", exp_epsilon="2")

    def whole(node: dict[str, Any], delta: str) -> Answered:
        return told("whole", "delta", delta, exp_epsilon="2", channel=node)

    both = {"mechanism": "compose", "of": [GAUSSIAN, {"mechanism": "laplace", "scale": "1"}]}
    twice, thrice = ({"mechanism": "repeat", "times": n, "of": GAUSSIAN} for n in (2, 3))
    for node in (both, twice):
        assert verdicts(law, part, whole(node, "0.3")) == []
        assert verdicts(law, part, whole(node, "0.2")) == ["broken"]
    more = told("more", "delta", "0.4", exp_epsilon="2", channel=thrice)
    assert verdicts(law, whole(twice, "0.5"), more) == ["broken"]
    assert law not in reports(part, told("w", "delta", "0.1", exp_epsilon="3", channel=twice))


def test_sampling_is_never_worse() -> None:
    """Poisson sampling of add or remove at e^epsilon >= 1; below 1 and for substitution nothing is asked."""
    law = "subsampling-not-worse"

    def sampled(rate: str, delta: str, level: str = "2", neighbours: str = "add_remove") -> Answered:
        node = {"mechanism": "poisson_subsample", "rate": rate, "neighbours": neighbours, "of": GAUSSIAN}
        return told(f"q{rate}", "delta", delta, exp_epsilon=level, channel=node)

    whole = told("whole", "delta", "0.2", exp_epsilon="2")
    assert verdicts(law, whole, sampled("1/5", "0.1")) == []
    assert verdicts(law, whole, sampled("1/5", "0.3")) == ["broken"]
    assert verdicts(law, sampled("1/5", "0.15"), sampled("1/2", "0.1")) == ["broken"]
    assert law not in reports(whole, sampled("1/5", "0.3", neighbours="substitute"))
    assert law not in reports(told("w", "delta", "0.6", exp_epsilon="1/2"), sampled("1/5", "0.7", "1/2"))


def test_a_tradeoff_is_decreasing_convex_and_below_the_diagonal() -> None:
    """On the alphas of one channel and on the corners of one answer."""

    def at(alpha: str, beta: str, claim: str = "lower") -> Answered:
        return told(f"a{alpha}", "tradeoff", {"beta": beta}, claim, alpha=alpha)

    good = [at("0", "1"), at("1/4", "1/4"), at("1/2", "1/8"), at("1", "0")]
    found = reports(*good)
    assert [found[f"tradeoff-{law}"].breaches for law in ("below-diagonal", "decreasing", "convex")] == [(), (), ()]
    assert verdicts("tradeoff-below-diagonal", at("1/2", "0.6")) == ["broken"]
    assert "tradeoff-below-diagonal" not in reports(at("1/2", "0.6", "upper"))
    assert verdicts("tradeoff-decreasing", at("1/4", "0.2"), at("1/2", "0.3")) == ["broken"]
    assert verdicts("tradeoff-convex", at("0", "1"), at("1/2", "0.45"), at("3/4", "0.1")) == ["broken"]
    corners = [["0", "1"], ["1/4", "0.7"], ["1/2", "0.2"], ["1", "0"]]
    assert verdicts("tradeoff-convex", told("c", "tradeoff", {"breakpoints": corners}, "lower")) == ["broken"]


@pytest.mark.parametrize("value", ["nan", None, {"x": 1}, [["0"]], True])
def test_malformed_answers_are_left_to_the_judge(value: object) -> None:
    """They are no part of any law."""
    answers = [
        told("a", "delta", value, exp_epsilon="1"),
        told("b", "epsilon", value, delta="0"),
        told("c", "tradeoff", value, alpha="0"),
        told("d", "tradeoff", value),
        Answered("e", "delta", "c", {}, "0"),
    ]
    assert check_laws(answers) == []
