"""Every vector of fixtures/vectors/fernandes2025.json is true by definition; the engine is not asked."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from tests.vectors import by_definition as definition
from tests.vectors.by_definition import Point, channel, number
from tests.vectors.fixture_files import VECTORS as VECTOR_FILES
from tests.vectors.fixture_files import fernandes2025, read_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

VECTORS = fernandes2025()
Rows = list[list[Fraction]]


def curve(document: dict[str, Any]) -> list[Point]:
    """The corners of a trade-off document."""
    return [(number(alpha), number(beta)) for alpha, beta in document["breakpoints"]]


def corners_of(rows: Sequence[definition.Law]) -> list[Point]:
    """The corners of T(P, Q), from all tests."""
    return definition.convex_hull_from_below(definition.points_of_tests(rows[0], rows[1]))


def canonical(rows: Sequence[definition.Law]) -> Rows:
    """The canonical channel of two rows."""
    return definition.merged_by_ratio(rows[0], rows[1])


def visible(r: Fraction, left: Rows, right: Rows) -> Rows:
    """The columns of r left, then those of (1 - r) right."""
    return [[r * a for a in p] + [(1 - r) * b for b in q] for p, q in zip(left, right, strict=True)]


def hidden(r: Fraction, left: Rows, right: Rows) -> Rows:
    """The mixture r left + (1 - r) right, outcome by outcome."""
    return [[r * a + (1 - r) * b for a, b in zip(p, q, strict=True)] for p, q in zip(left, right, strict=True)]


def worst_case(level: Fraction, delta: Fraction) -> Rows:
    """The channel C_{epsilon, delta}."""
    a = (1 - delta) / (1 + level)
    return [[delta, a * level, a, Fraction(0)], [Fraction(0), a, a * level, delta]]


def clamped_geometric(n: int, ratio: Fraction) -> Rows:
    """The n x n geometric matrix."""
    return [definition.geometric_row(i, 0, n - 1, ratio) for i in range(n)]


def max_ratio(rows: Rows) -> Fraction:
    """The largest likelihood ratio, in either order."""
    level = definition.least_level(rows[0], rows[1], Fraction(0))
    assert isinstance(level, Fraction)
    return level


def check_tradeoff(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """T, its values, and the canonical channel."""
    rows = channel(given["channel"])
    assert curve(expected["tradeoff"]) == corners_of(rows)
    assert channel(expected["canonical"]) == canonical(rows)
    for point in expected["at"]:
        assert number(point["beta"]) == definition.tradeoff_at(rows[0], rows[1], number(point["alpha"]))


def check_channel_of(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """C(f) has f for its curve and is canonical, which determines it."""
    rows = channel(expected["channel"])
    assert corners_of(rows) == curve(given["tradeoff"])
    assert canonical(rows) == rows


def check_not_in_f(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """A jump at 0: no curve, and above T of the channel that its limit from the right has."""
    corners = curve(given["tradeoff"])
    assert "error" in expected
    assert not definition.is_convex_curve(corners)
    identity = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    assert corners[0][1] > definition.tradeoff_at(identity[0], identity[1], Fraction(0))
    assert corners_of(identity) == corners[1:]


def check_minimum(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """The curve of the glb is the hull of all tests of all members; it is canonical."""
    members = [channel(member) for member in given["channels"]]
    hull = definition.convex_hull_from_below(
        point for rows in members for point in definition.points_of_tests(rows[0], rows[1])
    )
    rows = channel(expected["channel"])
    assert corners_of(rows) == hull
    assert canonical(rows) == rows
    if "tradeoff" in expected:
        assert curve(expected["tradeoff"]) == hull
    if "row_masses" in given:
        masses = [number(mass) for mass in given["row_masses"]]
        for partial in [*members, rows]:
            assert [sum(row) for row in partial] == masses
        assert number(expected["centroid"]) == masses[1] / sum(masses)


def check_refine(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """The witness multiplies out, or the hockey sticks at h are as stated and separate."""
    left, right = channel(given["left"]), channel(given["right"])
    if expected["holds"]:
        witness = expected["witness"]
        dense = [[Fraction(0)] * witness["columns"] for _ in range(witness["rows"])]
        for i, j, value in witness["entries"]:
            dense[i][j] = number(value)
        assert all(sum(row) == 1 and min(row) >= 0 for row in dense)
        assert definition.multiply(left, dense) == right
    else:
        h = number(expected["h"])
        assert number(expected["left"]) == definition.hockey_stick(left[1], left[0], h)
        assert number(expected["right"]) == definition.hockey_stick(right[1], right[0], h)
        assert number(expected["left"]) < number(expected["right"])


def check_hockey(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """Sums over the columns and over the rejection set of each level."""
    p, q = channel(given["channel"])
    for row in expected["levels"]:
        h = number(row["h"])
        rejected = [(a, b) for a, b in zip(p, q, strict=True) if b >= h * a]
        assert number(row["hockey_stick"]) == definition.hockey_stick(q, p, h)
        assert number(row["alpha"]) == sum(a for a, _ in rejected)
        assert number(row["beta"]) == 1 - sum(b for _, b in rejected)
        assert number(row["beta"]) == definition.tradeoff_at(p, q, number(row["alpha"]))


def check_eps_delta(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """The least delta over all events, and whether the claimed one reaches it."""
    p, q = channel(given["channel"])
    least = definition.delta(p, q, number(given["claim"]["exp_epsilon"]))
    assert number(expected["delta"]) == least
    assert expected["holds"] == (least <= number(given["claim"]["delta"]))


def check_not_symmetric(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """The inverse by its definition at many points, and the hull of both."""
    f = curve(given["tradeoff"])
    inverse = curve(expected["inverse"])
    assert definition.is_convex_curve(inverse)
    for beta in {corner[0] for corner in inverse} | {Fraction(i, 97) for i in range(98)}:
        assert definition.value_at(inverse, beta) == definition.inverse_at(f, beta)
    assert expected["symmetric"] == (f == inverse)
    assert curve(expected["symmetrised"]) == definition.convex_hull_from_below([*f, *inverse])


def check_symmetric(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """The visible choice of randomized responses with these weights has the curve."""
    columns: list[tuple[Fraction, Fraction]] = []
    for part in expected["parts"]:
        weight = number(part["weight"])
        truth = Fraction(1)
        if part["exp_epsilon"] != definition.INFINITE:
            level = number(part["exp_epsilon"])
            truth = level / (1 + level)
        columns += [(weight * truth, weight * (1 - truth)), (weight * (1 - truth), weight * truth)]
    rows = [[a for a, _ in columns], [b for _, b in columns]]
    assert corners_of(rows) == curve(given["tradeoff"])
    assert len(canonical(rows)[0]) == expected["columns"]


def check_parallel(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """The product law; the printed lower bound is above it; the doubled guarantee is below it."""
    left, right = (channel(member) for member in given["channels"])
    rows = [definition.product(*pair) for pair in zip(left, right, strict=True)]
    true = curve(expected["tradeoff"])
    assert true == corners_of(rows)
    assert channel(expected["canonical"]) == canonical(rows)
    if "wrong_bound_as_printed" in expected:
        wrong = curve(expected["wrong_bound_as_printed"])
        assert wrong == definition.convex_hull_from_below(
            point
            for one in corners_of(left)
            for other in corners_of(right)
            for point in corners_of([definition.product(*pair) for pair in zip(_test(one), _test(other), strict=True)])
        )
        assert any(definition.value_at(wrong, alpha) > beta for alpha, beta in true)
    if "tradeoff_of_doubled_epsilon_and_delta" in expected:
        doubled = corners_of(worst_case(max_ratio([row[1:3] for row in left]) ** 2, 2 * left[0][0]))
        assert curve(expected["tradeoff_of_doubled_epsilon_and_delta"]) == doubled
        assert all(definition.value_at(doubled, alpha) <= beta for alpha, beta in true)


def _test(corner: Point) -> Rows:
    """The two-column channel f^alpha of one point of a curve."""
    return [[1 - corner[0], corner[0]], [corner[1], 1 - corner[1]]]


def check_visible(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """The visible choice; the pointwise average of the curves is nowhere below it."""
    r, left, right = number(given["r"]), channel(given["left"]), channel(given["right"])
    rows = visible(r, left, right)
    true = curve(expected["tradeoff"])
    assert true == corners_of(rows)
    assert channel(expected["canonical"]) == canonical(rows)
    average = curve(expected["pointwise_average"])
    for alpha in {corner[0] for corner in [*true, *average]} | {Fraction(i, 61) for i in range(62)}:
        mean = r * definition.tradeoff_at(left[0], left[1], alpha) + (1 - r) * definition.tradeoff_at(
            right[0], right[1], alpha
        )
        assert definition.value_at(average, alpha) == mean >= definition.value_at(true, alpha)


def check_hidden(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """The hidden choice, and the visible one of the same two."""
    r, left, right = number(given["r"]), channel(given["left"]), channel(given["right"])
    rows = hidden(r, left, right)
    assert channel(expected["channel"]) == rows
    assert curve(expected["tradeoff"]) == corners_of(rows)
    assert curve(expected["tradeoff_of_visible_choice"]) == corners_of(visible(r, left, right))


def check_law_6_1_5(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """Both sides of the law are the same channel."""
    c, d, e = (channel(given[name]) for name in "cde")
    p, r = number(given["p"]), number(given["r"])
    padded = [row + [Fraction(0)] * len(c[0]) for row in e]
    left = hidden(r, visible(p, d, c), padded)
    p_prime, r_prime = number(expected["p_prime"]), number(expected["r_prime"])
    assert left == visible(p_prime, hidden(r_prime, d, e), c) == channel(expected["channel"])
    assert curve(expected["tradeoff"]) == corners_of(left)


def check_pre(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """The product pre channel."""
    rows = definition.multiply(channel({"matrix": given["pre"]}), channel(given["channel"]))
    assert channel(expected["channel"]) == rows
    assert curve(expected["tradeoff"]) == corners_of(rows)


def check_post(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """The product channel post."""
    rows = definition.multiply(channel(given["channel"]), channel({"matrix": given["post"]}))
    assert channel(expected["channel"]) == rows
    assert curve(expected["tradeoff"]) == corners_of(rows)


def check_geometric(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """All rows, the noise added up term by term."""
    assert channel(expected) == clamped_geometric(given["n"], number(given["ratio"]))


def check_purification(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """Mixing with uniform, then the geometric matrix, in both column orders."""
    level, delta, r = number(given["exp_epsilon"]), number(given["delta"]), number(given["r"])
    uniform = [[Fraction(1, 4)] * 4] * 2
    mixed = hidden(r, worst_case(level, delta), uniform)
    assert channel(expected["hidden_label_order"]) == mixed
    assert channel(expected["hidden_canonical"]) == canonical(mixed)
    assert curve(expected["hidden_tradeoff"]) == corners_of(mixed)
    assert number(expected["hidden_max_ratio"]) == max_ratio(mixed)
    noise = clamped_geometric(4, number(given["ratio"]))
    noisy = definition.multiply(mixed, noise)
    assert channel(expected["post_label_order"]) == noisy
    assert curve(expected["post_label_order_tradeoff"]) == corners_of(noisy)
    # Column 1 has the ratio aE against a, column 0 the ratio delta against 0, both mixed with uniform.
    middle_extreme = mixed[0][1] * mixed[1][0] > mixed[0][0] * mixed[1][1]
    assert expected["middle_columns_extreme"] == middle_extreme
    bound = 1 / (1 - 2 * delta) + r * (1 - delta) * delta / (Fraction(1, 4) * (1 - r) * (1 - 2 * delta))
    assert number(expected["corrected_bound"]) == bound
    assert middle_extreme == (level > bound)
    if "post_canonical_order" in expected:
        ordered = definition.multiply(canonical(mixed), noise)
        assert channel(expected["post_canonical_order"]) == ordered
        assert curve(expected["post_canonical_order_tradeoff"]) == corners_of(ordered)
        assert number(expected["post_canonical_order_max_ratio"]) == max_ratio(ordered)


def check_purification_noncovering(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """The same with two certain outcomes outside the uniform four."""
    level, r = number(given["exp_epsilon"]), number(given["r"])
    delta1, delta2 = number(given["delta1"]), number(given["delta2"])
    zero, quarter = Fraction(0), Fraction(1, 4)
    middle = [[(1 - delta2) * mass for mass in row] for row in worst_case(level, delta1)]
    chosen = [[delta2, *middle[0], zero], [zero, *middle[1], delta2]]
    assert channel(expected["visible"]) == chosen
    mixed = hidden(r, chosen, [[zero, *[quarter] * 4, zero]] * 2)
    assert channel(expected["hidden"]) == mixed
    assert curve(expected["hidden_tradeoff"]) == corners_of(mixed)
    noise = clamped_geometric(6, number(given["ratio"]))
    for name, columns in (("post_label_order", mixed), ("post_canonical_order", canonical(mixed))):
        noisy = definition.multiply(columns, noise)
        assert channel(expected[name]) == noisy
        assert curve(expected[f"{name}_tradeoff"]) == corners_of(noisy)


def check_subsampling(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """The mixture row, the paper's four points on its curve, the inverse and the symmetrised meet."""
    level, delta, rate = number(given["exp_epsilon"]), number(given["delta"]), number(given["rate"])
    whole = worst_case(level, delta)
    rows = definition.multiply([[Fraction(1), Fraction(0)], [1 - rate, rate]], whole)
    assert channel(expected["channel"]) == rows
    f = corners_of(rows)
    assert curve(expected["tradeoff"]) == f
    points = [(number(alpha), number(beta)) for alpha, beta in expected["points"]]
    assert [definition.value_at(f, alpha) for alpha, _ in points] == [beta for _, beta in points]
    assert set(f) <= set(points)
    b = points[1]
    assert number(expected["gain_at_b"]) == b[1] - definition.tradeoff_at(whole[0], whole[1], b[0])
    inverse = curve(expected["inverse"])
    assert inverse == corners_of(rows[::-1])
    assert curve(expected["symmetrised"]) == definition.convex_hull_from_below([*f, *inverse])


