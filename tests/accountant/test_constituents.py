"""What a composition is made of: pooling, and the three descriptions of each pair against one another."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.accountant.constituents import MAX_TIMES, Constituent, cell_sources, contour_part, pooled, step_of
from oracle.channels.canonical import canonical
from oracle.channels.channel import Channel
from oracle.enclosures import precision, rational_ball
from oracle.errors import Declined, InputError, LimitError
from oracle.experiments.discrete_gaussian import DiscreteGaussian
from oracle.experiments.gaussian import Gaussian
from oracle.experiments.laplace import Laplace
from oracle.experiments.subsampled import PoissonSubsampled

GENERIC = Channel([["1/2", "1/3", "1/6"], ["1/7", "2/7", "4/7"]])
TURNED = Channel([["1/6", "0", "1/4", "1/4", "1/3"], ["4/7", "0", "1/14", "1/14", "2/7"]])
SAME = Channel([["1/2", "1/2"], ["1/2", "1/2"]])
SAMPLED = PoissonSubsampled(Gaussian(mpq(1)), mpq(1, 10))
PAIRS = {
    "finite": GENERIC,
    "gaussian": Gaussian(mpq(1)),
    "laplace": Laplace(mpq(1)),
    "noise": DiscreteGaussian(mpq(2), 3),
    "sampled": SAMPLED,
    "sampled laplace": PoissonSubsampled(Laplace(mpq(1)), mpq(1, 4)),
    "sampled noise": PoissonSubsampled(DiscreteGaussian(mpq(2), 3), mpq(1, 4)),
}


def item(pair, times=1):
    """A constituent."""
    return Constituent(pair, times, {"mechanism": "channel"})


def test_equal_laws_are_counted_together():
    """A channel with its columns permuted, split and padded, and a subsampled pair made anew."""
    again = PoissonSubsampled(Gaussian(mpq(1)), mpq(1, 10))
    found = pooled([item(GENERIC, 2), item(SAMPLED), item(TURNED, 3), item(again, 4), item(SAME, 9), item(SAMPLED, 0)])
    assert [(x.pair.to_json(), x.times) for x in found[1:]] == [(SAMPLED.to_json(), 5)]
    assert (canonical(found[0].pair), found[0].times) == (canonical(GENERIC), 5)


def test_pairs_that_differ_are_kept_apart():
    """Other rates, other theta under the same rate, the channel exchanged, other scales."""
    others = [
        SAMPLED,
        PoissonSubsampled(Gaussian(mpq(1)), mpq(1, 9)),
        PoissonSubsampled(Gaussian(mpq(2)), mpq(1, 10)),
        PoissonSubsampled(Laplace(mpq(1)), mpq(1, 10)),
        GENERIC,
        GENERIC.swapped(),
        Laplace(mpq(1)),
        Laplace(mpq(2)),
        DiscreteGaussian(mpq(2), 3),
        DiscreteGaussian(mpq(2), 1),
    ]
    assert [x.pair for x in pooled(item(pair) for pair in others)] == others


def test_gaussian_pairs_add_up():
    """Σ k theta², in the place of the first."""
    found = pooled([item(Gaussian(mpq(1, 2)), 3), item(GENERIC), item(Gaussian(mpq(1, 4)), 2)])
    assert [x.times for x in found] == [1, 1]
    assert found[0].pair.theta_squared == 2
    assert found[0].to_json() == Gaussian(mpq(2)).to_json()


def test_nothing_is_left_of_what_tells_nothing():
    """No steps, or equal rows."""
    assert pooled([item(SAME, 7), item(SAMPLED, 0)]) == []


def test_expressions_are_repeated():
    """Numbers too large for a JSON number are texts."""
    assert item(GENERIC).to_json() == {"mechanism": "channel"}
    assert item(GENERIC, 3).to_json() == {"mechanism": "repeat", "times": 3, "of": {"mechanism": "channel"}}
    assert item(GENERIC, 10**20).to_json()["times"] == str(10**20)


def test_what_is_refused():
    """A negative number, three rows, rows that are not full laws, sampling of sampling."""
    with pytest.raises(InputError, match="at least 0") as caught:
        pooled([item(GENERIC), item(GENERIC, -2)])
    assert caught.value.where == "of[1]"
    with pytest.raises(InputError):
        pooled([item(Channel([["1"], ["1"], ["1"]]))])
    with pytest.raises(LimitError, match="times: expected at most 1000000000000000000 steps of one kind"):
        pooled([item(GENERIC, MAX_TIMES), item(GENERIC)])
    with pytest.raises(Declined):
        pooled([item(PoissonSubsampled(SAMPLED, mpq(1, 2)))])


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("side", ["forward", "backward"])
def test_the_descriptions_are_of_one_pair(name, side):
    """Masses are 1, and the transform, the cells and the densities have the same total variation."""
    pair = PAIRS[name]
    part, step = contour_part(pair, side), step_of(pair, side)
    (source, times), *others = cell_sources(pair, 1, side)
    assert times == 1
    assert not others
    with precision(100):
        values = []
        if part is not None:
            assert part.finite_mass().contains(1)
            values.append(part.variation())
        if step is not None:
            values.append(step.profile(rational_ball(mpq(1, 2**80))).at(rational_ball(mpq(0))))
        if isinstance(pair, Channel):
            values.append(rational_ball(sum(max(p - q, mpq(0)) for p, q in zip(*pair.rows, strict=True))))
        else:
            values.append(pair.hockey_stick_ball(lambda _: rational_ball(mpq(0)), side)(100))
        assert all(x.overlaps(y) for x in values for y in values)
        assert all(x.rad() < 2**-30 for x in values)
    cells = source.cells(mpq(1, 64), 80, 64)
    assert cells is not None


def test_what_has_no_transform_or_density():
    """Subsampled Laplace and discrete Gaussian pairs have no contour part, discrete ones no density."""
    without = {name for name, pair in PAIRS.items() if contour_part(pair) is None}
    assert without == {"sampled laplace", "sampled noise"}
    assert {name for name, pair in PAIRS.items() if step_of(pair) is None} == {"noise", "sampled noise"}


@pytest.mark.parametrize("times", [1, 2, 7, 100])
def test_blocks_of_a_channel_are_as_many_steps(times):
    """Each source taken its number of times, and its steps, make the whole."""
    found = cell_sources(GENERIC, times)
    assert sum(getattr(source, "steps", 1) * count for source, count in found) == times
