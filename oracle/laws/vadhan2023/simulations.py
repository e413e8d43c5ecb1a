"""Theorems 1.5 and 4.1: one sample simulates an interactive f-DP mechanism; for Rényi divergences it costs more."""

from __future__ import annotations

from typing import Final

from gmpy2 import mpq
from hypothesis import strategies as st

from oracle.certificates.checker import check
from oracle.channels.channel import Channel
from oracle.channels.divergences import Direction
from oracle.channels.galois import tradeoff_of
from oracle.channels.lattice import greatest_lower_bound
from oracle.exact import Extended
from oracle.interactive.adversaries import strategies, view_channel
from oracle.interactive.concurrent import concurrent_composition
from oracle.interactive.examples import interleaving, renyi_choice, unattained
from oracle.interactive.renyi import concurrent_moment, product_of_moments, simulation_moment, tight_moment
from oracle.interactive.simulation import simulate
from oracle.interactive.tightness import tight_channel, tight_hockey_stick, tight_tradeoff
from oracle.interactive.tree import InteractiveMechanism
from oracle.laws.ask import Ask
from oracle.laws.compare import curve_at_most, curves_equal, equal, tables_equal, true, valid_channel, worst
from oracle.laws.fernandes2025._facts import channel, curve, exact
from oracle.laws.record import ClaimRecord, Law, fact
from oracle.laws.strategies import rational_levels, two_row_channels
from oracle.laws.trees import attacked_mechanisms, interactive_mechanisms, numbered
from oracle.laws.vadhan2023._facts import at_most_extended, kernel, parallel_rows, response
from oracle.laws.vadhan2023._renyi_errata import SIMULATION

__all__ = ["CLAIMS"]

_FEW: Final = interactive_mechanisms(max_adversaries=10)


def _views_law(ask: Ask, m: InteractiveMechanism, numbers: tuple[int, ...], _: tuple[mpq, ...]) -> mpq:
    """The interactive post-processing of N, run column by column, has the views of each adversary.

    As a post-processing of N the view is a refinement of it for the subject, and the curve of N is below its curve.
    """
    simulation = simulate(m)
    n = simulation.channel.rows
    excess = []
    for strategy in numbered(m, numbers):
        for view, p, q in simulation.views(strategy):
            excess += [equal(p, view.p), equal(q, view.q)]
        rows = view_channel(m, strategy).rows
        excess += [true(ask.refines(n, rows)), curve_at_most(ask.tradeoff(n), ask.tradeoff(rows))]
    return worst(excess)


def _tight_law(ask: Ask, m: InteractiveMechanism, level: mpq) -> mpq:
    """N is the subject's greatest lower bound of all views, in both orders of the pair.

    The largest hockey stick of the views is that of N and that of the dynamic programme over nodes and levels.
    """
    every = [view_channel(m, strategy).rows for strategy in strategies(m)]
    n = ask.glb(every)
    excess = [tables_equal(n, tight_channel(m).rows)]
    excess.append(curves_equal(ask.tradeoff(n, "backward"), tight_tradeoff(m, "backward").corners))
    sides: tuple[Direction, Direction] = ("forward", "backward")
    for direction in sides:
        largest = max(exact(ask.hockey_stick(rows, level, direction)) for rows in every)
        excess.append(equal(largest, tight_hockey_stick(m, level, direction)))
        excess.append(equal(largest, exact(ask.hockey_stick(n, level, direction))))
    return worst(excess)


def _asked_pair_law(ask: Ask, m: InteractiveMechanism) -> mpq:
    """The pair that the subject would simulate from gives every view by a kernel, and its curve is the infimum."""
    n = ask.simulate(m)
    every = [view_channel(m, strategy).rows for strategy in strategies(m)]
    excess = [valid_channel(n), true(all(kernel(n, rows) is not None for rows in every))]
    excess.append(curves_equal(ask.tradeoff(n), ask.interactive_tradeoff(m)))
    return worst([*excess, tables_equal(ask.canonical(n), ask.glb(every))])


