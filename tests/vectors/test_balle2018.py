"""The engine gives the values of fixtures/vectors/balle2018.json that need no database."""

from __future__ import annotations

import mpmath
import pytest
from gmpy2 import mpq

from oracle.answers import answer
from oracle.channels.channel import Channel
from oracle.channels.loss import moment, moment_by_profile
from oracle.enclosures import Enclosure, enclose, precision, rational_ball
from tests.experiments.reference import real
from tests.vectors.fixture_files import VECTORS, read_json

DOCUMENT = read_json(VECTORS / "balle2018.json")
ALL = {vector["id"]: vector for vector in DOCUMENT["vectors"]}
DIGITS = [12, 20, 30, 50]


def of_claim(*claims):
    return [vector for vector in ALL.values() if vector["claim"] in claims]


def ask(op, args):
    return answer({"id": 1, "op": op, "args": args})["value"]


def test_ids_are_unique_and_all_are_there():
    """28 vectors of 14 claims."""
    assert len(ALL) == len(DOCUMENT["vectors"]) == 28
    assert all(name.startswith("balle2018-") for name in ALL)


@pytest.mark.parametrize("vector", of_claim("Thm3", "Thm4"), ids=lambda v: v["id"])
@pytest.mark.parametrize("digits", DIGITS)
def test_profiles_overlap_the_vectors_at_every_number_of_digits(vector, digits):
    """Laplace and Gaussian, delta of both directions; a value known exactly is exact."""
    name, scale = ("laplace", "scale") if vector["claim"] == "Thm3" else ("gaussian", "sigma")
    given = vector["input"]
    for mechanism in (
        {"mechanism": name, scale: "1", "sensitivity": given["theta"]},
        {"mechanism": name, scale: str(1 / mpq(given["theta"]))},
    ):
        value = ask("delta", {"channel": mechanism, "epsilon": given["epsilon"], "digits": digits})
        expected = vector["expected"]["delta"]
        if isinstance(expected, str):
            assert value == expected
            continue
        found = Enclosure(mpq(value["lo"]), mpq(value["hi"]))
        assert found.overlaps(Enclosure(mpq(expected["lo"]), mpq(expected["hi"])))
        assert found.width * mpq(10) ** digits <= found.hi


@pytest.mark.parametrize("vector", of_claim("eps'"), ids=lambda v: v["id"])
@pytest.mark.parametrize("digits", DIGITS)
def test_the_amplified_epsilon_overlaps_the_vectors(vector, digits):
    """log(1 + eta(e^eps - 1)) as a ball."""
    epsilon, eta = (mpq(vector["input"][key]) for key in ("epsilon", "eta"))

    def ball(bits):
        with precision(bits):
            return (1 + rational_ball(eta) * rational_ball(epsilon).expm1()).log()

    expected = vector["expected"]["epsilon_prime"]
    assert enclose(ball, digits).overlaps(Enclosure(mpq(expected["lo"]), mpq(expected["hi"])))


@pytest.mark.parametrize("vector", of_claim("Def.D (2)"), ids=lambda v: v["id"])
def test_the_divergence_is_that_of_the_vector(vector):
    """Equation (2)."""
    channel = {"matrix": [vector["input"]["p"], vector["input"]["q"]]}
    args = {"channel": channel, "exp_epsilon": vector["input"]["exp_epsilon"]}
    assert ask("hockey_stick", args) == vector["expected"]["delta"]


@pytest.mark.parametrize("vector", of_claim("Thm6a"), ids=lambda v: v["id"])
def test_moments_are_those_of_the_vector(vector):
    """phi(s) both ways, and as the Rényi moment of order s + 1."""
    matrix = [vector["input"]["p"], vector["input"]["q"]]
    for s in (1, 2):
        expected = vector["expected"][f"phi_{s}"]
        assert moment(Channel(matrix), s) == moment_by_profile(Channel(matrix), s) == mpq(expected)
        assert ask("renyi", {"channel": {"matrix": matrix}, "order": s + 1})["moment"] == expected


def test_the_vectors_of_the_profiles_are_right_by_the_definitions_in_mpmath():
    """Erfc and exp of another library, 60 digits."""
    with mpmath.workdps(60):
        for vector in of_claim("Thm4"):
            theta, eps = (real(mpq(vector["input"][key])) for key in ("theta", "epsilon"))
            near, far = ((eps / theta + sign * theta / 2) / mpmath.sqrt(2) for sign in (-1, 1))
            value = (mpmath.erfc(near) - mpmath.exp(eps) * mpmath.erfc(far)) / 2
            assert (
                mpmath.mpf(vector["expected"]["delta"]["lo"]) <= value <= mpmath.mpf(vector["expected"]["delta"]["hi"])
            )
