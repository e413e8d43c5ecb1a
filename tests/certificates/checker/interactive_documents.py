"""Hand-made certificates about interactive mechanisms, as (kind, fields): worked out on paper.

One query: option A is answered 0 with probability 3/4 | 1/2 and 1 with 1/4 | 1/2, option B ends the interaction. The
tight pair is that of A; a witness merges it to nothing for B.
"""

from __future__ import annotations

from typing import Any

Fields = dict[str, Any]

_IDENTITY: Fields = {"rows": 2, "columns": 2, "entries": [[0, 0, "1"], [1, 1, "1"]]}
_MERGED: Fields = {"rows": 2, "columns": 1, "entries": [[0, 0, "1"], [1, 0, "1"]]}
_RESPONSE: Fields = {"matrix": [["3/4", "1/4"], ["1/2", "1/2"]]}
_ANSWER: Fields = {"answer": [["0", "3/4", "1/2", 0], ["1", "1/4", "1/2", 0]]}
_QUERY: Fields = {"query": [["A", 1], ["B", 0]]}

# A single answer: the answer is the sample.
_ALONE: Fields = {
    "nodes": [None, _ANSWER],
    "states": [{"matrix": [["1"], ["1"]]}, _RESPONSE],
    "kernels": [[], [_IDENTITY]],
}

INTERACTIVE: dict[str, tuple[str, Fields]] = {
    # The curve of (3/4, 1/4 | 1/2, 1/2), with the corners (0, 1), (1/4, 1/2), (1, 0), is that of option A.
    "simulation: one question or none": (
        "simulation",
        {
            "nodes": [None, _ANSWER, _QUERY],
            "states": [{"matrix": [["1"], ["1"]]}, _RESPONSE, _RESPONSE],
            "kernels": [[], [_IDENTITY], [_IDENTITY, _MERGED]],
        },
    ),
    # C for E = 2 and delta = 0: (2/3, 1/3 | 1/3, 2/3) with empty first and last columns, and (3/4, 1/4) = (2/3, 1/3) W,
    # (1/2, 1/2) = (1/3, 2/3) W for W = (1, 0; 1/4, 3/4).
    "interactive_held: epsilon = log 2": (
        "interactive_held",
        {
            **_ALONE,
            "claim": {"exp_epsilon": "2", "delta": "0"},
            "direction": "both",
            "evidence": {
                "level": "2",
                "witness": {
                    "rows": 4,
                    "columns": 2,
                    "entries": [[0, 0, "1"], [1, 0, "1"], [2, 0, "1/4"], [2, 1, "3/4"], [3, 1, "1"]],
                },
            },
        },
    ),
    # The segments of the curve (0, 1), (1/4, 1/2), (1, 0), from the last to the first, are the columns of the response.
    "interactive_held: its own curve": (
        "interactive_held",
        {
            **_ALONE,
            "claim": {"tradeoff": [["0", "1"], ["1/4", "1/2"], ["1", "0"]]},
            "direction": "forward",
            "evidence": {"witnesses": {"forward": _IDENTITY}},
        },
    ),
    # The least mu is 0.6745, the quantile of 3/4. For t = 4/5: Phi(t) is at least 3/4, and Phi(t - 1) at most 1/2.
    "interactive_held: mu = 1": (
        "interactive_held",
        {**_ALONE, "claim": {"mu": "1"}, "direction": "both", "evidence": {"thresholds": ["4/5"]}},
    ),
    # For t = 3/5: Phi(t) is at most 3/4, and Phi(t - 1/2) above 1/2.
    "interactive_refuted: mu = 1/2": (
        "interactive_refuted",
        {
            "nodes": [None, _ANSWER],
            "tests": [{"node": 0, "end": False}, {"node": 0, "end": True}, {"node": 1, "hear": [0, 1]}],
            "claim": {"mu": "1/2"},
            "direction": "forward",
            "bound": "3/5",
            "p": "1/4",
            "q": "1/2",
        },
    ),
    # P(1) = 1/4, Q(1) = 1/2, so Q(S) - 3/2 P(S) = 1/8 > 1/10.
    "interactive_refuted: backward": (
        "interactive_refuted",
        {
            "nodes": [None, _ANSWER, _QUERY],
            "tests": [
                {"node": 0, "end": False},
                {"node": 0, "end": True},
                {"node": 1, "hear": [0, 1]},
                {"node": 2, "ask": 0, "then": 2},
            ],
            "claim": {"epsilon": "2/5", "delta": "1/10"},
            "direction": "backward",
            "bound": "3/2",
            "p": "1/4",
            "q": "1/2",
        },
    ),
    # The errors of rejecting on 1 are (1/4, 1/2), below f(1/4) = 3/4 of the line 1 - alpha.
    "interactive_refuted: no perfect privacy": (
        "interactive_refuted",
        {
            "nodes": [None, _ANSWER],
            "tests": [{"node": 0, "end": False}, {"node": 0, "end": True}, {"node": 1, "hear": [0, 1]}],
            "claim": {"tradeoff": [["0", "1"], ["1", "0"]]},
            "direction": "forward",
            "bound": "3/4",
            "p": "1/4",
            "q": "1/2",
        },
    ),
}
