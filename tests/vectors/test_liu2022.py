"""The engine gives the values of fixtures/vectors/liu2022.json, at more digits than the vectors have too."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.channels.channel import Channel
from oracle.channels.divergences import hockey_stick
from oracle.enclosures import Enclosure, enclose, precision, rational_ball
from oracle.gaussian_dp.crossings import crossings
from oracle.gaussian_dp.examples import EXAMPLES, OscillatingProfile
from oracle.gaussian_dp.guarantee_order import Guarantee, implied_delta, worst_case
from oracle.gaussian_dp.measurement import measure
from oracle.gaussian_dp.noise_formulas import LaplaceProfile
from oracle.gaussian_dp.profile import delta_mu, delta_mu_ball
from oracle.gaussian_dp.rectification import mix_with_uniform, mixing_level
from oracle.gaussian_dp.tight_mu import tight_mu
from oracle.gaussian_dp.transform import transform
from oracle.levels import Level
from oracle.special import phi
from tests.vectors.fixture_files import VECTORS, read_json

DOCUMENT = read_json(VECTORS / "liu2022.json")
ALL = {vector["id"]: vector for vector in DOCUMENT["vectors"]}
DIGITS = pytest.mark.parametrize("digits", [20, 50])


def numbered(*numbers):
    """The vectors whose ids begin so."""
    found = [v for v in ALL.values() if v["id"].split("-", 1)[1][:2] in numbers]
    return pytest.mark.parametrize("vector", found, ids=[v["id"] for v in found])


def at(text):
    """The level of an epsilon."""
    return Level.of_exponent(mpq(text))


def agrees(found, expected, digits):
    """An enclosure with its digits that overlaps the vector's."""
    given = Enclosure(mpq(expected["lo"]), mpq(expected["hi"]))
    narrow = found.reached is None and found.width * mpq(10) ** digits <= max(abs(found.lo), abs(found.hi))
    return narrow and found.overlaps(given)


def test_all_vectors_are_there():
    """39 of them, each with its own id."""
    assert len(ALL) == len(DOCUMENT["vectors"]) == 39
    assert all(name.startswith("liu2022-") for name in ALL)


@numbered("01")
def test_implied_deltas_are_exact(vector):
    """Theorem 2.1, and the worst-case channel has that divergence."""
    given = Guarantee(Level.rational(mpq(vector["input"]["alpha0"])), mpq(vector["input"]["delta0"]))
    level = mpq(vector["input"]["alpha"])
    expected = mpq(vector["expected"]["delta"])
    assert implied_delta(given, Level.rational(level)) == expected
    assert hockey_stick(worst_case(given), level) == expected


@numbered("04")
@DIGITS
def test_profiles_of_gaussians(vector, digits):
    """The number delta_mu(eps)."""
    found = delta_mu(mpq(vector["input"]["mu"]), at(vector["input"]["eps"]), digits)
    assert agrees(found, vector["expected"]["delta"], digits)


@numbered("06")
@DIGITS
def test_the_two_terms_both_tend_to_zero(vector, digits):
    """Phi(-19.5) and e^20 Phi(-20.5), and their ratio."""

    def terms():
        return phi(rational_ball(mpq(-39, 2))), rational_ball(mpq(20)).exp() * phi(rational_ball(mpq(-41, 2)))

    def ball(choose):
        def value(bits):
            with precision(bits + 40):
                return choose(*terms())

        return value

    scale = mpq(10) ** 84
    chosen = {
        "term1*10^84": lambda one, _: one * rational_ball(scale),
        "term2*10^84": lambda _, two: two * rational_ball(scale),
        "ratio term2/term1": lambda one, two: two / one,
    }
    for key, choose in chosen.items():
        assert agrees(enclose(ball(choose), digits), vector["expected"][key], digits)


@numbered("07")
@DIGITS
def test_a_gaussian_profile_is_not_of_the_order_the_paper_says(vector, digits):
    """The product delta_1(10)·e^100."""
    delta = delta_mu_ball(lambda _: rational_ball(mpq(1)), lambda _: rational_ball(mpq(10)))

    def ball(bits):
        with precision(bits + 20):
            return delta(bits + 20) * rational_ball(mpq(100)).exp()

    assert agrees(enclose(ball, digits), vector["expected"]["delta_1(10)*e^100"], digits)


def quotient(delta, epsilon, *, root=False):
    """The ball of eps²/(-2 log delta), or of its root."""

    def ball(bits):
        with precision(bits + 40):
            value = rational_ball(epsilon) ** 2 / (-2 * delta(bits + 40).log())
            return value.sqrt() if root else value

    return ball


