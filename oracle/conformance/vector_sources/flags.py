"""What the flags of the suite mean, once for all files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from oracle.conformance.cases import Note, NoteKind
from oracle.conformance.vector_sources.incident_notes import INCIDENTS

__all__ = ["NOTES"]


def _note(kind: NoteKind, description: str, effect: str, *links: str) -> Note:
    return Note(kind, description, effect, links)


_GITHUB: Final = "https://github.com/"

NOTES: Final[Mapping[str, Note]] = {
    **INCIDENTS,
    "Asymmetric": _note(
        "definition",
        "The profile of (P, Q) differs from that of (Q, P).",
        "An answer for one direction is given as if it were for both, which may understate the loss.",
    ),
    "BoundByTheorem": _note(
        "definition",
        "The value is the bound of a published theorem about all mechanisms with the given profile, not that of one.",
        "A library that knows more of the mechanism may answer below it; this is the bound, not the loss.",
    ),
    "Cancellation": _note(
        "rounding",
        "The value is the small difference of numbers near 1, such as 1 - x with a tiny x, or Phi of a far tail.",
        "Naive formulas lose every digit; the answer becomes 0, negative or far too small.",
        _GITHUB + "microsoft/prv_accountant/issues/17",
    ),
    "BoundaryParameter": _note(
        "domain",
        "A parameter at the end of its range: no run at all, a sampling rate of 0 or 1.",
        "The limit has a value; a library may say that it does not take the parameter, and may not answer otherwise.",
    ),
    "Calibration": _note(
        "soundness",
        "The answer is a scale of noise, judged by the exact delta of the mechanism with that scale.",
        "A scale that is too small breaks the promised guarantee, if only in the last digits.",
        _GITHUB + "opendp/smartnoise-core/issues/316",
    ),
    "DefinitionDependent": _note(
        "definition",
        "The value depends on the neighbouring relation or on what sensitivity means, which the arguments state.",
        "Under another convention the noise is off by a factor of 2, or the direction is exchanged.",
        _GITHUB + "google/differential-privacy/issues/378",
    ),
    "Degenerate": _note(
        "crash",
        "There is only one outcome of positive probability.",
        "Sorting, merging or truncation that expects at least two outcomes fails.",
    ),
    "DeltaAboveVariation": _note(
        "soundness",
        "delta is at least the total variation of the pair, so that the least epsilon is 0.",
        "A root search returns a negative epsilon, the wrong end of its bracket, or fails.",
        _GITHUB + "tensorflow/privacy/issues/166",
    ),
    "DiscreteNoise": _note(
        "soundness",
        "The noise is on the integers.",
        "Formulas of continuous noise used for a discrete one are wrong on either side.",
    ),
    "DisjointSupport": _note(
        "crash",
        "P and Q have no outcome in common: all mass is at infinite loss.",
        "Logarithms of 0, empty grids; composition of such a pair raises IndexError in a released library.",
    ),
    "Dyadic": _note(
        "rounding",
        "Every number of the question is a double as it stands.",
        "No conversion of the input excuses a difference.",
    ),
    "ExactOutcome": _note(
        "soundness",
        "The answer is a rational number with few digits.",
        "Discretisation shows as a difference where none is needed.",
    ),
    "Heterogeneous": _note(
        "soundness",
        "Different mechanisms are composed.",
        "Grids that do not match, or a formula for equal steps, give a wrong total.",
    ),
    "InfiniteLoss": _note(
        "soundness",
        "One law has mass where the other has none.",
        "Mass at infinite loss that is dropped makes every delta too small.",
    ),
    "Interactive": _note(
        "soundness",
        "The adversary chooses each question by the answers so far.",
        "The loss of one fixed order of questions is given for that of the worst choice: it is too small.",
    ),
    "Interleaved": _note(
        "soundness",
        "Several interactive mechanisms run at once, and the adversary goes back and forth between them.",
        "One after the other they may reveal less; a bound that assumes this order is too small.",
    ),
    "LargeComposition": _note(
        "soundness",
        "Many runs are composed.",
        "Errors of each step add up: round-off of a fast convolution, truncated tails, widening grids.",
    ),
    "LargeEpsilon": _note(
        "crash",
        "epsilon is at least 500, where e^epsilon overflows or nearly does.",
        "Overflow turns into inf, NaN or 0; NaN compares as false and fails open.",
    ),
    "Malformed": _note(
        "domain",
        "The question has no answer: what it calls a channel, curve or parameter is none.",
        "A number is given where none exists, and taken for a guarantee.",
    ),
    "NegativeEpsilon": _note(
        "domain",
        "epsilon is negative: delta is still defined, and at least 1 - e^epsilon.",
        "Clamping epsilon at 0 or delta at 0 gives a wrong profile.",
    ),
    "PerfectPrivacy": _note(
        "crash",
        "P = Q: nothing is disclosed.",
        "Divisions by 0, empty supports or a loss of 0 that keys collapse on.",
        _GITHUB + "google/differential-privacy/issues/110",
    ),
    "Subsampled": _note(
        "soundness",
        "The mechanism runs on a random subset of the records.",
        "The direction (record added or removed) and the relation change the value; the wrong one is low.",
    ),
    "Threshold": _note(
        "soundness",
        "The claim lies exactly at the truth or next to it.",
        "`>` in place of `>=`, or a tolerance, accepts what does not hold or refuses what holds.",
    ),
    "TieAtThreshold": _note(
        "rounding",
        "A likelihood ratio equals e^epsilon: the outcome counts for nothing, and one ulp of epsilon decides its sign.",
        "In doubles the truth is 0 or about an ulp of the masses; only rounding upwards is on the safe side.",
    ),
    "TinyDelta": _note(
        "rounding",
        "The value is below 1e-30.",
        "It is flushed to 0, lost in the round-off of a convolution, or becomes negative.",
    ),
    "TwoSided": _note(
        "soundness",
        "Both directions are asked for and they differ.",
        "The smaller one is returned, or the sum of two curves that no pair has.",
    ),
    "ZeroProbability": _note(
        "crash",
        "An outcome has probability 0 under a law.",
        "log(0), 0/0 or a dropped column.",
    ),
}
"""Flag to meaning."""
