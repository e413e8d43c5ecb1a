"""E[r(X)^a] for r(x) = 1 - q + q e^(theta x - theta²/2), X standard normal and complex a, by the trapezoid rule.

r is the likelihood ratio of the Poisson-subsampled Gaussian pair (rate q, theta = sensitivity/sigma) to its normal law,
so with M(a) = E[r(X)^a] the transform of the loss is K(z) = M(z+1) for (mixture, normal), *remove*, and K(z) = M(-z)
for (normal, mixture), *add*. Here 0 < q < 1 and log r is the branch that is real on the real line: r has no zero and
takes no negative value for |Im x| < pi/theta, as Im r = q e^(...) sin(theta Im x) vanishes only for real x.

Let f(x) = n(x) r(x)^(alpha + it), n the normal density, alpha real, t >= 0, and write w = q e^(theta x - theta²/2)
for real x, psi = theta·y. Facts, for 0 <= psi < pi:

    |n(x+iy)| = e^(y²/2) n(x),   |r(x+iy)|² = (1-q)² + 2(1-q) w cos psi + w²,   0 <= arg r(x+iy) < pi.

So |r(x+iy)^(it)| = e^(-t arg r) <= 1 on and above the real line (arg is odd in y), whatever t is. Also
|r(x+iy)| <= r(x), and |r(x+iy)| >= (1-q) m with m = 1 for psi <= pi/2 and m = sin psi above (the least value of the
quadratic in w >= 0), and |r(x+iy)| >= r(x) cos(psi/2), as |r(x+iy)|² = r(x)² - 2(1-q) w (1 - cos psi) and
4(1-q) w <= r(x)². Hence, for 0 <= y < pi/theta,

    ∫ |f(x+iy)| dx <= e^(y²/2) B(psi),   B = M(alpha) for alpha >= 0,
    B = min(((1-q) m)^alpha, M(alpha) cos(psi/2)^alpha) for alpha < 0.
    (1)

Trapezoid rule on the line Im x = A/2, theta·A < pi (contour moved there by Cauchy: f decays like n). f is analytic in
0 < Im x < A and continuous on the boundary, so (Trefethen and Weideman 2014, theorem 5.1, with both boundary
integrals kept)

    |h Σ_j f(x_j + iA/2) - M(alpha + it)| <= (M(alpha) + e^(A²/2) B(theta A))/(e^(pi A/h) - 1)  for every t >= 0.
    (2)

The bound does not depend on t: the same nodes serve all t. On the real line (t = 0 only) both boundaries are at
distance A: the error is at most 2 e^(A²/2) B/(e^(2 pi A/h) - 1).

The sum is cut to x_0 <= x_j <= x_1. Beyond a node the terms are bounded by geometric series (y = 0 or A/2, psi <= pi/2,
so that |r(x+iy)| grows with w):

- right, alpha >= 0: r(x+h) <= e^(theta h) r(x), so from the first node X left out on the terms fall at least by
  e^(-(X - alpha theta)h) each, for X > alpha·theta;  alpha < 0: |r|^alpha falls, the terms fall at least by e^(-Xh),
  X > 0;
- left, alpha >= 0: r falls to the left, the terms fall at least by e^(Xh), X < 0;  alpha < 0: likewise with |r|^alpha
  replaced by its bound (1-q)^alpha; or, as |r(x-h+iy)| >= e^(-theta h)|r(x+iy)| (each of its three terms is), the terms
  fall at least by e^((X - alpha theta)h), for X < alpha·theta.

The absolute values |h f(x_j + iA/2)| at t > 0 also bound M: |M(alpha + it)| <= ∫ |f(x + iA/2)| dx, whose integrand
e^(A²/8) n(x) |r|^alpha e^(-t arg r) continues analytically, |r|² = r(x+iA/2) r(x-iA/2) and
2i arg r = log r(x+iA/2) - log r(x-iA/2) being analytic for |Im x| < A/2 where theta·A < pi. At x + iv, |v| <= A/2, the
points lie at heights v + A/2 in [0, A] and v - A/2 in [-A, 0]; so Re arg-term = (arg r(.. v+A/2) - arg r(.. v-A/2))/2
>= 0, and the modulus is at most e^(A²/8) e^(v²/2) n(x) |r(x+i(v+A/2))|^(alpha/2) |r(x+i(v-A/2))|^(alpha/2). The
trapezoid rule on the real x thus has error at most 2 e^(A²/4) B(theta A)/(e^(pi A/h) - 1), and

    |M(alpha + i tau)| <= Σ_j |h f_0(x_j + iA/2)| e^(-t arg r_j) + that error + window, for every tau >= t.
     (3)

Reference: L. N. Trefethen and J. A. C. Weideman, *The exponentially convergent trapezoidal rule*, SIAM Review 56(3),
2014.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import acb, arb
from gmpy2 import mpq

from oracle.enclosures import rational_ball
from oracle.errors import LimitError

__all__ = ["Line", "LineErrors", "Mixture", "Node"]


@dataclass(frozen=True, slots=True)
class Mixture:
    """The two parameters: theta² > 0 (a rational) and the rate q, 0 < q < 1."""

    theta_squared: mpq
    rate: mpq


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the line: the ball of n(x)·h·r^alpha there, and of log r."""

    weight: acb
    log_ratio: acb


