"""The mu that a guarantee needs, as the laws of liu2022 compute it, against the engine's and worked values."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given, settings

from oracle.channels.channel import Channel
from oracle.enclosures import Enclosure, rational_ball
from oracle.errors import UndecidedError
from oracle.gaussian_dp.examples import EXAMPLES
from oracle.gaussian_dp.profile import mu_gdp
from oracle.laws.ask import Ask, SubjectError
from oracle.laws.liu2022._subjects import (
    finite_mu,
    mu_accepted,
    plain_channels,
    processed_channels,
    randomised_response,
    within,
)
from oracle.laws.liu2022._transform import ICEA, SGD, Formula, at_zero, real, required_mu
from oracle.levels import Level

GUARANTEES = [("0", "1/2"), ("1", "1/10"), ("0", "999/1000"), ("3", "1e-20"), ("100", "1e-300"), ("1/2", "1e-6")]


@pytest.mark.parametrize(("epsilon", "delta"), GUARANTEES)
def test_a_guarantee_needs_what_the_engine_says(epsilon: str, delta: str) -> None:
    """Two inversions overlap, and ours is narrow."""
    found = required_mu(mpq(epsilon), mpq(delta))
    engine = mu_gdp(Level.of_exponent(mpq(epsilon)), mpq(delta), 30)
    assert isinstance(engine, Enclosure)
    assert found.overlaps(engine)
    assert found.width < found.hi / mpq(10) ** 18


def test_an_enclosed_delta_gives_a_range() -> None:
    """It contains what both ends need, and nothing is needed at 0."""
    found = required_mu(mpq(1), Enclosure(mpq(1, 10), mpq(11, 100)))
    ends = [required_mu(mpq(1), mpq(text)) for text in ("1/10", "11/100")]
    assert found.lo <= ends[0].lo
    assert ends[1].hi <= found.hi
    assert required_mu(mpq(1), mpq(0)).hi == 0
    assert required_mu(mpq(1), Enclosure(mpq(0), mpq(1, 10))).lo == 0


def test_a_delta_next_to_1_is_undecided() -> None:
    """Nearer than the working precision tells apart."""
    with pytest.raises(UndecidedError):
        required_mu(mpq(0), 1 - mpq(1, 10**100))


def test_half_an_overlap() -> None:
    """(1 - delta(0))/2 = 1/4 needs -2 Phi^(-1)(1/4)."""
    assert within(at_zero(lambda _: rational_ball(mpq(1, 4))), "1.3489795003921634", "1.3489795003921635")


@pytest.mark.parametrize("formula", [SGD, ICEA], ids=lambda formula: formula.name)
def test_the_refined_profiles_are_the_engines(formula: Formula) -> None:
    """At 0, on the head, at a point next to eps* and beyond; eps* is proved to lie between its bounds."""
    assert formula.turns_there()
    for x in (mpq(0), mpq(1), formula.turning[0], formula.turning[1], mpq(3, 2), mpq(10)):
        engine = EXAMPLES[formula.name].delta(Level.of_exponent(x), 40)
        assert isinstance(engine, Enclosure)
        assert formula.refined(real(x)).overlaps(engine)


def test_the_naive_profiles_are_cut_at_1() -> None:
    """4 e^-2/eps exceeds 1 at 1/2; e^(-1/4) does not."""
    assert ICEA.naive(real(mpq(1, 2))).lo == 1
    assert within(SGD.naive(real(mpq(1, 2))), "0.7788", "0.7789")


@settings(max_examples=20, deadline=None)
@given(plain_channels(), processed_channels())
def test_generated_channels_have_a_mu(channel: Channel, processed: tuple[Channel, object]) -> None:
    """All entries are positive and the rows differ, of the processed ones as well."""
    for found in (channel, processed[0]):
        assert found.rows[0] != found.rows[1]
        assert all(v > 0 for row in found.rows for v in row)


def test_asking_for_a_finite_mu() -> None:
    """A subject that says inf is no answer there; one that says a number is asked again whether it accepts."""
    said = Ask(lambda request: {"value": "inf" if request["op"] == "mu" else {"holds": True}})
    with pytest.raises(SubjectError, match="finite"):
        finite_mu(said, randomised_response(mpq(3)).rows)
    assert mu_accepted(said, {"mechanism": "gaussian_dp", "mu": "1"}, mpq(1))
