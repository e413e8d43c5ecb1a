"""Evaluations: facts, references between them, and what makes a conclusion."""

from __future__ import annotations

import pytest

from oracle.certificates.checker import Rejected, check
from tests.certificates.checker.documents import DOCUMENTS, FIGURE_4_M, certificate, channel, sealed
from tests.certificates.checker.test_refinement import accepted

SUM = {"fact": "event_sum", "matrix": [["1/2", "1/3"]], "row": 0, "event": [0, 1], "value": "5/6"}
LOG = {"fact": "bracket", "function": "log", "argument": "2", "lo": "69/100", "hi": "7/10"}
TRUE = {"fact": "compare", "left": "1/3", "relation": "<", "right": "1/2"}


def facts(*items):
    """An evaluation of the given facts."""
    return certificate("evaluation", facts=list(items))


def compare(left, relation, right):
    """A comparison."""
    return {"fact": "compare", "left": left, "relation": relation, "right": right}


@pytest.mark.parametrize("relation", ["<", "<=", "=", ">", ">=", "!="])
@pytest.mark.parametrize(("left", "right", "true"), [("1", "2", "<<=!="), ("2", "2", "<=>=="), ("3", "2", ">>=!=")])
def test_relations(relation, left, right, true):
    """Each relation is what it says."""
    names = {"<<=!=": {"<", "<=", "!="}, "<=>==": {"<=", ">=", "="}, ">>=!=": {">", ">=", "!="}}[true]
    assert accepted(facts(compare(left, relation, right))) == (relation in names)


def test_references_reach_back_only():
    """A reference is to an earlier fact that has a value, or to an end of an earlier bracket."""
    assert accepted(facts(SUM, compare({"fact": 0}, "=", "5/6")))
    assert accepted(facts(LOG, compare({"fact": 0, "end": "lo"}, "=", "69/100")))
    for first, reference in (
        (SUM, {"fact": 1}),
        (SUM, {"fact": 2}),
        (SUM, {"fact": -1}),
        (SUM, {"fact": True}),
        (SUM, {"fact": 0, "end": "lo"}),
        (LOG, {"fact": 0}),
        (LOG, {"fact": 0, "end": "middle"}),
        (TRUE, {"fact": 0}),
        (SUM, {"fact": 0, "value": "5/6"}),
        (SUM, {}),
    ):
        assert not accepted(facts(first, compare(reference, "!=", "7")))


def test_a_conclusion_is_needed():
    """Values and brackets alone conclude nothing."""
    for fact in (SUM, LOG):
        with pytest.raises(Rejected, match="at least one fact"):
            check(facts(fact))
        assert accepted(facts(fact, TRUE))
    assert not accepted(facts())


@pytest.mark.parametrize(
    ("function", "argument", "lo", "hi", "holds"),
    [
        ("exp", "1", "2718281828/1000000000", "2718281829/1000000000", False),
        ("exp", "1", "679570457/250000000", "2718281829/1000000000", True),
        ("exp", "1", "2718281829/1000000000", "3", False),
        ("exp", "0", "1", "1", True),
        ("exp", "-1", "-5", "1/2", True),
        ("exp", "-1", "-5", "1/3", False),
        ("log", "1", "0", "0", True),
        ("log", "3", "1", "11/10", True),
        ("log", "3", "11/10", "2", False),
        ("log", "1/3", "-11/10", "-1", True),
        ("log", "0", "-5", "5", False),
        ("log", "-1", "-5", "5", False),
        ("sin", "0", "0", "0", False),
        ("exp", "1", "3", "2", False),
        ("normal", "0", "1/2", "1/2", True),
        ("normal", "0", "51/100", "1", False),
        ("normal", "1", "841344/1000000", "841345/1000000", False),
        ("normal", "1", "13146/15625", "168269/200000", True),
        ("normal", "-1", "3/20", "4/25", True),
        ("normal", "-1", "4/25", "1", False),
        ("normal", "-39/2", "0", "1/1000000", True),
        ("normal", "2", "-1", "2", True),
    ],
)
def test_brackets_are_proved(function, argument, lo, hi, holds):
    """Both ends are proved, and everything is in lowest terms."""
    fact = {"fact": "bracket", "function": function, "argument": argument, "lo": lo, "hi": hi}
    assert accepted(facts(fact, TRUE)) == holds


