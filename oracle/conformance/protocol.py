"""The request protocol as the suite speaks it to a subject: requests, answers, ``hello``, ``echo``, and what is sent.

A request is ``{"id", "op", "args"}``. An answer repeats the id and has exactly one of ``value``, ``declined`` and
``error``. Numbers are strings; JSON integers are read too, a JSON float is refused, since most printers of floats keep
six digits. ``hello`` states who answers, which ops, what is claimed of each op's answers and which forms of question
are accepted; ``echo`` returns its numbers unchanged and is asked before any verdict is given.

A subject that takes binary64 numbers only is asked the binary64 form of a case, so that the truth is that of the
question which was really asked (:func:`form_for`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from gmpy2 import mpq

from oracle.errors import InputError, OracleError, shorten
from oracle.exact import INFINITY, NEGATIVE_INFINITY, JsonFloat, parse_extended, parse_number, to_binary64, to_text
from oracle.json_text import parse

__all__ = [
    "AWKWARD",
    "BINARY64_SUFFIX",
    "CLAIMS",
    "PROTOCOL",
    "AdapterError",
    "Claimed",
    "Form",
    "Hello",
    "Reply",
    "as_binary64",
    "echoes",
    "form_for",
    "parse_claimed",
    "read_answer",
    "read_hello",
    "refuse_floats",
    "request",
]

PROTOCOL: Final = 1

BINARY64_SUFFIX: Final = "#binary64"
"""Ends the id of a request that asks the binary64 form of a case."""

ClaimKind = Literal["upper", "lower", "nearest", "exact", "estimate"]

CLAIMS: Final[tuple[ClaimKind, ...]] = ("upper", "lower", "nearest", "exact", "estimate")
"""What a subject may claim of its answers: at or above the truth, at or below, within ulps, equal, near."""

_NATURAL: Final[Mapping[str, ClaimKind]] = {
    **dict.fromkeys(("delta", "hockey_stick", "epsilon", "renyi", "mu", "calibrate"), "upper"),
    "tradeoff": "lower",
}
"""The claim of an op of which ``hello`` says nothing; of the others it is ``nearest``."""

AWKWARD: Final = (
    "0x1.999999999999ap-4",
    "0x1.5555555555555p-2",
    "0x1.0000000000001p+0",
    "0x1.fffffffffffffp-1",
    "0x1.921fb54442d18p+1",
    "0x1p-1022",
    "0x0.0000000000001p-1022",
    "0x1.fffffffffffffp+1023",
)
"""Eight doubles that an adapter must return unchanged; printing six or seven digits loses each but one."""

_LOG = re.compile(r"(?:log|ln)\((.*)\)", re.DOTALL)
_PROSE = ("mechanism", "direction", "neighbours", "field", "inputs", "outputs", "relation", "unit", "kind")
"""Keys whose values are words or labels, never numbers."""


class AdapterError(OracleError):
    """The subject's adapter, not its mathematics, is at fault: no verdict can be given."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """What is claimed of an op's answers.

    Attributes:
        kind: one of :data:`CLAIMS`.
        allowance: for ``nearest`` the ulps, for ``estimate`` the absolute error stated, or None.
    """

    kind: ClaimKind
    allowance: mpq | None = None

    def __str__(self) -> str:
        return self.kind if self.allowance is None else f"{self.kind}:{to_text(self.allowance)}"


@dataclass(frozen=True, slots=True)
class Hello:
    """What a subject says of itself.

    Attributes:
        name: of the library.
        version: of the library.
        ops: the ops offered.
        claims: claim by op, for those ops of which one is stated.
        every: the claim for all other ops, or None.
        epsilon: which of ``exp_epsilon`` and ``epsilon`` are accepted.
        numbers: ``rational``, or ``binary64`` where each number of a question must be a double.
        vectors: whether ``delta`` takes a list ``epsilons``.
        further: other facts stated, such as language and homepage.
    """

    name: str
    version: str
    ops: tuple[str, ...]
    claims: Mapping[str, Claimed]
    every: Claimed | None = None
    epsilon: tuple[str, ...] = ("exp_epsilon", "epsilon")
    numbers: Literal["rational", "binary64"] = "rational"
    vectors: bool = False
    further: Mapping[str, Any] | None = None

    def claim(self, op: str) -> Claimed:
        """The claim about an op's answers: as stated, else as is natural for the quantity."""
        return self.claims.get(op) or self.every or Claimed(_NATURAL.get(op, "nearest"))

    def to_json(self) -> dict[str, Any]:
        """The value of ``hello``."""
        claims: Any = {op: str(claimed) for op, claimed in self.claims.items()}
        if self.every is not None:
            claims = {op: str(self.claim(op)) for op in self.ops} if claims else str(self.every)
        return {
            "name": self.name,
            "version": self.version,
            "protocol": PROTOCOL,
            "ops": list(self.ops),
            "claims": claims,
            "accepts": {"epsilon": list(self.epsilon), "numbers": self.numbers, "vectors": self.vectors},
            **(self.further or {}),
        }


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back for one request.

    Attributes:
        kind: ``value``, ``declined``, ``error``, or where no answer came ``crashed`` or ``timeout``.
        value: the value, for ``value``.
        message: the reason, for the others.
        seconds: how long it took.
        warnings: what was odd but not in the way, such as a line that is no JSON.
    """

    kind: Literal["value", "declined", "error", "crashed", "timeout"]
    value: Any = None
    message: str = ""
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """The form in which a case is asked: its args, and whether they and the truth are those of its binary64 form."""

    args: Mapping[str, Any]
    binary64: bool


def request(identity: str, op: str, args: Mapping[str, Any]) -> dict[str, Any]:
    """A request of the protocol."""
    return {"id": identity, "op": op, "args": dict(args)}


def parse_claimed(value: object, where: str = "claims") -> Claimed:
    """Read a claim: ``"upper"``, ``"nearest:4"`` (ulps), ``"estimate:1e-10"`` (absolute error).

    Raises:
        InputError: for anything else.
    """
    expected = "a claim: " + ", ".join(CLAIMS) + ", nearest:ULPS or estimate:ERROR"
    if not isinstance(value, str):
        raise InputError(expected, shorten(value), where)
    name, colon, allowance = value.partition(":")
    for kind in CLAIMS:
        if name == kind and (not colon or kind in ("nearest", "estimate")):
            number = parse_number(allowance, where) if colon else None
            if number is not None and number < 0:
                raise InputError("an allowance of at least 0", shorten(value), where)
            return Claimed(kind, number)
    raise InputError(expected, shorten(value), where)


def read_hello(value: object) -> Hello:
    """Read the value of ``hello``.

    ``claims`` is an object by op, or one claim for all. ``accepts`` is an object ``{"epsilon": [...], "numbers": ...,
    "vectors": true}`` or a list of the words in it; where it says nothing, every form of a number is accepted.

    Raises:
        AdapterError: naming what is wrong.
    """
    try:
        return _hello(value)
    except InputError as error:
        raise AdapterError(f"hello: {error}") from error


def _hello(value: object) -> Hello:
    if not isinstance(value, Mapping):
        raise InputError("an object with name, version, protocol, ops, claims and accepts", shorten(value))
    name, version, ops = value.get("name"), value.get("version", "unknown"), value.get("ops")
    if not isinstance(name, str) or not name:
        raise InputError("a name that is text", shorten(name), "name")
    if value.get("protocol", PROTOCOL) not in (PROTOCOL, str(PROTOCOL)):
        raise InputError(f"protocol {PROTOCOL}", shorten(value["protocol"]), "protocol")
    if not isinstance(ops, Sequence) or isinstance(ops, str) or not all(isinstance(op, str) for op in ops):
        raise InputError("a list of ops", shorten(ops), "ops")
    stated = value.get("claims", {})
    claims: dict[str, Claimed] = {}
    every = None
    if isinstance(stated, Mapping):
        claims = {str(op): parse_claimed(claim, f"claims.{shorten(op)}") for op, claim in stated.items()}
    else:
        every = parse_claimed(stated)
    epsilon, numbers = _accepts(value.get("accepts", {}))
    known = ("name", "version", "protocol", "ops", "claims", "accepts")
    further = {str(key): fact for key, fact in value.items() if key not in known}
    accepts = value.get("accepts")
    vectors = bool(accepts.get("vectors", False)) if isinstance(accepts, Mapping) else "vectors" in (accepts or ())
    return Hello(name, str(version), tuple(ops), claims, every, epsilon, numbers, vectors, further)


def _accepts(value: object) -> tuple[tuple[str, ...], Literal["rational", "binary64"]]:
    both = ("exp_epsilon", "epsilon")
    if isinstance(value, Mapping):
        names = value.get("epsilon", list(both))
        numbers = value.get("numbers", "rational")
        listed = [names] if isinstance(names, str) else names
        if not isinstance(listed, Sequence) or not listed or not all(name in both for name in listed):
            raise InputError("a list of exp_epsilon, epsilon", shorten(names), "accepts.epsilon")
        if numbers not in ("rational", "binary64", "log-binary64"):
            raise InputError("rational, binary64 or log-binary64", shorten(numbers), "accepts.numbers")
        return tuple(listed), "rational" if numbers == "rational" else "binary64"
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise InputError("an object or a list of words", shorten(value), "accepts")
    only_doubles = any(word in value for word in ("binary64", "log-binary64")) and "rational" not in value
    return tuple(name for name in both if name in value) or both, "binary64" if only_doubles else "rational"


def read_answer(line: str) -> tuple[Any, Reply]:
    """The id and the reply in one line of an answer.

    Raises:
        InputError: for a line that is no answer: no JSON object, or not exactly one of value, declined and error. A
            JSON float anywhere in it is an ``error`` reply with a hint, not an exception: the line is an answer.
    """
    document = parse(line)
    if not isinstance(document, Mapping):
        raise InputError("an answer as a JSON object", shorten(line))
    given = [key for key in ("value", "declined", "error") if key in document]
    if len(given) != 1:
        raise InputError("exactly one of value, declined and error", ", ".join(given) or "none of them", "answer")
    identity = document.get("id")
    if given[0] == "value":
        try:
            refuse_floats(document["value"])
        except InputError as error:
            return identity, Reply("error", message=str(error))
        return identity, Reply("value", document["value"])
    message = document[given[0]]
    text = message if isinstance(message, str) else shorten(message)
    return identity, Reply("declined" if given[0] == "declined" else "error", message=text)


def refuse_floats(value: object, where: str = "value") -> None:
    """Refuse a JSON float anywhere in a value.

    Raises:
        InputError: with a hint to quote it.
    """
    if isinstance(value, (JsonFloat, float)):
        hint = "each number as a string (printed in full: %a, or 17 digits), since JSON floats lose digits"
        raise InputError(hint, shorten(repr(value)), where)
    if isinstance(value, Mapping):
        for key, member in value.items():
            refuse_floats(member, f"{where}.{shorten(key)}")
    elif isinstance(value, (list, tuple)):
        for index, member in enumerate(value):
            refuse_floats(member, f"{where}[{index}]")


def echoes(value: object) -> str | None:
    """What is wrong with an answer to ``echo`` of :data:`AWKWARD`; None if nothing is."""
    if not isinstance(value, (list, tuple)) or len(value) != len(AWKWARD):
        return f"expected the list of {len(AWKWARD)} numbers back, got {shorten(value)}"
    for sent, got in zip(AWKWARD, value, strict=True):
        try:
            if parse_extended(got) == parse_number(sent):
                continue
        except InputError as error:
            return str(error)
        return f"{sent} came back as {shorten(got)}: print doubles in full (%a, or 17 significant digits)"
    return None


def form_for(hello: Hello, args: Mapping[str, Any], binary64: Mapping[str, Any] | None) -> Form | None:
    """How a case is asked of a subject: its args, or its binary64 form; None if in no form that is accepted.

    Args:
        hello: what the subject accepts.
        args: the args of the case.
        binary64: the args of its binary64 form, if it has one.
    """
    exact = hello.numbers == "rational"
    told = _with_epsilon(args, hello.epsilon, exact=exact)
    if exact:
        return None if told is None else Form(told, binary64=False)
    try:
        if told is not None:
            return Form(as_binary64(told), binary64=False)
    except InputError:
        pass  # some number is no double: the other form has doubles in place of the parameters
    told = None if binary64 is None else _with_epsilon(binary64, hello.epsilon, exact=False)
    return None if told is None else Form(told, binary64=True)


def _with_epsilon(value: Any, accepted: tuple[str, ...], *, exact: bool) -> Any:  # noqa: ANN401 - a JSON value
    """The value with each level in a form that is accepted, without changing it; None if there is none."""
    if isinstance(value, (list, tuple)):
        members = [_with_epsilon(member, accepted, exact=exact) for member in value]
        return None if any(m is None and v is not None for m, v in zip(members, value, strict=True)) else members
    if not isinstance(value, Mapping):
        return value
    told: dict[str, Any] = {}
    for key, member in value.items():
        name, kept = key, _with_epsilon(member, accepted, exact=exact)
        if key in ("exp_epsilon", "epsilon") and key not in accepted:
            name, kept = accepted[0], _rewritten(key, member, exact=exact)
        if kept is None and member is not None:
            return None
        told[name] = kept
    return told


def _rewritten(key: str, value: object, *, exact: bool) -> str | None:
    """A level under its other name: log(a) and a, and the ones that are doubles in both; None if there is none."""
    try:
        if key == "exp_epsilon":
            level = parse_extended(value)
            simple = {mpq(0): "-inf", mpq(1): "0", INFINITY: "inf"}.get(level)
            return simple or (f"log({to_text(level)})" if exact else None)
        if isinstance(value, str) and (match := _LOG.fullmatch(value)):
            return to_text(parse_number(match[1]))
        return {mpq(0): "1", INFINITY: "inf", NEGATIVE_INFINITY: "0"}.get(parse_extended(value))
    except InputError:
        return None


def as_binary64(value: Any) -> Any:  # noqa: ANN401 - a JSON value
    """The value with each number that is text written as a double in hexadecimal.

    Raises:
        InputError: if one of them is no double.
    """
    if isinstance(value, Mapping):
        return {key: member if key in _PROSE else as_binary64(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_binary64(member) for member in value]
    if not isinstance(value, str):
        return value
    if value in ("?", "inf", "+inf", "-inf"):
        return value
    exact = parse_number(value)
    if to_binary64(exact, "down") != to_binary64(exact, "up"):
        raise InputError("a number that is a double", shorten(value))
    return "0" if exact == 0 else to_binary64(exact, "down").hex()
