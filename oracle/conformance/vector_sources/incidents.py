"""Public reports of faults, each reduced to questions of the suite: what was asked, with the right answer.

The flags say what was answered (:mod:`oracle.conformance.vector_sources.incident_notes`). Where a report is about a
mechanism that the protocol does not know (a threshold, a selection), its laws are written out as a table for
parameters that make them rational.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from oracle.conformance.cases import Source
from oracle.conformance.vector_sources.calibration import calibrated
from oracle.conformance.vector_sources.catalogue import BALLE_WANG, DONG, DWORK, KAIROUZ, MIRONOV, flags_of, node
from oracle.conformance.vector_sources.contours import second_contour_of_epsilon
from oracle.conformance.vector_sources.drafts import Question, Topic, channel, slug

__all__ = ["topics"]

F = Fraction
Args = Mapping[str, Any]

PERMUTE_AND_FLIP: Final = Source("mckenna2020", "the permute-and-flip mechanism", "https://arxiv.org/abs/2010.12603")

_COIN: Final = channel([F(15, 16), F(1, 16)], [F(1, 16), F(15, 16)])
"""The truth with probability 3/4, otherwise an answer of a fair draw in which the truth may come too with 3/4."""

_LENGTHS: Final = channel([F(1, 2), F(1, 2), 0, 0, 0, 0], [0, 0, F(1, 4), F(1, 4), F(1, 4), F(1, 4)])
"""One random bit against two: the length alone tells the inputs apart."""

_THRESHOLD: Final = channel([F(23, 24), F(1, 24)], [1, 0])
"""A key with count 1, released where 1 + Z >= 5 for discrete Laplace noise Z of ratio 1/2, against no such key."""

_PERMUTED: Final = channel([F(7, 8), F(1, 8)], [F(1, 2), F(1, 2)])
"""Permute-and-flip on the scores (1, -1) and (0, 0), a worse candidate accepted with probability 2^-gap."""

_SELECTED: Final = channel([F(4, 5), F(1, 5)], [F(1, 2), F(1, 2)])
"""The exponential mechanism on the same scores, weights 2^score."""


def _gaussian(sigma: str, **fields: str) -> dict[str, Any]:
    return node("gaussian", sigma=sigma, **fields)


def _repeat(times: int, of: Args) -> dict[str, Any]:
    return node("repeat", times=times, of=of)


def _sampled(rate: str, of: Args) -> dict[str, Any]:
    return node("poisson_subsample", rate=rate, neighbours="add_remove", of=of)


def _asked(name: str, summary: str, args: dict[str, Any], flag: str, *more: str, **fields: Any) -> Question:  # noqa: ANN401
    return Question(f"incident/{name}", summary, args, flags_of(args, flag, *more), **fields)


def _epsilons() -> Iterator[Question]:
    steps = _repeat(10000, _sampled("0.00033", _gaussian("4")))
    for delta in ("1.1e-18", "1.13e-18"):
        for side in ("forward", "backward"):
            args = {"channel": steps, "delta": delta, "direction": side}
            words = f"10000 steps of DP-SGD, rate 0.00033, noise multiplier 4; least eps at delta = {delta}, {side}"
            name = f"prv-accountant-17/d{slug(delta)}-{side}"
            more = ("LargeComposition", "Subsampled")
            yield _asked(name, words, args, "IncidentSmallDelta", *more, confirm=second_contour_of_epsilon)
    for times in (10, 500):
        args = {
            "channel": _repeat(times, _sampled("1/5", _gaussian("1"))),
            "delta": "1e-5",
            "direction": "forward",
        }
        words = f"{times} steps of DP-SGD, rate 1/5, noise multiplier 1; least eps at delta = 1e-5, remove"
        more = ("Subsampled", *(("LargeComposition",) if times == 500 else ()))
        name = f"prv-accountant-42/x{times}"
        yield _asked(name, words, args, "IncidentLargeLoss", *more, confirm=second_contour_of_epsilon)
    args = {"channel": _repeat(10, _sampled("1/1000", _gaussian("10"))), "delta": "1e-3"}
    words = "10 steps of DP-SGD, rate 1/1000, noise multiplier 10; at delta = 1e-3 the least eps is 0"
    more = ("DeltaAboveVariation", "Subsampled")
    yield _asked("opacus-585", words, args, "IncidentNegativeEpsilon", *more, confirm=second_contour_of_epsilon)
    args = {"channel": _sampled("105/100000", _gaussian("1")), "delta": "1e-3"}
    words = "one step of DP-SGD, rate 105/100000, noise multiplier 1; at delta = 1e-3 the least eps is 0"
    yield _asked("tf-privacy-166", words, args, "IncidentEpsilonZero", "DeltaAboveVariation", "Subsampled")
    args = {"channel": _gaussian("100"), "delta": "1/100"}
    words = "Gaussian noise, sigma 100; at delta = 1/100 the least eps is 0"
    yield _asked("opacus-585/one-step", words, args, "IncidentNegativeEpsilon", "DeltaAboveVariation")
    for sigma, delta in (("1/40", "1e-5"), ("1/32", "1e-3")):
        args = {"channel": _gaussian(sigma), "delta": delta}
        words = f"Gaussian noise, sigma {sigma}; the least eps at delta = {delta}, which is above 500"
        yield _asked(f"opacus-775/s{slug(sigma)}", words, args, "IncidentBracket", "LargeEpsilon")
    args = {"channel": _repeat(500, node("randomized_response", epsilon="1")), "delta": "1e-5"}
    words = "500 runs of randomized response, eps = 1; the least eps at delta = 1e-5"
    yield _asked("programming-dp-56", words, args, "IncidentAdvancedComposition", "LargeComposition")
    args = {"channel": _repeat(100, node("randomized_response", epsilon="1/10")), "delta": "1e-6"}
    words = "100 runs of randomized response, eps = 1/10; the least eps at delta = 1e-6"
    yield _asked("smartnoise-sdk-621", words, args, "IncidentOdometer", "LargeComposition")
    for times, sigma, delta in ((60, "20", "1/500"), (2, "20", "1/500")):
        args = {"channel": _repeat(times, _gaussian(sigma)), "delta": delta}
        words = f"{times} runs of Gaussian noise, sigma {sigma}; the least eps at delta = {delta}"
        yield _asked(f"autodp-15/x{times}", words, args, "IncidentInfiniteComposition")
    for sigma in ("0.01", "1"):
        args = {"channel": _gaussian(sigma, sensitivity="0.004"), "delta": "1e-5"}
        words = f"the mean of 10000 values within [-20, 20], Gaussian noise, sigma {sigma}; least eps at delta = 1e-5"
        yield _asked(f"pysyft-6914/s{slug(sigma)}", words, args, "IncidentLessNoise")
    yield _asked(
        "opendp-480/pure",
        "a boolean reported with probability 3/4, otherwise drawn so that it may come out all the same; pure eps",
        {"channel": _COIN, "delta": "0"},
        "IncidentTruthTwice",
    )
    for delta in ("0", "3/4"):
        words = f"vectors of one and of two random bits; the least eps for delta = {delta}"
        args = {"channel": _LENGTHS, "delta": delta}
        yield _asked(f"opendp-2930/d{slug(delta)}", words, args, "IncidentLength")
    half = node("randomized_response", exp_epsilon="3")
    args = {"channel": node("compose", of=[half, half]), "delta": "0"}
    words = "two releases of e^eps = 3 that a budget counted once; pure eps"
    yield _asked("diffprivlib-104/pure", words, args, "IncidentSharedBudget")


def _deltas() -> Iterator[Question]:
    for level in ("2", "1", "inf"):
        args = {"channel": _THRESHOLD, "exp_epsilon": level}
        words = f"a count of 1 released where 1 + noise >= 5 (ratio 1/2), or no such key; delta at e^eps = {level}"
        yield _asked(f"opendp-2922/e{level}", words, args, "IncidentThreshold")
    for epsilon in ("10", "20"):
        sigma = {"10": "0.4845", "20": "0.242241"}[epsilon]
        args = {"channel": _gaussian(sigma), "epsilon": epsilon}
        words = f"Gaussian noise of the classical scale for eps = {epsilon}, delta = 1e-5; delta at eps = {epsilon}"
        yield _asked(f"smartnoise-sdk-462/eps-{epsilon}", words, args, "IncidentClassicalScale")
    args = {"channel": _sampled("105/100000", _gaussian("1")), "epsilon": "0"}
    words = "one step of DP-SGD, rate 105/100000, noise multiplier 1; delta at eps = 0, which is below 1e-3"
    yield _asked("tf-privacy-166/eps-0", words, args, "IncidentEpsilonZero", "Subsampled")
    twice = _repeat(2, node("approximate_randomized_response", exp_epsilon="1", delta="1/10"))
    for level in ("1", "2"):
        args = {"channel": twice, "exp_epsilon": level}
        words = f"2 runs of the canonical pair of eps = 0, delta = 1/10; delta at e^eps = {level}"
        yield _asked(f"google-dp-110/e{level}", words, args, "IncidentZeroLoss")


def _claims() -> Iterator[Question]:
    def claimed(name: str, words: str, subject: Args, claim: Args, flag: str) -> Question:
        return _asked(name, words, {"channel": subject, "claim": claim}, flag, "Threshold")

    for level in ("3", "15"):
        words = f"a boolean reported with probability 3/4, otherwise drawn anew: whether e^eps = {level}"
        yield claimed(f"opendp-480/e{level}", words, _COIN, {"exp_epsilon": level}, "IncidentTruthTwice")
    for delta in ("1/48", "1/24"):
        words = f"a count of 1 released where 1 + noise >= 5: whether e^eps = 2, delta = {delta}"
        claim = {"exp_epsilon": "2", "delta": delta}
        yield claimed(f"opendp-2922/d{slug(delta)}", words, _THRESHOLD, claim, "IncidentThreshold")
    words = "vectors of one and of two random bits: whether e^eps = 3, delta = 1/2"
    yield claimed("opendp-2930/claim", words, _LENGTHS, {"exp_epsilon": "3", "delta": "1/2"}, "IncidentLength")
    for name, words, subject in (
        ("permuted", "permute-and-flip", _PERMUTED),
        ("selected", "the exponential mechanism", _SELECTED),
    ):
        claim = {"order": "2", "epsilon": "0.4804530139182014"}
        summary = f"{words} on (1, -1) and (0, 0), base 2: Rényi order 2 within rho = (2 log 2)^2/8"
        yield claimed(f"opendp-2911/{name}", summary, subject, claim, "IncidentPermuteAndFlip")
    for sigma, epsilon in (("0.4845", "10"), ("0.242241", "20"), ("9.6897", "1/2")):
        words = f"Gaussian noise of the classical scale {sigma}: whether eps = {epsilon}, delta = 1e-5"
        claim = {"epsilon": epsilon, "delta": "1e-5"}
        name = f"programming-dp-45/eps-{slug(epsilon)}"
        yield claimed(name, words, _gaussian(sigma), claim, "IncidentClassicalScale")
    half = node("randomized_response", exp_epsilon="3")
    for level in ("3", "9"):
        words = f"two releases of e^eps = 3 that a budget counted once: whether e^eps = {level}"
        subject = node("compose", of=[half, half])
        yield claimed(f"diffprivlib-104/e{level}", words, subject, {"exp_epsilon": level}, "IncidentSharedBudget")


def _divergences() -> Iterator[Question]:
    for name, words, subject in (
        ("permuted", "permute-and-flip", _PERMUTED),
        ("selected", "the exponential mechanism", _SELECTED),
    ):
        for side in ("forward", "backward"):
            args = {"channel": subject, "order": "2", "direction": side}
            summary = f"{words} on the scores (1, -1) and (0, 0), base 2; Rényi order 2, {side}"
            yield _asked(f"opendp-2911/{name}-{side}", summary, args, "IncidentPermuteAndFlip")
    for order in ("2", "8"):
        args = {"channel": _gaussian("1", sensitivity="2"), "order": order}
        words = f"a record replaced by its opposite, noise multiplier 1; Rényi order {order}"
        yield _asked(f"google-dp-378/o{order}", words, args, "IncidentFactorTwo", "DefinitionDependent")


def _betas() -> Iterator[Question]:
    answers = channel([F(3, 5), F(2, 5)], [F(2, 5), F(3, 5)])
    for alpha in ("0", "1/5", "2/5", "1/2", "1"):
        args = {"channel": answers, "alpha": alpha}
        words = f"randomized response, truth 3/5; the least type II error at alpha = {alpha}"
        yield _asked(f"riskcal-2/a{slug(alpha)}", words, args, "IncidentDiscreteCurve")
    args = {"channel": answers}
    yield _asked("riskcal-2/corners", "randomized response, truth 3/5; all corners", args, "IncidentDiscreteCurve")


def _scales() -> Iterator[Question]:
    gaussian = node("gaussian", sigma="?")
    for name, words, template, epsilon, delta, flag in (
        ("smartnoise-core-316/small", "Gaussian noise", gaussian, "20", "1e-5", "IncidentScaleSquared"),
        ("smartnoise-core-316/sign", "Gaussian noise", gaussian, "1/10", "1e-3", "IncidentScaleSquared"),
        ("smartnoise-sdk-462", "Gaussian noise", gaussian, "10", "1e-5", "IncidentClassicalScale"),
        ("autodp-39/eps-50", "Gaussian noise", gaussian, "50", "1e-6", "IncidentCalibrationRange"),
        ("autodp-39/eps-500", "Gaussian noise", gaussian, "500", "1e-6", "IncidentCalibrationRange"),
        ("opacus-346", "60 runs of Gaussian noise", _repeat(60, gaussian), "3", "1e-5", "IncidentOvershoot"),
        ("opendp-429", "Gaussian noise", gaussian, "0", "1e-6", "IncidentEndlessSearch"),
    ):
        yield calibrated(f"incident/{name}", words, template, "sigma", epsilon, delta, flag)


def topics() -> list[Topic]:
    """The topics of this module."""
    made: list[tuple[str, str, tuple[Source, ...], Iterator[Question]]] = [
        ("epsilon", "epsilon", (KAIROUZ, DWORK), _epsilons()),
        ("delta", "delta", (BALLE_WANG, DWORK), _deltas()),
        ("claims", "satisfies", (BALLE_WANG, DWORK, PERMUTE_AND_FLIP), _claims()),
        ("renyi", "renyi", (MIRONOV, PERMUTE_AND_FLIP), _divergences()),
        ("tradeoff", "tradeoff", (DONG,), _betas()),
        ("calibration", "calibrate", (BALLE_WANG,), _scales()),
    ]
    summary = "Public reports of faults, reduced to questions; the flag of each says what was answered."
    return [Topic(f"incidents/{name}.json", op, summary, sources, list(asked)) for name, op, sources, asked in made]
