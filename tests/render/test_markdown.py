"""The Markdown view: the same facts, tables that hold whatever the labels contain, no active markup."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from oracle.audits.run import audit
from oracle.render import markdown

WARNER = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]], "inputs": ["yes", "no"], "outputs": ["says yes", "says no"]}
HOSTILE = "|<script>alert(1)</script> `x` *b* _i_ [l](http://e.x) ![i](u) @user #1 https://e.x &amp; $x$"


def test_report_of_a_refuted_claim():
    """Verdict, claim, event, corners, certificate, commands, limits."""
    report = audit(WARNER, "exp_eps=2")
    text = markdown.render(report.document)
    assert text.startswith("# REFUTED\n\nepsilon = log(2), delta = 0.\n\n| claim | as parsed | verdict | slack |\n")
    assert "- refuting event S = {`says yes`}: P(S) = 3/4 (0.75), Q(S) = 1/4 (0.25)\n" in text
    assert "- P(S) - e^epsilon Q(S) = 1/4 (0.25) &gt; 0 = delta, e^epsilon = 2\n" in text
    assert "## Corners of T(P, Q) = T(Q, P), pair `yes`, `no`\n\n| alpha | beta |\n| --- | --- |\n| 0 | 1 |\n" in text
    channel = report.document["pairs"][0]["sha256"]
    assert f"| 1 | `exp_eps=2` | `yes`, `no` | refuted | dp_refuted | {channel} | certificate-01.json |" in text
    assert "\n    oracle verify report.json\n    python -m oracle.certificates.checker report.json\n" in text
    assert "\n    oracle audit input.json --claim exp_eps=2\n" in text
    assert "| outcome | `yes` | `no` |\n| --- | --- | --- |\n| `says yes` | 3/4 | 1/4 |\n" in text
    assert f"Report {report.document['id']}, made by fdp-oracle" in text
    assert text.endswith("\n")
    for sentence in report.document["limits"]:
        assert f"- {sentence}\n" in text


def test_escape_leaves_nothing_active():
    """Every character of markup is behind a backslash or an entity."""
    escaped = markdown.escape(HOSTILE)
    assert not set("<>@:/") & set(escaped)
    assert not re.findall(r"(?<!\\)[|`*_\[\]()!$]", escaped)
    assert not re.findall(r"&(?!(?:amp|lt|gt|#\d+);)", escaped)


def test_code_spans_hold_what_they_can():
    """A backquote, a table border, a backslash or a space at an end is escaped instead."""
    assert markdown.code("exp_eps=3,delta=1e-6") == "`exp_eps=3,delta=1e-6`"
    for text in ("a`b", "a|b", "a\\b", " a", ""):
        assert markdown.code(text) == markdown.escape(text)


def test_a_mechanism_expression_is_in_the_report():
    """As a block that no label can end; a long one stays in report.json."""
    text = markdown.render(audit({"mechanism": "randomized_response", "exp_epsilon": "3"}, "exp_eps=3").document)
    assert '## Mechanism\n\n    {"exp_epsilon": "3", "mechanism": "randomized_response"}\n' in text
    rows = [[f"{k}/{n * (n + 1) // 2}" for k in range(1, n + 1)] for n in (400,) for _ in range(2)]
    long = {"mechanism": "channel", "matrix": rows}
    assert "The expression is in report.json." in markdown.render(audit(long, "exp_eps=3").document)


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=50))
def test_tables_hold_whatever_the_labels_contain(label):
    """Every table line has the columns of its header."""
    table = {
        "matrix": [["1/2", "1/2"], ["1/3", "2/3"], ["1/4", "3/4"]],
        "inputs": [label, label + "2", "c"],
        "outputs": [label, label + "x"],
        "pairs": [[label, "c"], ["c", label + "2"]],
    }
    text = markdown.render(audit(table, "exp_eps=3/2").document)
    lines = text.split("\n")
    # The number of lines is that for harmless labels: none broke out of its place.
    harmless = {**table, "inputs": ["a", "b", "c"], "outputs": ["x", "y"], "pairs": [["a", "c"], ["c", "b"]]}
    assert len(lines) == len(markdown.render(audit(harmless, "exp_eps=3/2").document).split("\n"))
    width = 0
    for line in lines:
        if not line.startswith("| "):
            width = 0
            continue
        cells = len(re.findall(r"(?<!\\)\|", line))
        assert cells == (width or cells)
        width = cells


def test_hostile_labels_are_escaped_everywhere():
    """Inputs, outcomes and the name of the file."""
    table = {**WARNER, "inputs": [HOSTILE, "no"], "outputs": [HOSTILE, "b"]}
    document = audit(table, "exp_eps=2").document
    document["input"]["name"] = HOSTILE
    text = markdown.render(document)
    assert "<script>" not in text
    assert "](http" not in text
    assert "@user" not in text


def test_long_tables_are_cut():
    """Twenty lines, and the number of the rest."""
    n = 50
    total, square = n * (n + 1) // 2, sum(k * k for k in range(1, n + 1))
    matrix = [[f"{k}/{total}" for k in range(1, n + 1)], [f"{k * k}/{square}" for k in range(1, n + 1)]]
    text = markdown.render(audit({"matrix": matrix}, "exp_eps=100").document)
    assert text.count("... 31 more corners in report.json.") == 2


def test_curves_and_irrational_values():
    """A trade-off claim and enclosures have their place too."""
    curve = {"tradeoff": {"breakpoints": [["0", "1"], ["1/4", "1/4"], ["1", "0"]]}}
    text = markdown.render(audit({"mechanism": "randomized_response", "epsilon": "1"}, [curve, "eps=1"]).document)
    assert "- proved by: the sign of P_i - e^epsilon Q_i for each of 2 columns" in text
    assert "| between 0.268" in text
    assert "least T(P, Q) - f, at alpha = between 0.268" in text
