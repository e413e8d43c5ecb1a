"""The interactive mechanism of a report in words: its tree, its drawing, its adversaries."""

from __future__ import annotations

import json

import pytest

from oracle.audits.run import audit
from oracle.interactive.reading import parse_interactive
from oracle.render.guarantee import tree_facts, tree_report
from oracle.render.interactive import adversary_lines, history, report_svg, report_tree
from oracle.render.markdown import render as markdown
from oracle.render.terminal import render as terminal
from oracle.render.trees import tree_text

BARE = {"answer": {"yes": {"p": "3/4", "q": "1/4"}, "no": {"p": "1/4", "q": "3/4"}}}
TREE = {"name": "two options", "interactive": {"query": {"A|B": BARE, "stop": None}}}


def document(tree, *claims):
    """The report as a renderer gets it."""
    return json.loads(audit(tree, list(claims)).to_text())


def test_the_tree_is_read_back_from_the_certificates():
    """With its name, and the views of the first refuted claim marked."""
    shown = report_tree(document(TREE, "exp_eps=3", "exp_eps=2"))
    assert shown.splitlines() == [
        "two options: 1 query node, 1 answer node, depth 2",
        "* ├─ ask A|B  #1",
        "  │  ├─ hear no: 1/4 | 3/4, end",
        "* │  └─ hear yes: 3/4 | 1/4, end",
        "  └─ ask stop, end",
    ]
    held = document(TREE, "exp_eps=3")
    assert "*" not in report_tree(held)
    assert "marked" not in report_svg(held).split("</style>")[1]
    assert 'class="line marked"' in report_svg(document(TREE, "exp_eps=2"))


def test_a_tree_without_a_name():
    """Called what it is."""
    assert report_tree(document({"interactive": BARE}, "exp_eps=3")).startswith("interactive mechanism: 0 query nodes")


def test_the_adversary_in_words():
    """The event, the inequality, the questions, the views."""
    (result,) = document(TREE, "exp_eps=2")["results"]
    assert adversary_lines(result["evidence"]) == [
        ("event", "S = 1 view of the adversary below: P(S) = 3/4 (0.75), Q(S) = 1/4 (0.25)"),
        ("", "P(S) - e^epsilon Q(S) = 1/4 (0.25) > 0 = delta, e^epsilon = 2"),
        ("adversary", "first: ask A|B"),
        ("P, Q of views", "ask A|B, hear yes: 3/4 (0.75), 1/4 (0.25)"),
    ]


def test_an_adversary_that_asks_nothing():
    """The mechanism speaks by itself."""
    (result,) = document({"interactive": BARE}, "exp_eps=2")["results"]
    assert ("adversary", "asks nothing") in adversary_lines(result["evidence"])


def test_more_than_is_listed_is_counted():
    """Of any length."""
    evidence = document(TREE, "exp_eps=2")["results"][0]["evidence"]
    many = {**evidence, "questions": "1" + "0" * 5000, "views": "3"}
    lines = [text for _, text in adversary_lines(many)]
    assert "... 2 more views" in lines
    assert any(line.startswith("... 99999999...9999 (5000 digits) more questions") for line in lines)


def test_a_history_in_words():
    """In order; labels that a terminal would act on are escaped."""
    assert history([["ask", "A"], ["hear", "no"]]) == "ask A, hear no"
    assert history([["hear", "\u2028x"]]) == "hear \\u2028x"


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("exp_eps=3", "worst case of the claim times W = N; every view is a post-processing of one sample of N"),
        ("mu=2", "for 1 corner of N; every view is a post-processing of one sample of N"),
    ],
)
def test_what_proves_a_claim_that_holds(claim, line):
    """The witness or the thresholds, of N, on both views of the report."""
    found = document(TREE, claim)
    assert line in terminal(found)
    assert line in markdown(found)
    assert "tree of 3 nodes, depth 2" in terminal(found)
    assert "corners of T(P, Q) = T(Q, P), the largest below those of all views" in terminal(found)


def test_markup_in_labels_does_not_act():
    """In a strategy, in the tree, in the name of the mechanism."""
    bad = "<b>*x*</b>\n"
    with pytest.raises(ValueError, match="without control characters"):
        parse_interactive({"interactive": {"query": {bad: None}}})
    bad = "<b>*x*</b>"
    text = markdown(document({"name": bad, "interactive": {"query": {bad: BARE}}}, "exp_eps=2"))
    outside = "\n".join(line for line in text.splitlines() if not line.startswith("    "))
    assert "<b>" not in outside.replace(f"`{bad}`", "")
    assert "<b>" not in report_svg(document({"name": bad, "interactive": {"query": {bad: BARE}}}, "exp_eps=2"))


def test_the_facts_of_a_tree():
    """Both ways to say what is infinite or too long."""
    facts = tree_facts(parse_interactive(TREE))
    assert (facts["adversaries"], facts["tight_exp_epsilon"], facts["total_variation"]) == ("2", "3", "1/2")
    assert "tight exp_epsilon 3" in tree_report(facts)
    long = {**facts, "adversaries": None, "tight_exp_epsilon": "inf"}
    assert "more than 10^100000" in tree_report(long)
    assert "inf (no epsilon serves at delta = 0)" in tree_report(long)
    corners = {"breakpoints": [["0", "1"]] * 14}
    assert tree_report({**facts, "tradeoff": corners}).endswith("... 2 more, with --json")


def test_a_tree_and_that_of_its_report_are_numbered_alike():
    """Whatever the order of options and answers in the file."""
    deep = {
        "query": {
            "z": {"answer": {"y": {"p": "3/4", "q": "1/2", "then": BARE}, "x": {"p": "1/4", "q": "1/2"}}},
            "a": BARE,
        }
    }
    lines = tree_text(parse_interactive({"interactive": deep})).splitlines()
    assert report_tree(document({"interactive": deep}, "mu=9")).splitlines() == lines
    assert [line.strip("│├└─ ") for line in lines if "#" in line] == [
        "ask a  #1",
        "ask z  #2",
        "hear y: 3/4 | 1/2, as at #1",
    ]
