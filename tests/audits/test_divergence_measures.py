"""Tight values and slack for claims of mu, of a Rényi order and of rho, and whole audits of them."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from gmpy2 import mpq
from jsonschema import Draft202012Validator

from oracle.audits.divergence_measures import measure_divergence
from oracle.audits.run import audit
from oracle.certificates.checker import Accepted, Unverified, check_all
from oracle.certificates.checker.reading import canonical_hash
from oracle.channels.channel import Channel
from oracle.claims import parse_claim
from oracle.cli.audit import audit as command
from oracle.enclosures import Enclosure
from oracle.exact import INFINITY, NEGATIVE_INFINITY
from oracle.operations import pair_of
from oracle.render import markdown, terminal
from tests.vectors.fixture_files import SCHEMAS, read_json

REPORT = Draft202012Validator(read_json(SCHEMAS / "report.schema.json"))
RESPONSE = {"mechanism": "randomized_response", "exp_epsilon": "3"}
ONE_SIDED = Channel([["1/2", "1/2", "0"], ["1/2", "1/4", "1/4"]])
TABLE = {
    "matrix": [["3/4", "1/8", "1/8"], ["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]],
    "inputs": ["a", "b", "c"],
    "pairs": [["a", "b"], ["b", "c"]],
}


def measure(mechanism, claim, *, holds=None, direction="both"):
    return measure_divergence(pair_of(mechanism), parse_claim(claim), direction, 12, holds=holds)


def test_an_enclosed_mu_and_its_slack():
    """1.35 - 1.34897950039216..."""
    found = measure(RESPONSE, {"mu": "1.35"})
    assert found.tight.overlaps(Enclosure(mpq("1.348979500392163"), mpq("1.348979500392164")))
    assert found.slack.overlaps(Enclosure(mpq("0.001020499607836"), mpq("0.001020499607837")))
    assert not found.attained


def test_a_slack_of_few_digits_still_has_its_sign():
    """A claim 10^-40 above the least mu: more digits are taken than asked for."""
    close = pair_of(RESPONSE)
    from oracle.gaussian_dp.channel_mu import least_mu  # noqa: PLC0415 - here only

    mu = least_mu(close, 45).hi + mpq(1, 10**40)
    found = measure(RESPONSE, {"mu": str(mu)})
    assert 0 < found.slack.lo <= found.slack.hi < mpq(1, 10**39)


@pytest.mark.parametrize(
    ("mechanism", "claim"),
    [
        ({"mechanism": "gaussian", "sigma": "2"}, {"mu": "1/2"}),
        ({"mechanism": "gaussian", "sigma": "2"}, {"rho": "1/8"}),
        ({"mechanism": "gaussian", "sigma": "2"}, {"order": "3", "epsilon": "3/8"}),
        (RESPONSE, {"order": "2", "epsilon": "log(7/3)"}),
        (RESPONSE, {"order": "inf", "exp_epsilon": "3"}),
        ({"matrix": [["1/2", "1/2"], ["1/2", "1/2"]]}, {"mu": "0"}),
        ({"matrix": [["1/2", "1/2"], ["1/2", "1/2"]]}, {"rho": "0"}),
    ],
    ids=str,
)
def test_equality_has_slack_zero(mechanism, claim):
    """Exactly, also where the value itself is enclosed."""
    found = measure(mechanism, claim, holds=True)
    assert found.slack == 0
    assert found.attained


def test_infinite_values():
    """No mu, order or rho serves: the slack is negative infinity; an infinite epsilon leaves infinite room."""
    for claim in ({"mu": "1"}, {"rho": "1"}, {"order": "2", "epsilon": "1"}):
        found = measure(ONE_SIDED, claim, holds=False)
        assert found.tight is INFINITY
        assert found.slack is NEGATIVE_INFINITY
    assert measure(RESPONSE, {"order": "2", "epsilon": "inf"}).slack is INFINITY
    assert measure(ONE_SIDED, {"order": "2", "epsilon": "inf"}).slack == 0


@pytest.mark.parametrize(("rho", "holds"), [("0.5494", True), ("0.5492", False), ("0.5494", None)])
def test_a_least_rho_is_cut_at_the_claimed_one(rho, holds):
    """Where the verdict says on which side it lies; about three digits, said in reached."""
    found = measure(RESPONSE, {"rho": rho}, holds=holds)
    assert found.tight.reached == 3
    assert found.tight.lo <= mpq("0.549306144335") <= found.tight.hi
    if holds is True:
        assert found.tight.hi <= mpq(rho)
        assert found.slack.lo >= 0
    elif holds is False:
        assert found.tight.lo >= mpq(rho)
        assert found.slack.hi <= mpq("-0.0001")
    else:
        assert found.slack.lo < 0 < found.slack.hi


CLAIMS = ["mu=1", "mu=1/10", "rho=1/2", "rho=1/100", "rdp=2:1/2", "rdp=3/2:1/9", "rdp=inf:log(2)", "rdp=1:inf", "eps=1"]


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize(
    "source",
    [
        TABLE,
        RESPONSE,
        {"mechanism": "randomized_response", "epsilon": "1"},
        {"mechanism": "laplace", "scale": "1"},
        {"mechanism": "gaussian", "sigma": "3"},
        ONE_SIDED.to_json(),
    ],
    ids=lambda s: str(s.get("mechanism", s.get("pairs", "one-sided"))),
)
def test_audits_validate_and_the_checker_reads_them(source, claim):
    """The report has its schema; as a whole it is accepted, or unverified where it has a record."""
    document = json.loads(audit(source, claim).to_text())
    assert list(REPORT.iter_errors(document)) == []
    (_, whole), *rest = check_all(json.dumps(document))
    assert isinstance(whole, Unverified if document["records"] else Accepted)
    assert all(isinstance(found, Accepted) for _, found in rest)
    for text in (terminal.render(document), markdown.render(document)):
        assert claim in text.replace("\\", "")


def test_several_claims_in_one_report(tmp_path):
    """Certificates and records side by side, each with its own file and index."""
    path = tmp_path / "m.json"
    path.write_text(json.dumps({"mechanism": "randomized_response", "epsilon": "1"}))
    arguments = [str(path), "--out", str(tmp_path / "out")]
    for claim in ("mu=2", "eps=1", "rho=1/2", "rdp=2:1"):
        arguments += ["--claim", claim]
    assert CliRunner().invoke(command, arguments).exit_code == 0
    names = sorted(p.name for p in (tmp_path / "out").iterdir())
    assert names == [
        "certificate-01.json",
        "input.json",
        *(f"record-0{k}.json" for k in (1, 2, 3)),
        "report.html",
        "report.json",
        "report.md",
    ]
    document = read_json(tmp_path / "out" / "report.json")
    assert list(REPORT.iter_errors(document)) == []
    assert [("record" if "record" in r else "certificate") for r in document["results"]] == [
        "record",
        "certificate",
        "record",
        "record",
    ]
    assert [r["record"] for r in document["results"] if "record" in r] == [0, 1, 2]
    assert (
        document["recheck"][-1] == "oracle audit input.json --claim mu=2 --claim eps=1 --claim rho=1/2 --claim rdp=2:1"
    )
    assert "1 of 4 results" in " ".join(document["limits"])
    # Written again over itself: the files of the earlier report are known.
    assert CliRunner().invoke(command, arguments).exit_code == 0


def test_claims_of_each_pair_are_ordered_worst_first():
    """By slack, and the claim's tight value is the largest."""
    document = audit(TABLE, "rdp=2:1/2").document
    slacks = [mpq(result["slack"]["lo"]) for result in document["results"]]
    assert slacks == sorted(slacks)
    assert document["claims"][0]["tight"] == document["results"][0]["tight"]


