"""The certified value of a case, by the method that suits it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log

from flint import arb
from gmpy2 import mpq

from oracle.accountant.closed_form_parts import Gaussian as GaussianPart
from oracle.accountant.closed_form_parts import Laplace as LaplacePart
from oracle.accountant.contour import delta as contour_delta
from oracle.accountant.laplace_residues import LaplaceComposition
from oracle.accountant.least_epsilon import least_epsilon
from oracle.accountant.parts import Composition, compose, swapped
from oracle.accountant.subsampled_gaussian import SubsampledGaussian
from oracle.enclosures import DEFAULT_DIGITS, Ball, Enclosure, arb_from_rational, enclose, precision, rational_ball
from oracle.errors import LimitError
from oracle.exact import Infinity
from oracle.experiments.gaussian import Gaussian as GaussianPair
from oracle.experiments.subsampled import poisson_subsampled
from tests.benchmarks.accountants.cases import Approximate, Case, Gaussian, Laplace, Response, Subsampled, double

__all__ = ["Truth", "answer"]

_MOST_STEPS = 100
_SECANTS = 6
_HINT_DIGITS = 3
_STEEP = -50.0
"""Below this log of a ratio the search bisects (nearer the low end) rather than interpolates."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A certified value.

    Attributes:
        value: its enclosure.
        method: how it was had.
    """

    value: Enclosure
    method: str


def _rational(text: str) -> mpq:
    return mpq(double(text))


def answer(case: Case, digits: int = DEFAULT_DIGITS) -> Truth:
    """The value that the case asks for: the larger of the two directions."""
    if case.epsilon is not None:
        return _delta(case, _rational(case.epsilon), digits)
    if _closed(case, mpq(1))[0]:
        return _epsilon(case, digits)
    try:
        values = [least_epsilon(composition, _rational(case.delta or ""), digits) for composition in _directions(case)]
    except LimitError:
        # One line near the answer is beyond the limits of nodes; a line for each point need not be.
        return _epsilon(case, digits)
    if any(isinstance(value, Infinity) for value in values):
        raise LimitError("a finite epsilon", f"none for {case.name}")
    return Truth(_larger([value for value in values if isinstance(value, Enclosure)]), "contour")


def _delta(case: Case, epsilon: mpq, digits: int) -> Truth:
    balls, method = _closed(case, epsilon)
    if balls:
        values = [enclose(ball, digits) for ball in balls]
    else:
        method = "contour"
        values = [
            contour_delta(composition, lambda bits: arb_from_rational(epsilon, bits), digits).value
            for composition in _directions(case)
        ]
    return Truth(_larger(values), method)


def _larger(values: Sequence[Enclosure]) -> Enclosure:
    return Enclosure(max(value.lo for value in values), max(value.hi for value in values))


def _closed(case: Case, epsilon: mpq) -> tuple[list[Ball], str]:
    """Balls of the directions where a closed form is at hand, and its name."""
    kinds = {type(part) for part in case.parts}

    def at(bits: int) -> arb:
        return arb_from_rational(epsilon, bits)

    if kinds == {Gaussian}:
        pair = GaussianPair(_theta_squared(case))
        return [pair.hockey_stick_ball(at, "forward")], "closed form"
    if kinds == {Laplace}:
        groups = [(1 / _rational(part.scale), part.times) for part in case.parts if isinstance(part, Laplace)]
        return [LaplaceComposition(groups).delta(epsilon).ball], "residues"
    (part, *others) = case.parts
    if not others and isinstance(part, Response | Approximate):
        return [_two_losses(part, at)], "closed form"
    if not others and isinstance(part, Subsampled) and part.times == 1:
        pair = poisson_subsampled(GaussianPair(1 / _rational(part.sigma) ** 2), _rational(part.rate))
        return [pair.hockey_stick_ball(at, side) for side in ("forward", "backward")], "closed form"
    return [], ""


def _theta_squared(case: Case) -> mpq:
    return sum((part.times / _rational(part.sigma) ** 2 for part in case.parts if isinstance(part, Gaussian)), mpq(0))


def _directions(case: Case) -> list[Composition]:
    """Remove, and add where it differs."""
    removed = _composition(case)
    return list(dict.fromkeys((removed, swapped(removed))))


def _composition(case: Case) -> Composition:
    parts = []
    for part in case.parts:
        match part:
            case Subsampled():
                law = SubsampledGaussian.of(_rational(part.sigma), _rational(part.rate))
            case Gaussian():
                law = GaussianPart(1 / _rational(part.sigma) ** 2)
            case Laplace():
                law = LaplacePart(1 / _rational(part.scale))
            case _:
                raise LimitError("parts that have a transform here", part.label())
        parts.append((law, part.times))
    return compose(parts)


def _two_losses(part: Response | Approximate, at: Ball) -> Ball:
    """Delta of steps whose loss is inf with probability d, else s with probability p/(p+q), else -s, p/q = e^s.

    delta = 1 - (1-d)^k + (1-d)^k Σ_j C(k,j) max(0, p^j q^(k-j) - e^eps q^j p^(k-j)) with p + q = 1.
    """
    k = part.times

    def ball(bits: int) -> arb:
        with precision(2 * bits + 64):
            level = at(2 * bits + 64).exp()
            if isinstance(part, Response):
                q, lost = rational_ball(_rational(part.flip)), arb(0)
            else:
                q, lost = 1 / (1 + rational_ball(_rational(part.epsilon)).exp()), rational_ball(_rational(part.delta))
            p, total = 1 - q, arb(0)
            # C(k,j) p^j q^(k-j) and C(k,j) q^j p^(k-j), each from the one before.
            up, down = q**k, p**k
            for j in range(k + 1):
                total += (up - level * down).nonnegative_part()
                if j < k:
                    ways = arb(k - j) / (j + 1)
                    up, down = up * ways * p / q, down * ways * q / p
            kept = (1 - lost) ** k
            return 1 - kept + kept * total

    return ball


def _epsilon(case: Case, digits: int) -> Truth:
    """The least epsilon with delta(epsilon) <= delta: two rationals where the sign of the difference is proved.

    Floats propose where to look (regula falsi on log delta, Illinois rule); each end is proved by an enclosure.
    """
    delta = _rational(case.delta or "")

    def excess(epsilon: float) -> float:
        """About log(delta(epsilon)/delta)."""
        ratio = float(_delta(case, mpq(epsilon), _HINT_DIGITS).value.hi / delta)
        return log(ratio) if ratio > 0 else -inf

    low, high = 0.0, 1.0
    at_low, at_high = excess(low), excess(high)
    while at_high > 0:
        low, at_low, high = high, at_high, 2 * high
        at_high = excess(high)
    middle = high
    for _ in range(_MOST_STEPS):
        split = at_low / (at_low - at_high) if at_high > _STEEP else 0.1
        before, middle = middle, low + (high - low) * split
        if abs(middle - before) <= middle * 1e-6:
            break
        about = excess(middle)
        if about > 0:
            low, at_low, at_high = middle, about, at_high / 2
        else:
            high, at_high, at_low = middle, about, at_low / 2
    return _proved(case, delta, middle, digits)


def _proved(case: Case, delta: mpq, near: float, digits: int) -> Truth:
    """The epsilon near a float that is good to a few digits: secant steps, then a proof at both ends."""

    def found(epsilon: float) -> Truth:
        return _delta(case, mpq(epsilon), digits)

    def excess(truth: Truth) -> float:
        return float(truth.value.hi / delta - 1)

    x, y = near, near * (1 + 1e-5)
    at_x, at_y = excess(found(x)), excess(found(y))
    for _ in range(_SECANTS):
        if abs(at_y) < 10.0**-digits or at_x == at_y:
            break
        x, y, at_x = y, y - at_y * (y - x) / (at_y - at_x), at_y
        at_y = excess(found(y))
    step = abs(y) * 10.0**-digits / 8
    for _ in range(_MOST_STEPS):
        below, above = found(y - step), found(y + step)
        if below.value.lo > delta >= above.value.hi:
            return Truth(Enclosure(mpq(y - step), mpq(y + step)), above.method)
        step *= 2
    raise LimitError("signs that can be proved", f"none for {case.name}")
