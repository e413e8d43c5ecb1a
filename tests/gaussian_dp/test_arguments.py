"""Every public function of the room takes exact numbers in every form, and no float in any."""

from __future__ import annotations

import doctest
from fractions import Fraction
from math import nan

import pytest
from gmpy2 import mpfr, mpq

import oracle.gaussian_dp as room
from oracle.channels.channel import Channel
from oracle.enclosures import Enclosure
from oracle.errors import InputError, LimitError
from oracle.exact import INFINITY
from oracle.experiments.gaussian import Gaussian
from oracle.gaussian_dp import arguments, channel_mu, concentrated, examples, noise_formulas, tails
from oracle.gaussian_dp.guarantee_order import check_guarantee
from oracle.levels import Level

MATRIX = [["3/4", "1/4"], ["1/4", "3/4"]]
CHANNEL = Channel(MATRIX)
SGD = "exp(-eps^2)"
LIST = room.GuaranteeList([("log(2)", "1/4"), ("log(5)", 0)])
TAIL = tails.SquaredExponentialTail(1, 1)

# For each function one call with a hole at x, for x = 1/2 or 1 in every form.
HALVES = {
    "composed_mu": lambda x: room.composed_mu([x, 1]),
    "group_mu": lambda x: room.group_mu(x, 2),
    "delta_of_mu, mu": lambda x: room.delta_of_mu(x, 1),
    "delta_of_mu, epsilon": lambda x: room.delta_of_mu(1, x),
    "epsilon_of_mu, mu": lambda x: room.epsilon_of_mu(x, "1/10"),
    "epsilon_of_mu, delta": lambda x: room.epsilon_of_mu(4, x),
    "mu_of_guarantee": lambda x: room.mu_of_guarantee(x, 0),
    "mu_of_guarantee, delta": lambda x: room.mu_of_guarantee(1, x),
    "mu_of_point": lambda x: room.mu_of_point(x, "1/4"),
    "mu_of_point, delta": lambda x: room.mu_of_point("1/4", x),
    "curve_of_mu, mu": lambda x: room.curve_of_mu(x, "1/4"),
    "curve_of_mu, alpha": lambda x: room.curve_of_mu(1, x),
    "renyi_of_mu, mu": lambda x: room.renyi_of_mu(x, 2),
    "renyi_of_mu, order": lambda x: room.renyi_of_mu(1, x),
    "rho_of_mu": room.rho_of_mu,
    "mu_of_least_rho": room.mu_of_least_rho,
    "rho_of_guarantee": room.rho_of_guarantee,
    "delta_of_rho, rho": lambda x: room.delta_of_rho(x, 1),
    "delta_of_rho, epsilon": lambda x: room.delta_of_rho("1/10", x),
    "delta_mu": lambda x: room.delta_mu(x, x),
    "mu_gdp": lambda x: room.mu_gdp(x, x),
    "guarantees, epsilon": lambda x: room.GuaranteeList([(x, "1/4"), {"epsilon": x, "delta": "1/8"}]).guarantees,
    "guarantees, delta": lambda x: room.GuaranteeList([(1, x), {"exp_epsilon": 7, "delta": x}]).guarantees,
    "of_profile": lambda x: room.GuaranteeList.of_profile([(x, 0)]).guarantees,
    "naive": LIST.naive,
    "refined": LIST.refined,
    "implied": LIST.implied,
    "implied_delta": lambda x: room.implied_delta((1, x), x),
    "implies": lambda x: room.implies((x, x), (1, x)),
    "worst_case": lambda x: room.worst_case(({"exp_epsilon": 3}, x)).rows,
    "least_mu": lambda x: room.least_mu([["1/4", "3/4"], [x, x]]),
    "compare_mu": lambda x: room.compare_mu(MATRIX, x),
    "judge_rho": lambda x: room.judge_rho(CHANNEL, x),
    "judge_rho, experiment": lambda x: room.judge_rho(Gaussian.of(mpq(1)), x),
    "least_rho": lambda x: room.least_rho([["1/4", "3/4"], [x, x]]),
    "compare_renyi, order": lambda x: room.compare_renyi(CHANNEL, x, 1, "forward"),
    "compare_renyi, epsilon": lambda x: room.compare_renyi(CHANNEL, 2, x, "backward"),
    "divergence_value": lambda x: room.divergence_value(CHANNEL, x, "forward"),
    "decide_mu": lambda x: room.decide_mu(SGD, x).holds,
    "decide_mu, list": lambda x: room.decide_mu(LIST, x).holds,
    "transform": lambda x: room.transform(SGD, x),
    "profile": lambda x: room.parse_formula(SGD).delta(x),
    "crossings": lambda x: room.crossings("exp(-eps)", x).signs,
    "crosses": lambda x: room.crosses("exp(-eps)", x)[0],
    "measure, step": lambda x: room.measure(SGD, x, 1),
    "measure, end": lambda x: room.measure(SGD, "1/8", x),
    "subsample": lambda x: room.subsample(MATRIX, x).channel.rows,
    "mix_with_uniform": lambda x: room.mix_with_uniform(MATRIX, x).channel.rows,
    "mixing_level": lambda x: room.mixing_level(2, x),
    "SquaredExponential": lambda x: room.SquaredExponential(x, 2).to_json(),
    "Reciprocal, factor": lambda x: room.Reciprocal(x).to_json(),
    "Reciprocal, exponent": lambda x: room.Reciprocal(1, x).to_json(),
    "LaplaceProfile": lambda x: room.LaplaceProfile(x).to_json(),
    "ConstantProfile": lambda x: room.ConstantProfile(x).to_json(),
    "laplace": lambda x: room.laplace(x, x).to_json(),
    "noisy_sgd": lambda x: room.noisy_sgd(x, x, 1).to_json(),
    "SquaredExponentialTail": lambda x: tails.SquaredExponentialTail(x, x).limits,
    "tail_satisfies": lambda x: tails.tail_satisfies(TAIL, x),
    "tail_start": lambda x: tails.tail_start(TAIL, x, "below", x),
    "Level.of_exponent": Level.of_exponent,
    "Level.rational": Level.rational,
    "check_mu": lambda x: room.delta_mu(x, 0),
    "check_rho": concentrated.check_rho,
}
WHOLE = {
    "group_mu": lambda n: room.group_mu("1/2", n),
    "mixing_level": lambda n: room.mixing_level(n, "1/2"),
    "clip_ratio": lambda n: room.clip_ratio(MATRIX, n).channel.rows,
    "noisy_sgd, B": lambda n: room.noisy_sgd(1, 1, n).to_json(),
    "icea": lambda n: room.icea(n, n).to_json(),
    "SquaredExponential": lambda n: room.SquaredExponential(1, n).to_json(),
    "guarantee": lambda n: check_guarantee({"exp_epsilon": n}),
    "digits": lambda n: room.delta_mu(1, 1, n),
    "digits of tight_mu": lambda n: room.tight_mu(LIST, n),
    "digits of a profile": lambda n: room.tight_mu("exp(-eps^2)", n).value,
    "digits of measure": lambda n: room.measure(SGD, 1, 2, n),
    "digits of crossings": lambda n: room.crossings("exp(-eps)", 1, n).signs,
    "digits of a list": lambda n: LIST.implied(Level.of_exponent(1), n),
    "digits of least_mu": lambda n: room.least_mu(MATRIX, n),
    "digits of a composition": lambda n: room.composed_mu([1, 1], n),
}