@dataclass(frozen=True, slots=True)
class Line:
    """A window of equally spaced nodes, all numbers exact: first + j·step + i·height/2, j = 0, ..., count - 1.

    Attributes:
        first: the leftmost node.
        step: h.
        count: the number of nodes.
        height: A; 0 < theta·A < pi.
        shifted: whether the nodes lie at Im x = A/2 (else on the real line, for t = 0 only).
    """

    first: mpq
    step: mpq
    count: int
    height: mpq
    shifted: bool

    def nodes(self, mixture: Mixture, alpha: arb) -> list[Node]:
        """The nodes' weights and logarithms, at the working precision."""
        theta, rate = rational_ball(mixture.theta_squared).sqrt(), rational_ball(mixture.rate)
        keep, half = 1 - rate, theta * theta / 2
        step, first, y = rational_ball(self.step), rational_ball(self.first), self._shift()
        turn = (acb(0, theta * y)).exp() * rate
        factor = step / (2 * arb.pi()).sqrt()
        found = []
        for j in range(self.count):
            x = first + j * step
            log_ratio = (turn * (theta * x - half).exp() + keep).log()
            point = acb(x, y)
            found.append(Node((log_ratio * alpha - point * point / 2).exp() * factor, log_ratio))
        return found

    def _shift(self) -> arb:
        return rational_ball(self.height) / 2 if self.shifted else arb(0)

    def outside(self, mixture: Mixture, alpha: arb) -> arb:
        """An upper bound of the sum of |weight| over all nodes left out; infinite if the window is too small."""
        theta, rate = rational_ball(mixture.theta_squared).sqrt(), rational_ball(mixture.rate)
        step, y = rational_ball(self.step), self._shift()
        half = theta * theta / 2
        right = rational_ball(self.first + self.count * self.step)
        left = rational_ball(self.first - self.step)
        factor = step * (y * y / 2).exp() / (2 * arb.pi()).sqrt()

        def ratio(x: arb) -> arb:
            w = rate * (theta * x - half).exp()
            return ((1 - rate) ** 2 + 2 * (1 - rate) * w * (theta * y).cos() + w * w).sqrt()

        fall = right - alpha * theta if alpha >= 0 else right
        if not (fall > 0 and left < 0):
            return arb.pos_inf()
        high = (alpha * ratio(right).log() - right * right / 2).exp() / -(-fall * step).expm1()
        at_left = (alpha * ratio(left).log()).exp()
        if alpha >= 0:
            low = at_left / -(left * step).expm1()
        else:
            low = (alpha * (1 - rate).log()).exp() / -(left * step).expm1()
            rise = left - alpha * theta
            if rise < 0:
                low = low.min(at_left / -(rise * step).expm1())
        return factor * (high + low * (-left * left / 2).exp())

    def errors(self, mixture: Mixture, alpha: arb, total: arb) -> LineErrors:
        """Bounds of what separates the sum from M, given the ball of Σ|weight| or, for alpha real, of the sum itself.

        Args:
            mixture: theta and q.
            alpha: the real part of the exponent.
            total: the ball of the real part of the sum at t = 0, which is M(alpha) up to the errors.

        Raises:
            LimitError: if the line proves nothing: the step is too coarse.
        """
        theta, keep = rational_ball(mixture.theta_squared).sqrt(), 1 - rational_ball(mixture.rate)
        height = rational_ball(self.height)
        angle = theta * height
        if not angle < arb.pi():
            raise LimitError("a line below the nearest zero", "one beyond it")
        outside = self.outside(mixture, alpha)
        grow = (height * height / 2).exp()
        denominator = ((1 if self.shifted else 2) * arb.pi() * height / rational_ball(self.step)).expm1()
        # B = a·M + b, and likewise the error is at most a'·M + b', so that M <= (total + outside + b')/(1 - a').
        a, b = arb(1), arb(0)
        if alpha < 0:
            least = keep if angle <= arb.pi() / 2 else keep * angle.sin()
            a, bounded = (alpha * (angle / 2).cos().log()).exp(), (alpha * least.log()).exp()
            if not a * total < bounded:
                a, b = arb(0), bounded
        both = grow if self.shifted else 2 * grow
        part, fixed = both * a / denominator, both * b / denominator
        if self.shifted:
            part += 1 / denominator
        if not part < arb("0.5"):
            raise LimitError("a line whose step proves something", "a step that is too coarse")
        moment = (total + outside + fixed).upper() / (1 - part)
        error = part * moment + fixed + outside
        absolute = 2 * (height * height / 4).exp() * (a * moment + b) / denominator + outside
        return LineErrors(moment.upper(), error.upper(), absolute.upper())


@dataclass(frozen=True, slots=True)
class LineErrors:
    """Upper bounds, exact balls.

    Attributes:
        moment: of M(alpha).
        error: of |sum - M(alpha + it)| for every t >= 0, by (2).
        absolute: of the two last terms of (3).
    """

    moment: arb
    error: arb
    absolute: arb
