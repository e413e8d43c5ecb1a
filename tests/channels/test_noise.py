"""The clamped geometric post-processor and uniform replacement, by their definitions."""

from __future__ import annotations

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.channels.channel import Channel
from oracle.channels.galois import tradeoff_of
from oracle.channels.noise import clamped_geometric, clamped_geometric_rows, uniform_replacement
from oracle.channels.operators import hidden, post_process
from oracle.channels.refinement import refines
from oracle.errors import InputError, LimitError
from oracle.laws.strategies import alphas, many_row_channels, two_row_channels

ratios = st.builds(mpq, st.integers(0, 11), st.just(12))


@given(st.integers(-3, 3), st.integers(0, 5), ratios)
def test_every_row_is_the_clamped_sum_of_value_and_noise(low, width, ratio):
    """The noise up to 20 one by one, what is beyond in closed form: Σ_{j > 20} (1-r)/(1+r) r^j = r^21/(1+r)."""
    high = low + width
    table = clamped_geometric(low, high, ratio)
    assert len(table) == width + 1
    for value, row in zip(range(low, high + 1), table, strict=True):
        masses = [mpq(0)] * (width + 1)
        for noise in range(-20, 21):
            masses[min(high, max(low, value + noise)) - low] += (1 - ratio) / (1 + ratio) * ratio ** abs(noise)
        masses[0] += ratio**21 / (1 + ratio)
        masses[-1] += ratio**21 / (1 + ratio)
        assert list(row) == masses


def test_the_printed_matrices():
    """Four values at ratio 1/2 (Appendix E.1), rows; no noise at ratio 0; one value."""
    assert [[str(v) for v in row] for row in clamped_geometric(0, 3, mpq(1, 2))] == [
        ["2/3", "1/6", "1/12", "1/12"],
        ["1/3", "1/3", "1/6", "1/6"],
        ["1/6", "1/6", "1/3", "1/3"],
        ["1/12", "1/12", "1/6", "2/3"],
    ]
    assert clamped_geometric(5, 6, mpq(0)) == ((1, 0), (0, 1))
    assert clamped_geometric(-2, -2, mpq(1, 3)) == ((1,),)
    assert clamped_geometric_rows(0, 3, mpq(1, 2), (3, 0)) == clamped_geometric(0, 3, mpq(1, 2))[::3][::-1]


@given(st.integers(2, 5), ratios, st.data())
def test_the_ends_bound_what_comes_out(size, ratio, data):
    """[G_0; G_{n-1}] ⊑ M·G for every M with n outputs."""
    noise = clamped_geometric(0, size - 1, ratio)
    weights = st.lists(st.integers(0, 4), min_size=size, max_size=size).filter(any)
    rows = [[mpq(v, sum(w)) for v in w] for w in data.draw(st.tuples(weights, weights))]
    assert refines(Channel([noise[0], noise[-1]]), post_process(Channel(rows), noise))


@pytest.mark.parametrize(
    ("low", "high", "ratio", "place"), [(1, 0, "1/2", "low"), (0, 3, "1", "ratio"), (0, 3, "-1/2", "ratio")]
)
def test_an_empty_range_and_a_ratio_outside_are_refused(low, high, ratio, place):
    """With the parameter that is wrong."""
    with pytest.raises(InputError) as caught:
        clamped_geometric(low, high, mpq(ratio))
    assert caught.value.where == place


@pytest.mark.parametrize("high", [10**5, 10**12, 10**5000], ids=["5", "12", "5000"])
def test_a_table_too_large_to_hold_is_refused(high):
    """Before any power of the ratio is made."""
    with pytest.raises(LimitError, match="a table of at most"):
        clamped_geometric(0, high, mpq(1, 2))


@given(alphas(), many_row_channels(1, 3), st.data())
def test_uniform_replacement_is_the_hidden_choice_with_a_uniform_law(r, channel, data):
    """On a subset of the columns, by position and by label; all columns by default."""
    rows, columns = channel.shape
    subset = data.draw(st.sets(st.integers(0, columns - 1), min_size=1).map(sorted))
    uniform = Channel([[mpq(1, len(subset)) if y in subset else 0 for y in range(columns)]] * rows)
    assert uniform_replacement(channel, r, subset) == hidden(r, channel, uniform)
    names = [f"y{i}" for i in range(columns)]
    labelled = Channel(channel.rows, None, names)
    chosen = Channel([[mpq(1, len(subset))] * len(subset)] * rows, None, [names[y] for y in subset])
    assert uniform_replacement(labelled, r, [names[y] for y in subset]) == hidden(r, labelled, chosen)
    assert uniform_replacement(channel, r) == uniform_replacement(channel, r, range(columns))


@given(alphas(), two_row_channels(4))
def test_replacement_leaks_no_more(r, channel):
    """M ⊑ M ⊞_r U for a law that does not depend on the input, hence T(M) <= T(M ⊞_r U)."""
    replaced = uniform_replacement(channel, r)
    assert refines(channel, replaced)
    assert tradeoff_of(channel) <= tradeoff_of(replaced)


HALVES = Channel([["1/2", "1/2"], ["1/4", "3/4"]])
NAMED = Channel(HALVES.rows, None, ["a", "b"])


@pytest.mark.parametrize(
    ("channel", "r", "outputs", "place"),
    [
        (HALVES, "3/2", None, "r"),
        (HALVES, "1/2", [], "outputs"),
        (HALVES, "1/2", [2], "outputs[0]"),
        (HALVES, "1/2", [0, 0], "outputs[1]"),
        (HALVES, "1/2", [True], "outputs[0]"),
        (HALVES, "1/2", ["a"], "outputs[0]"),
        (NAMED, "1/2", ["a", "c"], "outputs[1]"),
        (NAMED, "1/2", [0], "outputs[0]"),
    ],
)
def test_unknown_outputs_and_weights_are_refused(channel, r, outputs, place):
    """Outputs are named by label where there are labels, by position otherwise, each once."""
    with pytest.raises(InputError) as caught:
        uniform_replacement(channel, mpq(r), outputs)
    assert caught.value.where == place