@numbered("08")
@DIGITS
def test_the_tail_of_a_gaussian_tends_to_mu(vector, digits):
    """The root of eps²/(-2 log delta_mu)."""
    mu = mpq(vector["input"]["mu"])
    for text, expected in vector["expected"].items():
        delta = delta_mu_ball(lambda _: rational_ball(mu), lambda _, text=text: rational_ball(mpq(text)))
        assert agrees(enclose(quotient(delta, mpq(text), root=True), digits), expected, digits)


@numbered("10", "12")
@DIGITS
def test_refined_heads(vector, digits):
    """The place eps*, C and the values at 0."""
    profile = EXAMPLES["sgd" if "sigma" in vector["input"] else "icea"]
    values = {
        "eps*": lambda: enclose(profile.head.end, digits),
        "C": lambda: enclose(profile.head.constant, digits),
        "delta(0)": lambda: profile.delta(at(0), digits),
        "delta_SGD(0)": lambda: profile.delta(at(0), digits),
        "delta_1(0)": lambda: delta_mu(mpq(1), at(0), digits),
        "c": lambda: enclose(lambda bits: ball_of(profile.naive.coefficient, bits), digits),
        "G(0)": lambda: transform(profile, at(0), digits),
        "crossing eps": lambda: crossings(profile, mpq(1), digits).places[0],
    }
    for key, expected in vector["expected"].items():
        assert agrees(values[key](), expected, digits), key


def ball_of(function, bits):
    """A function of the working precision as a ball."""
    with precision(bits + 8):
        return function()


@numbered("11", "13")
@DIGITS
def test_transforms(vector, digits):
    """The values G(eps) of SGD and ICEA, refined."""
    profile = EXAMPLES["sgd" if "sigma" in vector["input"] else "icea"]
    assert agrees(transform(profile, at(vector["input"]["eps"]), digits), vector["expected"]["G"], digits)


@numbered("14")
@DIGITS
def test_last_crossings(vector, digits):
    """ICEA against mu = 2 and mu = 4."""
    found = crossings(EXAMPLES["icea"], mpq(vector["input"]["mu"]), digits)
    assert agrees(found.places[-1], vector["expected"]["eps"], digits)
    assert found.signs[-2:] == (-1, 1)


@numbered("15")
@DIGITS
def test_tight_mu_of_laplace(vector, digits):
    """It is G(0)."""
    found = tight_mu(LaplaceProfile(mpq(vector["input"]["theta"])), digits)
    assert found.where == "zero"
    assert agrees(found.value, vector["expected"]["mu"], digits)


@numbered("16")
@DIGITS
def test_laplace(vector, digits):
    """Profile and transform."""
    profile, level = LaplaceProfile(mpq(vector["input"]["theta"])), at(vector["input"]["eps"])
    assert agrees(profile.delta(level, digits), vector["expected"]["delta"], digits)
    assert agrees(transform(profile, level, digits), vector["expected"]["G"], digits)


@numbered("18")
@DIGITS
def test_measurement(vector, digits):
    """The pair (mu-, mu+)."""
    profile = EXAMPLES["laplace" if vector["input"]["profile"] == "Laplace2" else "sgd"]
    found = measure(profile, mpq(vector["input"]["d"]), mpq(vector["input"]["eps_h"]), digits)
    assert agrees(found.lower, vector["expected"]["mu-"], digits)
    assert agrees(found.upper, vector["expected"]["mu+"], digits)


@numbered("19")
@DIGITS
def test_the_limit_of_the_criterion_does_not_exist(vector, digits):
    """The quotient eps²/(-2 log delta) of the oscillating profile: 1/2 at the knots, near 2 before them."""
    profile = OscillatingProfile()
    for text, expected in vector["expected"].items():
        epsilon = mpq(text)
        found = enclose(quotient(profile.ball(lambda _, e=epsilon: rational_ball(e)), epsilon), digits)
        if isinstance(expected, str):
            assert found.contains(mpq(expected))
        else:
            assert agrees(found, expected, digits)


@numbered("20")
def test_mixing_with_uniform(vector):
    """The largest ratio and the total variation of the identity on k outputs, mixed."""
    k, r = int(vector["input"]["k"]), mpq(vector["input"]["r"])
    identity = Channel([[1 if j == i else 0 for j in range(k)] for i in range(2)])
    mixed = mix_with_uniform(identity, r).channel
    level = mpq(vector["expected"]["e^eps"])
    assert mixing_level(k, r) == Level.rational(level)
    assert hockey_stick(mixed, level) == 0 < hockey_stick(mixed, level - mpq(1, 1000))
    assert hockey_stick(mixed, mpq(1)) == mpq(vector["expected"]["D_1"])
