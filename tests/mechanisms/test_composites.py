"""Mechanisms made of others: evaluation against the operators by hand, places and names in errors, limits."""

from __future__ import annotations

import io
import json
import sys

import pytest
from click.testing import CliRunner
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from oracle.answers import answer
from oracle.channels.canonical import canonical
from oracle.channels.channel import Channel
from oracle.channels.formal_channel import FormalChannel, formal_epsilon
from oracle.channels.operators import hidden, parallel, post_process, pre_process, visible
from oracle.cli.main import cli, main
from oracle.errors import Declined, InputError, LimitError
from oracle.laws.strategies import alphas, two_row_channels
from oracle.levels import Level
from oracle.mechanisms.evaluate import evaluate, evaluate_finite
from oracle.mechanisms.nodes import MAX_DEPTH, Compose, Hidden, Post, Pre, Repeat, Visible
from oracle.mechanisms.parse import mechanism_from, parse_mechanism
from oracle.mechanisms.primitive_nodes import ChannelNode

HALVES = [["1/2", "1/2"], ["1/4", "3/4"]]
SWAP = [["0", "1"], ["1", "0"]]
BARE = {"matrix": HALVES}
TABLE = {"mechanism": "channel", "matrix": HALVES}
ONE = {"matrix": [["1"], ["1"]]}
THREE = {"matrix": [*HALVES, ["0", "1"]]}
NAMED = {"matrix": HALVES, "inputs": ["D0", "D1"], "outputs": ["a", "b"]}
RESPONSE = {"mechanism": "randomized_response", "exp_epsilon": "3"}
IRRATIONAL = {"mechanism": "randomized_response", "epsilon": "1/2"}
WIDE = {"mechanism": "k_randomized_response", "k": 4, "exp_epsilon": "3"}


def repeat(times: object, of: object) -> dict:
    """The expression of that name."""
    return {"mechanism": "repeat", "times": times, "of": of}


def value(document: object):
    """The evaluated expression."""
    return evaluate(mechanism_from(document, "m"), "m")


GOOD = [
    {"mechanism": "compose", "of": [RESPONSE, TABLE, IRRATIONAL]},
    repeat(10, RESPONSE),
    repeat(0, TABLE),
    {"mechanism": "visible", "r": "1/3", "left": RESPONSE, "right": WIDE},
    {"mechanism": "hidden", "r": "0", "left": RESPONSE, "right": TABLE},
    {"mechanism": "post", "post": [["1", "0"], ["1/3", "2/3"]], "of": RESPONSE},
    {"mechanism": "pre", "pre": [["1", "0"], ["4/5", "1/5"]], "of": repeat(2, RESPONSE)},
    {"mechanism": "pre", "pre": [["1", "0", "0"], ["0", "1/2", "1/2"]], "of": {"mechanism": "channel", **THREE}},
]


@pytest.mark.parametrize("document", GOOD, ids=lambda d: d["mechanism"])
def test_an_expression_comes_back_as_it_went_in(document):
    """parse, then to_json, is the identity on canonical expressions, at any depth."""
    node = parse_mechanism(document)
    assert node.to_json() == document
    assert parse_mechanism(json.loads(json.dumps(node.to_json()))) == node
    assert mechanism_from(node) is node
    assert hash(node) == hash(parse_mechanism(document))


def test_a_bare_channel_inside_an_expression_becomes_a_channel_node():
    """With or without the key mechanism; a Channel and a node may stand there too."""
    node = parse_mechanism({"mechanism": "compose", "of": [BARE, TABLE, Channel(HALVES), ChannelNode(Channel(HALVES))]})
    assert node == Compose((ChannelNode(Channel(HALVES)),) * 4)
    assert node.to_json()["of"] == [TABLE] * 4