SEVEN = {"matrix": [["7/10", "3/10"], ["3/10", "7/10"]]}


def test_numbers_close_to_the_claimed_one_are_told_apart():
    """The tight mu is above 1.04880102541608 by 10^-15, and Phi(t - mu) above 3/10 by less."""
    document = audit(SEVEN, "mu=1.04880102541608").document
    tight, rule = document["results"][0]["tight"], document["results"][0]["evidence"]["inequality"]
    assert mpq(tight["lo"]) > mpq("1.04880102541608")
    assert (rule["left_value"], mpq(rule["right_value"]["lo"]) > mpq("3/10")) == ("3/10", True)
    tree = {"interactive": {"answer": {"a": {"p": "7/10", "q": "3/10"}, "b": {"p": "3/10", "q": "7/10"}}}}
    rule = audit(tree, "mu=1.04880102541608").document["results"][0]["evidence"]["inequality"]
    assert mpq(rule["right_value"]["lo"]) > mpq("3/10")


@pytest.mark.parametrize(
    ("source", "rho", "order"),
    [(SEVEN, "1/10", "1"), (SEVEN, "0.33891914415488", "1"), ({"matrix": [["1", "0"], ["1/2", "1/2"]]}, "3", "1")],
)
def test_the_divergence_at_the_order_that_refutes_a_rho(source, rho, order):
    """Told with digits enough to exceed rho; the checker computes it again."""
    document = json.loads(audit(source, f"rho={rho}").to_text())
    evidence = document["results"][0]["evidence"]
    value = evidence["divergence"]
    assert evidence["order"] == order
    assert value == "inf" or mpq(value["lo"]) > mpq(rho) * mpq(order)
    evidence["divergence"] = {"lo": "5", "hi": "5.0000000000001"}
    del document["id"]
    document["id"] = canonical_hash(document)
    found = check_all(json.dumps(document))[0][1]
    assert found.where == "$.results[0].evidence.divergence"


def test_why_sampling_does_not_lower_mu():
    """Said where a mu is claimed of a subsampled Gaussian mechanism, and nowhere else."""
    source = {
        "mechanism": "poisson_subsample",
        "rate": "1/10",
        "neighbours": "add_remove",
        "of": {"mechanism": "gaussian", "sigma": "1"},
    }
    start = "The least mu of a Poisson subsampled Gaussian mechanism is that of the mechanism itself"
    report = audit(source, "mu=1")
    assert any(text.startswith(start) for text in report.document["limits"])
    assert f"  note              {start}" in terminal.render(report.document)
    assert not any(text.startswith(start) for text in audit(source, "eps=1,delta=1/2").document["limits"])
    assert not any(text.startswith(start) for text in audit(RESPONSE, "mu=1").document["limits"])
