"""Audits from Python: verdicts, the report document, order, determinism, refusal of a bad certificate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from gmpy2 import mpq

from oracle import json_text, verdicts
from oracle.audits import run
from oracle.audits.run import CertificateRefusedError, audit
from oracle.audits.tables import read_table
from oracle.certificates.checker import check, check_all
from oracle.channels.channel import Channel
from oracle.claims import parse_claim
from oracle.errors import InputError, LimitError, UndecidedError
from tests.vectors.fixture_files import MECHANISMS

WARNER = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]], "inputs": ["yes", "no"], "outputs": ["says yes", "says no"]}
THREE = {
    "matrix": [["1/2", "1/2"], ["1/3", "2/3"], ["1/4", "3/4"]],
    "inputs": ["a", "b", "c"],
    "pairs": [["b", "c"], ["a", "b"], ["a", "c"]],
}


def test_claim_that_holds_with_equality():
    """Randomized response at its own epsilon."""
    report = audit(WARNER, "exp_eps=3")
    assert report.holds
    assert (report.verdict, report.equality) == ("holds", True)
    (result,) = report.document["results"]
    assert (result["tight_exp_epsilon"], result["tight_delta"], result["slack"]) == ("3", "0", "0")
    assert result["evidence"] == {
        "kind": "witness",
        "witnesses": [{"direction": "both", "rows": 4, "columns": 2, "entries": 4}],
    }
    assert check(report.certificates[0]).kind == "dp_held"


def test_claim_that_is_refuted():
    """The event, both probabilities and the inequality."""
    report = audit(WARNER, "eps=log(2),delta=1/5")
    assert not report.holds
    (result,) = report.document["results"]
    assert result["evidence"] == {
        "kind": "event",
        "direction": "forward",
        "columns": [0],
        "outcomes": ["says yes"],
        "p": "3/4",
        "q": "1/4",
        "probabilities": [["3/4", "1/4"]],
        "inequality": {
            "left": "P(S) - e^epsilon Q(S)",
            "left_value": "1/4",
            "relation": ">",
            "right": "delta",
            "right_value": "1/5",
            "level": "2",
        },
        "simple": {"large": "3/4", "small": "1/4"},
    }
    assert result["slack"] == "-1/20"


@pytest.mark.parametrize(
    ("matrix", "claim"),
    [
        ([["15/16", "1/16"], ["1/16", "15/16"]], "exp_eps=3"),
        ([["1/3", "1/3", "1/3"], ["0", "1/2", "1/2"]], "exp_eps=1,delta=1/5"),
        ([["1/2", "1/2", "0"], ["1/4", "1/4", "1/2"]], "exp_eps=1"),
        ([["12345/23456", "11111/23456"], ["1234/23456", "22222/23456"]], "eps=1/2,delta=1/7"),
        ([["1", "0"], ["0", "1"]], "exp_eps=inf,delta=1/2"),
    ],
)
def test_short_bounds_refute_too(matrix, claim):
    """In either direction, without mass on the other side, at an upper bound of the level."""
    (result,) = audit({"matrix": matrix}, claim).document["results"]
    evidence = result["evidence"]
    larger, smaller = sorted((mpq(evidence["p"]), mpq(evidence["q"])), reverse=True)
    large, small = mpq(evidence["simple"]["large"]), mpq(evidence["simple"]["small"])
    level = mpq(evidence["inequality"]["level"] or 0)
    assert large <= larger
    assert small >= smaller
    assert large > level * small + mpq(evidence["inequality"]["right_value"])
    assert len(str(large)) <= len(str(larger))
    assert len(str(small)) <= len(str(smaller))


def test_other_claims_have_no_short_bounds():
    """Of curves, mu and irrational probabilities."""
    for table, claim in ((WARNER, "mu=1/10"), ({"mechanism": "randomized_response", "epsilon": "1"}, "eps=1/2")):
        assert audit(table, claim).document["results"][0]["evidence"]["simple"] is None


def test_transcendental_level_is_refuted_by_an_upper_bound():
    """The rational U >= e^epsilon of the certificate is in the inequality."""
    report = audit(WARNER, "eps=1")
    rule = report.document["results"][0]["evidence"]["inequality"]
    assert rule["left"] == "P(S) - U Q(S)"
    assert rule["level"] == report.certificates[0]["level"]


def test_infinite_loss_needs_no_level():
    """P(S) > delta where Q(S) = 0."""
    report = audit({"matrix": [["1", "0"], ["1/2", "1/2"]]}, "exp_eps=inf,delta=1/4")
    evidence = report.document["results"][0]["evidence"]
    assert (evidence["direction"], evidence["p"], evidence["q"]) == ("backward", "0", "1/2")
    assert evidence["inequality"] == {
        "left": "Q(S)",
        "left_value": "1/2",
        "relation": ">",
        "right": "delta",
        "right_value": "1/4",
        "level": None,
    }


def test_trade_off_claims(tmp_path):
    """Held by T itself, refuted just above it, with the errors of the test on S."""
    curve = {"breakpoints": [["0", "1"], ["1/4", "1/4"], ["1", "0"]]}
    held = audit(WARNER, {"tradeoff": curve})
    assert (held.verdict, held.equality) == ("holds", True)
    (result,) = held.document["results"]
    assert result["slack"] == "0"
    assert [w["direction"] for w in result["evidence"]["witnesses"]] == ["forward", "backward"]
    path = tmp_path / "higher.json"
    path.write_text('{"breakpoints": [["0", "1"], ["1/4", "3/10"], ["1", "0"]]}')
    refuted = audit(WARNER, f" curve = {path} ")
    (result,) = refuted.document["results"]
    assert result["evidence"]["inequality"] == {
        "left": "1 - Q(S)",
        "left_value": "1/4",
        "relation": "<",
        "right": "f(P(S))",
        "right_value": "3/10",
        "level": None,
    }
    assert result["least_gap"] == {"alpha": "1/4", "direction": "forward"}
    assert refuted.document["claims"][0]["written"] == "curve=higher.json"
    assert str(tmp_path) not in refuted.to_text()


@pytest.mark.parametrize(
    ("claim", "holds"), [("eps=1/2", True), ("eps=0.4999999999999999999999", False), ("exp_eps=1.6487", False)]
)
def test_irrational_probabilities(claim, holds):
    """Decided exactly, whatever the gap; the inequality is shown with digits enough to see it."""
    report = audit({"mechanism": "randomized_response", "epsilon": "1/2"}, claim)
    assert (report.holds, report.equality) == (holds, holds)
    assert report.document["input"]["irrational"]
    assert report.certificates[0]["certificate"] == "formal_claim"
    evidence = report.document["results"][0]["evidence"]
    if holds:
        assert evidence == {"kind": "signs", "columns": 2}
    else:
        assert not evidence["inequality"]["left_value"]["lo"].startswith("-")


def test_irrational_trade_off_claim_is_refuted():
    """The error of the test lies visibly below the claimed curve, by digits as many as it takes."""
    corner = "0.37754066879814543536109943425"  # 1/(1 + e^(1/2)) = 0.377540668798145435361099434254...
    curve = {"breakpoints": [["0", "1"], [corner, corner], ["1", "0"]]}
    mechanism = {"mechanism": "randomized_response", "epsilon": "1/2"}
    assert audit(mechanism, {"tradeoff": curve}).holds
    curve["breakpoints"][1] = ["0.37754066879814543536109943426"] * 2
    report = audit(mechanism, {"tradeoff": curve})
    assert report.verdict == "refuted"
    rule = report.document["results"][0]["evidence"]["inequality"]
    # Decimals of one length after the same leading 0. are ordered as their texts are.
    assert rule["left_value"]["hi"] < rule["right_value"]["lo"]


def test_every_claim_must_hold_for_every_pair():
    """The worst pair comes first; the tight values of a claim serve for all pairs."""
    report = audit(THREE, ["exp_eps=2", "exp_eps=3/2"])
    document = report.document
    assert [claim["verdict"] for claim in document["claims"]] == ["holds", "refuted"]
    assert report.verdict == "refuted"
    assert [(r["claim"], r["pair"]) for r in document["results"]] == [(0, 0), (0, 1), (0, 2), (1, 2), (1, 0), (1, 1)]
    assert [claim["worst"] for claim in document["claims"]] == [0, 3]
    assert [claim["tight_exp_epsilon"] for claim in document["claims"]] == ["2", "2"]
    assert document["claims"][1]["tight_delta"] == "1/8"
    assert document["total_variation"] == "1/4"
    assert [r["certificate"] for r in document["results"]] == list(range(6))
    for result in document["results"]:
        channel = document["certificates"][result["certificate"]]["channel"]
        assert json_text.digest(channel) == document["pairs"][result["pair"]]["sha256"]


def test_direction_is_in_the_report():
    """One direction may hold where both do not."""
    table = {"matrix": [["1/2", "1/2", "0"], ["1/2", "1/4", "1/4"]]}
    reports = {d: audit(table, "exp_eps=2", direction=d) for d in ("both", "forward", "backward")}
    assert {d: r.holds for d, r in reports.items()} == {"both": False, "forward": True, "backward": False}
    assert [r.document["direction"] for r in reports.values()] == list(reports)


def test_report_identifies_itself():
    """The id is the hash of the rest, and the same input gives the same bytes."""
    report = audit(WARNER, "exp_eps=3")
    rest = {key: value for key, value in report.document.items() if key != "id"}
    assert json_text.digest(rest) == report.document["id"]
    assert json.loads(report.to_text()) == report.document
    assert audit(WARNER, "exp_eps=3").to_text() == report.to_text()


@pytest.mark.parametrize("claims", [["exp_eps=3"], [{"exp_epsilon": "3"}], [parse_claim({"exp_epsilon": 3})]])
def test_claims_in_every_form(claims):
    """Text, JSON and claims give the same certificate."""
    assert audit(Channel(WARNER["matrix"]), claims).certificates == audit(WARNER, "exp_eps=3").certificates


def test_pairs_and_a_table_read_before():
    """A table may be read once and audited often, its pairs fixed."""
    table = read_table({k: v for k, v in THREE.items() if k != "pairs"}, [("a", "b")])
    assert audit(table, "exp_eps=3/2").equality
    with pytest.raises(InputError, match="in one place"):
        audit(table, "exp_eps=2", pairs=[("a", "b")])


@pytest.mark.parametrize(
    ("claims", "options", "error"),
    [
        ([], {}, InputError),
        ([3], {}, InputError),
        (["eps"], {}, InputError),
        (["eps=-1"], {}, InputError),
        (["exp_eps=1/2"], {}, InputError),
        (["exp_eps=2,delta=2"], {}, InputError),
        (["exp_eps=2,exp_eps=3"], {}, InputError),
        (["curve=no/such/file.json"], {}, InputError),
        (["mu=-1"], {}, InputError),
        (["rho=-1/2"], {}, InputError),
        (["rdp=0:1"], {}, InputError),
        (["exp_eps=3"], {"direction": "up"}, InputError),
        (["exp_eps=3"], {"digits": 0}, InputError),
        (["exp_eps=3"], {"digits": 1001}, LimitError),
    ],
)
def test_bad_questions_are_refused(claims, options, error):
    """Malformed claims and options are input errors, claims not offered are declined."""
    with pytest.raises(error):
        audit(WARNER, claims, **options)


def test_certificate_that_the_checker_refuses_gives_no_verdict(monkeypatch):
    """A verdict whose certificate is wrong is never told."""

    def forged(channel, claim, direction, digits):
        verdict = verdicts.judge(channel, claim, direction, digits)
        return verdicts.Verdict(not verdict.holds, {**verdict.certificate, "level": "4"})

    monkeypatch.setattr(run, "judge", forged)
    with pytest.raises(CertificateRefusedError, match="no verdict: the checker does not accept") as error:
        audit(WARNER, "exp_eps=3")
    assert isinstance(error.value, UndecidedError)


def test_out_writes_report_and_certificates(tmp_path):
    """Canonical JSON, numbered from 01, each accepted by the checker."""
    report = audit(
        MECHANISMS / "truncated_geometric_table.json", ["exp_eps=2", "exp_eps=3/2"], out=tmp_path / "a" / "b"
    )
    names = sorted(path.name for path in (tmp_path / "a" / "b").iterdir())
    assert names == [*(f"certificate-{k:02}.json" for k in range(1, 9)), "input.json", "report.json"]
    assert Path(tmp_path, "a/b/report.json").read_text() == report.to_text() + "\n"
    for name in {*names} - {"input.json"}:
        assert all(hasattr(outcome, "kind") for _, outcome in check_all(Path(tmp_path, "a/b", name).read_bytes()))
