"""Gain functions and g-vulnerability, for any number of rows.

A gain function is a nonnegative matrix g, actions x inputs. With prior π the prior vulnerability is
max_a Σ_x π_x g(a, x), and the posterior vulnerability of a channel C is

    V_g(C) = Σ_y max_a Σ_x π_x g(a, x) C(x, y).

C ⊑ M holds exactly when V_g(C) >= V_g(M) for every g (coriaceous theorem; for two rows hockey sticks suffice).
Source: Alvim et al., The Science of Quantitative Information Flow, 2020, chapters 5 and 9; Fernandes et al. 2025,
definition 6 (uniform prior).
"""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq

from oracle.channels.channel import Channel, Rows, parse_matrix
from oracle.errors import InputError, shorten
from oracle.exact import parse_number, to_text

__all__ = ["parse_gain", "parse_prior", "posterior_vulnerability", "prior_vulnerability", "uniform_prior"]

Prior = tuple[mpq, ...]


def uniform_prior(inputs: int) -> Prior:
    """The prior that gives each input the same probability."""
    return (mpq(1, inputs),) * inputs


def parse_gain(value: object, inputs: int, where: str = "gain") -> Rows:
    """Read a gain function: a matrix actions x *inputs* of numbers at least 0."""
    gain = parse_matrix(value, where)
    if len(gain[0]) != inputs:
        raise InputError(f"{inputs} columns, one for each input", f"{len(gain[0])}", where)
    for i, row in enumerate(gain):
        for j, entry in enumerate(row):
            if entry < 0:
                raise InputError("a gain at least 0", shorten(to_text(entry)), f"{where}[{i}][{j}]")
    return gain


def parse_prior(value: object, inputs: int, where: str = "prior") -> Prior:
    """Read a probability distribution over *inputs* inputs."""
    if not isinstance(value, (list, tuple)) or len(value) != inputs:
        got = f"{len(value)} numbers" if isinstance(value, (list, tuple)) else shorten(value)
        raise InputError(f"a list of {inputs} probabilities", got, where)
    prior = tuple(parse_number(v, f"{where}[{i}]") for i, v in enumerate(value))
    for i, weight in enumerate(prior):
        if weight < 0:
            raise InputError("a probability at least 0", shorten(to_text(weight)), f"{where}[{i}]")
    if sum(prior, mpq(0)) != 1:
        raise InputError("probabilities that sum to 1", f"a sum of {shorten(to_text(sum(prior, mpq(0))))}", where)
    return prior


def prior_vulnerability(gain: Rows, prior: Sequence[mpq]) -> mpq:
    """max_a Σ_x π_x g(a, x): the best expected gain without seeing an output."""
    return max(sum((w * g for w, g in zip(prior, row, strict=True)), mpq(0)) for row in gain)


def posterior_vulnerability(channel: Channel, gain: Rows, prior: Sequence[mpq] | None = None) -> mpq:
    """V_g(C) under *prior* (uniform by default): the expected gain of the best action after each output."""
    weights = uniform_prior(len(channel.rows)) if prior is None else tuple(prior)
    actions = [[w * g for w, g in zip(weights, row, strict=True)] for row in gain]
    total = mpq(0)
    for column in zip(*channel.numerators, strict=True):
        total += max(sum((a * c for a, c in zip(action, column, strict=True)), mpq(0)) for action in actions)
    return total / channel.scale
