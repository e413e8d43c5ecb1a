"""The files of a finding, each in a folder of its own, and the index of all.

=================  ====================================================================================================
file               what it is
=================  ====================================================================================================
``finding.json``   everything: the question as sent, the answer, the truth, the gap, the cause, how it was found
``reproduce.py``   a script that uses the library alone (``reproduce.sh`` for a program on a pipe)
``output.txt``     what that printed when it was run
``record.json``    the engine's full answer to each question, with the way it was had
``certificate-N.json``  documents for ``oracle verify``, where the pair has some
``vector.json``    the question as a file of vectors, to pin it
``findings.json``  in the folder above: one entry for each finding, in the order of their causes
=================  ====================================================================================================
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oracle.conformance.cases import Case, Source, VectorFile, file_text, is_dyadic
from oracle.conformance.fuzz.asking import Judged
from oracle.conformance.fuzz.causes import MEANINGS, Cause
from oracle.conformance.fuzz.places import Origin
from oracle.conformance.fuzz.questions import Probe
from oracle.conformance.fuzz.reproducers import printed, reproducer
from oracle.conformance.fuzz.rounds import Found, Round
from oracle.conformance.fuzz.truth import certificates, record
from oracle.conformance.fuzz.wording import told_answer, told_truth
from oracle.conformance.protocol import Hello
from oracle.conformance.truths import Expected, Rejects
from oracle.conformance.vector_sources.confirming import VectorError, confirmed_by
from oracle.conformance.vector_sources.flags import NOTES
from oracle.errors import OracleError, shorten
from oracle.json_text import canonical, dump_line
from oracle.time_limits import TooLongError, time_limit

__all__ = ["INDEX", "document_of", "files_of", "index_entry", "index_text", "vector_id"]

INDEX: Final = "findings.json"

_CONFIRM_SECONDS: Final = 25
_SHOWN: Final = 200
_LONG: Final = 10_000
_DEPTH: Final = 50

_CONCEPTS: Final = {
    "delta": "profile",
    "hockey_stick": "hockey-stick",
    "epsilon": "epsilon",
    "tradeoff": "tradeoff",
    "renyi": "renyi",
    "mu": "mu",
    "refines": "refinement",
    "satisfies": "thresholds",
    "glb": "lattice",
    "lub": "lattice",
    "calibrate": "calibration",
}


def vector_id(cause: Cause, probe: Probe) -> str:
    """The id of the vector that pins a question."""
    digest = hashlib.sha256(canonical([probe.op, probe.args]).encode()).hexdigest()[:8]
    return f"fuzz/{cause.op.replace('_', '-')}-{cause.kind}-{digest}"[:60]


def files_of(done: Round, origin: Origin) -> dict[str, bytes]:
    """The files of the finding of a round, by name.

    The reproducer is run once, in this environment, and what it prints is kept beside it.
    """
    finding = document_of(done, origin)
    shown = _shown(done)
    files = {"record.json": _text(_records(shown))}
    for one in shown:
        if one.expected is not None:
            for document in certificates(one.probe, one.expected, one.reply.value):
                files[f"certificate-{len(files)}.json"] = _text(document)
    name, script = reproducer(shown, finding, origin)
    output = printed(name, script, origin.asked.interpreter)
    files |= {name: _bytes(script), "output.txt": _bytes(output)}
    vectors = _vectors(_cause(done), shown, origin)
    if vectors is not None:
        files["vector.json"] = _bytes(vectors)
    return files | {"finding.json": _text(finding)}


def _records(shown: Sequence[Judged]) -> list[dict[str, Any]]:
    known = [one for one in shown if not isinstance(one.expected, Rejects)]
    return [record(one.probe, one.expected, one.reply.value) for one in known]


def _text(document: object) -> bytes:
    return _bytes(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def _bytes(text: str) -> bytes:
    """UTF-8; what a program said may have lone surrogates, which are escaped as JSON does."""
    return text.encode("utf-8", "backslashreplace")


def _cause(done: Round) -> Cause:
    return _found(done).problem.cause


def _found(done: Round) -> Found:
    assert done.found is not None  # noqa: S101 - only rounds with a finding have files
    return done.found


def _shown(done: Round) -> tuple[Judged, ...]:
    return _found(done).problem.judged


# -- the finding as a document ---------------------------------------------------------------------------------------


def document_of(done: Round, origin: Origin) -> dict[str, Any]:
    """Everything about the finding of a round."""
    found, cause, shown = _found(done), _cause(done), _shown(done)
    breach, first = found.problem.breach, shown[0]
    judgement, hello = first.judgement, origin.hello
    gap = breach.gap if breach is not None else None if judgement is None else judgement.gap
    return {
        "finding": 1,
        "slug": cause.slug,
        "class": cause.kind,
        "verdict": cause.verdict,
        "detail": cause.detail,
        "summary": _summary(cause, shown, found.problem.breach, hello),
        "library": hello.name,
        "version": hello.version,
        "versions": {"python": platform.python_version()},
        "claim": str(hello.claim(cause.op)),
        "questions": [
            {
                "op": one.probe.op,
                "args": one.probe.args,
                "answer": _answer(one),
                "truth": None if one.judgement is None else one.judgement.truth,
                "verdict": one.verdict,
                "gap": None if one.judgement is None or one.judgement.gap is None else one.judgement.gap.to_json(),
                "reason": None if one.judgement is None else one.judgement.reason,
            }
            for one in shown
        ],
        "law": None if breach is None else {"name": breach.law, "reason": breach.reason, "gap": breach.gap.to_json()},
        "gap": "" if gap is None else gap.to_json()["decimal"],
        "vector": vector_id(cause, first.probe),
        "found": {
            "seed": origin.seed,
            "round": done.task.index,
            "family": [done.task.family.op, done.task.family.shape],
            "first": [{"op": probe.op, "args": probe.args} for probe in found.first],
            "shrinks": found.shrinks,
            "shrunk": found.complete,
            "repeatable": found.repeatable,
        },
    }


def _answer(one: Judged) -> Any:  # noqa: ANN401 - a JSON value
    """What was answered; as text what JSON libraries do not write: integers of thousands of digits, deep nesting."""
    if one.reply.kind != "value":
        return f"{one.reply.kind}: {one.reply.message}"
    return one.reply.value if _is_plain(one.reply.value, _DEPTH) else shorten(one.reply.value, _LONG)


def _is_plain(value: object, depth: int) -> bool:
    if isinstance(value, Mapping):
        return depth > 0 and all(_is_plain(part, depth - 1) for part in value.values())
    if isinstance(value, (list, tuple)):
        return depth > 0 and all(_is_plain(part, depth - 1) for part in value)
    return value is None or isinstance(value, (str, bool, int))


def _summary(cause: Cause, shown: Sequence[Judged], breach: Any, hello: Hello) -> str:  # noqa: ANN401 - Breach or None
    one = shown[0]
    asked = f"{cause.op} of {shorten(dump_line(one.probe.args), _SHOWN)}"
    what = f"{hello.name} {hello.version} answers {told_answer(one)} to {asked}"
    if breach is not None:
        return f"{what}, and {breach.reason}. {_supposed(cause)}"
    truth = "" if one.judgement is None else f", where the truth is {told_truth(one.judgement.truth)}"
    return f"{what}{truth}. {_supposed(cause)}"


def _supposed(cause: Cause) -> str:
    """What the class supposes, said as no more than that."""
    meaning = MEANINGS[cause.kind]
    return f"It looks as if {meaning[0].lower()}{meaning[1:]}"


def index_entry(document: Mapping[str, Any], folder: str, repeats: int, files: Sequence[str]) -> dict[str, Any]:
    """The entry of a finding in the index."""
    first = document["questions"][0]
    answer = first["answer"]
    return {
        "slug": document["slug"],
        "class": document["class"],
        "verdict": document["verdict"],
        "summary": document["summary"],
        "library": document["library"],
        "version": document["version"],
        "versions": document["versions"],
        "op": first["op"],
        "input": first["args"],
        "answer": answer if isinstance(answer, str) else dump_line(answer),
        "truth": _index_truth(first["truth"]),
        "gap": document["gap"],
        "record": "",
        "script": next((f"{folder}/{name}" for name in files if name.startswith("reproduce.")), ""),
        "output": next((f"{folder}/{name}" for name in files if name == "output.txt"), ""),
        "cases": [document["vector"]],
        "repeats": repeats,
    }


def _index_truth(truth: Mapping[str, Any] | None) -> Any:  # noqa: ANN401 - a JSON value
    if truth is None:
        return "not known; the answers break a law"
    if "exact" in truth:
        return truth["exact"] if isinstance(truth["exact"], str) else dump_line(truth["exact"])
    if "enclosure" in truth:
        return {"lo": truth["enclosure"][0], "hi": truth["enclosure"][1]}
    if "epsilon" in truth:
        return {"lo": truth["epsilon"]["lo"], "hi": truth["epsilon"]["hi"]}
    return truth["rejects"] if "rejects" in truth else dump_line(truth)


def index_text(entries: Sequence[Mapping[str, Any]]) -> bytes:
    """The index of the findings."""
    return _text(list(entries))


# -- the vector ------------------------------------------------------------------------------------------------------


def _vectors(cause: Cause, shown: Sequence[Judged], origin: Origin) -> str | None:
    """A file of vectors with the questions that have a truth; None if none has."""
    cases = {}
    for one in shown:
        if one.expected is not None and one.probe.op == cause.op:
            case = _case(cause, one, one.expected)
            cases[case.id] = case
    if not cases:
        return None
    concept = _CONCEPTS.get(cause.op, "operators")
    source = Source("fuzz", f"oracle fuzz, seed {origin.seed}: {origin.hello.name} {origin.hello.version}")
    notes = {flag: NOTES[flag] for flag in sorted({flag for case in cases.values() for flag in case.flags})}
    summary = f"Found by search: {cause.kind}, {cause.verdict}"
    path = f"{concept}/fuzz-{cause.slug}.json"
    return file_text(VectorFile(path, concept, cause.op, summary, (source,), notes, tuple(cases.values())))


def _case(cause: Cause, one: Judged, expected: Expected) -> Case:
    identity = vector_id(cause, one.probe)
    return Case(
        id=identity,
        concept=_CONCEPTS.get(cause.op, "operators"),
        op=one.probe.op,
        summary=f"found by search: {cause.kind}",
        flags=_flags(cause, one, expected),
        args=dict(one.probe.args),
        expected=expected,
        confirmed=_confirmed(one, expected, identity),
    )


def _confirmed(one: Judged, expected: Expected, identity: str) -> str:
    """The second way that gives the same truth, or that there is none yet."""
    if isinstance(expected, Rejects):
        return "definition"
    try:
        with time_limit(_CONFIRM_SECONDS):
            return confirmed_by(one.probe.op, one.probe.args, expected, None, identity)
    except TooLongError:
        return f"by the engine alone: no second answer within {_CONFIRM_SECONDS} s"
    except (VectorError, OracleError, ArithmeticError, TypeError, KeyError) as error:
        return f"by the engine alone: {shorten(str(error), 120)}"


def _flags(cause: Cause, one: Judged, expected: Expected) -> tuple[str, ...]:
    named = {
        "infinite-loss": "InfiniteLoss",
        "cancellation": "Cancellation",
        "large-epsilon": "LargeEpsilon",
        "threshold": "Threshold",
        "continuous-on-discrete": "DiscreteNoise",
    }
    flags = [named[cause.kind]] if cause.kind in named else []
    if isinstance(expected, Rejects):
        flags.append("Malformed")
    if cause.op == "calibrate":
        flags.append("Calibration")
    if is_dyadic(one.probe.args):
        flags.append("Dyadic")
    return tuple(flags)
