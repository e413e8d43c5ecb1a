"""Accounts and calibrations as text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oracle.errors import shorten

__all__ = ["account_text", "calibration_text"]

_DIRECTIONS = {"forward": "remove", "backward": "add"}
_CHECKS = {True: "agrees", False: "DISAGREES"}
_LONG = 60


def account_text(document: Mapping[str, Any]) -> str:
    """A few lines for each entry: value, method, what was not reached, the checks."""
    lines = []
    for entry in document["entries"]:
        name, given = next(iter(entry["given"].items()))
        lines.append(f"{entry['quantity']} at {name} = {shorten(given, _LONG)}: {_value(entry['value'])}")
        lines.append(f"    method: {entry['method']}" + (" (an upper bound)" if entry["kind"] == "bound" else ""))
        if "reached" in entry:
            lines.append(
                f"    not reached: {document['digits']} digits; best enclosure above, {entry['reached']} digits"
            )
        for item in entry.get("evidence", ()):
            side = _DIRECTIONS[item["direction"]]
            if len(entry["evidence"]) > 1:
                lines.append(f"    {item['direction']} ({side}): {_value(item['value'])}, {item['method']}")
        for check in entry.get("cross_check", ()):
            where = f"{check['direction']} ({_DIRECTIONS[check['direction']]})"
            found = f"{check['method']} {_value(check['value'])}"
            lines.append(f"    check, {where}: {found} {_CHECKS[check['agrees']]}")
    return "\n".join(lines)


def calibration_text(document: Mapping[str, Any]) -> str:
    """One line, and which end meets the target."""
    given = ", ".join(f"{name} = {value}" for name, value in document["given"].items())
    value, end = document["value"], document["sufficient"]
    other = "hi" if end == "lo" else "lo"
    lines = [f"{document['field']} for {given}: {value[end]}", f"    {value[end]} is proved to meet the target"]
    if value["lo"] != value["hi"]:
        lines[-1] += f", {value[other]} not to"
    if "reached" in document:
        lines.append(f"    not reached: the digits asked for; {document['reached']} digits")
    return "\n".join(lines)


def _value(value: Any) -> str:  # noqa: ANN401 - a JSON value
    if not isinstance(value, Mapping):
        return shorten(value, _LONG)
    lo, hi = shorten(value["lo"], _LONG), shorten(value["hi"], _LONG)
    ends = lo if lo == hi else f"[{lo}, {hi}]"
    exact = value.get("exp_epsilon")
    return ends if exact is None else f"{ends} (e^epsilon = {shorten(exact, _LONG)})"
