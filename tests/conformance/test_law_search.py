"""Laws against a subject: verdicts, and the document and tables made of them."""

from __future__ import annotations

from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.answers import answer
from oracle.conformance import law_search
from oracle.conformance.float64 import answer as float64
from oracle.errors import InputError
from oracle.laws.ask import Ask
from oracle.laws.harness import PROFILES
from oracle.laws.papers import claims_of
from oracle.laws.record import Law
from oracle.render.subject import findings_markdown, findings_table

CI = PROFILES["ci"]


def law(check: Any, given: Any = None) -> Law:
    return Law("a law", given if given is not None else st.integers(0, 9), check)


def never(_: Ask, __: int) -> mpq:
    return mpq(-1)


def slightly(_: Ask, x: int) -> mpq:
    return mpq(x, 10**12)


def badly(_: Ask, x: int) -> mpq:
    return mpq(x, 4) if x > 2 else mpq(x, 10**12)


def unanswered(ask: Ask, _: int) -> mpq:
    return mpq(0) if ask.value("renyi", {}) else mpq(1)


def broken(ask: Ask, _: int) -> mpq:
    return mpq(len(ask.parallel([])))


@pytest.mark.parametrize(
    ("check", "verdict", "excess", "example"),
    [
        (never, "holds", None, None),
        (slightly, "rounding", mpq(1, 10**12), "1"),
        (badly, "material", mpq(3, 4), "3"),
        (unanswered, "declined", None, None),
    ],
)
def test_a_verdict_and_its_shrunk_example(check: Any, verdict: str, excess: mpq | None, example: str | None) -> None:
    """The excess is that of the example shown, and the smallest example that breaks the law so much is shown."""
    found = law_search.search_law("X", law(check), float64, CI)
    assert (verdict, excess, example) == (found.verdict, found.excess, found.example)
    assert found.breaks == (verdict in {"rounding", "material"})


def test_the_worst_excess_is_the_largest_met() -> None:
    """It is at least that of the shrunk example."""
    found = law_search.search_law("X", law(badly), float64, CI)
    assert found.worst is not None
    assert found.worst >= mpq(3, 4)


def test_no_answer_is_an_error() -> None:
    """What the subject cannot answer is a finding."""
    found = law_search.search_law("X", law(broken), float64, CI)
    assert (found.verdict, found.breaks) == ("error", True)
    assert found.example is not None
    assert "parallel" in found.example


def test_a_material_excess_met_only_while_shrinking_counts() -> None:
    """Excess seen in the first search is not forgotten by the second."""
    seen: list[int] = []

    def once(_: Ask, x: int) -> mpq:
        seen.append(x)
        return mpq(x) if len(seen) == 1 else mpq(x, 10**12)

    found = law_search.search_law("X", law(once, st.just(1)), float64, CI)
    assert ("material", mpq(1), "1") == (found.verdict, found.worst, found.example)


def test_an_unknown_subject_is_bad_input() -> None:
    """The message lists the subjects."""
    with pytest.raises(InputError, match="float64"):
        law_search.find_subject("no-such")


def test_the_exact_engine_breaks_nothing_that_float64_breaks() -> None:
    """The claim that real rounding breaks: the columns of C_{epsilon, delta}."""
    (claim,) = (c for c in claims_of("fernandes2025") if c.id == "E-ced")
    exact = [law_search.search_law(claim.id, one, answer, CI).verdict for one in claim.laws]
    floats = [law_search.search_law(claim.id, one, float64, CI) for one in claim.laws]
    assert set(exact) == {"holds"}
    assert any(found.breaks for found in floats)
    document = law_search.document([claim], "fernandes2025", "float64", "ci", floats[::-1])
    assert [one.name for one in claim.laws] == [row["law"] for row in document["laws"]]
    assert len(floats) == sum(document["counts"].values())
    text = findings_markdown("A paper", document)
    table = findings_table(document)
    for row, found in zip(document["laws"], floats, strict=True):
        assert found.worst is None or mpq(row["worst"]) == found.worst
        assert row["law"] in table
        assert found.example is None or row["excess_decimal"].startswith("+")
    assert "## Broken" in text


@pytest.mark.slow
def test_claims_run_in_processes_as_here() -> None:
    """Two processes find what one finds."""
    claims = [c for c in claims_of("fernandes2025") if c.id in {"D-vis", "E-ced"}]
    alone = list(law_search.search_claims(claims, "fernandes2025", "float64", "ci", jobs=1))
    together = list(law_search.search_claims(claims, "fernandes2025", "float64", "ci", jobs=2))
    assert sorted(alone, key=str) == sorted(together, key=str)


@pytest.mark.parametrize(
    ("value", "text"),
    [(mpq(1, 3), "+0.334"), (mpq(-1, 3), "-0.333"), (mpq(0), "0"), (mpq(1, 2**60), "+8.68e-19"), (None, None)],
)
def test_excesses_have_a_sign_and_are_rounded_up(value: mpq | None, text: str | None) -> None:
    """An excess is never shown smaller than it is."""
    assert text == law_search.signed(value)
