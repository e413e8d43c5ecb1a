"""One case, its truth, and what a subject answers to it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from oracle.conformance.protocol import AdapterError
from oracle.conformance.recording import Settings
from oracle.conformance.replaying import answered, case_named, described
from oracle.conformance.subjects import InProcess, exact_engine
from oracle.errors import InputError
from tests.conformance.small_suite import small_suite

SUITE = small_suite()


def replayed(name: str, subject: Any, **settings: bool) -> dict[str, Any]:
    return answered(SUITE, SUITE.cases[name], lambda: InProcess(subject), Settings(**settings))


def test_a_case_is_found_by_its_id_in_both_forms() -> None:
    """The suffix asks for the doubles; what is not there is named with what is near."""
    assert case_named(SUITE, "delta/e2") == (SUITE.cases["delta/e2"], False)
    assert case_named(SUITE, "delta/log2#binary64") == (SUITE.cases["delta/log2"], True)
    with pytest.raises(InputError, match="such as delta/e1, delta/e5"):
        case_named(SUITE, "delta/e")
    with pytest.raises(InputError, match="none"):
        case_named(SUITE, "delta/e2#binary64")


def test_a_case_is_told_with_its_question_and_truth() -> None:
    """Those of the form asked for."""
    told = described(SUITE, SUITE.cases["delta/log2"])
    assert (told["request"]["args"]["epsilon"], told["truth"]) == ("log(2)", {"exact": "1/4"})
    doubles = described(SUITE, SUITE.cases["delta/log2"], binary64=True)
    assert doubles["request"]["id"] == "delta/log2#binary64"
    assert "enclosure" in doubles["truth"]


def test_the_verdict_is_that_of_a_run() -> None:
    """With the gap, and whether it fails in these settings."""
    exact = answered(SUITE, SUITE.cases["delta/e2"], exact_engine)
    assert (exact["verdict"], exact["answer"], exact["fails"]) == ("exact", "1/4", False)
    low = replayed("delta/e2", SimpleNamespace(delta=lambda **_: "0.24"))
    assert (low["verdict"], low["gap"]["decimal"], low["fails"]) == ("unsound", "-0.01", True)
    high = SimpleNamespace(delta=lambda **_: "0.26")
    assert replayed("delta/e2", high)["fails"] is False
    assert replayed("delta/e2", high, tightness=True)["fails"] is True


def test_what_is_not_offered_or_cannot_be_asked_is_declined() -> None:
    """Nothing is asked then."""
    other = replayed("epsilon/d0", SimpleNamespace(delta=lambda **_: "0"))
    assert (other["verdict"], other["asked"]) == ("declined", None)
    epsilons = SimpleNamespace(delta=lambda **_: "1/4", accepts={"epsilon": "epsilon", "numbers": "binary64"})
    assert replayed("delta/e2", epsilons)["asked"] is None
    doubles = SimpleNamespace(delta=lambda **_: "1/4", accepts={"numbers": "binary64"})
    asked = replayed("delta/log2", doubles)["asked"]
    assert asked["id"] == "delta/log2#binary64"


def test_an_adapter_that_changes_numbers_gets_no_verdict() -> None:
    """As in a run."""
    with pytest.raises(AdapterError, match="echo"):
        replayed("delta/e2", SimpleNamespace(delta=lambda **_: "0", echo=lambda values: values[:1]))
