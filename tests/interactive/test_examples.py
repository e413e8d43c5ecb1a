"""The small examples: what their docstrings say of them."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from oracle.interactive.examples import binary_answer, choice_of_two, interleaving, renyi_choice, unattained
from oracle.interactive.tightness import tight_channel
from oracle.interactive.tree import HALT


def test_a_binary_answer_leaves_out_what_is_impossible():
    """Two branches, or one where the other has probability 0 on both inputs."""
    node = binary_answer(mpq(1, 3), mpq(1), HALT, HALT)
    assert [(b.label, b.p, b.q) for b in node.branches] == [("0", mpq(1, 3), 1), ("1", mpq(2, 3), 0)]
    assert [b.label for b in binary_answer(mpq(0), mpq(0)).branches] == ["1"]
    assert [b.label for b in binary_answer(mpq(1), mpq(1)).branches] == ["0"]
    assert [label for label, _ in choice_of_two(node, HALT).options] == ["A", "B"]


@pytest.mark.parametrize(
    ("mechanism", "p", "q"),
    [
        # A has the columns (3/4, 1/4, 0 | 1/4, 1/2, 1/4), B has (3/8, 3/8, 1/4 | 0, 1/2, 1/2).
        (interleaving(), ["3/8", "3/8", "1/4", "0"], ["0", "1/4", "1/2", "1/4"]),
        (unattained(), ["3/4", "1/4", "0"], ["1/4", "5/12", "1/3"]),
        (renyi_choice(), ["1/2", "1/2", "0"], ["1/4", "1/2", "1/4"]),
    ],
)
def test_tight_channels(mechanism, p, q):
    """N, worked out by hand from the curves of the options."""
    rows = tight_channel(mechanism).rows
    assert [list(map(str, row)) for row in rows] == [p, q]
