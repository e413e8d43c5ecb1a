"""Views of an audit from samples: the verdict first, the words of the certificate, and no markup from names."""

from __future__ import annotations

import pytest

from oracle.audits.run import audit
from oracle.render.statistics import render_markdown, render_terminal
from oracle.statistics.counts import CountTable
from oracle.statistics.one_run import OneRun

HOSTILE = "<script>|`*[x](y)\x1b[31m"
TABLE = CountTable((HOSTILE, "b"), (750, 250), (250, 750))
FAMILY = audit(TABLE, ["E=2", "E=4"], event="family:12", outcomes=[HOSTILE]).document
ONE_RUN = audit(OneRun(1000, 100, 90), "E=4,delta=1e-5", event="split").document
UNDECIDED = audit(OneRun(10, 3, 2), "E=4", event="declared").document


def test_terminal():
    """A line for each fact, names made printable."""
    lines = render_terminal(FAMILY).splitlines()
    assert lines[0] == "REFUTED: 1 of 2 claims refuted"
    assert lines[2] == (
        "  counted           S = {<script>|`*[x](y)\\x1b[31m}; 750 of 1,000 runs on D, 250 of 1,000 runs on D'"
    )
    assert "  selection         one of a family of 12 (S is as named)" in lines
    assert "  claim             E=2: refuted" in lines
    assert "  claim             E=4: undecided" in lines
    assert any(line.startswith("  proved            With confidence at least 19/20 the claim") for line in lines)
    assert not any("Assumed, not checked" in line for line in lines)
    assert any(line.startswith("  assumed           the runs are independent") for line in lines)
    assert lines[-1] == "  certificates      1, accepted by the independent checker"


def test_colour_only_on_request():
    """Of the verdict alone."""
    assert "\x1b" not in render_terminal(UNDECIDED)
    assert render_terminal(UNDECIDED, colour=True).startswith("\x1b[1;33mUNDECIDED\x1b[0m: ")
    assert render_terminal(ONE_RUN, colour=True).startswith("\x1b[1;31mREFUTED\x1b[0m: ")


def test_one_run():
    """Guesses, canaries and the largest refuted level, which is refuted itself."""
    text = render_terminal(ONE_RUN)
    assert "  counted           90 of 100 guesses right, 1,000 canaries" in text
    assert "chosen on other runs than the counted ones" in text
    assert "  also refuted      every exp_epsilon up to 1271/250 (5.084), epsilon = 1.62609 rounded down" in text


def test_undecided():
    """What these counts would have taken, without a word of holding."""
    text = render_terminal(UNDECIDED)
    assert text.startswith("UNDECIDED: epsilon = log(4), delta = 0\n")
    assert "  least level       these counts would refute at confidence " in text
    assert "holds" not in text


@pytest.mark.parametrize("document", [FAMILY, ONE_RUN, UNDECIDED], ids=["family", "one run", "undecided"])
def test_markdown(document):
    """One heading with the verdict, the commands, the assumptions; what names contain is inert."""
    text = render_markdown(document)
    assert text.startswith(f"# {document['verdict'].upper()}\n")
    for heading in ("## Assumptions", "## Certificates", "## What this report does not say"):
        assert f"\n{heading}\n" in text
    for command in document["recheck"]:
        assert "    oracle audit input" in text or command in text
    outside = [line for line in text.splitlines() if not line.startswith("    ")]
    assert not any("<script>" in line or "\x1b" in line or "[x](y)" in line for line in outside)
    assert ("There is no certificate" in text) is (not document["certificates"])
    assert document["id"] in text
