"""The float64 subject behind the Python door and, run as a program, behind the pipe.

    oracle conform float64
    oracle conform --cmd "python -m oracle.conformance.adapters.float64"

It reads numbers as doubles, so it is asked the binary64 form of a question.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any, Final, TextIO

from oracle.conformance import float64

__all__ = ["ADAPTER", "serve"]


def _method(op: str) -> Callable[..., Any]:
    def method(**args: Any) -> Any:  # noqa: ANN401 - JSON values
        return float64.evaluate(op, args)

    method.__name__ = op
    method.__doc__ = f"The op {op} of the float64 subject."
    return method


ADAPTER: Final = SimpleNamespace(**{op: _method(op) for op in float64.OPS})
"""The float64 subject as an object with a method for each op."""


def serve(requests: Iterable[str], answers: TextIO) -> None:
    """Answer requests, one JSON object a line, until they end."""
    for line in requests:
        try:
            reply = float64.answer(json.loads(line))
        except json.JSONDecodeError as error:
            reply = {"id": None, "error": f"no JSON: {error}"}
        answers.write(json.dumps(reply) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout)
