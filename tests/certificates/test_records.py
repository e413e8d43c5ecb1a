"""Records: what they hold, that they name no certificate, and that the checker proves nothing of them."""

from __future__ import annotations

import json

import mpmath
import pytest
from gmpy2 import mpq

from oracle.certificates.checker import Rejected, Unverified, check, check_all
from oracle.certificates.records import enclosure_record, outcome
from oracle.claims import parse_claim
from oracle.enclosures import Comparison
from oracle.experiments.base import Check
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.levels import Level
from oracle.verdicts import judge
from tests.experiments.reference import as_mpq

PAIR = Gaussian.of(mpq(1))
CLAIM = parse_claim({"epsilon": "1", "delta": "1/8"})


def test_a_record_states_what_was_compared():
    """Mechanism, claim, direction, each comparison with its enclosure and bits."""
    verdict = judge(PAIR, CLAIM, "forward")
    assert verdict.holds is False
    assert verdict.certificate is None
    assert verdict.record == {
        "record": "enclosure",
        "version": 1,
        "mechanism": {"mechanism": "gaussian", "sigma": "1"},
        "claim": {"epsilon": "1", "delta": "1/8"},
        "direction": "forward",
        "holds": False,
        "comparisons": [
            {
                "direction": "forward",
                "epsilon": "1",
                "value": {"lo": "0.126936737506643", "hi": "0.126936737506644"},
                "relation": ">",
                "bound": "1/8",
                "bits": 64,
            }
        ],
        "bits": 64,
    }


def test_an_exact_comparison_says_so():
    """Laplace at its own epsilon: equality, without bits."""
    record = judge(Laplace(mpq(1)), parse_claim({"epsilon": "1"})).record
    assert record["holds"] is True
    assert [(c["relation"], c["value"], c["bits"]) for c in record["comparisons"]] == [("=", "0", 0)] * 2


def test_a_close_comparison_shows_enough_digits():
    """The enclosure printed lies on the side that is claimed, however close the bound."""
    bound = mpq("0.12693673750664394580082962475776688041")
    record = judge(PAIR, parse_claim({"epsilon": "1", "delta": str(bound)})).record
    for comparison in record["comparisons"]:
        assert comparison["relation"] == ">"
        assert mpq(comparison["value"]["lo"]) > bound


def test_an_undecided_claim_is_told_as_such_with_the_bits_reached():
    """A delta within 2^-20000 of the truth."""
    with mpmath.workprec(24000):
        x = (mpmath.erfc(mpmath.sqrt(2) / 4) - mpmath.e * mpmath.erfc(3 * mpmath.sqrt(2) / 4)) / 2
    verdict = judge(PAIR, parse_claim({"epsilon": "1", "delta": str(as_mpq(x))}))
    assert (verdict.holds, verdict.reached) == ("undecided", 1 << 14)
    assert verdict.record["comparisons"][0]["relation"] == "undecided"


def test_the_outcome_is_refuted_before_undecided_before_held():
    """One comparison that fails is enough."""
    held, failed, open_ = (Check("forward", Level.rational(1), mpq(1), Comparison(sign, 1)) for sign in (-1, 1, None))
    assert outcome([held, held]) is True
    assert outcome([held, open_]) == "undecided"
    assert outcome([open_, failed]) is False


def test_the_checker_accepts_no_record():
    """A record is no certificate; it is unverified, with the command that makes it again, or rejected if altered."""
    record = enclosure_record(PAIR, CLAIM, "both", PAIR.checks(CLAIM.level, CLAIM.delta))
    with pytest.raises(Rejected, match="this is a record of enclosures, not a certificate"):
        check(record)
    ((index, found),) = check_all(json.dumps(record))
    assert index is None
    assert isinstance(found, Unverified)
    assert "oracle audit - --claim eps=1,delta=1/8 --direction both" in found.reason
    for altered in ({**record, "holds": True}, {**record, "more": 1}, {**record, "record": "other"}):
        assert isinstance(check_all(json.dumps(altered))[0][1], Rejected)
