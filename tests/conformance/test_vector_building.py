"""Building: deterministic, confirmed twice, and no truth changes unseen."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from oracle.conformance import vector_building
from oracle.conformance.cases import MANIFEST, file_text, installed_suite
from oracle.conformance.forms import WORDS
from oracle.conformance.truths import Bounds, Corners, Exact, Feeds, LeastEpsilon, Moments, Relation
from oracle.conformance.vector_building import VectorError, build, built_files, drift, errata_ids, same_truth
from oracle.conformance.vector_sources.confirming import agrees, answered, confirmed_by, truth_of
from oracle.conformance.vector_sources.drafts import Question, Topic, in_doubles
from oracle.conformance.vector_sources.expressions import mp
from oracle.conformance.vector_sources.incident_notes import INCIDENTS
from oracle.conformance.vector_sources.topics import topics
from oracle.exact import parse_number, to_text
from oracle.fixtures import fixture

PATHS = [topic.path for topic in topics()]
QUICK = [
    path for path in PATHS if path.split("/")[0] not in ("composition", "calibration") and "substitute" not in path
]
SAMPLE = ("hockey-stick/drawn.json", "mu/noise.json", "refinement/three_rows.json", "operators/decompose.json")


def _files(paths):
    return list(built_files(lambda topic: topic.path in paths, installed_suite().cases))


def test_every_topic_is_a_file_of_the_suite():
    """And the other way round."""
    assert [file.path for file in installed_suite().files] == PATHS


@pytest.mark.parametrize("path", SAMPLE)
def test_building_again_gives_the_same_bytes(path):
    """Without looking at what there is: nothing depends on the machine, the order or the day."""
    (file,) = built_files(lambda topic: topic.path == path)
    assert file_text(file).encode() == (fixture("vectors/v1") / path).read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("path", QUICK)
def test_building_each_file_again_gives_the_same_bytes(path):
    """The same for every file that takes little time."""
    (file,) = _files({path})
    assert file_text(file).encode() == (fixture("vectors/v1") / path).read_bytes()


@pytest.mark.slow
def test_building_everything_changes_nothing():
    """The whole suite, with its manifest."""
    files = build(fixture("vectors/v1"))
    assert set(files) == {*PATHS, MANIFEST}
    assert {name for name, data in files.items() if (fixture("vectors/v1") / name).read_bytes() != data} == set()


def _cases():
    return {case.id: case for file in _files({"mu/noise.json"}) for case in file.cases}


def test_a_truth_that_would_change_is_drift():
    """So is a question that would, or a case that is gone; an erratum allows each."""
    old = _cases()
    name, case = next(iter(old.items()))
    for changed in (replace(case, expected=Exact("1/7")), replace(case, args={**case.args, "direction": "both"})):
        assert [problem.split(":")[0] for problem in drift(old, {**old, name: changed}, set())] == [name]
        assert drift(old, {**old, name: changed}, {name}) == []
    assert [problem.split(":")[0] for problem in drift(old, {k: v for k, v in old.items() if k != name}, set())] == [
        name
    ]
    assert drift(old, {**old, "mu/new": case}, set()) == []
    assert drift(old, {**old, name: replace(case, summary="other words", flags=())}, set()) == []


def test_another_notation_of_a_number_is_no_drift():
    """A question whose numbers are the same is the same; a label is no number."""
    old = installed_suite().cases
    name, case = next((n, c) for n, c in old.items() if c.binary64 and c.binary64.args.get("epsilon", "")[:2] == "0x")
    args = {**case.binary64.args, "epsilon": to_text(parse_number(case.binary64.args["epsilon"]))}
    changed = replace(case, binary64=replace(case.binary64, args=args))
    assert changed != case
    assert drift(old, {**old, name: changed}, set()) == []
    more = replace(case, binary64=replace(case.binary64, args={**args, "epsilon": "1/7"}))
    assert len(drift(old, {**old, name: more}, set())) == 1


def test_every_case_of_a_report_has_the_general_flag():
    """Beside the flag that names the report; each such flag is used, and has its links or was measured here."""
    marked = [case for case in installed_suite().cases.values() if any(f.startswith("Incident") for f in case.flags)]
    assert all("Incident" in case.flags and len(case.flags) > 1 for case in marked)
    assert {flag for case in marked for flag in case.flags if flag.startswith("Incident")} == set(INCIDENTS)
    assert [flag for flag, note in INCIDENTS.items() if not note.links] == ["Incident", "IncidentDisjoint"]


def test_build_refuses_drift(monkeypatch, tmp_path):
    """A source that asks another question under an old id, over a suite that exists."""
    one = Question("a/b", "the mu of Gaussian noise", {"channel": {"mechanism": "gaussian", "sigma": "2"}})
    other = replace(one, args={"channel": {"mechanism": "gaussian", "sigma": "4"}})
    source = topics()[0].sources

    def only(*questions):
        monkeypatch.setattr(vector_building, "topics", lambda: [Topic("mu/x.json", "mu", "a mu", source, questions)])

    only(one)
    for name, data in build(tmp_path).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert json.loads((tmp_path / "mu/x.json").read_text(encoding="utf-8"))["cases"][0]["expected"] == {"exact": "1/2"}
    only(other)
    with pytest.raises(VectorError, match="a/b"):
        build(tmp_path)
    only(replace(other, id="a/c"))
    with pytest.raises(VectorError, match="a/b: gone"):
        build(tmp_path)
    (tmp_path / "ERRATA.md").write_text("| id | why |\n| --- | --- |\n| `a/b` | it was wrong |\n", encoding="utf-8")
    assert errata_ids(tmp_path) == {"a/b"}
    cases = json.loads(build(tmp_path)["mu/x.json"])["cases"]
    assert [(case["id"], "withdrawn" in case) for case in cases] == [("a/c", False), ("a/b", True)]


def test_an_id_occurs_once(monkeypatch, tmp_path):
    """Also across files."""
    question = Question("a/b", "a mu", {"channel": {"mechanism": "gaussian", "sigma": "2"}})
    made = [Topic(f"mu/{name}.json", "mu", "a mu", topics()[0].sources, [question]) for name in "xy"]
    monkeypatch.setattr(vector_building, "topics", lambda: made)
    with pytest.raises(VectorError, match="an id occurs twice"):
        build(tmp_path)


GAUSSIAN = {"channel": {"mechanism": "gaussian", "sigma": "1"}, "epsilon": "1"}
TABLE = {"channel": {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}, "exp_epsilon": "2"}


@pytest.mark.parametrize(
    ("op", "args", "wrong"),
    [
        ("delta", TABLE, Exact("250000000000000001/1000000000000000000")),
        ("delta", GAUSSIAN, Bounds("0.12693673750664394", "0.12693673750664394")),
        ("delta", GAUSSIAN, Exact("0.1269367375066439458")),
        ("epsilon", {"channel": TABLE["channel"], "delta": "0"}, LeastEpsilon("1.0986", "1.0987", "2")),
        ("epsilon", {"channel": TABLE["channel"], "delta": "0"}, LeastEpsilon("1.0987", "1.0988", "3")),
        ("tradeoff", {"channel": TABLE["channel"]}, Corners((("0", "1"), ("1/4", "1/4"), ("1/2", "1/6"), ("1", "0")))),
        ("renyi", {"channel": TABLE["channel"], "order": "2"}, Moments(Exact("7/3"), Bounds("0.84", "0.845"))),
        ("renyi", {"channel": TABLE["channel"], "order": "2"}, Moments(Exact("8/3"))),
        ("mu", {"channel": TABLE["channel"]}, Bounds("1.348", "1.3489")),
        ("refines", {"left": TABLE["channel"], "right": {"matrix": [["1"], ["1"]]}}, Relation(False)),
        ("satisfies", {"channel": TABLE["channel"], "claim": {"exp_epsilon": "2", "delta": "1/4"}}, Relation(False)),
        ("glb", {"channels": [TABLE["channel"]]}, Exact({"matrix": [["1"], ["1"]]})),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_truth_is_not_confirmed(op, args, wrong):
    """The second way rejects it, and accepts what the engine says."""
    right, raw = truth_of(op, args)
    assert confirmed_by(op, args, right, raw, "right")
    with pytest.raises(VectorError, match="wrong"):
        confirmed_by(op, args, wrong, raw, "wrong")


def test_a_witness_of_three_rows_is_multiplied_out():
    """A witness that does not give the right channel is refused."""
    left = {"matrix": [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]}
    right = {"matrix": [["1/2", "1/2"], ["1/4", "3/4"], ["0", "1"]]}
    truth, raw = truth_of("refines", {"left": left, "right": right})
    assert confirmed_by("refines", {"left": left, "right": right}, truth, raw, "x") == "witness multiplied out"
    raw["witness"]["entries"][0][2] = "1/3"
    with pytest.raises(VectorError, match="multiply out"):
        confirmed_by("refines", {"left": left, "right": right}, truth, raw, "x")


def test_a_question_that_is_answered_or_not_as_said():
    """A rejection that gets an answer is refused, and an answer that is none."""
    with pytest.raises(VectorError):
        answered(Question("a", "x", TABLE, rejects="it has an answer"), "delta", TABLE)
    bad = {"channel": {"matrix": [["1/2"], ["1"]]}, "exp_epsilon": "2"}
    with pytest.raises(VectorError):
        answered(Question("a", "x", bad), "delta", bad)
    truth, how = answered(Question("a", "x", bad, rejects="a row sums to 1/2"), "delta", bad)
    assert (truth.reason, how) == ("a row sums to 1/2", "definition")


def test_sixty_digits_decide():
    """A number one part in 10^30 outside an enclosure is outside; infinity is in none."""
    third = mp.mpf(1) / 3
    tight = Bounds("0.3333333333333333333333333333333", "0.3333333333333333333333333333334")
    assert agrees(tight, third)
    assert not agrees(tight, third + mp.mpf(10) ** -30)
    assert not agrees(tight, "inf")
    assert agrees(Exact("inf"), mp.inf)
    assert not agrees(Exact("1/3"), Fraction(1, 3) + Fraction(1, 10**40))


def test_overlapping_enclosures_say_the_same():
    """Others do not, nor do exact numbers that differ."""
    assert same_truth(Bounds("0.1", "0.2"), Bounds("0.2", "0.3"))
    assert not same_truth(Bounds("0.1", "0.2"), Bounds("0.21", "0.3"))
    assert not same_truth(Exact("1/3"), Bounds("0.3", "0.4"))
    assert same_truth(LeastEpsilon("1", "2", "3"), LeastEpsilon("1", "1.5", "3"))
    assert not same_truth(LeastEpsilon("1", "2", "3"), LeastEpsilon("1", "1.5", "4"))
    assert same_truth(Moments(Exact("2"), Bounds("0", "1")), Moments(Exact("2"), Bounds("1", "2")))
    assert not same_truth(Moments(Exact("2")), Moments(Exact("2"), Bounds("1", "2")))
    assert same_truth(Feeds("delta", {}, "1", Bounds("1", "2")), Feeds("delta", {}, "1", Bounds("2", "3")))
    assert not same_truth(Feeds("delta", {}, "1"), Feeds("delta", {}, "2"))


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"exp_epsilon": "2"}, {"epsilon": (0.6931471805599453).hex()}),
        ({"epsilon": "ln(2)"}, {"epsilon": (0.6931471805599453).hex()}),
        ({"exp_epsilon": "1"}, {"epsilon": "0"}),
        ({"exp_epsilon": "inf"}, {"epsilon": "inf"}),
        ({"exp_epsilon": "0"}, None),
        ({"delta": "0.1"}, {"delta": (0.1).hex()}),
        ({"delta": "1e-400"}, None),
        (
            {"channel": {"mechanism": "repeat", "times": 3, "of": {"mechanism": "gaussian", "sigma": "0.8"}}},
            {"channel": {"mechanism": "repeat", "times": 3, "of": {"mechanism": "gaussian", "sigma": (0.8).hex()}}},
        ),
        ({"channel": {"matrix": [["1e-20", "99999999999999999999/100000000000000000000"], ["1", "0"]]}}, None),
        ({"tradeoff": {"breakpoints": [["0", "1"], ["1/3", "1/3"], ["1", "0"]]}}, None),
    ],
    ids=str,
)
def test_a_question_in_doubles(args, expected):
    """Levels become epsilons, numbers the nearest doubles; what no double holds has no such form."""
    assert in_doubles(args) == expected


def test_doubles_are_written_for_any_language():
    """In hexadecimal, 0 and the infinite ones apart, as strtod of C reads them."""

    def texts(value):
        if isinstance(value, dict):
            for key, part in value.items():
                yield from () if key in WORDS else texts(part)
        elif isinstance(value, list):
            for part in value:
                yield from texts(part)
        elif isinstance(value, str):
            yield value

    found = {text for case in installed_suite().cases.values() if case.binary64 for text in texts(case.binary64.args)}
    assert {text for text in found if not re.fullmatch(r"-?0x[01]\.[0-9a-f]{13}p[+-][0-9]+", text)} == {"0", "inf", "?"}


def test_a_row_in_doubles_is_a_law():
    """It sums to exactly 1, and each entry is a double within 2^-53 of what was meant."""
    rows = in_doubles({"channel": {"matrix": [["1/3", "1/3", "1/3"], ["0.1", "0.2", "0.7"]]}})["channel"]["matrix"]
    for row, meant in zip(rows, ([Fraction(1, 3)] * 3, [Fraction(n, 10) for n in (1, 2, 7)]), strict=True):
        masses = [Fraction(float.fromhex(entry)) for entry in row]
        assert sum(masses) == 1
        assert max(abs(a - b) for a, b in zip(masses, meant, strict=True)) <= Fraction(2, 1 << 53)
