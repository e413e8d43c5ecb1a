"""The journal of a campaign: one event for each round, by which an interrupted campaign goes on where it was.

===========  =======================================================================================================
event        keys
===========  =======================================================================================================
``header``   stream, campaign ``fuzz``, oracle, subject (its ``hello``), settings, started
``resume``   at: an interrupted campaign went on here
``round``    index, family, verdicts (by digest of the question), declined, repeats, cause, folder, asked, seconds
``footer``   the counts, the findings, exit, seconds
===========  =======================================================================================================
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from oracle import __version__
from oracle.conformance.fuzz.causes import Cause
from oracle.conformance.fuzz.questions import Family
from oracle.conformance.fuzz.rounds import Round, Task
from oracle.conformance.protocol import Hello
from oracle.conformance.streams import STREAM
from oracle.errors import InputError, shorten

__all__ = ["JOURNAL", "header", "replayed", "require_same", "resumed", "round_event"]

JOURNAL: Final = "fuzz.jsonl"
"""Name of the journal in the folder of a campaign."""

_SAME_SETTINGS: Final = ("seed", "ops", "strict", "timeout")

Event = dict[str, Any]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def header(hello: Hello, settings: Mapping[str, Any]) -> Event:
    """The first event."""
    return {
        "event": "header",
        "stream": STREAM,
        "campaign": "fuzz",
        "oracle": __version__,
        "subject": hello.to_json(),
        "settings": dict(settings),
        "started": _now(),
    }


def resumed() -> Event:
    """The event where an interrupted campaign goes on."""
    return {"event": "resume", "at": _now()}


def round_event(done: Round, folder: str | None) -> Event:
    """The event of a round.

    Args:
        done: the round.
        folder: where the files of its finding are, if it has one that is new.
    """
    return {
        "event": "round",
        "index": done.task.index,
        "family": [done.task.family.op, done.task.family.shape],
        "verdicts": done.verdicts,
        "declined": done.declined,
        "repeats": [[*cause.to_json(), done.repeats[cause]] for cause in sorted(done.repeats)],
        "cause": None if done.cause is None else done.cause.to_json(),
        "folder": folder,
        "asked": done.asked,
        "seconds": round(done.seconds, 3),
    }


def replayed(event: Mapping[str, Any]) -> Round:
    """The round of an event, without what only its files have."""
    task = Task(event["index"], 0, Family(*event["family"]), (), 0)
    repeats = Counter({Cause(*told[:4]): told[4] for told in event["repeats"]})
    cause = None if event["cause"] is None else Cause(*event["cause"])
    declined = {kind: list(counts) for kind, counts in event["declined"].items()}
    return Round(task, dict(event["verdicts"]), declined, repeats, cause, None, event["asked"], event["seconds"])


def require_same(earlier: Sequence[Mapping[str, Any]], now: Mapping[str, Any]) -> None:
    """Refuse to go on with a campaign of something else.

    Raises:
        InputError: naming what differs.
    """
    before = earlier[0]
    if before.get("campaign") != "fuzz":
        raise InputError("the journal of an interrupted oracle fuzz", "another stream", "--resume")
    pairs = [("oracle", before.get("oracle"), now["oracle"])]
    subject = before.get("subject", {})
    pairs += [(key, subject.get(key), now["subject"][key]) for key in ("name", "version", "ops", "claims")]
    settings = before.get("settings", {})
    pairs += [(key, settings.get(key), now["settings"][key]) for key in _SAME_SETTINGS]
    for key, old, new in pairs:
        if old != new:
            raise InputError(f"an interrupted campaign with the same {key}, {shorten(new)}", shorten(old), "--resume")
