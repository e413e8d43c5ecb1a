"""Likelihood order, canonical form and equivalence by example."""

from __future__ import annotations

import pytest
from gmpy2 import mpq, mpz

from oracle.channels import canonical as module
from oracle.channels.canonical import canonical, equivalent, likelihood_order, ratio_keys
from oracle.channels.channel import Channel
from oracle.errors import InputError

MIXED = Channel([["1/4", "0", "0", "1/4", "1/2", "0"], ["1/8", "0", "1/8", "1/8", "1/2", "1/8"]])


def test_zero_columns_go_equal_ratios_merge_and_the_ratio_increases() -> None:
    assert canonical(MIXED) == Channel([["1/2", "1/2", "0"], ["1/4", "1/2", "1/4"]])


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["1/2", "1/2"], ["1/2", "1/2"]], [["1"], ["1"]]),
        ([["1", "0"], ["0", "1"]], [["1", "0"], ["0", "1"]]),
        ([["0", "1"], ["1", "0"]], [["1", "0"], ["0", "1"]]),
        ([["1"], ["1"]], [["1"], ["1"]]),
        ([["1/4", "3/4"], ["3/4", "1/4"]], [["3/4", "1/4"], ["1/4", "3/4"]]),
    ],
)
def test_canonical_forms(rows: list[list[str]], expected: list[list[str]]) -> None:
    assert canonical(Channel(rows)) == Channel(expected)


def test_labels_are_dropped_since_columns_merge() -> None:
    channel = Channel([["1"], ["1"]], inputs=["a", "b"], outputs=["y"])
    assert (canonical(channel).inputs, canonical(channel).outputs) == (None, None)


def test_the_order_names_groups_masses_and_ratios() -> None:
    order = likelihood_order(MIXED)
    assert [order.group(k) for k in range(3)] == [[0, 3], [4], [2, 5]]
    assert [order.ratio(k) for k in range(3)] == [mpq(1, 2), mpq(1), None]
    assert [p / mpq(order.scale) for p in order.p] == [mpq(1, 2), mpq(1, 2), 0]
    assert [q / mpq(order.scale) for q in order.q] == [mpq(1, 4), mpq(1, 2), mpq(1, 4)]


def test_the_order_without_any_equal_ratio() -> None:
    order = likelihood_order(Channel([["0", "1/2", "1/2"], ["1/3", "1/3", "1/3"]]))
    assert [order.group(k) for k in range(len(order.p))] == [[1, 2], [0]]
    order = likelihood_order(Channel([["1/4", "3/4"], ["3/4", "1/4"]]))
    assert [order.group(k) for k in range(len(order.p))] == [[1], [0]]


def test_ratios_one_bit_apart_stay_apart_and_in_order() -> None:
    big = mpz(2) ** 500
    keys = ratio_keys([big, big + 1, big, 2 * big], [big + 1, big + 2, big, 2 * big])
    assert keys[0] < keys[1] < keys[2] == keys[3]


def test_ratios_that_are_too_long_for_integer_keys_compare_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    numerators, denominators = [mpz(1), mpz(2), mpz(3)], [mpz(3), mpz(6), mpz(7)]
    by_integers = ratio_keys(numerators, denominators)
    monkeypatch.setattr(module, "_KEY_BITS", 0)
    by_ratios = ratio_keys(numerators, denominators)
    assert by_ratios == [mpq(1, 3), mpq(1, 3), mpq(3, 7)]
    assert [a < b for a in by_integers for b in by_integers] == [a < b for a in by_ratios for b in by_ratios]
    assert canonical(MIXED) == Channel([["1/2", "1/2", "0"], ["1/4", "1/2", "1/4"]])


def test_equivalence_is_equality_of_canonical_forms() -> None:
    assert equivalent(Channel([["1/2", "1/2"], ["1/2", "1/2"]]), Channel([["1"], ["1"]]))
    assert equivalent(MIXED, canonical(MIXED))
    assert not equivalent(Channel([["3/4", "1/4"], ["1/4", "3/4"]]), Channel([["7/10", "3/10"], ["3/10", "7/10"]]))


def test_only_pairs_have_a_likelihood_ratio() -> None:
    with pytest.raises(InputError, match="two rows"):
        canonical(Channel([["1"]]))
