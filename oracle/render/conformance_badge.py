"""A conformance run as the endpoint JSON of a badge: ``{"schemaVersion": 1, "label", "message", "color"}``."""

from __future__ import annotations

import json

from oracle.render.conformance_stream import Run
from oracle.render.words import count, printable

__all__ = ["render"]


def render(run: Run) -> str:
    """The badge, ending in a line break.

    Its number is soundness alone: answers on the claimed side of all that were judged. Green needs all of them, no
    fault and no broken law; an unfinished run has no number.
    """
    judged = run.right + run.wrong
    if not run.complete:
        message, color = "incomplete", "lightgrey"
    elif not judged:
        message, color = "nothing answered", "lightgrey"
    else:
        message = f"sound {run.right}/{judged}"
        color = "brightgreen"
        if run.broken_laws:
            message += f", {count(run.broken_laws, 'law')} broken"
        if run.faults:
            message += f", {count(run.faults, 'fault')}"
            color = "orange"
        if run.wrong:
            only_rounding = run.wrong == run.counts["unsound-rounding"]
            color = "yellow" if only_rounding and not run.faults else "orange" if only_rounding else "red"
        if run.broken_laws:
            color = "red"
    if run.suite:
        message += f", suite {printable(run.suite)}"
    badge = {"schemaVersion": 1, "label": "dp conformance", "message": message, "color": color}
    return json.dumps(badge, ensure_ascii=True) + "\n"
