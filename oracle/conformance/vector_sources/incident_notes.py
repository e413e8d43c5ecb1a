"""What the flags of public reports mean: the reports, and what was answered in place of the truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from oracle.conformance.cases import Note, NoteKind

__all__ = ["GENERAL", "INCIDENTS"]

GENERAL: Final = "Incident"
"""The flag of every case that a public report is reduced to, beside the flag that names the report."""

_GITHUB: Final = "https://github.com/"


def _note(kind: NoteKind, description: str, effect: str, *links: str) -> Note:
    return Note(kind, description, effect, tuple(_GITHUB + link for link in links))


INCIDENTS: Final[Mapping[str, Note]] = {
    GENERAL: Note(
        "soundness",
        "Reduced from a public report; the flag beside this one that begins with Incident names it.",
        "What was reported once happens again.",
    ),
    "IncidentAdvancedComposition": _note(
        "soundness",
        "A textbook's code for advanced composition, 2 epsilon sqrt(2 k log(1/delta)), without the drift of the loss.",
        "It says 214.6 for 500 runs of epsilon = 1 at delta = 1e-5, where 311.8 is needed.",
        "uvm-plaid/programming-dp/issues/56",
        "uvm-plaid/programming-dp/issues/59",
    ),
    "IncidentBitVector": _note(
        "soundness",
        "Randomized response on a vector of bits whose last bit was never randomised.",
        "One bit in the clear is disjoint support: no epsilon holds.",
        "opendp/opendp/issues/2707",
    ),
    "IncidentBracket": _note(
        "crash",
        "The least epsilon lies beyond the fixed bracket [0, 500] of a root search.",
        "ValueError: f(a) and f(b) must have different signs; clipped to the bracket it would be too small.",
        "meta-pytorch/opacus/issues/775",
    ),
    "IncidentCalibrationRange": _note(
        "soundness",
        "Calibration of Gaussian noise for a large epsilon, reported to miss its delta.",
        "The delta of the scale returned is not the one asked for: above it the guarantee is broken.",
        "yuxiangw/autodp/issues/39",
    ),
    "IncidentClassicalScale": _note(
        "soundness",
        "sigma = sqrt(2 log(1.25/delta))/epsilon, which is proved for epsilon < 1 only, used for a larger one.",
        "At epsilon = 10 and delta = 1e-5 delta is 2.3 times the one promised, at epsilon = 20 it is 150 times.",
        "opendp/smartnoise-sdk/issues/462",
        "uvm-plaid/programming-dp/issues/45",
    ),
    "IncidentDiscreteCurve": _note(
        "crash",
        "The trade-off function of randomized response from a privacy loss distribution of two losses.",
        "IndexError, since the code expects a fine grid of losses.",
        "interpretable-dp/riskcal/issues/2",
    ),
    "IncidentDisjoint": Note(
        "crash",
        "A composition of disjoint supports; measured with dp-accounting 0.6.0: self_compose(2) raises IndexError.",
        "Tail truncation of a distribution that has all its mass at infinite loss fails.",
    ),
    "IncidentEndlessSearch": _note(
        "crash",
        "Calibration of Gaussian noise at epsilon 0.",
        "The search doubles a bracket around 0 for ever.",
        "opendp/opendp/issues/429",
    ),
    "IncidentEpsilonZero": _note(
        "definition",
        "Reported as a fault because epsilon is 0; delta(0) is below the delta asked for, so 0 is right.",
        "A library that returns more is loose.",
        "tensorflow/privacy/issues/166",
    ),
    "IncidentFactorTwo": _note(
        "soundness",
        "The sensitivity is twice the one that the noise was made for, as under replacement of a record.",
        "The true epsilon is twice the claimed one, a Rényi divergence of Gaussian noise four times.",
        "google/differential-privacy/issues/378",
    ),
    "IncidentInfiniteComposition": _note(
        "tightness",
        "Gaussian noise given by its trade-off function alone, composed.",
        "Infinite epsilon, whatever the delta: safe and useless.",
        "yuxiangw/autodp/issues/15",
    ),
    "IncidentLargeLoss": _note(
        "crash",
        "A composition of subsampled Gaussian noise whose epsilon is large.",
        "RuntimeError: the mean of the discretised loss differs from that of the continuous one.",
        "microsoft/prv_accountant/issues/42",
        "microsoft/prv_accountant/issues/36",
        "meta-pytorch/opacus/issues/601",
    ),
    "IncidentLength": _note(
        "soundness",
        "Randomized response on vectors whose length depends on the input, all of them neighbours.",
        "The length of the output tells the inputs apart: no epsilon holds, whatever the noise on each bit.",
        "opendp/opendp/issues/2930",
    ),
    "IncidentLessNoise": _note(
        "soundness",
        "A mean with little noise was charged less than the same mean with much.",
        "The least epsilon falls with sigma, never rises.",
        "OpenMined/PySyft/issues/6914",
    ),
    "IncidentNegativeEpsilon": _note(
        "domain",
        "delta is above the total variation of the mechanism, so that the least epsilon is 0.",
        "A negative epsilon is returned, or a root search finds no change of sign and fails.",
        "meta-pytorch/opacus/issues/585",
        "meta-pytorch/opacus/pull/844",
    ),
    "IncidentNoNoise": _note(
        "soundness",
        "A sensitivity computed as 0 by mistake: no noise is added at all.",
        "The output is the data.",
        "IBM/differential-privacy-library/issues/105",
    ),
    "IncidentOdometer": _note(
        "tightness",
        "An odometer of advanced composition without the logarithm of 1/delta.",
        "Its epsilon is above that of basic composition already for a delta of 1e-6: loose.",
        "opendp/smartnoise-sdk/issues/621",
        "opendp/smartnoise-sdk/pull/624",
    ),
    "IncidentOvershoot": _note(
        "soundness",
        "A search for the noise of DP-SGD that stops near its target on either side.",
        "The scale returned has an epsilon above the one asked for.",
        "meta-pytorch/opacus/pull/348",
        "meta-pytorch/opacus/issues/346",
    ),
    "IncidentPermuteAndFlip": _note(
        "soundness",
        "Selection by permute-and-flip, accounted as the exponential mechanism: rho = epsilon^2/8.",
        "Permute-and-flip is not of bounded range: its Rényi divergence of order 2 is log(16/7), not log(25/16).",
        "opendp/opendp/issues/2911",
    ),
    "IncidentScaleSquared": _note(
        "soundness",
        "Calibration of Gaussian noise with a wrong sign in the analytic formula, and a scale squared on its way.",
        "The noise is too small.",
        "opendp/smartnoise-core/issues/316",
        "opendp/smartnoise-core/pull/315",
    ),
    "IncidentSharedBudget": _note(
        "soundness",
        "Two releases paid for with one share of the budget.",
        "The epsilon spent is twice the one that is charged.",
        "IBM/differential-privacy-library/issues/104",
    ),
    "IncidentSmallDelta": _note(
        "rounding",
        "A delta near the precision of the accountant: 1.1e-18 and 1.13e-18.",
        "The estimate jumps from 0.056, below the truth of 0.067, to 3.8, with a lower bound of 3.7.",
        "microsoft/prv_accountant/issues/17",
    ),
    "IncidentThreshold": _note(
        "soundness",
        "Keys whose noisy count is at least a threshold are released; delta counted only what lies above it.",
        "The mass of the threshold itself is missing: delta is half of the truth for noise of ratio 1/2.",
        "opendp/opendp/issues/2922",
    ),
    "IncidentTruthTwice": _note(
        "soundness",
        "The coin of randomized response decides whether a random answer is given, which may be the truth again.",
        "The truth comes with 15/16 where 3/4 is claimed: e^epsilon is 15 and not 3.",
        "opendp/opendp/issues/480",
    ),
    "IncidentUnderflow": _note(
        "crash",
        "Scores of the exponential mechanism so far apart that the weights underflow.",
        "A vector of zeros is normalised.",
        "IBM/differential-privacy-library/issues/107",
    ),
    "IncidentZeroLoss": _note(
        "crash",
        "A privacy loss of 0 in every outcome: two keys of a dictionary of losses collapse.",
        "Mass is lost, or counted twice.",
        "google/differential-privacy/issues/110",
    ),
}
"""Flag to meaning."""
