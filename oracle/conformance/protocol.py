"""The request protocol as the suite speaks it to a subject: requests, answers, ``hello``, ``echo``, and what is sent.

A request is ``{"id", "op", "args"}``. An answer repeats the id and has exactly one of ``value``, ``declined`` and
``error``. Numbers are strings; JSON integers are read too, a JSON float is refused, since most printers of floats keep
six digits. ``hello`` states who answers, which ops, what is claimed of each op's answers and which forms of question
are accepted; ``echo`` returns its numbers unchanged and is asked before any verdict is given.

A subject that takes binary64 numbers only is asked the binary64 form of a case, so that the truth is that of the
question which was really asked (:func:`form_for`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from gmpy2 import mpq

from oracle.errors import InputError, OracleError, shorten
from oracle.exact import (
    Extended,
    Infinity,
    JsonFloat,
    from_binary64,
    parse_extended,
    parse_number,
    to_binary64,
    to_text,
)
from oracle.json_text import parse

__all__ = [
    "AWKWARD",
    "BINARY64_SUFFIX",
    "CLAIMS",
    "PROTOCOL",
    "AdapterError",
    "Claimed",
    "Hello",
    "Reply",
    "echoes",
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
    **dict.fromkeys(("delta", "hockey_stick", "epsilon", "renyi", "mu", "calibrate", "concurrent"), "upper"),
    **dict.fromkeys(("tradeoff", "interactive_tradeoff"), "lower"),
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

_LONGEST_NAME: Final = 200


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
        malformed: for an ``error`` that is no refusal of the subject: what came is no answer, or to no question.
    """

    kind: Literal["value", "declined", "error", "crashed", "timeout"]
    value: Any = None
    message: str = ""
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    malformed: bool = False


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
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME:
        raise InputError(f"a name that is text of at most {_LONGEST_NAME} characters", shorten(name), "name")
    if len(str(version)) > _LONGEST_NAME:
        raise InputError(f"a version of at most {_LONGEST_NAME} characters", shorten(version), "version")
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
            JSON float anywhere in it is a malformed ``error`` reply with a hint, not an exception: the line is an
            answer. (``"malformed": true`` beside an error says that a Python object returned what is no answer.)
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
            return identity, Reply("error", message=str(error), malformed=True)
        return identity, Reply("value", document["value"])
    message = document[given[0]]
    text = message if isinstance(message, str) else shorten(message)
    if given[0] == "declined":
        return identity, Reply("declined", message=text)
    return identity, Reply("error", message=text, malformed=document.get("malformed") is True)


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


def echoes(value: object, *, doubles: bool = False) -> str | None:
    """What is wrong with an answer to ``echo`` of :data:`AWKWARD`; None if nothing is.

    Args:
        value: the answer.
        doubles: whether the subject takes doubles: then a decimal whose nearest double is the one sent will do.
    """
    if not isinstance(value, (list, tuple)) or len(value) != len(AWKWARD):
        return f"expected the list of {len(AWKWARD)} numbers back, got {shorten(value)}"
    for sent, got in zip(AWKWARD, value, strict=True):
        try:
            if _same_number(parse_extended(got), parse_number(sent), doubles=doubles):
                continue
        except InputError as error:
            return str(error)
        return f"{sent} came back as {shorten(got)}: print doubles in full (%a, or 17 significant digits)"
    return None


def _same_number(got: Extended, sent: mpq, *, doubles: bool) -> bool:
    """Whether two numbers are equal, or where *doubles* is set have the double *sent* as the nearest one."""
    if got == sent or isinstance(got, Infinity) or not doubles:
        return got == sent
    near = [to_binary64(got, "down"), to_binary64(got, "up")]
    beside = [from_binary64(side) for side in near if abs(side) != float("inf")]
    return sent in beside and all(abs(got - sent) <= abs(got - side) for side in beside)
