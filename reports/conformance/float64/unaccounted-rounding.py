"""the float64 subject of fdp-oracle: a delta is not the double nearest to the truth.

Needs: pip install fdp-oracle (its float64 subject)
"""
# ruff: noqa: INP001, T201

from oracle.conformance import float64

channel = {"matrix": [["0x1.8p-1", "0x1p-2"], ["0x1p-2", "0x1.8p-1"]]}
print("answer:", float64.answer({"id": "1", "op": "delta", "args": {"channel": channel, "epsilon": "1"}}))
print("truth: ", "between 0.07042954288523869 and 0.07042954288523870, of which 0x1.207aba75d44b5p-4 is nearest")
