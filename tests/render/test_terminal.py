"""The summary on a terminal: verdict first, about a dozen lines, tables cut, colour only where asked for."""

from __future__ import annotations

from itertools import pairwise

import pytest

from oracle.audits.run import audit
from oracle.render import terminal

WARNER = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]], "inputs": ["yes", "no"], "outputs": ["says yes", "says no"]}


def shown(table, claims, **options) -> str:
    """The summary of an audit."""
    return terminal.render(audit(table, claims, **options).document)


def test_summary_of_a_claim_that_holds():
    """The whole text."""
    assert shown(WARNER, "eps=log(3)") == (
        "HOLDS with equality: epsilon = log(3), delta = 0\n"
        "  input             (Python value) (2 inputs, 2 outputs), pair yes, no, both directions\n"
        "  claim             eps=log(3)\n"
        "  tight exp_epsilon 3, epsilon = 1.09862 rounded up, at delta = 0\n"
        "  tight delta       0, at epsilon = log(3)\n"
        "  slack             0\n"
        "  witness           row-stochastic W, 4 x 2 with 4 nonzero entries;"
        " worst case of the claim times W = the table\n"
        "  total variation   1/2 (0.5)\n"
        "  Bayes error       1/4 (0.25) at prior 1/2\n"
        "  certificates      1, accepted by the independent checker\n"
        "\n"
        "corners of T(P, Q) = T(Q, P)\n"
        "alpha       beta\n"
        "0           1\n"
        "1/4 (0.25)  1/4 (0.25)\n"
        "1           0"
    )


@pytest.mark.parametrize(
    ("claims", "first"),
    [
        ("exp_eps=4", "HOLDS: epsilon = log(4), delta = 0"),
        ("exp_eps=2", "REFUTED: epsilon = log(2), delta = 0"),
        (["exp_eps=3", "exp_eps=2,delta=1/4"], "HOLDS with equality: both claims"),
        (["exp_eps=3", "exp_eps=4"], "HOLDS: both claims"),
        (["exp_eps=3", "exp_eps=2", "exp_eps=1"], "REFUTED: 2 of 3 claims"),
        ({"tradeoff": {"breakpoints": [["0", "1"], ["1", "0"]]}}, "REFUTED: trade-off function with 2 corners"),
    ],
)
def test_first_line_is_the_verdict(claims, first):
    """One word, then the claim."""
    assert shown(WARNER, claims).splitlines()[0] == first


def test_refuting_event_is_shown():
    """Its name and the inequality."""
    text = shown(WARNER, "exp_eps=2")
    assert "  event             S = {says yes}: P(S) = 3/4 (0.75), Q(S) = 1/4 (0.25)\n" in text
    assert "P(S) - e^epsilon Q(S) = 1/4 (0.25) > 0 = delta, e^epsilon = 2\n" in text


def test_long_corner_lists_are_cut():
    """Eight corners of each curve, and how many there are besides."""
    n = 20
    total = n * (n + 1) // 2
    row = [f"{k}/{total}" for k in range(1, n + 1)]
    square = sum(k * k for k in range(1, n + 1))
    table = {"matrix": [row, [f"{k * k}/{square}" for k in range(1, n + 1)]]}
    text = shown(table, "exp_eps=100")
    assert text.count("... 13 more corners (all of them with --out or --json)") == 2
    assert "corners of T(Q, P)" in text
    assert len(text.splitlines()) < 40
    written = terminal.render(audit(table, "exp_eps=100").document, written=True)
    assert written.count("... 13 more corners in report.json") == 2
    assert "corners of T(Q, P)" not in shown(table, "exp_eps=100", direction="forward")


def test_pairs_are_listed_worst_first():
    """With their verdicts, cut after eight."""
    names = [f"d{k}" for k in range(12)]
    matrix = [[f"{k + 2}/20", f"{18 - k}/20"] for k in range(12)]
    table = {"matrix": matrix, "inputs": names, "pairs": [list(pair) for pair in pairwise(names)]}
    text = shown(table, "exp_eps=4/3")
    lines = text.splitlines()
    assert lines[0] == "REFUTED: epsilon = log(4/3), delta = 0, 11 pairs"
    assert "  worst pair        d0, d1" in lines
    assert lines[lines.index("... 3 more results (all of them with --out or --json)") - 8].split()[1:4] == [
        "d0,",
        "d1",
        "refuted",
    ]
    assert "corners of T(P, Q) of pair d0, d1" in lines


def test_colour_is_for_the_verdict_only():
    """And only where it is asked for."""
    document = audit(WARNER, "exp_eps=2").document
    plain = terminal.render(document)
    assert "\x1b" not in plain
    assert terminal.render(document, colour=True) == plain.replace("REFUTED", "\x1b[1;31mREFUTED\x1b[0m", 1)


def test_columns_of_an_expression_are_explained():
    """Without names, the event has numbers, and it is said what they count."""
    mechanism = {"mechanism": "repeat", "times": 2, "of": {"mechanism": "randomized_response", "exp_epsilon": "3"}}
    text = shown(mechanism, "exp_eps=3")
    assert "S = {column 0}: P(S) = 9/16 (0.5625), Q(S) = 1/16 (0.0625)" in text
    assert "  columns           numbered from 0, as the expression makes them" in text
    assert "  columns  " not in shown(WARNER, "exp_eps=2")


def test_labels_cannot_act_on_the_terminal():
    """A label with a separator of lines is shown escaped; one with a directional mark is refused before."""
    table = {**WARNER, "outputs": ["\u2028evil", "b"]}
    text = shown(table, "exp_eps=2")
    assert "{\\u2028evil}" in text
    assert "\u2028" not in text
