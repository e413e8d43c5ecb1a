"""Refinement for any number of rows: two independent ways, wrong and missing proposals, gaps of a hair's breadth."""

from __future__ import annotations

import importlib.util
import random
from fractions import Fraction

import pytest
import z3
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from oracle.answers import answer
from oracle.certificates.checker import Rejected, check
from oracle.certificates.documents import refinement_certificate, seal
from oracle.channels import lp_hint, refinement_many
from oracle.channels.channel import Channel
from oracle.channels.gains import posterior_vulnerability
from oracle.channels.refinement import GainSeparation, Witness, refine, refines
from oracle.channels.refinement_many import couple_or_separate
from oracle.errors import InputError, LimitError
from oracle.laws.strategies import (
    many_row_channels,
    nearly_refining_pairs,
    partial_families,
    post_processed,
    two_row_channels,
    witnesses,
)

WITH_SOLVER = importlib.util.find_spec("highspy") is not None
HAIRS = [10, 53, 100, 1000]


def holds_by_z3(left: Channel, right: Channel) -> bool:
    """Whether some W >= 0 with rows that sum to 1 has left·W = right, by z3 over the reals."""

    def real(value: mpq) -> z3.RatNumRef:
        return z3.Q(int(value.numerator), int(value.denominator))

    (_, n), (_, m) = left.shape, right.shape
    weights = [[z3.Real(f"w{i}_{j}") for j in range(m)] for i in range(n)]
    solver = z3.Solver()
    solver.add(*[w >= 0 for row in weights for w in row], *[z3.Sum(row) == 1 for row in weights])
    for row, target in zip(left.rows, right.rows, strict=True):
        for j, value in enumerate(target):
            solver.add(z3.Sum([real(a) * weights[i][j] for i, a in enumerate(row)]) == real(value))
    return solver.check() == z3.sat


def verdict(left: Channel, right: Channel) -> bool:
    """The verdict of the linear program, its evidence checked by definition and by the checker of certificates."""
    outcome = couple_or_separate(left, right)
    if isinstance(outcome, GainSeparation):
        assert all(g >= 0 for action in outcome.gain for g in action)
        assert outcome.left == posterior_vulnerability(left, outcome.gain)
        assert outcome.right == posterior_vulnerability(right, outcome.gain)
        assert outcome.left < outcome.right
        assert check(refinement_certificate(left, right, outcome)).kind == "separating_gain"
        return False
    witness = Witness(left.shape[1], right.shape[1], tuple(outcome))
    assert witness.product(left) == right.rows
    assert check(refinement_certificate(left, right, witness)).kind == "refinement"
    return True


def random_channel(chance: random.Random, rows: int, columns: int, zeros: float = 0) -> Channel:
    weights = [[0 if chance.random() < zeros else chance.randint(1, 20) for _ in range(columns)] for _ in range(rows)]
    for row in weights:
        row[chance.randrange(columns)] += 1
    return Channel([[mpq(w, sum(row)) for w in row] for row in weights])


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Channel, Channel]:
    """Two channels of the same number of rows, of which the first refines to the second in about half the cases."""
    left = draw(many_row_channels(max_columns=6))
    if draw(st.booleans()):
        return left, post_processed(left, draw(witnesses(left.shape[1])))
    rows = left.shape[0]
    return left, draw(many_row_channels(min_rows=rows, max_rows=rows, max_columns=6))


@given(pairs())
def test_the_verdict_is_that_of_z3(pair):
    """Any rows, supports, ranks and repeats."""
    assert verdict(*pair) == holds_by_z3(*pair)


@pytest.mark.parametrize("seed", range(6))
def test_the_verdict_is_that_of_z3_on_larger_channels(seed):
    """Up to 6 x 8: a product pulled towards an unrelated channel by steps, so that the verdict flips on the way."""
    chance = random.Random(seed)  # noqa: S311 - a fixed sample
    rows = chance.randint(3, 6)
    left = random_channel(chance, rows, 8, zeros=chance.choice([0, 0.3]))
    inner = post_processed(left, random_channel(chance, 8, 6, zeros=0.7).rows)
    outer = random_channel(chance, rows, 6)
    for step in (0, 1, 3, 8):
        t = mpq(step, 8)
        mixed = [
            [(1 - t) * a + t * b for a, b in zip(*pair, strict=True)]
            for pair in zip(inner.rows, outer.rows, strict=True)
        ]
        right = Channel(mixed)
        assert verdict(left, right) == holds_by_z3(left, right)
        assert step or refines(left, right)


@given(two_row_channels(), two_row_channels())
def test_two_rows_agree_with_the_linear_algorithm(left, right):
    """The program and the trade-off curves are independent ways to one verdict."""
    assert verdict(left, right) == refines(left, right)


@given(nearly_refining_pairs())
def test_two_rows_by_a_hair(pair):
    """Gaps of 2^-10 to 2^-1000, both sides."""
    assert verdict(pair.left, pair.right) == pair.holds


