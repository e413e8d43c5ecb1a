"""The engine gives the values of fixtures/vectors/fernandes2025.json.

The kinds about operators (parallel, visible, hidden, pre, post and what is built of them) and the
decomposition are in the file and are true by definition; :data:`WITHOUT_OPERATORS` is asked here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from gmpy2 import mpq

from oracle.channels.canonical import canonical
from oracle.channels.channel import Channel, parse_channel
from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import channel_of, tradeoff_of
from oracle.channels.lattice import greatest_lower_bound
from oracle.channels.profile import least_level
from oracle.channels.refinement import Separation, Witness, refine, refines
from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve, parse_tradeoff
from oracle.errors import InputError
from tests.vectors.fixture_files import fernandes2025

if TYPE_CHECKING:
    from collections.abc import Callable

Document = dict[str, Any]


def partial_channel(document: Document) -> Channel:
    """A channel whose rows may have less mass than 1."""
    return Channel(document["matrix"], partial=True)


def check_tradeoff(given: Document, expected: Document) -> None:
    """tradeoff_of: corners, values, canonical form, and the way back by C."""
    channel = parse_channel(given["channel"])
    curve = tradeoff_of(channel)
    assert curve.to_json() == expected["tradeoff"]
    assert [str(curve(point["alpha"])) for point in expected["at"]] == [point["beta"] for point in expected["at"]]
    assert canonical(channel).to_json() == expected["canonical"] == channel_of(curve).to_json()


def check_channel_of(given: Document, expected: Document) -> None:
    """channel_of: the canonical channel, and the way back by T."""
    curve = parse_tradeoff(given["tradeoff"])
    assert channel_of(curve).to_json() == expected["channel"]
    assert tradeoff_of(channel_of(curve)) == curve


def check_not_in_f(given: Document, expected: Document) -> None:
    """A curve with a jump at 0 is refused."""
    assert "error" in expected
    with pytest.raises(InputError, match="alpha strictly increasing, got two corners at 0"):
        parse_tradeoff(given["tradeoff"])


def check_minimum(given: Document, expected: Document) -> None:
    """greatest_lower_bound, in every rotation of the members."""
    read = partial_channel if "row_masses" in given else parse_channel
    members = [read(document) for document in given["channels"]]
    for k in range(len(members)):
        lowest = greatest_lower_bound(members[k:] + members[:k])
        assert lowest.to_json() == expected["channel"]
        assert all(refines(lowest, member) for member in members)
    if "tradeoff" in expected:
        assert tradeoff_of(lowest).to_json() == expected["tradeoff"]
    if "row_masses" in given:
        assert [str(mass) for mass in lowest.masses] == given["row_masses"]
        first, second = lowest.masses
        assert str(second / (first + second)) == expected["centroid"]


def check_refine(given: Document, expected: Document) -> None:
    """refine: a witness that multiplies out or a level whose sums separate; both ways as refines says."""
    left, right = parse_channel(given["left"]), parse_channel(given["right"])
    evidence = refine(left, right)
    assert refines(left, right) == expected["holds"]
    if expected["holds"]:
        assert isinstance(evidence, Witness)
        assert evidence.product(left) == right.rows
    else:
        assert isinstance(evidence, Separation)
        found = tuple(hockey_stick(channel, evidence.level, "backward") for channel in (left, right))
        assert found == (evidence.left, evidence.right)
        assert evidence.left < evidence.right
        stated = [hockey_stick(channel, mpq(expected["h"]), "backward") for channel in (left, right)]
        assert [str(value) for value in stated] == [expected["left"], expected["right"]]


def check_hockey(given: Document, expected: Document) -> None:
    """hockey_stick backward at every level, and the curve at the error of the level's test."""
    channel = parse_channel(given["channel"])
    curve = tradeoff_of(channel)
    for row in expected["levels"]:
        assert str(hockey_stick(channel, mpq(row["h"]), "backward")) == row["hockey_stick"]
        assert str(curve(row["alpha"])) == row["beta"]


def check_eps_delta(given: Document, expected: Document) -> None:
    """The profile at the claimed level, and the same decision by refinement and by the curve."""
    channel = parse_channel(given["channel"])
    level, delta = mpq(given["claim"]["exp_epsilon"]), mpq(given["claim"]["delta"])
    least = hockey_stick(channel, level, "both")
    assert str(least) == expected["delta"]
    assert expected["holds"] == (least <= delta)
    assert expected["holds"] == (least_level(channel, delta) <= level)
    claimed = approximate_dp_curve(level, delta)
    assert expected["holds"] == (claimed <= tradeoff_of(channel))
    assert expected["holds"] == refines(channel_of(claimed), channel)


def check_not_symmetric(given: Document, expected: Document) -> None:
    """inverse, is_symmetric, symmetrised."""
    curve = parse_tradeoff(given["tradeoff"])
    assert curve.is_symmetric() is expected["symmetric"]
    assert curve.inverse().to_json() == expected["inverse"]
    assert curve.inverse().inverse() == curve
    assert curve.symmetrised().to_json() == expected["symmetrised"]
    assert curve.symmetrised().is_symmetric()


CHECKS: dict[str, Callable[[Document, Document], None]] = {
    "T": check_tradeoff,
    "C_of_f": check_channel_of,
    "not_in_F": check_not_in_f,
    "min": check_minimum,
    "partial_min": check_minimum,
    "refine": check_refine,
    "hockey": check_hockey,
    "eps_delta": check_eps_delta,
    "not_symmetric": check_not_symmetric,
}
WITHOUT_OPERATORS = [vector for vector in fernandes2025() if vector["kind"] in CHECKS]


@pytest.mark.parametrize("vector", WITHOUT_OPERATORS, ids=[vector["id"] for vector in WITHOUT_OPERATORS])
def test_engine_gives_the_value(vector: Document) -> None:
    """The engine's answer is the expected one."""
    CHECKS[vector["kind"]](vector["input"], vector["expected"])


CURVES = [
    pytest.param(document, id=f"{vector['id']}-{side}-{name}")
    for vector in fernandes2025()
    for side in ("input", "expected")
    for name, document in vector[side].items()
    if isinstance(document, dict) and "breakpoints" in document and vector["kind"] != "not_in_F"
]


@pytest.mark.parametrize("document", CURVES)
def test_every_curve_of_the_file_is_a_minimal_trade_off_function(document: Document) -> None:
    """Each curve parses, is stored with the corners stated, and equals T of C of itself."""
    curve = parse_tradeoff(document)
    assert curve.to_json() == document
    assert tradeoff_of(channel_of(curve)) == curve == TradeoffFunction(document["breakpoints"])