@given(st.lists(two_row_channels(3), min_size=1, max_size=3), st.integers(0, 2))
def test_compositions_are_the_product_of_all_tables(channels, times):
    """Compose and repeat, and one inside the other."""
    nodes = tuple(map(ChannelNode, channels))
    whole = canonical(parallel(channels))
    assert evaluate(Compose(nodes)) == whole
    runs = [Channel([["1"], ["1"]]), *channels * times]
    assert evaluate(Repeat(times, Compose(nodes))) == canonical(parallel(runs))
    assert evaluate(Compose(tuple(Repeat(times, node) for node in nodes))) == canonical(parallel(runs))


@given(alphas(), two_row_channels(3), two_row_channels(3))
def test_choices_and_processing_are_the_operators(r, left, right):
    """Every column is kept, in the order of the operators."""
    nodes = ChannelNode(left), ChannelNode(right)
    assert evaluate(Visible(r, *nodes)) == visible(r, left, right)
    if left.shape == right.shape:
        assert evaluate(Hidden(r, *nodes)) == hidden(r, left, right)
    matrix = ((1 - r, r),) * left.shape[1]
    assert evaluate(Post(matrix, nodes[0])) == post_process(left, matrix)
    assert evaluate(Pre(((mpq(1), mpq(0)), (1 - r, r)), nodes[0])) == pre_process(((mpq(1), mpq(0)), (1 - r, r)), left)


def test_more_rows_keep_every_column():
    """Three inputs have no one order to merge by; order and multiplicity are those of the expression."""
    table = Channel(THREE["matrix"])
    other = Channel([["1", "0"], ["1/2", "1/2"], ["1/3", "2/3"]])
    pair = {"mechanism": "compose", "of": [THREE, other]}
    assert value(pair) == parallel([table, other])
    assert value(repeat(2, pair)) == parallel([table, other, table, other])
    assert value(repeat(0, THREE)) == Channel([["1"]] * 3)
    assert value(repeat(10**12, {"matrix": [["1"]] * 3})) == Channel([["1"]] * 3)
    assert value({"mechanism": "pre", "pre": [["1", "0", "0"], ["0", "0", "1"]], "of": THREE}) == table.pair(0, 2)


def test_input_labels_stay_where_all_parts_agree():
    """Of every node; outputs by hidden choice and pre-processing alone."""
    assert value(repeat(2, NAMED)).inputs == ("D0", "D1")
    assert value({"mechanism": "compose", "of": [NAMED, NAMED]}).inputs == ("D0", "D1")
    assert value({"mechanism": "compose", "of": [NAMED, BARE]}).inputs is None
    assert value({"mechanism": "visible", "r": "1/2", "left": NAMED, "right": NAMED}).inputs == ("D0", "D1")
    mixed = value({"mechanism": "hidden", "r": "1/2", "left": NAMED, "right": {**NAMED, "outputs": ["b", "c"]}})
    assert (mixed.inputs, mixed.outputs) == (("D0", "D1"), ("a", "b", "c"))


def test_irrational_parts_make_irrational_wholes_unless_they_cancel():
    """Ten runs at epsilon = 1/2 have epsilon 5; swapped with equal weight nothing is left."""
    ten = value(repeat(10, IRRATIONAL))
    assert isinstance(ten, FormalChannel)
    assert formal_epsilon(ten, mpq(0)) == Level.of_exponent(5)
    mixed = value({"mechanism": "compose", "of": [IRRATIONAL, RESPONSE]})
    assert isinstance(mixed, FormalChannel)
    swapped = {"mechanism": "pre", "pre": SWAP, "of": IRRATIONAL}
    nothing = value({"mechanism": "hidden", "r": "1/2", "left": IRRATIONAL, "right": swapped})
    assert nothing == Channel([["1/2", "1/2"], ["1/2", "1/2"]])
    assert value({"mechanism": "post", "post": [["1"], ["1"]], "of": IRRATIONAL}) == Channel([["1"], ["1"]])
    assert value({"mechanism": "visible", "r": "1", "left": RESPONSE, "right": IRRATIONAL}).shape == (2, 4)


