"""Counts before an event is chosen: reading, the event's sums, its choice by other runs, guesses by thresholds."""

from __future__ import annotations

import hashlib
from itertools import combinations

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.errors import InputError, LimitError
from oracle.exact import JsonFloat
from oracle.statistics.counts import MAX_COUNT, CanaryScores, CountTable, PairCounts, parse_count
from oracle.statistics.events import Count, EventCounts
from oracle.statistics.one_run import OneRun

TABLE = CountTable(("a", "b", "c"), (5, 3, 2), (1, 3, 6))


@pytest.mark.parametrize(("value", "count"), [("0", 0), (" 12 ", 12), (7, 7), ("007", 7), (MAX_COUNT, MAX_COUNT)])
def test_a_count_is_a_whole_number(value, count):
    """Digits alone, or a JSON integer."""
    assert parse_count(value, "n") == count


@pytest.mark.parametrize(
    "value",
    [
        "0.5",
        "1/2",
        "50%",
        "50 %",
        "1e3",
        "5.",
        ".5",
        "-1",
        "+1",
        "x",
        "",
        "1 2",
        "0x1",
        JsonFloat("2.0"),
        True,
        None,
        -1,
        [1],
    ],
)
def test_what_is_no_count_is_refused(value):
    """Frequencies above all: none is turned back into a count."""
    with pytest.raises(InputError, match=r"n: expected a count"):
        parse_count(value, "n")


@pytest.mark.parametrize("value", [str(MAX_COUNT + 1), MAX_COUNT + 1, "9" * 5000])
def test_counts_have_a_limit(value):
    """Of any length, without converting it."""
    with pytest.raises(LimitError):
        parse_count(value, "n")


def test_counts_of_an_event_are_sums():
    """Of every event that is neither empty nor everything."""
    for size in (1, 2):
        for event in combinations(range(3), size):
            hits = [sum(column[k] for k in event) for column in (TABLE.first, TABLE.second)]
            expected = EventCounts(Count(hits[0], 10), Count(hits[1], 10))
            assert TABLE.of([TABLE.outcomes[k] for k in event]) == expected


@pytest.mark.parametrize("event", [(), ("a", "b", "c"), ("d",), ("a", "a")])
def test_no_event(event):
    """Nothing, everything, an unknown outcome, one twice."""
    with pytest.raises(InputError):
        TABLE.of(event)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=2, max_size=5), st.integers(1, 3))
def test_the_chosen_event_violates_the_most_by_the_frequencies(rows, level):
    """No event has a larger p(S) - E q(S) than the chosen one, where that one violates at all."""
    first, second = (tuple(row[k] for row in rows) for k in (0, 1))
    if not sum(first) or not sum(second):
        return
    names = tuple("abcde"[: len(rows)])
    table = CountTable(names, (1,) * len(rows), (1,) * len(rows), (first, second))

    def excess(event):
        places = [names.index(name) for name in event]
        return sum((mpq(first[k], sum(first)) - level * mpq(second[k], sum(second)) for k in places), mpq(0))

    chosen = table.chosen(mpq(level))
    assert 0 < len(chosen) < len(names)
    events = [event for size in range(1, len(names)) for event in combinations(names, size)]
    assert excess(chosen) == max(map(excess, events)) or excess(chosen) <= 0
    assert table.chosen(mpq(level), swapped=True) == CountTable(
        names, table.first, table.second, (second, first)
    ).chosen(mpq(level))


def test_the_counted_runs_do_not_choose():
    """Only the other runs do, and without them nothing can be chosen."""
    table = CountTable(("a", "b"), (9, 1), (1, 9), ((1, 9), (9, 1)))
    assert table.chosen(mpq(2)) == ("b",)
    with pytest.raises(InputError, match="choose_on_D"):
        TABLE.chosen(mpq(2))


def test_tables_are_checked():
    """No outcome, lists of different lengths, an input without runs."""
    for outcomes, first, second, choosing in [
        ((), (), (), None),
        (("a", "b"), (1,), (1, 2), None),
        (("a", "b"), (1, 2), (0, 0), None),
        (("a", "b"), (1, 2), (1, 0), ((0, 0), (1, 1))),
        (("a", "b"), (1, 2), (1, 0), ((1, 0), (1,))),
    ]:
        with pytest.raises(InputError):
            CountTable(outcomes, first, second, choosing)


def test_pairs():
    """Their number, their mirror image, and what is refused."""
    pairs = PairCounts(1, 2, 3, 4)
    assert (pairs.pairs, pairs.swapped()) == (10, PairCounts(1, 3, 2, 4))
    assert pairs.to_json() == {"both": "1", "only_on_D": "2", "only_on_Dprime": "3", "neither": "4"}
    with pytest.raises(InputError):
        PairCounts(0, 0, 0, 0)
    with pytest.raises(InputError, match="only_on_D: expected a count at least 0"):
        PairCounts(0, -1, 0, 2)
    with pytest.raises(LimitError):
        PairCounts(MAX_COUNT, 1, 0, 0)


SCORES = CanaryScores(
    ("d", "a", "c", "b", "e"), (True, True, False, False, True), tuple(map(mpq, ("3", "1", "2", "0", "2")))
)


@pytest.mark.parametrize(
    ("above", "below", "expected"),
    [("2", None, (5, 3)), ("3", None, (5, 3)), ("1", None, (5, 4)), ("3", "1", (2, 2)), ("3", "2", (3, 2))],
)
def test_guesses_by_a_threshold(above, below, expected):
    """In from the threshold on, out below it, nothing between two."""
    low = None if below is None else mpq(below)
    guesses, correct = expected
    assert SCORES.guessed(mpq(above), low) == OneRun(5, guesses, correct)


def test_thresholds_in_the_wrong_order():
    """Out cannot be guessed above in."""
    with pytest.raises(InputError):
        SCORES.guessed(mpq(1), mpq(2))


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=2, max_size=12))
def test_the_best_threshold_is_right_most_often(rows):
    """By trying every score, the least of several."""
    members = tuple(member for member, _ in rows)
    if len(set(members)) < 2:
        return
    scores = CanaryScores(tuple(map(str, range(len(rows)))), members, tuple(mpq(score) for _, score in rows))
    right = {t: scores.guessed(t).correct for t in scores.scores}
    assert scores.best_threshold() == min(t for t, count in right.items() if count == max(right.values()))


def test_halves_go_by_the_names_alone():
    """Every second canary in the order of the hashes of the names, whatever the scores and memberships are."""
    first, second = SCORES.halves()
    names = sorted(SCORES.names, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    assert (first.names, second.names) == (tuple(names[::2]), tuple(names[1::2]))
    rows = set(zip(SCORES.names, SCORES.members, SCORES.scores, strict=True))
    assert {*zip(first.names, first.members, first.scores, strict=True)} < rows
    other = CanaryScores(SCORES.names, (False,) * 5, (mpq(0),) * 5).halves()
    assert (other[0].names, other[1].names) == (first.names, second.names)


def test_scores_are_checked():
    """Lists of one length, names once."""
    for names, members in [(("a",), (True, False)), (("a", "a"), (True, False))]:
        with pytest.raises(InputError):
            CanaryScores(names, members, (mpq(0), mpq(1)))