def _any_pair_law(ask: Ask, m: InteractiveMechanism, other: Channel) -> mpq:
    """A pair gives N by a kernel, and so simulates, exactly where its curve is below those of all views."""
    every = [view_channel(m, strategy).rows for strategy in strategies(m)]
    excess = []
    for pair in (other, greatest_lower_bound([other, tight_channel(m)])):
        f = ask.tradeoff(pair.rows)
        below = all(curve_at_most(f, ask.tradeoff(rows)) <= 0 for rows in every)
        found = kernel(pair.rows, tight_channel(m).rows)
        excess.append(true(below == (found is not None) == ask.refines(pair.rows, tight_channel(m).rows)))
        if found is not None:
            excess.append(tables_equal(ask.post(pair.rows, found), tight_channel(m).rows))
    return worst(excess)


def _response_law(ask: Ask, m: InteractiveMechanism, a: mpq) -> mpq:
    """An (epsilon, delta)-DP mechanism is simulated by RR_{epsilon, delta}; delta is the largest of the views'."""
    n = tight_channel(m).rows
    delta = max(exact(ask.delta(view_channel(m, strategy).rows, a)) for strategy in strategies(m))
    if not 0 <= delta <= 1:
        return max(-delta, delta - 1)
    enough = true(ask.refines(response(a, delta), n))
    return worst([enough, equal(delta, exact(ask.delta(n, a))), true(kernel(response(a, delta), n) is not None)])


def _moment_of_views_law(ask: Ask, m: InteractiveMechanism, order: int) -> mpq:
    """The largest moment of the views is that of the tree, and at most the subject's moment of N."""
    found = [ask.moment(view_channel(m, strategy).rows, order) for strategy in strategies(m)]
    exactly = tight_moment(m, order)
    simulating = ask.moment(tight_channel(m).rows, order)
    below = worst(max(at_most_extended(value, exactly), at_most_extended(value, simulating)) for value in found)
    return max(below, min(at_most_extended(exactly, value) for value in found))


def _simulating_law(ask: Ask, m: InteractiveMechanism, other: Channel, order: int) -> mpq:
    """A pair that simulates has at least the moment of the tight pair: the subject's greatest lower bound of both."""
    n = tight_channel(m).rows
    pair = ask.glb([n, other.rows])
    less = at_most_extended(ask.moment(n, order), ask.moment(pair, order))
    return max(less, true(kernel(pair, n) is not None))


def _certified(mechanism: InteractiveMechanism, *rows: str) -> bool:
    """N has these rows, and the checker accepts that it simulates every view and that its corners are attained."""
    simulation = simulate(mechanism)
    return simulation.channel == channel(*rows) and check(simulation.certificate()).kind == "simulation"


def _rewinding_tells_more() -> bool:
    """Who could ask both options of one interaction would have the product of the two views: below T(N) at 1/4."""
    a, b = (view_channel(unattained(), strategy).rows for strategy in strategies(unattained()))
    both = tradeoff_of(Channel(parallel_rows([a, b]))).at(mpq(1, 4))
    return (both, tight_tradeoff(unattained()).at(mpq(1, 4))) == (mpq(1, 6), mpq(1, 4))


def _moments(order: int) -> tuple[Extended, Extended]:
    """Of the best view of the choice, and of its tight pair."""
    return tight_moment(renyi_choice(), order), simulation_moment(renyi_choice(), order)


def _two_copies() -> bool:
    both = concurrent_composition([renyi_choice(), renyi_choice()])
    found = tight_moment(both, 2), concurrent_moment([renyi_choice()] * 2, 2)
    by_simulation = product_of_moments([_moments(2)[1]] * 2)
    return (*found, by_simulation) == (mpq(16, 9), mpq(16, 9), mpq(9, 4))


_ORDERS: Final = st.sampled_from([2, 3, 5])

