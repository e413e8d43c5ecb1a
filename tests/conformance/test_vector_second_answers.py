"""The second way to each answer, against values known in closed form, and where it says that there is none."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from oracle.conformance.vector_sources.continuous import pair_of
from oracle.conformance.vector_sources.expressions import NoSecondWay, Undefined, law_pair, mp
from oracle.conformance.vector_sources.noise_pairs import normal_quantile, normal_tail
from oracle.conformance.vector_sources.second_answers import second
from tests.vectors import by_definition

F = Fraction
RR = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
LAPLACE = {"mechanism": "laplace", "scale": "1"}
GAUSSIAN = {"mechanism": "gaussian", "sigma": "1"}
TINY = mp.mpf(10) ** -70


@pytest.mark.parametrize(
    ("op", "args", "expected"),
    [
        ("hockey_stick", {"channel": RR, "exp_epsilon": "2"}, F(1, 4)),
        ("hockey_stick", {"channel": {"matrix": [["9/10", "1/10"], ["1/2", "1/2"]]}, "exp_epsilon": "2"}, F(0)),
        ("delta", {"channel": {"matrix": [["9/10", "1/10"], ["1/2", "1/2"]]}, "exp_epsilon": "2"}, F(3, 10)),
        ("delta", {"channel": {"mechanism": "repeat", "times": 10, "of": {"mechanism": "randomized_response",
          "exp_epsilon": "3"}}, "exp_epsilon": "81"}, F(16119, 32768)),
        ("epsilon", {"channel": RR, "delta": "1/4"}, F(2)),
        ("tradeoff", {"channel": RR}, [(0, 1), (F(1, 4), F(1, 4)), (1, 0)]),
        ("tradeoff", {"channel": {"matrix": [["9/10", "1/10"], ["4/5", "1/5"]]}, "alpha": "1/20"}, F(9, 10)),
        ("glb", {"channels": [{"matrix": [["3/4", "1/4"], ["1/2", "1/2"]]}, {"matrix": [["1/4", "3/4"], ["0", "1"]]}]},
         [[F(1, 4), F(1, 2), F(1, 4)], [0, F(1, 2), F(1, 2)]]),
        ("lub", {"channels": [{"matrix": [["3/4", "1/4"], ["1/2", "1/2"]]}, {"matrix": [["1/4", "3/4"], ["0", "1"]]}]},
         [[F(1, 2), F(1, 2)], [F(1, 3), F(2, 3)]]),
        ("vulnerability", {"channel": {"matrix": [["2/5", "3/5"], ["4/5", "1/5"]]}, "gain": [["3/5", "0"], ["0", "1"]]},
         F(29, 50)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_values_of_the_contract(op, args, expected):
    """Numbers that stand in the contract's own pairs of request and answer."""
    assert second(op, args)[1] == expected


def test_noise_against_printed_digits():
    """The Gaussian profile at sigma = 1, epsilon = 1, and the Laplace one, 1 - e^(-1/4)."""
    gaussian = second("delta", {"channel": GAUSSIAN, "epsilon": "1"})[1]
    assert abs(gaussian - mp.mpf("0.12693673750664394580")) < mp.mpf(10) ** -19
    laplace = second("delta", {"channel": LAPLACE, "epsilon": "1/2"})[1]
    assert abs(laplace + mp.expm1(mp.mpf(-1) / 4)) < TINY


