"""The interactive fixtures: their probabilities and their verdicts from the definitions, and the generators' trees.

Nothing of the engine but the number type and the reader of trees is used for these two; then the engine is asked.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import accumulate

import pytest
from gmpy2 import mpq
from jsonschema import Draft202012Validator

from oracle.certificates.checker import check
from oracle.channels.divergences import hockey_stick
from oracle.claims import parse_claim_text
from oracle.interactive.adversaries import views
from oracle.interactive.concurrent import concurrent_composition
from oracle.interactive.examples import interleaving, renyi_choice, unattained
from oracle.interactive.reading import parse_interactive, to_json
from oracle.interactive.response_systems import chosen_level_responses, fresh_responses, remembered_responses
from oracle.interactive.sparse_vector import EVERY_PAIR, SparseVector, sparse_vector
from oracle.interactive.tree import HALT, AnswerNode, QueryNode
from oracle.interactive.verdicts import judge_tree
from tests.interactive.interleavings import laws
from tests.vectors.fixture_files import FIXTURES, SCHEMAS, read_json

FOLDER = FIXTURES / "interactive"
INDEX = {entry["file"]: entry for entry in read_json(FOLDER / "index.json")}
AUDITS = [(name, audit) for name, entry in INDEX.items() for audit in entry["audits"]]
HALF = mpq(1, 2)

SPARSE_VECTORS = {
    "sparse_vector.json": SparseVector(HALF, HALF, 4),
    "sparse_vector_monotone.json": SparseVector(HALF, HALF, 4, ((0, 0), (0, 1), (1, 1))),
    "sparse_vector_two_above.json": SparseVector(HALF, mpq(7, 10), 3, cutoff=2),
    "sparse_vector_no_query_noise.json": SparseVector(HALF, None, 3),
    "sparse_vector_noise_not_refreshed.json": SparseVector(HALF, HALF, 3, refreshed=False),
    "sparse_vector_no_threshold_noise.json": SparseVector(None, HALF, 4),
    "sparse_vector_never_halts.json": SparseVector(HALF, HALF, 4, ((0, 1), (1, 0)), cutoff=4),
    "sparse_vector_clamped_threshold.json": SparseVector(HALF, HALF, 4, clamp=(-1, 1)),
}
OTHERS = {
    "responses_fresh.json": lambda: fresh_responses(mpq(3), 3),
    "responses_remembered.json": lambda: remembered_responses(mpq(3), 3),
    "responses_each_at_full_budget.json": lambda: fresh_responses(mpq(3), 2),
    "responses_chosen_levels.json": lambda: chosen_level_responses([mpq(2), mpq(3)], mpq(10), 4),
    "responses_charged_late.json": lambda: chosen_level_responses([mpq(2), mpq(3)], mpq(10), 4, charged_late=True),
    "interleaving.json": interleaving,
    "bound_not_attained.json": unattained,
    "renyi_choice.json": renyi_choice,
}
REACH = 60
"""Noise beyond this is left out, and accounted for."""


@cache
def tree(name):
    return parse_interactive(read_json(FOLDER / name))


@cache
def views_of(name):
    """The laws of the views of every deterministic adversary, the views of each in order of their probabilities."""
    return {tuple(sorted(law)) for law in laws((tree(name).root,))}


def test_the_index_lists_the_files():
    """Every file once, each with a title, a source, a note, and audits of both verdicts over the folder."""
    assert sorted(INDEX) == sorted(path.name for path in FOLDER.glob("*.json") if path.name != "index.json")
    assert len(INDEX) == len(read_json(FOLDER / "index.json"))
    assert set(INDEX) == {*SPARSE_VECTORS, *OTHERS}
    for name, entry in INDEX.items():
        assert set(entry) == {"file", "title", "source", "note", "audits"}
        assert entry["title"] == tree(name).name
        refuted = {audit["verdict"] for audit in entry["audits"]}
        assert refuted <= {"holds", "refuted"}
        assert ("broken" not in entry["title"]) or "refuted" in refuted
        assert ("correct" not in entry["title"]) or "holds" in refuted


def test_files_and_index_have_the_shape_of_their_schemas():
    """Trees are interactive mechanisms, the index has the shape of that of the other mechanisms."""
    shapes = [("mechanism_index", FOLDER / "index.json"), *(("interactive", FOLDER / name) for name in INDEX)]
    for schema, path in shapes:
        validator = Draft202012Validator(read_json(SCHEMAS / f"{schema}.schema.json"))
        assert [error.message for error in validator.iter_errors(read_json(path))] == []


@pytest.mark.parametrize("name", INDEX)
def test_the_generators_give_the_files(name):
    """The same tree, and the same document when written again."""
    made = sparse_vector(SPARSE_VECTORS[name]) if name in SPARSE_VECTORS else OTHERS[name]()
    assert made.hash == tree(name).hash
    assert parse_interactive(to_json(tree(name))).hash == made.hash


@cache
def noise(ratio, reach):
    """Two-sided geometric masses for -reach..reach; all of it at 0 without a ratio."""
    if ratio is None:
        return {0: mpq(1)}
    return {z: (1 - ratio) / (1 + ratio) * ratio ** abs(z) for z in range(-reach, reach + 1)}


@cache
def sums(ratio, reach):
    masses = noise(ratio, reach)
    return dict(zip(masses, accumulate(masses.values()), strict=True))


@cache
def bounds(name, below, above):
    """An interval for the probability that the true answers are answered so, by summing over hidden values."""
    given = SPARSE_VECTORS[name]
    low = high = mpq(0)
    drawn = noise(given.threshold_ratio, REACH)
    for z, weight in drawn.items():
        s = given.threshold + z
        if given.clamp:
            s = min(max(s, given.clamp[0]), given.clamp[1])
        least, most = inside(given, s, below, above)
        low, high = low + weight * least, high + weight * most
    return low, high + 1 - sum(drawn.values())


def inside(given, s, below, above):
    """The same for one value of the noisy threshold."""
    drawn = noise(given.query_ratio, 2 * REACH)
    if not given.refreshed:
        fits = [w for nu, w in drawn.items() if all(u + nu < s for u in below) and all(u + nu >= s for u in above)]
        return sum(fits, mpq(0)), sum(fits, mpq(0)) + 1 - sum(drawn.values())
    least = most = mpq(1)
    totals = sums(given.query_ratio, 2 * REACH)
    left_out = 1 - sum(drawn.values())
    for u, answered in [*((u, False) for u in below), *((u, True) for u in above)]:
        less = mpq(u < s) if given.query_ratio is None else totals[s - u - 1]
        value = 1 - left_out - less if answered else less
        least, most = least * value, most * (value + left_out)
    return least, most


@pytest.mark.parametrize("name", SPARSE_VECTORS)
def test_sparse_vector_probabilities_by_definition(name):
    """Every probability of every history is the ratio of two masses, each in an interval of width below 10^-12.

    Options are the pairs u|v, and the tree goes on exactly after those histories that neither limit ends.
    """
    given = SPARSE_VECTORS[name]
    stack = [(tree(name).root, (), (), (), ())]
    seen = 0
    while stack:
        node, below0, above0, below1, above1 = stack.pop()
        if len(above0) == given.cutoff or len(below0) + len(above0) == given.queries:
            assert node is HALT
            continue
        assert isinstance(node, QueryNode)
        assert [label for label, _ in node.options] == [f"{u}|{v}" for u, v in given.pairs]
        for (u, v), (_, answer) in zip(given.pairs, node.options, strict=True):
            assert isinstance(answer, AnswerNode)
            for branch in answer.branches:
                after = []
                for value, below, above, probability in ((u, below0, above0, branch.p), (v, below1, above1, branch.q)):
                    more = (
                        (tuple(sorted((*below, value))), above)
                        if branch.label == "below"
                        else (below, tuple(sorted((*above, value))))
                    )
                    before_low, before_high = bounds(name, below, above)
                    low, high = bounds(name, *more)
                    assert max(high - low, before_high - before_low) < mpq(1, 10**12)
                    # A history of probability 0 has no conditional law of its own.
                    assert before_low == 0 or low / before_high <= probability <= high / before_low
                    after += more
                seen += 1
                stack.append((branch.then, *after))
    assert seen >= len(given.pairs) * given.queries


def least_level(law, delta):
    """The least a >= 1 with D_a <= delta: the largest (P(S) - delta)/Q(S) over sets S of largest p/q; None for inf."""
    best, p_sum, q_sum = mpq(1), mpq(0), mpq(0)
    for p, q in sorted(law, key=lambda pair: (pair[1] == 0, pair[0] / pair[1] if pair[1] else 0), reverse=True):
        p_sum, q_sum = p_sum + p, q_sum + q
        if p_sum > delta:
            if not q_sum:
                return None
            best = max(best, (p_sum - delta) / q_sum)
    return best


def stick(law, level):
    return sum((max(mpq(0), p - level * q) for p, q in law), mpq(0))


@pytest.mark.parametrize(("name", "audit"), AUDITS, ids=lambda value: value if isinstance(value, str) else None)
def test_verdicts_by_enumeration(name, audit):
    """Tight delta, tight e^epsilon and total variation are the largest over all adversaries and both directions."""
    (claim,) = audit["claims"]
    parts = dict(part.split("=") for part in claim.split(","))
    level, delta = mpq(Fraction(parts["exp_eps"])), mpq(Fraction(parts.get("delta", "0")))
    both = [law for found in views_of(name) for law in (found, tuple((q, p) for p, q in found))]
    tight = max(stick(law, level) for law in both)
    assert audit["tight_delta"] == str(tight)
    assert audit["verdict"] == ("holds" if tight <= delta else "refuted")
    levels = [least_level(law, delta) for law in both]
    assert audit["tight_exp_epsilon"] == ("inf" if None in levels else str(max(levels)))
    assert audit["total_variation"] == str(max(stick(law, mpq(1)) for law in both))


@pytest.mark.parametrize(("name", "audit"), AUDITS, ids=lambda value: value if isinstance(value, str) else None)
def test_verdicts_of_the_engine(name, audit):
    """The verdict is that of the index, its certificate is accepted, and a refutation has a view or several."""
    (claim,) = audit["claims"]
    parsed = parse_claim_text(claim)
    verdict = judge_tree(tree(name), parsed)
    assert verdict.holds == (audit["verdict"] == "holds")
    check(verdict.certificate)
    assert str(hockey_stick(verdict.channel, parsed.level.value, "both")) == audit["tight_delta"]
    if not verdict.holds:
        event = [view for view in views(tree(name), verdict.strategy) if view.rejects]
        assert (sum(view.p for view in event), sum(view.q for view in event)) == (verdict.p, verdict.q)
        gain, cost = (verdict.p, verdict.q) if verdict.direction == "forward" else (verdict.q, verdict.p)
        assert gain > parsed.level.value * cost + parsed.delta


def test_two_sparse_vectors_interleaved():
    """Two copies of above threshold with two queries each: 64 holds and 7 is refuted, both with certificates."""
    one = sparse_vector(SparseVector(HALF, HALF, 2, ((0, 1), (1, 0))))
    both = concurrent_composition([one, one])
    held, refuted = (judge_tree(both, parse_claim_text(claim)) for claim in ("exp_eps=64", "exp_eps=7"))
    assert (held.holds, refuted.holds) == (True, False)
    check(held.certificate)
    check(refuted.certificate)
    assert least_exp_epsilon(both.root) == mpq(11, 4) ** 2


def least_exp_epsilon(root):
    """The largest ratio of probabilities of any view, in either direction, over paths."""
    best, stack = mpq(1), [(root, mpq(1))]
    while stack:
        node, ratio = stack.pop()
        best = max(best, ratio, 1 / ratio)
        if isinstance(node, QueryNode):
            stack += [(child, ratio) for _, child in node.options]
        elif isinstance(node, AnswerNode):
            stack += [(branch.then, ratio * branch.p / branch.q) for branch in node.branches]
    return best


def test_the_correct_sparse_vectors_satisfy_their_theorem():
    """What is called correct holds at the stated e^epsilon, which the generator's formula gives."""
    for name, claim in (
        ("sparse_vector.json", "exp_eps=8"),
        ("sparse_vector_monotone.json", "exp_eps=4"),
        ("sparse_vector_two_above.json", "exp_eps=20000/2401"),
    ):
        assert SPARSE_VECTORS[name].exp_epsilon == mpq(claim.removeprefix("exp_eps="))
        audits = {audit["claims"][0]: audit["verdict"] for audit in INDEX[name]["audits"]}
        assert audits[claim] == "holds"
    assert SPARSE_VECTORS["sparse_vector.json"].pairs == EVERY_PAIR


def test_every_adversary_is_enumerated():
    """As many adversaries as there are choices after each history, from 2 to 2^15."""
    assert sum(1 for _ in laws((tree("sparse_vector.json").root,))) == 4**4
    assert sum(1 for _ in laws((tree("sparse_vector_never_halts.json").root,))) == 2 ** (1 + 2 + 4 + 8)
    assert sum(1 for _ in laws((tree("interleaving.json").root,))) == 2
