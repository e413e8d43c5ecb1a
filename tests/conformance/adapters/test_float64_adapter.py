"""The float64 subject behind the Python door and behind the pipe says the same."""

from __future__ import annotations

import io
import json
import sys

from oracle.conformance import float64
from oracle.conformance.adapters.float64 import ADAPTER, serve
from oracle.conformance.protocol import AWKWARD, echoes, request
from oracle.conformance.subjects import InProcess, Piped

PAIR = {"matrix": [["0x1.cp-1", "0x1p-3"], ["0x1p-1", "0x1p-1"]]}
QUESTIONS = [
    request("d", "delta", {"channel": PAIR, "exp_epsilon": "1"}),
    request("e", "epsilon", {"channel": PAIR, "delta": "0x1p-3"}),
    request("t", "tradeoff", {"channel": PAIR, "alpha": "0x1p-4"}),
    request("r", "refines", {"left": PAIR, "right": PAIR}),
]


def test_the_object_answers_as_the_function_does() -> None:
    """Door (c): a method for each op, the same values, the same words about itself."""
    subject = InProcess("oracle.conformance.adapters.float64:ADAPTER")
    assert subject.hello().name == "float64"
    assert subject.hello().numbers == "binary64"
    for question in QUESTIONS:
        assert subject.ask(question).value == float64.answer(question)["value"]


def test_what_is_not_offered_is_declined() -> None:
    """Expressions are declined, and so is an op without a method."""
    subject = InProcess(ADAPTER)
    gaussian = {"mechanism": "gaussian", "sigma": "1"}
    assert subject.ask(request("g", "delta", {"channel": gaussian, "exp_epsilon": "1"})).kind == "declined"
    assert subject.ask(request("m", "mu", {"channel": PAIR})).kind == "declined"
    assert subject.ask(request("b", "delta", {"channel": PAIR})).kind == "error"


def test_the_program_answers_as_the_object_does() -> None:
    """Door (b): one line in, one line out."""
    piped, direct = Piped([sys.executable, "-m", "oracle.conformance.adapters.float64"]), InProcess(ADAPTER)
    try:
        assert piped.hello().ops == direct.hello().ops
        assert echoes(piped.ask(request("echo", "echo", {"values": list(AWKWARD)})).value) is None
        assert [piped.ask(q).value for q in QUESTIONS] == [direct.ask(q).value for q in QUESTIONS]
    finally:
        piped.close()


def test_a_line_that_is_no_json_does_not_end_the_program() -> None:
    """It is answered with an error, and the next one as usual."""
    out = io.StringIO()
    serve(["{", json.dumps(QUESTIONS[0])], out)
    first, second = map(json.loads, out.getvalue().splitlines())
    assert (first["id"], set(first)) == (None, {"id", "error"})
    assert second["id"] == "d"
