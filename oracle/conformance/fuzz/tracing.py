"""A reproducer that uses the library alone: what an adapter calls for one question, written down as a script.

    python -m oracle.conformance.fuzz.tracing pkg.mod:OBJECT < request.json

The adapter answers the question once more while each module of the library that it loads
(:func:`oracle.conformance.adapters.doubles.load`) is a stand-in: reading an attribute of it, or calling it, does the
same to the library and is written down. Numbers, texts and truth values that the library returns go to the adapter as
they are, and the script prints them. An adapter may have a method ``reproducer(op, args)`` that returns the script
itself, or None to have it traced.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from importlib import import_module
from types import ModuleType
from typing import Any, Final
from unittest.mock import patch

from oracle.conformance.adapters import doubles
from oracle.conformance.subjects import InProcess, find_object
from oracle.errors import InputError, OracleError
from oracle.json_text import parse

__all__ = ["Untraceable", "main", "script_of", "traced"]

_PLAIN: Final = (bool, int, float, str, bytes, type(None))
_SECONDS: Final = 20
"""After so long a call is taken for one that does not end; it is the last line of the script."""

_NAMED: Final = ("inf", "-inf", "nan")


class Untraceable(OracleError):  # noqa: N818 - the adapter does what no script shows; that is no fault
    """A call that cannot be written down, such as one with a function of the adapter."""


class _Script:
    """The lines so far, and the names that they use."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.modules: dict[str, None] = {}
        self.fractions = False
        self._names = 0

    def name(self, expression: str) -> str:
        """Keep the value of an expression under a new name."""
        self._names += 1
        self.lines.append(f"v{self._names} = {expression}")
        return f"v{self._names}"

    def do(self, expression: str) -> None:
        """Call what returns nothing, once."""
        if expression not in self.lines:
            self.lines.append(expression)

    def show(self, expression: str) -> None:
        """Print the value of an expression."""
        self.lines.append(f"print({expression})")

    def literal(self, value: object) -> str:  # noqa: PLR0911 - one return for each kind
        """An argument as Python text."""
        if isinstance(value, _Recorded):
            return str(value.expression)
        if isinstance(value, float):
            text = repr(float(value))
            return f'float("{text}")' if text in _NAMED else text
        if isinstance(value, Fraction):
            self.fractions = True
            return f"Fraction({value.numerator}, {value.denominator})"
        if isinstance(value, _PLAIN):
            return repr(value)
        if isinstance(value, type) and value.__module__ == "builtins":
            return value.__name__
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.literal(k)}: {self.literal(v)}" for k, v in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(self.literal, value)) + "]"
        if isinstance(value, tuple):
            return "(" + "".join(f"{self.literal(part)}, " for part in value) + ")"
        raise Untraceable(f"{type(value).__name__} has no literal")

    def text(self) -> str:
        """The script."""
        head = [f"import {name}" for name in self.modules]
        if self.fractions:
            head.insert(0, "from fractions import Fraction")
        return "\n".join([*head, "", *self.lines]) + "\n"


class _Recorded:
    """A stand-in for a value of the library."""

    def __init__(self, script: _Script, value: Any, expression: str) -> None:  # noqa: ANN401 - foreign
        self.__dict__.update(_script=script, _value=value, expression=expression)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - foreign
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(self._value, name)
        return self._seen(value, f"{self.expression}.{name}", called=False)

    def __getitem__(self, key: Any) -> Any:  # noqa: ANN401 - foreign
        expression = f"{self.expression}[{self._script.literal(key)}]"
        return self._seen(self._value[_bare(key)], expression, called=False)

    def __call__(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - foreign
        told = [*map(self._script.literal, args)]
        told += [f"{name}={self._script.literal(value)}" for name, value in options.items()]
        expression = f"{self.expression}({', '.join(told)})"
        try:
            value = self._value(*map(_bare, args), **{name: _bare(option) for name, option in options.items()})
        except BaseException:  # whatever it raises, or no end in time: the call is the last line
            self._script.show(expression)
            raise
        return self._seen(value, expression, called=True)

    def __iter__(self) -> Iterator[Any]:
        return iter([self[index] for index in range(len(self._value))])

    def __len__(self) -> int:
        return len(self._value)

    def __float__(self) -> float:
        return float(self._value)

    def _seen(self, value: Any, expression: str, *, called: bool) -> Any:  # noqa: ANN401 - foreign
        if value is None and called:
            self._script.do(expression)
            return None
        if isinstance(value, type) and issubclass(value, BaseException):
            return value  # ``except`` takes the class itself
        plain = value.item() if type(value).__module__ == "numpy" and getattr(value, "ndim", 1) == 0 else value
        if isinstance(plain, _PLAIN):
            if called or not isinstance(plain, str):
                self._script.show(expression)
            return plain
        if called and not isinstance(value, ModuleType):
            expression = self._script.name(expression)
        return _Recorded(self._script, value, expression)


def _bare(value: Any) -> Any:  # noqa: ANN401 - foreign
    """An argument as the library gets it."""
    if isinstance(value, _Recorded):
        return value._value  # noqa: SLF001 - its own stand-in
    if isinstance(value, dict):
        return {_bare(key): _bare(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(_bare, value))
    return value


def traced(question: Callable[[], object]) -> str:
    """The script of what is called while *question* is run; a failure of the library is part of it.

    Raises:
        Untraceable: where a call cannot be written down, or no module of a library is used.
    """
    script = _Script()

    def load(name: str) -> Any:  # noqa: ANN401 - a module, or what stands for it
        module = import_module(name)
        script.modules[name] = None
        return _Recorded(script, module, name)

    doubles.load.cache_clear()
    try:
        with patch.object(doubles, "import_module", load):
            question()
    finally:
        doubles.load.cache_clear()
    if not script.modules:
        raise Untraceable("the adapter loads no library")
    return script.text()


def script_of(subject: object, op: str, args: Mapping[str, Any]) -> str:
    """The script for one question: the adapter's own, or what it calls.

    Raises:
        Untraceable: where there is none.
    """
    offered = getattr(subject, "reproducer", None)
    text = offered(op, args) if callable(offered) else None
    if isinstance(text, str):
        return text
    failures: list[str] = []

    def question() -> None:
        reply = InProcess(subject, _SECONDS).ask({"id": "trace", "op": op, "args": args})
        if reply.kind != "value":
            failures.append(reply.message)

    script = traced(question)
    if failures and Untraceable.__name__ in failures[0]:
        raise Untraceable(failures[0])
    return script


def main(name: str) -> None:
    """Print the script for the request on standard input; exit code 1 where there is none."""
    request = parse(sys.stdin.read())
    if not isinstance(request, Mapping):
        raise InputError("a request", "none", "standard input")
    try:
        sys.stdout.write(script_of(find_object(name), str(request["op"]), request["args"]))
    except Untraceable as reason:
        sys.stderr.write(f"{reason}\n")
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1])