FAULTS = [
    ({"mechanism": "compose"}, "m"),
    ({"mechanism": "compose", "of": []}, "m.of"),
    ({"mechanism": "compose", "of": RESPONSE}, "m.of"),
    ({"mechanism": "compose", "of": [RESPONSE, {"mechanism": "no"}]}, "m.of[1].mechanism"),
    ({"mechanism": "compose", "of": [RESPONSE, {"matrix": [["1/2"]]}]}, "m.of[1].matrix[0]"),
    ({"mechanism": "compose", "of": [RESPONSE, THREE]}, "m.of"),
    ({"mechanism": "compose", "of": [IRRATIONAL, THREE]}, "m.of"),
    ({"mechanism": "repeat", "of": RESPONSE}, "m"),
    (repeat(-1, RESPONSE), "m.times"),
    (repeat("1/2", RESPONSE), "m.times"),
    (repeat("-1e5000", RESPONSE), "m.times"),
    (repeat("1e-5000", RESPONSE), "m.times"),
    (repeat(True, RESPONSE), "m.times"),
    (repeat(2.0, RESPONSE), "m.times"),
    (repeat(2, "randomized_response"), "m.of"),
    (repeat(2, {"mechanism": "randomized_response", "epsilon": "-1"}), "m.of.epsilon"),
    ({"mechanism": "visible", "r": "3/2", "left": RESPONSE, "right": RESPONSE}, "m.r"),
    ({"mechanism": "hidden", "r": "-1/2", "left": RESPONSE, "right": RESPONSE}, "m.r"),
    ({"mechanism": "hidden", "r": "1/2", "left": RESPONSE}, "m"),
    ({"mechanism": "hidden", "r": "1/2", "left": RESPONSE, "right": WIDE}, "m.right"),
    ({"mechanism": "hidden", "r": "1/2", "left": NAMED, "right": RESPONSE}, "m.right.outputs"),
    ({"mechanism": "hidden", "r": "1/2", "left": IRRATIONAL, "right": NAMED}, "m.left.outputs"),
    ({"mechanism": "visible", "r": "1/2", "left": RESPONSE, "right": THREE}, "m.right"),
    ({"mechanism": "visible", "r": "1/2", "left": IRRATIONAL, "right": THREE}, "m.right"),
    ({"mechanism": "post", "post": SWAP, "of": WIDE}, "m.post"),
    ({"mechanism": "post", "post": [["1"]], "of": IRRATIONAL}, "m.post"),
    ({"mechanism": "post", "post": [["1", "0"], ["1", "1"]], "of": RESPONSE}, "m.post[1]"),
    ({"mechanism": "post", "post": [["1", "0"], ["2", "-1"]], "of": RESPONSE}, "m.post[1][1]"),
    ({"mechanism": "post", "pre": SWAP, "of": RESPONSE}, "m"),
    ({"mechanism": "pre", "pre": SWAP, "of": THREE}, "m.pre"),
    ({"mechanism": "pre", "pre": [["1", "0", "0"]] * 2, "of": IRRATIONAL}, "m.pre"),
    ({"mechanism": "pre", "pre": [["1", "0"]], "of": RESPONSE}, "m.pre"),
    ({"mechanism": "pre", "pre": [*SWAP, ["1", "0"]], "of": RESPONSE}, "m.pre"),
    (repeat(2, {"mechanism": "hidden", "r": "1/2", "left": WIDE, "right": NAMED}), "m.of.left.outputs"),
    ({"mechanism": "compose", "of": [RESPONSE, {"mechanism": "post", "post": SWAP, "of": WIDE}]}, "m.of[1].post"),
]


@pytest.mark.parametrize(("document", "place"), FAULTS, ids=map(str, range(len(FAULTS))))
def test_a_fault_is_refused_with_its_place(document, place):
    """Reading and evaluation alike name the field that is wrong, from the outermost expression inwards."""
    with pytest.raises(InputError) as caught:
        value(document)
    assert not isinstance(caught.value, LimitError)
    assert caught.value.where == place
    assert str(caught.value).startswith(f"{place}: expected ")


