"""No float on an exact path: a number whose ``__float__`` raises goes through everything, and no module names one."""

from __future__ import annotations

import ast
from fractions import Fraction
from pathlib import Path

import pytest
from gmpy2 import mpq

import oracle
from oracle.answers import answer
from oracle.certificates.checker import check
from oracle.channels.channel import Channel
from oracle.channels.hyper import hyper_distribution
from oracle.channels.refinement import refine
from oracle.channels.tradeoff import TradeoffFunction, maximum, minimum
from oracle.claims import parse_claim
from oracle.exact import parse_extended, parse_number, to_decimal, to_text

PACKAGE = Path(oracle.__file__).parent


class Exact:
    """A rational number that answers to nothing but its numerator and denominator."""

    def __init__(self, text: str) -> None:
        value = Fraction(text)
        self.numerator = value.numerator
        self.denominator = value.denominator

    def _refuse(self, *_: object) -> None:
        raise AssertionError("an exact path asked for a float")

    __float__ = __complex__ = __int__ = __round__ = __trunc__ = _refuse


def exact(value):
    """The same JSON value with every number string replaced by the stand-in."""
    if isinstance(value, list):
        return [exact(item) for item in value]
    if isinstance(value, dict):
        return {key: item if key in ("direction", "mechanism") else exact(item) for key, item in value.items()}
    try:
        return Exact(value) if isinstance(value, str) else value
    except ValueError:
        return value


WARNER = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
WEAK = {"matrix": [["7/10", "3/10"], ["3/10", "7/10"]]}
CURVE = {"breakpoints": [["0", "1"], ["1/4", "1/2"], ["1", "0"]]}
IDENTITY = [["1", "0"], ["0", "1"]]

REQUESTS = [
    ("echo", {"values": ["1/3", "2"]}),
    ("canonical", {"channel": WARNER}),
    ("tradeoff", {"channel": WARNER, "alpha": "1/3"}),
    ("tradeoff", {"channel": WARNER, "direction": "backward"}),
    ("channel_of", {"tradeoff": CURVE}),
    ("refines", {"left": WARNER, "right": WEAK}),
    ("refines", {"left": WEAK, "right": WARNER}),
    ("glb", {"channels": [WARNER, WEAK]}),
    ("lub", {"channels": [WARNER, WEAK]}),
    ("hockey_stick", {"channel": WARNER, "exp_epsilon": "3/2", "direction": "both"}),
    ("hockey_stick", {"channel": WARNER, "epsilon": "1/2"}),
    ("vulnerability", {"channel": WARNER, "gain": IDENTITY, "prior": ["1/3", "2/3"]}),
    ("delta", {"channel": WARNER, "exp_epsilon": "2"}),
    ("delta", {"channel": WARNER, "epsilon": "1/3"}),
    ("epsilon", {"channel": WARNER, "delta": "1/10"}),
    ("satisfies", {"channel": WARNER, "claim": {"exp_epsilon": "3", "delta": "0"}}),
    ("satisfies", {"channel": WARNER, "claim": {"exp_epsilon": "2", "delta": "1/5"}}),
    ("satisfies", {"channel": WARNER, "claim": {"epsilon": "1", "delta": "1/5"}}),
    ("satisfies", {"channel": WARNER, "claim": {"tradeoff": CURVE}}),
    ("tradeoff", {"channel": {"mechanism": "randomized_response", "exp_epsilon": "3"}}),
    (
        "delta",
        {
            "channel": {"mechanism": "geometric", "ratio": "1/2", "low": "0", "high": "3", "values": ["0", "1"]},
            "exp_epsilon": "1",
        },
    ),
    ("canonical", {"channel": {"mechanism": "k_randomized_response", "k": "4", "exp_epsilon": "3"}}),
    (
        "delta",
        {
            "channel": {"mechanism": "exponential", "exp_epsilon": "4", "scores": IDENTITY, "sensitivity": "1"},
            "exp_epsilon": "2",
        },
    ),
    (
        "satisfies",
        {"channel": {"mechanism": "randomized_response", "epsilon": "1"}, "claim": {"epsilon": "1", "delta": "0"}},
    ),
    ("renyi", {"channel": WARNER, "order": "2"}),
    ("renyi", {"channel": WARNER, "order": "1/2", "direction": "both"}),
    ("delta", {"channel": {"mechanism": "gaussian", "sigma": "2", "sensitivity": "3"}, "epsilon": "1/2"}),
    ("epsilon", {"channel": {"mechanism": "laplace", "scale": "2"}, "delta": "1/10"}),
    ("tradeoff", {"channel": {"mechanism": "discrete_gaussian", "sigma": "2"}, "alpha": "1/10"}),
    ("delta", {"channel": {"mechanism": "discrete_laplace", "scale": "2", "sensitivity": "2"}, "exp_epsilon": "2"}),
    (
        "delta",
        {"channel": {"mechanism": "guarantees", "pairs": [{"exp_epsilon": "2", "delta": "1/10"}]}, "exp_epsilon": "1"},
    ),
]


