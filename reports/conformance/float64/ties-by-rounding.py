"""the float64 subject of fdp-oracle: a greatest lower bound has a column too many.

Needs: pip install fdp-oracle (its float64 subject)
"""
# ruff: noqa: INP001, T201

from oracle.conformance import float64

pairs = (
    [
        ["0x1.ccccccccccccdp-1", "0x1.9999999999998p-4"],
        ["0x1.999999999999ap-1", "0x1.9999999999998p-3"],
    ],
    [
        ["0x1.71c71c71c71c8p-3", "0x1.bbbbbbbbbbbbcp-2", "0x1.8b60b60b60b60p-2"],
        ["0x1.a4fa4fa4fa4fap-2", "0x1.0b60b60b60b60p-3", "0x1.d555555555556p-2"],
    ],
)
channels = [{"matrix": pair} for pair in pairs]
value = float64.answer({"id": "1", "op": "glb", "args": {"channels": channels}})["value"]
print("answer:", len(value["matrix"][0]), "columns")
print("truth: ", 3, "columns")