@pytest.mark.parametrize("document", GOOD, ids=lambda d: d["mechanism"])
def test_unknown_and_missing_fields_are_refused(document):
    """Every node knows its fields exactly and needs each."""
    with pytest.raises(InputError, match='key "colour"'):
        parse_mechanism({**document, "colour": "red"})
    for field in set(document) - {"mechanism"}:
        with pytest.raises(InputError, match=f'the key "{field}"'):
            parse_mechanism({key: item for key, item in document.items() if key != field})


def test_a_part_that_is_no_finite_table_is_declined():
    """A choice with Gaussian noise on one side, however deep it stands."""
    noise = {"mechanism": "gaussian", "sigma": "1"}
    with pytest.raises(Declined, match=r"not offered|not a finite table"):
        value(repeat(2, {"mechanism": "visible", "r": "1/2", "left": RESPONSE, "right": noise}))


def nested(depth: int, innermost: object = RESPONSE) -> object:
    """Repetitions, once each, around a mechanism."""
    for _ in range(depth):
        innermost = repeat(1, innermost)
    return innermost


def test_mechanisms_stand_inside_one_another_up_to_a_stated_depth():
    """One more is a limit, in JSON and in Python, not a full stack."""
    assert value(nested(MAX_DEPTH)) == value(repeat(1, RESPONSE))
    with pytest.raises(LimitError, match=f"at most {MAX_DEPTH} mechanisms inside one another"):
        parse_mechanism(nested(MAX_DEPTH + 1))
    with pytest.raises(LimitError, match="inside one another"):
        parse_mechanism(nested(50_000))
    node = parse_mechanism(RESPONSE)
    for _ in range(5000):
        node = Repeat(1, node)
    with pytest.raises(LimitError, match="inside one another"):
        evaluate(node)
    choice = parse_mechanism(RESPONSE)
    for _ in range(MAX_DEPTH + 1):
        choice = Hidden(mpq(1, 2), choice, choice)
    with pytest.raises(LimitError, match="inside one another"):
        evaluate(choice)


def test_a_part_that_stands_in_many_places_is_evaluated_once():
    """A hundred hidden choices of a mechanism with itself, 2^100 paths, are that mechanism."""
    choice = parse_mechanism(RESPONSE)
    for _ in range(MAX_DEPTH - 1):
        choice = Hidden(mpq(1, 2), choice, choice)
    assert evaluate(choice) == value(RESPONSE)


FINE = {"matrix": [[str(mpq(1, mpz(10) ** 5000)), str(1 - mpq(1, mpz(10) ** 5000))], ["1/2", "1/2"]]}
FINE_THREE = {"matrix": [FINE["matrix"][0], *HALVES]}
GENERIC = {"matrix": [["1/2", "1/3", "1/6"], ["1/7", "2/7", "4/7"]]}


def tower(height: int) -> dict:
    """Ten runs of ten runs of ... a mechanism."""
    inner: dict = RESPONSE
    for _ in range(height):
        inner = repeat(10, inner)
    return inner


OVERSIZED = [
    (repeat(10**12, RESPONSE), "m (repeat): "),
    (repeat("1e5000", RESPONSE), "m (repeat): "),
    (repeat(10**12, IRRATIONAL), "m (repeat): "),
    (repeat(10**9, GENERIC), "m (repeat): "),
    (repeat(1000, GENERIC), "m (repeat): expected a composition of at most 100000 columns, got one of up to 501501"),
    (repeat(10**12, THREE), "m (repeat): expected at most 100000 columns, got at least 131072"),
    (repeat(16, FINE_THREE), "m (repeat): "),
    (repeat(1000, FINE), "m (repeat): "),
    (tower(20), "m (repeat): "),
    (repeat(1, {"mechanism": "pre", "pre": SWAP, "of": tower(12)}), "m.of.of (repeat): "),
    ({"mechanism": "compose", "of": [THREE] * 17}, "m (compose): expected at most 100000 columns, got at least 131072"),
    ({"mechanism": "compose", "of": [RESPONSE, repeat(10**12, GENERIC)]}, "m (compose): "),
    ({"mechanism": "visible", "r": "1/2", "left": RESPONSE, "right": repeat(10**12, GENERIC)}, "m.right (repeat): "),
    (
        {"mechanism": "visible", "r": "1/2", "left": {**WIDE, "k": 60_000}, "right": {**WIDE, "k": 60_000}},
        "m (visible): expected at most 100000 columns, got 120000",
    ),
    (
        repeat(2, {**WIDE, "k": 10**12}),
        "m.of (k_randomized_response): expected at most 100000 columns, got 1000000000000",
    ),
    (
        repeat(500, {"mechanism": "exponential", "scores": [["1", "0", "2"], ["0", "1", "0"]], "epsilon": "1"}),
        "m (repeat): ",
    ),
]