@given(many_row_channels(max_rows=5, max_columns=6), st.data())
def test_a_product_is_refined_to(channel, data):
    """C ⊑ C·W, and back only if nothing is lost."""
    first = post_processed(channel, data.draw(witnesses(channel.shape[1])))
    second = post_processed(first, data.draw(witnesses(first.shape[1])))
    assert verdict(channel, first)
    assert verdict(channel, second)
    assert verdict(first, channel) == holds_by_z3(first, channel)


@given(partial_families(), st.data())
def test_partial_channels_of_equal_masses(family, data):
    """The first member and its post-processing, with a third row that repeats the first."""
    channels = [Channel([*c.rows, c.rows[0]], partial=True) for c in family]
    left, right = channels[:2]
    assert verdict(left, post_processed(left, data.draw(witnesses(left.shape[1]))))
    assert verdict(left, right) == holds_by_z3(left, right)


def test_one_row_always_holds():
    """With one input there is no secret."""
    left, right = Channel([["1/3", "0", "2/3"]]), Channel([["1/7", "6/7", "0"]])
    assert verdict(left, right)
    assert isinstance(refine(right, left), Witness)


def test_by_hand():
    """Nothing against everything about three inputs; parallel columns and an empty one; disjoint supports."""
    nothing, everything = Channel([["1"]] * 3), Channel([["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]])
    halves = Channel([["1/2", "1/4", "0", "1/4"], ["1/2", "1/4", "0", "1/4"], ["0", "0", "0", "1"]])
    merged = Channel([["3/4", "1/4"], ["3/4", "1/4"], ["0", "1"]])
    assert verdict(everything, nothing)
    assert not verdict(nothing, everything)
    assert verdict(halves, merged)
    assert verdict(merged, halves)
    assert verdict(everything, halves)
    assert not verdict(halves, everything)
    separation = refine(nothing, everything)
    assert isinstance(separation, GainSeparation)
    assert (bool(separation), separation.holds) == (False, False)


def test_pairwise_refinement_is_not_enough():
    """Each two rows of left refine to those of right, the three do not."""
    left = Channel([["1", "0"], ["1/2", "1/2"], ["0", "1"]])
    right = Channel([["1", "0"], ["1/2", "1/2"], ["1/2", "1/2"]])
    assert [refines(left.pair(*rows), right.pair(*rows)) for rows in ((0, 1), (0, 2), (1, 2))] == [True] * 3
    assert not verdict(left, right)


def test_dependent_rows_on_the_left_only():
    """A row that is the mean of the others in left but not in right."""
    left = Channel([["1", "0"], ["0", "1"], ["1/2", "1/2"]])
    assert verdict(left, Channel([["2/3", "1/3"], ["1/3", "2/3"], ["1/2", "1/2"]]))
    assert not verdict(left, Channel([["2/3", "1/3"], ["1/3", "2/3"], ["1/3", "2/3"]]))


def contracted(channel: Channel, amount: mpq) -> Channel:
    """Every row moved towards the mean of all: channel·((1 - amount) I + amount·J) in the sense of its rows."""
    means = [sum(column, mpq(0)) / channel.shape[0] for column in zip(*channel.rows, strict=True)]
    return Channel([[(1 - amount) * a + amount * m for a, m in zip(row, means, strict=True)] for row in channel.rows])


@pytest.mark.parametrize("bits", HAIRS)
@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (4, 9)])
def test_a_hair_decides_for_many_rows(rows, columns, bits):
    """Rows moved towards their mean by 2^-bits leak strictly less; so do columns mixed by it."""
    channel = random_channel(random.Random(bits), rows, columns)  # noqa: S311 - a fixed sample
    less = contracted(channel, mpq(1, 2**bits))
    assert verdict(channel, less)
    assert not verdict(less, channel)
    gap = mpq(1, 2**bits)
    mix = [[mpq(i == j) for j in range(columns)] for i in range(columns)]
    mix[0][0], mix[0][1] = 1 - gap, gap
    mixed = post_processed(channel, mix)
    assert verdict(channel, mixed)
    assert not verdict(mixed, channel)


def wrong_proposals(chance: random.Random):
    """Proposals that are no basis of anything."""
    yield lambda _: ()
    yield lambda _: (-1, 10**9, 0, 0)
    yield lambda p: tuple(range(len(p.columns)))
    yield lambda p: tuple(reversed(range(len(p.columns))))
    yield lambda p: tuple(chance.sample(range(len(p.columns)), len(p.columns) // 2))


@pytest.mark.parametrize("name", ["product", "moved", "unrelated", "hair"])
def test_proposals_change_no_verdict(monkeypatch, name):
    """With a solver, without one, and with wrong proposals: the same verdict, the evidence checked each time."""
    chance = random.Random(name)  # noqa: S311 - a fixed sample
    left = random_channel(chance, 4, 8, zeros=0.2)
    gap = mpq(1, 2**200)
    if name == "product":
        right, expected = post_processed(left, random_channel(chance, 8, 7, zeros=0.6).rows), True
    elif name == "moved":
        right, expected = left, False
        left = contracted(left, mpq(1, 50))
    elif name == "unrelated":
        right, expected = random_channel(chance, 4, 7), None
    else:
        left, right, expected = contracted(left, gap), left, False
    if expected is None:
        expected = holds_by_z3(left, right)
    monkeypatch.setattr(refinement_many, "_WORTH_A_HINT", 0)
    for propose in (lp_hint.propose, *wrong_proposals(chance)):
        monkeypatch.setattr(refinement_many, "propose", propose)
        assert verdict(left, right) == expected


def test_without_the_solver_there_is_no_proposal(monkeypatch):
    """A missing extra is no error."""
    monkeypatch.setitem(__import__("sys").modules, "highspy", None)
    left = random_channel(random.Random(0), 3, 5)  # noqa: S311 - a fixed sample
    problems = []
    monkeypatch.setattr(refinement_many, "_WORTH_A_HINT", 0)
    monkeypatch.setattr(refinement_many, "propose", lambda p: problems.append(p) or lp_hint.propose(p))
    assert verdict(left, left)
    assert lp_hint.propose(problems[0]) == ()


@pytest.mark.skipif(not WITH_SOLVER, reason="needs the extra lp")
def test_a_proposal_prints_nothing_and_names_columns(monkeypatch, capfd):
    """Standard output belongs to the protocol."""
    problems = []
    monkeypatch.setattr(refinement_many, "_WORTH_A_HINT", 0)
    monkeypatch.setattr(refinement_many, "propose", lambda p: problems.append(p) or ())
    left = random_channel(random.Random(1), 3, 6)  # noqa: S311 - a fixed sample
    assert verdict(left, contracted(left, mpq(1, 3)))
    proposal = lp_hint.propose(problems[0])
    assert proposal
    assert set(proposal) <= set(range(len(problems[0].columns)))
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_six_by_forty_without_a_proposal(monkeypatch):
    """The exact method alone: a product, and the same beyond reach."""
    monkeypatch.setattr(refinement_many, "propose", lambda _: ())
    chance = random.Random(640)  # noqa: S311 - a fixed sample
    left = random_channel(chance, 6, 40)
    right = post_processed(left, random_channel(chance, 40, 40, zeros=0.9).rows)
    assert verdict(left, right)
    assert not verdict(contracted(left, mpq(1, 10)), left)


def test_a_certificate_that_is_tampered_with_is_rejected():
    """Each field changed and sealed again."""
    left, right = Channel([["1"]] * 3), Channel([["1", "0"], ["0", "1"], ["1/2", "1/2"]])
    separation = refine(left, right)
    document = refinement_certificate(left, right, separation)
    assert check(document).kind == "separating_gain"
    changes = {
        "gain": [[["1", "1", "1"]], [["-1", "0", "0"]], [["1", "0"], ["0", "1"]], [], document["gain"][::-1][:1]],
        "left_value": ["0", document["right_value"], 0, "1/1"],
        "right_value": ["7", document["left_value"]],
        "left": [document["right"], {"matrix": [["1"]] * 2}, {"matrix": [["1"], ["1"], ["1/2"]]}],
        "right": [document["left"], {"matrix": [["1/2", "0"], ["0", "1"], ["1/2", "1/2"]]}],
    }
    for field, values in changes.items():
        for value in values:
            body = {key: item for key, item in document.items() if key != "digest"}
            with pytest.raises(Rejected):
                check(seal({**body, field: value}))


def test_refines_answers_with_a_gain():
    """The shape of the contract, its numbers recomputed from their definition."""
    left, right = [["1/2", "1/2"]] * 3, [["1", "0"], ["0", "1"], ["0", "1"]]
    reply = answer({"id": 1, "op": "refines", "args": {"left": {"matrix": left}, "right": {"matrix": right}}})
    value = reply["value"]
    assert set(value) == {"holds", "gain", "left", "right"}
    assert value["holds"] is False
    for name, matrix in (("left", left), ("right", right)):
        columns = list(zip(*[[Fraction(v) for v in row] for row in matrix], strict=True))
        gains = [
            [sum(Fraction(g) * c for g, c in zip(action, column, strict=True)) for action in value["gain"]]
            for column in columns
        ]
        assert Fraction(value[name]) == sum(map(max, gains)) / 3
    assert Fraction(value["left"]) < Fraction(value["right"])


def test_bad_input():
    """Different numbers of rows, different masses, and more columns than are decided."""
    three, partial = Channel([["1"]] * 3), Channel([["1"], ["1"], ["1/2"]], partial=True)
    with pytest.raises(InputError, match="3 rows"):
        refine(three, Channel([["1"]] * 4))
    with pytest.raises(InputError, match="masses"):
        refine(three, partial)
    wide = Channel([[mpq(2 * (i * (x + 1) % 199 + 1), 199 * 200) for i in range(199)] for x in range(3)])
    with pytest.raises(LimitError, match="pairs"):
        refine(wide, wide)
