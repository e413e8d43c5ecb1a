"""Python objects and functions as subjects."""

from __future__ import annotations

import contextlib
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from oracle.conformance.protocol import AdapterError, request
from oracle.conformance.subjects import Function, InProcess, exact_engine, find_object, protocol_value
from oracle.errors import Declined, InputError


def replies(function: Any) -> Any:
    return InProcess(SimpleNamespace(delta=function)).ask(request("a", "delta", {"x": "1"}))


@pytest.mark.parametrize(
    ("returned", "value"),
    [
        (0.25, "0x1.0000000000000p-2"),
        (np.float64(0.25), "0x1.0000000000000p-2"),
        (np.float32(0.25), "0x1.0000000000000p-2"),
        (float("inf"), "inf"),
        (-float("inf"), "-inf"),
        (Fraction(1, 3), "1/3"),
        (Decimal("0.1"), "1/10"),
        (Decimal("-Infinity"), "-inf"),
        (7, 7),
        (2**60, str(2**60)),
        pytest.param(10**5000, "1" + "0" * 5000, id="long"),
        (np.int64(7), 7),
        (True, True),
        (np.bool_(True), True),
        ("1/2", "1/2"),
        ({"lo": 0.5, "hi": 1}, {"lo": "0x1.0000000000000p-1", "hi": 1}),
        (np.array([0.5, 1.0]), ["0x1.0000000000000p-1", "0x1.0000000000000p+0"]),
        ((Fraction(1, 2), 0.5), ["1/2", "0x1.0000000000000p-1"]),
    ],
)
def test_what_a_method_may_return(returned: object, value: object) -> None:
    """A float is its exact binary64 value; arrays, mappings and documents are converted inside."""
    reply = replies(lambda **_: returned)
    assert reply.kind == "value"
    assert reply.value == value


@pytest.mark.parametrize("returned", [None, float("nan"), np.nan, Decimal("NaN"), object(), {1, 2}, 1j])
def test_what_is_no_answer_is_an_error(returned: object) -> None:
    """NaN and None are no numbers; that is no refusal of the question."""
    reply = replies(lambda **_: returned)
    assert (reply.kind, reply.malformed) == ("error", True)


def raising(error: BaseException) -> Any:
    def method(**_: object) -> None:
        raise error

    return method


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (Declined("not offered"), "declined"),
        (NotImplementedError(), "declined"),
        (ZeroDivisionError("division by zero"), "error"),
        (IndexError(), "error"),
        (SystemExit(3), "crashed"),
    ],
)
def test_exceptions_become_replies(error: BaseException, kind: str) -> None:
    """Declined and NotImplementedError decline, others are errors, leaving the process is a crash."""
    assert (replies(raising(error)).kind, replies(raising(error)).malformed) == (kind, False)
    assert replies(lambda **_: NotImplemented).kind == "declined"


def test_a_wrong_signature_is_an_error_and_a_missing_method_declines() -> None:
    """TypeError names the argument."""
    subject = InProcess(SimpleNamespace(delta=lambda channel: channel))
    assert "unexpected keyword" in subject.ask(request("a", "delta", {"epsilon": "1"})).message
    assert subject.ask(request("a", "epsilon", {})).kind == "declined"


def test_what_a_method_prints_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    """Standard output belongs to reports."""

    def method(**_: object) -> str:
        print("debugging")
        return "0"

    assert replies(method).value == "0"
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "debugging" in captured.err


def test_a_question_in_process_has_a_time_limit() -> None:
    """Even a method that catches every Exception is stopped."""

    def method(**_: object) -> str:
        while True:
            with contextlib.suppress(Exception):
                sum(range(1000))

    subject = InProcess(SimpleNamespace(delta=method), timeout=0.2)
    assert subject.ask(request("a", "delta", {})).kind == "timeout"


def test_hello_is_a_method_or_read_from_attributes() -> None:
    """Ops are the methods of an op's name."""
    plain = InProcess(SimpleNamespace(delta=print, tradeoff=print, other=print, claims={"delta": "lower"}, version="2"))
    hello = plain.hello()
    assert (set(hello.ops), hello.version, hello.claim("delta").kind) == ({"delta", "tradeoff"}, "2", "lower")
    told = InProcess(SimpleNamespace(hello=lambda: {"name": "lib", "version": 3, "ops": ["delta"], "protocol": 1}))
    assert (told.hello().name, told.hello().version) == ("lib", "3")
    with pytest.raises(AdapterError, match="no method named after an op"):
        InProcess(SimpleNamespace(other=print)).hello()
    with pytest.raises(AdapterError, match="hello was answered with error"):
        InProcess(SimpleNamespace(hello=raising(ValueError("no")))).hello()


def test_an_object_is_found_by_name() -> None:
    """module:object, dots inside; a class, a missing name and a module that fails are refused."""
    assert find_object("math:pi") is __import__("math").pi
    assert find_object("json:decoder.JSONDecoder.decode") is __import__("json").JSONDecoder.decode
    for name in ("no_such_module:x", "math:nothing", ":x", ""):
        with pytest.raises(AdapterError):
            find_object(name)
    with pytest.raises(AdapterError, match="make an instance"):
        InProcess("json:JSONDecoder")


def test_a_function_of_requests() -> None:
    """Our engine is one; wrong ids and malformed answers are errors."""
    engine = exact_engine()
    assert "delta" in engine.hello().ops
    args = {"channel": {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}, "exp_epsilon": "2"}
    assert engine.ask(request("a", "delta", args)).value == "1/4"
    assert engine.ask(request("a", "frobnicate", {})).kind == "declined"
    assert Function(lambda _: {"id": "b", "value": "1"}).ask(request("a", "delta", {})).kind == "error"
    assert Function(lambda _: {"id": "a"}).ask(request("a", "delta", {})).kind == "error"
    assert Function(lambda _: {}["x"]).ask(request("a", "delta", {})).kind == "error"


def test_a_value_that_has_no_form_is_refused() -> None:
    """The message says what there is instead."""
    with pytest.raises(InputError, match="a mapping or a sequence"):
        protocol_value(object())
