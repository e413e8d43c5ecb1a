"""A campaign learns what a subject declines, counts causes, ends at its limits, and goes on where it was."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from oracle.conformance.fuzz.asking import Asker
from oracle.conformance.fuzz.campaign import Campaign, Limits
from oracle.conformance.fuzz.expressions import PRIMITIVES
from oracle.conformance.fuzz.journal import replayed, round_event
from oracle.conformance.fuzz.questions import Family, families
from oracle.conformance.fuzz.rounds import Round, Task, run_round
from oracle.conformance.fuzz.truth import Truths, engine
from oracle.conformance.protocol import Claimed, Hello, Reply
from oracle.conformance.subjects import exact_engine
from oracle.errors import InputError
from tests.conformance.fuzz.subjects import MutantSubject, asker

NAME, OPS = "refinement-is-strict", ("refines", "glb")


def run(campaign: Campaign, asking: Asker, questions: int, rounds: int = 10**6) -> list[Round]:
    """Rounds of a campaign, one after the other, at most so many."""
    done = []
    for found in campaign.run(lambda tasks: (run_round(task, asking) for task in tasks), Limits(questions)):
        done.append(found)
        if len(done) == rounds:
            break
    return done


def told(done: Round) -> dict:
    """What the journal says of a round, without the time that it took."""
    event = json.loads(json.dumps(round_event(done, None)))
    return {key: value for key, value in event.items() if key != "seconds"}


def test_the_same_seed_finds_the_same() -> None:
    """Two campaigns of one seed and number of questions have the same rounds and counts."""
    rows = []
    for _ in range(2):
        campaign = Campaign(MutantSubject(NAME, OPS).hello(), 3)
        rows.append(([told(one) for one in run(campaign, asker(NAME, ops=OPS), 60)], campaign.outcome.to_json()))
    assert rows[0] == rows[1]
    assert rows[0][1]["repeats"]


def test_an_interrupted_campaign_goes_on_as_if_it_had_not_been() -> None:
    """After three rounds from a journal the rest and the counts are those of the campaign that was not interrupted."""
    hello = MutantSubject(NAME, OPS).hello()
    whole, first, second = Campaign(hello, 3), Campaign(hello, 3), Campaign(hello, 3)
    rounds = [told(one) for one in run(whole, asker(NAME, ops=OPS), 60)]
    for one in run(first, asker(NAME, ops=OPS), 60, rounds=3):
        second.take(replayed(json.loads(json.dumps(round_event(one, None)))))
    rest = [told(one) for one in run(second, asker(NAME, ops=OPS), 60)]
    assert rest == rounds[3:]
    assert second.outcome.to_json() == whole.outcome.to_json()
    assert second.causes == whole.causes


def test_what_is_declined_is_asked_seldom() -> None:
    """After rounds in which Gaussian noise alone is answered, expressions are made of it, and families come by it."""
    campaign = Campaign(MutantSubject(ops=("delta",)).hello(), 1)
    answered, declined = Family("delta", "alone"), Family("delta", "compose")
    for index, family in enumerate(families(MutantSubject(ops=("delta",)).hello())):
        kinds = {name: [9, 0] for name in PRIMITIVES} | {"geometric": [9, 0]}
        if family == answered:
            kinds["gaussian"] = [0, 9]
        verdict = "sound" if family == answered else "declined"
        verdicts = {f"{family}-{n}": verdict for n in range(50)}
        campaign.take(Round(Task(index, 0, family, (), 0), verdicts, kinds))
    tasks = []
    for _ in range(200):
        tasks += campaign.plan(Limits(10**6))
        campaign.outcome.rounds += 1
    chosen = Counter(task.family for task in tasks)
    assert chosen[answered] > 10 * chosen[declined]
    alone = Counter(task.primitives for task in tasks if task.family == answered)
    assert alone[("gaussian",)] > 0.9 * chosen[answered]


def test_a_subject_that_declines_everything_ends_the_campaign(monkeypatch: pytest.MonkeyPatch) -> None:
    """The questions that are not judged are bounded too."""

    class Silent(MutantSubject):
        def ask(self, question):
            return Reply("declined", message=f"{question['op']} is not offered")

    monkeypatch.setattr("oracle.conformance.fuzz.campaign._FIRST_TRIED", 40)
    subject = Silent(ops=("mu",))
    campaign = Campaign(subject.hello(), 1)
    run(campaign, Asker(subject, subject.hello(), Truths(exact_engine())), 1)
    assert campaign.outcome.judged == 0
    assert 60 < campaign.outcome.tried < 90


def test_no_scenario_is_begun_after_the_time() -> None:
    """A limit of time that has passed leaves nothing to do."""
    campaign = Campaign(MutantSubject().hello(), 1)
    assert list(campaign.run(lambda tasks: (run_round(task, asker()) for task in tasks), Limits(None, 0.0))) == []


def test_a_question_counts_once() -> None:
    """A round that is taken in twice adds rounds and questions asked, and no judged questions."""
    campaign = Campaign(MutantSubject(NAME, OPS).hello(), 3)
    first = run(campaign, asker(NAME, ops=OPS), 60, rounds=1)[0]
    judged = campaign.outcome.judged
    campaign.take(first)
    assert (campaign.outcome.judged, campaign.outcome.rounds) == (judged, 2)


def test_ops_that_are_not_offered_are_refused() -> None:
    """The error names the ops that could be searched."""
    hello = Hello("some", "1", ("delta", "mu"), {"delta": Claimed("upper")})
    with pytest.raises(InputError, match=r"delta, mu.*got renyi"):
        Campaign(hello, 0, ["renyi"])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "op"), [("single-precision", "delta")])
def test_a_campaign_finds_a_mutant_without_hints(name: str, op: str) -> None:
    """Whatever is wrong with it, within 1,500 judged questions of its op, of all families alike."""
    subject, truth = MutantSubject(name, (op,)), engine(2)
    try:
        campaign = Campaign(subject.hello(), 1)
        asking = Asker(subject, subject.hello(), Truths(truth))
        rounds = campaign.run(lambda tasks: (run_round(task, asking) for task in tasks), Limits(1500))
        found = next((one.found for one in rounds if one.found is not None), None)
    finally:
        truth.close()
    assert found is not None
    assert found.problem.cause.op == op
