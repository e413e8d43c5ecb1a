"""Hand-made certificates of mu-GDP, of Rényi orders and of zCDP, worked out on paper; see `documents`."""

from __future__ import annotations

from typing import Any

RESPONSE = {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}
LEANING = {"matrix": [["1/2", "1/4", "1/4"], ["1/8", "1/8", "3/4"]]}
ONE_SIDED = {"matrix": [["1/2", "1/2", "0"], ["1/4", "1/4", "1/2"]]}
EQUAL = {"matrix": [["1/3", "2/3"], ["1/3", "2/3"]]}

DIVERGENCES: dict[str, tuple[str, dict[str, Any]]] = {
    # Phi^-1(3/4) = 0.67449 <= 27/40 = 0.675 and 27/40 - 27/20 = -0.675 <= Phi^-1(1/4).
    "gdp_held: randomized response": (
        "gdp_held",
        {"channel": RESPONSE, "claim": {"mu": "27/20"}, "direction": "both", "thresholds": ["27/40"]},
    ),
    # The second corner is (1/2, 1/8): 0 <= 1/8 and 1/8 - 27/20 = -1.225 <= Phi^-1(1/8) = -1.1503.
    "gdp_held: two corners": (
        "gdp_held",
        {"channel": LEANING, "claim": {"mu": "27/20"}, "direction": "backward", "thresholds": ["27/40", "1/8"]},
    ),
    "gdp_held: equal rows": (
        "gdp_held",
        {"channel": EQUAL, "claim": {"mu": "0"}, "direction": "both", "thresholds": []},
    ),
    # 2/3 <= 0.67449 and 2/3 - 4/3 > -0.67449.
    "gdp_refuted: randomized response": (
        "gdp_refuted",
        {
            "channel": RESPONSE,
            "claim": {"mu": "4/3"},
            "direction": "forward",
            "event": [1],
            "alpha": "1/4",
            "beta": "1/4",
            "threshold": "2/3",
        },
    ),
    "gdp_refuted: no mu serves": (
        "gdp_refuted",
        {
            "channel": ONE_SIDED,
            "claim": {"mu": "3"},
            "direction": "forward",
            "event": [2],
            "alpha": "0",
            "beta": "1/2",
            "threshold": "4",
        },
    ),
    # M_2 = 9/4 + 1/12 = 7/3.
    "renyi_held: order 2 with equality": (
        "renyi_held",
        {"channel": RESPONSE, "claim": {"order": "2", "exp_epsilon": "7/3"}, "direction": "both"},
    ),
    # log max p/q = log 4 forward, log 3 backward.
    "renyi_held: order infinity": (
        "renyi_held",
        {"channel": LEANING, "claim": {"order": "inf", "exp_epsilon": "3"}, "direction": "backward"},
    ),
    # M_(3/2) = (3/4)^(3/2) 2 + (1/4)^(3/2) (2/sqrt 3) = 1.44338, D = 0.73397.
    "renyi_held: order 3/2": (
        "renyi_held",
        {"channel": RESPONSE, "claim": {"order": "3/2", "epsilon": "3/4"}, "direction": "both"},
    ),
    # D_1 = (log 3)/2 = 0.5493.
    "renyi_held: order 1": (
        "renyi_held",
        {"channel": RESPONSE, "claim": {"order": "1", "epsilon": "5/9"}, "direction": "forward"},
    ),
    # D_(1/2) = -2 log(sqrt(3)/2) = 0.28768.
    "renyi_refuted: order 1/2": (
        "renyi_refuted",
        {"channel": RESPONSE, "claim": {"order": "1/2", "epsilon": "2/7"}, "direction": "backward"},
    ),
    "renyi_refuted: infinite": (
        "renyi_refuted",
        {"channel": ONE_SIDED, "claim": {"order": "2", "exp_epsilon": "100"}, "direction": "backward"},
    ),
    # psi(11/10) = 0.0593, psi(5/4) = 0.16298, psi(11/6) = 0.677; D_inf = 1.0986.
    "zcdp_held: randomized response": (
        "zcdp_held",
        {
            "channel": RESPONSE,
            "claim": {"rho": "3/5"},
            "direction": "forward",
            "cells": {"forward": [["11/10", "3/50"], ["5/4", "1/6"], ["11/6", "7/10"]]},
        },
    ),
    # D_inf = log 3 <= 11/10.
    "zcdp_held: by the largest loss": (
        "zcdp_held",
        {
            "channel": RESPONSE,
            "claim": {"rho": "11/10"},
            "direction": "both",
            "cells": {"forward": [], "backward": []},
        },
    ),
    # D_1 = 0.5493 > 0.54.
    "zcdp_refuted: order 1": (
        "zcdp_refuted",
        {"channel": RESPONSE, "claim": {"rho": "27/50"}, "direction": "forward", "order": "1"},
    ),
    # D_(5/4)/(5/4) = 0.5215.
    "zcdp_refuted: order 5/4": (
        "zcdp_refuted",
        {"channel": RESPONSE, "claim": {"rho": "13/25"}, "direction": "backward", "order": "5/4"},
    ),
}
