"""The compositions of fixtures/mechanisms and what index.json says of them, by a numerical convolution of losses.

Nothing of the package is imported. The privacy loss of each step is put on a fine grid in binary floats, each outcome
shared between its two neighbours, and convolved by the discrete Fourier transform. That proves nothing, so every claim
of the index is far enough from the border for it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.vectors.fixture_files import MECHANISMS, read_json
from tests.vectors.mechanism_rows import COMPOSED

INDEX = {entry["file"]: entry for entry in read_json(MECHANISMS / "index.json")}
WIDTH, POINTS = 1e-4, 1 << 19
FINE = 400_001

Law = tuple[np.ndarray, np.ndarray]
"""Losses log(p/q) and the masses of P, without outcomes of infinite loss."""


def gaussian(sigma: float, rate: float, *, adds: bool) -> Law:
    """One step: (1-q) N(0, sigma²) + q N(1, sigma²) against N(0, sigma²), or the other way round."""
    x = np.linspace(-12 * sigma, 1 + 12 * sigma, FINE)
    base = np.exp(-(x**2) / (2 * sigma**2)) * (x[1] - x[0]) / np.sqrt(2 * np.pi) / sigma
    ratio = 1 - rate + rate * np.exp((2 * x - 1) / (2 * sigma**2))
    return (-np.log(ratio), base) if adds else (np.log(ratio), base * ratio)


def laplace(scale: float) -> Law:
    """One step of sensitivity 1."""
    edges = np.linspace(0, 1, FINE)
    middle = (edges[:-1] + edges[1:]) / 2
    inside = np.exp(-edges[:-1] / scale) / 2 - np.exp(-edges[1:] / scale) / 2
    losses = np.concatenate([[1 / scale], (1 - 2 * middle) / scale, [-1 / scale]])
    return losses, np.concatenate([[0.5], inside, [np.exp(-1 / scale) / 2]])


def discrete_gaussian(sigma: float) -> Law:
    """One step of sensitivity 1."""
    x = np.arange(-200, 201)
    weights = np.exp(-(x**2) / (2 * sigma**2))
    return (1 - 2 * x) / (2 * sigma**2), weights / weights.sum()


def response(ratio: float) -> Law:
    """Randomized response."""
    return np.log([ratio, 1 / ratio]), np.array([ratio, 1]) / (1 + ratio)


def steps_of(document: dict[str, Any], *, adds: bool) -> list[tuple[Law, int]]:
    """The steps of an expression."""
    name = document["mechanism"]
    if name == "compose":
        return [step for part in document["of"] for step in steps_of(part, adds=adds)]
    if name == "repeat":
        return [(law, times * document["times"]) for law, times in steps_of(document["of"], adds=adds)]
    if name == "poisson_subsample":
        assert document["neighbours"] == "add_remove"
        assert document["of"]["mechanism"] == "gaussian"
        return [(gaussian(float(document["of"]["sigma"]), float(document["rate"]), adds=adds), 1)]
    laws = {
        "gaussian": lambda: gaussian(float(document["sigma"]), 1.0, adds=adds),
        "laplace": lambda: laplace(float(document["scale"])),
        "discrete_gaussian": lambda: discrete_gaussian(float(document["sigma"])),
        "randomized_response": lambda: response(float(document["exp_epsilon"])),
    }
    return [(laws[name](), 1)]


def deltas(document: dict[str, Any], epsilons: list[float], *, adds: bool) -> list[float]:
    """About delta of the composition at each epsilon, one direction."""
    product = np.ones(POINTS // 2 + 1, dtype=complex)
    for (losses, masses), times in steps_of(document, adds=adds):
        place = losses / WIDTH
        below = np.floor(place).astype(int)
        share = place - below
        grid = np.bincount(below % POINTS, weights=masses * (1 - share), minlength=POINTS)
        grid += np.bincount((below + 1) % POINTS, weights=masses * share, minlength=POINTS)
        product *= np.fft.rfft(grid) ** times
    law = np.fft.irfft(product, POINTS)
    points = np.arange(POINTS)
    losses = np.where(points < POINTS // 2, points, points - POINTS) * WIDTH
    return [float(np.sum(law * np.maximum(0, 1 - np.exp(np.minimum(eps - losses, 0))))) for eps in epsilons]


def largest_loss(document: dict[str, Any]) -> Fraction | None:
    """The sum of the largest losses of Laplace steps; None where another step is among them."""
    name = document["mechanism"]
    if name == "repeat":
        inner = largest_loss(document["of"])
        return None if inner is None else inner * document["times"]
    return 1 / Fraction(document["scale"]) if name == "laplace" else None


@pytest.mark.parametrize("file", COMPOSED)
def test_composed_audits_are_true_by_convolution(file):
    """Each verdict by the larger direction, at least a ten-thousandth of delta away from the border."""
    document = read_json(MECHANISMS / file)
    for audit in INDEX[file]["audits"]:
        (text,) = audit["claims"]
        claim = dict(part.split("=") for part in text.split(","))
        allowed = float(claim.get("delta", "0"))
        if not allowed:
            assert audit["verdict"] == ("holds" if Fraction(claim["eps"]) >= largest_loss(document) else "refuted")
            assert Fraction(audit["tight_epsilon"]) == largest_loss(document)
            continue
        least = max(deltas(document, [float(claim["eps"])], adds=adds)[0] for adds in (False, True))
        assert abs(least - allowed) > 1e-4 * allowed
        assert audit["verdict"] == ("holds" if least < allowed else "refuted")
        assert audit["equality"] is False
