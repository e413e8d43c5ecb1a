"""Certificates for and against mu-GDP of a two-row channel: T(P, Q) >= G_mu, G_mu(a) = Phi(Phi^-1(1 - a) - mu).

G_mu is the trade-off curve of N(0, 1) against N(mu, 1): convex, from (0, 1) to (1, 0), and its own inverse function.
T(Q, P) is the inverse of T(P, Q), so both directions come to the same.
"""

from __future__ import annotations

from fractions import Fraction

from .claims import DIRECTIONS, ONE_DIRECTION
from .curves import Law
from .matrices import stochastic_channel, total
from .normal import normal_sign
from .reading import choice, event, fields, items, nonnegative, number, probability, require_equal
from .verdict import Accepted, Rejected, brief, columns_text


def gaussian_claim(value: object, where: str) -> Fraction:
    """Read the claim {"mu": number >= 0}."""
    return nonnegative(fields(value, ("mu",), where)["mu"], f"{where}.mu")


def _text(document: dict[str, object]) -> str:
    return brief(str(fields(document["claim"], ("mu",), "$.claim")["mu"]))


def check_gdp_held(document: dict[str, object]) -> Accepted:
    """Check a `gdp_held` certificate: a threshold t for each corner (a, b) of T(P, Q) with 0 < a < 1, a increasing.

    Phi(t) >= 1 - a and Phi(t - mu) <= b give G_mu(a) <= Phi(t - mu) <= b.  T is linear between its corners and G_mu is
    convex, hence below its chords there.  At both ends T = G_mu, if T(0) = 1; and T > 0 before a = 1 is needed, else
    the corner before the last has b = 0 and no threshold.
    """
    channel = stochastic_channel(document["channel"], "$.channel", 2)
    mu = gaussian_claim(document["claim"], "$.claim")
    direction = choice(document["direction"], DIRECTIONS, "$.direction")
    corners = Law(channel, "$.channel").corners()
    if corners[0][1] != 1:
        raise Rejected("T(0) < 1, so that no mu serves", "$.channel")
    inner = corners[1:-1]
    thresholds = items(document["thresholds"], "$.thresholds")
    if len(thresholds) != len(inner):
        raise Rejected(f"expected {len(inner)} thresholds, got {len(thresholds)}", "$.thresholds")
    for k, ((alpha, beta), text) in enumerate(zip(inner, thresholds, strict=True)):
        place = f"$.thresholds[{k}]"
        threshold = number(text, place)
        if normal_sign(threshold, 1 - alpha, place) < 0:
            raise Rejected("Phi(t) is below 1 - alpha of its corner", place)
        if normal_sign(threshold - mu, beta, place) > 0:
            raise Rejected("Phi(t - mu) is above beta of its corner", place)
    return Accepted(
        "gdp_held",
        f"The channel is mu-Gaussian differentially private with mu = {_text(document)}, direction {direction} (the"
        " same for both): T(P, Q) >= G_mu, the trade-off curve of N(0, 1) and N(mu, 1).",
        (("channel", channel.digest),),
    )


def check_gdp_refuted(document: dict[str, object]) -> Accepted:
    """Check a `gdp_refuted` certificate: a test with errors (a, b), and t with Phi(t) <= 1 - a and Phi(t - mu) > b.

    Then G_mu(a) >= Phi(t - mu) > b >= T(a), also for a = 0, where G_mu(0) = 1.
    """
    channel = stochastic_channel(document["channel"], "$.channel", 2)
    mu = gaussian_claim(document["claim"], "$.claim")
    direction = choice(document["direction"], ONE_DIRECTION, "$.direction")
    columns = event(document["event"], channel.columns, "$.event")
    null, other = channel.rows if direction == "forward" else channel.rows[::-1]
    alpha, beta = total(null[k] for k in columns), 1 - total(other[k] for k in columns)
    for name, value in (("alpha", alpha), ("beta", beta)):
        require_equal(probability(document[name], f"$.{name}"), value, f"the {name} of the event", f"$.{name}")
    require_violated(number(document["threshold"], "$.threshold"), mu, alpha, beta, "$.threshold")
    name = "T(P, Q)" if direction == "forward" else "T(Q, P)"
    at, errs = brief(str(document["alpha"])), brief(str(document["beta"]))
    return Accepted(
        "gdp_refuted",
        f"The channel is not mu-Gaussian differentially private with mu = {_text(document)}, direction {direction}:"
        f" {name}({at}) <= {errs} < G_mu({at}), the test that rejects on S = {columns_text(columns)}.",
        (("channel", channel.digest),),
    )


def require_violated(threshold: Fraction, mu: Fraction, alpha: Fraction, beta: Fraction, where: str) -> None:
    """Reject unless Phi(t) <= 1 - alpha and Phi(t - mu) > beta, which proves G_mu(alpha) > beta."""
    if normal_sign(threshold, 1 - alpha, where) > 0:
        raise Rejected("Phi(t) is above 1 - alpha", where)
    if normal_sign(threshold - mu, beta, where) <= 0:
        raise Rejected("the event does not violate the claim", where)
