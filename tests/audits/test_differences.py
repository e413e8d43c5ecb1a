"""What two reports say differently."""

from __future__ import annotations

from oracle.audits.differences import Difference, differences
from oracle.audits.run import audit

FAIR = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]], "inputs": ["a", "b"]}
WIDER = {"matrix": [["4/5", "1/5"], ["1/5", "4/5"]], "inputs": ["a", "b"]}


def document(table, *claims):
    """The report's document."""
    return audit(table, list(claims)).document


def test_a_report_does_not_differ_from_itself():
    """Nor from one made again."""
    assert differences(document(FAIR, "exp_eps=3"), document(FAIR, "exp_eps=3")) == []


def test_another_table_changes_verdict_and_values():
    """The verdict comes first, then the claim's, then the input's and the pair's."""
    found = differences(document(FAIR, "exp_eps=3"), document(WIDER, "exp_eps=3"))
    assert found[0] == Difference("verdict", "holds", "refuted")
    named = {item.field: (item.old, item.new) for item in found}
    assert named["claim epsilon = log(3), delta = 0: tight_exp_epsilon"] == ("3", "4")
    assert named["pair a, b: total_variation"] == ("1/2", "3/5")
    assert "input parsed_sha256" in named


def test_claims_that_only_one_has():
    """By their verdict in the one that has them."""
    found = differences(document(FAIR, "exp_eps=3"), document(FAIR, "exp_eps=3", "mu=1"))
    assert Difference("claim mu = 1", None, "refuted") in found


def test_curves_are_told_apart():
    """Two curve claims in one report are two claims."""
    curves = [{"tradeoff": {"breakpoints": [["0", b], ["1", "0"]]}} for b in ("1/2", "1/3")]
    both, one = document(FAIR, *curves), document(FAIR, curves[0])
    assert sum(item.field.startswith("claim ") for item in differences(one, both)) == 1


def test_pairs_that_only_one_judged():
    """By their labels."""
    three = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"], ["1/2", "1/2"]], "inputs": ["a", "b", "c"]}
    one = audit(three, "exp_eps=3", pairs=[("a", "b")]).document
    two = audit(three, "exp_eps=3", pairs=[("a", "b"), ("b", "c")]).document
    assert Difference("pair b, c", None, "judged") in differences(one, two)


def test_reports_from_samples():
    """Counts, selection and confidence; a report of another kind differs in that."""
    counts = {"hits_on_D": 750, "runs_on_D": 1000, "hits_on_Dprime": 250, "runs_on_Dprime": 1000}
    one = audit(counts, "exp_eps=2", event="declared").document
    two = audit(counts, "exp_eps=2", event="family:1000").document
    fields = [item.field for item in differences(one, two)]
    assert "selection" in fields
    assert differences(one, one) == []
    assert differences(one, document(FAIR, "exp_eps=3"))[0] == Difference("report", "statistical_audit", "audit")
