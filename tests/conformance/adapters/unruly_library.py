"""A library that misbehaves, by the epsilon it is asked at: an object behind the pipe."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import warnings
from typing import Any, ClassVar

GIBIBYTE = 2**30


class Unruly:
    """Answers 1/2 to every delta, after what its mode does."""

    name = "unruly"
    version = "1"
    claims: ClassVar = {"delta": "upper"}

    def __init__(self) -> None:
        self.kept: list[bytearray] = []
        self.count = 0

    def delta(self, channel: dict[str, Any], exp_epsilon: str) -> str:  # noqa: ARG002 - the table is always the same
        """The op."""
        self.count += 1
        mode = {"2": "segfault", "3": "leak", "4": "print", "5": "warn", "6": "waver", "7": "kill"}.get(exp_epsilon)
        if mode == "segfault":
            ctypes.string_at(0)
        if mode == "leak":
            self.leak()
        if mode == "print":
            print('{"id": "q", "value": "0"}')
            os.write(1, b'{"id": "q", "value": "0"}\n')
        if mode == "warn":
            warnings.warn("experimental", stacklevel=1)
            sys.stderr.write("loading\n" * 1000)
        if mode == "kill":
            os.kill(os.getpid(), signal.SIGKILL)  # as the kernel does to a process that takes all memory
        return str(self.count) if mode == "waver" else "1/2"

    def leak(self) -> None:
        """Take memory until there is no more within a limit of its own."""
        resource.setrlimit(resource.RLIMIT_AS, (GIBIBYTE, GIBIBYTE))
        while True:
            self.kept.append(bytearray(2**24))


ADAPTER = Unruly()
