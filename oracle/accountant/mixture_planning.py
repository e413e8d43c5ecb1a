"""Where to put the nodes of a line of :mod:`oracle.accountant.mixture_line`: proposals in floats, never believed.

With depth d (an error of about e^-d times M is wanted), the step follows from pi A/h = d + log(1 + e^(A²/2) B/M) and
the height A is the one that makes h largest; the window is widened until the terms beyond are below e^-d M.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, cos, exp, expm1, floor, inf, log, log1p, pi, sin, sqrt
from typing import Final

from oracle.accountant.hints import dyadic, positive_float
from oracle.accountant.mixture_line import Line, Mixture
from oracle.errors import LimitError

__all__ = ["MAX_LINE_NODES", "log_moment_hint", "log_ratio_hint", "parameters", "plan_line", "window"]

MAX_LINE_NODES: Final = 20_000
"""Most nodes of one line."""

_ANGLES: Final = (3.1, 2.8, 2.4, 2.0, 1.57, 1.1, 0.8, 0.5, 0.3, 0.2, 0.1)
_HINT_DEPTH: Final = 16.0
_MOST_HINT_NODES: Final = 4000
_REACH: Final = 6.5
_MOST_EXPONENT: Final = 300.0


@lru_cache(maxsize=1024)
def parameters(mixture: Mixture) -> tuple[float, float]:
    """About theta and q; q is kept away from the ends of [0, 1]."""
    theta_squared, rate, keep = (positive_float(x) for x in (mixture.theta_squared, mixture.rate, 1 - mixture.rate))
    if not keep < 1 or not rate < 1:
        raise LimitError("a rate that binary64 tells from 0 and 1", f"{rate}")
    return sqrt(theta_squared), rate


def log_ratio_hint(theta: float, rate: float, x: float) -> float:
    """About log r(x)."""
    keep = log1p(-rate)
    u = theta * x - theta * theta / 2 + log(rate) - keep
    return keep + (u + log1p(exp(-u)) if u > 0 else log1p(exp(u)))


@lru_cache(maxsize=1 << 14)
def log_moment_hint(mixture: Mixture, alpha: float) -> float:
    """About log M(alpha) for a real alpha; inf where too many nodes would be needed."""
    theta, rate = parameters(mixture)
    left, right = -_REACH, max(0.0, alpha * theta) + _REACH
    if alpha < 0:
        # The integrand is log-concave, with a second derivative of its logarithm of at most -1: near its mode it stays.
        mode = _mode(theta, rate, alpha)
        left, right = mode - _REACH, mode + _REACH
    height = min(sqrt(2 * _HINT_DEPTH), 3.0 / theta)
    if alpha < 0:
        height = min(height, 1.57 / theta)
    step = 2 * pi * height / (_HINT_DEPTH + height * height / 2)
    if not (right - left) / step < _MOST_HINT_NODES:
        return inf
    values = []
    x = left
    while x < right:
        values.append(alpha * log_ratio_hint(theta, rate, x) - x * x / 2)
        x += step
    top = max(values)
    return top + log(step * sum(exp(v - top) for v in values) / sqrt(2 * pi))


def _mode(theta: float, rate: float, alpha: float) -> float:
    """About the x with x = alpha theta w/r, alpha < 0."""
    low, high = alpha * theta, 0.0
    shift = log(rate) - log1p(-rate) - theta * theta / 2
    for _ in range(24):
        x = (low + high) / 2
        share = 1 / (1 + exp(min(-(theta * x + shift), 700.0)))
        if x < alpha * theta * share:
            low = x
        else:
            high = x
    return (low + high) / 2


def window(mixture: Mixture, alpha: float, depth: float, step: float, shift: float) -> tuple[float, float]:
    """Where the terms beyond, on the line Im x = *shift*, add up to about e^-depth M(alpha).

    For alpha < 0 they grow as |r| falls off the real line.
    """
    theta, rate = parameters(mixture)
    target = log_moment_hint(mixture, alpha) - depth - shift * shift / 2 - log(step)
    start = sqrt(2 * depth) if depth > 0 else 1.0
    right = max(alpha * theta, 0.0) + 0.25
    turn = theta * shift if alpha < 0 else 0.0
    while _term(theta, rate, alpha, right, turn) - log(-expm1(-(right - max(alpha * theta, 0.0)) * step)) > target:
        right += 0.25
    left = min(-start / 2, -0.25)
    while _left_edge(theta, rate, alpha, left, turn) - log(-expm1(left * step)) > target:
        left -= 0.25
    return left, right


def _left_edge(theta: float, rate: float, alpha: float, left: float, turn: float) -> float:
    """About log of the bound of the first term left out."""
    if alpha >= 0:
        return _term(theta, rate, alpha, left)
    fixed = alpha * log1p(-rate) - left * left / 2
    return min(fixed, _term(theta, rate, alpha, left, turn)) if left < alpha * theta - 1 else fixed


def _term(theta: float, rate: float, alpha: float, x: float, turn: float = 0.0) -> float:
    """About log of n(x)|r|^alpha, r = (1-q)(1 + v e^(i turn)), up to a constant."""
    size = log_ratio_hint(theta, rate, x)
    if turn:
        v = exp(min(theta * x - theta * theta / 2 + log(rate) - log1p(-rate), _MOST_EXPONENT))
        # |1 + v e^(i turn)|² = (1 + v)² - 2 v (1 - cos turn).
        size += log1p(-2 * v * (1 - cos(turn)) / (1 + v) ** 2) / 2
    return alpha * size - x * x / 2


def plan_line(mixture: Mixture, alpha: float, bits: int, *, shifted: bool) -> Line:
    """A line whose errors are about 2^-bits M(alpha).

    Raises:
        LimitError: if it would take more than ``MAX_LINE_NODES`` nodes.
    """
    theta, rate = parameters(mixture)
    depth = (bits + 2) * log(2.0)
    moment = log_moment_hint(mixture, alpha)
    best_step, best_height = 0.0, 1.0
    for angle in _ANGLES:
        height = min(sqrt(2 * depth), angle / theta)
        angle_reached = height * theta
        bound = 0.0
        if alpha < 0:
            least = 1.0 if angle_reached <= pi / 2 else sin(angle_reached)
            bound = min(alpha * (log1p(-rate) + log(least)) - moment, alpha * log(cos(angle_reached / 2)))
        boundary = bound + height * height / 2
        need = depth + (boundary + log1p(exp(-boundary)) if boundary > 0 else log1p(exp(boundary))) + 0.1
        step = (1 if shifted else 2) * pi * height / need
        if step > best_step:
            best_step, best_height = step, height
    exact_step = dyadic(best_step)
    width = float(exact_step)
    reach = (max(alpha * theta, 0.0) + 10) / width
    if not reach < MAX_LINE_NODES:
        raise LimitError(f"at most {MAX_LINE_NODES} nodes of quadrature", f"about {reach:.3g}")
    left, right = window(mixture, alpha, depth + log(2.0), width, best_height / 2 if shifted else 0.0)
    first, last = floor(left / width), ceil(right / width)
    if last - first >= MAX_LINE_NODES:
        raise LimitError(f"at most {MAX_LINE_NODES} nodes of quadrature", str(last - first))
    return Line(first * exact_step, exact_step, last - first + 1, dyadic(best_height), shifted)
