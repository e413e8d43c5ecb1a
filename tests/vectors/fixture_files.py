"""Where the fixtures lie, and plain JSON reading of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
MECHANISMS = FIXTURES / "mechanisms"
SCHEMAS = FIXTURES / "schemas"
VECTORS = FIXTURES / "vectors"


def read_json(path: Path) -> Any:
    """One JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def read_lines(path: Path) -> list[Any]:
    """One JSON value a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def fernandes2025() -> list[dict[str, Any]]:
    """The vectors of the paper."""
    vectors = read_json(VECTORS / "fernandes2025.json")["vectors"]
    assert isinstance(vectors, list)
    return vectors
