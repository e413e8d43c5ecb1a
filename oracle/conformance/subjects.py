"""Implementations under test behind one shape: a Python object, a function of requests, or a program on a pipe.

A subject has ``hello()``, ``ask(request)`` and ``close()``. ``ask`` never raises for what the subject does: a fault of
it is a :class:`~oracle.conformance.protocol.Reply` of kind ``error``, ``crashed`` or ``timeout``. Only an adapter with
which no conversation is possible raises :class:`~oracle.conformance.protocol.AdapterError`.
"""

from __future__ import annotations

import contextlib
import math
import numbers
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from importlib import import_module
from operator import index
from typing import Any, Final, Protocol

from gmpy2 import mpq

from oracle.answers import OPS, answer
from oracle.conformance.pipes import Piped
from oracle.conformance.protocol import AdapterError, Hello, Reply, read_answer, read_hello, request
from oracle.errors import Declined, InputError, OracleError, shorten
from oracle.exact import parse_extended, to_text
from oracle.json_text import dump_line
from oracle.time_limits import TooLongError, time_limit

__all__ = ["Function", "InProcess", "Piped", "Subject", "exact_engine", "find_object", "protocol_value"]

_FURTHER_OPS: Final = ("calibrate", "total_variation", "profile")
"""Ops that a subject may offer and the engine's table does not have."""

_NOTHING: Final = object()
"""What stands for a method that returned None: no answer, where None inside an answer is null."""

_LARGE: Final = 2**53
"""Integers below stay integers of JSON, which every reader keeps; larger ones become text."""


class Subject(Protocol):
    """An implementation under test."""

    def hello(self) -> Hello:
        """What it says of itself."""

    def ask(self, question: Mapping[str, Any]) -> Reply:
        """The reply to one request."""

    def close(self) -> None:
        """End it."""


def find_object(name: str) -> object:
    """The object that ``pkg.mod:OBJ`` (dots allowed in OBJ) or ``pkg.mod`` names.

    Raises:
        AdapterError: if there is none, or importing it fails.
    """
    module, _, path = name.partition(":")
    try:
        found: object = import_module(module)
        for part in filter(None, path.split(".")):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError) as error:
        raise AdapterError(f"{name}: {error}") from error
    except Exception as error:  # foreign code runs on import
        raise AdapterError(f"{name}: importing it raised {type(error).__name__}: {shorten(str(error))}") from error
    return found


class InProcess:
    """A Python object or module with methods named after ops, each taking the args of a request as keyword arguments.

    A method returns a number (``int``, ``Fraction``, ``Decimal``, ``float`` for its exact binary64 value, or text), a
    bool, a mapping or a sequence of such. Raising :class:`oracle.errors.Declined` or ``NotImplementedError`` declines;
    any other exception is an ``error`` reply. ``hello`` may be a method; without it the ops are the object's methods of
    an op's name, and its attributes ``name``, ``version``, ``claims`` and ``accepts`` are read. What it prints goes to
    stderr.

    Args:
        subject: the object, or its name as for :func:`find_object`.
        timeout: seconds for one question, 0 for no limit. It interrupts Python code in the main thread only; a
            question that may hang elsewhere needs a process of its own.
    """

    def __init__(self, subject: object, timeout: float = 0) -> None:
        self._object = find_object(subject) if isinstance(subject, str) else subject
        if isinstance(self._object, type):
            raise AdapterError(f"expected an object, got the class {self._object.__name__}: make an instance of it")
        self._name = subject if isinstance(subject, str) else None
        self._timeout = timeout

    def hello(self) -> Hello:
        """What the object says of itself, or what its attributes tell."""
        if callable(getattr(self._object, "hello", None)):
            reply = self.ask(request("hello", "hello", {}))
            if reply.kind != "value":
                raise AdapterError(f"hello was answered with {reply.kind}: {reply.message}")
            return read_hello(reply.value)
        known = tuple(dict.fromkeys((*OPS, *_FURTHER_OPS)))
        ops = [op for op in known if callable(getattr(self._object, op, None))]
        if not ops:
            raise AdapterError(f"{self._shown()} has no method named after an op; ops are {', '.join(known)}")
        facts = {key: getattr(self._object, key) for key in ("claims", "accepts") if hasattr(self._object, key)}
        name = getattr(self._object, "name", None)
        version = getattr(self._object, "version", getattr(self._object, "__version__", "unknown"))
        shown = name if isinstance(name, str) and name else self._shown()
        return read_hello({"name": shown, "version": str(version), "ops": ops, **facts})

    def _shown(self) -> str:
        return self._name or getattr(self._object, "__name__", None) or type(self._object).__name__

    def ask(self, question: Mapping[str, Any]) -> Reply:
        """The reply to one request."""
        method = getattr(self._object, question["op"], None)
        if not callable(method):
            return Reply("declined", message=f"no method {shorten(question['op'])}")
        return _call(lambda: method(**question.get("args", {})), self._timeout)

    def close(self) -> None:
        """Nothing is left to end."""


