"""The discrete Gaussian pair on the integers: P(z) ∝ e^(-z²/(2σ²)), Q the same law moved by the sensitivity s.

p/q = e^((s² - 2sz)/(2σ²)) falls in z, so {p > a q} = {z < c} with c = s/2 - σ² eps/s, and rejection sets are
{z >= k}. With U(x) = Σ_{j>=0} e^(-(x+j)²/(2σ²)) every value is a quotient of such sums. They are added up term by term;
what is left out is bounded by a geometric series, and the bound is part of the ball. The pair is symmetric
(z -> s - z).

Reference: C. Canonne, G. Kamath and T. Steinke, *The discrete Gaussian for differential privacy*, NeurIPS 2020.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from flint import arb
from gmpy2 import isqrt, mpq, mpz

from oracle.channels.renyi import Renyi
from oracle.enclosures import DEFAULT_DIGITS, Ball, enclose, precision, rational_ball
from oracle.errors import InputError, LimitError, UndecidedError, shorten
from oracle.exact import INFINITY, Extended, Infinity, to_text
from oracle.experiments.base import Experiment, moment_value, require_short
from oracle.levels import Level

if TYPE_CHECKING:
    from oracle.channels.divergences import Direction

__all__ = ["MAX_TERMS", "DiscreteGaussian"]

MAX_TERMS: Final = 1_000_000
"""Most terms of one sum; a sigma of about 50,000 at 15 digits."""

_SEARCH_BITS: Final = 64
_MOST_CACHED: Final = 256


class DiscreteGaussian(Experiment):
    """The discrete Gaussian of parameter sigma and its translate by the sensitivity.

    Args:
        sigma: above 0, the parameter (close to, but not exactly, the standard deviation).
        sensitivity: a whole number, at least 1.
    """

    __slots__ = ("_cache", "sensitivity", "sigma", "variance")

    sigma: mpq
    sensitivity: int
    variance: mpq

    def __init__(self, sigma: mpq, sensitivity: int = 1) -> None:
        if sigma <= 0:
            raise InputError("sigma above 0", shorten(to_text(sigma)))
        if sensitivity < 1:
            raise InputError("a whole sensitivity of at least 1", shorten(sensitivity))
        require_short(sigma, "sigma")
        require_short(mpq(sensitivity), "sensitivity")
        self.sigma, self.sensitivity, self.variance = sigma, sensitivity, sigma * sigma
        self._cache: dict[tuple[mpq, int], arb] = {}

    @property
    def symmetric(self) -> bool:
        """True: z -> s - z exchanges the laws."""
        return True

    def to_json(self) -> dict[str, Any]:
        """``discrete_gaussian``."""
        fields = {"sigma": to_text(self.sigma), "sensitivity": to_text(mpq(self.sensitivity))}
        return {"mechanism": "discrete_gaussian", **fields}

    def _upper(self, x: mpq, bits: int) -> arb:
        """U(x) of relative radius about 2^-bits; for x <= 0 the symmetry of the full sum is used.

        U(x) = U_full(x) - U(1 - x), where U_full(x), the sum over all of x + Z, is U(f) + U(1 - f) with f the
        fractional part of x.
        """
        if x <= 0:
            fraction = x - x.numerator // x.denominator
            full = self._upper(1 - fraction, bits) + (self._upper(fraction, bits) if fraction else self._at_zero(bits))
            return full - self._upper(1 - x, bits)
        key = (x, bits)
        if key not in self._cache:
            if len(self._cache) >= _MOST_CACHED:
                self._cache.clear()
            self._cache[key] = self._sum(x, bits)
        return self._cache[key]

    def _at_zero(self, bits: int) -> arb:
        return 1 + self._upper(mpq(1), bits)

    def _sum(self, x: mpq, bits: int) -> arb:
        """U(x) for x > 0.

        The term at x + j + 1 is the one at x + j times r_j = e^(-(2(x+j)+1)/(2σ²)), and r falls, so all terms from
        x + n on add up to at most t_n/(1 - r_n). n is chosen so that t_n is below 2^-bits of the first term.
        """
        needed = x * x + 2 * self.variance * bits
        terms = isqrt(needed.numerator // needed.denominator + 1) + 2 - x.numerator // x.denominator
        if terms > MAX_TERMS:
            raise LimitError(f"a sum of at most {MAX_TERMS} terms", shorten(terms), "discrete_gaussian")
        count = int(terms)
        with precision(bits + 2 * count.bit_length() + 16):
            twice = 2 * self.variance
            term = rational_ball(-x * x / twice).exp()
            ratio = rational_ball(-(2 * x + 1) / twice).exp()
            fall = rational_ball(-1 / self.variance).exp()
            total = arb(0)
            for _ in range(count):
                total += term
                term *= ratio
                ratio *= fall
            # What is left out lies between 0 and the bound of the tail.
            return total + arb(0).union((term / (1 - ratio)).upper())

    def _whole(self, bits: int) -> arb:
        """The normaliser Σ_z e^(-z²/(2σ²)) = 1 + 2 U(1)."""
        return 1 + 2 * self._upper(mpq(1), bits)

    def hockey_stick_ball(self, epsilon: Ball, side: Direction) -> Ball:  # noqa: ARG002 - symmetric
        """(U(-k) - a U(s - k))/U_full with k the largest z < c, 0 <= D_a <= 1 where that is too long an integer.

        Where the ball of c holds one integer, that outcome has p close to a q, and its max(0, p - a q) is added as a
        ball; where it holds several, nothing is known but 0 <= D_a <= 1.
        """
        s = self.sensitivity

        def ball(bits: int) -> arb:
            with precision(bits):
                eps = epsilon(bits)
                crossing = rational_ball(mpq(s, 2)) - rational_ball(self.variance / s) * eps
                low, high = _ceiling_less_one(crossing.lower()), _ceiling_less_one(crossing.upper())
                if low is None or high is None or high - low > 1:
                    return arb(0).union(arb(1))
                level = eps.exp()
                # Outcomes up to low have p > a q; one more may have.
                total = self._upper(mpq(-low), bits) - level * self._upper(mpq(s - low), bits)
                if high > low:
                    gap = self._weight(mpz(high)) - level * self._weight(mpz(high - s))
                    total += gap.max(arb(0))
                return total / self._whole(bits)

        return ball

    def _weight(self, z: mpz) -> arb:
        return rational_ball(-mpq(z * z) / (2 * self.variance)).exp()

    def _ball(self, level: Level, side: Direction) -> Ball:
        if level.exponent is not None:
            require_short(level.exponent, "epsilon")
        return super()._ball(level, side)

    def singular_mass(self, side: Direction) -> mpq:  # noqa: ARG002 - symmetric
        """0: every integer has positive probability."""
        return mpq(0)

    def largest_loss(self, side: Direction, digits: int = DEFAULT_DIGITS) -> Level:  # noqa: ARG002
        """Infinite: the privacy loss is unbounded."""
        return Level.infinite()

    def beta_ball(self, alpha: mpq, side: Direction) -> Ball:  # noqa: ARG002 - symmetric
        """The largest at alpha of three neighbouring lines of T.

        T is piecewise linear and convex with corners alpha_k = P(z >= k), beta_k = Q(z < k), so no line exceeds it,
        and its own line at alpha is among those of the outcomes around the k that a search at low precision finds.
        """
        k = self._rejection_start(alpha)

        def ball(bits: int) -> arb:
            with precision(bits):
                whole = self._whole(bits)
                lines = [self._line(j, alpha, bits, whole) for j in (k - 1, k, k + 1)]
                return lines[0].max(lines[1]).max(lines[2])

        return ball

    def _line(self, k: int, alpha: mpq, bits: int, whole: arb) -> arb:
        """beta_k + (alpha_k - alpha)·q(k-1)/p(k-1), the line from corner k to corner k - 1."""
        s = self.sensitivity
        slope = rational_ball(mpq(s * (2 * (k - 1) - s)) / (2 * self.variance)).exp()
        corner = self._upper(mpq(k), bits) / whole
        # Q(z < k) = P(z < k - s) = P(z >= s + 1 - k).
        return self._upper(mpq(s + 1 - k), bits) / whole + (corner - rational_ball(alpha)) * slope

    def _rejection_start(self, alpha: mpq) -> int:
        """An integer k with P(z >= k + 1) < alpha < P(z >= k - 2), proved; found by bisection on midpoints.

        Above 1/2 the complements P(z < k) are compared instead, so that what is compared is small and its ball
        relatively accurate.

        Raises:
            UndecidedError: if the bisection misses, which its precision does not allow for within ``MAX_TERMS``.
        """
        with precision(_SEARCH_BITS):
            whole = self._whole(_SEARCH_BITS)
            target = whole * rational_ball(min(alpha, 1 - alpha))
            small = alpha <= mpq(1, 2)

            def excess(k: int) -> arb:
                """A ball of the sign of P(z >= k) - alpha."""
                return (
                    self._upper(mpq(k), _SEARCH_BITS) - target
                    if small
                    else target - self._upper(mpq(1 - k), _SEARCH_BITS)
                )

            step = 1
            while excess(step).mid() > 0:
                step *= 2
            high, step = step, 1
            while excess(-step).mid() <= 0:
                step *= 2
            low = -step
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if excess(middle).mid() > 0 else (low, middle)
            if not (excess(high + 1) < 0 < excess(high - 2)):
                raise UndecidedError("where alpha lies among the corners of the trade-off function", _SEARCH_BITS)
        return high

    def least_rho(self) -> mpq:
        """The number s²/(2σ²), exactly.

        D_a = a·s²/(2σ²) + log(Θ((a-1)s)/Θ(0))/(a - 1) with Θ(t) = Σ_z e^(-(z-t)²/(2σ²)): complete the square. Θ has
        period 1 and, by Poisson's summation formula, is a sum of cosines with positive coefficients, so Θ(t) <= Θ(0)
        with equality at whole t, order 2 for one (Canonne, Kamath and Steinke 2020, theorem 14).
        """
        return self.sensitivity**2 / (2 * self.variance)

    def renyi_one_sided(self, order: Extended, side: Direction, digits: int) -> Renyi:  # noqa: ARG002
        """Moment e^(a(a-1)s²/(2σ²)) · Σ_z e^(-(z-(1-a)s)²/(2σ²)) / Σ_z e^(-z²/(2σ²)), by completing the square.

        The two sums are equal where (1-a)s is an integer: then D = a s²/(2σ²) exactly.
        """
        if isinstance(order, Infinity):
            return Renyi(None, INFINITY)
        require_short(order, "order")
        divergence = order * self.sensitivity**2 / (2 * self.variance)
        shift = (1 - order) * self.sensitivity

        def moment(bits: int) -> arb:
            with precision(bits):
                factor = rational_ball((order - 1) * divergence).exp()
                if shift.denominator == 1:
                    return factor
                fraction = shift - shift.numerator // shift.denominator
                full = self._upper(fraction, bits) + self._upper(1 - fraction, bits)
                return factor * full / self._whole(bits)

        if shift.denominator == 1:
            return Renyi(moment_value(moment, order, digits), divergence)

        def ball(bits: int) -> arb:
            with precision(bits):
                return moment(bits).log() / rational_ball(order - 1)

        return Renyi(None, enclose(ball, digits))


def _ceiling_less_one(x: arb) -> int | None:
    """The largest integer below an exact x, if x is of bearable size."""
    whole = x.ceil().unique_fmpz() if x.is_finite() else None
    return None if whole is None else int(whole) - 1