class Stranger:
    """What looks like a float to float(), and must not be looked at."""

    def __float__(self) -> float:
        raise AssertionError("read as a float")


@pytest.mark.parametrize("name", HALVES)
def test_one_half_in_every_form(name) -> None:
    """Text, a decimal, a fraction and the engine's own number give the same."""
    call = HALVES[name]
    wanted = repr(call(mpq(1, 2)))
    for form in ("1/2", "0.5", Fraction(1, 2)):
        assert repr(call(form)) == wanted


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers_in_every_form(name) -> None:
    """An integer is a number too."""
    call = WHOLE[name]
    wanted = repr(call(3))
    for form in ("3", mpq(3), Fraction(3)):
        assert repr(call(form)) == wanted


@pytest.mark.parametrize("call", [*HALVES.values(), *WHOLE.values()], ids=[*HALVES, *(f"{n}, whole" for n in WHOLE)])
@pytest.mark.parametrize(
    "value",
    [0.5, 3.0, nan, mpfr("0.5"), Stranger(), True, None, "half", [0.5]],
    ids=lambda x: "a stranger" if isinstance(x, Stranger) else repr(x),
)
def test_nothing_but_exact_numbers(call, value) -> None:
    """A float, its stand-in, a bool and text that is no number are input errors, never values."""
    with pytest.raises(InputError):
        call(value)


@pytest.mark.parametrize("profile", [0.5, None, [], Stranger(), MATRIX, LIST])
@pytest.mark.parametrize(
    "call",
    [
        lambda p: room.transform(p, 1),
        lambda p: room.crossings(p, 1),
        lambda p: room.measure(p, 1, 1),
        lambda p: room.decide_mu([p], 1),
        lambda p: room.tight_mu([p]),
        lambda p: room.parse_formula([p]),
    ],
)
def test_what_is_no_profile(call, profile) -> None:
    """An input error; a list of guarantees has a tight mu, but no transform of its own."""
    with pytest.raises(InputError):
        call(profile)