def test_equivalence_merges_and_drops():
    """Equal ratios merge, zero columns go, order is free; partial masses must agree."""
    left = channel("1/2 0 1/4 1/4", "1/4 0 3/8 3/8")
    for right, same in (
        (channel("1/2 1/2", "3/4 1/4"), True),
        (channel("1/4 1/4 1/2", "1/8 1/8 3/4"), True),
        (channel("1/2 1/2", "1/2 1/2"), False),
        (channel("1/2 1/4", "3/4 1/8"), False),
    ):
        assert accepted(facts({"fact": "equivalent", "left": left, "right": right})) == same


def test_vulnerability_takes_any_number_of_rows():
    """With the identity gain and three rows, V = (1/3) sum of column maxima."""
    three = channel("1/2 1/2", "1 0", "1/4 3/4")
    gain = [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]
    fact = {"fact": "vulnerability", "channel": three, "gain": gain, "value": "7/12"}
    assert accepted(facts(fact, TRUE))
    assert not accepted(facts({**fact, "value": "29/50"}, TRUE))
    assert not accepted(facts({**fact, "gain": [["1", "0"]]}, TRUE))


def test_products_may_have_any_shape():
    """A row times a column, and the shapes must fit."""
    product = {"fact": "product", "left": [["1", "2"]], "right": [["3"], ["4"]], "product": [["11"]]}
    assert accepted(facts(product))
    for change in ({"product": [["12"]]}, {"product": [["11", "0"]]}, {"right": [["3"]]}, {"left": [["1"], ["2"]]}):
        assert not accepted(facts({**product, **change}))


def test_hockey_sticks_have_directions():
    """Forward is sum max(0, p - a q), backward sum max(0, q - a p)."""
    fact = {"fact": "hockey_stick", "channel": FIGURE_4_M, "level": "1", "direction": "forward", "value": "1/10"}
    assert accepted(facts(fact, TRUE))
    assert accepted(facts({**fact, "level": "0", "value": "1"}, TRUE))
    assert accepted(facts({**fact, "level": "3/2", "direction": "backward", "value": "1/20"}, TRUE))
    assert not accepted(facts({**fact, "level": "3/2", "value": "1/20"}, TRUE))
    assert not accepted(facts({**fact, "level": "inf", "value": "0"}, TRUE))


def test_statement_shows_the_comparison():
    """The sentence says what is compared, its value, its fact, and the small matrices in full."""
    assert check(DOCUMENTS["evaluation: pre-processing"]).statement == (
        "All 4 facts hold, among them: M1*M2 = M3; T(M3)(5/12) = 1/6 (fact 2) < T(M2)(5/12) = 7/24 (fact 1); "
        "where M1 = [0 1; 1 0], M2 = [1 0; 1/2 1/2], M3 = [1/2 1/2; 1 0]."
    )


def statement(*items):
    """What is said of the given facts, without the frame."""
    return check(facts(*items)).statement.removeprefix(f"All {len(items)} facts hold, among them: ")


STICK = {"fact": "hockey_stick", "channel": FIGURE_4_M, "level": "1", "direction": "forward", "value": "1/10"}


@pytest.mark.parametrize(
    ("fact", "name"),
    [
        (SUM, "row 0 of M1 over columns 0, 1 = 5/6 (fact 0)"),
        ({**SUM, "event": [1], "value": "1/3"}, "row 0 of M1 over column 1 = 1/3 (fact 0)"),
        ({**SUM, "event": [], "value": "0"}, "row 0 of M1 over no column = 0 (fact 0)"),
        (STICK, "sum max(0, p - q) of M1 = 1/10 (fact 0)"),
        ({**STICK, "level": "0", "value": "1"}, "sum max(0, p) of M1 = 1 (fact 0)"),
        (
            {**STICK, "level": "3/2", "direction": "backward", "value": "1/20"},
            "sum max(0, q - 3/2 p) of M1 = 1/20 (fact 0)",
        ),
        (
            {"fact": "curve_value", "tradeoff": [["0", "1"], ["1", "0"]], "alpha": "1/4", "value": "3/4"},
            "f1(1/4) = 3/4 (fact 0)",
        ),
        (
            {"fact": "vulnerability", "channel": channel("1 0", "0 1"), "gain": [["1", "0"], ["0", "1"]], "value": "1"},
            "V_g(M1) for g = M1 = 1 (fact 0)",
        ),
        ({"fact": "combination", "terms": [["1", "1"], ["-1", "-1/3"]], "value": "4/3"}, "1 - (-1/3) = 4/3 (fact 0)"),
        (
            {"fact": "combination", "terms": [["-2", "1"], ["1/2", "3"]], "value": "-1/2"},
            "-2 * 1 + 1/2 * 3 = -1/2 (fact 0)",
        ),
        ({"fact": "combination", "terms": [["1", "1"]] * 7, "value": "7"}, "a combination of 7 terms = 7 (fact 0)"),
    ],
)
def test_a_fact_is_named_by_what_it_is(fact, name):
    """A comparison with the value itself shows it once, any other both sides."""
    assert statement(fact, compare({"fact": 0}, "=", fact["value"])).split("; where")[0].rstrip(".") == name
    assert statement(fact, compare({"fact": 0}, "<", "8")).startswith(f"{name} < 8")