CLAIMS: tuple[ClaimRecord, ...] = (
    ClaimRecord(
        id="Thm1.5/4.1",
        title="one sample simulates an interactive mechanism",
        statement="For an interactive f-DP mechanism with finite communication and neighbouring x, x' there are a pair "
        "of laws with T(N(x), N(x')) >= f and an interactive post-processing 𝒫 such that every adversary has the same "
        "law of views with M(x) as with 𝒫(N(x)), and with M(x') as with 𝒫(N(x')). The best N has exactly the largest "
        "trade-off function below those of all views; for (ε, δ)-DP it can be RR_{ε,δ}.",
        formula="view(B, M(x)) = view(B, 𝒫(N(x))) and view(B, M(x')) = view(B, 𝒫(N(x'))) in law, for every B",
        source="section 1, Theorem 1.5; section 4, Theorem 4.1",
        status="holds",
        hypotheses="finite communication, as stated",
        laws=(
            Law("the views of adversaries, column by column", attacked_mechanisms(2), _views_law),
            Law("N is the infimum over all adversaries, both orders", st.tuples(_FEW, rational_levels()), _tight_law),
            Law("the pair to simulate from, and kernels to every view", _FEW, _asked_pair_law),
            Law("which pairs simulate", st.tuples(_FEW, two_row_channels(3)), _any_pair_law),
            Law("randomised response simulates", st.tuples(_FEW, rational_levels(1)), _response_law),
        ),
        facts=(
            fact(
                "A: 0 | 1/3, B: 1/4 | 3/4: N = [3/4 1/4 0; 1/4 5/12 1/3], certified",
                lambda: _certified(unattained(), "3/4 1/4 0", "1/4 5/12 1/3"),
            ),
            fact(
                "3/4 | 1/2, after 0 A: 1 | 1/2 or B: 1/2 | 1: N = [3/8 3/8 1/4 0; 0 1/4 1/2 1/4], certified",
                lambda: _certified(interleaving(), "3/8 3/8 1/4 0", "0 1/4 1/2 1/4"),
            ),
            fact(
                "no rewinding: with both options of one interaction T(1/4) would be 1/6, below T(N)(1/4) = 1/4",
                _rewinding_tells_more,
            ),
            fact(
                "the corners of T(N) for A: 0 | 1/3, B: 1/4 | 3/4 are (0, 2/3), (1/4, 1/4), (1, 0)",
                lambda: tight_tradeoff(unattained()) == curve(("0", "2/3"), ("1/4", "1/4"), ("1", "0")),
            ),
        ),
    ),
    ClaimRecord(
        id="Thm4.1 for Renyi",
        title="simulation is too costly for Rényi DP",
        statement="A pair of laws that simulates an interactive mechanism can have a larger Rényi divergence than "
        "every view. The least of a simulating pair is that of the tight pair N, which is never below the supremum "
        "over adversaries and can be above it.",
        formula="sup_B D_α(view(B, M(x))‖view(B, M(x'))) <= D_α(N(x)‖N(x')) for every simulating N",
        source="section 4, Theorem 4.1; section 1, Independent Work, on the withdrawn proof",
        status="false_as_stated",
        hypotheses="orders α > 1; tested at whole ones, where moments are exact",
        laws=(
            Law("the supremum over adversaries, and N above it", st.tuples(_FEW, _ORDERS), _moment_of_views_law),
            Law(
                "no simulating pair has less than the tight one",
                st.tuples(interactive_mechanisms(max_adversaries=10), two_row_channels(3), _ORDERS),
                _simulating_law,
            ),
        ),
        facts=(
            fact(
                "A: 1/2 | 1/4, B: 0 | 1/4 at order 2: views 4/3, N 3/2", lambda: _moments(2) == (mpq(4, 3), mpq(3, 2))
            ),
            fact("the same at order 3: views 20/9, N 5/2", lambda: _moments(3) == (mpq(20, 9), mpq(5, 2))),
            fact("two copies at order 2: 16/9 = (4/3)², against (3/2)² = 9/4 by simulation", _two_copies),
        ),
        errata=(SIMULATION,),
    ),
)