@pytest.mark.parametrize(("document", "start"), OVERSIZED, ids=map(str, range(len(OVERSIZED))))
def test_what_is_too_large_is_refused(document, start):
    """The message begins with the place and the name of the node, and tells the limit and the size."""
    with pytest.raises(LimitError) as caught:
        evaluate_finite(mechanism_from(document, "m"), "m")
    assert str(caught.value).startswith(start)
    assert "at most" in str(caught.value)


def test_ten_randomized_responses_by_every_question():
    """The stated values of RR^10 at E = 3, asked as requests; 81 -> 16119/32768."""
    ten = repeat(10, RESPONSE)
    stated = {"1": "59123/65536", "9": "12195/16384", "81": "16119/32768", "729": "3645/16384", "59049": "0"}
    for level, delta in stated.items():
        assert answer({"id": 1, "op": "delta", "args": {"channel": ten, "exp_epsilon": level}})["value"] == delta
    least = answer({"id": 1, "op": "epsilon", "args": {"channel": ten, "delta": "16119/32768"}})["value"]
    assert least["exp_epsilon"] == "81"
    corners = answer({"id": 1, "op": "tradeoff", "args": {"channel": ten}})["value"]["breakpoints"]
    assert len(corners) == 12
    assert corners[1] == ["1/1048576", "989527/1048576"]
    held = answer(
        {"id": 1, "op": "satisfies", "args": {"channel": ten, "claim": {"exp_epsilon": "81", "delta": "1/2"}}}
    )
    assert held["value"]["holds"] is True


def rows(*entries: object) -> dict:
    """A channel document."""
    return {"matrix": list(entries)}