class Function:
    """A function from a request to an answer, both as plain JSON data.

    Args:
        answer: the function.
        timeout: as for :class:`InProcess`.
    """

    def __init__(self, answer: Callable[[Mapping[str, Any]], Mapping[str, Any]], timeout: float = 0) -> None:
        self._answer = answer
        self._timeout = timeout

    def hello(self) -> Hello:
        """What the function answers to ``hello``."""
        reply = self.ask(request("hello", "hello", {}))
        if reply.kind != "value":
            raise AdapterError(f"hello was answered with {reply.kind}: {reply.message}")
        return read_hello(reply.value)

    def ask(self, question: Mapping[str, Any]) -> Reply:
        """The reply to one request."""
        reply = _call(lambda: self._answer(question), self._timeout)
        if reply.kind != "value":
            return reply
        try:
            identity, told = read_answer(dump_line(reply.value))
        except InputError as error:
            return Reply("error", message=f"malformed answer: {error}", seconds=reply.seconds, malformed=True)
        if identity != question["id"]:
            message = f"answered with the id {shorten(identity)}"
            return Reply("error", message=message, seconds=reply.seconds, malformed=True)
        return replace(told, seconds=reply.seconds)

    def close(self) -> None:
        """Nothing is left to end."""


def exact_engine() -> Function:
    """Our own engine as a subject."""
    return Function(answer)


def _call(function: Callable[[], object], timeout: float) -> Reply:
    """Call foreign code: whatever it does becomes a reply."""
    start = time.perf_counter()
    kind: Any = "error"
    value: Any = None
    returned: object = _NOTHING
    try:
        with contextlib.redirect_stdout(sys.stderr), time_limit(timeout):
            returned = function()
            value = protocol_value(_NOTHING if returned is None else returned)
        kind, message = "value", ""
    except (Declined, NotImplementedError) as reason:
        kind, message = "declined", str(reason) or "not offered"
    except TooLongError:
        kind, message = "timeout", f"no answer within {timeout:g} s"
    except SystemExit as left:
        kind, message = "crashed", f"left with SystemExit({left.code})"
    except Exception as error:  # noqa: BLE001 - the boundary to foreign code
        message = f"{type(error).__name__}: {shorten(str(error), 400)}"
    malformed = kind == "error" and returned is not _NOTHING
    return Reply(kind, value, message, time.perf_counter() - start, malformed=malformed)


def protocol_value(value: object) -> Any:  # noqa: ANN401 - a JSON value
    """What a method returned as a value of the protocol.

    Raises:
        InputError: for NaN and whatever has no such form.
        Declined: for ``NotImplemented``.
    """
    if value is NotImplemented:
        raise Declined("not implemented")
    if value is None or isinstance(value, (str, bool)) or (type(value) is int and abs(value) < _LARGE):
        return value
    if isinstance(value, Mapping):
        return {str(key): protocol_value(member) for key, member in value.items()}
    if hasattr(value, "to_json"):
        return protocol_value(value.to_json())
    if hasattr(value, "tolist") and not isinstance(value, float):  # numpy arrays and scalars
        return protocol_value(value.tolist())
    if isinstance(value, (list, tuple)):
        return [protocol_value(member) for member in value]
    return _number_text(value)


def _number_text(value: object) -> str:
    if isinstance(value, float):
        if math.isnan(value):
            raise InputError("a number", "nan", "value")
        return str(float(value)) if math.isinf(value) else float(value).hex()
    if value is _NOTHING:
        raise InputError("an answer", "None", "value")
    if isinstance(value, Decimal):
        return str(float(value)) if value.is_infinite() else to_text(parse_extended(str(value)))
    if isinstance(value, numbers.Real) and not isinstance(value, numbers.Rational):
        return _number_text(float(value))
    try:
        return to_text(mpq(index(value)))  # type: ignore[arg-type]
    except TypeError:
        pass
    try:
        return to_text(parse_extended(value))
    except OracleError as error:
        raise InputError("a number, a bool, text, a mapping or a sequence", type(value).__name__, "value") from error