def test_a_combination_names_its_facts():
    """A fact by what it is, a bracket by its end, a combination by its index."""
    inner = {"fact": "combination", "terms": [["1", {"fact": 0}], ["1", {"fact": 1, "end": "lo"}]], "value": "457/300"}
    outer = {"fact": "combination", "terms": [["1", {"fact": 2}]], "value": "457/300"}
    items = [SUM, LOG, inner, outer, compare({"fact": 3}, "=", {"fact": 2})]
    said = statement(*items)
    assert "[fact 2] = 457/300 (fact 3) = " in said
    assert "[row 0 of M1 over columns 0, 1] + [the lower bound 69/100 of log(2)] = 457/300 (fact 2)" in said


def test_a_bound_of_the_normal_distribution_function_is_named_phi():
    """The function of a bracket "normal" is Phi."""
    half = {"fact": "bracket", "function": "normal", "argument": "0", "lo": "1/2", "hi": "1/2"}
    said = statement(half, compare({"fact": 0, "end": "lo"}, ">=", "1/3"))
    assert said.startswith("the lower bound 1/2 of Phi(0) (fact 0) >= 1/3")


def test_a_large_matrix_is_named_by_its_hash():
    """Above 12 entries the size and the start of the hash that the lines below the statement give in full."""
    row = ["1/13"] * 13
    fact = {"fact": "event_sum", "matrix": [row], "row": 0, "event": list(range(13)), "value": "1"}
    accepted_fact = check(facts(fact, compare({"fact": 0}, "=", "1")))
    ((_, digest),) = accepted_fact.channels
    assert "row 0 of M1 over 13 columns = 1 (fact 0)" in accepted_fact.statement
    assert accepted_fact.statement.endswith(f"where M1 = the 1 x 13 matrix sha256:{digest[:16]}....")


def test_many_conclusions_are_counted():
    """Twelve are shown."""
    assert statement(*[TRUE] * 14).endswith("1/3 < 1/2; and 2 more.")


def test_about_is_shown_as_unchecked():
    """In quotes, so that no text in it can pass for a finding."""
    document = certificate("evaluation", facts=[TRUE], about='paper/claim". All')
    assert check(document).statement.endswith("""About: 'paper/claim". All' (not checked).""")


@pytest.mark.parametrize("about", ["", "a" * 81, "two\nlines", 7, None, ["a"]])
def test_about_is_a_short_printable_text(about):
    """Nothing else is accepted."""
    assert not accepted(certificate("evaluation", facts=[TRUE], about=about))


def test_only_an_evaluation_has_about():
    """In other kinds the field is unknown."""
    document = DOCUMENTS["refinement: example 3"]
    with pytest.raises(Rejected, match="unknown field"):
        check(sealed({**document, "about": "paper/claim"}))


def test_a_bracket_of_a_long_argument_is_decided():
    """Phi at -1e-100000 is between 1/3 and 1/2, and above neither 1/2 nor anything beyond."""
    fact = {"fact": "bracket", "function": "normal", "argument": f"-1/1{'0' * 100_000}", "lo": "1/3", "hi": "1/2"}
    assert accepted(facts(fact, TRUE))
    assert not accepted(facts({**fact, "lo": "1/2", "hi": "2/3"}, TRUE))
