"""Run one program in this Python and print what it claims, its time and its memory, as one line of JSON.

Stands alone (the standard library only), because it runs in the environments of the peers. The program comes as JSON
on standard input: ``imports`` and ``body`` are source texts, ``claims`` maps a kind of claim to the expression of its
value. The time is that of the body, the imports are not in it.
"""

import json
import resource
import sys
import time
from pathlib import Path

_MOST_MEMORY = 8 << 30
"""Address space in bytes."""


def _megabytes() -> float:
    """The most memory so far. Of this program alone: ru_maxrss would start with what the parent had (Linux)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def main() -> None:
    """Run it."""
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    program = json.load(sys.stdin)
    names = {"__name__": "program"}
    exec(program["imports"], names)  # noqa: S102 - our own program, see sources.py
    before = _megabytes()
    wall, cpu = time.perf_counter(), time.process_time()
    answer = {}
    try:
        exec(program["body"], names)  # noqa: S102
        answer["claims"] = {claim: _text(eval(value, names)) for claim, value in program["claims"].items()}  # noqa: S307
    except Exception as error:  # noqa: BLE001 - whatever a peer raises is its answer
        answer["error"] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    answer |= {
        "seconds": time.perf_counter() - wall,
        "cpu_seconds": time.process_time() - cpu,
        "megabytes": _megabytes(),
        "megabytes_of_imports": before,
    }
    print(json.dumps(answer))


def _text(value: object) -> str:
    """A text stays as it is (an exact number); anything else is a float, written so that it reads back."""
    return value if isinstance(value, str) else repr(float(value))


if __name__ == "__main__":
    main()