@pytest.mark.parametrize(("op", "args"), REQUESTS, ids=[f"{op}-{i}" for i, (op, _) in enumerate(REQUESTS)])
def test_every_operation_answers_the_stand_in_as_it_answers_the_string(op: str, args: dict[str, object]) -> None:
    plain = answer({"id": 1, "op": op, "args": args})
    assert "value" in plain, plain
    assert answer({"id": 1, "op": op, "args": exact(args)}) == plain


def test_the_stand_in_goes_through_the_python_surface() -> None:
    channel, weak = Channel(exact(WARNER["matrix"])), Channel(exact(WEAK["matrix"]))
    curve = TradeoffFunction(exact(CURVE["breakpoints"]))
    assert curve(Exact("1/8")) == Fraction(3, 4)
    assert minimum([curve, curve.inverse()]) == curve.symmetrised()
    assert maximum([curve, curve]) == curve
    assert refine(channel, weak).product(channel) == weak.rows
    assert hyper_distribution(channel, [Exact("1/3"), Exact("2/3")]) == hyper_distribution(channel, ["1/3", "2/3"])
    assert oracle.tradeoff(channel, Exact("1/4")) == Fraction(1, 4)
    assert oracle.delta(channel, exp_epsilon=Exact("2")) == Fraction(1, 4)
    assert oracle.epsilon(channel, Exact("0")).exp_epsilon == 3
    assert oracle.hockey_stick(channel, exp_epsilon=Exact("0")) == 1
    assert oracle.vulnerability(channel, exact(IDENTITY)) == Fraction(3, 4)
    for claim in (exact({"exp_epsilon": "3"}), {"tradeoff": exact(CURVE)}):
        verdict = oracle.satisfies(channel, claim)
        assert verdict.certificate == oracle.satisfies(channel, parse_claim(claim)).certificate
        check(verdict.certificate)


def test_the_gates_take_the_stand_in() -> None:
    assert parse_number(Exact("-2/6")) == parse_extended(Exact("-2/6")) == mpq(-1, 3)
    assert to_text(parse_number(Exact("1/3"))) == "1/3"
    assert to_decimal(parse_number(Exact("1/3")), 3, "down") == "0.333"


def test_the_stand_in_does_raise() -> None:
    with pytest.raises(AssertionError, match="asked for a float"):
        float(Exact("1/2"))


FILES = (
    *("errors.py", "json_text.py", "formal.py", "levels.py", "enclosures.py"),
    *("claims.py", "verdicts.py", "answers.py"),
)
ROOMS = (
    "channels",
    "certificates",
    "databases",
    "experiments",
    "gaussian_dp",
    "interactive",
    "mechanisms",
    "operations",
    "statistics",
    "theorems",
)
# The float hints that an exact method starts from and never believes.
MAY_NAME_A_FLOAT = {
    *(PACKAGE / "channels" / "lp_hint.py", PACKAGE / "statistics" / "proposals.py"),
    # Doubles of another library, taken at their exact values.
    PACKAGE / "mechanisms" / "dp_events.py",
}
SEARCHED = {PACKAGE / name for name in FILES} | {p for room in ROOMS for p in (PACKAGE / room).rglob("*.py")}
MODULES = sorted(SEARCHED - MAY_NAME_A_FLOAT)
FORBIDDEN_NAMES = {"float", "complex", "round", "numpy", "math", "cmath", "statistics", "decimal", "Decimal", "mpfr"}
EXACT_OF_MATH = {"gcd", "lcm", "isqrt", "comb", "perm", "prod", "factorial"}


def float_names(tree: ast.AST) -> list[str]:
    """Everything in a module that could make or name a binary float, with its line."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, (float, complex)):
            found.append(f"line {node.lineno}: the literal {node.value}")
        elif isinstance(node, ast.Name) and node.id in FORBIDDEN_NAMES - {"math"}:
            found.append(f"line {node.lineno}: the name {node.id}")
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "math":
            found += [f"line {node.lineno}: math.{node.attr}"] if node.attr not in EXACT_OF_MATH else []
        elif isinstance(node, ast.Import):
            modules = {alias.name.split(".")[0] for alias in node.names} & FORBIDDEN_NAMES - {"math"}
            found += [f"line {node.lineno}: import {module}" for module in sorted(modules)]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in FORBIDDEN_NAMES:
            names = {alias.name for alias in node.names} - (EXACT_OF_MATH if node.module == "math" else set())
            found += [f"line {node.lineno}: from {node.module} import {name}" for name in sorted(names)]
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_module_of_the_exact_path_makes_or_names_a_float(path: Path) -> None:
    assert float_names(ast.parse(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "text",
    [
        "x = 0.5",
        "float(x)",
        "import cmath",
        "y = math.exp(1)",
        "from math import exp",
        "import numpy as np",
        "round(x)",
        "y = 1j",
    ],
)
def test_the_search_for_floats_finds_them(text: str) -> None:
    assert len(float_names(ast.parse(text))) == 1


def test_the_search_lets_integer_functions_pass() -> None:
    assert float_names(ast.parse("import math\nfrom math import comb\nx = comb(4, 2) + math.gcd(4, 6)")) == []