CHECKS: dict[str, Callable[[dict[str, Any], dict[str, Any]], None]] = {
    "T": check_tradeoff,
    "C_of_f": check_channel_of,
    "not_in_F": check_not_in_f,
    "min": check_minimum,
    "partial_min": check_minimum,
    "refine": check_refine,
    "hockey": check_hockey,
    "eps_delta": check_eps_delta,
    "not_symmetric": check_not_symmetric,
    "symmetric": check_symmetric,
    "parallel": check_parallel,
    "visible": check_visible,
    "hidden": check_hidden,
    "law_6_1_5": check_law_6_1_5,
    "pre": check_pre,
    "post": check_post,
    "geometric": check_geometric,
    "purification": check_purification,
    "purification_noncovering": check_purification_noncovering,
    "subsampling": check_subsampling,
}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_vector_is_true_by_definition(vector: dict[str, Any]) -> None:
    """The expected values follow from the definitions by enumeration."""
    CHECKS[vector["kind"]](vector["input"], vector["expected"])


def channels_in(document: Any) -> list[Rows]:
    """Every channel at any depth of a document."""
    if isinstance(document, list):
        return [rows for item in document for rows in channels_in(item)]
    if not isinstance(document, dict):
        return []
    own = [channel(document)] if "matrix" in document else []
    return own + [rows for item in document.values() for rows in channels_in(item)]


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_every_channel_of_a_vector_is_stochastic(vector: dict[str, Any]) -> None:
    """Entries at least 0, every row summing to 1; to the stated mass where the channels are partial."""
    masses = [number(mass) for mass in vector["input"].get("row_masses", [])]
    for rows in channels_in(vector):
        assert min(min(row) for row in rows) >= 0
        assert [sum(row) for row in rows] == (masses or [1] * len(rows))


def test_ids_are_unique_and_kinds_are_described() -> None:
    """One id for one vector; the file describes exactly the kinds it holds."""
    assert len({vector["id"] for vector in VECTORS}) == len(VECTORS) == 79
    kinds = {vector["kind"] for vector in VECTORS}
    assert kinds == set(CHECKS) == set(read_json(VECTOR_FILES / "fernandes2025.json")["kinds"])