LINES = [
    ("parallel", {"channels": [BARE, RESPONSE]}, rows(["3/8", "1/8", "3/8", "1/8"], ["1/16", "3/16", "3/16", "9/16"])),
    ("visible", {"r": "1/4", "left": BARE, "right": ONE}, rows(["1/8", "1/8", "3/4"], ["1/16", "3/16", "3/4"])),
    ("hidden", {"r": "1/2", "left": NAMED, "right": NAMED}, NAMED),
    ("pre", {"pre": SWAP, "channel": BARE}, rows(*HALVES[::-1])),
    ("pre", {"pre": [["1", "0", "0"], ["0", "1/2", "1/2"]], "channel": THREE}, rows(["1/2", "1/2"], ["1/8", "7/8"])),
    ("post", {"channel": BARE, "post": [["1"], ["1"]]}, rows(["1"], ["1"])),
    ("canonical", {"channel": repeat(2, RESPONSE)}, rows(["9/16", "3/8", "1/16"], ["1/16", "3/8", "9/16"])),
    (
        "canonical",
        {"channel": {"mechanism": "compose", "of": [BARE, BARE]}},
        rows(["1/4", "1/2", "1/4"], ["1/16", "3/8", "9/16"]),
    ),
    (
        "canonical",
        {"channel": {"mechanism": "visible", "r": "1/2", "left": BARE, "right": ONE}},
        rows(["1/4", "1/2", "1/4"], ["1/8", "1/2", "3/8"]),
    ),
    ("canonical", {"channel": {"mechanism": "hidden", "r": "0", "left": RESPONSE, "right": BARE}}, rows(*HALVES)),
    ("canonical", {"channel": {"mechanism": "post", "post": SWAP, "of": BARE}}, rows(*HALVES)),
    ("canonical", {"channel": {"mechanism": "pre", "pre": [["1", "0"], ["1", "0"]], "of": BARE}}, rows(["1"], ["1"])),
    (
        "decompose",
        {"tradeoff": {"breakpoints": [["0", "1"], ["1/4", "1/4"], ["1", "0"]]}},
        [{"weight": "1", "exp_epsilon": "3"}],
    ),
]
NO_ANSWERS = [
    ("visible", {"r": "3/2", "left": BARE, "right": BARE}, "error", "r: expected a weight"),
    ("visible", {"r": "1/2", "left": BARE, "right": THREE}, "error", "right"),
    ("hidden", {"r": "1/2", "left": NAMED, "right": BARE}, "error", "right.outputs"),
    ("parallel", {"channels": []}, "error", "channels"),
    ("parallel", {"channels": BARE}, "error", "args.channels"),
    ("parallel", {"channels": [BARE] * 40}, "error", "columns"),
    ("pre", {"pre": [["1", "0", "0"]] * 2, "channel": BARE}, "error", "pre"),
    ("pre", {"pre": [["1", "0"]], "channel": BARE}, "error", "two rows"),
    ("post", {"channel": BARE, "post": [["1", "0"]]}, "error", "post"),
    ("post", {"channel": BARE, "post": [["1", "1"]] * 2}, "error", "post[0]"),
    ("decompose", {"tradeoff": {"breakpoints": [["0", "1"], ["1/10", "4/5"], ["1", "0"]]}}, "error", "symmetric"),
    ("canonical", {"channel": repeat(10**12, RESPONSE)}, "error", "args.channel (repeat)"),
    ("delta", {"channel": nested(101), "exp_epsilon": "3"}, "error", "inside one another"),
    ("parallel", {"channels": [IRRATIONAL]}, "declined", "irrational"),
    ("canonical", {"channel": repeat(2, IRRATIONAL)}, "declined", "irrational"),
]


def test_lines_of_requests_are_answered_in_order():
    """``oracle answer`` on every operator and node: values to the letter, errors with their place, then the end."""
    requests = [(op, args) for op, args, _ in LINES] + [(op, args) for op, args, _, _ in NO_ANSWERS]
    lines = [json.dumps({"id": i, "op": op, "args": args}) for i, (op, args) in enumerate(requests)]
    result = CliRunner().invoke(cli, ["answer"], input=io.BytesIO("\n".join(lines).encode()), catch_exceptions=False)
    assert result.exit_code == 0
    answers = [json.loads(text) for text in result.stdout.splitlines()]
    assert [line["id"] for line in answers] == list(range(len(requests)))
    for (_, _, expected), line in zip(LINES, answers, strict=False):
        assert line["value"] == expected
    for (_, _, outcome, text), line in zip(NO_ANSWERS, answers[len(LINES) :], strict=True):
        assert set(line) == {"id", outcome}
        assert text in line[outcome]


COMMANDS = [
    (repeat(10**12, THREE), "(repeat): expected at most 100000 columns"),
    (nested(101), "at most 100 mechanisms inside one another"),
    (
        {"mechanism": "hidden", "r": "1/2", "left": NAMED, "right": RESPONSE},
        "output labels on both channels or on none",
    ),
    ({"mechanism": "hidden", "r": "3/2", "left": RESPONSE, "right": RESPONSE}, ".r: expected a weight between 0 and 1"),
    ({"mechanism": "pre", "pre": [["1", "0", "0"]] * 2, "of": RESPONSE}, ".pre: expected 2 columns"),
    ({"mechanism": "repeat", "of": RESPONSE}, 'the key "times"'),
    ({"mechanism": "repeat", "times": 2, "of": RESPONSE, "note": ""}, 'the key "note"'),
]


@pytest.mark.parametrize(("document", "text"), COMMANDS, ids=map(str, range(len(COMMANDS))))
def test_a_file_with_a_fault_ends_with_exit_code_2(document, text, tmp_path, monkeypatch, capsys):
    """``oracle audit`` says what and where, on standard error, and prints no verdict."""
    path = tmp_path / "mechanism.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["oracle", "audit", str(path), "--claim", "exp_eps=3"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert text in written.err
    assert "mechanism.json" in written.err


