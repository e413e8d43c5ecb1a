"""A Python object behind the pipe: ``python -m oracle.conformance.serving pkg.mod:OBJ``.

It lets an object be tested in processes of its own, which may crash, hang or print without harm, and several at once.
The protocol has a copy of standard output to itself; whatever else is printed, by C code too, goes to standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from oracle.conformance.protocol import AdapterError
from oracle.conformance.subjects import InProcess
from oracle.errors import OracleError, shorten
from oracle.json_text import dump_line, parse

__all__ = ["answer", "main"]


def answer(subject: InProcess, request: object) -> dict[str, Any]:
    """The answer of the protocol to one request."""
    if not isinstance(request, Mapping) or not isinstance(request.get("op"), str):
        return {"id": None, "error": f"expected a request, got {shorten(request)}"}
    identity = request.get("id")
    if request["op"] == "hello":
        try:
            return {"id": identity, "value": subject.hello().to_json()}
        except AdapterError as error:
            return {"id": identity, "error": str(error)}
    reply = subject.ask(request)
    if reply.kind == "value":
        return {"id": identity, "value": reply.value}
    if reply.kind == "declined":
        return {"id": identity, "declined": reply.message}
    return {"id": identity, "error": reply.message} | ({"malformed": True} if reply.malformed else {})


def main(name: str) -> None:
    """Answer the requests on standard input, one a line, to the end of it."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        subject = InProcess(name)
    except AdapterError as error:
        fault = str(error)
        for _ in sys.stdin.buffer:
            out.write(dump_line({"id": None, "error": fault}).encode() + b"\n")
            out.flush()
        return
    for line in sys.stdin.buffer:
        try:
            reply = answer(subject, parse(line.decode()))
        except (OracleError, UnicodeDecodeError) as error:
            reply = {"id": None, "error": str(error)}
        out.write(dump_line(reply).encode("utf-8", "surrogatepass") + b"\n")
        out.flush()


if __name__ == "__main__":
    main(sys.argv[1])
