"""The engine gives the values of fixtures/vectors/fernandes2025.json, of every kind.

Operators are asked in Python and as requests; what is built of several is asked as one expression too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from gmpy2 import mpq

from oracle.answers import answer
from oracle.channels.canonical import canonical, equivalent
from oracle.channels.channel import Channel, parse_channel, parse_matrix
from oracle.channels.decomposition import decompose, recompose
from oracle.channels.divergences import hockey_stick
from oracle.channels.galois import channel_of, tradeoff_of
from oracle.channels.lattice import greatest_lower_bound
from oracle.channels.noise import clamped_geometric, uniform_replacement
from oracle.channels.operators import hidden, parallel, post_process, pre_process, visible
from oracle.channels.overlap import hidden_as_visible
from oracle.channels.profile import least_level
from oracle.channels.refinement import Separation, Witness, refine, refines
from oracle.channels.tradeoff import TradeoffFunction, approximate_dp_curve, parse_tradeoff
from oracle.errors import InputError
from oracle.exact import to_text
from oracle.mechanisms.evaluate import evaluate
from oracle.mechanisms.parse import parse_mechanism
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
    assert set(answer({"id": 1, "op": "decompose", "args": given})) == {"id", "error"}


def ask(op: str, **args: object) -> Any:
    """The value that the engine answers to a request."""
    given = answer({"id": "a", "op": op, "args": args})
    assert set(given) == {"id", "value"}, given
    return given["value"]


def expression(document: Document) -> Channel:
    """The channel of a mechanism expression."""
    channel = evaluate(parse_mechanism(document))
    assert isinstance(channel, Channel)
    return channel


def worst_case(level: str, delta: str) -> Document:
    """C_{eps,delta} as an expression."""
    return {"mechanism": "approximate_randomized_response", "exp_epsilon": level, "delta": delta}


def texts(rows: Any) -> list[list[str]]:
    """A matrix as it stands in a document."""
    return [[to_text(v) for v in row] for row in rows]


def max_ratio(channel: Channel) -> str:
    """The largest likelihood ratio in either direction."""
    return to_text(least_level(channel, mpq(0)))


def check_parallel(given: Document, expected: Document) -> None:
    """parallel, its curve and canonical form; the printed bound is above the truth, the doubled guarantee below."""
    channels = [parse_channel(document) for document in given["channels"]]
    product = parallel(channels)
    assert ask("parallel", channels=given["channels"]) == product.to_json()
    assert tradeoff_of(product).to_json() == ask("tradeoff", channel=product.to_json()) == expected["tradeoff"]
    assert canonical(product).to_json() == expected["canonical"]
    assert ask("canonical", channel={"mechanism": "compose", "of": given["channels"]}) == expected["canonical"]
    if "wrong_bound_as_printed" in expected:
        assert not parse_tradeoff(expected["wrong_bound_as_printed"]) <= tradeoff_of(product)
    if "tradeoff_of_doubled_epsilon_and_delta" in expected:
        assert parse_tradeoff(expected["tradeoff_of_doubled_epsilon_and_delta"]) <= tradeoff_of(product)


def check_visible(given: Document, expected: Document) -> None:
    """visible, its curve and canonical form; the pointwise average is nowhere below it."""
    left, right = parse_channel(given["left"]), parse_channel(given["right"])
    choice = visible(mpq(given["r"]), left, right)
    assert ask("visible", **given) == choice.to_json()
    assert expression({"mechanism": "visible", **given}) == choice
    assert tradeoff_of(choice).to_json() == expected["tradeoff"]
    assert canonical(choice).to_json() == expected["canonical"]
    assert tradeoff_of(choice) <= parse_tradeoff(expected["pointwise_average"])


def check_hidden(given: Document, expected: Document) -> None:
    """Hidden and its curve, beside the visible choice of the same two."""
    left, right = parse_channel(given["left"]), parse_channel(given["right"])
    choice = hidden(mpq(given["r"]), left, right)
    assert ask("hidden", **given) == choice.to_json() == expected["channel"]
    assert expression({"mechanism": "hidden", **given}) == choice
    assert tradeoff_of(choice).to_json() == expected["tradeoff"]
    beside = visible(mpq(given["r"]), left, right)
    assert tradeoff_of(beside).to_json() == expected["tradeoff_of_visible_choice"]
    assert refines(beside, choice)


def check_law_6_1_5(given: Document, expected: Document) -> None:
    """Both sides of the law as repaired, one by hidden_as_visible."""
    c, d, e = (parse_channel(given[name]) for name in "cde")
    p, r = mpq(given["p"]), mpq(given["r"])
    left = visible(p, d, c)
    extended = Channel([[*row, *[0] * c.shape[1]] for row in e.rows])
    whole = hidden(r, left, extended)
    assert whole.to_json() == expected["channel"]
    assert tradeoff_of(whole).to_json() == expected["tradeoff"]
    weight, inner, outer = hidden_as_visible(r, left, extended, range(d.shape[1], left.shape[1]))
    assert outer is not None
    assert to_text(weight) == expected["p_prime"]
    assert inner == hidden(mpq(expected["r_prime"]), d, e)
    assert visible(weight, inner, outer) == whole


def check_pre(given: Document, expected: Document) -> None:
    """Pre and its curve."""
    mixed = pre_process(parse_matrix(given["pre"], "pre"), parse_channel(given["channel"]))
    assert ask("pre", **given) == mixed.to_json() == expected["channel"]
    assert expression({"mechanism": "pre", "pre": given["pre"], "of": given["channel"]}) == mixed
    assert tradeoff_of(mixed).to_json() == expected["tradeoff"]


def check_post(given: Document, expected: Document) -> None:
    """Post and its curve."""
    processed = post_process(parse_channel(given["channel"]), parse_matrix(given["post"], "post"))
    assert ask("post", **given) == processed.to_json() == expected["channel"]
    assert expression({"mechanism": "post", "post": given["post"], "of": given["channel"]}) == processed
    assert tradeoff_of(processed).to_json() == expected["tradeoff"]


def check_symmetric(given: Document, expected: Document) -> None:
    """decompose, and back."""
    curve = parse_tradeoff(given["tradeoff"])
    parts = decompose(curve)
    assert ask("decompose", **given) == expected["parts"]
    assert [(to_text(p.weight), to_text(p.exp_epsilon)) for p in parts] == [
        (part["weight"], part["exp_epsilon"]) for part in expected["parts"]
    ]
    assert channel_of(curve).shape[1] == expected["columns"]
    assert canonical(recompose(parts)) == channel_of(curve)


def check_geometric(given: Document, expected: Document) -> None:
    """clamped_geometric, and its rows as mechanisms."""
    n = given["n"]
    table = clamped_geometric(0, n - 1, mpq(given["ratio"]))
    assert texts(table) == expected["matrix"]
    for value in range(n):
        node = {"mechanism": "geometric", "ratio": given["ratio"], "low": 0, "high": n - 1, "values": [value, 0]}
        assert expression(node).rows == (table[value], table[0])


def check_purification(given: Document, expected: Document) -> None:
    """Uniform replacement, then geometric noise on the columns in both orders."""
    whole = expression(worst_case(given["exp_epsilon"], given["delta"]))
    mixed = uniform_replacement(whole, mpq(given["r"]))
    assert mixed.to_json() == expected["hidden_label_order"]
    assert canonical(mixed).to_json() == expected["hidden_canonical"]
    assert tradeoff_of(mixed).to_json() == expected["hidden_tradeoff"]
    assert max_ratio(mixed) == expected["hidden_max_ratio"]
    noise = clamped_geometric(0, 3, mpq(given["ratio"]))
    for name, columns in (("post_label_order", mixed), ("post_canonical_order", canonical(mixed))):
        if name in expected:
            noisy = post_process(columns, noise)
            assert noisy.to_json() == expected[name]
            assert tradeoff_of(noisy).to_json() == expected[f"{name}_tradeoff"]
            if f"{name}_max_ratio" in expected:
                assert max_ratio(noisy) == expected[f"{name}_max_ratio"]
    p, q = mixed.rows
    extreme = p[1] * q[0] > p[0] * q[1]
    assert extreme is expected["middle_columns_extreme"]
    assert extreme == (mpq(given["exp_epsilon"]) > mpq(expected["corrected_bound"]))
    uniform = {"matrix": [["1/4"] * 4] * 2}
    chosen = {"mechanism": "hidden", "r": given["r"], "left": worst_case(given["exp_epsilon"], given["delta"])}
    of = {**chosen, "right": uniform}
    assert expression({"mechanism": "post", "post": texts(noise), "of": of}).to_json() == expected["post_label_order"]


def check_purification_noncovering(given: Document, expected: Document) -> None:
    """The identity revealed with probability delta2, uniform replacement on the middle outputs, then noise."""
    whole = expression(worst_case(given["exp_epsilon"], given["delta1"]))
    delta2 = mpq(given["delta2"])
    ends = Channel([[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]])
    inner = Channel([[0, *row, 0] for row in whole.rows])
    chosen = hidden(delta2, ends, inner)  # disjoint outputs: nothing is hidden
    assert chosen.to_json() == expected["visible"]
    assert equivalent(chosen, visible(delta2, Channel([["1", "0"], ["0", "1"]]), whole))
    mixed = uniform_replacement(chosen, mpq(given["r"]), range(1, 5))
    assert mixed.to_json() == expected["hidden"]
    assert tradeoff_of(mixed).to_json() == expected["hidden_tradeoff"]
    # D' = I ⊕_{r'δ2} (C ⊞_ρ U), ρ = r'(1-δ2)/(1-r'δ2).
    r = mpq(given["r"])
    weight, replaced, revealed = hidden_as_visible(r, chosen, Channel([[0, *["1/4"] * 4, 0]] * 2), (0, 5))
    assert (1 - weight, revealed) == (r * delta2, Channel([["1", "0"], ["0", "1"]]))
    assert replaced == uniform_replacement(whole, r * (1 - delta2) / (1 - r * delta2))
    noise = clamped_geometric(0, 5, mpq(given["ratio"]))
    for name, columns in (("post_label_order", mixed), ("post_canonical_order", canonical(mixed))):
        noisy = post_process(columns, noise)
        assert noisy.to_json() == expected[name]
        assert tradeoff_of(noisy).to_json() == expected[f"{name}_tradeoff"]


def check_subsampling(given: Document, expected: Document) -> None:
    """pre-processing by [1 0; 1-rate rate]: channel, curve, the paper's points, inverse and symmetrised meet."""
    rate = mpq(given["rate"])
    whole = worst_case(given["exp_epsilon"], given["delta"])
    sampled = expression({"mechanism": "pre", "pre": [["1", "0"], [to_text(1 - rate), given["rate"]]], "of": whole})
    assert sampled.to_json() == expected["channel"]
    curve = tradeoff_of(sampled)
    assert curve.to_json() == expected["tradeoff"]
    points = [(mpq(a), mpq(b)) for a, b in expected["points"]]
    assert [curve.at(a) for a, _ in points] == [b for _, b in points]
    unsampled = tradeoff_of(expression(whole))
    assert to_text(curve.at(points[1][0]) - unsampled.at(points[1][0])) == expected["gain_at_b"]
    assert tradeoff_of(sampled.swapped()).to_json() == curve.inverse().to_json() == expected["inverse"]
    assert curve.symmetrised().to_json() == expected["symmetrised"]
    for a in (mpq(0), mpq(1, 7), mpq(1, 2), mpq(1)):
        assert curve.at(a) == rate * unsampled.at(a) + (1 - rate) * (1 - a)


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
    "parallel": check_parallel,
    "visible": check_visible,
    "hidden": check_hidden,
    "law_6_1_5": check_law_6_1_5,
    "pre": check_pre,
    "post": check_post,
    "symmetric": check_symmetric,
    "geometric": check_geometric,
    "purification": check_purification,
    "purification_noncovering": check_purification_noncovering,
    "subsampling": check_subsampling,
}
VECTORS = fernandes2025()


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
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