@pytest.mark.parametrize(
    "node",
    [
        LAPLACE,
        GAUSSIAN,
        {"mechanism": "discrete_gaussian", "sigma": "3/2", "sensitivity": "2"},
        {"mechanism": "poisson_subsample", "rate": "1/3", "neighbours": "add_remove", "of": GAUSSIAN},
        {"mechanism": "poisson_subsample", "rate": "1/3", "neighbours": "add_remove", "of": LAPLACE},
        {"mechanism": "poisson_subsample", "rate": "1/3", "neighbours": "substitute", "of": LAPLACE},
        {"mechanism": "compose", "of": [LAPLACE, {"mechanism": "randomized_response", "exp_epsilon": "2"}]},
        {"mechanism": "compose", "of": [LAPLACE, {"mechanism": "laplace", "scale": "2"}]},
    ],
    ids=lambda node: node["mechanism"],
)
def test_a_profile_is_that_of_a_pair_of_laws(node):
    """D_a(Q‖P) = 1 - a + a D_{1/a}(P‖Q), delta falls, and it is convex in a."""
    pair = pair_of(node)
    levels = [mp.mpf(n) / 4 for n in range(1, 13)]
    values = [pair.stick(level, "forward") for level in levels]
    for level, value in zip(levels, values, strict=True):
        assert abs(value - (1 - level + level * pair.stick(1 / level, "backward"))) < mp.mpf(10) ** -60
    slopes = [after - before for before, after in itertools.pairwise(values)]
    assert all(slope <= TINY for slope in slopes)
    assert all(after - before >= -(mp.mpf(10) ** -60) for before, after in itertools.pairwise(slopes))


def test_a_mixture_is_the_mixture_of_the_laws():
    """Subsampling of a table by the formula for profiles and by mixing its rows."""
    base = {"mechanism": "channel", "matrix": [["1/2", "3/8", "1/8"], ["1/8", "3/8", "1/2"]]}
    mixed = {"mechanism": "poisson_subsample", "rate": "1/4", "neighbours": "add_remove", "of": base}
    p, q = law_pair(mixed)
    for level in (F(1), F(3, 2), F(3)):
        for side, laws in (("forward", (p, q)), ("backward", (q, p))):
            found = second("hockey_stick", {"channel": mixed, "exp_epsilon": str(level), "direction": side})[1]
            assert found == by_definition.hockey_stick(*laws, level)


def test_the_normal_quantile():
    """Inverse to Phi, far into the tail too."""
    for p in ("0.3", "0.999", "1e-12", "1e-300"):
        assert abs(normal_tail(normal_quantile(mp.mpf(p))) / mp.mpf(p) - 1) < mp.mpf(10) ** -60


@pytest.mark.parametrize(
    ("op", "args"),
    [
        ("delta", {"channel": {"matrix": [["1/2", "1/2"], ["1/2"]]}, "epsilon": "1"}),
        ("delta", {"channel": {"matrix": [["3/2", "-1/2"], ["1/2", "1/2"]]}, "epsilon": "1"}),
        ("delta", {"channel": RR}),
        ("delta", {"channel": RR, "epsilon": "1", "direction": "sideways"}),
        ("epsilon", {"channel": RR, "delta": "2"}),
        ("tradeoff", {"channel": GAUSSIAN}),
        ("renyi", {"channel": RR, "order": "0"}),
        ("channel_of", {"tradeoff": {"breakpoints": [["0", "1"], ["1/2", "3/4"], ["1", "0"]]}}),
        ("delta", {"channel": {"mechanism": "no_such"}, "epsilon": "1"}),
        ("delta", {"channel": {"mechanism": "poisson_subsample", "rate": "2", "neighbours": "add_remove",
          "of": GAUSSIAN}, "epsilon": "1"}),
    ],
    ids=str,
)  # fmt: skip
def test_a_question_without_an_answer(op, args):
    """It is said that there is none."""
    with pytest.raises(Undefined):
        second(op, args)


def test_what_is_not_had_here_is_no_statement_about_the_question():
    """Another word than that there is no answer."""
    args = {"channel": {"mechanism": "poisson_subsample", "rate": "1/2", "neighbours": "substitute",
            "of": {"mechanism": "discrete_gaussian", "sigma": "1"}}, "epsilon": "1"}  # fmt: skip
    with pytest.raises(NoSecondWay):
        second("delta", args)
    with pytest.raises(NoSecondWay):
        second("mu", {"channel": LAPLACE})
