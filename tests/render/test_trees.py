"""Trees as text and as SVG."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from gmpy2 import mpq

from oracle.errors import InputError
from oracle.interactive.adversaries import views
from oracle.interactive.concurrent import concurrent_composition
from oracle.interactive.examples import binary_answer, interleaving, unattained
from oracle.interactive.sparse_vector import SparseVector, sparse_vector
from oracle.interactive.tightness import Tightness, optimal_adversary
from oracle.interactive.tree import HALT, AnswerNode, Branch, InteractiveMechanism, QueryNode
from oracle.render.trees import tree_summary, tree_svg, tree_text

SVG = "{http://www.w3.org/2000/svg}"
VIEW = (("query", "ask"), ("answer", "0"), ("query", "B"), ("answer", "0"))
LARGE = sparse_vector(SparseVector(mpq(1, 2), mpq(1, 2), 5))


def marks(svg, name, kind=None):
    """The elements of a name, of a class."""
    found = ET.fromstring(svg).iter(SVG + name)  # noqa: S314 - our own text
    return [e for e in found if kind is None or e.get("class", "").split()[:1] == [kind]]


def test_text_of_a_tree():
    """One line for each option and answer, with both probabilities."""
    assert tree_text(interleaving()).splitlines() == [
        "interleaving: 2 query nodes, 3 answer nodes, depth 4",
        "└─ ask ask  #1",
        "   ├─ hear 0: 3/4 | 1/2  #2",
        "   │  ├─ ask A  #3",
        "   │  │  ├─ hear 0: 1 | 1/2, end",
        "   │  │  └─ hear 1: 0 | 1/2, end",
        "   │  └─ ask B  #4",
        "   │     ├─ hear 0: 1/2 | 1, end",
        "   │     └─ hear 1: 1/2 | 0, end",
        "   └─ hear 1: 1/4 | 1/2, end",
    ]


def test_a_shared_subtree_is_written_once():
    """Later it is referred to by its number."""
    after = QueryNode((("x", binary_answer(mpq(1, 3), mpq(2, 3))),))
    text = tree_text(InteractiveMechanism(binary_answer(mpq(1, 2), mpq(1, 4), after, after)))
    assert text.splitlines()[0] == "interactive mechanism: 1 query node, 2 answer nodes, depth 3"
    assert text.count("ask x") == 1
    assert text.splitlines()[-1] == "└─ hear 1: 1/2 | 3/4, as at #1"


def test_marked_views_have_a_star():
    """Every line on the path of the view, and no other."""
    lines = tree_text(interleaving(), marked=[VIEW]).splitlines()[1:]
    starred = [line[2:].strip("├└─│ ") for line in lines if line.startswith("* ")]
    assert starred == ["ask ask  #1", "hear 0: 3/4 | 1/2  #2", "ask B  #4", "hear 0: 1/2 | 1, end"]
    assert all(line.startswith(("* ", "  ")) for line in lines)


def test_views_of_an_optimal_adversary_can_be_marked():
    """The event of an adversary, in a composition with shared subtrees: as many ends are starred as it has views."""
    composed = concurrent_composition([unattained(), interleaving()])
    strategy, _, _ = optimal_adversary(Tightness(composed), mpq(1))
    event = [view.steps for view in views(composed, strategy) if view.rejects]
    lines = tree_text(composed, marked=event, max_lines=10_000).splitlines()
    assert len(event) > 1
    assert sum(line.startswith("* ") and line.endswith(", end") for line in lines) == len(event)


@pytest.mark.parametrize("lines", [1, 7, 50])
def test_long_texts_are_cut_with_a_count(lines):
    """At most so many lines after the first, and one that says that there is more."""
    written = tree_text(LARGE, max_lines=lines).splitlines()
    assert len(written) == lines + 2
    assert re.fullmatch(r"\.\.\. \d+ more subtrees? not shown", written[-1])


def test_a_tree_of_one_leaf():
    """Nothing is asked or answered."""
    nothing = InteractiveMechanism(HALT)
    assert (
        tree_text(nothing) == "interactive mechanism: 0 query nodes, 0 answer nodes, depth 0" == tree_summary(nothing)
    )
    assert len(marks(tree_svg(nothing), "circle", "end")) == 1


def test_drawing_of_a_tree():
    """A square for each query node, a circle for each answer node, a dot for each end, and the words of each edge."""
    svg = tree_svg(interleaving())
    assert len(marks(svg, "rect", "query")) == 2
    assert len(marks(svg, "circle", "answer")) == 3
    assert len(marks(svg, "circle", "end")) == 5
    words = [e.text for e in marks(svg, "text", "ink")][1:]
    assert sorted(words) == sorted(
        [
            *("ask ask", "ask A", "ask B", "hear 0: 3/4 | 1/2", "hear 1: 1/4 | 1/2", "hear 0: 1 | 1/2"),
            *("hear 1: 0 | 1/2", "hear 0: 1/2 | 1", "hear 1: 1/2 | 0"),
        ]
    )


def test_a_drawing_is_the_same_every_time_and_does_nothing():
    """No script, no link, nothing loaded; title and description are named as such."""
    svg = tree_svg(interleaving(), marked=[VIEW], element_id="figure-1")
    assert svg == tree_svg(interleaving(), marked=[VIEW], element_id="figure-1")
    assert not re.search(r"<script|href|url\(|@import|on\w+=", svg)
    root = ET.fromstring(svg)  # noqa: S314 - our own text
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "figure-1-title figure-1-desc"
    assert [(e.tag, e.get("id")) for e in list(root)[:2]] == [
        (f"{SVG}title", "figure-1-title"),
        (f"{SVG}desc", "figure-1-desc"),
    ]
    assert "prefers-color-scheme:dark" in svg
    assert sum("marked" in e.get("class", "") for e in marks(svg, "path")) == len(VIEW)


def test_colours_have_contrast_in_both_settings():
    """Text and lines have a contrast of at least 4.5:1 with the ground, light and dark."""

    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = marks(tree_svg(interleaving()), "style")[0].text.split("@media")
    for style in (light, dark):
        colours = set(re.findall(r"#[0-9a-f]{6}", style))
        ground = re.search(r"\.ground\{fill:(#[0-9a-f]{6})\}", style)[1]
        for colour in colours - {ground}:
            high, low = sorted((luminance(colour), luminance(ground)), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= 4.5


@pytest.mark.parametrize("most", [1, 10, 150, 5000])
def test_large_trees_are_drawn_in_part(most):
    """At most so many nodes; a node whose successors are left out says how many distinct nodes are below it."""
    svg = tree_svg(LARGE, max_drawn=most)
    drawn = len(marks(svg, "rect", "query")) + len(marks(svg, "circle"))
    assert drawn <= most
    notes = [e.text for e in marks(svg, "text", "small")][1:]
    assert all(re.fullmatch(r"\d+ nodes? below", note) for note in notes)
    assert ("left out" in svg) == (notes != [])
    assert most > 1 or notes == [f"{LARGE.size - 1} nodes below"]
    assert most < 5000 or notes == []


def test_nothing_overlaps_in_a_drawing():
    """Rows are 26 apart, so that words of edges in one column stand apart; everything lies inside the box."""
    svg = tree_svg(LARGE)
    places = [(int(e.get("x")), int(e.get("y"))) for e in marks(svg, "text", "ink")][1:]
    assert len(places) == len(set(places))
    rows = {}
    for x, y in places:
        rows.setdefault(x, []).append(y)
    for ys in rows.values():
        ordered = sorted(ys)
        assert all(b - a >= 13 for a, b in pairwise(ordered))
    root = ET.fromstring(svg)  # noqa: S314 - our own text
    width, height = int(root.get("width")), int(root.get("height"))
    assert all(0 < x < width and 0 < y < height for x, y in places)


def test_markup_and_long_labels_are_data():
    """Markup is escaped, long labels and numbers are cut, and the tooltip has them exactly."""
    label, p = "<b>&" + "x" * 100, mpq(1, 3) ** 40
    node = AnswerNode((Branch(label, p, mpq(1, 2)), Branch("y", 1 - p, mpq(1, 2))))
    mechanism = InteractiveMechanism(QueryNode((("<i>", node),)), "a < b")
    svg = tree_svg(mechanism)
    assert "<b>" not in svg
    titles = [e.text for e in marks(svg, "title")]
    assert titles[0].startswith("a < b: ")
    assert f"{label}: p = {p}, q = 1/2" in titles
    assert max(len(e.text) for e in marks(svg, "text", "ink")) < 100
    assert str(p) not in tree_text(mechanism)


def test_limits_of_nothing_are_refused():
    """At least one line, at least one node."""
    with pytest.raises(InputError, match="max_lines: expected at least 1, got 0"):
        tree_text(LARGE, max_lines=0)
    with pytest.raises(InputError, match="max_drawn: expected at least 1, got 0"):
        tree_svg(LARGE, max_drawn=0)
