"""The request protocol: every malformed line gets an error with its place, and the loop never ends."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import __version__
from oracle.answers import OPS, PROTOCOL, answer, answer_line
from oracle.json_text import dump_line

WARNER = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
IDENTITY = {"matrix": [["1", "0"], ["0", "1"]]}


def ask(op: str, **args: object) -> dict[str, object]:
    return answer_line(json.dumps({"id": "q", "op": op, "args": args}))


def test_hello_says_who_answers_and_what_is_offered() -> None:
    value = ask("hello")["value"]
    assert (value["name"], value["version"], value["protocol"]) == ("fdp-oracle", __version__, PROTOCOL)
    assert value["ops"] == list(OPS)
    assert value["claims"]["satisfies"] == "exact"
    assert "binary64" in value["accepts"]


def test_an_answer_repeats_the_id_whatever_it_is() -> None:
    for identity in ("q1", 7, None, "", "ü\u202e"):
        assert answer({"id": identity, "op": "echo", "args": {"values": []}}) == {"id": identity, "value": []}


def test_echo_returns_values_as_they_came() -> None:
    values = ["1/3", "0x1.8p-1", "inf", "-inf", "0.50", 7]
    assert ask("echo", values=values) == {"id": "q", "value": values}


def test_args_may_be_left_out_where_none_are_required() -> None:
    assert "value" in answer_line('{"id": 1, "op": "hello"}')


CHOICE = {"interactive": {"query": {"A": {"answer": {"0": {"p": "1/2", "q": "1"}, "1": {"p": "1/2", "q": "0"}}}}}}
WHOLE = {
    "values": ["1"],
    "channel": WARNER,
    "channels": [WARNER],
    "left": WARNER,
    "right": WARNER,
    "r": "1/2",
    "pre": [["1", "0"], ["0", "1"]],
    "post": [["1", "0"], ["0", "1"]],
    "tradeoff": {"breakpoints": [["0", "1"], ["1", "0"]]},
    "gain": [["1", "0"], ["0", "1"]],
    "delta": "0",
    "order": "2",
    "claim": {"exp_epsilon": "3"},
    "interactive": CHOICE,
    "interactives": [CHOICE],
}
"""A good value for every required argument."""
LEVELLED = {"hockey_stick", "delta"}


def good_args(op: str) -> dict[str, object]:
    level = {"exp_epsilon": "2"} if op in LEVELLED else {}
    return {name: WHOLE[name] for name in OPS[op].required} | level


@pytest.mark.parametrize("op", sorted(OPS))
def test_null_is_no_argument_that_is_left_out(op: str) -> None:
    """Of every op: each optional argument given as null is an error in its place, digits too."""
    assert "value" in ask(op, **good_args(op))
    for name in (*OPS[op].optional, "digits"):
        reply = ask(op, **{**good_args(op), name: None})
        assert reply == {"id": "q", "error": f"args.{name}: expected a value, or no such argument, got null"}


@pytest.mark.parametrize("op", sorted(op for op in OPS if OPS[op].required))
def test_a_required_argument_is_not_null(op: str) -> None:
    """An error in its place, but for a mechanism that ends at once, which is written null."""
    for name in OPS[op].required:
        reply = ask(op, **{**good_args(op), name: None})
        if name == "interactive":
            assert "value" in reply
        else:
            assert str(reply["error"]).startswith(f"args.{name}"), reply


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ({"channel": {**WARNER, "inputs": None}}, "args.channel.inputs: expected a list of labels, or no such key"),
        ({"channel": {**WARNER, "outputs": None}}, "args.channel.outputs: expected a list of labels, or no such key"),
        ({"channel": {**CHOICE, "name": None}}, "args.channel.name: expected a name as text, got null"),
        ({"channel": {**CHOICE, "nodes": None}}, "args.channel.nodes: expected an object"),
        ({"claim": {"exp_epsilon": "3", "delta": None}}, "args.claim.delta: expected a number"),
        ({"claim": {"exp_epsilon": "3", "epsilon": None}}, "args.claim: expected exactly one of"),
        ({"claim": {"order": "2", "epsilon": None}}, "args.claim.epsilon: expected a number"),
        ({"channel": {"mechanism": "laplace", "scale": "1", "sensitivity": None}}, "args.channel.sensitivity"),
    ],
)
def test_null_is_no_key_that_is_left_out(args: dict[str, object], error: str) -> None:
    """The same inside arguments, of keys that may be left out."""
    reply = ask("satisfies", **{"channel": WARNER, "claim": {"exp_epsilon": "3"}, **args})
    assert str(reply["error"]).startswith(error), reply


def gaussian_dp(mu: str) -> dict[str, str]:
    return {"mechanism": "gaussian_dp", "mu": mu}


def guarantees(*pairs: tuple[str, str]) -> dict[str, object]:
    return {"mechanism": "guarantees", "pairs": [{"epsilon": e, "delta": d} for e, d in pairs]}


@pytest.mark.parametrize(
    ("op", "args", "error"),
    [
        (
            "satisfies",
            {"channel": WARNER, "claim": {"order": "1e99999", "epsilon": "2"}},
            "args.claim.order: expected an",
        ),
        (
            "satisfies",
            {"channel": WARNER, "claim": {"order": "1e-9999", "epsilon": "2"}},
            "args.claim.order: expected an",
        ),
        ("renyi", {"channel": WARNER, "order": "1e-9999"}, "args.order: expected an order of at most 4096 bits"),
        ("epsilon", {"channel": gaussian_dp("1e99999"), "delta": "1/10"}, "args.channel.mu: expected a numerator"),
        (
            "epsilon",
            {"channel": {"mechanism": "gaussian", "sigma": "1e-99999"}, "delta": "1/10"},
            "args.channel.sigma: expected a numerator",
        ),
        (
            "epsilon",
            {"channel": {"mechanism": "compose", "of": [gaussian_dp("1e9999"), gaussian_dp("1")]}, "delta": "1/10"},
            "args.channel",
        ),
        ("concurrent", {"interactives": [CHOICE] * 101}, "args.interactives: expected 1 to 100 mechanisms, got 101"),
        ("concurrent", {"interactives": [CHOICE] * 50}, "args.interactives: expected at most 200000 tuples of nodes"),
        (
            "satisfies",
            {"channel": guarantees(("1e99", "0")), "claim": {"order": "2", "epsilon": "3"}},
            "args.channel: expected a value of at most",
        ),
        ("renyi", {"channel": guarantees(("1e99", "0")), "order": "3"}, "args.channel: expected a value of at most"),
        ("delta", {"channel": WARNER, "exp_epsilon": "-1"}, "args.exp_epsilon: expected"),
        ("delta", {"channel": WARNER, "epsilon": "1", "exp_epsilon": "1"}, "args: expected exactly one of"),
        ("tradeoff", {"channel": WARNER, "alpha": "2"}, "args.alpha: expected alpha between 0 and 1"),
    ],
)
def test_errors_of_the_engine_name_the_field_of_the_request(op: str, args: dict[str, object], error: str) -> None:
    """Whatever the engine calls it: theta is a mu or a sigma, the mechanisms of a composition are interactives."""
    reply = ask(op, **args)
    assert str(reply["error"]).startswith(error), reply


def test_a_delta_is_enclosed_within_0_and_1() -> None:
    """Of a guarantee that promises next to nothing, and the corners of its curve."""
    for epsilon in ("50", "100", "1e99"):
        channel = guarantees((epsilon, "0"))
        assert ask("delta", channel=channel, epsilon="1/4")["value"]["hi"] == "1"
        breakpoints = ask("tradeoff", channel=channel)["value"]["breakpoints"]
        ends = [
            Fraction(end)
            for corner in breakpoints
            for x in corner
            for end in (x.values() if isinstance(x, dict) else [x])
        ]
        assert min(ends) == 0
        assert max(ends) == 1


def test_repeated_guarantees_count_once() -> None:
    """Eighty pairs of which two are distinct; seven distinct ones are more than is offered."""
    two = (("1", "1/10"), ("2", "1/20"))
    assert ask("delta", channel=guarantees(*two * 40), epsilon="1/2") == ask(
        "delta", channel=guarantees(*two), epsilon="1/2"
    )
    assert "value" in ask("delta", channel=guarantees(*two), epsilon="1/2")
    seven = [(f"{k}", f"1/{10 * k}") for k in range(1, 8)]
    assert "more than 6 distinct pairs" in str(ask("delta", channel=guarantees(*seven), epsilon="1")["declined"])


BAD_LINES = [
    ("", None, "expected JSON, got Expecting value at line 1, column 1"),
    ("hello", None, "expected JSON"),
    ("{", None, "expected JSON"),
    ("[]", None, 'expected a request {"id": ..., "op": ..., "args": {...}}, got []'),
    ("1", None, "expected a request"),
    ("null", None, "expected a request"),
    ("[" * 100_000, None, "nested at most a few hundred deep"),
    ('{"id": 1, "id": 2, "op": "hello"}', None, 'expected every key once, got the key "id" twice'),
    ('{"id": 1, "op": "hello", "extra": 1}', 1, 'request: expected only the keys id, op, args, got the key "extra"'),
    ('{"op": "hello"}', None, 'request: expected the key "id", got none'),
    ('{"id": 1.5, "op": "hello"}', None, "id: expected an id that is text or an integer, got the JSON float 1.5"),
    ('{"id": true, "op": "hello"}', None, "id: expected an id that is text or an integer, got true"),
    ('{"id": [1], "op": "hello"}', None, "id: expected an id that is text or an integer, got [1]"),
    ('{"id": 1}', 1, "op: expected an op that is text, got null"),
    ('{"id": 1, "op": 5}', 1, "op: expected an op that is text, got 5"),
    ('{"id": 1, "op": "hello", "args": []}', 1, "args: expected args as an object, got []"),
    ('{"id": 1, "op": "hello", "args": {"x": 1}}', 1, "args: expected only the keys"),
    ('{"id": 1, "op": "echo"}', 1, 'args: expected the argument "values", got none'),
    ('{"id": 1, "op": "echo", "args": {"values": [' + "1" * 100_002 + "]}}", None, "at most 100000 digits"),
]


@pytest.mark.parametrize(("line", "identity", "message"), BAD_LINES, ids=[line[:40] for line, _, _ in BAD_LINES])
def test_a_malformed_line_gets_an_error(line: str, identity: object, message: str) -> None:
    reply = answer_line(line)
    assert reply["id"] == identity
    assert set(reply) == {"id", "error"}
    assert message in reply["error"]


BAD_ARGS = [
    ("echo", {"values": [0.5]}, 'args.values[0]: expected the number as a string: quote it, "0.5"'),
    ("echo", {"values": ["x"]}, "args.values[0]: expected a number such as"),
    ("echo", {"values": "12"}, "args.values: expected a list of numbers, got 12"),
    ("echo", {"values": [None]}, "args.values[0]: expected a number such as"),
    ("echo", {"values": ["1" * 100_001]}, "args.values[0]: expected a number of at most 100000 digits"),
    (
        "canonical",
        {"channel": {"matrix": [["1/2", "1/3"], ["1", "0"]]}},
        "args.channel.matrix[0]: expected a row that sums to 1, got a sum of 5/6, which misses 1 by 1/6",
    ),
    (
        "canonical",
        {"channel": {"matrix": [["1", "0"], ["3/2", "-1/2"]]}},
        "args.channel.matrix[1][1]: expected a probability at least 0, got -1/2",
    ),
    (
        "canonical",
        {"channel": {"matrix": [["nan"], ["1"]]}},
        'args.channel.matrix[0][0]: expected a finite number, got "nan"',
    ),
    ("canonical", {"channel": {"matrix": [["inf"], ["1"]]}}, "args.channel.matrix[0][0]: expected a finite number"),
    (
        "canonical",
        {"channel": {"matrix": [["1", "0"], ["1"]]}},
        "args.channel.matrix[1]: expected 2 columns as in row 0, got 1",
    ),
    ("canonical", {"channel": {"matrix": []}}, "args.channel.matrix: expected a list of at least one row"),
    ("canonical", {"channel": {"matrix": [[], []]}}, "args.channel.matrix[0]: expected at least one column"),
    ("canonical", {"channel": {"matrix": [["1"]]}}, "expected two rows (P and Q), got 1 rows"),
    (
        "canonical",
        {"channel": {"matrix": [[1.0], ["1"]]}},
        'args.channel.matrix[0][0]: expected the number as a string: quote it, "1.0"',
    ),
    ("canonical", {"channel": {"matrix": [["100%"], ["1"]]}}, "no % sign"),
    (
        "canonical",
        {"channel": {"matrix": [["1"], ["1"]], "labels": []}},
        'args.channel: expected only the keys matrix, inputs, outputs, got the key "labels"',
    ),
    (
        "canonical",
        {"channel": {"matrix": [["1"], ["1"]], "inputs": ["a", "b\u0007"]}},
        "args.channel.inputs[1]: expected a label without control characters",
    ),
    ("canonical", {"channel": {}}, 'args.channel: expected the key "matrix", got none'),
    ("canonical", {"channel": None}, "args.channel: expected"),
    ("canonical", {"channel": {"mechanism": "no-such"}}, "args.channel.mechanism: expected a known mechanism"),
    (
        "canonical",
        {"channel": {"mechanism": "randomized_response", "exp_epsilon": "-3"}},
        "args.channel.exp_epsilon: expected exp_epsilon at least 0, got -3",
    ),
    (
        "canonical",
        {"channel": {"mechanism": "randomized_response", "epsilon": "-1"}},
        "args.channel.epsilon: expected epsilon at least 0, got -1",
    ),
    ("tradeoff", {"channel": IDENTITY, "alpha": "2"}, "alpha: expected alpha between 0 and 1, got 2"),
    ("tradeoff", {"channel": IDENTITY, "direction": "both"}, "args.direction: expected forward, backward, got both"),
    ("tradeoff", {"channel": IDENTITY, "digits": 10**6}, "args.digits: expected at most 1000 digits"),
    (
        "channel_of",
        {"tradeoff": {"breakpoints": [["0", "1"], ["1/2", "3/4"], ["1", "0"]]}},
        "args.tradeoff.breakpoints[1][1]: expected beta between 0 and 1 - alpha",
    ),
    (
        "channel_of",
        {"tradeoff": {"breakpoints": [["0", "1"], ["0", "1/2"], ["1", "0"]]}},
        "args.tradeoff.breakpoints[1][0]: expected alpha strictly increasing, got two corners at 0 (a jump)",
    ),
    (
        "channel_of",
        {"tradeoff": {"breakpoints": [["0", "1/2"], ["1/2", "1/2"], ["1", "0"]]}},
        "args.tradeoff.breakpoints[1]: expected a convex curve",
    ),
    (
        "channel_of",
        {"tradeoff": {"breakpoints": [["0", "1/4"], ["1/4", "1/2"], ["1", "0"]]}},
        "args.tradeoff.breakpoints[1][1]: expected beta non-increasing",
    ),
    (
        "refines",
        {"left": IDENTITY, "right": {"matrix": [["1"], ["1"], ["1"]]}},
        "right: expected 2 rows as in left, got 3 rows",
    ),
    ("glb", {"channels": []}, "channels: expected at least one channel, got an empty list"),
    ("glb", {"channels": IDENTITY}, "args.channels: expected a list of channels"),
    (
        "glb",
        {"channels": [IDENTITY, {"matrix": [["1"], ["2"]]}]},
        "args.channels[1].matrix[1]: expected a row that sums to 1",
    ),
    ("lub", {"channels": [IDENTITY, {"matrix": [["1"]]}]}, "channels[1]: expected two rows (P and Q), got 1 rows"),
    ("hockey_stick", {"channel": IDENTITY}, 'args: expected exactly one of "exp_epsilon" and "epsilon", got neither'),
    (
        "hockey_stick",
        {"channel": IDENTITY, "exp_epsilon": "-1"},
        "args.exp_epsilon: expected exp_epsilon at least 0, got -1",
    ),
    ("delta", {"channel": IDENTITY, "exp_epsilon": "1", "epsilon": "0"}, 'got both "exp_epsilon" and "epsilon"'),
    ("delta", {"channel": IDENTITY, "epsilon": "log(-1)"}, "args.epsilon: expected the logarithm of a positive number"),
    ("epsilon", {"channel": IDENTITY, "delta": "-1/10"}, "delta: expected delta between 0 and 1, got -1/10"),
    ("epsilon", {"channel": IDENTITY, "delta": "2"}, "delta: expected delta between 0 and 1, got 2"),
    ("vulnerability", {"channel": IDENTITY, "gain": [["1"]]}, "gain: expected 2 columns, one for each input, got 1"),
    ("vulnerability", {"channel": IDENTITY, "gain": [["1", "-1"]]}, "gain[0][1]: expected a gain at least 0, got -1"),
    (
        "vulnerability",
        {"channel": IDENTITY, "gain": [["1", "1"]], "prior": ["1/2", "1/3"]},
        "prior: expected probabilities that sum to 1, got a sum of 5/6",
    ),
    (
        "satisfies",
        {"channel": IDENTITY, "claim": {"exp_epsilon": "1/2"}},
        "args.claim.exp_epsilon: expected epsilon at least 0",
    ),
    (
        "satisfies",
        {"channel": IDENTITY, "claim": {"epsilon": "-1"}},
        "args.claim.epsilon: expected epsilon at least 0, got -1",
    ),
    (
        "satisfies",
        {"channel": IDENTITY, "claim": {"exp_epsilon": "2", "delta": "3/2"}},
        "args.claim.delta: expected delta between 0 and 1, got 3/2",
    ),
    ("satisfies", {"channel": IDENTITY, "claim": "eps=1"}, "args.claim: expected a claim such as"),
    (
        "satisfies",
        {"channel": IDENTITY, "claim": {"exp_epsilon": "2"}, "direction": "up"},
        "args.direction: expected forward, backward or both, got up",
    ),
]


@pytest.mark.parametrize(("op", "args", "message"), BAD_ARGS, ids=[f"{op}: {m[:60]}" for op, _, m in BAD_ARGS])
def test_bad_arguments_get_an_error_with_place_and_expectation(op: str, args: dict[str, object], message: str) -> None:
    reply = ask(op, **args)
    assert set(reply) == {"id", "error"}
    assert message in reply["error"]


def test_mu_is_answered_exactly_or_with_the_digits_asked_for() -> None:
    assert ask("mu", channel={"mechanism": "gaussian", "sigma": "2"})["value"] == "1/2"
    assert ask("mu", channel=IDENTITY)["value"] == "inf"
    value = ask("mu", channel={"mechanism": "randomized_response", "exp_epsilon": "3"}, digits=17)["value"]
    assert value["lo"].startswith("1.34897950039216348")
    assert value["lo"] < value["hi"]
    both = [ask("mu", channel=IDENTITY, direction=side)["value"] for side in ("both", "forward", "backward")]
    assert len({str(found) for found in both}) == 1


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ({"mu": "27/20"}, True),
        ({"mu": "4/3"}, False),
        ({"rho": "3/5"}, True),
        ({"rho": "27/50"}, False),
        ({"order": "2", "epsilon": "log(7/3)"}, True),
        ({"order": "2", "epsilon": "0.8472"}, False),
        ({"order": "inf", "exp_epsilon": "3"}, True),
    ],
)
def test_claims_of_one_number_are_decided_with_a_certificate(claim: dict[str, str], holds: bool) -> None:
    channel = {"mechanism": "randomized_response", "exp_epsilon": "3"}
    value = ask("satisfies", channel=channel, claim=claim)["value"]
    assert value["holds"] is holds
    assert value["certificate"]["certificate"].endswith("_held" if holds else "_refuted")


def test_duplicate_keys_deep_inside_are_refused() -> None:
    reply = answer_line(
        '{"id": 1, "op": "canonical", "args": {"channel": {"matrix": [["1"]], "matrix": [["1"], ["1"]]}}}'
    )
    assert 'expected every key once, got the key "matrix" twice' in reply["error"]


@pytest.mark.parametrize(
    ("op", "args", "message"),
    [
        ("no_such_op", {}, "the op no_such_op is not offered; offered are hello, echo"),
        ("tradeoff", {"channel": {"mechanism": "gaussian", "sigma": "1"}}, "ask at an alpha"),
        ("mu", {"channel": {"mechanism": "discrete_gaussian", "sigma": "1"}}, "mu is offered for finite tables"),
        ("canonical", {"channel": {"mechanism": "randomized_response", "epsilon": "1"}}, "irrational"),
    ],
)
def test_what_is_not_offered_is_declined_and_no_error(op: str, args: dict[str, object], message: str) -> None:
    reply = ask(op, **args)
    assert set(reply) == {"id", "declined"}
    assert message in reply["declined"]


def test_long_numbers_come_out_as_they_must() -> None:
    """Beyond the 4,300 digits at which the interpreter stops printing integers."""
    tiny = "1/1" + "0" * 6000
    channel = {"matrix": [[tiny, "9" * 6000 + "/1" + "0" * 6000], ["1/2", "1/2"]]}
    assert ask("delta", channel=channel, exp_epsilon="1")["value"] == "4" + "9" * 5999 + "/1" + "0" * 6000
    for op, args in [
        ("tradeoff", {"alpha": "1/3"}),
        ("epsilon", {"delta": "0"}),
        ("satisfies", {"claim": {"exp_epsilon": "2"}}),
        ("vulnerability", {"gain": [["1", "0"], ["0", "1"]]}),
        ("canonical", {}),
    ]:
        reply = ask(op, channel=channel, **args)
        assert "value" in reply
        assert len(dump_line(reply)) > 6000


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.sampled_from(["1", "1/2", "inf"]),
    lambda children: (
        st.lists(children, max_size=3)
        | st.dictionaries(
            st.sampled_from(["matrix", "mechanism", "breakpoints", "epsilon", "exp_epsilon", "k", "delta"]),
            children,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@given(st.text(max_size=60))
def test_any_text_gets_exactly_one_answer(line: str) -> None:
    reply = answer_line(line)
    assert len(set(reply) & {"value", "declined", "error"}) == 1
    dump_line(reply)


@settings(max_examples=300)
@given(st.data())
def test_any_json_as_arguments_gets_exactly_one_answer(data) -> None:
    op = data.draw(st.sampled_from(sorted(OPS)))
    names = [*OPS[op].required, *OPS[op].optional]
    args = {name: data.draw(JSON) for name in names}
    reply = answer_line(json.dumps({"id": 0, "op": op, "args": args}))
    assert len(set(reply) & {"value", "declined", "error"}) == 1
    dump_line(reply)


def test_an_answer_is_one_line_of_json() -> None:
    reply = ask("refines", left=WARNER, right=IDENTITY)
    text = dump_line(reply)
    assert "\n" not in text
    assert json.loads(text) == reply


def test_a_number_that_breaks_inside_gets_an_error_and_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> dict[str, object]:
        raise MemoryError

    monkeypatch.setitem(OPS, "hello", type(OPS["hello"])(fail))
    assert answer({"id": 1, "op": "hello"}) == {"id": 1, "error": "MemoryError"}


LAPLACE = {"mechanism": "laplace", "scale": "1"}
GAUSSIAN = {"mechanism": "gaussian", "sigma": "1"}


@pytest.mark.parametrize(
    ("op", "args", "value"),
    [
        ("delta", {"channel": LAPLACE, "epsilon": "1"}, "0"),
        ("delta", {"channel": LAPLACE, "exp_epsilon": "0"}, "1"),
        ("hockey_stick", {"channel": LAPLACE, "exp_epsilon": "1/3", "direction": "backward"}, "2/3"),
        ("hockey_stick", {"channel": GAUSSIAN, "exp_epsilon": "inf"}, "0"),
        ("epsilon", {"channel": LAPLACE, "delta": "0"}, {"lo": "1", "hi": "1"}),
        ("epsilon", {"channel": LAPLACE, "delta": "1/2"}, {"exp_epsilon": "1", "lo": "0", "hi": "0"}),
        ("epsilon", {"channel": GAUSSIAN, "delta": "0"}, {"exp_epsilon": "inf", "lo": "inf", "hi": "inf"}),
        ("tradeoff", {"channel": GAUSSIAN, "alpha": "0"}, {"beta": "1"}),
        ("tradeoff", {"channel": LAPLACE, "alpha": "1", "direction": "backward"}, {"beta": "0"}),
        ("renyi", {"channel": GAUSSIAN, "order": "5/2"}, {"divergence": "5/4"}),
        ("renyi", {"channel": GAUSSIAN, "order": "inf"}, {"divergence": "inf"}),
        ("renyi", {"channel": LAPLACE, "order": "inf"}, {"divergence": "1"}),
        ("renyi", {"channel": IDENTITY, "order": "3"}, {"moment": "inf", "divergence": "inf"}),
        ("renyi", {"channel": IDENTITY, "order": "1"}, {"divergence": "inf"}),
    ],
    ids=str,
)
def test_values_of_continuous_mechanisms_that_are_exact_are_one_string(
    op: str, args: dict[str, object], value: object
) -> None:
    assert ask(op, **args) == {"id": "q", "value": value}


def test_other_values_of_continuous_mechanisms_are_enclosures() -> None:
    beta = ask("tradeoff", channel=GAUSSIAN, alpha="1/2", digits=5)["value"]
    assert beta == {"beta": {"lo": "0.15865525", "hi": "0.15865526"}}
    moment = ask("renyi", channel=GAUSSIAN, order="2", digits=5)["value"]
    assert moment == {"moment": {"lo": "2.7182818", "hi": "2.7182819"}, "divergence": "1"}
    verdict = ask("satisfies", channel=LAPLACE, claim={"epsilon": "1"})["value"]
    assert (verdict["holds"], verdict["certificate"]["record"]) == (True, "enclosure")


@pytest.mark.parametrize(
    ("op", "args"),
    [
        ("canonical", {"channel": GAUSSIAN}),
        ("refines", {"left": LAPLACE, "right": LAPLACE}),
        ("glb", {"channels": [GAUSSIAN]}),
        ("lub", {"channels": [LAPLACE, GAUSSIAN]}),
        ("parallel", {"channels": [LAPLACE]}),
        ("visible", {"r": "1/2", "left": IDENTITY, "right": LAPLACE}),
        ("hidden", {"r": "1/2", "left": LAPLACE, "right": IDENTITY}),
        ("pre", {"pre": [["1", "0"], ["0", "1"]], "channel": LAPLACE}),
        ("post", {"channel": LAPLACE, "post": [["1"]]}),
        ("vulnerability", {"channel": LAPLACE, "gain": [["1", "0"]]}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_needs_a_finite_table_is_declined_of_a_continuous_mechanism(op: str, args: dict[str, object]) -> None:
    reply = ask(op, **args)
    assert "not a finite table" in reply["declined"]


@pytest.mark.parametrize("order", ["0", "-1", "-inf", "nan", "1/0", None])
def test_a_renyi_order_is_above_0(order: object) -> None:
    assert "order" in ask("renyi", channel=IDENTITY, order=order)["error"]
    assert "order" in ask("renyi", channel=GAUSSIAN, order=order)["error"]


def test_an_id_of_any_length_is_repeated_or_refused_in_words():
    """Whole numbers of up to 4,000 digits come back."""
    assert answer_line('{"id": ' + "9" * 4000 + ', "op": "echo", "args": {"values": []}}')["id"] == int("9" * 4000)
    reply = answer_line('{"id": ' + "9" * 5000 + ', "op": "hello"}')
    assert reply["error"].startswith("id: expected an integer id of at most 4000 digits, got 999")


def test_a_moment_beyond_the_size_of_numbers_is_left_out_beside_its_divergence() -> None:
    """What is answered can be read again."""
    value = ask("renyi", channel={"mechanism": "discrete_gaussian", "sigma": "1", "sensitivity": "3"}, order="256")
    assert value["value"] == {"divergence": "1152"}
