"""What an adapter calls is written down as a script that does the same without the adapter."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from types import SimpleNamespace

import pytest

from oracle.conformance.adapters.doubles import load
from oracle.conformance.fuzz.tracing import Untraceable, script_of, traced


def ran(script: str) -> list[str]:
    """What a script prints; a failure's last line."""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    return (done.stdout if done.returncode == 0 else done.stderr).splitlines()


def test_calls_and_attributes_become_lines() -> None:
    """Objects get names, numbers are printed, arguments are literals."""

    def question() -> float:
        statistics = load("statistics", "statistics")
        normal = statistics.NormalDist(mu=1.0, sigma=0.1)
        return float(normal.cdf(1.0) + normal.mean)

    script = traced(question)
    assert script == (
        "import statistics\n\nv1 = statistics.NormalDist(mu=1.0, sigma=0.1)\nprint(v1.cdf(1.0))\nprint(v1.mean)\n"
    )
    assert ran(script) == ["0.5", "1.0"]


def test_results_are_passed_on_under_their_names() -> None:
    """What one call returns is the argument of the next; infinities, fractions and containers are written out."""

    def question() -> object:
        statistics, fractions = load("statistics", "x"), load("fractions", "x")
        part = fractions.Fraction(3, 4)
        return statistics.fsum if False else statistics.median([part, Fraction(1, 2), 2, float("inf")])

    script = traced(question)
    assert 'v2 = statistics.median([v1, Fraction(1, 2), 2, float("inf")])' in script
    assert ran(script) == []


def test_a_failing_call_is_the_last_line() -> None:
    """The script fails as the library did."""

    def question() -> None:
        with pytest.raises(ValueError, match="domain error"):
            load("math", "math").sqrt(-1.0)

    script = traced(question)
    assert script.endswith("print(math.sqrt(-1.0))\n")
    assert ran(script)[-1] == "ValueError: math domain error"


def test_a_call_that_does_not_end_is_the_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is interrupted after a while, and written down."""
    monkeypatch.setattr("oracle.conformance.fuzz.tracing._SECONDS", 0.2)
    slow = SimpleNamespace(delta=lambda x: load("time", "time").sleep(x))
    assert script_of(slow, "delta", {"x": 60}) == "import time\n\nprint(time.sleep(60))\n"


def test_calls_that_cannot_be_written_down_are_refused() -> None:
    """A function of the adapter has no literal, and an adapter that loads nothing has no script."""
    with pytest.raises(Untraceable, match="function has no literal"):
        traced(lambda: load("functools", "functools").reduce(lambda x, _: x, [1]))
    with pytest.raises(Untraceable, match="loads no library"):
        traced(lambda: 1)


def test_an_adapter_may_write_its_own_script() -> None:
    """Its method wins; None has the question traced; an untraceable question has none."""
    own = SimpleNamespace(reproducer=lambda op, args: f"print({op!r}, {args['x']})\n")
    assert script_of(own, "delta", {"x": 1}) == "print('delta', 1)\n"
    traced_one = SimpleNamespace(reproducer=lambda *_: None, delta=lambda x: load("math", "math").exp(float(x)))
    assert script_of(traced_one, "delta", {"x": 1}) == "import math\n\nprint(math.exp(1.0))\n"
    hidden = SimpleNamespace(delta=lambda x: load("functools", "f").reduce(lambda a, _: a, [x]))
    with pytest.raises(Untraceable):
        script_of(hidden, "delta", {"x": 1})


def test_the_stand_ins_are_gone_afterwards() -> None:
    """The library is the library again."""
    traced(lambda: load("math", "math").exp(1.0))
    assert load("math", "math").exp(0.0) == 1.0
    assert load("math", "math") is sys.modules["math"]
