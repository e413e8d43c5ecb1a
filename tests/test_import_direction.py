"""Rooms import only rooms above them, nothing imports in a circle, and the checker stands alone."""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "oracle"

ROOMS = [
    "errors",
    "time_limits",
    "exact",
    "json_text",
    "yaml_text",
    "writing",
    "fixtures",
    "enclosures",
    "special",
    "formal",
    "levels",
    "channels",
    "claims",
    "experiments",
    "gaussian_dp",
    "accountant",
    "certificates",
    "statistics",
    "databases",
    "theorems",
    "interactive",
    "mechanisms",
    "verdicts",
    "operations",
    "accounting",
    "calibration",
    "answers",
    "audits",
    "laws",
    "conformance",
    "render",
    "cli",
]


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


KNOWN = {module_name(path) for path in PACKAGE.rglob("*.py")}


@cache
def imports_of(path: Path) -> frozenset[str]:
    """Modules of the package that a file imports, wherever in it the import stands."""
    name = module_name(path)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")
                base = ".".join([*parents[: len(parents) - node.level + 1], *filter(None, [base])])
            members = {f"{base}.{alias.name}" for alias in node.names} & KNOWN
            found |= members or {base}
    return frozenset(module for module in found if module.split(".")[0] == "oracle") - {"oracle", name}


FILES = sorted(p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "__init__.py")


def room(module: str) -> int:
    return ROOMS.index(module.split(".")[1])


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_a_module_imports_only_its_own_room_and_rooms_above(path: Path) -> None:
    name = module_name(path)
    below = sorted(other for other in imports_of(path) if room(other) > room(name))
    assert below == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {module_name(path): imports_of(path) for path in FILES}
    assert list(graphlib.TopologicalSorter(graph).static_order())


def test_the_checker_imports_nothing_of_the_rest() -> None:
    for path in (PACKAGE / "certificates" / "checker").glob("*.py"):
        outside = {m for m in imports_of(path) if not m.startswith("oracle.certificates.checker")}
        assert outside == set(), path.name


def test_importing_the_package_loads_nothing_else() -> None:
    code = "import sys; before = set(sys.modules); import oracle; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['oracle']"
