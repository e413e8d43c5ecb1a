"""Figures 2 to 9 from exact corners. Parameters are those of the authors' public plotting code.

Figures 3 to 5 are barycentric: a column (p, q) is drawn at its posterior probability q/(p + q) of D1 under the uniform
prior, and at the vulnerability of that posterior; the average over the posteriors lies above the prior 1/2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gmpy2 import mpq

from oracle.channels.canonical import canonical
from oracle.channels.channel import Channel
from oracle.channels.gains import posterior_vulnerability, uniform_prior
from oracle.channels.galois import tradeoff_of
from oracle.channels.operators import hidden, parallel, post_process, pre_process, visible
from oracle.channels.testing import two_point_channel
from oracle.channels.tradeoff import Corner, TradeoffFunction, approximate_dp_curve, minimum
from oracle.channels.worst_case import approximate_dp_channel
from oracle.laws.closed_forms import geometric_matrix
from oracle.laws.figures import Figure, Panel, Series

__all__ = ["FIGURES"]

ALPHA: Final = "α (type I error)"
BETA: Final = "β (type II error)"
POSTERIOR: Final = "posterior probability of D1"
VULNERABILITY: Final = "vulnerability"
HALF: Final = mpq(1, 2)
NEAR_E: Final = mpq(19, 7)
IDENTITY: Final = Channel([["1", "0"], ["0", "1"]])
NO_LEAK: Final = Series("1 - α (nothing is revealed)", ((mpq(0), mpq(1)), (mpq(1), mpq(0))))


def _curve(label: str, channel: Channel | TradeoffFunction) -> Series:
    curve = tradeoff_of(channel) if isinstance(channel, Channel) else channel
    return Series(label, curve.corners)


def _response(E: int) -> Series:
    return _curve(f"randomized response at log {E}", approximate_dp_curve(mpq(E), mpq(0)))


def _at(curve: TradeoffFunction, alpha: mpq) -> Corner:
    return alpha, curve.at(alpha)


def _tradeoffs(title: str, *series: Series) -> Panel:
    return Panel(title, ALPHA, BETA, series)


def _figure_2() -> Figure:
    f = approximate_dp_curve(NEAR_E, mpq(1, 10))
    return Figure(
        "fig-2",
        "Trade-off function of (ε, δ)-differential privacy",
        "A convex broken line falls from (0, 9/10) through its fixed point (63/260, 63/260) to (9/10, 0) and stays at "
        "0; it lies below the straight line 1 - α of a mechanism that reveals nothing.",
        ("Fig2/E-f",),
        (
            _tradeoffs(
                "e^ε = 19/7, δ = 1/10",
                _curve("f for ε, δ", f),
                NO_LEAK,
                Series("fixed point (a, a), a = 63/260", (f.corners[1],), "point"),
            ),
        ),
        "Printed with ε = 1; drawn here with e^ε = 19/7, which is below e by less than 1/250, so that every corner is "
        "exact. Otherwise the printed figure and this one agree.",
    )


def _gain_at(gain: Sequence[Sequence[mpq]], x: mpq) -> mpq:
    """Largest expected gain at the posterior (1 - x, x)."""
    return max(a * (1 - x) + b * x for a, b in gain)


def _posteriors(channel: Channel, gain: Sequence[Sequence[mpq]]) -> tuple[Corner, ...]:
    places = sorted(q / (p + q) for p, q in zip(*channel.rows, strict=True))
    return tuple((x, _gain_at(gain, x)) for x in places)


def _average(channel: Channel, gain: Sequence[Sequence[mpq]]) -> tuple[Corner, ...]:
    rows = tuple(tuple(row) for row in gain)
    return ((HALF, posterior_vulnerability(channel, rows, uniform_prior(2))),)


def _hockey_stick(h: mpq) -> tuple[list[list[mpq]], Series]:
    """The gain function of level h, and its broken line over the posteriors."""
    gain = [[mpq(0), mpq(0)], [-h, mpq(1)]]
    knee = h / (1 + h)
    line = ((mpq(0), mpq(0)), (knee, mpq(0)), (mpq(1), mpq(1)))
    return gain, Series(f"hockey stick at h = {h}", line)


def _figure_3() -> Figure:
    channel = Channel([["2/5", "3/5"], ["4/5", "1/5"]])
    gain = [[mpq(3, 5), mpq(0)], [mpq(0), mpq(1)]]
    line = tuple((x, _gain_at(gain, x)) for x in (mpq(0), mpq(3, 8), mpq(1)))
    return Figure(
        "fig-3",
        "Vulnerability as an average over posteriors",
        "The chord between the two posteriors of C on the V-shaped line of the best gain passes over the prior 1/2 at "
        "29/50, above the line's own 1/2 there.",
        ("D6",),
        (
            Panel(
                "C = [2/5 3/5; 4/5 1/5], g = diag(3/5, 1)",
                POSTERIOR,
                VULNERABILITY,
                (
                    Series("best gain at a posterior", line),
                    Series("posteriors of C, joined", _posteriors(channel, gain)),
                    Series("V of C = 29/50", _average(channel, gain), "point"),
                    Series("V of the prior = 1/2", ((HALF, _gain_at(gain, HALF)),), "point"),
                ),
            ),
        ),
        "The printed figure and this one agree.",
    )


def _figure_4() -> Figure:
    gain, stick = _hockey_stick(mpq(13, 10))
    C, M = Channel([["9/10", "1/10"], ["1/2", "1/2"]]), Channel([["9/10", "1/10"], ["4/5", "1/5"]])
    return Figure(
        "fig-4",
        "A hockey stick tells two tests apart",
        "Over the prior 1/2 the chord of the posteriors of C passes at 37/200, that of M at 7/200: the posteriors of M "
        "lie between those of C, and C has the greater vulnerability.",
        ("Ex3", "D11/D12"),
        (
            Panel(
                "tests at α = 1/10, h = 13/10",
                POSTERIOR,
                VULNERABILITY,
                (
                    stick,
                    Series("posteriors of C at α, joined", _posteriors(C, gain)),
                    Series("posteriors of M at α, joined", _posteriors(M, gain)),
                    Series("V of C = 37/200", _average(C, gain), "point"),
                    Series("V of M = 7/200", _average(M, gain), "point"),
                ),
            ),
        ),
        "The printed figure and this one agree; the slope 2.3 of its diagonal is h + 1.",
    )


def _figure_5() -> Figure:
    gain, stick = _hockey_stick(mpq(3, 5))
    C = Channel([["1/4", "1/6", "1/3", "1/4"], ["1/2", "1/8", "1/8", "1/4"]])
    test = two_point_channel(C, mpq(2, 3))
    total = "V = 19/80"
    return Figure(
        "fig-5",
        "Two ways to the same vulnerability",
        "Left, the four posteriors of C on the hockey stick average to 19/80 over the prior; right, the chord between "
        "the two posteriors of the test at α = 2/3 passes there too.",
        ("E-V",),
        (
            Panel(
                "every posterior evaluated, then averaged",
                POSTERIOR,
                VULNERABILITY,
                (
                    stick,
                    Series("posteriors of C", _posteriors(C, gain), "point"),
                    Series(total, _average(C, gain), "point"),
                ),
            ),
            Panel(
                "averaged first: the test at α = 2/3",
                POSTERIOR,
                VULNERABILITY,
                (
                    stick,
                    Series("posteriors of the test, joined", _posteriors(test, gain)),
                    Series(total, _average(test, gain), "point"),
                ),
            ),
        ),
        "The printed figure and this one agree.",
    )


def _figure_6() -> Figure:
    C = approximate_dp_channel(mpq(2), mpq(1, 20))
    square = tradeoff_of(parallel([C, C]))
    tests = [two_point_channel(C, alpha) for alpha, _ in tradeoff_of(C).corners]
    claimed = minimum([tradeoff_of(parallel([f, g])) for f in tests for g in tests])
    at = mpq(361, 3600)
    return Figure(
        "fig-6",
        "Parallel composition",
        "The curve of the pair is nowhere below the (2ε, 2δ) rule; the printed formula with ⊓ lies above the true "
        "curve and so promises more privacy than there is.",
        ("R-comp", "D-par", "E-par"),
        (
            _tradeoffs(
                "C at e^ε = 2, δ = 1/20, taken twice",
                _curve("T(C ∥ C)", square),
                _curve("(2ε, 2δ) rule", approximate_dp_curve(mpq(4), mpq(1, 10))),
                Series("printed formula with ⊓", claimed.corners, "claimed"),
                Series(
                    "at α = 361/3600: 361/720 is true, 1919/3600 claimed", (_at(square, at), _at(claimed, at)), "point"
                ),
            ),
        ),
        "Both printed curves are right. The formula printed beside the figure, ⊓ of T(f^α ∥ f'^α'), is not: at "
        "α = 361/3600 it gives 1919/3600, and the true value is 361/720.",
    )


def _purified(channel: Channel, matrix: Sequence[Sequence[mpq]]) -> Channel:
    return post_process(channel, tuple(map(tuple, matrix)))


def _figure_7() -> Figure:
    half = HALF
    C = approximate_dp_channel(mpq(3), mpq(1, 10))
    D = hidden(mpq(3, 4), C, Channel([["1/4"] * 4] * 2))
    four, six = geometric_matrix(4, half), geometric_matrix(6, half)
    inner = approximate_dp_channel(mpq(3), mpq(1, 10))
    zero = mpq(0)
    nested = [[mpq(1, 20) * end, *(mpq(19, 20) * v for v in row), mpq(1, 20) * (1 - end)] for end, row in _ends(inner)]
    partial = Channel(nested)
    uniform = Channel([[zero, *([mpq(1, 4)] * 4), zero]] * 2)
    uncovered = hidden(mpq(60, 79), partial, uniform)
    return Figure(
        "fig-7",
        "Purification",
        "Left, mixing with a uniform choice over all outputs makes every slope finite and not zero, and geometric "
        "noise lifts the curve above randomized response at log 2; right, without covering the curve still reaches 0 "
        "at 76/79, and only the noise purifies it.",
        ("Alg1", "E1-D", "E1-Z", "E1-D'"),
        (
            _tradeoffs(
                "covering: e^ε = 3, δ = 1/10, r = 3/4",
                _curve("C", C),
                _curve("D, hidden choice with U", D),
                _response(2),
                _curve("Z = D·G, columns sorted (text)", _purified(canonical(D), four)),
                Series("D·G, columns as labelled (plot)", tradeoff_of(_purified(D, four)).corners, "printed"),
                _curve("C·G", _purified(C, four)),
            ),
            _tradeoffs(
                "not covering: δ1 = 1/10, δ2 = 1/20, r' = 60/79",
                _curve("C'", partial),
                _curve("D', hidden choice with U", uncovered),
                _response(2),
                _curve("D'·G, columns sorted", _purified(canonical(uncovered), six)),
                Series(
                    "Z' = D'·G, columns as labelled (plot)", tradeoff_of(_purified(uncovered, six)).corners, "printed"
                ),
            ),
        ),
        "Both curves of each pair are exact, but of different mechanisms: the text sorts the columns of D before the "
        "geometric noise, the authors' plotting code keeps their labels. Left, the largest ratio is 291/157 sorted and "
        "13/9 as labelled; right it is 6169/3003 sorted, which is more than 2, and 1148/689 as labelled: only in the "
        "order of the labels is Z' purely log 2-private.",
    )


def _ends(channel: Channel) -> list[tuple[mpq, tuple[mpq, ...]]]:
    """Rows of a channel with the first row of the identity beside the first, the second beside the second."""
    return [(mpq(1), channel.rows[0]), (mpq(0), channel.rows[1])]


def _figure_8() -> Figure:
    gamma = mpq(1, 5)
    C = approximate_dp_channel(NEAR_E, mpq(1, 10))
    sampled = tradeoff_of(pre_process(((mpq(1), mpq(0)), (1 - gamma, gamma)), C))
    return Figure(
        "fig-8",
        "Poisson sub-sampling",
        "Sub-sampling at rate 1/5 lifts the curve at every α < 1, by 134/325 at the corner B; the new "
        "curve is not symmetric.",
        ("S-pts", "S-id", "S-asym", "Alg3/P"),
        (
            _tradeoffs(
                "e^ε = 19/7, δ = 1/10, γ = 1/5",
                _curve("C", C),
                _curve("sub-sampled, P·C", sampled),
                _curve("sub-sampled, inputs exchanged", sampled.inverse()),
                Series("A, B, C, D", sampled.corners, "point"),
            ),
        ),
        "Printed with ε = 1; drawn here with e^ε = 19/7, which is below e by less than 1/250. Otherwise the printed "
        "curves and these agree; the third curve, with the inputs exchanged, is added to show the asymmetry.",
    )


def _figure_9() -> Figure:
    r = mpq(3, 10)
    left, right = approximate_dp_channel(mpq(6), mpq(0)), approximate_dp_channel(mpq(2), mpq(1, 10))
    f, g, truth = tradeoff_of(left), tradeoff_of(right), tradeoff_of(visible(r, left, right))
    alphas = sorted({alpha for curve in (f, g) for alpha, _ in curve.corners})
    average = tuple((x, r * f.at(x) + (1 - r) * g.at(x)) for x in alphas)
    at = mpq(3, 70)
    both = (_at(truth, at), (at, r * f.at(at) + (1 - r) * g.at(at)))
    return Figure(
        "fig-9",
        "Visible choice",
        "The curve of the visible choice lies below the pointwise average of the two curves that was printed in its "
        "place; the gap is greatest, 3/25, at α = 3/70, where the average is 111/140 and the truth 471/700.",
        ("Fig9", "D-vis", "E12"),
        (
            _tradeoffs(
                "r = 3/10 between log 6 and (log 2, 1/10)",
                _curve("visible choice, true", truth),
                Series("pointwise average", average, "printed"),
                _curve("randomized response at log 6", f),
                _curve("C at e^ε = 2, δ = 1/10", g),
                Series("at α = 3/70: 471/700 is true, 111/140 printed", both, "point"),
            ),
        ),
        "The printed figure draws the pointwise average r f(x) + (1-r) f'(x), which is up to 3/25 too high (at "
        "x = 3/70). The true curve mixes f and f' at levels of equal slope, not at the same α.",
    )


FIGURES: Final[tuple[Figure, ...]] = (
    _figure_2(),
    _figure_3(),
    _figure_4(),
    _figure_5(),
    _figure_6(),
    _figure_7(),
    _figure_8(),
    _figure_9(),
)
"""The figures in the paper's order."""
