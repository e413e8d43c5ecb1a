"""How few steps of a repeated mechanism refute a claim."""

from __future__ import annotations

import pytest

from oracle.audits.run import audit

RESPONSE = {"mechanism": "randomized_response", "exp_epsilon": "3"}


def repeated(times, of=RESPONSE):
    """So many steps."""
    return {"mechanism": "repeat", "times": times, "of": of}


@pytest.mark.parametrize("claim", ["exp_eps=9,delta=1/10", "exp_eps=2", "mu=2", "rho=1"])
def test_the_fewest_steps_refute_and_one_less_does_not(claim):
    """Told in a note; found again one by one."""
    note = audit(repeated(10), claim).document["notes"]
    verdicts = [audit(repeated(k), claim).verdict for k in range(1, 11)]
    fewest = verdicts.index("refuted") + 1
    assert note == [note[0]]
    assert note[0].startswith(f"{fewest} of the 10 steps ")
    assert set(verdicts[: fewest - 1]) <= {"holds"}


def test_where_it_is_no_question():
    """A claim that holds, one step, another mechanism, irrational probabilities."""
    assert audit(repeated(10), "exp_eps=59049").document["notes"] == []
    assert audit(repeated(1), "exp_eps=2").document["notes"] == []
    assert audit(RESPONSE, "exp_eps=2").document["notes"] == []
    irrational = {"mechanism": "randomized_response", "epsilon": "1"}
    assert audit(repeated(2, irrational), "eps=1").document["notes"] == []
