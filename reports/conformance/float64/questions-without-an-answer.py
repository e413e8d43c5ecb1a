"""the float64 subject of fdp-oracle: a curve that rises has a channel.

Needs: pip install fdp-oracle (its float64 subject)
"""
# ruff: noqa: INP001, T201

from oracle.conformance import float64

curve = {"breakpoints": [["0", "0x1p-1"], ["0x1p-1", "0x1.8p-1"], ["1", "0"]]}
print("answer:", float64.answer({"id": "1", "op": "channel_of", "args": {"tradeoff": curve}}))
print("truth: ", "no answer: the curve rises")