TWO = {"mechanism": "randomized_response", "exp_epsilon": "2"}
PAIR = {"mechanism": "compose", "of": [TWO, RESPONSE]}
FIRST_ANSWER = [["1", "0"], ["1", "0"], ["0", "1"], ["0", "1"]]


def _asked(op, **args):
    return answer({"id": 1, "op": op, "args": args})["value"]


def test_post_processing_keeps_the_first_answer_of_two():
    """Columns are those of the product, the last part fastest: what is left is RR(2), with delta 1/3 at epsilon 0."""
    node = {"mechanism": "post", "post": FIRST_ANSWER, "of": PAIR}
    assert _asked("delta", channel=node, exp_epsilon="1") == "1/3"
    assert _asked("post", channel=PAIR, post=FIRST_ANSWER) == {"matrix": [["2/3", "1/3"], ["1/3", "2/3"]]}
    nested = {"mechanism": "visible", "r": "1/2", "left": PAIR, "right": PAIR}
    kept = [*FIRST_ANSWER, *FIRST_ANSWER]
    assert _asked("delta", channel={"mechanism": "post", "post": kept, "of": nested}, exp_epsilon="1") == "1/3"


def test_operations_on_columns_see_every_column():
    """post, hidden, visible, parallel, pre and refines take compositions as parallel makes them."""
    product = _asked("parallel", channels=[TWO, RESPONSE])
    assert _asked("parallel", channels=[PAIR]) == product
    assert _asked("pre", pre=[["1", "0"], ["0", "1"]], channel=PAIR) == product
    swapped = {"mechanism": "compose", "of": [RESPONSE, TWO]}
    assert _asked("hidden", r="1/2", left=PAIR, right=swapped) == _asked(
        "hidden", r="1/2", left=product, right=_asked("parallel", channels=[RESPONSE, TWO])
    )
    assert len(_asked("visible", r="1/2", left=PAIR, right=TWO)["matrix"][0]) == 6
    witness = _asked("refines", left=PAIR, right=TWO)["witness"]
    assert (witness["rows"], witness["columns"]) == (4, 2)


def test_what_the_law_alone_decides_merges():
    """RR^20 has 2^20 columns as a product, 21 by ratio; the limit is told with what to ask instead."""
    twenty = repeat(20, RESPONSE)
    assert len(_asked("canonical", channel=twenty)["matrix"][0]) == 21
    assert len(_asked("glb", channels=[twenty])["matrix"][0]) == 21
    error = answer({"id": 1, "op": "parallel", "args": {"channels": [twenty]}})["error"]
    assert error.startswith("args.channels[0] (repeat): expected at most 100000 columns, all of which are kept")
    assert "canonical" in error


def test_repetition_of_a_composition_alternates():
    """The product of (A B)(A B) and not of A A B B; zero columns and labels of inputs stay."""
    a, b = {"matrix": [["1", "0", "0"], ["1/2", "1/2", "0"]]}, {"matrix": [["1/3", "2/3"], ["1/5", "4/5"]]}
    twice = repeat(2, {"mechanism": "compose", "of": [a, b]})
    assert _asked("parallel", channels=[twice]) == _asked("parallel", channels=[a, b, a, b])
    named = repeat(2, {"mechanism": "compose", "of": [NAMED, NAMED]})
    assert evaluate(mechanism_from(named), merged=False).inputs == ("D0", "D1")


def test_irrational_products_keep_every_column():
    """Keeping the first of two irrational answers leaves that of the first part."""
    pair = {"mechanism": "compose", "of": [IRRATIONAL, {"mechanism": "randomized_response", "epsilon": "3"}]}
    assert evaluate(mechanism_from(pair), merged=False).shape == (2, 4)
    node = {"mechanism": "post", "post": FIRST_ANSWER, "of": pair}
    half = _asked("epsilon", channel=node, delta="0")
    assert (half["lo"], half["hi"]) == ("1/2", "1/2")