@pytest.mark.parametrize("pair", [0.5, None, "3/4", [[0.5, 0.5], [0.5, 0.5]], [["1"]], [[1], [1], [1]], Stranger()])
@pytest.mark.parametrize(
    "call",
    [
        room.least_mu,
        room.least_rho,
        lambda pair: room.compare_mu(pair, 1),
        lambda pair: room.judge_rho(pair, 1),
        lambda pair: room.compare_renyi(pair, 2, 1, "forward"),
        lambda pair: room.divergence_value(pair, 2, "forward"),
        lambda pair: room.subsample(pair, "1/2"),
        lambda pair: room.mix_with_uniform(pair, "1/2"),
        lambda pair: room.clip_ratio(pair, 2),
    ],
)
def test_what_is_no_pair(call, pair) -> None:
    """An input error."""
    with pytest.raises(InputError):
        call(pair)


@pytest.mark.parametrize(
    "guarantees",
    [
        "12",
        {"epsilon": 1},
        1,
        [1],
        ["ab"],
        [("1",)],
        [(1, 2)],
        [(-1, 0)],
        [{"epsilon": 1, "exp_epsilon": 3}],
        [{"delta": 0}],
        [{"epsilon": 1, "mu": 1}],
        [({"epsilon": 1, "delta": 0}, 0)],
    ],
)
def test_what_is_no_list_of_guarantees(guarantees) -> None:
    """An input error with its place."""
    with pytest.raises(InputError, match="guarantees"):
        room.GuaranteeList(guarantees)


def test_a_direction_is_a_word() -> None:
    """One of three; where one side is meant, not both."""
    for call in (room.judge_rho, lambda p, _, d: room.least_rho(p, d)):
        with pytest.raises(InputError, match="direction"):
            call(CHANNEL, 1, "sideways")
    with pytest.raises(InputError, match="side"):
        room.divergence_value(CHANNEL, 2, "both")
    with pytest.raises(InputError, match="direction"):
        room.compare_renyi(CHANNEL, 2, 1, 1.0)


def test_large_integers_stay_exact() -> None:
    """(10^20 + 1)²/2 to the last digit."""
    assert room.rho_of_mu(10**20 + 1).value == mpq((10**20 + 1) ** 2, 2)
    assert room.rho_of_mu("1e20").value == mpq(10**40, 2)
    with pytest.raises(LimitError):
        room.rho_of_mu("1e100001")


def test_the_forms_of_an_epsilon() -> None:
    """A bare number is epsilon; e^epsilon is stated by name."""
    for three in ("log(3)", "ln(3)", {"exp_epsilon": "3"}, {"epsilon": "log(3)"}, Level.rational(3)):
        assert arguments.level_of(three) == Level.rational(3)
    assert arguments.level_of(3) == arguments.level_of({"epsilon": 3}) == Level.of_exponent(3)
    assert arguments.level_of("inf") == Level.infinite()
    assert room.mu_of_guarantee("inf", 0).value is INFINITY
    assert check_guarantee(("log(2)", "1/4")) == check_guarantee({"exp_epsilon": 2, "delta": "0.25"})
    assert check_guarantee({"epsilon": 1}).delta == 0
    with pytest.raises(InputError, match="epsilon at least 0"):
        arguments.level_of("-1")


def test_natural_calls() -> None:
    """The text of a formula, and a list of guarantees, stand where a profile does."""
    by_text, by_profile = room.tight_mu(SGD), room.tight_mu(room.parse_formula(SGD))
    assert by_text.value == by_profile.value
    found = room.tight_mu(LIST, 20)
    assert found.where == "corner"
    assert isinstance(found.value, Enclosure)
    assert found.value == LIST.tight_mu(20)
    assert room.decide_mu(LIST, found.value.hi).holds is True
    assert room.decide_mu(LIST, found.value.lo).holds is False
    assert room.tight_mu(room.GuaranteeList([(1, "1/4")])).value is INFINITY
    assert room.tight_mu(room.GuaranteeList([(0, 0)])).where == "zero"
    assert room.delta_of_mu(1, 1).kind == "exact"
    assert room.least_mu(MATRIX) == channel_mu.least_mu(CHANNEL)
    assert room.clip_ratio(MATRIX, "inf").channel == room.clip_ratio(MATRIX, INFINITY).channel
    with pytest.raises(InputError, match=r"exp\(\.\.\.\) for a power of e"):
        room.parse_formula("e^(-eps^2)")


def test_the_public_names() -> None:
    """All there, each of this room or the one where a user finds it; the example of the text runs."""
    assert all(
        getattr(room, name).__module__.startswith("oracle.gaussian_dp.") for name in set(room.__all__) - {"EXAMPLES"}
    )
    assert room.EXAMPLES is examples.EXAMPLES
    assert room.LaplaceProfile is noise_formulas.LaplaceProfile
    assert "gdp_profile_certificate" in room.__doc__
    assert doctest.testmod(room) == (0, 7)
