"""Claims of vadhan2023 on the chain rules of divergences: statuses, certificates, wrong subjects."""

from __future__ import annotations

import pytest

from oracle.certificates.checker import check
from oracle.laws.harness import Profile, run_claim
from oracle.laws.record import ClaimRecord, Erratum, Law
from oracle.laws.vadhan2023.chain_rules import CLAIMS
from tests.laws.vadhan2023.broken_subjects import first_to_break

ERRATA = {f"{claim.id}: {i}": erratum for claim in CLAIMS for i, erratum in enumerate(claim.errata)}
LAWS = {f"{claim.id}: {law.name}": law for claim in CLAIMS for law in claim.laws}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_the_recorded_status_is_derived(claim: ClaimRecord) -> None:
    """Every law, worked value and counterexample of the claim gives the status that is recorded."""
    result = run_claim(claim, Profile("test", 6, True))
    assert result.rederived == claim.status, result.problems


@pytest.mark.parametrize("erratum", ERRATA.values(), ids=ERRATA)
def test_each_counterexample_is_certified(erratum: Erratum) -> None:
    """The printed form fails when it is run, and the independent checker accepts the evidence."""
    assert erratum.fails()
    assert check(erratum.certificate()).kind == "evaluation"


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_each_law_notices_a_wrong_subject(law: Law) -> None:
    """At least one subject with one wrong answer breaks the law, on an input that is shown."""
    found = first_to_break(law)
    assert found is not None
    assert found.worst is not None
    assert found.worst > 0
