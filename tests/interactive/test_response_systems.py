"""Query systems by randomised response, correct and broken."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.channels.composition import power
from oracle.channels.profile import least_level
from oracle.errors import InputError, LimitError
from oracle.interactive.response_systems import chosen_level_responses, fresh_responses, remembered_responses
from oracle.interactive.tightness import tight_channel
from oracle.interactive.tree import AnswerNode, QueryNode
from tests.interactive.interleavings import laws, stick

RESPONSE = ((mpq(3, 4), mpq(1, 4)), (mpq(1, 4), mpq(3, 4)))


@pytest.mark.parametrize("questions", [1, 2, 4])
@pytest.mark.parametrize("bits", [1, 3])
def test_fresh_answers_compose(questions, bits):
    """The tight channel is that of as many independent responses; other bits tell nothing."""
    mechanism = fresh_responses(mpq(3), questions, bits=bits, differing=bits - 1)
    once = tight_channel(fresh_responses(mpq(3), 1))
    assert once.rows == ((mpq(3, 4), mpq(1, 4)), (mpq(1, 4), mpq(3, 4)))
    assert tight_channel(mechanism).rows == power(once, questions).rows
    assert least_level(tight_channel(mechanism), mpq(0)) == 3**questions


@pytest.mark.parametrize("questions", [1, 2, 4])
def test_remembered_answers_are_one_response(questions):
    """However often it is asked, the differing bit is one randomised response."""
    mechanism = remembered_responses(mpq(3), questions, bits=2, differing=1)
    assert tight_channel(mechanism).rows == RESPONSE


def test_a_repeated_answer_is_certain():
    """The second answer about a bit is the first one, with probability 1; about another bit it is new."""
    mechanism = remembered_responses(mpq(2), 2)
    first = mechanism.root.options[0][1]
    assert [(b.label, b.p, b.q) for b in first.branches] == [("1", mpq(2, 3), mpq(1, 3)), ("0", mpq(1, 3), mpq(2, 3))]
    for branch in first.branches:
        again, other = (node for _, node in branch.then.options)
        assert [(b.label, b.p, b.q) for b in again.branches] == [(branch.label, 1, 1)]
        assert [(b.label, b.p, b.q) for b in other.branches] == [
            ("1", mpq(1, 3), mpq(1, 3)),
            ("0", mpq(2, 3), mpq(2, 3)),
        ]


@pytest.mark.parametrize(
    ("budget", "questions", "late", "least"),
    [
        (mpq(10), 4, False, 9),
        (mpq(12), 4, False, 12),
        (mpq(10), 4, True, 27),
        (mpq(10), 2, True, 9),
        (mpq(1), 4, False, 1),
        (mpq(3, 2), 3, False, 1),
    ],
)
def test_a_filter_keeps_to_its_budget_unless_it_charges_late(budget, questions, late, least):
    """The tight e^epsilon is the largest product of levels 2 and 3 that can be asked for."""
    mechanism = chosen_level_responses([mpq(2), mpq(3)], budget, questions, charged_late=late)
    assert least_level(tight_channel(mechanism), mpq(0)) == least


def test_a_filter_by_enumeration():
    """All adversaries of the filter with budget 6: none exceeds level 6, some exceed every level below."""
    mechanism = chosen_level_responses([mpq(2), mpq(3)], mpq(6), 3)
    found = list(laws((mechanism.root,)))
    assert all(stick(law, mpq(6)) == 0 for law in found)
    assert any(stick(law, mpq(59, 10)) > 0 for law in found)


def test_five_hundred_questions():
    """Long systems are built without recursion."""
    for mechanism in (fresh_responses(mpq(3), 500), remembered_responses(mpq(3), 500)):
        assert mechanism.depth == 1000
    mechanism = chosen_level_responses([mpq(2)], mpq(2) ** 600, 500, name="filter")
    assert (mechanism.depth, mechanism.name) == (1000, "filter")


def test_shapes():
    """Options are bits, or levels; a filter that cannot afford anything has ended."""
    assert [label for label, _ in fresh_responses(mpq(3), 1, bits=3).root.options] == ["bit 0", "bit 1", "bit 2"]
    mechanism = chosen_level_responses([mpq(3), mpq(3, 2)], mpq(2), 1)
    assert isinstance(mechanism.root, QueryNode)
    assert [label for label, _ in mechanism.root.options] == ["E=3/2"]
    assert isinstance(mechanism.root.options[0][1], AnswerNode)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: fresh_responses(mpq(1, 2), 1), InputError, "exp_epsilon: expected an exp_epsilon at least 1, got 1/2"),
        (lambda: fresh_responses(mpq(2), 1, bits=0), LimitError, "bits: expected 1 to 1000 bits, got 0"),
        (lambda: fresh_responses(mpq(2), 1, differing=2), InputError, r"differing: expected one of the bits 0\.\.1"),
        (lambda: fresh_responses(mpq(2), 501), LimitError, "questions: expected 1 to 500 questions, got 501"),
        (lambda: remembered_responses(mpq(2), 9, bits=12), LimitError, "bits: expected at most 200000 nodes"),
        (lambda: chosen_level_responses([], mpq(2), 1), InputError, "levels: expected a list of distinct levels"),
        (lambda: chosen_level_responses([mpq(2)] * 2, mpq(2), 1), InputError, "levels: expected a list of distinct"),
        (lambda: chosen_level_responses([mpq(2)], mpq(2), 0), LimitError, "questions: expected 1 to 500 questions"),
    ],
)
def test_bad_input_is_refused(call, error, message):
    """The message names the parameter."""
    with pytest.raises(error, match=message):
        call()
