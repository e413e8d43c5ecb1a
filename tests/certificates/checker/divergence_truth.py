"""What certificates of mu-GDP, Rényi orders and zCDP mean, by definition: all events, and sums in ball arithmetic.

Nothing of the package under test is imported.  Documents given here were accepted, so they are well-formed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, fmpq

ORDERS = [1 + Fraction(k, 16) for k in range(1, 80)] + [Fraction(10), Fraction(100)]


def _ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def _rows(d: Any) -> list[list[Fraction]]:
    return [[Fraction(text) for text in row] for row in d["channel"]["matrix"]]


def _pairs(d: Any) -> list[list[list[Fraction]]]:
    rows = _rows(d)
    return {"forward": [rows], "backward": [rows[::-1]], "both": [rows, rows[::-1]]}[d["direction"]]


def _curve(alpha: Fraction, mu: Fraction) -> arb:
    """G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu)."""
    if alpha in (0, 1):
        return _ball(1 - alpha)
    quantile = arb(2).sqrt() * (1 - 2 * _ball(alpha)).erfinv()
    return ((_ball(mu) - quantile) / arb(2).sqrt()).erfc() / 2


def gdp_held(d: Any) -> bool:
    """Every event, as a test, has a type II error of at least G_mu."""
    p, q = _rows(d)
    mu = Fraction(d["claim"]["mu"])
    assert mu >= 0
    for mask in range(1 << len(p)):
        event = [k for k in range(len(p)) if mask >> k & 1]
        alpha, beta = sum((p[k] for k in event), Fraction(0)), 1 - sum((q[k] for k in event), Fraction(0))
        if _ball(beta) < _curve(alpha, mu):
            return False
    return True


def gdp_refuted(d: Any) -> bool:
    """The test has the stated errors, and its type II error is below G_mu."""
    ((p, q),) = _pairs(d)
    alpha, beta = sum((p[k] for k in d["event"]), Fraction(0)), 1 - sum((q[k] for k in d["event"]), Fraction(0))
    stated = (Fraction(d["alpha"]), Fraction(d["beta"]))
    return (alpha, beta) == stated and bool(_ball(beta) < _curve(alpha, Fraction(d["claim"]["mu"])))


def _divergence(p: list[Fraction], q: list[Fraction], order: Fraction | None) -> arb:
    """D_order by its definition, None being infinity; +inf as a ball."""
    columns = [(a, b) for a, b in zip(p, q, strict=True) if a]
    both = [(_ball(a), _ball(b)) for a, b in columns if b]
    if not both or (len(both) < len(columns) and (order is None or order >= 1)):
        return arb.pos_inf()
    if order is None:
        most = max(a / b for a, b in columns)
        return _ball(most).log()
    if order == 1:
        return sum((a * (a / b).log() for a, b in both), arb(0))
    power = _ball(order)
    total = sum(((power * a.log() + (1 - power) * b.log()).exp() for a, b in both), arb(0))
    return total.log() / (power - 1)


def _claimed(claim: Any) -> tuple[Fraction | None, arb]:
    order = None if claim["order"] == "inf" else Fraction(claim["order"])
    if "epsilon" in claim:
        return order, _ball(Fraction(claim["epsilon"]))
    level = claim["exp_epsilon"]
    return order, arb.pos_inf() if level == "inf" else _ball(Fraction(level)).log()


def renyi_held(d: Any) -> bool:
    """The divergence is not above epsilon."""
    order, epsilon = _claimed(d["claim"])
    return not any(bool(_divergence(p, q, order) > epsilon) for p, q in _pairs(d))


def renyi_refuted(d: Any) -> bool:
    """The divergence is above epsilon."""
    ((p, q),) = _pairs(d)
    order, epsilon = _claimed(d["claim"])
    return bool(_divergence(p, q, order) > epsilon)


def zcdp_held(d: Any) -> bool:
    """D_a is not above rho·a at many orders, nor is D_1 above rho."""
    rho = Fraction(d["claim"]["rho"])
    return not any(
        bool(_divergence(p, q, order) > _ball(rho * order)) for p, q in _pairs(d) for order in [Fraction(1), *ORDERS]
    )


def zcdp_refuted(d: Any) -> bool:
    """D_a is above rho·a at the order."""
    ((p, q),) = _pairs(d)
    order = Fraction(d["order"])
    return order >= 1 and bool(_divergence(p, q, order) > _ball(Fraction(d["claim"]["rho"]) * order))
