"""Numbers and sentences of a report: decimals on the side that is said, long fractions cut with their length."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.render.words import (
    comparison_lines,
    curves,
    event_lines,
    gap,
    number,
    plain,
    printable,
    proof_lines,
    short,
    tight,
    tight_delta,
    tight_epsilon,
    witness_line,
)


@pytest.mark.parametrize(
    ("value", "rounding", "shown"),
    [
        ("0", "up", "0"),
        ("7", "up", "7"),
        ("inf", "up", "inf"),
        ("1/4", "up", "1/4 (0.25)"),
        ("1/94", "down", "1/94 (0.0106382 rounded down)"),
        ("1/94", "up", "1/94 (0.0106383 rounded up)"),
        ("-1/6", "down", "-1/6 (-0.166667 rounded down)"),
        ({"lo": "0.1", "hi": "0.2"}, "down", "between 0.1 and 0.2"),
    ],
)
def test_number_with_its_decimal(value, rounding, shown):
    """An exact decimal is not called rounded."""
    assert number(value, rounding) == shown


@given(st.fractions(), st.sampled_from(["down", "up"]))
def test_decimal_lies_on_the_side_that_is_said(value, rounding):
    """Never on the other."""
    shown = number(str(value), rounding)
    if "(" not in shown:
        assert Fraction(shown) == value
        return
    decimal, _, side = shown.partition("(")[2].rstrip(")").partition(" rounded ")
    if not side:
        assert Fraction(decimal) == value
    elif side == "down":
        assert Fraction(decimal) < value
    else:
        assert Fraction(decimal) > value


def test_long_fraction_is_cut():
    """The digits that are left out are counted."""
    assert short("1" * 30 + "/" + "2" * 50) == "11111111...1111/22222222...2222 (30 over 50 digits)"
    assert short("-1/" + "3" * 50) == "-1/33333333...3333 (1 over 50 digits)"
    assert short("9" * 41) == "99999999...9999 (41 digits)"
    assert short("9" * 40) == "9" * 40


def test_numbers_beyond_the_input_limit_are_shown():
    """A result may be longer than any input."""
    assert number("1/" + "3" * 150_000, "down").startswith("1/33333333...3333 (1 over 150000 digits) (3e-150000")


def test_labels_are_made_harmless():
    """Escape sequences and directional marks are shown, long labels cut; letters of any script are kept."""
    assert printable("a\x1b[31m\u202eb") == "a\\x1b[31m\\u202eb"
    assert plain("ответ ü") == "ответ ü"
    assert plain("x" * 61) == "x" * 60 + "..."


@pytest.mark.parametrize(
    ("level", "epsilon", "shown"),
    [
        ("inf", "inf", "inf (no epsilon serves)"),
        ("1", "0", "1, epsilon = 0"),
        ("15", {"lo": "2.70805020110221", "hi": "2.70805020110222"}, "15, epsilon = 2.70806 rounded up"),
        (None, "1/2", "1/2 (0.5)"),
        (None, "5", "5"),
        (None, {"lo": "0.51", "hi": "0.5100000001"}, "0.510001 rounded up"),
    ],
)
def test_tight_epsilon(level, epsilon, shown):
    """As a level where that is rational, and as an upper bound of epsilon."""
    claim = {"parsed": {"exp_epsilon": "3", "delta": "0"}}
    name = "tight epsilon" if level in {None, "inf"} else "tight exp_epsilon"
    assert tight_epsilon(claim, {"tight_exp_epsilon": level, "tight_epsilon": epsilon}) == (name, shown)


@pytest.mark.parametrize(
    ("parsed", "level", "epsilon", "shown"),
    [
        ({"epsilon": "1/2"}, None, {"lo": "0.49999999", "hi": "0.499999991"}, "0.499999991 rounded up"),
        ({"epsilon": "1/2"}, None, {"lo": "0.4999999999999", "hi": "0.49999999999991"}, "just below the claimed one"),
        ({"epsilon": "1/2"}, None, "4999999999/10000000000", "(0.4999999999)"),
        ({"epsilon": "1/3"}, None, "33333333/100000000", "(0.33333333)"),
        ({"exp_epsilon": "3"}, "29999999999/10000000000", {"lo": "1.098", "hi": "1.0986122886"}, "(2.9999999999)"),
        ({"exp_epsilon": "inf"}, "3", {"lo": "1.098", "hi": "1.09861228867"}, "3, epsilon = 1.09862 rounded up"),
    ],
)
def test_tight_epsilon_is_told_from_the_claimed_one(parsed, level, epsilon, shown):
    """With digits as many as that takes, or in words where they do not suffice."""
    claim = {"parsed": {**parsed, "delta": "0"}}
    assert shown in tight_epsilon(claim, {"tight_exp_epsilon": level, "tight_epsilon": epsilon}, 12)[1]


def test_tight_delta_is_told_from_the_claimed_one():
    """1/94 is not shown as the claimed 0.0106383."""
    claim = {"parsed": {"exp_epsilon": "2", "delta": "106383/10000000"}}
    assert tight_delta(claim, {"tight_delta": "1/94"}) == "1/94 (0.0106382978724 rounded up)"


def test_slack_of_a_curve_says_where():
    """Which curve, at which alpha."""
    where = {"alpha": "1/4", "direction": "backward"}
    assert gap({"slack": "0", "least_gap": where}, {}) == "0 = least T(Q, P) - f, at alpha = 1/4 (0.25)"
    assert gap({"slack": "-1/2"}, {}) == "-1/2 (-0.5)"


def test_slack_of_nothing_without_equality_says_why():
    """At delta = 0 no delta is left over, but epsilon is."""
    claim = {"parsed": {"exp_epsilon": "4", "delta": "0"}, "words": "epsilon = log(4), delta = 0"}
    result = {"slack": "0", "holds": True, "equality": False, "tight_epsilon": {"lo": "1.0986", "hi": "1.0987"}}
    assert gap(result, claim) == "0 in delta (tight epsilon 1.0987 rounded up is below the claimed log(4))"
    assert gap({**result, "equality": True}, claim) == "0"


def event(**changes):
    """A refuting event."""
    rule = {"left": "P(S) - e^epsilon Q(S)", "left_value": "3/4", "relation": ">"}
    rule |= {"right": "delta", "right_value": "0", "level": "3"}
    shown = {"p": "15/16", "q": "1/16", "probabilities": [["15/16", "1/16"]]}
    return {"columns": [0], "outcomes": ["yes"], **shown, "inequality": rule, "simple": None} | changes


def test_event_in_words():
    """The outcomes by name, both probabilities, the inequality with its two sides."""
    assert event_lines(event()) == [
        "S = {yes}: P(S) = 15/16 (0.9375), Q(S) = 1/16 (0.0625)",
        "P(S) - e^epsilon Q(S) = 3/4 (0.75) > 0 = delta, e^epsilon = 3",
    ]


def test_long_masses_come_with_short_bounds():
    """By direction; of short masses none are shown."""
    simple, long = {"large": "2/3", "small": "1/6"}, {"p": "15000/16001", "q": "1000/16001"}
    told = "enough of it: P(S) >= 2/3, Q(S) <= 1/6"
    assert event_lines(event(simple=simple, direction="forward", **long))[2] == told
    assert event_lines(event(simple=simple, direction="backward", **long))[2].startswith("enough of it: Q(S) >= 2/3")
    assert len(event_lines(event(simple=simple))) == 2


def test_event_of_many_outcomes_without_names():
    """Columns by number, the first few with both probabilities each."""
    shown = [["1/4", "1/8"], ["1/8", "0"]]
    said, _, each = event_lines(event(columns=list(range(20)), outcomes=None, probabilities=shown))
    assert each == "P, Q of each: column 0: 1/4 (0.25), 1/8 (0.125); column 1: 1/8 (0.125), 0; ..."
    assert said.startswith("S = {column 0, column 1, column 2, column 3, column 4, column 5, ... 14 more}: ")


def test_upper_bound_of_a_transcendental_level():
    """U is said to be an upper bound."""
    rule = event()["inequality"] | {"left": "Q(S) - U P(S)", "level": "2"}
    assert event_lines(event(inequality=rule))[1] == "Q(S) - U P(S) = 3/4 (0.75) > 0 = delta, U = 2 >= e^epsilon"


def test_witnesses_in_words():
    """Sizes only; the entries are in the certificate."""
    sizes = [{"direction": "both", "rows": 4, "columns": 9, "entries": 12}]
    said = "row-stochastic W, 4 x 9 with 12 nonzero entries; worst case of the claim times W = the table"
    assert witness_line({"evidence": {"kind": "witness", "witnesses": sizes}}) == ("witness", said)
    signs = {"evidence": {"kind": "signs", "columns": 5}}
    said = "the sign of P_i - e^epsilon Q_i for each of 5 columns"
    assert witness_line({"about": "approximate_dp", **signs}) == ("proved by", said)
    assert "each slope -h of f" in witness_line({"about": "tradeoff", **signs})[1]


def test_the_curves_are_those_of_the_direction():
    """A backward audit of a pair with T(P, Q) = T(Q, P) shows the one there is."""
    one, other = [["0", "1"], ["1", "0"]], [["0", "1/2"], ["1", "0"]]
    pair = {"symmetric": False, "tradeoff": {"forward": one, "backward": other}}
    assert curves({"direction": "both", "input": {}}, pair) == [("T(P, Q)", one), ("T(Q, P)", other)]
    assert curves({"direction": "forward", "input": {}}, pair) == [("T(P, Q)", one)]
    assert curves({"direction": "backward", "input": {}}, pair) == [("T(Q, P)", other)]
    same = {"symmetric": True, "tradeoff": {"forward": one, "backward": None}}
    assert curves({"direction": "backward", "input": {}}, same) == [("T(Q, P)", one)]
    assert curves({"direction": "both", "input": {}}, same) == [("T(P, Q) = T(Q, P)", one)]
    tree = {"direction": "forward", "input": {"interactive": {}}}
    assert curves(tree, pair) == [("T(P, Q), the largest below those of all views", one)]


@pytest.mark.parametrize(
    ("parsed", "value", "line"),
    [
        ({"mu": "1"}, "1/2", ("tight mu", "1/2 (0.5)")),
        ({"rho": "1"}, {"lo": "0.1", "hi": "0.2"}, ("tight rho", "between 0.1 and 0.2")),
        ({"order": "2", "epsilon": "1"}, "inf", ("tight epsilon", "inf (none serves)")),
    ],
)
def test_the_number_that_serves(parsed, value, line):
    """Named for what is claimed."""
    assert tight({"parsed": parsed}, {"tight": value}) == line
    assert gap({"tight": value, "slack": "-inf"}, {"parsed": parsed}) == "-inf"
    assert gap({"tight": value, "slack": "1/3"}, {"parsed": parsed}) == "1/3 (0.333333 rounded down)"


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        ({"kind": "thresholds", "corners": 1}, "a threshold t with Phi(t) >= 1 - alpha"),
        ({"kind": "divergence", "direction": "both"}, "the divergence of the order, direction both"),
        (
            {"kind": "order", "direction": "forward", "order": "1", "divergence": {"lo": "0.1", "hi": "0.2"}},
            "D_1(P, Q) = between 0.1 and 0.2 > rho, so that D_a > rho a just above a = 1",
        ),
        (
            {"kind": "order", "direction": "backward", "order": "5/4", "divergence": "inf"},
            "D_a(Q, P) = inf > rho a at a = 5/4",
        ),
        (
            {"kind": "cells", "sides": [{"direction": "forward", "cells": 1}]},
            "1 cell of orders forward, in each a chord",
        ),
    ],
)
def test_what_of_a_certificate_proves_it(evidence, said):
    """One line, and none for an event or a witness."""
    (name, line), *rest = proof_lines({"evidence": evidence})
    assert (name, rest) == ("proved by", [])
    assert line.startswith(said)
    assert proof_lines({"evidence": {"kind": "event"}}) == []


@pytest.mark.parametrize(
    ("item", "line"),
    [
        ({"quantity": "mu"}, "least mu: 1/2 (0.5) < 1, proved at 64 bits"),
        (
            {"quantity": "renyi", "direction": "forward", "order": "3/2"},
            "D_(3/2)(P, Q): 1/2 (0.5) < 1, proved at 64 bits",
        ),
        (
            {"quantity": "rho", "direction": "backward", "order": "2", "cells": [["2", "1"]]},
            "D_2(Q, P)/2: 1/2 (0.5) < 1, proved at 64 bits; every order by 1 cell",
        ),
        (
            {"quantity": "rho", "direction": "forward", "order": "5/4"},
            "D_(5/4)(P, Q)/(5/4): 1/2 (0.5) < 1, proved at 64 bits",
        ),
        (
            {"quantity": "rho", "direction": "forward", "order": "1099511627777/1099511627776"},
            "D_a(P, Q)/a at a = 1 + 9.09494e-13 rounded down: 1/2 (0.5) < 1, proved at 64 bits",
        ),
        (
            {"quantity": "rho", "direction": "forward", "order": "10000000000001/3"},
            "D_a(P, Q)/a at a = 3333330000000 rounded down: 1/2 (0.5) < 1, proved at 64 bits",
        ),
    ],
)
def test_comparisons_of_one_number(item, line):
    """With how they were decided."""
    found = {**item, "value": "1/2", "relation": "<", "bound": "1", "bits": 64}
    assert comparison_lines({"comparisons": [found]}) == [line]
